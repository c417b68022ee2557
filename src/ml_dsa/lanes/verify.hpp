/// Verification in lanes. For one row, A is drawn beside tr, mu and c, and c~ is hashed beside the
/// last rows of w1. For several rows, each hash runs beside those of the other rows. The steps are
/// those of standard/verify.hpp in another order, and give the same verdicts.
///
/// Variable time throughout: everything here is public.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/rows.hpp"
#include "ml_dsa/standard/verify.hpp"

namespace girih::ml_dsa {

/// prepare_verifying_key, with tr beside A.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_verifying_key_in_lanes(const Version& version,
                                                                BytesIn<S.public_key_bytes()> pk,
                                                                PreparedVerifyingKey<S>& prepared)
{
    const PublicKey<S> key = pk_decode<S, Isa>(pk);
    prepared.version = version;
    std::array tr_task{keccak::HashTask<Isa>{{pk}, prepared.tr.resized(version.tr_bytes)}};
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, prepared.a_hat);
    keccak::run<typename Isa::WideWords, /*in_pairs=*/true>(tr_task, a_tasks);
    prepare_t1<S, Isa>(key, prepared);
}

/// verify_vartime of one row.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_in_lanes_vartime(const Version& version,
                                                                    BytesIn<S.public_key_bytes()> pk,
                                                                    const Frame& frame, BytesIn<> message,
                                                                    BytesIn<> sigma)
{
    Signature<S> sig;
    if (!sig_decode<S, Isa>(version, sigma, sig)) return false;
    const BytesIn<> c_tilde = sig.c_tilde.view();
    PreparedVerifyingKey<S> key;
    const PublicKey<S> decoded = pk_decode<S, Isa>(pk);
    prepare_t1<S, Isa>(decoded, key);

    std::array<Byte, mu_bytes> mu;
    ChallengePoly c;
    const BytesOut<> tr = key.tr.resized(version.tr_bytes);
    auto mu_task = ml_dsa::mu_task<Isa>(tr, frame, message, mu);
    keccak::HashTask<Isa> tr_task{{pk}, tr, is_hashed_in_lane(message) ? &mu_task : nullptr};
    BallTask<S, Isa> c_task{c_tilde, c};
    auto a_tasks = expand_a_tasks<S, Isa>(decoded.rho, key.a_hat);
    keccak::TaskList<Isa, 2 + S.k * S.l> tasks;
    tasks.add(tr_task);
    tasks.add(c_task);
    tasks.add(a_tasks);

    std::array<Byte, S.w1_bytes()> w1_encoded;
    TransformedSignature<S> transformed;
    const auto mu_and_c_are_there = [&](std::size_t) { return mu_task.is_done() && c_task.is_done(); };
    const auto make_row = [&](std::size_t i) {
        if (i == 0) transform<S, Isa>(c, sig, transformed);
        make_row_of_w1<S, Isa>(i, key, transformed, sig.h[i], w1_encoded);
    };
    PublicHash again;
    keccak::RowsHash<Isa> hash{
        keccak::shake256_function, {mu, w1_encoded}, again.resized(version.c_tilde_bytes)};
    make_rows_beside_hash<S, Isa>(tasks.tasks(), a_tasks, mu_and_c_are_there, make_row, hash, w1_rows<S>,
                                  c_tilde_begin<S, Isa>);
    if (!is_hashed_in_lane(message)) {
        message_representative<Isa>(tr, frame, message, mu);
        for (std::size_t i = 0; i < S.k; ++i) make_row(i);
    }
    hash.finish();
    return std::ranges::equal(again.view(), c_tilde);
}

/// verify_mu_vartime of a prepared key and a message: mu and c are computed side by side.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_prepared_in_lanes_vartime(
    const PreparedVerifyingKey<S>& key, const Frame& frame, BytesIn<> message, BytesIn<> sigma)
{
    Signature<S> sig;
    if (!sig_decode<S, Isa>(key.version, sigma, sig)) return false;
    std::array<Byte, mu_bytes> mu;
    ChallengePoly c;
    auto mu_task = ml_dsa::mu_task<Isa>(key.tr.view(), frame, message, mu);
    BallTask<S, Isa> c_task{sig.c_tilde.view(), c};
    keccak::TaskList<Isa, 2> tasks;
    tasks.add(mu_task);
    tasks.add(c_task);
    tasks.run();
    return answers_challenge<S, Isa>(key, mu, sig, c);
}

