/// Multiplication modulo q without division (Montgomery), on every lane of a vector.
///
/// Constant time.
#pragma once

#include <cstdint>

#include "ml_dsa/residue.hpp"

namespace girih::ml_dsa {

inline constexpr std::int64_t montgomery_radix = std::int64_t{1} << 32;  ///< R

/// q^-1 mod R, by Newton's iteration: each step doubles the number of correct bits, and q * q = 1 mod 8 gives three.
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

/// MontgomeryReduce (FIPS 204, Algorithm 49): a / R modulo q, for |a| < 2^31 q. The result is below q in magnitude.
template <class Isa>
[[nodiscard]] constexpr typename Isa::Integers montgomery_reduce(typename Isa::Products a) noexcept
{
    // With m = a / q mod+- R, a - m q is a multiple of R.
    // |a| < 2^31 q and |m q| <= 2^31 q, so |a - m q| < 2^32 q, and the high half is below q in magnitude.
    // The low halves of a and m q agree, so the difference of the high halves borrows nothing.
    const auto m = Isa::wrapping_multiply(Isa::low_half(a), Isa::broadcast_integer(q_inverse));
    return Isa::high_half(a) - Isa::high_half(Isa::multiply(m, Isa::broadcast_integer(q)));
}

/// a b / R modulo q, for |a b| < 2^31 q.
template <class Isa>
[[nodiscard]] constexpr typename Isa::Integers montgomery_multiply(typename Isa::Integers a,
                                                                   typename Isa::Integers b) noexcept
{
    return montgomery_reduce<Isa>(Isa::multiply(a, b));
}

}  // namespace girih::ml_dsa
