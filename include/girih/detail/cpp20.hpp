/// Included first by every C++ header: an older standard is one clear error.
#pragma once

#if defined(_MSVC_LANG)
#    define GIRIH_CPLUSPLUS _MSVC_LANG  // __cplusplus stays at C++98 there
#else
#    define GIRIH_CPLUSPLUS __cplusplus
#endif
#if GIRIH_CPLUSPLUS < 202002L
#    error "girih's C++ headers need C++20 (-std=c++20); in older C++, include girih/girih.h"
#endif
#undef GIRIH_CPLUSPLUS
