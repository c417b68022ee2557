/// Many keys or signatures at once, one a lane: a hash that nothing within its own operation could
/// run beside runs beside those of others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/rows.hpp"
#include "ml_dsa/sign.hpp"
#include "ml_dsa/verify.hpp"

namespace girih::ml_dsa {

/// Rows that one run of the scheduler serves.
template <class Isa>
inline constexpr std::size_t group = std::min(rows_at_once, Isa::WideWords::count);

/// Whether a message, of the longest of all and the bytes of all, is hashed in a lane: the lanes
/// beside a long message pay only if they have nearly as much to hash.
[[nodiscard]] constexpr bool rides_along(BytesIn<> message, std::size_t longest, std::size_t total)
{
    return rides_along(message) || total >= 2 * longest;
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6) of every row. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen_group(const Version& version, std::span<const KeygenRow> rows)
{
    std::array<ExpandedSeed, group<Isa>> expanded;
    auto seed_tasks = keccak::make_tasks<group<Isa>>([&](std::size_t i) {
        const Byte* const seed = rows[std::min(i, rows.size() - 1)].seed;
        return keccak::HashTask<Isa>{{BytesIn<>{seed, seed_bytes}, dimensions<S>(version)},
                                     *expanded[i].bytes};
    });
    keccak::run<typename Isa::WideWords>(seed_tasks);

    keccak::TaskList<Isa, group<Isa>> hashes;
    auto tr_tasks = keccak::make_tasks<group<Isa>>([&](std::size_t i) {
        const KeygenRow& row = rows[std::min(i, rows.size() - 1)];
        return keccak::HashTask<Isa>{{BytesIn<>{row.pk, S.public_key_bytes()}},
                                     BytesOut<>{row.sk + rho_bytes + key_bytes, version.tr_bytes}};
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        SecretKey<S> key;
        (void)key.tr.room(version.tr_bytes);  // written below
        keygen_from_expanded_seed<S, Isa>(
            expanded[i], BytesOut<S.public_key_bytes()>{rows[i].pk, S.public_key_bytes()}, key);
        sk_encode<S, Isa>(key, BytesOut<>{rows[i].sk, S.secret_key_bytes(version)});
        copy_secret(expanded[i].key().data(), rows[i].sk + rho_bytes, key_bytes);
        hashes.add(tr_tasks[i]);
    }
    hashes.run();
}

/// Verification (FIPS 204, Algorithm 8) of every row of a group, in three steps: what depends on
/// nothing but the rows' bytes, the arithmetic row by row, and the last hash.
template <Shape S, class Isa>
class VerifyingGroup {
  public:
    [[gnu::noinline]] constexpr VerifyingGroup(const Version& version, std::span<VerifyingRow> rows)
        : version_(version), rows_(rows)
    {
        hash_messages();
        for (std::size_t i = 0; i < rows_.size(); ++i) recompute_w1_row(i);
        compare();
    }

  private:
    static constexpr std::size_t count = group<Isa>;

    /// mu of each row, with tr before it where that is not known, and the challenges.
    [[gnu::noinline]] constexpr void hash_messages()
    {
        std::size_t longest = 0;
        std::size_t total = 0;
        for (const VerifyingRow& row : rows_) {
            longest = std::max(longest, row.message.size());
            total += row.message.size();
        }
        for (PublicHash& tr : tr_) (void)tr.room(version_.tr_bytes);
        auto mu_tasks = keccak::make_tasks<count>(
            [this](std::size_t i) { return mu_task<Isa>(tr(i), row(i).frame, row(i).message, mu_[i]); });
        auto tr_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            const bool rides = rides_along(row(i).message, longest, total);
            return keccak::HashTask<Isa>{{BytesIn<>{row(i).pk, S.public_key_bytes()}},
                                         tr_[i].room(version_.tr_bytes),
                                         rides ? &mu_tasks[i] : nullptr};
        });
        auto c_tasks = keccak::make_tasks<count>(
            [this](std::size_t i) { return BallTask<S, Isa>{c_tilde(i), challenges_[i]}; });

        keccak::TaskList<Isa, 2 * count> hashes;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i].prepared == nullptr) {
                hashes.add(tr_tasks[i]);
            } else if (rides_along(rows_[i].message, longest, total)) {
                hashes.add(mu_tasks[i]);
            }
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) hashes.add(c_tasks[i]);
        hashes.run();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!rides_along(rows_[i].message, longest, total))
                message_representative<Isa>(tr(i), rows_[i].frame, rows_[i].message, mu_[i]);
    }

    [[gnu::noinline]] constexpr void recompute_w1_row(std::size_t i)
    {
        Signature<S> sig;
        const BytesIn<> bytes{rows_[i].signature, S.signature_bytes(version_)};
        rows_[i].verifies = sig_decode<S, Isa>(version_, bytes, sig);
        if (!rows_[i].verifies) return;
        if (rows_[i].prepared != nullptr) {
            recompute_w1<S, Isa>(prepared(i), sig, challenges_[i], w1_encoded_[i]);
        } else {
            const BytesIn<S.public_key_bytes()> pk{rows_[i].pk, S.public_key_bytes()};
            const PublicKey<S> decoded = pk_decode<S, Isa>(pk);
            PreparedVerifyingKey<S> key;
            key.version = version_;
            expand_a<S, Isa>(decoded.rho, key.a_hat);
            prepare_t1<S, Isa>(decoded, key);
            recompute_w1<S, Isa>(key, sig, challenges_[i], w1_encoded_[i]);
        }
    }

    [[gnu::noinline]] constexpr void compare()
    {
        std::array<PublicHash, count> answers;
        auto hash_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            return keccak::HashTask<Isa>{{mu_[i], w1_encoded_[i]}, answers[i].room(version_.c_tilde_bytes)};
        });
        keccak::TaskList<Isa, count> hashes;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].verifies) hashes.add(hash_tasks[i]);
        hashes.run();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            rows_[i].verifies = rows_[i].verifies && std::ranges::equal(answers[i].view(), c_tilde(i));
    }

    /// A row, or the last for tasks that will not run.
    [[nodiscard]] constexpr const VerifyingRow& row(std::size_t i) const
    {
        return rows_[std::min(i, rows_.size() - 1)];
    }
    [[nodiscard]] constexpr const PreparedVerifyingKey<S>& prepared(std::size_t i) const
    {
        return *static_cast<const PreparedVerifyingKey<S>*>(row(i).prepared);
    }
    [[nodiscard]] constexpr BytesIn<> tr(std::size_t i) const
    {
        return row(i).prepared == nullptr ? tr_[i].view() : prepared(i).tr.view();
    }
    [[nodiscard]] constexpr BytesIn<> c_tilde(std::size_t i) const
    {
        return BytesIn<>{row(i).signature, version_.c_tilde_bytes};
    }

    Version version_;
    std::span<VerifyingRow> rows_;
    std::array<PublicHash, count> tr_;
    std::array<std::array<Byte, mu_bytes>, count> mu_;
    std::array<ChallengePoly, count> challenges_;
    std::array<std::array<Byte, S.w1_bytes()>, count> w1_encoded_;
};

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7) of every row, with as many attempts in flight as
/// there are lanes. When fewer rows than lanes are left, a row has its next attempts made beside
/// the present one; they count in their order, so a row's signature is the one that it has alone.
///
/// The steps are those of sign_from_seed (sign.hpp): `commit`, `respond` and `give`, and between
/// them the hashes of `challenge`. Apart is the order of work: whose attempt is made next.
///
/// Constant time, but for the number of attempts of each row and what rejected each.
template <Shape S, class Isa>
class SigningBatch {
  public:
    constexpr explicit SigningBatch(const Version& version) : version_(version) {}

