/* A shared secret on both sides in C. */
#include <girih/girih.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const girih_alg* alg = girih_ml_kem_768();
    static uint8_t public_key[GIRIH_ML_KEM_768_PUBLIC_KEY_BYTES],
        secret_key[GIRIH_ML_KEM_768_SECRET_KEY_BYTES];
    static uint8_t ciphertext[GIRIH_ML_KEM_768_CIPHERTEXT_BYTES];
    uint8_t sent[GIRIH_SHARED_SECRET_BYTES], received[GIRIH_SHARED_SECRET_BYTES];

    if (girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key) != GIRIH_OK)
        return 1;
    /* The sender has the public key, and sends the ciphertext. */
    if (girih_encapsulate(alg, NULL, public_key, sizeof public_key, ciphertext, sizeof ciphertext, sent,
                          sizeof sent) != GIRIH_OK)
        return 1;
    /* A ciphertext that was changed gives another secret, and no error. */
    if (girih_decapsulate(alg, secret_key, sizeof secret_key, ciphertext, sizeof ciphertext, received,
                          sizeof received) != GIRIH_OK)
        return 1;
    puts(memcmp(sent, received, sizeof sent) == 0 ? "both sides have one secret" : "they differ");
    return memcmp(sent, received, sizeof sent) == 0 ? 0 : 1;
}
