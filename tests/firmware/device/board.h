/* The board of the foreign project: text to the emulator, and what a call takes. */
#include <girih/girih.h>

void print(const char* text);
void print_number(const char* name, long number);
void print_bytes(const char* name, const uint8_t* bytes, size_t count);

/* Runs a function, and prints the stack that it took and the instructions that it counted. */
void measure(const char* name, void (*function)(void));
