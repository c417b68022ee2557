/* A library with NIST's interface for key encapsulation, such as PQClean's, as a contender.
 *
 *   cc -O3 -shared -fPIC -I lab/peers/contender -I LIBRARY -DPREFIX=PQCLEAN_MLKEM768_CLEAN_ \
 *      -DALGORITHM='"ML-KEM-768"' lab/race/nist_kem.c SOURCES -o contender.so
 *
 * PREFIX begins the names in the library's api.h.
 */
#include <api.h>
#include <stdlib.h>
#include <string.h>

#include "contender.h"

#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)

enum {
    seed_bytes = 32,
    public_bytes = JOINED(PREFIX, CRYPTO_PUBLICKEYBYTES),
    secret_bytes = JOINED(PREFIX, CRYPTO_SECRETKEYBYTES),
    ciphertext_bytes = JOINED(PREFIX, CRYPTO_CIPHERTEXTBYTES),
    shared_bytes = JOINED(PREFIX, CRYPTO_BYTES)
};

/* The library draws the bytes of a seed, so that everybody makes the same keys and ciphertexts. */
static const uint8_t* drawn;
int PQCLEAN_randombytes(uint8_t* out, size_t bytes);
int PQCLEAN_randombytes(uint8_t* out, size_t bytes)
{
    memcpy(out, drawn, bytes);
    drawn += bytes;
    return 0;
}

/* d is the seed, z the seed reversed (FIPS 203, Algorithm 16). */
static int keygen(const uint8_t* in, uint8_t* out)
{
    uint8_t d_z[2 * seed_bytes];
    for (size_t i = 0; i < seed_bytes; ++i) d_z[i] = d_z[sizeof d_z - 1 - i] = in[i];
    drawn = d_z;
    return JOINED(PREFIX, crypto_kem_keypair)(out, out + public_bytes);
}

static int encapsulate(const uint8_t* in, uint8_t* out)
{
    drawn = in + public_bytes;
    return JOINED(PREFIX, crypto_kem_enc)(out, out + ciphertext_bytes, in);
}

static int decapsulate(const uint8_t* in, uint8_t* out)
{
    return JOINED(PREFIX, crypto_kem_dec)(out, in + secret_bytes, in);
}

/* An operation: the bytes of its two inputs and two outputs, 0 for one that it lacks. */
typedef struct operation {
    const char* name;
    size_t inputs[2], outputs[2];
    int (*run)(const uint8_t* in, uint8_t* out);
} operation;
static const operation operations[] = {
    {"keygen", {seed_bytes, 0}, {public_bytes, secret_bytes}, keygen},
    {"encapsulate", {public_bytes, seed_bytes}, {ciphertext_bytes, shared_bytes}, encapsulate},
    {"decapsulate", {secret_bytes, ciphertext_bytes}, {shared_bytes, 0}, decapsulate}};

/* A batch of `count` operations, whose inputs and outputs follow each other in memory. */
typedef struct job {
    const operation* does;
    size_t count;
    uint8_t *inputs, *outputs;
} job;

static size_t sum(const size_t* two) { return two[0] + two[1]; }
static size_t parts(const size_t* two) { return two[1] != 0 ? 2 : 1; }

const char* contender_list(void) { return "NIST's interface\tforeign\tportable\t"; }

uintptr_t contender_job(size_t contender, const char* algorithm, const char* name,
                        const contender_bytes* inputs, size_t count)
{
    const operation* does = NULL;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; ++i)
        if (strcmp(operations[i].name, name) == 0) does = &operations[i];
    if (does == NULL || contender != 0 || strcmp(algorithm, ALGORITHM) != 0) return 0;
    const size_t each = parts(does->inputs);
    for (size_t i = 0; i < count; ++i)
        if (inputs[i].bytes != does->inputs[i % each]) return 0;
    job* const made = malloc(sizeof *made);
    *made = (job){does, count / each, malloc(count / each * sum(does->inputs)),
                  malloc(count / each * sum(does->outputs))};
    uint8_t* next = made->inputs;
    for (size_t i = 0; i < count; next += inputs[i++].bytes) memcpy(next, inputs[i].data, inputs[i].bytes);
    return (uintptr_t)made;
}

int contender_run(uintptr_t of, size_t first, size_t end)
{
    const job* const it = (const job*)of;
    int failed = 0;
    for (size_t i = first; i < end && i < it->count; ++i)
        failed |=
            it->does->run(it->inputs + i * sum(it->does->inputs), it->outputs + i * sum(it->does->outputs));
    return failed;
}

size_t contender_output(uintptr_t of, size_t index, uint8_t* out, size_t capacity)
{
    const job* const it = (const job*)of;
    const size_t each = parts(it->does->outputs), bytes = it->does->outputs[index % each];
    if (index / each >= it->count) return SIZE_MAX;
    const size_t before = index % each == 0 ? 0 : it->does->outputs[0];
    if (bytes <= capacity) memcpy(out, it->outputs + index / each * sum(it->does->outputs) + before, bytes);
    return bytes;
}

void contender_drop(uintptr_t of)
{
    job* const it = (job*)of;
    free(it->inputs);
    free(it->outputs);
    free(it);
}

void contender_rest(void) {}
