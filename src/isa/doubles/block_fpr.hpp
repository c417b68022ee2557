/// Consecutive numbers of one polynomial as a vector. Every operation is NativeFpr's, lane by lane.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "isa/doubles/native_fpr.hpp"
#include "isa/shared/shuffle.hpp"

namespace girih::isa {

/// `V` is a vector of doubles.
template <class Isa, class V>
class BlockFpr {
  public:
    using Number = NativeFpr<Isa>;
    static_assert(sizeof(Number) == sizeof(double));
    static constexpr std::size_t size = sizeof(V) / sizeof(double);

    BlockFpr() = default;
    [[gnu::always_inline]] explicit BlockFpr(V value) noexcept : value_(value) {}
    /// `value` in every lane.
    [[gnu::always_inline]] explicit BlockFpr(Number value) noexcept : value_(V{} + value.value()) {}

    [[nodiscard, gnu::always_inline]] static BlockFpr load(const Number* from) noexcept
    {
        V value;
        std::memcpy(&value, from, sizeof value);
        return BlockFpr{value};
    }
    [[gnu::always_inline]] void store(Number* to) const noexcept
    {
        std::memcpy(static_cast<void*>(to), &value_, sizeof value_);
    }
    /// The numbers at even and at odd indices of two consecutive blocks.
    [[gnu::always_inline]] static void load_pairs(const Number* from, BlockFpr& even, BlockFpr& odd) noexcept
    {
        const V low = load(from).value_;
        const V high = load(from + size).value_;
        even.value_ = pick<0, 2>(low, high, lane_numbers);
        odd.value_ = pick<1, 2>(low, high, lane_numbers);
    }
    [[gnu::always_inline]] static void store_pairs(Number* to, BlockFpr even, BlockFpr odd) noexcept
    {
        BlockFpr{interleave<0>(even.value_, odd.value_, lane_numbers)}.store(to);
        BlockFpr{interleave<size / 2>(even.value_, odd.value_, lane_numbers)}.store(to + size);
    }

    /// The bits of each number, in a vector of integers.
    [[nodiscard, gnu::always_inline]] auto bits() const noexcept
    {
        using Words = decltype(value_ == value_);
        return reinterpret_cast<Words>(value_);
    }

    [[nodiscard, gnu::always_inline]] friend BlockFpr operator+(BlockFpr a, BlockFpr b) noexcept
    {
        return BlockFpr{a.value_ + b.value_};
    }
    [[nodiscard, gnu::always_inline]] friend BlockFpr operator-(BlockFpr a, BlockFpr b) noexcept
    {
        return BlockFpr{a.value_ - b.value_};
    }
    [[nodiscard, gnu::always_inline]] friend BlockFpr operator*(BlockFpr a, BlockFpr b) noexcept
    {
        return BlockFpr{a.value_ * b.value_};
    }
    [[nodiscard, gnu::always_inline]] friend BlockFpr operator/(BlockFpr a, BlockFpr b) noexcept
    {
        return BlockFpr{a.value_ / b.value_};
    }
    [[nodiscard, gnu::always_inline]] BlockFpr operator-() const noexcept { return BlockFpr{-value_}; }
    [[nodiscard, gnu::always_inline]] friend BlockFpr half(BlockFpr a) noexcept
    {
        return BlockFpr{a.value_ * 0.5};
    }
    [[nodiscard, gnu::always_inline]] friend BlockFpr square(BlockFpr a) noexcept { return a * a; }

  private:
    static constexpr std::make_index_sequence<size> lane_numbers{};

    template <std::size_t first, std::size_t step, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V pick(V low, V high, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(low, high, (first + step * i)...);
    }
    template <std::size_t first, std::size_t... i>
    [[nodiscard, gnu::always_inline]] static V interleave(V even, V odd, std::index_sequence<i...>) noexcept
    {
        return __builtin_shufflevector(even, odd, (first + i / 2 + i % 2 * size)...);
    }

    V value_;
};

}  // namespace girih::isa
