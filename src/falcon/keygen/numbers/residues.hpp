/// Large integers as residues modulo primes, and back.
///
/// Constant time in the integers, not in their lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"
#include "falcon/keygen/numbers/big_poly.hpp"
#include "falcon/keygen/numbers/rns.hpp"
#include "falcon/keygen/numbers/rns_primes.hpp"

namespace girih::falcon {

/// The first out.size() coefficients, modulo a prime.
template <class Isa>
constexpr void residues(const BigPoly& a, const rns::Field<Isa>& field, std::span<Word> out)
{
    // 2^31 modulo p is 2^31 - p.
    const Word base = field.to_montgomery((Word{1} << word_bits) - field.prime.p);
    Word weight = field.one();  // of the word after the last
    for (std::size_t j = 0; j < a.length; ++j) weight = field.multiply(weight, base);
    weight = field.multiply(weight, 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        Word residue = 0;
        for (std::size_t j = a.length; j-- > 0;) {
            residue = field.multiply(residue, base);
            residue = field.add(residue, field.subtract_p_if_not_below(a.at(j, i) & word_mask));
        }
        const Word is_negative = negative_lane(a.at(a.length - 1, i) << 1);
        out[i] = field.subtract(residue, weight & is_negative);
    }
}

/// Integers of smallest magnitude from their residues modulo as many primes as they have words.
/// `product` is scratch memory for one integer.
///
/// Garner: if x is right modulo all earlier primes, with product P, then x + P ((r - x) / P mod p)
/// is right modulo p as well.
template <class Isa>
constexpr void rebuild(const BigPoly& a, std::span<const rns::Prime> primes, std::span<Word> product)
{
    const std::size_t length = a.length;
    product[0] = primes[0].p;
    for (std::size_t j = 1; j < length; ++j) {
        const rns::Field<Isa> field{primes[j]};
        const Word base = field.to_montgomery((Word{1} << word_bits) - field.prime.p);
        for (std::size_t i = 0; i < a.n; ++i) {
            Word residue = 0;
            for (std::size_t k = j; k-- > 0;) {
                residue = field.multiply(residue, base);
                residue = field.add(residue, field.subtract_p_if_not_below(a.at(k, i)));
            }
            const Word factor = field.multiply(field.subtract(a.at(j, i), residue), field.prime.crt);
            std::uint64_t carry = 0;
            for (std::size_t k = 0; k < j; ++k) {
                carry += std::uint64_t{product[k]} * factor + a.at(k, i);
                a.at(k, i) = static_cast<Word>(carry) & word_mask;
                carry >>= word_bits;
            }
            a.at(j, i) = static_cast<Word>(carry);
        }
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < j; ++k) {
            carry += std::uint64_t{product[k]} * field.prime.p;
            product[k] = static_cast<Word>(carry) & word_mask;
            carry >>= word_bits;
        }
        product[j] = static_cast<Word>(carry);
    }
    // Integers above half of the product become negative.
    for (std::size_t i = 0; i < a.n; ++i) {
        Word borrow = 0;  // of half the product minus x
        for (std::size_t k = 0; k < length; ++k) {
            const Word next = k + 1 < length ? product[k + 1] : 0;
            const Word halved = ((product[k] >> 1) | (next << (word_bits - 1))) & word_mask;
            borrow = (halved - a.at(k, i) - borrow) >> 31;
        }
        const Word mask = odd_mask(borrow);
        borrow = 0;
        for (std::size_t k = 0; k < length; ++k) {
            const Word difference = a.at(k, i) - (product[k] & mask) - borrow;
            a.at(k, i) = difference & word_mask;
            borrow = difference >> 31;
        }
    }
}

}  // namespace girih::falcon
