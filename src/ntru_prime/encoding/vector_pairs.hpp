/// A step of Encode and Decode (NTRU Prime, Section 2.3) in the lanes of vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/bytes.hpp"
#include "ntru_prime/encoding/plan.hpp"

namespace girih::ntru_prime {

/// The pairs of a step, a vector at a time. Integers and bytes are read and written up to one
/// vector after the last; the values written there are unspecified. Constant time.
template <class Isa>
class VectorPairs {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;
    using Sums = typename Lanes::Sums;

  public:
    static constexpr std::size_t lanes = Lanes::lanes;
    /// With fewer pairs than half a vector, encode would overwrite integers before it reads them.
    static constexpr std::size_t least_pairs = lanes / 2;
    /// Bytes after those of a plan that may be read or written.
    static constexpr std::size_t slack = 2 * lanes;

    /// Each pair with `width` bytes. The integers are overwritten.
    template <std::size_t width>
    [[gnu::always_inline]] static void encode(std::size_t pairs, std::uint32_t bound, std::uint16_t* integers,
                                              Byte* to) noexcept
    {
        const Vector factor = twice(1 | bound << 16);
        for (std::size_t i = 0; i < pairs; i += lanes) {
            const Sums low = Lanes::multiply_pairs(load(integers + 2 * i), factor);
            const Sums high = Lanes::multiply_pairs(load(integers + 2 * i + lanes), factor);
            const Vector lower = Lanes::lower_halves(low, high);
            if constexpr (width == 0) {
                store(integers + i, lower);
            } else if constexpr (width == 1) {
                Lanes::store_bytes(to + i, lower);
                store(integers + i, Lanes::lower_halves(low >> 8, high >> 8));
            } else {
                std::memcpy(to + 2 * i, &lower, sizeof lower);
                store(integers + i, Lanes::upper_halves(low, high));
            }
        }
    }

    /// Decodes pairs of `width` bytes, whose high parts are `above`.
    template <std::size_t width>
    [[gnu::always_inline]] static void decode(std::size_t pairs, const Divisor& bound, const Byte* from,
                                              const std::uint16_t* above, std::uint16_t* integers) noexcept
    {
        const Splitter split{bound};
        for (std::size_t i = 0; i < pairs; i += lanes) {
            const Vector a = load(above + i);
            const auto joined = [&]() __attribute__((always_inline)) {
                if constexpr (width == 0) return Lanes::zip(a, Vector{});
                if constexpr (width == 1) return Lanes::zip(Lanes::load_bytes(from + i) | a << 8, a >> 8);
                Vector below;
                std::memcpy(&below, from + 2 * i, sizeof below);
                return Lanes::zip(below, a);
            }();
            store(integers + 2 * i, split(joined.low));
            store(integers + 2 * i + lanes, split(joined.high));
        }
    }

  private:
    /// r0 + bound r1 as r0 and r1.
    struct Splitter {
        Sums inverse;
        Sums bound;
        int shift;

        [[gnu::always_inline]] explicit Splitter(const Divisor& d)
            : inverse(Isa::broadcast(static_cast<std::int32_t>(d.inverse))),
              bound(Isa::broadcast(static_cast<std::int32_t>(d.divisor))),
              shift(d.shift)
        {
        }
        [[nodiscard, gnu::always_inline]] Vector operator()(Sums pair) const noexcept
        {
            // EncodingPlan::is_near: the quotient is below 2 bound, and so below 2^15.
            const Sums quotient = Isa::high_half(Isa::multiply(pair, inverse)) >> shift;
            const Sums first = pair - Lanes::multiply_pairs(reinterpret_cast<Vector>(quotient),
                                                            reinterpret_cast<Vector>(bound));
            const Sums less = quotient - bound;
            const Sums second = less + (less >> 31 & bound);
            return reinterpret_cast<Vector>(first | second << 16);
        }
    };

    [[nodiscard, gnu::always_inline]] static Vector twice(std::uint32_t pair) noexcept
    {
        return reinterpret_cast<Vector>(Isa::broadcast(static_cast<std::int32_t>(pair)));
    }
    [[nodiscard, gnu::always_inline]] static Vector load(const std::uint16_t* from) noexcept
    {
        return Lanes::load(reinterpret_cast<const std::int16_t*>(from));
    }
    [[gnu::always_inline]] static void store(std::uint16_t* to, Vector a) noexcept
    {
        Lanes::store(reinterpret_cast<std::int16_t*>(to), a);
    }
};

}  // namespace girih::ntru_prime
