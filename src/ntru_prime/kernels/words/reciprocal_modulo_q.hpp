/// Reciprocals in R/q on 32-bit words: the division steps of DivisionSteps
/// (standard/arithmetic.hpp), sixteen at a time.
///
/// Sixteen steps depend on the sixteen lowest coefficients of f and g only. Together they are a
/// product by a matrix of four polynomials in 1 / x, of degree 16 at most (Bernstein and Yang,
/// 2019, Section 5). So the matrix is found from those coefficients, and then (f, g) and (v, r) are
/// multiplied by it, with instructions that multiply two pairs of 16-bit numbers and add the
/// products.
///
/// After n steps, x^(n - 1) v and x^n r are stored, as polynomials in 1 / x whose coefficient of
/// x^n has the same place for all n: they grow downwards.
///
/// The pair (g, r) may be multiplied by any number other than 0: the division by the last f(0)
/// removes it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kernels/division_widths.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

template <class Isa, class R>
class WordReciprocalModuloQ {
    using Pairs = typename Isa::HalfwordPairs;
    using Word = typename Pairs::Word;
    using Rows = typename Pairs::Rows;
    static constexpr std::size_t p = R::p;
    static constexpr std::size_t capacity = R::capacity;
    static constexpr std::size_t jump = Pairs::steps;
    static constexpr std::size_t jumps = (2 * p - 1 + jump - 1) / jump;
    static constexpr std::size_t steps =
        jump * jumps;  ///< g is 0 in those beyond 2p - 1: they multiply v by x
    static constexpr typename Pairs::Modulus modulus = Pairs::Modulus::of(R::q);
    static_assert(R::q < 1 << 13);

  public:
    /// Rq_recip3 (NTRU Prime, Section 3.5), sixteen steps at a time: 1 / 3f. Constant time.
    static void of_3f(const Small<capacity>& f, Rq<capacity>& result)
    {
        if (!divide(f, DivisionWidths::of_short_modulo_q(p), result))
            (void)divide(f, DivisionWidths::of_any_delta(p), result);
    }

  private:
    /// Words read above the last three written.
    static constexpr std::size_t above = jump + 4;

    struct State {
        std::array<Word, p + 1 + above> fg{};
        std::array<Word, steps + 1 + above> vr{};
        std::int32_t delta = 1;
        std::int32_t excess = 0;  ///< negative once delta was larger than the widths allow for
    };

    /// Returns whether the widths were enough.
    [[nodiscard, gnu::noinline]] static bool divide(const Small<capacity>& f, const DivisionWidths& widths,
                                                    Rq<capacity>& result)
    {
        Wiped<State> wiped;
        State& s = *wiped;
        s.fg[0] = pair(1, 0);
        s.fg[p - 1] = s.fg[p] = pair(-1, 0);
        for (std::size_t i = 0; i < p; ++i) s.fg[p - 1 - i] = Pairs::pack(s.fg[p - 1 - i], word(f.c[i]));
        s.vr[steps] = pair(0, R::third);
        for (std::size_t step = 0; step < steps; step += jump) {
            Wiped<Rows> rows{uninitialized};
            find_rows(widths, step, s, *rows);
            apply(*rows, s.fg.data(), s.fg.data() + s.fg.size(), operands(widths, step + jump));
            apply(*rows, s.vr.data() + steps - step - jump, s.vr.data() + s.vr.size(),
                  cofactors(widths, step + jump));
        }
        constexpr AnyModulo<Isa> modulo_q{R::modulo_q};
        const std::int32_t factor = modulo_q.reciprocal(modulo_q.centered(Pairs::first(s.fg[0])));
        // Each step beyond 2p - 1 has multiplied v by x; and x^n v is what is stored here.
        const Word* const v = s.vr.data() + 1 + steps - (2 * p - 1);
        for (std::size_t i = 0; i < p; ++i)
            result.c[i] = static_cast<std::int16_t>(modulo_q.centered(factor * Pairs::first(v[p - 1 - i])));
        return declassify(Secret<std::int32_t>{s.excess >> 31},
                          "a delta beyond the usual widths is as likely as guessing the key at once") == 0;
    }

