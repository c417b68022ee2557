// A key pair, a signature and its verification in C++: ML-DSA, and Falcon.
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>

#include <cstdio>
#include <string_view>

namespace {

constexpr std::string_view message = "a message";

bool with_ml_dsa()
{
    auto key = girih::ml_dsa_65::SigningKey::generate();
    auto signature = key.sign(message, {.context = "release"});  // hedged unless .deterministic
    bool good = key.verifying_key().verify(message, signature, {.context = "release"});
    return good;
}

bool with_falcon()
{
    auto key = girih::falcon_512::SigningKey::generate();
    auto signature = key.sign(message);  // as long as it is; a fresh salt every time
    bool good = key.verifying_key().verify(message, signature);
    return good;
}

}  // namespace

int main()
{
    const bool good = with_ml_dsa() && with_falcon();
    std::puts(good ? "both signatures verify" : "a signature does not verify");
    return good ? 0 : 1;
}
