// A key pair, a signature and its verification in C++: ML-DSA, and Falcon.
#include <girih/falcon.hpp>
#include <girih/ml_dsa.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view message = "a message";

bool with_ml_dsa()
{
    auto key = girih::ml_dsa_65::SigningKey::generate();
    auto signature = key.sign(message, {.context = "release"});  // hedged unless .deterministic
    bool good = key.verifying_key().verify(message, signature, {.context = "release"});
    return good;
}

// A key and a signature as they come from a file or a network: in any container of bytes.
bool with_received(const std::vector<unsigned char>& public_key, const std::string& signature)
{
    // VerifyingKey{public_key} throws girih::Exception if the length is wrong.
    const auto key = girih::ml_dsa_65::VerifyingKey::from_bytes(public_key);
    return key && key->verify(message, signature);
}

bool with_bytes()
{
    const auto key = girih::ml_dsa_65::SigningKey::generate();
    const auto public_key = key.verifying_key().bytes();
    const auto signature = key.sign(message);
    return with_received({public_key.begin(), public_key.end()}, {signature.begin(), signature.end()}) &&
           !with_received({}, "no signature");
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
    const bool good = with_ml_dsa() && with_bytes() && with_falcon();
    std::puts(good ? "all signatures verify" : "a signature does not verify");
    return good ? 0 : 1;
}
