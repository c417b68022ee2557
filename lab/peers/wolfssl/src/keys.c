/* wolfSSL's ML-DSA, ML-KEM and Falcon from bytes to bytes, and with its key objects. From bytes,
 * keys live on the stack, as wolfSSL's own examples have them. Signatures of ML-DSA have an empty
 * context and are deterministic (rnd is zero). Every function returns 0 if it succeeded. */
#define CONTENDER_TYPES_ONLY
#include <contender.h>
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/falcon.h>
#include <wolfssl/wolfcrypt/wc_mldsa.h>
#include <wolfssl/wolfcrypt/wc_mlkem.h>

typedef contender_bytes in;
typedef contender_bytes out;
#define BYTES(of) (byte*)(of).data, (word32)(of).bytes

/* ML-DSA: level 2, 3 or 5. */

static int dsa_begin(wc_MlDsaKey* key, int level)
{
    int error = wc_MlDsaKey_Init(key, NULL, INVALID_DEVID);
    return error != 0 ? error : wc_MlDsaKey_SetParams(key, (byte)level);
}

int dsa_keygen(int level, in seed, out public_key, out secret_key)
{
    wc_MlDsaKey key;
    word32 public_bytes = (word32)public_key.bytes, secret_bytes = (word32)secret_key.bytes;
    int error = dsa_begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_MakeKeyFromSeed(&key, seed.data);
    if (error == 0) error = wc_MlDsaKey_ExportPubRaw(&key, (byte*)public_key.data, &public_bytes);
    if (error == 0) error = wc_MlDsaKey_ExportPrivRaw(&key, (byte*)secret_key.data, &secret_bytes);
    wc_MlDsaKey_Free(&key);
    return error;
}

int dsa_sign_prepared(wc_MlDsaKey* key, in message, out signature)
{
    static const byte zeros[MLDSA_RND_SZ];
    word32 bytes = (word32)signature.bytes;
    return wc_MlDsaKey_SignCtxWithSeed(key, NULL, 0, (byte*)signature.data, &bytes, BYTES(message), zeros);
}

int dsa_verify_prepared(wc_MlDsaKey* key, in message, in signature)
{
    int valid = 0;
    int error = wc_MlDsaKey_VerifyCtx(key, BYTES(signature), NULL, 0, BYTES(message), &valid);
    return error != 0 ? error : !valid;
}

int dsa_sign(int level, in secret_key, in message, out signature)
{
    wc_MlDsaKey key;
    int error = dsa_begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_ImportPrivRaw(&key, BYTES(secret_key));
    if (error == 0) error = dsa_sign_prepared(&key, message, signature);
    wc_MlDsaKey_Free(&key);
    return error;
}

int dsa_verify(int level, in public_key, in message, in signature)
{
    wc_MlDsaKey key;
    int error = dsa_begin(&key, level);
    if (error == 0) error = wc_MlDsaKey_ImportPubRaw(&key, BYTES(public_key));
    if (error == 0) error = dsa_verify_prepared(&key, message, signature);
    wc_MlDsaKey_Free(&key);
    return error;
}

/* A key object, or null. */
wc_MlDsaKey* dsa_load(int level, in bytes, int secret)
{
    wc_MlDsaKey* key = wc_MlDsaKey_New(NULL, INVALID_DEVID);
    if (key != NULL) {
        int error = wc_MlDsaKey_SetParams(key, (byte)level);
        if (error == 0)
            error = secret ? wc_MlDsaKey_ImportPrivRaw(key, BYTES(bytes))
                           : wc_MlDsaKey_ImportPubRaw(key, BYTES(bytes));
        if (error != 0) wc_MlDsaKey_Delete(key, &key);
    }
    return key;
}

void dsa_drop(wc_MlDsaKey* key) { wc_MlDsaKey_Delete(key, NULL); }

/* ML-KEM: level WC_ML_KEM_512 and so on. */

int kem_keygen(int level, in seed, out public_key, out secret_key)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, level, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_MakeKeyWithRandom(&key, BYTES(seed));
    if (error == 0) error = wc_MlKemKey_EncodePublicKey(&key, BYTES(public_key));
    if (error == 0) error = wc_MlKemKey_EncodePrivateKey(&key, BYTES(secret_key));
    wc_MlKemKey_Free(&key);
    return error;
}

