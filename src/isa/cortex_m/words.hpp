/// Keccak's words for 32-bit processors, with even and odd bits in separate halves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "isa/cortex_m/core.hpp"
#include "isa/shared/scalar_words.hpp"
#include "keccak/permutation.hpp"

#if defined(GIRIH_ARM_THUMB2)
/// In keccak.S: 25 even halves of words, then 25 odd ones.
extern "C" void girih_cortex_m_keccak(std::uint32_t* state);
#endif

namespace girih::isa::cortex_m {

/// The even and the odd bits of a word. Converting a word, or back, takes 18 instructions, once for
/// each word that a sponge absorbs or squeezes.
struct Halves {
    std::uint32_t even;
    std::uint32_t odd;

    [[nodiscard]] static constexpr Halves of(std::uint64_t word) noexcept
    {
        auto low = static_cast<std::uint32_t>(word);
        auto high = static_cast<std::uint32_t>(word >> 32);
        exchange(low, high, 0x0000FFFF, 16);
        exchange(low, high, 0x00FF00FF, 8);
        exchange(low, high, 0x0F0F0F0F, 4);
        exchange(low, high, 0x33333333, 2);
        exchange(low, high, 0x55555555, 1);
        return {low, high};
    }
    [[nodiscard]] constexpr std::uint64_t word() const noexcept
    {
        std::uint32_t low = even;
        std::uint32_t high = odd;
        exchange(low, high, 0x55555555, 1);
        exchange(low, high, 0x33333333, 2);
        exchange(low, high, 0x0F0F0F0F, 4);
        exchange(low, high, 0x00FF00FF, 8);
        exchange(low, high, 0x0000FFFF, 16);
        return std::uint64_t{high} << 32 | low;
    }

  private:
    /// Exchanges the bits of the high word in a mask with those of the low word `distance` above.
    ///
    /// The place of a bit is a six-bit number: one bit for the word, five for the place in it. An
    /// exchange swaps the first of these with another, so five exchanges rotate all six by one: the
    /// lowest bit becomes the first, which separates even from odd places.
    ///
    /// (Inlined: with a frame of its own, a skipped push or pop would return to a word of the
    /// message.)
    [[gnu::always_inline]] static constexpr void exchange(std::uint32_t& low, std::uint32_t& high,
                                                          std::uint32_t mask, int distance) noexcept
    {
        const std::uint32_t difference = ((low >> distance) ^ high) & mask;
        high ^= difference;
        low ^= difference << distance;
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
    /// A reference to a word.
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

/// One state. `Engine` keeps the types of engines apart.
template <class Engine>
struct InterleavedWords : OneState<Engine> {
    using Words = std::uint64_t;
    using State = InterleavedState;
    static constexpr std::size_t count = 1;
    /// keccak.S wipes its copy of a state; only its saved registers and its caller's frame remain.
    static constexpr std::size_t permutation_stack_bytes = 160;

    static constexpr void permute(State& state) noexcept
    {
#if defined(GIRIH_ARM_THUMB2)
        if (!std::is_constant_evaluated()) return girih_cortex_m_keccak(state.data());
#endif
        keccak::State<ScalarWords<Engine>> plain{};
        for (std::size_t i = 0; i < keccak::words; ++i) plain[i] = state[i];
        keccak::permute<ScalarWords<Engine>>(plain);
        for (std::size_t i = 0; i < keccak::words; ++i) state[i] ^= state[i] ^ plain[i];
    }
};

/// One state in words of 64 bits, where there is no assembly: nothing to convert. One round's code,
/// because a permutation's second copy would take kilobytes.
template <class Engine>
struct PlainWords : ScalarWords<Engine> {
    using State = std::array<std::uint64_t, keccak::words>;
    /// Two states, theta's words, and what a compiler spills.
    static constexpr std::size_t permutation_stack_bytes = 832;

    static constexpr void permute(State& state) noexcept
    {
        State next{};
        for (const std::uint64_t constant : keccak::tables::round_constants) {
            keccak::round<ScalarWords<Engine>>(state, next, constant);
            state = next;
        }
    }
};

}  // namespace girih::isa::cortex_m