    [[gnu::noinline]] constexpr void run(const SigningRows& rows)
    {
        while (refill(rows)) {
            assign();
            expand_masks();
            for (Work& work : in_work())
                commit<S, Isa>(key_of(work).a_hat, work.mask(), scratch_, work.attempt);
            challenge_all();
            for (Work& work : in_work()) respond_to(work, rows);
        }
    }

  private:
    static constexpr std::size_t count = group<Isa>;
    static constexpr std::size_t most_at_once = 2;  ///< of one row: another is likely to be made in vain

    struct Subject {
        SigningRow row;
        std::array<Byte, mu_bytes> mu;
        Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
        std::size_t begun = 0;  ///< attempts
        bool is_there = false;

        [[nodiscard]] constexpr const PreparedSigningKey<S>& key() const
        {
            return *static_cast<const PreparedSigningKey<S>*>(row.prepared);
        }
        [[nodiscard]] constexpr BytesIn<> rnd() const
        {
            return {row.rnd, row.rnd == nullptr ? 0 : key().version.rnd_bytes()};
        }
    };

    /// One attempt.
    struct Work {
        std::size_t subject;
        std::size_t number;
        PolyVector<S.l, MaskPoly<S>> y;
        [[nodiscard]] constexpr Mask<S> mask() const
        {
            return Mask<S>{[this](std::size_t j) { return &y[j]; }};
        }
        Attempt<S, Isa> attempt;
    };

    [[nodiscard]] constexpr std::span<Work> in_work() { return std::span{work_}.first(working_); }
    [[nodiscard]] constexpr const PreparedSigningKey<S>& key_of(const Work& work) const
    {
        return subjects_[work.subject].key();
    }

