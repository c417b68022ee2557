/// How the lanes of the permutation are kept at work.
///
/// Nearly all time of ML-DSA goes into SHAKE, and an engine with vectors permutes 2 to 8 states in
/// about the time of one. ml_dsa.hpp leaves all lanes but one idle. The functions whose names end
/// in `_in_lanes` or `_many` run the same lines in another order, and make the same bytes:
///
///   - Polynomials with a sponge each (the k l polynomials of A, s1 and s2, y) are drawn side by
///     side. Each sponge is a keccak::Task; keccak::Scheduler gives it a lane, and when it is done
///     gives the lane to the next task (lanes/sampling.hpp).
///   - A long hash takes one lane, while the others draw polynomials. It is the hash of a message
///     of at most 1,024 bytes, or a hash of rows, each made as soon as its polynomials are there:
///     tr, the hash of pk, in key generation, and c~, the hash of w1, in verification (below).
///   - In signing, the lanes beside the hash that gives c~ draw the masks of the next attempt,
///     which is wanted more often than not (lanes/mask_stream.hpp).
///   - In a batch, a hash without work beside it in its own row runs beside those of other rows
///     (lanes/keygen.hpp, verify.hpp, sign_many.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/hashing/frame.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/rows.hpp"

namespace girih::ml_dsa {

/// Rows of a batch that one run of the lanes serves.
template <class Isa>
inline constexpr std::size_t rows_in_lanes = std::min(rows_at_once, Isa::WideWords::count);

// ---- The hash of a message

/// The task that hashes a whole message to mu. Its tr may be the digest of an earlier task.
template <class Isa>
[[nodiscard]] constexpr keccak::HashTask<Isa> mu_task(BytesIn<> tr, const Frame& frame, BytesIn<> message,
                                                      BytesOut<mu_bytes> mu, keccak::Task* next = nullptr)
{
    return {{tr, BytesIn<>{frame.head}.first(frame.head_bytes), frame.context, frame.oid, message}, mu, next};
}

/// Whether a message is hashed in a lane beside the matrix: cheaper than hashing it alone
/// afterwards, unless it is long.
[[nodiscard]] constexpr bool is_hashed_in_lane(BytesIn<> message) { return message.size() <= 1024; }

/// Bytes of a batch's messages: of the longest one, and of all together.
struct MessageBytes {
    std::size_t longest = 0;
    std::size_t total = 0;

    constexpr void add(BytesIn<> message)
    {
        longest = std::max(longest, message.size());
        total += message.size();
    }
};

/// Whether a message of a batch is hashed in a lane: the lanes beside a long message pay only if
/// they have nearly as much to hash.
[[nodiscard]] constexpr bool is_hashed_in_lane(BytesIn<> message, const MessageBytes& all)
{
    return is_hashed_in_lane(message) || all.total >= 2 * all.longest;
}

// ---- The hash of rows

/// When the hash of rows begins: `permutations` after the first `rows` rows are there.
///
/// If it begins too early, it reaches a row that is not there, and is repeated alone after all
/// rows. If it begins too late, more of it is left when the other lanes are idle. So it begins as
/// many permutations before the last row as it has blocks without that row.
struct HashBegin {
    std::size_t rows;
    std::size_t permutations;

