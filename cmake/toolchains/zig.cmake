# Zig's clang, C library, C++ library and linker, for what ZIG_TARGET names: x86_64-linux-gnu.2.28,
# aarch64-linux-musl, aarch64-macos.11.0, x86_64-windows-gnu ... ZIG is its program. For wheels
# (python/wheels) and the command of a release (packaging/release).
string(REGEX MATCH "^([^-]+)-([^-.]+)" target "$ENV{ZIG_TARGET}")
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(system_of_linux Linux)
set(system_of_macos Darwin)
set(system_of_windows Windows)
set(CMAKE_SYSTEM_NAME ${system_of_${CMAKE_MATCH_2}})
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
# Zig denies 512-bit registers to every function, unless it is told otherwise.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(ZIG_FLAGS_OF_512_BITS -mevex512)
endif()
# A module for Python needs the libgcc_s of its system, not LLVM's functions: that one unwinds a
# thread which glibc ends (python/src/lock.hpp), and the frames of C++ read its contexts.
if("$ENV{ZIG_TARGET}" MATCHES "linux-gnu")
  set(libgcc_s /usr/aarch64-linux-gnu/lib/libgcc_s.so.1)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    execute_process(COMMAND gcc -print-file-name=libgcc_s.so.1 OUTPUT_VARIABLE libgcc_s
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
  set(CMAKE_CXX_STANDARD_LIBRARIES_INIT ${libgcc_s})
endif()
