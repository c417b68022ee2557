# 64-bit Windows, built with Debian's MinGW-w64 (with C++ threads of its POSIX model). Programs run
# under Wine, without a display, with Wine's folder beside the builds, and fastest while
# tools/with_wine runs there.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Links the C++ library and its threads statically, so that a program needs no other file.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
get_filename_component(prefix ${CMAKE_CURRENT_LIST_DIR}/../../build/wine ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR
  env WINEDEBUG=-all WINEPREFIX=${prefix} WINEDLLOVERRIDES=mscoree,mshtml= DISPLAY= wine)
