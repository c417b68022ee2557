/// Several doubles side by side, one signature's in each lane. Every operation is NativeFpr's, lane
/// by lane, so that each lane has the same bits as a single signature.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "isa/doubles/native_fpr.hpp"
#include "isa/shared/vector_pair.hpp"

namespace girih::isa {

/// Uses pairs of `V`, a vector of doubles.
template <class Isa, class V>
class WideFpr {
  public:
    using Narrow = NativeFpr<Isa>;
    using Doubles = VectorPair<Isa, V>;
    using Integers = typename Doubles::Mask;
    static constexpr std::size_t lanes = Doubles::lanes;

    /// In [2^52, 2^53) neighbours are 1 apart: an addition rounds, and the low bits are the
    /// integer.
    static constexpr double shifter = 0x1.8p52;

    WideFpr() = default;
    [[gnu::always_inline]] explicit WideFpr(Doubles value) noexcept : value_(value) {}
    /// `value` in every lane.
    [[gnu::always_inline]] explicit WideFpr(double value) noexcept : value_(value) {}
    [[gnu::always_inline]] explicit WideFpr(Narrow value) noexcept : value_(value.value()) {}
    [[nodiscard]] static WideFpr of_bits(std::uint64_t bits) noexcept
    {
        return WideFpr{Narrow::of_bits(bits)};
    }
    [[nodiscard]] Doubles value() const noexcept { return value_; }
    [[nodiscard]] Narrow lane(std::size_t lane) const noexcept { return Narrow{value_[lane]}; }

    [[nodiscard, gnu::always_inline]] friend WideFpr operator+(WideFpr a, WideFpr b) noexcept
    {
        return WideFpr{a.value_ + b.value_};
    }
    [[nodiscard, gnu::always_inline]] friend WideFpr operator-(WideFpr a, WideFpr b) noexcept
    {
        return WideFpr{a.value_ - b.value_};
    }
    [[nodiscard, gnu::always_inline]] friend WideFpr operator*(WideFpr a, WideFpr b) noexcept
    {
        return WideFpr{a.value_ * b.value_};
    }
    [[nodiscard, gnu::always_inline]] WideFpr operator-() const noexcept { return WideFpr{-value_}; }
    [[nodiscard, gnu::always_inline]] friend WideFpr half(WideFpr a) noexcept
    {
        return WideFpr{a.value_ * 0.5};
    }
    [[nodiscard, gnu::always_inline]] friend WideFpr square(WideFpr a) noexcept { return a * a; }

    /// `a` where the mask is all ones, `b` where it is 0.
    [[nodiscard, gnu::always_inline]] friend WideFpr select(Integers mask, WideFpr a, WideFpr b) noexcept
    {
        return WideFpr{select(mask, a.value_, b.value_)};
    }

    /// Integers below 2^51 in magnitude.
    [[nodiscard, gnu::always_inline]] static WideFpr of(Integers value) noexcept
    {
        return WideFpr{std::bit_cast<Doubles>(value + shifter_bits) - shifter};
    }
    /// The number as an integer; it is one, below 2^51 in magnitude.
    [[nodiscard, gnu::always_inline]] Integers integer() const noexcept
    {
        return std::bit_cast<Integers>(value_ + shifter) - shifter_bits;
    }
    /// Rounds towards minus infinity; |a| < 2^51.
    [[nodiscard, gnu::always_inline]] WideFpr floor() const noexcept
    {
        const WideFpr nearest{(value_ + shifter) - shifter};
        return nearest - WideFpr{select(value_ < nearest.value_, Doubles{1.0}, Doubles{0.0})};
    }

  private:
    static constexpr std::int64_t shifter_bits = std::bit_cast<std::int64_t>(shifter);

    Doubles value_;
};

}  // namespace girih::isa
