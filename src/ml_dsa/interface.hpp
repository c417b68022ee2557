/// The operations of a parameter set as functions over plain bytes: engines provide them, and the
/// public API calls them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "ml_dsa/encoding/frame.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/rows.hpp"

namespace girih::ml_dsa {

// Keys and signatures of a parameter set.
template <Params P>
using PublicKeyIn = BytesIn<P.public_key_bytes()>;
template <Params P>
using PublicKeyOut = BytesOut<P.public_key_bytes()>;
template <Params P>
using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
template <Params P>
using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
template <Params P>
using SignatureIn = BytesIn<P.signature_bytes()>;
template <Params P>
using SignatureOut = BytesOut<P.signature_bytes()>;

/// The verdict on an imported secret key.
enum class KeyCheck {
    good,
    malformed,     ///< s1 or s2 out of range
    inconsistent,  ///< t0 or tr does not match the rest
};

/// The result of signing.
enum class SignResult { good, malformed_key, too_many_attempts };

/// Every pointer points to the parameter set's number of bytes. mu has 64; rnd has
/// Params::rnd_bytes, or is null (deterministic); tr has Params::tr_bytes.
struct Operations {
    void (*keygen)(const Byte* seed, Byte* pk, Byte* sk);
    KeyCheck (*public_key)(const Byte* sk, Byte* pk);
    SignResult (*sign)(const Byte* sk, const Frame& frame, BytesIn<> message, const Byte* rnd, Byte* sig);
    SignResult (*sign_mu)(const Byte* sk, const Byte* mu, const Byte* rnd, Byte* sig);
    bool (*verify)(const Byte* pk, const Frame& frame, BytesIn<> message, const Byte* sig);
    bool (*verify_mu)(const Byte* pk, const Byte* mu, const Byte* sig);
    void (*hash_public_key)(const Byte* pk, Byte* tr);

    /// Prepared keys, in memory of their size, aligned to prepared_key_alignment.
    std::size_t signing_key_size;
    std::size_t verifying_key_size;
    bool (*prepare_signing_key)(const Byte* sk, void* memory);  ///< false for a malformed key
    void (*prepare_verifying_key)(const Byte* pk, void* memory);
    void (*wipe_signing_key)(void* prepared);
    bool (*sign_prepared)(const void* prepared, const Frame& frame, BytesIn<> message, const Byte* rnd,
                          Byte* sig);
    bool (*sign_mu_prepared)(const void* prepared, const Byte* mu, const Byte* rnd, Byte* sig);
    bool (*verify_prepared)(const void* prepared, const Frame& frame, BytesIn<> message, const Byte* sig);
    bool (*verify_mu_prepared)(const void* prepared, const Byte* mu, const Byte* sig);

    /// Batches of at most rows_at_once rows, except for signing.
    void (*keygen_many)(std::span<const KeygenRow> rows);
    void (*verify_many)(std::span<VerifyingRow> rows);
    void (*sign_many)(const SigningRows& rows);
};

inline constexpr std::size_t prepared_key_alignment = 64;

/// All parameter sets, in the order of all tables.
inline constexpr std::array parameter_sets{ml_dsa_44,  ml_dsa_65,  ml_dsa_87,
                                           dilithium2, dilithium3, dilithium5};

/// The operations of one parameter set on engine `Isa`. The object of that engine and scheme
/// defines the table in a section of its own, so that a program links only what it names.
template <class Isa, Params P>
struct OperationsOn {
    static const Operations table;
    static const Operations verifying;  ///< only verification; all other functions are null
};

}  // namespace girih::ml_dsa
