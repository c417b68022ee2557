/// Key files made by hand, so that the decoders are not tested with the encoders' own idea of DER.
#pragma once

#include <girih/key_files.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace girih::key_files::samples {

// ---- Bytes

[[nodiscard]] Bytes join(std::initializer_list<Bytes> parts);
[[nodiscard]] Bytes shorter(Bytes bytes);  ///< by one
[[nodiscard]] Bytes longer(Bytes bytes);   ///< by a zero
[[nodiscard]] Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t count);
/// Bytes of which one is changed in these bits.
[[nodiscard]] Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t flip);

[[nodiscard]] Bytes contents(const std::string& path);
[[nodiscard]] Bytes bytes_of(std::string_view text);
[[nodiscard]] Bytes bytes_of(const SecretBytes& secret);

// ---- DER

/// An element, with its length in the fewest bytes.
[[nodiscard]] Bytes element(std::uint8_t tag, const Bytes& content);
[[nodiscard]] Bytes sequence(std::initializer_list<Bytes> parts);
[[nodiscard]] Bytes integer(std::uint8_t value);
[[nodiscard]] Bytes octets(const Bytes& content);
[[nodiscard]] Bytes seed_choice(const Bytes& seed);  ///< the tag that RFC 9881 has for a seed
/// The content of a BIT STRING of whole bytes.
[[nodiscard]] Bytes bits(const Bytes& content);

/// AlgorithmIdentifier, with an identifier that was encoded by hand.
[[nodiscard]] Bytes algorithm_of(std::string_view name, const Bytes& parameters = {});

/// OneAsymmetricKey from the content of privateKey; `version` is that of the key, and `rest`
/// follows privateKey.
[[nodiscard]] Bytes pkcs8(std::string_view alg, const Bytes& private_key, std::uint8_t version = 0,
                          const Bytes& rest = {});
/// The field publicKey of OneAsymmetricKey.
[[nodiscard]] Bytes public_field(const Bytes& bit_string);

/// The content of the BIT STRING that holds a public key.
[[nodiscard]] Bytes public_key_bits(const girih_alg* alg, const Bytes& key);
/// SubjectPublicKeyInfo from the content of the BIT STRING.
[[nodiscard]] Bytes public_key_info(std::string_view alg, const Bytes& bit_string);

/// The key that a Certificate certifies if nothing else is said.
[[nodiscard]] const Bytes& certified_key();

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

    [[nodiscard]] Bytes der() const;
};

// ---- Keys

[[nodiscard]] std::vector<const girih_alg*> algorithms();
/// Those whose names begin so.
[[nodiscard]] std::vector<const girih_alg*> algorithms(std::string_view family);

/// Whether private keys in PEM and DER have all three forms: of ML-DSA and ML-KEM.
[[nodiscard]] bool has_all_forms(const girih_alg* alg);

/// The algorithm that a reader has to be told, because the file does not say it; null
/// if there is no need.
[[nodiscard]] const girih_alg* needed_name(const girih_alg* alg, Format format);

/// The key of the seed whose bytes are all `value`.
[[nodiscard]] const PrivateKey& key_of(const girih_alg* alg, std::uint8_t value = 7);
[[nodiscard]] const PrivateKey& key_of(const char* alg, std::uint8_t value = 7);
[[nodiscard]] PublicKey public_half(const PrivateKey& key);

/// Every kind of file that holds a public key, with its name.
[[nodiscard]] std::vector<std::pair<std::string, Bytes>> files_of(const girih_alg* alg, const Bytes& key);

/// The passphrase of every encrypted file.
[[nodiscard]] Passphrase words();
/// What a test can wait for.
[[nodiscard]] Encryption quick(Kdf kdf = Kdf::pbkdf2_sha256);

// ---- Refusals

/// A file that has to be refused.
struct Malformed {
    std::string name;
    Bytes file;
    Problem problem;
    std::string_view says;  ///< a part of the message
};

/// Checks that a file is refused for its own reason.
void expect_refused(const Malformed& sample, const girih_alg* alg = nullptr);
/// The same of each, under its name.
void expect_refused(const std::vector<Malformed>& all);

}  // namespace girih::key_files::samples
