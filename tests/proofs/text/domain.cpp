#include "domain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace girih::proofs {
namespace {

using I = std::int32_t;
constexpr Function low_16 = function([](I x, I) { return static_cast<std::int16_t>(x); });

constexpr Number none = 0;              // no variable, for constants; no whole
constexpr Number several = ~Number{0};  // variables

struct Known {
    Range range;
    Polynomial form;  // modulo q
    Polynomial word;  // modulo R
    // The number is function(a, b), and depends on `variable` alone: on itself, without a function.
    Number variable = several;
    Function function = nullptr;
    Number a = 0;
    Number b = 0;
    int expression = 0;   // the same for the same functions of variables of the same range
    Number whole = none;  // whose high half it is
};
/// The range of an expression's values. If `is_linear`, they are step x + offset modulo q.
struct Facts {
    Range range;
    bool is_linear;
    std::int64_t step;
    std::int64_t offset;
};

struct Proof {
    std::uint64_t q;
    int bits;
    std::vector<Known> numbers;
    std::unordered_map<std::int64_t, Number> constants;
    std::map<std::tuple<std::uintptr_t, std::int64_t, std::int64_t>, int> expressions;
    std::unordered_map<int, Facts> facts;
    int failures;
};
Proof proof;

Range all_of(int bits) { return {INT64_MIN >> (64 - bits), INT64_MAX >> (64 - bits)}; }
bool fits(Range r, int bits) { return r.low >= all_of(bits).low && r.high <= all_of(bits).high; }

std::uint64_t radix() { return std::uint64_t{1} << proof.bits; }
Known& known(Number a) { return proof.numbers[a]; }
/// A function of two expressions; without one, a variable's range.
int expression_of(Function f, std::int64_t a, std::int64_t b)
{
    return proof.expressions
        .try_emplace({reinterpret_cast<std::uintptr_t>(f), a, b}, proof.expressions.size())
        .first->second;
}
/// Adds a number. Without a word it gets a word variable; of 16 bits, it may itself be a variable.
Number add(Known k)
{
    const auto number = static_cast<Number>(proof.numbers.size());
    if (!k.word.is_known) k.word = variable(number + 1);
    if (k.variable == several && fits(k.range, 16)) k.variable = number, k.function = nullptr;
    if (k.function == nullptr) k.expression = expression_of(nullptr, k.range.low, k.range.high);
    proof.numbers.push_back(std::move(k));
    return number;
}

Polynomial constant_polynomial(std::int64_t a, std::uint64_t m)
{
    return polynomial_of({{0, modulo(a, m)}}, m);
}

Polynomial add_multiple(const Polynomial& a, std::int64_t k, const Polynomial& b, std::uint64_t m)
{
    if (!a.is_known || !b.is_known) return unknown;
    const std::uint64_t factor = modulo(k, m);
    Polynomial sum;
    sum.terms.reserve(a.terms.size() + b.terms.size());
    auto x = a.terms.begin();
    for (const Term& y : b.terms) {
        for (; x != a.terms.end() && x->monomial < y.monomial; ++x) sum.terms.push_back(*x);
        const bool is_in_both = x != a.terms.end() && x->monomial == y.monomial;
        const std::uint64_t c = (y.factor * factor + (is_in_both ? x++->factor : 0)) % m;
        if (c != 0) sum.terms.push_back({y.monomial, c});
    }
    sum.terms.insert(sum.terms.end(), x, a.terms.end());
    return sum;
}

Polynomial multiply(const Polynomial& a, const Polynomial& b, std::uint64_t m)
{
    const auto is_zero = [](const Polynomial& p) { return p.is_known && p.terms.empty(); };
    if (is_zero(a) || is_zero(b)) return {};  // of what is unknown, too
    if (!a.is_known || !b.is_known) return unknown;
    if (b.terms[0].monomial == 0 && b.terms.size() == 1)
        return add_multiple({}, static_cast<std::int64_t>(b.terms[0].factor), a, m);
    if (a.terms[0].monomial == 0 && a.terms.size() == 1) return multiply(b, a, m);
    std::vector<Term> terms;
    for (const Term& x : a.terms)
        for (const Term& y : b.terms) {
            const bool has_constant = x.monomial == 0 || y.monomial == 0;
            if (!has_constant && (x.monomial | y.monomial) >> 32 != 0) return unknown;  // a higher degree
            terms.push_back({has_constant ? x.monomial + y.monomial : product_of(x.monomial, y.monomial),
                             x.factor * y.factor % m});
        }
    return polynomial_of(std::move(terms), m);
}

/// The range of a result of so many bits.
Range within(Range r, int bits, const char* what)
{
    if (fits(r, bits)) return r;
    fail(std::string(what) + " leaves " + std::to_string(bits) + " bits: [" + std::to_string(r.low) + ", " +
         std::to_string(r.high) + "]");
    return all_of(bits);
}
Range times(Range a, Range b)
{
    const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {low, high};
}

/// f(a, b): on which number it depends, and how.
void depend(Known& k, Function f, Number a, Number b)
{
    const Number x = known(a).variable, y = known(b).variable;
    k.variable = x == none ? y : y == none || x == y ? x : several;
    k.function = f, k.a = a, k.b = b;
    if (k.variable != several) k.expression = expression_of(f, known(a).expression, known(b).expression);
}
/// Its values for every x in a range.
Column values(Number a, Range x)
{
    const Known& k = known(a);
    Column column(static_cast<std::size_t>(x.high - x.low + 1), static_cast<std::int32_t>(k.range.low));
    if (k.function != nullptr) {
        column = values(k.a, x);
        k.function(column, values(k.b, x));
    } else if (k.variable != none) {
        std::iota(column.begin(), column.end(), static_cast<std::int32_t>(x.low));
    }
    return column;
}

/// A number of one variable, from all of its values.
Number evaluated(Known k, const char* what)
{
    if (k.variable == several) {
        fail(std::string(what) + " depends on several numbers");
        return 0;
    }
    const Known& x = known(k.variable);
    const auto [at, is_new] = proof.facts.try_emplace(k.expression);
    Facts& facts = at->second;
    if (is_new) {
        const Range x_range = k.variable == none ? Range{0, 0} : x.range;
        Column v = values(k.a, x_range);
        k.function(v, values(k.b, x_range));
        const auto [low, high] = std::ranges::minmax(v);
        const I step = v.size() > 1 ? v[1] - v[0] : 0;
        facts = {{low, high}, true, step, v[0] - step * x_range.low};
        for (std::size_t i = 1; i < v.size() && facts.is_linear; ++i)
            facts.is_linear = (v[i] - v[i - 1] - step) % static_cast<I>(proof.q) == 0;
    }
    k.range = within(facts.range, proof.bits, what);
    if (k.range.low == k.range.high) return constant(k.range.low);
    if (!k.form.is_known && facts.is_linear)
        k.form = add_multiple(constant_polynomial(facts.offset, proof.q), facts.step, x.form, proof.q);
    return add(std::move(k));
}

/// a + b or a - b, of any size.
Known combine(Number a, int sign, Number b)
{
    const Known &x = known(a), &y = known(b);
    Known k{{}, add_multiple(x.form, sign, y.form, proof.q), add_multiple(x.word, sign, y.word, radix())};
    const Range other = sign > 0 ? y.range : Range{-y.range.high, -y.range.low};
    if (__builtin_add_overflow(x.range.low, other.low, &k.range.low) ||
        __builtin_add_overflow(x.range.high, other.high, &k.range.high))
        fail("a sum leaves 64 bits");
    depend(k, sign > 0 ? function([](I p, I q) { return p + q; }) : function([](I p, I q) { return p - q; }),
           a, b);
    return k;
}
Number in_lane(Known k, const char* what)
{
    if (proof.bits == 16 && k.variable != several) return k.word = unknown, evaluated(std::move(k), what);
    return any_in(within(k.range, proof.bits, what), std::move(k.form));
}
Number wide(Known k, const char* what)
{
    k.range = within(k.range, 2 * proof.bits, what);
    return add(std::move(k));
}
/// a / R of a multiple of R.
Number exact_quotient(const Known& a)
{
    const Range range{-(-a.range.low >> proof.bits), a.range.high >> proof.bits};  // rounded up, and down
    const auto inverse = static_cast<std::int64_t>(reciprocal(radix(), proof.q));
    return any_in(within(range, proof.bits, "a quotient"), add_multiple({}, inverse, a.form, proof.q));
}
/// The form, which takes longest, only if it is of use.
Number product(Number a, Number b, bool has_form)
{
    const Known &x = known(a), &y = known(b);
    Known k{times(x.range, y.range), has_form ? multiply(x.form, y.form, proof.q) : unknown,
            multiply(x.word, y.word, radix())};
    depend(k, function([](I p, I q) { return p * q; }), a, b);
    return add(std::move(k));
}

}  // namespace

