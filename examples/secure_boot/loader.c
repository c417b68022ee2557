/* The bootloader: checks the image in the slot twice, raises the counter to the image's, starts it. */
#include "board.h"
#include "boot.h"

/* Says why, once, and stays here until a reset. A skipped branch at the end meets another. */
__attribute__((noreturn, noinline)) void loader_refuse(boot_verdict verdict)
{
    static const char* const reasons[] = {"fault",   "no image", "wrong header", "older than the counter allows",
                                          "cut off or changed", "wrong signature"};
    board_print("refused: ");
    board_print(reasons[verdict <= BOOT_WRONG_SIGNATURE ? verdict : 0]);
    board_print("\n");
    __asm__ volatile("0: wfi\n\tb 0b\n\tb 0b\n\tb 0b");
    __builtin_unreachable();
}

/* The counter in flash is the number of bits that are cleared, from the lowest on: flash that is not
 * erased cannot take it back. */
static uint32_t read_counter(const volatile uint32_t* words)
{
    for (uint32_t i = 0; i < BOARD_COUNTER_BITS / 32; ++i) {
        const uint32_t word = words[i];
        if (word != 0) return 32 * i + (uint32_t)__builtin_ctz(word);
    }
    return BOARD_COUNTER_BITS;
}

static void raise_counter(volatile uint32_t* words, uint32_t counter)
{
    for (uint32_t i = 0; i < BOARD_COUNTER_BITS / 32; ++i) {
        const uint32_t cleared = counter < 32 * i ? 0 : counter - 32 * i;
        board_program(&words[i], cleared < 32 ? UINT32_MAX << cleared : 0);
    }
}

int main(void)
{
    /* (volatile: each verdict is stored and read again.) */
    volatile boot_verdict first = BOOT_NO_IMAGE;
    volatile boot_verdict second = BOOT_NO_IMAGE;
    boot_slot slot = {board_slot, BOARD_SLOT_BYTES, read_counter(board_counter), BOARD_COUNTER_BITS};

    first = boot_check(&slot);
    if (first != BOOT_GOOD) loader_refuse(first);
    slot.least_counter = read_counter(board_counter);
    second = boot_check(&slot);
    if (second != BOOT_GOOD) loader_refuse(second);

    if (first != BOOT_GOOD) loader_refuse(first);
    raise_counter(board_counter, ((const boot_header*)board_slot)->counter);
    board_print("good\n");
    /* Verdicts that are not good make an address that is none. */
    board_start(board_slot + BOOT_HEADER_BYTES, (first ^ BOOT_GOOD) | (second ^ BOOT_GOOD));
}
