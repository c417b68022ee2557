/// The AVX2 engine's packing of integers of few bits, 32 at a time, through bytes.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "core/bytes.hpp"
#include "isa/avx2/vectors.hpp"
#include "isa/shared/few_bits.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx2 {

struct FewBits {
    /// The integers of four vectors in order, each in [0, 2^bits), in 4 * bits bytes.
    template <int bits, class Integers>
        requires requires { FewBitsJoined<bits>::step; }
    static void pack(Byte* to, Integers a, Integers b, Integers c, Integers d) noexcept
    {
        static constexpr auto order = make_table<std::int32_t, 8>([](int i) { return i / 2 + i % 2 * 4; });
        const __m256i small = _mm256_permutevar8x32_epi32(
            _mm256_packus_epi16(_mm256_packs_epi32(raw(a), raw(b)), _mm256_packs_epi32(raw(c), raw(d))),
            load_table(order));
        using To = FewBitsJoined<bits>;
        __m256i joined = _mm256_maddubs_epi16(small, _mm256_set1_epi16(To::factors_of_two));
        if constexpr (To::step > 2)
            joined = _mm256_madd_epi16(joined, _mm256_set1_epi32(To::factors_of_four));
        if constexpr (To::step > 4)
            joined = _mm256_or_si256(joined, _mm256_srli_epi64(joined, To::shift_of_eight));
        static constexpr auto places = make_table<Byte, 32>([](int i) {
            const int byte = i % 16;
            return byte < 2 * bits ? byte / To::size * To::step + byte % To::size : 0xFF;
        });
        const __m256i strings = _mm256_shuffle_epi8(joined, load_table(places));
        const __m128i low = _mm256_castsi256_si128(strings);
        const __m128i high = _mm256_extracti128_si256(strings, 1);
        const auto high_word = static_cast<std::uint64_t>(_mm_cvtsi128_si64(high));
        if constexpr (bits == 4) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_unpacklo_epi64(low, high));
        } else if constexpr (bits == 6) {
            // The next store overwrites the excess bytes of the first.
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
            isa::store_bytes<8>(to + 12, high_word);
            isa::store_bytes<4>(to + 20, static_cast<std::uint64_t>(_mm_extract_epi64(high, 1)));
        } else {
            isa::store_bytes<8>(to, static_cast<std::uint64_t>(_mm_cvtsi128_si64(low)) | high_word << 48);
            isa::store_bytes<4>(to + 8, high_word >> 16);
        }
    }
};

}  // namespace girih::isa::avx2
