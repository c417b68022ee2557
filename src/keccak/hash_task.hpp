/// A hash as a task: it absorbs a message of several pieces and writes a digest; another task may
/// follow.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/task.hpp"

namespace girih::keccak {

/// A message in several separate pieces, absorbed by SHAKE256 unless another function is named. The
/// pieces must stay valid until they are absorbed. `Isa` keeps the types of engines apart.
template <class Isa>
class Message {
  public:
    static constexpr std::size_t max_pieces = 5;
    using Pieces = std::array<BytesIn<>, max_pieces>;

    constexpr explicit Message(const Pieces& pieces, Function function = shake256_function) noexcept
        : pieces_(pieces), function_(function)
    {
    }

    [[nodiscard]] constexpr bool is_absorbed() const noexcept { return padded_; }

    /// The next block.
    constexpr void absorb_block(Lane lane) noexcept
    {
        std::size_t position = 0;
        while (piece_ < max_pieces && position < function_.rate) {
            BytesIn<>& piece = pieces_[piece_];
            const std::size_t fits =
                piece.size() < function_.rate - position ? piece.size() : function_.rate - position;
            lane.absorb(piece.first(fits), position);
            position += fits;
            piece = piece.subspan(fits);
            if (piece.empty()) ++piece_;
        }
        if (position < function_.rate) {
            lane.pad(function_, position);
            padded_ = true;
        }
    }

  private:
    Pieces pieces_;
    Function function_;
    std::size_t piece_ = 0;
    bool padded_ = false;
};

/// The hash of separate pieces, with a digest of at most one block; SHAKE256 unless another
/// function is named. A piece may be the digest of an earlier task.
template <class Isa>
class HashTask final : public Task {
  public:
    static constexpr std::size_t max_pieces = Message<Isa>::max_pieces;
    using Pieces = typename Message<Isa>::Pieces;

    constexpr HashTask(const Pieces& pieces, BytesOut<> digest, Task* next = nullptr) noexcept
        : message_(pieces), digest_(digest), next_(next)
    {
    }
    constexpr HashTask(Function function, const Pieces& pieces, BytesOut<> digest,
                       Task* next = nullptr) noexcept
        : message_(pieces, function), digest_(digest), next_(next)
    {
    }

    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(Lane lane) noexcept override { message_.absorb_block(lane); }

    [[nodiscard]] constexpr Task* resume(Lane lane) noexcept override
    {
        if (!message_.is_absorbed()) {
            message_.absorb_block(lane);
            return this;
        }
        lane.squeeze(digest_);
        is_done_ = true;
        return next_;
    }

  private:
    Message<Isa> message_;
    BytesOut<> digest_;
    Task* next_;
    bool is_done_ = false;
};

}  // namespace girih::keccak
