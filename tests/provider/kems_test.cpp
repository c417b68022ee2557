/// Key encapsulation and the hybrid groups through OpenSSL's functions.

#include <algorithm>
#include <array>
#include <cstddef>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

struct Encapsulated {
    Bytes ciphertext;
    Bytes secret;
};

/// With as much room as OpenSSL requires.
Encapsulated encapsulate(const Key& key)
{
    const KeyContext context = context_of(key);
    std::size_t ciphertext = 0, secret = 0;
    if (EVP_PKEY_encapsulate_init(context.get(), nullptr) != 1 ||
        EVP_PKEY_encapsulate(context.get(), nullptr, &ciphertext, nullptr, &secret) != 1)
        return {};
    Encapsulated made{Bytes(ciphertext), Bytes(secret)};
    return EVP_PKEY_encapsulate(context.get(), made.ciphertext.data(), &ciphertext, made.secret.data(),
                                &secret) == 1
               ? made
               : Encapsulated{};
}

Bytes decapsulate(const Key& key, const Bytes& ciphertext)
{
    const KeyContext context = context_of(key);
    Bytes secret(80);
    std::size_t bytes = secret.size();
    if (EVP_PKEY_decapsulate_init(context.get(), nullptr) != 1 ||
        EVP_PKEY_decapsulate(context.get(), secret.data(), &bytes, ciphertext.data(), ciphertext.size()) != 1)
        return {};
    secret.resize(bytes);
    return secret;
}

class ProviderKems : public testing::TestWithParam<const char*> {};

TEST_P(ProviderKems, RejectImplicitly)
{
    const Key key = generated(GetParam());
    const auto [ciphertext, secret] = encapsulate(public_half_of(key));
    ASSERT_TRUE(works(secret));
    EXPECT_EQ(decapsulate(key, ciphertext), secret) << errors();
    for (std::size_t i = 0; i < ciphertext.size(); i += 37) {
        Bytes wrong = ciphertext;
        wrong[i] ^= 0x10;
        const Bytes other = decapsulate(key, wrong);
        EXPECT_EQ(other.size(), secret.size()) << errors();
        EXPECT_NE(other, secret);
        EXPECT_EQ(other, decapsulate(key, wrong));
    }
    const Bytes shorter(ciphertext.begin(), ciphertext.end() - 1);
    EXPECT_TRUE(fails(decapsulate(key, shorter), "wrong length of a ciphertext"));
    EXPECT_TRUE(fails(decapsulate(public_half_of(key), ciphertext), "the key has no private half"));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderKems, testing::ValuesIn(kem_algorithms), name_of);

// ---- X-Wing

/// The draft's vectors: private key, public key, ciphertext, shared secret.
TEST(ProviderXWing, IsTheDrafts)
{
    std::ifstream file(std::filesystem::path(GIRIH_PROVIDER_FILES) / "drafts/xwing_10.tsv");
    int count = 0;
    for (std::string secret_key, public_key, ciphertext, secret;
         file >> secret_key >> public_key >> ciphertext >> secret; ++count) {
        const Key key = imported("X-Wing", Params().octets("priv", from_base64(secret_key)));
        ASSERT_TRUE(works(key));
        EXPECT_EQ(octets(key, "pub"), from_base64(public_key));
        EXPECT_EQ(decapsulate(key, from_base64(ciphertext)), from_base64(secret)) << errors();
    }
    EXPECT_EQ(count, 3);
}

TEST(ProviderXWing, HasNoSharesOfSmallOrderAndChecksMlKemsHalf)
{
    constexpr std::size_t ml_kem_key = 1184;
    const Key key = generated("X-Wing");
    const Bytes shown = octets(key, "pub");
    Bytes ciphertext = encapsulate(key).ciphertext;
    std::fill(ciphertext.end() - 32, ciphertext.end(), std::uint8_t{0});
    errors();
    EXPECT_TRUE(fails(decapsulate(key, ciphertext), "no secret was agreed on"));
    const KeyContext context = context_of(key);
    Bytes secret(32, 1);
    std::size_t bytes = secret.size();
    ASSERT_EQ(EVP_PKEY_decapsulate_init(context.get(), nullptr), 1);
    EXPECT_NE(
        EVP_PKEY_decapsulate(context.get(), secret.data(), &bytes, ciphertext.data(), ciphertext.size()), 1);
    EXPECT_EQ(secret, Bytes(32));
    errors();
    Bytes small = shown, malformed = shown;
    std::fill(small.begin() + ml_kem_key, small.end(), std::uint8_t{0});
    std::fill(malformed.begin(), malformed.begin() + 3, std::uint8_t{0xFF});
    const Key to_small = imported("X-Wing", Params().octets("pub", small));
    ASSERT_TRUE(works(to_small));
    EXPECT_TRUE(fails(encapsulate(to_small).secret, "no secret was agreed on"));
    EXPECT_TRUE(fails(imported("X-Wing", Params().octets("pub", malformed)), "a coefficient is not below q"));
}

