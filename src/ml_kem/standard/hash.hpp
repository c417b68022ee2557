/// The hash functions of FIPS 203, Section 4.1.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/function.hpp"

namespace girih::ml_kem {

inline constexpr keccak::Function h_function = keccak::sha3_function(32);
inline constexpr keccak::Function j_function = keccak::shake256_function;
inline constexpr keccak::Function g_function = keccak::sha3_function(64);

/// The two halves of an output of G: rho and sigma (FIPS 203, Algorithm 13, line 1), or K and r
/// (Algorithm 17, line 1).
class HalvedHash {
  public:
    [[nodiscard]] constexpr BytesOut<64> bytes() { return *bytes_; }
    [[nodiscard]] constexpr BytesIn<32> first() const { return BytesIn<64>{*bytes_}.first<32>(); }
    [[nodiscard]] constexpr BytesIn<32> second() const { return BytesIn<64>{*bytes_}.last<32>(); }

  private:
    Wiped<std::array<Byte, 64>> bytes_{uninitialized};
};

}  // namespace girih::ml_kem
