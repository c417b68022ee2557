/// Words of 64 bits in NEON registers; two and four Keccak states.
#pragma once

#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "isa/neon/core.hpp"
#include "isa/shared/scalar_words.hpp"
#include "isa/shared/table.hpp"
#include "isa/vectors_128.hpp"
#include "keccak/permutation.hpp"

namespace girih::isa::neon {

struct Isa;

/// Two states, one in each 64-bit lane. `States` derives from this.
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

/// Keccak-f[1600] of each state. In assembly (tools/keccak_aarch64): one state in general
/// registers, its rotations shifted operands; two in vectors beside one or two such states, which
/// compilers would move into vectors, too. The last needs SHA-3's instructions.
extern "C" void girih_keccak_one_state(std::uint64_t* state) noexcept;
extern "C" void girih_keccak_three_states(std::uint64_t* states) noexcept;
extern "C" void girih_keccak_four_states(std::uint64_t* states) noexcept;
extern "C" void girih_keccak_four_states_sha3(std::uint64_t* states) noexcept;

/// Whether they are there, and no sanitizer has to follow them.
#if defined(_WIN32) || defined(GIRIH_MEMORY_SANITIZER)
inline constexpr bool has_keccak_assembly = false;
#else
inline constexpr bool has_keccak_assembly = true;
#endif

/// One state. `Isa` keeps the functions of engines apart.
template <class Isa>
struct SerialState : ScalarWords<Isa> {
    using State = std::array<std::uint64_t, 25>;

    static void permute(State& state) noexcept
    {
        // Where one pipeline alone shifts operands, rotations of their own take less time.
        if constexpr (has_keccak_assembly)
            if (present_pipelines() != Pipelines::one_shifts) return girih_keccak_one_state(state.data());
        keccak::permute_one<ScalarWords<Isa>>(state);
    }
};

struct TwoWords : RotatedWords<TwoWords> {
    using Fewer = SerialState<Isa>;
    using One = Fewer;
};

/// Four states, each by itself: the permutation zips two of them into vectors.
struct FourStates {
    static constexpr std::size_t count = 4;
    using Fewer = TwoWords;
    using One = SerialState<Isa>;
    using State = std::array<std::array<std::uint64_t, 25>, count>;

    static void permute(State& states) noexcept
    {
        switch (present_pipelines()) {
            case Pipelines::some_do_sha3:
                return girih_keccak_four_states_sha3(states[0].data());
            case Pipelines::one_shifts:
                girih_keccak_three_states(states[0].data());
                return keccak::permute<One>(states[3]);
            default:
                return girih_keccak_four_states(states[0].data());
        }
    }

    static constexpr int single_rows = count;
    template <std::size_t words>
    static void absorb_row(State& states, std::size_t lane, std::array<std::uint64_t, words>& row,
                           bool fresh) noexcept
    {
        if (fresh) {
            std::copy_n(row.begin(), words, states[lane].begin());
            std::fill(states[lane].begin() + words, states[lane].end(), 0);
        } else {
            for (std::size_t i = 0; i < words; ++i) states[lane][i] ^= row[i];
        }
        row = {};
    }
    template <std::size_t words>
    static void absorb_rows(State& states, std::array<std::array<std::uint64_t, words>, count>& rows,
                            const std::array<bool, count>& fresh) noexcept
    {
        for (std::size_t lane = 0; lane < count; ++lane) absorb_row(states, lane, rows[lane], fresh[lane]);
    }
};

}  // namespace girih::isa::neon
