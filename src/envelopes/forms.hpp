/// The two families of envelopes. Parsers throw Malformed.
#pragma once

#include "core/bytes.hpp"
#include "envelopes/envelopes.hpp"

namespace girih::envelopes {

namespace jws {
[[nodiscard]] Envelope parse_compact(BytesIn<> file);
[[nodiscard]] Envelope parse_json(BytesIn<> file);
/// The protected header in base64url.
[[nodiscard]] Bytes header(const girih_alg* alg, BytesIn<> kid);
[[nodiscard]] Bytes write(const Envelope& envelope, Form form);
}  // namespace jws

namespace cose {
[[nodiscard]] Envelope parse(BytesIn<> file);
/// The protected header, as the byte string holds it.
[[nodiscard]] Bytes header(const girih_alg* algorithm, BytesIn<> key_id);
[[nodiscard]] Bytes write(const Envelope& envelope);
/// Sig_structure (RFC 9052, Section 4.4) up to the payload.
[[nodiscard]] Bytes before_payload(BytesIn<> header, BytesIn<> external_aad, std::uint64_t payload_bytes);
}  // namespace cose

}  // namespace girih::envelopes
