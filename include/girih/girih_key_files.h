/* girih's key files in C: PEM and DER of PKCS#8 private keys, encrypted or not,
 * SubjectPublicKeyInfo public keys and X.509 certificates, JWK, COSE_Key, and raw keys.
 * key_files.hpp has the same in C++, and says which encodings are read and written.
 *
 * Link girih::key_files (CMake) or girih-key-files (pkg-config).
 *
 * Conventions of the whole file
 * - Lengths are in bytes. Functions that can fail return 0 or a girih_key_problem, which is
 *   positive, with details in `error` unless that is null. On failure the outputs are null and 0.
 * - The caller owns what a function makes: free keys with girih_key_free and files with
 *   girih_key_file_free. Both wipe first, and accept null.
 * - Thread safety: any function may run on any thread; a girih_key is constant, so many threads may
 *   use it until it is freed.
 * - No branch or memory access depends on private bytes or passphrases, except for their lengths,
 *   and except in scrypt, which is designed that way.
 */
#ifndef GIRIH_GIRIH_KEY_FILES_H
#define GIRIH_GIRIH_KEY_FILES_H

#include <girih/girih.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Kinds of errors; girih_key_error's message has the details. */
typedef enum girih_key_problem {
    GIRIH_KEY_OK = 0,
    GIRIH_KEY_ARGUMENT = 1,          /* an unexpected null pointer, or an unknown value */
    GIRIH_KEY_MEMORY = 2,            /* out of memory */
    GIRIH_KEY_NOT_RECOGNISED = 3,    /* empty, too long, or none of the formats */
    GIRIH_KEY_ALGORITHM_UNNAMED = 4, /* possibly a raw key: name its algorithm */
    GIRIH_KEY_OTHER_ALGORITHM = 5,   /* an algorithm other than the one asked for, or unknown to girih */
    GIRIH_KEY_OTHER_KIND = 6,        /* a public key where a private one is needed */
    GIRIH_KEY_MALFORMED = 7,         /* PEM, DER or a structure in it breaks its standard */
    GIRIH_KEY_INVALID = 8,           /* parts of the key are malformed or contradict each other */
    GIRIH_KEY_ENCRYPTED = 9,         /* needs a passphrase, and none was given */
    GIRIH_KEY_PASSPHRASE = 10,       /* wrong passphrase, or damaged data */
    GIRIH_KEY_ENCRYPTION = 11,       /* an unsupported encryption, or too high a cost */
    GIRIH_KEY_REQUEST = 12,          /* the key or the format lacks this form; an empty passphrase */
    GIRIH_KEY_LIBRARY = 13           /* the engine or the source of randomness failed */
} girih_key_problem;

/* The `byte` or `line` of an error that has none. */
#define GIRIH_KEY_NOWHERE SIZE_MAX

typedef struct girih_key_error {
    girih_key_problem problem;
    size_t byte;       /* of the DER, from 0 (in PEM: of the decoded base64); or GIRIH_KEY_NOWHERE */
    size_t line;       /* of the PEM file, from 1; or GIRIH_KEY_NOWHERE */
    char message[480]; /* one line of printable ASCII, without the file's name; ends with 0 */
} girih_key_error;

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A private key with its public one, or a public key alone. It has passed every check of its
 * encoding. */
typedef struct girih_key girih_key;

typedef enum girih_key_kind {
    GIRIH_KEY_PRIVATE = 0,
    GIRIH_KEY_PUBLIC = 1,
    GIRIH_KEY_CERTIFICATE = 2 /* a public key; only the form of the certificate was checked */
} girih_key_kind;

typedef enum girih_key_format {
    GIRIH_KEY_PEM = 0,
    GIRIH_KEY_DER = 1,
    GIRIH_KEY_RAW = 2,
    GIRIH_KEY_JWK = 3, /* RFC 9964, like COSE_Key: ML-DSA only, a private key as its seed */
    GIRIH_KEY_COSE = 4
} girih_key_format;

/* The contents of a private key's file (RFC 9881 and RFC 9935, Section 6). */
typedef enum girih_key_form {
    GIRIH_KEY_PREFERRED = 0, /* for writing: the seed, if the key has one and the format can hold it */
    GIRIH_KEY_SEED = 1,
    GIRIH_KEY_EXPANDED = 2,
    GIRIH_KEY_BOTH = 3
} girih_key_form;

/* A passphrase's bytes, unchanged; RFC 8018 recommends UTF-8. A null pointer means no
 * passphrase. */
typedef struct girih_passphrase {
    const uint8_t* bytes;
    size_t count;
} girih_passphrase;

/* A new key pair from the operating system's randomness, or the key pair of a seed. */
GIRIH_API int girih_key_generate(const girih_alg* alg, girih_key** key, girih_key_error* error);
GIRIH_API int girih_key_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                  girih_key** key, girih_key_error* error);

