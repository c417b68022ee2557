/* girih: lattice-based signatures and key encapsulation, in C.
 *
 * Look up an algorithm by name once, girih_algorithm("ML-DSA-65"), and keep the pointer. Typed C++
 * headers over these functions are ml_dsa.hpp, dilithium.hpp, falcon.hpp, ml_kem.hpp and
 * ntru_prime.hpp.
 *
 * Conventions of the whole file
 * - Lengths are in bytes, and every buffer is passed with its length. A wrong length is
 *   GIRIH_ERROR_PUBLIC_KEY_LENGTH, _SECRET_KEY_LENGTH, _CAPACITY or else _LENGTH; nothing is read
 *   or written out of bounds.
 * - Functions that can fail return 0 (GIRIH_OK) or a negative girih_error. On failure every output
 *   is zeroed, except for GIRIH_ERROR_OVERLAP, which writes nothing.
 * - In place: inputs may overlap outputs, wholly or partly (a seed in the secret key's buffer, a
 *   message in the signature's, options, a context), because outputs are written last and in one
 *   piece. Success overwrites such an input; failure zeroes it. Two outputs of one call may not
 *   share a byte, nor may a prepared key and the pointer to it, nor a piece of a message and its
 *   girih_message: GIRIH_ERROR_OVERLAP. The state of a girih_random may not lie in an output.
 * - Thread safety: there is no mutable global state; any function may run on any thread at any
 *   time, provided that no two threads write the same buffer.
 * - Constant time: time and memory accesses do not depend on secret keys, seeds or random bytes,
 *   except where the standard itself reveals it (how many attempts a signature took). They may
 *   depend on lengths, public keys, messages, contexts and signatures.
 * - Nothing allocates memory, except the functions named girih_prepare_*_new. Stack needs are on
 *   each scheme's page in docs/architecture.
 * - In the library for devices (device.h), an input that overlaps an output is GIRIH_ERROR_OVERLAP
 *   as well.
 * - Compatibility: until 1.0, a new minor version may break programs compiled for an older one
 *   (libgirih.so.0.MINOR). From 1.0 on, structures keep their sizes, and new options use reserved
 *   members or values that were refused before. Set unused members to zero, as `= {0}` does.
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

/* GIRIH_VERSION of the library at run time. */
GIRIH_API const char* girih_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef enum girih_error {
    GIRIH_OK = 0,
    GIRIH_ERROR_ARGUMENT = -1,     /* a null pointer; girih_algorithm gives one for an unknown name */
    GIRIH_ERROR_LENGTH = -2,       /* the length of a seed, mu, ciphertext or shared secret */
    GIRIH_ERROR_CONTEXT = -3,      /* a context over 255 bytes, or any context where the algorithm has none */
    GIRIH_ERROR_PRE_HASH = -4,     /* an unknown pre-hash, or any where the algorithm has none */
    GIRIH_ERROR_SECRET_KEY = -5,   /* malformed secret key */
    GIRIH_ERROR_KEY_MISMATCH = -6, /* parts of a key contradict each other */
    GIRIH_ERROR_SIGNATURE = -7,    /* the signature does not verify */
    GIRIH_ERROR_RANDOM = -8,       /* the source of randomness failed */
    GIRIH_ERROR_ATTEMPTS = -9,     /* signing gave up; see girih_sign */
    GIRIH_ERROR_ENGINE = -10,      /* the environment variable GIRIH_ISA names no engine that runs here */
    GIRIH_ERROR_PUBLIC_KEY = -11,  /* malformed public key (Falcon, ML-KEM) */
    GIRIH_ERROR_OVERLAP = -12,     /* outputs share memory (see "In place" above) */
    GIRIH_ERROR_FAULT = -13,       /* a result failed its own check: the processor or the memory erred */
    GIRIH_ERROR_MEMORY = -14,      /* out of memory (girih_prepare_signing_key_new and its siblings) */
    GIRIH_ERROR_ALGORITHM = -15,   /* the algorithm lacks the function, or is not the prepared key's */
    GIRIH_ERROR_OPTION = -16,      /* a reserved member is not 0, or deterministic with Falcon */
    GIRIH_ERROR_ALIGNMENT = -17,   /* memory is not aligned to GIRIH_PREPARED_ALIGNMENT */
    GIRIH_ERROR_MESSAGE = -18, /* a girih_message is null, not begun, ended, or begun for something else */
    GIRIH_ERROR_PUBLIC_KEY_LENGTH = -19, /* not girih_public_key_bytes(alg) */
    GIRIH_ERROR_SECRET_KEY_LENGTH = -20, /* not girih_secret_key_bytes(alg) */
    GIRIH_ERROR_CAPACITY = -21 /* too little room for a signature, a signed message or a prepared key */
} girih_error;

