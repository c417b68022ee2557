/// Signatures, keys and contexts of ML-DSA (and Dilithium) with the verdict of each: a row for each
/// thing that a file of vectors has a flag for. The signatures are made for their rows, so that
/// nothing else is wrong with them.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engines/list.hpp"
#include "support/ml_dsa_signatures.hpp"
#include "support/operations.hpp"
#include "support/sets.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using test::ByteString;

template <class T>
class MlDsaVerdicts : public testing::Test {
  public:
    static constexpr Params P = T::params;
    using Parts = test::MlDsaParts<P>;
    static constexpr std::int32_t limit = P.gamma1 - P.beta();  ///< |z| is below
    static constexpr std::size_t hints_at = P.signature_bytes() - P.omega - P.k;

    const girih_alg* alg = girih_algorithm(test::algorithm_names[T::place]);
    const ByteString public_key = test::zero_public_key<P>();
    const ByteString mu = test::counting(GIRIH_MU_BYTES, 9);

    struct Row {
        const char* flag;
        const char* what;
        ByteString signature;
        int verdict;
    };
    static constexpr int good = GIRIH_OK;
    static constexpr int bad = GIRIH_ERROR_SIGNATURE;

    [[nodiscard]] ByteString sign(const Parts& parts) const
    {
        return test::make_ml_dsa_signature<P>(parts, mu);
    }
    [[nodiscard]] ByteString with_z(std::size_t polynomial, std::size_t coefficient, std::int32_t value) const
    {
        Parts parts;
        parts.z[polynomial].c[coefficient] = value;
        return sign(parts);
    }
    /// Ones at the first places of a polynomial.
    [[nodiscard]] ByteString with_hints(std::size_t polynomial, std::size_t count) const
    {
        Parts parts;
        for (std::size_t i = 0; i < count; ++i) parts.h[polynomial].c[i] = 1;
        return sign(parts);
    }
    /// A signature whose bytes are changed when its hash is made: it means the same if its
    /// decoder does not mind.
    template <class Change>
    static ByteString changed(ByteString signature, Change change)
    {
        change(signature);
        return signature;
    }

    void expect(const std::vector<Row>& rows)
    {
        for (const Row& row : rows) {
            SCOPED_TRACE(std::string{row.flag} + ": " + row.what);
            EXPECT_EQ(test::verify_mu(alg, public_key, mu, row.signature), row.verdict);
            if (row.signature.size() != P.signature_bytes()) continue;
            for (const auto& candidate : engines::candidates()) {
                if (!candidate.runs_here()) continue;
                EXPECT_EQ(test::ml_dsa_on(*candidate.engine, T::place)
                              .verify_mu(public_key.data(), mu.data(), row.signature.data()),
                          row.verdict == good)
                    << candidate.engine->name;
            }
        }
    }
};
TYPED_TEST_SUITE(MlDsaVerdicts, test::MlDsaSets, test::SetNames<test::algorithm_names>);

TYPED_TEST(MlDsaVerdicts, OfZAtItsBound)
{
    const auto last = TestFixture::P.l - 1;
    const auto above = this->limit;
    const auto gamma1 = TestFixture::P.gamma1;
    this->expect({
        {"ValidSignature", "z is zero", this->with_z(0, 0, 0), this->good},
        {"BoundaryCondition", "the first coefficient of z is the largest", this->with_z(0, 0, above - 1),
         this->good},
        {"BoundaryCondition", "the last is the largest", this->with_z(last, n - 1, above - 1), this->good},
        {"BoundaryCondition", "the first is the least", this->with_z(0, 0, 1 - above), this->good},
        {"BoundaryCondition", "the last is the least", this->with_z(last, n - 1, 1 - above), this->good},
        {"BoundaryCondition", "the first is too large by one", this->with_z(0, 0, above), this->bad},
        {"BoundaryCondition", "the last is too large by one", this->with_z(last, n - 1, above), this->bad},
        {"BoundaryCondition", "the first is too small by one", this->with_z(0, 0, -above), this->bad},
        {"BoundaryCondition", "the last is too small by one", this->with_z(last, n - 1, -above), this->bad},
        {"BoundaryCondition", "one is the largest that has an encoding", this->with_z(0, 77, gamma1),
         this->bad},
        {"BoundaryCondition", "one is the least that has an encoding", this->with_z(0, 77, 1 - gamma1),
         this->bad},
    });
}

