#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "api/falcon.hpp"
#include "api/prepared_key.hpp"
#include "api/randomness.hpp"
#include "api/rows.hpp"
#include "api/signing.hpp"

using namespace girih;
using namespace girih::api;

namespace {

using ml_dsa::rows_at_once;
/// Keys that an engine is given at once.
constexpr std::size_t keys_at_once = std::max(ml_dsa::rows_at_once, ntru_prime::rows_at_once);

/// What a whole batch needs before any row is looked at.
template <class Row>
int check_batch(const girih_alg* alg, Row* rows, size_t count)
{
    if (alg == nullptr || !is_there(rows, count)) return GIRIH_ERROR_ARGUMENT;
    if (alg->is_kem() && !std::is_same_v<Row, girih_keygen_row>) return GIRIH_ERROR_ARGUMENT;
    constexpr Use purpose = std::is_same_v<Row, girih_verify_row> ? Use::verifying : Use::everything;
    return alg->with_operations<purpose>([](auto&) { return GIRIH_OK; });
}

/// The operations of an algorithm that has passed the check.
const ml_dsa::Operations& ml_dsa_operations(const girih_alg* alg)
{
    const ml_dsa::Operations* operations;
    (void)alg->find<Use::verifying>(operations);
    return *operations;
}

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

/// An output of a row lies outside the array of rows.
template <class Row>
int check_outside(std::span<const Row> rows, const uint8_t* output, size_t bytes)
{
    return overlap(rows.data(), rows.size_bytes(), output, bytes) ? GIRIH_ERROR_OVERLAP : GIRIH_OK;
}

/// What no row's outputs may lie in.
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
    if (row.key == nullptr) return GIRIH_OK;
    return overlap(row.key, row.key->bytes(), row.signature, row.signature_capacity) ? GIRIH_ERROR_OVERLAP
                                                                                     : GIRIH_OK;
}
int check_outputs(std::span<const girih_verify_row>, const girih_verify_row&) { return GIRIH_OK; }

// ---- Key generation

/// A row's seed, given or drawn, wiped with the group.
using Seed = Wiped<std::array<Byte, max_seed_bytes>>;

/// Whether a row comes without a seed.
bool is_drawn(const girih_keygen_row& row) { return row.seed == nullptr && row.seed_bytes == 0; }

int check_keygen_row(const girih_alg* alg, const girih_keygen_row& row, Seed& seed)
{
    GIRIH_TRY(check(row.public_key, row.public_key_bytes, girih_public_key_bytes(alg)));
    GIRIH_TRY(check(row.secret_key, row.secret_key_bytes, girih_secret_key_bytes(alg)));
    if (is_drawn(row))
        return draw(row.random, BytesOut<>{*seed}.first(girih_seed_bytes(alg))) ? GIRIH_OK
                                                                                : GIRIH_ERROR_RANDOM;
    GIRIH_TRY(check(row.seed, row.seed_bytes, girih_seed_bytes(alg)));
    copy(view(row.seed, row.seed_bytes), *seed);
    return GIRIH_OK;
}

void keygen_group(const girih_alg* alg, std::span<girih_keygen_row> rows)
{
    std::array<Seed, keys_at_once> seeds;
    std::array<KeygenRow, keys_at_once> good;
    std::size_t good_rows = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        girih_keygen_row& row = rows[i];
        if (row.result == GIRIH_ERROR_OVERLAP) continue;
        if (is_drawn(row) && is_piecewise(row.random)) {  // by itself
            row.result = girih_keygen(alg, row.random, row.public_key, row.public_key_bytes, row.secret_key,
                                      row.secret_key_bytes);
            continue;
        }
        row.result = check_keygen_row(alg, row, seeds[i]);
        if (row.result == GIRIH_OK)
            good[good_rows++] = {seeds[i]->data(), row.public_key, row.secret_key};
        else
            zero_outputs(row);
    }
    (void)alg->with_operations([&](const auto& operations) {
        operations.keygen_many(std::span{good}.first(good_rows));
        return GIRIH_OK;
    });
}

// ---- Verification

/// What a row being verified needs besides the caller's memory.
struct VerifyingScratch {
    Framing framing;
    PreHash::Digest digest;
};

int check_verify_row(const girih_alg* alg, const girih_verify_row& row, VerifyingScratch& scratch,
                     ml_dsa::VerifyingRow& out)
{
    if (row.key != nullptr) {
        GIRIH_TRY(check_prepared(alg, *row.key));
    } else {
        GIRIH_TRY(check(row.public_key, row.public_key_bytes, girih_public_key_bytes(alg)));
    }
    if (!is_there(row.signature, row.signature_bytes) || !is_there(row.message, row.message_bytes))
        return GIRIH_ERROR_ARGUMENT;
    if (row.signature_bytes != girih_signature_bytes(alg)) return GIRIH_ERROR_SIGNATURE;
    GIRIH_TRY(make_framing(alg, or_default(row.options), scratch.framing));
    out = {row.key == nullptr ? nullptr : row.key->scheme_key(),
           row.public_key,
           scratch.framing.frame,
           signed_bytes(scratch.framing, view(row.message, row.message_bytes), scratch.digest),
           row.signature,
           false};
    return GIRIH_OK;
}

