/// Composite ML-DSA through OpenSSL's functions: the draft's vectors, signatures put together here
/// from halves, and inputs with a single fault.

#include <openssl/sha.h>
#include <openssl/x509.h>

#include <map>
#include <sstream>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
Bytes operator+(Bytes a, const Bytes& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
Bytes first(const Bytes& all, std::size_t bytes)
{
    return {all.begin(), all.begin() + std::ptrdiff_t(bytes)};
}
Bytes rest(const Bytes& all, std::size_t bytes) { return {all.begin() + std::ptrdiff_t(bytes), all.end()}; }

// ---- Vectors of the draft

struct Example {
    Bytes key, certificate, signature, with_context;
};

/// By name: PKCS#8, a self-signed certificate, and signatures of one message.
std::map<std::string, Example> examples()
{
    std::map<std::string, Example> all;
    std::ifstream file(std::filesystem::path(GIRIH_PROVIDER_FILES) / "drafts/composite_sigs_19.tsv");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string name, key, certificate, signature, with_context;
        fields >> name >> key >> certificate >> signature >> with_context;
        all[name] = {from_base64(key), from_base64(certificate), from_base64(signature),
                     from_base64(with_context)};
    }
    return all;
}

const Bytes draft_message = bytes_of("The quick brown fox jumps over the lazy dog.");
const Params draft_context =
    context_string(bytes_of("The lethargic, colorless dog sat beneath the energetic, stationary fox."));

class ProviderComposites : public testing::TestWithParam<const char*> {};

TEST_P(ProviderComposites, AreTheDrafts)
{
    const Example example = examples()[GetParam()];
    const Key key = decoded(example.key, EVP_PKEY_KEYPAIR);
    ASSERT_TRUE(works(key));
    EXPECT_EQ(private_der(key), example.key);
    EXPECT_TRUE(works(verifies(key, example.signature, draft_message)));
    EXPECT_TRUE(works(verifies(key, example.with_context, draft_message, draft_context)));
    EXPECT_FALSE(verifies(key, example.with_context, draft_message));
    EXPECT_FALSE(verifies(key, example.signature, draft_message, draft_context));

    const Owned<X509, X509_free> certificate(X509_new_ex(library(), from_girih));
    X509* read = certificate.get();
    const unsigned char* der = example.certificate.data();
    ASSERT_NE(d2i_X509(&read, &der, static_cast<long>(example.certificate.size())), nullptr) << errors();
    EXPECT_EQ(EVP_PKEY_eq(X509_get0_pubkey(read), key.get()), 1);
    EXPECT_TRUE(works(X509_verify(read, key.get())));
    EXPECT_TRUE(works(verifies(Key(X509_get_pubkey(read)), sign(key, message), message)));
}

TEST_P(ProviderComposites, AreOffUntilTheyAreAskedFor)
{
    for (const char* settings : {"", "composites = off"}) {
        const Library context = configured(settings);
        ASSERT_TRUE(context) << errors();
        EXPECT_TRUE(generated("ML-DSA-44", {}, context.get()));
        EXPECT_EQ(context_of(GetParam(), context.get()), nullptr);
    }
    EXPECT_EQ(context_of("ML-DSA-44", configured("composites = yes").get()), nullptr);
}

TEST_P(ProviderComposites, HaveNeitherSeedNorFormNorMuNorDeterminism)
{
    errors();
    const std::string why = "a composite key has neither seed nor form";
    EXPECT_TRUE(fails(generated(GetParam(), Params().octets("seed", Bytes(32))), why));
    EXPECT_TRUE(fails(generated(GetParam(), Params().text("private-form", "seed")), why));
    const Key key = generated(GetParam());
    EXPECT_TRUE(fails(begun(key, true, as_mu), "mu must be 0 or 1, and 1 only with ML-DSA"));
    EXPECT_TRUE(fails(begun(key, true, Params().number("deterministic", 1)), "1 only with ML-DSA"));
    EXPECT_TRUE(
        fails(begun(key, true, context_string(Bytes(256))), "it has 256 bytes, but at most 255 are allowed"));
    const Params longest = context_string(Bytes(255, 'c'));
    EXPECT_TRUE(works(verifies(key, sign(key, message, longest), message, longest)));
}

INSTANTIATE_TEST_SUITE_P(Of, ProviderComposites, testing::ValuesIn(composites), name_of);

// ---- Signatures of halves

/// The parts of the message that the halves sign, and the digest of ECDSA.
struct Recipe {
    std::string prefix = "CompositeAlgorithmSignatures2025";
    std::string label = "COMPSIG-MLDSA65-ECDSA-P256-SHA512";
    std::string ml_dsa_context = label;
    Bytes context = {};
    bool hashes = true;
    const char* digest = "SHA256";
};

