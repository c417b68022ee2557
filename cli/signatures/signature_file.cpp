#include "cli/signatures/signature_file.hpp"

#include "cli/files/files.hpp"
#include "cli/files/keys.hpp"
#include "cli/signatures/message.hpp"
#include "cli/system/failure.hpp"

namespace girih::cli {

SignatureFile read_signature(const std::string& path)
{
    const auto file = read_small(path, max_text_signature_bytes);
    if (!is_meant_as_text(file)) return {{}, {file.begin(), file.end()}};
    try {
        TextSignature text = parse_text_signature(file);
        const girih_alg* const alg = girih_algorithm(text.algorithm.c_str());
        if (alg == nullptr || girih_name(alg) != text.algorithm || girih_is_kem(alg) == 1)
            throw MalformedSignature(2, "not a signature algorithm of this girih");
        return {text, text.bytes};
    } catch (const MalformedSignature& malformed) {
        throw Failure(exit_file, input_name(path) + ": " + malformed.what());
    }
}

std::optional<key_files::PublicKey> key_of(const TextSignature& signature, const key_files::PublicKey& key)
{
    const girih_alg* const alg = girih_algorithm(signature.algorithm.c_str());
    if (girih_public_key_bytes(alg) != key.bytes.size()) return {};
    key_files::PublicKey same{alg, key.bytes, key.for_hash_ml_dsa};
    if (fingerprint_of(same) != signature.fingerprint || fingerprint_of(key) != signature.fingerprint)
        return {};
    return same;
}

std::vector<int> verify(const SignatureFile& signature, const MessageInput& message,
                        std::span<const key_files::PublicKey> keys)
{
    if (!signature.text) return message.verify(keys, signature.bytes);
    std::vector<int> codes(keys.size(), GIRIH_ERROR_SIGNATURE);
    const MessageInput whole = message.with_header(header_of(*signature.text));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto key = key_of(*signature.text, keys[i]);
        if (!key) continue;
        codes[i] = whole.verify(*key, signature.bytes);
        break;
    }
    return codes;
}

}  // namespace girih::cli
