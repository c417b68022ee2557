/// Invalid inputs, which every contender must refuse before it races.
#pragma once

#include <string>
#include <vector>

#include "lab/operations/operations.hpp"

namespace girih::lab {

/// A public key, a message and a signature, and whether the signature is valid.
struct Verdict {
    std::string what;
    Strings inputs;
    bool is_valid = false;
};

/// The table of a signature algorithm, the same in every run. Signatures of ML-DSA are made for
/// their rows, with no other fault, as the valid rows show.
[[nodiscard]] std::vector<Verdict> verdicts_of(const Material& material);

/// A change of one bit in a part of a ciphertext or signature: its name, and the index of the
/// bit's byte.
struct Change {
    std::string what;
    std::size_t place;
};
[[nodiscard]] std::vector<Change> changes_of_ciphertexts(const std::string& algorithm, std::size_t bytes);

/// The public key of ML-KEM with a first coefficient of q (FIPS 203, Section 7.2, modulus check).
[[nodiscard]] Bytes with_coefficient_q(Bytes public_key);

}  // namespace girih::lab
