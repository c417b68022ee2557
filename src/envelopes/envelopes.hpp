/// Signed envelopes of ML-DSA (RFC 9964): JWS (RFC 7515), compact or in flattened JSON, and
/// COSE_Sign1 (RFC 9052, Section 4.2). The payload is inside, or detached.
///
/// Notes of C2SP (signed-note) hold a checkpoint of a log (tlog-checkpoint), which is the payload,
/// and ML-DSA-44's cosignature (tlog-cosignature), since C2SP has no other signature with ML-DSA.
/// Signatures by other keys are ignored.
///
/// The key alone says which algorithm verifies; the envelope's `alg` has to agree. Critical headers
/// are refused, since girih knows none. Time is linear in the lengths. Functions throw nothing but
/// std::bad_alloc and what a payload throws; they may run on any thread.
#pragma once

#include <girih/key_files.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace girih::envelopes {

using key_files::Bytes;
using key_files::Result;

enum class Form { jws, jws_json, cose_sign1, note };

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
    /// kid, the envelope's has to be the key's or its thumbprint. In a note it is the key's name.
    std::optional<Bytes> kid = {};
    BytesView external_aad = {};  ///< COSE's externally supplied data; Problem::no_form for others
    bool deterministic = false;   ///< signing: draws no randomness
    /// Signing a note: the time in seconds since 1970, or 0 for none; Problem::no_form for other
    /// forms.
    std::uint64_t time = 0;
    /// JWS's typ (RFC 7515, Section 4.1.9); Problem::no_form for other forms. Signing: the one that
    /// is written. Verifying: the one that the envelope has to have, compared as media types.
    std::optional<Bytes> typ = {};
};

/// The envelope of a payload. Problem::no_form: not an ML-DSA key, or a JWS's kid or typ is not
/// text.
///
/// A note's payload is a checkpoint's text, or a note to which one more signature is added; the
/// result has at most 1 MiB. Problem::member: it is longer, is neither, has an extension line,
/// which would not be signed, or has the key's signature already.
Result<Bytes> sign(const key_files::PrivateKey& key, Payload payload, const Options& options);

/// An envelope after parsing. Nothing in it is verified.
struct Envelope {
    const girih_alg* alg;          ///< what `alg` says; ML-DSA-44 for a note
    std::optional<Bytes> kid;      ///< not signed if it is in an unprotected header
    Bytes signed_header;           ///< as the signature covers it
    std::optional<Bytes> payload;  ///< nothing if it is detached
    Bytes signature;
    std::optional<std::uint64_t> time = {};  ///< of a note's signature, as in Options
    /// A note's extension lines, with their ends. They follow the payload in the note's text, and
    /// the signature does not cover them.
    Bytes unsigned_lines = {};
    std::optional<Bytes> typ = {};  ///< of a JWS
};

/// Parses an envelope of a form. A JWS may begin with a byte order mark, and a compact one may end
/// in LF or CR LF, without other white space around it. A note's signature is the one with the
/// key's name and ID; if there is none, there is no kid. Errors name the byte, the line or the
/// member.
Result<Envelope> parse(BytesView file, const Options& options, const key_files::PublicKey& key);

/// Whether the signature is good for the payload: the envelope's own, or a detached one; for a note
/// always its own. Errors: Problem::algorithm if `alg` disagrees with the key, Problem::member if
/// `kid` does, or `typ` with the options.
Result<bool> verify(const Envelope& envelope, const key_files::PublicKey& key, Payload payload,
                    const Options& options);

/// The verifier key (vkey) of an ML-DSA-44 key is a line: its name, which is its kid or thumbprint,
/// its ID, and the key. Problem::no_form: another kind of key, or a kid that cannot be a name.
/// Reading checks the ID.
Result<Bytes> write_verifier_key(const key_files::PublicKey& key);
Result<key_files::PublicKey> read_verifier_key(BytesView file);

}  // namespace girih::envelopes
