/// Three layers of a transform at once, in the words of a Cortex-M7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::isa::cortex_m {

/// A factor of residues, and 2^32 times its share of the prime, rounded.
struct Twiddle {
    std::int32_t factor;
    std::int32_t share;
};

/// Of a part of 8 n values: that of the first layer, those of its halves, those of its quarters.
using SevenTwiddles = std::array<Twiddle, 7>;

}  // namespace girih::isa::cortex_m

#if defined(__ARM_ARCH_7EM__)
extern "C" {
// In three_layers.S.
void girih_cortex_m_part_thrice_32(std::int32_t* values, const void* twiddles, const void* end,
                                   std::int32_t prime);
void girih_cortex_m_part_thrice_4(std::int32_t* values, const void* twiddles, const void* end,
                                  std::int32_t prime);
void girih_cortex_m_join_thrice_32(std::int32_t* values, const void* twiddles, const void* end,
                                   std::int32_t prime);
void girih_cortex_m_join_thrice_4(std::int32_t* values, const void* twiddles, const void* end,
                                  std::int32_t prime);
}
#endif

namespace girih::isa::cortex_m {

template <class Engine>
struct ThreeLayers {
    /// a b / 2^32, rounded.
    [[nodiscard, gnu::always_inline]] static std::int32_t multiply_high(std::int32_t a,
                                                                        std::int32_t b) noexcept
    {
#if defined(__ARM_ARCH_7EM__)
        std::int32_t high;
        __asm__("smmulr %0, %1, %2" : "=r"(high) : "r"(a), "r"(b));
        return high;
#else
        return static_cast<std::int32_t>((std::int64_t{a} * b + (std::int64_t{1} << 31)) >> 32);
#endif
    }
    /// a w modulo a prime: at most prime (1/2 + |a| / 2^33) in magnitude, for the share is off by
    /// at most 1/2.
    [[nodiscard, gnu::always_inline]] static std::int32_t multiply(std::int32_t a, Twiddle w,
                                                                   std::int32_t prime) noexcept
    {
        return low(low(a) * low(w.factor) - low(multiply_high(a, w.share)) * low(prime));
    }

    /// Parts of 8 `size` values, one behind the other, each with its twiddles: from x^(8 size) - c
    /// down to x^size. Values grow by prime (1/2 + 1/64) in each layer while they are below 2^27.
    template <std::size_t size, std::size_t parts>
    static void part(std::int32_t* values, const std::array<SevenTwiddles, parts>& twiddles,
                     std::int32_t prime) noexcept
    {
        static_assert(size == 32 || size == 4);
#if defined(__ARM_ARCH_7EM__)
        if constexpr (size == 32)
            girih_cortex_m_part_thrice_32(values, &twiddles, &twiddles + 1, prime);
        else
            girih_cortex_m_part_thrice_4(values, &twiddles, &twiddles + 1, prime);
#else
        for (const SevenTwiddles& w : twiddles) {
            for (std::size_t i = 0; i < size; ++i, ++values) {
                for (std::size_t j = 0; j < 4; ++j) part_two<size>(values, j, j + 4, w[0], prime);
                for (const std::size_t j : {0U, 1U, 4U, 5U})
                    part_two<size>(values, j, j + 2, w[1 + j / 4], prime);
                for (const std::size_t j : {0U, 2U, 4U, 6U})
                    part_two<size>(values, j, j + 1, w[3 + j / 2], prime);
            }
            values += 7 * size;
        }
#endif
    }

    /// Undoes `part`, but for a factor of 8, with the reciprocal twiddles: bounds double in each
    /// layer, up to 2^30.
    template <std::size_t size, std::size_t parts>
    static void join(std::int32_t* values, const std::array<SevenTwiddles, parts>& twiddles,
                     std::int32_t prime) noexcept
    {
        static_assert(size == 32 || size == 4);
#if defined(__ARM_ARCH_7EM__)
        if constexpr (size == 32)
            girih_cortex_m_join_thrice_32(values, &twiddles, &twiddles + 1, prime);
        else
            girih_cortex_m_join_thrice_4(values, &twiddles, &twiddles + 1, prime);
#else
        for (const SevenTwiddles& w : twiddles) {
            for (std::size_t i = 0; i < size; ++i, ++values) {
                for (const std::size_t j : {0U, 2U, 4U, 6U})
                    join_two<size>(values, j, j + 1, w[3 + j / 2], prime);
                for (const std::size_t j : {0U, 1U, 4U, 5U})
                    join_two<size>(values, j, j + 2, w[1 + j / 4], prime);
                for (std::size_t j = 0; j < 4; ++j) join_two<size>(values, j, j + 4, w[0], prime);
            }
            values += 7 * size;
        }
#endif
    }

  private:
    [[nodiscard]] static constexpr std::uint32_t low(std::int32_t a) { return static_cast<std::uint32_t>(a); }
    [[nodiscard]] static constexpr std::int32_t low(std::uint32_t a) { return static_cast<std::int32_t>(a); }

    template <std::size_t size>
    static void part_two(std::int32_t* values, std::size_t i, std::size_t j, Twiddle w,
                         std::int32_t prime) noexcept
    {
        std::int32_t& a = values[size * i];
        std::int32_t& b = values[size * j];
        const std::int32_t turned = multiply(b, w, prime);
        b = a - turned;
        a += turned;
    }
    template <std::size_t size>
    static void join_two(std::int32_t* values, std::size_t i, std::size_t j, Twiddle w,
                         std::int32_t prime) noexcept
    {
        std::int32_t& a = values[size * i];
        std::int32_t& b = values[size * j];
        const std::int32_t difference = a - b;
        a += b;
        b = multiply(difference, w, prime);
    }
};

}  // namespace girih::isa::cortex_m