/* An English sentence about an error, without a full stop; never null. */
GIRIH_API const char* girih_error_text(int error);

/* ---- Secrets --------------------------------------------------------------------------------- */

/* Overwrites memory with zeros in a way that no compiler removes; null is left alone. Call it on
 * secret keys, seeds and shared secrets once they are used: the library wipes its own copies, not
 * the caller's. Takes the same time for all contents. */
GIRIH_API void girih_wipe(void* memory, size_t bytes);

/* ---- Algorithms ------------------------------------------------------------------------------ */

typedef struct girih_alg girih_alg; /* an algorithm and parameter set; constant, never freed */

/* The algorithm with this name, or null if it is unknown.
 * - Signatures: "ML-DSA-44", "ML-DSA-65", "ML-DSA-87" (FIPS 204); "Dilithium2", "Dilithium3",
 *   "Dilithium5" (round 3.1); "Falcon-512", "Falcon-1024" (round 3), "Falcon-padded-512",
 *   "Falcon-padded-1024" (signatures of one length), "Falcon-CT-512", "Falcon-CT-1024" (the
 *   constant-time format).
 * - KEMs: "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024" (FIPS 203); "sntrup" and "ntrulpr" with 653,
 *   761, 857, 953, 1013 or 1277 (NTRU Prime, round 3).
 * Names of algorithms and pre-hashes are case-insensitive; hyphens may be left out, or added
 * between a letter and a digit ("mldsa65", "SHAKE-128"). */
GIRIH_API const girih_alg* girih_algorithm(const char* name);

/* All algorithms: index 0, 1, ... until null. */
GIRIH_API const girih_alg* girih_algorithm_at(size_t index);
#include <girih/algorithms.h>  /* single algorithms, as girih_ml_dsa_65(), and their sizes */
#include <girih/device_core.h> /* on devices, a library for a larger core is an error when it is linked */

GIRIH_API const char* girih_name(const girih_alg* alg);
GIRIH_API size_t girih_seed_bytes(const girih_alg* alg);
GIRIH_API size_t girih_public_key_bytes(const girih_alg* alg);
GIRIH_API size_t girih_secret_key_bytes(const girih_alg* alg);
GIRIH_API int girih_is_kem(const girih_alg* alg);              /* 1: key encapsulation; 0: signatures */
GIRIH_API size_t girih_signature_bytes(const girih_alg* alg);  /* of the longest; 0 for a KEM */
GIRIH_API size_t girih_ciphertext_bytes(const girih_alg* alg); /* 0 for a signature scheme */
GIRIH_API size_t girih_shared_secret_bytes(const girih_alg* alg);
GIRIH_API int girih_has_context(const girih_alg* alg); /* 1: takes contexts and pre-hashes (FIPS 204) */

/* 1: has a message representative mu and deterministic signatures (ML-DSA, Dilithium). */
GIRIH_API int girih_has_mu(const girih_alg* alg);

/* The names of HashML-DSA's pre-hashes (FIPS 204, Section 5.4), such as "SHA2-256": index 0, 1, ...
 * until null. */
GIRIH_API const char* girih_pre_hash_at(size_t index);

