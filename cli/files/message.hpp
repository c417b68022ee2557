/// The message of sign, verify and mu: read once, in pieces, into its representative mu.
#pragma once

#include <girih/girih.h>
#include <girih/key_files.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/wipe.hpp"

namespace girih::cli {

class Command;
class Input;
class Option;

/// What the name of a signature's file has after its message's.
inline constexpr const char* signature_suffix = ".sig";

using Mu = std::array<std::uint8_t, GIRIH_MU_BYTES>;

/// What the command line says about a message.
class Message {
  public:
    /// MESSAGE.
    Option add_path(const Command& subcommand);
    /// --context, --context-hex and --pre-hash.
    void add_options(const Command& subcommand);
    /// --mu, where the message may already be a representative.
    Option add_mu_option(const Command& subcommand);

    /// Checks what does not need any file: to be called before the first is opened.
    void check();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] bool is_mu() const noexcept { return is_mu_; }

    /// The same options with another file.
    [[nodiscard]] Message of(const std::string& path) const;
    /// The same options for bytes that are in memory, and stay there, under the name `path`.
    [[nodiscard]] Message of(const std::string& path, std::span<const std::uint8_t> content) const;
    /// The same message for a signature in text, whose first lines are signed before it. Fails for
    /// a mu or a pre-hash.
    [[nodiscard]] Message after(const std::string& header) const;

    /// The options as the library takes them, checked against a key; they point into this.
    template <class Key>
    [[nodiscard]] girih_options options_for(const Key& key) const
    {
        return options_for(key.alg, key.for_hash_ml_dsa);
    }

    /// The pre-hash of a key's signatures: that of --pre-hash, else of HashML-DSA where the key's
    /// file says that it is for that. Null if there is none.
    [[nodiscard]] const char* pre_hash_for(bool for_hash_ml_dsa) const;
    [[nodiscard]] bool says_pre_hash() const noexcept { return !pre_hash_.empty(); }

    /// The representative of the message for a public key, or for the one that a
    /// private key belongs to.
    [[nodiscard]] Mu representative(const key_files::PublicKey& key) const;
    [[nodiscard]] Mu representative(const key_files::PrivateKey& key) const;

    /// The signature of the message. It is as long as it is.
    [[nodiscard]] std::vector<std::uint8_t> sign(const key_files::PrivateKey& key, bool deterministic) const;
    /// GIRIH_OK, GIRIH_ERROR_SIGNATURE or another error.
    [[nodiscard]] int verify(const key_files::PublicKey& key, std::span<const std::uint8_t> signature) const;
    /// The same for each of several keys. The message is read once.
    [[nodiscard]] std::vector<int> verify(std::span<const key_files::PublicKey> keys,
                                          std::span<const std::uint8_t> signature) const;

    /// Refuses a message, by its first bytes, that could be taken for what a signature in text
    /// signs, if the algorithm has no contexts to tell the two apart.
    void refuse_mark(const girih_alg* alg, std::span<const std::uint8_t> beginning) const;

    /// Says it if whoever signs with this algorithm should take a stronger pre-hash.
    void warn_of_weak_pre_hash(const girih_alg* alg) const;

  private:
    using Begin = std::function<int(girih_message&, const girih_options&)>;
    /// A message that is being read, for one key.
    struct Begun {
        const girih_alg* alg;
        girih_message state;
        int code;  ///< other than GIRIH_OK, if the signature is bad whatever the message

        /// What Falcon's signature is drawn from is secret, whether or not it is made.
        ~Begun() { wipe(state); }
    };
    [[nodiscard]] Begun begin_verifying(const key_files::PublicKey& key,
                                        std::span<const std::uint8_t> signature) const;
    /// Opens the message, unless it is in memory.
    [[nodiscard]] std::optional<Input> open() const;
    void absorb(std::optional<Input>& file, std::span<Begun> all) const;
    [[nodiscard]] static int judge(const key_files::PublicKey& key, const Mu& mu,
                                   std::span<const std::uint8_t> signature);
    [[nodiscard]] static int judge(const key_files::PublicKey& key, Begun& begun,
                                   std::span<const std::uint8_t> signature);
    template <class Key>
    [[nodiscard]] Mu read(const Key& key, const Begin& begin) const;
    [[nodiscard]] Mu read_mu() const;
    [[nodiscard]] girih_options options_for(const girih_alg* alg, bool for_hash_ml_dsa) const;
    void check_algorithm(const girih_alg* alg) const;

    std::string path_;
    std::optional<std::string> context_text_;
    std::optional<std::string> context_hex_;
    std::string pre_hash_;  ///< empty: the key's own
    bool is_mu_ = false;
    key_files::SecretBytes context_;
    std::string header_;                                    ///< of a signature in text
    std::optional<std::span<const std::uint8_t>> content_;  ///< instead of what the file holds
};

/// What the library says of an error; if it just failed for randomness, also why there is none.
[[nodiscard]] std::string explained(const std::string& error);

/// Throws for an error that the library returned just now, unless it is GIRIH_OK.
void expect_ok(int code);

}  // namespace girih::cli
