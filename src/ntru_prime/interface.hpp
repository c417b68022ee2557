/// The operations of a parameter set as functions over plain bytes: engines provide them, and the
/// public API calls them.
#pragma once

#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "ntru_prime/params.hpp"
#include "ntru_prime/sampling/randomness.hpp"

namespace girih::ntru_prime {

enum class KeyCheck {
    good,
    malformed,     ///< f, 1/g or a does not encode a small polynomial, or f or a is not short
    inconsistent,  ///< the public key, or its hash, does not match the rest
};

/// Every pointer points to the parameter set's number of bytes. Functions return false if the
/// source of randomness failed.
struct Operations {
    bool (*keygen)(const Randomness& randomness, Byte* pk, Byte* sk);
    KeyCheck (*public_key)(const Byte* sk, Byte* pk);
    bool (*encapsulate)(const Randomness& randomness, const Byte* pk, Byte* ciphertext, Byte* shared_secret);
    void (*decapsulate)(const Byte* sk, const Byte* ciphertext, Byte* shared_secret);
    void (*keygen_many)(std::span<const KeygenRow> rows);
};

/// At most this many keys of a batch share a reciprocal.
inline constexpr std::size_t rows_at_once = 32;

/// The operations of one parameter set on engine `Isa`. The object of that engine and scheme
/// defines the table in a section of its own, so that a program links only what it names.
template <class Isa, Params P>
struct OperationsOn {
    static const Operations table;
};

}  // namespace girih::ntru_prime
