/// Streamlined NTRU Prime's inputs have weight w. With another weight, a ciphertext that is right
/// in every other respect gives what a bad one gives, on every engine: the hash of rho.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>

#include "api/algorithms/algorithm.hpp"
#include "cross_isa/engine_in_use.hpp"
#include "isa/portable/engine.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/standard/kem.hpp"
#include "support/at_place.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"

namespace girih::test {
namespace {

using namespace ntru_prime;
using Isa = isa::portable::Isa;

/// The first `weight` coefficients 1, or spread out with both signs.
template <class Set>
typename Streamlined<Set, Isa>::Input input_of_weight(const Set& set, std::size_t weight, bool is_spread)
{
    Small<Set::capacity> r{};
    for (std::size_t i = 0; i < weight; ++i)
        r.c[is_spread ? i * (set.ring.p - 1) / weight : i] =
            static_cast<std::int8_t>(is_spread && i % 2 == 1 ? -1 : 1);
    typename Streamlined<Set, Isa>::Input input;
    small_encode<Isa>(set.ring, r, BytesOut<>{input}.first(set.input_bytes));
    return input;
}

/// A ciphertext of any input, and the secret that it has to give: the session's, or a bad one's.
template <class Set>
std::pair<ByteString, ByteString> hide_input(const Set& set, const KeyPair& keys, std::size_t weight,
                                             bool is_spread)
{
    const SecretKeyView<Set> sk{set, keys.secret_key.data()};
    ByteString ciphertext(set.ciphertext_bytes);
    ByteString secret(32);
    std::array<Byte, hash_bytes> hash;
    hide<Set, Isa>(set, input_of_weight(set, weight, is_spread), sk.public_key(), sk.public_key_hash(), hash,
                   BytesOut<>{ciphertext});
    if (weight != set.w) hash_prefix<Isa, Set::input_capacity>(HashOf::input, sk.rho(), hash);
    const HashOf what = weight == set.w ? HashOf::session : HashOf::bad_session;
    hash_session<Set, Isa>(set, static_cast<Byte>(what), hash, ciphertext, BytesOut<32>{secret});
    return {ciphertext, secret};
}

class InputWeight : public EveryAlgorithm {};
INSTANTIATE_TEST_SUITE_P(Of, InputWeight, testing::ValuesIn(kem_names.begin(), kem_names.begin() + 6),
                         EveryAlgorithm::name);

TEST_P(InputWeight, IsWInWhatIsAccepted)
{
    const KeyPair keys = key_pair(alg, counting(32));
    const auto expect_weights = [&](const auto& set) {
        const std::size_t w = set.w;
        for (const std::size_t weight :
             {w, std::size_t{0}, std::size_t{1}, std::size_t{280}, w - 6, w - 2, w - 1, w + 1, w + 2})
            for (const bool is_spread : {false, true}) {
                const auto [ciphertext, secret] = hide_input(set, keys, weight, is_spread);
                on_every_engine([&](const engines::Engine&) {
                    EXPECT_EQ(decapsulate(alg, keys.secret_key, ciphertext), secret) << "weight " << weight;
                });
            }
    };
    at_place<6>(alg->index, [&](auto place) { expect_weights(set_of<parameter_sets[place]>); });
}

}  // namespace
}  // namespace girih::test
