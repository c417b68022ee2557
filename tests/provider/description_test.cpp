/// Descriptions of keys and of the provider itself; loading and configuring it; and text
/// parameters.

#include <openssl/x509.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <map>
#include <thread>

#include "provider/support.hpp"

namespace girih::tests {
namespace {

// ---- Keys

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
    const Bytes text = encoded(key, {selection, "TEXT"});
    return {text.begin(), text.end()};
}

TEST(ProviderDescription, OfAKeyShowsTheHalvesThatAreAskedFor)
{
    for (const std::string head : {"ML-DSA-44", "Falcon-512"}) {
        const Key key = generated(head.c_str());
        const std::string shown = part("pub", octets(key, "pub"));
        const Bytes seed = octets(key, "seed");
        EXPECT_EQ(text_of(key, EVP_PKEY_KEYPAIR), head + " Private-Key:\n" +
                                                      (seed.empty() ? "" : part("seed", seed)) +
                                                      part("priv", octets(key, "priv")) + shown);
        EXPECT_EQ(text_of(key, EVP_PKEY_PUBLIC_KEY), head + " Public-Key:\n" + shown);
        EXPECT_EQ(text_of(public_half_of(key), EVP_PKEY_KEYPAIR), head + " Public-Key:\n" + shown);
    }
}

TEST(ProviderDescription, OfAKeyHasItsNumbers)
{
    for (const auto& [algorithm, bits, security_bits, category, max_size] :
         {std::tuple{"ML-DSA-44", 8 * 1312, 128, 2, 2420},
          {"ML-KEM-768", 8 * 1184, 192, 3, 1088},
          {"X25519MLKEM768", 8 * 1216, 192, 0, 1120},
          {"SecP256r1MLKEM768", 8 * 1249, 192, 0, 1153},
          {"SecP384r1MLKEM1024", 8 * 1665, 256, 0, 1665}}) {
        const Key key = generated(algorithm);
        for (const auto& [name, expected] : {std::pair{"bits", bits},
                                             {"security-bits", security_bits},
                                             {"security-category", category},
                                             {"max-size", max_size}}) {
            int value = 0;
            const bool has_it = expected != 0;
            EXPECT_EQ(EVP_PKEY_get_int_param(key.get(), name, &value) == 1, has_it) << name;
            EXPECT_EQ(value, expected) << algorithm << name;
            char text[16] = {};
            OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(name, text, sizeof text),
                                   OSSL_PARAM_construct_end()};
            EXPECT_EQ(EVP_PKEY_get_params(key.get(), params) != 1, has_it) << algorithm << name;
        }
    }
}

TEST(ProviderDescription, OfASigningKeySaysThatNoDigestIsTaken)
{
    char digest[16] = "unset";
    const auto says = [&digest](const char* algorithm) {
        return EVP_PKEY_get_utf8_string_param(generated(algorithm).get(), "mandatory-digest", digest,
                                              sizeof digest, nullptr) == 1;
    };
    EXPECT_TRUE(says("ML-DSA-44"));
    EXPECT_STREQ(digest, "");
    EXPECT_FALSE(says("ML-KEM-768"));
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
    EXPECT_NE(std::strchr(texts[1], '.'), nullptr);
    EXPECT_STRNE(texts[2], "no engine runs");
    EXPECT_EQ(status, 1);
    for (const OSSL_PARAM* each = params; each->key != nullptr; ++each) {
        OSSL_PARAM one[] = {*each, OSSL_PARAM_construct_end()};
        EXPECT_EQ(OSSL_PROVIDER_get_params(girih(), one), 1) << each->key;
        one[0].data_type = OSSL_PARAM_OCTET_STRING;
        EXPECT_NE(OSSL_PROVIDER_get_params(girih(), one), 1) << each->key;
    }
}

using CodePoints = std::map<std::string, unsigned int>;

/// Reads the code points of TLS in a capability.
struct TlsReader {
    const char* name;
    const char* code_point;
    std::size_t most = 0;
    CodePoints found = {};