TEST(ProviderXWing, NeedsTheDefaultProvider)
{
    const Library alone = new_library();
    const Module girih_alone(OSSL_PROVIDER_load(alone.get(), "girih-provider"));
    ASSERT_TRUE(works(girih_alone));
    EXPECT_TRUE(fails(generated("X-Wing", {}, alone.get()),
                      "OpenSSL offers no X25519; is its default provider loaded?"));
}

/// Its private keys have no public key beside them (Section 5.8.2).
TEST(ProviderXWing, IsAloneInItsFiles)
{
    const Key key = generated("X-Wing");
    Bytes der = private_der(key);
    ASSERT_EQ(der.size(), 54u);
    const Bytes beside{0x81, 3, 0, 1, 2};
    der[1] = static_cast<std::uint8_t>(der[1] + beside.size());
    der[4] = 1;  // the version that may have one
    der.insert(der.end(), beside.begin(), beside.end());
    EXPECT_TRUE(fails(decoded(der, EVP_PKEY_KEYPAIR), "malformed key"));
}

// ---- The hybrid groups, as TLS uses them

struct Group {
    const char* name;
    std::size_t ml_kem_key, ml_kem_ciphertext, curve_share, curve_secret;
    bool curve_first;
};

constexpr std::array groups{
    Group{"X25519MLKEM768", 1184, 1088, 32, 32, false},
    Group{"SecP256r1MLKEM768", 1184, 1088, 65, 32, true},
    Group{"SecP384r1MLKEM1024", 1568, 1568, 97, 48, true},
};

Bytes share_of(const Key& key) { return octets(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY); }

class ProviderHybrid : public testing::TestWithParam<Group> {
  protected:
    void SetUp() override
    {
        ASSERT_EQ(share_.size(), group_.ml_kem_key + group_.curve_share) << errors();
        ASSERT_EQ(made_.ciphertext.size(), group_.ml_kem_ciphertext + group_.curve_share) << errors();
    }
    /// The server's object for the client's share; null if it refuses the share.
    [[nodiscard]] Key peer_with(const Bytes& share) const
    {
        const KeyContext context = context_of(group_.name);
        EVP_PKEY* made = nullptr;
        EXPECT_EQ(EVP_PKEY_paramgen_init(context.get()), 1);
        EXPECT_EQ(EVP_PKEY_paramgen(context.get(), &made), 1) << errors();
        Key key(made);
        return EVP_PKEY_set1_encoded_public_key(made, share.data(), share.size()) == 1 ? std::move(key)
                                                                                       : nullptr;
    }
    /// Where the parts start in a share or secret whose ML-KEM part has `ml_kem_bytes`.
    [[nodiscard]] std::size_t curve_at(std::size_t ml_kem_bytes) const
    {
        return group_.curve_first ? 0 : ml_kem_bytes;
    }
    [[nodiscard]] std::size_t ml_kem_at(std::size_t curve_bytes) const
    {
        return group_.curve_first ? curve_bytes : 0;
    }
    /// Client and server refuse another byte at an index of the curve's part of a share.
    void expect_refused(std::size_t index, std::uint8_t byte) const
    {
        Bytes share = share_, answer = made_.ciphertext;
        share[curve_at(group_.ml_kem_key) + index] = answer[curve_at(group_.ml_kem_ciphertext) + index] =
            byte;
        EXPECT_TRUE(fails(peer_with(share), "the share is not an uncompressed point of P-"));
        EXPECT_TRUE(fails(decapsulate(client_, answer), "the share is not an uncompressed point of P-"));
    }

