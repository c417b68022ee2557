/// The AVX-512 engine's half-bytes, as candidates for the coefficients of a short polynomial.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx512 {

/// Sixty-four half-bytes, a byte each.
struct HalfByteLanes {
    using Vector = std::int8_t __attribute__((vector_size(64)));
    static constexpr std::size_t lanes = 64;

    [[nodiscard]] static Vector load(const std::uint64_t* words, std::size_t index) noexcept
    {
        const __m512i bytes =
            _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + index / 16)));
        return of(_mm512_or_si512(bytes, _mm512_slli_epi16(bytes, 4))) & 15;
    }
    static std::size_t compress_store(std::int8_t* to, Vector a, Vector mask) noexcept
    {
        const __mmask64 keep = _mm512_movepi8_mask(reinterpret_cast<__m512i>(mask));
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, reinterpret_cast<__m512i>(a)));
        return static_cast<std::size_t>(__builtin_popcountll(keep));
    }
    [[nodiscard]] static Vector below(Vector a, std::int8_t limit) noexcept { return a < limit; }
    [[nodiscard]] static Vector modulo_5(Vector a) noexcept
    {
        static constexpr auto remainders = make_table<Byte, 64>([](int i) { return i % 16 % 5; });
        return of(_mm512_shuffle_epi8(_mm512_load_si512(remainders.data()), reinterpret_cast<__m512i>(a)));
    }
    [[nodiscard]] static Vector first_lanes(std::size_t count) noexcept
    {
        return of(_mm512_movm_epi8((std::uint64_t{1} << count) - 1));
    }

  private:
    [[nodiscard]] static Vector of(__m512i a) noexcept { return reinterpret_cast<Vector>(a); }
};

}  // namespace girih::isa::avx512
