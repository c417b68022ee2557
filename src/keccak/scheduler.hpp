/// Many sponges at once: every lane of the permutation works for a sponge of its own, whatever it
/// is for, and takes up the next one as soon as that is done.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/wipe.hpp"
#include "keccak/permutation.hpp"
#include "keccak/task.hpp"

namespace girih::keccak {

/// The states of `Lanes`, and the tasks at work in them.
template <class Lanes>
class Scheduler {
  public:
    static constexpr std::size_t count = Lanes::count;

    constexpr Scheduler() = default;
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    constexpr ~Scheduler()
    {
        wipe(state_);
        wipe(input_);
        wipe(output_);
        if (!std::is_constant_evaluated()) wipe_stack_below(permutation_stack_bytes<Lanes>);
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

    /// One permutation of all lanes, and what the tasks make of it. Never inlined: what it spills
    /// must lie below the frame of whoever wipes the stack below.
    [[gnu::noinline]] constexpr void step() noexcept
    {
        Lanes::absorb_rows(state_, input_, fresh_);
        fresh_ = {};
        permute<Lanes>(state_);
        Lanes::to_rows(state_, output_);
        for (std::size_t lane = 0; lane < count; ++lane) {
            Task* const task = at_work_[lane];
            if (task == nullptr) continue;
            Task* const next = task->resume({input_[lane], output_[lane]});
            if (next == task) continue;
            --busy_;
            at_work_[lane] = nullptr;
            if (next != nullptr) start(lane, next);
        }
    }

    /// Runs the only task that is left, and those that follow from it, to their end: in general
    /// registers, where one state takes two thirds of the time that it takes in a vector.
    [[gnu::noinline]] constexpr void finish_alone() noexcept
        requires requires { typename Lanes::Serial; }
    {
        using Serial = typename Lanes::Serial;
        std::size_t lane = 0;
        while (at_work_[lane] == nullptr) ++lane;
        State<Serial> state{};
        if (!fresh_[lane])
            for (std::size_t i = 0; i < words; ++i) state[i] = state_[i][lane];
        std::array<bool, 1> fresh{};
        std::array<Row, 1> input{input_[lane]};
        std::array<Row, 1> output{};
        Task* task = at_work_[lane];
        while (task != nullptr) {
            Serial::absorb_rows(state, input, fresh);
            fresh = {};
            permute_one<Serial>(state);
            Serial::to_rows(state, output);
            Task* const next = task->resume({input[0], output[0]});
            if (next != task && next != nullptr) {
                next->start({input[0], output[0]});
                fresh[0] = true;
            }
            task = next;
        }
        // The lane may be used again.
        input_[lane] = {};
        fresh_[lane] = false;
        at_work_[lane] = nullptr;
        busy_ = 0;
        wipe(state);
        wipe(input);
        wipe(output);
    }

  private:
    constexpr void start(std::size_t lane, Task* task) noexcept
    {
        at_work_[lane] = task;
        fresh_[lane] = true;
        ++busy_;
        task->start({input_[lane], output_[lane]});
    }

    State<Lanes> state_{};
    std::array<Row, count> input_{};
    std::array<Row, count> output_{};
    std::array<Task*, count> at_work_{};
    std::array<bool, count> fresh_{};  // lanes that begin from the zero state
    std::size_t busy_ = 0;
};

/// A step of whatever is at work; of one task that nothing waits beside, all that are left.
template <class Lanes>
constexpr void step(Scheduler<Lanes>& scheduler, std::span<Task* const> waiting) noexcept
{
    if constexpr (requires { scheduler.finish_alone(); })
        if (scheduler.busy() == 1 && waiting.empty()) return scheduler.finish_alone();
    scheduler.step();
}

/// Runs tasks, and those that follow from them, to their end. Tasks start in their order, so those
/// with the most permutations one after the other come first.
template <class Lanes>
constexpr void run(std::span<Task* const> tasks) noexcept
{
    Scheduler<Lanes> scheduler;
    for (scheduler.fill(tasks); scheduler.busy() != 0; scheduler.fill(tasks)) step(scheduler, tasks);
}

/// Runs tasks, of which those in `later` begin when is_ready() says so: one of the others makes
/// what they start from.
template <class Lanes, class IsReady>
constexpr void run(std::span<Task* const> tasks, IsReady is_ready, std::span<Task* const> later) noexcept
{
    Scheduler<Lanes> scheduler;
    for (scheduler.fill(tasks); scheduler.busy() != 0;) {
        step(scheduler, tasks);
        scheduler.fill(tasks);
        if (is_ready()) scheduler.fill(later);
    }
}

/// The same for arrays of tasks of any kinds, in their order.
template <class Lanes, class... Tasks, std::size_t... counts>
constexpr void run(std::array<Tasks, counts>&... tasks) noexcept
{
    std::array<Task*, (counts + ...)> list{};
    std::size_t i = 0;
    (([&] {
         for (Task& task : tasks) list[i++] = &task;
     }()),
     ...);
    run<Lanes>(std::span<Task* const>{list});
}

/// The tasks make(0), make(1), ..., each built in its place.
template <std::size_t count, class Make>
[[nodiscard]] constexpr auto make_tasks(Make make)
{
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{make(i)...};
    }(std::make_index_sequence<count>{});
}

}  // namespace girih::keccak
