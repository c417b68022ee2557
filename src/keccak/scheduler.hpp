/// Many sponges at once: each lane of the permutation runs one task, whatever its purpose, and
/// takes the next one when that is done. The last tasks move to fewer lanes, where a permutation
/// takes two thirds of the time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/wipe.hpp"
#include "keccak/lanes.hpp"
#include "keccak/permutation.hpp"
#include "keccak/task.hpp"

namespace girih::keccak {

/// The states of all lanes, and the tasks that run in them.
template <class Lanes>
class Scheduler {
  public:
    static constexpr std::size_t count = Lanes::count;
    static constexpr std::size_t none = count;

    constexpr Scheduler() = default;
    /// `wipes_stack` is false if the caller wipes the stack that the permutation used.
    constexpr explicit Scheduler(bool wipes_stack) noexcept : wipes_stack_(wipes_stack) {}
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    constexpr ~Scheduler()
    {
        wipe(state_);
        wipe(input_);
        if constexpr (!KeepsStatesApart<Lanes>) wipe(output_);
        if (wipes_stack_ && !std::is_constant_evaluated()) wipe_stack_below(permutation_stack_bytes<Lanes>);
    }

    [[nodiscard]] constexpr std::size_t busy() const noexcept { return busy_; }

    /// Gives tasks to idle lanes.
    constexpr void fill(std::span<Task* const>& waiting) noexcept
    {
        for (std::size_t lane = 0; lane < count && !waiting.empty(); ++lane) {
            if (at_work_[lane] != nullptr) continue;
            start(lane, waiting.front());
            waiting = waiting.subspan(1);
        }
    }

    /// Permutes all lanes and resumes their tasks. noinline: spilled registers must lie below the
    /// frame of the scheduler's owner, which wipes the stack below itself.
    [[gnu::noinline]] constexpr void step() noexcept
    {
        if (has_marks()) absorb();
        if (waiting_ == none)
            permute<Lanes>(state_);
        else
            permute_beside_waiting();
        resume_all();
    }
    /// step() of both schedulers. No task may be waiting in their lanes.
    [[gnu::noinline]] constexpr void step_beside(Scheduler& other) noexcept
        requires PermutesPairs<Lanes>
    {
        const std::array both{this, &other};
        for (Scheduler* const scheduler : both)
            if (scheduler->has_marks()) scheduler->absorb();
        permute_two<Lanes>(state_, other.state_);
        for (Scheduler* const scheduler : both) scheduler->resume_all();
    }

    /// Resumes the waiting task. If it still waits and no other task runs, it ends.
    constexpr void resume_waiting() noexcept
    {
        if (waiting_ != none) resume_or_end();
    }

    /// Moves running tasks to idle lanes of `to`, as many as fit.
    template <class Other>
    constexpr void hand_over(Scheduler<Other>& to) noexcept
    {
        std::size_t place = 0;
        for (std::size_t lane = 0; lane < count; ++lane) {
            if (at_work_[lane] == nullptr) continue;
            while (place < to.count && to.at_work_[place] != nullptr) ++place;
            if (place == to.count) return;
            if (!fresh_[lane])
                for (std::size_t i = 0; i < words; ++i) to.set_word(i, place, word(i, lane));
            to.input_[place] = std::exchange(input_[lane], {});
            to.fresh_[place] = std::exchange(fresh_[lane], false);
            to.at_work_[place] = std::exchange(at_work_[lane], nullptr);
            if (lane == waiting_) {
                to.waiting_ = place;
                waiting_ = none;
            }
            ++to.busy_;
            --busy_;
        }
    }

  private:
    template <class>
    friend class Scheduler;

    /// Whether any lane has input to absorb. Mostly none has, because all squeeze; a new task
    /// always has.
    [[nodiscard]] constexpr bool has_marks() const noexcept
    {
        std::uint64_t marks = 0;
        for (const Row& row : input_) marks |= row[row_mark];
        return marks != 0;
    }
    [[gnu::always_inline]] constexpr void resume_all() noexcept
    {
        if constexpr (!KeepsStatesApart<Lanes>) Lanes::to_rows(state_, output_);
        for (std::size_t lane = 0; lane < count; ++lane)
            if (at_work_[lane] != nullptr && lane != waiting_) resume(lane);
    }

    /// noinline keeps the path that absorbs nothing short.
    [[gnu::noinline]] constexpr void absorb() noexcept
    {
        std::uint32_t marked = 0;
        for (std::size_t lane = 0; lane < count; ++lane)
            marked |= static_cast<std::uint32_t>(std::exchange(input_[lane][row_mark], 0)) << lane;
        if constexpr (AbsorbsSingleRows<Lanes>) {
            if (std::popcount(marked) <= Lanes::single_rows) {
                for (; marked != 0; marked &= marked - 1) {
                    const auto lane = static_cast<std::size_t>(std::countr_zero(marked));
                    Lanes::absorb_row(state_, lane, input_[lane], std::exchange(fresh_[lane], false));
                }
                return;
            }
        }
        Lanes::absorb_rows(state_, input_, fresh_);
        fresh_ = {};
    }

