/* Key files in C: a key is written encrypted, read again, and its public half written. */
#include <girih/girih_key_files.h>

#include <stdio.h>
#include <string.h>

static int run(girih_key_error* error)
{
    const girih_passphrase passphrase = {(const uint8_t*)"correct horse", 13};
    const girih_key_encoding encrypted = {.format = GIRIH_KEY_PEM, .passphrase = passphrase};
    girih_key* key = NULL;
    uint8_t* file = NULL;
    size_t file_bytes = 0;

    if (girih_key_generate(girih_ml_dsa_65(), &key, error)) return 1;
    if (girih_key_write_private(key, &encrypted, &file, &file_bytes, error)) return 1;
    girih_key_free(key);

    if (girih_key_read(file, file_bytes, NULL, passphrase, &key, error)) return 1;
    const uint8_t* secret_key = girih_key_secret_key(key); /* what girih_sign takes */
    girih_key_file_free(file, file_bytes);

    uint8_t signature[GIRIH_ML_DSA_65_SIGNATURE_BYTES];
    size_t signature_bytes = 0;
    if (girih_sign(girih_key_algorithm(key), secret_key, girih_secret_key_bytes(girih_key_algorithm(key)),
                   (const uint8_t*)"a message", 9, NULL, signature, sizeof signature, &signature_bytes))
        return 1;

    if (girih_key_write_public(key, GIRIH_KEY_PEM, &file, &file_bytes, error)) return 1;
    fwrite(file, 1, file_bytes, stdout);
    girih_key_file_free(file, file_bytes);
    girih_key_free(key);
    return 0;
}

int main(void)
{
    girih_key_error error = {.problem = GIRIH_KEY_OK};
    if (run(&error) == 0) return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
