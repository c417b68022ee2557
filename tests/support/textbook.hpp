/// FIPS 204 word for word, with % and /, for the tests to compare the library with. Nothing here is
/// shared with the library but the numbers of Table 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ml_dsa/params.hpp"

namespace girih::textbook {

using Integer = std::int64_t;

/// a mod m (Section 2.3): in [0, m)
constexpr Integer mod(Integer a, Integer m)
{
    const Integer remainder = a % m;
    return remainder < 0 ? remainder + m : remainder;
}

/// a mod+- m (Section 2.3): in (-m/2, m/2]
constexpr Integer mod_centred(Integer a, Integer m)
{
    const Integer remainder = mod(a, m);
    return 2 * remainder > m ? remainder - m : remainder;
}

/// base^exponent mod q
constexpr Integer power(Integer base, Integer exponent)
{
    Integer result = 1;
    for (Integer i = exponent; i > 0; i /= 2) {
        if (i % 2 == 1) result = mod(result * base, ml_dsa::q);
        base = mod(base * base, ml_dsa::q);
    }
    return result;
}

struct HighLow {
    Integer high;
    Integer low;
};

/// Power2Round (Algorithm 35)
constexpr HighLow power2round(Integer r)
{
    constexpr Integer step = 1 << ml_dsa::d;
    const Integer r_plus = mod(r, ml_dsa::q);
    const Integer r0 = mod_centred(r_plus, step);
    return {(r_plus - r0) / step, r0};
}

/// Decompose (Algorithm 36)
constexpr HighLow decompose(Integer r, Integer gamma2)
{
    const Integer r_plus = mod(r, ml_dsa::q);
    const Integer r0 = mod_centred(r_plus, 2 * gamma2);
    if (r_plus - r0 == ml_dsa::q - 1) return {0, r0 - 1};
    return {(r_plus - r0) / (2 * gamma2), r0};
}

/// HighBits (Algorithm 37)
constexpr Integer high_bits(Integer r, Integer gamma2) { return decompose(r, gamma2).high; }

/// UseHint (Algorithm 40)
constexpr Integer use_hint(bool h, Integer r, Integer gamma2)
{
    const Integer m = (ml_dsa::q - 1) / (2 * gamma2);
    const auto [r1, r0] = decompose(r, gamma2);
    if (h && r0 > 0) return mod(r1 + 1, m);
    if (h && r0 <= 0) return mod(r1 - 1, m);
    return r1;
}

/// BitRev8 (Algorithm 43), by the string of bits that it reverses
constexpr Integer bit_rev8(Integer m)
{
    Integer reversed = 0;
    for (int i = 0; i < 8; ++i) {
        reversed = 2 * reversed + m % 2;
        m /= 2;
    }
    return reversed;
}

/// 256 integers, not reduced unless it says so.
using Polynomial = std::vector<Integer>;

/// zeta_i = zeta^(2 BitRev8(i) + 1), the i-th root of X^256 + 1 in the order of Section 7.5
constexpr Integer root(std::size_t i)
{
    return power(ml_dsa::zeta, 2 * bit_rev8(static_cast<Integer>(i)) + 1);
}

/// NTT(w) = (w(zeta_0), ..., w(zeta_255)) (Section 7.5): every value in [0, q)
inline Polynomial values_at_roots(const Polynomial& w)
{
    Polynomial values(ml_dsa::n);
    for (std::size_t i = 0; i < ml_dsa::n; ++i) {
        const Integer x = root(i);
        for (std::size_t j = ml_dsa::n; j-- > 0;) values[i] = mod(values[i] * x + w[j], ml_dsa::q);
    }
    return values;
}

/// a b modulo q and X^256 + 1, every coefficient in [0, q)
inline Polynomial product(const Polynomial& a, const Polynomial& b)
{
    Polynomial c(ml_dsa::n);
    for (std::size_t i = 0; i < ml_dsa::n; ++i) {
        for (std::size_t j = 0; j < ml_dsa::n; ++j) {
            const Integer term = mod(a[i], ml_dsa::q) * mod(b[j], ml_dsa::q) % ml_dsa::q;
            Integer& to = c[(i + j) % ml_dsa::n];
            to = mod(i + j < ml_dsa::n ? to + term : to - term, ml_dsa::q);
        }
    }
    return c;
}

}  // namespace girih::textbook
