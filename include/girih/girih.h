/* girih: lattice-based signatures and key encapsulation, in C.
 *
 * Every algorithm is reached by its name at run time; girih_algorithm("ML-DSA-65") is looked up
 * once and kept. The typed C++ headers beside this one (ml_dsa.hpp, dilithium.hpp, falcon.hpp,
 * ml_kem.hpp, ntru_prime.hpp) are thin layers over these functions.
 *
 * Conventions of the whole file
 * - Lengths are in bytes, and every buffer comes with its own; a length that the algorithm does not
 *   have is GIRIH_ERROR_LENGTH, never a read or a write outside.
 * - Functions that can fail return 0 (GIRIH_OK) or a negative girih_error. On failure every output
 *   is zeroed, but for GIRIH_ERROR_OVERLAP, with which nothing is written.
 * - In place: outputs are written last, in one piece, so an input of any function may lie wholly or
 *   partly in its outputs (a seed in the secret key's buffer, a message in the signature's, a
 *   ciphertext in the shared secret's, options, a context); it is overwritten by success and zeroed
 *   by failure. Two outputs of one call may not share a byte, nor a prepared key and the pointer to
 *   it, nor a piece of a message and its girih_message: GIRIH_ERROR_OVERLAP. The state of a
 *   girih_random is its owner's and may not lie in an output.
 * - Thread safety: there is no mutable global state; any function may run on any thread at any
 *   time, as long as two threads do not write the same buffer.
 * - Constant time: time and memory accesses do not depend on secret keys, seeds or random bytes,
 *   except where the standard itself publishes the fact (how many attempts a signature took). They
 *   may depend on lengths and on public keys, messages, contexts and signatures.
 * - Nothing allocates memory. Stack needs are on each scheme's page in docs/architecture.
 * - Compatibility: versions 0.x promise none across minor ones (libgirih.so.0.MINOR). From 1.0 on,
 *   structures keep their sizes: new options take reserved members, and values that are refused
 *   until then. Set members that you do not use to zero, as `= {0}` does.
 */
#ifndef GIRIH_GIRIH_H
#define GIRIH_GIRIH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GIRIH_VERSION_MAJOR 0
#define GIRIH_VERSION_MINOR 2
#define GIRIH_VERSION_PATCH 0
#define GIRIH_VERSION "0.2.0"

#if defined(__GNUC__)
#    define GIRIH_API __attribute__((visibility("default")))
#else
#    define GIRIH_API
#endif

/* GIRIH_VERSION of the library that runs. */
GIRIH_API const char* girih_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef enum girih_error {
    GIRIH_OK = 0,
    GIRIH_ERROR_ARGUMENT = -1,     /* a pointer that is missing, a wrong algorithm, an unknown option */
    GIRIH_ERROR_LENGTH = -2,       /* a buffer's length is not the algorithm's */
    GIRIH_ERROR_CONTEXT = -3,      /* a context over 255 bytes, or any context where the algorithm has none */
    GIRIH_ERROR_PRE_HASH = -4,     /* an unknown pre-hash, or any where the algorithm has none */
    GIRIH_ERROR_SECRET_KEY = -5,   /* a secret key that is no encoding of a key */
    GIRIH_ERROR_KEY_MISMATCH = -6, /* the parts of a key contradict each other */
    GIRIH_ERROR_SIGNATURE = -7,    /* the signature does not verify */
    GIRIH_ERROR_RANDOM = -8,       /* the source of randomness failed */
    GIRIH_ERROR_ATTEMPTS = -9,     /* signing gave up; see girih_sign */
    GIRIH_ERROR_ENGINE = -10,      /* the environment variable GIRIH_ISA names no engine that runs here */
    GIRIH_ERROR_PUBLIC_KEY = -11,  /* a public key that is no encoding of a key (Falcon, ML-KEM) */
    GIRIH_ERROR_OVERLAP = -12, /* two outputs share memory, or what the head of this file names beside them */
    GIRIH_ERROR_FAULT = -13    /* what was made failed its own check: the processor or the memory erred */
} girih_error;

