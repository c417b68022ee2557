/// Loops that the compiler must unroll, so that an array of vectors stays in registers.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace girih {

/// Calls f(0), f(1), ..., f(count - 1) with arguments that are constant expressions.
template <std::size_t count, class F>
[[gnu::always_inline]] constexpr void unroll(F&& f)
{
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
        (f(std::integral_constant<std::size_t, i>{}), ...);
    }(std::make_index_sequence<count>{});
}

}  // namespace girih
