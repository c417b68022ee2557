/// ML-KEM: a key pair is made from d and z, an encapsulation from m.
#include <array>
#include <span>

#include "api/algorithms/algorithm.hpp"
#include "api/arguments.hpp"
#include "api/key_functions.hpp"
#include "api/ml_kem/tables.hpp"
#include "api/prepared_keys/prepared_key.hpp"
#include "api/randomness.hpp"
#include "api/rows.hpp"

namespace girih::ml_kem_api {

using namespace api;

namespace {

using ml_kem::DecapsulationRow;
using ml_kem::EncapsulationRow;
using ml_kem::Operations;
using ml_kem::rows_at_once;

static_assert(ml_kem::prepared_key_alignment == GIRIH_PREPARED_ALIGNMENT);

/// The operations that made a prepared key, or else those of the selected engine.
const Operations& operations_of(const girih_alg& alg, const PreparedKey* key)
{
    return key == nullptr ? alg.on_engine<Operations>() : key->operations_as<Operations>();
}
const void* engine_part(const PreparedKey* key) { return key == nullptr ? nullptr : key->scheme_key(); }

int error_of_encapsulation(bool is_good) { return is_good ? GIRIH_OK : GIRIH_ERROR_PUBLIC_KEY; }
int error_of_decapsulation(bool is_good) { return is_good ? GIRIH_OK : GIRIH_ERROR_KEY_MISMATCH; }

// ML-KEM.Encaps (FIPS 203, Algorithm 20).
int encapsulate(const girih_alg& alg, const girih_encapsulation_key* key, const girih_random* random,
                const Byte* pk, Byte* ciphertext, Byte* shared_secret)
{
    Wiped<std::array<Byte, ml_kem::message_bytes>> m;
    if (!draw(random, *m)) return GIRIH_ERROR_RANDOM;
    EncapsulationRow row{engine_part(key), pk, m->data(), ciphertext, shared_secret, false};
    operations_of(alg, key).encapsulate_many(std::span{&row, 1});
    return error_of_encapsulation(row.is_good);
}

// ML-KEM.Decaps (FIPS 203, Algorithm 21).
int decapsulate(const girih_alg& alg, const girih_decapsulation_key* key, const Byte* sk,
                const Byte* ciphertext, Byte* shared_secret)
{
    DecapsulationRow row{engine_part(key), sk, ciphertext, shared_secret, false};
    operations_of(alg, key).decapsulate_many(std::span{&row, 1});
    return error_of_decapsulation(row.is_good);
}

void encapsulate_group(const girih_alg& alg, std::span<girih_encapsulate_row> rows)
{
    Wiped<std::array<std::array<Byte, ml_kem::message_bytes>, rows_at_once>> m;
    std::array<std::array<Byte, ml_kem::max_ciphertext_bytes>, rows_at_once> ciphertexts;
    Wiped<std::array<std::array<Byte, ml_kem::shared_secret_bytes>, rows_at_once>> secrets;
    std::array<EncapsulationRow, rows_at_once> good;
    std::size_t good_rows = 0;
    for (girih_encapsulate_row& row : rows) {
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        row.result = check_row(alg, row);
        if (row.result == GIRIH_OK && !draw(row.random, (*m)[good_rows])) row.result = GIRIH_ERROR_RANDOM;
        if (row.result != GIRIH_OK) {
            zero_outputs(row);
            continue;
        }
        good[good_rows] = {engine_part(row.key),         row.public_key,
                           (*m)[good_rows].data(),       ciphertexts[good_rows].data(),
                           (*secrets)[good_rows].data(), false};
        ++good_rows;
    }
    alg.on_engine<Operations>().encapsulate_many(std::span{good}.first(good_rows));
    const EncapsulationRow* made = good.data();
    for (girih_encapsulate_row& row : rows) {
        if (row.result != GIRIH_OK) continue;
        row.result = error_of_encapsulation(made->is_good);
        write_row(row, {made->ciphertext, alg.ciphertext_bytes},
                  {made->shared_secret, row.shared_secret_bytes});
        ++made;
    }
}

void decapsulate_group(const girih_alg& alg, std::span<girih_decapsulate_row> rows)
{
    Wiped<std::array<std::array<Byte, ml_kem::shared_secret_bytes>, rows_at_once>> secrets;
    std::array<DecapsulationRow, rows_at_once> good;
    std::size_t good_rows = 0;
    for (girih_decapsulate_row& row : rows) {
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        row.result = check_row(alg, row);
        if (row.result != GIRIH_OK) {
            zero_outputs(row);
            continue;
        }
        good[good_rows] = {engine_part(row.key), row.secret_key, row.ciphertext, (*secrets)[good_rows].data(),
                           false};
        ++good_rows;
    }
    alg.on_engine<Operations>().decapsulate_many(std::span{good}.first(good_rows));
    const DecapsulationRow* made = good.data();
    for (girih_decapsulate_row& row : rows) {
        if (row.result != GIRIH_OK) continue;
        row.result = error_of_decapsulation(made->is_good);
        write_row(row, {made->shared_secret, row.shared_secret_bytes});
        ++made;
    }
}

void encapsulate_many(const girih_alg& alg, std::span<girih_encapsulate_row> rows)
{
    for_groups(rows, rows_at_once, [&](auto group) { encapsulate_group(alg, group); });
}
void decapsulate_many(const girih_alg& alg, std::span<girih_decapsulate_row> rows)
{
    for_groups(rows, rows_at_once, [&](auto group) { decapsulate_group(alg, group); });
}

int prepare_encapsulation_key(const Byte* pk, girih_encapsulation_key& key)
{
    return error_of_encapsulation(
        key.operations_as<Operations>().prepare_encapsulation_key(pk, key.scheme_key()));
}
int prepare_decapsulation_key(const Byte* sk, girih_decapsulation_key& key)
{
    return error_of_decapsulation(
        key.operations_as<Operations>().prepare_decapsulation_key(sk, key.scheme_key()));
}

constinit const PreparedKemFunctions prepared{key_size<Operations, &Operations::encapsulation_key_size>,
                                              key_size<Operations, &Operations::decapsulation_key_size>,
                                              prepare_encapsulation_key, prepare_decapsulation_key};

}  // namespace

// keygen: ML-KEM.KeyGen (FIPS 203, Algorithm 19), from a seed that was drawn or given.
constinit const KeyFunctions keys{keygen<Operations>, nullptr, for_batches(keygen_many<Operations>),
                                  public_key<Operations>};
constinit const KemFunctions kem{
    ml_kem::shared_secret_bytes,   encapsulate, decapsulate, for_batches(encapsulate_many),
    for_batches(decapsulate_many), &prepared};

}  // namespace girih::ml_kem_api
