/// ML-KEM (FIPS 203), typed.
///
///     #include <girih/ml_kem.hpp>
///     auto key = girih::ml_kem_768::DecapsulationKey::generate();
///     auto [ciphertext, secret] = key.encapsulation_key().encapsulate();
///     auto same_secret = key.decapsulate(ciphertext);
///
/// A server with a long-lived key prepares it once:
///
///     const girih::ml_kem_768::PreparedDecapsulationKey prepared{key};
///     auto same_secret = prepared.decapsulate(ciphertext);
#pragma once

#include <girih/kem.hpp>

namespace girih {

// Seed (d, then z), public key, secret key and ciphertext in bytes: FIPS 203, Table 3.
// facts: types
using ml_kem_512 = PreparingKemAlgorithm<"ML-KEM-512", girih_ml_kem_512, 64, 800, 1632, 768>;
using ml_kem_768 = PreparingKemAlgorithm<"ML-KEM-768", girih_ml_kem_768, 64, 1184, 2400, 1088>;
using ml_kem_1024 = PreparingKemAlgorithm<"ML-KEM-1024", girih_ml_kem_1024, 64, 1568, 3168, 1568>;
// facts: end

}  // namespace girih
