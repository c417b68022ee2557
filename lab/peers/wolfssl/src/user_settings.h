/* wolfSSL's configuration: ML-DSA, ML-KEM and what they need, with all its code for Intel's
 * processors, which includes AVX-512 and is picked at run time. */
#ifndef USER_SETTINGS_H
#define USER_SETTINGS_H

#define WOLFSSL_HAVE_MLDSA
#define WOLFSSL_MLDSA_NO_ASN1
#define WOLFSSL_HAVE_MLKEM
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
#define WC_NO_RNG
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
