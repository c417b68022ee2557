/* Keys, signatures and verdicts of a signature scheme, by girih_ALGORITHM(). The same program on
 * the host, with the library for processors, prints the same lines. */
#include "keys.h"

#define MAX_SIGNATURE 4627
#if !defined(SIGNATURES)
#    define SIGNATURES 10
#endif

static uint8_t signature[MAX_SIGNATURE], message[100];
static size_t signature_bytes;

static const girih_options options = {.random = &source};

static void sign(void)
{
    result = girih_sign(ALGORITHM(), secret_key, secret_key_bytes, message, sizeof message, &options,
                        signature, girih_signature_bytes(ALGORITHM()), &signature_bytes);
}
static void verify(void)
{
    result = girih_verify(ALGORITHM(), public_key, public_key_bytes, message, sizeof message, NULL, signature,
                          signature_bytes);
}
static void verify_changed(const char* name, size_t changed)
{
    signature[changed] ^= 1;
    verify();
    signature[changed] ^= 1;
    print_number(name, result);
}
static void verify_of(const char* name, size_t message_bytes, size_t bytes)
{
    print_number(name, girih_verify(ALGORITHM(), public_key, public_key_bytes, message, message_bytes, NULL,
                                    signature, bytes));
}

int main(void)
{
    for (size_t i = 0; i < sizeof message; ++i) message[i] = (uint8_t)(7 * i);
    make_keys();
    for (int i = 0; i < SIGNATURES; ++i) {
        message[0] = (uint8_t)i;
        measure("sign", sign);
        print_number("sign", result);
        print_bytes("signature", signature, signature_bytes);
        measure("verify", verify);
        print_number("verify", result);
    }
    verify_changed("changed salt or challenge", 2);
    verify_changed("changed middle", signature_bytes / 2);
    verify_of("cut", sizeof message, signature_bytes - 1);
    verify_of("empty", sizeof message, 0);
    verify_of("other message", sizeof message - 1, signature_bytes);
    refuse_malformed_key();
    return 0;
}
