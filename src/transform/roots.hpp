/// Polynomials, and the roots of unity at which transforms evaluate them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::transform {

/// A polynomial of n coefficients, or its values.
template <std::size_t n>
struct alignas(64) Points {
    std::array<std::int16_t, n> c;

    [[nodiscard]] std::int16_t* half(std::size_t number) { return &c[number * (n / 2)]; }
    [[nodiscard]] const std::int16_t* half(std::size_t number) const { return &c[number * (n / 2)]; }
};

enum class Direction { forward, inverse };

/// The n-th roots of unity modulo r, by their exponents.
template <std::int32_t r, std::size_t n, std::int32_t root = 0>
struct Roots {
    static_assert(r % n == 1);

    static constexpr std::int32_t power(std::int32_t base, std::int32_t exponent)
    {
        std::int64_t result = 1;
        for (std::int64_t square = base; exponent > 0; exponent >>= 1, square = square * square % r)
            if ((exponent & 1) != 0) result = result * square % r;
        return static_cast<std::int32_t>(result);
    }
    /// The powers of w: the given root, or the first number of order n (its power n / 2 is -1).
    static constexpr std::array<std::int32_t, n> powers = [] {
        static_assert(root == 0 || power(root, n / 2) == r - 1);
        std::int32_t w = root;
        for (std::int32_t base = 2; power(w, n / 2) != r - 1; ++base)
            w = power(base, (r - 1) / static_cast<std::int32_t>(n));
        std::array<std::int32_t, n> all{1};
        for (std::size_t i = 1; i < n; ++i)
            all[i] = static_cast<std::int32_t>(std::int64_t{all[i - 1]} * w % r);
        return all;
    }();
    /// The exponent e of a node.
    static constexpr std::size_t exponent(std::size_t node)
    {
        if (node == 1) return 0;
        return exponent(node / 2) / 2 + (node % 2 == 0 ? 0 : n / 2);
    }
    /// The factor of a node's butterfly, or its inverse.
    template <Direction direction>
    static constexpr std::int32_t twiddle(std::size_t node)
    {
        const std::size_t half = exponent(node) / 2;
        return powers[direction == Direction::forward ? half : (n - half) % n];
    }
};

/// Where the tree of a transform ends.
struct Leaves {
    std::size_t degree = 1;  ///< 1, or 2
    /// w, if the order of values matters outside; 0 for any root. With w given, values of
    /// negacyclic transforms are in the order of the nodes, and reduced.
    std::int32_t root = 0;
    /// The bound on inputs of inverse transforms; 0: reduce's bound.
    std::int32_t bound = 0;

    [[nodiscard]] constexpr bool are_in_order() const { return root != 0; }
};

}  // namespace girih::transform
