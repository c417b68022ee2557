// A key pair, a signature and its verification; signature.cpp also has contexts and Falcon.
#include <girih/ml_dsa.hpp>

#include <cstdio>

int main()
{
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const auto signature = key.sign("a message");
    const bool good = key.verifying_key().verify("a message", signature);
    std::puts(good ? "the signature verifies" : "the signature does not verify");
    return good ? 0 : 1;
}
