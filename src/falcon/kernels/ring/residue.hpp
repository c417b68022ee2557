/// Integers modulo q.
///
/// Constant time, except in exponents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "falcon/kernels/fft/roots.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

template <std::size_t n>
using ResiduePoly = Poly<Residue, n>;

namespace modulo_q {

inline constexpr std::uint32_t q_inverse = 12287;  ///< -1 / q modulo 2^16
static_assert(((q * q_inverse + 1) & 0xFFFF) == 0);
inline constexpr std::uint32_t montgomery = (1u << 16) % q;
inline constexpr std::uint32_t montgomery_squared = montgomery * montgomery % q;

[[nodiscard]] constexpr std::uint32_t subtract_q_if_not_below(std::uint32_t a)
{
    const std::uint32_t less = a - q;  // a < 2q
    return less + (q & negative_lane(less));
}
[[nodiscard]] constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b)
{
    return subtract_q_if_not_below(a + b);
}
[[nodiscard]] constexpr std::uint32_t subtract(std::uint32_t a, std::uint32_t b)
{
    const std::uint32_t difference = a - b;
    return difference + (q & negative_lane(difference));
}
/// a b / 2^16. With a, b < q the sum below is under q^2 + 2^16 q < 2^32, and the result under
/// (q / 2^16 + 1) q < 2q.
[[nodiscard]] constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b)
{
    const std::uint32_t product = a * b;
    const std::uint32_t multiple = ((product * q_inverse) & 0xFFFF) * q;
    return subtract_q_if_not_below((product + multiple) >> 16);
}
/// a b
[[nodiscard]] constexpr std::uint32_t multiply_plainly(std::uint32_t a, std::uint32_t b)
{
    // 2^32 / q, rounded up, is too large by less than 1; so for a, b < q, the quotient, rounded
    // down, is too large by at most 1.
    constexpr std::uint64_t inverse = (std::uint64_t{1} << 32) / q + 1;
    const std::uint32_t product = a * b;
    const std::uint32_t rest = product - static_cast<std::uint32_t>(product * inverse >> 32) * q;
    return rest + (q & negative_lane(rest));
}
/// The residue of a number below 5q.
[[nodiscard]] constexpr Residue of_five_q(std::uint32_t a)
{
    // 87375 q exceeds 2^30 by less than 2^30 / 5q, so the quotient is right. (Compilers would emit
    // a division to save bytes.)
    constexpr std::uint32_t inverse = 87375;
    static_assert(std::uint64_t{inverse} * q > 1 << 30 &&
                  (std::uint64_t{inverse} * q - (1 << 30)) * (5 * q) < 1 << 30);
    return static_cast<Residue>(a - q * static_cast<std::uint32_t>(std::uint64_t{a} * inverse >> 30));
}
/// The residue of a number between -q and q.
[[nodiscard]] constexpr Residue residue(std::int32_t a)
{
    const auto bits = static_cast<std::uint32_t>(a);
    return static_cast<Residue>(bits + (q & negative_lane(bits)));
}
/// The residue of any 32-bit number.
[[nodiscard]] constexpr Residue of_integer(std::int32_t a)
{
    // 2^43 / q, rounded up, is too large by less than 1, so a / q is off by less than 2^-12, and
    // the remainder is between -q and q.
    constexpr std::int64_t inverse = (std::int64_t{1} << 43) / q + 1;
    const auto quotient = static_cast<std::uint32_t>(a * inverse >> 43);
    const std::uint32_t rest = subtract_q_if_not_below(static_cast<std::uint32_t>(a) - quotient * q);
    return static_cast<Residue>(rest + (q & negative_lane(rest)));
}
static_assert(of_integer(0) == 0 && of_integer(-1) == q - 1 && of_integer(q) == 0 &&
              of_integer(-3 * 12289) == 0);
static_assert(of_integer(INT32_MAX) == INT32_MAX % q && of_integer(174745 * 12289) == 0 &&
              of_integer(-174745 * 12289) == 0 && of_integer(-174745 * 12289 - 1) == q - 1);
/// The representative between -q/2 and q/2.
[[nodiscard]] constexpr std::int32_t centred(std::uint32_t a)
{
    return static_cast<std::int32_t>(a - (q & negative_lane(q / 2 - a)));
}

/// a^exponent 2^16, for tables and reciprocals: the exponent is public.
[[nodiscard]] constexpr std::uint32_t power(std::uint32_t a_montgomery, std::uint32_t exponent)
{
    std::uint32_t result = montgomery;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = multiply(result, a_montgomery);
        a_montgomery = multiply(a_montgomery, a_montgomery);
    }
    return result;
}

/// The roots for polynomials of degree n: powers of a primitive 2048th root of 1, times 2^16,
/// number 2^k + i in the order of RootBits: root^angle with
/// angle = 2^(9 - k) + reversed i 2^(10 - k). Since root^1024 = -1, the reciprocal of number
/// 2^k + i is minus number 2^(k + 1) - 1 - i.
template <std::size_t n>
[[gnu::visibility("hidden")]] inline constexpr std::array<Residue, n> zetas = [] {
    const std::uint32_t generator = multiply(11, montgomery_squared);
    static_assert(q - 1 == 6 * 2048);
    const std::uint32_t root = power(generator, 6);
    std::array<std::uint32_t, 2048> powers{};
    powers[0] = power(generator, 0);
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = multiply(powers[i - 1], root);
    std::array<Residue, n> all{};
    for (unsigned layer = 0; std::size_t{1} << layer < n; ++layer) {
        const std::size_t parts = std::size_t{1} << layer;
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t angle = (512 >> layer) + (reverse_bits(i, layer) << (10 - layer));
            all[parts + i] = static_cast<Residue>(powers[angle]);
        }
    }
    return all;
}();

}  // namespace modulo_q

}  // namespace girih::falcon
