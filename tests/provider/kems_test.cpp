/// Key encapsulation and the hybrid group through OpenSSL's functions.

#include <algorithm>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

struct Encapsulated {
    Bytes ciphertext;
    Bytes secret;
};

/// With as much room as OpenSSL says that there has to be.
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
    Bytes secret(64);
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

// ---- The hybrid group, as TLS uses it

constexpr std::size_t ml_kem_share = 1184;

Bytes share_of(const Key& key) { return octets(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY); }

/// The server's object for the client's share; null if it refuses the share.
Key peer_with(const Bytes& share)
{
    const KeyContext context = context_of("X25519MLKEM768");
    EVP_PKEY* made = nullptr;
    EXPECT_EQ(EVP_PKEY_paramgen_init(context.get()), 1);
    EXPECT_EQ(EVP_PKEY_paramgen(context.get(), &made), 1) << errors();
    Key key(made);
    return EVP_PKEY_set1_encoded_public_key(made, share.data(), share.size()) == 1 ? std::move(key) : nullptr;
}

class ProviderHybrid : public testing::Test {
  protected:
    void SetUp() override
    {
        ASSERT_EQ(share_.size(), ml_kem_share + 32) << errors();
        ASSERT_EQ(made_.ciphertext.size(), 1088u + 32) << errors();
    }

    Key client_ = generated("X25519MLKEM768");
    Bytes share_ = share_of(client_);
    Encapsulated made_ = encapsulate(peer_with(share_));
};

TEST_F(ProviderHybrid, AgreesAndRejects)
{
    const auto& [answer, secret] = made_;
    EXPECT_EQ(secret.size(), 64u);
    EXPECT_EQ(decapsulate(client_, answer), secret) << errors();
    Bytes wrong = answer;
    wrong[5] ^= 1;  // of ML-KEM's ciphertext: its secret is another, X25519's is the same
    const Bytes other = decapsulate(client_, wrong);
    EXPECT_FALSE(std::equal(other.begin(), other.begin() + 32, secret.begin()));
    EXPECT_TRUE(std::equal(other.begin() + 32, other.end(), secret.begin() + 32));
    const Bytes shorter(answer.begin(), answer.end() - 1);
    EXPECT_TRUE(fails(decapsulate(client_, shorter), "wrong length of a ciphertext"));
    share_.pop_back();
    EXPECT_TRUE(fails(peer_with(share_), "wrong length of a key"));
}

TEST_F(ProviderHybrid, RefusesSharesOfSmallOrderAndCoefficientsThatAreNone)
{
    Bytes zero = share_;
    std::fill(zero.begin() + ml_kem_share, zero.end(), std::uint8_t{0});
    EXPECT_TRUE(fails(encapsulate(peer_with(zero)).secret, "no secret was agreed on"));
    std::fill(made_.ciphertext.end() - 32, made_.ciphertext.end(), std::uint8_t{0});
    EXPECT_TRUE(fails(decapsulate(client_, made_.ciphertext), "no secret was agreed on"));
    share_[0] = share_[1] = 0xFF;
    EXPECT_TRUE(fails(encapsulate(peer_with(share_)).secret, "malformed key"));
}

TEST_F(ProviderHybrid, KeysLoseTheirPrivateHalfToAPeersShare)
{
    const Key peer = generated("X25519MLKEM768");
    EXPECT_FALSE(same(client_, peer));
    const Bytes share = share_of(peer);
    ASSERT_EQ(EVP_PKEY_set1_encoded_public_key(client_.get(), share.data(), share.size()), 1) << errors();
    EXPECT_EQ(share_of(client_), share);
    EXPECT_TRUE(same(client_, peer));
    EXPECT_TRUE(fails(decapsulate(client_, made_.ciphertext), "the key has no private half"));
}

}  // namespace
}  // namespace girih::tests
