/// Sorting secrets, by networks: what is compared with what depends on the number of words only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unroll.hpp"

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

/// The comparisons of merge_exchange on n items.
template <std::size_t n>
consteval auto merge_exchange_pairs()
{
    struct Pair {
        std::size_t first;
        std::size_t second;
    };
    struct Pairs {
        std::array<Pair, n * n> of{};
        std::size_t count = 0;
    } pairs;
    merge_exchange(n, [&](std::size_t i, std::size_t j) { pairs.of[pairs.count++] = {i, j}; });
    return pairs;
}

/// crypto_sort_uint32 (NTRU Prime, Section 3.2): sorts words in place, ascending, one comparison at
/// a time: those of merge_exchange, but all that one word has with words behind it, one after the
/// other, while it is in a register. Constant time in the words. An element is a word, or an
/// engine's own with one.
template <class Isa, class Element>
class SerialSort {
  public:
    [[gnu::always_inline]] static constexpr void sort(std::span<Element> words) noexcept
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
    /// Of four numbers without the bit p, from one on that is a multiple of some number.
    using Offsets = std::array<std::size_t, 4>;

    [[gnu::always_inline]] static constexpr void exchange(Element& element_a, Element& element_b) noexcept
    {
        std::uint32_t& a = word_of(element_a);
        std::uint32_t& b = word_of(element_b);
        const std::uint64_t difference = std::uint64_t{b} - a;
        const std::uint32_t step = static_cast<std::uint32_t>(difference) &
                                   static_cast<std::uint32_t>(difference >> 32);  // a > b: b - a
        a += step;
        b -= step;
    }

    [[gnu::always_inline]] static constexpr std::uint32_t& word_of(Element& element) noexcept
    {
        if constexpr (requires { element.word; })
            return element.word;
        else
            return element;
    }

    /// The comparisons of numbers that differ in the bit p, and then those by which sorted
    /// sequences are merged. Of numbers without that bit, fours follow one another at a stride: all
    /// of them where that is 8, and where it is 4 those up to the next number with it.
    template <Offsets four, std::size_t stride>
    [[gnu::always_inline]] static constexpr void merge(Element* words, std::size_t n, std::size_t top,
                                                       std::size_t p) noexcept
    {
        const auto next = [p](std::size_t i) { return ((i | p) + 1) & ~p; };
        // How many follow, i among them, of which all have a number that is q higher.
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
        // Numbers without the bit p: first those where all distances fit, then fewer. Each word
        // without the bit is compared at falling distances, whether words with it are taken one
        // after the other or four at once.
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
        if constexpr (requires { Isa::template compare_fours<at[3], stride>(words, others, 1, 0, 1); })
            return Isa::template compare_fours<at[3], stride>(words, others, distance, end, count);
        for (; count != 0; --count, words += stride, others += stride)
            compare<4, at>(words, others, distance, end);
    }

    /// The comparisons of some words with those that stand `distance`, a half of that, a quarter,
    /// ... behind as many others: down to what is twice `end`.
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

template <class Isa, class Element = std::uint32_t>
[[gnu::noinline]] constexpr void sort(std::span<Element> words) noexcept
{
    SerialSort<Isa, Element>::sort(words);
}

/// As crypto_sort_uint32 (NTRU Prime, Section 3.2), in the lanes of vectors. Constant time in the
/// words.
///
/// Each lane is a column of `rows` words. The columns are sorted, all side by side; then groups of
/// columns are merged, two and two: bitonic merges, for which every other group has to descend.
/// What descends, ascends by its complements.
template <class Isa>
class VectorSort {
    using Lanes = typename Isa::SortLanes;