/* Reads a file of at most 2^20 bytes and recognises its format. `alg` may be null unless the key is
 * raw; if given, keys of other algorithms are refused. An algorithm that only verifies means the
 * full algorithm, which the key then has. Without a passphrase, an encrypted private key is refused
 * with GIRIH_KEY_ENCRYPTED. If a PEM file has several blocks, its private key is read (two are
 * refused), else its first public key or certificate; text and other blocks are skipped. A file
 * whose decryption would take more than about ten seconds or 256 MB is refused. */
GIRIH_API int girih_key_read(const uint8_t* file, size_t file_bytes, const girih_alg* alg,
                             girih_passphrase passphrase, girih_key** key, girih_key_error* error);

/* Wipes the key and frees it. */
GIRIH_API void girih_key_free(girih_key* key);

/* The properties of a key, and of the file that it was read from. A generated key counts as a
 * private key in PEM. */
GIRIH_API const girih_alg* girih_key_algorithm(const girih_key* key);
GIRIH_API girih_key_kind girih_key_kind_of(const girih_key* key);
GIRIH_API girih_key_format girih_key_format_of(const girih_key* key);
GIRIH_API girih_key_form girih_key_form_of(const girih_key* key); /* GIRIH_KEY_PREFERRED for a public key */
GIRIH_API int girih_key_is_encrypted(const girih_key* key);       /* 1 if its file was encrypted */
/* 1 if the key's identifier is HashML-DSA's with SHA-512 instead of ML-DSA's. The bytes are those
 * of an ML-DSA key; sign and verify with "SHA2-512" as the pre_hash of girih_options. Writing the
 * key as PEM or DER keeps the identifier. */
GIRIH_API int girih_key_is_for_hash_ml_dsa(const girih_key* key);

/* The bytes that the functions of girih.h take: girih_public_key_bytes(alg),
 * girih_secret_key_bytes(alg) and girih_seed_bytes(alg) of them. They live as long as the key. Null
 * if the key lacks them: a public key has no secret key, and a key that was read without its seed
 * has no seed. */
GIRIH_API const uint8_t* girih_key_public_key(const girih_key* key);
GIRIH_API const uint8_t* girih_key_secret_key(const girih_key* key);
GIRIH_API const uint8_t* girih_key_seed(const girih_key* key);

/* The fingerprint that people compare instead of whole keys: SHA-256 of the public key's
 * SubjectPublicKeyInfo in DER. A HashML-DSA key has the fingerprint of the ML-DSA key with the
 * same bytes. */
GIRIH_API int girih_key_fingerprint(const girih_key* key, uint8_t fingerprint[32]);

/* ---- Files ----------------------------------------------------------------------------------- */

/* The function that derives the encryption key from a passphrase. */
typedef enum girih_key_kdf {
    GIRIH_KEY_PBKDF2_SHA256 = 0, /* RFC 8018 */
    GIRIH_KEY_PBKDF2_SHA512 = 1,
    GIRIH_KEY_SCRYPT = 2 /* RFC 7914 */
} girih_key_kdf;

/* How a private key is written. All zeros: PEM in the preferred form, not encrypted. Enumerations
 * are plain integers here, so that an unknown value is an error (GIRIH_KEY_ARGUMENT) in C and in
 * C++. */
typedef struct girih_key_encoding {
    int format;                  /* a girih_key_format */
    int form;                    /* a girih_key_form */
    girih_passphrase passphrase; /* null: not encrypted; else AES-256-CBC (PBES2), in PEM or DER */
    int kdf;                     /* a girih_key_kdf */
    uint32_t iterations;         /* of PBKDF2; 0: 600,000 with SHA-256, 210,000 with SHA-512 */
    uint64_t scrypt_n;           /* a power of two; N, r and p default to 2^14, 8 and 5 where 0 */
    uint32_t scrypt_r;
    uint32_t scrypt_p;
} girih_key_encoding;

/* Writes the private key to a new file in memory: `*file_bytes` bytes at `*file`. */
GIRIH_API int girih_key_write_private(const girih_key* key, const girih_key_encoding* encoding,
                                      uint8_t** file, size_t* file_bytes, girih_key_error* error);

/* Writes the public key, or the public half of a private key; `format` is a girih_key_format. */
GIRIH_API int girih_key_write_public(const girih_key* key, int format, uint8_t** file, size_t* file_bytes,
                                     girih_key_error* error);

/* Converts a file: a private key is written as `encoding` says, a public key or a certificate's key
 * in encoding->format. */
GIRIH_API int girih_key_convert(const uint8_t* file, size_t file_bytes, const girih_alg* alg,
                                girih_passphrase passphrase, const girih_key_encoding* encoding,
                                uint8_t** converted, size_t* converted_bytes, girih_key_error* error);

/* Wipes and frees a file that one of these functions made. */
GIRIH_API void girih_key_file_free(uint8_t* file, size_t file_bytes);

#ifdef __cplusplus
}
#endif

#endif
