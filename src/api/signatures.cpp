/// Signing and verifying, with keys and with prepared keys.
#include "api/signing.hpp"

using namespace girih;
using namespace girih::api;

namespace {

int sign(const girih_alg* alg, const girih_sign_row& row, const SignatureOut& out)
{
    SigningOutputs outputs{out};
    GIRIH_TRY(outputs.check_apart());
    if (!outputs.has_length()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_has(alg, &girih_alg::signing));
    return alg->signing->sign(*alg, row, outputs);
}

int verify(const girih_alg* alg, const girih_verify_row& row)
{
    GIRIH_TRY(check_has(alg, &girih_alg::verifying));
    return alg->verifying->verify(*alg, row);
}

}  // namespace

int girih_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
               const uint8_t* message, size_t message_bytes, const girih_options* options, uint8_t* signature,
               size_t signature_capacity, size_t* signature_bytes)
{
    return sign(alg, sign_row(nullptr, {secret_key, secret_key_bytes}, {message, message_bytes}, options),
                {signature, signature_capacity, signature_bytes});
}

int girih_sign_prepared(const girih_signing_key* key, const uint8_t* message, size_t message_bytes,
                        const girih_options* options, uint8_t* signature, size_t signature_capacity,
                        size_t* signature_bytes)
{
    return sign(alg_of(key), sign_row(key, {}, {message, message_bytes}, options),
                {signature, signature_capacity, signature_bytes});
}

int girih_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                 const uint8_t* message, size_t message_bytes, const girih_options* options,
                 const uint8_t* signature, size_t signature_bytes)
{
    return verify(alg, verify_row(nullptr, {public_key, public_key_bytes}, {message, message_bytes}, options,
                                  {signature, signature_bytes}));
}

int girih_verify_prepared(const girih_verifying_key* key, const uint8_t* message, size_t message_bytes,
                          const girih_options* options, const uint8_t* signature, size_t signature_bytes)
{
    return verify(alg_of(key),
                  verify_row(key, {}, {message, message_bytes}, options, {signature, signature_bytes}));
}
