/// High and low parts of residues, and hints (FIPS 204, Section 7.4), on every lane of a vector.
///
/// Constant time: comparisons are sign bits. The tests hold each function against its
/// definition on every residue.
#pragma once

#include <cstdint>

#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

/// All ones where a is negative, else zero. Only for masking constants: where V is one number, not
/// a vector, clang may turn the masking of anything else into a branch.
template <class V>
[[nodiscard, gnu::always_inline]] constexpr V negative_lanes(V a) noexcept
{
    return a >> 31;
}

/// The representative in [0, q) of a with |a| < q.
template <class V>
[[nodiscard, gnu::always_inline]] constexpr V canonical(V a) noexcept
{
    return a + (negative_lanes(a) & q);
}

/// A high part r1 and a low part r0.
template <class V>
struct HighLow {
    V high;
    V low;
};

/// Power2Round (FIPS 204, Algorithm 35): r = r1 2^d + r0 with
/// -2^(d-1) < r0 <= 2^(d-1), for 0 <= r < q.
template <class V>
[[nodiscard, gnu::always_inline]] constexpr HighLow<V> power2round(V r) noexcept
{
    const V high = (r + ((1 << (d - 1)) - 1)) >> d;
    return {high, r - (high << d)};
}

/// Decompose (FIPS 204, Algorithm 36): r = r1 (2 gamma2) + r0 modulo q with |r0| <= gamma2, for
/// 0 <= r < q. Its low half is LowBits (FIPS 204, Algorithm 38).
template <std::int32_t gamma2, class V>
[[nodiscard, gnu::always_inline]] constexpr HighLow<V> decompose(V r) noexcept
{
    // 2 gamma2 = 128 step, so r1 is about ceil(r / 128) / step, and 1 / step is multiplier /
    // 2^shift, closely enough for every residue (the tests try them all). Adding a half rounds to
    // the nearest.
    constexpr std::int32_t step = 2 * gamma2 / 128;
    constexpr int shift = step == (q - 1) / 32 * 2 / 128 ? 22 : 24;
    constexpr std::int32_t multiplier = ((1 << shift) + step / 2) / step;
    constexpr std::int32_t count = (q - 1) / (2 * gamma2);  // values of r1, and one past the last is 0 again
    static_assert(2 * gamma2 % 128 == 0 && (q - 1) % (2 * gamma2) == 0);
    static_assert(((q + 127) / 128) * std::int64_t{multiplier} + (1 << (shift - 1)) <= INT32_MAX);

    const V rounded = (((r + 127) >> 7) * multiplier + (1 << (shift - 1))) >> shift;
    // All ones or 0, as the sign would be, but in a form that no compiler recognizes and turns into
    // a branch.
    static_assert(count <= 64);
    const V high = rounded & ((rounded - count) >> 6);
    const V low = r - high * (2 * gamma2);
    // At the top, where r1 wrapped to 0, r0 = r - q.
    return {high, low - (negative_lanes((q - 1) / 2 - low) & q)};
}

/// HighBits (FIPS 204, Algorithm 37).
template <std::int32_t gamma2, class V>
[[nodiscard, gnu::always_inline]] constexpr V high_bits(V r) noexcept
{
    return decompose<gamma2>(r).high;
}

/// MakeHint (FIPS 204, Algorithm 39): 1 where adding z to r changes its high bits, else 0,
/// for |z| < q, 0 <= r < q.
template <std::int32_t gamma2, class V>
[[nodiscard, gnu::always_inline]] constexpr V make_hint(V z, V r) noexcept
{
    const V changed = high_bits<gamma2>(r) ^ high_bits<gamma2>(canonical(canonical(r + z - q)));
    return -negative_lanes(-changed);
}

/// The hint of signing (FIPS 204, Algorithm 7, line 26), from what the signer has: w = high
/// (2 gamma2) + low, and low_after = low - (c s2) + (c t0), for |low - c s2| < gamma2
/// and |c t0| < gamma2.
///
/// MakeHint compares the high bits of w - c s2, which are those of w (the r0 check passed), with
/// those of w - c s2 + c t0. The latter stay the same while the low part stays a low part: at most
/// gamma2 in magnitude, where -gamma2 is one only for high = 0 (there it means q - gamma2).
template <std::int32_t gamma2, class V>
[[nodiscard, gnu::always_inline]] constexpr V make_hint_from_low(V low_after, V high) noexcept
{
    const V above = negative_lanes(gamma2 - low_after);
    const V below = negative_lanes(low_after + gamma2);
    const V at_bottom = negative_lanes(-gamma2 - 1 - low_after) ^ negative_lanes(-gamma2 - low_after);
    const V high_is_not_zero = negative_lanes(-high);
    return (above | below | (at_bottom & high_is_not_zero)) & 1;
}

/// UseHint (FIPS 204, Algorithm 40): the high bits of r, moved one step where the hint says
/// so, for 0 <= r < q.
template <std::int32_t gamma2, class V>
[[nodiscard, gnu::always_inline]] constexpr V use_hint(V hint, V r) noexcept
{
    constexpr std::int32_t count = (q - 1) / (2 * gamma2);
    const auto [high, low] = decompose<gamma2>(r);
    const V up = negative_lanes(-low);      // all ones for r0 > 0
    const V step = (up & 2) - 1;            // 1 for r0 > 0, else -1
    const V moved = high + (step & -hint);  // in [-1, count]
    const V wrapped = moved + (negative_lanes(moved) & count);
    return wrapped & negative_lanes(wrapped - count);  // count becomes 0
}

}  // namespace girih::ml_dsa
