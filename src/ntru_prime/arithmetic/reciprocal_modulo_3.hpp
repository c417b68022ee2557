/// Reciprocals in R/3 by division steps (see DivisionSteps in reference.hpp for what a step does),
/// a bit for a coefficient.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/division_widths.hpp"
#include "ntru_prime/arithmetic/poly.hpp"

namespace girih::ntru_prime {

/// As modulo q, (g, r) is as good as minus both.
template <class Isa, std::size_t room>
class ReciprocalModulo3 {
    using Lanes = typename Isa::BitLanes;
    using Vector = typename Lanes::Vector;

  public:
    /// As R3_recip (NTRU Prime, Section 3.5), a bit for a coefficient: 1 / g. All ones if there is
    /// none, else 0. Constant time.
    [[nodiscard]] static std::int32_t of(std::size_t p, const Small<room>& g, Small<room>& result)
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
    static constexpr std::size_t vectors = vectors_for(room);
    static constexpr std::size_t words = vectors * sizeof(Vector) / sizeof(std::uint64_t);
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

    /// Bits in their order, of which `at(i)` are the i-th coefficient.
    struct PackedTrits {
        std::array<std::uint64_t, words> plus{};
        std::array<std::uint64_t, words> minus{};

        void set(std::size_t i, std::int32_t c)
        {
            plus[i / 64] |= static_cast<std::uint64_t>((c + 1) >> 1) << (i % 64);
            minus[i / 64] |= static_cast<std::uint64_t>(c >> 31 & 1) << (i % 64);
        }
        [[nodiscard]] std::int32_t at(std::size_t i) const
        {
            return static_cast<std::int32_t>(plus[i / 64] >> (i % 64) & 1) -
                   static_cast<std::int32_t>(minus[i / 64] >> (i % 64) & 1);
        }
        void store(Trits& to) const
        {
            std::memcpy(&to.plus, plus.data(), sizeof plus);
            std::memcpy(&to.minus, minus.data(), sizeof minus);
        }
        void load(const Trits& from)
        {
            std::memcpy(plus.data(), &from.plus, sizeof plus);
            std::memcpy(minus.data(), &from.minus, sizeof minus);
        }
    };

    /// So few vectors stay in registers: the steps that work on as many are unrolled for them.
    static constexpr bool fits_registers = vectors <= 8;

    /// Whether the widths were enough.
    [[nodiscard, gnu::noinline]] static bool divide(std::size_t p, const DivisionWidths& widths,
                                                    const Small<room>& g, Small<room>& result,
                                                    std::int32_t& has_none)
    {
        Wiped<State> wiped;
        State& s = *wiped;
        pack(p, s, g);
        run(widths, s);
        unpack(p, s, result);
        has_none = nonzero_mask(s.delta);
        return declassify(Secret<std::int32_t>{s.excess >> 31},
                          "a delta beyond the usual widths is as likely as guessing the key at once") == 0;
    }

    /// The steps from `first` up to `end`, all on as many vectors.
    template <std::size_t operands, std::size_t cofactors>
    [[gnu::noinline]] static void run_some(const DivisionWidths widths, State& s, std::size_t first,
                                           std::size_t end)
    {
        for (std::size_t step = first; step < end; ++step) {
            s.excess |= widths.excess(s.delta, step);
            divide_once(s, Count<operands>{}, Count<cofactors>{});
        }
    }
    /// At first steps work on all operands and one cofactor, at last on one operand and all
    /// cofactors; between, on one or two vectors more than there are.
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

    static void pack(std::size_t p, State& s, const Small<room>& g_in)
    {
        Wiped<PackedTrits> f;
        f->set(0, 1);
        f->set(p - 1, -1);
        f->set(p, -1);
        f->store(s.f);
        Wiped<PackedTrits> g;
        for (std::size_t i = 0; i < p; ++i) g->set(p - 1 - i, g_in.c[i]);
        g->store(s.g);
        Wiped<PackedTrits> r;
        r->set(0, 1);
        r->store(s.r);
        Wiped<PackedTrits> v;
        v->store(s.v);
    }

    static void unpack(std::size_t p, const State& s, Small<room>& result)
    {
        Wiped<PackedTrits> v;
        Wiped<PackedTrits> f;
        v->load(s.v);
        f->load(s.f);
        const std::int32_t sign = f->at(0);
        for (std::size_t i = 0; i < p; ++i) result.c[i] = static_cast<std::int8_t>(sign * v->at(p - 1 - i));
    }

    /// a + c b, with c = 1 where `same` is all ones, -1 where `opposite` is, and 0 where neither
    /// is.
    [[gnu::always_inline]] static void add_multiple(Vector& plus, Vector& minus, Vector b_plus,
                                                    Vector b_minus, Vector same, Vector opposite) noexcept
    {
        const Vector p = (b_plus & same) | (b_minus & opposite);
        const Vector m = (b_minus & same) | (b_plus & opposite);
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

    /// How many vectors, known when compiled; a std::size_t is one that is not.
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

    /// One step, on so many vectors of f and g, and of v and r.
    template <class Operands, class Cofactors>
    [[gnu::always_inline]] static void divide_once(State& s, Operands operands, Cofactors cofactors) noexcept
    {
        const std::uint64_t f_plus = Lanes::first_word(s.f.plus[0]);
        const std::uint64_t g_plus = Lanes::first_word(s.g.plus[0]);
        const std::uint64_t g_minus = Lanes::first_word(s.g.minus[0]);
        // g - g(0) / f(0) f: f(0) is 1 or -1, and is its own reciprocal.
        const std::uint64_t is_opposite = (f_plus & g_minus) | (~f_plus & g_plus);
        const std::uint64_t is_same = (f_plus & g_plus) | (~f_plus & g_minus);
        const Vector same = Lanes::broadcast(odd_mask(is_opposite));
        const Vector opposite = Lanes::broadcast(odd_mask(is_same));
        const std::int32_t exchange =
            negative_mask(-s.delta) & odd_mask(static_cast<std::int32_t>(g_plus | g_minus));
        s.delta = (s.delta ^ (exchange & (s.delta ^ -s.delta))) + 1;
        const Vector mask = Lanes::broadcast(static_cast<std::uint64_t>(std::int64_t{exchange}));

        for_each(operands,
                 [&](auto i) __attribute__((always_inline)) { step(s.f, s.g, i, mask, same, opposite); });
        down(s.g.plus, operands);
        down(s.g.minus, operands);
        up(s.v.plus, cofactors);
        up(s.v.minus, cofactors);
        for_each(cofactors,
                 [&](auto i) __attribute__((always_inline)) { step(s.v, s.r, i, mask, same, opposite); });
    }

    /// (f, g) becomes (f or g, g + c f).
    [[gnu::always_inline]] static void step(Trits& f, Trits& g, std::size_t i, Vector mask, Vector same,
                                            Vector opposite) noexcept
    {
        const Vector plus = f.plus[i];
        const Vector minus = f.minus[i];
        f.plus[i] = select(mask, g.plus[i], plus);
        f.minus[i] = select(mask, g.minus[i], minus);
        add_multiple(g.plus[i], g.minus[i], plus, minus, same, opposite);
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
