/// The hash of a public key beside its rows: a chain of permutations that takes a fifth of key
/// generation by itself, and goes on in a lane from where the first rows are there.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/sponge.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/public_rows.hpp"

namespace girih::ml_dsa {

/// tr = H(pk) in a lane, while rows of the key are still made. Should it come to a block that is
/// not there, it ends and is not done.
template <Shape S, class Isa>
class PublicKeyHash final : public keccak::Task {
  public:
    constexpr PublicKeyHash(const PublicRows<S, Isa>& rows, BytesIn<S.public_key_bytes()> pk,
                            BytesOut<> tr) noexcept
        : rows_(&rows), message_({pk}), tr_(tr)
    {
    }

    [[nodiscard]] constexpr bool is_done() const noexcept { return is_done_; }

    constexpr void start(keccak::Lane lane) noexcept override { absorb(lane); }
    [[nodiscard]] constexpr keccak::Task* resume(keccak::Lane lane) noexcept override
    {
        if (message_.is_absorbed()) {
            lane.squeeze(tr_);
            is_done_ = true;
            return nullptr;
        }
        const std::size_t end = absorbed_ + keccak::shake256_function.rate;
        if (rows_->count() < S.k && rows_->bytes() < end) return nullptr;
        absorb(lane);
        return this;
    }

    /// The rows to wait for before the hash begins, so that it keeps behind them: a row takes 5 l
    /// permutations in the other lanes, and gives 2.35 blocks. Fewer lanes than four sample first.
    static constexpr std::size_t rows_before = [] {
        if (Isa::WideWords::count >= 8 && S.k > 4) return S.k < 8 ? std::size_t{3} : std::size_t{5};
        if (Isa::WideWords::count >= 4 && S.k > 4) return S.k - 1;
        return S.k;
    }();

  private:
    constexpr void absorb(keccak::Lane lane) noexcept
    {
        message_.absorb_block(lane);
        absorbed_ += keccak::shake256_function.rate;
    }

    const PublicRows<S, Isa>* rows_;
    keccak::Message<Isa> message_;
    BytesOut<> tr_;
    std::size_t absorbed_ = 0;
    bool is_done_ = false;
};

/// Expands A, s1 and s2 by these tasks and makes the rows of the key; and tr = H(pk), unless it is
/// empty. Constant time.
template <Shape S, class Isa, class STasks, class ATasks>
constexpr void make_rows_and_hash(STasks& s_tasks, ATasks& a_tasks, PublicRows<S, Isa>& rows,
                                  BytesIn<S.public_key_bytes()> pk, BytesOut<> tr)
{
    PublicKeyHash<S, Isa> hash{rows, pk, tr};
    keccak::TaskList<Isa, S.k + S.l + S.k * S.l> tasks;
    if (hash.rows_before < S.k && !tr.empty()) {
        for (auto& task : s_tasks) tasks.add(task);  // which all rows need
        for (auto& task : a_tasks) tasks.add(task);
        // What is done from the first task on: they begin and end about in their order.
        std::size_t s_done = 0;
        std::size_t a_done = 0;
        const auto make_rows = [&] {
            while (s_done < s_tasks.size() && s_tasks[s_done].is_done()) ++s_done;
            while (a_done < a_tasks.size() && a_tasks[a_done].is_done()) ++a_done;
            if (s_done == s_tasks.size())
                while (a_done >= (rows.count() + 1) * S.l) rows.make_next();
            return rows.count() >= hash.rows_before;
        };
        keccak::Task* const hash_task = &hash;
        keccak::run<typename Isa::WideWords>(tasks.tasks(), make_rows, std::span{&hash_task, 1});
    } else {
        for (auto& task : a_tasks) tasks.add(task);
        for (auto& task : s_tasks) tasks.add(task);
        tasks.run();
        while (rows.count() < S.k) rows.make_next();
    }
    if (!tr.empty() && !hash.is_done()) hash_public_key<S, Isa>(pk, tr);
}

}  // namespace girih::ml_dsa
