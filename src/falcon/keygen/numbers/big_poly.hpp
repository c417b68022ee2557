/// Polynomials with large integers as coefficients, for the key generator.
///
/// An integer is words of 31 bits, lowest first, in two's complement: bit 30 of the last word is
/// the sign. Words of equal weight are contiguous: word j of coefficient i is at j n + i. So a row
/// is either words of one weight, or residues modulo one prime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/secret.hpp"

namespace girih::falcon {

using Word = std::uint32_t;

inline constexpr int word_bits = 31;
inline constexpr Word word_mask = (Word{1} << word_bits) - 1;

/// A last word as a signed integer.
[[nodiscard]] constexpr std::int32_t signed_word(Word a) { return static_cast<std::int32_t>(a << 1) >> 1; }
/// The words that extend an integer beyond its last word.
[[nodiscard]] constexpr Word sign_extension(Word last) { return negative_lane(last << 1) & word_mask; }

/// n integers of `length` words.
struct BigPoly {
    std::span<Word> words;
    std::size_t n;
    std::size_t length;

    [[nodiscard]] constexpr std::span<Word> row(std::size_t j) const { return words.subspan(j * n, n); }
    [[nodiscard]] constexpr Word& at(std::size_t j, std::size_t i) const { return words[j * n + i]; }
};

/// A shift of an integer to the left.
struct WordShift {
    std::size_t words;
    int bits;  ///< below 31

    [[nodiscard]] static constexpr WordShift of(int bits)
    {
        std::size_t words = 0;
        // The barrier keeps compilers from making a division of the loop.
        for (; bits >= word_bits; bits = value_barrier(bits - word_bits)) ++words;
        return {words, bits};
    }
};

/// Yields the words of an integer shifted to the left by fewer than 31 bits, and its sign after the
/// last.
class ShiftedWords {
  public:
    constexpr ShiftedWords(const BigPoly& a, std::size_t i, int bits) : a_(a), i_(i), bits_(bits) {}
    [[nodiscard]] constexpr Word next()
    {
        const Word word = at_ < a_.length ? a_.at(at_, i_) : extension_;
        if (++at_ == a_.length) extension_ = sign_extension(word);
        const Word shifted = ((word << bits_) | carried_) & word_mask;
        carried_ = static_cast<Word>(std::uint64_t{word} << bits_ >> word_bits);
        return shifted;
    }

  private:
    const BigPoly& a_;
    std::size_t i_;
    int bits_;
    std::size_t at_ = 0;
    Word extension_ = 0;
    Word carried_ = 0;
};

}  // namespace girih::falcon
