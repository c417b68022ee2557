/// What an image can do: one algorithm, in functions that do not name it. An object of
/// firmware/algorithms implements as many as the algorithm has; the linker leaves out what an
/// image does not call.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/bytes.hpp"

namespace girih::firmware::algorithm {

struct Facts {
    std::string_view name;
    std::size_t public_key_bytes;
    std::size_t secret_key_bytes;
    std::size_t signature_bytes;  ///< of the longest; for a KEM, of a ciphertext
};
extern const Facts facts;

/// Memory for a key each.
[[nodiscard]] BytesOut<> public_key();
[[nodiscard]] BytesOut<> secret_key();

/// A key pair in that memory. False if the board has no random bytes.
[[nodiscard]] bool keygen();

/// The public key of the secret one. False, if that is malformed.
[[nodiscard]] bool derive_public_key();

/// The bytes of the signature, or 0 for a malformed key or a board without random bytes.
[[nodiscard]] std::size_t sign(BytesIn<> message, Byte* signature);

[[nodiscard]] bool verify(BytesIn<> message, BytesIn<> signature);

inline constexpr std::size_t shared_secret_bytes = 32;
[[nodiscard]] bool encapsulate(Byte* ciphertext, Byte* shared_secret);
void decapsulate(const Byte* ciphertext, Byte* shared_secret);

}  // namespace girih::firmware::algorithm
