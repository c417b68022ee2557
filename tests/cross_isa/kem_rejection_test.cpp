/// Ciphertexts that differ from a good one in a bit, or decrypt to the same message, are rejected
/// on every engine: decapsulation compares all that it encrypts again.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "api/algorithms/algorithm.hpp"
#include "cross_isa/engine_in_use.hpp"
#include "isa/portable/engine.hpp"
#include "ml_kem/standard/kem.hpp"
#include "ml_kem/standard/plain_ring.hpp"
#include "support/at_place.hpp"
#include "support/bytes.hpp"
#include "support/kems.hpp"
#include "support/prepared_kem_keys.hpp"
#include "support/rejected_secret.hpp"
#include "support/rounds.hpp"

namespace girih::test {
namespace {

/// A ciphertext and others, each with the secret that it has to give.
class Ciphertexts {
  public:
    Ciphertexts(const girih_alg* alg, const KeyPair& keys, const Encapsulation& made)
        : alg_(alg), secret_key_(keys.secret_key), ciphertexts_{made.ciphertext}, secrets_{made.shared_secret}
    {
    }

    void add_rejected(ByteString ciphertext)
    {
        secrets_.push_back(rejected_secret(alg_, secret_key_, ciphertext));
        ciphertexts_.push_back(std::move(ciphertext));
    }

    /// Decapsulates every `step`th in a batch, with the key's bytes or prepared, and some of them
    /// alone.
    void expect_secrets(std::size_t step) const
    {
        constexpr std::size_t alone = 61;
        expect_in_a_batch(nullptr, step);
        for (std::size_t i = 0; i < secrets_.size(); i += alone * step)
            ASSERT_EQ(decapsulate(alg_, secret_key_, ciphertexts_[i]), secrets_[i]) << i;
        if (girih_decapsulation_key_size(alg_) == 0) return;
        const PreparedDecapsulationKey key{alg_, secret_key_};
        expect_in_a_batch(key.get(), step);
        for (std::size_t i = 0; i < secrets_.size(); i += alone * step)
            ASSERT_EQ(key.decapsulate(ciphertexts_[i]), secrets_[i]) << i;
    }

  private:
    void expect_in_a_batch(const girih_decapsulation_key* prepared, std::size_t step) const
    {
        std::vector<ByteString> found(secrets_.size(), ByteString(32));
        std::vector<girih_decapsulate_row> rows;
        for (std::size_t i = 0; i < secrets_.size(); i += step)
            rows.push_back(row_of<girih_decapsulate_row>(prepared, secret_key_, ciphertexts_[i], found[i]));
        ASSERT_EQ(call(girih_decapsulate_many, alg_, rows), GIRIH_OK);
        for (std::size_t i = 0; i < secrets_.size(); i += step) ASSERT_EQ(found[i], secrets_[i]) << i;
    }

