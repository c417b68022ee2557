/// What an algorithm does for the functions of girih.h, as tables of functions, one for each use.
/// Each scheme has its own in a folder beside this one; an algorithm's object names those that it
/// has, so a program links no other scheme's.
///
/// Where nothing else is said, an engine runs and every pointer is to as many bytes as the
/// algorithm says.
#pragma once

#include <girih/girih.h>

#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"

namespace girih::api {

struct BegunMessage;
class SigningOutputs;

struct KeyFunctions {
    int (*keygen)(const girih_alg& alg, const Byte* seed, Byte* pk, Byte* sk);
    /// From a source that is asked for each piece; null where a seed is all that is drawn.
    int (*keygen_piecewise)(const girih_alg& alg, const girih_random& random, Byte* pk, Byte* sk);
    void (*keygen_many)(const girih_alg& alg, std::span<const KeygenRow> rows);
    int (*public_key)(const girih_alg& alg, const Byte* sk, Byte* pk);
};

struct SigningFunctions {
    /// Signs what a row says, of which nothing has been checked, nor whether an engine runs. The
    /// signature goes to the outputs.
    int (*sign)(const girih_alg& alg, const girih_sign_row& row, SigningOutputs& outputs);
    /// Rows whose result is GIRIH_ERROR_OVERLAP are left as they are.
    void (*sign_many)(const girih_alg& alg, std::span<girih_sign_row> rows);
    /// Of the engine's part of a prepared key.
    std::size_t (*key_size)(const girih_alg& alg);
    /// Makes that part from the secret key before it.
    int (*prepare)(girih_signing_key& key);
};

struct VerifyingFunctions {
    /// Verifies what a row says, of which nothing has been checked, nor whether an engine runs.
    int (*verify)(const girih_alg& alg, const girih_verify_row& row);
    void (*verify_many)(const girih_alg& alg, std::span<girih_verify_row> rows);
    std::size_t (*key_size)(const girih_alg& alg);
    int (*prepare)(const Byte* public_key, girih_verifying_key& key);
    /// Takes the next piece of a message that is pre-hashed; null where none is.
    void (*pre_hash)(BegunMessage& message, BytesIn<> piece);
};

/// Keys prepared for key encapsulation.
struct PreparedKemFunctions {
    /// Of the engine's part of each.
    std::size_t (*encapsulation_key_size)(const girih_alg& alg);
    std::size_t (*decapsulation_key_size)(const girih_alg& alg);
    int (*prepare_encapsulation_key)(const Byte* pk, girih_encapsulation_key& key);
    int (*prepare_decapsulation_key)(const Byte* sk, girih_decapsulation_key& key);
};

struct KemFunctions {
    std::size_t shared_secret_bytes;
    /// With a prepared key, or, if that is null, with the key's bytes.
    int (*encapsulate)(const girih_alg& alg, const girih_encapsulation_key* key, const girih_random* random,
                       const Byte* pk, Byte* ciphertext, Byte* shared_secret);
    int (*decapsulate)(const girih_alg& alg, const girih_decapsulation_key* key, const Byte* sk,
                       const Byte* ciphertext, Byte* shared_secret);
    /// Of rows of which nothing has been checked; those whose result is GIRIH_ERROR_OVERLAP are
    /// left as they are. Null: rows are worked on one after the other.
    void (*encapsulate_many)(const girih_alg& alg, std::span<girih_encapsulate_row> rows);
    void (*decapsulate_many)(const girih_alg& alg, std::span<girih_decapsulate_row> rows);
    const PreparedKemFunctions* prepared;  ///< null where there are no such keys
};

}  // namespace girih::api
