/* Keys, signatures and verdicts of a signature scheme, by girih_ALGORITHM(). The same program on
 * the host, with the library for processors, prints the same lines. */
#include "keys.h"

#define MAX_SIGNATURE 4627

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

int main(void)
{
    for (size_t i = 0; i < sizeof message; ++i) message[i] = (uint8_t)(7 * i);
    make_keys();
    for (int i = 0; i < 10; ++i) {
        message[0] = (uint8_t)i;
        measure("sign", sign);
        print_number("sign", result);
        print_bytes("signature", signature, signature_bytes);
        measure("verify", verify);
        print_number("verify", result);
    }
    signature[signature_bytes / 2] ^= 1;
    verify();
    print_number("verify changed", result);
    return 0;
}
