/// The AVX-512 engine's vectors, and its integers of 16 bits.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/shared/shorts.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx512 {

struct Isa;

/// Vectors of 512 bits.
struct Vectors {
    using Words = std::uint64_t __attribute__((vector_size(64)));
    using Longs = std::int64_t __attribute__((vector_size(64)));
    using Doubles = double __attribute__((vector_size(64)));
    using Integers = std::int32_t __attribute__((vector_size(64)));
    using Residues = std::uint32_t __attribute__((vector_size(64)));
    using HalfIntegers = std::int32_t __attribute__((vector_size(32)));  ///< as many as Longs
};

using ThirtyTwoShorts = std::int16_t __attribute__((vector_size(64)));
using ThirtyTwoShortWords = std::uint16_t __attribute__((vector_size(64)));
/// Thirty-two integers of 16 bits.
struct ShortLanes : Shorts<Isa, ThirtyTwoShorts, ThirtyTwoShortWords, Vectors::Integers> {
#if !defined(GIRIH_MEMORY_SANITIZER)  // which follows secrets through what Shorts has instead
    [[nodiscard]] static Vectors::Integers multiply_pairs(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        return reinterpret_cast<Vectors::Integers>(
            _mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }
    [[nodiscard]] static Vectors::Integers add_pairs(Vectors::Integers sums, ThirtyTwoShorts a,
                                                     ThirtyTwoShorts b) noexcept
    {
#    if defined(__clang__)  // which splits it into two instructions, for a shorter chain
        asm("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
        return sums;
#    else
        return reinterpret_cast<Vectors::Integers>(_mm512_dpwssd_epi32(
            reinterpret_cast<__m512i>(sums), reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#    endif
    }

    using Shorts::load;
    [[nodiscard]] static ThirtyTwoShorts load(const std::int8_t* from) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
    }
    [[nodiscard]] static ThirtyTwoShorts cross_pairs(ThirtyTwoShorts a) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(_mm512_rol_epi32(reinterpret_cast<__m512i>(a), 16));
    }
    [[nodiscard]] static ThirtyTwoShorts merge_pairs(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_mask_mov_epi16(reinterpret_cast<__m512i>(a), 0xAAAAAAAA, reinterpret_cast<__m512i>(b)));
    }

    /// Thirty-two integers of `bits` <= 12 bits each from 4 `bits` bytes. Each 64-bit word gets
    /// four of them, after the leading bits of their first byte.
    template <int bits>
    [[nodiscard]] static ThirtyTwoShorts unpack(const Byte* bytes) noexcept
    {
        static constexpr auto places =
            make_table<Byte, 64>([](int i) { return i / 8 * 4 * bits / 8 + i % 8; });
        static constexpr auto shifts =
            make_table<Byte, 64>([](int i) { return i / 8 * 4 * bits % 8 + i % 8 / 2 * bits + i % 2 * 8; });
        const __m512i packed = _mm512_maskz_loadu_epi8((std::uint64_t{1} << (4 * bits)) - 1, bytes);
        const __m512i words = _mm512_permutexvar_epi8(_mm512_load_si512(places.data()), packed);
        return reinterpret_cast<ThirtyTwoShorts>(
                   _mm512_multishift_epi64_epi8(_mm512_load_si512(shifts.data()), words)) &
               static_cast<std::int16_t>((1 << bits) - 1);
    }
    /// The inverse, for integers in [0, 2^bits) with bits <= 13.
    static constexpr int max_packed_bits = 13;
    template <int bits>
    static void pack(Byte* bytes, ThirtyTwoShorts a) noexcept
    {
        // Neighbours join: two in 32 bits, four in 64; if those end inside a byte, eight in 128.
        const __m512i two =
            _mm512_madd_epi16(reinterpret_cast<__m512i>(a), _mm512_set1_epi32(1 | 1 << (16 + bits)));
        const __m512i four =
            _mm512_srli_epi64(_mm512_mask_slli_epi32(two, 0x5555, two, 32 - 2 * bits), 32 - 2 * bits);
        if constexpr (bits % 2 == 0) {
            store_strings<bits / 2, 8>(bytes, four);
        } else {
            static constexpr auto up =
                make_table<std::int64_t, 8>([](int i) { return i % 2 == 0 ? 4 * bits : 64; });
            static constexpr auto down =
                make_table<std::int64_t, 8>([](int i) { return i % 2 == 1 ? 64 - 4 * bits : 64; });
            const __m512i second = _mm512_unpackhi_epi64(four, four);
            const __m512i eight =
                _mm512_or_si512(_mm512_maskz_mov_epi64(0x55, four),
                                _mm512_or_si512(_mm512_sllv_epi64(second, _mm512_load_si512(up.data())),
                                                _mm512_srlv_epi64(second, _mm512_load_si512(down.data()))));
            store_strings<bits, 16>(bytes, eight);
        }
    }

    /// Alternating lanes of a and b: from their lower halves, and from their upper halves.
    struct Zipped {
        Vectors::Integers low;
        Vectors::Integers high;
    };
    [[nodiscard]] static Zipped zip(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        static constexpr auto low = make_table<std::int16_t, 32>([](int i) { return i / 2 + i % 2 * 32; });
        static constexpr auto high =
            make_table<std::int16_t, 32>([](int i) { return 16 + i / 2 + i % 2 * 32; });
        return {integers(permute(low, a, b)), integers(permute(high, a, b))};
    }
    /// The lower halves of integers, in order; upper_halves, the upper halves.
    [[nodiscard]] static ThirtyTwoShorts lower_halves(Vectors::Integers low, Vectors::Integers high) noexcept
    {
        static constexpr auto places = make_table<std::int16_t, 32>([](int i) { return 2 * i; });
        return reinterpret_cast<ThirtyTwoShorts>(permute(places, low, high));
    }
    [[nodiscard]] static ThirtyTwoShorts upper_halves(Vectors::Integers low, Vectors::Integers high) noexcept
    {
        static constexpr auto places = make_table<std::int16_t, 32>([](int i) { return 2 * i + 1; });
        return reinterpret_cast<ThirtyTwoShorts>(permute(places, low, high));
    }
    /// Loads thirty-two bytes; store_bytes stores the lower bytes of all lanes.
    [[nodiscard]] static ThirtyTwoShorts load_bytes(const Byte* from) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
    }
    static void store_bytes(Byte* to, ThirtyTwoShorts a) noexcept
    {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                            _mm512_cvtepi16_epi8(reinterpret_cast<__m512i>(a)));
    }
