/* A key pair, a signature and its verification in C. */
#include <girih/girih.h>

#include <stdio.h>

int main(void)
{
    const girih_alg* alg = girih_ml_dsa_65(); /* or girih_algorithm("ML-DSA-65") */
    static uint8_t public_key[GIRIH_ML_DSA_65_PUBLIC_KEY_BYTES], secret_key[GIRIH_ML_DSA_65_SECRET_KEY_BYTES];
    static uint8_t signature[GIRIH_ML_DSA_65_SIGNATURE_BYTES];
    const uint8_t message[] = "a message";
    const size_t message_bytes = sizeof message - 1;
    size_t signature_bytes = 0;

    int error = girih_selftest(alg, NULL); /* once, where a program has to (FIPS 140-3) */
    if (error != GIRIH_OK) goto end;
    error = girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key);
    if (error != GIRIH_OK) goto end;
    error = girih_sign(alg, secret_key, sizeof secret_key, message, message_bytes, NULL, signature,
                       sizeof signature, &signature_bytes);
    if (error != GIRIH_OK) goto end;
    error = girih_verify(alg, public_key, sizeof public_key, message, message_bytes, NULL, signature,
                         signature_bytes);
    if (error != GIRIH_OK) goto end;
    printf("%s: %zu bytes of signature, which verify\n", girih_name(alg), signature_bytes);

end:
    girih_wipe(secret_key, sizeof secret_key);
    if (error != GIRIH_OK) fprintf(stderr, "%s\n", girih_error_text(error));
    return error == GIRIH_OK ? 0 : 1;
}
