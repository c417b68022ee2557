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

/* A source that draws the seed, so that keys by girih_keygen are those of the seed. */
static int fill_seed(void* state, uint8_t* out, size_t bytes)
{
    (void)state;
    for (size_t i = 0; i < bytes; ++i) out[i] = seed[i];
    return bytes != girih_seed_bytes(ALGORITHM());
}
static const girih_random seeds = {fill_seed, 0, 0};

static void keygen(void)
{
    result = girih_keygen(ALGORITHM(), &seeds, public_key, public_key_bytes, secret_key, secret_key_bytes);
}
static void keygen_from_seed(void)
{
    result = girih_keygen_from_seed(ALGORITHM(), seed, girih_seed_bytes(ALGORITHM()), public_key,
                                    public_key_bytes, secret_key, secret_key_bytes);
}
static void derive_public_key(void)
{
    result = girih_public_key(ALGORITHM(), secret_key, secret_key_bytes, public_key, public_key_bytes);
}
static void print_keys(const char* name)
{
    print_number(name, result);
    print_bytes("public", public_key, public_key_bytes);
    print_bytes("secret", secret_key, secret_key_bytes);
    for (size_t i = 0; i < public_key_bytes; ++i) public_key[i] = 0;
}
static void make_keys(void)
{
    public_key_bytes = girih_public_key_bytes(ALGORITHM());
    secret_key_bytes = girih_secret_key_bytes(ALGORITHM());
    for (size_t i = 0; i < sizeof seed; ++i) seed[i] = (uint8_t)(3 * i + 1);
    measure("keygen", keygen);
    print_keys("keygen");
    keygen_from_seed();
    print_keys("keygen from a seed");
    measure("public_key", derive_public_key);
    print_number("public_key", result);
    print_bytes("public", public_key, public_key_bytes);
}
static void refuse_malformed_key(void)
{
    for (size_t i = 0; i < secret_key_bytes; ++i) secret_key[i] = 0xFF;
    derive_public_key();
    print_number("malformed key", result);
}