/* The collision strength of a pre-hash in bits: 112, 128, 192 or 256; 0 for an unknown name. FIPS
 * 204, Section 5.4, asks for at least 128, 192 and 256 with ML-DSA-44, 65 and 87. Weaker pre-hashes
 * are accepted, because the standard's test vectors use them; `girih sign` warns. */
GIRIH_API size_t girih_pre_hash_strength(const char* name);

/* The name of the processor engine in use ("portable", ...), and a sentence that says why. Null if
 * the environment variable GIRIH_ISA names no engine that runs here: all operations then return
 * GIRIH_ERROR_ENGINE. Set-user-ID programs ignore GIRIH_ISA. */
GIRIH_API const char* girih_engine(void);
GIRIH_API const char* girih_engine_reason(void);

/* The engines in the library, best first, whether they run here or not: index 0, 1, ... until
 * null. */
GIRIH_API const char* girih_engine_at(size_t index);

/* ---- Randomness ------------------------------------------------------------------------------ */

/* A source of random bytes. fill writes `bytes` bytes to `out` and returns 0, or any other value if
 * it fails; it may not throw. Wherever a `const girih_random *` is taken, null means the operating
 * system's generator (GIRIH_NO_SYSTEM_RANDOMNESS: GIRIH_ERROR_RANDOM). */
typedef struct girih_random {
    int (*fill)(void* state, uint8_t* out, size_t bytes);
    void* state;
    /* NTRU Prime only. 0: one request of 32 bytes, which are expanded; 1: a request for each piece
     * that the specification draws, as in the generation of known answers: four bytes for a
     * coefficient. Other values are GIRIH_ERROR_RANDOM for every algorithm. */
    int piecewise;
} girih_random;

/* ---- Keys ------------------------------------------------------------------------------------ */

/* ML-DSA.KeyGen (FIPS 204, Algorithm 1) and ML-KEM.KeyGen (FIPS 203, Algorithm 19): draws a seed
 * and makes a key pair from it. Constant time. KeyGen of NTRU Prime: constant time, except for the
 * number of g that had no reciprocal and were rejected. Keygen (Falcon, Algorithm 4): constant
 * time, except for the number of f and g that were rejected, and why. */
GIRIH_API int girih_keygen(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                           size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes);

/* girih_keygen and a pairwise consistency check: the new pair signs and verifies a message, or
 * encapsulates and decapsulates a secret; GIRIH_ERROR_FAULT if that fails. The check costs two such
 * operations and draws no randomness. */
GIRIH_API int girih_keygen_checked(const girih_alg* alg, const girih_random* random, uint8_t* public_key,
                                   size_t public_key_bytes, uint8_t* secret_key, size_t secret_key_bytes);

/* Draws a seed of girih_seed_bytes(alg) bytes for girih_keygen_from_seed: for key files that keep
 * the seed, as RFC 9881 and RFC 9935 prefer. It is as secret as the key. girih_keygen makes a key
 * from such a seed and forgets the seed. GIRIH_ERROR_LENGTH, GIRIH_ERROR_RANDOM. */
GIRIH_API int girih_draw_seed(const girih_alg* alg, const girih_random* random, uint8_t* seed,
                              size_t seed_bytes);

/* ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6): the key pair of a seed. Constant time. NTRU
 * Prime's specification has no seeds; here the seed is a key of AES-256 in counter mode, and KeyGen
 * draws, in its order, from the keystream from counter 0, four little-endian bytes a coefficient
 * (NTRU LPRime's Expand). ML-KEM's seed has 64 bytes: d, then z, the inputs of
 * ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16). Falcon's seed has 48 bytes; its key is computed
 * with integers alone and is the same on every engine, but differs from round 3's known answers:
 * see girih_falcon_reference_keygen. */
GIRIH_API int girih_keygen_from_seed(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                     uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                     size_t secret_key_bytes);

/* Keygen of Falcon's reference implementation (round 3): the key pair that the known answers have
 * for a 48-byte seed. Several times slower than girih_keygen_from_seed; constant time only if the
 * processor's floating point is. GIRIH_ERROR_ALGORITHM for other algorithms. */
