# A 32-bit RISC-V core without an operating system (RV32IMC), built with Debian's
# gcc-riscv64-unknown-elf. That has no C++ library, so the headers are those of libstdc++ for Arm:
# the same text but for macros that this compiler defines.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
# A test program could not be linked.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(processor "-march=rv32imc -mabi=ilp32")
file(GLOB headers LIST_DIRECTORIES true /usr/include/newlib/c++/*)
set(girih_headers "")
foreach(folder IN LISTS headers)
  set(girih_headers "-isystem ${folder} -isystem ${folder}/arm-none-eabi -isystem /usr/include/newlib")
endforeach()
set(CMAKE_C_FLAGS_INIT "${processor}")
set(CMAKE_CXX_FLAGS_INIT "${processor} ${girih_headers}")
set(CMAKE_ASM_FLAGS_INIT "${processor}")
