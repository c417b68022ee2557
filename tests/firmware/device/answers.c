/* Writes answers.h: a key, a message and its signature, by the library for processors. */
#include <girih/girih.h>
#include <stdio.h>

static int fill(void* state, uint8_t* out, size_t bytes)
{
    (void)state;
    for (size_t i = 0; i < bytes; ++i) out[i] = (uint8_t)i;
    return 0;
}

static void write(const char* name, const uint8_t* bytes, size_t count)
{
    printf("static const uint8_t %s[%zu] = {", name, count);
    for (size_t i = 0; i < count; ++i) printf("%u,", bytes[i]);
    printf("};\n");
}

int main(void)
{
    static uint8_t public_key[4096], secret_key[8192], signature[8192], text[1000], seed[64];
    size_t signature_bytes = 0;
    const girih_alg* const alg = ALGORITHM();
    const girih_random random = {fill, NULL, 0};
    const girih_options options = {.random = &random};
    for (size_t i = 0; i < sizeof text; ++i) text[i] = (uint8_t)(i * i);
    if (girih_keygen_from_seed(alg, seed, girih_seed_bytes(alg), public_key, girih_public_key_bytes(alg),
                               secret_key, girih_secret_key_bytes(alg)) != GIRIH_OK ||
        girih_sign(alg, secret_key, girih_secret_key_bytes(alg), text, sizeof text, &options, signature,
                   girih_signature_bytes(alg), &signature_bytes) != GIRIH_OK)
        return 1;
    printf("#define HAS_MU %d\n", girih_has_mu(alg));
    write("public_key", public_key, girih_public_key_bytes(alg));
    write("signature", signature, signature_bytes);
    write("text", text, sizeof text);
    return 0;
}
