/// The four functions of the C library that compilers call, for toolchains without one. Words are
/// copied and set at once where all addresses are words', as C libraries do.
#include <cstddef>
#include <cstdint>

extern "C" {

void* memcpy(void* to, const void* from, std::size_t bytes);
void* memmove(void* to, const void* from, std::size_t bytes);
void* memset(void* to, int byte, std::size_t bytes);
int memcmp(const void* a, const void* b, std::size_t bytes);

}  // extern "C"

// tools/cores keeps the compiler from making calls of these functions out of their loops.

namespace {

using Word [[gnu::may_alias]] = std::uint32_t;

bool are_words(std::uintptr_t addresses) { return addresses % sizeof(Word) == 0; }

}  // namespace

void* memcpy(void* to, const void* from, std::size_t bytes)
{
    auto* out = static_cast<unsigned char*>(to);
    const auto* in = static_cast<const unsigned char*>(from);
    if (are_words(reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)))
        for (; bytes >= sizeof(Word); bytes -= sizeof(Word), out += sizeof(Word), in += sizeof(Word))
            *reinterpret_cast<Word*>(out) = *reinterpret_cast<const Word*>(in);
    for (; bytes > 0; --bytes) *out++ = *in++;
    return to;
}

void* memmove(void* to, const void* from, std::size_t bytes)
{
    if (to <= from) return memcpy(to, from, bytes);  // whose copies go upwards
    auto* out = static_cast<unsigned char*>(to);
    const auto* in = static_cast<const unsigned char*>(from);
    while (bytes-- > 0) out[bytes] = in[bytes];
    return to;
}

void* memset(void* to, int byte, std::size_t bytes)
{
    auto* out = static_cast<unsigned char*>(to);
    const Word word = static_cast<unsigned char>(byte) * std::uint32_t{0x01010101};
    if (are_words(reinterpret_cast<std::uintptr_t>(to)))
        for (; bytes >= sizeof(Word); bytes -= sizeof(Word), out += sizeof(Word))
            *reinterpret_cast<Word*>(out) = word;
    for (; bytes > 0; --bytes) *out++ = static_cast<unsigned char>(byte);
    return to;
}

int memcmp(const void* a, const void* b, std::size_t bytes)
{
    const auto* left = static_cast<const unsigned char*>(a);
    const auto* right = static_cast<const unsigned char*>(b);
    for (std::size_t i = 0; i < bytes; ++i)
        if (const int difference = left[i] - right[i]; difference != 0) return difference;
    return 0;
}
