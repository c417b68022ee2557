/* Batches: their rows and functions. girih.h includes this file. */
#ifndef GIRIH_BATCHES_H
#define GIRIH_BATCHES_H

/* Many operations in one call, side by side in the lanes of the processor's vectors, with the same
 * bytes as single operations. Each row has its own result; the outputs of a failed row are zeroed,
 * and no other row is affected. Every function returns GIRIH_OK if all rows succeed, else the
 * result of the first row that failed. An error of the whole call is also every row's result.
 *
 * Rows are independent: an array can be split anywhere and its parts given to threads
 * (girih/batch.hpp does that). Within a row, inputs may overlap outputs as everywhere else. No
 * output of a row may lie in memory of another row, which is not checked. An output that lies in a
 * prepared key or in the array of rows is that row's GIRIH_ERROR_OVERLAP. */

typedef struct girih_keygen_row {
    const uint8_t* seed; /* null with length 0: drawn from `random` */
    size_t seed_bytes;
    const girih_random* random;
    uint8_t* public_key;
    size_t public_key_bytes;
    uint8_t* secret_key;
    size_t secret_key_bytes;
    int result; /* out: GIRIH_OK or an error */
} girih_keygen_row;

typedef struct girih_sign_row {
    const girih_signing_key* key; /* null: `secret_key` instead, which is as slow as girih_sign */
    const uint8_t* secret_key;
    size_t secret_key_bytes;
    const uint8_t* message;
    size_t message_bytes;
    const girih_options* options; /* null: the default */
    uint8_t* signature;
    size_t signature_capacity;
    size_t signature_bytes; /* out */
    int result;             /* out: GIRIH_OK or an error */
} girih_sign_row;

typedef struct girih_verify_row {
    const girih_verifying_key* key; /* null: `public_key` instead */
    const uint8_t* public_key;
    size_t public_key_bytes;
    const uint8_t* message;
    size_t message_bytes;
    const girih_options* options; /* null: the default */
    const uint8_t* signature;
    size_t signature_bytes;
    int result; /* out: GIRIH_OK, GIRIH_ERROR_SIGNATURE or another error */
} girih_verify_row;

typedef struct girih_encapsulate_row {
    const girih_encapsulation_key* key; /* null: `public_key` instead */
    const uint8_t* public_key;
    size_t public_key_bytes;
    const girih_random* random;
    uint8_t* ciphertext;
    size_t ciphertext_bytes;
    uint8_t* shared_secret;
    size_t shared_secret_bytes;
    int result; /* out: GIRIH_OK or an error */
} girih_encapsulate_row;

typedef struct girih_decapsulate_row {
    const girih_decapsulation_key* key; /* null: `secret_key` instead */
    const uint8_t* secret_key;
    size_t secret_key_bytes;
    const uint8_t* ciphertext;
    size_t ciphertext_bytes;
    uint8_t* shared_secret;
    size_t shared_secret_bytes;
    int result; /* out: GIRIH_OK or an error */
} girih_decapsulate_row;

GIRIH_API int girih_keygen_many(const girih_alg* alg, girih_keygen_row* rows, size_t count);
GIRIH_API int girih_sign_many(const girih_alg* alg, girih_sign_row* rows, size_t count);
GIRIH_API int girih_verify_many(const girih_alg* alg, girih_verify_row* rows, size_t count);
GIRIH_API int girih_encapsulate_many(const girih_alg* alg, girih_encapsulate_row* rows, size_t count);
GIRIH_API int girih_decapsulate_many(const girih_alg* alg, girih_decapsulate_row* rows, size_t count);

#endif
