/// The AVX-512 engine's 64-bit words, for Keccak's states and SHA-512.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/unroll.hpp"
#include "isa/avx512/keccak.hpp"
#include "isa/avx512/keccak_rows.hpp"
#include "isa/avx512/short_lanes.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/vector_isa.hpp"

namespace girih::isa::avx512 {

/// Bitwise functions that are one instruction, on vectors of any width.
template <class V>
struct Bitwise {
    template <int bits>
    [[nodiscard]] static V rotate_left(V a) noexcept
    {
        if constexpr (sizeof(V) == 16)
            return reinterpret_cast<V>(_mm_rol_epi64(reinterpret_cast<__m128i>(a), bits));
        else if constexpr (sizeof(V) == 32)
            return reinterpret_cast<V>(_mm256_rol_epi64(reinterpret_cast<__m256i>(a), bits));
        else
            return reinterpret_cast<V>(_mm512_rol_epi64(reinterpret_cast<__m512i>(a), bits));
    }
    [[nodiscard]] static V chi(V a, V b, V c) noexcept { return ternary<0xD2>(a, b, c); }
    [[nodiscard]] static V xor3(V a, V b, V c) noexcept { return ternary<0x96>(a, b, c); }
    [[nodiscard]] static V xor5(V a, V b, V c, V d, V e) noexcept { return xor3(xor3(a, b, c), d, e); }
    [[nodiscard]] static V choose(V e, V f, V g) noexcept { return ternary<0xCA>(e, f, g); }
    [[nodiscard]] static V majority(V a, V b, V c) noexcept { return ternary<0xE8>(a, b, c); }

  private:
    /// The function of three bits whose value for (a, b, c) is bit 4 a + 2 b + c of `table`.
    template <int table>
    [[nodiscard]] static V ternary(V a, V b, V c) noexcept
    {
#if defined(GIRIH_MEMORY_SANITIZER)
        // The sanitizer follows secrets through these expressions, but not through the instruction.
        if constexpr (table == 0x96) return a ^ b ^ c;
        if constexpr (table == 0xD2) return a ^ (~b & c);
        if constexpr (table == 0xCA) return c ^ (a & (b ^ c));
        if constexpr (table == 0xE8) return (a & b) ^ (c & (a ^ b));
#else
        if constexpr (sizeof(V) == 16)
            return reinterpret_cast<V>(_mm_ternarylogic_epi64(reinterpret_cast<__m128i>(a),
                                                              reinterpret_cast<__m128i>(b),
                                                              reinterpret_cast<__m128i>(c), table));
        else if constexpr (sizeof(V) == 32)
            return reinterpret_cast<V>(_mm256_ternarylogic_epi64(reinterpret_cast<__m256i>(a),
                                                                 reinterpret_cast<__m256i>(b),
                                                                 reinterpret_cast<__m256i>(c), table));
        else
            return reinterpret_cast<V>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a),
                                                                 reinterpret_cast<__m512i>(b),
                                                                 reinterpret_cast<__m512i>(c), table));
#endif
    }
};

using PairWords = std::uint64_t __attribute__((vector_size(16)));
using QuadWords = std::uint64_t __attribute__((vector_size(32)));

/// Adds a block to one of several states: a single row becomes a column, by masks.
template <class V>
struct SingleRows {
    static constexpr int single_rows = 2;  ///< up to two rows are faster one by one

    template <std::size_t words, std::size_t state_words>
    static void absorb_row(std::array<V, state_words>& state, std::size_t lane,
                           std::array<std::uint64_t, words>& row, bool fresh) noexcept
    {
        const auto absorbing = static_cast<__mmask8>(1U << lane);
        const auto kept = static_cast<__mmask8>(fresh ? ~absorbing : 0xFF);
        for (std::size_t i = 0; i < words; ++i) {
            if constexpr (sizeof(V) == 32) {
                const __m256i word = _mm256_maskz_mov_epi64(kept, reinterpret_cast<__m256i>(state[i]));
                state[i] = reinterpret_cast<V>(_mm256_mask_xor_epi64(
                    word, absorbing, word, _mm256_set1_epi64x(static_cast<std::int64_t>(row[i]))));
            } else {
                const __m512i word = _mm512_maskz_mov_epi64(kept, reinterpret_cast<__m512i>(state[i]));
                state[i] = reinterpret_cast<V>(_mm512_mask_xor_epi64(
                    word, absorbing, word, _mm512_set1_epi64(static_cast<std::int64_t>(row[i]))));
            }
        }
        if (fresh)
            for (std::size_t i = words; i < state_words; ++i) state[i][lane] = 0;
        row = {};
    }
};

