/// The sort of sort.hpp on processors without vectors.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unroll.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/sampling/sort.hpp"

namespace girih::ntru_prime {

/// crypto_sort_uint32 (NTRU Prime, Section 3.2), with the comparisons of merge_exchange in another
/// order: all comparisons of one word with later words follow one another, while it is in a
/// register. Constant time in the words. An element is a word, or an engine's own structure with
/// one.
template <class Isa, class Element>
class WordSort {
  public:
    [[gnu::noinline]] static constexpr void sort(std::span<Element> words) noexcept
    {
        const std::size_t n = words.size();
        if (n < 2) return;
        const std::size_t top = std::bit_ceil(n) / 2;
        std::size_t p = top;
        for (; p > 4; p /= 2) merge<Offsets{0, 1, 2, 3}, 4>(words.data(), n, top, p);
        if (p == 4) merge<Offsets{0, 1, 2, 3}, 8>(words.data(), n, top, 4);
        if (top >= 2) merge<Offsets{0, 1, 4, 5}, 8>(words.data(), n, top, 2);
        merge<Offsets{0, 2, 4, 6}, 8>(words.data(), n, top, 1);
    }

  private:
    /// Four indices without the bit p, from the first one on.
    using Offsets = std::array<std::size_t, 4>;

    [[gnu::always_inline]] static constexpr void exchange(Element& a, Element& b) noexcept
    {
        sort_two(word_of(a), word_of(b));
    }

    [[gnu::always_inline]] static constexpr std::uint32_t& word_of(Element& element) noexcept
    {
        if constexpr (requires { element.word; })
            return element.word;
        else
            return element;
    }

    /// For all indices i without the bit p: compares words i and i + p; then word i + p with words
    /// i + q, for q = top, top / 2, ..., 2p. The indices are taken in fours where four fit. Such
    /// fours follow one another at a stride: at a stride of 8 all of them, at 4 those up to the
    /// next index that has the bit.
    template <Offsets four, std::size_t stride>
    [[gnu::always_inline]] static constexpr void merge(Element* words, std::size_t n, std::size_t top,
                                                       std::size_t p) noexcept
    {
        const auto next = [p](std::size_t i) { return ((i | p) + 1) & ~p; };
        // How many fours follow, including the one at i, for which there are words q further on.
        const auto fours = [n, p](std::size_t i, std::size_t q) -> std::size_t {
            if (i % stride != 0 || i + four[3] + q >= n) return 0;
            const std::size_t fitting = (n - q - i - four[3] + stride - 1) / stride;
            return stride == 4 ? std::min(fitting, (p - (i & (p - 1))) / stride) : fitting;
        };
        for (std::size_t i = 0; i + p < n;) {
            if (const std::size_t count = fours(i, p); count != 0) {
                compare_fours<four, stride>(&words[i], &words[i], p, p / 2, count);
                i = next(i + (count - 1) * stride + four[3]);
            } else {
                compare<1, four>(&words[i], &words[i], p, p / 2);
                i = next(i);
            }
        }
        // First the indices for which all distances fit, then fewer. Each word i + q is compared at
        // falling distances, whether words i + p are taken one by one or in fours.
        std::size_t i = 0;
        for (std::size_t q = top; q > p; q /= 2)
            while (i + q < n) {
                if (const std::size_t count = fours(i, q); count != 0) {
                    compare_fours<four, stride>(&words[i + p], &words[i], q, p, count);
                    i = next(i + (count - 1) * stride + four[3]);
                } else {
                    compare<1, four>(&words[i + p], &words[i], q, p);
                    i = next(i);
                }
            }
    }

    template <Offsets at, std::size_t stride>
    [[gnu::always_inline]] static constexpr void compare_fours(Element* words, Element* others,
                                                               std::size_t distance, std::size_t end,
                                                               std::size_t count) noexcept
    {
        if constexpr (isa::ComparesFours<Isa, Element>)
            return Isa::template compare_fours<at[3], stride>(words, others, distance, end, count);
        for (; count != 0; --count, words += stride, others += stride)
            compare<4, at>(words, others, distance, end);
    }

    /// Compares words with those that are `distance`, distance / 2, ... after `others`, as long as
    /// that is above `end`.
    template <std::size_t count, Offsets at>
    [[gnu::always_inline]] static constexpr void compare(Element* words, Element* others,
                                                         std::size_t distance, std::size_t end) noexcept
    {
        std::array<Element, count> word{};
        unroll<count>([&](auto k) __attribute__((always_inline)) { word[k] = words[at[k]]; });
        for (std::size_t r = distance; r > end; r /= 2)
            unroll<count>([&](auto k)
                              __attribute__((always_inline)) { exchange(word[k], others[r + at[k]]); });
        unroll<count>([&](auto k) __attribute__((always_inline)) { words[at[k]] = word[k]; });
    }
};

}  // namespace girih::ntru_prime
