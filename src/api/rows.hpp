/// Rows of a batch being signed.
#pragma once

#include <girih/girih.h>

#include "api/arguments.hpp"
#include "api/prepared_key.hpp"
#include "api/signing.hpp"

namespace girih::api {

/// Ends a row: with a signature of so many bytes in its place, and zeros behind it; of none on failure.
inline void end_row(girih_sign_row& row, int result, std::size_t signature_bytes)
{
    row.result = result;
    row.signature_bytes = result == GIRIH_OK ? signature_bytes : 0;
    if (row.signature != nullptr)
        wipe(BytesOut<>{row.signature, row.signature_capacity}.subspan(row.signature_bytes));
}

/// An engine writes a row's signature to its place: not so if the signature is to be verified first, or if something that
/// is still to be read lies there.
inline bool signs_alone(const girih_sign_row& row)
{
    const girih_options& options = or_default(row.options);
    const auto reads = [&row](const void* input, std::size_t bytes) {
        return overlap(row.signature, row.signature_capacity, input, bytes);
    };
    return options.verify_after_sign != 0 || reads(row.message, row.message_bytes) ||
           reads(row.secret_key, row.secret_key_bytes) || reads(options.context, options.context_bytes);
}

inline void sign_alone(const girih_alg* alg, girih_sign_row& row)
{
    if (row.key != nullptr && row.key->alg != alg) return end_row(row, GIRIH_ERROR_ARGUMENT, 0);
    row.result = row.key == nullptr
                     ? girih_sign(alg, row.secret_key, row.secret_key_bytes, row.message, row.message_bytes,
                                  row.options, row.signature, row.signature_capacity, &row.signature_bytes)
                     : girih_sign_prepared(row.key, row.message, row.message_bytes, row.options,
                                           row.signature, row.signature_capacity, &row.signature_bytes);
}

}  // namespace girih::api
