/// Rows of a batch.
#pragma once

#include <girih/girih.h>

#include "api/arguments.hpp"
#include "api/prepared_key.hpp"
#include "api/signing.hpp"

namespace girih::api {

/// A prepared key of a row is one of this algorithm.
inline int check_prepared(const girih_alg* alg, const PreparedKey& key)
{
    return key.alg == alg ? GIRIH_OK : GIRIH_ERROR_ARGUMENT;
}

/// Ends a row: with a signature of so many bytes in its place, and zeros behind it;
/// of none on failure.
inline void end_row(girih_sign_row& row, int result, std::size_t signature_bytes)
{
    row.result = result;
    row.signature_bytes = result == GIRIH_OK ? signature_bytes : 0;
    if (row.signature != nullptr)
        wipe(BytesOut<>{row.signature, row.signature_capacity}.subspan(row.signature_bytes));
}

/// An engine writes a row's signature to its place when it is done with the row: not so if it is to
/// be verified first.
inline bool signs_alone(const girih_sign_row& row) { return or_default(row.options).verify_after_sign != 0; }

inline void sign_alone(const girih_alg* alg, girih_sign_row& row)
{
    if (row.key != nullptr && check_prepared(alg, *row.key) != GIRIH_OK)
        return end_row(row, GIRIH_ERROR_ARGUMENT, 0);
    row.result = row.key == nullptr
                     ? girih_sign(alg, row.secret_key, row.secret_key_bytes, row.message, row.message_bytes,
                                  row.options, row.signature, row.signature_capacity, &row.signature_bytes)
                     : girih_sign_prepared(row.key, row.message, row.message_bytes, row.options,
                                           row.signature, row.signature_capacity, &row.signature_bytes);
}

}  // namespace girih::api
