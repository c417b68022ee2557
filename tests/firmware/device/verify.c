/* Verification alone, as a bootloader has it: the key, the signature and the message in flash, and
 * the message hashed in pieces. ANSWERS is of the library for processors. */
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

int main(void)
{
    measure("begin", begin);
    measure("update", update);
    measure("verify", verify);
    print_number("verify", result);
    for (size_t i = 0; i < sizeof signature; ++i) changed[i] = signature[i];
    changed[sizeof signature / 2] ^= 1;
    shown = changed;
    begin();
    update();
    verify();
    print_number("verify changed", result);
    return 0;
}
