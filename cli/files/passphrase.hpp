/// Passphrases of private keys: from a file, from an open descriptor, or asked for on the terminal;
/// never from the command line, which others can see.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/files/same_file.hpp"

namespace girih::cli {

/// What the command line says of one passphrase, and the passphrase from when it is read until
/// forget().
class PassphraseSource {
  public:
    /// --passphrase-file and --passphrase-fd, or with `prefix` "new-" --new-passphrase-file and
    /// --new-passphrase-fd. `what` it is.
    void add_options(const Command& subcommand, const std::string& what, const std::string& prefix = "");

    /// Whether it comes from a file or a descriptor.
    [[nodiscard]] bool is_given() const noexcept;
    /// The file or the descriptor, for refuse_shared_files: before any file is opened. Fails if the
    /// descriptor is not open.
    void append_to(std::vector<FileOption>& inputs) const;

    /// The passphrase: the first line of the file, or what is typed. It is read once. Fails if
    /// there is neither an option nor a terminal; `name` is the key's file.
    [[nodiscard]] const key_files::SecretBytes& get(const std::string& name) const;
    /// The same for a key that is to be encrypted: not empty, and typed twice.
    [[nodiscard]] const key_files::SecretBytes& get_new(const std::string& name) const;

    /// Wipes it: to be called once it was used. It is not read again.
    void forget() const noexcept { passphrase_.reset(); }

  private:
    [[nodiscard]] std::optional<key_files::SecretBytes> read_given() const;
    [[noreturn]] void fail_without_terminal(const std::string& what) const;

    static constexpr unsigned none = ~0U;

    std::string file_option_;
    std::string descriptor_option_;
    std::optional<std::string> path_;
    unsigned descriptor_ = none;
    mutable std::optional<key_files::SecretBytes> passphrase_;  ///< once it was read
};

/// --kdf, where keys are encrypted.
void add_kdf_option(const Command& subcommand, std::string& name);
[[nodiscard]] key_files::Encryption encryption_of(const std::string& kdf);
/// "PBKDF2 with HMAC-SHA-256, 600000 iterations, and AES-256-CBC"
[[nodiscard]] std::string encryption_in_words(const key_files::Encryption& encryption);

}  // namespace girih::cli
