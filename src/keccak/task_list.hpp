/// Lists of tasks whose number is known at run time.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/in_place.hpp"
#include "keccak/scheduler.hpp"
#include "keccak/task.hpp"

namespace girih::keccak {

template <class T, std::size_t capacity>
using TaskArray = InPlace<T, capacity>;

/// Tasks for the scheduler of engine `Isa`.
template <class Isa, std::size_t capacity>
class TaskList {
  public:
    constexpr void add(Task& task) { tasks_[size_++] = &task; }
    template <class T, std::size_t max_count>
    constexpr void add(TaskArray<T, max_count>& tasks)
    {
        for (std::size_t i = 0; i < tasks.size(); ++i) add(tasks[i]);
    }
    template <class T, std::size_t count>
    constexpr void add(std::array<T, count>& tasks)
    {
        add(std::span<T>{tasks});
    }
    template <class T>
    constexpr void add(std::span<T> tasks)
    {
        for (T& task : tasks) add(task);
    }

    [[nodiscard]] constexpr std::span<Task* const> tasks() const { return std::span{tasks_}.first(size_); }

    template <bool in_pairs = false>
    [[gnu::noinline]] constexpr void run()
    {
        keccak::run<typename Isa::WideWords, in_pairs>(tasks());
    }

  private:
    std::array<Task*, capacity> tasks_{};
    std::size_t size_ = 0;
};

/// Runs all tasks of the arrays, in order.
template <class Isa, class... Tasks, std::size_t... capacities>
constexpr void run_all(TaskArray<Tasks, capacities>&... arrays)
{
    TaskList<Isa, (capacities + ...)> list;
    (list.add(arrays), ...);
    list.run();
}

}  // namespace girih::keccak
