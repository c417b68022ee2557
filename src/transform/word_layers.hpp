/// Layers of transforms for processors without vectors, in words of 32 bits. Two layers run at a
/// time, so that each value is loaded and stored once for both. Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::transform {

/// Transforms of `count` values modulo a prime; `inverse` is -1 / prime modulo 2^32. Factors are
/// stored times 2^32, so that Montgomery products with them are plain ones. A layer's factors are
/// followed by the next layer's, which are twice as many.
template <class Isa, std::size_t count, std::int32_t prime, std::uint32_t inverse>
struct WordLayers {
    using Values = std::array<std::int32_t, count>;

    /// a / 2^32 modulo the prime, below it in magnitude, for |a| < 2^31 prime.
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t reduce(std::int64_t a) noexcept
    {
        return Isa::montgomery_reduce(a, prime, inverse);
    }
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t multiply(std::int32_t a,
                                                                             std::int32_t b) noexcept
    {
        return Isa::montgomery_multiply(a, b, prime, inverse);
    }

    /// Two layers, down to parts of `size` values; values grow by the prime in each. `outer` points
    /// to the first layer's factors; returns those of the next layer to be done.
    template <std::size_t size>
    static constexpr const std::int32_t* part_twice(Values& v, const std::int32_t* outer) noexcept
    {
        const std::int32_t* inner = outer + count / (4 * size);
        for (std::int32_t* at = v.data(); at != v.data() + count; at += 3 * size, inner += 2) {
            const std::int32_t z = *outer++;
            const std::int32_t z0 = inner[0];
            const std::int32_t z1 = inner[1];
            for (const std::int32_t* const end = at + size; at != end; ++at) {
                std::array a{at[0], at[size], at[2 * size], at[3 * size]};
                part(a[0], a[2], z);
                part(a[1], a[3], z);
                part(a[0], a[1], z0);
                part(a[2], a[3], z1);
                for (std::size_t j = 0; j < a.size(); ++j) at[j * size] = a[j];
            }
        }
        return inner;
    }

    /// The inverse of two layers, times 4; bounds double in each. `end` is the end of the factors
    /// of the first layer undone; returns that of the next.
    template <std::size_t size>
    static constexpr const std::int32_t* join_twice(Values& v, const std::int32_t* end) noexcept
    {
        constexpr std::size_t groups = count / (4 * size);
        const std::int32_t* inner = end - 2 * groups;
        const std::int32_t* outer = inner - groups;
        for (std::int32_t* at = v.data(); at != v.data() + count; at += 3 * size, inner += 2) {
            const std::int32_t z = *outer++;
            const std::int32_t z0 = inner[0];
            const std::int32_t z1 = inner[1];
            for (const std::int32_t* const last = at + size; at != last; ++at) {
                std::array a{at[0], at[size], at[2 * size], at[3 * size]};
                join(a[0], a[1], z0);
                join(a[2], a[3], z1);
                join(a[0], a[2], z);
                join(a[1], a[3], z);
                for (std::size_t j = 0; j < a.size(); ++j) at[j * size] = a[j];
            }
        }
        return outer - groups;
    }

    [[gnu::always_inline]] static constexpr void part(std::int32_t& a, std::int32_t& b,
                                                      std::int32_t z) noexcept
    {
        const std::int32_t product = multiply(b, z);
        b = a - product;
        a += product;
    }
    [[gnu::always_inline]] static constexpr void join(std::int32_t& a, std::int32_t& b,
                                                      std::int32_t z) noexcept
    {
        const std::int32_t difference = a - b;
        a += b;
        b = multiply(difference, z);
    }
};

}  // namespace girih::transform
