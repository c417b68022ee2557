/// The functions of FIPS 202 by their two numbers.
#pragma once

#include <cstddef>

#include "core/bytes.hpp"

namespace girih::keccak {

/// The rate and suffix of a function of FIPS 202.
struct Function {
    std::size_t rate;  ///< bytes absorbed or squeezed per permutation: 200 - 2 * security bytes
    Byte suffix;       ///< domain bits and the first 1 of pad10*1, in the order of FIPS 202, Table 6
};

inline constexpr Function shake128_function{168, 0x1F};
inline constexpr Function shake256_function{136, 0x1F};

/// SHA3-224, -256, -384 and -512 have a capacity of twice the digest (FIPS 202, Section 6.1).
constexpr Function sha3_function(std::size_t digest_bytes) { return {200 - 2 * digest_bytes, 0x06}; }

}  // namespace girih::keccak