  public:
    using Vector = typename Lanes::Vector;
    static constexpr std::size_t lanes = Lanes::lanes;
    /// Enough, and 5, 6, 7 or 8 times a power of two, so that columns can be halved down to a few
    /// rows.
    static constexpr std::size_t rows_for(std::size_t count)
    {
        const std::size_t least = (count + lanes - 1) / lanes;
        const std::size_t step = std::bit_ceil(least) / 8;
        return (least + step - 1) & ~(step - 1);
    }
    using Rows = std::span<Vector>;

    /// Afterwards, the i-th least word is in row i % rows of lane i / rows. There are twice as many
    /// rows as stay in registers, or more.
    [[gnu::noinline]] static void sort(Rows v) noexcept
    {
        assert(!is_few(v.size()));
        const Vector flip = complements<1, lanes>();
        for (Vector& row : v) row ^= flip;
        sort_rows(v.data(), v.size());
        merge_groups<1>(v);
    }

  private:
    /// f of n as a constant, if n is one of the numbers down to which columns are halved: so few
    /// rows that they stay in registers.
    template <class F>
    [[gnu::always_inline]] static bool if_few(std::size_t n, F f) noexcept
    {
        // 5, 6, 7 or 8 times a power of two.
        if constexpr (sizeof(Vector) == 64)  // of 32 registers
            return if_one_of<16, 20, 24, 28>(n, f);
        else if constexpr (sizeof(Vector) == 32)  // of 16
            return if_one_of<8, 10, 12, 14>(n, f);
        else
            return if_one_of<6, 7, 8, 10>(n, f);
    }
    [[nodiscard]] static bool is_few(std::size_t n) noexcept
    {
        return if_few(n, [](auto) {});
    }
    template <std::size_t... few, class F>
    [[gnu::always_inline]] static bool if_one_of(std::size_t n, F f) noexcept
    {
        return ((n == few && (f(std::integral_constant<std::size_t, few>{}), true)) || ...);
    }

    /// Sorts columns of n rows: their halves, which are then merged.
    [[gnu::noinline]] static void sort_rows(Vector* v, std::size_t n) noexcept
    {
        if (if_few(n, [v](auto few) { sort_few<few>(v); })) return;
        sort_rows(v, n / 2);
        sort_rows(v + n / 2, n / 2);
        // Both halves ascend, so that the lesser ones of words and their mirror images are bitonic,
        // and so are the greater ones.
        for (std::size_t i = 0; i < n / 2; ++i) exchange(v[i], v[n - 1 - i]);
        merge_rows(v, n / 2);
        merge_rows(v + n / 2, n / 2);
    }

    /// Sorts columns of n rows that are bitonic: clean halves are sorted alike.
    [[gnu::noinline]] static void merge_rows(Vector* v, std::size_t n) noexcept
    {
        if (if_few(n, [v](auto few) { merge_few<few>(v); })) return;
        if (is_few(n / 2)) {
            for (std::size_t i = 0; i < n / 2; ++i) exchange(v[i], v[i + n / 2]);
            merge_rows(v, n / 2);
            merge_rows(v + n / 2, n / 2);
            return;
        }
        // Halved twice in one pass.
        const std::size_t quarter = n / 4;
        for (std::size_t i = 0; i < quarter; ++i) {
            Few<4> four;
            unroll<4>([&](auto j) __attribute__((always_inline)) { four[j] = v[i + j * quarter]; });
            exchange(four[0], four[2]);
            exchange(four[1], four[3]);
            exchange(four[0], four[1]);
            exchange(four[2], four[3]);
            unroll<4>([&](auto j) __attribute__((always_inline)) { v[i + j * quarter] = four[j]; });
        }
        for (std::size_t i = 0; i < 4; ++i) merge_rows(v + i * quarter, quarter);
    }

    template <std::size_t n>
    [[gnu::noinline]] static void sort_few(Vector* v) noexcept
    {
        in_registers<n>(v, [](Few<n>& few) __attribute__((always_inline)) { sort_few_from<n, n, 0>(few); });
    }
    template <std::size_t n>
    [[gnu::noinline]] static void merge_few(Vector* v) noexcept
    {
        in_registers<n>(v, [](Few<n>& few) __attribute__((always_inline)) { merge_few_from<n, n, 0>(few); });
    }

