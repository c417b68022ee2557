#include "core/wipe.hpp"

#include <cstring>

namespace girih {

void wipe_memory(void* data, std::size_t bytes) noexcept
{
    std::memset(data, 0, bytes);
    // The compiler must assume that this reads the memory, so it cannot drop the store as dead.
    __asm__ __volatile__("" : : "r"(data) : "memory");
}

void copy_secret(const void* from, void* to, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

// In a file of its own so that it is never inlined: its frame must cover the frames of earlier
// calls.
void wipe_stack_below(std::size_t bytes) noexcept { wipe_memory(__builtin_alloca(bytes), bytes); }

}  // namespace girih
