/* Keys, signatures and verdicts of a signature scheme, by girih_ALGORITHM(). The same program on
 * the host, with the library for processors, prints the same lines. */
#include "board.h"

#define MAX_PUBLIC_KEY 2592
#define MAX_SECRET_KEY 4896
#define MAX_SIGNATURE 4627

static uint8_t public_key[MAX_PUBLIC_KEY], secret_key[MAX_SECRET_KEY], signature[MAX_SIGNATURE];
static uint8_t seed[48], message[100];
static size_t public_key_bytes, secret_key_bytes, signature_bytes;
static int result;

static int fill(void* state, uint8_t* out, size_t bytes)
{
    uint8_t* const next = state;
    for (size_t i = 0; i < bytes; ++i) out[i] = (*next)++;
    return 0;
}
static uint8_t next_random;
static const girih_random source = {fill, &next_random, 0};
static const girih_options options = {.random = &source};

static void keygen(void)
{
    result = girih_keygen_from_seed(ALGORITHM(), seed, girih_seed_bytes(ALGORITHM()), public_key,
                                    public_key_bytes, secret_key, secret_key_bytes);
}
static void sign(void)
{
    result = girih_sign(ALGORITHM(), secret_key, secret_key_bytes, message, sizeof message, &options,
                        signature, girih_signature_bytes(ALGORITHM()), &signature_bytes);
}
static void verify(void)
{
    result = girih_verify(ALGORITHM(), public_key, public_key_bytes, message, sizeof message, NULL, signature,
                          signature_bytes);
}

int main(void)
{
    public_key_bytes = girih_public_key_bytes(ALGORITHM());
    secret_key_bytes = girih_secret_key_bytes(ALGORITHM());
    for (size_t i = 0; i < sizeof seed; ++i) seed[i] = (uint8_t)(3 * i + 1);
    for (size_t i = 0; i < sizeof message; ++i) message[i] = (uint8_t)(7 * i);
    measure("keygen", keygen);
    print_number("keygen", result);
    print_bytes("public", public_key, public_key_bytes);
    print_bytes("secret", secret_key, secret_key_bytes);
    for (int i = 0; i < 10; ++i) {
        message[0] = (uint8_t)i;
        measure("sign", sign);
        print_number("sign", result);
        print_bytes("signature", signature, signature_bytes);
        measure("verify", verify);
        print_number("verify", result);
    }
    signature[signature_bytes / 2] ^= 1;
    verify();
    print_number("verify changed", result);
    return 0;
}