    /// Stops the provider after `entries`.
    bool read(const char* capability, std::size_t entries = 100)
    {
        most = entries;
        found.clear();
        const auto note = [](const OSSL_PARAM params[], void* argument) {
            auto& into = *static_cast<TlsReader*>(argument);
            const OSSL_PARAM* text = OSSL_PARAM_locate_const(params, into.name);
            unsigned int value = 0;
            if (OSSL_PARAM_get_uint(OSSL_PARAM_locate_const(params, into.code_point), &value) != 1) return 0;
            into.found[static_cast<const char*>(text->data)] = value;
            return into.found.size() < into.most ? 1 : 0;
        };
        return OSSL_PROVIDER_get_capabilities(girih(), capability, note, this) == 1;
    }
};

TEST(ProviderTls, HasIanasNumbersAndEndsWhereItIsRefused)
{
    const CodePoints groups{{"MLKEM512", 0x0200},       {"MLKEM768", 0x0201},
                            {"MLKEM1024", 0x0202},      {"SecP256r1MLKEM768", 0x11EB},
                            {"X25519MLKEM768", 0x11EC}, {"SecP384r1MLKEM1024", 0x11ED}};
    const CodePoints signatures{{"mldsa44", 0x0904}, {"mldsa65", 0x0905}, {"mldsa87", 0x0906}};
    for (auto [capability, reader, expected] :
         {std::tuple{"TLS-GROUP", TlsReader{"tls-group-name", "tls-group-id"}, groups},
          {"TLS-SIGALG", TlsReader{"tls-sigalg-iana-name", "tls-sigalg-code-point"}, signatures}}) {
        EXPECT_TRUE(reader.read(capability));
        EXPECT_EQ(reader.found, expected);
        for (std::size_t entries = 1; entries <= expected.size(); ++entries) {
            EXPECT_FALSE(reader.read(capability, entries));
            EXPECT_EQ(reader.found.size(), entries);
        }
        EXPECT_FALSE(reader.read("other"));
    }
}

// ---- Loading

bool loads_and_makes_a_key(std::barrier<>& all)
{
    const Library context = new_library();
    const Module standard(OSSL_PROVIDER_load(context.get(), "default"));
    all.arrive_and_wait();
    const Module girih(OSSL_PROVIDER_load(context.get(), "girih-provider"));
    return girih && generated("ML-KEM-768", {}, context.get()) && ERR_peek_error() == 0;
}

bool all_load_at_once()
{
    std::array<std::thread, 8> threads;
    std::array<char, 8> good{};
    std::barrier<> all(threads.size());
    for (std::size_t t = 0; t < threads.size(); ++t)
        threads[t] = std::thread([&, t] { good[t] = loads_and_makes_a_key(all) ? 1 : 0; });
    for (auto& thread : threads) thread.join();
    return std::ranges::count(good, 1) == 8;
}

/// The first load of a process registers identifiers. (A death test of the style "threadsafe" is a
/// process that has done nothing yet.)
TEST(ProviderLoadDeathTest, BySeveralThreadsAtOnce)
{
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    for (int round = 0; round < 60 && !HasFailure(); ++round)
        EXPECT_EXIT(std::exit(all_load_at_once() ? 0 : 1), testing::ExitedWithCode(0), "");
}

// ---- Configuration

/// The size of a new key's file if the configuration names a form; 0 if the configuration is
/// refused.
std::size_t bytes_with(const std::string& form)
{
    const Library context = configured("private-form = " + form);
    const Key key = context ? generated("ML-DSA-44", {}, context.get()) : nullptr;
    return key ? private_der(key).size() : 0;
}

TEST(ProviderConfiguration, NamesTheFormOfNewKeys)
{
    for (const auto& [form, bytes] :
         {std::pair{"seed", 54u}, {"expanded", 2588u}, {"both", 2626u}, {"none", 0u}})
        EXPECT_EQ(bytes_with(form), bytes) << form << errors();
}

// ---- Parameters of text

/// A copy of a text whose last byte is the last of a page; the next page cannot be read.
char* at_end_of_page(std::string_view text)
{
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const end = static_cast<char*>(pages) + page;
    EXPECT_EQ(mprotect(end, page, PROT_NONE), 0);
    return static_cast<char*>(std::memcpy(end - text.size(), text.data(), text.size()));
}

/// Whether a new key with the text as its form is written as seed and expanded key.
bool writes_both(unsigned type, const void* data, std::size_t bytes)
{
    const Key key =
        generated("ML-DSA-44", Params().add({"private-form", type, const_cast<void*>(data), bytes, 0}));
    return key && private_der(key).size() > 2560 + 32;
}

