// Makes a key of a fixed seed, signs, and verifies. A product draws the seed from its generator.
#include <girih.h>

static uint8_t public_key[1312], secret_key[2560], signature[2420];
static const uint8_t seed[32] = {1, 2, 3};
static const uint8_t message[] = "signed by a board";

void setup()
{
    Serial.begin(115200);
    const girih_alg* const alg = girih_ml_dsa_44();
    girih_options options = {};
    options.deterministic = 1;
    size_t bytes = 0;
    int error = girih_keygen_from_seed(alg, seed, sizeof seed, public_key, sizeof public_key, secret_key,
                                       sizeof secret_key);
    if (error == GIRIH_OK)
        error = girih_sign(alg, secret_key, sizeof secret_key, message, sizeof message, &options, signature,
                           sizeof signature, &bytes);
    if (error == GIRIH_OK)
        error = girih_verify(alg, public_key, sizeof public_key, message, sizeof message, 0, signature, bytes);
    Serial.println(error == GIRIH_OK ? "verified" : girih_error_text(error));
}

void loop() {}
