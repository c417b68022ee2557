/// All that is secret about the operations of an algorithm: the key and what is computed from it,
/// the seed, what a deterministic signature sees, and what is encapsulated.
#pragma once

#include "remains.hpp"
#include "support/every_operation.hpp"

namespace girih::stack {

[[nodiscard]] Secrets secrets_of_ml_dsa(const test::EveryOperation& operations);
[[nodiscard]] Secrets secrets_of_falcon(const test::EveryOperation& operations);
[[nodiscard]] Secrets secrets_of_ml_kem(const test::EveryOperation& operations);
[[nodiscard]] Secrets secrets_of_ntru_prime(const test::EveryOperation& operations);

}  // namespace girih::stack
