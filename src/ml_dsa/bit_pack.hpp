/// Polynomials as strings of fixed-width integers (FIPS 204, Section 7.1).
///
/// Constant time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "ml_dsa/poly.hpp"

namespace girih::ml_dsa {

namespace kernels {

/// 32 integers fill `bits` words of 32 bits exactly, so whole groups of them need no care at the ends.
inline constexpr std::size_t packing_group = 32;

/// Writes from(c) for each coefficient c as an integer of `bits` bits, little-endian.
template <int bits, class From>
constexpr void pack(const Coefficients& c, BytesOut<packed_bytes(bits)> bytes, From from) noexcept
{
    Byte* out = bytes.data();
    for (std::size_t i = 0; i < n; i += packing_group) {
        std::uint64_t pending = 0;
        int pending_bits = 0;
#pragma GCC unroll 32
        for (std::size_t j = 0; j < packing_group; ++j) {
            pending |= std::uint64_t{static_cast<std::uint32_t>(from(c[i + j]))} << pending_bits;
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

/// Sets each coefficient to to(v) for the integers v of `bits` bits in the bytes.
template <int bits, class To>
constexpr void unpack(BytesIn<packed_bytes(bits)> bytes, Coefficients& c, To to) noexcept
{
    constexpr std::uint32_t mask = (1U << bits) - 1;
    const Byte* in = bytes.data();
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
            c[i + j] = to(static_cast<std::int32_t>(static_cast<std::uint32_t>(pending) & mask));
            pending >>= bits;
            pending_bits -= bits;
        }
    }
}

}  // namespace kernels

/// SimpleBitPack (FIPS 204, Algorithm 16): coefficients in [0, 2^bits).
template <int bits, Form form, Bound bound, Secrecy secrecy>
    requires(bound.within(Bound{0, (1 << bits) - 1}))
constexpr void simple_bit_pack(const Poly<form, bound, secrecy>& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    kernels::pack<bits>(w.c, bytes, [](std::int32_t c) { return c; });
}

/// BitPack (FIPS 204, Algorithm 17): coefficients in [b - 2^bits + 1, b], stored as b - c.
template <int bits, std::int32_t b, Form form, Bound bound, Secrecy secrecy>
    requires(bound.within(Bound{b - (1 << bits) + 1, b}))
constexpr void bit_pack(const Poly<form, bound, secrecy>& w, BytesOut<packed_bytes(bits)> bytes)
{
    GIRIH_ASSERT_BOUND(w);
    kernels::pack<bits>(w.c, bytes, [](std::int32_t c) { return b - c; });
}

/// SimpleBitUnpack (FIPS 204, Algorithm 18).
template <int bits>
[[nodiscard]] constexpr auto simple_bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{0, (1 << bits) - 1}> w;
    kernels::unpack<bits>(bytes, w.c, [](std::int32_t v) { return v; });
    return w;
}

/// BitUnpack (FIPS 204, Algorithm 19). Where 2^bits is more than the range has, a wrong encoding gives coefficients below
/// the range; the type says so, and whoever needs the range checks it.
template <int bits, std::int32_t b, Secrecy secrecy>
[[nodiscard]] constexpr auto bit_unpack(BytesIn<packed_bytes(bits)> bytes)
{
    Poly<Form::coefficients, Bound{b - (1 << bits) + 1, b}, secrecy> w;
    kernels::unpack<bits>(bytes, w.c, [](std::int32_t v) { return b - v; });
    return w;
}

}  // namespace girih::ml_dsa
