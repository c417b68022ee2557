/// The AVX2 engine's half-bytes, as candidates for the coefficients of a short polynomial.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/avx2/vectors.hpp"
#include "isa/shared/half_bytes.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx2 {

/// Thirty-two half-bytes, a byte each.
struct HalfByteLanes {
    using Vector = std::int8_t __attribute__((vector_size(32)));
    static constexpr std::size_t lanes = 32;

    [[nodiscard]] static Vector load(const std::uint64_t* words, std::size_t index) noexcept
    {
        const __m256i bytes =
            _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words + index / 16)));
        return of(_mm256_or_si256(bytes, _mm256_slli_epi16(bytes, 4))) & 15;
    }
    static std::size_t compress_store(std::int8_t* to, Vector a, Vector mask) noexcept
    {
        const auto keep = static_cast<std::uint32_t>(_mm256_movemask_epi8(raw(mask)));
        const std::int8_t* const first = to;
        const __m128i low = _mm256_castsi256_si128(raw(a));
        const __m128i high = _mm256_extracti128_si256(raw(a), 1);
        to += store_kept(to, low, keep & 0xFF);
        to += store_kept(to, _mm_unpackhi_epi64(low, low), keep >> 8 & 0xFF);
        to += store_kept(to, high, keep >> 16 & 0xFF);
        to += store_kept(to, _mm_unpackhi_epi64(high, high), keep >> 24);
        return static_cast<std::size_t>(to - first);
    }
    [[nodiscard]] static Vector below(Vector a, std::int8_t limit) noexcept { return a < limit; }
    [[nodiscard]] static Vector modulo_5(Vector a) noexcept
    {
        static constexpr auto remainders = make_table<Byte, 32>([](int i) { return i % 16 % 5; });
        return of(_mm256_shuffle_epi8(load_table(remainders), raw(a)));
    }
    [[nodiscard]] static Vector first_lanes(std::size_t count) noexcept
    {
        static constexpr auto numbers = make_table<std::int8_t, 32>([](int i) { return i; });
        return of(load_table(numbers)) < static_cast<std::int8_t>(count);
    }

  private:
    [[nodiscard]] static Vector of(__m256i a) noexcept { return reinterpret_cast<Vector>(a); }
    /// Stores the kept lanes among the lower eight.
    [[nodiscard]] static std::size_t store_kept(std::int8_t* to, __m128i a, std::uint32_t keep) noexcept
    {
        const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kept_lanes[keep]));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(a, places));
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }
};

}  // namespace girih::isa::avx2