/* A sentence about an error, in English, without a full stop; never null. */
GIRIH_API const char* girih_error_text(int error);

/* ---- Algorithms ------------------------------------------------------------------------------ */

typedef struct girih_alg girih_alg; /* an algorithm with its parameter set: immutable, lives for ever */

/* By name: "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" (FIPS 204); "Dilithium2", "Dilithium3",
 * "Dilithium5" (round 3.1), "Falcon-512", "Falcon-1024" (round 3), "Falcon-padded-512",
 * "Falcon-padded-1024" (signatures of one length), "Falcon-CT-512", "Falcon-CT-1024" (the
 * constant-time format), which sign; "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024" (FIPS 203),
 * "sntrup761" and "ntrulpr761" and the same with 653, 857, 953, 1013 and 1277 (NTRU Prime, round
 * 3), which encapsulate keys. Names, of pre-hashes as well, are case-insensitive; hyphens may be
 * left out, or stand between a letter and a digit ("mldsa65", "SHAKE-128"). Unknown: null. */
GIRIH_API const girih_alg* girih_algorithm(const char* name);

/* All of them: index 0, 1, ... until null. */
GIRIH_API const girih_alg* girih_algorithm_at(size_t index);

/* Each by itself. A static program that names its algorithms here links those alone, if the linker
 * drops unused sections (-Wl,--gc-sections); girih_algorithm and girih_algorithm_at link all. */
GIRIH_API const girih_alg* girih_ml_dsa_44(void);
GIRIH_API const girih_alg* girih_ml_dsa_65(void);
GIRIH_API const girih_alg* girih_ml_dsa_87(void);
GIRIH_API const girih_alg* girih_dilithium2(void);
GIRIH_API const girih_alg* girih_dilithium3(void);
GIRIH_API const girih_alg* girih_dilithium5(void);
GIRIH_API const girih_alg* girih_falcon_512(void);
GIRIH_API const girih_alg* girih_falcon_1024(void);
GIRIH_API const girih_alg* girih_falcon_padded_512(void);
GIRIH_API const girih_alg* girih_falcon_padded_1024(void);
GIRIH_API const girih_alg* girih_falcon_ct_512(void);
GIRIH_API const girih_alg* girih_falcon_ct_1024(void);
GIRIH_API const girih_alg* girih_ml_kem_512(void);
GIRIH_API const girih_alg* girih_ml_kem_768(void);
GIRIH_API const girih_alg* girih_ml_kem_1024(void);
GIRIH_API const girih_alg* girih_sntrup653(void);
GIRIH_API const girih_alg* girih_sntrup761(void);
GIRIH_API const girih_alg* girih_sntrup857(void);
GIRIH_API const girih_alg* girih_sntrup953(void);
GIRIH_API const girih_alg* girih_sntrup1013(void);
GIRIH_API const girih_alg* girih_sntrup1277(void);
GIRIH_API const girih_alg* girih_ntrulpr653(void);
GIRIH_API const girih_alg* girih_ntrulpr761(void);
GIRIH_API const girih_alg* girih_ntrulpr857(void);
GIRIH_API const girih_alg* girih_ntrulpr953(void);
GIRIH_API const girih_alg* girih_ntrulpr1013(void);
GIRIH_API const girih_alg* girih_ntrulpr1277(void);

/* The same for a program that verifies and does nothing else: what makes keys and signs is not
 * linked, and every function that would make a key, sign, or take a secret key is
 * GIRIH_ERROR_ARGUMENT with these. girih_algorithm_at does not list them. A prepared key belongs to
 * the algorithm that it was made with. */
