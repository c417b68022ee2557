/// Loops that the compiler must unroll, so that an array of vectors stays in registers.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace girih {

/// f(0), f(1), ..., f(count - 1), each with its number as a constant.
template <std::size_t count, class F>
[[gnu::always_inline]] constexpr void unroll(F&& f)
{
    [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
        (f(std::integral_constant<std::size_t, i>{}), ...);
    }(std::make_index_sequence<count>{});
}

}  // namespace girih
