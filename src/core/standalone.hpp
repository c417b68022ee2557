/// Included before all other headers wherever the library is compiled: by CMake's -include, and
/// first in the amalgamated text.
///
/// Programs in C and Rust link girih without a C++ library, whose checks of indices call functions
/// of that library. Many distributions turn these checks on for everything that they build. girih
/// checks its inputs itself, make sanitize and tools/mutate look for wrong indices, and the checks
/// took up to a sixth of the time.
#pragma once

#undef _GLIBCXX_ASSERTIONS
// libstdc++ 15 turns them on without optimization.
// NOLINTNEXTLINE(readability-identifier-naming): libstdc++'s name
#define _GLIBCXX_NO_ASSERTIONS 1
// libc++ defines the value itself. Zig's has no mode of its own to fall back on.
#undef _LIBCPP_HARDENING_MODE
// NOLINTNEXTLINE(readability-identifier-naming): libc++'s name
#define _LIBCPP_HARDENING_MODE _LIBCPP_HARDENING_MODE_NONE
#undef _LIBCPP_ENABLE_HARDENED_MODE
#undef _LIBCPP_ENABLE_ASSERTIONS