TEST(ProviderText, EndsWithItsLengthOrItsNul)
{
    const char* const both = at_end_of_page("both");
    EXPECT_TRUE(works(writes_both(OSSL_PARAM_UTF8_STRING, both, 4)));
    EXPECT_TRUE(works(writes_both(OSSL_PARAM_UTF8_PTR, &both, 4)));
    EXPECT_TRUE(works(writes_both(OSSL_PARAM_UTF8_STRING, "both\0padding", 12)));
    EXPECT_TRUE(works(writes_both(OSSL_PARAM_UTF8_STRING, "bothersome", 4)));
    for (const std::size_t bytes : {3u, 5u})
        EXPECT_TRUE(fails(writes_both(OSSL_PARAM_UTF8_STRING, "bothersome", bytes),
                          "private-form must be seed, expanded or both"));
}

TEST(ProviderText, IsNoOtherType)
{
    EXPECT_TRUE(fails(writes_both(OSSL_PARAM_OCTET_STRING, "both", 4),
                      "private-form must be seed, expanded or both"));
    const char* none = nullptr;
    EXPECT_FALSE(writes_both(OSSL_PARAM_UTF8_STRING, nullptr, 4));
    EXPECT_FALSE(writes_both(OSSL_PARAM_UTF8_PTR, nullptr, 4));
    EXPECT_FALSE(writes_both(OSSL_PARAM_UTF8_PTR, &none, 4));
}

TEST(ProviderText, OfAFormThatIsRefusedLeavesTheSeedOut)
{
    errors();
    EXPECT_TRUE(fails(generated("Falcon-512", Params().text("private-form", "seed")), "wrong parameter"));
    const KeyContext context = context_of("ML-DSA-44");
    const Bytes seed(32);
    EVP_PKEY* key = nullptr;
    ASSERT_EQ(EVP_PKEY_keygen_init(context.get()), 1);
    EXPECT_NE(
        EVP_PKEY_CTX_set_params(context.get(), Params().octets("seed", seed).text("private-form", "none")),
        1);
    ASSERT_EQ(EVP_PKEY_generate(context.get(), &key), 1);
    EXPECT_NE(octets(Key(key), "seed"), seed);
}

// ---- Encryption

class ProviderEncryption : public testing::Test {
  protected:
    void SetUp() override { errors(); }
    [[nodiscard]] Bytes encrypted(const Params& params, const char* structure = "PrivateKeyInfo",
                                  const char* passphrase = "correct-horse") const
    {
        return encoded(key_, {EVP_PKEY_KEYPAIR, "DER", structure, passphrase}, params);
    }

    Key key_ = generated("ML-DSA-44");
};

TEST_F(ProviderEncryption, ReadsItsCipherAndPropertiesToTheirEnds)
{
    char *cipher = at_end_of_page("AES-256-CBC"), *standard = at_end_of_page("provider=default"),
         *nobody = at_end_of_page("provider=nobody");
    for (const bool by_pointer : {false, true}) {
        const auto param = [by_pointer](const char* name, char*& text, std::size_t bytes) -> OSSL_PARAM {
            if (by_pointer) return {name, OSSL_PARAM_UTF8_PTR, static_cast<void*>(&text), bytes, 0};
            return {name, OSSL_PARAM_UTF8_STRING, text, bytes, 0};
        };
        const auto from = [&](char*& provider, std::size_t bytes) {
            return Params().add(param("cipher", cipher, 11)).add(param("properties", provider, bytes));
        };
        const Bytes der = encrypted(from(standard, 16));
        const std::uint8_t* cursor = der.data();
        const Owned<X509_SIG, X509_SIG_free> parsed(
            d2i_X509_SIG(nullptr, &cursor, static_cast<long>(der.size())));
        EXPECT_TRUE(works(parsed));
        EXPECT_TRUE(fails(encrypted(from(nobody, 15)), "there is no cipher AES-256-CBC"));
    }
}

TEST_F(ProviderEncryption, NeedsACipherAndAPassphrase)
{
    EXPECT_TRUE(fails(encrypted(Params().number("cipher", 1)), "cipher is not text"));
    EXPECT_TRUE(fails(encrypted({}, "EncryptedPrivateKeyInfo"), "no cipher is named"));
    EXPECT_TRUE(fails(encrypted(Params().text("cipher", "AES-256-CBC"), "PrivateKeyInfo", nullptr),
                      "there is no passphrase"));
}

}  // namespace
}  // namespace girih::tests
