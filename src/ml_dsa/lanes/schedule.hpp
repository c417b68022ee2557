/// How the lanes of the permutation are kept busy.
///
/// Nearly all of ML-DSA's time goes into SHAKE, and an engine with vectors permutes 2 to 8 states
/// in about the time of one. standard/ leaves all lanes but one idle. The functions whose names end
/// in `_in_lanes` or `_many` run the same lines in another order, and make the same bytes:
///
///   - Polynomials with a sponge each (the k l polynomials of A, s1 and s2, y) are drawn side by
///     side. Each sponge is a keccak::Task; keccak::Scheduler gives it a lane, and when it is done
///     gives the lane to the next task (lanes/sampling.hpp).
///   - A long hash takes one lane, while the others draw polynomials. It is the hash of a message
///     of at most 1,024 bytes, or a hash of rows, each made as soon as its polynomials are there:
///     tr, the hash of pk, in key generation, and c~, the hash of w1, in verification (below).
///   - In signing, the lanes beside the hash that gives c~ draw the masks of the next attempt,
///     which is needed more often than not, and two of the one after it (lanes/mask_stream.hpp).
///   - In a batch, a hash without work beside it in its own row runs beside those of other rows
///     (lanes/keygen.hpp, verify.hpp, sign_many.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/function.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/rows_hash.hpp"
#include "keccak/task.hpp"
#include "ml_dsa/encoding/frame.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/rows.hpp"

namespace girih::ml_dsa {

/// Rows of a batch that run in the lanes together.
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

/// Whether a message of a batch is hashed in a lane: a long message pays only if the lanes beside
/// it have nearly as much to hash.
[[nodiscard]] constexpr bool is_hashed_in_lane(BytesIn<> message, const MessageBytes& all)
{
    return is_hashed_in_lane(message) || all.total >= 2 * all.longest;
}

// ---- The hash of rows

using keccak::HashBegin;

/// The lengths of the parts that are hashed: `first` bytes, then k rows.
struct HashedRows {
    std::size_t first;
    std::size_t row;
};
template <Shape S>
inline constexpr HashedRows public_key_rows{rho_bytes, packed_bytes(S.t1_bits)};
template <Shape S>
inline constexpr HashedRows w1_rows{mu_bytes, packed_bytes(S.w1_bits())};

/// When the hash tr begins in key generation: where all lanes together need the fewest
/// permutations.
template <Shape S, class Isa>
inline constexpr HashBegin tr_begin = [] {
    constexpr std::size_t lanes = Isa::WideWords::count;
    if (lanes < keccak::min_lanes) return HashBegin::never();
    return lanes < 8  ? S.k == 4   ? HashBegin{2, 1}
                        : S.k == 6 ? HashBegin{4, 0}
                                   : HashBegin{6, 0}
            : S.k == 4 ? HashBegin{1, 2}
           : S.k == 6 ? HashBegin{2, 0}
                      : HashBegin{4, 3};
}();

/// When the hash c~ begins in verification, by the same count.
template <Shape S, class Isa>
inline constexpr HashBegin c_tilde_begin = [] {
    constexpr std::size_t lanes = Isa::WideWords::count;
    if (lanes < keccak::min_lanes) return HashBegin::never();
    return lanes < 8 ? HashBegin{S.k - 1, S.k < 8 ? 0 : 1}
           : S.k < 8 ? HashBegin{S.k - 1, 0}
                     : HashBegin{S.k - 2, 1};
}();

/// Runs tasks, those of A among them. Calls make_row(i) for each row i in order, as soon as its
/// polynomials of A are drawn and others_are_there(i) is true, and hashes rows while the last ones
/// are made. In the end all rows are made, if the others are there; the hash may be unfinished.
template <Shape S, class Isa, class OthersAreThere, class MakeRow>
constexpr void make_rows_beside_hash(std::span<keccak::Task* const> tasks,
                                     std::span<const UniformTask<Isa>> a_tasks,
                                     OthersAreThere others_are_there, MakeRow make_row,
                                     keccak::RowsHash<Isa>& hash, HashedRows hashed, HashBegin begin)
{
    std::size_t a_done = 0;
    std::size_t rows = 0;
    const auto make_rows = [&] {
        keccak::count_done(a_tasks, a_done);
        for (; a_done >= (rows + 1) * S.l && others_are_there(rows); ++rows) make_row(rows);
        hash.has(hashed.first + rows * hashed.row);
        return rows;
    };
    keccak::run_beside_hash<Isa, /*in_pairs=*/true>(tasks, make_rows, hash, begin);
}

}  // namespace girih::ml_dsa