GIRIH_API int girih_falcon_reference_keygen(const girih_alg* alg, const uint8_t* seed, size_t seed_bytes,
                                            uint8_t* public_key, size_t public_key_bytes, uint8_t* secret_key,
                                            size_t secret_key_bytes);

/* The public key that belongs to a secret key, after every check that the secret key's encoding
 * allows. Call it once on each secret key that comes from outside. Constant time, except for the
 * verdict. It checks
 * - ML-DSA, Dilithium: the ranges of s1 and s2 (GIRIH_ERROR_SECRET_KEY); t0 and tr against the rest
 *   (GIRIH_ERROR_KEY_MISMATCH);
 * - NTRU Prime: the forms of f, 1/g and a, and the weight of f or a (GIRIH_ERROR_SECRET_KEY); the
 *   public key and its hash (GIRIH_ERROR_KEY_MISMATCH);
 * - ML-KEM: that coefficients are below q (GIRIH_ERROR_SECRET_KEY); the public key's hash, and that
 *   t - A s is as short as e (GIRIH_ERROR_KEY_MISMATCH);
 * - Falcon: the encoding and 1/f (GIRIH_ERROR_SECRET_KEY); f G - g F = q and the leaves of the tree
 *   (GIRIH_ERROR_KEY_MISMATCH). Signing checks these as well. */
GIRIH_API int girih_public_key(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                               uint8_t* public_key, size_t public_key_bytes);

/* ---- Signatures ------------------------------------------------------------------------------ */

/* How a message is signed or verified. All zeros, or a null pointer, is the default: no context, no
 * pre-hash, hedged with the operating system's randomness. */
typedef struct girih_options {
    const uint8_t* context; /* at most 255 bytes */
    size_t context_bytes;
    const char* pre_hash;       /* null: the message itself is signed; else HashML-DSA with this function */
    int deterministic;          /* signing only: 1 draws no randomness */
    const girih_random* random; /* signing only */
    /* Signing only: 1 verifies the signature before it is returned, with a public key that is
     * recomputed from the secret key: GIRIH_ERROR_FAULT if it does not verify, or the error of
     * girih_public_key. Guards against faults of the processor or memory: a wrong signature can
     * reveal the key. Costs girih_public_key and girih_verify; in a batch, such a row is signed on
     * its own. */
    int verify_after_sign;
    size_t reserved[2]; /* must be 0, else GIRIH_ERROR_OPTION */
} girih_options;

/* ML-DSA.Sign (FIPS 204, Algorithm 2) and HashML-DSA.Sign (Algorithm 4); round 3.1's Sign for
 * Dilithium. `signature_capacity` is at least girih_signature_bytes; `*signature_bytes` receives
 * the length. The ranges of s1 and s2 are checked (GIRIH_ERROR_SECRET_KEY); t0 and tr are not.
 * GIRIH_ERROR_ATTEMPTS: 821 attempts were rejected (FIPS 204, Appendix C, as corrected by its
 * errata); the chance is below 2^-256 for a key made by girih_keygen.
 *
 * Falcon: Sign of round 3. Draws a salt of 40 bytes and a seed of 48 from options->random, in this
 * order, for every signature. Two different signatures of one salt and message reveal the key, so
 * `deterministic` is GIRIH_ERROR_OPTION. Signatures differ in length unless the format is padded
 * or constant-time. GIRIH_ERROR_ATTEMPTS: 64 attempts failed; the chance is below 2^-128. */
GIRIH_API int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                         const uint8_t* message, size_t message_bytes, const girih_options* options,
                         uint8_t* signature, size_t signature_capacity, size_t* signature_bytes);

/* ML-DSA.Verify (FIPS 204, Algorithm 3) and HashML-DSA.Verify (Algorithm 5); round 3.1's Verify for
 * Dilithium. 0 if the signature verifies, GIRIH_ERROR_SIGNATURE if it does not, or has a wrong
 * length. Falcon: Verify of round 3, which accepts only one encoding of a polynomial. A malformed
 * public key is GIRIH_ERROR_PUBLIC_KEY. */
