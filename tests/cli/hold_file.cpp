// Holds a file so that nobody else can use it, as programs of Windows may, until standard input
// ends.
#include <windows.h>

#include <cstdio>

int main(int argc, char** argv)
{
    const HANDLE file = argc < 2 ? INVALID_HANDLE_VALUE
                                 : CreateFileA(argv[1], GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return 1;
    std::puts("held");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
}
