/* wolfSSL's ML-KEM from bytes to bytes, and with its key objects. Keys live on the stack, as
 * wolfSSL's own examples have them. Every function returns 0 if it succeeded. */
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/wc_mlkem.h>

int peer_keygen(int type, const byte* seed, byte* public_key, word32 public_bytes, byte* secret_key,
                word32 secret_bytes)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, type, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_MakeKeyWithRandom(&key, seed, WC_ML_KEM_MAKEKEY_RAND_SZ);
    if (error == 0) error = wc_MlKemKey_EncodePublicKey(&key, public_key, public_bytes);
    if (error == 0) error = wc_MlKemKey_EncodePrivateKey(&key, secret_key, secret_bytes);
    wc_MlKemKey_Free(&key);
    return error;
}

int peer_encapsulate(int type, const byte* m, const byte* public_key, word32 public_bytes, byte* ciphertext,
                     byte* shared)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, type, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_DecodePublicKey(&key, public_key, public_bytes);
    if (error == 0)
        error = wc_MlKemKey_EncapsulateWithRandom(&key, ciphertext, shared, m, WC_ML_KEM_ENC_RAND_SZ);
    wc_MlKemKey_Free(&key);
    return error;
}

int peer_decapsulate(int type, const byte* secret_key, word32 secret_bytes, const byte* ciphertext,
                     word32 ciphertext_bytes, byte* shared)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, type, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_DecodePrivateKey(&key, secret_key, secret_bytes);
    if (error == 0) error = wc_MlKemKey_Decapsulate(&key, shared, ciphertext, ciphertext_bytes);
    wc_MlKemKey_Free(&key);
    return error;
}

/* A key object from the bytes of a public key or a secret key, or null. */
MlKemKey* peer_load(int type, const byte* bytes, word32 count, int secret)
{
    MlKemKey* key = wc_MlKemKey_New(type, NULL, INVALID_DEVID);
    if (key != NULL) {
        int error = secret ? wc_MlKemKey_DecodePrivateKey(key, bytes, count)
                           : wc_MlKemKey_DecodePublicKey(key, bytes, count);
        if (error != 0) wc_MlKemKey_Delete(key, &key);
    }
    return key;
}

void peer_drop(MlKemKey* key) { wc_MlKemKey_Delete(key, NULL); }

int peer_encapsulate_prepared(MlKemKey* key, const byte* m, byte* ciphertext, byte* shared)
{
    return wc_MlKemKey_EncapsulateWithRandom(key, ciphertext, shared, m, WC_ML_KEM_ENC_RAND_SZ);
}

int peer_decapsulate_prepared(MlKemKey* key, const byte* ciphertext, word32 ciphertext_bytes, byte* shared)
{
    return wc_MlKemKey_Decapsulate(key, shared, ciphertext, ciphertext_bytes);
}
