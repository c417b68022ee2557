/// A conversation with a board, whose algorithm and public key may not change meanwhile.
#pragma once

#include <girih/girih.h>
#include <girih/key_files.hpp>

#include <optional>
#include <string>

#include "firmware/host/link.hpp"

namespace girih::cli::board {

/// The known properties of a board during a conversation. A wrong answer is a Failure.
class Conversation {
  public:
    explicit Conversation(Link& link);

    [[nodiscard]] Link& link() const noexcept { return link_; }
    [[nodiscard]] const Info& info() const noexcept { return info_; }
    /// Null for an image without an algorithm. Its lengths are those that the board gives.
    [[nodiscard]] const girih_alg* algorithm() const noexcept { return alg_; }
    /// Fails if the algorithm is not a signature scheme.
    [[nodiscard]] const girih_alg* signature_scheme() const;

    /// The board's public key. It may change only when the board is told to make or take another.
    /// An image that only signs has none; then the expected key, if any.
    const key_files::PublicKey& public_key();
    void forget_public_key();
    /// Requires the board's public key to be this one.
    void expect_public_key(key_files::PublicKey key);

    /// Time and stack of the board's last operation.
    [[nodiscard]] std::string last_effort() const;

  private:
    void check_algorithm() const;

    Link& link_;
    Info info_;
    const girih_alg* alg_;
    std::optional<key_files::PublicKey> key_;
    bool is_expected_ = false;
};

}  // namespace girih::cli::board
