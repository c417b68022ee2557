/// A parameter set by its place, where its type depends on it.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace girih::test {

/// function(std::integral_constant of `place`), which is below `count`.
template <std::size_t count, class Function>
void at_place(std::size_t place, Function function)
{
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        ((i == place ? function(std::integral_constant<std::size_t, i>{}) : void()), ...);
    }(std::make_index_sequence<count>{});
}

}  // namespace girih::test
