// A vector of 32 bytes, written by an instruction that faults if the address is not a multiple of
// 32. (Debian's g++ for Windows makes none by itself.)
#include <cstdint>

using Vector = std::uint64_t __attribute__((vector_size(32)));

[[gnu::target("avx2")]] void planted_write(Vector* to) { __asm__("vmovdqa %%ymm0, %0" : "=m"(*to)); }
