/// Half-bytes as candidates for the coefficients of a short polynomial: the interface of
/// HalfByteLanes, for a single one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::isa {

/// One half-byte. `Isa` keeps the types of engines apart.
template <class Isa>
struct OneHalfByte {
    using Vector = std::int32_t;
    static constexpr std::size_t lanes = 1;

    /// Loads `lanes` half-bytes from number `index` on, a multiple of `lanes`, from a string in
    /// little-endian words with the lower half of each byte first.
    [[nodiscard]] static constexpr Vector load(const std::uint64_t* words, std::size_t index) noexcept
    {
        return static_cast<Vector>(words[index / 16] >> (index % 16 * 4) & 15);
    }
    /// Stores the lanes of `a` whose mask is all ones without gaps, and returns their number. The
    /// rest of one vector is overwritten. The masks are public.
    static constexpr std::size_t compress_store(std::int8_t* to, Vector a, Vector mask) noexcept
    {
        *to = static_cast<std::int8_t>(a);
        return static_cast<std::size_t>(mask & 1);
    }
    /// All ones where a is below the limit.
    [[nodiscard]] static constexpr Vector below(Vector a, std::int8_t limit) noexcept
    {
        return (a - limit) >> 7;
    }
    /// a modulo 5, for a below 15.
    [[nodiscard]] static constexpr Vector modulo_5(Vector a) noexcept { return a - (a * 13 >> 6) * 5; }
};

/// For each mask of eight lanes, the numbers of its kept lanes, one in each byte, lowest first.
inline constexpr auto kept_lanes = [] {
    std::array<std::uint64_t, 256> table{};
    for (unsigned mask = 0; mask < 256; ++mask) {
        int place = 0;
        for (unsigned lane = 0; lane < 8; ++lane)
            if ((mask >> lane & 1) != 0) table[mask] |= std::uint64_t{lane} << (8 * place++);
    }
    return table;
}();

}  // namespace girih::isa
