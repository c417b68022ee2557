/// Vectors of 16-bit integers with a sign, over the compilers' vector extensions: + - & and
/// comparisons come free. What may leave 16 bits is computed modulo 2^16, by functions that say so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shuffle.hpp"

namespace girih::isa {

/// `Isa` only names a type of an engine's own; W has the lanes of V without a sign, and S has
/// integers of 32 bits, half as many. (g++ knows no vector whose size depends on a template
/// argument.)
template <class Isa, class V, class W, class S>
struct Shorts {
    using Vector = V;
    using Sums = S;
    static constexpr std::size_t lanes = sizeof(Vector) / sizeof(std::int16_t);
    /// Anywhere in memory. (An intrinsic's store keeps g++ from storing what it extracts at once.)
    using EightShorts __attribute__((vector_size(16), aligned(2), may_alias)) = std::int16_t;

    [[nodiscard]] static Vector broadcast(std::int32_t a) noexcept
    {
        return Vector{} + static_cast<std::int16_t>(a);
    }
    [[nodiscard]] static Vector load(const std::int16_t* from) noexcept
    {
        Vector a;
        std::memcpy(&a, from, sizeof a);
        return a;
    }
    [[nodiscard]] static Vector load(const std::int8_t* from) noexcept
    {
        Vector a;
        for (std::size_t i = 0; i < lanes; ++i) a[i] = from[i];
        return a;
    }
    static void store(std::int16_t* to, Vector a) noexcept { std::memcpy(to, &a, sizeof a); }

    /// a b modulo 2^16.
    [[nodiscard, gnu::always_inline]] static Vector multiply_low(Vector a, Vector b) noexcept
    {
        return reinterpret_cast<Vector>(reinterpret_cast<W>(a) * reinterpret_cast<W>(b));
    }
    /// c - a b modulo 2^16.
    [[nodiscard, gnu::always_inline]] static Vector subtract_product(Vector c, Vector a, Vector b) noexcept
    {
        return reinterpret_cast<Vector>(reinterpret_cast<W>(c) -
                                        reinterpret_cast<W>(a) * reinterpret_cast<W>(b));
    }

    /// Of each pair of lanes, the product of the even ones and that of the odd, added in 32 bits.
    [[nodiscard, gnu::always_inline]] static Sums multiply_pairs(Vector a, Vector b) noexcept
    {
        const auto x = reinterpret_cast<Sums>(a);
        const auto y = reinterpret_cast<Sums>(b);
        return ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16);
    }
    [[nodiscard, gnu::always_inline]] static Sums add_pairs(Sums sums, Vector a, Vector b) noexcept
    {
        return sums + Isa::ShortLanes::multiply_pairs(a, b);
    }
    /// Even lanes change places with the odd ones beside them.
    [[nodiscard, gnu::always_inline]] static Vector cross_pairs(Vector a) noexcept
    {
        const auto x = reinterpret_cast<Sums>(a);
        return reinterpret_cast<Vector>(x << 16 | ((x >> 16) & 0xFFFF));
    }

    /// Stores the lanes of `a` whose mask is all ones, one behind the other, with anything behind
    /// them up to one vector. Returns how many they are.
    static std::size_t compress_store(std::int16_t* to, Vector a, Vector mask) noexcept
    {
        std::int16_t* const first = to;
        for (std::size_t i = 0; i < lanes; ++i) {
            *to = a[i];
            to += mask[i] & 1;
        }
        return static_cast<std::size_t>(to - first);
    }
    /// All ones in the first `count` lanes.
    [[nodiscard]] static Vector first_lanes(std::size_t count) noexcept
    {
        Vector mask;
        for (std::size_t i = 0; i < lanes; ++i) mask[i] = static_cast<std::int16_t>(i < count ? -1 : 0);
        return mask;
    }

    /// The even blocks of `size` lanes of a, with those of b between them; and the odd ones of
    /// both.
    template <std::size_t size>
    [[nodiscard]] static Vector even_blocks(Vector a, Vector b) noexcept
    {
        return blocks<size, 0>(a, b, std::make_index_sequence<lanes>{});
    }
    template <std::size_t size>
    [[nodiscard]] static Vector odd_blocks(Vector a, Vector b) noexcept
    {
        return blocks<size, size>(a, b, std::make_index_sequence<lanes>{});
    }

    /// Where lane i of even_blocks comes from: a lane of a, or, from `lanes` on, of b.
    template <std::size_t size>
    [[nodiscard]] static constexpr std::size_t even_block_source(std::size_t i)
    {
        return (i & size) == 0 ? i : i - size + lanes;
    }

    /// The even lanes of a between the odd ones of b.
    [[nodiscard, gnu::always_inline]] static Vector merge_pairs(Vector a, Vector b) noexcept
    {
        return reinterpret_cast<Vector>((reinterpret_cast<Sums>(a) & 0xFFFF) |
                                        (reinterpret_cast<Sums>(b) & ~0xFFFF));
    }
    /// Of each four lanes, the second and the third change places.
    [[nodiscard]] static Vector exchange_middles(Vector a) noexcept
    {
        return exchange_middles(a, std::make_index_sequence<lanes>{});
    }
    /// Stores eight lanes: number `eighth` of such.
    template <std::size_t eighth>
    static void store_eight(std::int16_t* to, Vector a) noexcept
    {
        const auto* const from = reinterpret_cast<const std::int16_t*>(&a) + 8 * eighth;
        std::memcpy(to, from, 8 * sizeof *to);
    }

  private:
    template <std::size_t... i>
    [[nodiscard]] static Vector exchange_middles(Vector a, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, a, (i % 4 == 1 ? i + 1 : i % 4 == 2 ? i - 1 : i)...);
    }
    template <std::size_t size, std::size_t from, std::size_t... i>
    [[nodiscard]] static Vector blocks(Vector a, Vector b, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(a, b, (even_block_source<size>(i) + from)...);
    }
};

}  // namespace girih::isa
