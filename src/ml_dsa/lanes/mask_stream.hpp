/// ExpandMask for one signing attempt after another, and the hashes of the attempts, on lanes that
/// are never idle: masks are drawn ahead of need.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "keccak/scheduler.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/standard/attempt.hpp"

namespace girih::ml_dsa {

/// The lanes of an attempt's hash and of the masks beside it: four, even if the engine has eight.
/// One attempt's hash does not keep eight lanes busy, and four states take two thirds of the time.
template <class Wide>
struct SigningLanes {
    using Type = Wide;
};
template <class Wide>
    requires(Wide::count == 8)
struct SigningLanes<Wide> {
    using Type = typename Wide::Fewer;
};

/// The masks of all attempts are one sequence of polynomials, numbered by kappa. They are made in
/// that order, in whatever lanes the hash of the present attempt leaves free, ahead of need.
///
/// Constant time. Which polynomials are made depends on the number of attempts only.
template <Shape S, class Isa>
class MaskStream {
  public:
    using Wide = typename Isa::WideWords;
    using Lanes = typename SigningLanes<Wide>::Type;

    constexpr explicit MaskStream(BytesIn<rho_prime_bytes> rho_double_prime) noexcept
        : seed_(rho_double_prime)
    {
    }

    /// Moves to the attempt whose mask begins with polynomial kappa, and makes the polynomials that
    /// it lacks.
    constexpr void next(std::size_t kappa) noexcept
    {
        if constexpr (S.l > Lanes::count && Lanes::count < Wide::count)
            if (kappa == 0) begin_in_wide_lanes();
        if (kappa != 0) first_ = wrapped(first_ + S.l);
        needed_ = kappa + S.l;
        while (finished_ < needed_) permute({});
    }

    /// The mask of the present attempt.
    [[nodiscard]] constexpr MaskView<S> mask() noexcept
    {
        return MaskView<S>{[this](std::size_t j) { return &tasks_[wrapped(first_ + j)].bytes(); }};
    }

    /// Runs a task and its successors to their end, and masks beside them. It finds an idle lane:
    /// if anything was permuted before, the last permutation ended a mask or a task.
    constexpr void run(keccak::Task& task) noexcept
    {
        keccak::Task* const first = &task;
        std::span<keccak::Task* const> tasks{&first, 1};
        do {
            permute(tasks);
            tasks = {};
        } while (scheduler_.busy() != busy_masks());  // until only masks are left
    }

  private:
    /// Room for the present mask, the next one, and two polynomials for lanes that are idle when
    /// the next mask is complete before the hash.
    static constexpr std::size_t capacity = Lanes::count == 1 ? S.l : 2 * S.l + 2;
    static constexpr std::size_t wrapped(std::size_t i) noexcept { return i < capacity ? i : i - capacity; }

    [[nodiscard]] constexpr std::size_t busy_masks() const noexcept { return started_ - finished_; }

    /// The next polynomial's task.
    [[nodiscard]] constexpr keccak::Task* start_next() noexcept
    {
        keccak::Task* const task = &tasks_[end_];
        tasks_[end_].begin(seed_, started_, finished_);
        end_ = wrapped(end_ + 1);
        ++started_;
        return task;
    }

    /// Makes the first polynomials, while there is no hash: more at once than fit beside one.
    constexpr void begin_in_wide_lanes() noexcept
    {
        static_assert(Wide::count <= capacity);
        std::array<keccak::Task*, Wide::count> tasks{};
        for (keccak::Task*& task : tasks) task = start_next();
        keccak::run<Wide>(std::span<keccak::Task* const>{tasks});
    }

    /// One permutation. A task begins if a lane is idle, and masks begin in the lanes left.
    constexpr void permute(std::span<keccak::Task* const> tasks) noexcept
    {
        scheduler_.fill(tasks);
        while (scheduler_.busy() < Lanes::count && started_ < needed_ - S.l + capacity) {
            keccak::Task* const task = start_next();
            std::span<keccak::Task* const> mask{&task, 1};
            scheduler_.fill(mask);
        }
        scheduler_.step();
    }

    BytesIn<rho_prime_bytes> seed_;
    keccak::Scheduler<Lanes> scheduler_;
    std::array<MaskPolyTask<S, Isa>, capacity> tasks_;
    std::size_t first_ = 0;    // where the present mask begins
    std::size_t end_ = 0;      // where the next polynomial goes
    std::size_t started_ = 0;  // polynomials that were begun: the next kappa
    // Polynomials that are complete. All take the same number of permutations, so they end in
    // order.
    std::size_t finished_ = 0;
    std::size_t needed_ = 0;  // polynomials of the present attempt and all before it
};

}  // namespace girih::ml_dsa
