/// Polynomials as bit fields, the first coefficient in the highest bits of the first byte
/// (specification, Section 3.11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/params.hpp"

namespace girih::falcon {

/// Bytes of n fields: a whole number for all degrees and widths.
constexpr std::size_t field_bytes(std::size_t n, unsigned bits) { return n * bits / 8; }

/// Writes the lowest `bits` bits of each coefficient.
template <unsigned bits, class Isa, class T, std::size_t n>
constexpr void pack_fields(const Poly<T, n>& f, BytesOut<field_bytes(n, bits)> bytes)
{
    static_assert(n * bits % 8 == 0);
    std::uint32_t waiting = 0;  // bits of an incomplete byte
    unsigned count = 0;
    std::size_t at = 0;
    for (const T a : f) {
        waiting = (waiting << bits) | (static_cast<std::uint32_t>(a) & ((1u << bits) - 1));
        for (count += bits; count >= 8; count -= 8) bytes[at++] = static_cast<Byte>(waiting >> (count - 8));
    }
}

/// Calls use(i, field) for every field. Reads as many at once as fill whole bytes, so that no
/// branch depends on a field's place in a byte.
template <unsigned bits, std::size_t n, class Use>
[[gnu::always_inline]] constexpr void for_each_field(BytesIn<field_bytes(n, bits)> bytes, Use use)
{
    constexpr std::size_t at_once = 8 / std::gcd(8u, bits);
    static_assert(n % at_once == 0);
    const Byte* from = bytes.data();
    for (std::size_t i = 0; i < n; i += at_once, from += field_bytes(at_once, bits)) {
        unroll<at_once>([&](auto j) __attribute__((always_inline)) {
            constexpr std::size_t end = (j + 1) * bits;
            constexpr std::size_t end_byte = (end + 7) / 8;
            std::uint32_t last_bytes = 0;
            for (std::size_t k = j * bits / 8; k < end_byte; ++k) last_bytes = last_bytes << 8 | from[k];
            use(i + j, (last_bytes >> (8 * end_byte - end)) & ((1u << bits) - 1));
        });
    }
}

/// Coefficients in two's complement. Returns 1 if one is the smallest number of its width, which is
/// not a valid coefficient because its negative has no encoding (specification, Section 3.11.5),
/// else 0. Constant time.
template <unsigned bits, class Isa, class T, std::size_t n>
[[nodiscard]] constexpr Secret<std::uint32_t> unpack_signed_fields(BytesIn<field_bytes(n, bits)> bytes,
                                                                   Poly<T, n>& f)
{
    std::uint32_t some_least = 0;
    for_each_field<bits, n>(bytes, [&](std::size_t i, std::uint32_t field) {
        constexpr std::uint32_t sign = 1u << (bits - 1);
        some_least |= ((field ^ sign) - 1) >> 31;
        f[i] =
            static_cast<T>(static_cast<std::int32_t>(field) - static_cast<std::int32_t>((field & sign) << 1));
    });
    return Secret{some_least};
}

/// Coefficients modulo q, 14 bits each. False if one is not below q.
template <class Isa, std::size_t n>
[[nodiscard]] constexpr bool unpack_residues(BytesIn<field_bytes(n, 14)> bytes, ResiduePoly<n>& f)
{
    bool all_below = true;
    for_each_field<14, n>(bytes, [&](std::size_t i, std::uint32_t field) {
        all_below &= field < q;
        f[i] = static_cast<Residue>(field);
    });
    return all_below;
}

}  // namespace girih::falcon
