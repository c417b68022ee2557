/// What the provider says of itself and of keys, and what its configuration says.

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string_view>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

OSSL_PROVIDER* girih()
{
    static const Owned<OSSL_PROVIDER, OSSL_PROVIDER_unload> loaded(
        OSSL_PROVIDER_load(library(), "girih-provider"));
    return loaded.get();
}

// ---- Text

std::string part(const char* label, const Bytes& bytes)
{
    std::string all = std::string(label) + ":";
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        char digits[8];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        all += (i % 15 == 0 ? "\n    " : "") + std::string(digits) + (i + 1 < bytes.size() ? ":" : "");
    }
    return all + "\n";
}

std::string text_of(const Key& key, int selection)
{
    const Owned<OSSL_ENCODER_CTX, OSSL_ENCODER_CTX_free> encoder(
        OSSL_ENCODER_CTX_new_for_pkey(key.get(), selection, "TEXT", nullptr, nullptr));
    unsigned char* data = nullptr;
    std::size_t bytes = 0;
    if (OSSL_ENCODER_to_data(encoder.get(), &data, &bytes) != 1) return errors();
    std::string text(reinterpret_cast<char*>(data), bytes);
    OPENSSL_free(data);
    return text;
}

TEST(ProviderDescription, ShowsTheHalvesThatAreAskedFor)
{
    for (const char* name : {"ML-DSA-44", "Falcon-512"}) {
        const Key key = generated(name);
        const std::string head = name;
        const std::string shown = part("pub", octets(key, "pub"));
        const Bytes seed = octets(key, "seed");
        EXPECT_EQ(text_of(key, EVP_PKEY_KEYPAIR), head + " Private-Key:\n" +
                                                      (seed.empty() ? "" : part("seed", seed)) +
                                                      part("priv", octets(key, "priv")) + shown);
        EXPECT_EQ(text_of(key, EVP_PKEY_PUBLIC_KEY), head + " Public-Key:\n" + shown);
        const Key half = decoded(public_der(key), EVP_PKEY_PUBLIC_KEY);
        EXPECT_EQ(text_of(half, EVP_PKEY_KEYPAIR), head + " Public-Key:\n" + shown);
    }
}

// ---- The provider's own parameters

TEST(ProviderDescription, HasNameVersionEngineAndStatus)
{
    const char* texts[3] = {};
    int status = 0;
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_NAME, const_cast<char**>(&texts[0]), 0),
        OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, const_cast<char**>(&texts[1]), 0),
        OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, const_cast<char**>(&texts[2]), 0),
        OSSL_PARAM_construct_int(OSSL_PROV_PARAM_STATUS, &status), OSSL_PARAM_construct_end()};
    ASSERT_EQ(OSSL_PROVIDER_get_params(girih(), params), 1);
    EXPECT_STREQ(texts[0], "girih provider");
    EXPECT_TRUE(std::strchr(texts[1], '.') != nullptr);
    EXPECT_STRNE(texts[2], "no engine runs");
    EXPECT_EQ(status, 1);
    for (const OSSL_PARAM& each : params) {
        if (each.key == nullptr) break;
        OSSL_PARAM one[] = {each, OSSL_PARAM_construct_end()};
        EXPECT_EQ(OSSL_PROVIDER_get_params(girih(), one), 1) << each.key;
        one[0].data_type = OSSL_PARAM_OCTET_STRING;
        EXPECT_NE(OSSL_PROVIDER_get_params(girih(), one), 1) << each.key;
    }
}

TEST(ProviderDescription, OfTlsEndsWhereItIsRefused)
{
    struct Count {
        int calls;
        int refused;
    };
    const auto count = [](const OSSL_PARAM*, void* argument) {
        auto& all = *static_cast<Count*>(argument);
        return ++all.calls == all.refused ? 0 : 1;
    };
    for (const auto& [capability, entries] : {std::pair{"TLS-GROUP", 4}, std::pair{"TLS-SIGALG", 3}}) {
        for (int refused = 1; refused <= entries; ++refused) {
            Count all{0, refused};
            EXPECT_EQ(OSSL_PROVIDER_get_capabilities(girih(), capability, count, &all), 0) << refused;
            EXPECT_EQ(all.calls, refused) << capability;
        }
    }
    Count none{0, 0};
    EXPECT_EQ(OSSL_PROVIDER_get_capabilities(girih(), "other", count, &none), 0);
}

// ---- A key's parameters

