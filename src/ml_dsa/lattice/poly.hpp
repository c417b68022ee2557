/// Polynomials of Z_q[X]/(X^256 + 1) whose type says what they are: coefficients or NTT, how
/// large, and how secret.
///
/// Adding forms that do not belong together, running past 32 bits, or publishing a secret
/// without `declassify` does not compile. The types cost nothing: below each typed operation
/// stands one untyped kernel.
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
#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

enum class Form {
    coefficients,  ///< of powers of X
    ntt,           ///< values at the roots of X^256 + 1, in the order of FIPS 204, Algorithm 41
    ntt_product,   ///< the same divided by R = 2^32: what a Montgomery multiplication leaves
};

enum class Secrecy { open, secret };

/// Coefficients a with low <= a <= high.
struct Bound {
    std::int64_t low;
    std::int64_t high;

    /// |a| <= magnitude
    static constexpr Bound symmetric(std::int64_t magnitude) { return {-magnitude, magnitude}; }
    /// Representatives 0 <= a < q
    static constexpr Bound canonical() { return {0, q - 1}; }

    constexpr std::int64_t magnitude() const { return std::max(-low, high); }
    constexpr bool fits_int32() const { return low >= INT32_MIN && high <= INT32_MAX; }
    constexpr bool within(Bound other) const { return low >= other.low && high <= other.high; }

    friend constexpr bool operator==(const Bound&, const Bound&) = default;
    friend constexpr Bound operator+(Bound a, Bound b) { return {a.low + b.low, a.high + b.high}; }
    friend constexpr Bound operator-(Bound a, Bound b) { return {a.low - b.high, a.high - b.low}; }
};

/// What is computed from something secret is secret.
constexpr Secrecy operator|(Secrecy a, Secrecy b)
{
    return a == Secrecy::secret || b == Secrecy::secret ? Secrecy::secret : Secrecy::open;
}

using Coefficients = std::array<std::int32_t, n>;

/// 0, 1, ..., n - 1: for picking the places of some coefficients out of all.
inline constexpr Coefficients all_positions = [] {
    Coefficients positions{};
    for (std::size_t i = 0; i < n; ++i) positions[i] = static_cast<std::int32_t>(i);
    return positions;
}();

/// A polynomial. A secret one is wiped when its life ends.
template <Form form_, Bound bound_, Secrecy secrecy_ = Secrecy::open>
    requires(bound_.fits_int32())
struct Poly {
    static constexpr Form form = form_;
    static constexpr Bound bound = bound_;
    static constexpr Secrecy secrecy = secrecy_;

    alignas(64) Coefficients c;

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

/// A column vector of polynomials of one kind.
template <std::size_t size_, class S>
struct PolyVector {
    using Element = S;
    static constexpr std::size_t size = size_;

    std::array<S, size_> p;

    [[nodiscard]] constexpr S& operator[](std::size_t i) noexcept { return p[i]; }
    [[nodiscard]] constexpr const S& operator[](std::size_t i) const noexcept { return p[i]; }
};

/// Whether the coefficients keep the type's promise. Asserted at the entry and exit of
/// kernels in debug builds.
template <class S>
constexpr bool keeps_bound(const S& a)
{
    return std::all_of(a.c.begin(), a.c.end(),
                       [](std::int32_t c) { return S::bound.low <= c && c <= S::bound.high; });
}

#if defined(GIRIH_CHECK_BOUNDS)
#    define GIRIH_ASSERT_BOUND(poly) assert(keeps_bound(poly))
#else
#    define GIRIH_ASSERT_BOUND(poly) static_cast<void>(0)
#endif

/// The same polynomial under a narrower bound: for one that a check has found within it, or
/// whose owner is refused if not. A secret stays one: only `declassify` makes it public.
template <Form form, Bound from, Secrecy from_secrecy, Bound to, Secrecy to_secrecy>
    requires(to.within(from) && (from_secrecy | to_secrecy) == to_secrecy)
constexpr void narrow(const Poly<form, from, from_secrecy>& wide, Poly<form, to, to_secrecy>& out)
{
    out.c = wide.c;
}

/// The same polynomial, no longer a secret.
template <Form form, Bound bound>
[[nodiscard]] constexpr Poly<form, bound> declassify(const Poly<form, bound, Secrecy::secret>& secret,
                                                     Reason why)
{
    Poly<form, bound> open;
    open.c = secret.c;
    girih::declassify(std::span{open.c}, why);
    return open;
}

}  // namespace girih::ml_dsa