    const girih_alg* alg_;
    const ByteString& secret_key_;
    std::vector<ByteString> ciphertexts_;
    std::vector<ByteString> secrets_;
};

class KemRejection : public EveryAlgorithm {
  public:
    /// The engines with operations of their own.
    template <class Check>
    void on_each_engine(const Check& check) const
    {
        on_every_engine([&](const engines::Engine& engine) {
            const engines::Engine& portable = engine_named("portable");
            if (&engine == &portable || alg->operations[engine.number] != alg->operations[portable.number])
                check(engine);
        });
    }
};
INSTANTIATE_TEST_SUITE_P(OfNtruPrime, KemRejection, testing::ValuesIn(kem_names), EveryAlgorithm::name);
INSTANTIATE_TEST_SUITE_P(OfMlKem, KemRejection, testing::ValuesIn(ml_kem_names), EveryAlgorithm::name);

TEST_P(KemRejection, SeesEachBit)
{
    if (is_left_out(alg)) GTEST_SKIP() << "a build of other algorithms";
    for (unsigned round = 0; round < rounds(1, 10); ++round) {
        const KeyPair keys = key_pair(alg, counting(girih_seed_bytes(alg), round));
        const Encapsulation made = encapsulate(alg, keys.public_key);
        Ciphertexts ciphertexts{alg, keys, made};
        // NTRU Prime's reference takes a hundred times as long.
        const std::size_t some = are_exhaustive() ? 1 : 251;
        for (std::size_t bit = 0; bit < 8 * made.ciphertext.size(); bit += are_slowed ? some : 1)
            ciphertexts.add_rejected(flipped(made.ciphertext, bit));
        on_each_engine([&](const engines::Engine& engine) {
            ciphertexts.expect_secrets(engine.name == "reference" && !are_slowed ? some : 1);
        });
    }
}

// ---- ML-KEM's ciphertexts of the same message

/// K-PKE.Decrypt (FIPS 203, Algorithm 15) in the standard's own words.
template <ml_kem::Params P>
ByteString decrypted(BytesIn<> secret_key, BytesIn<> ciphertext)
{
    ByteString m(ml_kem::message_bytes);
    ml_kem::Scheme<P, ml_kem::PlainRing<isa::portable::Isa>>::k_pke_decrypt(
        secret_key.first<P.vector_bytes()>(), ciphertext.first<P.ciphertext_bytes()>(),
        BytesOut<>{m}.first<ml_kem::message_bytes>());
    return m;
}

/// The coefficients of u and v in a ciphertext, in their order.
struct Coefficients {
    ml_kem::Params p;

    [[nodiscard]] std::size_t of_u() const { return ml_kem::n * p.k; }
    [[nodiscard]] std::size_t count() const { return of_u() + ml_kem::n; }
    [[nodiscard]] unsigned bits(std::size_t i) const
    {
        return static_cast<unsigned>(i < of_u() ? p.du : p.dv);
    }
    /// A ciphertext with some bits of a coefficient changed.
    [[nodiscard]] ByteString changed(ByteString ciphertext, std::size_t i, unsigned mask) const
    {
        const std::size_t at = i < of_u() ? bits(i) * i : 8 * p.u_bytes() + bits(i) * (i - of_u());
        for (unsigned bit = 0; bit < bits(i); ++bit)
            if ((mask >> bit & 1U) != 0) flip(ciphertext, at + bit);
        return ciphertext;
    }
};

class MlKemRejection : public KemRejection {};
INSTANTIATE_TEST_SUITE_P(Of, MlKemRejection, testing::ValuesIn(ml_kem_names), EveryAlgorithm::name);

TEST_P(MlKemRejection, SeesEachCoefficientThatDecryptsToTheSame)
{
    if (is_left_out(alg)) GTEST_SKIP() << "a build of other algorithms";
    constexpr std::array sets{ml_kem::ml_kem_512, ml_kem::ml_kem_768, ml_kem::ml_kem_1024};
    const KeyPair keys = key_pair(alg, counting(ml_kem::seed_bytes));
    const ByteString m = counting(ml_kem::message_bytes, 100);
    const Encapsulation made = encapsulate(alg, keys.public_key, GivenBytes{m}.source());
    Ciphertexts ciphertexts{alg, keys, made};
    at_place<sets.size()>(alg->index, [&](auto place) {
        const Coefficients coefficients{sets[place]};
        ASSERT_EQ(decrypted<sets[place]>(keys.secret_key, made.ciphertext), m);
        for (std::size_t i = 0; i < coefficients.count(); i += are_slowed ? 61 : 1) {
            const ByteString changed = coefficients.changed(made.ciphertext, i, 1);
            ASSERT_EQ(decrypted<sets[place]>(keys.secret_key, changed), m) << "coefficient " << i;
            ciphertexts.add_rejected(changed);
        }
        // Each other value of the last coefficients.
        for (const std::size_t last : {coefficients.of_u() - 1, coefficients.count() - 1})
            for (unsigned mask = 1; mask >> coefficients.bits(last) == 0; ++mask)
                ciphertexts.add_rejected(coefficients.changed(made.ciphertext, last, mask));
    });
    on_each_engine([&](const engines::Engine&) { ciphertexts.expect_secrets(1); });
}

}  // namespace
}  // namespace girih::test
