/// Prepared keys sign and verify like the keys that they were made from, with the same errors.
#include "fuzz/honest.hpp"

namespace girih::fuzz {
namespace {

void check_signing(const girih_alg* alg, const ByteString& secret_key)
{
    int code = GIRIH_OK;
    const ByteString expected = sign(alg, secret_key, code);

    test::KeyMemory memory{girih_signing_key_size(alg)};
    girih_signing_key* key = nullptr;
    const int prepared = call(girih_prepare_signing_key, alg, secret_key, memory, &key);
    if (prepared != GIRIH_OK) {
        require(key == nullptr, "a key that is not prepared is none");
        return require(code == prepared, "a key that is not prepared does not sign, for the same reason");
    }
    const FixedRandom random{1};
    const girih_options options = signing_options(alg, random);
    ByteString signature(girih_signature_bytes(alg));
    std::size_t bytes = 0;
    require(call(girih_sign_prepared, key, message, &options, signature, &bytes) == code,
            "a prepared key signs where the key does");
    signature.resize(bytes);
    require(signature == expected, "a prepared key signs as the key does");
    girih_wipe_signing_key(key);
}

void check_verifying(const Honest& honest, const ByteString& public_key, const ByteString& signature)
{
    const girih_alg* const alg = honest.alg;
    const int code = call(girih_verify, alg, public_key, message, nullptr, signature);
    test::KeyMemory memory{girih_verifying_key_size(alg)};
    girih_verifying_key* key = nullptr;
    const int prepared = call(girih_prepare_verifying_key, alg, public_key, memory, &key);
    if (prepared != GIRIH_OK) {
        require(key == nullptr, "a key that is not prepared is none");
        return require(code == prepared, "a key that is not prepared does not verify, for the same reason");
    }
    require(call(girih_verify_prepared, key, message, nullptr, signature) == code,
            "a prepared key verifies as the key does");
}

}  // namespace

/// Mode `other` is for a public key, where the first byte after the mode spoils the signature.
void check_input(Input input)
{
    const Honest& key = honest(input.byte(), is_signer);
    const Byte mode = input.byte();
    if ((mode & other) == 0) return check_signing(key.alg, changed(key.secret_key, mode, input));
    ByteString signature = key.signature;
    signature[signature.size() / 2] = static_cast<Byte>(signature[signature.size() / 2] + input.byte());
    check_verifying(key, changed(key.public_key, mode, input), signature);
}

}  // namespace girih::fuzz
