#include "steps.hpp"

#include <cstdlib>
#include <new>

/// Compiled without -fsanitize-coverage: the counters are not counted themselves.
namespace {

std::uint64_t count = 0;

}  // namespace

namespace girih::key_files {

std::uint64_t steps() noexcept { return count; }

}  // namespace girih::key_files

// ---- Called by every block that the compiler instruments

extern "C" void __sanitizer_cov_trace_pc() { ++count; }

// ---- Allocation

void* operator new(std::size_t bytes)
{
    count += bytes;
    if (void* const memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// ---- Replacements for the C library's functions, put in by the linker (--wrap)

extern "C" {

void* __real_memchr(const void*, int, std::size_t);
int __real_memcmp(const void*, const void*, std::size_t);
void* __real_memcpy(void*, const void*, std::size_t);
void* __real_memmove(void*, const void*, std::size_t);
void* __real_memset(void*, int, std::size_t);

void* __wrap_memchr(const void* in, int byte, std::size_t bytes)
{
    void* const found = __real_memchr(in, byte, bytes);
    count += found != nullptr
                 ? static_cast<std::size_t>(static_cast<const char*>(found) - static_cast<const char*>(in))
                 : bytes;
    return found;
}
int __wrap_memcmp(const void* a, const void* b, std::size_t bytes)
{
    count += bytes;
    return __real_memcmp(a, b, bytes);
}
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes)
{
    count += bytes;
    return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes)
{
    count += bytes;
    return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int byte, std::size_t bytes)
{
    count += bytes;
    return __real_memset(to, byte, bytes);
}

}  // extern "C"
