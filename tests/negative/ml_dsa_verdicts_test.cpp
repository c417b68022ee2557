/// Signatures, contexts and secret keys of ML-DSA (and Dilithium) with the verdict of each. The
/// signatures are made for their rows, so that each has a single fault.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "support/ml_dsa_signatures.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::ml_dsa;
using test::ByteString;

template <auto P, std::size_t index>
struct Set {
    static constexpr Params params = P;
    static constexpr const char* name = test::algorithm_names[index];
};
using Sets = testing::Types<Set<ml_dsa_44, 0>, Set<ml_dsa_65, 1>, Set<ml_dsa_87, 2>, Set<dilithium2, 3>,
                            Set<dilithium3, 4>, Set<dilithium5, 5>>;

template <class T>
class MlDsaVerdicts : public testing::Test {
  public:
    static constexpr Params P = T::params;
    using Parts = test::MlDsaParts<P>;
    static constexpr std::int32_t limit = P.gamma1 - P.beta();  ///< |z| is below
    static constexpr std::size_t hints_at = P.signature_bytes() - P.omega - P.k;

    const girih_alg* alg = girih_algorithm(T::name);
    const ByteString public_key = test::zero_public_key<P>();
    const ByteString message = test::counting(33, 9);
    const ByteString mu = mu_of_the_message();

    [[nodiscard]] ByteString mu_of_the_message() const
    {
        girih_message begun;
        ByteString out(GIRIH_MU_BYTES);
        EXPECT_EQ(test::call(girih_message_begin, &begun, alg, public_key, nullptr), GIRIH_OK);
        EXPECT_EQ(test::call(girih_message_update, &begun, message), GIRIH_OK);
        EXPECT_EQ(test::call(girih_message_mu, &begun, out), GIRIH_OK);
        return out;
    }

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
        std::fill_n(parts.h[polynomial].c.begin(), count, 1);
        return sign(parts);
    }

    struct Row {
        const char* what;
        ByteString signature;
    };
    void expect(int verdict, const std::vector<Row>& rows)
    {
        for (const Row& row : rows) {
            EXPECT_EQ(test::verify_mu(alg, public_key, mu, row.signature), verdict) << row.what;
            EXPECT_EQ(test::verify(alg, public_key, message, row.signature), verdict) << row.what;
        }
    }
};
TYPED_TEST_SUITE(MlDsaVerdicts, Sets, test::AlgorithmNames);

TYPED_TEST(MlDsaVerdicts, OfZAtItsBound)
{
    constexpr auto above = TestFixture::limit;
    constexpr auto gamma1 = TestFixture::P.gamma1;
    this->expect(GIRIH_OK, {{"z is zero", this->with_z(0, 0, 0)}});
    // The first coefficient, and the last.
    for (const auto& [poly, place] :
         {std::pair{std::size_t{0}, std::size_t{0}}, {TestFixture::P.l - 1, n - 1}}) {
        this->expect(GIRIH_OK, {{"the largest", this->with_z(poly, place, above - 1)},
                                {"the least", this->with_z(poly, place, 1 - above)}});
        this->expect(GIRIH_ERROR_SIGNATURE, {{"too large by one", this->with_z(poly, place, above)},
                                             {"too small by one", this->with_z(poly, place, -above)}});
    }
    this->expect(GIRIH_ERROR_SIGNATURE,
                 {{"the largest that has an encoding", this->with_z(0, 77, gamma1)},
                  {"the least that has an encoding", this->with_z(0, 77, 1 - gamma1)}});
}