GIRIH_API const girih_alg* girih_ml_dsa_44_verifying(void);
GIRIH_API const girih_alg* girih_ml_dsa_65_verifying(void);
GIRIH_API const girih_alg* girih_ml_dsa_87_verifying(void);
GIRIH_API const girih_alg* girih_dilithium2_verifying(void);
GIRIH_API const girih_alg* girih_dilithium3_verifying(void);
GIRIH_API const girih_alg* girih_dilithium5_verifying(void);
GIRIH_API const girih_alg* girih_falcon_512_verifying(void);
GIRIH_API const girih_alg* girih_falcon_1024_verifying(void);
GIRIH_API const girih_alg* girih_falcon_padded_512_verifying(void);
GIRIH_API const girih_alg* girih_falcon_padded_1024_verifying(void);
GIRIH_API const girih_alg* girih_falcon_ct_512_verifying(void);
GIRIH_API const girih_alg* girih_falcon_ct_1024_verifying(void);

GIRIH_API const char* girih_name(const girih_alg* alg);
GIRIH_API size_t girih_seed_bytes(const girih_alg* alg);
GIRIH_API size_t girih_public_key_bytes(const girih_alg* alg);
GIRIH_API size_t girih_secret_key_bytes(const girih_alg* alg);
GIRIH_API int girih_is_kem(const girih_alg* alg);              /* 1: encapsulates keys; 0: signs */
GIRIH_API size_t girih_signature_bytes(const girih_alg* alg);  /* the longest there is; 0 of a KEM */
GIRIH_API size_t girih_ciphertext_bytes(const girih_alg* alg); /* 0 of a signature scheme, as the next */
GIRIH_API size_t girih_shared_secret_bytes(const girih_alg* alg);
GIRIH_API int girih_has_context(const girih_alg* alg); /* 1: takes contexts and pre-hashes (FIPS 204) */

/* 1: messages have a representative mu, and signatures may be deterministic (ML-DSA, Dilithium). */
GIRIH_API int girih_has_mu(const girih_alg* alg);

/* The pre-hashes of HashML-DSA (FIPS 204, Section 5.4), "SHA2-256", ...: 0, 1, ... until null. */
GIRIH_API const char* girih_pre_hash_at(size_t index);

/* The strength of a pre-hash against collisions, in bits: 112, 128, 192 or 256; 0 if there is none
 * of that name. FIPS 204, Section 5.4, wants at least as many as the parameter set's level: 128,
 * 192 and 256 for ML-DSA-44, 65 and 87. A weaker one is not refused, since the standard's
 * test vectors have such signatures; `girih sign` warns. */
GIRIH_API size_t girih_pre_hash_strength(const char* name);

/* Which processor engine runs ("portable", ...), and a sentence why. Null when GIRIH_ISA, which
 * set-user-ID programs ignore, names none that runs here: all operations are GIRIH_ERROR_ENGINE. */
GIRIH_API const char* girih_engine(void);
GIRIH_API const char* girih_engine_reason(void);

/* ---- Randomness ------------------------------------------------------------------------------ */

/* A source of random bytes. fill writes `bytes` bytes to `out` and returns 0, or returns anything
 * else if it cannot; no exception may leave it. Wherever a `const girih_random *` is taken, null
 * means the operating system's generator (GIRIH_NO_SYSTEM_RANDOMNESS: GIRIH_ERROR_RANDOM). */
typedef struct girih_random {
    int (*fill)(void* state, uint8_t* out, size_t bytes);
    void* state;
    /* NTRU Prime only. 0: one request of 32 bytes, which are expanded; 1: each piece that the
     * specification draws is a request of its own, as known answers are generated: four bytes for a
     * coefficient. Of any algorithm, other values are GIRIH_ERROR_RANDOM. */
    int piecewise;
} girih_random;

/* ---- Keys ------------------------------------------------------------------------------------ */

/* ML-DSA.KeyGen (FIPS 204, Algorithm 1) and ML-KEM.KeyGen (FIPS 203, Algorithm 19): draws a seed
 * and makes a key pair from it. Constant time. KeyGen of NTRU Prime: constant time, but for how
 * many g had no reciprocal and were thrown away. Keygen (Falcon, Algorithm 4): constant time, but
 * for how many f and g were thrown away, and why. */
