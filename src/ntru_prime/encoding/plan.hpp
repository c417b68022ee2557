/// How Encode and Decode ("NTRU Prime: round 3", Section 2.3) take a sequence of integers to bytes.
///
/// A step joins neighbours: r0 in [0, m0) and r1 in [0, m1) to r0 + m0 r1 in [0, m0 m1). Low bytes
/// of each pair are written until its bound is below 2^14. So half as many integers are left, for
/// the next step. All bytes of the last integer are written. Within a step, all integers but the
/// last have the same bound, so a plan is a short table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace girih::ntru_prime {

/// An integer below some bound, after its low bytes were written.
struct Remainder {
    std::size_t bytes = 0;    ///< written
    std::uint32_t bound = 1;  ///< of what is left

    static constexpr Remainder of(std::uint32_t bound, std::uint32_t limit)
    {
        Remainder r{0, bound};
        for (; r.bound >= limit; ++r.bytes) r.bound = (r.bound + 255) / 256;
        return r;
    }
};

/// Bytes of a pair are written until it is below this.
inline constexpr std::uint32_t joined_limit = 1 << 14;

/// A sequence of `count` integers below `bound`, the last one below `last_bound`.
struct EncodingStep {
    std::size_t count;
    std::uint32_t bound;
    std::uint32_t last_bound;

    [[nodiscard]] constexpr std::size_t pairs() const { return count / 2; }
    [[nodiscard]] constexpr bool has_odd() const { return count % 2 != 0; }
    /// A pair that does not hold the last integer, and the one that does.
    [[nodiscard]] constexpr Remainder pair() const { return Remainder::of(bound * bound, joined_limit); }
    [[nodiscard]] constexpr Remainder last_pair() const
    {
        return Remainder::of(bound * (has_odd() ? bound : last_bound), joined_limit);
    }
    [[nodiscard]] constexpr std::size_t bytes() const
    {
        return (pairs() - 1) * pair().bytes + last_pair().bytes;
    }
    [[nodiscard]] constexpr EncodingStep next() const
    {
        return {(count + 1) / 2, pair().bound, has_odd() ? last_bound : last_pair().bound};
    }
};

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
    // inverse exceeds 2^(32 + shift) / divisor by less than 1, so the product exceeds
    // r 2^(32 + shift) / divisor by less than 2^28 <= 2^(32 + shift) / divisor: not enough for the
    // next quotient.
    template <class Isa>
    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t quotient(std::uint32_t r) const noexcept
    {
        return static_cast<std::uint32_t>(std::uint64_t{r} * inverse >> 32) >> shift;
    }
    template <class Isa>
    [[nodiscard, gnu::always_inline]] constexpr std::uint32_t remainder(std::uint32_t r) const noexcept
    {
        return r - divisor * quotient<Isa>(r);
    }
};

/// The steps of p integers below a bound, down to one integer.
struct EncodingPlan {
    struct Step {
        std::size_t count;
        std::size_t width;       ///< bytes of a pair
        std::size_t last_width;  ///< and of the last one
        Divisor bound;
        Divisor second_bound;  ///< of the second of the last pair
    };
    std::array<Step, 12> step{};
    std::size_t steps = 0;
    std::size_t end_width = 0;  ///< bytes of the integer that is left
    Divisor end_bound{};
    std::size_t bytes = 0;

    /// What VectorPairs relies on: every pair but a last one decodes, from any bytes, to less than
    /// 2 bound^2, and inverses have 31 bits.
    [[nodiscard]] constexpr bool is_near() const
    {
        for (std::size_t s = 0; s < steps; ++s) {
            const std::uint64_t bound = step[s].bound.divisor;
            const EncodingStep pairs{step[s].count, step[s].bound.divisor, 0};
            const std::uint64_t end = std::uint64_t{pairs.pair().bound} << (8 * step[s].width);
            if (end > 2 * bound * bound || step[s].bound.inverse >> 31 != 0) return false;
        }
        return true;
    }

    static constexpr EncodingPlan of(std::size_t count, std::int32_t bound)
    {
        EncodingPlan plan;
        EncodingStep s{count, static_cast<std::uint32_t>(bound), static_cast<std::uint32_t>(bound)};
        for (; s.count > 1; s = s.next()) {
            plan.step[plan.steps++] = {s.count, s.pair().bytes, s.last_pair().bytes, Divisor::of(s.bound),
                                       Divisor::of(s.has_odd() ? s.bound : s.last_bound)};
            plan.bytes += s.bytes();
        }
        plan.end_width = Remainder::of(s.last_bound, 2).bytes;
        plan.end_bound = Divisor::of(s.last_bound);
        plan.bytes += plan.end_width;
        return plan;
    }
};

}  // namespace girih::ntru_prime
