/// The bound on the norm of Falcon's signatures, at its very edge: on every engine, in every
/// format, through every function that verifies.
#include <girih/girih.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "engines/list.hpp"
#include "falcon/compact/verify.hpp"
#include "support/falcon_signatures.hpp"
#include "support/operations.hpp"
#include "support/sets.hpp"
#include "support/signatures.hpp"

namespace {

using namespace girih;
using namespace girih::falcon;
using test::ByteString;
using test::FalconVector;
using test::MadeSignature;

template <class T>
class FalconNorm : public testing::Test {
  public:
    static constexpr Params params = T::params;
    static constexpr std::uint64_t bound = params.norm_bound();
    const girih_alg* alg = girih_algorithm(test::falcon_names[T::place]);

    /// A signature whose s2 has the norm `of_s2`, and whose s1 the rest of `norm`.
    static MadeSignature with_norm(std::uint64_t norm, std::uint64_t of_s2)
    {
        FalconVector<params.n()> vector;
        test::fill_to_norm(of_s2, vector.s2);
        test::fill_to_norm(norm - of_s2, vector.s1);
        EXPECT_EQ(vector.norm(), norm);
        return test::make_falcon_signature<params>(vector, test::counting(33));
    }

    /// Every engine that runs here, and verification in little memory, give one verdict.
    static void expect_of_engines(const MadeSignature& made, bool verifies)
    {
        for (const auto& candidate : engines::candidates()) {
            if (!candidate.runs_here()) continue;
            SCOPED_TRACE(candidate.engine->name);
            const Operations& operations = test::falcon_on(*candidate.engine, T::place);
            const Verdict expected = verifies ? Verdict::good : Verdict::bad;
            EXPECT_EQ(operations.verify(made.public_key.data(), made.message, made.signature), expected);
            std::array rows{VerifyingRow{nullptr, made.public_key.data(), made.message, made.signature,
                                         Verdict::malformed_key}};
            operations.verify_many(rows);
            EXPECT_EQ(rows[0].verdict, expected);
        }
        using Isa = isa::portable::Isa;
        EXPECT_EQ((CompactVerification<params, Isa>::verify_vartime(
                      BytesIn<params.public_key_bytes()>{made.public_key}, made.message, made.signature)),
                  verifies);
    }
    /// And so do the functions of the C interface.
    void expect_of_functions(const MadeSignature& made, bool verifies)
    {
        const int expected = verifies ? GIRIH_OK : GIRIH_ERROR_SIGNATURE;
        EXPECT_EQ(test::verify(alg, made.public_key, made.message, made.signature, {}), expected);

        girih_message stream;
        ASSERT_EQ(girih_message_begin_verifying(&stream, alg, made.signature.data(), made.signature.size(),
                                                nullptr),
                  GIRIH_OK);
        ASSERT_EQ(girih_message_update(&stream, made.message.data(), made.message.size()), GIRIH_OK);
        EXPECT_EQ(girih_message_verify(&stream, made.public_key.data(), made.public_key.size(),
                                       made.signature.data(), made.signature.size()),
                  expected);

        struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
            std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes{};
        };
        std::vector<Line> memory(girih_verifying_key_size(alg) / sizeof(Line));
        girih_verifying_key* key = nullptr;
        ASSERT_EQ(girih_prepare_verifying_key(alg, made.public_key.data(), made.public_key.size(),
                                              memory.data(), memory.size() * sizeof(Line), &key),
                  GIRIH_OK);
        EXPECT_EQ(girih_verify_prepared(key, made.message.data(), made.message.size(), nullptr,
                                        made.signature.data(), made.signature.size()),
                  expected);
    }
};
TYPED_TEST_SUITE(FalconNorm, test::FalconSets, test::SetNames<test::falcon_names>);

TYPED_TEST(FalconNorm, MayBeTheBoundAndNoMore)
{
    for (const std::uint64_t norm : {this->bound - 1, this->bound, this->bound + 1}) {
        // All of it in s2; nearly all of it; nearly all in s1; shared.
        for (const std::uint64_t of_s2 : {norm, norm - 1, std::uint64_t{5}, norm / 2}) {
            SCOPED_TRACE(std::to_string(norm) + ", of s2 " + std::to_string(of_s2));
            const MadeSignature made = this->with_norm(norm, of_s2);
            this->expect_of_engines(made, norm <= this->bound);
            this->expect_of_functions(made, norm <= this->bound);
        }
    }
}

