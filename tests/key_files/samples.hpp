/// Key files made by hand, so that the decoders are not tested with the encoders' own idea of DER.
#pragma once

#include <girih/key_files.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/bytes.hpp"

namespace girih::key_files::samples {

// ---- Bytes

inline Bytes join(std::initializer_list<Bytes> parts)
{
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}
inline Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t count)
{
    return {bytes.data() + begin, bytes.data() + begin + count};
}
inline Bytes shorter(const Bytes& bytes) { return slice(bytes, 0, bytes.size() - 1); }  ///< by one
inline Bytes longer(const Bytes& bytes) { return join({bytes, {0}}); }                  ///< by a zero
/// Bytes, one of them changed in these bits.
inline Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t flip)
{
    bytes.at(at) ^= flip;
    return bytes;
}

/// Bytes, some of them with these values.
inline Bytes with_bytes(Bytes bytes, std::size_t at, const Bytes& values)
{
    std::copy(values.begin(), values.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return bytes;
}

inline Bytes contents(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}
inline Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
inline Bytes bytes_of(const SecretBytes& secret) { return {secret.begin(), secret.end()}; }

// ---- DER

/// An element, with its length in the fewest bytes.
inline Bytes element(std::uint8_t tag, const Bytes& content)
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
inline Bytes sequence(std::initializer_list<Bytes> parts) { return element(0x30, join(parts)); }
inline Bytes integer(std::uint8_t value) { return element(0x02, {value}); }
inline Bytes octets(const Bytes& content) { return element(0x04, content); }
/// Under the tag that RFC 9881 has for a seed.
inline Bytes seed_choice(const Bytes& seed) { return element(0x80, seed); }
/// The content of a BIT STRING of whole bytes.
inline Bytes bits(const Bytes& content) { return join({{0}, content}); }

/// AlgorithmIdentifier, with an identifier that was encoded by hand.
inline Bytes algorithm_of(std::string_view name, const Bytes& parameters = {})
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
    return sequence({element(0x06, test::from_hex(identifiers.at(name))), parameters});
}

/// OneAsymmetricKey from the content of privateKey; `version` is that of the key, and `rest`
/// follows privateKey.
inline Bytes pkcs8(std::string_view alg, const Bytes& private_key, std::uint8_t version = 0,
                   const Bytes& rest = {})
{
    return sequence({integer(version), algorithm_of(alg), octets(private_key), rest});
}
/// The field publicKey of OneAsymmetricKey.
inline Bytes public_field(const Bytes& bit_string) { return element(0x81, bit_string); }

/// SubjectPublicKeyInfo from the content of the BIT STRING.
inline Bytes public_key_info(std::string_view alg, const Bytes& bit_string)
{
    return sequence({algorithm_of(alg), element(0x03, bit_string)});
}

// ---- Keys

/// The algorithms whose names begin with `family`.
inline std::vector<const girih_alg*> algorithms(std::string_view family = "")
{
    std::vector<const girih_alg*> all;
    for (std::size_t i = 0; const girih_alg* alg = girih_algorithm_at(i); ++i)
        if (std::string_view(girih_name(alg)).starts_with(family)) all.push_back(alg);
    return all;
}

/// Whether private keys in PEM and DER have all three forms, as those of ML-DSA and ML-KEM do.
inline bool has_all_forms(const girih_alg* alg)
{
    return std::string_view(girih_name(alg)).starts_with("ML-");
}
inline bool is_ntru_prime(const girih_alg* alg) { return girih_is_kem(alg) == 1 && !has_all_forms(alg); }

/// The algorithm that a reader needs as an argument, because the file does not name it; null if it
/// does.
inline const girih_alg* needed_name(const girih_alg* alg, Format format)
{
    const bool shares_identifier = std::string_view(girih_name(alg)).starts_with("Falcon-CT");
    return format == Format::raw || shares_identifier ? alg : nullptr;
}

/// The key of the seed whose bytes are all `value`.
inline const PrivateKey& key_of(const girih_alg* alg, std::uint8_t value = 7)
{
    static std::map<std::pair<const girih_alg*, std::uint8_t>, PrivateKey> made;
    const auto known = made.find({alg, value});
    if (known != made.end()) return known->second;
    auto key = from_seed(alg, Bytes(girih_seed_bytes(alg), value));
    EXPECT_TRUE(key) << key.error().message;
    return made[{alg, value}] = std::move(*key);
}
inline const PrivateKey& key_of(const char* alg, std::uint8_t value = 7)
{
    return key_of(girih_algorithm(alg), value);
}
inline Bytes seed_of(const char* alg) { return bytes_of(key_of(alg).seed); }
inline Bytes secret_of(const char* alg, std::uint8_t value = 7)
{
    return bytes_of(key_of(alg, value).expanded);
}
inline PublicKey public_half(const PrivateKey& key) { return {key.alg, key.public_key}; }

