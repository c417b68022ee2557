/// Arithmetic as the specification writes it: schoolbook products, and reciprocals a step at a
/// time. Tests and the engine `reference` run it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/kernels/residue.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// Reciprocals in R/m by division steps (Bernstein and Yang, "Fast constant-time gcd computation
/// and modular inversion", 2019, Section 4): of f = x^p - x - 1 and g, both with their
/// coefficients in reverse.
///
/// A step takes (delta, f, g) to (1 - delta, g, (g(0) f - f(0) g) / x) if delta > 0 and g(0) != 0,
/// and else to (1 + delta, f, (f(0) g - g(0) f) / x); v and r follow, so that f is v times the
/// first g times a power of x, and 2p - 1 steps reach a constant f if there is a reciprocal.
template <std::size_t capacity>
class DivisionSteps {
  public:
    /// scale / g. All ones if there is none, else 0. Constant time.
    template <class Modulo, class In, class Out>
    [[nodiscard]] static constexpr std::int32_t reciprocal(const Modulo modulo, const std::size_t p,
                                                           const In& g_in, std::int32_t scale, Out& result)
    {
        Wiped<State> wiped;
        State& s = *wiped;
        s.f[0] = 1;
        s.f[p - 1] = s.f[p] = -1;
        for (std::size_t i = 0; i < p; ++i) s.g[p - 1 - i] = static_cast<std::int16_t>(g_in[i]);
        s.r[0] = static_cast<std::int16_t>(scale);
        std::int32_t delta = 1;

        for (std::size_t step = 0; step < 2 * p - 1; ++step) {
            for (std::size_t i = p; i > 0; --i) s.v[i] = s.v[i - 1];
            s.v[0] = 0;

            const std::int32_t swap = negative_mask(-delta) & nonzero_mask<std::int32_t>(s.g[0]);
            delta = (delta ^ (swap & (delta ^ -delta))) + 1;
            for (std::size_t i = 0; i <= p; ++i) {
                exchange(swap, s.f[i], s.g[i]);
                exchange(swap, s.v[i], s.r[i]);
            }
            const std::int32_t f0 = s.f[0];
            const std::int32_t g0 = s.g[0];
            for (std::size_t i = 0; i <= p; ++i) {
                s.g[i] = static_cast<std::int16_t>(modulo.centered(f0 * s.g[i] - g0 * s.f[i]));
                s.r[i] = static_cast<std::int16_t>(modulo.centered(f0 * s.r[i] - g0 * s.v[i]));
            }
            for (std::size_t i = 0; i < p; ++i) s.g[i] = s.g[i + 1];
            s.g[p] = 0;
        }
        const std::int32_t factor = modulo.reciprocal(s.f[0]);
        for (std::size_t i = 0; i < p; ++i)
            result[i] = static_cast<typename Out::value_type>(modulo.centered(factor * s.v[p - 1 - i]));
        return nonzero_mask(delta);
    }

  private:
    using Coefficients = std::array<std::int16_t, capacity + 1>;
    struct State {
        Coefficients f{};
        Coefficients g{};
        Coefficients v{};
        Coefficients r{};
    };

    static constexpr void exchange(std::int32_t mask, std::int16_t& a, std::int16_t& b)
    {
        const auto difference = static_cast<std::int16_t>((a ^ b) & mask);
        a ^= difference;
        b ^= difference;
    }
};

/// Constant time.
template <class Isa, class R>
struct Reference {
    static constexpr std::size_t capacity = R::capacity;
    using Factor = const Small<capacity>&;

    /// Rq_mult_small (NTRU Prime, Section 3.5).
    static constexpr void rq_mult_small(const R& ring, const Rq<capacity>& a, Factor b, Rq<capacity>& product)
    {
        multiply(AnyModulo<Isa>{ring.modulo_q}, ring.p, a.c, b.c, product.c);
    }
    /// R3_mult (NTRU Prime, Section 3.5).
    static constexpr void r3_mult(const R& ring, const Small<capacity>& a, const Small<capacity>& b,
                                  Small<capacity>& product)
    {
        multiply(Modulo3<Isa>{}, ring.p, a.c, b.c, product.c);
    }
    /// Rq_recip3 (NTRU Prime, Section 3.5): 1 / 3f. R/q is a field: every f but 0 has one.
    static constexpr void rq_recip3(const R& ring, const Small<capacity>& f, Rq<capacity>& result)
    {
        (void)DivisionSteps<capacity>::reciprocal(AnyModulo<Isa>{ring.modulo_q}, ring.p, f.c, ring.third,
                                                  result.c);
    }
    /// R3_recip (NTRU Prime, Section 3.5): 1 / g. All ones if there is none, else 0.
    [[nodiscard]] static constexpr std::int32_t r3_recip(const R& ring, const Small<capacity>& g,
                                                         Small<capacity>& result)
    {
        return DivisionSteps<capacity>::reciprocal(Modulo3<Isa>{}, ring.p, g.c, 1, result.c);
    }

  private:
    /// Schoolbook multiplication, of a polynomial and a small one.
    template <class Modulo, class A, class B, class Product>
    static constexpr void multiply(const Modulo modulo, std::size_t p, const A& a, const B& b,
                                   Product& product)
    {
        std::array<std::int32_t, 2 * capacity - 1> sums{};
        for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < p; ++j) sums[i + j] = modulo.centered(sums[i + j] + a[i] * b[j]);
        // x^p = x + 1.
        for (std::size_t i = 2 * p - 2; i >= p; --i) {
            sums[i - p] = modulo.centered(sums[i - p] + sums[i]);
            sums[i - p + 1] = modulo.centered(sums[i - p + 1] + sums[i]);
        }
        for (std::size_t i = 0; i < p; ++i) product[i] = static_cast<typename Product::value_type>(sums[i]);
        wipe(sums);
    }
};

}  // namespace girih::ntru_prime
