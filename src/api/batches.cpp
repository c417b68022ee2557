#include <algorithm>
#include <array>
#include <span>

#include "api/randomness.hpp"
#include "api/rows.hpp"

using namespace girih;
using namespace girih::api;

namespace {

/// The result of the first row that failed.
template <class Row>
int result_of(std::span<const Row> rows)
{
    const auto failed =
        std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.result != GIRIH_OK; });
    return failed == rows.end() ? int{GIRIH_OK} : failed->result;
}

void zero_outputs(const girih_keygen_row& row)
{
    const Output public_out{row.public_key, row.public_key_bytes};
    const Output secret_out{row.secret_key, row.secret_key_bytes};
}

void zero_outputs(girih_sign_row& row) { end_row(row, row.result, 0); }

void zero_outputs(const girih_verify_row&) {}

using api::zero_outputs;  // overloads for rows of key encapsulation

/// Checks that an output of a row lies outside the array of rows.
template <class Row>
int check_outside(std::span<const Row> rows, const uint8_t* output, size_t bytes)
{
    return overlap(rows.data(), rows.size_bytes(), output, bytes) ? GIRIH_ERROR_OVERLAP : GIRIH_OK;
}

/// Checks that it lies outside the row's prepared key, if there is one.
int check_outside_key(const PreparedKey* key, const uint8_t* output, size_t bytes)
{
    return key != nullptr && overlap(key, key->bytes(), output, bytes) ? GIRIH_ERROR_OVERLAP : GIRIH_OK;
}

/// Checks a row's outputs for overlaps.
int check_outputs(std::span<const girih_keygen_row> rows, const girih_keygen_row& row)
{
    GIRIH_TRY(check_outside(rows, row.public_key, row.public_key_bytes));
    GIRIH_TRY(check_outside(rows, row.secret_key, row.secret_key_bytes));
    return overlap(row.public_key, row.public_key_bytes, row.secret_key, row.secret_key_bytes)
               ? GIRIH_ERROR_OVERLAP
               : GIRIH_OK;
}
int check_outputs(std::span<const girih_sign_row> rows, const girih_sign_row& row)
{
    GIRIH_TRY(check_outside(rows, row.signature, row.signature_capacity));
    return check_outside_key(row.key, row.signature, row.signature_capacity);
}
int check_outputs(std::span<const girih_verify_row>, const girih_verify_row&) { return GIRIH_OK; }
int check_outputs(std::span<const girih_encapsulate_row> rows, const girih_encapsulate_row& row)
{
    GIRIH_TRY(check_outside(rows, row.ciphertext, row.ciphertext_bytes));
    GIRIH_TRY(check_outside(rows, row.shared_secret, row.shared_secret_bytes));
    GIRIH_TRY(check_outside_key(row.key, row.ciphertext, row.ciphertext_bytes));
    GIRIH_TRY(check_outside_key(row.key, row.shared_secret, row.shared_secret_bytes));
    return overlap(row.ciphertext, row.ciphertext_bytes, row.shared_secret, row.shared_secret_bytes)
               ? GIRIH_ERROR_OVERLAP
               : GIRIH_OK;
}
int check_outputs(std::span<const girih_decapsulate_row> rows, const girih_decapsulate_row& row)
{
    GIRIH_TRY(check_outside(rows, row.shared_secret, row.shared_secret_bytes));
    return check_outside_key(row.key, row.shared_secret, row.shared_secret_bytes);
}

// ---- Key generation

/// A row's seed, from the caller or drawn; wiped after the group.
using Seed = Wiped<std::array<Byte, max_seed_bytes>>;

/// Whether a row comes without a seed.
bool is_drawn(const girih_keygen_row& row) { return row.seed == nullptr && row.seed_bytes == 0; }

int check_keygen_row(const girih_alg& alg, const girih_keygen_row& row, Seed& seed)
{
    GIRIH_TRY(check_public_key(alg, row.public_key, row.public_key_bytes));
    GIRIH_TRY(check_secret_key(alg, row.secret_key, row.secret_key_bytes));
    if (is_drawn(row))
        return draw(row.random, BytesOut<>{*seed}.first(alg.seed_bytes)) ? GIRIH_OK : GIRIH_ERROR_RANDOM;
    GIRIH_TRY(check(row.seed, row.seed_bytes, alg.seed_bytes));
    copy(view(row.seed, row.seed_bytes), *seed);
    return GIRIH_OK;
}

