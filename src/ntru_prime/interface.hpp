/// The operations of a parameter set as functions over plain bytes: what an engine offers and the
/// public API calls.
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
    malformed,     ///< f, 1/g or a encode no small polynomial, or f or a is not short
    inconsistent,  ///< the public key, or its hash, is not that of the rest
};

/// Every pointer is to as many bytes as the parameter set says. False: the source of
/// randomness failed.
struct Operations {
    bool (*keygen)(const Randomness& randomness, Byte* pk, Byte* sk);
    KeyCheck (*public_key)(const Byte* sk, Byte* pk);
    bool (*encapsulate)(const Randomness& randomness, const Byte* pk, Byte* ciphertext, Byte* shared_secret);
    void (*decapsulate)(const Byte* sk, const Byte* ciphertext, Byte* shared_secret);
    void (*keygen_many)(std::span<const KeygenRow> rows);
};

/// At most so many keys of a batch share a reciprocal.
inline constexpr std::size_t rows_at_once = 32;

/// The operations of one parameter set on the engine with these lanes. The table is defined
/// in the object of that engine and scheme, in a section of its own, so that a program
/// links what it names.
template <class Isa, Params P>
struct OperationsOn {
    static const Operations table;
};

}  // namespace girih::ntru_prime
