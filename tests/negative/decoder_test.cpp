/// Every check of every decoder has a string here that it alone refuses: without the
/// check, a test fails.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "isa/portable/lanes.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "support/bytes.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using Portable = isa::portable::Isa;
using test::ByteString;

template <Params P>
struct Set {
    static constexpr Params params = P;
};
using Sets = testing::Types<Set<ml_dsa_44>, Set<ml_dsa_65>, Set<ml_dsa_87>>;
class SetNames {
  public:
    template <class T>
    static std::string GetName(int)
    {
        return "Rows" + std::to_string(T::params.k);
    }
};

// ---- Hints --------------------------------------------------------------------------------------

template <class T>
class HintDecoding : public testing::Test {
  public:
    static constexpr Params params = T::params;
    static constexpr std::size_t omega = params.omega;
    using Packed = std::array<Byte, omega + params.k>;

    /// Two ones in the first polynomial, at 5 and 9, and no others.
    static Packed two_hints()
    {
        Packed bytes{};
        bytes[0] = 5;
        bytes[1] = 9;
        for (std::size_t i = 0; i < params.k; ++i) bytes[omega + i] = 2;
        return bytes;
    }
    static bool is_accepted(const Packed& bytes)
    {
        Hint<params.shape()> decoded;
        return hint_bit_unpack<params.shape(), Portable>(bytes, decoded);
    }
};
TYPED_TEST_SUITE(HintDecoding, Sets, SetNames);

TYPED_TEST(HintDecoding, AcceptsWhatTheOthersChange) { EXPECT_TRUE(this->is_accepted(this->two_hints())); }

TYPED_TEST(HintDecoding, RefusesAnEndBeforeTheOneBeforeIt)
{
    for (std::size_t i = 1; i < this->params.k; ++i) {
        auto bytes = this->two_hints();
        bytes[this->omega + i] = 1;
        EXPECT_FALSE(this->is_accepted(bytes)) << i;
    }
}

TYPED_TEST(HintDecoding, RefusesAnEndBeyondOmega)
{
    // All rise, the positions and the ends that follow them: reading on would find nothing wrong.
    typename TestFixture::Packed bytes{};
    for (std::size_t i = 0; i < this->omega; ++i) bytes[i] = static_cast<Byte>(i);
    for (std::size_t i = 0; i < this->params.k; ++i) bytes[this->omega + i] = static_cast<Byte>(this->omega);
    ASSERT_TRUE(this->is_accepted(bytes));
    bytes.back() = static_cast<Byte>(this->omega + 1);
    EXPECT_FALSE(this->is_accepted(bytes));
    bytes.back() = 255;
    EXPECT_FALSE(this->is_accepted(bytes));
}

TYPED_TEST(HintDecoding, RefusesAPositionTwice)
{
    auto bytes = this->two_hints();
    bytes[1] = bytes[0];
    EXPECT_FALSE(this->is_accepted(bytes));
}

TYPED_TEST(HintDecoding, RefusesPositionsThatFall)
{
    auto bytes = this->two_hints();
    std::swap(bytes[0], bytes[1]);
    EXPECT_FALSE(this->is_accepted(bytes));
}

TYPED_TEST(HintDecoding, AcceptsPositionsThatFallFromOnePolynomialToTheNext)
{
    auto bytes = this->two_hints();
    std::swap(bytes[0], bytes[1]);
    bytes[this->omega] = 1;
    EXPECT_TRUE(this->is_accepted(bytes));
}

TYPED_TEST(HintDecoding, RefusesAnythingButZerosBehindTheLastPosition)
{
    for (const std::size_t i : {std::size_t{2}, this->omega / 2, this->omega - 1}) {
        auto bytes = this->two_hints();
        bytes[i] = 10;
        EXPECT_FALSE(this->is_accepted(bytes)) << i;
    }
}

// ---- Signatures ---------------------------------------------------------------------------------

template <class T>
class SignatureDecoding : public testing::Test {
  public:
    static constexpr Params params = T::params;
    static constexpr std::int32_t limit = params.gamma1 - params.beta();  ///< |z| is below
    using Bytes = std::array<Byte, params.signature_bytes()>;

    /// A signature without hints whose z is 0 everywhere but at one coefficient of one polynomial.
    static Bytes with_z(std::size_t polynomial, std::size_t coefficient, std::int32_t value)
    {
        constexpr std::size_t size = packed_bytes(params.z_bits());
        Bytes bytes{};
        for (std::size_t j = 0; j < params.l; ++j) {
            Poly<Form::coefficients, Bound{1 - params.gamma1, params.gamma1}> z;
            z.c = {};
            if (j == polynomial) z.c[coefficient] = value;
            bit_pack<params.z_bits(), params.gamma1, Portable>(
                z, BytesOut<>{bytes}.subspan(params.c_tilde_bytes + j * size).template first<size>());
        }
        return bytes;
    }
    static bool is_accepted(const Bytes& bytes)
    {
        Signature<params.shape()> decoded;
        return sig_decode<params.shape(), Portable>(params, bytes, decoded);
    }
};
TYPED_TEST_SUITE(SignatureDecoding, Sets, SetNames);

