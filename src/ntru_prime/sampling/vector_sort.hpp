/// The sort of sort.hpp in the lanes of vectors.
///
/// 1. Columns. Words are in `rows` vectors, and each lane of these is a column. All columns are
///    sorted side by side, since comparing two vectors compares all their lanes: the halves of a
///    column are sorted and then merged; a column that fits into registers is sorted by
///    merge_exchange.
///
/// 2. Groups of columns are merged, two and two, until one group has all columns. These merges are
///    bitonic: the first group ascends, the second descends. Sorting the complements of a group's
///    words in ascending order sorts the words in descending order.
///
/// 3. In the end, the i-th smallest word is in row i % rows of lane i / rows.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/unroll.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/sampling/sort.hpp"

namespace girih::ntru_prime {

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

/// crypto_sort_uint32 (NTRU Prime, Section 3.2), in vectors. Constant time in the words.
template <class Isa>
class VectorSort {
    using Lanes = typename Isa::SortLanes;

  public:
    using Vector = typename Lanes::Vector;
    static constexpr std::size_t lanes = Lanes::lanes;
    /// The rows that `count` words need: 5, 6, 7 or 8 times a power of two, so that columns can be
    /// halved down to a few rows.
    static constexpr std::size_t rows_for(std::size_t count)
    {
        const std::size_t least = (count + lanes - 1) / lanes;
        const std::size_t step = std::bit_ceil(least) / 8;
        return (least + step - 1) & ~(step - 1);
    }
    using Rows = std::span<Vector>;

    /// At least twice as many rows as stay in registers.
    [[gnu::noinline]] static void sort(Rows v) noexcept
    {
        assert(!is_few(v.size()));
        const Vector flip = complements<1, lanes>();
        for (Vector& row : v) row ^= flip;
        sort_rows(v.data(), v.size());
        merge_groups<1>(v);
    }

  private:
    /// Calls f with n as a constant, and returns true, if n rows stay in registers.
    template <class F>
    [[gnu::always_inline]] static bool if_few(std::size_t n, F f) noexcept
    {
        // Halving ends at one of these: 5, 6, 7 or 8 times a power of two.
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
        // Both halves ascend. Each word is compared with its mirror image: the lesser goes to the
        // first half and the greater to the second, and both halves become bitonic.
        for (std::size_t i = 0; i < n / 2; ++i) exchange(v[i], v[n - 1 - i]);
        merge_rows(v, n / 2);
        merge_rows(v + n / 2, n / 2);
    }

    /// Sorts columns of n rows that are bitonic.
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

    /// All ones in the lanes of every other group of `a` lanes; in every other group of `b` lanes
    /// it is the other way round. (If `b` is the number of all lanes, there is no second group.)
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

    /// Merges groups of `size` lanes, of which every other holds complements, then groups of twice
    /// that, and so on.
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

    /// A bitonic merge inside a vector: compares lanes that are `distance` apart, then half of
    /// that.
    template <std::size_t distance>
    [[nodiscard, gnu::always_inline]] static Vector merge_lanes(Vector row) noexcept
    {
        const Vector others = Lanes::template partners<distance>(row);
        const Vector least = Isa::minimum(row, others);
        if constexpr (isa::LowerAndUpper<Isa, distance>)
            row = Isa::template lower_and_upper<distance>(row, others, least);
        else
            row = Lanes::template lower_and_upper<distance>(least, Isa::maximum(row, others, least));
        if constexpr (distance > 1) return merge_lanes<distance / 2>(row);
        return row;
    }
};

}  // namespace girih::ntru_prime