TYPED_TEST(FalconNorm, IsNotTwiceTheBoundNorBetween)
{
    for (const std::uint64_t norm : {this->bound + this->bound / 100, this->bound * 3 / 2, this->bound * 2}) {
        for (const std::uint64_t of_s2 : {this->bound / 2, std::uint64_t{5}, norm - norm / 8}) {
            SCOPED_TRACE(std::to_string(norm) + ", of s2 " + std::to_string(of_s2));
            const MadeSignature made = this->with_norm(norm, of_s2);
            this->expect_of_engines(made, false);
            this->expect_of_functions(made, false);
        }
    }
}

TYPED_TEST(FalconNorm, IsNoneThatDividesBy32BitsWithASmallRemainder)
{
    // s1 alone is 2^32 and a little; its coefficients are as large as they can be.
    constexpr Params set = TestFixture::params;
    FalconVector<set.n()> vector;
    std::uint64_t rest = (std::uint64_t{1} << 32) + 1000;
    for (std::size_t i = 0; rest > 0; ++i) {
        std::int32_t a = q / 2;
        while (static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(a) > rest) --a;
        vector.s1[i] = a;
        rest -= static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(a);
    }
    vector.s2[3] = 1;
    const MadeSignature made = test::make_falcon_signature<set>(vector);
    this->expect_of_engines(made, false);
    this->expect_of_functions(made, false);

    // s2 is nearly 2^32 where every coefficient can be encoded, and s1 makes up for what lacks.
    if constexpr (set == falcon_ct_1024) {
        FalconVector<set.n()> long_one;
        for (std::size_t i = 0; i < set.n(); ++i)
            long_one.s2[i] =
                static_cast<std::int16_t>(i % 3 == 0 || i % 7 == 2 ? -max_coefficient : max_coefficient);
        test::fill_to_norm((std::uint64_t{1} << 32) - long_one.norm() + 1000, long_one.s1);
        const MadeSignature wrapped = test::make_falcon_signature<set>(long_one);
        this->expect_of_engines(wrapped, false);
        this->expect_of_functions(wrapped, false);

        // Nor does any s1 make up for it: of messages that were not signed it is any, and stops
        // being added up just over the bound.
        for (unsigned i = 0; i < 100; ++i)
            EXPECT_FALSE((CompactVerification<set, isa::portable::Isa>::verify_vartime(
                BytesIn<set.public_key_bytes()>{wrapped.public_key}, test::counting(32, i),
                wrapped.signature)))
                << i;
    }
}

TYPED_TEST(FalconNorm, InLittleMemoryIsOfWhatIsASignature)
{
    constexpr Params set = TestFixture::params;
    const MadeSignature made = this->with_norm(this->bound, 1000);
    const auto verdict = [&](const ByteString& key, const ByteString& signature) {
        return CompactVerification<set, isa::portable::Isa>::verify_vartime(
            BytesIn<set.public_key_bytes()>{key}, made.message, signature);
    };
    EXPECT_TRUE(verdict(made.public_key, made.signature));
    ByteString changed = made.signature;
    changed[0] ^= 1;
    EXPECT_FALSE(verdict(made.public_key, changed)) << "the header";
    changed = made.signature;
    changed.resize(41);
    EXPECT_FALSE(verdict(made.public_key, changed)) << "the length";
    EXPECT_FALSE(verdict(made.public_key, {})) << "nothing";

    // An s2 that has no encoding, or another one that means the same.
    FalconVector<set.n()> vector;
    vector.s2[0] = set.format == Format::constant_time ? -2048 : 0;
    vector.s2[5] = 3;
    const MadeSignature other = test::make_falcon_signature<set>(vector, made.message);
    changed = other.signature;
    if (set.format != Format::constant_time) {
        EXPECT_TRUE(verdict(other.public_key, changed));
        changed[41] |= 0x80;  // the sign of a zero
    }
    EXPECT_FALSE(verdict(other.public_key, changed)) << "s2";

    // A public key with a coefficient that is q more, which means the same: four of
    // them are seven bytes.
    ByteString key = made.public_key;
    for (std::size_t i = 1; i < key.size(); i += 7) {
        const unsigned coefficient = static_cast<unsigned>(key[i]) << 6 | key[i + 1] >> 2;
        if (coefficient + q >= 1U << 14) continue;
        key[i] = static_cast<Byte>((coefficient + q) >> 6);
        key[i + 1] = static_cast<Byte>((coefficient + q) << 2 | (key[i + 1] & 3U));
        break;
    }
    EXPECT_NE(key, made.public_key);
    EXPECT_FALSE(verdict(key, made.signature)) << "a coefficient beyond q";
    EXPECT_EQ(test::verify(this->alg, key, made.message, made.signature, {}), GIRIH_ERROR_PUBLIC_KEY);
    key = made.public_key;
    key[0] ^= 1;
    EXPECT_FALSE(verdict(key, made.signature)) << "the key's header";
}

}  // namespace
