/// Two vectors as one with twice as many lanes: while an operation waits for the one before it, the
/// processor works on the other vector.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/bytes.hpp"

namespace girih::isa {

/// `Isa` has the operations on one of the vectors, and keeps the types of engines apart.
template <class Isa, class V>
struct VectorPair {
    using Vector = V;
    using Element = std::remove_cvref_t<decltype(V{}[0])>;
    using Mask = VectorPair<Isa, decltype(V{} < V{})>;
    static constexpr std::size_t half = sizeof(V) / sizeof(Element);
    static constexpr std::size_t lanes = 2 * half;

    V low;
    V high;

    VectorPair() = default;
    [[gnu::always_inline]] VectorPair(V l, V h) noexcept : low(l), high(h) {}
    /// `a` in every lane.
    [[gnu::always_inline]] VectorPair(Element a) noexcept : low(V{} + a), high(low) {}
    template <class T>
        requires(sizeof(T) == sizeof(Element))
    [[nodiscard]] static VectorPair load(const std::array<T, lanes>& from) noexcept
    {
        VectorPair a;
        std::memcpy(&a.low, from.data(), sizeof a.low);
        std::memcpy(&a.high, from.data() + half, sizeof a.high);
        return a;
    }

    [[nodiscard]] Element operator[](std::size_t lane) const noexcept
    {
        return lane < half ? low[lane] : high[lane - half];
    }
    void set(std::size_t lane, Element value) noexcept
    {
        if (lane < half)
            low[lane] = value;
        else
            high[lane - half] = value;
    }

    [[gnu::always_inline]] friend VectorPair operator+(VectorPair a, VectorPair b) noexcept
    {
        return {a.low + b.low, a.high + b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator-(VectorPair a, VectorPair b) noexcept
    {
        return {a.low - b.low, a.high - b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator*(VectorPair a, VectorPair b) noexcept
    {
        return {a.low * b.low, a.high * b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator-(VectorPair a) noexcept { return {-a.low, -a.high}; }
    [[gnu::always_inline]] friend VectorPair operator&(VectorPair a, VectorPair b) noexcept
    {
        return {a.low & b.low, a.high & b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator|(VectorPair a, VectorPair b) noexcept
    {
        return {a.low | b.low, a.high | b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator^(VectorPair a, VectorPair b) noexcept
    {
        return {a.low ^ b.low, a.high ^ b.high};
    }
    [[gnu::always_inline]] friend VectorPair operator~(VectorPair a) noexcept { return {~a.low, ~a.high}; }
    [[gnu::always_inline]] friend VectorPair operator<<(VectorPair a, int bits) noexcept
    {
        return {a.low << bits, a.high << bits};
    }
    [[gnu::always_inline]] friend VectorPair operator>>(VectorPair a, int bits) noexcept
    {
        return {a.low >> bits, a.high >> bits};
    }
    [[gnu::always_inline]] friend Mask operator<(VectorPair a, VectorPair b) noexcept
    {
        return {a.low < b.low, a.high < b.high};
    }
    [[gnu::always_inline]] friend Mask operator==(VectorPair a, VectorPair b) noexcept
    {
        return {a.low == b.low, a.high == b.high};
    }

    /// Unsigned shift, by the bits in each lane of `bits`.
    [[gnu::always_inline]] friend VectorPair shift_right(VectorPair a, VectorPair bits) noexcept
    {
        using Words = typename Isa::WideWords::Words;
        return {reinterpret_cast<V>(reinterpret_cast<Words>(a.low) >> reinterpret_cast<Words>(bits.low)),
                reinterpret_cast<V>(reinterpret_cast<Words>(a.high) >> reinterpret_cast<Words>(bits.high))};
    }
    [[gnu::always_inline]] friend VectorPair shift_right(VectorPair a, int bits) noexcept
    {
        using Words = typename Isa::WideWords::Words;
        return {reinterpret_cast<V>(reinterpret_cast<Words>(a.low) >> bits),
                reinterpret_cast<V>(reinterpret_cast<Words>(a.high) >> bits)};
    }
    /// The unsigned products of the low 32 bits of each lane.
    [[gnu::always_inline]] friend VectorPair multiply_low_halves(VectorPair a, VectorPair b) noexcept
    {
        return {Isa::multiply_low_halves(a.low, b.low), Isa::multiply_low_halves(a.high, b.high)};
    }
    /// a b + c, rounded once or twice, depending on the engine.
    [[gnu::always_inline]] friend VectorPair multiply_add(VectorPair a, VectorPair b, VectorPair c) noexcept
    {
        return {Isa::multiply_add(a.low, b.low, c.low), Isa::multiply_add(a.high, b.high, c.high)};
    }
    /// Truncates to integers.
    [[gnu::always_inline]] friend Mask truncate(VectorPair a) noexcept
    {
        return {Isa::truncate(a.low), Isa::truncate(a.high)};
    }
    /// Eight bytes at each offset.
    [[gnu::always_inline]] friend VectorPair gather(const Byte* base, VectorPair offsets) noexcept
    {
        return {Isa::gather(base, offsets.low), Isa::gather(base, offsets.high)};
    }
    /// Whether any lane of a mask is set.
    [[gnu::always_inline]] friend bool any_set(VectorPair mask) noexcept
    {
        return Isa::any_set(mask.low | mask.high);
    }
    /// `a` where the mask is all ones, `b` where it is 0.
    [[gnu::always_inline]] friend VectorPair select(Mask mask, VectorPair a, VectorPair b) noexcept
    {
        const Mask x = std::bit_cast<Mask>(a);
        const Mask y = std::bit_cast<Mask>(b);
        return std::bit_cast<VectorPair>(y ^ ((x ^ y) & mask));
    }
};

}  // namespace girih::isa
