/// The NEON engines' half-bytes, as candidates for the coefficients of a short polynomial.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "isa/shared/half_bytes.hpp"

namespace girih::isa::neon {

/// Sixteen half-bytes, one in each byte. `Engine` keeps the functions of engines apart, each
/// compiled for its own processor.
template <class Engine>
struct HalfByteLanes {
    using Vector = std::int8_t __attribute__((vector_size(16)));
    static constexpr std::size_t lanes = 16;

    [[nodiscard]] static Vector load(const std::uint64_t* words, std::size_t index) noexcept
    {
        const uint8x8_t bytes = vcreate_u8(words[index / 16]);
        return reinterpret_cast<Vector>(
                   vcombine_u8(vzip1_u8(bytes, vshr_n_u8(bytes, 4)), vzip2_u8(bytes, vshr_n_u8(bytes, 4)))) &
               15;
    }
    static std::size_t compress_store(std::int8_t* to, Vector a, Vector mask) noexcept
    {
        const Vector bit = {1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128};
        const auto bits = reinterpret_cast<uint8x16_t>(mask & bit);
        const auto v = reinterpret_cast<int8x16_t>(a);
        const std::int8_t* const first = to;
        to += store_kept(to, vget_low_s8(v), vaddv_u8(vget_low_u8(bits)));
        to += store_kept(to, vget_high_s8(v), vaddv_u8(vget_high_u8(bits)));
        return static_cast<std::size_t>(to - first);
    }
    [[nodiscard]] static Vector below(Vector a, std::int8_t limit) noexcept { return a < limit; }
    [[nodiscard]] static Vector modulo_5(Vector a) noexcept
    {
        const int8x16_t remainders = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
        return reinterpret_cast<Vector>(vqtbl1q_s8(remainders, reinterpret_cast<uint8x16_t>(a)));
    }

  private:
    [[nodiscard]] static std::size_t store_kept(std::int8_t* to, int8x8_t a, std::uint8_t keep) noexcept
    {
        vst1_s8(to, vtbl1_s8(a, vcreate_s8(kept_lanes[keep])));
        return static_cast<std::size_t>(__builtin_popcount(keep));
    }
};

}  // namespace girih::isa::neon
