/* Keys, ciphertexts and shared secrets of a KEM, by girih_ALGORITHM(). The same program on the
 * host, with the library for processors, prints the same lines. */
#include "keys.h"

#define MAX_CIPHERTEXT 1847

static uint8_t ciphertext[MAX_CIPHERTEXT], sent[32], received[32];
static size_t ciphertext_bytes;

static void encapsulate(void)
{
    result = girih_encapsulate(ALGORITHM(), &source, public_key, public_key_bytes, ciphertext,
                               ciphertext_bytes, sent, sizeof sent);
}
static void decapsulate(void)
{
    result = girih_decapsulate(ALGORITHM(), secret_key, secret_key_bytes, ciphertext, ciphertext_bytes,
                               received, sizeof received);
}

int main(void)
{
    ciphertext_bytes = girih_ciphertext_bytes(ALGORITHM());
    make_keys();
    measure("encapsulate", encapsulate);
    print_number("encapsulate", result);
    print_bytes("ciphertext", ciphertext, ciphertext_bytes);
    print_bytes("sent", sent, sizeof sent);
    measure("decapsulate", decapsulate);
    print_number("decapsulate", result);
    print_bytes("received", received, sizeof received);
    ciphertext[5] ^= 1;
    measure("reject", decapsulate);
    print_number("decapsulate changed", result);
    print_bytes("received", received, sizeof received);
    refuse_malformed_key();
    return 0;
}
