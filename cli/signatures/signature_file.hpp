/// Signature files, raw or in text, and verifying them with several keys.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/signatures/text_signature.hpp"

namespace girih::cli {

class MessageInput;

struct SignatureFile {
    std::optional<TextSignature> text;  ///< nothing for a raw signature
    std::vector<std::uint8_t> bytes;    ///< of the signature itself
};

/// Failures name the file, and the line of a text. A raw signature may be truncated beyond the
/// longest signature's length.
[[nodiscard]] SignatureFile read_signature(const std::string& path);

/// The public key, under the algorithm that a signature in text names. Nothing if the signature
/// names another key. (Falcon's formats share their keys.)
[[nodiscard]] std::optional<key_files::PublicKey> key_of(const TextSignature& signature,
                                                         const key_files::PublicKey& key);

/// GIRIH_OK, GIRIH_ERROR_SIGNATURE or another error, for each of several keys; `message` is the
/// command line's. The message is read once, or not at all if no key can be the right one.
[[nodiscard]] std::vector<int> verify(const SignatureFile& signature, const MessageInput& message,
                                      std::span<const key_files::PublicKey> keys);

}  // namespace girih::cli
