/// Operations that wipe all of their stack, on engines whose functions keep vectors there.
#pragma once

#include <cstddef>

#include "core/wipe.hpp"
#include "isa/options.hpp"

namespace girih::isa {

/// Overwrites that much of the stack below the caller, and what `Isa` keeps beside it.
template <class Isa>
[[gnu::always_inline]] inline void wipe_stack(std::size_t bytes) noexcept
{
    if constexpr (HasLongRegisters<Isa>) bytes += Isa::clear_registers();
    wipe_stack_below(bytes);
}

template <class Isa, std::size_t bytes, auto function>
struct OnWipedStack;
template <class Isa, std::size_t bytes, class Result, class... Arguments, Result (*function)(Arguments...)>
struct OnWipedStack<Isa, bytes, function> {
    struct AtTheEnd {
        ~AtTheEnd() { wipe_stack<Isa>(bytes); }
    };
    static Result call(Arguments... arguments)
    {
        auto* called = function;
        __asm__("" : "+r"(called));  // not inlined: its frame has to lie below this one
        [[maybe_unused]] const AtTheEnd wipe;
        return called(arguments...);
    }
};

/// `function`, an operation with secrets that uses at most `bytes` of stack. It is itself the
/// operation where the vectors have registers of their own.
template <class Isa, std::size_t bytes, auto function>
inline constexpr auto on_wiped_stack = [] {
    if constexpr (SpillsVectors<Isa>)
        return &OnWipedStack<Isa, bytes, function>::call;
    else
        return function;
}();

}  // namespace girih::isa
