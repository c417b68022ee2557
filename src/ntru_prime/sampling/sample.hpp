/// Random polynomials ("NTRU Prime: round 3", Sections 3.2 and 3.3). What is left on the stack is
/// wiped at the end of each operation, as a whole (OperationsOf).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/arithmetic/residue.hpp"
#include "ntru_prime/sampling/random_stream.hpp"
#include "ntru_prime/sampling/sort.hpp"

namespace girih::ntru_prime {

/// Small_random (NTRU Prime, Section 3.2): each coefficient from a word of its own, by its lower 30
/// bits. Constant time.
template <class Isa, class R>
[[gnu::noinline]] constexpr void small_random(const R& ring, RandomStream<Isa>& random, Small<R::room>& g)
{
    Words<R::room> words;
    random.words(std::span{words}.first(ring.p));
    const std::size_t p = ring.p;
    for (std::size_t i = 0; i < p; ++i)
        g.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>((words[i] & 0x3fffffff) * 3 >> 30) - 1);
}

/// The end of Short_fromlist (NTRU Prime, Section 3.2) by vectors: the coefficients that `count`
/// words give in their order.
template <class Isa, std::size_t room>
[[gnu::noinline]] void sorted_coefficients(std::size_t count, const std::uint32_t* words, std::int8_t* f)
{
    using Sort = VectorSort<Isa>;
    const std::size_t row_count = Sort::rows_for(count);
    std::array<typename Sort::Vector, Sort::rows_for(room)> rows;
    // Signs flipped, the order of words is that of integers. No word is as great as
    // those behind them.
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
    // Four rows at once: their coefficients, a byte each, stand behind one another in the
    // column of each lane.
    std::array<Byte, Sort::lanes * Sort::rows_for(room)> columns;
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
/// then they are sorted, and the lower two bits of each are a coefficient more by one. Constant
/// time. The words are overwritten.
template <class Isa, std::size_t room>
[[gnu::noinline]] constexpr void short_from_list(std::size_t p, std::size_t w, Words<room>& words,
                                                 Small<room>& f)
{
    const auto even = [](std::uint32_t word) { return word & ~std::uint32_t{1}; };
    const auto one_modulo_4 = [](std::uint32_t word) { return (word & ~std::uint32_t{3}) | 1; };
    if constexpr (requires { typename Isa::SortElement; }) {
        Wiped<std::array<typename Isa::SortElement, room>> wiped{unset};
        auto& elements = *wiped;
        for (std::size_t i = 0; i < w; ++i) elements[i] = Isa::sort_element(even(words[i]));
        for (std::size_t i = w; i < p; ++i) elements[i] = Isa::sort_element(one_modulo_4(words[i]));
        sort<Isa>(std::span{elements}.first(p));
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
        sorted_coefficients<Isa, room>(p, words.data(), f.c.data());
    }
}

/// Short_random (NTRU Prime, Section 3.2). Constant time.
template <class Isa, std::size_t room>
[[gnu::noinline]] constexpr void short_random(std::size_t p, std::size_t w, RandomStream<Isa>& random,
                                              Small<room>& f)
{
    Words<room> words;
    random.words(std::span{words}.first(p));
    short_from_list<Isa, room>(p, w, words, f);
}

/// Generator (NTRU Prime, Section 3.3): the public polynomial G of a seed. The seed is in the
/// public key, so that AES need hide neither it, as a key, nor the counters that are encrypted.
template <class Isa, class R>
[[gnu::noinline]] constexpr void generator(const R& ring, BytesIn<generator_bytes> seed, Rq<R::room>& g)
{
    Words<R::room> words;
    VartimeExpansion<Isa>{seed}.words(std::span{words}.first(ring.p));
    const AnyModulo<Isa> modulo_q{ring.modulo_q};
    for (std::size_t i = 0; i < ring.p; ++i) {
        // A word modulo q: of its upper and lower half, 2^16 h + l. The radix is 2^16 modulo q,
        // below 2^12 in magnitude, and so the sum is below 2^29.
        const auto high = static_cast<std::int32_t>(words[i] >> 16);
        const auto low = static_cast<std::int32_t>(words[i] & 0xffff);
        g.c[i] = static_cast<std::int16_t>(modulo_q.centered(high * ring.radix + low - ring.q12));
    }
}

}  // namespace girih::ntru_prime
