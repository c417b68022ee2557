#include "core/wipe.hpp"

#include <atomic>
#include <cstring>

namespace girih {
namespace {

constinit std::atomic<ClearRegisters> clear_registers{nullptr};

}  // namespace

void wipe_memory(void* data, std::size_t bytes) noexcept
{
    std::memset(data, 0, bytes);
    // The compiler must assume that this reads the memory, so it cannot drop the store as dead.
    __asm__ __volatile__("" : : "r"(data) : "memory");
}

void copy_secret(const void* from, void* to, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

// In a file of its own so that it is never inlined: its frame must cover the frames of earlier
// calls.
void wipe_stack_below(std::size_t bytes) noexcept
{
    if (const ClearRegisters clear = clear_registers.load(std::memory_order_relaxed)) bytes += clear();
    wipe_memory(__builtin_alloca(bytes), bytes);
}

void expect_long_registers(ClearRegisters clear) noexcept
{
    clear_registers.store(clear, std::memory_order_relaxed);
}

}  // namespace girih
