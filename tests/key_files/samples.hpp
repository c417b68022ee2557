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

/// Joins byte strings.
[[nodiscard]] Bytes join(std::initializer_list<Bytes> parts);

/// An element of DER, with its length in the fewest bytes.
[[nodiscard]] Bytes element(std::uint8_t tag, const Bytes& content);

/// Bytes of which one is changed in these bits.
[[nodiscard]] Bytes with_byte(Bytes bytes, std::size_t at, std::uint8_t flip);

/// What a file holds.
[[nodiscard]] Bytes contents(const std::string& path);

[[nodiscard]] Bytes bytes_of(std::string_view text);
[[nodiscard]] Bytes bytes_of(const SecretBytes& secret);

/// AlgorithmIdentifier of an algorithm, with an identifier that was encoded by hand.
[[nodiscard]] Bytes algorithm_of(std::string_view name);

/// All algorithms.
[[nodiscard]] std::vector<const girih_alg*> algorithms();

/// Whether private keys in PEM and DER have all three forms: of ML-DSA and ML-KEM.
[[nodiscard]] bool has_all_forms(const girih_alg* alg);

/// The algorithm that a reader has to be told, because the file does not say it; null
/// if there is no need.
const girih_alg* needed_name(const girih_alg* alg, Format format);

/// The key of the seed whose bytes are all `value`.
[[nodiscard]] PrivateKey key_of(const girih_alg* alg, std::uint8_t value = 7);
[[nodiscard]] PublicKey public_half(const PrivateKey& key);

/// OneAsymmetricKey from the content of privateKey; `version` is that of the key, and `rest`
/// follows privateKey.
[[nodiscard]] Bytes pkcs8(std::string_view alg, const Bytes& private_key, std::uint8_t version = 0,
                          const Bytes& rest = {});

/// The content of the BIT STRING that holds a public key.
[[nodiscard]] Bytes public_key_bits(const girih_alg* alg, const Bytes& key);

/// SubjectPublicKeyInfo from the content of the BIT STRING.
[[nodiscard]] Bytes public_key_info(std::string_view alg, const Bytes& bits);

/// Every kind of file that holds a public key, with its name.
[[nodiscard]] std::vector<std::pair<std::string, Bytes>> files_of(const girih_alg* alg, const Bytes& key);

/// A file that has to be refused.
struct Malformed {
    std::string name;
    Bytes file;
    Problem problem;
    std::string_view says;  ///< a part of the message
};

/// What a failing test calls it.
inline void PrintTo(const Malformed& sample, std::ostream* out) { *out << sample.name; }

/// Checks that a file is refused for its own reason.
void expect_refused(const Malformed& sample, const girih_alg* alg = nullptr);

/// For INSTANTIATE_TEST_SUITE_P.
[[nodiscard]] inline std::string name_of(const testing::TestParamInfo<Malformed>& info)
{
    return info.param.name;
}

}  // namespace girih::key_files::samples