Polynomial polynomial_of(std::vector<Term> terms, std::uint64_t m)
{
    std::ranges::sort(terms, {}, &Term::monomial);
    Polynomial sum;
    for (const auto& [monomial, factor] : terms) {
        if (sum.terms.empty() || sum.terms.back().monomial != monomial) sum.terms.push_back({monomial, 0});
        sum.terms.back().factor = (sum.terms.back().factor + factor) % m;
    }
    std::erase_if(sum.terms, [](const Term& term) { return term.factor == 0; });
    return sum;
}

void begin(std::uint64_t q, int bits)
{
    proof = {q, bits, {}, {}, {}, {}, 0};
    constant(0);
}
void fail(const std::string& why)
{
    if (++proof.failures <= 3) ADD_FAILURE() << why;
}

Number constant(std::int64_t a)
{
    const auto [at, is_new] = proof.constants.emplace(a, static_cast<Number>(proof.numbers.size()));
    if (is_new) add({{a, a}, constant_polynomial(a, proof.q), constant_polynomial(a, radix()), none});
    return at->second;
}
Number any_in(Range range, Polynomial form)
{
    return range.low == range.high ? constant(range.low) : add({range, std::move(form), unknown});
}
Range range_of(Number a) { return known(a).range; }
const Polynomial& form_of(Number a) { return known(a).form; }
std::uint64_t prime() { return proof.q; }
Column values_of(Number a) { return values(a, known(known(a).variable).range); }
bool is_multiple_of_radix(Number a) { return known(a).word == Polynomial{}; }

