/// SHA-512's instructions, which Neoverse V1, V2 and Apple's cores have.
#pragma once

#include <arm_neon.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/unroll.hpp"
#include "isa/neon/core.hpp"

namespace girih::isa::neon {

/// Compression by instructions, of an engine. In assembly, because the rest of the engine has to be
/// compiled without them. Each takes two rounds, or two words of the schedule; a vector has the
/// word of the lower index in its lower lane.
template <class Engine>
struct Sha512Instructions {
    /// Whether the core has them. Public.
    [[nodiscard]] static bool are_here() noexcept { return present_extensions().sha512; }

    /// Compresses `count` blocks into a state of eight words, with the 80 round constants. Constant
    /// time.
    [[gnu::noinline]] static void compress(std::uint64_t* state, const Byte* blocks, std::size_t count,
                                           const std::uint64_t* constants) noexcept
    {
        State s{vld1q_u64(state), vld1q_u64(state + 2), vld1q_u64(state + 4), vld1q_u64(state + 6)};
        for (; count > 0; --count, blocks += 128) {
            std::array<uint64x2_t, 8> w;
            unroll<8>([&](auto i) __attribute__((always_inline)) {
                w[i] = vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(blocks + 16 * i)));
            });
            State t = s;
            for (std::size_t round = 0; round < 80; round += 16)
                unroll<8>([&](auto i) __attribute__((always_inline)) {
                    if (round > 0) extend<i>(w);
                    two_rounds(t, vaddq_u64(w[i], vld1q_u64(constants + round + 2 * i)));
                });
            s = {vaddq_u64(s.ab, t.ab), vaddq_u64(s.cd, t.cd), vaddq_u64(s.ef, t.ef), vaddq_u64(s.gh, t.gh)};
        }
        vst1q_u64(state, s.ab);
        vst1q_u64(state + 2, s.cd);
        vst1q_u64(state + 4, s.ef);
        vst1q_u64(state + 6, s.gh);
    }

  private:
    struct State {
        uint64x2_t ab, cd, ef, gh;
    };

    /// w[i] of the next 16 words, of which those before are there already.
    template <std::size_t i>
    [[gnu::always_inline]] static void extend(std::array<uint64x2_t, 8>& w) noexcept
    {
        __asm__(
            ".arch_extension sha3\n\t"
            "sha512su0 %0.2d, %1.2d\n\t"
            "sha512su1 %0.2d, %2.2d, %3.2d"
            : "+w"(w[i])
            : "w"(w[(i + 1) % 8]), "w"(w[(i + 7) % 8]), "w"(vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1)));
    }
    /// With the schedule's words plus the constants.
    [[gnu::always_inline]] static void two_rounds(State& s, uint64x2_t words) noexcept
    {
        uint64x2_t sum = vaddq_u64(s.gh, vextq_u64(words, words, 1));
        __asm__(
            ".arch_extension sha3\n\t"
            "sha512h %q0, %q1, %2.2d"
            : "+w"(sum)
            : "w"(vextq_u64(s.ef, s.gh, 1)), "w"(vextq_u64(s.cd, s.ef, 1)));
        const uint64x2_t new_ef = vaddq_u64(s.cd, sum);
        __asm__(
            ".arch_extension sha3\n\t"
            "sha512h2 %q0, %q1, %2.2d"
            : "+w"(sum)
            : "w"(s.cd), "w"(s.ab));
        s = {sum, s.ab, new_ef, s.ef};
    }
};

}  // namespace girih::isa::neon
