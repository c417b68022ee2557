/// Falcon's key generator of round 3, which makes the keys of the known answers. Exists once, on
/// the portable engine: its results do not depend on the engine, and its speed does not matter.
#pragma once

#include "core/bytes.hpp"

namespace girih::engines {

/// The key pair of a seed of falcon::seed_bytes, of degree 2^logn.
void falcon_reference_keygen(unsigned logn, const Byte* seed, Byte* pk, Byte* sk);

}  // namespace girih::engines
