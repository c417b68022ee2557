/// NTRU Prime (round 3), typed: Streamlined NTRU Prime (sntrup) and NTRU LPRime (ntrulpr).
///
///     #include <girih/ntru_prime.hpp>
///     auto key = girih::sntrup761::DecapsulationKey::generate();
///     auto [ciphertext, secret] = key.encapsulation_key().encapsulate();
///     auto same_secret = key.decapsulate(ciphertext);
#pragma once

#include <girih/kem.hpp>

namespace girih {

// Seed, public key, secret key and ciphertext in bytes: Section 3 of the submission. The seed is
// girih's own (girih_keygen_from_seed).
// facts: types
using sntrup653 = KemAlgorithm<"sntrup653", girih_sntrup653, 32, 994, 1518, 897>;
using sntrup761 = KemAlgorithm<"sntrup761", girih_sntrup761, 32, 1158, 1763, 1039>;
using sntrup857 = KemAlgorithm<"sntrup857", girih_sntrup857, 32, 1322, 1999, 1184>;
using sntrup953 = KemAlgorithm<"sntrup953", girih_sntrup953, 32, 1505, 2254, 1349>;
using sntrup1013 = KemAlgorithm<"sntrup1013", girih_sntrup1013, 32, 1623, 2417, 1455>;
using sntrup1277 = KemAlgorithm<"sntrup1277", girih_sntrup1277, 32, 2067, 3059, 1847>;
using ntrulpr653 = KemAlgorithm<"ntrulpr653", girih_ntrulpr653, 32, 897, 1125, 1025>;
using ntrulpr761 = KemAlgorithm<"ntrulpr761", girih_ntrulpr761, 32, 1039, 1294, 1167>;
using ntrulpr857 = KemAlgorithm<"ntrulpr857", girih_ntrulpr857, 32, 1184, 1463, 1312>;
using ntrulpr953 = KemAlgorithm<"ntrulpr953", girih_ntrulpr953, 32, 1349, 1652, 1477>;
using ntrulpr1013 = KemAlgorithm<"ntrulpr1013", girih_ntrulpr1013, 32, 1455, 1773, 1583>;
using ntrulpr1277 = KemAlgorithm<"ntrulpr1277", girih_ntrulpr1277, 32, 1847, 2231, 1975>;
// facts: end

}  // namespace girih
