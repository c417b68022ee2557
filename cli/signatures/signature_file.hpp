/// A signature's file, raw or in text, and the keys that it may be by.
#pragma once

#include <girih/key_files.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/signatures/text_signature.hpp"

namespace girih::cli {

class Message;

struct SignatureFile {
    std::optional<TextSignature> text;  ///< nothing of a raw one
    std::vector<std::uint8_t> bytes;    ///< of the signature itself
};

/// Fails with the file's name, and the line of a text. Of a raw signature, more bytes than any
/// signature has may be left out.
[[nodiscard]] SignatureFile read_signature(const std::string& path);

/// The public key under the algorithm that a signature in text names, if that names the key.
/// Nothing, if the signature is by another key. (Falcon's formats share their keys.)
[[nodiscard]] std::optional<key_files::PublicKey> key_of(const TextSignature& signature,
                                                         const key_files::PublicKey& key);

/// GIRIH_OK, GIRIH_ERROR_SIGNATURE or another error, for each of several keys; `message` is the one
/// of the command line. The message is read once, unless no key can be the right one.
[[nodiscard]] std::vector<int> verify(const SignatureFile& signature, const Message& message,
                                      std::span<const key_files::PublicKey> keys);

}  // namespace girih::cli
