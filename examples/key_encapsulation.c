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

    int error = girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key);
    /* The sender has the public key, and sends the ciphertext. */
    if (error == GIRIH_OK)
        error = girih_encapsulate(alg, NULL, public_key, sizeof public_key, ciphertext, sizeof ciphertext,
                                  sent, sizeof sent);
    /* A ciphertext that was changed gives another secret, and no error. */
    if (error == GIRIH_OK)
        error = girih_decapsulate(alg, secret_key, sizeof secret_key, ciphertext, sizeof ciphertext, received,
                                  sizeof received);
    const int is_shared = memcmp(sent, received, sizeof sent) == 0;
    girih_wipe(secret_key, sizeof secret_key);
    girih_wipe(sent, sizeof sent);
    girih_wipe(received, sizeof received);
    if (error != GIRIH_OK)
        puts(girih_error_text(error));
    else
        puts(is_shared ? "both sides have one secret" : "they differ");
    return error == GIRIH_OK && is_shared ? 0 : 1;
}
