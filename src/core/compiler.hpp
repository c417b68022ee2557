/// The compilers that girih is built with. README.md and cmake/GirihTargets.cmake name the same
/// versions (tools/check compilers).
#pragma once

#if defined(__clang__)
#    if __clang_major__ < 14
#        error "girih needs clang++ 14 or later, or g++ 11 or later"
#    endif
#elif !defined(__GNUC__) || __GNUC__ < 11
#    error "girih needs g++ 11 or later, or clang++ 14 or later"
#endif
#if __cplusplus < 202002L
#    error "girih needs C++20: -std=c++20"
#endif
