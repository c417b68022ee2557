/// The inverse steps of an AES round (FIPS 197, Section 5.3), made of the forward steps.
///
/// Constant time, without tables.
#pragma once

#include "aes/round.hpp"
#include "aes/sbox.hpp"

namespace girih::aes {

/// The inverse of the affine transformation (FIPS 197, Section 5.1.1, equation 5.3): bit i of the
/// result is the sum of bits i + 2, i + 5 and i + 7 modulo 8, and of bit i of {05}.
template <class Isa>
constexpr void inverse_affine(State<Isa>& s) noexcept
{
    const State<Isa> x = s;
    for (std::size_t i = 0; i < 8; ++i) s[i] = x[(i + 2) % 8] ^ x[(i + 5) % 8] ^ x[(i + 7) % 8];
    for (const std::size_t i : {0U, 2U}) s[i] = ~s[i];
}

/// INVSUBBYTES() (FIPS 197, Section 5.3.2). SUBBYTES() is affine(inverse(x)), so its own inverse,
/// inverse(affine^-1(x)), is affine^-1(SUBBYTES(affine^-1(x))).
template <class Isa>
constexpr void inverse_sub_bytes(State<Isa>& s) noexcept
{
    inverse_affine<Isa>(s);
    sub_bytes<Isa>(s);
    inverse_affine<Isa>(s);
}

/// INVSHIFTROWS() (FIPS 197, Section 5.3.1) is SHIFTROWS() three times: four times is the identity.
template <class Isa>
constexpr void inverse_shift_rows(State<Isa>& s) noexcept
{
    for (int i = 0; i < 3; ++i) shift_rows<Isa>(s);
}

/// INVMIXCOLUMNS() (FIPS 197, Section 5.3.3) is MIXCOLUMNS() three times: four times is the
/// identity, because its polynomial {03}x^3 + {01}x^2 + {01}x + {02} has the fourth power 1 modulo
/// x^4 + 1.
template <class Isa>
constexpr void inverse_mix_columns(State<Isa>& s) noexcept
{
    for (int i = 0; i < 3; ++i) mix_columns<Isa>(s);
}

}  // namespace girih::aes
