/// Arithmetic of polynomials with large integers as coefficients.
///
/// Constant time in the integers, not in their lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/residues.hpp"

namespace girih::falcon {

/// The last words of every coefficient as a number, in units of the first of these words.
template <class Isa, class Fpr = typename Isa::Fpr>
constexpr void approximate(const BigPoly& a, std::size_t last_words, std::span<Fpr> out)
{
    const Fpr base{0x1p31};
    const std::size_t length = a.length;
    for (std::size_t i = 0; i < a.n; ++i) {
        Fpr sum = Fpr::of(signed_word(a.at(length - 1, i)));
        for (std::size_t j = 1; j < last_words; ++j) sum = sum * base + Fpr::of(a.at(length - 1 - j, i));
        out[i] = sum;
    }
}

/// a -= b 2^shift
template <class Isa>
constexpr void subtract_shifted(const BigPoly& a, const BigPoly& b, WordShift shift)
{
    for (std::size_t i = 0; i < a.n; ++i) {
        ShiftedWords shifted{b, i, shift.bits};
        Word borrow = 0;
        for (std::size_t j = shift.words; j < a.length; ++j) {
            const Word difference = a.at(j, i) - shifted.next() - borrow;
            a.at(j, i) = difference & word_mask;
            borrow = difference >> 31;
        }
    }
}

/// a -= k b 2^shift modulo x^n + 1, coefficient by coefficient. |k_i| < 2^30.
template <class Isa>
constexpr void subtract_multiple(const BigPoly& a, std::span<const std::int32_t> k, const BigPoly& b,
                                 WordShift shift)
{
    const std::size_t n = a.n;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t to = (i + j) & (n - 1);
            const std::int64_t factor = i + j < n ? -k[i] : k[i];
            ShiftedWords shifted{b, j, shift.bits};
            std::int64_t carry = 0;
            for (std::size_t w = shift.words; w < a.length; ++w) {
                carry += factor * shifted.next() + a.at(w, to);
                a.at(w, to) = static_cast<Word>(carry) & word_mask;
                carry >>= word_bits;
            }
        }
    }
}

}  // namespace girih::falcon
