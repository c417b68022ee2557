/// Vectors of signed 32-bit integers for a sorting network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `Isa` keeps the types of engines apart.
template <class Isa, class V>
struct SortLanes {
    using Vector = V;
    static constexpr std::size_t lanes = sizeof(Vector) / sizeof(std::int32_t);

    [[nodiscard]] static Vector broadcast(std::int32_t a) noexcept { return Vector{} + a; }
    [[nodiscard]] static Vector load(const void* from) noexcept
    {
        Vector a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    static void store(void* to, Vector a) noexcept { std::memcpy(to, &a, sizeof a); }

    /// Exchanges the lanes of each pair that is `distance` apart.
    template <std::size_t distance>
    [[nodiscard]] static Vector partners(Vector a) noexcept
    {
        return shuffle(a, a, [](std::size_t i) { return i ^ distance; }, std::make_index_sequence<lanes>{});
    }
    /// The lower lane of each pair from a, the upper one from b.
    template <std::size_t distance>
    [[nodiscard]] static Vector lower_and_upper(Vector a, Vector b) noexcept
    {
        return shuffle(
            a, b, [](std::size_t i) { return (i & distance) == 0 ? i : i + lanes; },
            std::make_index_sequence<lanes>{});
    }

  private:
    template <class Source, std::size_t... i>
    [[nodiscard]] static Vector shuffle(Vector a, Vector b, Source, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, b, Source{}(i)...);
    }
};

}  // namespace girih::isa
