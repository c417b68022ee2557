# 64-bit RISC-V Linux, built with clang++ over Debian's cross libraries, and run on QEMU's processor
# with vectors of 256 bits.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_C_FLAGS_INIT --target=riscv64-linux-gnu)  # for programs that ask for flags
set(CMAKE_CXX_FLAGS_INIT --target=riscv64-linux-gnu)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-19")
endforeach()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -cpu rv64,v=true,vext_spec=v1.0,vlen=256,zba=true,zbb=true -L /usr/riscv64-linux-gnu)