    [[gnu::always_inline]] constexpr void resume(std::size_t lane) noexcept
    {
        Task* const task = at_work_[lane];
        Task* const next = task->resume({input_[lane], output(lane)});
        if (next == task) {
            if (input_[lane][row_mark] != must_wait) return;
            input_[lane][row_mark] = 0;
            waiting_ = lane;
            return;
        }
        --busy_;
        at_work_[lane] = nullptr;
        if (next != nullptr) start(lane, next);
    }

    [[gnu::noinline]] constexpr void resume_or_end() noexcept
    {
        const std::size_t lane = std::exchange(waiting_, none);
        resume(lane);
        if (waiting_ == none || busy_ > 1) return;
        at_work_[lane] = nullptr;
        waiting_ = none;
        busy_ = 0;
    }

    /// permute(), but the lane that waits keeps its state. noinline keeps the usual path short.
    [[gnu::noinline]] constexpr void permute_beside_waiting() noexcept
    {
        Wiped<std::array<std::uint64_t, words>> kept{uninitialized};
        for (std::size_t i = 0; i < words; ++i) (*kept)[i] = word(i, waiting_);
        permute<Lanes>(state_);
        for (std::size_t i = 0; i < words; ++i) set_word(i, waiting_, (*kept)[i]);
    }

    [[nodiscard]] constexpr RowOfOutput output(std::size_t lane) const noexcept
    {
        if constexpr (KeepsStatesApart<Lanes>)
            return std::span{state_[lane]}.template first<row_words>();
        else
            return output_[lane];
    }
    [[nodiscard]] constexpr std::uint64_t word(std::size_t i, std::size_t lane) const noexcept
    {
        if constexpr (count == 1)
            return state_[i];
        else if constexpr (KeepsStatesApart<Lanes>)
            return state_[lane][i];
        else
            return state_[i][lane];
    }
    constexpr void set_word(std::size_t i, std::size_t lane, std::uint64_t word) noexcept
    {
        if constexpr (count == 1)
            state_[i] = word;
        else if constexpr (KeepsStatesApart<Lanes>)
            state_[lane][i] = word;
        else
            state_[i][lane] = word;
    }

    constexpr void start(std::size_t lane, Task* task) noexcept
    {
        at_work_[lane] = task;
        fresh_[lane] = true;
        ++busy_;
        task->start({input_[lane], output(lane)});
    }

    State<Lanes> state_{};
    std::array<Row, count> input_{};
    std::array<Row, KeepsStatesApart<Lanes> ? 0 : count> output_{};
    std::array<Task*, count> at_work_{};
    std::array<bool, count> fresh_{};  // lanes whose state starts from zero
    std::size_t busy_ = 0;
    std::size_t waiting_ = none;  // the lane whose task waits; one at most
    bool wipes_stack_ = true;
};

/// Called after each permutation: true once the tasks that wait for others may begin. It may do
/// other work too. Virtual, so that run_beside is compiled once for all callers. `Lanes` keeps the
/// types of engines apart.
template <class Lanes>
class AfterPermutation {
  public:
    [[nodiscard]] virtual constexpr bool operator()() const { return false; }
    /// Runs the first of the tasks in pairs, if the caller asked for it.
    virtual constexpr void run_first(Scheduler<Lanes>&, std::span<Task* const>& /*tasks*/,
                                     std::span<Task* const>& /*later*/) const noexcept
    {
    }

  protected:
    constexpr ~AfterPermutation() = default;
};

/// Runs tasks in the lanes of `first` and of a second scheduler beside it, until `later` may begin
/// or half of the lanes would suffice. The tasks of the second then continue in the lanes of
/// `first`.
template <PermutesPairs Lanes>
[[gnu::noinline]] constexpr void run_in_pairs(Scheduler<Lanes>& first, std::span<Task* const>& tasks,
                                              const AfterPermutation<Lanes>& after_permutation,
                                              std::span<Task* const>& later) noexcept
{
    Scheduler<Lanes> second;
    for (bool may_begin = false; !may_begin;) {
        first.fill(tasks);
        second.fill(tasks);
        if (first.busy() + second.busy() <= Lanes::count) break;
        first.step_beside(second);
        may_begin = after_permutation();
        if (may_begin) first.fill(later);
    }
    for (;;) {
        second.hand_over(first);
        first.fill(tasks);
        first.resume_waiting();
        if (second.busy() == 0) return;
        first.step();
        if (after_permutation()) first.fill(later);
    }
}

template <class Lanes, bool in_pairs, class F>
class AfterPermutationOf final : public AfterPermutation<Lanes> {
  public:
    constexpr explicit AfterPermutationOf(F& f) noexcept : f_(&f) {}
    [[nodiscard]] constexpr bool operator()() const override { return (*f_)(); }
    constexpr void run_first([[maybe_unused]] Scheduler<Lanes>& scheduler,
                             [[maybe_unused]] std::span<Task* const>& tasks,
                             [[maybe_unused]] std::span<Task* const>& later) const noexcept override
    {
        if constexpr (in_pairs && PermutesPairs<Lanes>) run_in_pairs(scheduler, tasks, *this, later);
    }

