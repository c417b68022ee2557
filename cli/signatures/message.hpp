/// The message of sign, verify and mu: read once, in pieces, into its representative mu.
#pragma once

#include <girih/girih.h>
#include <girih/key_files.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments/command_line.hpp"
#include "core/wipe.hpp"

namespace girih::cli {

class Input;

/// The suffix of a signature's file after its message's name.
inline constexpr const char* signature_suffix = ".sig";

using Mu = std::array<std::uint8_t, GIRIH_MU_BYTES>;

/// A message and its options on the command line.
class MessageInput {
  public:
    /// Adds the argument MESSAGE.
    Option add_path(CLI::App& command);
    /// Adds --context, --context-hex and --pre-hash.
    void add_options(CLI::App& command);
    /// Adds --mu, which says that the message is already a representative.
    Option add_mu_option(CLI::App& command);

    /// Checks everything that needs no file. Call it before the first file is opened.
    void check();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] bool is_mu() const noexcept { return is_mu_; }

    /// A message from another file, with these options.
    [[nodiscard]] MessageInput with_path(const std::string& path) const;
    /// A message from memory, which has to remain valid, with these options; `path` is its name.
    [[nodiscard]] MessageInput with_content(const std::string& path,
                                            std::span<const std::uint8_t> content) const;
    /// The message for a signature in text, whose header lines are signed before it. Fails for a mu
    /// or a pre-hash.
    [[nodiscard]] MessageInput with_header(const std::string& header) const;

    /// The library's options, checked against a key; they point into this object.
    template <class Key>
    [[nodiscard]] girih_options options_for(const Key& key) const
    {
        return options_for(key.alg, key.for_hash_ml_dsa);
    }

    /// The pre-hash of a key's signatures: --pre-hash's, or by default HashML-DSA's if the key's
    /// file has its identifier. Null if there is none, or if it is inside mu.
    [[nodiscard]] const char* pre_hash_for(bool for_hash_ml_dsa) const;
    [[nodiscard]] bool says_pre_hash() const noexcept { return !pre_hash_.empty(); }

    /// The representative of the message for a public key, or for a private key's public key.
    [[nodiscard]] Mu representative(const key_files::PublicKey& key) const;
    [[nodiscard]] Mu representative(const key_files::PrivateKey& key) const;

    /// The signature of the message, in its own length.
    [[nodiscard]] std::vector<std::uint8_t> sign(const key_files::PrivateKey& key, bool deterministic) const;
    /// GIRIH_OK, GIRIH_ERROR_SIGNATURE or another error.
    [[nodiscard]] int verify(const key_files::PublicKey& key, std::span<const std::uint8_t> signature) const;
    /// Verifies with each of several keys. The message is read once.
    [[nodiscard]] std::vector<int> verify(std::span<const key_files::PublicKey> keys,
                                          std::span<const std::uint8_t> signature) const;

    /// Refuses a message that begins like a signature in text, if the algorithm has no contexts
    /// that keep the two apart.
    void refuse_mark(const girih_alg* alg, std::span<const std::uint8_t> beginning) const;

    /// Warns if the pre-hash is too weak for the algorithm.
    void warn_of_weak_pre_hash(const girih_alg* alg) const;

  private:
    /// A message being read, for one key.
    struct Begun {
        const girih_alg* alg;
        girih_message state;
        int code;  ///< an error if the signature is bad for any message

        /// The state holds the secret seed of Falcon's signature.
        ~Begun() { wipe(state); }
    };
    [[nodiscard]] Begun begin_verifying(const key_files::PublicKey& key,
                                        std::span<const std::uint8_t> signature) const;
    /// Opens the message, unless it is in memory.
    [[nodiscard]] std::optional<Input> open() const;
    void absorb(std::optional<Input>& file, std::span<Begun> all) const;
    [[nodiscard]] static int verdict(const key_files::PublicKey& key, const Mu& mu,
                                     std::span<const std::uint8_t> signature);
    [[nodiscard]] static int verdict(const key_files::PublicKey& key, Begun& begun,
                                     std::span<const std::uint8_t> signature);
    template <class Key>
    [[nodiscard]] Mu read(const Key& key) const;
    [[nodiscard]] Mu read_mu() const;
    [[nodiscard]] girih_options options_for(const girih_alg* alg, bool for_hash_ml_dsa) const;
    void check_algorithm(const girih_alg* alg) const;

    std::string path_;
    std::optional<std::string> context_text_;
    std::optional<std::string> context_hex_;
    std::string pre_hash_;  ///< empty: the key's default
    bool is_mu_ = false;
    key_files::SecretBytes context_;
    std::string header_;                                    ///< header lines of a signature in text
    std::optional<std::span<const std::uint8_t>> content_;  ///< replaces the file's content
};

}  // namespace girih::cli
