/// The portable engine: one lane of everything, in plain C++. It runs on every processor
/// and at compile time.
#pragma once

#if defined(__SSE2__)
#    include <emmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/secret.hpp"
#include "isa/doubles/emulated_fpr.hpp"
#include "isa/doubles/native_fpr.hpp"
#include "isa/family.hpp"
#include "isa/shared/half_bytes.hpp"
#include "isa/shared/scalar_bits.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/shorts.hpp"
#include "isa/shared/sort_lanes.hpp"

namespace girih::isa::portable {

struct Isa {
    static constexpr std::string_view name = "portable";

    static constexpr bool follows_specification = false;
    static constexpr bool has_aes = false;
#if !defined(__SSE2__) && !defined(__ARM_NEON) && !defined(__wasm__)  // whose locals are in no memory
    static constexpr bool spills_vectors = true;
#endif

    // Keccak: one state, whether alone or among many.
    using SerialWords = ScalarWords<Isa>;
    using WideWords = ScalarWords<Isa>;
    using HashWords = SerialWords;  ///< SHA-512: one message

    // Falcon's numbers: the processor's, if every processor of the family has a double unit known
    // to follow IEEE 754.
#if defined(GIRIH_FAMILY_X86_64) || defined(__aarch64__) || \
    (defined(__riscv_flen) && __riscv_flen >= 64 && __riscv_xlen == 64)
    using Fpr = NativeFpr<Isa>;
#else
    using Fpr = EmulatedFpr<Isa>;
#endif
    /// Bitsliced AES, with twice as many blocks as in one word.
    struct CipherWords {
        using Words = std::uint64_t __attribute__((vector_size(16)));

        template <int bits>
        [[nodiscard]] static Words rotate_left(Words a) noexcept
        {
            return a << bits | a >> (64 - bits);
        }
        [[nodiscard]] static Words broadcast(std::uint64_t word) noexcept { return Words{} + word; }
    };

    // Integers: one signed 32-bit integer, and its products in 64 bits.
    using Integers = std::int32_t;
    using Products = std::int64_t;
    using ShortIntegers = std::int8_t __attribute__((vector_size(16)));  ///< for short products
    [[nodiscard]] static constexpr std::int32_t widen(const std::int8_t* bytes) noexcept { return *bytes; }
    static constexpr std::size_t integer_lanes = 1;
    static constexpr std::size_t ntt_group = 16;  ///< vectors that the NTT keeps in registers

    [[nodiscard]] static constexpr Integers broadcast(std::int32_t a) noexcept { return a; }
    [[nodiscard]] static constexpr Integers load(const std::int32_t* from) noexcept { return *from; }
    static constexpr void store(std::int32_t* to, Integers a) noexcept { *to = a; }
    /// Stores the lanes of `a` whose mask is all ones without gaps, and returns their number. The
    /// rest of one vector is overwritten.
    static constexpr std::size_t compress_store(std::int32_t* to, Integers a, Integers mask) noexcept
    {
        *to = a;
        return static_cast<std::size_t>(mask & 1);
    }
    [[nodiscard]] static constexpr bool any_negative(Integers a) noexcept { return a < 0; }

    [[nodiscard]] static constexpr Products multiply(Integers a, Integers b) noexcept
    {
        return Products{a} * b;
    }
    /// The low half of each product, as a signed integer, times a constant.
    [[nodiscard]] static constexpr Products multiply_low(Products a, std::int32_t b) noexcept
    {
        return Products{static_cast<std::int32_t>(a)} * b;
    }
    using HalfByteLanes = OneHalfByte<Isa>;

    // Bits of a long integer: 64.
    using BitLanes = ScalarBits<Isa>;

    // Four words for sorting.
    using FourWords32 = std::int32_t __attribute__((vector_size(16)));
    using SortLanes = isa::SortLanes<Isa, FourWords32>;
    [[nodiscard]] static FourWords32 minimum(FourWords32 a, FourWords32 b) noexcept
    {
#if defined(__SSE2__) || defined(__ARM_NEON)
        return b ^ ((a ^ b) & (a < b));
#else  // In general registers, clang++ would find minima of numbers, and branch.
        FourWords32 least;
        for (std::size_t i = 0; i < SortLanes::lanes; ++i) {
            const auto is_a = static_cast<std::int32_t>(negative_mask(std::int64_t{a[i]} - b[i]));
            least[i] = b[i] ^ ((a[i] ^ b[i]) & is_a);
        }
        return least;
#endif
    }
    [[nodiscard]] static FourWords32 maximum(FourWords32 a, FourWords32 b, FourWords32 minimum) noexcept
    {
        return a ^ b ^ minimum;
    }

