/// A board's algorithm and public key, which have to stay what they were.
#pragma once

#include <girih/girih.h>
#include <girih/key_files.hpp>

#include <optional>
#include <string>

#include "cli/board/link.hpp"

namespace girih::cli::board {

/// What a board has been found to be, as long as we talk to it. What it says wrong is a Failure.
class Conversation {
  public:
    explicit Conversation(Link& link);

    [[nodiscard]] Link& link() const noexcept { return link_; }
    [[nodiscard]] const Info& info() const noexcept { return info_; }
    /// Null of an image without one. Its lengths are those that the board says.
    [[nodiscard]] const girih_alg* algorithm() const noexcept { return alg_; }
    /// Fails if the algorithm is no signature scheme.
    [[nodiscard]] const girih_alg* signature_scheme() const;

    /// The board's public key. It stays the same until the board is told to make or take another.
    /// An image that only signs does not have it: then the one that is expected, if one is.
    const key_files::PublicKey& public_key();
    void forget_public_key();
    /// Whatever the board says, its public key has to be this one.
    void expect_public_key(key_files::PublicKey key);

    /// Time and stack of what the board did last.
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
