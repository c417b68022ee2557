/// Keys as the command line names them.
#pragma once

#include <girih/key_files.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/files/passphrase.hpp"

namespace girih::cli {

/// The names of all pre-hashes, as in "a, b and c".
[[nodiscard]] std::string pre_hash_names();
/// The name of a pre-hash as the library writes it, for one in any letter case.
/// Fails if there is none.
[[nodiscard]] const char* pre_hash_of(const std::string& name);

/// --alg, for raw keys, on a subcommand that reads keys.
void add_raw_algorithm_option(const Command& subcommand, std::string& name);
/// --shared-secret, where encap and decap write it.
void add_shared_secret_option(const Command& subcommand, std::string& path);

/// --format and --private-form, on a subcommand that writes keys.
void add_format_option(const Command& subcommand, std::string& format);
void add_private_form_option(const Command& subcommand, std::string& form, const std::string& when_absent);
[[nodiscard]] key_files::Format format_of(std::string_view name);
/// Whether a terminal can show a key in this format.
[[nodiscard]] Content content_of(key_files::Format format);
[[nodiscard]] key_files::PrivateForm private_form_of(std::string_view name);
[[nodiscard]] std::string_view name_of(key_files::Kind kind);
[[nodiscard]] std::string_view name_of(key_files::Format format);
[[nodiscard]] std::string_view name_of(key_files::PrivateForm form);

/// The algorithm of a name; null for an empty one.
[[nodiscard]] const girih_alg* algorithm_of(const std::string& name);

/// The fingerprint of a key, in hexadecimal.
[[nodiscard]] std::string fingerprint_of(const key_files::KeyFile& file);
[[nodiscard]] std::string fingerprint_of(const key_files::PublicKey& key);

/// The algorithm with the same keys that PEM and DER call by the same identifier, if there is one:
/// Falcon-CT-512's files say Falcon-512.
[[nodiscard]] const girih_alg* namesake_of(const key_files::PublicKey& key);

/// What a key is needed for.
enum class Use { signatures, key_encapsulation };

/// A public key, and whether it came in a certificate: then nobody has checked the certificate.
struct LoadedPublicKey {
    key_files::PublicKey key;
    bool is_certificate;
};

/// A key from a file; `alg` may be null. Fails with the file's name. Warns of a private key that
/// others than its owner can use, unless it is encrypted, whose passphrase is then asked for.
[[nodiscard]] key_files::KeyFile load_key(const std::string& path, const girih_alg* alg,
                                          const PassphraseSource& passphrase);
[[nodiscard]] key_files::PrivateKey load_private_key(const std::string& path, const girih_alg* alg, Use use,
                                                     const PassphraseSource& passphrase);
[[nodiscard]] LoadedPublicKey load_public_key(const std::string& path, const girih_alg* alg, Use use);
/// The same; says on standard error that a certificate itself was not checked.
[[nodiscard]] LoadedPublicKey load_public_key_warning(const std::string& path, const girih_alg* alg, Use use);

/// How a private key is written.
struct Encoding {
    key_files::PrivateForm form;
    key_files::Format format;
    std::optional<key_files::Encryption> encryption = {};
};

/// A private key as it was asked for. `source` is the file that it came from, if any; `passphrase`
/// is that to encrypt with, if it is encrypted.
[[nodiscard]] key_files::SecretBytes encode_private_key(const key_files::PrivateKey& key,
                                                        const Encoding& encoding, const std::string& source,
                                                        std::span<const std::uint8_t> passphrase = {});

}  // namespace girih::cli
