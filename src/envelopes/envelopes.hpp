/// Signed envelopes of ML-DSA (RFC 9964): JWS (RFC 7515), compact or in flattened JSON, and
/// COSE_Sign1 (RFC 9052, Section 4.2). The payload is inside, or detached.
///
/// The key alone says which algorithm verifies; the envelope's `alg` has to agree. Critical headers
/// are refused, since girih knows none. Functions throw nothing but std::bad_alloc and what a
/// payload throws; they may run on any thread.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace girih::envelopes {

using key_files::Bytes;
using key_files::Result;

enum class Form { jws, jws_json, cose_sign1 };

/// A payload in pieces.
struct Payload {
    std::uint64_t bytes;              ///< the length of all pieces
    std::function<BytesView()> next;  ///< the next piece, valid until the next call; empty at the end
};

/// The payload in one piece, which has to remain valid.
[[nodiscard]] Payload payload_of(BytesView bytes);

struct Options {
    Form form;
    bool detached = false;
    /// Signing: the kid that is written; if not given, the key's, or its thumbprint. Verifying: the
    /// kid that the envelope has to have; if not given, and if both the envelope and the key have a
    /// kid, the envelope's has to be the key's or its thumbprint.
    std::optional<Bytes> kid = {};
    BytesView external_aad = {};  ///< COSE's externally supplied data; Problem::no_form for a JWS
    bool deterministic = false;   ///< signing: draws no randomness
};

/// The envelope of a payload. Problem::no_form: not an ML-DSA key, or a JWS's kid is no text.
Result<Bytes> sign(const key_files::PrivateKey& key, Payload payload, const Options& options);

/// An envelope after parsing. Nothing in it is verified.
struct Envelope {
    const girih_alg* alg;          ///< what `alg` says
    std::optional<Bytes> kid;      ///< not signed if it is in an unprotected header
    Bytes signed_header;           ///< as the signature covers it
    std::optional<Bytes> payload;  ///< nothing if it is detached
    Bytes signature;
};

/// Parses an envelope of a form, without white space around a compact JWS. Errors name the byte or
/// the member.
Result<Envelope> parse(BytesView file, Form form);

/// Whether the signature is good for the payload: the envelope's own, or a detached one. Errors:
/// Problem::algorithm if `alg` disagrees with the key, Problem::member if `kid` does.
Result<bool> verify(const Envelope& envelope, const key_files::PublicKey& key, Payload payload,
                    const Options& options);

}  // namespace girih::envelopes
