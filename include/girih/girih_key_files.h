/* girih's key files in C: PEM and DER of PKCS#8 private keys, encrypted or not,
 * SubjectPublicKeyInfo public keys and X.509 certificates, and raw keys. key_files.hpp has the same
 * in C++, and says which encodings are read and written.
 *
 * Link girih::key_files (CMake), or what pkg-config says of girih-key-files.
 *
 * Conventions of the whole file
 * - Lengths are in bytes. Functions that can fail return 0 or a girih_key_problem, which is
 *   positive, and tell more in `error` unless that is null. On failure the outputs are null and 0.
 * - What a function makes belongs to the caller: keys end with girih_key_free, files with
 *   girih_key_file_free. Both wipe, and take null.
 * - Thread safety: any function may run on any thread; a girih_key does not change, so that many
 *   threads may use it until it ends.
 * - Private bytes and passphrases steer no branch and no memory access, but for their lengths, and
 *   for scrypt, which is made so.
 */
#ifndef GIRIH_GIRIH_KEY_FILES_H
#define GIRIH_GIRIH_KEY_FILES_H

#include <girih/girih.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---------------------------------------------------------------------------------- */

/* What is wrong, in groups; the message says it exactly. */
typedef enum girih_key_problem {
    GIRIH_KEY_OK = 0,
    GIRIH_KEY_ARGUMENT = 1,          /* a null pointer where one is needed, or no such value */
    GIRIH_KEY_MEMORY = 2,            /* there is too little memory */
    GIRIH_KEY_NOT_RECOGNISED = 3,    /* empty, too long, or none of the formats */
    GIRIH_KEY_ALGORITHM_UNNAMED = 4, /* it may be a raw key, whose algorithm has to be named */
    GIRIH_KEY_OTHER_ALGORITHM = 5,   /* of another algorithm than was asked for, or of one girih lacks */
    GIRIH_KEY_OTHER_KIND = 6,        /* a public key where a private one is needed */
    GIRIH_KEY_MALFORMED = 7,         /* not PEM, DER or a structure as the standards have it */
    GIRIH_KEY_INVALID = 8,           /* the parts of the key are none, or contradict each other */
    GIRIH_KEY_ENCRYPTED = 9,         /* needs a passphrase, and none was given */
    GIRIH_KEY_PASSPHRASE = 10,       /* the wrong passphrase, or what is encrypted was changed */
    GIRIH_KEY_ENCRYPTION = 11,       /* encrypted as girih does not decrypt, or at too high a cost */
    GIRIH_KEY_REQUEST = 12,          /* a form that the key or the format lacks, an empty passphrase */
    GIRIH_KEY_LIBRARY = 13           /* the engine or the source of randomness failed */
} girih_key_problem;

/* Of an error that is at no byte or line. */
#define GIRIH_KEY_NOWHERE SIZE_MAX

typedef struct girih_key_error {
    girih_key_problem problem;
    size_t byte;       /* of the DER, from 0 (in PEM: of what its base64 stands for); or GIRIH_KEY_NOWHERE */
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
    GIRIH_KEY_CERTIFICATE = 2 /* a public key; nothing else in the certificate was checked but its form */
} girih_key_kind;

typedef enum girih_key_format { GIRIH_KEY_PEM = 0, GIRIH_KEY_DER = 1, GIRIH_KEY_RAW = 2 } girih_key_format;

/* What a private key's file holds (RFC 9881 and RFC 9935, Section 6). */
typedef enum girih_key_form {
    GIRIH_KEY_PREFERRED = 0, /* to write: the seed, where the key has one and the format holds it */
    GIRIH_KEY_SEED = 1,
    GIRIH_KEY_EXPANDED = 2,
    GIRIH_KEY_BOTH = 3
} girih_key_form;

/* A passphrase's bytes as they are; RFC 8018 recommends UTF-8. A null pointer is none at all. */
typedef struct girih_passphrase {
    const uint8_t* bytes;
    size_t count;
} girih_passphrase;

/* A new key pair, from the operating system's randomness; or that of a seed. */
GIRIH_API int girih_key_generate(const girih_alg* alg, girih_key** key, girih_key_error* error);
GIRIH_API int girih_key_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                  girih_key** key, girih_key_error* error);

/* Reads a file of at most 2^20 bytes, whose format is recognised. `alg` may be null, unless the key
 * is raw; otherwise keys of other algorithms are refused. One that only verifies asks for the keys
 * of the whole one, and gets that with them. Without a passphrase, an encrypted private key is
 * refused with GIRIH_KEY_ENCRYPTED. Of several PEM blocks, the private key is read (two are
 * refused), or, where there is none, the first public key or certificate; text and other blocks are
 * passed over. Ten seconds or so and 256 MB are the most that an encrypted file may ask for. */
