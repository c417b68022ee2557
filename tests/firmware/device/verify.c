/* Verification alone, as a bootloader has it: the key, the signature and the message in flash, and
 * the message hashed in pieces. ANSWERS is of the library for processors. */
#include <girih/device.h>
#include <girih/stack.h>

#include "board.h"

#include ANSWERS

static girih_message message;
static int result;
static uint8_t changed[sizeof signature];
static const uint8_t* shown = signature;

static void begin(void)
{
#if HAS_MU
    result = girih_message_begin(&message, VERIFYING(), public_key, sizeof public_key, NULL);
#else
    result = girih_message_begin_verifying(&message, VERIFYING(), shown, sizeof signature, NULL);
#endif
}
static void update(void)
{
    for (size_t at = 0; at < sizeof text; at += 16)
        result = girih_message_update(&message, text + at, sizeof text - at < 16 ? sizeof text - at : 16);
}
static void verify(void)
{
#if HAS_MU
    static uint8_t mu[GIRIH_MU_BYTES];
    girih_message_mu(&message, mu, sizeof mu);
    result =
        girih_verify_mu(VERIFYING(), public_key, sizeof public_key, mu, sizeof mu, shown, sizeof signature);
#else
    result = girih_message_verify(&message, public_key, sizeof public_key, shown, sizeof signature);
#endif
}

static void verify_for(void* argument)
{
    verify();
    *(int*)argument = result;
}

/* Verifies again on memory of the size that stack.h states, and looks at what lies around it. */
static void verify_on_memory(void)
{
    enum { around = 8, words = around + STACK_BYTES / 8 + around };
    static _Alignas(16) uint64_t memory[words];
    const uint64_t paint = 0xA5C3965A;
    int is_kept = 1, verdict = 1;
    for (size_t i = 0; i < words; ++i) memory[i] = paint;
    begin();
    update();
    girih_on_stack(memory + around, STACK_BYTES, verify_for, &verdict);
    for (size_t i = 0; i < around; ++i) is_kept &= memory[i] == paint && memory[words - 1 - i] == paint;
    print_number("verify on other memory", verdict);
    print_number("around it", is_kept && memory[words - around - 1] != paint);
}

int main(void)
{
    measure("begin", begin);
    measure("update", update);
    measure("verify", verify);
    print_number("verify", result);
    verify_on_memory();
    for (size_t i = 0; i < sizeof signature; ++i) changed[i] = signature[i];
    changed[sizeof signature / 2] ^= 1;
    shown = changed;
    begin();
    update();
    verify();
    print_number("verify changed", result);
    return 0;
}
