/* wolfSSL's configuration: ML-DSA, ML-KEM, Falcon and what they need, with all its code for Intel's
 * processors, which includes AVX-512 and is picked at run time; Falcon's for AVX2 is not picked. */
#ifndef USER_SETTINGS_H
#define USER_SETTINGS_H

#define WOLFSSL_HAVE_MLDSA
#define WOLFSSL_MLDSA_NO_ASN1
#define WOLFSSL_HAVE_MLKEM
#define HAVE_FALCON
#define WOLFSSL_EXPERIMENTAL_SETTINGS
#define WOLFSSL_FALCON_FPR_DOUBLE
#define WOLFSSL_FALCON_FFT_AVX2
#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256
#define USE_INTEL_SPEEDUP
#define WOLFSSL_X86_64_BUILD

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_ERROR_STRINGS
#define NO_BIG_INT
#define WC_NO_HASHDRBG
#define CUSTOM_RAND_GENERATE_BLOCK peer_random
#ifndef __ASSEMBLER__
int peer_random(unsigned char* out, unsigned int bytes);
#endif
#define NO_AES
#define NO_ASN
#define NO_CERTS
#define NO_DES3
#define NO_DH
#define NO_DSA
#define NO_MD4
#define NO_MD5
#define NO_PWDBASED
#define NO_RC4
#define NO_RSA
#define NO_SHA

#endif
