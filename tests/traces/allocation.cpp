/// Memory of traced key files, at the same addresses in every child, whatever else is allocated.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

alignas(64) std::array<std::byte, std::size_t{1} << 27> room;
std::byte* next = room.data();

}  // namespace

/// Whether the comparison, which needs much more memory, allocates with malloc.
extern "C" {
bool girih_traces_is_own_memory = false;
}

void* operator new(std::size_t bytes)
{
    if (girih_traces_is_own_memory) return std::malloc(bytes);
    void* const memory = next;
    next += (bytes + 63) / 64 * 64;
    if (next > room.data() + room.size()) std::abort();
    return memory;
}

void operator delete(void* memory) noexcept
{
    if (memory < room.data() || memory >= room.data() + room.size()) std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
