/// The hash of rows that are made while it runs: a key's polynomials, each as soon as the
/// polynomials that it is computed from are drawn.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/function.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "keccak/task.hpp"

namespace girih::keccak {

/// When the hash of rows begins: `permutations` permutations after the first `rows` rows are made.
///
/// If it begins too early, it waits for rows, and its lane is idle. If it begins too late, more of
/// it is left when the other lanes are idle. So it begins about as many permutations before the
/// last row as it has blocks without that row.
struct HashBegin {
    std::size_t rows;
    std::size_t permutations;

    /// The hash is computed alone, after all rows.
    [[nodiscard]] static constexpr HashBegin never() noexcept { return {static_cast<std::size_t>(-1), 0}; }
    [[nodiscard]] constexpr bool is_never() const noexcept { return rows == never().rows; }
};

/// With fewer lanes, giving one to the hash costs more than computing the hash alone.
inline constexpr std::size_t min_lanes = 4;

/// The hash of several pieces in one lane, while the rows at their end are still being made. It
/// waits for a block that is not available yet; if no more rows come, it stays unfinished. Its
/// first block must be available when it begins.
template <class Isa>
class RowsHash final : public Task {
  public:
    using Pieces = typename Message<Isa>::Pieces;

    constexpr RowsHash(Function function, const Pieces& pieces, BytesOut<> digest) noexcept
        : pieces_(pieces), message_(pieces, function), function_(function), digest_(digest)
    {
        for (const BytesIn<>& piece : pieces) size_ += piece.size();
    }

    /// Says that the first `bytes` bytes are available.
    constexpr void has(std::size_t bytes) noexcept { available_ = bytes; }
    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(Lane lane) noexcept override { absorb(lane); }
    [[nodiscard]] constexpr Task* resume(Lane lane) noexcept override
    {
        if (message_.is_absorbed()) {
            lane.squeeze(digest_);
            is_done_ = true;
            return nullptr;
        }
        if (available_ < size_ && available_ < absorbed_ + function_.rate)
            lane.wait();
        else
            absorb(lane);
        return this;
    }

    /// Computes the hash alone, if it is not done.
    [[gnu::noinline]] constexpr void finish() noexcept
    {
        if (is_done_) return;
        ChosenSponge<Isa> hash{function_};
        for (const BytesIn<>& piece : pieces_)
            if (!piece.empty()) hash.absorb(piece);  // g++ 12 cannot copy an empty one at compile time
        hash.squeeze(digest_);
        is_done_ = true;
    }

  private:
    constexpr void absorb(Lane lane) noexcept
    {
        message_.absorb_block(lane);
        absorbed_ += function_.rate;
    }

    Pieces pieces_;
    Message<Isa> message_;
    Function function_;
    BytesOut<> digest_;
    std::size_t size_ = 0;
    std::size_t available_ = 0;
    std::size_t absorbed_ = 0;
    bool is_done_ = false;
};

/// The number of leading tasks that are done, given that the first `done` are. Tasks begin and end
/// nearly in order.
template <class Tasks>
constexpr void count_done(const Tasks& tasks, std::size_t& done)
{
    while (done < tasks.size() && tasks[done].is_done()) ++done;
}

/// Runs tasks, and the hash beside the last of them. After each permutation, make_rows() makes the
/// rows whose polynomials are complete, tells the hash, and returns the number of rows made so far.
/// In the end all rows are made; the hash may be unfinished.
template <class Isa, bool in_pairs = false, class MakeRows>
constexpr void run_beside_hash(std::span<Task* const> tasks, MakeRows make_rows, RowsHash<Isa>& hash,
                               HashBegin begin)
{
    using Lanes = typename Isa::WideWords;
    if constexpr (Lanes::count >= min_lanes) {
        const auto after_permutation = [&] {  // true once the hash may begin
            if (make_rows() < begin.rows) return false;
            if (begin.permutations == 0) return true;
            --begin.permutations;
            return false;
        };
        Task* const hash_task = &hash;
        run<Lanes, in_pairs>(tasks, after_permutation, std::span{&hash_task, 1});
    } else {
        run<Lanes>(tasks);
        (void)make_rows();
    }
}

}  // namespace girih::keccak