TYPED_TEST(MlDsaVerdicts, OfHints)
{
    constexpr auto omega = std::size_t{TestFixture::P.omega};
    constexpr auto k = std::size_t{TestFixture::P.k};
    constexpr auto at = TestFixture::hints_at;
    const auto spread = [&] {
        typename TestFixture::Parts parts;
        for (std::size_t i = 0; i < omega; ++i) parts.h[i % k].c[255 - i / k] = 1;
        return this->sign(parts);
    };
    const auto two = this->with_hints(0, 2);
    const auto all = this->with_hints(k - 1, omega);
    const auto with = [&](ByteString signature,
                          std::initializer_list<std::pair<std::size_t, unsigned>> bytes) {
        for (const auto& [place, byte] : bytes) signature[at + place] = static_cast<Byte>(byte);
        return signature;
    };
    const auto ends = [&](ByteString signature, unsigned end) {
        std::fill(signature.end() - static_cast<std::ptrdiff_t>(k), signature.end(), static_cast<Byte>(end));
        return signature;
    };
    this->expect({
        {"ValidSignature", "no hints", this->with_hints(0, 0), this->good},
        {"ValidSignature", "a hint at the last place of the last polynomial",
         [&] {
             typename TestFixture::Parts parts;
             parts.h[k - 1].c[255] = 1;
             return this->sign(parts);
         }(),
         this->good},
        {"BoundaryCondition", "omega hints in the last polynomial", all, this->good},
        {"BoundaryCondition", "omega hints, spread over all", spread(), this->good},
        {"InvalidHintsEncoding", "two positions in the wrong order", with(two, {{0, 1}, {1, 0}}), this->bad},
        {"InvalidHintsEncoding", "a position twice, which means one",
         ends(with(this->with_hints(0, 1), {{0, 0}, {1, 0}}), 2), this->bad},
        {"InvalidHintsEncoding", "one end more than omega", with(all, {{omega + k - 1, omega + 1}}),
         this->bad},
        {"InvalidHintsEncoding", "an end of 255", with(all, {{omega + k - 1, 255}}), this->bad},
        {"InvalidHintsEncoding", "an end that falls", with(two, {{omega + 1, 1}}), this->bad},
        {"InvalidHintsEncoding", "the last end falls", with(two, {{omega + k - 1, 1}}), this->bad},
        {"InvalidHintsEncoding", "a one right behind the last position", with(two, {{2, 1}}), this->bad},
        {"InvalidHintsEncoding", "a one in the last place for positions", with(two, {{omega - 1, 1}}),
         this->bad},
        {"InvalidHintsEncoding", "bytes behind no position", with(this->with_hints(0, 0), {{0, 7}}),
         this->bad},
        {"ModifiedSignature", "a hint that is not there", with(two, {{1, 2}}), this->bad},
        {"ModifiedSignature", "a hint in the next polynomial", with(two, {{omega, 1}}), this->bad},
    });
}

TYPED_TEST(MlDsaVerdicts, OfChangesAndLengths)
{
    const ByteString base = this->with_z(0, 5, 1234);
    const auto flipped = [&](std::size_t byte) {
        ByteString changed = base;
        test::flip(changed, 8 * byte);
        return changed;
    };
    const auto of_length = [&](std::size_t length) {
        ByteString changed = base;
        changed.resize(length);
        return changed;
    };
    const std::size_t size = base.size();
    constexpr std::size_t c_tilde = TestFixture::P.c_tilde_bytes;
    this->expect({
        {"ValidSignature", "as it was made", base, this->good},
        {"ModifiedSignature", "another first byte of the challenge's hash", flipped(0), this->bad},
        {"ModifiedSignature", "another last byte of it", flipped(c_tilde - 1), this->bad},
        {"ModifiedSignature", "another first byte of z", flipped(c_tilde), this->bad},
        {"ModifiedSignature", "another last byte of z", flipped(this->hints_at - 1), this->bad},
        {"IncorrectSignatureLength", "none", of_length(0), this->bad},
        {"IncorrectSignatureLength", "the challenge alone", of_length(c_tilde), this->bad},
        {"IncorrectSignatureLength", "one byte less", of_length(size - 1), this->bad},
        {"IncorrectSignatureLength", "a zero behind it", of_length(size + 1), this->bad},
        {"IncorrectSignatureLength", "twice as long", of_length(2 * size), this->bad},
    });
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{32}, this->public_key.size() - 1, this->public_key.size() + 1}) {
        SCOPED_TRACE("IncorrectPublicKeyLength: " + std::to_string(length));
        ByteString key = this->public_key;
        key.resize(length);
        EXPECT_EQ(test::verify_mu(this->alg, key, this->mu, base), GIRIH_ERROR_LENGTH);
    }
    for (const std::size_t length : {std::size_t{0}, this->mu.size() - 1, this->mu.size() + 1}) {
        SCOPED_TRACE("Internal: a message representative of another length");
        ByteString other = this->mu;
        other.resize(length);
        EXPECT_EQ(test::verify_mu(this->alg, this->public_key, other, base), GIRIH_ERROR_LENGTH);
    }
    // ZeroPublicKey is what all of these are for. With t1 all ones, t1 2^d is q - 1, which is
    // -1: as short as 0, so that z = 0 is a signature of that key too, by the standard. Any
    // other key has others.
    for (const auto& [fill, verdict] :
         {std::pair{Byte{0xFF}, this->good}, std::pair{Byte{0x01}, this->bad}}) {
        ByteString key = this->public_key;
        std::fill(key.begin() + rho_bytes, key.end(), fill);
        EXPECT_EQ(test::verify_mu(this->alg, key, this->mu, this->with_z(0, 0, 0)), verdict);
    }
}

