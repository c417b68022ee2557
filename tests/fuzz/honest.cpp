#include "fuzz/honest.hpp"

#include <optional>

namespace girih::fuzz {
namespace {

Honest make(const girih_alg* alg)
{
    Honest made{.alg = alg};
    made.seed.assign(girih_seed_bytes(alg), 7);
    made.public_key.resize(girih_public_key_bytes(alg));
    made.secret_key.resize(girih_secret_key_bytes(alg));
    int code = call(girih_keygen_from_seed, alg, made.seed, made.public_key, made.secret_key);
    require(code == GIRIH_OK, "a seed makes a key pair");
    if (girih_is_kem(alg) == 1) {
        made.ciphertext.resize(girih_ciphertext_bytes(alg));
        made.shared_secret.resize(girih_shared_secret_bytes(alg));
        const FixedRandom random{2};
        code = call(girih_encapsulate, alg, random.source(), made.public_key, made.ciphertext,
                    made.shared_secret);
        require(code == GIRIH_OK, "a public key encapsulates");
        return made;
    }
    made.signature = sign(alg, made.secret_key, code);
    require(code == GIRIH_OK, "a secret key signs");
    const FixedRandom random{3};
    const girih_options options = signing_options(alg, random);
    ByteString framed(message.size() + girih_signature_bytes(alg) + 2);
    std::size_t bytes = 0;
    if (call(girih_crypto_sign, alg, made.secret_key, message, &options, framed, &bytes) == GIRIH_OK)
        made.signed_message.assign(framed.begin(), framed.begin() + static_cast<std::ptrdiff_t>(bytes));
    return made;
}

}  // namespace

int FixedRandom::fill(void* self, std::uint8_t* out, std::size_t bytes)
{
    std::uint64_t& state = static_cast<FixedRandom*>(self)->state_;
    for (std::size_t i = 0; i < bytes; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        out[i] = static_cast<Byte>(state >> 56);
    }
    return 0;
}

girih_options signing_options(const girih_alg* alg, const FixedRandom& random)
{
    girih_options options{};
    options.deterministic = girih_has_mu(alg);
    options.random = random.source();
    return options;
}

ByteString sign(const girih_alg* alg, const ByteString& secret_key, int& code)
{
    const FixedRandom random{1};
    const girih_options options = signing_options(alg, random);
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    code = call(girih_sign, alg, secret_key, message, &options, signature, &bytes);
    signature.resize(bytes);
    signature.shrink_to_fit();
    return signature;
}

/// Each is made when it is first requested.
const Honest& honest(std::size_t number, Among among)
{
    static std::vector<std::optional<Honest>> all(algorithms);
    std::vector<std::size_t> those;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (among(alg)) those.push_back(i);
    const std::size_t i = those[number % those.size()];
    if (!all[i]) all[i] = make(girih_algorithm_at(i));
    return *all[i];
}

}  // namespace girih::fuzz
