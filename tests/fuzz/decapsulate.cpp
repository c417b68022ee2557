/// Key encapsulation: engines agree on every ciphertext and on every public key, and a changed
/// ciphertext never gives the secret of the original.
#include <utility>

#include "api/algorithms/algorithm.hpp"
#include "fuzz/honest.hpp"
#include "support/operations.hpp"

namespace girih::fuzz {
namespace {

bool is_ml_kem(const girih_alg* alg) { return girih_encapsulation_key_size(alg) != 0; }

void check_decapsulation(const Honest& key, const ByteString& ciphertext)
{
    ByteString secret(girih_shared_secret_bytes(key.alg), 0xAA);
    const int code = call(girih_decapsulate, key.alg, key.secret_key, ciphertext, secret);
    if (ciphertext.size() != key.ciphertext.size())
        return require(code == GIRIH_ERROR_LENGTH && secret == ByteString(secret.size()),
                       "a ciphertext has one length");
    const ByteString found = agreed("engines decapsulate alike", [&](const engines::Engine& engine) {
        ByteString made(secret.size());
        if (is_ml_kem(key.alg)) {
            ml_kem::DecapsulationRow row{nullptr, key.secret_key.data(), ciphertext.data(), made.data(),
                                         false};
            test::ml_kem_on(engine, key.alg->index).decapsulate_many({&row, 1});
            require(row.is_good, "a key that was generated passes its check");
        } else
            test::ntru_prime_on(engine, key.alg->index)
                .decapsulate(key.secret_key.data(), ciphertext.data(), made.data());
        return made;
    });
    require(code == GIRIH_OK && secret == found, "girih_decapsulate gives what engines do");
    require((secret == key.shared_secret) == (ciphertext == key.ciphertext),
            "the ciphertext and no other gives its secret");
}

void check_encapsulation(const Honest& key, const ByteString& public_key)
{
    if (public_key.size() != key.public_key.size()) return;
    const ByteString seed(32, 5);  // or m
    bool is_key = true;
    const auto made = agreed("engines encapsulate alike", [&](const engines::Engine& engine) {
        std::pair<ByteString, ByteString> out{ByteString(key.ciphertext.size()),
                                              ByteString(key.shared_secret.size())};
        if (is_ml_kem(key.alg)) {
            ml_kem::EncapsulationRow row{nullptr,          public_key.data(), seed.data(),
                                         out.first.data(), out.second.data(), false};
            test::ml_kem_on(engine, key.alg->index).encapsulate_many({&row, 1});
            is_key = row.is_good;
        } else
            require(test::ntru_prime_on(engine, key.alg->index)
                        .encapsulate({seed.data()}, public_key.data(), out.first.data(), out.second.data()),
                    "every string of its length is a public key");
        return out;
    });
    ByteString ciphertext(key.ciphertext.size());
    ByteString sent(key.shared_secret.size());
    require(call(girih_encapsulate, key.alg, nullptr, public_key, ciphertext, sent) ==
                (is_key ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY),
            "girih_encapsulate says of a key what engines do");
    if (public_key != key.public_key) return;
    ByteString received(made.second.size());
    require(call(girih_decapsulate, key.alg, key.secret_key, made.first, received) == GIRIH_OK &&
                received == made.second,
            "what is encapsulated is decapsulated");
}

}  // namespace

void check_input(Input input)
{
    const Honest& key = honest(input.byte(), is_kem);
    const Byte mode = input.byte();
    if ((mode & other) != 0)
        check_encapsulation(key, changed(key.public_key, mode, input));
    else
        check_decapsulation(key, changed(key.ciphertext, mode, input));
}

}  // namespace girih::fuzz
