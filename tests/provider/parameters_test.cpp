/// Parameters of the kinds that OSSL_PARAM has, where they are well formed and where they are not.

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string_view>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

/// A text whose last byte is the last of a page, before one that nobody may read.
class AtEndOfPage {
  public:
    explicit AtEndOfPage(std::string_view text)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          memory_(static_cast<char*>(
              mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
          text_(memory_ + page_ - text.size()),
          bytes_(text.size())
    {
        EXPECT_EQ(mprotect(memory_ + page_, page_, PROT_NONE), 0);
        std::memcpy(text_, text.data(), bytes_);
    }
    AtEndOfPage(const AtEndOfPage&) = delete;
    AtEndOfPage& operator=(const AtEndOfPage&) = delete;
    ~AtEndOfPage() { munmap(memory_, 2 * page_); }

    [[nodiscard]] OSSL_PARAM string(const char* name) const
    {
        return {name, OSSL_PARAM_UTF8_STRING, text_, bytes_, OSSL_PARAM_UNMODIFIED};
    }
    [[nodiscard]] OSSL_PARAM pointer(const char* name)
    {
        return {name, OSSL_PARAM_UTF8_PTR, static_cast<void*>(&text_), bytes_, OSSL_PARAM_UNMODIFIED};
    }

  private:
    std::size_t page_;
    char* memory_;
    char* text_;
    std::size_t bytes_;
};

/// Whether a new key that is given the parameter as its form is written as seed and expanded key.
bool writes_both(OSSL_PARAM form)
{
    const OSSL_PARAM params[] = {form, OSSL_PARAM_construct_end()};
    const Key key = generated("ML-DSA-44", params);
    return key && private_der(key).size() > 2560 + 32;
}

TEST(ProviderText, EndsWithItsLength)
{
    AtEndOfPage both("both");
    EXPECT_TRUE(writes_both(both.string("private-form"))) << errors();
    EXPECT_TRUE(writes_both(both.pointer("private-form"))) << errors();
    char longer[] = "bothersome";
    EXPECT_TRUE(writes_both({"private-form", OSSL_PARAM_UTF8_STRING, longer, 4, 0})) << errors();
    for (const std::size_t bytes : {3u, 5u})
        EXPECT_FALSE(writes_both({"private-form", OSSL_PARAM_UTF8_STRING, longer, bytes, 0})) << bytes;
    EXPECT_TRUE(says("private-form is seed, expanded or both"));
}

TEST(ProviderText, OfAFormThatFilesOfTheAlgorithmLackIsRefused)
{
    char form[] = "seed";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("private-form", form, 0),
                                 OSSL_PARAM_construct_end()};
    EXPECT_FALSE(generated("Falcon-512", params));
    EXPECT_TRUE(says("wrong parameter"));
}

TEST(ProviderText, EndsWithItsNulIfItHasOne)
{
    char padded[] = "both\0padding";
    EXPECT_TRUE(writes_both({"private-form", OSSL_PARAM_UTF8_STRING, padded, sizeof padded, 0})) << errors();
}

TEST(ProviderText, IsNoOtherType)
{
    char both[] = "both";
    EXPECT_FALSE(writes_both({"private-form", OSSL_PARAM_OCTET_STRING, both, 4, 0}));
    EXPECT_TRUE(says("private-form is seed, expanded or both"));
    EXPECT_FALSE(writes_both({"private-form", OSSL_PARAM_UTF8_STRING, nullptr, 4, 0}));
    EXPECT_FALSE(writes_both({"private-form", OSSL_PARAM_UTF8_PTR, nullptr, 4, 0}));
    char* none = nullptr;
    EXPECT_FALSE(writes_both({"private-form", OSSL_PARAM_UTF8_PTR, static_cast<void*>(&none), 4, 0}));
}

TEST(ProviderText, OfAFormThatIsRefusedLeavesTheSeedOut)
{
    const KeyContext context(EVP_PKEY_CTX_new_from_name(library(), "ML-DSA-44", from_girih));
    Bytes seed(32);
    char form[] = "none";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("seed", seed.data(), seed.size()),
                                 OSSL_PARAM_construct_utf8_string("private-form", form, 0),
                                 OSSL_PARAM_construct_end()};
    EVP_PKEY* key = nullptr;
    ASSERT_EQ(EVP_PKEY_keygen_init(context.get()), 1);
    EXPECT_NE(EVP_PKEY_CTX_set_params(context.get(), params), 1);
    ASSERT_EQ(EVP_PKEY_generate(context.get(), &key), 1);
    EXPECT_NE(octets(Key(key), "seed"), seed);
}

/// A private key's file, by an encoder that is given the parameters; empty if it refuses them.
Bytes encrypted(const Key& key, const OSSL_PARAM* params, const char* structure = "PrivateKeyInfo")
{
    const Owned<OSSL_ENCODER_CTX, OSSL_ENCODER_CTX_free> encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key.get(), EVP_PKEY_KEYPAIR, "DER", structure, nullptr));
    const std::string_view phrase = "correct-horse";
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    if (OSSL_ENCODER_CTX_set_passphrase(encoder.get(), reinterpret_cast<const unsigned char*>(phrase.data()),
                                        phrase.size()) != 1 ||
        OSSL_ENCODER_CTX_set_params(encoder.get(), params) != 1 ||
        OSSL_ENCODER_to_data(encoder.get(), &data, &bytes) != 1)
        return {};
    Bytes der(data, data + bytes);
    OPENSSL_free(data);
    return der;
}

bool is_encrypted(const Bytes& der)
{
    const std::uint8_t* cursor = der.data();
    return Owned<X509_SIG, X509_SIG_free>(d2i_X509_SIG(nullptr, &cursor, static_cast<long>(der.size()))) !=
           nullptr;
}

