/// Prepared keys sign and verify as the keys that they were made of, with the same errors.
#include <array>

#include "fuzz/honest.hpp"

namespace girih::fuzz {
namespace {

struct alignas(GIRIH_PREPARED_ALIGNMENT) Line {
    std::array<Byte, GIRIH_PREPARED_ALIGNMENT> bytes;
};
using Memory = std::vector<Line>;

void check_signing(const girih_alg* alg, const ByteString& secret_key)
{
    int code = GIRIH_OK;
    const ByteString expected = sign(alg, secret_key, code);

    Memory memory(girih_signing_key_size(alg) / sizeof(Line));
    girih_signing_key* key = nullptr;
    const int prepared = girih_prepare_signing_key(alg, secret_key.data(), secret_key.size(), memory.data(),
                                                   memory.size() * sizeof(Line), &key);
    if (prepared != GIRIH_OK) {
        require(key == nullptr, "a key that is not prepared is none");
        return require(code == prepared, "a key that is not prepared does not sign, for the same reason");
    }
    const FixedRandom random{1};
    const girih_options options = signing_options(alg, random);
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    require(girih_sign_prepared(key, message.data(), message.size(), &options, signature.data(),
                                signature.size(), &bytes) == code,
            "a prepared key signs where the key does");
    signature.resize(bytes);
    require(signature == expected, "a prepared key signs as the key does");
    girih_wipe_signing_key(key);
}

void check_verifying(const Honest& honest, const ByteString& public_key, const ByteString& signature)
{
    const girih_alg* const alg = honest.alg;
    const int code = girih_verify(alg, public_key.data(), public_key.size(), message.data(), message.size(),
                                  nullptr, signature.data(), signature.size());
    Memory memory(girih_verifying_key_size(alg) / sizeof(Line));
    girih_verifying_key* key = nullptr;
    const int prepared = girih_prepare_verifying_key(alg, public_key.data(), public_key.size(), memory.data(),
                                                     memory.size() * sizeof(Line), &key);
    if (prepared != GIRIH_OK) {
        require(key == nullptr, "a key that is not prepared is none");
        return require(code == prepared, "a key that is not prepared does not verify, for the same reason");
    }
    require(girih_verify_prepared(key, message.data(), message.size(), nullptr, signature.data(),
                                  signature.size()) == code,
            "a prepared key verifies as the key does");
}

/// Of the second kind is a public key; the first byte behind the mode spoils the signature.
void check(Input input)
{
    const Honest& key = honest_signer(input.byte());
    const Byte mode = input.byte();
    if ((mode & other) == 0) return check_signing(key.alg, changed(key.secret_key, mode, input));
    ByteString signature = key.signature;
    signature[signature.size() / 2] = static_cast<Byte>(signature[signature.size() / 2] + input.byte());
    check_verifying(key, changed(key.public_key, mode, input), signature);
}

}  // namespace
}  // namespace girih::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes)
{
    girih::fuzz::check({data, bytes});
    return 0;
}
