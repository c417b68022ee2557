/// Abstract integers: what is known about a number in girih's kernels, for all inputs at once.
///
/// Lanes hold integers of w bits, 16 or 32; products and their sums are wide, of 2 w bits. A proof
/// knows of each number:
///
/// 1. Its range over the integers. A sum whose range leaves its width is a failure: no input may
///    overflow.
///
/// 2. Its form: the number modulo the scheme's prime q, as a polynomial of degree at most 2 in the
///    inputs. An output is right if its form is the standard's.
///
/// 3. Its word: the number modulo R = 2^w, as a polynomial in word variables, one for each number
///    in a lane. It proves Montgomery's division by R. In
///
///        m = a z / q modulo R,     (a z - m q) / R,
///
///    m has no form, but m q = 0 modulo q. The words of a z and m q are equal. So their low halves
///    are equal, and the difference of their high halves is (a z - m q) / R exactly: its range is
///    that of a z - m q over R, and its form is a z / R.
///
/// 4. If it depends on only one number of 16 bits, how it does. Roundings, comparisons and masks
///    are evaluated for every x in the range of that number, which gives their exact range. If the
///    result is k x + d modulo q for every x, that is its form.
///
/// A product by a rounded quotient has a rule of its own:
///
///     2^(w-1) (a b - r round(a b' / 2^(w-1))) = a (2^(w-1) b - r b') - r e,   |e| <= 2^(w-2),
///
/// whose right side gives its range. If that is one of w bits, the difference is the same modulo
/// 2^w; and it is a b modulo q.
///
/// Failures do not end a proof, but fail the test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace girih::proofs {

/// a modulo m, in [0, m), and a^exponent and 1 / a modulo m, a prime.
constexpr std::uint64_t modulo(std::int64_t a, std::uint64_t m)
{
    const auto rest = a % static_cast<std::int64_t>(m);
    return static_cast<std::uint64_t>(rest) + (rest < 0 ? m : 0);
}
constexpr std::uint64_t power(std::uint64_t a, std::uint64_t exponent, std::uint64_t m)
{
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, a = a * a % m)
        if ((exponent & 1) != 0) result = result * a % m;
    return result;
}
constexpr std::uint64_t reciprocal(std::uint64_t a, std::uint64_t m) { return power(a % m, m - 2, m); }

/// 0 for 1, i for the variable x_i, i 2^32 + j with 0 < i <= j for x_i x_j.
using Monomial = std::uint64_t;
constexpr Monomial product_of(std::uint64_t i, std::uint64_t j) { return i <= j ? i << 32 | j : j << 32 | i; }

struct Term {
    Monomial monomial;
    std::uint64_t factor;
    friend bool operator==(const Term&, const Term&) = default;
};
/// Terms in rising order of their monomials, none of them 0; or nothing is known.
struct Polynomial {
    bool is_known = true;
    std::vector<Term> terms;
    friend bool operator==(const Polynomial&, const Polynomial&) = default;
};
inline const Polynomial unknown{false, {}};
inline Polynomial variable(std::uint64_t i) { return {true, {{i, 1}}}; }
/// The sum, modulo m, of terms in any order.
Polynomial polynomial_of(std::vector<Term> terms, std::uint64_t m);

struct Range {
    std::int64_t low;
    std::int64_t high;
};

/// The place of a number among those of the proof. Number 0 is 0.
using Number = std::uint32_t;

/// Begins a proof modulo q in lanes of 16 or 32 bits. Earlier numbers are forgotten.
void begin(std::uint64_t q, int bits);
void fail(const std::string& why);

Number constant(std::int64_t a);
/// Any integer in a range.
Number any_in(Range range, Polynomial form);
[[nodiscard]] Range range_of(Number a);
[[nodiscard]] const Polynomial& form_of(Number a);
[[nodiscard]] std::uint64_t prime();

// ---- In a lane
Number sum(Number a, Number b);
Number difference(Number a, Number b);
Number multiply_low(Number a, Number b);                // modulo R
Number subtract_product(Number c, Number a, Number b);  // c - a b modulo R
Number multiply_rounded(Number a, Number b);            // (a b + 2^14) >> 15, for 0 <= b < 2^14
/// a b - r round(a quotient / 2^(w-1)) modulo R, halves rounded up. b and quotient are constants, r
/// is a multiple of q.
Number multiply_modulo(Number a, Number b, Number quotient, Number r);

/// x[i] = f(x[i], y[i]) for all i.
using Column = std::vector<std::int32_t>;
using Function = void (*)(Column& x, const Column& y);
template <class F>
constexpr Function function(F)
{
    return [](Column& x, const Column& y) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = F{}(x[i], y[i]);
    };
}
/// Any function of numbers that depend on one number of 16 bits.
Number evaluate(Function f, Number a, Number b);
/// The values of such a number for every value of the one that it depends on.
[[nodiscard]] Column values_of(Number a);

// ---- Wide
Number product(Number a, Number b);
Number wide_sum(Number a, Number b);
Number wide_difference(Number a, Number b);
Number low_half(Number a);   // modulo R, as a signed integer
Number high_half(Number a);  // a / R, rounded down
[[nodiscard]] bool is_multiple_of_radix(Number a);

}  // namespace girih::proofs
