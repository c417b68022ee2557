/// Polynomials as strings of fixed-width integers (FIPS 204, Section 7.1).
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "ml_dsa/lattice/poly.hpp"

namespace girih::ml_dsa {

namespace kernels {

/// 32 integers fill `bits` words of 32 bits exactly, so whole groups of them need no care at the
/// ends.
inline constexpr std::size_t packing_group = 32;

/// Whether an engine packs whole vectors of `bits` bits an integer.
template <class Isa, int bits>
concept PacksVectors =
    requires(Byte* bytes, typename Isa::Integers v) { Isa::template pack<bits>(bytes, v); };
template <class Isa, int bits>
concept UnpacksVectors = requires(const Byte* bytes) { Isa::template unpack<bits>(bytes); };

/// Bytes of one vector of integers of `bits` bits.
template <class Isa, int bits>
inline constexpr std::size_t vector_bytes = Isa::integer_lanes * bits / 8;

/// What a packed integer is of a coefficient, and back: itself, or its distance from b.
struct Itself {
    template <class V>
    [[gnu::always_inline]] static constexpr V of(V c) noexcept
    {
        return c;
    }
};
template <std::int32_t b>
struct DistanceFrom {
    template <class V>
    [[gnu::always_inline]] static constexpr V of(V c) noexcept
    {
        return b - c;
    }
};

/// Writes Map::of(c) for each coefficient c as an integer of `bits` bits, little-endian:
/// IntegerToBits (FIPS 204, Algorithm 9) and BitsToBytes (FIPS 204, Algorithm 12) in one.
template <int bits, class Isa, class Map>
[[gnu::noinline]] constexpr void pack(const Coefficients& c, BytesOut<packed_bytes(bits)> bytes) noexcept
{
    Byte* out = bytes.data();
    if constexpr (PacksVectors<Isa, bits>) {
        for (std::size_t i = 0; i < n; i += Isa::integer_lanes, out += vector_bytes<Isa, bits>)
            Isa::template pack<bits>(out, Map::of(Isa::load(&c[i])));
        return;
    }
    // Zero after every group, which compilers do not see: g++ 12 would make vectors of all groups,
    // in ten times the code and nearly twice the time.
    std::uint64_t pending = 0;
    for (std::size_t i = 0; i < n; i += packing_group) {
        int pending_bits = 0;
#pragma GCC unroll 32
        for (std::size_t j = 0; j < packing_group; ++j) {
            pending |= std::uint64_t{static_cast<std::uint32_t>(Map::of(c[i + j]))} << pending_bits;
            pending_bits += bits;
            if (pending_bits >= 32) {
                store_le32(out, static_cast<std::uint32_t>(pending));
                out += 4;
                pending >>= 32;
                pending_bits -= 32;
            }
        }
    }
}

/// Sets each coefficient to Map::of(v) for the integers v of `bits` bits in the bytes:
/// BytesToBits (FIPS 204, Algorithm 13) and BitsToInteger (FIPS 204, Algorithm 10) in one.
template <int bits, class Isa, class Map>
[[gnu::noinline]] constexpr void unpack(BytesIn<packed_bytes(bits)> bytes, Coefficients& c) noexcept
{
    constexpr std::uint32_t mask = (1U << bits) - 1;
    const Byte* in = bytes.data();
    if constexpr (UnpacksVectors<Isa, bits>) {
        for (std::size_t i = 0; i < n; i += Isa::integer_lanes, in += vector_bytes<Isa, bits>)
            Isa::store(&c[i], Map::of(Isa::template unpack<bits>(in)));
        return;
    }
    for (std::size_t i = 0; i < n; i += packing_group) {
        std::uint64_t pending = 0;
        int pending_bits = 0;
#pragma GCC unroll 32
        for (std::size_t j = 0; j < packing_group; ++j) {
            if (pending_bits < bits) {
                pending |= std::uint64_t{load_le32(in)} << pending_bits;
                in += 4;
                pending_bits += 32;
            }
            c[i + j] = Map::of(static_cast<std::int32_t>(static_cast<std::uint32_t>(pending) & mask));
            pending >>= bits;
            pending_bits -= bits;
        }
    }
}

}  // namespace kernels

/// SimpleBitPack (FIPS 204, Algorithm 16): coefficients in [0, 2^bits).
template <int bits, class Isa, Form form, Bound bound, Secrecy secrecy>
    requires(bound.within(Bound{0, (1 << bits) - 1}))
constexpr void simple_bit_pack(const Poly<form, bound, secrecy>& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    kernels::pack<bits, Isa, kernels::Itself>(w.c, bytes);
}

/// BitPack (FIPS 204, Algorithm 17): coefficients in [b - 2^bits + 1, b], stored as b - c.
template <int bits, std::int32_t b, class Isa, Form form, Bound bound, Secrecy secrecy>
    requires(bound.within(Bound{b - (1 << bits) + 1, b}))
constexpr void bit_pack(const Poly<form, bound, secrecy>& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    kernels::pack<bits, Isa, kernels::DistanceFrom<b>>(w.c, bytes);
}

/// SimpleBitUnpack (FIPS 204, Algorithm 18).
template <int bits, class Isa>
[[nodiscard]] constexpr auto simple_bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{0, (1 << bits) - 1}> w;
    kernels::unpack<bits, Isa, kernels::Itself>(bytes, w.c);
    return w;
}

/// BitUnpack (FIPS 204, Algorithm 19). Where 2^bits is more than the range has, a wrong encoding
/// gives coefficients below the range; the type says so, and whoever needs the range checks it.
template <int bits, std::int32_t b, class Isa, Secrecy secrecy>
[[nodiscard]] constexpr auto bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{b - (1 << bits) + 1, b}, secrecy> w;
    kernels::unpack<bits, Isa, kernels::DistanceFrom<b>>(bytes, w.c);
    return w;
}

}  // namespace girih::ml_dsa
