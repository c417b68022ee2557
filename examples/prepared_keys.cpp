// Many signatures under one key: the part of the work that depends on the key alone is done once.
#include <girih/ml_dsa.hpp>

#include <cstdio>

int main()
{
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const girih::ml_dsa_65::PreparedSigningKey signing{key};
    const girih::ml_dsa_65::PreparedVerifyingKey verifying{key.verifying_key()};
    for (const char* message : {"one", "two", "three"}) {
        const auto signature = signing.sign(message);
        if (!verifying.verify(message, signature)) return 1;
    }
    std::puts("three signatures with a prepared key, which verify");
    return 0;
}