    Group group_ = GetParam();
    Key client_ = generated(group_.name);
    Bytes share_ = share_of(client_);
    Encapsulated made_ = encapsulate(peer_with(share_));
};

TEST_P(ProviderHybrid, AgreesAndRejectsImplicitly)
{
    const auto& [answer, secret] = made_;
    ASSERT_EQ(secret.size(), 32 + group_.curve_secret);
    EXPECT_EQ(decapsulate(client_, answer), secret) << errors();
    Bytes wrong = answer;
    wrong[ml_kem_at(group_.curve_share) + 5] ^= 1;
    const Bytes other = decapsulate(client_, wrong);
    ASSERT_EQ(other.size(), secret.size()) << errors();
    const auto is_same = [&](std::size_t from, std::size_t bytes) {
        return std::equal(&other[from], &other[from] + bytes, &secret[from]);
    };
    EXPECT_FALSE(is_same(ml_kem_at(group_.curve_secret), 32));
    EXPECT_TRUE(is_same(curve_at(32), group_.curve_secret));
}

TEST_P(ProviderHybrid, RefusesSharesOfOtherLengths)
{
    for (const int change : {-1, 1}) {
        Bytes share = share_, answer = made_.ciphertext;
        share.resize(share.size() + static_cast<std::size_t>(change));
        answer.resize(answer.size() + static_cast<std::size_t>(change));
        EXPECT_TRUE(fails(peer_with(share), "wrong length of a key"));
        EXPECT_TRUE(fails(decapsulate(client_, answer), "wrong length of a ciphertext"));
    }
    EXPECT_TRUE(fails(decapsulate(client_, Bytes(group_.curve_share)), "wrong length of a ciphertext"));
}

TEST_P(ProviderHybrid, RefusesSharesThatAreNoPoints)
{
    if (!group_.curve_first) return;  // each 32 bytes are a share of X25519
    const std::size_t last = group_.curve_share - 1;
    expect_refused(last, share_[last] ^ 1);
    expect_refused(last, made_.ciphertext[last] ^ 1);
    for (const int form : {2, 3, 6, 7})  // of compressed points, and of hybrid ones, by the parity of y
        expect_refused(0, static_cast<std::uint8_t>(form));
    expect_refused(0, 0);
}

TEST_P(ProviderHybrid, RefusesSharesOfZeros)
{
    Bytes share = share_, answer = made_.ciphertext;
    std::fill_n(share.begin() + static_cast<std::ptrdiff_t>(curve_at(group_.ml_kem_key)), group_.curve_share,
                std::uint8_t{0});
    std::fill_n(answer.begin() + static_cast<std::ptrdiff_t>(curve_at(group_.ml_kem_ciphertext)),
                group_.curve_share, std::uint8_t{0});
    const Key peer = peer_with(share);
    EXPECT_EQ(peer != nullptr, !group_.curve_first);  // 32 zeros are a point of small order
    if (peer != nullptr) {
        EXPECT_TRUE(fails(encapsulate(peer).secret, "no secret was agreed on"));
    }
    EXPECT_TRUE(fails(decapsulate(client_, answer), "OpenSSL's half failed"));
}

TEST_P(ProviderHybrid, RefusesCoefficientsThatAreNone)
{
    const std::size_t at = ml_kem_at(group_.curve_share);
    share_[at] = share_[at + 1] = 0xFF;
    EXPECT_TRUE(fails(encapsulate(peer_with(share_)).secret, "malformed key"));
}

TEST_P(ProviderHybrid, KeysLoseTheirPrivateHalfToAPeersShare)
{
    const Key peer = generated(group_.name);
    EXPECT_FALSE(same(client_, peer));
    const Bytes share = share_of(peer);
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(client_.get(), share.data(), share.size()), 1) << errors();
    EXPECT_EQ(share_of(client_), share);
    EXPECT_TRUE(same(client_, peer));
    EXPECT_TRUE(fails(decapsulate(client_, made_.ciphertext), "the key has no private half"));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderHybrid, testing::ValuesIn(groups),
                         [](const auto& set) { return std::string(set.param.name); });

}  // namespace
}  // namespace girih::tests
