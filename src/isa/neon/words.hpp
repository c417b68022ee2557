/// Two Keccak states in NEON registers, one in each 64-bit lane.
#pragma once

#include <arm_neon.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/table.hpp"

namespace girih::isa::neon {

/// `Engine` keeps the functions of engines apart, each compiled for its own processor.
template <class Engine>
struct TwoWords {
    using Words = std::uint64_t __attribute__((vector_size(16)));
    static constexpr std::size_t count = 2;

    template <int bits>
    [[nodiscard]] static Words rotate_left(Words a) noexcept
    {
        if constexpr (bits == 0) {
            return a;
        } else if constexpr (bits == 32) {
            return of(vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(raw(a)))));
        } else if constexpr (bits % 8 == 0) {
            // Rotations by whole bytes are one instruction.
            static constexpr auto from =
                make_table<Byte, 16>([](int i) { return i / 8 * 8 + (i + 8 - bits / 8) % 8; });
            return of(vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(raw(a)), vld1q_u8(from.data()))));
        } else {
            return of(vsriq_n_u64(vshlq_n_u64(raw(a), bits), raw(a), 64 - bits));
        }
    }
    [[nodiscard]] static Words chi(Words a, Words b, Words c) noexcept { return a ^ (~b & c); }
    [[nodiscard]] static Words xor5(Words a, Words b, Words c, Words d, Words e) noexcept
    {
        return a ^ b ^ c ^ d ^ e;
    }
    [[nodiscard]] static Words broadcast(std::uint64_t word) noexcept { return Words{} + word; }

    template <std::size_t words, std::size_t state_words>
    static void absorb_rows(std::array<Words, state_words>& state,
                            std::array<std::array<std::uint64_t, words>, count>& rows,
                            const std::array<bool, count>& fresh) noexcept
    {
        static_assert(words % count == 0);
        const Words kept{std::uint64_t{fresh[0]} - 1, std::uint64_t{fresh[1]} - 1};
        for (std::size_t i = 0; i < words; i += count) {
            const uint64x2_t first = vld1q_u64(&rows[0][i]);
            const uint64x2_t second = vld1q_u64(&rows[1][i]);
            vst1q_u64(&rows[0][i], vdupq_n_u64(0));
            vst1q_u64(&rows[1][i], vdupq_n_u64(0));
            state[i] = (state[i] & kept) ^ of(vzip1q_u64(first, second));
            state[i + 1] = (state[i + 1] & kept) ^ of(vzip2q_u64(first, second));
        }
        for (std::size_t i = words; i < state_words; ++i) state[i] &= kept;
    }

    template <std::size_t words, std::size_t state_words>
    static void to_rows(const std::array<Words, state_words>& state,
                        std::array<std::array<std::uint64_t, words>, count>& rows) noexcept
    {
        static_assert(words % count == 0);
        for (std::size_t i = 0; i < words; i += count) {
            vst1q_u64(&rows[0][i], vzip1q_u64(raw(state[i]), raw(state[i + 1])));
            vst1q_u64(&rows[1][i], vzip2q_u64(raw(state[i]), raw(state[i + 1])));
        }
    }

  protected:
    [[nodiscard]] static uint64x2_t raw(Words a) noexcept { return reinterpret_cast<uint64x2_t>(a); }
    [[nodiscard]] static Words of(uint64x2_t a) noexcept { return reinterpret_cast<Words>(a); }
};

}  // namespace girih::isa::neon
