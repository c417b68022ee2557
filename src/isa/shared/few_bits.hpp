/// Packing bytes to strings of integers of few bits: the sizes, which are the same for all vectors.
#pragma once

namespace girih::isa {

/// Neighbours join until their bits fill whole bytes: two in 16 bits, four in 32 or eight in
/// 64. Two by a sum of products of bytes, four by one of products of 16 bits, eight by a shift.
template <int bits>
    requires(bits == 3 || bits == 4 || bits == 6)
struct FewBitsJoined {
    static constexpr int step = bits == 4 ? 2 : bits == 6 ? 4 : 8;  ///< bytes from string to string
    static constexpr int size = step * bits / 8;                    ///< bytes of a string
    static constexpr int factors_of_two = 1 | 1 << (8 + bits);
    static constexpr int factors_of_four = 1 | 1 << (16 + 2 * bits);
    static constexpr int shift_of_eight = 32 - 4 * bits;
};

}  // namespace girih::isa
