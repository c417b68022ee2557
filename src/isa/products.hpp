/// Products of secrets, 64 bits wide, on every processor: where the instruction takes a variable
/// time, they are composed of 32-bit products.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/secret.hpp"
#include "isa/cortex_m/core.hpp"

namespace girih::isa {

#if defined(GIRIH_LONG_PRODUCTS_VARY)
inline constexpr bool has_long_products = false;
#else
inline constexpr bool has_long_products = true;
#endif

/// Falcon's keys and signatures also need shifts of 64-bit words by secret counts. Compilers for a
/// small core call routines for these, which branch on the count in GCC's library.
#if defined(GIRIH_SMALL_CORE)
inline constexpr bool suits_falcon = false;
#else
inline constexpr bool suits_falcon = has_long_products;
#endif
/// For the templates of Falcon, which are compiled only where they are called.
template <class Engine>
inline constexpr bool suits_falcon_on = suits_falcon;
/// Refuses to compile a function with Falcon's secrets for a core that it does not suit.
template <class Engine>
consteval void require_falcons_secrets()
{
    static_assert(suits_falcon_on<Engine>,
                  "girih: Falcon's secrets need 64-bit arithmetic, whose time varies on this core "
                  "(ARMv6-M, ARMv7-M without DSP, RV32): it can verify Falcon, and sign with ML-DSA");
}

namespace products {

/// a b, from products of 16-bit halves.
[[nodiscard, gnu::noinline]] constexpr std::uint64_t composed(std::uint32_t a, std::uint32_t b) noexcept
{
    // Without the barriers, a compiler may find the product of 64 bits again.
    const std::uint32_t a0 = value_barrier(a & 0xFFFF);
    const std::uint32_t a1 = value_barrier(a >> 16);
    const std::uint32_t b0 = b & 0xFFFF;
    const std::uint32_t b1 = b >> 16;
    const std::uint32_t low = a0 * b0;
    // Each product is at most (2^16 - 1)^2 = 2^32 - 2^17 + 1, which leaves room for two halves.
    const std::uint32_t middle = a1 * b0 + (low >> 16);
    const std::uint32_t other = a0 * b1 + (middle & 0xFFFF);
    const std::uint32_t high = a1 * b1 + (middle >> 16) + (other >> 16);
    return std::uint64_t{high} << 32 | (other << 16 | (low & 0xFFFF));
}

/// The product of signed integers: a negative one is its unsigned word, less 2^32.
[[nodiscard, gnu::always_inline]] constexpr std::int64_t composed_signed(std::int32_t a,
                                                                         std::int32_t b) noexcept
{
    const auto word_a = static_cast<std::uint32_t>(a);
    const auto word_b = static_cast<std::uint32_t>(b);
    const std::uint32_t excess = (word_b & negative_mask(word_a)) + (word_a & negative_mask(word_b));
    return static_cast<std::int64_t>(composed(word_a, word_b) - (std::uint64_t{excess} << 32));
}

static_assert(composed(0xFFFFFFFFU, 0xFFFFFFFFU) == 0xFFFFFFFE00000001);
static_assert(composed(0x1FFFFU, 0xFFFF0001U) == std::uint64_t{0x1FFFF} * 0xFFFF0001);
static_assert(composed_signed(INT32_MIN, INT32_MIN) == std::int64_t{1} << 62);
static_assert(composed_signed(INT32_MIN, INT32_MAX) == std::int64_t{INT32_MIN} * INT32_MAX);
static_assert(composed_signed(-1, 7) == -7 &&
              composed_signed(8380417, -4190208) == std::int64_t{8380417} * -4190208);

}  // namespace products

[[nodiscard, gnu::always_inline]] constexpr std::uint64_t long_product(std::uint32_t a,
                                                                       std::uint32_t b) noexcept
{
    if constexpr (!has_long_products)
        if (!std::is_constant_evaluated()) return products::composed(a, b);
    return std::uint64_t{a} * b;
}

[[nodiscard, gnu::always_inline]] constexpr std::int64_t long_product(std::int32_t a, std::int32_t b) noexcept
{
    if constexpr (!has_long_products)
        if (!std::is_constant_evaluated()) return products::composed_signed(a, b);
    return std::int64_t{a} * b;
}

}  // namespace girih::isa
