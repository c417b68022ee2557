/// Signing several messages with one prepared key in lockstep: one signature in each lane of a
/// vector of doubles, walking the same tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/wipe.hpp"
#include "falcon/rows.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/sampling/interleaved_sampler.hpp"
#include "falcon/standard/sign.hpp"

namespace girih::falcon {

/// Sign (Falcon, Algorithm 10), interleaved: one signature in each lane. Every row gets the same
/// signature as alone. Constant time if signing one message is.
template <Shape S, class Isa>
class InterleavedSigning {
    using Fpr = typename Isa::WideFpr;
    using Key = PreparedSigningKey<S, Isa>;
    static constexpr std::size_t n = S.n();

  public:
    static constexpr std::size_t lanes = Fpr::lanes;
    /// Fewer rows are faster one after the other.
    static constexpr std::size_t fewest_rows = lanes / 2;

    /// One attempt for each row, at most as many as lanes. A row whose attempt fails, and every row
    /// of a key that has changed, is left to sign_again.
    template <class SignAgain>
    [[gnu::noinline]] static void sign(Format format, const Key& key, std::span<SigningRow> rows,
                                       SignAgain sign_again)
    {
        if (!key.is_unchanged()) {
            for (SigningRow& row : rows) sign_again(row);
            return;
        }
        Wiped<InterleavedSigning> signing{uninitialized};
        signing->draw_points(rows);
        {
            typename WideSampler<Isa>::Sources sources;
            for (std::size_t lane = 0; lane < lanes; ++lane)
                sources[lane].absorb(BytesIn<seed_bytes>{rows[row_of(lane, rows)].seed, seed_bytes});
            WideSampler<Isa> sampler{S.sigma_min(), sources};
            approach(key.basis, key.root(), sampler, signing->scratch_);
        }
        for (std::size_t lane = 0; lane < rows.size(); ++lane)
            if (!signing->finish(format, lane, rows[lane])) sign_again(rows[lane]);
    }

  private:
    friend struct Wiped<InterleavedSigning>;
    InterleavedSigning() = default;

    /// Idle lanes duplicate another lane's row.
    [[nodiscard]] static std::size_t row_of(std::size_t lane, std::span<SigningRow> rows)
    {
        return lane < rows.size() ? lane : 0;
    }

    void draw_points(std::span<SigningRow> rows)
    {
        std::array<SaltedMessage, lanes> messages;
        for (std::size_t i = 0; i < rows.size(); ++i)
            messages[i] = {BytesIn<>{rows[i].salt, salt_bytes}, rows[i].message};
        hash_messages<Isa, n>(std::span{messages}.first(rows.size()), c_);
        for (std::size_t i = 0; i < n; ++i) {
            std::array<std::int64_t, lanes> c;
            for (std::size_t lane = 0; lane < lanes; ++lane) c[lane] = c_[row_of(lane, rows)][i];
            scratch_.t0[i] = Fpr::of(Fpr::Integers::load(c));
        }
    }

    /// Writes the signature of a lane if its attempt succeeded.
    [[nodiscard]] bool finish(Format format, std::size_t lane, SigningRow& row)
    {
        const auto nearest = [&](std::size_t which, std::size_t i) {
            return round((which == 0 ? scratch_.t0[i] : scratch_.t1[i]).lane(lane));
        };
        if (!is_short<S>(c_[lane], nearest, s2_)) return false;
        const std::size_t bytes =
            write_signature<S, Isa>(format, s2_, BytesIn<salt_bytes>{row.salt, salt_bytes},
                                    BytesOut<>{row.signature, S.signature_bytes(format)});
        row.outcome = {SignResult::good, bytes};
        return bytes != 0;
    }

    SigningScratch<Fpr, decltype(std::declval<const Key&>().root()), n> scratch_;
    std::array<ResiduePoly<n>, lanes> c_;
    ShortPoly<n> s2_;
};

}  // namespace girih::falcon
