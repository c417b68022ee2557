/// Dilithium (round 3.1), typed: the predecessor of ML-DSA. It has no contexts and no pre-hashes,
/// and does not interoperate with ML-DSA.
#pragma once

#include <girih/signature.hpp>

namespace girih {

// Public key, secret key and signature in bytes.
// facts: types
using dilithium2 = SignatureAlgorithm<"Dilithium2", girih_dilithium2, 1312, 2528, 2420>;
using dilithium3 = SignatureAlgorithm<"Dilithium3", girih_dilithium3, 1952, 4000, 3293>;
using dilithium5 = SignatureAlgorithm<"Dilithium5", girih_dilithium5, 2592, 4864, 4595>;
// facts: end

}  // namespace girih
