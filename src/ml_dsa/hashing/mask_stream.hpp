/// ExpandMask for one signing attempt after another, and the hashes of the attempts, on lanes
/// that are never idle.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "keccak/scheduler.hpp"
#include "ml_dsa/hashing/sample.hpp"

namespace girih::ml_dsa {

/// The y of one attempt, wherever its polynomials are.
template <Shape S>
class Mask {
  public:
    template <class PlaceOf>
    constexpr explicit Mask(PlaceOf place_of) noexcept
    {
        for (std::size_t j = 0; j < S.l; ++j) y_[j] = place_of(j);
    }
    [[nodiscard]] constexpr const MaskPoly<S>& operator[](std::size_t j) const noexcept { return *y_[j]; }

  private:
    std::array<const MaskPoly<S>*, S.l> y_{};
};

/// The masks of all attempts are one sequence of polynomials, numbered by kappa. They are made in
/// that order, in whatever lanes the hashes of the present attempts leave free, ahead of need.
///
/// Constant time. Which polynomials are made depends on the number of attempts only.
template <Shape S, class Isa>
class MaskStream {
  public:
    using Lanes = typename Isa::WideWords;

    /// Attempts that are made side by side.
    static constexpr std::size_t attempts_at_once = Isa::signing_attempts_at_once;

    constexpr explicit MaskStream(BytesIn<rho_prime_bytes> rho_double_prime) noexcept
        : seed_(rho_double_prime)
    {
    }

    /// Goes on to the next attempts, and makes what their masks still lack.
    constexpr void next() noexcept
    {
        constexpr std::size_t step = attempts_at_once * S.l;
        if (needed_ != 0) first_ = wrapped(first_ + step);
        needed_ += step;
        while (finished_ < needed_) permute({});
    }

    /// The mask of one of the present attempts.
    [[nodiscard]] constexpr Mask<S> operator[](std::size_t attempt) const noexcept
    {
        return Mask<S>{[&](std::size_t j) { return &ring_[wrapped(wrapped(first_ + attempt * S.l) + j)]; }};
    }

    /// Runs tasks to their end, and masks beside them.
    constexpr void run(std::span<keccak::Task* const> tasks) noexcept
    {
        for (std::size_t waiting = tasks.size(); waiting != 0 || scheduler_.busy() != busy_masks();) {
            permute(tasks.last(waiting));
            waiting = 0;
        }
    }

  private:
    /// Room for the present masks and the next ones.
    static constexpr std::size_t capacity = (Lanes::count == 1 ? 1 : 2) * attempts_at_once * S.l;
    static constexpr std::size_t wrapped(std::size_t i) noexcept { return i < capacity ? i : i - capacity; }

    [[nodiscard]] constexpr std::size_t busy_masks() const noexcept { return started_ - finished_; }

    /// One permutation, of the tasks first and of masks in the lanes that are left.
    constexpr void permute(std::span<keccak::Task* const> tasks) noexcept
    {
        scheduler_.fill(tasks);
        while (scheduler_.busy() < Lanes::count && started_ < needed_ - attempts_at_once * S.l + capacity) {
            tasks_[end_].begin(seed_, started_, ring_[end_], finished_);
            keccak::Task* const task = &tasks_[end_];
            std::span<keccak::Task* const> mask{&task, 1};
            scheduler_.fill(mask);
            end_ = wrapped(end_ + 1);
            ++started_;
        }
        scheduler_.step();
    }

    BytesIn<rho_prime_bytes> seed_;
    keccak::Scheduler<Lanes> scheduler_;
    std::array<MaskPoly<S>, capacity> ring_;
    std::array<MaskTask<S, Isa>, capacity> tasks_;
    std::size_t first_ = 0;    // where the present masks begin
    std::size_t end_ = 0;      // where the next polynomial goes
    std::size_t started_ = 0;  // polynomials that were begun: the next kappa
    std::size_t finished_ =
        0;  // polynomials that are whole; each takes as many permutations, so they end in order
    std::size_t needed_ = 0;  // polynomials of the present attempts and all before them
};

}  // namespace girih::ml_dsa
