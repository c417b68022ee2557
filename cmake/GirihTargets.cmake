# What every target of the project is compiled with.

include(CheckCXXCompilerFlag)

# What the system's randomness is drawn from, besides the C library.
set(girih_system_libraries "")
if(WIN32 AND NOT GIRIH_NO_SYSTEM_RANDOMNESS)
  set(girih_system_libraries bcrypt)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(girih_flags INTERFACE)
target_compile_features(girih_flags INTERFACE cxx_std_20)
target_compile_options(girih_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  -ffp-contract=off -fno-math-errno # Falcon: each operation is rounded, and a square root is an instruction
  $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wsign-conversion>
  $<$<BOOL:${GIRIH_WARNINGS_ARE_ERRORS}>:-Werror>)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  # How vectors and spans are passed depends on g++'s version; no function of girih.h has any.
  target_compile_options(girih_flags INTERFACE -Wno-psabi)
endif()
if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Windows aligns the stack to 16 bytes. g++ keeps vectors of 32 and 64 there in places that it
  # does not align, and moves them by instructions that fault for that (GCC's bug 54412; Debian has
  # patched its g++). The assembler puts in others, which are as fast; tools/windows_check looks.
  set(option -Wa,-muse-unaligned-vector-move)
  check_cxx_compiler_flag(${option} GIRIH_HAS_UNALIGNED_VECTOR_MOVES)
  if(GIRIH_HAS_UNALIGNED_VECTOR_MOVES)
    target_compile_options(girih_flags INTERFACE ${option})
    target_compile_definitions(girih_flags INTERFACE GIRIH_UNALIGNED_VECTOR_MOVES)
  endif()
endif()
if(GIRIH_CHECK_CONSTANT_TIME)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_CONSTANT_TIME)
endif()
if(GIRIH_CHECK_BOUNDS)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_BOUNDS)
endif()
