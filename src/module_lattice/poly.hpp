/// Polynomials of Z_q[X]/(X^256 + 1) whose type says what they are: coefficients or NTT, how
/// large, and how secret. ML-DSA and ML-KEM share them, with different moduli and integer types.
///
/// Adding forms that do not belong together, running past the integers, or publishing a secret
/// without `declassify` does not compile. The types cost nothing: each typed operation calls one
/// untyped kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/secret.hpp"
#include "core/wipe.hpp"

namespace girih::module_lattice {

inline constexpr std::size_t n = 256;  ///< coefficients of a polynomial

/// Bytes of n coefficients of `bits` bits each.
constexpr std::size_t packed_bytes(int bits) { return n * static_cast<std::size_t>(bits) / 8; }

enum class Form {
    coefficients,  ///< of powers of X
    ntt,           ///< residues modulo the factors of X^256 + 1, in the order of the scheme's standard
    ntt_product,   ///< the same divided by Montgomery's radix, as a Montgomery multiplication leaves it
};

enum class Secrecy { open, secret };

/// Coefficients a with low <= a <= high.
struct Bound {
    std::int64_t low;
    std::int64_t high;

    /// |a| <= magnitude
    static constexpr Bound symmetric(std::int64_t magnitude) { return {-magnitude, magnitude}; }
    /// Representatives 0 <= a < q
    static constexpr Bound canonical(std::int64_t q) { return {0, q - 1}; }

    constexpr std::int64_t magnitude() const { return std::max(-low, high); }
    constexpr bool fits(std::size_t integer_bytes) const
    {
        const std::int64_t end = std::int64_t{1} << (8 * integer_bytes - 1);
        return low >= -end && high < end;
    }
    constexpr bool within(Bound other) const { return low >= other.low && high <= other.high; }

    friend constexpr bool operator==(const Bound&, const Bound&) = default;
    friend constexpr Bound operator+(Bound a, Bound b) { return {a.low + b.low, a.high + b.high}; }
    friend constexpr Bound operator-(Bound a, Bound b) { return {a.low - b.high, a.high - b.low}; }
};

/// A result is secret if an operand is.
constexpr Secrecy operator|(Secrecy a, Secrecy b)
{
    return a == Secrecy::secret || b == Secrecy::secret ? Secrecy::secret : Secrecy::open;
}

template <class Integer>
using Coefficients = std::array<Integer, n>;

/// A polynomial. A secret one is wiped on destruction.
template <Form form_, Bound bound_, Secrecy secrecy_ = Secrecy::open, class Integer = std::int32_t>
    requires(bound_.fits(sizeof(Integer)))
struct Poly {
    static constexpr Form form = form_;
    static constexpr Bound bound = bound_;
    static constexpr Secrecy secrecy = secrecy_;

    alignas(64) Coefficients<Integer> c;

    constexpr Poly() = default;
    constexpr Poly(const Poly&) = default;
    constexpr Poly& operator=(const Poly&) = default;
    constexpr ~Poly() = default;
    constexpr ~Poly()
        requires(secrecy_ == Secrecy::secret)
    {
        wipe(c);
    }
};

/// A polynomial in one form.
template <class P, Form form>
concept PolyIn = requires(P a) {
    a.c;
    P::bound;
    P::secrecy;
} && P::form == form;

/// Whether the coefficients are within the type's bound. Asserted at the entry and exit of kernels
/// in debug builds.
template <class S>
constexpr bool keeps_bound(const S& a)
{
    return std::all_of(a.c.begin(), a.c.end(),
                       [](std::int64_t c) { return S::bound.low <= c && c <= S::bound.high; });
}

#if defined(GIRIH_CHECK_BOUNDS)
#    define GIRIH_ASSERT_BOUND(poly) assert(keeps_bound(poly))
#else
#    define GIRIH_ASSERT_BOUND(poly) static_cast<void>(0)
#endif

/// A copy under a narrower bound, for a polynomial that a check has found within it, or whose key
/// is refused otherwise. A secret stays secret: only `declassify` makes it public.
template <class From, PolyIn<From::form> To>
    requires(To::bound.within(From::bound) && (From::secrecy | To::secrecy) == To::secrecy)
constexpr void narrow(const From& wide, To& out)
{
    out.c = wide.c;
}

/// A copy that is no longer a secret.
template <Form form, Bound bound, class Integer>
[[nodiscard]] constexpr Poly<form, bound, Secrecy::open, Integer> declassify(
    const Poly<form, bound, Secrecy::secret, Integer>& secret, Reason why)
{
    Poly<form, bound, Secrecy::open, Integer> open;
    open.c = secret.c;
    girih::declassify(std::span{open.c}, why);
    return open;
}

}  // namespace girih::module_lattice
