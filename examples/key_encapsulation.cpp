// A shared secret on both sides in C++, also with a prepared key.
#include <girih/ml_kem.hpp>

#include <cstdio>

int main()
{
    auto key = girih::ml_kem_768::DecapsulationKey::generate();
    auto [ciphertext, secret] = key.encapsulation_key().encapsulate();
    auto same_secret = key.decapsulate(ciphertext);

    girih::ml_kem_768::PreparedDecapsulationKey prepared{key};  // for a server whose key stands
    auto again = prepared.decapsulate(ciphertext);

    const bool good = same_secret == secret && again == secret;
    std::puts(good ? "both sides have one secret" : "they differ");
    return good ? 0 : 1;
}