    [[nodiscard]] static constexpr Word word(std::int32_t a) { return static_cast<Word>(a); }
    [[nodiscard]] static constexpr Word pair(std::int32_t a, std::int32_t b)
    {
        return (word(a) & 0xFFFF) | word(b) << 16;
    }

    /// Coefficients of f and g after n steps; in the end f(0).
    static constexpr std::size_t operands(const DivisionWidths& widths, std::size_t n)
    {
        return n < widths.step_count() ? widths.operands(n) : 1;
    }
    /// Coefficients of x^n v and x^n r after n steps, of v and r as polynomials in 1 / x.
    static constexpr std::size_t cofactors(const DivisionWidths& widths, std::size_t n)
    {
        return n < widths.step_count() ? widths.cofactors(n - 1) + 1 : p + 1 + steps - (2 * p - 1);
    }

    /// Multiplies `count` pairs by the rows. The words above those pairs become 0.
    static void apply(const Rows& rows, Word* pairs, const Word* end, std::size_t count)
    {
        // (count + 2) / 3 for numbers below 2^15: compilers that optimise for size would divide.
        static_assert(p < 1 << 14);
        const std::size_t threes = (count + 2) * 43'691 >> 17;
        Pairs::apply(rows, pairs, threes);
        Word* const behind = pairs + 3 * threes;
        std::fill_n(behind, std::min(above, static_cast<std::size_t>(end - behind)), Word{0});
    }

    /// Both polynomials of a column of the matrix, in 1 / x: x^-16 first.
    using Column = std::array<Word, jump + 1>;
    struct Low {
        std::array<Word, 1 + jump> fg{};  ///< after one for what is shifted out
        Column of_f{};
        Column of_g{};
    };

    /// The matrix of the next steps.
    [[gnu::noinline]] static void find_rows(const DivisionWidths& widths, std::size_t first, State& s,
                                            Rows& rows)
    {
        Wiped<Low> wiped;
        Low& low = *wiped;
        std::copy_n(s.fg.data(), jump, &low.fg[1]);
        low.of_f[jump] = pair(1, 0);
        low.of_g[jump] = pair(0, 1);
        for (std::size_t i = 0; i < jump; ++i) {
            s.excess |= widths.excess(s.delta, first + i);
            const Word factors = low.fg[1];
            const std::int32_t g0 = Pairs::second(factors);
            const std::int32_t exchange = negative_mask(-s.delta & (g0 | -g0));
            s.delta = (s.delta ^ (exchange & (s.delta ^ -s.delta))) + 1;
            step(&low.fg[1], jump - i, factors, exchange);
            step(&low.of_f[jump - i], i + 1, factors, exchange);
            step(&low.of_g[jump - i], i + 1, factors, exchange);
        }
        for (std::size_t i = 0; i < jump; ++i)
            rows.to_first[i] = Pairs::pack(low.of_f[jump - i], low.of_g[jump - i]);
        for (std::size_t i = 0; i <= jump; ++i)
            rows.to_second[i] = Pairs::pack_high(low.of_f[jump - i], low.of_g[jump - i]);
        rows.modulus = modulus;
    }

    /// One step on the lowest `count` pairs (a, b): (a or b, (f(0) b - g(0) a) / x). The pairs
    /// above are zero. The quotient's lowest b goes to the pair below.
    [[gnu::always_inline]] static void step(Word* pairs, std::size_t count, Word factors,
                                            std::int32_t exchange)
    {
        const int rotation = static_cast<int>(exchange & 16);
        Word below = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Word old = pairs[i];
            (pairs - 1)[i] = Pairs::pack(below, word(modulus.reduce(Pairs::determinant(factors, old))));
            below = std::rotr(old, rotation);
        }
        pairs[count - 1] = below & 0xFFFF;
    }
};

}  // namespace girih::ntru_prime
