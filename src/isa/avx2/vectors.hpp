/// The AVX2 engine's vectors.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/shared/short_words.hpp"
#include "isa/shared/table.hpp"

namespace girih::isa::avx2 {

struct Isa;

/// Vectors of 256 bits.
struct Vectors {
    using Words = std::uint64_t __attribute__((vector_size(32)));
    using Longs = std::int64_t __attribute__((vector_size(32)));
    using Doubles = double __attribute__((vector_size(32)));
    using Integers = std::int32_t __attribute__((vector_size(32)));
    using Residues = std::uint32_t __attribute__((vector_size(32)));
    using HalfIntegers = std::int32_t __attribute__((vector_size(16)));  ///< as many as Longs
};

template <class V>
[[nodiscard, gnu::always_inline]] inline __m256i raw(V a) noexcept
{
    return reinterpret_cast<__m256i>(a);
}
template <class T, std::size_t size>
[[nodiscard, gnu::always_inline]] inline __m256i load_table(const Table<T, size>& t) noexcept
{
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(t.data()));
}
/// `count` <= 16 bytes in each half, followed by zeros. Adjacent bytes are not read.
template <int count>
[[nodiscard, gnu::always_inline]] inline __m256i load_twice(const Byte* bytes) noexcept
{
    std::uint64_t upper = 0;
    if constexpr (count > 8) upper = load_bytes<count - 8>(bytes + 8);
    constexpr int in_lower = count < 8 ? count : 8;
    const std::uint64_t lower = load_bytes<in_lower>(bytes);
    return _mm256_broadcastsi128_si256(
        _mm_set_epi64x(static_cast<std::int64_t>(upper), static_cast<std::int64_t>(lower)));
}
/// 16 bytes in each half.
[[nodiscard, gnu::always_inline]] inline __m256i load_halves(const Byte* lower, const Byte* upper) noexcept
{
    return _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(upper),
                               reinterpret_cast<const __m128i*>(lower));
}

}  // namespace girih::isa::avx2
