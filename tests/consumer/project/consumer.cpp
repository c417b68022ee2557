// A key, a signature and its verification in C++. Returns 0 if all went well.
#include <girih/dilithium.hpp>
#include <girih/ml_dsa.hpp>

int main()
{
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const auto signature = key.sign("hello", {.context = "consumer"});
    return key.verifying_key().verify("hello", signature, {.context = "consumer"}) ? 0 : 1;
}
