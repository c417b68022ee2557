#include "api/falcon/falcon.hpp"

#include <array>

#include "api/key_functions.hpp"
#include "api/randomness.hpp"
#include "api/rows.hpp"
#include "core/secret.hpp"

namespace girih::falcon_api {

using namespace api;

int Randomness::draw_for(const girih_options& options)
{
    if (options.deterministic != 0) return GIRIH_ERROR_OPTION;
    if (!draw(options.random, *salt) || !draw(options.random, *seed)) return GIRIH_ERROR_RANDOM;
    girih::declassify(std::span{*salt}, "Section 3.10: the salt is part of the signature");
    return GIRIH_OK;
}

namespace {

using falcon::Operations;
using falcon::SignOutcome;

/// The error of girih_public_key for a secret key that signing refused.
int why_malformed(const girih_alg& alg, const Byte* secret_key)
{
    std::array<Byte, falcon::falcon_1024.public_key_bytes()> public_key;
    const int error = alg.keys->public_key(alg, secret_key, public_key.data());
    return error == GIRIH_OK ? int{GIRIH_ERROR_SECRET_KEY} : error;
}

int error_of(const girih_alg& alg, const Byte* secret_key, falcon::SignResult result)
{
    switch (result) {
        case falcon::SignResult::malformed_key:
            return why_malformed(alg, secret_key);
        case falcon::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case falcon::SignResult::fault:
            return GIRIH_ERROR_FAULT;
        case falcon::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

/// All checks that precede randomness and signing.
int check_row(const girih_alg& alg, const girih_sign_row& row, int capacity_error)
{
    GIRIH_TRY(check_key(alg, row));
    if (!is_there(row.message, row.message_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(capacity_error);
    return check_options(or_default(row.options));
}

int sign(const girih_alg& alg, const girih_sign_row& row, SigningOutputs& outputs)
{
    const SignedRow signed_row{row};
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_row(alg, row, outputs.check_capacity(alg)));
    Randomness random;
    GIRIH_TRY(random.draw_for(or_default(row.options)));
    ResultBuffer<falcon::max_signature_bytes> signature{alg.signature_bytes};
    const BytesIn<> message = view(row.message, row.message_bytes);
    const Byte* const salt = random.salt->data();
    const Byte* const seed = random.seed->data();
    const SignOutcome outcome =
        row.key == nullptr
            ? alg.on_engine<Operations>().sign(row.secret_key, message, salt, seed, signature.data())
            : row.key->operations_as<Operations>().sign_prepared(row.key->scheme_key(), message, salt, seed,
                                                                 signature.data());
    GIRIH_TRY(error_of(alg, secret_key_of(row).data(), outcome.result));
    return signed_row.write_signature(alg, signature.view().first(outcome.bytes), outputs,
                                      alg.verifying->verify);
}

int begin_row(const girih_alg& alg, const girih_sign_row& row, Randomness& random, falcon::SigningRow& out)
{
    GIRIH_TRY(check_row(alg, row, check_capacity(alg, row.signature, row.signature_capacity)));
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

void sign_group(const girih_alg& alg, std::span<girih_sign_row> rows)
{
    std::array<Randomness, falcon::rows_at_once> randomness;
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
    alg.on_engine<Operations>().sign_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) {
        girih_sign_row& row = *owners[i];
        end_row(row, error_of(alg, secret_key_of(row).data(), good[i].outcome.result), good[i].outcome.bytes);
    }
}

void sign_many(const girih_alg& alg, std::span<girih_sign_row> rows)
{
    for_groups(rows, falcon::rows_at_once, [&](std::span<girih_sign_row> group) { sign_group(alg, group); });
}

int prepare_signing_key(const Byte*, girih_signing_key& key)
{
    return error_of(*key.alg, key.secret_key(),
                    key.operations_as<Operations>().prepare_signing_key(key.secret_key(), key.scheme_key()));
}

}  // namespace

int sign_point(const girih_alg& alg, BytesIn<> secret_key, const girih_options& options,
               const falcon::Residue* c, const Randomness& random, SigningOutputs& outputs)
{
    const Operations& operations = alg.on_engine<Operations>();
    ResultBuffer<falcon::max_signature_bytes> signature{alg.signature_bytes};
    const SignOutcome outcome = operations.sign_point(secret_key.data(), c, random.salt->data(),
                                                      random.seed->data(), signature.data());
    GIRIH_TRY(error_of(alg, secret_key.data(), outcome.result));
    return write_signature(alg, secret_key, options, signature.view().first(outcome.bytes), outputs,
                           [&](const Byte* public_key, BytesIn<> made) {
                               return verdict_error(operations.verify_point(public_key, c, made));
                           });
}

constinit const SigningFunctions signing{
    sign, for_batches(sign_many), key_size<Operations, &Operations::signing_key_size>, prepare_signing_key};
constinit const KeyFunctions keys{keygen<Operations>, nullptr, for_batches(keygen_many<Operations>),
                                  public_key<Operations>};

}  // namespace girih::falcon_api
