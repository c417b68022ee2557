/// wolfSSL's ML-DSA with the level RACE_LEVEL.
#include "lab/boards/image/race.h"

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/wc_mldsa.h>

static wc_MlDsaKey key;
static byte seed[32];
static byte signature[MLDSA_MAX_SIG_SIZE];
static word32 signature_bytes;
static const uint8_t* message;

/// wolfSSL's source of randomness, which is not called here.
int race_seed(unsigned char* out, unsigned size)
{
    race_random(out, size);
    return 0;
}

static int keygen(void)
{
    race_random(seed, sizeof seed);
    wc_MlDsaKey_Free(&key);
    int failed = wc_MlDsaKey_Init(&key, NULL, INVALID_DEVID);
    if (failed == 0) failed = wc_MlDsaKey_SetParams(&key, RACE_LEVEL);
    if (failed == 0) failed = wc_MlDsaKey_MakeKeyFromSeed(&key, seed);
    return failed;
}
static int sign(void)
{
    race_random(seed, sizeof seed);
    message = race_next_message();
    signature_bytes = sizeof signature;
    return wc_MlDsaKey_SignCtxWithSeed(&key, NULL, 0, signature, &signature_bytes, message,
                                       race_message_bytes, seed);
}
static int verify(void)
{
    int is_valid = 0;
    return wc_MlDsaKey_VerifyCtx(&key, signature, signature_bytes, NULL, 0, message, race_message_bytes,
                                 &is_valid) != 0 ||
           !is_valid;
}

RACE_SIGNATURE(keygen, sign, verify)
