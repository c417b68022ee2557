/* The list of algorithms: a function and the sizes of each. girih.h includes this file. */
#ifndef GIRIH_ALGORITHMS_H
#define GIRIH_ALGORITHMS_H

/* Single algorithms. A static program that uses these contains no others, if the linker drops
 * unused sections (-Wl,--gc-sections); girih_algorithm and girih_algorithm_at link all of them. */
/* facts: functions */
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
/* facts: end */

/* Algorithms for programs that only verify: key generation and signing are not linked, and every
 * function that makes a key, signs or takes a secret key returns GIRIH_ERROR_ALGORITHM.
 * girih_algorithm_at does not list them. Prepared keys are not shared with the full algorithms. */
/* facts: verifying functions */
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
/* facts: end */

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Constants for arrays, in bytes: the values of girih_seed_bytes, girih_public_key_bytes,
 * girih_secret_key_bytes, girih_signature_bytes (of the longest signature) and
 * girih_ciphertext_bytes. */

/* ML-DSA: FIPS 204, Table 2. */
/* facts: ML-DSA */
#define GIRIH_ML_DSA_44_SEED_BYTES 32
#define GIRIH_ML_DSA_44_PUBLIC_KEY_BYTES 1312
#define GIRIH_ML_DSA_44_SECRET_KEY_BYTES 2560
#define GIRIH_ML_DSA_44_SIGNATURE_BYTES 2420
#define GIRIH_ML_DSA_65_SEED_BYTES 32
#define GIRIH_ML_DSA_65_PUBLIC_KEY_BYTES 1952
#define GIRIH_ML_DSA_65_SECRET_KEY_BYTES 4032
#define GIRIH_ML_DSA_65_SIGNATURE_BYTES 3309
#define GIRIH_ML_DSA_87_SEED_BYTES 32
#define GIRIH_ML_DSA_87_PUBLIC_KEY_BYTES 2592
#define GIRIH_ML_DSA_87_SECRET_KEY_BYTES 4896
#define GIRIH_ML_DSA_87_SIGNATURE_BYTES 4627
/* facts: end */

/* Dilithium: round 3.1. */
/* facts: Dilithium */
#define GIRIH_DILITHIUM2_SEED_BYTES 32
#define GIRIH_DILITHIUM2_PUBLIC_KEY_BYTES 1312
#define GIRIH_DILITHIUM2_SECRET_KEY_BYTES 2528
#define GIRIH_DILITHIUM2_SIGNATURE_BYTES 2420
#define GIRIH_DILITHIUM3_SEED_BYTES 32
#define GIRIH_DILITHIUM3_PUBLIC_KEY_BYTES 1952
#define GIRIH_DILITHIUM3_SECRET_KEY_BYTES 4000
#define GIRIH_DILITHIUM3_SIGNATURE_BYTES 3293
#define GIRIH_DILITHIUM5_SEED_BYTES 32
#define GIRIH_DILITHIUM5_PUBLIC_KEY_BYTES 2592
#define GIRIH_DILITHIUM5_SECRET_KEY_BYTES 4864
#define GIRIH_DILITHIUM5_SIGNATURE_BYTES 4595
/* facts: end */

/* Falcon: round 3, Sections 3.11 and 3.13, and the formats of its reference implementation. */
/* facts: Falcon */
#define GIRIH_FALCON_512_SEED_BYTES 48
#define GIRIH_FALCON_512_PUBLIC_KEY_BYTES 897
#define GIRIH_FALCON_512_SECRET_KEY_BYTES 1281
#define GIRIH_FALCON_512_SIGNATURE_BYTES 752
#define GIRIH_FALCON_1024_SEED_BYTES 48
#define GIRIH_FALCON_1024_PUBLIC_KEY_BYTES 1793
#define GIRIH_FALCON_1024_SECRET_KEY_BYTES 2305
#define GIRIH_FALCON_1024_SIGNATURE_BYTES 1462
#define GIRIH_FALCON_PADDED_512_SEED_BYTES 48
#define GIRIH_FALCON_PADDED_512_PUBLIC_KEY_BYTES 897
#define GIRIH_FALCON_PADDED_512_SECRET_KEY_BYTES 1281
#define GIRIH_FALCON_PADDED_512_SIGNATURE_BYTES 666
#define GIRIH_FALCON_PADDED_1024_SEED_BYTES 48
#define GIRIH_FALCON_PADDED_1024_PUBLIC_KEY_BYTES 1793
#define GIRIH_FALCON_PADDED_1024_SECRET_KEY_BYTES 2305
#define GIRIH_FALCON_PADDED_1024_SIGNATURE_BYTES 1280
#define GIRIH_FALCON_CT_512_SEED_BYTES 48
#define GIRIH_FALCON_CT_512_PUBLIC_KEY_BYTES 897
#define GIRIH_FALCON_CT_512_SECRET_KEY_BYTES 1281
#define GIRIH_FALCON_CT_512_SIGNATURE_BYTES 809
#define GIRIH_FALCON_CT_1024_SEED_BYTES 48
#define GIRIH_FALCON_CT_1024_PUBLIC_KEY_BYTES 1793
#define GIRIH_FALCON_CT_1024_SECRET_KEY_BYTES 2305
#define GIRIH_FALCON_CT_1024_SIGNATURE_BYTES 1577
/* facts: end */

