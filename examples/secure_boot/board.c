/* Arm's MPS2 boards as QEMU emulates them: mps2-an386 (Cortex-M4) and mps2-an505 (Cortex-M33, in
 * its secure state). The Makefile says where the UART is. Their memory for code is emulated as
 * RAM; board_program makes flash of it. */
#include "board.h"

#include <string.h>

static volatile uint32_t* register_at(uintptr_t address) { return (volatile uint32_t*)address; }

void board_print(const char* text)
{
    *register_at(UART + 16) = 16; /* baud divider: the smallest allowed */
    *register_at(UART + 8) = 1;   /* transmitter on */
    for (; *text != '\0'; ++text) {
        for (int tries = 10000; tries > 0 && (*register_at(UART + 4) & 1) != 0; --tries) {
        } /* full */
        *register_at(UART) = (uint8_t)*text;
    }
}

__attribute__((naked)) void board_stop(void)
{
    __asm__ volatile("b board_stop\n\tb board_stop\n\tb board_stop");
}

void board_program(volatile uint32_t* word, uint32_t value) { *word &= value; }

void board_start(const uint8_t* vectors)
{
    const uint32_t stack = ((const volatile uint32_t*)vectors)[0];
    const uint32_t entry = ((const volatile uint32_t*)vectors)[1];
    *register_at(0xE000ED08) = (uintptr_t)vectors; /* VTOR, once memory was there */
    __asm__ volatile(
        "dsb\n\t"
        "msr msp, %0\n\t"
        "bx %1\n\t"
        "udf #0" ::"r"(stack),
        "r"(entry));
    __builtin_unreachable();
}

/* ---- Start-up -------------------------------------------------------------------------------- */

extern uint8_t data_begin[], data_end[], data_load[], bss_begin[], bss_end[], stack_top[];
int main(void);

__attribute__((noreturn)) void reset_handler(void)
{
    *register_at(0xE000ED88) |= 0xFu << 20; /* CPACR: the floating-point unit on, if there is one */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    memcpy(data_begin, data_load, (size_t)(data_end - data_begin));
    memset(bss_begin, 0, (size_t)(bss_end - bss_begin));
    (void)main();
    board_stop();
}

__attribute__((noreturn)) void fault_handler(void)
{
    board_print("fault\n");
    board_stop();
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {stack_top,
                                                                                   reset_handler,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   0,
                                                                                   0,
                                                                                   0,
                                                                                   fault_handler,
                                                                                   fault_handler,
                                                                                   0,
                                                                                   fault_handler,
                                                                                   fault_handler};