TEST(ProviderText, OfACipherAndItsPropertiesEndsWithItsLength)
{
    const Key key = generated("ML-DSA-44");
    AtEndOfPage cipher("AES-256-CBC");
    AtEndOfPage properties("provider=default");
    AtEndOfPage nobody("provider=nobody");
    for (const bool by_pointer : {false, true}) {
        const OSSL_PARAM named = by_pointer ? cipher.pointer("cipher") : cipher.string("cipher");
        const OSSL_PARAM good[] = {
            named, by_pointer ? properties.pointer("properties") : properties.string("properties"),
            OSSL_PARAM_construct_end()};
        EXPECT_TRUE(is_encrypted(encrypted(key, good))) << errors();
        const OSSL_PARAM bad[] = {named,
                                  by_pointer ? nobody.pointer("properties") : nobody.string("properties"),
                                  OSSL_PARAM_construct_end()};
        EXPECT_EQ(encrypted(key, bad), Bytes());
        EXPECT_TRUE(says("there is no cipher AES-256-CBC"));
    }
    int number = 1;
    const OSSL_PARAM wrong[] = {OSSL_PARAM_construct_int("cipher", &number), OSSL_PARAM_construct_end()};
    EXPECT_EQ(encrypted(key, wrong), Bytes());
    EXPECT_TRUE(says("cipher is no text"));
}

TEST(ProviderEncryption, NeedsAPassphrase)
{
    const Key key = generated("ML-DSA-44");
    char name[] = "AES-256-CBC";
    const OSSL_PARAM cipher[] = {OSSL_PARAM_construct_utf8_string("cipher", name, 0),
                                 OSSL_PARAM_construct_end()};
    const Owned<OSSL_ENCODER_CTX, OSSL_ENCODER_CTX_free> encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key.get(), EVP_PKEY_KEYPAIR, "DER", "PrivateKeyInfo", nullptr));
    ASSERT_EQ(OSSL_ENCODER_CTX_set_params(encoder.get(), cipher), 1);
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    ERR_clear_error();
    EXPECT_NE(OSSL_ENCODER_to_data(encoder.get(), &data, &bytes), 1);
    EXPECT_TRUE(says("there is no passphrase"));
}

TEST(ProviderEncryption, NeedsACipher)
{
    const OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
    EXPECT_EQ(encrypted(generated("ML-DSA-44"), none, "EncryptedPrivateKeyInfo"), Bytes());
    EXPECT_TRUE(says("no cipher is named"));
}

TEST(ProviderOctets, SayWhereTheyAre)
{
    for (const auto type : std::array<unsigned, 2>{OSSL_PARAM_UTF8_STRING, OSSL_PARAM_INTEGER}) {
        Bytes seed(32);
        const OSSL_PARAM params[] = {{"seed", type, seed.data(), seed.size(), 0}, OSSL_PARAM_construct_end()};
        EXPECT_FALSE(generated("ML-DSA-44", params)) << type;
        EXPECT_FALSE(imported("ML-DSA-44", params)) << type;
        EXPECT_TRUE(says("seed is no octet string")) << type;
    }
    const OSSL_PARAM nowhere[] = {{"seed", OSSL_PARAM_OCTET_STRING, nullptr, 32, 0},
                                  OSSL_PARAM_construct_end()};
    EXPECT_FALSE(imported("ML-DSA-44", nowhere));
    EXPECT_TRUE(says("seed is no octet string"));
}

// ---- Which half is imported and exported

TEST(ProviderSelections, OfPublicHalvesImportNoPrivateOnes)
{
    const Key key = generated("ML-DSA-44");
    OSSL_PARAM* params = nullptr;
    ASSERT_EQ(EVP_PKEY_todata(key.get(), EVP_PKEY_KEYPAIR, &params), 1);
    const Key shown = imported("ML-DSA-44", params, EVP_PKEY_PUBLIC_KEY);
    const Key whole = imported("ML-DSA-44", params, OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
    OSSL_PARAM_free(params);
    EXPECT_EQ(octets(shown, "pub"), octets(key, "pub"));
    EXPECT_EQ(octets(shown, "priv"), Bytes());
    EXPECT_EQ(octets(shown, "seed"), Bytes());
    EXPECT_EQ(octets(whole, "priv"), octets(key, "priv"));

    Bytes seed = octets(key, "seed");
    const OSSL_PARAM secret[] = {OSSL_PARAM_construct_octet_string("seed", seed.data(), seed.size()),
                                 OSSL_PARAM_construct_end()};
    EXPECT_FALSE(imported("ML-DSA-44", secret, EVP_PKEY_PUBLIC_KEY));
    EXPECT_TRUE(says("the public key is empty"));
}

TEST(ProviderSelections, ExportWhatTheyName)
{
    const Key key = generated("ML-DSA-44");
    const auto exported = [&](int selection) {
        std::string names;
        const auto note = [](const OSSL_PARAM params[], void* argument) {
            for (const OSSL_PARAM* p = params; p->key != nullptr; ++p)
                *static_cast<std::string*>(argument) += std::string(p->key) + " ";
            return 1;
        };
        return EVP_PKEY_export(key.get(), selection, note, &names) == 1 ? names : "nothing";
    };
    EXPECT_EQ(exported(EVP_PKEY_KEYPAIR), "pub priv seed ");
    EXPECT_EQ(exported(OSSL_KEYMGMT_SELECT_PUBLIC_KEY), "pub ");
    EXPECT_EQ(exported(OSSL_KEYMGMT_SELECT_PRIVATE_KEY), "priv seed ");
    EXPECT_EQ(exported(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS), "nothing");
}

}  // namespace
}  // namespace girih::tests
