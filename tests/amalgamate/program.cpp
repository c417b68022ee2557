// An algorithm's results from fixed randomness, as numbers: linked with the library, and with
// girih.cpp as tools/amalgamate writes it. Prints the engine, and everything in hexadecimal.
#if __has_include("girih.h")
#    include "girih.h"
#else
#    include <girih/girih.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

void print(const char* what, const Bytes& bytes)
{
    std::printf("%s ", what);
    for (const unsigned char byte : bytes) std::printf("%02x", static_cast<unsigned>(byte));
    std::printf("\n");
}

void succeed(int result)
{
    if (result == GIRIH_OK) return;
    std::fprintf(stderr, "%s\n", girih_error_text(result));
    std::exit(1);
}

/// Randomness that is always the same.
int fill(void*, unsigned char* bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(7 * i + 1);
    return 0;
}

void sign(const girih_alg* alg, const Bytes& public_key, const Bytes& secret_key)
{
    const Bytes message(100, 0x6d);
    const girih_random random{fill, nullptr, 0};
    girih_options options{};
    options.deterministic = girih_has_mu(alg);
    options.random = options.deterministic != 0 ? nullptr : &random;
    Bytes signature(girih_signature_bytes(alg));
    size_t bytes = 0;
    succeed(girih_sign(alg, secret_key.data(), secret_key.size(), message.data(), message.size(), &options,
                       signature.data(), signature.size(), &bytes));
    signature.resize(bytes);
    print("signature", signature);
    succeed(girih_verify(alg, public_key.data(), public_key.size(), message.data(), message.size(), nullptr,
                         signature.data(), bytes));
    signature[bytes / 2] ^= 1;
    if (girih_verify(alg, public_key.data(), public_key.size(), message.data(), message.size(), nullptr,
                     signature.data(), bytes) != GIRIH_ERROR_SIGNATURE)
        std::exit(1);
}

void encapsulate(const girih_alg* alg, const Bytes& public_key, const Bytes& secret_key)
{
    const girih_random random{fill, nullptr, 0};
    Bytes ciphertext(girih_ciphertext_bytes(alg));
    Bytes secret(girih_shared_secret_bytes(alg));
    Bytes same(secret.size());
    succeed(girih_encapsulate(alg, &random, public_key.data(), public_key.size(), ciphertext.data(),
                              ciphertext.size(), secret.data(), secret.size()));
    succeed(girih_decapsulate(alg, secret_key.data(), secret_key.size(), ciphertext.data(), ciphertext.size(),
                              same.data(), same.size()));
    print("ciphertext", ciphertext);
    print("secret", secret);
    if (same != secret) std::exit(1);
}

}  // namespace

int main(int count, char** arguments)
{
    const girih_alg* const alg = count == 2 ? girih_algorithm(arguments[1]) : nullptr;
    if (alg == nullptr) {
        std::fprintf(stderr, "no such algorithm\n");
        return 2;
    }
    if (girih_engine() == nullptr) {
        std::printf("%s\n", girih_engine_reason());
        return 0;
    }
    std::printf("%s\n", girih_engine());
    Bytes seed(girih_seed_bytes(alg));
    Bytes public_key(girih_public_key_bytes(alg));
    Bytes secret_key(girih_secret_key_bytes(alg));
#if defined(GIRIH_NO_SYSTEM_RANDOMNESS)
    if (girih_keygen(alg, nullptr, public_key.data(), public_key.size(), secret_key.data(),
                     secret_key.size()) != GIRIH_ERROR_RANDOM)
        return 1;
#endif
    fill(nullptr, seed.data(), seed.size());
    succeed(girih_keygen_from_seed(alg, seed.data(), seed.size(), public_key.data(), public_key.size(),
                                   secret_key.data(), secret_key.size()));
    print("public key", public_key);
    print("secret key", secret_key);
    girih_is_kem(alg) != 0 ? encapsulate(alg, public_key, secret_key) : sign(alg, public_key, secret_key);
}
