# WebAssembly, built with Debian's clang-19, lld-19, wasi-libc and libc++-19-dev-wasm32. A module
# imports nothing of WASI: wasi-libc has the headers, and functions such as memcpy.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
# A test program could not be linked.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

# Every host with 128-bit vectors has these as well; all have had them since 2021.
set(instructions "-mbulk-memory -msign-ext -mnontrapping-fptoint -mmutable-globals")
set(CMAKE_C_FLAGS_INIT "${instructions} -isystem /usr/include/wasm32-wasi")
set(CMAKE_CXX_FLAGS_INIT "${instructions} \
-isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi")
