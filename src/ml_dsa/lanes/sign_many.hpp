/// Signing of many rows in lanes, with as many attempts side by side as there are lanes. A row
/// takes a lane as soon as another is signed. When fewer rows than lanes are left, a row's next
/// attempt runs beside its present one, and the first that succeeds counts. The steps are those of
/// standard/sign.hpp in another order; each row gets the signature that it gets alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/lanes/mask_stream.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/rows.hpp"
#include "ml_dsa/standard/attempt.hpp"
#include "ml_dsa/standard/sign.hpp"

namespace girih::ml_dsa {

/// sign of every row. Its steps are those of sign_mu: `commit`, the hashes of the challenges,
/// `respond` and `encode_accepted`.
///
/// Constant time, except for the number of attempts of each row and what rejected each.
template <Shape S, class Isa>
class SignMany {
  public:
    constexpr explicit SignMany(const Version& version) : version_(version) {}

    [[gnu::noinline]] constexpr void run(const SigningRows& rows)
    {
        while (refill(rows)) {
            assign();
            expand_masks();
            for (RowAttempt& tried : attempts())
                commit<S, Isa>(key_of(tried).a_hat, tried.y, scratch_, tried.attempt);
            challenge_all();
            for (RowAttempt& tried : attempts()) respond_to(tried, rows);
        }
    }

  private:
    static constexpr std::size_t count = rows_in_lanes<Isa>;
    static constexpr std::size_t max_at_once = 2;  ///< attempts of a row: a third would mostly be in vain

    /// A row that has no signature yet.
    struct OpenRow {
        SigningRow row;
        std::array<Byte, mu_bytes> mu;
        Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
        std::size_t begun = 0;  ///< attempts
        bool is_open = false;

        [[nodiscard]] constexpr const PreparedSigningKey<S>& key() const
        {
            return *static_cast<const PreparedSigningKey<S>*>(row.prepared);
        }
        [[nodiscard]] constexpr BytesIn<> rnd() const
        {
            return {row.rnd, row.rnd == nullptr ? 0 : key().version.rnd_bytes()};
        }
    };

    /// An attempt, its row, and its number among the attempts of that row.
    struct RowAttempt {
        std::size_t row;
        std::size_t number;
        MaskView<S> y;
        Attempt<S> attempt;
    };

    [[nodiscard]] constexpr std::span<RowAttempt> attempts()
    {
        return std::span{attempts_}.first(attempt_count_);
    }
    [[nodiscard]] constexpr const PreparedSigningKey<S>& key_of(const RowAttempt& tried) const
    {
        return open_rows_[tried.row].key();
    }

    /// Takes new rows in place of finished ones, and hashes their messages. False when none is
    /// left.
    constexpr bool refill(const SigningRows& rows)
    {
        std::array<bool, count> is_new{};
        bool some = false;
        for (std::size_t i = 0; i < count; ++i) {
            OpenRow& open = open_rows_[i];
            if (!open.is_open && rows.next(rows.rows, open.row)) {
                is_new[i] = open.is_open = true;
                open.begun = 0;
            }
            some |= open.is_open;
        }
        hash_messages(is_new);
        return some;
    }

