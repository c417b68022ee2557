/// Random polynomials: Small_random, Short_fromlist and Short_random ("NTRU Prime: round 3",
/// Section 3.2). The stack that they use is wiped at the end of each operation (OperationsOf).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/wipe.hpp"
#include "isa/isa.hpp"
#include "ntru_prime/sampling/random_stream.hpp"
#include "ntru_prime/sampling/sort.hpp"
#include "ntru_prime/sampling/vector_sort.hpp"
#include "ntru_prime/sampling/word_sort.hpp"
#include "ntru_prime/types.hpp"

namespace girih::ntru_prime {

/// Small_random (NTRU Prime, Section 3.2): each coefficient from a word of its own, by its lower 30
/// bits. Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void small_random(const R& ring, RandomStream<Isa>& random, Small<R::capacity>& g)
{
    Words<R::capacity> words;
    random.words(std::span{words}.first(ring.p));
    const std::size_t p = ring.p;
    for (std::size_t i = 0; i < p; ++i)
        g.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>((words[i] & 0x3fffffff) * 3 >> 30) - 1);
}

/// The end of Short_fromlist (NTRU Prime, Section 3.2) on vectors: sorts the words, and takes a
/// coefficient from each.
template <class Isa, std::size_t capacity>
[[gnu::noinline]] void sorted_coefficients(std::size_t count, const std::uint32_t* words, std::int8_t* f)
{
    using Sort = VectorSort<Isa>;
    const std::size_t row_count = Sort::rows_for(count);
    std::array<typename Sort::Vector, Sort::rows_for(capacity)> rows;
    // Vectors compare words as signed integers: flipping the sign bits keeps the order. The
    // padding, of the largest word, comes last.
    const auto flip = Isa::SortLanes::broadcast(std::numeric_limits<std::int32_t>::min());
    for (std::size_t i = 0; i < row_count; ++i) {
        std::array<std::uint32_t, Sort::lanes> row;
        const std::size_t first = i * Sort::lanes;
        if (first + Sort::lanes <= count) {
            rows[i] = Isa::SortLanes::load(words + first) ^ flip;
        } else {
            for (std::size_t j = 0; j < Sort::lanes; ++j)
                row[j] = first + j < count ? words[first + j] : ~std::uint32_t{0};
            rows[i] = Isa::SortLanes::load(row.data()) ^ flip;
        }
    }
    Sort::sort(std::span{rows}.first(row_count));
    // Each lane is a column of sorted words. Four rows at a time: four coefficients, a byte each,
    // that follow one another in a column.
    std::array<Byte, Sort::lanes * Sort::rows_for(capacity)> columns;
    std::array<std::uint32_t, Sort::lanes> fours;
    for (std::size_t i = 0; i < row_count; i += 4) {
        typename Sort::Vector bytes{};
        for (std::size_t j = 0; j < 4; ++j)
            bytes |= (((rows[i + j] & 3) - 1) & Isa::SortLanes::broadcast(0xff)) << (8 * j);
        Isa::SortLanes::store(fours.data(), bytes);
        for (std::size_t lane = 0; lane < Sort::lanes; ++lane)
            store_le32(&columns[lane * row_count + i], fours[lane]);
    }
    std::memcpy(f, columns.data(), count);
}

/// Short_fromlist (NTRU Prime, Section 3.2): the first w words become even, the others 1 modulo 4;
/// then they are sorted, and the low two bits of each, less 1, are a coefficient. Constant time.
/// The words are overwritten.
template <class Isa, std::size_t capacity>
[[gnu::noinline]] constexpr void short_from_list(std::size_t p, std::size_t w, Words<capacity>& words,
                                                 Small<capacity>& f)
{
    const auto even = [](std::uint32_t word) { return word & ~std::uint32_t{1}; };
    const auto one_modulo_4 = [](std::uint32_t word) { return (word & ~std::uint32_t{3}) | 1; };
    if constexpr (isa::SortsElements<Isa>) {
        Wiped<std::array<typename Isa::SortElement, capacity>> wiped{uninitialized};
        auto& elements = *wiped;
        for (std::size_t i = 0; i < w; ++i) elements[i] = Isa::sort_element(even(words[i]));
        for (std::size_t i = w; i < p; ++i) elements[i] = Isa::sort_element(one_modulo_4(words[i]));
        WordSort<Isa, typename Isa::SortElement>::sort(std::span{elements}.first(p));
        for (std::size_t i = 0; i < p; ++i)
            f.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(elements[i].word & 3) - 1);
        return;
    }
    for (std::size_t i = 0; i < w; ++i) words[i] = even(words[i]);
    for (std::size_t i = w; i < p; ++i) words[i] = one_modulo_4(words[i]);
    if constexpr (Isa::follows_specification) {
        sort<Isa>(std::span{words}.first(p));
        for (std::size_t i = 0; i < p; ++i)
            f.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(words[i] & 3) - 1);
    } else {
        sorted_coefficients<Isa, capacity>(p, words.data(), f.c.data());
    }
}

/// Short_random (NTRU Prime, Section 3.2). Constant time.
template <class Isa, std::size_t capacity>
[[gnu::noinline]] constexpr void short_random(std::size_t p, std::size_t w, RandomStream<Isa>& random,
                                              Small<capacity>& f)
{
    Words<capacity> words;
    random.words(std::span{words}.first(p));
    short_from_list<Isa, capacity>(p, w, words, f);
}

}  // namespace girih::ntru_prime
