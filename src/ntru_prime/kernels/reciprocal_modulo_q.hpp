/// Reciprocals in R/q on vectors: the division steps of DivisionSteps (standard/arithmetic.hpp), in
/// 16-bit lanes.
///
/// A step multiplies vectors by f(0) and g(0): a x - b y modulo q takes one high product each, with
/// a share of q that is computed once for a step (`combine`). The pair (g, r) may be multiplied by
/// any number other than 0, because the division by the last f(0) removes it. So the sign of an
/// exchange is not kept, and residues need not be of least magnitude.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kernels/division_widths.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/types.hpp"
#include "transform/short_residue.hpp"

namespace girih::ntru_prime {

template <class Isa, class R>
class ReciprocalModuloQ {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    static constexpr std::size_t capacity = R::capacity;

  public:
    /// Rq_recip3 (NTRU Prime, Section 3.5), on vectors: 1 / 3f. f may be any polynomial. Constant
    /// time.
    template <class Poly>
    static void of_3f(const R& ring, const Poly& f, Rq<capacity>& result)
    {
        Wiped<Rq<capacity>> wide{uninitialized};
        for (std::size_t i = 0; i < ring.p; ++i) wide->c[i] = f.c[i];
        if (!divide(ring, *wide, DivisionWidths::of_short_modulo_q(ring.p), result))
            (void)divide(ring, *wide, DivisionWidths::of_any_delta(ring.p), result);
    }

  private:
    /// Whether the widths were enough.
    [[nodiscard, gnu::noinline]] static bool divide(const R& ring, const Rq<capacity>& f,
                                                    const DivisionWidths widths, Rq<capacity>& result)
    {
        Wiped<ReciprocalModuloQ> steps;
        steps->begin(ring, f);
        std::int32_t excess = 0;
        const AnyModulo<Isa> modulo_q{ring.modulo_q};
        const Vector modulus = Isa::opaque(Lanes::broadcast(ring.q));
        for (std::size_t step = 0; step < widths.step_count(); ++step) {
            excess |= widths.excess(steps->delta_, step);
            steps->step(modulo_q, modulus, widths.operands(step), widths.cofactors(step));
        }
        steps->finish(ring, result);
        return declassify(Secret<std::int32_t>{excess >> 31},
                          "a delta beyond the usual widths is as likely as guessing the key at once") == 0;
    }

    /// Coefficients, with padding before the first and after the last.
    struct alignas(64) Coefficients {
        std::array<std::int16_t, 64 + capacity + 64> padded_c{};
        [[nodiscard]] std::int16_t* c() { return &padded_c[64]; }
    };

    /// A factor of one step, f(0) or g(0): its value, and value 2^16 / q, rounded.
    struct Multiplier {
        Vector value;
        Vector share;

        /// |a| < q / 2.
        Multiplier(const AnyModulo<Isa>& modulo_q, std::int32_t a)
            : value(Lanes::broadcast(a)), share(Lanes::broadcast(modulo_q.rounded_share(a)))
        {
        }
        Multiplier(Vector v, Vector s) : value(v), share(s) {}
    };

    void begin(const R& ring, const Rq<capacity>& f)
    {
        const std::size_t p = ring.p;
        f_.c()[0] = 1;
        f_.c()[p - 1] = f_.c()[p] = -1;
        for (std::size_t i = 0; i < p; ++i) g_.c()[p - 1 - i] = f.c[i];
        r_.c()[0] = static_cast<std::int16_t>(ring.third);
    }

    /// a x - b y modulo q. With floors of both shares, the quotient is off by less than 1
    /// and by what the shares are rounded by, (|x| + |y|) / 2^17 < 1 / 4; so the result is
    /// below 5q / 4 < 2^14.
    [[nodiscard, gnu::always_inline]] static Vector combine(const Multiplier& a, Vector x,
                                                            const Multiplier& b, Vector y,
                                                            Vector modulus) noexcept
    {
        const Vector quotient = Isa::multiply_high(x, a.share) - Isa::multiply_high(y, b.share);
        return Lanes::subtract_product(Lanes::subtract_product(Lanes::multiply_low(x, a.value), y, b.value),
                                       quotient, modulus);
    }

    /// One step, on `operands` coefficients of f and g and `cofactors` of v and r.
    [[gnu::always_inline]] void step(const AnyModulo<Isa>& modulo_q, Vector modulus, std::size_t operands,
                                     std::size_t cofactors)
    {
        std::int16_t* const f = f_.c();
        std::int16_t* const g = g_.c();
        std::int16_t* const v = v_.c();
        std::int16_t* const r = r_.c();
        const std::int32_t f0 = modulo_q.centered(f[0]);
        const std::int32_t g0 = modulo_q.centered(g[0]);
        // All ones if delta > 0 and g(0) is not 0.
        const std::int32_t exchange = negative_mask(-delta_ & (g0 | -g0));
        delta_ = (delta_ ^ (exchange & (delta_ ^ -delta_))) + 1;

        const Multiplier by_f0{modulo_q, f0};
        const Multiplier by_g0{modulo_q, g0};
        const Vector mask = Lanes::broadcast(exchange) >> 15;  // a mask for blending lanes
        for (std::size_t i = 0; i < operands; i += Lanes::lanes) {
            const Vector x = Lanes::load(f + i);
            const Vector y = Lanes::load(g + i);
            Lanes::store(f + i, x ^ ((x ^ y) & mask));
            Lanes::store(g + i - 1, combine(by_f0, y, by_g0, x, modulus));  // divided by x
        }
        // From the end, because v is multiplied by x.
        for (std::size_t i = (cofactors - 1) / Lanes::lanes * Lanes::lanes + Lanes::lanes; i > 0;) {
            i -= Lanes::lanes;
            const Vector x = Lanes::load(v + i - 1);
            const Vector y = Lanes::load(r + i);
            Lanes::store(v + i, x ^ ((x ^ y) & mask));
            Lanes::store(r + i, combine(by_f0, y, by_g0, x, modulus));
        }
    }

    void finish(const R& ring, Rq<capacity>& result)
    {
        const std::size_t p = ring.p;
        const AnyModulo<Isa> modulo_q{ring.modulo_q};
        const std::int32_t factor = modulo_q.reciprocal(modulo_q.centered(f_.c()[0]));
        for (std::size_t i = 0; i < p; ++i)
            result.c[i] =
                static_cast<std::int16_t>(modulo_q.centered(factor * modulo_q.centered(v_.c()[p - 1 - i])));
    }

    Coefficients f_{};
    Coefficients g_{};
    Coefficients v_{};
    Coefficients r_{};
    std::int32_t delta_ = 1;

    friend struct Wiped<ReciprocalModuloQ>;
};

}  // namespace girih::ntru_prime
