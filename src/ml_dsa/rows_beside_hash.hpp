/// The hash of a public key, or of w1, beside the rows that it is of: a chain of permutations that
/// takes a fifth of key generation by itself, a tenth of verification, and goes on in a lane from
/// where the first rows are there.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

/// A hash in a lane, while the message is still made. Should it come to a block that is not there,
/// it ends and is not done.
template <class Isa>
class RowsHash final : public keccak::Task {
  public:
    using Pieces = typename keccak::Message<Isa>::Pieces;

    constexpr RowsHash(const Pieces& pieces, BytesOut<> digest) noexcept
        : pieces_(pieces), message_(pieces), digest_(digest)
    {
        for (const BytesIn<>& piece : pieces) size_ += piece.size();
    }

    /// So many bytes of the message are there by now.
    constexpr void has(std::size_t bytes) noexcept { there_ = bytes; }
    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(keccak::Lane lane) noexcept override { absorb(lane); }
    [[nodiscard]] constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (message_.is_absorbed()) {
            lane.squeeze(digest_);
            is_done_ = true;
            return nullptr;
        }
        if (there_ < size_ && there_ < absorbed_ + keccak::shake256_function.rate) return nullptr;
        absorb(lane);
        return this;
    }

    /// By itself, if it is not done.
    [[gnu::noinline]] constexpr void finish() noexcept
    {
        if (is_done_) return;
        keccak::Shake256<Isa> hash;
        for (const BytesIn<>& piece : pieces_)
            if (!piece.empty()) hash.absorb(piece);  // g++ 12 copies no empty one at compile time
        hash.squeeze(digest_);
        is_done_ = true;
    }

  private:
    constexpr void absorb(keccak::Lane lane) noexcept
    {
        message_.absorb_block(lane);
        absorbed_ += keccak::shake256_function.rate;
    }

    Pieces pieces_;
    keccak::Message<Isa> message_;
    BytesOut<> digest_;
    std::size_t size_ = 0;
    std::size_t there_ = 0;
    std::size_t absorbed_ = 0;
    bool is_done_ = false;
};

/// Where a hash begins: so many permutations after so many rows are there. Too early, and it comes
/// to a row that is not there; too late, and the rest of it is by itself.
struct HashBegin {
    std::size_t rows;
    std::size_t permutations;

    /// Nowhere: it is done by itself. So with few lanes, of which one is worth more than that.
    [[nodiscard]] static constexpr HashBegin never() noexcept { return {static_cast<std::size_t>(-1), 0}; }
    [[nodiscard]] constexpr bool is_never() const noexcept { return rows == never().rows; }
};

/// With fewer lanes, nowhere.
inline constexpr std::size_t least_lanes = 4;

/// That of tr in key generation: a row takes 5 l permutations in the other lanes, and gives 2.35
/// blocks. (Each is what costs least, the permutations of every lane counted.)
template <Shape S, class Isa>
inline constexpr HashBegin tr_begin = [] {
    if (Isa::WideWords::count < least_lanes) return HashBegin::never();
    if (Isa::WideWords::count < 8)
        return S.k == 4 ? HashBegin{3, 1} : S.k == 6 ? HashBegin{4, 5} : HashBegin{6, 6};
    return S.k == 4 ? HashBegin{1, 3} : S.k == 6 ? HashBegin{3, 0} : HashBegin{5, 0};
}();

/// That of c~ in verification: a row gives one block or one and a half, so the last is waited for.
template <Shape S, class Isa>
inline constexpr HashBegin c_tilde_begin = [] {
    if (Isa::WideWords::count < least_lanes) return HashBegin::never();
    if (Isa::WideWords::count < 8)
        return S.k == 6 ? HashBegin::never() : HashBegin{S.k - 1, S.k == 4 ? std::size_t{2} : std::size_t{4}};
    return HashBegin{S.k - 1, S.k < 8 ? std::size_t{1} : std::size_t{0}};
}();

/// Whether tasks are done that every row waits for, to be asked at any time.
template <class... Tasks>
[[nodiscard]] constexpr auto are_done(const Tasks&... tasks)
{
    return [&](std::size_t) { return (tasks.is_done() && ...); };
}

/// How many of these are done, from the first on: they begin and end about in their order. `done`
/// is what was said before.
template <class Tasks>
constexpr void count_done(const Tasks& tasks, std::size_t& done)
{
    while (done < tasks.size() && tasks[done].is_done()) ++done;
}

/// Runs tasks, those of A among them; makes each row as soon as others_are_done(its number) and its
/// polynomials of A are there, and hashes the rows beside the last of these. All rows are there in
/// the end if the others are done; the hash may not be done.
template <class Isa, class ATasks, class Done, class Rows>
constexpr void make_rows_beside_hash(std::span<keccak::Task* const> tasks, const ATasks& a_tasks,
                                     Done others_are_done, Rows& rows, RowsHash<Isa>& hash, HashBegin begin)
{
    std::size_t a_done = 0;
    const auto make_rows = [&] {
        count_done(a_tasks, a_done);
        while (a_done >= (rows.count() + 1) * Rows::polynomials && others_are_done(rows.count()))
            rows.make_next();
        hash.has(rows.bytes());
        if (rows.count() < begin.rows) return false;
        if (begin.permutations == 0) return true;
        --begin.permutations;
        return false;
    };
    using Lanes = typename Isa::WideWords;
    if constexpr (Lanes::count >= least_lanes) {
        keccak::Task* const hash_task = &hash;
        keccak::run<Lanes>(tasks, make_rows, std::span{&hash_task, 1});
    } else {
        keccak::run<Lanes>(tasks);
        (void)make_rows();
    }
}

}  // namespace girih::ml_dsa