/// One Keccak state.
struct OneWord : ScalarWords<Isa> {
#if !defined(GIRIH_MEMORY_SANITIZER)  // which follows no secrets through a permutation by a table
    static void permute(std::array<Words, keccak::words>& state) noexcept { KeccakRows::permute(state); }
#endif
};

/// Four Keccak states, one in each 64-bit lane; or words of SHA-512 for one message or two.
struct FourWords : FourStateLanes<FourWords, QuadWords>, Bitwise<QuadWords>, SingleRows<QuadWords> {
    using Fewer = OneWord;
    using One = OneWord;

    static void permute(std::array<Words, keccak::words>& state) noexcept
    {
        KeccakInPlace<FourWords>::permute(state);
    }

    /// Two words at each address.
    [[nodiscard]] static Words load_pairs(const void* first, const void* second) noexcept
    {
        const __m128i low = _mm_loadu_si128(static_cast<const __m128i*>(first));
        const __m128i high = _mm_loadu_si128(static_cast<const __m128i*>(second));
        return reinterpret_cast<Words>(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
    }
};

/// Eight Keccak states, one in each 64-bit lane.
struct EightWords : StateLanes<EightWords, Vectors::Words>,
                    Bitwise<Vectors::Words>,
                    SingleRows<Vectors::Words> {
    using Fewer = FourWords;
    using One = OneWord;

    static void permute(std::array<Words, keccak::words>& state) noexcept
    {
        KeccakInPlace<EightWords>::permute(state);
    }

  private:
    friend StateLanes;

    [[nodiscard]] static __mmask8 all_but(const std::array<bool, count>& fresh) noexcept
    {
        const __m128i flags = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(fresh.data()));
        return static_cast<__mmask8>(_mm_cmpeq_epi8_mask(flags, _mm_setzero_si128()));
    }
    [[nodiscard]] static Words keep(__mmask8 mask, Words a) noexcept
    {
        return of(_mm512_maskz_mov_epi64(mask, raw(a)));
    }

    [[nodiscard]] static __m512i raw(Words a) noexcept { return reinterpret_cast<__m512i>(a); }
    [[nodiscard]] static Words of(__m512i a) noexcept { return reinterpret_cast<Words>(a); }

    /// Transposes eight rows of eight words: first pairs of words, then 128-bit quarters, twice.
    static void transpose(std::array<Words, count>& v) noexcept
    {
        std::array<Words, count> pairs;
        unroll<4>([&](auto i) __attribute__((always_inline)) {
            pairs[2 * i] = of(_mm512_unpacklo_epi64(raw(v[2 * i]), raw(v[2 * i + 1])));
            pairs[2 * i + 1] = of(_mm512_unpackhi_epi64(raw(v[2 * i]), raw(v[2 * i + 1])));
        });
        // Vector 4 i + j of these has words j and j + 2 j' of rows 4 i to 4 i + 3.
        std::array<Words, count> quads;
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            constexpr std::size_t i = 4 * (k / 2) + k % 2;
            quads[i] = of(_mm512_shuffle_i64x2(raw(pairs[i]), raw(pairs[i + 2]), 0x88));
            quads[i + 2] = of(_mm512_shuffle_i64x2(raw(pairs[i]), raw(pairs[i + 2]), 0xDD));
        });
        unroll<4>([&](auto k) __attribute__((always_inline)) {
            v[k] = of(_mm512_shuffle_i64x2(raw(quads[k]), raw(quads[k + 4]), 0x88));
            v[k + 4] = of(_mm512_shuffle_i64x2(raw(quads[k]), raw(quads[k + 4]), 0xDD));
        });
    }
};

/// SHA-512: one word of each of two messages.
struct TwoHashWords : Bitwise<PairWords> {
    using Words = PairWords;
    static constexpr std::size_t count = 2;

    using Wide = FourWords;
    /// SHA-512 of one message.
    struct Serial : ScalarWords<Isa> {
        using ScheduleWords = FourWords;
    };
};

}  // namespace girih::isa::avx512
