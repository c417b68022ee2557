/// SHA-3 and SHAKE (FIPS 202), one message at a time, in pieces of any length.
///
/// Constant time in the content of messages and output, not in their lengths. The state is wiped on
/// destruction.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/function.hpp"
#include "keccak/permutation.hpp"

namespace girih::keccak {

/// The function of a sponge: fixed by the type, or chosen at run time.
template <Function function>
struct FixedFunction {
    [[nodiscard]] static constexpr Function get() noexcept { return function; }
};
class ChosenFunction {
  public:
    constexpr ChosenFunction(Function function) noexcept
        : rate_(static_cast<Byte>(function.rate)), suffix_(function.suffix)
    {
    }
    [[nodiscard]] constexpr Function get() const noexcept { return {rate_, suffix_}; }

  private:
    Byte rate_;
    Byte suffix_;
};

/// Keccak[c] with one of the padding suffixes (FIPS 202, Section 5): absorb any number of times,
/// then squeeze any number of times. Absorbing after squeezing is not possible.
template <class Isa, class Choice>
class SpongeOf {
  public:
    constexpr SpongeOf()
        requires std::is_empty_v<Choice>
    = default;
    constexpr explicit SpongeOf(Choice choice) noexcept : choice_(choice) {}
    constexpr SpongeOf(const SpongeOf&) = default;
    constexpr SpongeOf& operator=(const SpongeOf&) = default;
    constexpr ~SpongeOf()
    {
        wipe(state_);
        if (!std::is_constant_evaluated()) wipe_stack_below(permutation_stack_bytes<Lanes>);
    }

    [[gnu::noinline]] constexpr SpongeOf& absorb(BytesIn<> message) noexcept
    {
        const std::size_t rate = choice_.get().rate;
        while (!message.empty()) {
            const std::size_t whole = whole_words(rate, message.size());
            for (std::size_t i = 0; i < whole; ++i) state_[position_ / 8 + i] ^= load_le64(&message[8 * i]);
            if (whole == 0) add_byte(position_, message[0]);
            const std::size_t step = whole == 0 ? 1 : 8 * whole;
            message = message.subspan(step);
            position_ += step;
            if (position_ == rate) {
                permute_one<Lanes>(state_);
                position_ = 0;
            }
        }
        return *this;
    }

    constexpr SpongeOf& absorb(Byte byte) noexcept { return absorb(BytesIn<>{&byte, 1}); }

    constexpr SpongeOf& squeeze(BytesOut<> output) noexcept
    {
        const std::size_t rate = choice_.get().rate;
        if (!squeezing_) {
            add_byte(position_, choice_.get().suffix);
            add_byte(rate - 1, 0x80);
            squeezing_ = true;
            position_ = rate;
        }
        while (!output.empty()) {
            if (position_ == rate) {
                permute_one<Lanes>(state_);
                position_ = 0;
            }
            const std::size_t whole = whole_words(rate, output.size());
            for (std::size_t i = 0, first = position_ / 8; i < whole; ++i)
                store_le64(&output[8 * i], state_[first + i]);
            if (whole == 0) output[0] = static_cast<Byte>(state_[position_ / 8] >> (8 * (position_ % 8)));
            const std::size_t step = whole == 0 ? 1 : 8 * whole;
            output = output.subspan(step);
            position_ += step;
        }
        return *this;
    }

  private:
    using Lanes = typename Isa::SerialWords;

    /// The number of whole words among the next `bytes` bytes of the block; 0 in the middle of a
    /// word.
    [[nodiscard]] constexpr std::size_t whole_words(std::size_t rate, std::size_t bytes) const noexcept
    {
        return position_ % 8 != 0 ? 0 : (bytes < rate - position_ ? bytes : rate - position_) / 8;
    }

    constexpr void add_byte(std::size_t position, Byte byte) noexcept
    {
        state_[position / 8] ^= std::uint64_t{byte} << (8 * (position % 8));
    }

    State<Lanes> state_{};
    std::size_t position_ = 0;  // bytes of the current block already absorbed, or already squeezed
    [[no_unique_address]] Choice choice_;
    bool squeezing_ = false;
};

/// A sponge whose function is chosen at run time, so that all functions share one copy of the code.
template <class Isa>
using ChosenSponge = SpongeOf<Isa, ChosenFunction>;

/// Not an alias: g++ 12 fails on one whose argument is a member of a template parameter.
template <class Isa, Function function>
class Sponge : public SpongeOf<Isa, FixedFunction<function>> {};

/// One copy of the code for all functions, and for all engines that share it.
template <SharesSponges Isa, Function function>
class Sponge<Isa, function> : public ChosenSponge<typename Isa::SpongeIsa> {
  public:
    constexpr Sponge() noexcept : ChosenSponge<typename Isa::SpongeIsa>(function) {}
};

template <class Isa>
using Shake128 = Sponge<Isa, shake128_function>;

template <class Isa>
using Shake256 = Sponge<Isa, shake256_function>;

template <class Isa, std::size_t digest_bytes>
using Sha3 = Sponge<Isa, sha3_function(digest_bytes)>;

}  // namespace girih::keccak
