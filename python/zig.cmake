# A toolchain for wheels (python/wheels): Zig's clang, C++ library and linker, with the C library
# that ZIG_TARGET names (x86_64-linux-gnu.2.28, aarch64-linux-musl ...).
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "$ENV{ZIG_TARGET}")
# Its clang archives the sources that it compiles: checks of options need no linker.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(GIRIH_HAS_SHADOW_STACK OFF CACHE BOOL "Whether the linker knows -z shstk")
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET "$ENV{ZIG_TARGET}")
  set(CMAKE_${language}_ARCHIVE_CREATE "$ENV{ZIG} ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "$ENV{ZIG} ar q <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "$ENV{ZIG} ranlib <TARGET>")
endforeach()
set(CMAKE_C_COMPILER $ENV{ZIG} cc)
set(CMAKE_CXX_COMPILER $ENV{ZIG} c++)
set(CMAKE_STRIP true)
add_link_options(-s)
# LLVM 19 has std::jthread behind this macro; it needs no other library. nanobind's headers print to
# stderr without <cstdio>.
add_compile_definitions(_LIBCPP_ENABLE_EXPERIMENTAL)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include cstdio>")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(ZIG_FLAGS_OF_512_BITS -mevex512)
  # __builtin_cpu_supports needs symbols that Zig's library lacks, and g++'s has.
  execute_process(COMMAND gcc -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${libgcc})
endif()
