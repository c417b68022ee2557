/// A peer with the interface of NIST's competition: RACE_API is the scheme's api.h, and RACE_PREFIX
/// the prefix of its names. Built for PQClean and pqm4.
#include "lab/boards/image/race.h"

#include RACE_API

#include <string.h>

#define JOINED(prefix, name) prefix##name
#define EXPANDED(prefix, name) JOINED(prefix, name)
#define OF_PEER(name) EXPANDED(RACE_PREFIX, name)

/// pqm4's name for it; PQClean's is a macro.
int randombytes(uint8_t* out, size_t size);
int PQCLEAN_randombytes(uint8_t* out, size_t size);
int randombytes(uint8_t* out, size_t size)
{
    race_random(out, size);
    return 0;
}
int PQCLEAN_randombytes(uint8_t* out, size_t size) { return randombytes(out, size); }

static uint8_t public_key[OF_PEER(CRYPTO_PUBLICKEYBYTES)];
static uint8_t secret_key[OF_PEER(CRYPTO_SECRETKEYBYTES)];

#if RACE_IS_KEM

static uint8_t ciphertext[OF_PEER(CRYPTO_CIPHERTEXTBYTES)];
static uint8_t sent[OF_PEER(CRYPTO_BYTES)];
static uint8_t received[OF_PEER(CRYPTO_BYTES)];

static int keygen(void) { return OF_PEER(crypto_kem_keypair)(public_key, secret_key); }
static int encapsulate(void) { return OF_PEER(crypto_kem_enc)(ciphertext, sent, public_key); }
static int decapsulate(void)
{
    return OF_PEER(crypto_kem_dec)(received, ciphertext, secret_key) ||
           memcmp(received, sent, sizeof sent) != 0;
}

RACE_KEM(keygen, encapsulate, decapsulate)

#else

static uint8_t signed_message[OF_PEER(CRYPTO_BYTES) + race_message_bytes];
static size_t signed_bytes;

static int keygen(void) { return OF_PEER(crypto_sign_keypair)(public_key, secret_key); }
static int sign(void)
{
    return OF_PEER(crypto_sign)(signed_message, &signed_bytes, race_next_message(), race_message_bytes,
                                secret_key);
}
static int verify(void)
{
    static uint8_t opened[sizeof signed_message];
    size_t size = 0;
    return OF_PEER(crypto_sign_open)(opened, &size, signed_message, signed_bytes, public_key) ||
           size != race_message_bytes;
}

RACE_SIGNATURE(keygen, sign, verify)

#endif
