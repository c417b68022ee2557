/// Products in R/3 on 32-bit words: four coefficients in a word, a byte each.
///
/// 1. Bytes. Coefficients are taken from {0, 1, 2}. The integer product of two words has the
///    product of both polynomials in its bytes, as long as no coefficient of that reaches 256. This
///    also holds for sums of such products, if each byte is a sum of at most 48 products of
///    coefficients: 48 * 2 * 2 < 256.
///
/// 2. So polynomials of 48 coefficients, which are 12 words, are multiplied like integers, column
///    by column.
///
/// 3. Longer ones are multiplied by Karatsuba's method: with a = a0 + a1 X and b = b0 + b1 X,
///
///        a b = a0 b0 + ((a0 + a1) (b0 + b1) - a0 b0 - a1 b1) X + a1 b1 X^2,
///
///    three products of half the length. Four levels are enough for 768 coefficients. -1 is 2
///    modulo 3.
///
/// 4. x^p = x + 1, and residues in {-1, 0, 1}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "isa/products.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// Constant time. `Isa` keeps the types of engines apart, and may have assembly for the loops.
template <class Isa, class R>
class WordProductModulo3 {
    using Word = std::uint32_t;
    static constexpr std::size_t p = R::p;
    static constexpr std::size_t capacity = R::capacity;
    static constexpr std::size_t few = 12;  ///< words that are multiplied column by column
    static_assert(4 * few * 2 * 2 < 256);
    static constexpr std::size_t words = few << 4;
    static_assert(4 * words >= p);

  public:
    /// R3_mult (NTRU Prime, Section 3.5), in bytes of words.
    [[gnu::noinline]] static void multiply(const Small<capacity>& a, const Small<capacity>& b,
                                           Small<capacity>& product)
    {
        Wiped<Memory> wiped{uninitialized};
        Memory& m = *wiped;
        pack(a, m.a);
        pack(b, m.b);
        multiply<words>(m.a.data(), m.b.data(), m.product.data(), m.scratch.data());
        fold(m.product, product);
    }

  private:
    struct Memory {
        std::array<Word, words> a;
        std::array<Word, words> b;
        std::array<Word, 2 * words> product;
        std::array<Word, 4 * words> scratch;
    };

    static constexpr Word each = 0x01010101;

    /// Coefficients in {0, 1, 2}.
    static void pack(const Small<capacity>& a, std::array<Word, words>& packed)
    {
        packed = {};
        std::memcpy(packed.data(), a.c.data(), p);
        for (Word& word : packed) word = (word & each) + (word >> 1 & each);  // -1 is all bits
    }

    /// Bytes that are congruent to any bytes modulo 3, and at most 30: 16 is 1 modulo 3.
    [[nodiscard, gnu::always_inline]] static constexpr Word reduce_to_30(Word a)
    {
        return (a & 0xF * each) + (a >> 4 & 0xF * each);
    }

    /// Multiplies n words of bytes in {0, 1, 2}. The product's bytes are at most 30. The scratch
    /// has room for 4n words.
    template <std::size_t n>
    [[gnu::noinline]] static void multiply(const Word* a, const Word* b, Word* product, Word* scratch)
    {
        if constexpr (n == 2 * few && isa::ByteAssembly<Isa>) {
            Isa::multiply_bytes(product, a, b);
        } else if constexpr (n == few) {
            multiply_few(a, b, product);
        } else {
            constexpr std::size_t half = n / 2;
            Word* const a_sum = scratch;
            Word* const b_sum = a_sum + half;
            Word* const middle = b_sum + half;
            Word* const rest = middle + n;
            multiply<half>(a, b, product, rest);
            multiply<half>(a + half, b + half, product + n, rest);
            add<half>(a, a_sum);
            add<half>(b, b_sum);
            multiply<half>(a_sum, b_sum, middle, rest);
            join<half>(product, middle);
        }
    }

    /// The sums of both halves of a.
    template <std::size_t half>
    [[gnu::always_inline]] static void add(const Word* a, Word* sums)
    {
        if constexpr (isa::ByteAssembly<Isa>) return Isa::add_bytes(sums, a, a + half, a + half);
        for (std::size_t i = 0; i < half; ++i) sums[i] = sum(a[i], a[half + i]);
    }
    template <std::size_t half>
    [[gnu::always_inline]] static void join(Word* product, const Word* middle)
    {
        if constexpr (isa::ByteAssembly<Isa>) return Isa::join_products(product, middle, half);
        constexpr std::size_t n = 2 * half;
        for (std::size_t i = 0; i < half; ++i) {
            const Word low0 = product[i];
            const Word low1 = product[half + i];
            const Word high0 = product[n + i];
            const Word high1 = product[n + half + i];
            // 2 is -1 modulo 3; a sum of bytes is at most 6 * 30.
            product[half + i] = reduce_to_30(low1 + middle[i] + 2 * (low0 + high0));
            product[n + i] = reduce_to_30(high0 + middle[half + i] + 2 * (low1 + high1));
        }
    }

    /// The sum modulo 3 of bytes in {0, 1, 2}.
    [[nodiscard, gnu::always_inline]] static constexpr Word sum(Word a, Word b)
    {
        const Word whole = a + b;
        return whole - 3 * ((whole + 5 * each) >> 3 & each);  // 3 and 4 have a bit 3 with 5 more
    }

    /// Column by column.
    [[gnu::always_inline]] static void multiply_few(const Word* a, const Word* b, Word* product)
    {
        std::uint64_t column = 0;
        unroll<2 * few - 1>([&](auto k) __attribute__((always_inline)) {
            constexpr std::size_t first = k < few ? 0 : k - few + 1;
            constexpr std::size_t terms = k < few ? k + 1 : 2 * few - 1 - k;
            unroll<terms>([&](auto i) __attribute__((always_inline)) {
                column += isa::long_product(a[first + i], b[k - first - i]);
            });
            product[k] = reduce_to_30(static_cast<Word>(column));
            column >>= 32;
        });
        product[2 * few - 1] = reduce_to_30(static_cast<Word>(column));
    }

    /// x^p = x + 1, and coefficients in {-1, 0, 1}.
    static void fold(const std::array<Word, 2 * words>& whole, Small<capacity>& product)
    {
        const auto at = [bytes = reinterpret_cast<const unsigned char*>(whole.data())](std::size_t i) {
            Word word;
            std::memcpy(&word, bytes + i, sizeof word);
            return word;
        };
        // The coefficient of x^(p - 1) is not folded onto that of 1, and that of x^(2p - 1) is 0.
        static_assert(8 * words >= 2 * p + 3);
        for (std::size_t i = 0; i < p; i += 4) {
            const Word above = i == 0 ? at(p - 1) & ~Word{0xFF} : at(p - 1 + i);
            const Word sum = reduce_to_30(reduce_to_30(at(i) + at(p + i) + above));  // at most 90, 20, 16
            const Word four = (sum & 3 * each) + (sum >> 2 & 7 * each);              // at most 6
            const Word two = (four & 3 * each) + (four >> 2 & each);                 // at most 3
            const Word least = two - 3 * ((two + 5 * each) >> 3 & each);
            // 2 becomes -1: all bits.
            const Word ones = least >> 1 & each;
            const Word signs = (ones << 8) - ones;
            const Word coefficients = (least & each) | signs;
            std::memcpy(&product.c[i], &coefficients, i + 4 <= p ? 4 : p % 4);
        }
    }
};

}  // namespace girih::ntru_prime