/// verify_vartime of several rows, at most as many as there are lanes, in three steps: everything
/// that depends on the rows' bytes alone, the arithmetic row by row, and the last hash.
template <Shape S, class Isa>
class VerifyMany {
  public:
    [[gnu::noinline]] constexpr VerifyMany(const Version& version, std::span<VerifyingRow> rows)
        : version_(version), rows_(rows)
    {
        hash_messages();
        for (std::size_t i = 0; i < rows_.size(); ++i) recompute_w1(i);
        compare();
    }

  private:
    static constexpr std::size_t count = rows_in_lanes<Isa>;

    /// mu of each row, preceded by tr where it is unknown, and the challenges.
    [[gnu::noinline]] constexpr void hash_messages()
    {
        MessageBytes all;
        for (const VerifyingRow& row : rows_) all.add(row.message);
        for (PublicHash& tr : tr_) (void)tr.resized(version_.tr_bytes);
        auto mu_tasks = keccak::make_tasks<count>(
            [this](std::size_t i) { return mu_task<Isa>(tr(i), row(i).frame, row(i).message, mu_[i]); });
        auto tr_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            const bool in_lane = is_hashed_in_lane(row(i).message, all);
            return keccak::HashTask<Isa>{{BytesIn<>{row(i).pk, S.public_key_bytes()}},
                                         tr_[i].resized(version_.tr_bytes),
                                         in_lane ? &mu_tasks[i] : nullptr};
        });
        auto c_tasks = keccak::make_tasks<count>(
            [this](std::size_t i) { return BallTask<S, Isa>{c_tilde(i), challenges_[i]}; });

        keccak::TaskList<Isa, 2 * count> hashes;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i].prepared == nullptr) {
                hashes.add(tr_tasks[i]);
            } else if (is_hashed_in_lane(rows_[i].message, all)) {
                hashes.add(mu_tasks[i]);
            }
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) hashes.add(c_tasks[i]);
        hashes.run();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!is_hashed_in_lane(rows_[i].message, all))
                message_representative<Isa>(tr(i), rows_[i].frame, rows_[i].message, mu_[i]);
    }

    [[gnu::noinline]] constexpr void recompute_w1(std::size_t i)
    {
        Signature<S> sig;
        const BytesIn<> bytes{rows_[i].signature, S.signature_bytes(version_)};
        rows_[i].verifies = sig_decode<S, Isa>(version_, bytes, sig);
        if (!rows_[i].verifies) return;
        if (rows_[i].prepared != nullptr) return recompute_w1(prepared(i), sig, i);
        const PublicKey<S> decoded =
            pk_decode<S, Isa>(BytesIn<S.public_key_bytes()>{rows_[i].pk, S.public_key_bytes()});
        PreparedVerifyingKey<S> key;
        expand_a_in_lanes<S, Isa>(decoded.rho, key.a_hat);
        prepare_t1<S, Isa>(decoded, key);
        recompute_w1(key, sig, i);
    }

    [[gnu::noinline]] constexpr void recompute_w1(const PreparedVerifyingKey<S>& key, const Signature<S>& sig,
                                                  std::size_t i)
    {
        TransformedSignature<S> transformed;
        transform<S, Isa>(challenges_[i], sig, transformed);
        for (std::size_t row = 0; row < S.k; ++row)
            make_row_of_w1<S, Isa>(row, key, transformed, sig.h[row], w1_encoded_[i]);
    }

    [[gnu::noinline]] constexpr void compare()
    {
        std::array<PublicHash, count> answers;
        auto hash_tasks = keccak::make_tasks<count>([&](std::size_t i) {
            return keccak::HashTask<Isa>{{mu_[i], w1_encoded_[i]},
                                         answers[i].resized(version_.c_tilde_bytes)};
        });
        keccak::TaskList<Isa, count> hashes;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i].verifies) hashes.add(hash_tasks[i]);
        hashes.run();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            rows_[i].verifies = rows_[i].verifies && std::ranges::equal(answers[i].view(), c_tilde(i));
    }

    /// Row i, or the last row for tasks that will not run.
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

}  // namespace girih::ml_dsa
