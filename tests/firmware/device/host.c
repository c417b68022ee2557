/* The board's functions on the host, for the reference lines of the library for processors. */
#include "board.h"

#include <stdio.h>

void print(const char* text) { fputs(text, stdout); }
void print_number(const char* name, long number) { printf("%s %ld\n", name, number); }
void print_bytes(const char* name, const uint8_t* bytes, size_t count)
{
    printf("%s ", name);
    for (size_t i = 0; i < count; ++i) printf("%02x", bytes[i]);
    printf("\n");
}
void measure(const char* name, void (*function)(void))
{
    (void)name;
    function();
}