GIRIH_API int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                           const uint8_t* message, size_t message_bytes, const girih_options* options,
                           const uint8_t* signature, size_t signature_bytes);

/* girih_sign and girih_verify with a context (null, 0: without) and no other options, for languages
 * in which nested pointers are awkward. Hedged with the system's randomness. Same errors. */
GIRIH_API int girih_sign_with_context(const girih_alg* alg, const uint8_t* secret_key,
                                      size_t secret_key_bytes, const uint8_t* context, size_t context_bytes,
                                      const uint8_t* message, size_t message_bytes, uint8_t* signature,
                                      size_t signature_capacity, size_t* signature_bytes);
GIRIH_API int girih_verify_with_context(const girih_alg* alg, const uint8_t* public_key,
                                        size_t public_key_bytes, const uint8_t* context, size_t context_bytes,
                                        const uint8_t* message, size_t message_bytes,
                                        const uint8_t* signature, size_t signature_bytes);

/* girih_sign and girih_verify with a 64-byte message representative mu that was computed elsewhere
 * ("external mu", FIPS 204, Algorithms 7 and 8, line 6). `options` may not have a context or a
 * pre-hash, which are already part of mu. ML-DSA and Dilithium only. */
#define GIRIH_MU_BYTES 64
GIRIH_API int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                            const uint8_t* mu, size_t mu_bytes, const girih_options* options,
                            uint8_t* signature, size_t signature_capacity, size_t* signature_bytes);
GIRIH_API int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                              const uint8_t* mu, size_t mu_bytes, const uint8_t* signature,
                              size_t signature_bytes);

/* ---- Key encapsulation ----------------------------------------------------------------------- */

/* ML-KEM.Encaps (FIPS 203, Algorithm 20), or Encap of NTRU Prime (round 3): a shared secret, and
 * the ciphertext from which the owner of the public key recovers it. An ML-KEM key is checked every
 * time: GIRIH_ERROR_PUBLIC_KEY if a coefficient is not below q (Section 7.2). For NTRU Prime, every
 * string of the right length is a public key. Draws 32 bytes of randomness: m, or a seed for NTRU
 * Prime. Constant time. */
GIRIH_API int girih_encapsulate(const girih_alg* alg, const girih_random* random, const uint8_t* public_key,
                                size_t public_key_bytes, uint8_t* ciphertext, size_t ciphertext_bytes,
                                uint8_t* shared_secret, size_t shared_secret_bytes);

/* ML-KEM.Decaps (FIPS 203, Algorithm 21), or Decap of NTRU Prime (round 3): the shared secret of a
 * ciphertext. A ciphertext that was made with another key, or was changed, is not an error: it
 * gives, in the same time, a secret that only the key's owner could compute (implicit rejection).
 * The hash of the public key in an ML-KEM secret key is checked every time:
 * GIRIH_ERROR_KEY_MISMATCH (Section 7.3). A coefficient of s that is not below q is taken modulo q
 * (Algorithm 6); girih_public_key refuses it, and checks the rest. Constant time. */
GIRIH_API int girih_decapsulate(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                const uint8_t* ciphertext, size_t ciphertext_bytes, uint8_t* shared_secret,
                                size_t shared_secret_bytes);
/* girih_decapsulate twice, for a processor that an attacker may disturb: GIRIH_ERROR_FAULT, and no
 * secret, if the results differ, as after a fault that skips the comparison of ciphertexts once. A
 * fault in the memory of the key or the ciphertext is not found. Takes twice the time. */
GIRIH_API int girih_decapsulate_checked(const girih_alg* alg, const uint8_t* secret_key,
                                        size_t secret_key_bytes, const uint8_t* ciphertext,
                                        size_t ciphertext_bytes, uint8_t* shared_secret,
                                        size_t shared_secret_bytes);

/* ---- Prepared keys --------------------------------------------------------------------------- */

