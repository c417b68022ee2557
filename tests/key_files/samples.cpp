#include "samples.hpp"

#include <fstream>
#include <iterator>

namespace girih::key_files::samples {
namespace {

struct Identifier {
    std::string_view name;
    Bytes content;
};

/// 1.3.6.1.4.1.22554.5.7 and two more arcs; 22554 is 1, 48 and 26 in base 128.
Bytes ntru_prime(std::uint8_t kind, std::uint8_t size)
{
    return {0x2B, 0x06, 0x01, 0x04, 0x01, 0x81, 0xB0, 0x1A, 0x05, 0x07, kind, size};
}

const Bytes& identifier_of(std::string_view name)
{
    static const std::vector<Identifier> identifiers{
        {"ML-DSA-44", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x11}},
        {"ML-DSA-65", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12}},
        {"ML-DSA-87", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x13}},
        {"Dilithium2", {0x2B, 0x06, 0x01, 0x04, 0x01, 0x02, 0x82, 0x0B, 0x07, 0x04, 0x04}},
        {"Dilithium3", {0x2B, 0x06, 0x01, 0x04, 0x01, 0x02, 0x82, 0x0B, 0x07, 0x06, 0x05}},
        {"Dilithium5", {0x2B, 0x06, 0x01, 0x04, 0x01, 0x02, 0x82, 0x0B, 0x07, 0x08, 0x07}},
        {"Falcon-512", {0x2B, 0xCE, 0x0F, 0x03, 0x0B}},
        {"Falcon-1024", {0x2B, 0xCE, 0x0F, 0x03, 0x0E}},
        {"Falcon-padded-512", {0x2B, 0xCE, 0x0F, 0x03, 0x10}},
        {"Falcon-padded-1024", {0x2B, 0xCE, 0x0F, 0x03, 0x13}},
        {"Falcon-CT-512", {0x2B, 0xCE, 0x0F, 0x03, 0x0B}},
        {"Falcon-CT-1024", {0x2B, 0xCE, 0x0F, 0x03, 0x0E}},
        {"ML-KEM-512", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x01}},
        {"ML-KEM-768", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x02}},
        {"ML-KEM-1024", {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, 0x03}},
        {"ntrulpr653", ntru_prime(1, 1)},
        {"ntrulpr761", ntru_prime(1, 2)},
        {"ntrulpr857", ntru_prime(1, 3)},
        {"ntrulpr953", ntru_prime(1, 4)},
        {"ntrulpr1013", ntru_prime(1, 5)},
        {"ntrulpr1277", ntru_prime(1, 6)},
        {"sntrup653", ntru_prime(2, 1)},
        {"sntrup761", ntru_prime(2, 2)},
        {"sntrup857", ntru_prime(2, 3)},
        {"sntrup953", ntru_prime(2, 4)},
        {"sntrup1013", ntru_prime(2, 5)},
        {"sntrup1277", ntru_prime(2, 6)},
        {"Ed25519", {0x2B, 0x65, 0x70}},
        {"RSA", {0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01}},
        {"2.999.3", {0x88, 0x37, 0x03}},
    };
    for (const Identifier& identifier : identifiers)
        if (identifier.name == name) return identifier.content;
    static const Bytes none;
    ADD_FAILURE() << "no identifier for " << name;
    return none;
}

/// A certificate of a key of which no signature is checked.
Bytes certificate_of(std::string_view alg, const Bytes& bits)
{
    const Bytes empty = element(0x30, {});
    const Bytes tbs = join(
        {element(0x02, {1}), algorithm_of("ML-DSA-44"), empty, empty, empty, public_key_info(alg, bits)});
    return element(0x30, join({element(0x30, tbs), algorithm_of("ML-DSA-44"), element(0x03, {0})}));
}

}  // namespace

Bytes contents(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

Bytes join(std::initializer_list<Bytes> parts)
{
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Bytes element(std::uint8_t tag, const Bytes& content)
{
    const auto byte = [&content](unsigned shift) {
        return static_cast<std::uint8_t>(content.size() >> shift);
    };
    const Bytes head = content.size() < 0x80      ? Bytes{tag, byte(0)}
                       : content.size() < 0x100   ? Bytes{tag, 0x81, byte(0)}
                       : content.size() < 0x10000 ? Bytes{tag, 0x82, byte(8), byte(0)}
                                                  : Bytes{tag, 0x83, byte(16), byte(8), byte(0)};
    return join({head, content});
}

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t flip)
{
    bytes.at(at) ^= flip;
    return bytes;
}

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
Bytes bytes_of(const SecretBytes& secret) { return {secret.begin(), secret.end()}; }

Bytes algorithm_of(std::string_view name) { return element(0x30, element(0x06, identifier_of(name))); }

std::vector<const girih_alg*> algorithms()
{
    std::vector<const girih_alg*> all;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i) all.push_back(alg);
    return all;
}

bool has_all_forms(const girih_alg* alg) { return std::string_view(girih_name(alg)).starts_with("ML-"); }

const girih_alg* needed_name(const girih_alg* alg, Format format)
{
    const bool shares_identifier = std::string_view(girih_name(alg)).starts_with("Falcon-CT");
    return format == Format::raw || shares_identifier ? alg : nullptr;
}

PrivateKey key_of(const girih_alg* alg, std::uint8_t value)
{
    auto key = from_seed(alg, Bytes(girih_seed_bytes(alg), value));
    EXPECT_TRUE(key) << key.error().message;
    return std::move(*key);
}

PublicKey public_half(const PrivateKey& key) { return {key.alg, key.public_key}; }

Bytes pkcs8(std::string_view alg, const Bytes& private_key, std::uint8_t version, const Bytes& rest)
{
    return element(0x30,
                   join({element(0x02, {version}), algorithm_of(alg), element(0x04, private_key), rest}));
}

Bytes public_key_bits(const girih_alg* alg, const Bytes& key)
{
    const bool is_ntru_prime = girih_is_kem(alg) == 1 && !has_all_forms(alg);
    return join({{0}, is_ntru_prime ? element(0x04, key) : key});
}

Bytes public_key_info(std::string_view alg, const Bytes& bits)
{
    return element(0x30, join({algorithm_of(alg), element(0x03, bits)}));
}

std::vector<std::pair<std::string, Bytes>> files_of(const girih_alg* alg, const Bytes& key)
{
    return {{"raw", key},
            {"DER", write_public_key({alg, key}, Format::der)},
            {"PEM", write_public_key({alg, key}, Format::pem)},
            {"certificate", certificate_of(girih_name(alg), public_key_bits(alg, key))}};
}

void expect_refused(const Malformed& sample, const girih_alg* alg)
{
    const auto file = read(sample.file, alg);
    ASSERT_FALSE(file) << "was read";
    EXPECT_EQ(static_cast<int>(file.error().problem), static_cast<int>(sample.problem))
        << file.error().message;
    EXPECT_NE(file.error().message.find(sample.says), std::string::npos) << file.error().message;
    EXPECT_EQ(file.error().message.find('\n'), std::string::npos) << file.error().message;
}

}  // namespace girih::key_files::samples