TYPED_TEST(MlDsaVerdicts, OfMessagesAndContexts)
{
    const girih_alg* const of = this->alg;
    const test::KeyPair keys = test::key_pair(of, test::counting(32));
    const ByteString message = test::counting(33);
    const auto verdict = [&](std::size_t signed_with, std::size_t verified_with) {
        const ByteString signed_context = test::counting(signed_with);
        const ByteString context = test::counting(verified_with);
        const ByteString signature =
            test::sign(of, keys.secret_key, message, test::with_context(signed_context));
        return test::verify(of, keys.public_key, message, signature, test::with_context(context));
    };
    EXPECT_EQ(verdict(0, 0), GIRIH_OK) << "ValidSignature";
    if (girih_has_context(of) == 0) {
        EXPECT_EQ(verdict(0, 1), GIRIH_ERROR_CONTEXT) << "InvalidContext: the algorithm has none";
        return;
    }
    EXPECT_EQ(verdict(255, 255), GIRIH_OK) << "BoundaryCondition: the longest context";
    EXPECT_EQ(verdict(255, 254), this->bad) << "ModifiedSignature: a shorter context";
    EXPECT_EQ(verdict(0, 1), this->bad) << "ModifiedSignature: a context where there was none";
    EXPECT_EQ(verdict(1, 0), this->bad) << "ModifiedSignature: no context where there was one";
    EXPECT_EQ(verdict(0, 256), GIRIH_ERROR_CONTEXT) << "InvalidContext: 256 bytes";
    const ByteString too_long = test::counting(256);
    const girih_options options = test::with_context(too_long);
    ByteString signature(girih_signature_bytes(of), 0xEE);
    std::size_t size = 1;
    EXPECT_EQ(girih_sign(of, keys.secret_key.data(), keys.secret_key.size(), message.data(), message.size(),
                         &options, signature.data(), signature.size(), &size),
              GIRIH_ERROR_CONTEXT)
        << "InvalidContext: 256 bytes, to sign with";
    EXPECT_TRUE(test::is_zero(signature));
}

TYPED_TEST(MlDsaVerdicts, OfSecretKeys)
{
    const girih_alg* const of = this->alg;
    const test::KeyPair keys = test::key_pair(of, test::counting(32));
    constexpr Params set = TestFixture::P;
    constexpr std::size_t s1_at = 32 + 32 + set.tr_bytes;
    constexpr std::size_t s2_at = s1_at + set.l * packed_bytes(set.eta_bits());
    constexpr std::size_t t0_at = s2_at + set.k * packed_bytes(set.eta_bits());
    ByteString signature(girih_signature_bytes(of));
    std::size_t size = 0;
    const auto error = [&](const ByteString& key, std::size_t length) {
        const int found = girih_sign(of, key.data(), length, nullptr, 0, &test::deterministic,
                                     signature.data(), signature.size(), &size);
        EXPECT_EQ(test::is_zero(signature), found != GIRIH_OK);
        return found;
    };
    const std::size_t whole = keys.secret_key.size();
    EXPECT_EQ(error(keys.secret_key, whole), GIRIH_OK) << "ValidSignature";
    for (const std::size_t length : {std::size_t{0}, whole - 1, whole + 1}) {
        ByteString key = keys.secret_key;
        key.resize(length + 1);
        EXPECT_EQ(error(key, length), GIRIH_ERROR_LENGTH) << "IncorrectPrivateKeyLength";
    }
    // In s1 and s2, 2 eta + 1 and all ones have no meaning; the bits of a coefficient are next to
    // one another, so that all ones in a byte are out of range.
    for (const std::size_t byte : {s1_at, s2_at - 1, s2_at, t0_at - 1}) {
        ByteString key = keys.secret_key;
        key[byte] = 0xFF;
        EXPECT_EQ(error(key, whole), GIRIH_ERROR_SECRET_KEY) << "InvalidPrivateKey: byte " << byte;
    }
}

TYPED_TEST(MlDsaVerdicts, OfSignaturesThatTookManySteps)
{
    // Of 200 signatures, the slowest take more than ten times the mean number of attempts
    // with a chance near 1.
    const test::KeyPair keys = test::key_pair(this->alg, test::counting(32));
    for (unsigned i = 0; i < 200; ++i) {
        const ByteString message = test::counting(3 + i, i);
        const ByteString signature = test::sign(this->alg, keys.secret_key, message);
        ASSERT_EQ(test::verify(this->alg, keys.public_key, message, signature), GIRIH_OK)
            << "ManySteps: " << i;
    }
}

}  // namespace