#endif

    template <std::size_t eighth>
    static void store_eight(std::int16_t* to, ThirtyTwoShorts a) noexcept
    {
        *reinterpret_cast<EightShorts*>(to) =
            reinterpret_cast<EightShorts>(_mm512_extracti64x2_epi64(reinterpret_cast<__m512i>(a), eighth));
    }

    static std::size_t compress_store(std::int16_t* to, ThirtyTwoShorts a, ThirtyTwoShorts mask) noexcept
    {
#if defined(GIRIH_MEMORY_SANITIZER)
        return Shorts::compress_store(to, a, mask);  // as for integers of 32 bits
#else
        const __mmask32 keep = _mm512_movepi16_mask(reinterpret_cast<__m512i>(mask));
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi16(keep, reinterpret_cast<__m512i>(a)));
        return static_cast<std::size_t>(__builtin_popcount(keep));
#endif
    }
    [[nodiscard]] static ThirtyTwoShorts first_lanes(std::size_t count) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_movm_epi16(static_cast<__mmask32>((std::uint64_t{1} << count) - 1)));
    }

    // Compilers would use a permutation by a table for each of these, which takes three operations.
    [[nodiscard]] static ThirtyTwoShorts exchange_middles(ThirtyTwoShorts a) noexcept
    {
        static constexpr auto places = make_table<Byte, 64>([](int i) {
            return i % 8 / 2 == 1 ? i % 16 + 2 : i % 8 / 2 == 2 ? i % 16 - 2 : i % 16;
        });
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_shuffle_epi8(reinterpret_cast<__m512i>(a), _mm512_load_si512(places.data())));
    }
    template <std::size_t size>
    [[nodiscard]] static ThirtyTwoShorts even_blocks(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        const __m512i x = reinterpret_cast<__m512i>(a);
        const __m512i y = reinterpret_cast<__m512i>(b);
        return reinterpret_cast<ThirtyTwoShorts>(even<size>(x, y));
    }
    template <std::size_t size>
    [[nodiscard]] static ThirtyTwoShorts odd_blocks(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        const __m512i x = reinterpret_cast<__m512i>(a);
        const __m512i y = reinterpret_cast<__m512i>(b);
        return reinterpret_cast<ThirtyTwoShorts>(odd<size>(x, y));
    }

  private:
    /// Stores strings of `size` bytes that begin every `step` bytes, without gaps.
    template <int size, int step>
    static void store_strings(Byte* bytes, __m512i strings) noexcept
    {
        constexpr int total = 64 / step * size;
        static constexpr auto places =
            make_table<Byte, 64>([](int i) { return i < total ? i / size * step + i % size : 0; });
        _mm512_mask_storeu_epi8(bytes, (std::uint64_t{1} << total) - 1,
                                _mm512_permutexvar_epi8(_mm512_load_si512(places.data()), strings));
    }

    template <class V>
    [[nodiscard]] static __m512i permute(const Table<std::int16_t, 32>& places, V a, V b) noexcept
    {
        return _mm512_permutex2var_epi16(reinterpret_cast<__m512i>(a), _mm512_load_si512(places.data()),
                                         reinterpret_cast<__m512i>(b));
    }
    [[nodiscard]] static Vectors::Integers integers(__m512i a) noexcept
    {
        return reinterpret_cast<Vectors::Integers>(a);
    }

    template <std::size_t size>
    [[nodiscard]] static __m512i even(__m512i a, __m512i b) noexcept
    {
        if constexpr (size == 16) return _mm512_shuffle_i64x2(a, b, 0x44);
        if constexpr (size == 8) {
            static constexpr auto places =
                make_table<std::int64_t, 8>([](int i) { return (i & 2) == 0 ? i : i - 2 + 8; });
            return _mm512_permutex2var_epi64(a, _mm512_load_si512(places.data()), b);
        }
        if constexpr (size == 4) return _mm512_unpacklo_epi64(a, b);
        if constexpr (size == 2) return _mm512_mask_shuffle_epi32(a, 0xAAAA, b, _MM_PERM_CCAA);
        if constexpr (size == 1) {
            static constexpr auto places =
                make_table<Byte, 64>([](int i) { return (i & 15) >= 2 ? (i & 15) - 2 : 0; });
            return _mm512_mask_shuffle_epi8(a, 0xCCCCCCCCCCCCCCCC, b, _mm512_load_si512(places.data()));
        }
    }
    template <std::size_t size>
    [[nodiscard]] static __m512i odd(__m512i a, __m512i b) noexcept
    {
        if constexpr (size == 16) return _mm512_shuffle_i64x2(a, b, 0xEE);
        if constexpr (size == 8) {
            static constexpr auto places =
                make_table<std::int64_t, 8>([](int i) { return (i & 2) == 0 ? i + 2 : i + 8; });
            return _mm512_permutex2var_epi64(a, _mm512_load_si512(places.data()), b);
        }
        if constexpr (size == 4) return _mm512_unpackhi_epi64(a, b);
        if constexpr (size == 2) return _mm512_mask_shuffle_epi32(b, 0x5555, a, _MM_PERM_DDBB);
        if constexpr (size == 1) {
            static constexpr auto places =
                make_table<Byte, 64>([](int i) { return (i & 15) < 14 ? (i & 15) + 2 : 0; });
            return _mm512_mask_shuffle_epi8(b, 0x3333333333333333, a, _mm512_load_si512(places.data()));
        }
    }
};

}  // namespace girih::isa::avx512
