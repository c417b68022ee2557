/* The key pair of a known seed by girih_ALGORITHM(), and a source of known random bytes. */
#include "board.h"

#define MAX_PUBLIC_KEY 2592
#define MAX_SECRET_KEY 4896

static uint8_t public_key[MAX_PUBLIC_KEY], secret_key[MAX_SECRET_KEY], seed[64];
static size_t public_key_bytes, secret_key_bytes;
static int result;

static int fill(void* state, uint8_t* out, size_t bytes)
{
    uint8_t* const next = state;
    for (size_t i = 0; i < bytes; ++i) out[i] = (*next)++;
    return 0;
}
static uint8_t next_random;
static const girih_random source = {fill, &next_random, 0};

static void keygen(void)
{
    result = girih_keygen_from_seed(ALGORITHM(), seed, girih_seed_bytes(ALGORITHM()), public_key,
                                    public_key_bytes, secret_key, secret_key_bytes);
}
static void make_keys(void)
{
    public_key_bytes = girih_public_key_bytes(ALGORITHM());
    secret_key_bytes = girih_secret_key_bytes(ALGORITHM());
    for (size_t i = 0; i < sizeof seed; ++i) seed[i] = (uint8_t)(3 * i + 1);
    measure("keygen", keygen);
    print_number("keygen", result);
    print_bytes("public", public_key, public_key_bytes);
    print_bytes("secret", secret_key, secret_key_bytes);
}
