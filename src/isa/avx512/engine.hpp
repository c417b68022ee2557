/// The AVX-512 engine: eight Keccak states, sixteen integers. Needs F, BW, DQ, VL, VBMI and VBMI2,
/// and BMI1/2 for the serial Keccak. Included inside the target region of operations.cpp.in.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/bytes.hpp"
#include "isa/avx512/few_bits.hpp"
#include "isa/avx512/half_bytes.hpp"
#include "isa/avx512/short_lanes.hpp"
#include "isa/avx512/words.hpp"
#include "isa/shared/half_bytes.hpp"
#include "isa/shared/table.hpp"
#include "isa/vector_isa.hpp"

namespace girih::isa::avx512 {

struct Isa : VectorIsa<Isa, Vectors> {
    static constexpr std::string_view name = "avx512";
    static constexpr bool follows_specification = false;

    using SerialWords = OneWord;
    using WideWords = EightWords;
    using HashWords = TwoHashWords;  ///< SHA-512: two messages
    using CipherWords = WideWords;

    // Products of the low 32 bits of each 64-bit lane, unsigned and signed.
    [[nodiscard]] static Longs multiply_low_halves(Longs a, Longs b) noexcept
    {
        return reinterpret_cast<Longs>(
            _mm512_mul_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }
    [[nodiscard]] static Longs multiply_signed_halves(Longs a, Longs b) noexcept
    {
        return reinterpret_cast<Longs>(
            _mm512_mul_epi32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }

    // Falcon, with vectors of doubles.

    /// Eight bytes at each offset.
    [[nodiscard]] static Longs gather(const Byte* base, Longs offsets) noexcept
    {
        return reinterpret_cast<Longs>(_mm512_i64gather_epi64(reinterpret_cast<__m512i>(offsets), base, 1));
    }
#if !defined(GIRIH_MEMORY_SANITIZER)  // which does not know these instructions
    /// Eight bytes every `stride` bytes, one lane each, from the first 96 bytes.
    template <std::size_t stride>
    [[nodiscard]] static Longs strided(const Byte* bytes) noexcept
    {
        static_assert(7 * stride + 8 <= 96);
        constexpr int from_first = (64 - 8) / stride + 1;  // lanes
        static constexpr auto place = make_table<Byte, 64>(
            [](int i) { return i / 8 * static_cast<int>(stride) + i % 8 - (i / 8 < from_first ? 0 : 32); });
        const __m512i places = _mm512_load_si512(place.data());
        return reinterpret_cast<Longs>(_mm512_mask_permutexvar_epi8(
            _mm512_permutexvar_epi8(places, _mm512_loadu_si512(bytes)), ~std::uint64_t{} << 8 * from_first,
            places, _mm512_loadu_si512(bytes + 32)));
    }
    /// count + 1 where a is less than b.
    [[nodiscard]] static Words count_less(Words count, Words a, Words b) noexcept
    {
        const __m512i counted = reinterpret_cast<__m512i>(count);
        return reinterpret_cast<Words>(_mm512_mask_sub_epi64(
            counted, _mm512_cmplt_epu64_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)),
            counted, _mm512_set1_epi64(-1)));
    }
    /// The entries whose indices, modulo 16, are in the lanes.
    [[nodiscard]] static Words look_up(const Table<std::uint64_t, 16>& table, Words numbers) noexcept
    {
        return reinterpret_cast<Words>(_mm512_permutex2var_epi64(_mm512_load_si512(table.data()),
                                                                 reinterpret_cast<__m512i>(numbers),
                                                                 _mm512_load_si512(table.data() + 8)));
    }
#endif
    /// A bit for each lane of a mask.
    [[nodiscard]] static unsigned lane_bits(Longs mask) noexcept
    {
        return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask));
    }
    /// A product, rounded before it is added. Without this, g++ 12.2 fuses it with sums and
    /// differences in one vector, in spite of -ffp-contract=off (GCC's bug 106902).
    [[nodiscard, gnu::always_inline]] static double rounded(double product) noexcept
    {
#if !defined(__clang__)
        __asm__("" : "+v"(product));
#endif
        return product;
    }
#if defined(GIRIH_MEMORY_SANITIZER)  // which does not know the instruction
    [[nodiscard]] static TwoDoubles floor(TwoDoubles a) noexcept { return __builtin_elementwise_floor(a); }
#else
    [[nodiscard]] static TwoDoubles floor(TwoDoubles a) noexcept { return _mm_floor_pd(a); }
#endif
    /// A bit for each lane where a is less than b.
    [[nodiscard]] static unsigned less_bits(Doubles a, Doubles b) noexcept
    {
#if defined(GIRIH_MEMORY_SANITIZER)  // which does not know the instruction
        return lane_bits(a < b);
#else
        return _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), _CMP_LT_OQ);