GIRIH_API int girih_key_read(const uint8_t* file, size_t file_bytes, const girih_alg* alg,
                             girih_passphrase passphrase, girih_key** key, girih_key_error* error);

/* Wipes the key and frees it. */
GIRIH_API void girih_key_free(girih_key* key);

/* What the key is, and how it came. One that was made counts as a private key in PEM. */
GIRIH_API const girih_alg* girih_key_algorithm(const girih_key* key);
GIRIH_API girih_key_kind girih_key_kind_of(const girih_key* key);
GIRIH_API girih_key_format girih_key_format_of(const girih_key* key);
GIRIH_API girih_key_form girih_key_form_of(const girih_key* key); /* of a public key, GIRIH_KEY_PREFERRED */
GIRIH_API int girih_key_is_encrypted(const girih_key* key);       /* 1 if it came encrypted */
/* 1 if its identifier is that of HashML-DSA with SHA-512, not ML-DSA's. The bytes are those of an
 * ML-DSA key, and the identifier says what it is for: sign and verify with "SHA2-512" as the
 * pre_hash of girih_options. PEM and DER that are written of it have the same identifier. */
GIRIH_API int girih_key_is_for_hash_ml_dsa(const girih_key* key);

/* The bytes that the functions of girih.h take: girih_public_key_bytes(alg),
 * girih_secret_key_bytes(alg) and girih_seed_bytes(alg) of them. They live as long as the key. Null
 * where the key has none: a public key has no secret key, and one that came without its seed no
 * seed. */
GIRIH_API const uint8_t* girih_key_public_key(const girih_key* key);
GIRIH_API const uint8_t* girih_key_secret_key(const girih_key* key);
GIRIH_API const uint8_t* girih_key_seed(const girih_key* key);

/* What people compare instead of whole keys: the SHA-256 of the public key's SubjectPublicKeyInfo
 * in DER. A key for HashML-DSA has that of the ML-DSA key with the same bytes. */
GIRIH_API int girih_key_fingerprint(const girih_key* key, uint8_t fingerprint[32]);

/* ---- Files ----------------------------------------------------------------------------------- */

/* How a passphrase becomes the key that a private key is encrypted with. */
typedef enum girih_key_kdf {
    GIRIH_KEY_PBKDF2_SHA256 = 0, /* RFC 8018 */
    GIRIH_KEY_PBKDF2_SHA512 = 1,
    GIRIH_KEY_SCRYPT = 2 /* RFC 7914 */
} girih_key_kdf;

/* How a private key is written. All of it may be 0: PEM in the preferred form, not encrypted. The
 * enumerations are plain integers here, so that a value that none of them has is an error
 * (GIRIH_KEY_ARGUMENT) in C and in C++. */
typedef struct girih_key_encoding {
    int format;                  /* a girih_key_format */
    int form;                    /* a girih_key_form */
    girih_passphrase passphrase; /* encrypts with AES-256-CBC (PBES2) in PEM and DER; none: does not */
    int kdf;                     /* a girih_key_kdf */
    uint32_t iterations;         /* of PBKDF2; 0: 600,000 with SHA-256, 210,000 with SHA-512 */
    uint64_t scrypt_n;           /* a power of two, and as the next two 0 for 2^14, 8 and 5 */
    uint32_t scrypt_r;
    uint32_t scrypt_p;
} girih_key_encoding;

/* Writes the private key, in a file whose bytes are then *file_bytes at *file. */
GIRIH_API int girih_key_write_private(const girih_key* key, const girih_key_encoding* encoding,
                                      uint8_t** file, size_t* file_bytes, girih_key_error* error);

/* The same with the public key, or the public half of a private one, in a girih_key_format. */
GIRIH_API int girih_key_write_public(const girih_key* key, int format, uint8_t** file, size_t* file_bytes,
                                     girih_key_error* error);

/* Reads one file and writes its key as another: a private key as `encoding` says, a public key or a
 * certificate's in encoding->format. */
GIRIH_API int girih_key_convert(const uint8_t* file, size_t file_bytes, const girih_alg* alg,
                                girih_passphrase passphrase, const girih_key_encoding* encoding,
                                uint8_t** converted, size_t* converted_bytes, girih_key_error* error);

/* Wipes a file that one of these functions made and frees it. */
GIRIH_API void girih_key_file_free(uint8_t* file, size_t file_bytes);

#ifdef __cplusplus
}
#endif

#endif
