/* Many signatures under one key in C, with keys that are prepared once, on the heap. Then one with
 * a context, by a function that takes no structures. */
#include <girih/girih.h>

#include <stdio.h>
#include <string.h>

#define BYTES(text) (const uint8_t*)(text), strlen(text)

int main(void)
{
    static uint8_t public_key[GIRIH_ML_DSA_65_PUBLIC_KEY_BYTES], secret_key[GIRIH_ML_DSA_65_SECRET_KEY_BYTES];
    static uint8_t signature[GIRIH_ML_DSA_65_SIGNATURE_BYTES];
    static const char* const messages[] = {"one", "two", "three"};
    const girih_alg* alg = girih_ml_dsa_65();
    girih_signing_key* signing = NULL;
    girih_verifying_key* verifying = NULL;
    size_t bytes = 0;

    int error = girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key);
    if (error == GIRIH_OK)
        error = girih_prepare_signing_key_new(alg, secret_key, sizeof secret_key, &signing);
    if (error == GIRIH_OK)
        error = girih_prepare_verifying_key_new(alg, public_key, sizeof public_key, &verifying);
    for (size_t i = 0; i < 3 && error == GIRIH_OK; ++i) {
        error = girih_sign_prepared(signing, BYTES(messages[i]), NULL, signature, sizeof signature, &bytes);
        if (error == GIRIH_OK)
            error = girih_verify_prepared(verifying, BYTES(messages[i]), NULL, signature, bytes);
    }
    if (error == GIRIH_OK)
        error = girih_sign_prepared_with_context(signing, BYTES("release"), BYTES("four"), signature,
                                                 sizeof signature, &bytes);
    if (error == GIRIH_OK)
        error =
            girih_verify_prepared_with_context(verifying, BYTES("release"), BYTES("four"), signature, bytes);
    girih_prepare_signing_key_free(signing); /* wipes it */
    girih_prepare_verifying_key_free(verifying);
    girih_wipe(secret_key, sizeof secret_key);
    puts(error == GIRIH_OK ? "four signatures verify" : girih_error_text(error));
    return error == GIRIH_OK ? 0 : 1;
}
