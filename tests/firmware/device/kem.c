/* Keys, ciphertexts and shared secrets of a KEM, by girih_ALGORITHM(). The same program on the
 * host, with the library for processors, prints the same lines. */
#include "board.h"

#define MAX_PUBLIC_KEY 2067
#define MAX_SECRET_KEY 3168
#define MAX_CIPHERTEXT 1847

static uint8_t public_key[MAX_PUBLIC_KEY], secret_key[MAX_SECRET_KEY], ciphertext[MAX_CIPHERTEXT];
static uint8_t seed[64], sent[32], received[32];
static size_t public_key_bytes, secret_key_bytes, ciphertext_bytes;
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
static void encapsulate(void)
{
    result = girih_encapsulate(ALGORITHM(), &source, public_key, public_key_bytes, ciphertext,
                               ciphertext_bytes, sent, sizeof sent);
}
static void decapsulate(void)
{
    result = girih_decapsulate(ALGORITHM(), secret_key, secret_key_bytes, ciphertext, ciphertext_bytes,
                               received, sizeof received);
}

int main(void)
{
    public_key_bytes = girih_public_key_bytes(ALGORITHM());
    secret_key_bytes = girih_secret_key_bytes(ALGORITHM());
    ciphertext_bytes = girih_ciphertext_bytes(ALGORITHM());
    for (size_t i = 0; i < sizeof seed; ++i) seed[i] = (uint8_t)(3 * i + 1);
    measure("keygen", keygen);
    print_number("keygen", result);
    print_bytes("public", public_key, public_key_bytes);
    print_bytes("secret", secret_key, secret_key_bytes);
    measure("encapsulate", encapsulate);
    print_number("encapsulate", result);
    print_bytes("ciphertext", ciphertext, ciphertext_bytes);
    print_bytes("sent", sent, sizeof sent);
    measure("decapsulate", decapsulate);
    print_number("decapsulate", result);
    print_bytes("received", received, sizeof received);
    ciphertext[5] ^= 1;
    decapsulate();
    print_number("decapsulate changed", result);
    print_bytes("received", received, sizeof received);
    return 0;
}
