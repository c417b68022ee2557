/// Two Keccak states in NEON registers, one in each 64-bit lane.
#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "core/bytes.hpp"
#include "isa/shared/table.hpp"
#include "isa/vectors_128.hpp"

namespace girih::isa::neon {

/// `States` derives from this.
template <class States>
struct RotatedWords : TwoStateLanes<States> {
    using Words = Words128;

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

  protected:
    [[nodiscard]] static uint64x2_t raw(Words a) noexcept { return reinterpret_cast<uint64x2_t>(a); }
    [[nodiscard]] static Words of(uint64x2_t a) noexcept { return reinterpret_cast<Words>(a); }
};

struct TwoWords : RotatedWords<TwoWords> {};

}  // namespace girih::isa::neon
