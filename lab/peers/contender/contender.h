/* The exports of every library in the race: a list of contenders, and batches of operations
 * ("jobs") to run.
 *
 * The race makes a job from its inputs (not timed), runs it (timed: one call for a stretch of the
 * batch, with the loop inside), reads its outputs (not timed) and drops it.
 *
 * operation     inputs                                   outputs
 * keygen        seed, seed, ...                          public key, secret key, public ...
 * sign          secret key, seed, message, message ...   signature, signature, ...
 * verify        public key, message, signature, ...      none: it fails or succeeds
 * encapsulate   public key, seed, ...                    ciphertext, shared secret, ...
 * decapsulate   secret key, ciphertext, ...              shared secret, ...
 *
 * " prepared" may follow the name: the job then makes the key objects, outside the clock. Without
 * it each operation starts from the bytes of keys.
 *
 * A seed has 32 bytes. ML-DSA's is xi (FIPS 204, Algorithm 6); it signs deterministically, with an
 * empty context; the seed that `sign` gets is that of the secret key. ML-KEM's is d, and z is the
 * seed reversed (FIPS 203, Algorithm 16); an encapsulation's is m (Algorithm 17). NTRU Prime draws
 * from the keystream of AES-256 in counter mode. docs/RACE.md has an example.
 */
#ifndef GIRIH_CONTENDER_H
#define GIRIH_CONTENDER_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(modernize-use-using, readability-identifier-naming): C */
typedef struct contender_bytes {
    const uint8_t* data;
    size_t bytes;
} contender_bytes;
/* NOLINTEND(modernize-use-using, readability-identifier-naming) */

#ifndef CONTENDER_TYPES_ONLY /* for cgo, which declares the functions itself and knows no const */
#    ifdef __cplusplus
extern "C" {
#    endif

/* One line per contender, fields separated by tabs: name, package, code ("portable", "assembly" or
 * "vector"), note. Lives for ever. */
const char* contender_list(void);

/* A job of the contender with this index in the list, or 0 if it does not offer the operation. */
uintptr_t contender_job(size_t contender, const char* algorithm, const char* operation,
                        const contender_bytes* inputs, size_t count);

/* Runs the operations of the batch from `first` up to but not including `end`, or up to the last
 * one. Returns 0 if all succeeded. */
int contender_run(uintptr_t job, size_t first, size_t end);

/* Copies an output of the job if it fits, and returns its length; SIZE_MAX if there is none. */
size_t contender_output(uintptr_t job, size_t index, uint8_t* out, size_t capacity);

void contender_drop(uintptr_t job);

/* Called between turns, not timed: the library does its background work now. */
void contender_rest(void);

#    ifdef __cplusplus
}
#    endif
#endif
#endif
