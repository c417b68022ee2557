/// The portable engine: one lane of everything, in plain C++. It runs on every processor and at compile time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace girih::isa::portable {

struct Isa {
    static constexpr std::string_view name = "portable";

    // Keccak: one state.
    using Words = std::uint64_t;
    static constexpr std::size_t keccak_lanes = 1;

    template <int bits>
    [[nodiscard]] static constexpr Words rotate_left(Words a) noexcept
    {
        return std::rotl(a, bits);
    }
    [[nodiscard]] static constexpr Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static constexpr Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }
    [[nodiscard]] static constexpr Words broadcast(std::uint64_t word) noexcept { return word; }
    [[nodiscard]] static constexpr std::uint64_t lane(Words words, std::size_t) noexcept { return words; }
    static constexpr void set_lane(Words& words, std::size_t, std::uint64_t word) noexcept { words = word; }

    // Integers: one signed 32-bit integer, and its products in 64 bits.
    using Integers = std::int32_t;
    using Products = std::int64_t;
    static constexpr std::size_t integer_lanes = 1;

    [[nodiscard]] static constexpr Integers broadcast_integer(std::int32_t a) noexcept { return a; }
    [[nodiscard]] static constexpr Integers load(const std::int32_t* from) noexcept { return *from; }
    static constexpr void store(std::int32_t* to, Integers a) noexcept { *to = a; }
    [[nodiscard]] static constexpr bool any_negative(Integers a) noexcept { return a < 0; }
    [[nodiscard]] static constexpr Products multiply(Integers a, Integers b) noexcept
    {
        return Products{a} * b;
    }
    [[nodiscard]] static constexpr Integers low_half(Products a) noexcept { return static_cast<Integers>(a); }
    [[nodiscard]] static constexpr Integers high_half(Products a) noexcept
    {
        return static_cast<Integers>(a >> 32);
    }
    [[nodiscard]] static constexpr Integers wrapping_multiply(Integers a, Integers b) noexcept
    {
        return static_cast<Integers>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
    }
};

}  // namespace girih::isa::portable