TEST(ProviderDescription, OfAKeyHasItsNumbers)
{
    const auto number = [](const Key& key, const char* name) {
        int value = 0;
        EXPECT_EQ(EVP_PKEY_get_int_param(key.get(), name, &value), 1) << name;
        return value;
    };
    const Key signing = generated("ML-DSA-44");
    const Key kem = generated("ML-KEM-768");
    const Key hybrid = generated("X25519MLKEM768");
    EXPECT_EQ(number(signing, "bits"), 8 * 1312);
    EXPECT_EQ(number(kem, "bits"), 8 * 1184);
    EXPECT_EQ(number(hybrid, "bits"), 8 * 1216);
    EXPECT_EQ(number(signing, "security-bits"), 128);
    EXPECT_EQ(number(kem, "security-bits"), 192);
    EXPECT_EQ(number(hybrid, "security-bits"), 192);
    EXPECT_EQ(number(signing, "security-category"), 2);
    EXPECT_EQ(number(kem, "security-category"), 3);
    EXPECT_EQ(number(signing, "max-size"), 2420);
    EXPECT_EQ(number(kem, "max-size"), 1088);
    EXPECT_EQ(number(hybrid, "max-size"), 1120);
    for (const char* name : {"bits", "security-bits", "security-category", "max-size"}) {
        char text[16] = {};
        OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(name, text, sizeof text),
                               OSSL_PARAM_construct_end()};
        EXPECT_NE(EVP_PKEY_get_params(signing.get(), params), 1) << name;
        const bool hybrid_has_it = name != std::string_view("security-category");
        EXPECT_EQ(EVP_PKEY_get_params(hybrid.get(), params) != 1, hybrid_has_it) << name;
    }
}

TEST(ProviderDescription, OfAKeyNeedsRoom)
{
    const Key key = generated("ML-DSA-44");
    for (const char* name : {"pub", "priv", "seed", "encoded-pub-key"}) {
        std::uint8_t byte = 0;
        OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, &byte, 1), OSSL_PARAM_construct_end()};
        EXPECT_NE(EVP_PKEY_get_params(key.get(), params), 1) << name;
        EXPECT_EQ(byte, 0) << name;
    }
}

TEST(ProviderDescription, OfASigningKeySaysThatNoDigestIsTaken)
{
    char digest[16] = "unset";
    EXPECT_EQ(EVP_PKEY_get_utf8_string_param(generated("ML-DSA-44").get(), "mandatory-digest", digest,
                                             sizeof digest, nullptr),
              1);
    EXPECT_STREQ(digest, "");
    EXPECT_NE(EVP_PKEY_get_utf8_string_param(generated("ML-KEM-768").get(), "mandatory-digest", digest,
                                             sizeof digest, nullptr),
              1);
}

// ---- Configuration

/// The bytes of a new key's file where the configuration names a form; 0 if the configuration is
/// refused.
std::size_t bytes_with(const std::string& form)
{
    const std::string path = testing::TempDir() + "girih-" + std::to_string(getpid()) + ".cnf";
    std::ofstream(path) << "openssl_conf = init\n[init]\nproviders = all\n[all]\ndefault = standard\n"
                           "girih-provider = girih\n[standard]\nactivate = 1\n[girih]\nactivate = 1\n"
                           "private-form = "
                        << form << "\n";
    const Owned<OSSL_LIB_CTX, OSSL_LIB_CTX_free> context(OSSL_LIB_CTX_new());
    find_girih(context.get());
    const bool is_read = OSSL_LIB_CTX_load_config(context.get(), path.c_str()) == 1;
    std::filesystem::remove(path);
    const KeyContext generation(EVP_PKEY_CTX_new_from_name(context.get(), "ML-DSA-44", from_girih));
    EVP_PKEY* key = nullptr;
    if (!is_read || !generation || EVP_PKEY_keygen_init(generation.get()) != 1 ||
        EVP_PKEY_generate(generation.get(), &key) != 1)
        return 0;
    return private_der(Key(key)).size();
}

TEST(ProviderConfiguration, NamesTheFormOfNewKeys)
{
    EXPECT_EQ(bytes_with("seed"), 54u) << errors();
    EXPECT_EQ(bytes_with("expanded"), 2588u) << errors();
    EXPECT_EQ(bytes_with("both"), 2626u) << errors();
    EXPECT_EQ(bytes_with("none"), 0u);
}

}  // namespace
}  // namespace girih::tests
