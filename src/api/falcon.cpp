#include "api/falcon.hpp"

#include <array>

#include "api/arguments.hpp"
#include "api/rows.hpp"
#include "core/secret.hpp"

namespace girih::api {

int check_falcon_options(const girih_options& options)
{
    if (!is_there(options.context, options.context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
    return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

int falcon_error(falcon::Verdict verdict)
{
    switch (verdict) {
        case falcon::Verdict::malformed_key:
            return GIRIH_ERROR_PUBLIC_KEY;
        case falcon::Verdict::bad:
            return GIRIH_ERROR_SIGNATURE;
        case falcon::Verdict::good:
            break;
    }
    return GIRIH_OK;
}

int why_malformed(const girih_alg& alg, const Byte* secret_key)
{
    std::array<Byte, falcon::falcon_1024.public_key_bytes()> public_key;
    const int error =
        girih_public_key(&alg, secret_key, alg.secret_key_bytes, public_key.data(), alg.public_key_bytes);
    return error == GIRIH_OK ? int{GIRIH_ERROR_SECRET_KEY} : error;
}

int FalconRandomness::draw_for(const girih_options& options)
{
    if (options.deterministic != 0) return GIRIH_ERROR_ARGUMENT;
    if (!draw(options.random, *salt) || !draw(options.random, *seed)) return GIRIH_ERROR_RANDOM;
    girih::declassify(std::span{*salt}, "Section 3.10: the salt is part of the signature");
    return GIRIH_OK;
}

namespace {

using falcon::SignOutcome;
using falcon::Verdict;

int error_of(const girih_alg* alg, const Byte* secret_key, falcon::SignResult result)
{
    switch (result) {
        case falcon::SignResult::malformed_key:
            return why_malformed(*alg, secret_key);
        case falcon::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case falcon::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

/// What is checked before anything is drawn or signed. `room_error`: whether the signature fits.
int check_signing(int key_error, const girih_options& options, const uint8_t* message, size_t message_bytes,
                  int room_error)
{
    GIRIH_TRY(key_error);
    if (!is_there(message, message_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(room_error);
    return check_falcon_options(options);
}

int check_verifying(int key_error, const girih_options& options, const uint8_t* message, size_t message_bytes,
                    const uint8_t* signature, size_t signature_bytes)
{
    GIRIH_TRY(key_error);
    if (!is_there(signature, signature_bytes) || !is_there(message, message_bytes))
        return GIRIH_ERROR_ARGUMENT;
    return check_falcon_options(options);
}

template <class Verify>
int finish(const girih_alg* alg, BytesIn<> secret_key, const girih_options& options,
           const SignOutcome& outcome, const Made<max_signature_bytes>& signature, SigningOutputs& outputs,
           Verify verify)
{
    GIRIH_TRY(error_of(alg, secret_key.data(), outcome.result));
    return give_signature(alg, secret_key, options, signature.view().first(outcome.bytes), outputs, verify);
}

/// sign(operations, salt, seed, signature) in the middle of all checks.
template <class Sign>
int sign_with(const girih_alg* alg, int key_error, BytesIn<> secret_key, const girih_options* options,
              const uint8_t* message, size_t message_bytes, const SignatureOut& out, Sign sign)
{
    SigningOutputs outputs{out};
    GIRIH_TRY(outputs.check_apart());
    if (!outputs.has_length()) return GIRIH_ERROR_ARGUMENT;
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check_signing(key_error, or_default(options), message, message_bytes, outputs.check_room(alg)));
    FalconRandomness random;
    GIRIH_TRY(random.draw_for(or_default(options)));
    Made<max_signature_bytes> signature{girih_signature_bytes(alg)};
    const SignOutcome outcome = sign(*operations, random.salt->data(), random.seed->data(), signature.data());
    return finish(alg, secret_key, or_default(options), outcome, signature, outputs,
                  verifying(alg, message, message_bytes, options));
}

int begin_row(const girih_alg* alg, const girih_sign_row& row, FalconRandomness& random,
              falcon::SigningRow& out)
{
    const int key_error = row.key != nullptr
                              ? check_prepared(alg, *row.key)
                              : check(row.secret_key, row.secret_key_bytes, girih_secret_key_bytes(alg));
    GIRIH_TRY(check_signing(key_error, or_default(row.options), row.message, row.message_bytes,
                            check_room(alg, row.signature, row.signature_capacity)));
    GIRIH_TRY(random.draw_for(or_default(row.options)));
    out = {row.key == nullptr ? nullptr : row.key->scheme_key(),
           row.secret_key,
           view(row.message, row.message_bytes),
           random.salt->data(),
           random.seed->data(),
           row.signature,
           {}};
    return GIRIH_OK;
}

int begin_row(const girih_alg* alg, const girih_verify_row& row, falcon::VerifyingRow& out)
{
    const int key_error = row.key != nullptr
                              ? check_prepared(alg, *row.key)
                              : check(row.public_key, row.public_key_bytes, girih_public_key_bytes(alg));
    GIRIH_TRY(check_verifying(key_error, or_default(row.options), row.message, row.message_bytes,
                              row.signature, row.signature_bytes));
    out = {row.key == nullptr ? nullptr : row.key->scheme_key(), row.public_key,
           view(row.message, row.message_bytes), view(row.signature, row.signature_bytes), Verdict::bad};
    return GIRIH_OK;
}

/// Those of an algorithm that has passed the check of its batch.
const falcon::Operations& falcon_operations(const girih_alg* alg)
{
    const falcon::Operations* operations;
    (void)alg->find<Use::verifying>(operations);
    return *operations;
}

}  // namespace

int falcon_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                const girih_options* options, const uint8_t* message, size_t message_bytes,
                const SignatureOut& out)
{
    return sign_with(
        alg, check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)),
        view(secret_key, secret_key_bytes), options, message, message_bytes, out,
        [&](const falcon::Operations& operations, const Byte* salt, const Byte* seed, Byte* made) {
            return operations.sign(secret_key, view(message, message_bytes), salt, seed, made);
        });
}

int falcon_sign(const girih_signing_key& key, const girih_options* options, const uint8_t* message,
                size_t message_bytes, const SignatureOut& out)
{
    return sign_with(key.alg, GIRIH_OK, key.secret_key(), options, message, message_bytes, out,
                     [&](const falcon::Operations&, const Byte* salt, const Byte* seed, Byte* made) {
                         return key.operations_as<falcon::Operations>().sign_prepared(
                             key.scheme_key(), view(message, message_bytes), salt, seed, made);
                     });
}

int falcon_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                  const girih_options* options, const uint8_t* message, size_t message_bytes,
                  const uint8_t* signature, size_t signature_bytes)
{
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find<Use::verifying>(operations));
    GIRIH_TRY(check_verifying(check(public_key, public_key_bytes, girih_public_key_bytes(alg)),
                              or_default(options), message, message_bytes, signature, signature_bytes));
    return falcon_error(
        operations->verify(public_key, view(message, message_bytes), view(signature, signature_bytes)));
}

int falcon_verify(const girih_verifying_key& key, const girih_options* options, const uint8_t* message,
                  size_t message_bytes, const uint8_t* signature, size_t signature_bytes)
{
    GIRIH_TRY(
        check_verifying(GIRIH_OK, or_default(options), message, message_bytes, signature, signature_bytes));
    return verdict(key.operations_as<falcon::Operations>().verify_prepared(
        key.scheme_key(), view(message, message_bytes), view(signature, signature_bytes)));
}

int falcon_sign_point(const girih_alg* alg, BytesIn<> secret_key, const girih_options& options,
                      const falcon::Residue* c, const FalconRandomness& random, SigningOutputs& outputs)
{
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    Made<max_signature_bytes> signature{girih_signature_bytes(alg)};
    const SignOutcome outcome = operations->sign_point(secret_key.data(), c, random.salt->data(),
                                                       random.seed->data(), signature.data());
    return finish(alg, secret_key, options, outcome, signature, outputs,
                  [&](const Byte* public_key, BytesIn<> made) {
                      return falcon_error(operations->verify_point(public_key, c, made));
                  });
}

void falcon_sign_group(const girih_alg* alg, std::span<girih_sign_row> rows)
{
    std::array<FalconRandomness, falcon::rows_at_once> randomness;
    std::array<falcon::SigningRow, falcon::rows_at_once> good;
    std::array<girih_sign_row*, falcon::rows_at_once> owners{};
    std::size_t good_rows = 0;
    for (girih_sign_row& row : rows) {
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        if (signs_alone(row)) {
            sign_alone(alg, row);
            continue;
        }
        row.result = begin_row(alg, row, randomness[good_rows], good[good_rows]);
        if (row.result == GIRIH_OK)
            owners[good_rows++] = &row;
        else
            end_row(row, row.result, 0);
    }
    falcon_operations(alg).sign_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) {
        girih_sign_row& row = *owners[i];
        const BytesIn<> secret_key =
            row.key == nullptr ? view(row.secret_key, row.secret_key_bytes) : row.key->secret_key();
        end_row(row, error_of(alg, secret_key.data(), good[i].outcome.result), good[i].outcome.bytes);
    }
}

void falcon_verify_group(const girih_alg* alg, std::span<girih_verify_row> rows)
{
    std::array<falcon::VerifyingRow, falcon::rows_at_once> good;
    std::array<girih_verify_row*, falcon::rows_at_once> owners{};
    std::size_t good_rows = 0;
    for (girih_verify_row& row : rows) {
        row.result = begin_row(alg, row, good[good_rows]);
        if (row.result == GIRIH_OK) owners[good_rows++] = &row;
    }
    falcon_operations(alg).verify_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) owners[i]->result = falcon_error(good[i].verdict);
}

}  // namespace girih::api