/// A key of MLDSA65-ECDSA-P256-SHA512, and its halves as keys of their own.
class ProviderHalves : public testing::Test {
  protected:
    static constexpr std::size_t seed_bytes = 32, ml_dsa_bytes = 3309, ml_dsa_public_bytes = 1952;
    static constexpr const char* algorithm = "MLDSA65-ECDSA-P256-SHA512";

    void SetUp() override
    {
        ASSERT_TRUE(works(key_));
        ASSERT_TRUE(ml_dsa_ && p256_);
        errors();
    }

    [[nodiscard]] Bytes put_together(const Recipe& recipe = {}) const
    {
        Bytes hash = message;
        if (recipe.hashes) SHA512(message.data(), message.size(), (hash = Bytes(64)).data());
        const Bytes m = bytes_of(recipe.prefix) + bytes_of(recipe.label) +
                        Bytes{static_cast<std::uint8_t>(recipe.context.size())} + recipe.context + hash;
        return sign(ml_dsa_, m, context_string(bytes_of(recipe.ml_dsa_context))) + by_p256(m, recipe.digest);
    }
    [[nodiscard]] testing::AssertionResult is_refused(const Bytes& signature) const
    {
        return fails(verifies(key_, signature, message), "the signature does not verify");
    }
    [[nodiscard]] Bytes by_p256(const Bytes& m, const char* digest) const
    {
        const DigestContext context(EVP_MD_CTX_new());
        EXPECT_EQ(
            EVP_DigestSignInit_ex(context.get(), nullptr, digest, library(), nullptr, p256_.get(), nullptr),
            1);
        return of_whole(context, m);
    }
    static Key from(const char* half, const Bytes& bytes)
    {
        return imported(algorithm, Params().octets(half, bytes));
    }

    const Key key_ = generated(algorithm);
    const Bytes private_ = octets(key_, "priv"), public_ = octets(key_, "pub");
    const Key ml_dsa_ = imported("ML-DSA-65", Params().octets("seed", first(private_, seed_bytes)));
    const Key p256_ = [this] {
        const Bytes ec = rest(private_, seed_bytes);
        const unsigned char* der = ec.data();
        return Key(
            d2i_PrivateKey_ex(EVP_PKEY_EC, nullptr, &der, static_cast<long>(ec.size()), library(), nullptr));
    }();
};

TEST_F(ProviderHalves, PutTogetherAreSignatures)
{
    EXPECT_TRUE(works(verifies(key_, put_together(), message)));
    const Bytes context(200, 'c');
    EXPECT_TRUE(works(verifies(key_, put_together({.context = context}), message, context_string(context))));
}

TEST_F(ProviderHalves, OfAnythingElseAreNone)
{
    const std::string other = "COMPSIG-MLDSA65-Ed25519-SHA512";
    EXPECT_TRUE(is_refused(put_together({.prefix = "CompositeAlgorithmSignatures2024"})));
    EXPECT_TRUE(is_refused(put_together({.label = other})));
    EXPECT_TRUE(is_refused(put_together({.ml_dsa_context = other})));
    EXPECT_TRUE(is_refused(put_together({.ml_dsa_context = ""})));
    EXPECT_TRUE(is_refused(put_together({.context = {'c'}})));
    EXPECT_TRUE(is_refused(put_together({.hashes = false})));
    EXPECT_TRUE(is_refused(put_together({.digest = "SHA512"})));
}

TEST_F(ProviderHalves, ThatAreChangedSwappedOrCutShortAreNone)
{
    const Bytes good = sign(key_, message), again = sign(key_, message);
    const Bytes ml_dsa = first(good, ml_dsa_bytes), p256 = rest(good, ml_dsa_bytes);
    EXPECT_TRUE(works(verifies(key_, ml_dsa + rest(again, ml_dsa_bytes), message)));
    const Bytes elsewhere = sign(generated(algorithm), message);
    EXPECT_TRUE(is_refused(first(elsewhere, ml_dsa_bytes) + p256));
    EXPECT_TRUE(is_refused(ml_dsa + rest(elsewhere, ml_dsa_bytes)));
    EXPECT_TRUE(is_refused(p256 + ml_dsa));
    for (const Bytes& short_one :
         {Bytes(), ml_dsa, p256, first(good, ml_dsa_bytes - 1), first(good, good.size() - 1)})
        EXPECT_TRUE(is_refused(short_one)) << short_one.size();
    EXPECT_TRUE(is_refused(good + Bytes(1)));
    EXPECT_TRUE(is_refused(first(good, ml_dsa_bytes - 1) + p256));
    EXPECT_TRUE(is_refused(ml_dsa + Bytes{0} + p256));
}

