# 64-bit Windows, built with Debian's MinGW-w64 (C++'s threads are those of its POSIX model); what
# is built runs under Wine, without a display, in a folder of Wine's own beside the builds, and best
# while tools/with_wine runs there.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# The C++ library and its threads go into the program, so that it needs no file beside it.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
get_filename_component(prefix ${CMAKE_CURRENT_LIST_DIR}/../../build/wine ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR
  env WINEDEBUG=-all WINEPREFIX=${prefix} WINEDLLOVERRIDES=mscoree,mshtml= DISPLAY= wine)
