/// The AVX2 engine's integers of 16 bits.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/avx2/vectors.hpp"
#include "isa/shared/half_bytes.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/shorts.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx2 {

using SixteenShorts = std::int16_t __attribute__((vector_size(32)));
using SixteenShortWords = std::uint16_t __attribute__((vector_size(32)));

/// Sixteen integers of 16 bits. (`Isa` is still incomplete here.)
template <class Isa>
struct ShortLanes : Shorts<Isa, SixteenShorts, SixteenShortWords, Vectors::Integers> {
    using Shorts = isa::Shorts<Isa, SixteenShorts, SixteenShortWords, Vectors::Integers>;
    using typename Shorts::EightShorts;
    using Integers = Vectors::Integers;

    [[nodiscard]] static Integers multiply_pairs(SixteenShorts a, SixteenShorts b) noexcept
    {
        return of(_mm256_madd_epi16(raw(a), raw(b)));
    }

    using Shorts::load;
    [[nodiscard]] static SixteenShorts load(const std::int8_t* from) noexcept
    {
        return reinterpret_cast<SixteenShorts>(
            _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    }
    [[nodiscard]] static SixteenShorts merge_pairs(SixteenShorts a, SixteenShorts b) noexcept
    {
        return reinterpret_cast<SixteenShorts>(_mm256_blend_epi16(raw(a), raw(b), 0b10101010));
    }
    template <std::size_t eighth>
    static void store_eight(std::int16_t* to, SixteenShorts a) noexcept
    {
        *reinterpret_cast<EightShorts*>(to) =
            reinterpret_cast<EightShorts>(_mm256_extracti128_si256(raw(a), eighth));
    }
    [[nodiscard]] static SixteenShorts cross_pairs(SixteenShorts a) noexcept
    {
        static constexpr auto places = make_table<Byte, 32>([](int i) { return i % 16 ^ 2; });
        return shuffle(places, a);
    }
    [[nodiscard]] static SixteenShorts exchange_middles(SixteenShorts a) noexcept
    {
        static constexpr auto places = make_table<Byte, 32>([](int i) {
            return i % 8 / 2 == 1 ? i % 16 + 2 : i % 8 / 2 == 2 ? i % 16 - 2 : i % 16;
        });
        return shuffle(places, a);
    }

    /// Sixteen integers of `bits` <= 12 bits each from 2 `bits` bytes.
    template <int bits>
    [[nodiscard]] static SixteenShorts unpack(const Byte* bytes) noexcept
    {
        if constexpr (bits == 11) {  // an integer may lie in three bytes
            return in_order(_mm256_packus_epi32(raw(Isa::template unpack<bits>(bytes)),
                                                raw(Isa::template unpack<bits>(bytes + bits))));
        } else {
            // The upper eight begin at byte `bits`; their half of the register holds the last 16
            // bytes, or all.
            constexpr int upper_from = bits > 8 ? 2 * bits - 16 : 0;
            static constexpr auto place = make_table<Byte, 32>(
                [](int i) { return i / 2 * bits / 8 + i % 2 - (i < 16 ? 0 : upper_from); });
            static constexpr auto to_top =
                make_table<std::int16_t, 16>([](int i) { return 1 << (16 - bits - i * bits % 8); });
            __m256i packed;
            if constexpr (bits > 8)
                packed = load_halves(bytes, bytes + upper_from);
            else
                packed = load_twice<2 * bits>(bytes);
            const __m256i at_top =
                _mm256_mullo_epi16(_mm256_shuffle_epi8(packed, load_table(place)), load_table(to_top));
            return reinterpret_cast<SixteenShorts>(_mm256_srli_epi16(at_top, 16 - bits));
        }
    }
    /// The inverse, for integers in [0, 2^bits) with bits <= 13.
    static constexpr int max_packed_bits = 13;
    template <int bits>
    static void pack(Byte* bytes, SixteenShorts a) noexcept
    {
        // Neighbours join: two in 32 bits, four in 64, eight in 128.
        const __m256i two = _mm256_madd_epi16(raw(a), _mm256_set1_epi32(1 | 1 << (16 + bits)));
        static constexpr auto even_up =
            make_table<std::int32_t, 8>([](int i) { return i % 2 == 0 ? 32 - 2 * bits : 0; });
        const __m256i four = _mm256_srli_epi64(_mm256_sllv_epi32(two, load_table(even_up)), 32 - 2 * bits);
        __m256i eight;
        if constexpr (bits % 2 == 0) {
            static constexpr auto places = make_table<Byte, 32>(
                [](int i) { return i % 16 < bits ? i % 16 / (bits / 2) * 8 + i % 16 % (bits / 2) : 0xFF; });
            eight = _mm256_shuffle_epi8(four, load_table(places));
        } else {
            static constexpr auto up =
                make_table<std::int64_t, 4>([](int i) { return i % 2 == 0 ? 4 * bits : 64; });
            static constexpr auto down =
                make_table<std::int64_t, 4>([](int i) { return i % 2 == 1 ? 64 - 4 * bits : 64; });
            const __m256i first = _mm256_blend_epi32(four, _mm256_setzero_si256(), 0b11001100);
            const __m256i second = _mm256_unpackhi_epi64(four, four);
            eight = _mm256_or_si256(first, _mm256_or_si256(_mm256_sllv_epi64(second, load_table(up)),
                                                           _mm256_srlv_epi64(second, load_table(down))));
        }
        const __m128i low = _mm256_castsi256_si128(eight);
        const __m128i high = _mm256_extracti128_si256(eight, 1);
        if constexpr (bits >= 8) {
            // The next store overwrites the excess bytes of the first.
            _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), low);
            isa::store_bytes<8>(bytes + bits, word<0>(high));
            isa::store_bytes<bits - 8>(bytes + bits + 8, word<1>(high));
        } else if constexpr (bits > 4) {
            isa::store_bytes<8>(bytes, word<0>(low) | word<0>(high) << 8 * bits);
            isa::store_bytes<2 * bits - 8>(bytes + 8, word<0>(high) >> (64 - 8 * bits));
        } else {
            isa::store_bytes<2 * bits>(bytes, word<0>(low) | word<0>(high) << 8 * bits);
        }
    }

    /// Alternating lanes of a and b: from their lower halves, and from their upper halves.
    struct Zipped {
        Integers low;
        Integers high;
    };
    [[nodiscard]] static Zipped zip(SixteenShorts a, SixteenShorts b) noexcept
    {
        const __m256i even = _mm256_unpacklo_epi16(raw(a), raw(b));
        const __m256i odd = _mm256_unpackhi_epi16(raw(a), raw(b));
        return {of(_mm256_permute2x128_si256(even, odd, 0x20)),
                of(_mm256_permute2x128_si256(even, odd, 0x31))};
    }
    /// The lower halves of integers, in order; upper_halves, the upper halves.
    [[nodiscard]] static SixteenShorts lower_halves(Integers low, Integers high) noexcept
    {
        const __m256i zero = _mm256_setzero_si256();
        return in_order(_mm256_packus_epi32(_mm256_blend_epi16(raw(low), zero, 0b10101010),
                                            _mm256_blend_epi16(raw(high), zero, 0b10101010)));
    }
    [[nodiscard]] static SixteenShorts upper_halves(Integers low, Integers high) noexcept
    {
        return in_order(
            _mm256_packus_epi32(_mm256_srli_epi32(raw(low), 16), _mm256_srli_epi32(raw(high), 16)));
    }
    /// Loads sixteen bytes; store_bytes stores the lower bytes of all lanes.
    [[nodiscard]] static SixteenShorts load_bytes(const Byte* from) noexcept
    {
        return reinterpret_cast<SixteenShorts>(
            _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    }
    static void store_bytes(Byte* to, SixteenShorts a) noexcept
    {
        const __m256i bytes = _mm256_and_si256(raw(a), _mm256_set1_epi16(0xFF));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                         _mm_packus_epi16(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
    }

    static std::size_t compress_store(std::int16_t* to, SixteenShorts a, SixteenShorts mask) noexcept
    {
        // The mask is public: it says which candidates were rejected.
        const __m256i m = raw(mask);
        const auto keep = static_cast<unsigned>(
            _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1))));
        const __m256i lanes = _mm256_set_m128i(kept(keep >> 8), kept(keep & 0xFF));
        const __m256i even = _mm256_add_epi8(lanes, lanes);  // the even bytes of these lanes
        const __m256i kept_first = _mm256_shuffle_epi8(
            raw(a), _mm256_unpacklo_epi8(even, _mm256_or_si256(even, _mm256_set1_epi8(1))));
        const auto store = [](std::int16_t* place, __m128i eight) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(place), eight);
        };
        store(to, _mm256_castsi256_si128(kept_first));
        store(to + __builtin_popcount(keep & 0xFF), _mm256_extracti128_si256(kept_first, 1));
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }

    template <std::size_t size>
    [[nodiscard]] static SixteenShorts even_blocks(SixteenShorts a, SixteenShorts b) noexcept
    {
        const __m256i x = raw(a);
        const __m256i y = raw(b);
        return reinterpret_cast<SixteenShorts>(even<size>(x, y));
    }
    template <std::size_t size>
    [[nodiscard]] static SixteenShorts odd_blocks(SixteenShorts a, SixteenShorts b) noexcept
    {
        const __m256i x = raw(a);
        const __m256i y = raw(b);
        return reinterpret_cast<SixteenShorts>(odd<size>(x, y));
    }

  private:
    [[nodiscard]] static Integers of(__m256i a) noexcept { return reinterpret_cast<Integers>(a); }
    template <int number>
    [[nodiscard]] static std::uint64_t word(__m128i a) noexcept
    {
        return static_cast<std::uint64_t>(_mm_extract_epi64(a, number));
    }
    /// Permutes bytes within each half.
    [[nodiscard]] static SixteenShorts shuffle(const Table<Byte, 32>& places, SixteenShorts a) noexcept
    {
        return reinterpret_cast<SixteenShorts>(_mm256_shuffle_epi8(raw(a), load_table(places)));
    }
    /// Undoes the order of quarters that the pack instructions leave.
    [[nodiscard]] static SixteenShorts in_order(__m256i packed) noexcept
    {
        return reinterpret_cast<SixteenShorts>(_mm256_permute4x64_epi64(packed, 0b11011000));
    }
    /// The numbers of the kept ones of eight lanes, in bytes.
    [[nodiscard]] static __m128i kept(unsigned keep) noexcept
    {
        return _mm_cvtsi64_si128(static_cast<std::int64_t>(kept_lanes[keep]));
    }

    template <std::size_t size>
    [[nodiscard]] static __m256i even(__m256i a, __m256i b) noexcept
    {
        if constexpr (size == 8) return _mm256_permute2x128_si256(a, b, 0x20);
        if constexpr (size == 4) return _mm256_unpacklo_epi64(a, b);
        if constexpr (size == 2)
            return _mm256_blend_epi32(a, _mm256_shuffle_epi32(b, 0b10100000), 0b10101010);
        if constexpr (size == 1) return _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0b10101010);
    }
    template <std::size_t size>
    [[nodiscard]] static __m256i odd(__m256i a, __m256i b) noexcept
    {
        if constexpr (size == 8) return _mm256_permute2x128_si256(a, b, 0x31);
        if constexpr (size == 4) return _mm256_unpackhi_epi64(a, b);
        if constexpr (size == 2)
            return _mm256_blend_epi32(_mm256_shuffle_epi32(a, 0b11110101), b, 0b10101010);
        if constexpr (size == 1) return _mm256_blend_epi16(_mm256_srli_epi32(a, 16), b, 0b10101010);
    }
};

}  // namespace girih::isa::avx2
