/// Sorting secret words by a network: which words are compared depends on their number only.
/// word_sort.hpp and vector_sort.hpp have it for microcontrollers and for vectors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace girih::ntru_prime {

/// Calls compare(i, j) with i < j for the comparisons of Batcher's merge exchange (Knuth, The Art
/// of Computer Programming, Section 5.2.2, Algorithm M) on n items.
template <class Compare>
constexpr void merge_exchange(std::size_t n, Compare compare)
{
    if (n < 2) return;
    const std::size_t top = std::bit_ceil(n) / 2;
    for (std::size_t p = top; p > 0; p /= 2) {
        std::size_t q = top;
        std::size_t r = 0;
        for (std::size_t d = p;; d = q - p, q /= 2, r = p) {
            for (std::size_t first = r; first + d < n; first += 2 * p) {
                const std::size_t end = std::min(first + p, n - d);
                for (std::size_t i = first; i < end; ++i) compare(i, i + d);
            }
            if (q == p) break;
        }
    }
}

/// a becomes the lesser of both, and b the greater. Constant time.
[[gnu::always_inline]] constexpr void sort_two(std::uint32_t& a, std::uint32_t& b) noexcept
{
    const std::uint64_t difference = std::uint64_t{b} - a;
    const std::uint32_t step = static_cast<std::uint32_t>(difference) &
                               static_cast<std::uint32_t>(difference >> 32);  // a > b: b - a
    a += step;
    b -= step;
}

/// crypto_sort_uint32 (NTRU Prime, Section 3.2): sorts words in place, ascending. Constant time in
/// the words.
template <class Isa>
constexpr void sort(std::span<std::uint32_t> words) noexcept
{
    merge_exchange(words.size(), [words](std::size_t i, std::size_t j) { sort_two(words[i], words[j]); });
}

}  // namespace girih::ntru_prime