TYPED_TEST(MlDsaVerdicts, OfHints)
{
    constexpr auto omega = std::size_t{TestFixture::P.omega};
    constexpr auto k = std::size_t{TestFixture::P.k};
    typename TestFixture::Parts at_the_end;
    typename TestFixture::Parts spread;
    at_the_end.h[k - 1].c[255] = 1;
    for (std::size_t i = 0; i < omega; ++i) spread.h[i % k].c[255 - i / k] = 1;
    const ByteString none = this->with_hints(0, 0);
    const ByteString one = this->with_hints(0, 1);
    const ByteString two = this->with_hints(0, 2);
    const ByteString all = this->with_hints(k - 1, omega);
    const auto with = [&](ByteString signature,
                          std::initializer_list<std::pair<std::size_t, unsigned>> bytes) {
        for (const auto& [place, byte] : bytes)
            signature[TestFixture::hints_at + place] = static_cast<Byte>(byte);
        return signature;
    };
    ByteString twice = with(one, {{0, 0}, {1, 0}});
    std::fill(twice.end() - static_cast<std::ptrdiff_t>(k), twice.end(), Byte{2});
    this->expect(GIRIH_OK, {{"none", none},
                            {"at the last place of the last polynomial", this->sign(at_the_end)},
                            {"omega in the last polynomial", all},
                            {"omega, spread over all", this->sign(spread)}});
    this->expect(GIRIH_ERROR_SIGNATURE,
                 {{"two positions in the wrong order", with(two, {{0, 1}, {1, 0}})},
                  {"a position twice, which means one", twice},
                  {"one end more than omega", with(all, {{omega + k - 1, omega + 1}})},
                  {"an end of 255", with(all, {{omega + k - 1, 255}})},
                  {"an end that falls", with(two, {{omega + 1, 1}})},
                  {"the last end falls", with(two, {{omega + k - 1, 1}})},
                  {"a one right behind the last position", with(two, {{2, 1}})},
                  {"a one in the last place for positions", with(two, {{omega - 1, 1}})},
                  {"bytes behind no position", with(none, {{0, 7}})},
                  {"one that is not there", with(two, {{1, 2}})},
                  {"one in the next polynomial", with(two, {{omega, 1}})}});
}

TYPED_TEST(MlDsaVerdicts, OfChangesAndLengths)
{
    constexpr std::size_t c_tilde = TestFixture::P.c_tilde_bytes;
    const ByteString base = this->with_z(0, 5, 1234);
    this->expect(GIRIH_OK, {{"as it was made", base}});
    // The first and the last byte of the challenge's hash, and of z.
    for (const std::size_t byte : {std::size_t{0}, c_tilde - 1, c_tilde, this->hints_at - 1})
        this->expect(GIRIH_ERROR_SIGNATURE, {{"another byte", test::flipped(base, 8 * byte)}});
    for (const std::size_t size :
         {std::size_t{0}, c_tilde, base.size() - 1, base.size() + 1, 2 * base.size()})
        this->expect(GIRIH_ERROR_SIGNATURE, {{"another length", test::resized(base, size)}});
}

TYPED_TEST(MlDsaVerdicts, OfAKeyUnderWhichZeroIsASignature)
{
    // With t1 all ones, t1 2^d is q - 1, which is -1: as short as 0, so that z = 0 is a signature
    // of that key too, by the standard. Any other key has others.
    for (const auto& [fill, verdict] : {std::pair<int, int>{0xFF, GIRIH_OK}, {0x01, GIRIH_ERROR_SIGNATURE}}) {
        ByteString key = this->public_key;
        std::fill(key.begin() + rho_bytes, key.end(), static_cast<Byte>(fill));
        EXPECT_EQ(test::verify_mu(this->alg, key, this->mu, this->with_z(0, 0, 0)), verdict);
    }
}

TYPED_TEST(MlDsaVerdicts, OfContexts)
{
    const test::KeyPair keys = test::key_pair(this->alg, test::counting(32));
    const auto expect = [&](std::size_t signed_with, std::size_t verified_with, int verdict) {
        const ByteString signed_context = test::counting(signed_with);
        const ByteString context = test::counting(verified_with);
        const ByteString signature =
            test::sign(this->alg, keys.secret_key, this->message, test::with_context(signed_context));
        EXPECT_EQ(
            test::verify(this->alg, keys.public_key, this->message, signature, test::with_context(context)),
            verdict)
            << signed_with << ", " << verified_with;
    };
    if (girih_has_context(this->alg) == 0) return expect(0, 0, GIRIH_OK);
    expect(255, 255, GIRIH_OK);
    expect(255, 254, GIRIH_ERROR_SIGNATURE);
    expect(0, 1, GIRIH_ERROR_SIGNATURE);
    expect(1, 0, GIRIH_ERROR_SIGNATURE);
}

/// A secret key that is changed in one place: the results of importing it and of signing with it.
template <class T>
class MlDsaSecretKeys : public MlDsaVerdicts<T> {
  public:
    static constexpr Params P = T::params;
    // rho, K, tr, s1, s2, t0 (FIPS 204, Algorithm 24)
    static constexpr std::size_t tr_at = rho_bytes + key_bytes;
    static constexpr std::size_t s1_at = tr_at + P.tr_bytes;
    static constexpr std::size_t s2_at = s1_at + P.l * packed_bytes(P.eta_bits());
    static constexpr std::size_t t0_at = s2_at + P.k * packed_bytes(P.eta_bits());

