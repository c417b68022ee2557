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
        // Two bytes: which of the lower eight lanes are kept, and which of the upper.
        const uint8x8_t four = vpadd_u8(vget_low_u8(bits), vget_high_u8(bits));
        const uint8x8_t two = vpadd_u8(four, four);
        const uint8x8_t kept = vpadd_u8(two, two);
        const std::uint32_t kept_and_number =
            vget_lane_u32(vreinterpret_u32_u8(vzip1_u8(kept, vcnt_u8(kept))), 0);
        const std::size_t number_of_lower = kept_and_number >> 8 & 0xFF;
        const auto v = reinterpret_cast<int8x16_t>(a);
        store_kept(to, v, kept_and_number & 0xFF);
        store_kept(to + number_of_lower, vextq_s8(v, v, 8), kept_and_number >> 16 & 0xFF);
        return number_of_lower + (kept_and_number >> 24);
    }
    [[nodiscard]] static Vector below(Vector a, std::int8_t limit) noexcept { return a < limit; }
    [[nodiscard]] static Vector modulo_5(Vector a) noexcept
    {
        const int8x16_t remainders = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
        return reinterpret_cast<Vector>(vqtbl1q_s8(remainders, reinterpret_cast<uint8x16_t>(a)));
    }

  private:
    /// Stores the kept lanes among the lower eight.
    static void store_kept(std::int8_t* to, int8x16_t a, std::uint32_t kept) noexcept
    {
        vst1_s8(to, vqtbl1_s8(a, vcreate_u8(kept_lanes[kept])));
    }
};

}  // namespace girih::isa::neon