Number sum(Number a, Number b) { return in_lane(combine(a, 1, b), "a sum"); }
Number difference(Number a, Number b)
{
    const Number x = known(a).whole, y = known(b).whole;
    if (x != none && y != none)
        if (const Known wholes = combine(x, -1, y); wholes.word == Polynomial{})
            return exact_quotient(wholes);
    return in_lane(combine(a, -1, b), "a difference");
}
Number multiply_low(Number a, Number b)
{
    return low_half(product(a, b, fits(times(range_of(a), range_of(b)), proof.bits)));
}
Number subtract_product(Number c, Number a, Number b)
{
    const Known whole = combine(c, -1, product(a, b));
    if (whole.variable == several) return any_in(within(whole.range, proof.bits, "c - a b"), whole.form);
    return evaluate(low_16, add(whole), 0);
}
Number multiply_rounded(Number a, Number b)
{
    if (range_of(b).low < 0 || range_of(b).high >= 1 << 14)
        fail("a rounded product by a factor out of range");
    const Number whole = product(a, b, false);
    const Range r = range_of(whole);
    Known k{{(r.low + (1 << 14)) >> 15, (r.high + (1 << 14)) >> 15}, unknown, unknown};
    depend(k, function([](I x, I) { return (x + (1 << 14)) >> 15; }), whole, 0);
    return add(std::move(k));
}
Number multiply_modulo(Number a, Number b, Number quotient, Number r)
{
    const auto constant_of = [](Number c) {
        if (range_of(c).low != range_of(c).high) fail("a factor, its quotient or the modulus varies");
        return range_of(c).low;
    };
    const std::int64_t factor = constant_of(b), rounded = constant_of(quotient), modulus = constant_of(r);
    const std::int64_t quarter = std::int64_t{1} << (proof.bits - 2);
    if (rounded < -quarter || rounded > quarter || modulus <= 0) fail("a quotient may saturate");
    if (modulo(modulus, proof.q) != 0) fail("a quotient is by another modulus");
    const std::int64_t rest = 2 * quarter * factor - modulus * rounded;
    const Range part = times(range_of(a), {rest, rest});
    const Range range{-((modulus * quarter - part.low) >> (proof.bits - 1)),
                      (part.high + modulus * quarter) >> (proof.bits - 1)};
    return any_in(within(range, proof.bits, "a product by a rounded quotient"),
                  add_multiple({}, factor, known(a).form, proof.q));
}
Number evaluate(Function f, Number a, Number b)
{
    Known k{{}, unknown, unknown};
    depend(k, f, a, b);
    return evaluated(std::move(k), "a rounding, comparison or mask");
}

Number product(Number a, Number b) { return product(a, b, true); }
Number wide_sum(Number a, Number b) { return wide(combine(a, 1, b), "a sum of products"); }
Number wide_difference(Number a, Number b) { return wide(combine(a, -1, b), "a difference of products"); }
Number low_half(Number a)
{
    const Known& whole = known(a);
    Known k{whole.range, whole.form, whole.word};
    if (!fits(k.range, proof.bits)) k.range = all_of(proof.bits), k.form = unknown;
    depend(k, low_16, a, 0);
    return add(std::move(k));
}
Number high_half(Number a)
{
    const Known& whole = known(a);
    if (is_multiple_of_radix(a)) return exact_quotient(whole);
    Known k{{whole.range.low >> proof.bits, whole.range.high >> proof.bits}, unknown, unknown};
    depend(k, function([](I x, I) { return x >> 16; }), a, 0);
    k.whole = a;
    return add(std::move(k));
}

}  // namespace girih::proofs