    const test::KeyPair keys = test::key_pair(this->alg, test::counting(32));

    /// With another integer for the coefficient of index `index` after byte `from`.
    [[nodiscard]] ByteString with_short(std::size_t from, std::size_t index, unsigned integer) const
    {
        ByteString changed = keys.secret_key;
        for (std::size_t i = 0; i < P.eta_bits(); ++i) {
            const std::size_t bit = 8 * from + index * P.eta_bits() + i;
            if ((changed[bit / 8] >> bit % 8 & 1U) != (integer >> i & 1U)) test::flip(changed, bit);
        }
        return changed;
    }
    [[nodiscard]] int import_error(const ByteString& secret_key) const
    {
        return test::import_error(this->alg, secret_key);
    }
    [[nodiscard]] int sign_error(const ByteString& secret_key) const
    {
        ByteString signature(P.signature_bytes(), 0xEE);
        std::size_t size = 1;
        const int error = test::call(girih_sign, this->alg, secret_key, BytesIn<>{}, &test::deterministic,
                                     signature, &size);
        EXPECT_EQ(test::is_zero(signature), error != GIRIH_OK);
        EXPECT_EQ(size, error == GIRIH_OK ? signature.size() : 0);
        return error;
    }
    [[nodiscard]] int prepare_error(const ByteString& secret_key) const
    {
        girih_signing_key* key = nullptr;
        const int error =
            girih_prepare_signing_key_new(this->alg, secret_key.data(), secret_key.size(), &key);
        EXPECT_EQ(key != nullptr, error == GIRIH_OK);
        girih_prepare_signing_key_free(key);
        return error;
    }
};
TYPED_TEST_SUITE(MlDsaSecretKeys, Sets, test::AlgorithmNames);

TYPED_TEST(MlDsaSecretKeys, AreRefusedForEveryIntegerThatIsNoCoefficientOfS1OrS2)
{
    using Keys = TestFixture;
    EXPECT_EQ(this->import_error(this->keys.secret_key), GIRIH_OK);
    EXPECT_EQ(this->sign_error(this->keys.secret_key), GIRIH_OK);
    EXPECT_EQ(this->prepare_error(this->keys.secret_key), GIRIH_OK);
    for (const auto& [from, count] : {std::pair{Keys::s1_at, Keys::P.l * n}, {Keys::s2_at, Keys::P.k * n}})
        for (const std::size_t index : {std::size_t{0}, count / 2 + 3, count - 1})
            for (unsigned integer = 0; integer < 1U << Keys::P.eta_bits(); ++integer) {
                SCOPED_TRACE(testing::Message() << from << ", " << index << ", " << integer);
                const ByteString changed = this->with_short(from, index, integer);
                if (integer > 2U * Keys::P.eta) {
                    EXPECT_EQ(this->import_error(changed), GIRIH_ERROR_SECRET_KEY);
                    EXPECT_EQ(this->sign_error(changed), GIRIH_ERROR_SECRET_KEY);
                    EXPECT_EQ(this->prepare_error(changed), GIRIH_ERROR_SECRET_KEY);
                } else if (changed != this->keys.secret_key) {
                    EXPECT_EQ(this->import_error(changed), GIRIH_ERROR_KEY_MISMATCH);
                }
            }
}

TYPED_TEST(MlDsaSecretKeys, AreRefusedForARhoATrOrAT0OfAnotherKey)
{
    using Keys = TestFixture;
    std::vector<std::size_t> bits{0, 8 * rho_bytes - 1};
    for (std::size_t byte = Keys::tr_at; byte < Keys::s1_at; ++byte) bits.push_back(8 * byte + byte % 8);
    const std::size_t end = this->keys.secret_key.size();
    for (const std::size_t byte : {Keys::t0_at, (Keys::t0_at + end) / 2, end - 1})
        for (std::size_t i = 0; i < 8; ++i) bits.push_back(8 * byte + i);
    for (const std::size_t bit : bits)
        EXPECT_EQ(this->import_error(test::flipped(this->keys.secret_key, bit)), GIRIH_ERROR_KEY_MISMATCH)
            << "bit " << bit;
}

}  // namespace
