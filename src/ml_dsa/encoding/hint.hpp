/// Hints as a signature carries them (FIPS 204, Section 7.1): the positions of the ones, and where
/// each polynomial's end.
///
/// Variable time: hints are public once the signature is.
#pragma once

#include <cstddef>

#include "core/bytes.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

using HintPoly = Poly<Form::coefficients, Bound{0, 1}>;

template <Shape S>
using Hint = PolyVector<S.k, HintPoly>;

/// HintBitPack (FIPS 204, Algorithm 20) of at most omega ones. h[i] is polynomial i.
template <Shape S, class Isa, class H>
constexpr void hint_bit_pack(const H& h, BytesOut<S.omega + S.k> bytes)
{
    // With padding for the rest of a vector after the last.
    std::array<std::int32_t, S.omega + Isa::integer_lanes> positions{};
    std::size_t index = 0;
    for (std::size_t i = 0; i < S.k; ++i) {
        const auto& row = h[i];
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            index += Isa::compress_store(&positions[index], Isa::load(&all_positions[j]),
                                         negative_lanes(-Isa::load(&row.c[j])));
        bytes[S.omega + i] = static_cast<Byte>(index);
    }
    for (std::size_t i = 0; i < S.omega; ++i)
        bytes[i] = i < index ? static_cast<Byte>(positions[i]) : Byte{0};
}

/// Reads a hint (FIPS 204, Algorithm 21): calls one(i, j) for each coefficient j of the polynomial
/// i that is 1. Every hint has one encoding: ends that never decrease and are at most omega,
/// positions that increase within a polynomial, and zeros after the last. False for anything else.
template <Shape S, class F>
[[nodiscard]] constexpr bool for_each_one(BytesIn<S.omega + S.k> bytes, F one)
{
    std::size_t index = 0;                   // 2
    for (std::size_t i = 0; i < S.k; ++i) {  // 3
        const std::size_t end = bytes[S.omega + i];
        if (end < index || end > S.omega) return false;                           // 4
        for (const std::size_t first = index; index < end; ++index) {             // 6, 7, 13
            if (index > first && bytes[index - 1] >= bytes[index]) return false;  // 8, 9
            one(i, bytes[index]);                                                 // 12
        }
    }
    for (; index < S.omega; ++index)          // 16
        if (bytes[index] != 0) return false;  // 17
    return true;
}

/// HintBitUnpack (FIPS 204, Algorithm 21); false for bytes that encode no hint.
template <Shape S, class Isa>
[[nodiscard]] constexpr bool hint_bit_unpack(BytesIn<S.omega + S.k> bytes, Hint<S>& h)
{
    for (HintPoly& poly : h.p) poly.c = {};
    return for_each_one<S>(bytes, [&h](std::size_t i, std::size_t j) { h[i].c[j] = 1; });
}

}  // namespace girih::ml_dsa
