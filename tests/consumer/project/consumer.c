/* Keys, a signature and its verification, and a shared secret on both sides in C. Returns 0 if all
 * went well. */
#include <girih/girih.h>

#include <string.h>

/* 0 if both sides have the same secret. */
static int exchange(void)
{
    static uint8_t pk[GIRIH_ML_KEM_768_PUBLIC_KEY_BYTES], sk[GIRIH_ML_KEM_768_SECRET_KEY_BYTES];
    static uint8_t ciphertext[GIRIH_ML_KEM_768_CIPHERTEXT_BYTES], sent[32], received[32];
    const girih_alg* alg = girih_ml_kem_768();
    if (girih_keygen(alg, NULL, pk, sizeof pk, sk, sizeof sk) != GIRIH_OK) return 1;
    if (girih_encapsulate(alg, NULL, pk, sizeof pk, ciphertext, sizeof ciphertext, sent, sizeof sent))
        return 1;
    if (girih_decapsulate(alg, sk, sizeof sk, ciphertext, sizeof ciphertext, received, sizeof received))
        return 1;
    return memcmp(sent, received, sizeof sent);
}

int main(void)
{
    if (exchange() != 0) return 4;
    static uint8_t pk[1312], sk[2560], signature[2420];
    const uint8_t message[] = "hello";
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    size_t bytes = 0;
    if (girih_keygen(alg, NULL, pk, sizeof pk, sk, sizeof sk) != GIRIH_OK) return 1;
    if (girih_sign(alg, sk, sizeof sk, message, sizeof message, NULL, signature, sizeof signature, &bytes))
        return 2;
    return girih_verify(alg, pk, sizeof pk, message, sizeof message, NULL, signature, bytes) == GIRIH_OK ? 0
                                                                                                         : 3;
}
