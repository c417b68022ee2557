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

inline void zero_outputs(const girih_encapsulate_row& row)
{
    const Output ciphertext_out{row.ciphertext, row.ciphertext_bytes};
    const Output secret_out{row.shared_secret, row.shared_secret_bytes};
}
inline void zero_outputs(const girih_decapsulate_row& row)
{
    const Output secret_out{row.shared_secret, row.shared_secret_bytes};
}

/// Of a row of key encapsulation: whether its key is of the algorithm, and its buffers of their
/// lengths.
inline int check_row(const girih_alg& alg, const girih_encapsulate_row& row)
{
    if (row.key != nullptr && row.key->alg != &alg) return GIRIH_ERROR_ARGUMENT;
    if (row.key == nullptr) GIRIH_TRY(check(row.public_key, row.public_key_bytes, alg.public_key_bytes));
    GIRIH_TRY(check(row.ciphertext, row.ciphertext_bytes, alg.ciphertext_bytes));
    return check(row.shared_secret, row.shared_secret_bytes, alg.kem->shared_secret_bytes);
}
inline int check_row(const girih_alg& alg, const girih_decapsulate_row& row)
{
    if (row.key != nullptr && row.key->alg != &alg) return GIRIH_ERROR_ARGUMENT;
    if (row.key == nullptr) GIRIH_TRY(check(row.secret_key, row.secret_key_bytes, alg.secret_key_bytes));
    GIRIH_TRY(check(row.ciphertext, row.ciphertext_bytes, alg.ciphertext_bytes));
    return check(row.shared_secret, row.shared_secret_bytes, alg.kem->shared_secret_bytes);
}

/// Ends a row: with what was made if its result is GIRIH_OK, else with zeros.
inline void give_row(const girih_encapsulate_row& row, BytesIn<> ciphertext, BytesIn<> shared_secret)
{
    Output ciphertext_out{row.ciphertext, row.ciphertext_bytes};
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    if (row.result != GIRIH_OK) return;
    ciphertext_out.give(ciphertext);
    secret_out.give(shared_secret);
}
inline void give_row(const girih_decapsulate_row& row, BytesIn<> shared_secret)
{
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    if (row.result == GIRIH_OK) secret_out.give(shared_secret);
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
