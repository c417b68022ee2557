# What every target of the project is compiled with.

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
if(GIRIH_CHECK_CONSTANT_TIME)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_CONSTANT_TIME)
endif()
if(GIRIH_CHECK_BOUNDS)
  target_compile_definitions(girih_flags INTERFACE GIRIH_CHECK_BOUNDS)
endif()

# The engines beside the portable one that this processor family can have; src/engines/list.cpp lists the same.
set(GIRIH_ENGINES "all" CACHE STRING "Which engines are built: all, or portable alone")
set_property(CACHE GIRIH_ENGINES PROPERTY STRINGS all portable)
set(GIRIH_VECTOR_ENGINES "")
if(GIRIH_ENGINES STREQUAL "portable")
elseif(NOT GIRIH_ENGINES STREQUAL "all")
  message(FATAL_ERROR "girih: GIRIH_ENGINES is all or portable, not ${GIRIH_ENGINES}")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(GIRIH_VECTOR_ENGINES avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(GIRIH_VECTOR_ENGINES neon neon_sha3)
endif()
