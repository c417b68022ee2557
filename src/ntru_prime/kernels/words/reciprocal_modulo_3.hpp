/// Reciprocals in R/3 on 32-bit words: the steps of kernels/reciprocal_modulo_3.hpp, 32
/// coefficients at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kernels/division_widths.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// v and r are stored as polynomials in 1 / x, as in WordReciprocalModuloQ, so that their steps are
/// those of f and g.
template <class Isa, class R>
class WordReciprocalModulo3 {
    using Word = std::uint32_t;
    using Trits = typename Isa::Trits;
    static constexpr std::size_t p = R::p;
    static constexpr std::size_t capacity = R::capacity;

  public:
    /// R3_recip (NTRU Prime, Section 3.5), on words: 1 / g. All ones if there is none, else 0.
    /// Constant time.
    [[nodiscard]] static std::int32_t of(const Small<capacity>& g, Small<capacity>& result)
    {
        std::int32_t has_none = 0;
        if (!divide(DivisionWidths::of_random_modulo_3(p), g, result, has_none))
            (void)divide(DivisionWidths::of_any_delta(p), g, result, has_none);
        return has_none;
    }

  private:
    static constexpr std::size_t bits = 32;
    static constexpr std::size_t steps = 2 * p - 1;
    /// The place of x^0 of v and r, from which they grow downwards.
    static constexpr std::size_t top = (steps + bits - 1) / bits * bits;

    /// Coefficients, after a word for those that are shifted out.
    template <std::size_t count>
    struct Coefficients {
        std::array<Trits, 1 + (count + bits - 1) / bits> padded{};

        [[nodiscard]] Trits* words() { return &padded[1]; }
        static void set(Word& nonzero, Word& minus, std::size_t i, std::int32_t c)
        {
            nonzero |= (static_cast<Word>(c) & 1) << (i % bits);
            minus |= static_cast<Word>(c) >> 31 << (i % bits);
        }
        void set_first(std::size_t i, std::int32_t c)
        {
            set(words()[i / bits].f_nonzero, words()[i / bits].f_minus, i, c);
        }
        void set_second(std::size_t i, std::int32_t c)
        {
            set(words()[i / bits].g_nonzero, words()[i / bits].g_minus, i, c);
        }
        [[nodiscard]] std::int32_t first(std::size_t i)
        {
            const Word nonzero = words()[i / bits].f_nonzero >> (i % bits) & 1;
            return static_cast<std::int32_t>(nonzero - 2 * (words()[i / bits].f_minus >> (i % bits) & 1));
        }
    };
    struct State {
        Coefficients<p + 1> fg;
        Coefficients<top + 1> vr;
        std::int32_t delta = 1;
        std::int32_t excess = 0;  ///< negative once delta was larger than the widths allow for
    };

    /// Whether the widths were enough.
    [[nodiscard, gnu::noinline]] static bool divide(const DivisionWidths widths, const Small<capacity>& g,
                                                    Small<capacity>& result, std::int32_t& has_none)
    {
        Wiped<State> wiped;
        State& s = *wiped;
        s.fg.set_first(0, 1);
        s.fg.set_first(p - 1, -1);
        s.fg.set_first(p, -1);
        for (std::size_t i = 0; i < p; ++i) s.fg.set_second(p - 1 - i, g.c[i]);
        s.vr.set_second(top, 1);
        for (std::size_t first = 0; first < steps; first += bits)
            run(widths, s, first, std::min(first + bits, steps));
        const std::int32_t sign = s.fg.first(0);
        // After n steps, x^n v and x^n r begin at `top` - n, and v itself one above.
        for (std::size_t i = 0; i < p; ++i)
            result.c[i] = static_cast<std::int8_t>(sign * s.vr.first(top - steps + 1 + (p - 1 - i)));
        has_none = nonzero_mask(s.delta);
        return declassify(Secret<std::int32_t>{s.excess >> 31},
                          "a delta beyond the usual widths is as likely as guessing the key at once") == 0;
    }

    /// The steps from `first` up to `end`, on the words that any of them needs.
    static void run(const DivisionWidths& widths, State& s, std::size_t first, std::size_t end)
    {
        Trits* const fg = s.fg.words();
        Trits* const fg_end = fg + (widths.operands(first) + bits - 1) / bits;
        Trits* const vr = s.vr.words() + (top - end) / bits;
        Trits* const vr_end =
            s.vr.words() + (top - first + (first == 0 ? 1 : widths.cofactors(first - 1) + 1)) / bits + 1;
        for (std::size_t step = first; step < end; ++step) {
            s.excess |= widths.excess(s.delta, step);
            // g - g(0) / f(0) f: f(0) is 1 or -1, and is its own reciprocal.
            const Word nonzero = odd_mask(fg->g_nonzero);
            const Word minus = ~odd_mask(fg->f_minus ^ fg->g_minus);
            const std::int32_t exchange = negative_mask(-s.delta) & static_cast<std::int32_t>(nonzero);
            s.delta = (s.delta ^ (exchange & (s.delta ^ -s.delta))) + 1;
            Isa::trit_step(fg, fg_end, nonzero, minus, static_cast<Word>(exchange));
            Isa::trit_step(vr, vr_end, nonzero, minus, static_cast<Word>(exchange));
        }
    }
};

}  // namespace girih::ntru_prime