#endif
    }
    /// a b + c, rounded once: only where results may differ between engines in the last bits.
    [[nodiscard]] static Doubles multiply_add(Doubles a, Doubles b, Doubles c) noexcept
    {
        return reinterpret_cast<Doubles>(_mm512_fmadd_pd(
            reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), reinterpret_cast<__m512d>(c)));
    }
    /// Truncates to integers.
    [[nodiscard]] static Longs truncate(Doubles a) noexcept
    {
        return reinterpret_cast<Longs>(_mm512_cvttpd_epi64(reinterpret_cast<__m512d>(a)));
    }

    // Falcon's key generator: residues.
    [[nodiscard]] static Residues unsigned_minimum(Residues a, Residues b) noexcept
    {
        return reinterpret_cast<Residues>(
            _mm512_min_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }
    [[nodiscard]] static Residues odd_lanes_down(Residues a) noexcept
    {
        return reinterpret_cast<Residues>(_mm512_shuffle_epi32(reinterpret_cast<__m512i>(a), odd_to_even));
    }

    using ShortIntegers = std::int8_t __attribute__((vector_size(64)));  ///< for short products
    [[nodiscard]] static Integers widen(const std::int8_t* bytes) noexcept
    {
        return reinterpret_cast<Integers>(
            _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))));
    }

    // AES: four blocks.
    static constexpr bool has_aes = true;
    static constexpr std::size_t aes_blocks = 4;
    static constexpr bool sixteen_blocks_at_a_time = true;  ///< for ChaCha20
    using AesBlocks = __m512i;
    /// One block in all four places.
    [[nodiscard]] static AesBlocks aes_broadcast(const Byte* block) noexcept
    {
        return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block)));
    }
    static void aes_store(Byte* to, AesBlocks a) noexcept { _mm512_storeu_si512(to, a); }
    /// Big-endian counters of 128 bits, from `first` on.
    [[nodiscard]] static AesBlocks aes_counters(std::uint64_t first) noexcept
    {
        const auto count = [first](std::uint64_t i) {
            return static_cast<std::int64_t>(__builtin_bswap64(first + i));
        };
        return _mm512_set_epi64(count(3), 0, count(2), 0, count(1), 0, count(0), 0);
    }
    [[nodiscard]] static AesBlocks aes_round(AesBlocks a, AesBlocks key) noexcept
    {
        return _mm512_aesenc_epi128(a, key);
    }
    [[nodiscard]] static AesBlocks aes_last_round(AesBlocks a, AesBlocks key) noexcept
    {
        return _mm512_aesenclast_epi128(a, key);
    }
    /// SUBWORD(): with four equal columns, the last round's shift of rows changes nothing.
    [[nodiscard]] static std::uint32_t aes_sub_word(std::uint32_t word) noexcept
    {
        const __m128i columns = _mm_set1_epi32(static_cast<std::int32_t>(word));
        return static_cast<std::uint32_t>(
            _mm_cvtsi128_si32(_mm_aesenclast_si128(columns, _mm_setzero_si128())));
    }

    // Bits of a long integer: 512.
    struct BitLanes {
        using Vector = Words;

        [[nodiscard]] static Vector broadcast(std::uint64_t word) noexcept { return Vector{} + word; }
        [[nodiscard]] static std::uint64_t first_word(Vector a) noexcept { return a[0]; }
        /// Shifts all bits up by one, taking the lowest from the top of `below`; or down, taking
        /// the highest from the bottom of `above`.
        [[nodiscard]] static Vector up(Vector a, Vector below) noexcept
        {
            const __m512i words = reinterpret_cast<__m512i>(a);
            const __m512i lower = _mm512_alignr_epi64(words, reinterpret_cast<__m512i>(below), 7);
            return reinterpret_cast<Vector>(_mm512_shldi_epi64(words, lower, 1));
        }
        [[nodiscard]] static Vector down(Vector a, Vector above) noexcept
        {
            const __m512i words = reinterpret_cast<__m512i>(a);
            const __m512i upper = _mm512_alignr_epi64(reinterpret_cast<__m512i>(above), words, 1);
            return reinterpret_cast<Vector>(_mm512_shrdi_epi64(words, upper, 1));
        }
    };

    // Sixteen words for sorting.
    [[nodiscard]] static Integers minimum(Integers a, Integers b) noexcept
    {
        return of(_mm512_min_epi32(raw(a), raw(b)));
    }
    /// The one of two that is not the minimum. (A maximum instruction would wait for the only port
    /// that compares.)
    [[nodiscard]] static Integers maximum(Integers a, Integers b, Integers minimum) noexcept
    {
        return a ^ b ^ minimum;
    }
