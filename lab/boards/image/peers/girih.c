/// girih's library for devices: RACE_ALGORITHM is the function of its algorithm.
#include "lab/boards/image/race.h"

#include <girih/girih.h>
#include <string.h>

#define JOINED(name, suffix) name##suffix
#define EXPANDED(name, suffix) JOINED(name, suffix)

enum { max_public_key = 2592, max_secret_key = 4896, max_answer = 4627 };
static uint8_t public_key[max_public_key], secret_key[max_secret_key], answer[max_answer];
static size_t public_key_bytes, secret_key_bytes, answer_bytes;

static int fill(void* state, uint8_t* out, size_t bytes)
{
    (void)state;
    race_random(out, bytes);
    return 0;
}
static const girih_random source = {fill, NULL, 0};

static int keygen(void)
{
    static uint8_t seed[64];
    race_random(seed, sizeof seed);
    public_key_bytes = girih_public_key_bytes(RACE_ALGORITHM());
    secret_key_bytes = girih_secret_key_bytes(RACE_ALGORITHM());
    return girih_keygen_from_seed(RACE_ALGORITHM(), seed, girih_seed_bytes(RACE_ALGORITHM()), public_key,
                                  public_key_bytes, secret_key, secret_key_bytes);
}

#if RACE_IS_KEM

static uint8_t sent[32], received[32];

static int encapsulate(void)
{
    answer_bytes = girih_ciphertext_bytes(RACE_ALGORITHM());
    return girih_encapsulate(RACE_ALGORITHM(), &source, public_key, public_key_bytes, answer, answer_bytes,
                             sent, sizeof sent);
}
static int decapsulate(void)
{
    return girih_decapsulate(RACE_ALGORITHM(), secret_key, secret_key_bytes, answer, answer_bytes, received,
                             sizeof received) ||
           memcmp(received, sent, sizeof sent) != 0;
}
RACE_KEM(keygen, encapsulate, decapsulate)

#else

static const uint8_t* message;
static const girih_options options = {.random = &source};

static int sign(void)
{
    message = race_next_message();
    return girih_sign(RACE_ALGORITHM(), secret_key, secret_key_bytes, message, race_message_bytes, &options,
                      answer, girih_signature_bytes(RACE_ALGORITHM()), &answer_bytes);
}
#    if RACE_VERIFY_ALONE
static girih_message pieces;

static int verify(void)
{
    const girih_alg* const alg = EXPANDED(RACE_ALGORITHM, _verifying)();
    uint8_t mu[GIRIH_MU_BYTES];
    return girih_message_begin(&pieces, alg, public_key, public_key_bytes, NULL) ||
           girih_message_update(&pieces, message, race_message_bytes) ||
           girih_message_mu(&pieces, mu, sizeof mu) ||
           girih_verify_mu(alg, public_key, public_key_bytes, mu, sizeof mu, answer, answer_bytes);
}
#    else
static int verify(void)
{
    return girih_verify(RACE_ALGORITHM(), public_key, public_key_bytes, message, race_message_bytes, NULL,
                        answer, answer_bytes);
}
#    endif
RACE_SIGNATURE(keygen, sign, verify)

#endif
