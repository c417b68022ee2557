/// Polynomials as strings of integers of a fixed width.
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/isa.hpp"
#include "module_lattice/poly.hpp"

namespace girih::module_lattice {

/// 32 integers fill exactly `bits` words of 32 bits, so groups of 32 end with a word.
inline constexpr std::size_t packing_group = 32;

/// Bytes of `count` vectors of integers of `bits` bits, which an engine that packs them has to
/// fill.
template <class Lanes, int bits, std::size_t count>
    requires(count* Lanes::lanes* bits % 8 == 0)
inline constexpr std::size_t vector_bytes = count * Lanes::lanes * bits / 8;

/// The map between a coefficient and its packed form: the identity, or the distance from b.
struct Identity {
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
/// IntegerToBits (FIPS 204, Algorithm 9) and BitsToBytes (FIPS 204, Algorithm 12) in one; or
/// ByteEncode (FIPS 203, Algorithm 5) with its BitsToBytes (FIPS 203, Algorithm 3).
template <int bits, class Lanes, class Map, class Integer>
[[gnu::noinline]] constexpr void pack(const Coefficients<Integer>& c,
                                      BytesOut<packed_bytes(bits)> bytes) noexcept
{
    Byte* out = bytes.data();
    if constexpr (isa::PacksFours<Lanes, typename Lanes::Vector, bits>) {
        constexpr std::size_t lanes = Lanes::lanes;
        for (std::size_t i = 0; i < n; i += 4 * lanes, out += vector_bytes<Lanes, bits, 4>)
            Lanes::template pack<bits>(out, Map::of(Lanes::load(&c[i])), Map::of(Lanes::load(&c[i + lanes])),
                                       Map::of(Lanes::load(&c[i + 2 * lanes])),
                                       Map::of(Lanes::load(&c[i + 3 * lanes])));
    } else if constexpr (isa::PacksPairs<Lanes, typename Lanes::Vector, bits>) {
        for (std::size_t i = 0; i < n; i += 2 * Lanes::lanes, out += vector_bytes<Lanes, bits, 2>)
            Lanes::template pack<bits>(out, Map::of(Lanes::load(&c[i])),
                                       Map::of(Lanes::load(&c[i + Lanes::lanes])));
    } else if constexpr (isa::Packs<Lanes, typename Lanes::Vector, bits>) {
        for (std::size_t i = 0; i < n; i += Lanes::lanes, out += vector_bytes<Lanes, bits, 1>)
            Lanes::template pack<bits>(out, Map::of(Lanes::load(&c[i])));
    } else {
        // Zero after every group, but declared here so that compilers do not see that: otherwise
        // g++ 12 vectorises over all groups, with ten times the code and nearly twice the time.
        std::uint64_t pending = 0;
        for (std::size_t i = 0; i < n; i += packing_group) {
            int pending_bits = 0;
#pragma GCC unroll 32
            for (std::size_t j = 0; j < packing_group; ++j) {
                pending |= std::uint64_t{static_cast<std::uint32_t>(Map::of(std::int32_t{c[i + j]}))}
                           << pending_bits;
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
}

/// Sets each coefficient to Map::of(v) for the integers v of `bits` bits in the bytes:
/// BytesToBits (FIPS 204, Algorithm 13) and BitsToInteger (FIPS 204, Algorithm 10) in one; or
/// ByteDecode (FIPS 203, Algorithm 6) with its BytesToBits (FIPS 203, Algorithm 4).
template <int bits, class Lanes, class Map, class Integer>
[[gnu::noinline]] constexpr void unpack(BytesIn<packed_bytes(bits)> bytes, Coefficients<Integer>& c) noexcept
{
    constexpr std::uint32_t mask = (1U << bits) - 1;
    const Byte* in = bytes.data();
    if constexpr (isa::Unpacks<Lanes, bits>) {
        for (std::size_t i = 0; i < n; i += Lanes::lanes, in += vector_bytes<Lanes, bits, 1>)
            Lanes::store(&c[i], Map::of(Lanes::template unpack<bits>(in)));
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
            c[i + j] = static_cast<Integer>(
                Map::of(static_cast<std::int32_t>(static_cast<std::uint32_t>(pending) & mask)));
            pending >>= bits;
            pending_bits -= bits;
        }
    }
}

}  // namespace girih::module_lattice
