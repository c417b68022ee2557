#include <array>

#include "api/key_functions.hpp"
#include "api/ml_dsa/messages.hpp"
#include "api/ml_dsa/signing.hpp"
#include "api/rows.hpp"

namespace girih::ml_dsa_api {

using namespace api;

namespace {

using ml_dsa::Operations;
using ml_dsa::rows_at_once;

static_assert(ml_dsa::prepared_key_alignment == GIRIH_PREPARED_ALIGNMENT);

/// The checks before verification; frames the message.
[[gnu::noinline]] int check_row(const girih_alg& alg, const girih_verify_row& row, FramedMessage& framed)
{
    GIRIH_TRY(check_key(alg, row));
    if (!is_there(row.signature, row.signature_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(check_engine());
    if (row.signature_bytes != alg.signature_bytes) return GIRIH_ERROR_SIGNATURE;
    return frame_message(alg, row.options, row.message, row.message_bytes, framed);
}

// ML-DSA.Verify (FIPS 204, Algorithm 3), or with a pre-hash
// HashML-DSA.Verify (FIPS 204, Algorithm 5).
int verify(const girih_alg& alg, const girih_verify_row& row)
{
    FramedMessage framed;
    GIRIH_TRY(check_row(alg, row, framed));
    const ml_dsa::Frame& frame = framed.framing.frame;
    return verdict(row.key == nullptr
                       ? alg.on_engine<Operations>().verify(row.public_key, frame, framed.body, row.signature)
                       : row.key->operations_as<Operations>().verify_prepared(row.key->scheme_key(), frame,
                                                                              framed.body, row.signature));
}

int begin_row(const girih_alg& alg, const girih_verify_row& row, FramedMessage& framed,
              ml_dsa::VerifyingRow& out)
{
    const int error = check_row(alg, row, framed);
    // In a batch, a missing message takes precedence over a signature's length.
    if (error == GIRIH_ERROR_SIGNATURE && !is_there(row.message, row.message_bytes))
        return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(error);
    out = {row.key == nullptr ? nullptr : row.key->scheme_key(),
           row.public_key,
           framed.framing.frame,
           framed.body,
           row.signature,
           false};
    return GIRIH_OK;
}

void verify_group(const girih_alg& alg, std::span<girih_verify_row> rows)
{
    std::array<FramedMessage, rows_at_once> framed;
    std::array<ml_dsa::VerifyingRow, rows_at_once> good{};
    std::size_t good_rows = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].result = begin_row(alg, rows[i], framed[i], good[good_rows]);
        if (rows[i].result == GIRIH_OK) ++good_rows;
    }
    alg.on_engine<Operations>().verify_many(std::span{good}.first(good_rows));
    const ml_dsa::VerifyingRow* verified = good.data();
    for (girih_verify_row& row : rows)
        if (row.result == GIRIH_OK) row.result = verdict((verified++)->verifies);
}

void verify_many(const girih_alg& alg, std::span<girih_verify_row> rows)
{
    for_groups(rows, rows_at_once, [&](std::span<girih_verify_row> group) { verify_group(alg, group); });
}

int prepare_verifying_key(const Byte* public_key, girih_verifying_key& key)
{
    key.operations_as<Operations>().prepare_verifying_key(public_key, key.scheme_key());
    return GIRIH_OK;
}

}  // namespace

constinit const VerifyingFunctions verifying{verify, for_batches(verify_many),
                                             key_size<Operations, &Operations::verifying_key_size>,
                                             prepare_verifying_key, pre_hash_piece};

}  // namespace girih::ml_dsa_api
