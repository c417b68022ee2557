/// Vectors of signed 16-bit integers, by the compilers' vector extensions, which have + - & and
/// comparisons. Results that may exceed 16 bits are computed modulo 2^16, by functions that say so.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `Isa` keeps the types of engines apart; W has the lanes of V unsigned, and S half as many 32-bit
/// integers. (g++ has no vectors whose size depends on a template argument.)
template <class Isa, class V, class W, class S>
struct Shorts {
    using Vector = V;
    using Sums = S;
    static constexpr std::size_t lanes = sizeof(Vector) / sizeof(std::int16_t);
    /// Unaligned. (With an intrinsic, g++ does not combine extraction and store.)
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
        Vector a{};
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

    /// For each pair of lanes, the sum of the even lanes' product and the odd lanes' product, in 32
    /// bits.
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
    /// Exchanges the lanes of each pair.
    [[nodiscard, gnu::always_inline]] static Vector cross_pairs(Vector a) noexcept
    {
        const auto x = reinterpret_cast<Sums>(a);
        return reinterpret_cast<Vector>(x << 16 | ((x >> 16) & 0xFFFF));
    }

    /// Stores the lanes of `a` whose mask is all ones without gaps, and returns their number. The
    /// rest of one vector is overwritten.
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

    /// Interleaves the even blocks of `size` lanes of a and b; odd_blocks, the odd ones.
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

    /// The source of lane i of even_blocks: a lane of a or, from `lanes` on, of b.
    template <std::size_t size>
    [[nodiscard]] static constexpr std::size_t even_block_source(std::size_t i)
    {
        return (i & size) == 0 ? i : i - size + lanes;
    }

    /// The even lanes of a and the odd lanes of b.
    [[nodiscard, gnu::always_inline]] static Vector merge_pairs(Vector a, Vector b) noexcept
    {
        // An even lane is the low half of its pair, or the high half on a big-endian processor.
        constexpr std::int32_t even = std::endian::native == std::endian::little ? 0xFFFF : ~0xFFFF;
        return reinterpret_cast<Vector>((reinterpret_cast<Sums>(a) & even) |
                                        (reinterpret_cast<Sums>(b) & ~even));
    }
    /// Exchanges the second and the third of each four lanes.
    [[nodiscard]] static Vector exchange_middles(Vector a) noexcept
    {
        return exchange_middles(a, std::make_index_sequence<lanes>{});
    }
    /// Stores the group number `eighth` of eight lanes.
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
