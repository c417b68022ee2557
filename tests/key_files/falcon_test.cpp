#include <algorithm>

#include "samples.hpp"

namespace girih::key_files {
namespace {

using namespace samples;

std::vector<const girih_alg*> falcons()
{
    std::vector<const girih_alg*> all = algorithms();
    std::erase_if(
        all, [](const girih_alg* alg) { return !std::string_view(girih_name(alg)).starts_with("Falcon"); });
    return all;
}

/// Sets the coefficient `i` of a public key: 14 bits, the first one in the highest bits of the
/// byte after the header.
Bytes with_coefficient(Bytes key, std::size_t i, unsigned value)
{
    for (std::size_t bit = 0; bit < 14; ++bit) {
        const std::size_t at = 8 + 14 * i + bit;
        const auto mask = static_cast<std::uint8_t>(0x80u >> at % 8);
        key[at / 8] = static_cast<std::uint8_t>((value >> (13 - bit) & 1) != 0 ? key[at / 8] | mask
                                                                               : key[at / 8] & ~mask);
    }
    return key;
}

void expect_no_key(const girih_alg* alg, const Bytes& key, const std::string& what)
{
    for (const auto& [kind, file] : files_of(alg, key)) {
        SCOPED_TRACE(std::string(girih_name(alg)) + ", " + kind + ", " + what);
        expect_refused({"", file, Problem::public_key_range, "the public key is no Falcon key"}, alg);
    }
}

TEST(Falcon, PublicKeyIsReadFromEveryKindOfFile)
{
    for (const girih_alg* alg : falcons()) {
        const Bytes good = key_of(alg).public_key;
        for (const auto& [kind, file] : files_of(alg, good)) {
            const auto back = read_public_key(file, alg);
            ASSERT_TRUE(back) << girih_name(alg) << ", " << kind << ": " << back.error().message;
            EXPECT_EQ(back->bytes, good);
        }
    }
}

TEST(Falcon, PublicKeyWithAnotherHeaderIsRefused)
{
    for (const girih_alg* alg : falcons())
        for (unsigned bit = 0; bit < 8; ++bit)
            expect_no_key(alg, with_byte(key_of(alg).public_key, 0, static_cast<std::uint8_t>(1u << bit)),
                          "bit " + std::to_string(bit));
}

TEST(Falcon, PublicKeyWithACoefficientOfQOrMoreIsRefused)
{
    constexpr unsigned q = 12289;
    for (const girih_alg* alg : falcons()) {
        const Bytes good = key_of(alg).public_key;
        const std::size_t last = (good.size() - 1) * 8 / 14 - 1;
        for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
            for (const unsigned value : {q, q + 1, (1u << 14) - 1})
                expect_no_key(alg, with_coefficient(good, i, value), std::to_string(value));
            EXPECT_TRUE(read(with_coefficient(good, i, q - 1), alg)) << girih_name(alg);
        }
    }
}

std::vector<Malformed> malformed()
{
    const std::string alg = "Falcon-512";
    const PrivateKey key = key_of(girih_algorithm("Falcon-512"));
    const PrivateKey other = key_of(girih_algorithm("Falcon-512"), 8);
    const Bytes secret = bytes_of(key.expanded);
    const auto file = [&alg, &key](const Bytes& expanded) {
        return pkcs8(alg, element(0x04, join({expanded, key.public_key})));
    };
    const auto beside = [&](const Bytes& public_key) {
        return pkcs8(alg, element(0x04, secret), 1, element(0x81, join({{0}, public_key})));
    };
    // f and g take six bits a coefficient, F eight.
    const std::size_t big_f = 1 + 2 * 384;
    Bytes least = secret;
    least[1] = static_cast<std::uint8_t>((least[1] & 0x03) | 0x80);
    Bytes least_of_big_f = secret;
    least_of_big_f[big_f] = 0x80;
    Bytes without_reciprocal = secret;
    std::fill(without_reciprocal.begin() + 1, without_reciprocal.begin() + 385, std::uint8_t{0});
    return {
        {"Header", file(with_byte(secret, 0, 1)), Problem::secret_key_range, "another header"},
        {"LeastCoefficientOfF", file(least), Problem::secret_key_range, "out of range"},
        {"LeastCoefficientOfBigF", file(least_of_big_f), Problem::secret_key_range, "out of range"},
        {"FWithoutReciprocal", file(without_reciprocal), Problem::secret_key_range, "reciprocal"},
        {"BigFOfAnother",
         file(join(
             {Bytes(secret.begin(), secret.begin() + static_cast<std::ptrdiff_t>(big_f)),
              Bytes(other.expanded.begin() + static_cast<std::ptrdiff_t>(big_f), other.expanded.end())})),
         Problem::secret_key_range, "no Falcon key"},
        {"PublicKeyOfAnotherInside", pkcs8(alg, element(0x04, join({secret, other.public_key}))),
         Problem::public_key_mismatch, "belongs to another key"},
        {"PublicKeyOfAnotherBesideIt", beside(other.public_key), Problem::public_key_mismatch, "another key"},
        {"PublicKeyWithAnotherHeader", beside(with_byte(key.public_key, 0, 0x10)),
         Problem::public_key_mismatch, "another key"},
        {"Seed", pkcs8(alg, element(0x80, bytes_of(key.seed))), Problem::der_tag, "OCTET STRING"},
        {"TooShort", pkcs8(alg, element(0x04, Bytes(secret.begin(), secret.end() - 1))),
         Problem::private_key_length, "1280 bytes, and should have 1281"},
        {"TooLong", file(join({secret, {0}})), Problem::private_key_length, "2179 bytes"},
        {"TrailingBytes", pkcs8(alg, join({element(0x04, secret), {0}})), Problem::der_trailing,
         "privateKey"},
    };
}

class MalformedFalcon : public testing::TestWithParam<Malformed> {};
TEST_P(MalformedFalcon, IsRefusedForItsOwnReason) { expect_refused(GetParam()); }

INSTANTIATE_TEST_SUITE_P(PrivateKey, MalformedFalcon, testing::ValuesIn(malformed()), name_of);

}  // namespace
}  // namespace girih::key_files
