/// The rings of NTRU Prime ("NTRU Prime: round 3", Section 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::ntru_prime {

/// Z[x]/(x^p - x - 1), modulo 3 or modulo q, and the sizes of its encodings: the numbers that the
/// arithmetic depends on.
struct Ring {
    std::size_t p;
    std::int32_t q;
    std::size_t rq_bytes;       ///< of Rq_encode
    std::size_t rounded_bytes;  ///< of Rounded_encode

    /// Coefficients modulo q lie in [-q12, q12].
    [[nodiscard]] constexpr std::int32_t q12() const { return (q - 1) / 2; }

    /// Bytes of Small_encode.
    [[nodiscard]] constexpr std::size_t small_bytes() const { return (p + 3) / 4; }

    friend constexpr bool operator==(const Ring&, const Ring&) = default;
};

inline constexpr Ring ring653{653, 4621, 994, 865};
inline constexpr Ring ring761{761, 4591, 1158, 1007};
inline constexpr Ring ring857{857, 5167, 1322, 1152};
inline constexpr Ring ring953{953, 6343, 1505, 1317};
inline constexpr Ring ring1013{1013, 7177, 1623, 1423};
inline constexpr Ring ring1277{1277, 7879, 2067, 1815};
inline constexpr std::array rings{ring653, ring761, ring857, ring953, ring1013, ring1277};

}  // namespace girih::ntru_prime
