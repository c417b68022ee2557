/// Reciprocals in R/3 on vectors: the division steps of DivisionSteps (standard/arithmetic.hpp), on
/// bits.
///
/// A polynomial is two strings of bits: which coefficients are 1, and which are -1. So a step is a
/// shift by one bit, and an addition modulo 3 of seven logical operations.
///
/// The pair (g, r) may be negated: f(0), which is 1 or -1, makes up for all signs at the end. So,
/// with c = -f(0) g(0), a step goes from (delta, f, g)
///
///     to (1 - delta, g, (g + c f) / x)  if delta > 0 and g(0) is not 0,
///     to (1 + delta, f, (g + c f) / x)  else,
///
/// and v and r follow. A step works only on as many vectors as the public bound of DivisionWidths
/// leaves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kernels/division_widths.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

template <class Isa, std::size_t capacity>
class ReciprocalModulo3 {
    using Lanes = typename Isa::BitLanes;
    using Vector = typename Lanes::Vector;

  public:
    /// R3_recip (NTRU Prime, Section 3.5), on vectors: 1 / g. All ones if there is none, else 0.
    /// Constant time.
    [[nodiscard]] static std::int32_t of(std::size_t p, const Small<capacity>& g, Small<capacity>& result)
    {
        std::int32_t has_none = 0;
        if (!divide(p, DivisionWidths::of_random_modulo_3(p), g, result, has_none))
            (void)divide(p, DivisionWidths::of_any_delta(p), g, result, has_none);
        return has_none;
    }

  private:
    static constexpr std::size_t vectors_for(std::size_t coefficients)
    {
        return (coefficients + 8 * sizeof(Vector) - 1) / (8 * sizeof(Vector));
    }
    static constexpr std::size_t vectors = vectors_for(capacity);

    using Bits = std::array<Vector, vectors>;
    /// Coefficients that are 1, and those that are -1.
    struct Trits {
        Bits plus;
        Bits minus;
    };
    struct State {
        Trits f;
        Trits g;
        Trits v;
        Trits r;
        std::int32_t delta = 1;
        std::int32_t excess = 0;  ///< negative once delta was larger than the widths allow for
    };

    /// The word of bit i, in memory.
    [[nodiscard]] static Byte* word_at(Bits& bits, std::size_t i)
    {
        return reinterpret_cast<Byte*>(bits.data()) + i / 64 * sizeof(std::uint64_t);
    }
    static void set_bit(Bits& bits, std::size_t i, std::int32_t bit)
    {
        std::uint64_t word;
        std::memcpy(&word, word_at(bits, i), sizeof word);
        word |= static_cast<std::uint64_t>(bit) << (i % 64);
        std::memcpy(word_at(bits, i), &word, sizeof word);
    }
    [[nodiscard]] static std::int32_t bit_at(Bits& bits, std::size_t i)
    {
        std::uint64_t word;
        std::memcpy(&word, word_at(bits, i), sizeof word);
        return static_cast<std::int32_t>(word >> (i % 64) & 1);
    }
    static void set(Trits& trits, std::size_t i, std::int32_t c)
    {
        set_bit(trits.plus, i, (c + 1) >> 1);
        set_bit(trits.minus, i, c >> 31 & 1);
    }
    [[nodiscard]] static std::int32_t at(Trits& trits, std::size_t i)
    {
        return bit_at(trits.plus, i) - bit_at(trits.minus, i);
    }

    /// Whether the widths were enough.
    [[nodiscard, gnu::noinline]] static bool divide(std::size_t p, const DivisionWidths& widths,
                                                    const Small<capacity>& g, Small<capacity>& result,
                                                    std::int32_t& has_none)
    {
        Wiped<State> wiped;
        State& s = *wiped;
        set(s.f, 0, 1);
        set(s.f, p - 1, -1);
        set(s.f, p, -1);
        for (std::size_t i = 0; i < p; ++i) set(s.g, p - 1 - i, g.c[i]);  // reversed, as the result
        set(s.r, 0, 1);
        run(widths, s);
        const std::int32_t sign = at(s.f, 0);
        for (std::size_t i = 0; i < p; ++i) result.c[i] = static_cast<std::int8_t>(sign * at(s.v, p - 1 - i));
        has_none = nonzero_mask(s.delta);
        return declassify(Secret<std::int32_t>{s.excess >> 31},
                          "a delta beyond the usual widths is as likely as guessing the key at once") == 0;
    }

    /// Polynomials of this few vectors stay in registers, if steps are unrolled for each number of
    /// vectors.
    static constexpr bool fits_registers = vectors <= 8;