    template <std::size_t n>
    using Few = std::array<Vector, n>;
    template <std::size_t n, class F>
    [[gnu::always_inline]] static void in_registers(Vector* v, F f) noexcept
    {
        Few<n> few;
        unroll<n>([&](auto i) __attribute__((always_inline)) { few[i] = v[i]; });
        f(few);
        unroll<n>([&](auto i) __attribute__((always_inline)) { v[i] = few[i]; });
    }
    template <std::size_t n, std::size_t size, std::size_t first>
    [[gnu::always_inline]] static void sort_few_from(Few<n>& v) noexcept
    {
        static constexpr auto pairs = merge_exchange_pairs<size>();
        unroll<pairs.count>([&](auto i) __attribute__((always_inline)) {
            exchange(v[first + pairs.of[i].first], v[first + pairs.of[i].second]);
        });
    }
    template <std::size_t n, std::size_t size, std::size_t first>
    [[gnu::always_inline]] static void merge_few_from(Few<n>& v) noexcept
    {
        if constexpr (size % 2 == 0) {
            unroll<size / 2>([&](auto i) __attribute__((always_inline)) {
                exchange(v[first + i], v[first + i + size / 2]);
            });
            merge_few_from<n, size / 2, first>(v);
            merge_few_from<n, size / 2, first + size / 2>(v);
        } else if constexpr (size > 1) {
            sort_few_from<n, size, first>(v);
        }
    }
    [[gnu::always_inline]] static void exchange(Vector& a, Vector& b) noexcept
    {
        const Vector least = Isa::minimum(a, b);
        b = Isa::maximum(a, b, least);
        a = least;
    }

    /// What complements every other group of `a` lanes, and every other group of `b`; those of both
    /// stay as they are. There are no other groups of all lanes.
    template <std::size_t a, std::size_t b>
    [[nodiscard]] static Vector complements() noexcept
    {
        static constexpr auto mask = [] {
            std::array<std::int32_t, lanes> m{};
            for (std::size_t i = 0; i < lanes; ++i) m[i] = ((i & a) != 0) == ((i & b) != 0) ? 0 : -1;
            return m;
        }();
        return Lanes::load(mask.data());
    }

    /// Merges groups of `size` lanes, of which every other is in complements, and so
    /// on up to all lanes.
    template <std::size_t size>
    static void merge_groups(Rows v) noexcept
    {
        if constexpr (size < lanes) {
            const Vector flip = complements<size, 2 * size>();
            const std::size_t half = v.size() / 2;
            for (std::size_t i = 0; i < half; ++i) {  // columns are halved in the same pass
                Vector low = merge_lanes<size>(v[i] ^ flip);
                Vector high = merge_lanes<size>(v[i + half] ^ flip);
                exchange(low, high);
                v[i] = low;
                v[i + half] = high;
            }
            merge_rows(v.data(), half);
            merge_rows(v.data() + half, half);
            merge_groups<2 * size>(v);
        }
    }

    /// Cleans the halves of groups of lanes: those `distance` apart, and then nearer ones.
    template <std::size_t distance>
    [[nodiscard, gnu::always_inline]] static Vector merge_lanes(Vector row) noexcept
    {
        const Vector others = Lanes::template partners<distance>(row);
        const Vector least = Isa::minimum(row, others);
        if constexpr (requires { Isa::template lower_and_upper<distance>(row, others, least); })
            row = Isa::template lower_and_upper<distance>(row, others, least);
        else
            row = Lanes::template lower_and_upper<distance>(least, Isa::maximum(row, others, least));
        if constexpr (distance > 1) return merge_lanes<distance / 2>(row);
        return row;
    }
};

}  // namespace girih::ntru_prime