TYPED_TEST(SignatureDecoding, RefusesEachCoefficientOfZThatIsTooLarge)
{
    for (std::size_t j = 0; j < this->params.l; ++j) {
        for (const std::size_t i : {std::size_t{0}, std::size_t{100}, n - 1}) {
            EXPECT_TRUE(this->is_accepted(this->with_z(j, i, this->limit - 1))) << j << ", " << i;
            EXPECT_FALSE(this->is_accepted(this->with_z(j, i, this->limit))) << j << ", " << i;
            EXPECT_FALSE(this->is_accepted(this->with_z(j, i, this->params.gamma1))) << j << ", " << i;
        }
    }
}

TYPED_TEST(SignatureDecoding, RefusesEachCoefficientOfZThatIsTooSmall)
{
    for (std::size_t j = 0; j < this->params.l; ++j) {
        for (const std::size_t i : {std::size_t{0}, std::size_t{100}, n - 1}) {
            EXPECT_TRUE(this->is_accepted(this->with_z(j, i, 1 - this->limit))) << j << ", " << i;
            EXPECT_FALSE(this->is_accepted(this->with_z(j, i, -this->limit))) << j << ", " << i;
            EXPECT_FALSE(this->is_accepted(this->with_z(j, i, 1 - this->params.gamma1))) << j << ", " << i;
        }
    }
}

TYPED_TEST(SignatureDecoding, RefusesTheHintThatItsDecoderRefuses)
{
    auto bytes = this->with_z(0, 0, 0);
    ASSERT_TRUE(this->is_accepted(bytes));
    bytes[bytes.size() - this->params.k - 1] = 1;
    EXPECT_FALSE(this->is_accepted(bytes));
}

// ---- One signature, one encoding ----------------------------------------------------------------

/// The hint at the end of a signature of ML-DSA-44, to be written in other ways that mean the same.
class HintMalleability : public testing::Test {
  public:
    static constexpr Params params = ml_dsa_44;
    const girih_alg* alg = girih_algorithm("ML-DSA-44");
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));

    /// Sets the message to the first whose signature has the wanted ends of hints, and returns
    /// that.
    template <class Wanted>
    ByteString find_signature(Wanted wanted)
    {
        for (Byte first = 0; first < 255; ++first) {
            message[0] = first;
            ByteString signature = test::sign(alg, keys.secret_key, message);
            if (wanted(ends_of(signature))) return signature;
        }
        ADD_FAILURE() << "no signature has the wanted hint";
        return {};
    }
    static BytesOut<> positions_of(ByteString& signature)
    {
        return BytesOut<>{signature}.last(params.omega + params.k).first(params.omega);
    }
    static BytesOut<> ends_of(ByteString& signature) { return BytesOut<>{signature}.last(params.k); }
    int verify(const ByteString& signature) { return test::verify(alg, keys.public_key, message, signature); }

    ByteString message = test::counting(20);
};

TEST_F(HintMalleability, TwoPositionsInTheWrongOrderAreNoSignature)
{
    ByteString signature = find_signature([](BytesIn<> ends) { return ends[0] >= 2; });
    ASSERT_EQ(verify(signature), GIRIH_OK);
    std::swap(positions_of(signature)[0], positions_of(signature)[1]);
    EXPECT_EQ(verify(signature), GIRIH_ERROR_SIGNATURE);
}

TEST_F(HintMalleability, APositionTwiceIsNoSignature)
{
    ByteString signature =
        find_signature([](BytesIn<> ends) { return ends[2] < ends[3] && ends[3] < params.omega; });
    ASSERT_EQ(verify(signature), GIRIH_OK);
    const BytesOut<> positions = positions_of(signature);
    const BytesOut<> ends = ends_of(signature);
    positions[ends[3]] = positions[ends[3] - 1U];
    ends[3] = static_cast<Byte>(ends[3] + 1);
    EXPECT_EQ(verify(signature), GIRIH_ERROR_SIGNATURE);
}

TEST_F(HintMalleability, BytesBehindTheLastPositionAreNoSignature)
{
    ByteString signature = find_signature([](BytesIn<> ends) { return ends[3] < params.omega; });
    ASSERT_EQ(verify(signature), GIRIH_OK);
    positions_of(signature).back() = 1;
    EXPECT_EQ(verify(signature), GIRIH_ERROR_SIGNATURE);
}

// ---- Secret keys --------------------------------------------------------------------------------

class SecretKeyDecoding : public test::EveryAlgorithm {
  public:
    const test::KeyPair keys = test::key_pair(alg, test::counting(32));

    /// Where the parts of a secret key begin (FIPS 204, Algorithm 24): rho, K, tr, s1, s2, t0.
    struct Layout {
        std::size_t tr, s1, s2, t0, short_bits;
    };
    [[nodiscard]] Layout layout() const
    {
        const std::string name = GetParam();
        const bool has_eta_4 = name == "ML-DSA-65" || name == "Dilithium3";
        const std::size_t l = has_eta_4 ? 5 : name == "ML-DSA-44" || name == "Dilithium2" ? 4 : 7;
        const std::size_t k = has_eta_4 ? 6 : l == 4 ? 4 : 8;
        const std::size_t short_bits = has_eta_4 ? 4 : 3;
        const std::size_t tr_bytes = girih_has_context(alg) == 1 ? 64 : 32;
        const std::size_t s1 = 32 + 32 + tr_bytes;
        const std::size_t s2 = s1 + l * 32 * short_bits;
        return {64, s1, s2, s2 + k * 32 * short_bits, short_bits};
    }

