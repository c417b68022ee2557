/// The AVX-512 engine's words of SHA-512.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/scalar_words.hpp"
#include "isa/table.hpp"

namespace girih::isa::avx512 {

struct Isa;

/// Four words: of one message or of two.
struct FourHashWords {
    using Words = std::uint64_t __attribute__((vector_size(32)));

    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        return of(_mm256_rol_epi64(raw(a), bits));
    }
    [[nodiscard]] static Words xor3(Words a, Words b, Words c) noexcept
    {
#if defined(GIRIH_MEMORY_SANITIZER)  // which follows secrets through these, not through the one instruction
        return a ^ b ^ c;
#else
        return of(_mm256_ternarylogic_epi64(raw(a), raw(b), raw(c), 0x96));
#endif
    }
    /// Two words at each address.
    [[nodiscard]] static Words load_pairs(const void* first, const void* second) noexcept
    {
        const __m128i low = _mm_loadu_si128(static_cast<const __m128i*>(first));
        const __m128i high = _mm_loadu_si128(static_cast<const __m128i*>(second));
        return of(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
    }
    [[nodiscard]] static Words swap_bytes(Words a) noexcept
    {
        static constexpr auto places = make_table<Byte, 32>([](int i) { return i / 8 * 8 % 16 + 7 - i % 8; });
        return of(
            _mm256_shuffle_epi8(raw(a), _mm256_load_si256(reinterpret_cast<const __m256i*>(places.data()))));
    }

  private:
    [[nodiscard]] static __m256i raw(Words a) noexcept { return reinterpret_cast<__m256i>(a); }
    [[nodiscard]] static Words of(__m256i a) noexcept { return reinterpret_cast<Words>(a); }
};

/// A word of each of two messages.
struct TwoHashWords {
    using Words = std::uint64_t __attribute__((vector_size(16)));
    static constexpr std::size_t count = 2;

    using Wide = FourHashWords;
    /// Of one message.
    struct Serial : ScalarWords<Isa> {
        using ScheduleWords = FourHashWords;
    };

    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        return of(_mm_rol_epi64(raw(a), bits));
    }
    [[nodiscard]] static Words broadcast(std::uint64_t word) noexcept { return Words{} + word; }
#if !defined(GIRIH_MEMORY_SANITIZER)
    [[nodiscard]] static Words xor3(Words a, Words b, Words c) noexcept { return ternary<0x96>(a, b, c); }
    [[nodiscard]] static Words choose(Words e, Words f, Words g) noexcept { return ternary<0xCA>(e, f, g); }
    [[nodiscard]] static Words majority(Words a, Words b, Words c) noexcept { return ternary<0xE8>(a, b, c); }
#endif

  private:
    /// The function of three bits whose value for (a, b, c) is bit 4 a + 2 b + c of `table`.
    template <int table>
    [[nodiscard]] static Words ternary(Words a, Words b, Words c) noexcept
    {
        return of(_mm_ternarylogic_epi64(raw(a), raw(b), raw(c), table));
    }
    [[nodiscard]] static __m128i raw(Words a) noexcept { return reinterpret_cast<__m128i>(a); }
    [[nodiscard]] static Words of(__m128i a) noexcept { return reinterpret_cast<Words>(a); }
};

}  // namespace girih::isa::avx512
