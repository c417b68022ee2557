/// The AVX2 engine's vectors.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "isa/lanes/table.hpp"

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

}  // namespace girih::isa::avx2
