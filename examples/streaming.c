/* A message that is larger than memory: it is read once, in pieces, and hashed to the 64 bytes that
 * are signed. */
#include <girih/girih.h>

#include <stdio.h>

/* The representative of the message in `file`, read from its beginning. */
static int represent(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes, FILE* file,
                     uint8_t mu[GIRIH_MU_BYTES])
{
    girih_message message;
    uint8_t piece[4096];
    size_t bytes = 0;
    rewind(file);
    int error = girih_message_begin(&message, alg, public_key, public_key_bytes, NULL);
    while (error == GIRIH_OK && (bytes = fread(piece, 1, sizeof piece, file)) > 0)
        error = girih_message_update(&message, piece, bytes);
    return error == GIRIH_OK ? girih_message_mu(&message, mu, GIRIH_MU_BYTES) : error;
}

int main(void)
{
    static uint8_t public_key[GIRIH_ML_DSA_65_PUBLIC_KEY_BYTES], secret_key[GIRIH_ML_DSA_65_SECRET_KEY_BYTES];
    static uint8_t signature[GIRIH_ML_DSA_65_SIGNATURE_BYTES];
    uint8_t mu[GIRIH_MU_BYTES];
    size_t signature_bytes = 0;
    const girih_alg* alg = girih_ml_dsa_65();
    FILE* file = tmpfile();
    if (file == NULL) return 1;
    for (int i = 0; i < 100000; ++i) fprintf(file, "line %d\n", i);

    int error = girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key);
    if (error == GIRIH_OK) error = represent(alg, public_key, sizeof public_key, file, mu);
    if (error == GIRIH_OK)
        error = girih_sign_mu(alg, secret_key, sizeof secret_key, mu, sizeof mu, NULL, signature,
                              sizeof signature, &signature_bytes);
    /* The other side does the same, and verifies. */
    if (error == GIRIH_OK) error = represent(alg, public_key, sizeof public_key, file, mu);
    if (error == GIRIH_OK)
        error =
            girih_verify_mu(alg, public_key, sizeof public_key, mu, sizeof mu, signature, signature_bytes);
    girih_wipe(secret_key, sizeof secret_key);
    fclose(file);
    puts(error == GIRIH_OK ? "signed in pieces" : girih_error_text(error));
    return error == GIRIH_OK ? 0 : 1;
}