TEST_F(ProviderHalves, OfPublicKeysAreChecked)
{
    EXPECT_TRUE(works(from("pub", public_)));
    const std::string why = "the public key's classical half is not an uncompressed point of P-256";
    for (const std::uint8_t head : Bytes{0, 2, 6}) {
        Bytes wrong = public_;
        wrong[ml_dsa_public_bytes] = head;
        EXPECT_TRUE(fails(from("pub", wrong), why)) << int{head};
    }
    Bytes off_curve = public_;
    off_curve.back() ^= 1;
    EXPECT_TRUE(fails(from("pub", off_curve), why));
    EXPECT_TRUE(
        fails(from("pub", rest(public_, ml_dsa_public_bytes) + first(public_, ml_dsa_public_bytes)), why));
    EXPECT_TRUE(
        fails(from("pub", first(public_, ml_dsa_public_bytes)),
              "the public key of " + std::string(algorithm) + " has 1952 bytes, but should have 2017"));
}

TEST_F(ProviderHalves, OfPrivateKeysAreChecked)
{
    const std::string why = "the private key's classical half is not a key of P-256";
    const auto with = [&](std::size_t place, const Bytes& bytes) {
        return first(private_, place) + bytes + rest(private_, place + bytes.size());
    };
    EXPECT_TRUE(same(from("priv", private_), key_));
    const std::size_t scalar = seed_bytes + 7, curve = private_.size() - 8;
    EXPECT_TRUE(fails(from("priv", with(scalar, Bytes(32))), why));
    EXPECT_TRUE(fails(from("priv", with(scalar, Bytes(32, 0xFF))), why));
    EXPECT_TRUE(fails(from("priv", with(curve + 7, {1})), why)) << "another curve";
    EXPECT_TRUE(fails(from("priv", with(seed_bytes + 4, {0})), why)) << "the version";
    EXPECT_TRUE(fails(from("priv", rest(private_, seed_bytes) + first(private_, seed_bytes)), why));
    EXPECT_TRUE(fails(from("priv", first(private_, 82)), "has 82 bytes, but should have 83"));
    const Bytes others = octets(generated(algorithm), "pub");
    EXPECT_TRUE(fails(imported(algorithm, Params().octets("priv", private_).octets("pub", others)),
                      "the public key beside the private key belongs to another key"));
    EXPECT_TRUE(fails(imported(algorithm, Params().octets("priv", private_).octets("seed", Bytes(32))),
                      "the seed of MLDSA65-ECDSA-P256-SHA512 has 32 bytes, but should have 0"));
}

// ---- Files

Bytes element(std::uint8_t tag, const Bytes& content)
{
    const auto n = static_cast<std::uint8_t>(content.size());
    if (content.size() < 0x80) return Bytes{tag, n} + content;
    return Bytes{tag, 0x82, static_cast<std::uint8_t>(content.size() >> 8), n} + content;
}

TEST_F(ProviderHalves, InFilesHaveOneForm)
{
    const Bytes oid = element(6, {0x2B, 6, 1, 5, 5, 7, 6, 45}), key = element(4, private_);
    const auto file = [&](std::uint8_t version, const Bytes& identifier, const Bytes& more) {
        return decoded(element(0x30, Bytes{2, 1, version} + element(0x30, identifier) + more),
                       EVP_PKEY_KEYPAIR);
    };
    const auto beside = [](const Bytes& shown) { return element(0x81, Bytes{0} + shown); };
    EXPECT_TRUE(same(file(0, oid, key), key_)) << errors();
    EXPECT_TRUE(same(file(1, oid, key + beside(public_)), key_)) << errors();
    EXPECT_TRUE(same(file(0, oid, key + Bytes{0xA0, 0}), key_)) << errors();
    EXPECT_TRUE(fails(file(2, oid, key), "the version of the private key is neither 0 nor 1"));
    EXPECT_TRUE(fails(file(0, oid + Bytes{5, 0}, key), "malformed key"));
    EXPECT_TRUE(fails(file(0, oid, key + beside(public_)), "malformed key"));
    EXPECT_TRUE(fails(file(1, oid, key + beside({})), "a half of the key pair is empty"));
    EXPECT_TRUE(fails(file(0, oid, element(4, {})), "a half of the key pair is empty"));
    EXPECT_TRUE(
        fails(file(1, oid, key + beside(first(public_, 2000))), "has 2000 bytes, but should have 2017"));
    EXPECT_TRUE(
        fails(file(1, oid, key + beside(octets(generated(algorithm), "pub"))), "belongs to another key"));
    EXPECT_TRUE(fails(file(0, oid, element(4, element(4, private_))), "has 85 bytes, but should have 83"));
    const auto shown = [](const Bytes& identifier, const Bytes& bits) {
        return decoded(element(0x30, element(0x30, identifier) + element(3, bits)), EVP_PKEY_PUBLIC_KEY);
    };
    EXPECT_TRUE(same(shown(oid, Bytes{0} + public_), key_)) << errors();
    EXPECT_TRUE(fails(shown(oid + Bytes{5, 0}, Bytes{0} + public_), "malformed key"));
    EXPECT_TRUE(fails(shown(oid, Bytes{1} + public_), "malformed key"));
    EXPECT_TRUE(fails(shown(oid, Bytes{0}), "the public key is empty"));
}

}  // namespace
}  // namespace girih::tests
