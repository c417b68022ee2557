/// Butterflies of transforms in 16-bit lanes, and the bounds of their results. Values that might
/// overflow are reduced first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "transform/short_residue.hpp"

namespace girih::transform {

/// Constant time.
template <class Isa, std::int32_t r>
struct ShortButterflies {
    using Residue = ShortResidue<Isa, r>;
    using Vector = typename Residue::Vector;

    static constexpr std::int32_t limit = 32767;

    // ---- A forward layer adds the product's bound to the values' bound. Values are reduced first
    // if the sum might overflow.

    static constexpr bool is_reduced_before(std::int32_t bound)
    {
        return bound + Residue::product_bound(bound) > limit;
    }
    static constexpr std::int32_t after_layer(std::int32_t bound)
    {
        return (is_reduced_before(bound) ? Residue::reduced_bound : bound) + Residue::product_bound(bound);
    }
    /// Whether a layer skips its product with 1: only while the unreduced sum leaves room for
    /// further layers.
    static constexpr bool is_one_left_out(std::int32_t bound) { return 4 * bound <= limit + 1; }
    static constexpr std::int32_t after_layer(std::int32_t bound, bool is_first_one)
    {
        return is_first_one && is_one_left_out(bound) ? std::max(2 * bound, after_layer(bound))
                                                      : after_layer(bound);
    }
    static constexpr std::int32_t bound_after(std::int32_t bound, std::size_t layers, bool is_first_one)
    {
        for (std::size_t layer = 0; layer < layers; ++layer) bound = after_layer(bound, is_first_one);
        return bound;
    }

    // A factor is Residue's Factors, or one of a vector of them.

    /// (a, b) becomes (a + b f, a - b f).
    template <std::int32_t bound, class Factor>
    [[gnu::always_inline]] static void butterfly(Vector& a, Vector& b, Factor f) noexcept
    {
        const Vector t = Residue::multiply(b, f);
        if constexpr (is_reduced_before(bound)) a = Residue::reduce(a);
        b = a - t;
        a = a + t;
    }
    [[gnu::always_inline]] static void butterfly_by_one(Vector& a, Vector& b) noexcept
    {
        const Vector t = b;
        b = a - t;
        a = a + t;
    }

    // ---- An inverse layer doubles the bound. Values are reduced if the next layer would overflow.

    static constexpr bool is_reduced_after(std::int32_t bound) { return 4 * bound > limit; }
    static constexpr std::int32_t after_inverse_layer(std::int32_t bound)
    {
        return std::max(is_reduced_after(bound) ? Residue::reduced_bound : 2 * bound,
                        Residue::product_bound(2 * bound));
    }
    static constexpr std::int32_t inverse_bound_after(std::int32_t bound, std::size_t layers)
    {
        for (std::size_t layer = 0; layer < layers; ++layer) bound = after_inverse_layer(bound);
        return bound;
    }

    /// (a, b) becomes (a + b, (a - b) f).
    template <std::int32_t bound, class Factor>
    [[gnu::always_inline]] static void inverse_butterfly(Vector& a, Vector& b, Factor f) noexcept
    {
        static_assert(2 * bound <= limit);
        const Vector difference = a - b;
        a = a + b;
        if constexpr (is_reduced_after(bound)) a = Residue::reduce(a);
        b = Residue::multiply(difference, f);
    }
    template <std::int32_t bound>
    [[gnu::always_inline]] static void inverse_butterfly_by_one(Vector& a, Vector& b) noexcept
    {
        static_assert(2 * bound <= limit);
        butterfly_by_one(a, b);
        if constexpr (is_reduced_after(bound)) {
            a = Residue::reduce(a);
            b = Residue::reduce(b);
        }
    }
};

}  // namespace girih::transform
