/// How Encode and Decode ("NTRU Prime: round 3", Section 2.3) turn a sequence of integers into
/// bytes.
///
/// A step joins neighbours: r0 in [0, m0) and r1 in [0, m1) to r0 + m0 r1 in [0, m0 m1). Low bytes
/// of each pair are written until its bound is below 2^14. So half as many integers are left for
/// the next step. All bytes of the last integer are written. Within a step, all integers but the
/// last have the same bound, so a plan is a short table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "isa/products.hpp"

namespace girih::ntru_prime {

/// Quotient and remainder of r < 2^28 by a number from 2 on, without a division.
struct Divisor {
    std::uint32_t divisor = 2;
    std::uint32_t inverse = std::uint32_t{1} << 31;  ///< 2^(32 + shift) / divisor, rounded up
    int shift = 0;

    static constexpr Divisor of(std::uint32_t divisor)
    {
        const int shift = static_cast<int>(std::bit_width(divisor)) - 2;
        return {divisor,
                static_cast<std::uint32_t>(((std::uint64_t{1} << (32 + shift)) + divisor - 1) / divisor),
                shift};
    }
    // inverse exceeds 2^(32 + shift) / divisor by less than 1, so r inverse exceeds
    // r 2^(32 + shift) / divisor by less than 2^28 <= 2^(32 + shift) / divisor: too little to
    // raise the quotient.
    template <class Isa>
    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t quotient(std::uint32_t r) const noexcept
    {
        return static_cast<std::uint32_t>(isa::long_product(r, inverse) >> 32) >> shift;
    }
    template <class Isa>
    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t remainder(std::uint32_t r) const noexcept
    {
        return r - divisor * quotient<Isa>(r);
    }
};

/// The steps from some integers down to one.
struct EncodingPlan {
    struct Step {
        std::size_t count;
        std::size_t width;       ///< bytes of each pair but the last
        std::size_t last_width;  ///< bytes of the last pair
        Divisor bound;           ///< of the first integer of a pair
        Divisor second_bound;    ///< of the second integer of the last pair
    };
    std::array<Step, 12> step{};
    std::size_t steps = 0;
    std::size_t end_width = 0;  ///< bytes of the integer that is left
    Divisor end_bound{};
    std::size_t bytes = 0;

    static constexpr EncodingPlan of(std::size_t count, std::int32_t bound_of_all)
    {
        EncodingPlan plan;
        auto bound = static_cast<std::uint32_t>(bound_of_all);
        std::uint32_t last_bound = bound;  // of the last integer
        for (; count > 1; count = (count + 1) / 2) {
            const bool is_odd = count % 2 != 0;  // the last integer has no neighbour
            const std::uint32_t second_bound = is_odd ? bound : last_bound;
            const Written pair = write(bound * bound, joined_limit);
            const Written last = write(bound * second_bound, joined_limit);
            plan.step[plan.steps++] = {count, pair.bytes, last.bytes, Divisor::of(bound),
                                       Divisor::of(second_bound)};
            plan.bytes += (count / 2 - 1) * pair.bytes + last.bytes;
            last_bound = is_odd ? last_bound : last.bound;
            bound = pair.bound;
        }
        plan.end_width = write(last_bound, 2).bytes;
        plan.end_bound = Divisor::of(last_bound);
        plan.bytes += plan.end_width;
        return plan;
    }

    /// VectorPairs relies on this: any bytes of a pair, except the last pair, decode to less than
    /// 2 bound^2, and inverses have 31 bits.
    [[nodiscard]] constexpr bool is_near() const
    {
        for (std::size_t s = 0; s < steps; ++s) {
            const std::uint32_t bound = step[s].bound.divisor;
            const Written pair = write(bound * bound, joined_limit);
            const std::uint64_t end = std::uint64_t{pair.bound} << (8 * pair.bytes);
            if (end > std::uint64_t{2} * bound * bound || step[s].bound.inverse >> 31 != 0) return false;
        }
        return true;
    }

  private:
    static constexpr std::uint32_t joined_limit = 1 << 14;

    struct Written {
        std::size_t bytes = 0;
        std::uint32_t bound;  ///< of what is left
    };
    /// Writes bytes of an integer below `bound` until it is below `limit`.
    static constexpr Written write(std::uint32_t bound, std::uint32_t limit)
    {
        Written w{0, bound};
        for (; w.bound >= limit; ++w.bytes) w.bound = (w.bound + 255) / 256;
        return w;
    }
};

}  // namespace girih::ntru_prime