GIRIH_API int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes);

/* girih_keygen, and a pairwise check of what it made: a message that is signed and verified, or a
 * shared secret that comes out as it went in; else GIRIH_ERROR_FAULT. Takes as long as one of each
 * besides. The check draws no randomness. */
GIRIH_API int girih_keygen_checked(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                                   size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes);

/* ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6): the key pair of a seed. Constant time. NTRU
 * Prime's specification has no seeds: all that KeyGen draws is then, in its order, the keystream of
 * AES-256 in counter mode from counter 0 with the seed as its key, four little-endian bytes a
 * coefficient (NTRU LPRime's Expand). ML-KEM's seed has 64 bytes, d and then z, of
 * ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16). Falcon's seed has 48 bytes; its key comes from
 * integers alone, is the same on every engine, and is not that of round 3's known answers: for
 * those see girih_falcon_reference_keygen. */
GIRIH_API int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                     uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                     size_t secret_key_bytes);

/* Keygen of Falcon as round 3's reference implementation has it: the key pair of a 48-byte seed
 * that is in its known answers. Several times slower than girih_keygen_from_seed; constant time
 * only as far as the processor's floating point is. GIRIH_ERROR_ARGUMENT for other algorithms. */
GIRIH_API int girih_falcon_reference_keygen(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                            uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                            size_t secret_key_bytes);

/* The public key that belongs to a secret key, with every check that the encoding of the secret key
 * allows: the ranges of s1 and s2 (GIRIH_ERROR_SECRET_KEY), t0 and tr against the rest
 * (GIRIH_ERROR_KEY_MISMATCH). Of NTRU Prime: the forms of f, 1/g and a, the weight of f or a; the
 * public key and its hash. Of ML-KEM: every coefficient below q (GIRIH_ERROR_SECRET_KEY); the
 * public key's hash, and t - A s as short as e is (GIRIH_ERROR_KEY_MISMATCH). Of Falcon: the
 * encoding and 1/f (GIRIH_ERROR_SECRET_KEY); f G - g F = q and the leaves of the tree
 * (GIRIH_ERROR_KEY_MISMATCH), which signing checks as well. Call it once on each secret key that
 * comes from outside. Constant time, but for the verdict. */
GIRIH_API int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                               uint8_t* public_key, size_t public_key_bytes);

/* ---- Signatures ------------------------------------------------------------------------------ */

/* How a message is signed or verified. All zero (or a null pointer) is the default: no context, no
 * pre-hash, hedged with the operating system's randomness. */
typedef struct girih_options {
    const uint8_t* context; /* at most 255 bytes */
    size_t context_bytes;
    const char* pre_hash;       /* null: the message itself is signed; else HashML-DSA with this function */
    int deterministic;          /* signing only: 1 draws no randomness */
    const girih_random* random; /* signing only */
    /* Signing only: 1 verifies the signature before it is given out, with a public key that is
     * computed from the secret key again: GIRIH_ERROR_FAULT if it does not verify, or the error of
     * girih_public_key. Against faults of the processor or memory that make a wrong signature,
     * which can give the key away. Takes as long as girih_public_key and girih_verify besides; in a
     * batch, the row is signed by itself. */
    int verify_after_sign;
    size_t reserved[2]; /* 0, else GIRIH_ERROR_ARGUMENT: options that this version does not have */
} girih_options;

/* ML-DSA.Sign (FIPS 204, Algorithm 2) and HashML-DSA.Sign (Algorithm 4); round 3.1's Sign for
 * Dilithium. `signature_capacity` is at least girih_signature_bytes; `*signature_bytes` receives
 * the length. The ranges of s1 and s2 are checked here (GIRIH_ERROR_SECRET_KEY); t0 and tr are
 * taken as they are. GIRIH_ERROR_ATTEMPTS: 821 attempts were rejected (FIPS 204, Appendix C, as
 * corrected by its errata); the chance is below 2^-256 for a key made by girih_keygen.
 *
 * Falcon: Sign of round 3. Draws a salt of 40 bytes and a seed of 48 from options->random, in this
 * order, for every signature: two different signatures of one salt and message give the key away,
 * so `deterministic` is GIRIH_ERROR_ARGUMENT. Signatures differ in length unless the algorithm is a
 * padded or a constant-time one. GIRIH_ERROR_ATTEMPTS after 64 attempts: below 2^-128. */