    // Eight 16-bit integers, which most compilers put into a vector.
    using EightShorts = std::int16_t __attribute__((vector_size(16)));
    using EightShortWords = std::uint16_t __attribute__((vector_size(16)));
    struct ShortLanes : Shorts<Isa, EightShorts, EightShortWords, FourWords32> {
#if defined(__SSE2__)
        [[nodiscard]] static FourWords32 multiply_pairs(EightShorts a, EightShorts b) noexcept
        {
            return reinterpret_cast<FourWords32>(
                _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
        }
#endif
        // By shifts: for the general form, g++ stores and loads every lane.
        template <std::size_t size>
        [[nodiscard]] static EightShorts even_blocks(EightShorts a, EightShorts b) noexcept
        {
            if constexpr (size == 1 && is_little_endian)
                return merge(reinterpret_cast<Pairs>(a) & 0xFFFF, reinterpret_cast<Pairs>(b) << 16);
            else if constexpr (size == 2 && is_little_endian)
                return merge(reinterpret_cast<Fours>(a) & 0xFFFFFFFF, reinterpret_cast<Fours>(b) << 32);
            else
                return Shorts::even_blocks<size>(a, b);
        }
        template <std::size_t size>
        [[nodiscard]] static EightShorts odd_blocks(EightShorts a, EightShorts b) noexcept
        {
            if constexpr (size == 1 && is_little_endian)
                return merge(reinterpret_cast<Pairs>(a) >> 16, reinterpret_cast<Pairs>(b) & ~Pairs{} << 16);
            else if constexpr (size == 2 && is_little_endian)
                return merge(reinterpret_cast<Fours>(a) >> 32, reinterpret_cast<Fours>(b) & ~Fours{} << 32);
            else
                return Shorts::odd_blocks<size>(a, b);
        }

      private:
        using Pairs = std::uint32_t __attribute__((vector_size(16)));
        using Fours = std::uint64_t __attribute__((vector_size(16)));
        static constexpr bool is_little_endian = std::endian::native == std::endian::little;

        template <class V>
        [[nodiscard]] static EightShorts merge(V a, V b) noexcept
        {
            return reinterpret_cast<EightShorts>(a | b);
        }
    };
    /// `a`, hidden from the optimiser where products with it would become shifts and sums.
    [[nodiscard]] static EightShorts opaque(EightShorts a) noexcept
    {
#if defined(__SSE2__) && !defined(GIRIH_MEMORY_SANITIZER)
        __asm__("" : "+x"(a));
#endif
        return a;
    }
    /// The high halves of 32-bit products.
    [[nodiscard]] static EightShorts multiply_high(EightShorts a, EightShorts b) noexcept
    {
#if defined(__SSE2__)
        // Every x86-64 processor has an instruction for this, which g++ does not use.
        return reinterpret_cast<EightShorts>(
            _mm_mulhi_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
        // Without the barrier, g++ 12 -O2 puts several lanes into a general register, where a
        // processor has no vectors, and computes wrong halves.
        EightShorts high;
        for (std::size_t i = 0; i < ShortLanes::lanes; ++i)
            high[i] = static_cast<std::int16_t>(value_barrier(std::int32_t{a[i]} * b[i]) >> 16);
        return high;
#endif
    }
    /// Products divided by 2^15, with halves rounded up, for 0 <= b < 2^14.
    [[nodiscard]] static EightShorts multiply_rounded(EightShorts a, EightShorts b) noexcept
    {
        const EightShorts twice = b + b;
        const EightShorts below =
            ShortLanes::multiply_low(a, twice);  // the low half, whose top bit is the half to round
        return multiply_high(a, twice) - (below >> 15);
    }

    /// The high half of a multiple of 2^32.
    [[nodiscard]] static constexpr Integers high_half(Products a) noexcept
    {
        return static_cast<Integers>(a >> 32);
    }
};

}  // namespace girih::isa::portable
