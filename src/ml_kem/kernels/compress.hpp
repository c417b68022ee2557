/// Coefficients rounded to fewer bits and back (FIPS 203, Section 4.2.1), and both as bytes.
///
/// Constant time: no division.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/types.hpp"
#include "module_lattice/packing.hpp"

namespace girih::ml_kem {

/// ShortLanes under the names that module_lattice uses for vectors of coefficients.
template <class Isa>
struct Lanes : Isa::ShortLanes {
    using Integer = Coefficient;
};

/// ByteEncode (FIPS 203, Algorithm 5) of integers of `bits` bits, and ByteDecode (FIPS 203,
/// Algorithm 6), which does not reduce 12-bit integers modulo q.
template <int bits, class Isa>
void byte_encode(const Coefficients& f, BytesOut<> bytes)
{
    module_lattice::pack<bits, Lanes<Isa>, module_lattice::Identity>(
        f, BytesOut<packed_bytes(bits)>{bytes.data(), packed_bytes(bits)});
}
template <int bits, class Isa>
void byte_decode(BytesIn<> bytes, Coefficients& f)
{
    module_lattice::unpack<bits, Lanes<Isa>, module_lattice::Identity>(
        BytesIn<packed_bytes(bits)>{bytes.data(), packed_bytes(bits)}, f);
}

/// Compress (FIPS 203, Section 4.2.1, formula 4.7): round(2^d x / q) modulo 2^d, for 0 <= x < q.
template <int d, class Isa>
[[nodiscard, gnu::always_inline]] inline auto compress(typename Isa::ShortLanes::Vector x) noexcept
{
    using L = typename Isa::ShortLanes;
    // q is odd, so the rounded quotient is floor((2^d x + (q - 1) / 2) / q). With floor(2^26 / q) =
    // 20158, floor(20158 (8 x) / 2^16) is less than 2^13 x / q by less than 1.06, so rounding it
    // gives the quotient or one less. The remainder says which. The dividend is kept modulo 2^16;
    // the remainder, below 2 q, needs no more.
    const auto scaled = Isa::multiply_high(x << 3, L::broadcast((1 << 26) / q));
    auto quotient = (scaled + static_cast<Coefficient>(1 << (12 - d))) >> (13 - d);
    const auto dividend = L::subtract_product(L::broadcast((q - 1) / 2), x, L::broadcast(-(1 << d)));
    const auto remainder = L::subtract_product(dividend, quotient, L::broadcast(q));
    quotient -= remainder > static_cast<Coefficient>(q - 1);
    return quotient & static_cast<Coefficient>((1 << d) - 1);
}

/// Decompress (FIPS 203, Section 4.2.1, formula 4.8): round(q y / 2^d), for 0 <= y < 2^d.
template <int d, class Isa>
[[nodiscard, gnu::always_inline]] inline auto decompress(typename Isa::ShortLanes::Vector y) noexcept
{
    return Isa::multiply_rounded(y << (15 - d), Isa::ShortLanes::broadcast(q));
}

/// ByteEncode(Compress(f)), of any f.
template <int d, class Isa>
[[gnu::noinline]] void compress_and_encode(const Coefficients& f, BytesOut<> bytes)
{
    using L = typename Isa::ShortLanes;
    Wiped<Coefficients> compressed{uninitialized};
    for (std::size_t i = 0; i < n; i += L::lanes)
        L::store(&(*compressed)[i], compress<d, Isa>(canonical<Isa>(L::load(&f[i]))));
    byte_encode<d, Isa>(*compressed, bytes);
}

/// Decompress(ByteDecode(bytes)).
template <int d, class Isa>
[[gnu::noinline]] void decode_and_decompress(BytesIn<> bytes, DecompressedPoly& f)
{
    using L = typename Isa::ShortLanes;
    byte_decode<d, Isa>(bytes, f.c);
    for (std::size_t i = 0; i < n; i += L::lanes) L::store(&f.c[i], decompress<d, Isa>(L::load(&f.c[i])));
}

/// Both with d chosen at run time: du or dv of a parameter set.
template <class Isa>
void compress_and_encode(int d, const Coefficients& f, BytesOut<> bytes)
{
    switch (d) {
        case 4:
            return compress_and_encode<4, Isa>(f, bytes);
        case 5:
            return compress_and_encode<5, Isa>(f, bytes);
        case 10:
            return compress_and_encode<10, Isa>(f, bytes);
        default:
            return compress_and_encode<11, Isa>(f, bytes);
    }
}
template <class Isa>
void decode_and_decompress(int d, BytesIn<> bytes, DecompressedPoly& f)
{
    switch (d) {
        case 4:
            return decode_and_decompress<4, Isa>(bytes, f);
        case 5:
            return decode_and_decompress<5, Isa>(bytes, f);
        case 10:
            return decode_and_decompress<10, Isa>(bytes, f);
        default:
            return decode_and_decompress<11, Isa>(bytes, f);
    }
}

}  // namespace girih::ml_kem
