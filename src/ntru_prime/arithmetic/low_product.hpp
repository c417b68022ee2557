/// The first coefficients of a product, as sums of products of pairs of coefficients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"

namespace girih::ntru_prime {

/// Coefficients 0 to 255 at most. Constant time. What is left on the stack is wiped at the end of
/// each operation, as a whole (OperationsOf).
///
/// Coefficient n is the sum of a_(n - j) b_j. For two neighbours j the factors in a are neighbours
/// too, and for all even n, or all odd ones, they are a vector that begins at any place. It is the
/// same one for coefficients a vector further on, and j as much greater: so `blocks` share it.
template <class Isa>
class LowProduct {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;
    static constexpr std::size_t lanes = Lanes::lanes;
    static constexpr std::size_t blocks = 4;
    static constexpr std::size_t group = blocks * lanes;

  public:
    static constexpr std::size_t most = 256;
    static_assert(most % group == 0);

    /// Of two polynomials of more coefficients than that.
    template <class A>
    LowProduct(const A* a, const std::int8_t* b)
    {
        for (std::size_t i = 0; i < lanes; ++i) a_[i] = 0;
        for (std::size_t i = 0; i < most; ++i) a_[lanes + i] = a[i];
        for (std::size_t j = 0; j < before; ++j) b_[j] = 0;
        for (std::size_t j = 0; j < most; ++j) b_[before + (j ^ 1)] = b[j];
    }

    /// store(n, even, odd) is called with the sums for n, n + 2, ... and for n + 1, n + 3, ...,
    /// vector by vector, for `count` coefficients and up to `group` more.
    template <class Store>
    [[gnu::always_inline]] void each(std::size_t count, Store store) const
    {
        for (std::size_t first = 0; first < count; first += group) {
            std::array<Sums, blocks> even{};
            std::array<Sums, blocks> odd{};
            // j, more by `before`, for the first block.
            for (std::size_t j = 0; j < first + group; j += 2) {
                const std::int16_t* const at = &a_[first + group - j];
                const Vector lower = Lanes::load(at - 1);
                const Vector upper = Lanes::load(at);
                unroll<blocks>([&](auto k) __attribute__((always_inline)) {
                    std::int32_t pair;
                    std::memcpy(&pair, &b_[j + k * lanes], sizeof pair);
                    const Vector pairs = reinterpret_cast<Vector>(Sums{} + pair);
                    even[k] = Lanes::add_pairs(even[k], lower, pairs);
                    odd[k] = Lanes::add_pairs(odd[k], upper, pairs);
                });
            }
            unroll<blocks>([&](auto k)
                               __attribute__((always_inline)) { store(first + k * lanes, even[k], odd[k]); });
        }
    }

  private:
    static constexpr std::size_t before = group - lanes;  ///< numbers j below 0, for which b is 0

    std::array<std::int16_t, lanes + most> a_;   // behind as many zeros as a vector has
    std::array<std::int16_t, before + most> b_;  // b_(j + 1) before b_j, for even j
};

}  // namespace girih::ntru_prime
