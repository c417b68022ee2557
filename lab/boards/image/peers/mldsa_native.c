/// mldsa-native, built with names in mldsa_: MLD_CONFIG_PARAMETER_SET is the parameter set.
#include "lab/boards/image/race.h"

#include <mldsa_native.h>

static uint8_t public_key[MLDSA_PUBLICKEYBYTES(MLD_CONFIG_PARAMETER_SET)];
static uint8_t secret_key[MLDSA_SECRETKEYBYTES(MLD_CONFIG_PARAMETER_SET)];
static uint8_t signature[MLDSA_BYTES(MLD_CONFIG_PARAMETER_SET)];
static size_t signature_bytes;
static const uint8_t* message;

/// mldsa-native's source of randomness.
int randombytes(uint8_t* out, size_t size)
{
    race_random(out, size);
    return 0;
}

static int keygen(void) { return mldsa_keypair(public_key, secret_key); }
static int sign(void)
{
    message = race_next_message();
    return mldsa_signature(signature, &signature_bytes, message, race_message_bytes, NULL, 0, secret_key);
}
static int verify(void)
{
    return mldsa_verify(signature, signature_bytes, message, race_message_bytes, NULL, 0, public_key);
}
RACE_SIGNATURE(keygen, sign, verify)