/* A key with everything that signing or verification computes before it sees a message (the matrix
 * A, tr, transforms): for many messages under one key. The caller provides the memory, of the size
 * that the functions below return, and aligned to GIRIH_PREPARED_ALIGNMENT. A prepared key may not
 * be moved. Any number of threads may use it. */
#define GIRIH_PREPARED_ALIGNMENT 64
typedef struct girih_signing_key girih_signing_key;
typedef struct girih_verifying_key girih_verifying_key;
/* Bytes of a prepared key on the engine in use: a multiple of the alignment; 0 if the algorithm has
 * no such keys, or no engine runs. */
GIRIH_API size_t girih_signing_key_size(const girih_alg* alg);
GIRIH_API size_t girih_verifying_key_size(const girih_alg* alg);

/* Prepares a key in `memory`; `*key` is valid as long as that memory is. After an error `*key` is
 * null, and the memory is zeroed if the key is malformed or a fault was found, else unchanged. The
 * ranges of s1 and s2 are checked (GIRIH_ERROR_SECRET_KEY). A Falcon key is checked completely; so
 * are the leaves of its tree once they are computed, and the tree before each signature
 * (GIRIH_ERROR_FAULT). The memory holds secrets until girih_wipe_signing_key, which accepts null.
 * Constant time. */
GIRIH_API int girih_prepare_signing_key(const girih_alg* alg, const uint8_t* secret_key,
                                        size_t secret_key_bytes, void* memory, size_t memory_bytes,
                                        girih_signing_key** key);
GIRIH_API int girih_prepare_verifying_key(const girih_alg* alg, const uint8_t* public_key,
                                          size_t public_key_bytes, void* memory, size_t memory_bytes,
                                          girih_verifying_key** key);
GIRIH_API void girih_wipe_signing_key(girih_signing_key* key);

/* girih_sign, _sign_mu, _verify and _verify_mu with prepared keys: same bytes, same errors, and
 * GIRIH_ERROR_FAULT for a Falcon key that has changed. */
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

/* girih_sign_with_context and girih_verify_with_context with prepared keys: same errors. */
GIRIH_API int girih_sign_prepared_with_context(const girih_signing_key* key, const uint8_t* context,
                                               size_t context_bytes, const uint8_t* message,
                                               size_t message_bytes, uint8_t* signature,
                                               size_t signature_capacity, size_t* signature_bytes);
GIRIH_API int girih_verify_prepared_with_context(const girih_verifying_key* key, const uint8_t* context,
                                                 size_t context_bytes, const uint8_t* message,
                                                 size_t message_bytes, const uint8_t* signature,
                                                 size_t signature_bytes);

/* Prepared keys for key encapsulation. ML-KEM has them, NTRU Prime does not (size 0,
 * GIRIH_ERROR_ALGORITHM). The checks that girih_encapsulate and girih_decapsulate make of a key
 * happen here, once, with the same errors; results are the same. */
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

/* ---- Prepared keys on the heap --------------------------------------------------------------- */

/* The functions above in memory from the C library's heap, for callers that cannot align memory.
 * Same errors, and GIRIH_ERROR_MEMORY. The caller frees the key by the function of its kind, which
 * accepts null and wipes secrets. A program that calls none of these links no heap. */
GIRIH_API int girih_prepare_signing_key_new(const girih_alg* alg, const uint8_t* secret_key,
                                            size_t secret_key_bytes, girih_signing_key** key);
GIRIH_API int girih_prepare_verifying_key_new(const girih_alg* alg, const uint8_t* public_key,
                                              size_t public_key_bytes, girih_verifying_key** key);
GIRIH_API int girih_prepare_encapsulation_key_new(const girih_alg* alg, const uint8_t* public_key,
                                                  size_t public_key_bytes, girih_encapsulation_key** key);
GIRIH_API int girih_prepare_decapsulation_key_new(const girih_alg* alg, const uint8_t* secret_key,
                                                  size_t secret_key_bytes, girih_decapsulation_key** key);
