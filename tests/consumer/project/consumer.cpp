// Keys, a signature and its verification, and a shared secret on both sides in C++. Returns 0 if
// all went well.
#include <girih/dilithium.hpp>
#include <girih/ml_dsa.hpp>
#include <girih/ml_kem.hpp>

int main()
{
    const auto receiver = girih::ml_kem_768::DecapsulationKey::generate();
    const auto [ciphertext, secret] = receiver.encapsulation_key().encapsulate();
    if (receiver.decapsulate(ciphertext) != secret) return 2;
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const auto signature = key.sign("hello", {.context = "consumer"});
    return key.verifying_key().verify("hello", signature, {.context = "consumer"}) ? 0 : 1;
}
