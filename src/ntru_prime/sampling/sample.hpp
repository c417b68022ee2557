/// Random polynomials ("NTRU Prime: round 3", Sections 3.2 and 3.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/poly.hpp"
#include "ntru_prime/sampling/random_stream.hpp"
#include "ntru_prime/sampling/sort.hpp"

namespace girih::ntru_prime {

/// Small_random: each coefficient from a word of its own, by its lower 30 bits. Constant time.
template <Ring R, class Isa>
constexpr void small_random(RandomStream<Isa>& random, Small<R>& g)
{
    Words<R> words;
    random.words(words);
    for (std::size_t i = 0; i < R.p; ++i)
        g.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>((words[i] & 0x3fffffff) * 3 >> 30) - 1);
    wipe(words);
}

/// The coefficients that `count` words give in their order, by vectors.
template <std::size_t count, class Isa>
void sorted_coefficients(const std::uint32_t* words, std::int8_t* f)
{
    using Sort = VectorSort<Isa, count>;
    Wiped<typename Sort::Rows> rows;
    // Signs flipped, the order of words is that of integers. No word is as great as those behind them.
    const auto flip = Isa::SortLanes::broadcast(std::numeric_limits<std::int32_t>::min());
    for (std::size_t i = 0; i < Sort::rows; ++i) {
        std::array<std::uint32_t, Sort::lanes> row;
        const std::size_t first = i * Sort::lanes;
        if (first + Sort::lanes <= count) {
            (*rows)[i] = Isa::SortLanes::load(words + first) ^ flip;
        } else {
            for (std::size_t j = 0; j < Sort::lanes; ++j)
                row[j] = first + j < count ? words[first + j] : ~std::uint32_t{0};
            (*rows)[i] = Isa::SortLanes::load(row.data()) ^ flip;
        }
    }
    Sort::sort(*rows);
    // Four rows at once: their coefficients, a byte each, stand behind one another in the column of each lane.
    Wiped<std::array<Byte, Sort::lanes * Sort::rows>> columns{unset};
    Wiped<std::array<std::uint32_t, Sort::lanes>> fours{unset};
    for (std::size_t i = 0; i < Sort::rows; i += 4) {
        typename Sort::Vector bytes{};
        for (std::size_t j = 0; j < 4; ++j)
            bytes |= ((((*rows)[i + j] & 3) - 1) & Isa::SortLanes::broadcast(0xff)) << (8 * j);
        Isa::SortLanes::store(fours->data(), bytes);
        for (std::size_t lane = 0; lane < Sort::lanes; ++lane)
            store_le32(&(*columns)[lane * Sort::rows + i], (*fours)[lane]);
    }
    std::memcpy(f, columns->data(), count);
}

/// Short_fromlist: the first w words become even, the others 1 modulo 4; then they are sorted, and the lower two bits of
/// each are a coefficient more by one. Constant time. The words are overwritten.
template <Params P, class Isa>
constexpr void short_from_list(Words<P.ring>& words, Small<P.ring>& f)
{
    for (std::size_t i = 0; i < P.w; ++i) words[i] &= ~std::uint32_t{1};
    for (std::size_t i = P.w; i < P.ring.p; ++i) words[i] = (words[i] & ~std::uint32_t{3}) | 1;
    if constexpr (Isa::follows_specification) {
        sort<Isa>(std::span<std::uint32_t>{words});
        for (std::size_t i = 0; i < P.ring.p; ++i)
            f.c[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(words[i] & 3) - 1);
    } else {
        sorted_coefficients<P.ring.p, Isa>(words.data(), f.c.data());
    }
}

/// Short_random. Constant time.
template <Params P, class Isa>
constexpr void short_random(RandomStream<Isa>& random, Small<P.ring>& f)
{
    Words<P.ring> words;
    random.words(words);
    short_from_list<P, Isa>(words, f);
    wipe(words);
}

/// Generator: the public polynomial G of a seed.
template <Ring R, class Isa>
constexpr void generator(BytesIn<generator_bytes> seed, Rq<R>& g)
{
    Words<R> words;
    Expansion<Isa>{seed}.words(words);
    for (std::size_t i = 0; i < R.p; ++i) {
        // A word modulo q: of its upper and lower half, 2^16 h + l.
        const auto high = static_cast<std::int32_t>(words[i] >> 16);
        const auto low = static_cast<std::int32_t>(words[i] & 0xffff);
        using ModQ = Modulo<Isa, R.q>;
        constexpr std::int32_t radix = ModQ::centered(1 << 16);
        const std::int32_t r = ModQ::centered(ModQ::centered(high * radix) + low - R.q12());
        g.c[i] = static_cast<std::int16_t>(r);
    }
}

}  // namespace girih::ntru_prime
