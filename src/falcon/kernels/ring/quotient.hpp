/// Quotients modulo q and x^n + 1 on vectors of 16-bit integers.
///
/// Constant time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/wipe.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/kernels/ring/residue.hpp"
#include "falcon/params.hpp"
#include "isa/isa.hpp"
#include "transform/short_residue.hpp"
#include "transform/transform.hpp"

namespace girih::falcon {

template <class Isa, std::size_t n>
class Quotient {
    using Residue = transform::ShortResidue<Isa, q>;
    using Transform = transform::Transform<Isa, q, 2 * n>;
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

  public:
    using Coefficients = transform::Points<n>;
    using Small = Poly<std::int8_t, n>;

    /// a / f, with coefficients of smallest magnitude. Returns nonzero if f has no reciprocal.
    [[nodiscard]] static std::uint32_t divide(const Small& a, const Small& f, Coefficients& quotient)
    {
        transform(a, quotient);
        return divide_values(f, quotient, scale(std::int64_t{inverse_n} * inverse_radix % q));
    }
    /// a b / f.
    [[nodiscard]] static std::uint32_t divide(const Small& a, const Small& b, const Small& f,
                                              Coefficients& quotient)
    {
        transform(a, quotient);
        {
            Wiped<Coefficients> other{uninitialized};
            transform(b, *other);
            for (std::size_t i = 0; i < n; i += Lanes::lanes)
                Lanes::store(&quotient.c[i], Residue::multiply(Lanes::load(&quotient.c[i]),
                                                               Residue::prepare(Lanes::load(&other->c[i]))));
        }
        return divide_values(f, quotient, scale(inverse_n));
    }

  private:
    static constexpr std::int32_t inverse_n =
        transform::Roots<q, 2 * n>::power(static_cast<std::int32_t>(n), q - 2);
    static constexpr std::int32_t inverse_radix =
        transform::Roots<q, 2 * n>::power(transform::short_radix % q, q - 2);
    static constexpr transform::ShortFactor scale(std::int64_t number) { return Residue::factor(number); }

    static void transform(const Small& small, Coefficients& values)
    {
        for (std::size_t i = 0; i < n; ++i) values.c[i] = small[i];
        Transform::forward_negacyclic(values, values);
        for (std::size_t i = 0; i < n; i += Lanes::lanes)
            Lanes::store(&values.c[i], Residue::reduce(Lanes::load(&values.c[i])));
    }

    /// Divides values by those of f, and transforms them back. A product is R = 2^16 times too
    /// small; so f^(q - 2), computed from powers of f / R, is R / f.
    [[nodiscard, gnu::noinline]] static std::uint32_t divide_values(const Small& f, Coefficients& values,
                                                                    transform::ShortFactor back)
    {
        Wiped<Coefficients> power{uninitialized};
        transform(f, *power);
        Vector zeros{};
        for (std::size_t i = 0; i < n; i += Lanes::lanes) {
            Vector square = Lanes::load(&power->c[i]);
            Vector quotient = Lanes::load(&values.c[i]);
            zeros |= Residue::canonical(square) == Vector{};
            for (std::uint32_t exponent = q - 2; exponent > 0; exponent >>= 1) {
                const auto factor = Residue::prepare(square);
                if ((exponent & 1) != 0) quotient = Residue::multiply(quotient, factor);
                square = Residue::multiply(square, factor);
            }
            Lanes::store(&values.c[i], Residue::reduce(quotient));
        }
        Transform::inverse_negacyclic(values, back);
        for (std::size_t i = 0; i < n; i += Lanes::lanes)
            Lanes::store(&values.c[i], Residue::canonical(Lanes::load(&values.c[i])));
        std::uint32_t some_zero = 0;
        for (std::size_t i = 0; i < Lanes::lanes; ++i) some_zero |= static_cast<std::uint16_t>(zeros[i]);
        return some_zero;
    }
};

/// Quotients one residue at a time, for processors without vectors.
template <isa::MultipliesWords Isa, std::size_t n>
class Quotient<Isa, n> {
  public:
    struct Coefficients {
        std::array<std::int16_t, n> c;
    };
    using Small = Poly<std::int8_t, n>;

    [[nodiscard]] static std::uint32_t divide(const Small& a, const Small& f, Coefficients& quotient)
    {
        Wiped<ResiduePoly<n>> values{uninitialized};
        transform(a, *values);
        return divide_values(f, *values, quotient);
    }
    [[nodiscard]] static std::uint32_t divide(const Small& a, const Small& b, const Small& f,
                                              Coefficients& quotient)
    {
        Wiped<ResiduePoly<n>> values{uninitialized};
        transform(a, *values);
        multiply(b, *values);
        return divide_values(f, *values, quotient);
    }

  private:
    static void transform(const Small& small, ResiduePoly<n>& values)
    {
        reduce<Isa, n>(small, values);
        ntt<Isa, n>(values);
    }
    [[gnu::noinline]] static void multiply(const Small& small, ResiduePoly<n>& values)
    {
        Wiped<ResiduePoly<n>> other{uninitialized};
        transform(small, *other);
        multiply_values<Isa, n>(values, *other);
    }
    [[nodiscard, gnu::noinline]] static std::uint32_t divide_values(const Small& f, ResiduePoly<n>& values,
                                                                    Coefficients& quotient)
    {
        Wiped<ResiduePoly<n>> divisor{uninitialized};
        transform(f, *divisor);
        const std::uint32_t some_zero = falcon::divide_values<Isa, n>(values, *divisor);
        inverse_ntt<Isa, n>(values);
        for (std::size_t i = 0; i < n; ++i)
            quotient.c[i] = static_cast<std::int16_t>(modulo_q::centred(values[i]));
        return some_zero;
    }
};

}  // namespace girih::falcon
