/// Rows of a batch.
#pragma once

#include <girih/girih.h>

#include <algorithm>
#include <span>

#include "api/signing.hpp"

namespace girih::api {

/// Ends a row whose signature is in place: sets its result and length, and zeroes the rest of the
/// buffer; all of it on failure.
inline void end_row(girih_sign_row& row, int result, std::size_t signature_bytes)
{
    row.result = result;
    row.signature_bytes = result == GIRIH_OK ? signature_bytes : 0;
    if (row.signature != nullptr)
        wipe(BytesOut<>{row.signature, row.signature_capacity}.subspan(row.signature_bytes));
}

/// Whether a row is signed on its own: an engine writes signatures of a batch to their place at
/// once, but this one has to be verified first.
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

/// Checks that a row's key belongs to the algorithm, and the lengths of its buffers.
inline int check_row(const girih_alg& alg, const girih_encapsulate_row& row)
{
    if (row.key != nullptr) GIRIH_TRY(check_prepared(alg, *row.key));
    if (row.key == nullptr) GIRIH_TRY(check_public_key(alg, row.public_key, row.public_key_bytes));
    GIRIH_TRY(check(row.ciphertext, row.ciphertext_bytes, alg.ciphertext_bytes));
    return check(row.shared_secret, row.shared_secret_bytes, alg.kem->shared_secret_bytes);
}
inline int check_row(const girih_alg& alg, const girih_decapsulate_row& row)
{
    if (row.key != nullptr) GIRIH_TRY(check_prepared(alg, *row.key));
    if (row.key == nullptr) GIRIH_TRY(check_secret_key(alg, row.secret_key, row.secret_key_bytes));
    GIRIH_TRY(check(row.ciphertext, row.ciphertext_bytes, alg.ciphertext_bytes));
    return check(row.shared_secret, row.shared_secret_bytes, alg.kem->shared_secret_bytes);
}

/// Writes a row's outputs if its result is GIRIH_OK, else zeroes them.
inline void write_row(const girih_encapsulate_row& row, BytesIn<> ciphertext, BytesIn<> shared_secret)
{
    Output ciphertext_out{row.ciphertext, row.ciphertext_bytes};
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    if (row.result != GIRIH_OK) return;
    ciphertext_out.write(ciphertext);
    secret_out.write(shared_secret);
}
inline void write_row(const girih_decapsulate_row& row, BytesIn<> shared_secret)
{
    Output secret_out{row.shared_secret, row.shared_secret_bytes};
    if (row.result == GIRIH_OK) secret_out.write(shared_secret);
}

/// Calls work(group) on all rows, in groups of at most max_group.
template <class Row, class Work>
void for_groups(std::span<Row> rows, std::size_t max_group, Work work)
{
    while (!rows.empty()) {
        const std::span<Row> group = rows.first(std::min(rows.size(), max_group));
        work(group);
        rows = rows.subspan(group.size());
    }
}

}  // namespace girih::api
