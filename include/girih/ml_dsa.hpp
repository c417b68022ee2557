/// ML-DSA (FIPS 204), typed.
///
///     #include <girih/ml_dsa.hpp>
///     auto key = girih::ml_dsa_65::SigningKey::generate();
///     auto signature = key.sign(message, {.context = "release"});
///     bool good = key.verifying_key().verify(message, signature, {.context = "release"});
#pragma once

#include <girih/signature.hpp>

namespace girih {

// Public key, secret key and signature in bytes: FIPS 204, Table 2.
// facts: types
using ml_dsa_44 = SignatureAlgorithm<"ML-DSA-44", girih_ml_dsa_44, 1312, 2560, 2420>;
using ml_dsa_65 = SignatureAlgorithm<"ML-DSA-65", girih_ml_dsa_65, 1952, 4032, 3309>;
using ml_dsa_87 = SignatureAlgorithm<"ML-DSA-87", girih_ml_dsa_87, 2592, 4896, 4627>;
// facts: end

}  // namespace girih