    /// The steps from `first` up to `end`, all on the same number of vectors.
    template <std::size_t operands, std::size_t cofactors>
    [[gnu::noinline]] static void run_some(const DivisionWidths widths, State& s, std::size_t first,
                                           std::size_t end)
    {
        for (std::size_t step = first; step < end; ++step) {
            s.excess |= widths.excess(s.delta, step);
            divide_once(s, Count<operands>{}, Count<cofactors>{});
        }
    }
    /// run_some, indexed by the vectors of operands and of cofactors. The first steps work on all
    /// vectors of f and g and one of v and r, the last on one of f and g and all of v and r. The
    /// steps between work on one or two vectors more, in all, than a polynomial has.
    using RunSome = void (*)(DivisionWidths, State&, std::size_t, std::size_t);
    static constexpr auto runs = [] {
        std::array<std::array<RunSome, vectors + 1>, vectors + 1> table{};
        if constexpr (fits_registers)
            [&]<std::size_t... i>(std::index_sequence<i...>) {
                (
                    [&] {
                        constexpr std::size_t operands = i / vectors + 1;
                        constexpr std::size_t cofactors = i % vectors + 1;
                        if constexpr (operands + cofactors <= vectors + 2 &&
                                      operands + cofactors + 1 >= vectors)
                            table[operands][cofactors] = run_some<operands, cofactors>;
                    }(),
                    ...);
            }(std::make_index_sequence<vectors * vectors>{});
        return table;
    }();
    static void run(const DivisionWidths widths, State& s)
    {
        if (fits_registers && widths.bound == DivisionWidths::of_random_modulo_3(widths.p).bound) {
            for (std::size_t step = 0; step < widths.step_count();) {
                // Operands shrink from step to step, cofactors grow.
                const std::size_t end = std::min(step + 32, widths.step_count());
                runs[vectors_for(widths.operands(step))][vectors_for(widths.cofactors(end - 1))](widths, s,
                                                                                                 step, end);
                step = end;
            }
        } else {
            for (std::size_t step = 0; step < widths.step_count(); ++step) {
                s.excess |= widths.excess(s.delta, step);
                divide_once(s, vectors_for(widths.operands(step)), vectors_for(widths.cofactors(step)));
            }
        }
    }

    /// a + c b: c is 1 where `c_plus` is all ones, -1 where `c_minus` is, and else 0.
    [[gnu::always_inline]] static void add_multiple(Vector& plus, Vector& minus, Vector b_plus,
                                                    Vector b_minus, Vector c_plus, Vector c_minus) noexcept
    {
        const Vector p = (b_plus & c_plus) | (b_minus & c_minus);
        const Vector m = (b_minus & c_plus) | (b_plus & c_minus);
        // Kawahara, Aoki, Takagi, "Faster implementation of eta-T pairing over GF(3^m) using
        // minimum number of logical instructions for GF(3)-addition", 2008.
        const Vector t = (plus | m) ^ (minus | p);
        const Vector sum_plus = (minus | m) ^ t;
        minus = (plus | p) ^ t;
        plus = sum_plus;
    }

    [[gnu::always_inline]] static Vector select(Vector mask, Vector a, Vector b) noexcept
    {
        return b ^ ((a ^ b) & mask);
    }

    /// A number of vectors that is known at compile time. Others are std::size_t.
    template <std::size_t count>
    using Count = std::integral_constant<std::size_t, count>;

    template <std::size_t count, class F>
    [[gnu::always_inline]] static void for_each(Count<count>, F&& f)
    {
        unroll<count>(f);
    }
    template <class F>
    [[gnu::always_inline]] static void for_each(std::size_t count, F&& f)
    {
        for (std::size_t i = 0; i < count; ++i) f(i);
    }

    /// One step, on the given numbers of vectors of f and g, and of v and r.
    template <class Operands, class Cofactors>
    [[gnu::always_inline]] static void divide_once(State& s, Operands operands, Cofactors cofactors) noexcept
    {
        const std::uint64_t f_plus = Lanes::first_word(s.f.plus[0]);
        const std::uint64_t g_plus = Lanes::first_word(s.g.plus[0]);
        const std::uint64_t g_minus = Lanes::first_word(s.g.minus[0]);
        // c = -f(0) g(0), where f(0) is 1 or -1.
        const std::uint64_t c_is_plus = (f_plus & g_minus) | (~f_plus & g_plus);
        const std::uint64_t c_is_minus = (f_plus & g_plus) | (~f_plus & g_minus);
        const Vector c_plus = Lanes::broadcast(odd_mask(c_is_plus));
        const Vector c_minus = Lanes::broadcast(odd_mask(c_is_minus));
        const std::int32_t exchange =
            negative_mask(-s.delta) & odd_mask(static_cast<std::int32_t>(g_plus | g_minus));
        s.delta = (s.delta ^ (exchange & (s.delta ^ -s.delta))) + 1;
        const Vector mask = Lanes::broadcast(static_cast<std::uint64_t>(std::int64_t{exchange}));

        for_each(operands,
                 [&](auto i) __attribute__((always_inline)) { step(s.f, s.g, i, mask, c_plus, c_minus); });
        down(s.g.plus, operands);
        down(s.g.minus, operands);
        up(s.v.plus, cofactors);
        up(s.v.minus, cofactors);
        for_each(cofactors,
                 [&](auto i) __attribute__((always_inline)) { step(s.v, s.r, i, mask, c_plus, c_minus); });
    }

    /// (f, g) becomes (f or g, g + c f).
    [[gnu::always_inline]] static void step(Trits& f, Trits& g, std::size_t i, Vector mask, Vector c_plus,
                                            Vector c_minus) noexcept
    {
        const Vector plus = f.plus[i];
        const Vector minus = f.minus[i];
        f.plus[i] = select(mask, g.plus[i], plus);
        f.minus[i] = select(mask, g.minus[i], minus);
        add_multiple(g.plus[i], g.minus[i], plus, minus, c_plus, c_minus);
    }

    /// Times x, and divided by it.
    [[gnu::always_inline]] static void up(Bits& b, std::size_t count) noexcept
    {
        for (std::size_t i = count; i-- > 0;) b[i] = Lanes::up(b[i], i == 0 ? Vector{} : b[i - 1]);
    }
    [[gnu::always_inline]] static void down(Bits& b, std::size_t count) noexcept
    {
        for (std::size_t i = 0; i < count; ++i)
            b[i] = Lanes::down(b[i], i + 1 == count ? Vector{} : b[i + 1]);
    }
};

}  // namespace girih::ntru_prime