void verify_group(const girih_alg* alg, std::span<girih_verify_row> rows)
{
    std::array<VerifyingScratch, rows_at_once> scratch;
    std::array<ml_dsa::VerifyingRow, rows_at_once> good;
    std::array<girih_verify_row*, rows_at_once> owners{};
    std::size_t good_rows = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].result = check_verify_row(alg, rows[i], scratch[i], good[good_rows]);
        if (rows[i].result == GIRIH_OK) owners[good_rows++] = &rows[i];
    }
    ml_dsa_operations(alg).verify_many(std::span{good}.first(good_rows));
    for (std::size_t i = 0; i < good_rows; ++i) owners[i]->result = verdict(good[i].verifies);
}

// ---- Signing

/// The rows of a batch on their way through an engine, which takes one whenever it has room.
class SigningSource {
  public:
    SigningSource(const girih_alg* alg, std::span<girih_sign_row> rows) : alg_(alg), rows_(rows) {}

    void sign_all() { ml_dsa_operations(alg_).sign_many({next, done, this}); }

  private:
    /// What a row in flight needs besides the caller's memory.
    struct Scratch {
        girih_sign_row* row = nullptr;
        Framing framing;
        PreHash::Digest digest;
        SigningRandomness random;
    };

    static bool next(void* self, ml_dsa::SigningRow& out)
    {
        return static_cast<SigningSource*>(self)->give(out);
    }
    static void done(void* self, std::size_t number, bool is_signed)
    {
        static_cast<SigningSource*>(self)->take_back(number, is_signed);
    }

    /// The next row that an engine can sign. Those that none can get their result here.
    bool give(ml_dsa::SigningRow& out)
    {
        const auto free = std::find_if(scratch_.begin(), scratch_.end(),
                                       [](const Scratch& scratch) { return scratch.row == nullptr; });
        for (; taken_ < rows_.size(); ++taken_) {
            girih_sign_row& row = rows_[taken_];
            if (row.result == GIRIH_ERROR_OVERLAP) continue;
            if (row.key == nullptr || signs_alone(row)) {
                sign_alone(alg_, row);
                continue;
            }
            row.result = begin(row, *free, out);
            if (row.result != GIRIH_OK) {
                end_row(row, row.result, 0);
                continue;
            }
            free->row = &row;
            out.number = static_cast<std::size_t>(free - scratch_.begin());
            ++taken_;
            return true;
        }
        return false;
    }

    int begin(girih_sign_row& row, Scratch& scratch, ml_dsa::SigningRow& out) const
    {
        GIRIH_TRY(check_prepared(alg_, *row.key));
        if (!is_there(row.message, row.message_bytes)) return GIRIH_ERROR_ARGUMENT;
        GIRIH_TRY(check_room(alg_, row.signature, row.signature_capacity));
        GIRIH_TRY(make_framing(alg_, or_default(row.options), scratch.framing));
        GIRIH_TRY(scratch.random.draw_for(alg_, or_default(row.options)));
        out = {row.key->scheme_key(),
               scratch.framing.frame,
               signed_bytes(scratch.framing, view(row.message, row.message_bytes), scratch.digest),
               scratch.random.data(),
               row.signature,
               0};
        return GIRIH_OK;
    }

    void take_back(std::size_t number, bool is_signed)
    {
        girih_sign_row& row = *scratch_[number].row;
        scratch_[number].row = nullptr;
        end_row(row, attempts_error(is_signed), is_signed ? girih_signature_bytes(alg_) : 0);
    }

    const girih_alg* alg_;
    std::span<girih_sign_row> rows_;
    std::size_t taken_ = 0;
    std::array<Scratch, rows_at_once> scratch_;
};

/// Checks a batch, and has it worked on.
template <class Row, class Work>
int run_batch(const girih_alg* alg, Row* rows, size_t count, Work work)
{
    const std::span<Row> all{rows, rows == nullptr ? 0 : count};
    if (const int error = check_batch(alg, rows, count); error != GIRIH_OK) {
        for (Row& row : all) {
            zero_outputs(row);
            row.result = error;
        }
        return error;
    }
    for (Row& row : all) row.result = check_outputs(all, row);
    work(all);
    return result_of(std::span<const Row>{all});
}

/// The same group by group.
template <class Row, class Work>
int run_groups(const girih_alg* alg, Row* rows, size_t count, std::size_t group, Work work)
{
    return run_batch(alg, rows, count, [&](std::span<Row> rest) {
        while (!rest.empty()) {
            const std::span<Row> taken = rest.first(std::min(rest.size(), group));
            work(alg, taken);
            rest = rest.subspan(taken.size());
        }
    });
}

}  // namespace

int girih_keygen_many(const girih_alg* alg, girih_keygen_row* rows, size_t count)
{
    return run_groups(alg, rows, count, keys_at_once, keygen_group);
}

int girih_verify_many(const girih_alg* alg, girih_verify_row* rows, size_t count)
{
    if (is_falcon(alg)) return run_groups(alg, rows, count, falcon::rows_at_once, falcon_verify_group);
    return run_groups(alg, rows, count, rows_at_once, verify_group);
}

int girih_sign_many(const girih_alg* alg, girih_sign_row* rows, size_t count)
{
    if (is_falcon(alg)) return run_groups(alg, rows, count, falcon::rows_at_once, falcon_sign_group);
    return run_batch(alg, rows, count,
                     [&](std::span<girih_sign_row> all) { SigningSource{alg, all}.sign_all(); });
}
