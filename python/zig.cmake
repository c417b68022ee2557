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
# nanobind's headers print to stderr without <cstdio>.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include cstdio>")
# Libraries of GCC that the module needs, beside Zig's:
# - libgcc_s of the system unwinds a thread that glibc ends (src/lock.hpp), and the frames of C++
#   must read its contexts by its own functions; Zig would link LLVM's.
# - libgcc has the symbols of __builtin_cpu_supports, which Zig's library lacks.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(ZIG_FLAGS_OF_512_BITS -mevex512)
  foreach(name libgcc_s.so.1 libgcc.a)
    execute_process(COMMAND gcc -print-file-name=${name} OUTPUT_VARIABLE ${name}
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${libgcc.a})
else()
  set(libgcc_s.so.1 /usr/aarch64-linux-gnu/lib/libgcc_s.so.1)
endif()
if("$ENV{ZIG_TARGET}" MATCHES "gnu")
  string(APPEND CMAKE_CXX_STANDARD_LIBRARIES_INIT " ${libgcc_s.so.1}")
endif()
