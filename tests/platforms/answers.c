/* Prints a line for everything that an algorithm computes from fixed bytes, with a checksum of what
 * came out; the lines are the same on every processor: answers [ALGORITHM...], or all of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "girih.h"

enum { most_key = 8192, most_output = 8192, message_bytes = 1000, rounds = 2 };

static uint8_t public_key[most_key], secret_key[most_key], output[most_output], message[message_bytes];
static uint8_t shared_secret[64], other_secret[64];
static uint64_t state;

static int fill(void* unused, uint8_t* out, size_t bytes)
{
    (void)unused;
    for (size_t i = 0; i < bytes; ++i) {
        state = state * 6364136223846793005 + 1442695040888963407; /* Knuth's generator modulo 2^64 */
        out[i] = (uint8_t)(state >> 56);
    }
    return 0;
}

/* FNV-1a. */
static uint64_t checksum(const uint8_t* bytes, size_t count)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static void tell(const girih_alg* alg, const char* what, int code, const uint8_t* bytes, size_t count)
{
    printf("%s %s: %d, %u bytes, %016" PRIx64 "\n", girih_name(alg), what, code, (unsigned)count,
           checksum(bytes, count));
}

static void tell_keys(const girih_alg* alg, const char* what, int code)
{
    tell(alg, what, code, public_key, girih_public_key_bytes(alg));
    tell(alg, what, code, secret_key, girih_secret_key_bytes(alg));
}

static void sign(const girih_alg* alg, const char* what, const girih_options* options)
{
    size_t bytes = 0;
    const int code = girih_sign(alg, secret_key, girih_secret_key_bytes(alg), message, sizeof message,
                                options, output, girih_signature_bytes(alg), &bytes);
    tell(alg, what, code, output, bytes);
    for (int changed = 0; changed < 2; ++changed) {
        message[message_bytes - 1] ^= (uint8_t)changed;
        const int verdict = girih_verify(alg, public_key, girih_public_key_bytes(alg), message,
                                         sizeof message, options, output, bytes);
        message[message_bytes - 1] ^= (uint8_t)changed;
        printf("%s %s: %s\n", girih_name(alg), changed ? "another message" : "verified",
               girih_error_text(verdict));
    }
}

static void try_signatures(const girih_alg* alg)
{
    const girih_random random = {.fill = fill};
    girih_options options = {.random = &random};
    if (girih_has_context(alg)) {
        options.context = message;
        options.context_bytes = 255;
        for (size_t i = 0; (options.pre_hash = girih_pre_hash_at(i)) != NULL; ++i)
            sign(alg, options.pre_hash, &options);
    }
    sign(alg, "sign", &options);
    options.deterministic = girih_has_mu(alg);
    if (options.deterministic) sign(alg, "sign deterministically", &options);
}

static void decapsulate(const girih_alg* alg, const char* what)
{
    const int code =
        girih_decapsulate(alg, secret_key, girih_secret_key_bytes(alg), output, girih_ciphertext_bytes(alg),
                          other_secret, girih_shared_secret_bytes(alg));
    tell(alg, what, code, other_secret, girih_shared_secret_bytes(alg));
}

static void try_encapsulation(const girih_alg* alg, int piecewise)
{
    const girih_random random = {.fill = fill, .piecewise = piecewise};
    const size_t secret_bytes = girih_shared_secret_bytes(alg);
    const int code = girih_encapsulate(alg, &random, public_key, girih_public_key_bytes(alg), output,
                                       girih_ciphertext_bytes(alg), shared_secret, secret_bytes);
    tell(alg, "ciphertext", code, output, girih_ciphertext_bytes(alg));
    tell(alg, "secret", code, shared_secret, secret_bytes);
    decapsulate(alg, "decapsulate");
    printf("%s secrets: %s\n", girih_name(alg),
           memcmp(shared_secret, other_secret, secret_bytes) == 0 ? "same" : "differ");
    output[0] ^= 1;
    decapsulate(alg, "decapsulate another ciphertext");
}

static void try_algorithm(const girih_alg* alg)
{
    uint8_t seed[128];
    state = 1;
    (void)fill(NULL, message, sizeof message);
    for (int round = 0; round < rounds; ++round) {
        (void)fill(NULL, seed, sizeof seed);
        tell_keys(
            alg, "keys of a seed",
            girih_keygen_from_seed(alg, seed, girih_seed_bytes(alg), public_key, girih_public_key_bytes(alg),
                                   secret_key, girih_secret_key_bytes(alg)));
        if (girih_is_kem(alg))
            try_encapsulation(alg, 0);
        else
            try_signatures(alg);
    }
    const girih_random random = {.fill = fill, .piecewise = girih_is_kem(alg)};
    tell_keys(alg, "keys",
              girih_keygen(alg, &random, public_key, girih_public_key_bytes(alg), secret_key,
                           girih_secret_key_bytes(alg)));
    if (girih_is_kem(alg)) try_encapsulation(alg, 1);
    const int code =
        girih_falcon_reference_keygen(alg, seed, girih_seed_bytes(alg), public_key,
                                      girih_public_key_bytes(alg), secret_key, girih_secret_key_bytes(alg));
    if (code == GIRIH_OK) tell_keys(alg, "reference keys", code);
}

int main(int count, char** names)
{
    for (int i = 1; i < count; ++i) {
        const girih_alg* alg = girih_algorithm(names[i]);
        if (alg == NULL) {
            fprintf(stderr, "answers: no algorithm %s\n", names[i]);
            return 2;
        }
        try_algorithm(alg);
    }
    for (size_t i = 0; count < 2 && girih_algorithm_at(i) != NULL; ++i) try_algorithm(girih_algorithm_at(i));
    return 0;
}
