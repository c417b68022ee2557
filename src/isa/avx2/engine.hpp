/// The AVX2 engine: four Keccak states, eight integers. Needs AVX2, and BMI1/2 for the serial
/// Keccak. Included inside the target region of operations.cpp.in.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"
#include "isa/avx2/few_bits.hpp"
#include "isa/avx2/half_bytes.hpp"
#include "isa/avx2/short_lanes.hpp"
#include "isa/avx2/vectors.hpp"
#include "isa/avx2/words.hpp"
#include "isa/shared/half_bytes.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/table.hpp"
#include "isa/vector_isa.hpp"

namespace girih::isa::avx2 {

struct Isa : VectorIsa<Isa, Vectors> {
    static constexpr std::string_view name = "avx2";
    static constexpr bool follows_specification = false;

    using WideWords = FourWords;
    /// SHA-512: two messages in lanes would take as long as one after the other.
    struct HashWords : SerialWords {
        using ScheduleWords = FourWords;
    };
    using CipherWords = WideWords;

    // Products of the low 32 bits of each 64-bit lane, unsigned and signed.
    [[nodiscard]] static Longs multiply_low_halves(Longs a, Longs b) noexcept
    {
        return reinterpret_cast<Longs>(
            _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
    [[nodiscard]] static Longs multiply_signed_halves(Longs a, Longs b) noexcept
    {
        return reinterpret_cast<Longs>(
            _mm256_mul_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }

    // Falcon, with vectors of doubles.

    /// Eight bytes at each offset. Single loads are as fast as the gather instruction, which some
    /// emulators get wrong.
    [[nodiscard]] static Longs gather(const Byte* base, Longs offsets) noexcept
    {
        const auto at = [&](int i) __attribute__((always_inline)) {
            return static_cast<std::int64_t>(load_le64(base + offsets[i]));
        };
        return Longs{at(0), at(1), at(2), at(3)};
    }
    /// A bit for each lane of a mask.
    [[nodiscard]] static unsigned lane_bits(Longs mask) noexcept
    {
        return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
    }
#if defined(GIRIH_MEMORY_SANITIZER)  // which does not know the instruction
    [[nodiscard]] static TwoDoubles floor(TwoDoubles a) noexcept { return __builtin_elementwise_floor(a); }
#else
    [[nodiscard]] static TwoDoubles floor(TwoDoubles a) noexcept { return _mm_floor_pd(a); }
#endif
    /// A bit for each lane where a is less than b.
    [[nodiscard]] static unsigned less_bits(Doubles a, Doubles b) noexcept { return lane_bits(a < b); }
    /// a b + c, in two steps: a processor with AVX2 need not have an instruction for both.
    [[nodiscard]] static Doubles multiply_add(Doubles a, Doubles b, Doubles c) noexcept { return a * b + c; }
    /// Truncates to integers, one lane after another: only the scalar instruction exists.
    [[nodiscard]] static Longs truncate(Doubles a) noexcept
    {
        return Longs{static_cast<std::int64_t>(a[0]), static_cast<std::int64_t>(a[1]),
                     static_cast<std::int64_t>(a[2]), static_cast<std::int64_t>(a[3])};
    }

    // Falcon's key generator: residues.
    [[nodiscard]] static Residues unsigned_minimum(Residues a, Residues b) noexcept
    {
        return reinterpret_cast<Residues>(
            _mm256_min_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
    [[nodiscard]] static Residues odd_lanes_down(Residues a) noexcept
    {
        return reinterpret_cast<Residues>(_mm256_shuffle_epi32(reinterpret_cast<__m256i>(a), 0xF5));
    }

    using ShortIntegers = std::int8_t __attribute__((vector_size(32)));  ///< for short products
    [[nodiscard]] static Integers widen(const std::int8_t* bytes) noexcept
    {
        return reinterpret_cast<Integers>(
            _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
    }

    // AES: one block.
    static constexpr bool has_aes = true;
    static constexpr std::size_t aes_blocks = 1;
    using AesBlocks = __m128i;
    [[nodiscard]] static AesBlocks aes_broadcast(const Byte* block) noexcept
    {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(block));
    }
    static void aes_store(Byte* to, AesBlocks a) noexcept
    {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a);
    }
    /// Big-endian counters of 128 bits, from `first` on.
    [[nodiscard]] static AesBlocks aes_counters(std::uint64_t first) noexcept
    {
        return _mm_set_epi64x(static_cast<std::int64_t>(__builtin_bswap64(first)), 0);
    }
    [[nodiscard]] static AesBlocks aes_round(AesBlocks a, AesBlocks key) noexcept
    {
        return _mm_aesenc_si128(a, key);
    }
    [[nodiscard]] static AesBlocks aes_last_round(AesBlocks a, AesBlocks key) noexcept
    {
        return _mm_aesenclast_si128(a, key);
    }
    /// SUBWORD(): with four equal columns, the last round's shift of rows changes nothing.
    [[nodiscard]] static std::uint32_t aes_sub_word(std::uint32_t word) noexcept
    {
        const __m128i columns = _mm_set1_epi32(static_cast<std::int32_t>(word));
        return static_cast<std::uint32_t>(
            _mm_cvtsi128_si32(_mm_aesenclast_si128(columns, _mm_setzero_si128())));
    }

    // Bits of a long integer: 256.
    struct BitLanes {
        using Vector = Words;

        [[nodiscard]] static Vector broadcast(std::uint64_t word) noexcept { return Vector{} + word; }
        [[nodiscard]] static std::uint64_t first_word(Vector a) noexcept { return a[0]; }
        /// Shifts all bits up by one, taking the lowest from the top of `below`; or down, taking
        /// the highest from the bottom of `above`.
        [[nodiscard]] static Vector up(Vector a, Vector below) noexcept
        {
            const __m256i words = reinterpret_cast<__m256i>(a);
            const __m256i middle = _mm256_permute2x128_si256(reinterpret_cast<__m256i>(below), words, 0x21);
            return a << 1 | reinterpret_cast<Vector>(_mm256_alignr_epi8(words, middle, 8)) >> 63;
        }
        [[nodiscard]] static Vector down(Vector a, Vector above) noexcept
        {
            const __m256i words = reinterpret_cast<__m256i>(a);
            const __m256i middle = _mm256_permute2x128_si256(words, reinterpret_cast<__m256i>(above), 0x21);
            return a >> 1 | reinterpret_cast<Vector>(_mm256_alignr_epi8(middle, words, 8)) << 63;
        }
    };

    // Eight words for sorting.
    [[nodiscard]] static Integers minimum(Integers a, Integers b) noexcept
    {
        return of(_mm256_min_epi32(raw(a), raw(b)));
    }
    [[nodiscard]] static Integers maximum(Integers a, Integers b, Integers) noexcept
    {
        return of(_mm256_max_epi32(raw(a), raw(b)));
    }

    using FewBits = avx2::FewBits;
    using HalfByteLanes = avx2::HalfByteLanes;
    using ShortLanes = avx2::ShortLanes<Isa>;
    using SixteenShorts = ShortLanes::Vector;
    /// `a`, hidden from the optimiser by an empty assembly, so that products with it keep their
    /// instructions. (Not for clang's memory sanitizer, which cannot follow assembly.)
    template <class V>
    [[nodiscard]] static V opaque(V a) noexcept
    {
#if !defined(GIRIH_MEMORY_SANITIZER)
        __asm__("" : "+x"(a));
#endif
        return a;
    }
    /// The high halves of 32-bit products.
    [[nodiscard]] static SixteenShorts multiply_high(SixteenShorts a, SixteenShorts b) noexcept
    {
        return reinterpret_cast<SixteenShorts>(
            _mm256_mulhi_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }
    /// Products divided by 2^15, with halves rounded up.
    [[nodiscard]] static SixteenShorts multiply_rounded(SixteenShorts a, SixteenShorts b) noexcept
    {
        return reinterpret_cast<SixteenShorts>(
            _mm256_mulhrs_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
    }

    [[nodiscard]] static bool any_negative(Integers a) noexcept { return sign_bits(a) != 0; }

    [[nodiscard]] static Integers high_half(Products a) noexcept
    {
        return of(_mm256_blend_epi32(raw(odd(reinterpret_cast<Integers>(a.even))),
                                     reinterpret_cast<__m256i>(a.odd), 0b10101010));
    }

    static std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        // The mask is public: it says which candidates were rejected.
        const unsigned keep = sign_bits(mask);
        const __m256i order =
            _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<std::int64_t>(kept_lanes[keep])));
        store(to, of(_mm256_permutevar8x32_epi32(raw(a), order)));
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }

    /// Eight integers of `bits` <= 25 bits each from `bits` bytes.
    template <int bits>
    [[nodiscard]] static Integers unpack(const Byte* bytes) noexcept
    {
        // The upper four begin at bit 4 * bits; their half of the register holds the last 16 bytes,
        // or all.
        constexpr int upper_from = bits > 16 ? bits - 16 : 0;
        static constexpr auto place = make_table<Byte, 32>([](int i) {
            const int integer = i / 4;
            return integer * bits / 8 + i % 4 - (integer < 4 ? 0 : upper_from);
        });
        [[maybe_unused]] static constexpr auto shift =
            make_table<std::int32_t, 8>([](int i) { return i * bits % 8; });
        __m256i packed;
        if constexpr (bits > 16)
            packed = load_halves(bytes, bytes + upper_from);
        else
            packed = load_twice<bits>(bytes);
        __m256i words = _mm256_shuffle_epi8(packed, load_table(place));
        if constexpr (bits % 8 != 0) words = _mm256_srlv_epi32(words, load_table(shift));
        return of(_mm256_and_si256(words, _mm256_set1_epi32((1 << bits) - 1)));
    }

    /// The inverse, for integers in [0, 2^bits) of 16 to 20 bits; ShortLanes packs shorter ones.
    template <int bits>
    static void pack(Byte* bytes, Integers v) noexcept
    {
        static_assert(bits >= 16 && bits <= 20 && bits % 2 == 0);
        // Neighbours join: two in 64 bits, four in 128.
        const __m256i two = _mm256_or_si256(_mm256_blend_epi32(raw(v), _mm256_setzero_si256(), 0b10101010),
                                            _mm256_slli_epi64(_mm256_srli_epi64(raw(v), 32), bits));
        static constexpr auto up =
            make_table<std::int64_t, 4>([](int i) { return i % 2 == 0 ? 2 * bits : 64; });
        static constexpr auto down =
            make_table<std::int64_t, 4>([](int i) { return i % 2 == 1 ? 64 - 2 * bits : 64; });
        const __m256i first = _mm256_blend_epi32(two, _mm256_setzero_si256(), 0b11001100);
        const __m256i second = _mm256_unpackhi_epi64(two, two);
        const __m256i four =
            _mm256_or_si256(first, _mm256_or_si256(_mm256_sllv_epi64(second, load_table(up)),
                                                   _mm256_srlv_epi64(second, load_table(down))));
        const __m128i low = _mm256_castsi256_si128(four);
        const __m128i high = _mm256_extracti128_si256(four, 1);
        const auto low_word = static_cast<std::uint64_t>(_mm_cvtsi128_si64(low));
        const auto high_word = static_cast<std::uint64_t>(_mm_cvtsi128_si64(high));
        // 4 * bits bits are bits / 2 bytes, eight or more.
        store_bytes<8>(bytes, low_word);
        store_bytes<bits / 2 - 8>(bytes + 8, static_cast<std::uint64_t>(_mm_extract_epi64(low, 1)));
        store_bytes<8>(bytes + bits / 2, high_word);
        store_bytes<bits / 2 - 8>(bytes + bits / 2 + 8,
                                  static_cast<std::uint64_t>(_mm_extract_epi64(high, 1)));
    }

  private:
    friend VectorIsa;

    [[nodiscard]] static Integers of(__m256i a) noexcept { return reinterpret_cast<Integers>(a); }
    [[nodiscard]] static Integers odd(Integers a) noexcept { return of(_mm256_srli_epi64(raw(a), 32)); }
    [[nodiscard]] static unsigned sign_bits(Integers a) noexcept
    {
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(raw(a))));
    }

    /// Interleaves the even blocks of `size` integers of a and b; odd_blocks, the odd ones.
    template <std::size_t size>
    [[nodiscard]] static Integers even_blocks(Integers a, Integers b) noexcept
    {
        if constexpr (size == 4) return of(_mm256_permute2x128_si256(raw(a), raw(b), 0x20));
        if constexpr (size == 2) return of(_mm256_unpacklo_epi64(raw(a), raw(b)));
        if constexpr (size == 1)
            return of(_mm256_blend_epi32(raw(a), _mm256_slli_epi64(raw(b), 32), 0b10101010));
    }
    template <std::size_t size>
    [[nodiscard]] static Integers odd_blocks(Integers a, Integers b) noexcept
    {
        if constexpr (size == 4) return of(_mm256_permute2x128_si256(raw(a), raw(b), 0x31));
        if constexpr (size == 2) return of(_mm256_unpackhi_epi64(raw(a), raw(b)));
        if constexpr (size == 1)
            return of(_mm256_blend_epi32(_mm256_srli_epi64(raw(a), 32), raw(b), 0b10101010));
    }
};

}  // namespace girih::isa::avx2
