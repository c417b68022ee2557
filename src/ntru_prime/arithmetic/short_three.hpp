/// Residues modulo 3 in the 16-bit lanes of vectors.
#pragma once

#include <cstdint>

namespace girih::ntru_prime {

/// Arithmetic modulo 3. Constant time.
template <class Isa>
struct ShortThree {
    using Lanes = typename Isa::ShortLanes;
    using Vector = typename Lanes::Vector;

    static constexpr std::int32_t bound = 3 * 4096 - 1;

    /// The residue in {-1, 0, 1} of at most `bound`.
    [[nodiscard, gnu::always_inline]] static Vector canonical(Vector a) noexcept
    {
        // 0 <= s < 2^15, and s 21846 / 2^16 = s / 3 + s / 98304, which is less than 1 / 3 too much:
        // its floor is that of s / 3.
        const Vector s = a + Lanes::broadcast(3 * 4096 + 1);
        const Vector third = Isa::multiply_high(s, Lanes::broadcast(21846)) - Lanes::broadcast(4096);
        return a - third * Lanes::broadcast(3);
    }
};

}  // namespace girih::ntru_prime
