#include "api/falcon.hpp"

#include <array>

#include "api/arguments.hpp"

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

namespace {

using falcon::SignOutcome;
using falcon::Verdict;

/// The randomness of one signature: two requests, in the order of the known answers.
struct Randomness {
    Wiped<std::array<Byte, falcon::salt_bytes>> salt;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;

    int draw_for(const girih_options& options)
    {
        if (options.deterministic != 0) return GIRIH_ERROR_ARGUMENT;
        if (!draw(options.random, *salt) || !draw(options.random, *seed)) return GIRIH_ERROR_RANDOM;
        girih::declassify(std::span{*salt}, "Section 3.10: the salt is part of the signature");
        return GIRIH_OK;
    }
};

int error_of(falcon::SignResult result)
{
    switch (result) {
        case falcon::SignResult::malformed_key:
            return GIRIH_ERROR_SECRET_KEY;
        case falcon::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case falcon::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

/// What is checked before anything is drawn or signed.
int check_signing(const girih_alg* alg, int key_error, const girih_options& options, const uint8_t* message,
                  size_t message_bytes, const SignatureOut& out)
{
    GIRIH_TRY(key_error);
    if (!is_there(out.data, out.capacity) || !is_there(message, message_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (out.capacity < girih_signature_bytes(alg)) return GIRIH_ERROR_LENGTH;
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

/// sign(operations, salt, seed) in the middle of all checks.
template <class Sign>
int sign_with(const girih_alg* alg, int key_error, const girih_options* options, const uint8_t* message,
              size_t message_bytes, const SignatureOut& out, Sign sign)
{
    Output signature_out{out.data, out.capacity};
    if (out.bytes == nullptr) return GIRIH_ERROR_ARGUMENT;
    *out.bytes = 0;
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check_signing(alg, key_error, or_default(options), message, message_bytes, out));
    Randomness random;
    GIRIH_TRY(random.draw_for(or_default(options)));
    const SignOutcome outcome = sign(*operations, random.salt->data(), random.seed->data());
    GIRIH_TRY(error_of(outcome.result));
    wipe(BytesOut<>{out.data, out.capacity}.subspan(outcome.bytes));  // of an attempt that was longer
    *out.bytes = outcome.bytes;
    signature_out.keep();
    return GIRIH_OK;
}

int check_prepared(const girih_alg* alg, const PreparedKey& key)
{
    return key.alg == alg ? GIRIH_OK : GIRIH_ERROR_ARGUMENT;
}

int begin_row(const girih_alg* alg, const girih_sign_row& row, Randomness& random, falcon::SigningRow& out)
{
    const int key_error = row.key != nullptr
                              ? check_prepared(alg, *row.key)
                              : check(row.secret_key, row.secret_key_bytes, girih_secret_key_bytes(alg));
    GIRIH_TRY(check_signing(alg, key_error, or_default(row.options), row.message, row.message_bytes,
                            {row.signature, row.signature_capacity, nullptr}));
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

const falcon::Operations& operations_of(const girih_alg* alg)
{
    const falcon::Operations* operations;
    (void)alg->find(operations);
    return *operations;
}

}  // namespace

int falcon_sign(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                const girih_options* options, const uint8_t* message, size_t message_bytes,
                const SignatureOut& out)
{
    return sign_with(
        alg, check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)), options, message,
        message_bytes, out, [&](const falcon::Operations& operations, const Byte* salt, const Byte* seed) {
            return operations.sign(secret_key, view(message, message_bytes), salt, seed, out.data);
        });
}

int falcon_sign(const girih_signing_key& key, const girih_options* options, const uint8_t* message,
                size_t message_bytes, const SignatureOut& out)
{
    return sign_with(key.alg, GIRIH_OK, options, message, message_bytes, out,
                     [&](const falcon::Operations&, const Byte* salt, const Byte* seed) {
                         return key.operations_as<falcon::Operations>().sign_prepared(
                             key.scheme_key(), view(message, message_bytes), salt, seed, out.data);
                     });
}

int falcon_verify(const girih_alg* alg, const uint8_t* public_key, size_t public_key_bytes,
                  const girih_options* options, const uint8_t* message, size_t message_bytes,
                  const uint8_t* signature, size_t signature_bytes)
{
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
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

int falcon_sign_point(const girih_alg* alg, const uint8_t* secret_key, size_t secret_key_bytes,
                      const girih_options* options, const falcon::Residue* c,
                      BytesIn<falcon::salt_bytes> salt, const SignatureOut& out, Output& signature_out)
{
    const falcon::Operations* operations;
    GIRIH_TRY(alg->find(operations));
    GIRIH_TRY(check_signing(alg, check(secret_key, secret_key_bytes, girih_secret_key_bytes(alg)),
                            or_default(options), nullptr, 0, out));
    if (or_default(options).deterministic != 0) return GIRIH_ERROR_ARGUMENT;
    Wiped<std::array<Byte, falcon::seed_bytes>> seed;
    if (!draw(or_default(options).random, *seed)) return GIRIH_ERROR_RANDOM;
    const SignOutcome outcome = operations->sign_point(secret_key, c, salt.data(), seed->data(), out.data);
    GIRIH_TRY(error_of(outcome.result));
    wipe(BytesOut<>{out.data, out.capacity}.subspan(outcome.bytes));
    *out.bytes = outcome.bytes;
    signature_out.keep();
    return GIRIH_OK;
}

void falcon_sign_group(const girih_alg* alg, std::span<girih_sign_row> rows)
{
    std::array<Randomness, falcon::rows_at_once> randomness;
    std::array<falcon::SigningRow, falcon::rows_at_once> good;
    std::array<girih_sign_row*, falcon::rows_at_once> owners{};
    std::size_t good_rows = 0;
    for (girih_sign_row& row : rows) {
        const Output zeroed{row.signature, row.signature_capacity};
        row.signature_bytes = 0;
        row.result = begin_row(alg, row, randomness[good_rows], good[good_rows]);
        if (row.result == GIRIH_OK) owners[good_rows++] = &row;
    }
    operations_of(alg).sign_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) {
        girih_sign_row& row = *owners[i];
        row.result = error_of(good[i].outcome.result);
        row.signature_bytes = good[i].outcome.bytes;  // 0 on failure
        wipe(BytesOut<>{row.signature, row.signature_capacity}.subspan(row.signature_bytes));
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
    operations_of(alg).verify_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) owners[i]->result = falcon_error(good[i].verdict);
}

}  // namespace girih::api
