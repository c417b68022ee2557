/// Multiplication modulo q without division (Montgomery), on every lane of a vector.
///
/// Constant time.
#pragma once

#include <cstdint>

#include "ml_dsa/kernels/residue.hpp"

namespace girih::ml_dsa {

inline constexpr std::int64_t montgomery_radix = std::int64_t{1} << 32;  ///< R

/// q^-1 mod R, by Newton's iteration: each step doubles the number of correct bits, and q *
/// q = 1 mod 8 gives three.
inline constexpr std::int32_t q_inverse = [] {
    std::uint32_t inverse = q;
    for (int step = 0; step < 4; ++step) inverse *= 2 - static_cast<std::uint32_t>(q) * inverse;
    return static_cast<std::int32_t>(inverse);
}();
static_assert(static_cast<std::uint32_t>(q) * static_cast<std::uint32_t>(q_inverse) == 1);

/// a R mod+- q: the form in which a constant enters a Montgomery multiplication.
constexpr std::int32_t to_montgomery(Residue a) { return (a * Residue{montgomery_radix}).centred(); }

/// The largest |a| that montgomery_reduce takes, exclusive.
inline constexpr std::int64_t montgomery_limit = (montgomery_radix / 2) * q;

/// MontgomeryReduce (FIPS 204, Algorithm 49): a / R modulo q, for |a| < 2^31 q. The result is below
/// q in magnitude. (`a` is an Isa::Products, or a single product, which some engines reduce
/// faster.)
template <class Isa, class Products>
[[nodiscard, gnu::always_inline]] constexpr typename Isa::Integers montgomery_reduce(Products a) noexcept
{
    // With m = a / q mod+- R, a - m q is a multiple of R.
    // |a| < 2^31 q and |m q| <= 2^31 q, so |a - m q| < 2^32 q, and the high half is
    // below q in magnitude.
    const auto m = Isa::multiply_low(a, Isa::broadcast(q_inverse));
    return Isa::high_half(a - Isa::multiply_low(m, Isa::broadcast(q)));
}

/// a b / R modulo q, for |a b| < 2^31 q.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr typename Isa::Integers montgomery_multiply(
    typename Isa::Integers a, typename Isa::Integers b) noexcept
{
    return montgomery_reduce<Isa>(Isa::multiply(a, b));
}

/// A factor in Montgomery form with its quotient by q modulo R, so that the two products of a
/// multiplication by it do not wait for each other.
template <class Integers>
struct Twiddle {
    Integers factor;
    Integers quotient;
};

/// z / q mod+- R.
constexpr std::int32_t montgomery_quotient(std::int32_t z)
{
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(z) * static_cast<std::uint32_t>(q_inverse));
}

/// a z / R modulo q, for |a z| < 2^31 q: the same as montgomery_multiply.
template <class Isa>
[[nodiscard, gnu::always_inline]] constexpr typename Isa::Integers montgomery_multiply(
    typename Isa::Integers a, const Twiddle<typename Isa::Integers>& z) noexcept
{
    // m = a z / q modulo R, since z.quotient = z.factor / q.
    const auto m = Isa::multiply(a, z.quotient);
    return Isa::high_half(Isa::multiply(a, z.factor) - Isa::multiply_low(m, Isa::broadcast(q)));
}

}  // namespace girih::ml_dsa
