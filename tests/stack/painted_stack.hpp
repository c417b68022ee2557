/// A stack of its own for one call, painted beforehand, so that afterwards one can see how deep the
/// call went and what it left behind.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

namespace girih::stack {

class PaintedStack {
  public:
    PaintedStack() : bytes_(size, paint) {}

    /// Calls `function()` on this stack, painted afresh.
    template <class Function>
    void run(Function function)
    {
        std::memset(bytes_.data(), paint, bytes_.size());
        ucontext_t caller;
        ucontext_t callee;
        if (getcontext(&callee) != 0) throw std::runtime_error("getcontext");
        callee.uc_stack.ss_sp = bytes_.data();
        callee.uc_stack.ss_size = bytes_.size();
        callee.uc_link = &caller;
        current_ = {call<Function>, &function};
        makecontext(&callee, enter, 0);
        if (swapcontext(&caller, &callee) != 0) throw std::runtime_error("swapcontext");
    }

    /// Everything from the deepest byte that the call wrote to the top. Empty before the first
    /// call.
    [[nodiscard]] std::span<const std::uint8_t> used() const
    {
        static const std::vector<std::uint8_t> painted(4096, paint);
        auto from = bytes_.begin();
        while (bytes_.end() - from > std::ssize(painted) &&
               std::memcmp(&*from, painted.data(), painted.size()) == 0)
            from += std::ssize(painted);
        return {std::find_if(from, bytes_.end(), [](std::uint8_t byte) { return byte != paint; }),
                bytes_.end()};
    }

  private:
    static constexpr std::size_t size = std::size_t{2} << 20;
    static constexpr std::uint8_t paint = 0xA5;

    struct Call {
        void (*call)(void*);
        void* function;
    };

    template <class Function>
    static void call(void* function)
    {
        (*static_cast<Function*>(function))();
    }

    static void enter() { current_.call(current_.function); }

    inline static Call current_{};  // makecontext passes on nothing wider than int
    std::vector<std::uint8_t> bytes_;
};

/// How much of the stack a call takes, in bytes, beyond what calling anything takes.
template <class Function>
[[nodiscard]] std::size_t stack_bytes_of(Function function)
{
    PaintedStack stack;
    stack.run([] {});
    const std::size_t of_nothing = stack.used().size();
    stack.run(function);
    return stack.used().size() - of_nothing;
}

}  // namespace girih::stack