    /// The secret key with the coefficient of index `index` after byte `from` replaced by
    /// the integer `value`.
    [[nodiscard]] ByteString with_short(std::size_t from, std::size_t index, unsigned value) const
    {
        ByteString changed = keys.secret_key;
        const std::size_t bits = layout().short_bits;
        for (std::size_t i = 0; i < bits; ++i) {
            const std::size_t bit = 8 * from + index * bits + i;
            const bool is_set = (changed[bit / 8] & 1U << bit % 8) != 0;
            if (is_set != ((value & 1U << i) != 0)) test::flip(changed, bit);
        }
        return changed;
    }

    /// What girih_public_key says; the output must be zero unless it is good.
    int import_error(const ByteString& secret_key)
    {
        ByteString public_key(girih_public_key_bytes(alg), 0xEE);
        const int error =
            girih_public_key(alg, secret_key.data(), secret_key.size(), public_key.data(), public_key.size());
        EXPECT_EQ(test::is_zero(public_key), error != GIRIH_OK);
        return error;
    }

    /// What girih_sign says; the output must be zero unless it is good.
    int sign_error(const ByteString& secret_key)
    {
        ByteString signature(girih_signature_bytes(alg), 0xEE);
        std::size_t size = 1;
        const int error = girih_sign(alg, secret_key.data(), secret_key.size(), nullptr, 0,
                                     &test::deterministic, signature.data(), signature.size(), &size);
        EXPECT_EQ(test::is_zero(signature), error != GIRIH_OK);
        EXPECT_EQ(size, error == GIRIH_OK ? signature.size() : 0);
        return error;
    }
};
INSTANTIATE_TEST_SUITE_P(Of, SecretKeyDecoding, testing::ValuesIn(test::algorithm_names),
                         test::EveryAlgorithm::name);

TEST_P(SecretKeyDecoding, AcceptsTheKeyThatTheOthersChange)
{
    EXPECT_EQ(import_error(keys.secret_key), GIRIH_OK);
    EXPECT_EQ(sign_error(keys.secret_key), GIRIH_OK);
}

TEST_P(SecretKeyDecoding, RefusesEveryIntegerThatIsNoCoefficientOfS1OrS2)
{
    const Layout at = layout();
    const unsigned largest = at.short_bits == 3 ? 4 : 8;  // 2 eta
    for (const std::size_t from : {at.s1, at.s2}) {
        const std::size_t end = from == at.s1 ? at.s2 : at.t0;
        const std::size_t count = 8 * (end - from) / at.short_bits;
        for (const std::size_t index : {std::size_t{0}, count / 2 + 3, count - 1}) {
            for (unsigned value = 0; value < 1U << at.short_bits; ++value) {
                const ByteString changed = with_short(from, index, value);
                const int error = import_error(changed);
                if (value > largest) {
                    EXPECT_EQ(error, GIRIH_ERROR_SECRET_KEY) << from << ", " << index << ", " << value;
                    EXPECT_EQ(sign_error(changed), GIRIH_ERROR_SECRET_KEY) << from << ", " << index;
                } else {
                    EXPECT_EQ(error, changed == keys.secret_key ? GIRIH_OK : GIRIH_ERROR_KEY_MISMATCH);
                }
            }
        }
    }
}

TEST_P(SecretKeyDecoding, FindsAT0ThatIsNotThatOfTheKey)
{
    const Layout at = layout();
    for (const std::size_t byte : {at.t0, (at.t0 + keys.secret_key.size()) / 2, keys.secret_key.size() - 1}) {
        for (std::size_t bit = 0; bit < 8; ++bit) {
            ByteString changed = keys.secret_key;
            test::flip(changed, 8 * byte + bit);
            EXPECT_EQ(import_error(changed), GIRIH_ERROR_KEY_MISMATCH) << byte << ", " << bit;
        }
    }
}

TEST_P(SecretKeyDecoding, FindsATrThatIsNotThatOfTheKey)
{
    const Layout at = layout();
    for (std::size_t byte = at.tr; byte < at.s1; ++byte) {
        ByteString changed = keys.secret_key;
        test::flip(changed, 8 * byte + byte % 8);
        EXPECT_EQ(import_error(changed), GIRIH_ERROR_KEY_MISMATCH) << byte;
    }
}

TEST_P(SecretKeyDecoding, FindsARhoThatIsNotThatOfTheKey)
{
    for (const std::size_t bit : {std::size_t{0}, std::size_t{255}}) {
        ByteString changed = keys.secret_key;
        test::flip(changed, bit);
        EXPECT_EQ(import_error(changed), GIRIH_ERROR_KEY_MISMATCH) << bit;
    }
}

}  // namespace
