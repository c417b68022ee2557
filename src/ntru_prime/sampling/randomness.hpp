/// The source of an operation's random bytes.
#pragma once

#include <cstddef>

#include "core/bytes.hpp"

namespace girih::ntru_prime {

/// A seed of 32 bytes, which is expanded; or, if that is null, a source that is asked for every
/// word by itself, as the submission's generator of known answers does, or for all words of a
/// polynomial at once.
struct Randomness {
    const Byte* seed = nullptr;
    bool (*fill)(const void* source, Byte* out, std::size_t bytes) = nullptr;  ///< false: it has none
    const void* source = nullptr;
    bool word_by_word = true;
};

}  // namespace girih::ntru_prime
