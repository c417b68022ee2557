/* wolfSSL's ML-DSA from bytes to bytes, and with its key objects. Every function returns 0 if it
 * succeeded. The context is empty, and signing deterministic (rnd is zero). */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/wc_mldsa.h>

static int begin(wc_MlDsaKey* key, byte level)
{
    int error = wc_MlDsaKey_Init(key, NULL, INVALID_DEVID);
    return error != 0 ? error : wc_MlDsaKey_SetParams(key, level);
}

int peer_dsa_keygen(byte level, const byte* seed, byte* public_key, word32 public_bytes, byte* secret_key,
                    word32 secret_bytes)
{
    wc_MlDsaKey key;
    int error = begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_MakeKeyFromSeed(&key, seed);
    if (error == 0) error = wc_MlDsaKey_ExportPubRaw(&key, public_key, &public_bytes);
    if (error == 0) error = wc_MlDsaKey_ExportPrivRaw(&key, secret_key, &secret_bytes);
    wc_MlDsaKey_Free(&key);
    return error;
}

int peer_dsa_sign_prepared(wc_MlDsaKey* key, const byte* message, word32 message_bytes, byte* signature,
                           word32 signature_bytes)
{
    static const byte zeros[MLDSA_RND_SZ];
    return wc_MlDsaKey_SignCtxWithSeed(key, NULL, 0, signature, &signature_bytes, message, message_bytes,
                                       zeros);
}

int peer_dsa_verify_prepared(wc_MlDsaKey* key, const byte* message, word32 message_bytes,
                             const byte* signature, word32 signature_bytes)
{
    int valid = 0;
    int error =
        wc_MlDsaKey_VerifyCtx(key, signature, signature_bytes, NULL, 0, message, message_bytes, &valid);
    return error != 0 ? error : !valid;
}

int peer_dsa_sign(byte level, const byte* secret_key, word32 secret_bytes, const byte* message,
                  word32 message_bytes, byte* signature, word32 signature_bytes)
{
    wc_MlDsaKey key;
    int error = begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_ImportPrivRaw(&key, secret_key, secret_bytes);
    if (error == 0) error = peer_dsa_sign_prepared(&key, message, message_bytes, signature, signature_bytes);
    wc_MlDsaKey_Free(&key);
    return error;
}

int peer_dsa_verify(byte level, const byte* public_key, word32 public_bytes, const byte* message,
                    word32 message_bytes, const byte* signature, word32 signature_bytes)
{
    wc_MlDsaKey key;
    int error = begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_ImportPubRaw(&key, public_key, public_bytes);
    if (error == 0)
        error = peer_dsa_verify_prepared(&key, message, message_bytes, signature, signature_bytes);
    wc_MlDsaKey_Free(&key);
    return error;
}

/* A key object from the bytes of a public key or a secret key, or null. */
wc_MlDsaKey* peer_dsa_load(byte level, const byte* bytes, word32 count, int secret)
{
    wc_MlDsaKey* key = wc_MlDsaKey_New(NULL, INVALID_DEVID);
    if (key != NULL) {
        int error = wc_MlDsaKey_SetParams(key, level);
        if (error == 0)
            error = secret ? wc_MlDsaKey_ImportPrivRaw(key, bytes, count)
                           : wc_MlDsaKey_ImportPubRaw(key, bytes, count);
        if (error != 0) wc_MlDsaKey_Delete(key, &key);
    }
    return key;
}

void peer_dsa_drop(wc_MlDsaKey* key) { wc_MlDsaKey_Delete(key, NULL); }
