/* A program that verifies ML-DSA-65 and does nothing else: the smallest of its kind. */
#include <girih/girih.h>

static uint8_t public_key[1952];
static uint8_t signature[3309];

int main(int count, char** words)
{
    (void)count;
    return girih_verify(girih_ml_dsa_65_verifying(), public_key, sizeof public_key, (const uint8_t*)words[0],
                        4, NULL, signature, sizeof signature) == GIRIH_OK
               ? 0
               : 1;
}
