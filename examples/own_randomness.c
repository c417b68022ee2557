/* Keys and signatures from the program's own source of randomness, such as a microcontroller's
 * hardware generator. */
#include <girih/girih.h>

#include <stdio.h>

/* The system's generator stands in for the hardware here. */
static int fill_from_hardware(void* state, uint8_t* out, size_t bytes)
{
    FILE* device = state;
    return fread(out, 1, bytes, device) == bytes ? 0 : -1; /* anything but 0: GIRIH_ERROR_RANDOM */
}

int main(void)
{
    static uint8_t public_key[GIRIH_ML_DSA_44_PUBLIC_KEY_BYTES], secret_key[GIRIH_ML_DSA_44_SECRET_KEY_BYTES];
    static uint8_t signature[GIRIH_ML_DSA_44_SIGNATURE_BYTES];
    const uint8_t message[] = "a message";
    size_t signature_bytes = 0;
    const girih_alg* alg = girih_ml_dsa_44();
    FILE* device = fopen("/dev/urandom", "rb");
    if (device == NULL) return 1;

    const girih_random random = {.fill = fill_from_hardware, .state = device};
    const girih_options options = {.random = &random};
    int error = girih_keygen(alg, &random, public_key, sizeof public_key, secret_key, sizeof secret_key);
    if (error == GIRIH_OK)
        error = girih_sign(alg, secret_key, sizeof secret_key, message, sizeof message, &options, signature,
                           sizeof signature, &signature_bytes);
    if (error == GIRIH_OK)
        error = girih_verify(alg, public_key, sizeof public_key, message, sizeof message, NULL, signature,
                             signature_bytes);
    girih_wipe(secret_key, sizeof secret_key);
    fclose(device);
    puts(error == GIRIH_OK ? "signed with randomness of our own" : girih_error_text(error));
    return error == GIRIH_OK ? 0 : 1;
}