/* ML-KEM: FIPS 203, Table 3. A seed is d, then z. */
/* facts: ML-KEM */
#define GIRIH_ML_KEM_512_SEED_BYTES 64
#define GIRIH_ML_KEM_512_PUBLIC_KEY_BYTES 800
#define GIRIH_ML_KEM_512_SECRET_KEY_BYTES 1632
#define GIRIH_ML_KEM_512_CIPHERTEXT_BYTES 768
#define GIRIH_ML_KEM_768_SEED_BYTES 64
#define GIRIH_ML_KEM_768_PUBLIC_KEY_BYTES 1184
#define GIRIH_ML_KEM_768_SECRET_KEY_BYTES 2400
#define GIRIH_ML_KEM_768_CIPHERTEXT_BYTES 1088
#define GIRIH_ML_KEM_1024_SEED_BYTES 64
#define GIRIH_ML_KEM_1024_PUBLIC_KEY_BYTES 1568
#define GIRIH_ML_KEM_1024_SECRET_KEY_BYTES 3168
#define GIRIH_ML_KEM_1024_CIPHERTEXT_BYTES 1568
/* facts: end */

/* NTRU Prime: round 3, Section 3. The seed is girih's own. */
/* facts: NTRU Prime */
#define GIRIH_SNTRUP653_SEED_BYTES 32
#define GIRIH_SNTRUP653_PUBLIC_KEY_BYTES 994
#define GIRIH_SNTRUP653_SECRET_KEY_BYTES 1518
#define GIRIH_SNTRUP653_CIPHERTEXT_BYTES 897
#define GIRIH_SNTRUP761_SEED_BYTES 32
#define GIRIH_SNTRUP761_PUBLIC_KEY_BYTES 1158
#define GIRIH_SNTRUP761_SECRET_KEY_BYTES 1763
#define GIRIH_SNTRUP761_CIPHERTEXT_BYTES 1039
#define GIRIH_SNTRUP857_SEED_BYTES 32
#define GIRIH_SNTRUP857_PUBLIC_KEY_BYTES 1322
#define GIRIH_SNTRUP857_SECRET_KEY_BYTES 1999
#define GIRIH_SNTRUP857_CIPHERTEXT_BYTES 1184
#define GIRIH_SNTRUP953_SEED_BYTES 32
#define GIRIH_SNTRUP953_PUBLIC_KEY_BYTES 1505
#define GIRIH_SNTRUP953_SECRET_KEY_BYTES 2254
#define GIRIH_SNTRUP953_CIPHERTEXT_BYTES 1349
#define GIRIH_SNTRUP1013_SEED_BYTES 32
#define GIRIH_SNTRUP1013_PUBLIC_KEY_BYTES 1623
#define GIRIH_SNTRUP1013_SECRET_KEY_BYTES 2417
#define GIRIH_SNTRUP1013_CIPHERTEXT_BYTES 1455
#define GIRIH_SNTRUP1277_SEED_BYTES 32
#define GIRIH_SNTRUP1277_PUBLIC_KEY_BYTES 2067
#define GIRIH_SNTRUP1277_SECRET_KEY_BYTES 3059
#define GIRIH_SNTRUP1277_CIPHERTEXT_BYTES 1847
#define GIRIH_NTRULPR653_SEED_BYTES 32
#define GIRIH_NTRULPR653_PUBLIC_KEY_BYTES 897
#define GIRIH_NTRULPR653_SECRET_KEY_BYTES 1125
#define GIRIH_NTRULPR653_CIPHERTEXT_BYTES 1025
#define GIRIH_NTRULPR761_SEED_BYTES 32
#define GIRIH_NTRULPR761_PUBLIC_KEY_BYTES 1039
#define GIRIH_NTRULPR761_SECRET_KEY_BYTES 1294
#define GIRIH_NTRULPR761_CIPHERTEXT_BYTES 1167
#define GIRIH_NTRULPR857_SEED_BYTES 32
#define GIRIH_NTRULPR857_PUBLIC_KEY_BYTES 1184
#define GIRIH_NTRULPR857_SECRET_KEY_BYTES 1463
#define GIRIH_NTRULPR857_CIPHERTEXT_BYTES 1312
#define GIRIH_NTRULPR953_SEED_BYTES 32
#define GIRIH_NTRULPR953_PUBLIC_KEY_BYTES 1349
#define GIRIH_NTRULPR953_SECRET_KEY_BYTES 1652
#define GIRIH_NTRULPR953_CIPHERTEXT_BYTES 1477
#define GIRIH_NTRULPR1013_SEED_BYTES 32
#define GIRIH_NTRULPR1013_PUBLIC_KEY_BYTES 1455
#define GIRIH_NTRULPR1013_SECRET_KEY_BYTES 1773
#define GIRIH_NTRULPR1013_CIPHERTEXT_BYTES 1583
#define GIRIH_NTRULPR1277_SEED_BYTES 32
#define GIRIH_NTRULPR1277_PUBLIC_KEY_BYTES 1847
#define GIRIH_NTRULPR1277_SECRET_KEY_BYTES 2231
#define GIRIH_NTRULPR1277_CIPHERTEXT_BYTES 1975
/* facts: end */

/* Every KEM. */
#define GIRIH_SHARED_SECRET_BYTES 32

#endif