  private:
    F* f_;
};

/// Runs the tasks of `many` in fewer lanes: to the end, or until more of `later` may begin than
/// fit. Then all tasks move back to `many`, where `later` begins. `Asked` are the lanes that the
/// first caller asked for. noinline, to use less stack.
template <class Fewer, class Lanes, class Asked>
[[gnu::noinline]] constexpr void continue_in_fewer_lanes(Scheduler<Lanes>& many,
                                                         const AfterPermutation<Asked>& after_permutation,
                                                         std::span<Task* const>& later) noexcept
{
    // One state uses less stack than `many` wipes at its end.
    Scheduler<Fewer> few{/*wipes_stack=*/Fewer::count > 1};
    many.hand_over(few);
    while (few.busy() != 0) {
        if constexpr (HasFewerLanes<Fewer>) {
            if (few.busy() == 1) {
                continue_in_fewer_lanes<typename Fewer::One>(few, after_permutation, later);
                continue;
            }
        }
        few.step();
        const bool may_begin = after_permutation();
        few.resume_waiting();
        if (!may_begin) continue;
        if (later.size() > Fewer::count - few.busy()) {
            few.hand_over(many);
            return many.fill(later);
        }
        few.fill(later);
    }
}

/// Runs `tasks`, and once after_permutation() is true, `later`, whose tasks need output of the
/// others. Tasks start in order, so put those with the most permutations first.
template <class Lanes, class Asked>
[[gnu::noinline]] constexpr void run_beside(std::span<Task* const> tasks,
                                            const AfterPermutation<Asked>& after_permutation,
                                            std::span<Task* const> later) noexcept
{
    if constexpr (HasFewerLanes<Lanes>) {
        if (later.empty() && tasks.size() == 1)
            return run_beside<typename Lanes::One>(tasks, after_permutation, later);
        if (later.empty() && tasks.size() <= Lanes::Fewer::count)
            return run_beside<typename Lanes::Fewer>(tasks, after_permutation, later);
    }
    Scheduler<Lanes> scheduler;
    scheduler.fill(tasks);
    if constexpr (std::is_same_v<Lanes, Asked> && PermutesPairs<Lanes>)
        if (!tasks.empty()) after_permutation.run_first(scheduler, tasks, later);
    while (scheduler.busy() != 0) {
        if constexpr (HasFewerLanes<Lanes>) {
            if (tasks.empty() && scheduler.busy() <= Lanes::Fewer::count) {
                if (scheduler.busy() == 1)
                    continue_in_fewer_lanes<typename Lanes::One>(scheduler, after_permutation, later);
                else
                    continue_in_fewer_lanes<typename Lanes::Fewer>(scheduler, after_permutation, later);
                continue;
            }
        }
        scheduler.step();
        if (after_permutation()) scheduler.fill(later);
        scheduler.fill(tasks);
        scheduler.resume_waiting();
    }
}
/// `in_pairs`: in twice as many lanes, if the engine permutes pairs. It pays for many tasks, none
/// of which takes much longer than the others.
template <class Lanes, bool in_pairs = false, class F>
constexpr void run(std::span<Task* const> tasks, F after_permutation, std::span<Task* const> later) noexcept
{
    run_beside<Lanes>(tasks, AfterPermutationOf<Lanes, in_pairs, F>{after_permutation}, later);
}

/// Runs tasks and their successors to the end. Tasks start in order.
template <class Lanes, bool in_pairs = false>
constexpr void run(std::span<Task* const> tasks) noexcept
{
    run<Lanes, in_pairs>(tasks, [] { return false; }, {});
}

/// Runs arrays of tasks of any types.
template <class Lanes, bool in_pairs = false, class... Tasks, std::size_t... counts>
constexpr void run(std::array<Tasks, counts>&... tasks) noexcept
{
    std::array<Task*, (counts + ...)> list{};
    std::size_t i = 0;
    (([&] {
         for (Task& task : tasks) list[i++] = &task;
     }()),
     ...);
    run<Lanes, in_pairs>(std::span<Task* const>{list});
}

/// The tasks make(0), make(1), ..., constructed in place.
template <std::size_t count, class Make>
[[nodiscard]] constexpr auto make_tasks(Make make)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{make(i)...};
    }(std::make_index_sequence<count>{});
}

}  // namespace girih::keccak
