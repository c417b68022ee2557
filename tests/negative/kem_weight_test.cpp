/// Streamlined NTRU Prime's inputs have weight w. Of any other, a ciphertext that is right in every
/// other respect gives what a bad one gives: the hash of rho, and not the session's.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>

#include "engines/list.hpp"
#include "isa/portable/lanes.hpp"
#include "ntru_prime/kem.hpp"
#include "ntru_prime/operations.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/operations.hpp"
#include "support/sets.hpp"

namespace {

using namespace girih;
using namespace girih::ntru_prime;
using test::ByteString;
using Isa = isa::portable::Isa;

template <class T>
class InputWeight : public testing::Test {
  public:
    static constexpr Params P = T::params;
    using Input = typename Core<SetOf<P>, Isa>::Input;

    const girih_alg* alg = girih_algorithm(test::kem_names[T::place]);
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));
    const SecretKeyView<SetOf<P>> sk{set_of<P>, keys.secret_key.data()};

    /// The first `weight` coefficients 1, or spread out with both signs.
    static Input input_of_weight(std::size_t weight, bool is_spread)
    {
        Small<room_of<P.ring>> r{};
        for (std::size_t i = 0; i < weight; ++i)
            r.c[is_spread ? i * (P.ring.p - 1) / weight : i] =
                static_cast<std::int8_t>(is_spread && i % 2 == 1 ? -1 : 1);
        Input input;
        small_encode<Isa>(ring_of<P.ring>, r, input);
        return input;
    }

    struct Hidden {
        ByteString ciphertext;
        ByteString session;    ///< what the sender has
        ByteString rejection;  ///< what a bad ciphertext gives
    };
    [[nodiscard]] Hidden hide_input(const Input& input) const
    {
        Hidden made{ByteString(P.ciphertext_bytes()), ByteString(32), ByteString(32)};
        std::array<Byte, hash_bytes> input_hash;
        hide<SetOf<P>, Isa>(set_of<P>, input, sk.public_key(), sk.public_key_hash(), input_hash,
                            BytesOut<P.ciphertext_bytes()>{made.ciphertext});
        SessionHash<SetOf<P>, Isa>{HashOf::session, hash_bytes + P.ciphertext_bytes()}
            .append(input_hash)
            .append(made.ciphertext)
            .finish(BytesOut<32>{made.session});
        std::array<Byte, hash_bytes> rho_hash;
        PrefixHash<Isa, P.input_bytes()>{HashOf::input, P.input_bytes()}.append(sk.rho()).finish(rho_hash);
        SessionHash<SetOf<P>, Isa>{HashOf::bad_session, hash_bytes + P.ciphertext_bytes()}
            .append(rho_hash)
            .append(made.ciphertext)
            .finish(BytesOut<32>{made.rejection});
        return made;
    }
    /// On every engine that runs here, and through the C interface.
    void expect_secret(const ByteString& ciphertext, const ByteString& secret)
    {
        for (const auto& candidate : engines::candidates()) {
            if (!candidate.runs_here()) continue;
            ByteString found(32);
            test::ntru_prime_on(*candidate.engine, T::place)
                .decapsulate(keys.secret_key.data(), ciphertext.data(), found.data());
            EXPECT_EQ(found, secret) << candidate.engine->name;
        }
        EXPECT_EQ(test::decapsulate(alg, keys.secret_key, ciphertext), secret);
    }
};
TYPED_TEST_SUITE(InputWeight, test::StreamlinedSets, test::SetNames<test::kem_names>);

TYPED_TEST(InputWeight, IsWInAnInputThatIsAccepted)
{
    for (const bool is_spread : {false, true}) {
        const auto made = this->hide_input(this->input_of_weight(this->P.w, is_spread));
        this->expect_secret(made.ciphertext, made.session);
    }
}

TYPED_TEST(InputWeight, IsNoOther)
{
    const std::size_t w = this->P.w;
    for (const std::size_t weight :
         {std::size_t{0}, std::size_t{1}, std::size_t{280}, w - 6, w - 2, w - 1, w + 1, w + 2}) {
        for (const bool is_spread : {false, true}) {
            SCOPED_TRACE(weight);
            const auto made = this->hide_input(this->input_of_weight(weight, is_spread));
            this->expect_secret(made.ciphertext, made.rejection);
        }
    }
}

}  // namespace
