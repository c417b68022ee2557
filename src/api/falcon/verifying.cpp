#include <array>

#include "api/falcon/falcon.hpp"
#include "api/key_functions.hpp"
#include "api/rows.hpp"

namespace girih::falcon_api {

using namespace api;

int check_options(const girih_options& options)
{
    GIRIH_TRY(check_reserved(options));
    if (!is_there(options.context, options.context_bytes)) return GIRIH_ERROR_ARGUMENT;
    if (options.context_bytes != 0) return GIRIH_ERROR_CONTEXT;
    return options.pre_hash == nullptr ? GIRIH_OK : GIRIH_ERROR_PRE_HASH;
}

int verdict_error(falcon::Verdict verdict)
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

using falcon::Operations;
using falcon::Verdict;

static_assert(falcon::prepared_key_alignment == GIRIH_PREPARED_ALIGNMENT);

int check_row(const girih_alg& alg, const girih_verify_row& row)
{
    GIRIH_TRY(check_key(alg, row));
    if (!is_there(row.signature, row.signature_bytes) || !is_there(row.message, row.message_bytes))
        return GIRIH_ERROR_ARGUMENT;
    return check_options(or_default(row.options));
}

int verify(const girih_alg& alg, const girih_verify_row& row)
{
    GIRIH_TRY(check_engine());
    GIRIH_TRY(check_row(alg, row));
    const BytesIn<> message = view(row.message, row.message_bytes);
    const BytesIn<> signature = view(row.signature, row.signature_bytes);
    if (row.key != nullptr)
        return verdict(
            row.key->operations_as<Operations>().verify_prepared(row.key->scheme_key(), message, signature));
    return verdict_error(alg.on_engine<Operations>().verify(row.public_key, message, signature));
}

int begin_row(const girih_alg& alg, const girih_verify_row& row, falcon::VerifyingRow& out)
{
    GIRIH_TRY(check_row(alg, row));
    out = {row.key == nullptr ? nullptr : row.key->scheme_key(), row.public_key,
           view(row.message, row.message_bytes), view(row.signature, row.signature_bytes), Verdict::bad};
    return GIRIH_OK;
}

void verify_group(const girih_alg& alg, std::span<girih_verify_row> rows)
{
    std::array<falcon::VerifyingRow, falcon::rows_at_once> good;
    std::array<girih_verify_row*, falcon::rows_at_once> owners{};
    std::size_t good_rows = 0;
    for (girih_verify_row& row : rows) {
        row.result = begin_row(alg, row, good[good_rows]);
        if (row.result == GIRIH_OK) owners[good_rows++] = &row;
    }
    alg.on_engine<Operations>().verify_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) owners[i]->result = verdict_error(good[i].verdict);
}

void verify_many(const girih_alg& alg, std::span<girih_verify_row> rows)
{
    for_groups(rows, falcon::rows_at_once,
               [&](std::span<girih_verify_row> group) { verify_group(alg, group); });
}

int prepare_verifying_key(const Byte* public_key, girih_verifying_key& key)
{
    return key.operations_as<Operations>().prepare_verifying_key(public_key, key.scheme_key())
               ? GIRIH_OK
               : GIRIH_ERROR_PUBLIC_KEY;
}

}  // namespace

constinit const VerifyingFunctions verifying{verify, for_batches(verify_many),
                                             key_size<Operations, &Operations::verifying_key_size>,
                                             prepare_verifying_key, nullptr};

}  // namespace girih::falcon_api
