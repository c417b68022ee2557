/// Signing and verifying message representatives, which include context and pre-hash.
#include "api/ml_dsa/signing.hpp"

namespace girih::ml_dsa_api {

using namespace api;

namespace {

using ml_dsa::Operations;

/// Checks the representative's length, and that options have no context or pre-hash.
int check_mu(const girih_sign_row& row)
{
    GIRIH_TRY(check(row.message, row.message_bytes, GIRIH_MU_BYTES));
    const girih_options& options = or_default(row.options);
    GIRIH_TRY(check_reserved(options));
    if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
    return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

/// Verifies a row whose message is the representative; its options are not used.
int verify_mu(const girih_alg* alg, const girih_verify_row& row)
{
    GIRIH_TRY(check_has(alg, &girih_alg::verifying, verifying));
    GIRIH_TRY(check_key(*alg, row));
    if (!is_there(row.signature, row.signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    if (row.signature_bytes != alg->signature_bytes) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(check(row.message, row.message_bytes, GIRIH_MU_BYTES));
    return verdict(row.key == nullptr
                       ? alg->on_engine<Operations>().verify_mu(row.public_key, row.message, row.signature)
                       : row.key->operations_as<Operations>().verify_mu_prepared(row.key->scheme_key(),
                                                                                 row.message, row.signature));
}

int sign_mu(const girih_alg* alg, const girih_sign_row& row, const SignatureOut& out)
{
    SigningOutputs outputs{out};
    GIRIH_TRY(outputs.check_apart());
    if (!outputs.has_length()) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_has(alg, &girih_alg::signing, signing));
    GIRIH_TRY(check_row(*alg, row, outputs));
    const SignedRow signed_row{row};
    GIRIH_TRY(check_mu(row));
    SigningRandomness random;
    GIRIH_TRY(random.draw_for(*alg, or_default(row.options)));
    ResultBuffer<max_signature_bytes> signature{alg->signature_bytes};
    if (row.key == nullptr)
        GIRIH_TRY(error_of(alg->on_engine<Operations>().sign_mu(row.secret_key, row.message, random.data(),
                                                                signature.data())));
    else
        GIRIH_TRY(attempts_error(row.key->operations_as<Operations>().sign_mu_prepared(
            row.key->scheme_key(), row.message, random.data(), signature.data())));
    return signed_row.write_signature(*alg, signature.view(), outputs,
                                      [](const girih_alg& of, const girih_verify_row& signed_again) {
                                          return verify_mu(&of, signed_again);
                                      });
}

}  // namespace

}  // namespace girih::ml_dsa_api

using namespace girih::api;
using girih::ml_dsa_api::sign_mu;
using girih::ml_dsa_api::verify_mu;

int girih_sign_mu(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes, const uint8_t* mu,
                  size_t mu_bytes, const girih_options* options, uint8_t* signature,
                  size_t signature_capacity, size_t* signature_bytes)
{
    return sign_mu(alg, sign_row(nullptr, {secret_key, secret_key_bytes}, {mu, mu_bytes}, options),
                   {signature, signature_capacity, signature_bytes});
}

int girih_sign_mu_prepared(const girih_signing_key* key, const uint8_t* mu, size_t mu_bytes,
                           const girih_options* options, uint8_t* signature, size_t signature_capacity,
                           size_t* signature_bytes)
{
    return sign_mu(alg_of(key), sign_row(key, {}, {mu, mu_bytes}, options),
                   {signature, signature_capacity, signature_bytes});
}

int girih_verify_mu(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                    const uint8_t* mu, size_t mu_bytes, const uint8_t* signature, size_t signature_bytes)
{
    return verify_mu(alg, verify_row(nullptr, {public_key, public_key_bytes}, {mu, mu_bytes}, nullptr,
                                     {signature, signature_bytes}));
}

int girih_verify_mu_prepared(const girih_verifying_key* key, const uint8_t* mu, size_t mu_bytes,
                             const uint8_t* signature, size_t signature_bytes)
{
    if (key == nullptr) return GIRIH_ERROR_ARGUMENT;
    return verify_mu(key->alg, verify_row(key, {}, {mu, mu_bytes}, nullptr, {signature, signature_bytes}));
}
