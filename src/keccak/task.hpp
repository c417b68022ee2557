/// Tasks for one lane of the permutation: they feed a sponge and use its output.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "keccak/function.hpp"

namespace girih::keccak {

/// A block of any rate as words, rounded up to whole vectors.
inline constexpr std::size_t row_words = 24;
using Row = std::array<std::uint64_t, row_words>;
/// The first words of a state, to be read where they are.
using RowOfOutput = std::span<const std::uint64_t, row_words>;
/// The row's last word, which is beyond every rate, says what the next permutation does with the
/// row.
inline constexpr std::size_t row_mark = row_words - 1;
inline constexpr std::uint64_t has_input = 1;  ///< a block to absorb
inline constexpr std::uint64_t must_wait = 2;  ///< a state to keep as it is
static_assert(row_mark * 8 >= shake128_function.rate);

/// A task's view of its lane: the next input block and the last output.
class Lane {
  public:
    constexpr Lane(Row& input, RowOfOutput output) noexcept : input_(&input), output_(output) {}

    /// Writes bytes to the next block, from a byte position at which nothing is written yet.
    constexpr void absorb(BytesIn<> bytes, std::size_t position = 0) noexcept
    {
        (*input_)[row_mark] = has_input;
        if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
            if (!bytes.empty())
                std::memcpy(reinterpret_cast<Byte*>(input_->data()) + position, bytes.data(), bytes.size());
        } else {
            for (const Byte byte : bytes) add_byte(position++, byte);
        }
    }

    /// Ends the input: suffix and pad10*1 (FIPS 202, Section 5.1).
    constexpr void pad(Function function, std::size_t position) noexcept
    {
        (*input_)[row_mark] = has_input;
        add_byte(position, function.suffix);
        add_byte(function.rate - 1, 0x80);
    }

    /// Keeps the state as it is until resume() is called again: when the rows that this permutation
    /// has completed are used, or after another permutation of the other lanes.
    constexpr void wait() noexcept { (*input_)[row_mark] = must_wait; }

    /// The state after the last permutation, up to the rate of the task's function.
    [[nodiscard]] constexpr RowOfOutput output() const noexcept { return output_; }

    /// The first bytes of output().
    constexpr void squeeze(BytesOut<> bytes) const noexcept
    {
        if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
            std::memcpy(bytes.data(), output_.data(), bytes.size());
        } else {
            for (std::size_t i = 0; i < bytes.size(); ++i)
                bytes[i] = static_cast<Byte>(output_[i / 8] >> (8 * (i % 8)));
        }
    }

  private:
    constexpr void add_byte(std::size_t position, Byte byte) noexcept
    {
        (*input_)[position / 8] ^= std::uint64_t{byte} << (8 * (position % 8));
    }

    Row* input_;
    RowOfOutput output_;
};

/// A sponge with the code that feeds it and uses its output. No function is pure virtual: that
/// would need the C++ runtime, which a C program that links the library lacks.
class Task {
  public:
    /// Called when the task gets a fresh lane. Absorbs its first block.
    virtual constexpr void start(Lane) noexcept {}
    /// Called after each permutation. Returns `this` for another permutation, a new task for this
    /// lane, or null.
    [[nodiscard]] virtual constexpr Task* resume(Lane) noexcept { return nullptr; }

  protected:
    constexpr ~Task() = default;
};

}  // namespace girih::keccak
