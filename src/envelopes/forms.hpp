/// The three families of envelopes. Parsers throw Malformed.
#pragma once

#include "core/bytes.hpp"
#include "envelopes/envelopes.hpp"
#include "key_files/encoding/malformed.hpp"

namespace girih::envelopes {

using key_files::owned;
using key_files::Problem;
using key_files::PublicKey;
using key_files::SecretBytes;

namespace jws {
[[nodiscard]] Envelope parse_compact(BytesIn<> file);
[[nodiscard]] Envelope parse_json(BytesIn<> file);
/// The protected header in base64url.
[[nodiscard]] SecretBytes header(const girih_alg* alg, BytesIn<> kid, const std::optional<Bytes>& typ);
/// Whether two values of `typ` are the same media type (RFC 7515, Section 4.1.9).
[[nodiscard]] bool is_same_type(BytesIn<> a, BytesIn<> b);
[[nodiscard]] SecretBytes write(const Envelope& envelope, Form form);
}  // namespace jws

namespace cose {
[[nodiscard]] Envelope parse(BytesIn<> file);
/// The protected header, as the byte string holds it.
[[nodiscard]] SecretBytes header(const girih_alg* algorithm, BytesIn<> key_id);
[[nodiscard]] SecretBytes write(const Envelope& envelope);
/// Sig_structure (RFC 9052, Section 4.4) up to the payload.
[[nodiscard]] SecretBytes before_payload(BytesIn<> header, BytesIn<> external_aad,
                                         std::uint64_t payload_bytes);
}  // namespace cose

/// The kid of a key that these functions take is its name in the note.
namespace note {
/// A note, or a checkpoint's text. Without the key's signature there is no kid, and the message
/// has `time`.
[[nodiscard]] Envelope parse(BytesIn<> file, const PublicKey& key, std::uint64_t time);
/// The file with the signature of the envelope that it was parsed to added to its own.
[[nodiscard]] Bytes write(BytesIn<> file, const Envelope& envelope, const PublicKey& key, std::uint64_t time);
[[nodiscard]] Bytes write_verifier_key(const PublicKey& key);
[[nodiscard]] PublicKey read_verifier_key(BytesIn<> file);
}  // namespace note

}  // namespace girih::envelopes
