/// wolfSSL for the race: ML-DSA on a Cortex-M without an operating system, with its assembly for
/// Thumb-2.
#ifndef GIRIH_RACE_USER_SETTINGS_H
#define GIRIH_RACE_USER_SETTINGS_H

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define WOLFSSL_USER_IO
#define NO_ASN_TIME
#define NO_ERROR_STRINGS
#define WC_NO_HARDEN
#define WOLFSSL_IGNORE_FILE_WARN
#define NO_ASN
#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_DES3
#define NO_AES
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_PSK
#define NO_PWDBASED
#define NO_OLD_TLS

#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256
#define WOLFSSL_HAVE_MLDSA
#define WOLFSSL_MLDSA_NO_ASN1
#define WOLFSSL_ARM_ARCH 7
#define WOLFSSL_ARMASM
#define WOLFSSL_ARMASM_THUMB2
#define WOLFSSL_ARMASM_NO_HW_CRYPTO
#define WOLFSSL_ARMASM_NO_NEON

// Assembly files include this as well.
#ifndef __ASSEMBLER__
int race_seed(unsigned char* out, unsigned size);
#endif
#define CUSTOM_RAND_GENERATE_SEED race_seed

#endif
