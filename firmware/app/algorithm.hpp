/// The interface to an image's algorithm. An object of firmware/algorithms implements the functions
/// that its algorithm has; the linker drops those that the image does not call. They call the
/// schemes directly: girih.h over the same schemes took 8.4 % more flash for ML-DSA-44 and 11.9 %
/// for ML-KEM-768, for checks of arguments that the commands make already.
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

/// Memory for the keys.
[[nodiscard]] BytesOut<> public_key();
[[nodiscard]] BytesOut<> secret_key();

/// Makes a key pair in that memory. False if the board's generator fails.
[[nodiscard]] bool keygen();

/// Computes the public key of the secret key. False if that is malformed.
[[nodiscard]] bool derive_public_key();

/// Returns the signature's length, or 0 for a malformed key or a failed generator.
[[nodiscard]] std::size_t sign(BytesIn<> message, Byte* signature);

[[nodiscard]] bool verify(BytesIn<> message, BytesIn<> signature);

inline constexpr std::size_t shared_secret_bytes = 32;
[[nodiscard]] bool encapsulate(Byte* ciphertext, Byte* shared_secret);
void decapsulate(const Byte* ciphertext, Byte* shared_secret);

}  // namespace girih::firmware::algorithm
