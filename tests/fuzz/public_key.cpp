/// Secret keys: every engine checks them alike, and what passes is a key.
#include <algorithm>
#include <utility>

#include "api/algorithms/algorithm.hpp"
#include "fuzz/honest.hpp"
#include "support/operations.hpp"

namespace girih::fuzz {
namespace {

/// GIRIH_OK and the public key, or the error.
using Checked = std::pair<int, ByteString>;

template <class KeyCheck>
int error_of(KeyCheck check)
{
    if (check == KeyCheck::good) return GIRIH_OK;
    return check == KeyCheck::inconsistent ? GIRIH_ERROR_KEY_MISMATCH : GIRIH_ERROR_SECRET_KEY;
}

Checked check_on(const girih_alg* alg, const engines::Engine& engine, const ByteString& secret_key)
{
    ByteString public_key(girih_public_key_bytes(alg));
    const auto checked = [&](const auto& run) {
        return error_of(run.public_key(secret_key.data(), public_key.data()));
    };
    const bool is_ml_kem = girih_encapsulation_key_size(alg) != 0;
    const int code = is_ml_kem             ? checked(test::ml_kem_on(engine, alg->index))
                     : alg->kem != nullptr ? checked(test::ntru_prime_on(engine, alg->index))
                     : alg->has_mu         ? checked(test::ml_dsa_on(engine, alg->index))
                                           : checked(test::falcon_on(engine, alg->index));
    if (code != GIRIH_OK) public_key.clear();
    return {code, public_key};
}

void check_signing(const girih_alg* alg, const ByteString& secret_key, const ByteString& public_key)
{
    int code = GIRIH_OK;
    const ByteString signature = sign(alg, secret_key, code);
    require(code == GIRIH_OK, "a secret key that passes signs");
    code = call(girih_verify, alg, public_key, message, nullptr, signature);
    require(code == GIRIH_OK, "what it signs verifies");
}

void check_decapsulation(const girih_alg* alg, const ByteString& secret_key, const ByteString& public_key)
{
    const FixedRandom random{4};
    ByteString ciphertext(girih_ciphertext_bytes(alg)), sent(girih_shared_secret_bytes(alg));
    ByteString received(sent.size());
    require(call(girih_encapsulate, alg, random.source(), public_key, ciphertext, sent) == GIRIH_OK &&
                call(girih_decapsulate, alg, secret_key, ciphertext, received) == GIRIH_OK &&
                received == sent,
            "a secret key that passes decapsulates");
}

}  // namespace

void check_input(Input input)
{
    const Honest& key = honest(input.byte(), any);
    const ByteString secret_key = changed(key.secret_key, input.byte(), input);
    ByteString public_key(girih_public_key_bytes(key.alg), 0xAA);
    const int code = call(girih_public_key, key.alg, secret_key, public_key);
    if (code != GIRIH_OK)
        require(std::ranges::all_of(public_key, [](Byte b) { return b == 0; }), "an error leaves nothing");
    if (secret_key.size() != key.secret_key.size())
        return require(code == GIRIH_ERROR_SECRET_KEY_LENGTH, "a secret key has one length");

    const Checked checked = agreed("engines check a key alike", [&](const engines::Engine& engine) {
        return check_on(key.alg, engine, secret_key);
    });
    require(code == checked.first, "girih_public_key says what engines do");
    if (secret_key == key.secret_key) require(code == GIRIH_OK, "a key that was generated passes");
    if (code != GIRIH_OK) return;
    require(public_key == checked.second, "girih_public_key gives what engines do");
    if (girih_is_kem(key.alg) == 1)
        check_decapsulation(key.alg, secret_key, public_key);
    else
        check_signing(key.alg, secret_key, public_key);
}

}  // namespace girih::fuzz
