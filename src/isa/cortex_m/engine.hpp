/// The engines of microcontrollers, where they differ from the portable one. They are not chosen at
/// run time: firmware is built for one processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "isa/cortex_m/core.hpp"
#include "isa/cortex_m/division_steps.hpp"
#include "isa/cortex_m/fpr.hpp"
#include "isa/cortex_m/fpr_calls.hpp"
#include "isa/cortex_m/halfwords.hpp"
#include "isa/cortex_m/ntru_prime_calls.hpp"
#include "isa/cortex_m/words.hpp"
#include "isa/isa.hpp"
#include "isa/portable/engine.hpp"
#include "isa/products.hpp"

/// In ml_dsa_ntt.S.
extern "C" void girih_cortex_m_ml_dsa_ntt(std::int32_t* w, const std::int32_t* zetas);
extern "C" void girih_cortex_m_ml_dsa_inverse_ntt(std::int32_t* w, const std::int32_t* zetas);
/// In sha512.S.
extern "C" void girih_cortex_m_sha512(std::uint64_t* state, const std::uint8_t* blocks, std::size_t count,
                                      const std::uint64_t* constants);

namespace girih::isa::cortex_m {

/// Four signed bytes in a word.
struct FourBytes {
    std::uint32_t word;

    [[nodiscard, gnu::always_inline]] friend FourBytes operator+(FourBytes a, FourBytes b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        std::uint32_t sum;
        __asm__("sadd8 %0, %1, %2" : "=r"(sum) : "r"(a.word), "r"(b.word));
        return {sum};
#else
        // Lower bits carry into a byte's highest bit, which is added without a carry.
        constexpr std::uint32_t highest = 0x80808080;
        return {((a.word & ~highest) + (b.word & ~highest)) ^ ((a.word ^ b.word) & highest)};
#endif
    }
    [[nodiscard, gnu::always_inline]] friend FourBytes operator-(FourBytes a, FourBytes b) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        std::uint32_t difference;
        __asm__("ssub8 %0, %1, %2" : "=r"(difference) : "r"(a.word), "r"(b.word));
        return {difference};
#else
        constexpr std::uint32_t highest = 0x80808080;
        return {((a.word | highest) - (b.word & ~highest)) ^ ((a.word ^ ~b.word) & highest)};
#endif
    }
};

/// Falcon's floating point in integers.
struct Isa : portable::Isa, NtruPrimeCalls {
    static constexpr std::string_view name = "cortex_m";
#if defined(GIRIH_SMALL_CORE)
    using SerialWords = PlainWords<Isa>;
#else
    using SerialWords = InterleavedWords<Isa>;
#endif
    using WideWords = SerialWords;
    struct HashWords : ScalarWords<Isa> {
#if defined(GIRIH_ARM_UNALIGNED)
        static constexpr auto& compress_sha512 = girih_cortex_m_sha512;
#endif
    };
    template <class Engine>
    using FprOf = OutlinedFpr<Engine>;
    using Fpr = FprOf<Isa>;
    using ShortIntegers = FourBytes;
    template <std::int32_t r>
    using HalfwordsOf = Halfwords<r>;
#if defined(GIRIH_ARM_DSP)
    /// Counts which of Falcon's 18 numbers are above a given one of 72 bits.
    [[nodiscard]] static std::uint32_t count_above(std::uint64_t low, std::uint32_t high,
                                                   const std::array<std::uint32_t, 54>& numbers) noexcept
    {
        return fpr_calls::count_above(low, high, numbers.data());
    }
#endif
    /// No vectors: NTRU Prime follows its specification, except for products and reciprocals.
    static constexpr bool follows_specification = true;
    static constexpr bool multiplies_words = true;
    static constexpr bool has_one_set = true;  ///< an image has one of NTRU Prime's parameter sets
    using HalfwordPairs = cortex_m::HalfwordPairs<Isa>;
    using Trits = Trits32;
    static void trit_step(Trits* from, Trits* end, std::uint32_t nonzero, std::uint32_t minus,
                          std::uint32_t exchange) noexcept
    {
        cortex_m::trit_step<Isa>(from, end, nonzero, minus, exchange);
    }
    /// a / 2^32 modulo an odd m, below m in magnitude, for |a| < 2^31 m; `inverse` is -1 / m modulo
    /// 2^32, which makes the low half of the sum 0. (Compilers do not use the instruction that adds
    /// to both halves.)
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t montgomery_reduce(
        std::int64_t a, std::int32_t m, std::uint32_t inverse) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            auto low = static_cast<std::uint32_t>(a);
            auto high = static_cast<std::int32_t>(a >> 32);
            std::uint32_t factor;
            __asm__("mul %2, %0, %4\n\tsmlal %0, %1, %2, %3"
                    : "+r"(low), "+r"(high), "=&r"(factor)
                    : "r"(m), "r"(inverse));
            return high;
        }
#endif
        const auto factor = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * inverse);
        return static_cast<std::int32_t>((a + long_product(factor, m)) >> 32);
    }
    /// montgomery_reduce of a b.
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t montgomery_multiply(
        std::int32_t a, std::int32_t b, std::int32_t m, std::uint32_t inverse) noexcept
    {
#if defined(GIRIH_ARM_DSP)
        if (!std::is_constant_evaluated()) {
            std::uint32_t low;
            std::int32_t high;
            __asm__("smull %0, %1, %2, %3\n\tmul %2, %0, %5\n\tsmlal %0, %1, %2, %4"
                    : "=&r"(low), "=&r"(high), "+&r"(a)
                    : "r"(b), "r"(m), "r"(inverse));
            return high;
        }
#endif
        return montgomery_reduce(long_product(a, b), m, inverse);
    }
    /// ML-DSA's transform in assembly, with zetas in the order of use. Returns false where there is
    /// none.
    [[nodiscard, gnu::always_inline]] static constexpr bool ml_dsa_ntt(
        [[maybe_unused]] std::int32_t* w, [[maybe_unused]] const std::int32_t* zetas)
    {
#if defined(GIRIH_ARM_DSP_AND_FLOATS)
        if (!std::is_constant_evaluated()) return girih_cortex_m_ml_dsa_ntt(w, zetas), true;
#endif
        return false;
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool ml_dsa_inverse_ntt(
        [[maybe_unused]] std::int32_t* w, [[maybe_unused]] const std::int32_t* zetas)
    {
#if defined(GIRIH_ARM_DSP_AND_FLOATS)
        if (!std::is_constant_evaluated()) return girih_cortex_m_ml_dsa_inverse_ntt(w, zetas), true;
#endif
        return false;
    }
    /// More stack than any operation of NTRU Prime uses at p = 761.
    static constexpr std::size_t ntru_prime_stack_bytes = 31744;
    /// ChaCha20: no room for eight blocks side by side.
    static constexpr bool one_block_at_a_time = true;
};

/// Falcon's floating point on the double-precision unit of a Cortex-M7. The time of its divisions
/// and square roots depends on their operands, so the time of a signature leaks information on the
/// key. For measurements, and where nobody can measure times.
struct DoubleUnit : Isa {
    static constexpr std::string_view name = "cortex_m_double";
    template <class Engine>
    using FprOf = NativeFpr<Engine>;
    using Fpr = FprOf<DoubleUnit>;
};

static_assert(Engine<Isa> && Engine<DoubleUnit>);

}  // namespace girih::isa::cortex_m
