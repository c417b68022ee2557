/// Polynomials as strings of fixed-width integers (FIPS 204, Section 7.1).
///
/// Constant time.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"
#include "ml_dsa/types.hpp"
#include "module_lattice/lanes.hpp"
#include "module_lattice/packing.hpp"

namespace girih::ml_dsa {

/// SimpleBitPack (FIPS 204, Algorithm 16): coefficients in [0, 2^bits).
template <int bits, class Isa, class W>
    requires(W::bound.within(Bound{0, (1 << bits) - 1}))
constexpr void simple_bit_pack(const W& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    module_lattice::pack<bits, module_lattice::IntegerLanes<Isa>, module_lattice::Identity>(w.c, bytes);
}

/// BitPack (FIPS 204, Algorithm 17): coefficients in [b - 2^bits + 1, b], stored as b - c.
template <int bits, std::int32_t b, class Isa, class W>
    requires(W::bound.within(Bound{b - (1 << bits) + 1, b}))
constexpr void bit_pack(const W& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    module_lattice::pack<bits, module_lattice::IntegerLanes<Isa>, module_lattice::DistanceFrom<b>>(w.c,
                                                                                                   bytes);
}

/// SimpleBitUnpack (FIPS 204, Algorithm 18).
template <int bits, class Isa, class W>
    requires(Bound{0, (1 << bits) - 1}.within(W::bound))
constexpr void simple_bit_unpack(BytesIn<packed_bytes(bits)> bytes, W& w)
{
    module_lattice::unpack<bits, module_lattice::IntegerLanes<Isa>, module_lattice::Identity>(bytes, w.c);
}
template <int bits, class Isa>
[[nodiscard]] constexpr auto simple_bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{0, (1 << bits) - 1}> w;
    simple_bit_unpack<bits, Isa>(bytes, w);
    return w;
}

/// BitUnpack (FIPS 204, Algorithm 19). If 2^bits exceeds the size of the range, an invalid encoding
/// gives coefficients below the range. The type says so, and callers that need the range check it.
template <int bits, std::int32_t b, class Isa, class W>
    requires(Bound{b - (1 << bits) + 1, b}.within(W::bound))
constexpr void bit_unpack(BytesIn<packed_bytes(bits)> bytes, W& w)
{
    module_lattice::unpack<bits, module_lattice::IntegerLanes<Isa>, module_lattice::DistanceFrom<b>>(bytes,
                                                                                                     w.c);
}
template <int bits, std::int32_t b, class Isa, Secrecy secrecy>
[[nodiscard]] constexpr auto bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{b - (1 << bits) + 1, b}, secrecy> w;
    bit_unpack<bits, b, Isa>(bytes, w);
    return w;
}

}  // namespace girih::ml_dsa