#if !defined(GIRIH_MEMORY_SANITIZER)  // which follows no secrets through a mask
    /// The minimum in the lower lane of each pair that is `distance` apart, the maximum in the
    /// upper one.
    template <std::size_t distance>
    [[nodiscard]] static Integers lower_and_upper(Integers a, Integers b, Integers minimum) noexcept
    {
        constexpr auto upper = [] {
            std::uint32_t mask = 0;
            for (std::uint32_t i = 0; i < 16; ++i) mask |= ((i & distance) != 0 ? 1U : 0U) << i;
            return static_cast<__mmask16>(mask);
        }();
        return of(_mm512_mask_ternarylogic_epi32(raw(minimum), upper, raw(a), raw(b), 0x96));
    }
#endif

#if defined(GIRIH_MEMORY_SANITIZER)  // which does not know compressed bytes and sums of products
    using HalfByteLanes = OneHalfByte<Isa>;
#else
    using HalfByteLanes = avx512::HalfByteLanes;
    using FewBits = avx512::FewBits;
#endif
    using ShortLanes = avx512::ShortLanes;
    using ThirtyTwoShorts = ShortLanes::Vector;
    /// `a`, hidden from the optimiser by an empty assembly, so that products with it keep their
    /// instructions. (Not for clang's memory sanitizer, which cannot follow assembly.)
    template <class V>
    [[nodiscard]] static V opaque(V a) noexcept
    {
#if !defined(GIRIH_MEMORY_SANITIZER)
        __asm__("" : "+v"(a));
#endif
        return a;
    }
    /// The high halves of 32-bit products.
    [[nodiscard]] static ThirtyTwoShorts multiply_high(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_mulhi_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }
    /// Products divided by 2^15, with halves rounded up.
    [[nodiscard]] static ThirtyTwoShorts multiply_rounded(ThirtyTwoShorts a, ThirtyTwoShorts b) noexcept
    {
        return reinterpret_cast<ThirtyTwoShorts>(
            _mm512_mulhrs_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
    }

    [[nodiscard]] static bool any_negative(Integers a) noexcept { return _mm512_movepi32_mask(raw(a)) != 0; }

    [[nodiscard]] static Integers high_half(Products a) noexcept
    {
        return of(_mm512_mask_shuffle_epi32(reinterpret_cast<__m512i>(a.odd), even_lanes,
                                            reinterpret_cast<__m512i>(a.even), odd_to_even));
    }

    static std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        const __mmask16 keep = _mm512_movepi32_mask(raw(mask));
#if defined(GIRIH_MEMORY_SANITIZER)
        // The place depends on the mask, which is public. The sanitizer does not know the
        // instruction for this.
        for (std::size_t i = 0; i < integer_lanes; ++i) {
            *to = a[i];
            to += keep >> i & 1;
        }
#else
        // Compresses in a register and stores all of it: the compressing store is slow on some
        // processors.
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(keep, raw(a)));
#endif
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }

    /// All ones in the first `count` lanes.
    [[nodiscard]] static Integers first_lanes(std::size_t count) noexcept
    {
        return of(_mm512_movm_epi32(static_cast<__mmask16>((1U << count) - 1)));
    }

    /// Sixteen integers of `bits` <= 25 bits each from 2 * bits bytes.
    template <int bits>
    [[nodiscard]] static Integers unpack(const Byte* bytes) noexcept
    {
        // Integer i begins in byte i * bits / 8, at bit i * bits % 8, and ends within four bytes.
        static constexpr auto place = make_table<Byte, 64>([](int i) { return i / 4 * bits / 8 + i % 4; });
        [[maybe_unused]] static constexpr auto shift =
            make_table<std::int32_t, 16>([](int i) { return i * bits % 8; });
        const __m512i packed = _mm512_maskz_loadu_epi8(first_bytes(2 * bits), bytes);
        __m512i words = _mm512_permutexvar_epi8(load_table(place), packed);
        if constexpr (bits % 8 != 0) words = _mm512_srlv_epi32(words, load_table(shift));
        return of(_mm512_and_si512(words, _mm512_set1_epi32((1 << bits) - 1)));
    }

    /// The inverse, for integers in [0, 2^bits) with bits <= 20.
    template <int bits>
    static void pack(Byte* bytes, Integers v) noexcept
    {
        // Neighbours join until their bits fill whole bytes: two in 64 bits, four in
        // 128, eight in 256 (only for the memory sanitizer, which also packs shorter integers
        // here).
        const __m512i two = _mm512_or_si512(_mm512_maskz_mov_epi32(even_lanes, raw(v)),
                                            _mm512_slli_epi64(_mm512_srli_epi64(raw(v), 32), bits));
        if constexpr (bits % 4 == 0) {
            store_strings<2 * bits, 8>(bytes, two);
        } else if constexpr (bits % 2 == 0) {
            store_strings<4 * bits, 16>(bytes, join<2 * bits, 1>(two));
        } else {
            store_strings<8 * bits, 32>(bytes, join<4 * bits, 2>(join<2 * bits, 1>(two)));
        }
    }

  private:
    friend VectorIsa;

    static constexpr __mmask16 even_lanes = 0x5555;
    static constexpr __mmask16 odd_lanes = 0xAAAA;
    static constexpr auto odd_to_even = static_cast<_MM_PERM_ENUM>(0b11'11'01'01);

    template <class T, std::size_t size>
    [[nodiscard]] static __m512i load_table(const Table<T, size>& t) noexcept
    {
        return _mm512_load_si512(t.data());
    }

    /// The 128-bit quarters 0 and 2 of two vectors, or 1 and 3, in the order of a transposition.
    static constexpr auto even_quarters =
        make_table<std::int64_t, 8>([](int i) { return i % 4 / 2 * 8 + i / 4 * 4 + i % 2; });
    static constexpr auto odd_quarters =
        make_table<std::int64_t, 8>([](int i) { return i % 4 / 2 * 8 + i / 4 * 4 + 2 + i % 2; });

    /// Interleaves the even blocks of `size` integers of a and b; odd_blocks, the odd ones.
    template <std::size_t size>
    [[nodiscard]] static Integers even_blocks(Integers a, Integers b) noexcept
    {
        if constexpr (size == 8) return of(_mm512_shuffle_i64x2(raw(a), raw(b), 0x44));
        if constexpr (size == 4)
            return of(_mm512_permutex2var_epi64(raw(a), load_table(even_quarters), raw(b)));
        if constexpr (size == 2) return of(_mm512_unpacklo_epi64(raw(a), raw(b)));
        if constexpr (size == 1)
            return of(_mm512_mask_mov_epi32(raw(a), odd_lanes, _mm512_slli_epi64(raw(b), 32)));
    }
    template <std::size_t size>
    [[nodiscard]] static Integers odd_blocks(Integers a, Integers b) noexcept
    {
        if constexpr (size == 8) return of(_mm512_shuffle_i64x2(raw(a), raw(b), 0xEE));
        if constexpr (size == 4)
            return of(_mm512_permutex2var_epi64(raw(a), load_table(odd_quarters), raw(b)));
        if constexpr (size == 2) return of(_mm512_unpackhi_epi64(raw(a), raw(b)));
        if constexpr (size == 1)
            return of(_mm512_mask_mov_epi32(raw(b), even_lanes, _mm512_srli_epi64(raw(a), 32)));
    }

    [[nodiscard]] static constexpr __mmask64 first_bytes(int count)
    {
        return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    }

    /// Joins strings of `bits` bits that begin `words` 64-bit words apart, in pairs.
    template <int bits, int words>
    [[nodiscard]] static __m512i join(__m512i strings) noexcept
    {
        // The second string of a pair moves up by `bits`; the bits that leave its word become the
        // low part of the next word.
        static constexpr auto first =
            make_table<std::int64_t, 8>([](int i) { return i / (2 * words) * 2 * words; });
        static constexpr auto second =
            make_table<std::int64_t, 8>([](int i) { return i / (2 * words) * 2 * words + words; });
        static constexpr auto up =
            make_table<std::int64_t, 8>([](int i) { return i % (2 * words) == 0 ? bits : 64; });
        static constexpr auto down =
            make_table<std::int64_t, 8>([](int i) { return i % (2 * words) == 1 ? 64 - bits : 64; });
        const __m512i a =
            _mm512_maskz_permutexvar_epi64(words == 1 ? 0x55 : 0x11, load_table(first), strings);
        const __m512i b = _mm512_permutexvar_epi64(load_table(second), strings);
        return _mm512_or_si512(
            a, _mm512_or_si512(_mm512_sllv_epi64(b, load_table(up)), _mm512_srlv_epi64(b, load_table(down))));
    }

    /// Stores strings of `bits` bits (whole bytes) that begin every `step` bytes, without gaps.
    template <int bits, int step>
    static void store_strings(Byte* bytes, __m512i strings) noexcept
    {
        constexpr int size = bits / 8;
        static constexpr auto place =
            make_table<Byte, 64>([](int i) { return (i / size * step + i % size) % 64; });
        _mm512_mask_storeu_epi8(bytes, first_bytes(64 / step * size),
                                _mm512_permutexvar_epi8(load_table(place), strings));
    }

    [[nodiscard]] static __m512i raw(Integers a) noexcept { return reinterpret_cast<__m512i>(a); }
    [[nodiscard]] static Integers of(__m512i a) noexcept { return reinterpret_cast<Integers>(a); }
    [[nodiscard]] static Integers odd(Integers a) noexcept
    {
        return of(_mm512_shuffle_epi32(raw(a), odd_to_even));  // a shift would use the multiplier's port
    }
};

}  // namespace girih::isa::avx512
