/// Composites of a lattice half by girih and a classical half by OpenSSL, as one algorithm:
/// Composite ML-DSA (draft-ietf-lamps-pq-composite-sigs-19) and X-Wing
/// (draft-connolly-cfrg-xwing-kem-10).
#pragma once

#include "provider/key.hpp"

namespace girih::provider {

/// A new key; null, with an error in the queue, if there is none.
[[nodiscard]] std::shared_ptr<const Key> generate_composite(const Provider& provider,
                                                            const Algorithm& algorithm);

/// Keys from bytes of the right lengths, and from PKCS#8 and SubjectPublicKeyInfo; null, with an
/// error in the queue, if they are malformed. `public_key` may be empty.
[[nodiscard]] std::shared_ptr<const Key> composite_of_public(const Provider& provider,
                                                             const Algorithm& algorithm, BytesIn<> bytes);
[[nodiscard]] std::shared_ptr<const Key> composite_of_private(const Provider& provider,
                                                              const Algorithm& algorithm, BytesIn<> bytes,
                                                              BytesIn<> public_key);
[[nodiscard]] std::shared_ptr<const Key> read_composite_private(const Provider& provider,
                                                                const Algorithm& algorithm, BytesIn<> bytes);
[[nodiscard]] std::shared_ptr<const Key> read_composite_public(const Provider& provider,
                                                               const Algorithm& algorithm, BytesIn<> bytes);

/// PKCS#8 and SubjectPublicKeyInfo in DER.
[[nodiscard]] SecretBytes composite_private_info(const Algorithm& algorithm, const Key& key);
[[nodiscard]] SecretBytes composite_public_info(const Algorithm& algorithm, const Key& key);

/// Composite-ML-DSA.Sign (Section 3.2) from a message's SHA-512, with a context of at most 255
/// bytes. Returns the signature's length; 0, with an error in the queue and the output zeroed, if
/// there is none. `signature` has signature_bytes(algorithm) bytes.
[[nodiscard]] std::size_t sign_composite(const Provider& provider, const Key& key, BytesIn<> digest,
                                         BytesIn<> context, BytesOut<> signature);

/// Composite-ML-DSA.Verify (Section 3.3): whether both halves are signatures. Nothing, with an
/// error in the queue, if OpenSSL cannot begin to verify the second.
[[nodiscard]] std::optional<bool> verify_composite(const Provider& provider, const Key& key, BytesIn<> digest,
                                                   BytesIn<> context, BytesIn<> signature);

/// X-Wing's Encapsulate and Decapsulate (Sections 5.4 and 5.5), with outputs of the right lengths.
/// False, with an error in the queue and the secret zeroed, on failure, also for a share of small
/// order.
[[nodiscard]] bool encapsulate_composite(const Provider& provider, const Key& key, BytesOut<> ciphertext,
                                         BytesOut<> secret);
[[nodiscard]] bool decapsulate_composite(const Provider& provider, const Key& key, BytesIn<> ciphertext,
                                         BytesOut<> secret);

}  // namespace girih::provider
