/// Secrets of an algorithm's operations, and of the sponges that absorb them.
#pragma once

#include <vector>

#include "remains.hpp"
#include "support/every_operation.hpp"

namespace girih::stack {

/// The key and values computed from it, the seed, the inputs of a deterministic signature, and the
/// encapsulated secret.
[[nodiscard]] Secrets secrets_of(const test::EveryOperation& operations);

/// The states of a sponge that absorbs less than one block and squeezes `blocks`: before the last
/// round of each permutation and behind it. Any of them gives the input away.
[[nodiscard]] std::vector<std::uint64_t> sponge_states(BytesIn<> input, std::size_t blocks);

/// Sponge states of a seed followed by a number.
[[nodiscard]] std::vector<std::uint64_t> numbered_sponge_states(BytesIn<> seed, std::size_t number,
                                                                std::size_t blocks);

}  // namespace girih::stack
