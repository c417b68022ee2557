/* The functions of a board that the loader and the application need. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Where the slot and the counter are in flash: loader.ld has their addresses. */
#define BOARD_SLOT_BYTES 0x30000u
#define BOARD_COUNTER_BITS 1024
extern const uint8_t board_slot[];
extern volatile uint32_t board_counter[];

void board_print(const char* text);

/* Does nothing more until a reset. */
__attribute__((noreturn)) void board_stop(void);

/* Programs a word of flash: bits go from 1 to 0 alone. */
void board_program(volatile uint32_t* word, uint32_t value);

/* Starts the program whose vector table this is. */
__attribute__((noreturn)) void board_start(const uint8_t* vectors);

#endif
