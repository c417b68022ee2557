/// c-fn-dsa in its mode for the submitted Falcon, with degree 2^RACE_LOG_DEGREE.
#include "lab/boards/image/race.h"

#include <fndsa.h>

static uint8_t signing_key[FNDSA_SIGN_KEY_SIZE(RACE_LOG_DEGREE)];
static uint8_t verifying_key[FNDSA_VRFY_KEY_SIZE(RACE_LOG_DEGREE)];
static uint8_t signature[FNDSA_SIGNATURE_SIZE(RACE_LOG_DEGREE)];
static size_t signature_bytes;
static uint8_t seed[40];
static const uint8_t* message;

static int keygen(void)
{
    race_random(seed, sizeof seed);
    fndsa_keygen_seeded(RACE_LOG_DEGREE, seed, sizeof seed, signing_key, verifying_key);
    return 0;
}
static int sign(void)
{
    race_random(seed, sizeof seed);
    message = race_next_message();
    signature_bytes =
        fndsa_sign_seeded(signing_key, sizeof signing_key, NULL, 0, FNDSA_HASH_ID_ORIGINAL_FALCON, message,
                          race_message_bytes, seed, sizeof seed, signature, sizeof signature);
    return signature_bytes == 0;
}
static int verify(void)
{
    return !fndsa_verify(signature, signature_bytes, verifying_key, sizeof verifying_key, NULL, 0,
                         FNDSA_HASH_ID_ORIGINAL_FALCON, message, race_message_bytes);
}

RACE_SIGNATURE(keygen, sign, verify)
