# Options that every target of the project is compiled with.

include(CheckCXXCompilerFlag)

# The oldest compilers, as in src/core/compiler.hpp.
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11) OR
   (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR "girih: needs g++ 11 or clang++ 14, or later; this is "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})")
endif()

# Each file is compiled separately: engines' files have regions for other processors, and machine
# code is checked in these objects.
set(CMAKE_UNITY_BUILD OFF)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)

# Drops the warning options of a surrounding project: here they would be errors, or fail every check
# of a compiler option.
if(NOT PROJECT_IS_TOP_LEVEL)
  string(REGEX REPLACE "(^| )-W([b-km-oq-z]|[alp][-a-z])[-+=_a-z0-9]*" "" CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS}")
endif()

# The libraries for the system's randomness, besides the C library.
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
# Names of files in errors and assertions are relative, so that nothing built tells where, and other
# folders make the same bytes. The last folder that a name begins with is left out of it.
foreach(folder ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_compile_options(girih_flags INTERFACE -fmacro-prefix-map=${folder}/=)
endforeach()
# Falcon: each operation is rounded, and a square root is an instruction.
target_compile_options(girih_flags INTERFACE -fno-fast-math -ffp-contract=off -fno-math-errno)
# g++ before 14 (its bug 110702) can take a loop's stores for stores to a null pointer, and then
# drops the calls of the function: it must not conclude anything from null pointers.
target_compile_options(girih_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-delete-null-pointer-checks>)
if(PROJECT_IS_TOP_LEVEL OR GIRIH_WARNINGS_ARE_ERRORS)
  target_compile_options(girih_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow
    $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wsign-conversion>
    $<$<BOOL:${GIRIH_WARNINGS_ARE_ERRORS}>:-Werror>)
else()
  target_compile_options(girih_flags INTERFACE -w)
endif()
if(CMAKE_SIZEOF_VOID_P EQUAL 4 OR aarch64 IN_LIST girih_families)
  # The passing of vectors and spans depends on g++'s version; functions of girih.h have none.
  target_compile_options(girih_flags INTERFACE -Wno-psabi)
endif()
if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Windows aligns the stack to 16 bytes. g++ stores vectors of 32 and 64 bytes there unaligned, but
  # with instructions that need alignment and fault (GCC's bug 54412; Debian's g++ is patched). The
  # assembler replaces these by unaligned ones, which are as fast; tools/windows_check checks that.
  set(option -Wa,-muse-unaligned-vector-move)
  check_cxx_compiler_flag(${option} GIRIH_HAS_UNALIGNED_VECTOR_MOVES)
  if(GIRIH_HAS_UNALIGNED_VECTOR_MOVES)
    target_compile_options(girih_flags INTERFACE ${option})
    target_compile_definitions(girih_flags INTERFACE GIRIH_UNALIGNED_VECTOR_MOVES)
  endif()
endif()
if(GIRIH_NO_SYSTEM_RANDOMNESS)
  target_compile_definitions(girih_flags INTERFACE GIRIH_NO_SYSTEM_RANDOMNESS)
endif()
if(GIRIH_CHECK_CONSTANT_TIME)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_CONSTANT_TIME)
endif()
if(GIRIH_CHECK_BOUNDS)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_BOUNDS)
endif()
