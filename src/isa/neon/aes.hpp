/// AES's instructions, which most 64-bit Arm cores have, but not those of the Raspberry Pi 4.
#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/neon/core.hpp"

namespace girih::isa::neon {

/// AesRounds (isa/isa.hpp), of an engine. In assembly, because the rest of the engine has to be
/// compiled without these instructions.
template <class Engine>
struct AesInstructions {
    static constexpr std::size_t aes_blocks = 1;
    using AesBlocks = uint8x16_t;

    /// Whether the core has them. Public.
    [[nodiscard]] static bool are_here() noexcept { return present_extensions().aes; }

    [[nodiscard]] static AesBlocks aes_broadcast(const Byte* block) noexcept { return vld1q_u8(block); }
    static void aes_store(Byte* to, AesBlocks a) noexcept { vst1q_u8(to, a); }
    /// Big-endian counters of 128 bits, from `first` on.
    [[nodiscard]] static AesBlocks aes_counters(std::uint64_t first) noexcept
    {
        const uint64x2_t words = vsetq_lane_u64(__builtin_bswap64(first), vdupq_n_u64(0), 1);
        return vreinterpretq_u8_u64(words);
    }
    /// AESE adds its key before the round, which these add after it.
    [[nodiscard]] static AesBlocks aes_round(AesBlocks a, AesBlocks key) noexcept
    {
        __asm__(
            ".arch_extension aes\n\t"
            "aese %0.16b, %1.16b\n\t"
            "aesmc %0.16b, %0.16b"
            : "+w"(a)
            : "w"(vdupq_n_u8(0)));
        return veorq_u8(a, key);
    }
    [[nodiscard]] static AesBlocks aes_last_round(AesBlocks a, AesBlocks key) noexcept
    {
        return veorq_u8(substituted(a), key);
    }
    /// SUBWORD(): with four equal columns, the shift of rows changes nothing.
    [[nodiscard]] static std::uint32_t aes_sub_word(std::uint32_t word) noexcept
    {
        const AesBlocks columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
        return vgetq_lane_u32(vreinterpretq_u32_u8(substituted(columns)), 0);
    }

  private:
    /// SUBBYTES() and SHIFTROWS().
    [[nodiscard]] static AesBlocks substituted(AesBlocks a) noexcept
    {
        __asm__(
            ".arch_extension aes\n\t"
            "aese %0.16b, %1.16b"
            : "+w"(a)
            : "w"(vdupq_n_u8(0)));
        return a;
    }
};

}  // namespace girih::isa::neon