GIRIH_API int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                         const uint8_t* message, size_t message_bytes, const girih_options* options,
                         uint8_t* signature, size_t signature_capacity, size_t* signature_bytes);

/* ML-DSA.Verify (FIPS 204, Algorithm 3) and HashML-DSA.Verify (Algorithm 5); round 3.1's Verify for
 * Dilithium. 0 if the signature verifies, GIRIH_ERROR_SIGNATURE if it does not (a wrong length
 * included). Falcon: Verify of round 3, strict: a polynomial has one encoding. A malformed public
 * key is GIRIH_ERROR_PUBLIC_KEY. */
GIRIH_API int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                           const uint8_t* message, size_t message_bytes, const girih_options* options,
                           const uint8_t* signature, size_t signature_bytes);

/* The same from a 64-byte message representative mu that was computed elsewhere ("external mu",
 * FIPS 204, Algorithms 7 and 8, line 6). `options` may not have a context or a pre-hash: they are
 * inside mu. ML-DSA and Dilithium only. */
#define GIRIH_MU_BYTES 64
GIRIH_API int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                            const uint8_t* mu, size_t mu_bytes, const girih_options* options,
                            uint8_t* signature, size_t signature_capacity, size_t* signature_bytes);
GIRIH_API int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                              const uint8_t* mu, size_t mu_bytes, const uint8_t* signature,
                              size_t signature_bytes);

/* ---- Key encapsulation ----------------------------------------------------------------------- */

/* ML-KEM.Encaps (FIPS 203, Algorithm 20), or Encap of NTRU Prime (round 3): a shared secret, and
 * the ciphertext that takes it to the owner of the public key. ML-KEM's key is checked, every time:
 * GIRIH_ERROR_PUBLIC_KEY if a coefficient is not below q (Section 7.2); of NTRU Prime, every string
 * of its length is one. The randomness is 32 bytes: m, or a seed of NTRU Prime. Constant time. */
GIRIH_API int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                                size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                                uint8_t* shared_secret, size_t shared_secret_bytes);

/* ML-KEM.Decaps (FIPS 203, Algorithm 21), or Decap of NTRU Prime (round 3): the shared secret of a
 * ciphertext. A ciphertext that was not made with the public key, or was changed, is no error: it
 * gives a secret that only the owner of the key could compute (implicit rejection), as fast. Of
 * ML-KEM's secret key the hash of the public key in it is checked, every time:
 * GIRIH_ERROR_KEY_MISMATCH (Section 7.3). Beyond that a secret key is taken as it is;
 * girih_public_key checks the rest. Constant time. */
GIRIH_API int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                                size_t shared_secret_bytes);

/* ---- Prepared keys --------------------------------------------------------------------------- */

/* A key with all that signing or verification makes of it before it sees a message (the matrix A,
 * tr, transforms): many messages under one key cost less. Made from the bytes of a key only. The
 * memory is the caller's: as large as asked for, and aligned to GIRIH_PREPARED_ALIGNMENT. A
 * prepared key stays where it is, and serves any number of threads. */
#define GIRIH_PREPARED_ALIGNMENT 64
typedef struct girih_signing_key girih_signing_key;
typedef struct girih_verifying_key girih_verifying_key;
/* Bytes of a prepared key on the engine that runs: a multiple of the alignment; 0 if none runs. */
GIRIH_API size_t girih_signing_key_size(const girih_alg* alg);
GIRIH_API size_t girih_verifying_key_size(const girih_alg* alg);

