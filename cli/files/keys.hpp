/// Keys named on the command line.
///
/// By default, a public key is girih.pub in the current folder, or girih-kem.pub if it
/// encapsulates. A private key is girih.key or girih-kem.key in the folder that the environment
/// variable GIRIH_KEYS names, or in ~/.girih if that is unset or empty.
#pragma once

#include <girih/key_files.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/files/passphrase.hpp"

namespace girih::cli {

/// "a, b and c", if `last` is " and ".
[[nodiscard]] std::string enumeration(const std::vector<std::string>& names, const std::string& last);
/// The names of all algorithms and pre-hashes of this build.
[[nodiscard]] std::vector<std::string> algorithm_names();
[[nodiscard]] std::vector<std::string> pre_hash_names();
/// The library's spelling of a pre-hash's name. Fails if there is none.
[[nodiscard]] const char* pre_hash_of(const std::string& name);

/// The purpose of a key.
enum class Use { signatures, key_encapsulation };

/// Adds --secret or --public for a key that is read, with its default name in the help.
void add_secret_option(CLI::App& command, std::optional<std::string>& path, Use use);
Option add_public_option(CLI::App& command, std::optional<std::string>& path, Use use,
                         const std::string& what);

/// The given file of a key, or its default. Fails if there is no folder for the default.
[[nodiscard]] std::string secret_path_of(const std::optional<std::string>& given, Use use);
[[nodiscard]] std::string public_path_of(const std::optional<std::string>& given, Use use);

/// The default names for the help: "girih.pub", and "girih.key in ~/.girih" with an explanation.
[[nodiscard]] std::string default_public_name(Use use);
[[nodiscard]] std::string default_secret_name(Use use);

/// Makes the folder of default private keys if there is none, for its owner only.
void make_folder_of_keys();

/// Adds --alg, for raw keys, to a subcommand that reads keys.
Option add_raw_algorithm_option(CLI::App& command, std::string& name);
/// Adds --shared-secret, the file that encap and decap write.
void add_shared_secret_option(CLI::App& command, std::string& path);

/// Adds --format to a subcommand that writes keys; add_form_option, --private-form.
Option add_format_option(CLI::App& command, std::string& format);
void add_private_form_option(CLI::App& command, std::string& form, const std::string& when_absent);
[[nodiscard]] key_files::Format format_of(std::string_view name);
/// Whether a key in this format is text.
[[nodiscard]] Content content_of(key_files::Format format);
[[nodiscard]] key_files::PrivateForm private_form_of(std::string_view name);
[[nodiscard]] std::string_view name_of(key_files::Kind kind);
[[nodiscard]] std::string_view name_of(key_files::Format format);
[[nodiscard]] std::string_view name_of(key_files::PrivateForm form);

/// The algorithm of a name; null for an empty name.
[[nodiscard]] const girih_alg* algorithm_of(const std::string& name);

/// The fingerprint of a key, in hexadecimal.
[[nodiscard]] std::string fingerprint_of(const key_files::KeyFile& file);
[[nodiscard]] std::string fingerprint_of(const key_files::PublicKey& key);
[[nodiscard]] std::string fingerprint_of(const key_files::PrivateKey& key);

/// The other algorithm with the same keys and identifier in PEM and DER, if there is one:
/// Falcon-512 for Falcon-CT-512.
[[nodiscard]] const girih_alg* namesake_of(const key_files::PublicKey& key);

/// A public key, and whether it came from a certificate, which is not checked.
struct LoadedPublicKey {
    key_files::PublicKey key;
    bool is_certificate;
};

/// Loads a key from a file; `alg` may be null. Failures name the file. Asks for the passphrase of
/// an encrypted private key; warns if an unencrypted one is accessible to others than its owner.
[[nodiscard]] key_files::KeyFile load_key(const std::string& path, const girih_alg* alg,
                                          const PassphraseSource& passphrase);
[[nodiscard]] key_files::PrivateKey load_private_key(const std::string& path, const girih_alg* alg, Use use,
                                                     const PassphraseSource& passphrase);
[[nodiscard]] LoadedPublicKey load_public_key(const std::string& path, const girih_alg* alg, Use use);
/// Loads a public key, and warns that a certificate itself was not checked.
[[nodiscard]] LoadedPublicKey load_public_key_warning(const std::string& path, const girih_alg* alg, Use use);

/// The encoding of a private key.
struct Encoding {
    key_files::PrivateForm form;
    key_files::Format format;
    std::optional<key_files::Encryption> encryption = {};
};

/// Encodes a private key. `source` is the file that it came from, if any; `passphrase` encrypts it,
/// if that is requested.
[[nodiscard]] key_files::SecretBytes encode_private_key(const key_files::PrivateKey& key,
                                                        const Encoding& encoding, const std::string& source,
                                                        std::span<const std::uint8_t> passphrase = {});

/// The name of keys in a format that has no encryption; empty for another format.
[[nodiscard]] std::string_view never_encrypted(key_files::Format format);

/// Encodes a public key. Fails for a format that has no such keys.
[[nodiscard]] key_files::Bytes encode_public_key(const key_files::PublicKey& key, key_files::Format format);

}  // namespace girih::cli
