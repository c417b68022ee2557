/* A program that only makes ML-DSA-65 keys, signs and verifies: the smallest of its kind. */
#include <girih/girih.h>

static uint8_t public_key[1952];
static uint8_t secret_key[4032];
static uint8_t signature[3309];

int main(int count, char** words)
{
    const girih_alg* alg = girih_ml_dsa_65();
    const uint8_t* message = (const uint8_t*)words[0];
    size_t signature_bytes;
    (void)count;
    if (girih_keygen(alg, NULL, public_key, sizeof public_key, secret_key, sizeof secret_key) != GIRIH_OK)
        return 1;
    if (girih_sign(alg, secret_key, sizeof secret_key, message, 4, NULL, signature, sizeof signature,
                   &signature_bytes) != GIRIH_OK)
        return 1;
    return girih_verify(alg, public_key, sizeof public_key, message, 4, NULL, signature, signature_bytes) ==
                   GIRIH_OK
               ? 0
               : 1;
}
