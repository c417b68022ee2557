/// Limbs of large integers, of the size that the processor multiplies: two words of 31 bits with
/// 128-bit products, else one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "falcon/keygen/numbers/big_poly.hpp"

namespace girih::falcon {

#if defined(__SIZEOF_INT128__)
using Limb = std::int64_t;
__extension__ using LimbProduct = __int128;
inline constexpr std::size_t limb_words = 2;
#else
using Limb = std::int32_t;
using LimbProduct = std::int64_t;
inline constexpr std::size_t limb_words = 1;
#endif
inline constexpr int limb_bits = word_bits * static_cast<int>(limb_words);
inline constexpr Limb limb_mask = static_cast<Limb>((LimbProduct{1} << limb_bits) - 1);

constexpr std::size_t limbs_of(std::size_t words) { return (words + limb_words - 1) / limb_words; }

/// The words that `limbs` limbs occupy.
constexpr std::size_t limb_memory(std::size_t limbs) { return limbs * limb_words; }

}  // namespace girih::falcon
