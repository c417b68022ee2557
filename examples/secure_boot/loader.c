/* The bootloader: checks the image in the slot twice, and once under a wrong key, which must fail;
 * raises the counter to the image's; starts it. */
#include "board.h"
#include "boot.h"

/* Says why, and stops. (Another branch stands behind the one that a fault skips.) */
__attribute__((noreturn, noinline)) static void refuse(boot_verdict verdict)
{
    const char* reason = "wrong signature";
    if (verdict == BOOT_NO_IMAGE) reason = "no image";
    if (verdict == BOOT_WRONG_HEADER) reason = "wrong header";
    if (verdict == BOOT_TOO_OLD) reason = "older than the counter allows";
    if (verdict == BOOT_WRONG_TRAILER) reason = "cut off or changed";
    board_print("refused: ");
    board_print(reason);
    board_print("\n");
    __asm__ volatile("bl board_stop\n\tbl board_stop");
    __builtin_unreachable();
}

/* Refuses unless the verdict is BOOT_GOOD, which the compiler is not shown: it would compare a
 * second verdict with the first, since both have to be the same. */
static inline void demand(boot_verdict verdict)
{
    uint32_t good = BOOT_GOOD;
    __asm__ volatile("" : "+r"(good));
    if (verdict != good) refuse(verdict);
}

/* The counter in flash is the number of bits that are cleared, from the lowest on: flash that is
 * not erased cannot take it back. */
static uint32_t read_counter(const volatile uint32_t* words)
{
    for (uint32_t i = 0; i < BOARD_COUNTER_BITS / 32; ++i) {
        const uint32_t word = words[i];
        if (word != 0) return 32 * i + (uint32_t)__builtin_ctz(word);
    }
    return BOARD_COUNTER_BITS;
}

/* Whether this bit of the counter is cleared: whether the counter is larger than its number. This
 * compares without what read_counter and boot_check compute. */
static inline int is_cleared(const volatile uint32_t* words, uint32_t bit)
{
    return bit < BOARD_COUNTER_BITS && (words[bit / 32] >> bit % 32 & 1) == 0;
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
    const boot_header* const header = (const boot_header*)board_slot;
    boot_slot slot = {board_slot, BOARD_SLOT_BYTES, read_counter(board_counter), BOARD_COUNTER_BITS};
    /* (volatile: each verdict is stored, and read again for each use.) */
    volatile boot_verdict first = boot_check(&slot);
    demand(first);
    slot.least_counter = read_counter(board_counter);
    volatile boot_verdict third = BOOT_NO_IMAGE;
    volatile boot_verdict second = boot_check_both_keys(&slot, &third);
    demand(second);
    demand(third);
    demand(first);
    if (is_cleared(board_counter, header->counter)) refuse(BOOT_TOO_OLD);

    raise_counter(board_counter, header->counter);
    board_print("good\n");
    /* Verdicts that are not good make an invalid address. (Shifted, since errors are small numbers:
     * a few bytes away is the header's end, which an attacker writes. Rotated instead, one skipped
     * instruction started a bad image.) */
    board_start(board_slot + BOOT_HEADER_BYTES + ((first ^ BOOT_GOOD) << 24) + ((second ^ BOOT_GOOD) << 24) +
                ((third ^ BOOT_GOOD) << 24));
}
