/// Function tables behind girih.h, one for each use. Each scheme defines its own in a folder beside
/// this one; an algorithm's object names only these, so a program links no other scheme's.
///
/// Unless noted, an engine is selected and every pointer points to the algorithm's number of bytes.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"

namespace girih::api {

/// A function of batches in a table: null, so that it is not linked, in a library without them.
template <class Function>
constexpr Function* for_batches([[maybe_unused]] Function* function)
{
#if defined(GIRIH_WITHOUT_BATCHES)
    return nullptr;
#else
    return function;
#endif
}

struct BegunMessage;
class SigningOutputs;

struct KeyFunctions {
    int (*keygen)(const girih_alg& alg, const Byte* seed, Byte* pk, Byte* sk);
    /// Draws each piece from the source; null if the algorithm draws only a seed.
    int (*keygen_piecewise)(const girih_alg& alg, const girih_random& random, Byte* pk, Byte* sk);
    void (*keygen_many)(const girih_alg& alg, std::span<const KeygenRow> rows);
    int (*public_key)(const girih_alg& alg, const Byte* sk, Byte* pk);
};

struct SigningFunctions {
    /// Checks the row and the engine, signs, and writes the signature to the outputs.
    int (*sign)(const girih_alg& alg, const girih_sign_row& row, SigningOutputs& outputs);
    /// Skips rows whose result is GIRIH_ERROR_OVERLAP.
    void (*sign_many)(const girih_alg& alg, std::span<girih_sign_row> rows);
    /// Bytes of the engine's part of a prepared key.
    std::size_t (*key_size)(const girih_alg& alg);
    /// Computes that part from the secret key, whose copy precedes it.
    int (*prepare)(const Byte* secret_key, girih_signing_key& key);
};

struct VerifyingFunctions {
    /// Checks the row and the engine, and verifies.
    int (*verify)(const girih_alg& alg, const girih_verify_row& row);
    void (*verify_many)(const girih_alg& alg, std::span<girih_verify_row> rows);
    std::size_t (*key_size)(const girih_alg& alg);
    int (*prepare)(const Byte* public_key, girih_verifying_key& key);
    /// Absorbs the next piece of a pre-hashed message; null if there are no pre-hashes.
    void (*pre_hash)(BegunMessage& message, BytesIn<> piece);
};

/// Keys prepared for key encapsulation.
struct PreparedKemFunctions {
    /// Bytes of the engine's part.
    std::size_t (*encapsulation_key_size)(const girih_alg& alg);
    std::size_t (*decapsulation_key_size)(const girih_alg& alg);
    int (*prepare_encapsulation_key)(const Byte* pk, girih_encapsulation_key& key);
    int (*prepare_decapsulation_key)(const Byte* sk, girih_decapsulation_key& key);
};

struct KemFunctions {
    std::size_t shared_secret_bytes;
    /// With a prepared key or, if that is null, the key's bytes.
    int (*encapsulate)(const girih_alg& alg, const girih_encapsulation_key* key, const girih_random* random,
                       const Byte* pk, Byte* ciphertext, Byte* shared_secret);
    int (*decapsulate)(const girih_alg& alg, const girih_decapsulation_key* key, const Byte* sk,
                       const Byte* ciphertext, Byte* shared_secret);
    /// Checks the rows, and skips those whose result is GIRIH_ERROR_OVERLAP. Null: rows are
    /// processed one by one.
    void (*encapsulate_many)(const girih_alg& alg, std::span<girih_encapsulate_row> rows);
    void (*decapsulate_many)(const girih_alg& alg, std::span<girih_decapsulate_row> rows);
    const PreparedKemFunctions* prepared;  ///< null if the algorithm has none
};

}  // namespace girih::api
