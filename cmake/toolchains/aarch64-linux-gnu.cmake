# 64-bit Arm Linux, built with Debian's cross compiler; what is built runs on QEMU's most
# capable processor. Its return addresses are signed and checked by a hash of QEMU's own: with the
# default, Arm's QARMA in software, most of a run would be spent on that.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc-12)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-12)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu max,pauth-impdef=on -L /usr/aarch64-linux-gnu)