GIRIH_API void girih_prepare_signing_key_free(girih_signing_key* key);
GIRIH_API void girih_prepare_verifying_key_free(girih_verifying_key* key);
GIRIH_API void girih_prepare_encapsulation_key_free(girih_encapsulation_key* key);
GIRIH_API void girih_prepare_decapsulation_key_free(girih_decapsulation_key* key);

/* ---- Batches --------------------------------------------------------------------------------- */

#include <girih/batches.h> /* girih_sign_many and its siblings */

/* ---- Messages larger than memory ------------------------------------------------------------- */

/* The opaque state that turns a message, read once and in pieces, into mu.
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

/* Begins with the secret key that will sign: its tr is the hash of the public key. */
GIRIH_API int girih_message_begin_secret(girih_message* message, const girih_alg* alg,
                                         const uint8_t* secret_key, size_t secret_key_bytes,
                                         const girih_options* options);

/* A piece that overlaps the message's storage is GIRIH_ERROR_OVERLAP; the message is unchanged. */
GIRIH_API int girih_message_update(girih_message* message, const uint8_t* piece, size_t piece_bytes);

/* Ends the message and writes mu, 64 bytes. The storage is wiped. */
GIRIH_API int girih_message_mu(girih_message* message, uint8_t* mu, size_t mu_bytes);

/* Falcon hashes the signature's salt before the message, so a message is begun either for signing,
 * which draws a salt of 40 bytes and a seed of 48 from options->random, or for verifying one
 * signature. It ends with the signature or the verdict, and its storage is wiped. Errors are those
 * of girih_sign and girih_verify; GIRIH_ERROR_ALGORITHM for other algorithms.
 *
 * A begun message may be copied, or its process forked. The sampler's seed is a hash of the drawn
 * seed and the whole message, so copies that read the same bytes make the same signature, and
 * copies that read different bytes make independent ones. The storage holds the drawn seed, a
 * secret: girih_wipe it if you abandon the message. girih_message_sign draws nothing, and reads
 * only `verify_after_sign` of its options. */
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

/* crypto_sign and crypto_sign_open of NIST's interface, for "Falcon-512" and "Falcon-1024"
 * (GIRIH_ERROR_ALGORITHM for others), in place if wanted. A signed message is: the length of the
 * encoded s2 and its header in two bytes, big-endian | salt, 40 bytes | message | header 0x20 +
 * logn | s2. `signed_message_capacity` is at least message_bytes + girih_signature_bytes + 2. */
GIRIH_API int girih_crypto_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                                const uint8_t* message, size_t message_bytes, const girih_options* options,
                                uint8_t* signed_message, size_t signed_message_capacity,
                                size_t* signed_message_bytes);

/* Returns the message if the signed message verifies, else GIRIH_ERROR_SIGNATURE.
 * `message_capacity` is at least signed_message_bytes. */
GIRIH_API int girih_crypto_sign_open(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                                     const uint8_t* signed_message, size_t signed_message_bytes,
                                     uint8_t* message, size_t message_capacity, size_t* message_bytes);

/* ---- Self-test ------------------------------------------------------------------------------- */

/* Compares an algorithm's results with known answers, as FIPS 140-3 asks of a module before use:
 * GIRIH_ERROR_FAULT if any differs. Tests a key pair from a seed; a signature, its verification and
 * the refusal of a changed one, for ML-DSA also after a rejection for every possible reason (FIPS
 * 204, Algorithm 7, lines 23 and 28); encapsulation, decapsulation and implicit rejection. `engine`
 * names any engine (GIRIH_ERROR_ENGINE if it does not run here); null is the one in use. Algorithms
 * that only verify are GIRIH_ERROR_ALGORITHM. Takes milliseconds, draws no randomness, and needs
 * 13 KB of stack in addition to the algorithm's; in the library for devices 0.5 KB, both keys, and
 * a signature or ciphertext. */
GIRIH_API int girih_selftest(const girih_alg* alg, const char* engine);

#ifdef __cplusplus
}
#endif

#endif