int kem_encapsulate_prepared(MlKemKey* key, in m, out ciphertext, out shared)
{
    return wc_MlKemKey_EncapsulateWithRandom(key, (byte*)ciphertext.data, (byte*)shared.data, BYTES(m));
}

int kem_decapsulate_prepared(MlKemKey* key, in ciphertext, out shared)
{
    return wc_MlKemKey_Decapsulate(key, (byte*)shared.data, BYTES(ciphertext));
}

int kem_encapsulate(int level, in m, in public_key, out ciphertext, out shared)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, level, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_DecodePublicKey(&key, BYTES(public_key));
    if (error == 0) error = kem_encapsulate_prepared(&key, m, ciphertext, shared);
    wc_MlKemKey_Free(&key);
    return error;
}

int kem_decapsulate(int level, in secret_key, in ciphertext, out shared)
{
    MlKemKey key;
    int error = wc_MlKemKey_Init(&key, level, NULL, INVALID_DEVID);
    if (error == 0) error = wc_MlKemKey_DecodePrivateKey(&key, BYTES(secret_key));
    if (error == 0) error = kem_decapsulate_prepared(&key, ciphertext, shared);
    wc_MlKemKey_Free(&key);
    return error;
}

/* A key object, or null. */
MlKemKey* kem_load(int level, in bytes, int secret)
{
    MlKemKey* key = wc_MlKemKey_New(level, NULL, INVALID_DEVID);
    if (key != NULL) {
        int error = secret ? wc_MlKemKey_DecodePrivateKey(key, BYTES(bytes))
                           : wc_MlKemKey_DecodePublicKey(key, BYTES(bytes));
        if (error != 0) wc_MlKemKey_Delete(key, &key);
    }
    return key;
}

void kem_drop(MlKemKey* key) { wc_MlKemKey_Delete(key, NULL); }

/* Falcon: level 1 or 5. Its signatures are compressed; the race's are padded with zeros. The last
 * byte of a compressed one is not zero: it holds the 1 that ends the last coefficient. Its key
 * objects are the keys' bytes, so it has no prepared form. */

static int falcon_begin(falcon_key* key, int level)
{
    int error = wc_falcon_init(key);
    return error != 0 ? error : wc_falcon_set_level(key, (byte)level);
}

int falcon_keygen_from_bytes(int level, out public_key, out secret_key)
{
    falcon_key key;
    WC_RNG rng;
    word32 public_bytes = (word32)public_key.bytes, secret_bytes = (word32)secret_key.bytes;
    int error = falcon_begin(&key, level);
    if (error == 0) error = wc_InitRng(&rng);
    if (error == 0) error = wc_falcon_make_key(&key, &rng);
    if (error == 0) error = wc_falcon_export_public(&key, (byte*)public_key.data, &public_bytes);
    if (error == 0) error = wc_falcon_export_private_only(&key, (byte*)secret_key.data, &secret_bytes);
    wc_falcon_free(&key);
    return error;
}

int falcon_sign_from_bytes(int level, in secret_key, in message, out signature)
{
    falcon_key key;
    WC_RNG rng;
    word32 bytes = (word32)signature.bytes;
    int error = falcon_begin(&key, level);
    if (error == 0) error = wc_InitRng(&rng);
    if (error == 0) error = wc_falcon_import_private_only(BYTES(secret_key), &key);
    if (error == 0) error = wc_falcon_sign_msg(BYTES(message), (byte*)signature.data, &bytes, &key, &rng);
    if (error == 0) XMEMSET((byte*)signature.data + bytes, 0, signature.bytes - bytes);
    wc_falcon_free(&key);
    return error;
}

int falcon_verify_from_bytes(int level, in public_key, in message, in signature)
{
    falcon_key key;
    int valid = 0;
    int error = falcon_begin(&key, level);
    if (error == 0 && signature.bytes != (size_t)wc_falcon_sig_size(&key)) error = BUFFER_E;
    while (error == 0 && signature.bytes > 1 && signature.data[signature.bytes - 1] == 0) --signature.bytes;
    if (error == 0) error = wc_falcon_import_public(BYTES(public_key), &key);
    if (error == 0) error = wc_falcon_verify_msg(BYTES(signature), BYTES(message), &valid, &key);
    wc_falcon_free(&key);
    return error != 0 ? error : !valid;
}