/* Prepares a key in `memory`; `*key` is then valid for as long as that. After an error it is null,
 * and the memory is zeroed if the key is malformed, else as it was. The ranges of s1 and s2 are
 * checked (GIRIH_ERROR_SECRET_KEY), of Falcon the whole key. Holds secrets, the secret key's bytes
 * (for verify_after_sign), until girih_wipe_signing_key, which takes null. Constant time. */
GIRIH_API int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key,
                                        size_t secret_key_bytes, void* memory, size_t memory_bytes,
                                        girih_signing_key** key);
GIRIH_API int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key,
                                          size_t public_key_bytes, void* memory, size_t memory_bytes,
                                          girih_verifying_key** key);
GIRIH_API void girih_wipe_signing_key(girih_signing_key* key);

/* girih_sign, _sign_mu, _verify and _verify_mu with prepared keys: the same bytes and errors. */
GIRIH_API int girih_sign_prepared(const girih_signing_key* key, const uint8_t* message, size_t message_bytes,
                                  const girih_options* options, uint8_t* signature, size_t signature_capacity,
                                  size_t* signature_bytes);
GIRIH_API int girih_sign_mu_prepared(const girih_signing_key* key, const uint8_t* mu, size_t mu_bytes,
                                     const girih_options* options, uint8_t* signature,
                                     size_t signature_capacity, size_t* signature_bytes);
GIRIH_API int girih_verify_prepared(const girih_verifying_key* key, const uint8_t* message,
                                    size_t message_bytes, const girih_options* options,
                                    const uint8_t* signature, size_t signature_bytes);
GIRIH_API int girih_verify_mu_prepared(const girih_verifying_key* key, const uint8_t* mu, size_t mu_bytes,
                                       const uint8_t* signature, size_t signature_bytes);

/* The same for key encapsulation: ML-KEM has such keys, NTRU Prime none (size 0,
 * GIRIH_ERROR_ARGUMENT). What girih_encapsulate and girih_decapsulate check of a key's bytes is
 * checked here, once, with the same errors; their bytes are the same. */
typedef struct girih_encapsulation_key girih_encapsulation_key;
typedef struct girih_decapsulation_key girih_decapsulation_key;
GIRIH_API size_t girih_encapsulation_key_size(const girih_alg* alg);
GIRIH_API size_t girih_decapsulation_key_size(const girih_alg* alg);
GIRIH_API int girih_prepare_encapsulation_key(const girih_alg* alg, const uint8_t* public_key,
                                              size_t public_key_bytes, void* memory, size_t memory_bytes,
                                              girih_encapsulation_key** key);
GIRIH_API int girih_prepare_decapsulation_key(const girih_alg* alg, const uint8_t* secret_key,
                                              size_t secret_key_bytes, void* memory, size_t memory_bytes,
                                              girih_decapsulation_key** key);
GIRIH_API void girih_wipe_decapsulation_key(girih_decapsulation_key* key);
GIRIH_API int girih_encapsulate_prepared(const girih_encapsulation_key* key, const girih_random* random,
                                         uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                                         size_t shared_secret_bytes);
GIRIH_API int girih_decapsulate_prepared(const girih_decapsulation_key* key, const uint8_t* ciphertext,
                                         size_t ciphertext_bytes, uint8_t* shared_secret,
                                         size_t shared_secret_bytes);

/* ---- Batches --------------------------------------------------------------------------------- */

/* Many operations in one call, side by side in the lanes of the processor's vectors. Each row has
 * its own result; a bad row spoils no other, and its outputs are zeroed. The bytes are those of one
 * operation at a time. Every function returns GIRIH_OK if every row is, else the result of the
 * first row that is not, or its own error (every row's result is then that, too).
 *
 * Rows are independent: an array can be cut anywhere and its parts given to threads
 * (girih/batch.hpp does that). Within a row, inputs may lie in outputs as everywhere else; but no
 * output of a row may lie in memory of another row, in a prepared key or in the array of rows. The
 * last two are the row's GIRIH_ERROR_OVERLAP; the first is not looked for. */

