/// Code for tools/hardening_check and tools/exported_symbols: guarded as the library is or, with
/// one flag of tests/hardening/CMakeLists.txt changed, unguarded in one way.
#include <cstdio>
#include <cstring>

extern "C" {
[[gnu::visibility("default")]] int planted_declared(const char* text, std::size_t bytes);
[[gnu::visibility("default")]] int planted_undeclared();
}

#ifdef PLANTED_RELOCATION_IN_CODE
__asm__(".text\n.quad planted_undeclared\n");
#endif

#ifndef PLANTED_PLACE
#    define PLANTED_PLACE ""
#endif

constexpr std::size_t frame = 100'000;

/// An array that needs a canary because of its calls, and a copy whose length is not known.
int planted_declared(const char* text, std::size_t bytes)
{
    char copy[frame];
    std::memcpy(copy, text, bytes);
    std::printf("%s%s\n", PLANTED_PLACE, copy);
    return copy[bytes / 2];
}

int planted_undeclared() { return 1; }

#ifdef PLANTED_PROGRAM
int main(int count, char** words) { return planted_declared(words[0], static_cast<std::size_t>(count)); }
#endif