    /// mu and rho'' of the new rows.
    [[gnu::noinline]] constexpr void hash_messages(const std::array<bool, count>& is_new)
    {
        MessageBytes all;
        for (std::size_t i = 0; i < count; ++i)
            if (is_new[i]) all.add(open_rows_[i].row.message);
        keccak::TaskList<Isa, count> hashes;
        std::array<std::optional<keccak::HashTask<Isa>>, count> mu_tasks;
        std::array<std::optional<keccak::HashTask<Isa>>, count> seed_tasks;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_new[i]) continue;
            OpenRow& open = open_rows_[i];
            const SigningRow& row = open.row;
            const bool is_drawn = rnd_is_rho_double_prime(version_, open.rnd());
            if (is_drawn) {
                copy(open.rnd(), *open.rho_double_prime);
            } else {
                seed_tasks[i] = keccak::HashTask<Isa>{
                    {*open.key().key, hashed_rnd(version_, open.rnd()), open.mu}, *open.rho_double_prime};
            }
            keccak::Task* const next = is_drawn ? nullptr : &*seed_tasks[i];
            if (is_hashed_in_lane(row.message, all)) {
                mu_tasks[i] = mu_task<Isa>(open.key().tr.view(), row.frame, row.message, open.mu, next);
                hashes.add(*mu_tasks[i]);
            } else {
                message_representative<Isa>(open.key().tr.view(), row.frame, row.message, open.mu);
                if (next != nullptr) hashes.add(*next);
            }
        }
        hashes.run();
    }

    /// Gives each row an attempt, and more while lanes are left.
    constexpr void assign()
    {
        attempt_count_ = 0;
        for (std::size_t round = 0; round < max_at_once; ++round) {
            for (std::size_t i = 0; i < count && attempt_count_ < count; ++i) {
                OpenRow& open = open_rows_[i];
                if (!open.is_open || open.begun == max_attempts) continue;
                attempts_[attempt_count_].row = i;
                attempts_[attempt_count_].number = open.begun++;
                ++attempt_count_;
            }
        }
    }

    [[gnu::noinline]] constexpr void expand_masks()
    {
        std::size_t finished = 0;
        keccak::TaskList<Isa, count * S.l> masks;
        for (std::size_t i = 0; i < attempt_count_; ++i) {
            for (std::size_t j = 0; j < S.l; ++j) {
                MaskPolyTask<S, Isa>& task = mask_tasks_[i * S.l + j];
                task.begin(*open_rows_[attempts_[i].row].rho_double_prime, attempts_[i].number * S.l + j,
                           finished);
                masks.add(task);
            }
            attempts_[i].y = MaskView<S>{[&](std::size_t j) { return &mask_tasks_[i * S.l + j].bytes(); }};
        }
        masks.template run</*in_pairs=*/true>();
    }

    [[gnu::noinline]] constexpr void challenge_all()
    {
        auto c_tasks = keccak::make_tasks<count>([this](std::size_t i) {
            return BallTask<S, Isa>{attempts_[i].attempt.c_tilde.resized(version_.c_tilde_bytes),
                                    attempts_[i].attempt.c};
        });
        auto hash_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            return keccak::HashTask<Isa>{
                {open_rows_[i < attempt_count_ ? attempts_[i].row : 0].mu, *attempts_[i].attempt.w1_encoded},
                attempts_[i].attempt.c_tilde.resized(version_.c_tilde_bytes),
                &c_tasks[i]};
        });
        keccak::TaskList<Isa, count> hashes;
        for (std::size_t i = 0; i < attempt_count_; ++i) hashes.add(hash_tasks[i]);
        hashes.run();
    }

    constexpr void respond_to(RowAttempt& tried, const SigningRows& rows)
    {
        OpenRow& open = open_rows_[tried.row];
        if (!open.is_open) return;  // an earlier attempt became the signature
        const BytesOut<> bytes{open.row.signature, S.signature_bytes(version_)};
        const bool is_signed =
            !respond<S, Isa>(open.key(), T0Hat<S, Isa>{open.key()}, tried.y, tried.attempt, scratch_);
        if (is_signed) {
            encode_accepted<S, Isa>(tried.attempt, tried.y, bytes);
        } else if (tried.number + 1 < max_attempts) {
            return;
        } else {
            for (Byte& byte : bytes) byte = 0;
        }
        open.is_open = false;
        rows.done(rows.rows, open.row.number, is_signed);
    }

    Version version_;
    std::array<OpenRow, count> open_rows_;
    std::array<RowAttempt, count> attempts_;
    std::size_t attempt_count_ = 0;
    std::array<MaskPolyTask<S, Isa>, count * S.l> mask_tasks_;
    Scratch<S> scratch_;
};

}  // namespace girih::ml_dsa
