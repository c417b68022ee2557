/// The portable engine: one lane of everything, in plain C++. It runs on every processor and at compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/scalar_words.hpp"

namespace girih::isa::portable {

struct Isa {
    static constexpr std::string_view name = "portable";

    static constexpr std::size_t signing_attempts_abreast = 1;

    // Keccak: one state, whether alone or among many.
    using SerialWords = ScalarWords<Isa>;
    using WideWords = ScalarWords<Isa>;

    // Integers: one of 32 bits with a sign, and its products in 64 bits.
    using Integers = std::int32_t;
    using Products = std::int64_t;
    using ShortIntegers = std::int8_t __attribute__((vector_size(16)));  ///< for short products
    static constexpr std::size_t integer_lanes = 1;
    static constexpr std::size_t ntt_group = 16;  ///< vectors that the NTT keeps in registers

    [[nodiscard]] static constexpr Integers broadcast(std::int32_t a) noexcept { return a; }
    [[nodiscard]] static constexpr Integers load(const std::int32_t* from) noexcept { return *from; }
    static constexpr void store(std::int32_t* to, Integers a) noexcept { *to = a; }
    /// Stores the lanes of `a` whose mask is all ones, one behind the other, with anything behind them up to one vector.
    /// Returns how many they are.
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
    /// The low half of each product, as an integer with a sign, times a constant.
    [[nodiscard]] static constexpr Products multiply_low(Products a, std::int32_t b) noexcept
    {
        return Products{static_cast<std::int32_t>(a)} * b;
    }
    /// The high half of a multiple of 2^32.
    [[nodiscard]] static constexpr Integers high_half(Products a) noexcept
    {
        return static_cast<Integers>(a >> 32);
    }
};

}  // namespace girih::isa::portable
