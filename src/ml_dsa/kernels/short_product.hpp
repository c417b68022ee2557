/// Products of the challenge with the short vectors s1 and s2, as sums of shifted bytes.
///
/// c has tau coefficients that are not 0, each 1 or -1, and s has coefficients of at most eta. The
/// coefficients of c s are at most beta = tau eta, and one byte holds the sum of many terms. So c s
/// costs tau additions of 256 bytes, which is less than a transform. Time and addresses depend on
/// c, which is known (see declassify_challenge), and never on s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/unroll.hpp"
#include "ml_dsa/kernels/short_factor.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// The powers of X that a challenge, or its negative, adds, and those that it subtracts.
struct Terms {
    std::span<const std::int32_t> plus;
    std::span<const std::int32_t> minus;
};

/// The terms of a challenge c.
template <Shape S, class Isa>
class ChallengeTerms {
  public:
    constexpr explicit ChallengeTerms(const ChallengePoly& c)
    {
        for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
            const auto coefficients = Isa::load(&c.c[i]);
            const auto powers = Isa::load(&all_positions[i]);
            plus_count_ += Isa::compress_store(&plus_[plus_count_], powers, negative_lanes(-coefficients));
            minus_count_ += Isa::compress_store(&minus_[minus_count_], powers, negative_lanes(coefficients));
        }
    }

    /// The terms of c, and of -c.
    [[nodiscard]] constexpr Terms terms() const { return {plus(), minus()}; }
    [[nodiscard]] constexpr Terms negative_terms() const { return {minus(), plus()}; }

  private:
    [[nodiscard]] constexpr std::span<const std::int32_t> plus() const
    {
        return std::span{plus_}.first(plus_count_);
    }
    [[nodiscard]] constexpr std::span<const std::int32_t> minus() const
    {
        return std::span{minus_}.first(minus_count_);
    }

    // Each with padding for the rest of a vector after its last.
    std::array<std::int32_t, S.tau + Isa::integer_lanes> plus_{};
    std::array<std::int32_t, S.tau + Isa::integer_lanes> minus_{};
    std::size_t plus_count_ = 0;
    std::size_t minus_count_ = 0;
};

/// Scratch for products in bytes, which any number of products may use in turn.
using ProductBytes = Poly<Form::coefficients, Bound::symmetric(INT8_MAX), Secrecy::secret, std::int8_t>;

namespace kernels {

/// Adds or subtracts, for each power, `vectors` vectors of X^power s, from coefficient `first` on.
/// The sums stay in registers.
template <class Isa, std::size_t vectors, bool is_plus, Shape S>
[[gnu::always_inline]] constexpr void add_terms(std::array<typename Isa::ShortIntegers, vectors>& sums,
                                                std::span<const std::int32_t> powers, const ShortFactor<S>& s,
                                                std::size_t first)
{
    using V = typename Isa::ShortIntegers;
    for (const std::int32_t power : powers) {
        const std::int8_t* const from = s.shifted(power, first);
        unroll<vectors>([&](auto i) __attribute__((always_inline)) {
            V term;
            std::memcpy(&term, from + i * sizeof(V), sizeof(V));
            sums[i] = is_plus ? sums[i] + term : sums[i] - term;
        });
    }
}

/// The powers number `begin` to `end` of a list, or up to its end if it is shorter.
[[nodiscard]] constexpr std::span<const std::int32_t> part(std::span<const std::int32_t> powers,
                                                           std::size_t begin, std::size_t end)
{
    const std::size_t size = powers.size();
    return powers.subspan(begin < size ? begin : size,
                          (end < size ? end : size) - (begin < size ? begin : size));
}

/// sum = a + c s for the terms of c; `sum` may be a. A byte holds the sum of at most 127 / eta
/// terms, so more terms take two passes. The branch for constant expressions, below, is the
/// definition.
template <class Isa, Shape S>
[[gnu::noinline]] void add_product(const Coefficients& a, const Terms& c, const ShortFactor<S>& s,
                                   ProductBytes& product, Coefficients& sum) noexcept
{
    using V = typename Isa::ShortIntegers;
    constexpr std::size_t vectors = n / sizeof(V) < 8 ? n / sizeof(V) : 8;
    constexpr std::size_t width = vectors * sizeof(V);
    constexpr std::size_t terms = INT8_MAX / S.eta;  // whose sum fits in a byte
    for (std::size_t first = 0; first < n; first += width) {
        for (std::size_t done = 0; done < S.tau; done += terms) {
            // The next terms in their order, plus before minus.
            const std::size_t pluses = c.plus.size();
            std::array<V, vectors> sums{};
            add_terms<Isa, vectors, true>(sums, part(c.plus, done, done + terms), s, first);
            const std::size_t begin = done > pluses ? done - pluses : 0;
            const std::size_t end = done + terms > pluses ? done + terms - pluses : 0;
            add_terms<Isa, vectors, false>(sums, part(c.minus, begin, end), s, first);
            std::memcpy(product.c.data(), sums.data(), width);
            const Coefficients& to = done == 0 ? a : sum;
            for (std::size_t i = 0; i < width; i += Isa::integer_lanes)
                Isa::store(&sum[first + i], Isa::load(&to[first + i]) + Isa::widen(&product.c[i]));
        }
    }
}

}  // namespace kernels

/// sum = a + c s for the terms of c, which may be those of a challenge's negative. `sum` may be a;
/// `before` is the bound of a. Constant time in a and s.
template <class Isa, Bound before, Shape S, class A, class Sum>
    requires(before.within(A::bound) && (before + Bound::symmetric(S.beta())).within(Sum::bound) &&
             Sum::secrecy == Secrecy::secret)
constexpr void add_product(const A& a, const Terms& c, const ShortFactor<S>& s, ProductBytes& product,
                           Sum& sum)
{
    if (std::is_constant_evaluated()) {
        for (std::size_t i = 0; i < n; ++i) {
            sum.c[i] = a.c[i];
            for (const std::int32_t power : c.plus) sum.c[i] += *s.shifted(power, i);
            for (const std::int32_t power : c.minus) sum.c[i] -= *s.shifted(power, i);
        }
    } else {
        kernels::add_product<Isa>(a.c, c, s, product, sum.c);
    }
    GIRIH_ASSERT_BOUND(sum);
}
template <class Isa, Shape S, class A, class Sum>
constexpr void add_product(const A& a, const Terms& c, const ShortFactor<S>& s, ProductBytes& product,
                           Sum& sum)
{
    add_product<Isa, A::bound>(a, c, s, product, sum);
}

}  // namespace girih::ml_dsa
