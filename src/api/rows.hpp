/// Rows of a batch.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <span>

#include "api/signing.hpp"

namespace girih::api {

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

inline void sign_alone(const girih_alg& alg, girih_sign_row& row)
{
    SigningOutputs outputs{{row.signature, row.signature_capacity, &row.signature_bytes}};
    row.result = alg.signing->sign(alg, row, outputs);
}

/// work(group) on all rows, so many at once.
template <class Row, class Work>
void for_groups(std::span<Row> rows, std::size_t most, Work work)
{
    while (!rows.empty()) {
        const std::span<Row> group = rows.first(std::min(rows.size(), most));
        work(group);
        rows = rows.subspan(group.size());
    }
}

}  // namespace girih::api
