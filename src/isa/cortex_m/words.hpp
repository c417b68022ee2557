/// Keccak's words for processors of 32 bits: even and odd bits apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "isa/scalar_words.hpp"
#include "keccak/permutation.hpp"

#if defined(__ARM_ARCH_7EM__)
/// In keccak.S: 25 even halves of words, then 25 odd ones.
extern "C" void girih_cortex_m_keccak(std::uint32_t* state);
#endif

namespace girih::isa::cortex_m {

/// The even and the odd bits of a word. From a word and back in about 40 instructions; that is done
/// for what goes into a sponge and comes out.
struct Halves {
    std::uint32_t even;
    std::uint32_t odd;

    [[nodiscard]] static constexpr Halves of(std::uint64_t word) noexcept
    {
        const std::uint32_t low = gather(static_cast<std::uint32_t>(word));
        const std::uint32_t high = gather(static_cast<std::uint32_t>(word >> 32));
        return {(low & 0xFFFF) | (high << 16), (low >> 16) | (high & 0xFFFF0000)};
    }
    [[nodiscard]] constexpr std::uint64_t word() const noexcept
    {
        const std::uint32_t low = scatter((even & 0xFFFF) | (odd << 16));
        const std::uint32_t high = scatter((even >> 16) | (odd & 0xFFFF0000));
        return std::uint64_t{high} << 32 | low;
    }

  private:
    /// Exchanges the bits of a mask with those `distance` above.
    [[nodiscard]] static constexpr std::uint32_t exchange(std::uint32_t a, std::uint32_t mask,
                                                          int distance) noexcept
    {
        const std::uint32_t difference = (a ^ (a >> distance)) & mask;
        return a ^ difference ^ (difference << distance);
    }
    /// Even bits to the low half, odd ones to the high half.
    [[nodiscard]] static constexpr std::uint32_t gather(std::uint32_t a) noexcept
    {
        a = exchange(a, 0x22222222, 1);
        a = exchange(a, 0x0C0C0C0C, 2);
        a = exchange(a, 0x00F000F0, 4);
        return exchange(a, 0x0000FF00, 8);
    }
    [[nodiscard]] static constexpr std::uint32_t scatter(std::uint32_t a) noexcept
    {
        a = exchange(a, 0x0000FF00, 8);
        a = exchange(a, 0x00F000F0, 4);
        a = exchange(a, 0x0C0C0C0C, 2);
        return exchange(a, 0x22222222, 1);
    }
};
static_assert(Halves::of(0x0123456789ABCDEF).word() == 0x0123456789ABCDEF);
static_assert(Halves::of(0x5555555500000000).even == 0xFFFF0000);

/// A state: the even halves of all words, then the odd ones.
class InterleavedState {
  public:
    [[nodiscard]] constexpr std::uint64_t operator[](std::size_t i) const noexcept
    {
        return Halves{halves_[i], halves_[keccak::words + i]}.word();
    }
    /// A word to be changed or read.
    class Reference {
      public:
        constexpr Reference(InterleavedState& state, std::size_t i) noexcept : state_(&state), i_(i) {}
        constexpr operator std::uint64_t() const noexcept { return std::as_const(*state_)[i_]; }
        constexpr Reference& operator^=(std::uint64_t word) noexcept
        {
            const Halves added = Halves::of(word);
            state_->halves_[i_] ^= added.even;
            state_->halves_[keccak::words + i_] ^= added.odd;
            return *this;
        }

      private:
        InterleavedState* state_;
        std::size_t i_;
    };
    [[nodiscard]] constexpr Reference operator[](std::size_t i) noexcept { return {*this, i}; }

    [[nodiscard]] constexpr std::uint32_t* data() noexcept { return halves_.data(); }

  private:
    std::array<std::uint32_t, 2 * keccak::words> halves_{};
};

/// One state. `Engine` names a type of an engine's own.
template <class Engine>
struct InterleavedWords {
    using Words = std::uint64_t;
    using State = InterleavedState;
    static constexpr std::size_t count = 1;
    /// keccak.S wipes its copy of a state; what is left are the registers that it saved, and the
    /// frame of whoever calls it.
    static constexpr std::size_t permutation_stack_bytes = 160;

    static constexpr void permute(State& state) noexcept
    {
#if defined(__ARM_ARCH_7EM__)
        if (!std::is_constant_evaluated()) return girih_cortex_m_keccak(state.data());
#endif
        keccak::State<ScalarWords<Engine>> plain{};
        for (std::size_t i = 0; i < keccak::words; ++i) plain[i] = state[i];
        keccak::permute<ScalarWords<Engine>>(plain);
        for (std::size_t i = 0; i < keccak::words; ++i) state[i] ^= state[i] ^ plain[i];
    }

    template <std::size_t words>
    static constexpr void absorb_rows(State& state, std::array<std::array<std::uint64_t, words>, count>& rows,
                                      const std::array<bool, count>& fresh) noexcept
    {
        if (fresh[0]) state = {};
        for (std::size_t i = 0; i < words; ++i) {
            state[i] ^= rows[0][i];
            rows[0][i] = 0;
        }
    }
    template <std::size_t words>
    static constexpr void to_rows(const State& state,
                                  std::array<std::array<std::uint64_t, words>, count>& rows) noexcept
    {
        for (std::size_t i = 0; i < words; ++i) rows[0][i] = state[i];
    }
};

}  // namespace girih::isa::cortex_m