/// The parts of a secret key of NTRU Prime, which a test may replace.
struct NtruPrimeParts {
    const char* alg;
    Bytes f = {};             ///< or a
    Bytes g_reciprocal = {};  ///< of Streamlined NTRU Prime only
    Bytes public_key = {};
    Bytes rho = {};
    Bytes hash = {};

    [[nodiscard]] NtruPrimeParts with(Bytes NtruPrimeParts::* part, const Bytes& value) const
    {
        NtruPrimeParts changed = *this;
        changed.*part = value;
        return changed;
    }
    /// The content in Bouncy Castle's order.
    [[nodiscard]] Bytes content(const Bytes& rest = {}) const
    {
        return sequence({octets(f), g_reciprocal.empty() ? Bytes{} : octets(g_reciprocal), octets(public_key),
                         octets(rho), octets(hash), rest});
    }
    [[nodiscard]] Bytes der() const { return pkcs8(alg, content()); }
};

inline NtruPrimeParts parts_of(const char* alg)
{
    const Bytes all = secret_of(alg);
    const std::size_t shown = key_of(alg).public_key.size();
    const bool is_streamlined = std::string_view(alg).starts_with("sntrup");
    const std::size_t small = is_streamlined ? (all.size() - shown - 32) / 3 : all.size() - shown - 64;
    const std::size_t shown_at = is_streamlined ? 2 * small : small, hash_at = all.size() - 32;
    return {.alg = alg,
            .f = slice(all, 0, small),
            .g_reciprocal = slice(all, small, shown_at - small),
            .public_key = slice(all, shown_at, shown),
            .rho = slice(all, shown_at + shown, hash_at - shown_at - shown),
            .hash = slice(all, hash_at, 32)};
}

/// The content of the BIT STRING that holds a public key.
inline Bytes public_key_bits(const girih_alg* alg, const Bytes& key)
{
    return bits(is_ntru_prime(alg) ? octets(key) : key);
}

/// The key that a Certificate certifies by default.
inline const Bytes& certified_key() { return key_of("ML-DSA-44").public_key; }

/// The fields of a certificate, each of which a test may replace.
struct Certificate {
    Bytes version = element(0xA0, integer(2));
    Bytes serial_number = integer(1);
    Bytes signature = algorithm_of("ML-DSA-44");
    Bytes issuer = sequence({});
    Bytes validity = sequence({});
    Bytes subject = sequence({});
    Bytes public_key = public_key_info("ML-DSA-44", bits(certified_key()));
    Bytes optional_fields = {};
    Bytes signature_algorithm = algorithm_of("ML-DSA-44");
    Bytes signature_value = element(0x03, Bytes(2421, 0));
    Bytes rest = {};

    [[nodiscard]] Bytes der() const
    {
        return sequence({sequence({version, serial_number, signature, issuer, validity, subject, public_key,
                                   optional_fields}),
                         signature_algorithm, signature_value, rest});
    }
};

/// Every kind of file that holds a public key.
inline std::vector<Bytes> files_of(const PublicKey& key)
{
    const Bytes info = public_key_info(girih_name(key.alg), public_key_bits(key.alg, key.bytes));
    return {key.bytes, write_public_key(key, Format::der), write_public_key(key, Format::pem),
            Certificate{.public_key = info}.der()};
}

/// The passphrase of every encrypted file.
inline Passphrase words()
{
    static const Bytes words = bytes_of("correct horse");
    return {words};
}

/// An encryption fast enough for a test.
inline Encryption quick(Kdf kdf = Kdf::pbkdf2_sha256) { return {kdf, 2, 4, 1, 1}; }

// ---- Refusals

/// A file that has to be refused for a given reason; `says` is a part of the message.
struct Malformed {
    Bytes file;
    Problem problem;
    std::string_view says;
};

inline void expect_refused(const Malformed& sample, const girih_alg* alg = nullptr)
{
    SCOPED_TRACE(sample.says);
    const auto file = read(sample.file, alg);
    ASSERT_FALSE(file) << "it was read";
    const Error& error = file.error();
    EXPECT_EQ(static_cast<int>(error.problem), static_cast<int>(sample.problem)) << error.message;
    EXPECT_NE(error.message.find(sample.says), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}

inline void expect_refused(const std::vector<Malformed>& all)
{
    for (const Malformed& sample : all) expect_refused(sample);
}

/// Parts that make a malformed file, and the expected refusal.
template <class Parts>
struct Row {
    Parts parts;
    Problem problem;
    std::string_view says;
};
template <class Parts>
void expect_refused(const std::vector<Row<Parts>>& all)
{
    for (const auto& [parts, problem, says] : all) expect_refused({parts.der(), problem, says});
}

}  // namespace girih::key_files::samples
