#include "samples.hpp"

#include <fstream>
#include <iterator>
#include <map>

#include "support/bytes.hpp"

namespace girih::key_files::samples {
namespace {

Bytes identifier_of(std::string_view name)
{
    static const std::map<std::string_view, const char*> identifiers{
        {"ML-DSA-44", "608648016503040311"},
        {"ML-DSA-65", "608648016503040312"},
        {"ML-DSA-87", "608648016503040313"},
        {"Dilithium2", "2b0601040102820b070404"},
        {"Dilithium3", "2b0601040102820b070605"},
        {"Dilithium5", "2b0601040102820b070807"},
        {"Falcon-512", "2bce0f030b"},
        {"Falcon-1024", "2bce0f030e"},
        {"Falcon-padded-512", "2bce0f0310"},
        {"Falcon-padded-1024", "2bce0f0313"},
        {"Falcon-CT-512", "2bce0f030b"},
        {"Falcon-CT-1024", "2bce0f030e"},
        {"ML-KEM-512", "608648016503040401"},
        {"ML-KEM-768", "608648016503040402"},
        {"ML-KEM-1024", "608648016503040403"},
        // 1.3.6.1.4.1.22554.5.7 and two more arcs; 22554 is 1, 48 and 26 in base 128
        {"ntrulpr653", "2b0601040181b01a05070101"},
        {"ntrulpr761", "2b0601040181b01a05070102"},
        {"ntrulpr857", "2b0601040181b01a05070103"},
        {"ntrulpr953", "2b0601040181b01a05070104"},
        {"ntrulpr1013", "2b0601040181b01a05070105"},
        {"ntrulpr1277", "2b0601040181b01a05070106"},
        {"sntrup653", "2b0601040181b01a05070201"},
        {"sntrup761", "2b0601040181b01a05070202"},
        {"sntrup857", "2b0601040181b01a05070203"},
        {"sntrup953", "2b0601040181b01a05070204"},
        {"sntrup1013", "2b0601040181b01a05070205"},
        {"sntrup1277", "2b0601040181b01a05070206"},
        {"Ed25519", "2b6570"},
        {"RSA", "2a864886f70d010101"},
        {"2.999.3", "883703"},
    };
    return test::from_hex(identifiers.at(name));
}

}  // namespace

Bytes join(std::initializer_list<Bytes> parts)
{
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

Bytes shorter(Bytes bytes) { return bytes.pop_back(), bytes; }
Bytes longer(Bytes bytes) { return bytes.push_back(0), bytes; }
Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t count)
{
    return {bytes.data() + begin, bytes.data() + begin + count};
}

Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t flip)
{
    bytes.at(at) ^= flip;
    return bytes;
}

Bytes contents(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
Bytes bytes_of(const SecretBytes& secret) { return {secret.begin(), secret.end()}; }

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
Bytes sequence(std::initializer_list<Bytes> parts) { return element(0x30, join(parts)); }
Bytes integer(std::uint8_t value) { return element(0x02, {value}); }
Bytes octets(const Bytes& content) { return element(0x04, content); }
Bytes seed_choice(const Bytes& seed) { return element(0x80, seed); }
Bytes bits(const Bytes& content) { return join({{0}, content}); }

Bytes algorithm_of(std::string_view name, const Bytes& parameters)
{
    return sequence({element(0x06, identifier_of(name)), parameters});
}

Bytes pkcs8(std::string_view alg, const Bytes& private_key, std::uint8_t version, const Bytes& rest)
{
    return sequence({integer(version), algorithm_of(alg), octets(private_key), rest});
}
Bytes public_field(const Bytes& bit_string) { return element(0x81, bit_string); }

Bytes public_key_bits(const girih_alg* alg, const Bytes& key)
{
    const bool is_ntru_prime = girih_is_kem(alg) == 1 && !has_all_forms(alg);
    return bits(is_ntru_prime ? octets(key) : key);
}

Bytes public_key_info(std::string_view alg, const Bytes& bit_string)
{
    return sequence({algorithm_of(alg), element(0x03, bit_string)});
}

const Bytes& certified_key() { return key_of("ML-DSA-44").public_key; }

Bytes Certificate::der() const
{
    const Bytes tbs =
        sequence({version, serial_number, signature, issuer, validity, subject, public_key, optional_fields});
    return sequence({tbs, signature_algorithm, signature_value, rest});
}

std::vector<const girih_alg*> algorithms(std::string_view family)
{
    std::vector<const girih_alg*> all;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (std::string_view(girih_name(alg)).starts_with(family)) all.push_back(alg);
    return all;
}
std::vector<const girih_alg*> algorithms() { return algorithms(""); }

bool has_all_forms(const girih_alg* alg) { return std::string_view(girih_name(alg)).starts_with("ML-"); }

const girih_alg* needed_name(const girih_alg* alg, Format format)
{
    const bool shares_identifier = std::string_view(girih_name(alg)).starts_with("Falcon-CT");
    return format == Format::raw || shares_identifier ? alg : nullptr;
}

const PrivateKey& key_of(const girih_alg* alg, std::uint8_t value)
{
    static std::map<std::pair<const girih_alg*, std::uint8_t>, PrivateKey> made;
    const auto known = made.find({alg, value});
    if (known != made.end()) return known->second;
    auto key = from_seed(alg, Bytes(girih_seed_bytes(alg), value));
    EXPECT_TRUE(key) << key.error().message;
    return made[{alg, value}] = std::move(*key);
}
const PrivateKey& key_of(const char* alg, std::uint8_t value) { return key_of(girih_algorithm(alg), value); }

PublicKey public_half(const PrivateKey& key) { return {key.alg, key.public_key}; }

std::vector<std::pair<std::string, Bytes>> files_of(const girih_alg* alg, const Bytes& key)
{
    const Bytes info = public_key_info(girih_name(alg), public_key_bits(alg, key));
    return {{"raw", key},
            {"DER", write_public_key({alg, key}, Format::der)},
            {"PEM", write_public_key({alg, key}, Format::pem)},
            {"certificate", Certificate{.public_key = info}.der()}};
}

Passphrase words()
{
    static const Bytes words = bytes_of("correct horse");
    return {words};
}

Encryption quick(Kdf kdf) { return {kdf, 2, 4, 1, 1}; }

void expect_refused(const Malformed& sample, const girih_alg* alg)
{
    const auto file = read(sample.file, alg);
    ASSERT_FALSE(file) << sample.name << " was read";
    const Error& error = file.error();
    EXPECT_EQ(static_cast<int>(error.problem), static_cast<int>(sample.problem))
        << sample.name << error.message;
    EXPECT_NE(error.message.find(sample.says), std::string::npos) << sample.name << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}

void expect_refused(const std::vector<Malformed>& all)
{
    for (const Malformed& sample : all) {
        SCOPED_TRACE(sample.name);
        expect_refused(sample);
    }
}

}  // namespace girih::key_files::samples