void keygen_group(const girih_alg& alg, std::span<girih_keygen_row> rows)
{
    std::array<Seed, keys_at_once> seeds;
    std::array<KeygenRow, keys_at_once> good;
    std::size_t good_rows = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        girih_keygen_row& row = rows[i];
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        if (is_drawn(row) && is_piecewise(row.random)) {  // on its own
            row.result = girih_keygen(&alg, row.random, row.public_key, row.public_key_bytes, row.secret_key,
                                      row.secret_key_bytes);
            continue;
        }
        row.result = check_keygen_row(alg, row, seeds[i]);
        if (row.result == GIRIH_OK)
            good[good_rows++] = {seeds[i]->data(), row.public_key, row.secret_key};
        else
            zero_outputs(row);
    }
    alg.keys->keygen_many(alg, std::span{good}.first(good_rows));
}

/// Runs a batch through a table of the algorithm, if it has that table.
template <class Functions, class Row, class Work>
int run_batch(const girih_alg* alg, const Functions* girih_alg::* table, Row* rows, size_t count, Work work)
{
    const Functions* const functions = alg == nullptr ? nullptr : alg->*table;
    const std::span<Row> all{rows, rows == nullptr ? 0 : count};
    int error = check_able(alg, functions != nullptr);
    if (error == GIRIH_OK) error = is_there(rows, count) ? check_engine() : int{GIRIH_ERROR_ARGUMENT};
    for (Row& row : all) row.result = check_outputs(all, row);
    if (error != GIRIH_OK) {
        for (Row& row : all) {
            if (row.result == GIRIH_OK) zero_outputs(row);
            row.result = error;
        }
        return error;
    }
    work(*functions, all);
    return result_of(std::span<const Row>{all});
}

/// Calls work(row) for each row whose outputs do not overlap.
template <class Row, class Work>
void one_by_one(std::span<Row> rows, Work work)
{
    for (Row& row : rows) {
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        row.result = work(row);
        if (row.result != GIRIH_OK) zero_outputs(row);
    }
}

}  // namespace

int girih_keygen_many(const girih_alg* alg, girih_keygen_row* rows, size_t count)
{
    return run_batch(alg, &girih_alg::keys, rows, count, [&](const auto&, auto all) {
        for_groups(all, keys_at_once, [&](auto group) { keygen_group(*alg, group); });
    });
}

int girih_sign_many(const girih_alg* alg, girih_sign_row* rows, size_t count)
{
    return run_batch(alg, &girih_alg::signing, rows, count,
                     [&](const auto& signing, auto all) { signing.sign_many(*alg, all); });
}

int girih_encapsulate_many(const girih_alg* alg, girih_encapsulate_row* rows, size_t count)
{
    return run_batch(alg, &girih_alg::kem, rows, count, [&](const auto& kem, auto all) {
        if (kem.encapsulate_many != nullptr) return kem.encapsulate_many(*alg, all);
        one_by_one(all, [&](const girih_encapsulate_row& row) {
            GIRIH_TRY(row.key == nullptr ? GIRIH_OK : GIRIH_ERROR_ALGORITHM);
            return girih_encapsulate(alg, row.random, row.public_key, row.public_key_bytes, row.ciphertext,
                                     row.ciphertext_bytes, row.shared_secret, row.shared_secret_bytes);
        });
    });
}

int girih_decapsulate_many(const girih_alg* alg, girih_decapsulate_row* rows, size_t count)
{
    return run_batch(alg, &girih_alg::kem, rows, count, [&](const auto& kem, auto all) {
        if (kem.decapsulate_many != nullptr) return kem.decapsulate_many(*alg, all);
        one_by_one(all, [&](const girih_decapsulate_row& row) {
            GIRIH_TRY(row.key == nullptr ? GIRIH_OK : GIRIH_ERROR_ALGORITHM);
            return girih_decapsulate(alg, row.secret_key, row.secret_key_bytes, row.ciphertext,
                                     row.ciphertext_bytes, row.shared_secret, row.shared_secret_bytes);
        });
    });
}

int girih_verify_many(const girih_alg* alg, girih_verify_row* rows, size_t count)
{
    return run_batch(alg, &girih_alg::verifying, rows, count,
                     [&](const auto& verifying, auto all) { verifying.verify_many(*alg, all); });
}