    /// It is computed alone, after all rows.
    [[nodiscard]] static constexpr HashBegin never() noexcept { return {static_cast<std::size_t>(-1), 0}; }
    [[nodiscard]] constexpr bool is_never() const noexcept { return rows == never().rows; }
};

/// The lengths of the parts that are hashed: `first` bytes, then k rows.
struct HashedRows {
    std::size_t first;
    std::size_t row;
};
template <Shape S>
inline constexpr HashedRows public_key_rows{rho_bytes, packed_bytes(S.t1_bits)};
template <Shape S>
inline constexpr HashedRows w1_rows{mu_bytes, packed_bytes(S.w1_bits())};

/// Whether a beginning is within two and a half permutations of that rule. A row takes 5 l
/// permutations, spread over all lanes but that of the hash.
template <Shape S>
[[nodiscard]] constexpr bool follows_rule(HashBegin begin, HashedRows hashed, std::size_t lanes)
{
    if (begin.is_never()) return true;
    const std::size_t blocks = (hashed.first + (S.k - 1) * hashed.row) / keccak::shake256_function.rate;
    const std::size_t wanted = 5 * S.l * S.k - blocks * (lanes - 1);
    const std::size_t given = 5 * S.l * begin.rows + begin.permutations * (lanes - 1);
    return 2 * (given > wanted ? given - wanted : wanted - given) < 5 * (lanes - 1);
}

/// With fewer lanes, giving one to the hash costs more than computing the hash alone.
inline constexpr std::size_t min_lanes = 4;

/// When tr begins in key generation: where the permutations of all lanes are fewest.
template <Shape S, class Isa>
inline constexpr HashBegin tr_begin = [] {
    constexpr std::size_t lanes = Isa::WideWords::count;
    if (lanes < min_lanes) return HashBegin::never();
    constexpr HashBegin begin = lanes < 8  ? S.k == 4   ? HashBegin{3, 1}
                                             : S.k == 6 ? HashBegin{4, 5}
                                                        : HashBegin{6, 6}
                                 : S.k == 4 ? HashBegin{1, 3}
                                : S.k == 6 ? HashBegin{3, 0}
                                           : HashBegin{5, 0};
    static_assert(follows_rule<S>(begin, public_key_rows<S>, lanes < min_lanes ? min_lanes : lanes));
    return begin;
}();

/// When c~ begins in verification, by the same count. On four lanes ML-DSA-65 gains nothing.
template <Shape S, class Isa>
inline constexpr HashBegin c_tilde_begin = [] {
    constexpr std::size_t lanes = Isa::WideWords::count;
    if (lanes < min_lanes || (lanes < 8 && S.k == 6)) return HashBegin::never();
    constexpr HashBegin begin{S.k - 1, lanes < 8 ? (S.k == 4 ? 2 : 4) : (S.k < 8 ? 1 : 0)};
    static_assert((lanes < 8 && S.k == 6) ||
                  follows_rule<S>(begin, w1_rows<S>, lanes < min_lanes ? min_lanes : lanes));
    return begin;
}();

/// The hash of rows in a lane, while rows are still made. If it reaches a block that is not there,
/// it gives up its lane and is not done.
template <class Isa>
class RowsHash final : public keccak::Task {
  public:
    using Pieces = typename keccak::Message<Isa>::Pieces;

    constexpr RowsHash(const Pieces& pieces, HashedRows hashed, BytesOut<> digest) noexcept
        : pieces_(pieces), message_(pieces), hashed_(hashed), digest_(digest)
    {
        for (const BytesIn<>& piece : pieces) size_ += piece.size();
    }

    /// The first `rows` rows are there.
    constexpr void has(std::size_t rows) noexcept { available_ = hashed_.first + rows * hashed_.row; }
    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(keccak::Lane lane) noexcept override { absorb(lane); }
    [[nodiscard]] constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (message_.is_absorbed()) {
            lane.squeeze(digest_);
            is_done_ = true;
            return nullptr;
        }
        if (available_ < size_ && available_ < absorbed_ + keccak::shake256_function.rate) return nullptr;
        absorb(lane);
        return this;
    }

    /// Computes the hash alone, if it is not done.
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
    HashedRows hashed_;
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

/// Runs tasks, those of A among them. Calls make_row(i) for each row i in order, as soon as its
/// polynomials of A are there and others_are_there(i) is true, and hashes rows while the last ones
/// are made. In the end all rows are made if the others are there; the hash may not be done.
template <Shape S, class Isa, class OthersAreThere, class MakeRow>
constexpr void make_rows_beside_hash(std::span<keccak::Task* const> tasks,
                                     std::span<const UniformTask<Isa>> a_tasks,
                                     OthersAreThere others_are_there, MakeRow make_row, RowsHash<Isa>& hash,
                                     HashBegin begin)
{
    std::size_t a_done = 0;
    std::size_t rows = 0;
    const auto after_permutation = [&] {  // true once the hash may begin
        count_done(a_tasks, a_done);
        for (; a_done >= (rows + 1) * S.l && others_are_there(rows); ++rows) make_row(rows);
        hash.has(rows);
        if (rows < begin.rows) return false;
        if (begin.permutations == 0) return true;
        --begin.permutations;
        return false;
    };
    using Lanes = typename Isa::WideWords;
    if constexpr (Lanes::count >= min_lanes) {
        keccak::Task* const hash_task = &hash;
        keccak::run<Lanes>(tasks, after_permutation, std::span{&hash_task, 1});
    } else {
        keccak::run<Lanes>(tasks);
        (void)after_permutation();  // makes all rows
    }
}

}  // namespace girih::ml_dsa
