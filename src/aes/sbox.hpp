/// The S-box of AES (FIPS 197, Section 5.1.1) as a circuit of single-bit operations: no
/// table, constant time.
///
/// SubBytes is affine(inverse(x)). The inverse is computed in a tower of small fields, where it is
/// cheap. The isomorphism to the tower and back is found at compile time; the map back includes the
/// affine one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "aes/tower.hpp"

namespace girih::aes {

/// Word i holds bit i of many bytes.
template <class Word>
using Slices = std::array<Word, 8>;

/// A linear map of 8 bits: output bit i is the sum of the input bits that row i marks.
using Matrix = std::array<std::uint8_t, 8>;

template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Gf256<Word> tower_element(const Slices<Word>& x) noexcept
{
    return {{{x[0], x[1]}, {x[2], x[3]}}, {{x[4], x[5]}, {x[6], x[7]}}};
}

template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Slices<Word> coefficients(const Gf256<Word>& a) noexcept
{
    return {a.low.low.low,  a.low.low.high,  a.low.high.low,  a.low.high.high,
            a.high.low.low, a.high.low.high, a.high.high.low, a.high.high.high};
}

namespace tables {

/// The bits of a byte, each in a word of its own.
constexpr Slices<unsigned> bits_of(unsigned byte)
{
    Slices<unsigned> bits{};
    for (unsigned i = 0; i < 8; ++i) bits[i] = (byte >> i) & 1;
    return bits;
}

/// One of the eight roots in the tower of AES's polynomial x^8 + x^4 + x^3 + x + 1 (FIPS 197,
/// Section 4.2). The polynomial is evaluated at the 64 elements from 64 to 127, which have a root
/// among them.
inline constexpr unsigned root = [] {
    Slices<std::uint64_t> candidates{};
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned n = 0; n < 64; ++n) candidates[i] |= std::uint64_t{((64 + n) >> i) & 1} << n;
    const Gf256<std::uint64_t> x = tower_element(candidates);
    const Gf256<std::uint64_t> x4 = square(square(x));
    const Slices<std::uint64_t> sum = coefficients(square(x4) ^ x4 ^ multiply(square(x), x) ^ x);
    std::uint64_t no_root = ~sum[0];  // adds the polynomial's 1
    for (unsigned i = 1; i < 8; ++i) no_root |= sum[i];
    return 64 + static_cast<unsigned>(std::countr_one(no_root));
}();
static_assert(root < 128);

/// The isomorphism maps x to the root, and so bit b of a byte to root^b.
inline constexpr std::array<unsigned, 8> powers = [] {
    std::array<unsigned, 8> bytes{};
    Gf256<unsigned> power = tower_element(bits_of(1));
    for (unsigned& byte : bytes) {
        const Slices<unsigned> bits = coefficients(power);
        for (unsigned i = 0; i < 8; ++i) byte |= bits[i] << i;
        power = multiply(power, tower_element(bits_of(root)));
    }
    return bytes;
}();

/// The rows of the linear map from bit b to columns[b].
constexpr Matrix from_columns(const std::array<unsigned, 8>& columns)
{
    Matrix rows{};
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned b = 0; b < 8; ++b)
            rows[i] = static_cast<std::uint8_t>(rows[i] | ((columns[b] >> i) & 1) << b);
    return rows;
}

/// From the bits of a byte to the coefficients in the tower.
inline constexpr Matrix to_tower = from_columns(powers);

/// The affine transformation without its constant (FIPS 197, Section 5.1.1, equation 5.3): bit i of
/// the result is the sum of bits i, i + 4, i + 5, i + 6 and i + 7 modulo 8.
constexpr unsigned affine_without_constant(unsigned byte)
{
    const auto b = static_cast<std::uint8_t>(byte);
    return static_cast<std::uint8_t>(b ^ std::rotl(b, 1) ^ std::rotl(b, 2) ^ std::rotl(b, 3) ^
                                     std::rotl(b, 4));
}

/// From the coefficients in the tower back to the bits of a byte, and through the
/// affine transformation.
inline constexpr Matrix from_tower_and_affine = [] {
    std::array<unsigned, 256> image{};
    std::array<unsigned, 8> columns{};
    for (unsigned byte = 1; byte < 256; ++byte) {
        image[byte] = image[byte & (byte - 1)] ^ powers[static_cast<unsigned>(std::countr_zero(byte))];
        if (std::has_single_bit(image[byte])) {
            columns[static_cast<unsigned>(std::countr_zero(image[byte]))] = affine_without_constant(byte);
        }
    }
    return from_columns(columns);
}();

}  // namespace tables

/// The sum of the words of x that `row` marks. The marks are constants, so only additions are
/// compiled.
template <std::uint8_t row, class Word>
[[nodiscard, gnu::always_inline]] constexpr Word sum_of_marked(const Slices<Word>& x) noexcept
{
    static_assert(row != 0, "a row of an invertible map is not zero");
    constexpr std::uint8_t rest = row & (row - 1);
    const Word& first = x[static_cast<unsigned>(std::countr_zero(row))];
    if constexpr (rest == 0) {
        return first;
    } else {
        return first ^ sum_of_marked<rest>(x);
    }
}

template <Matrix m, class Word>
[[nodiscard, gnu::always_inline]] constexpr Slices<Word> apply(const Slices<Word>& x) noexcept
{
    return {sum_of_marked<m[0]>(x), sum_of_marked<m[1]>(x), sum_of_marked<m[2]>(x), sum_of_marked<m[3]>(x),
            sum_of_marked<m[4]>(x), sum_of_marked<m[5]>(x), sum_of_marked<m[6]>(x), sum_of_marked<m[7]>(x)};
}

/// SUBBYTES() (FIPS 197, Section 5.1.1) on all bytes at once.
template <class Isa>
constexpr void sub_bytes(Slices<typename Isa::Words>& s) noexcept
{
    s = apply<tables::from_tower_and_affine>(
        coefficients(inverse(tower_element(apply<tables::to_tower>(s)))));
    for (const unsigned i : {0U, 1U, 5U, 6U}) s[i] = ~s[i];  // the constant {63}
}

}  // namespace girih::aes
