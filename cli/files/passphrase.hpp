/// Passphrases of private keys: from a file, an open descriptor or the terminal; never from the
/// command line, which others can see.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <string>

#include "cli/arguments/command_line.hpp"
#include "cli/files/same_file.hpp"

namespace girih::cli {

/// The source of a passphrase on the command line, and the passphrase itself until forget().
class PassphraseSource {
  public:
    /// Adds --passphrase-file and --passphrase-fd or, with `prefix` "new-", --new-passphrase-file
    /// and --new-passphrase-fd. `what` describes the passphrase.
    void add_options(CLI::App& command, const std::string& what, const std::string& prefix = "");

    /// Whether a file or a descriptor is given.
    [[nodiscard]] bool is_given() const noexcept;
    /// Appends the file or descriptor, for refuse_shared_files, before any file is opened. Fails if
    /// the descriptor is not open.
    void append_to(std::vector<FileOption>& inputs) const;

    /// The passphrase: the first line of the file, or typed input. It is read once. Fails if there
    /// is neither an option nor a terminal; `name` is the key's file.
    [[nodiscard]] const key_files::SecretBytes& get(const std::string& name) const;
    /// The passphrase for encrypting a key: not empty, and typed twice.
    [[nodiscard]] const key_files::SecretBytes& get_new(const std::string& name) const;

    /// Wipes the passphrase, which is not read again.
    void forget() const noexcept { passphrase_.reset(); }

  private:
    [[nodiscard]] std::optional<key_files::SecretBytes> read_given() const;
    [[noreturn]] void fail_without_terminal(const std::string& what) const;

    static constexpr unsigned none = ~0U;

    std::string file_option_;
    std::string descriptor_option_;
    std::optional<std::string> path_;
    unsigned descriptor_ = none;
    mutable std::optional<key_files::SecretBytes> passphrase_;  ///< after it was read
};

/// Adds --kdf to a subcommand that encrypts keys.
void add_kdf_option(CLI::App& command, std::string& name);
[[nodiscard]] key_files::Encryption encryption_of(const std::string& kdf);
/// For example "PBKDF2 with HMAC-SHA-256, 600000 iterations, and AES-256-CBC".
[[nodiscard]] std::string encryption_in_words(const key_files::Encryption& encryption);

}  // namespace girih::cli
