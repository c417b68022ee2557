/* The four functions of the C library that compilers call, for toolchains without one. Words are
 * copied and set at once where all addresses are words', as C libraries do. */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;

static int are_words(uintptr_t addresses) { return addresses % sizeof(word) == 0; }

void* memcpy(void* to, const void* from, size_t bytes)
{
    unsigned char* out = to;
    const unsigned char* in = from;
    if (are_words((uintptr_t)to | (uintptr_t)from))
        for (; bytes >= sizeof(word); bytes -= sizeof(word), out += sizeof(word), in += sizeof(word))
            *(word*)(void*)out = *(const word*)(const void*)in;
    for (; bytes > 0; --bytes) *out++ = *in++;
    return to;
}

void* memmove(void* to, const void* from, size_t bytes)
{
    if (to <= from) return memcpy(to, from, bytes);  // whose copies go upwards
    unsigned char* out = to;
    const unsigned char* in = from;
    while (bytes-- > 0) out[bytes] = in[bytes];
    return to;
}

void* memset(void* to, int byte, size_t bytes)
{
    unsigned char* out = to;
    const word four = (unsigned char)byte * UINT32_C(0x01010101);
    if (are_words((uintptr_t)to))
        for (; bytes >= sizeof(word); bytes -= sizeof(word), out += sizeof(word)) *(word*)(void*)out = four;
    for (; bytes > 0; --bytes) *out++ = (unsigned char)byte;
    return to;
}

int memcmp(const void* a, const void* b, size_t bytes)
{
    const unsigned char* left = a;
    const unsigned char* right = b;
    for (size_t i = 0; i < bytes; ++i)
        if (left[i] != right[i]) return left[i] - right[i];
    return 0;
}
