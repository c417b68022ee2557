/// Half-bytes in WebAssembly's vectors, as candidates for the coefficients of a short polynomial.
#pragma once

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "isa/shared/half_bytes.hpp"

namespace girih::isa::wasm_simd128 {

/// Sixteen half-bytes, one in each byte.
struct HalfByteLanes {
    using Vector = std::int8_t __attribute__((vector_size(16)));
    static constexpr std::size_t lanes = 16;

    [[nodiscard]] static Vector load(const std::uint64_t* words, std::size_t index) noexcept
    {
        const v128_t bytes = wasm_u16x8_load8x8(words + index / 16);
        return reinterpret_cast<Vector>(bytes | wasm_i16x8_shl(bytes, 4)) & 15;
    }
    static std::size_t compress_store(std::int8_t* to, Vector a, Vector mask) noexcept
    {
        const auto v = reinterpret_cast<v128_t>(a);
        const std::uint32_t keep = wasm_i8x16_bitmask(reinterpret_cast<v128_t>(mask));
        const std::int8_t* const first = to;
        to += store_kept(to, v, keep & 0xFF);
        to += store_kept(to, wasm_i64x2_shuffle(v, v, 1, 1), keep >> 8);
        return static_cast<std::size_t>(to - first);
    }
    [[nodiscard]] static Vector below(Vector a, std::int8_t limit) noexcept { return a < limit; }
    [[nodiscard]] static Vector modulo_5(Vector a) noexcept
    {
        const v128_t remainders = wasm_i8x16_const(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0);
        return reinterpret_cast<Vector>(wasm_i8x16_swizzle(remainders, reinterpret_cast<v128_t>(a)));
    }

  private:
    /// Stores the kept lanes among the lower eight.
    [[nodiscard]] static std::size_t store_kept(std::int8_t* to, v128_t a, std::uint32_t keep) noexcept
    {
        const v128_t places = wasm_v128_load64_zero(&kept_lanes[keep]);
        wasm_v128_store64_lane(to, wasm_i8x16_swizzle(a, places), 0);
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }
};

}  // namespace girih::isa::wasm_simd128