    /// Takes new rows for those that are done, and hashes their messages. False when none is left.
    constexpr bool refill(const SigningRows& rows)
    {
        std::array<bool, count> is_new{};
        bool some = false;
        for (std::size_t i = 0; i < count; ++i) {
            Subject& subject = subjects_[i];
            if (!subject.is_there && rows.next(rows.rows, subject.row)) {
                is_new[i] = subject.is_there = true;
                subject.begun = 0;
            }
            some |= subject.is_there;
        }
        hash_messages(is_new);
        return some;
    }

    /// mu and rho'' of the new rows.
    [[gnu::noinline]] constexpr void hash_messages(const std::array<bool, count>& is_new)
    {
        std::size_t longest = 0;
        std::size_t total = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_new[i]) continue;
            longest = std::max(longest, subjects_[i].row.message.size());
            total += subjects_[i].row.message.size();
        }
        keccak::TaskList<Isa, count> hashes;
        std::array<std::optional<keccak::HashTask<Isa>>, count> mu_tasks;
        std::array<std::optional<keccak::HashTask<Isa>>, count> seed_tasks;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_new[i]) continue;
            Subject& subject = subjects_[i];
            const SigningRow& row = subject.row;
            const bool is_drawn = is_private_random_seed(version_, subject.rnd());
            if (is_drawn) {
                copy(subject.rnd(), *subject.rho_double_prime);
            } else {
                seed_tasks[i] = private_random_seed_task<Isa>(version_, *subject.key().key, subject.rnd(),
                                                              subject.mu, *subject.rho_double_prime);
            }
            keccak::Task* const next = is_drawn ? nullptr : &*seed_tasks[i];
            if (rides_along(row.message, longest, total)) {
                mu_tasks[i] = mu_task<Isa>(subject.key().tr.view(), row.frame, row.message, subject.mu, next);
                hashes.add(*mu_tasks[i]);
            } else {
                message_representative<Isa>(subject.key().tr.view(), row.frame, row.message, subject.mu);
                if (next != nullptr) hashes.add(*next);
            }
        }
        hashes.run();
    }

    /// Gives each row an attempt, and more while lanes are left.
    constexpr void assign()
    {
        working_ = 0;
        for (std::size_t round = 0; round < most_at_once; ++round) {
            for (std::size_t i = 0; i < count && working_ < count; ++i) {
                Subject& subject = subjects_[i];
                if (!subject.is_there || subject.begun == max_attempts) continue;
                work_[working_].subject = i;
                work_[working_].number = subject.begun++;
                ++working_;
            }
        }
    }

    [[gnu::noinline]] constexpr void expand_masks()
    {
        std::size_t finished = 0;
        keccak::TaskList<Isa, count * S.l> masks;
        for (std::size_t i = 0; i < working_; ++i) {
            for (std::size_t j = 0; j < S.l; ++j) {
                MaskTask<S, Isa>& task = mask_tasks_[i * S.l + j];
                task.begin(*subjects_[work_[i].subject].rho_double_prime, work_[i].number * S.l + j,
                           work_[i].y[j], finished);
                masks.add(task);
            }
        }
        masks.run();
    }

    [[gnu::noinline]] constexpr void challenge_all()
    {
        auto c_tasks = keccak::make_tasks<count>([this](std::size_t i) {
            return BallTask<S, Isa>{work_[i].attempt.c_tilde.room(version_.c_tilde_bytes),
                                    work_[i].attempt.c};
        });
        auto hash_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            return keccak::HashTask<Isa>{
                {subjects_[i < working_ ? work_[i].subject : 0].mu, *work_[i].attempt.w1_encoded},
                work_[i].attempt.c_tilde.room(version_.c_tilde_bytes),
                &c_tasks[i]};
        });
        keccak::TaskList<Isa, count> hashes;
        for (std::size_t i = 0; i < working_; ++i) hashes.add(hash_tasks[i]);
        hashes.run();
    }

    constexpr void respond_to(Work& work, const SigningRows& rows)
    {
        Subject& subject = subjects_[work.subject];
        if (!subject.is_there) return;  // an attempt before this one was the signature
        const BytesOut<> bytes{subject.row.signature, S.signature_bytes(version_)};
        const bool is_signed =
            !respond<S, Isa>(subject.key(), work.mask(), work.attempt, scratch_, response_);
        if (is_signed) {
            give<S, Isa>(response_, bytes);
        } else if (work.number + 1 < max_attempts) {
            return;
        } else {
            for (Byte& byte : bytes) byte = 0;
        }
        subject.is_there = false;
        rows.done(rows.rows, subject.row.number, is_signed);
    }

    Version version_;
    std::array<Subject, count> subjects_;
    std::array<Work, count> work_;
    std::size_t working_ = 0;
    std::array<MaskTask<S, Isa>, count * S.l> mask_tasks_;
    Scratch<S> scratch_;
    Response<S> response_;
};

}  // namespace girih::ml_dsa
