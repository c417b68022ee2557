/// The AVX2 engine's words of 64 bits.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/avx2/vectors.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/table.hpp"
#include "isa/vector_isa.hpp"

namespace girih::isa::avx2 {

/// Four Keccak states, one in each 64-bit lane.
struct FourWords : FourStateLanes<FourWords, Vectors::Words> {
    using Fewer = ScalarWords<Isa>;
    using One = Fewer;
    static constexpr bool permutes_pairs = true;
    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        // Rotations by whole bytes are one instruction.
        if constexpr (bits == 8) return of(_mm256_shuffle_epi8(raw(a), load_table(left_one_byte)));
        if constexpr (bits == 56) return of(_mm256_shuffle_epi8(raw(a), load_table(left_seven_bytes)));
        if constexpr (bits == 0) return a;
        if constexpr (bits == 1) return (a + a) | (a >> 63);  // more ports can add than shift
        return (a << bits) | (a >> ((64 - bits) % 64));
    }
    /// Two words at each address.
    [[nodiscard]] static Words load_pairs(const void* first, const void* second) noexcept
    {
        const __m128i low = _mm_loadu_si128(static_cast<const __m128i*>(first));
        const __m128i high = _mm_loadu_si128(static_cast<const __m128i*>(second));
        return reinterpret_cast<Words>(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
    }
    [[nodiscard]] static Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }

  private:
    static constexpr auto left_one_byte =
        make_table<Byte, 32>([](int i) { return i / 8 * 8 % 16 + (i + 7) % 8; });
    static constexpr auto left_seven_bytes =
        make_table<Byte, 32>([](int i) { return i / 8 * 8 % 16 + (i + 1) % 8; });

    [[nodiscard]] static Words of(__m256i a) noexcept { return reinterpret_cast<Words>(a); }
};

}  // namespace girih::isa::avx2