typedef struct girih_keygen_row {
    const uint8_t* seed; /* null, and no bytes of it: drawn from `random` */
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

/* ---- Messages larger than memory ------------------------------------------------------------- */

/* A message that is read once, piece by piece, into mu. The storage is the caller's, and opaque.
 *
 *     girih_message m;
 *     girih_message_begin(&m, alg, public_key, public_key_bytes, &options);
 *     while (...) girih_message_update(&m, piece, piece_bytes);
 *     girih_message_mu(&m, mu, sizeof mu);           then girih_sign_mu or girih_verify_mu
 */
typedef struct girih_message {
    uint64_t opaque[80];
} girih_message;

/* Begins with the public key that the signature will be verified with. */
GIRIH_API int girih_message_begin(girih_message* message, const girih_alg* alg, const uint8_t* public_key,
                                  size_t public_key_bytes, const girih_options* options);

/* Begins with the secret key that will sign (its tr stands for the public key). */
GIRIH_API int girih_message_begin_secret(girih_message* message, const girih_alg* alg,
                                         const uint8_t* secret_key, size_t secret_key_bytes,
                                         const girih_options* options);

/* The piece may not lie in the storage: GIRIH_ERROR_OVERLAP, and the message is what it was. */
GIRIH_API int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes);

/* Ends the message: mu, 64 bytes. The storage is wiped and needs another begin. */
GIRIH_API int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes);

/* Falcon hashes the signature's salt before the message, so a message is begun either to be signed,
 * which draws a salt of 40 bytes and a seed of 48 from options->random, or to verify one signature.
 * Ends with the signature, or the verdict; the storage is wiped and needs another begin. The same
 * errors as girih_sign and girih_verify. GIRIH_ERROR_ARGUMENT for other algorithms.
 *
 * A begun message may be copied (or its process forked): what the sampler is seeded with is a hash
 * of the drawn seed and of the whole message, so a copy that is given the same bytes makes the same
 * signature, and one that is given others makes an independent one. Storage begun for signing holds
 * the seed, which is secret: where it is given up instead of signed, clear it. girih_message_sign
 * draws nothing; of its options, `verify_after_sign` counts. */
GIRIH_API int girih_message_begin_signing(girih_message* message, const girih_alg* alg,
                                          const girih_options* options);
GIRIH_API int girih_message_sign(girih_message* message, const uint8_t* secret_key, size_t secret_key_bytes,
                                 const girih_options* options, uint8_t* signature, size_t signature_capacity,
                                 size_t* signature_bytes);
GIRIH_API int girih_message_begin_verifying(girih_message* message, const girih_alg* alg,
                                            const uint8_t* signature, size_t signature_bytes,
                                            const girih_options* options);
GIRIH_API int girih_message_verify(girih_message* message, const uint8_t* public_key, size_t public_key_bytes,
                                   const uint8_t* signature, size_t signature_bytes);

/* ---- Signed messages ------------------------------------------------------------------------- */

/* crypto_sign and crypto_sign_open as NIST's interface has them, in place if wanted, for
 * "Falcon-512" and "Falcon-1024" (GIRIH_ERROR_ARGUMENT for others): the length of the encoded s2
 * and its header in two bytes, big-endian | salt, 40 bytes | message | header 0x20 + logn | s2.
 * `signed_message_capacity` is at least message_bytes + girih_signature_bytes + 2. */
GIRIH_API int girih_crypto_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                const uint8_t* message, size_t message_bytes, const girih_options* options,
                                uint8_t* signed_message, size_t signed_message_capacity,
                                size_t* signed_message_bytes);

/* The message of a signed message that verifies, else GIRIH_ERROR_SIGNATURE. `message_capacity` is
 * at least signed_message_bytes. */
GIRIH_API int girih_crypto_sign_open(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                     const uint8_t* signed_message, size_t signed_message_bytes,
                                     uint8_t* message, size_t message_capacity, size_t* message_bytes);

#ifdef __cplusplus
}
#endif

#endif
