#include "api/ml_dsa/signing.hpp"

#include <algorithm>
#include <array>

#include "api/key_functions.hpp"
#include "api/randomness.hpp"
#include "api/rows.hpp"

namespace girih::ml_dsa_api {

using namespace api;

int SigningRandomness::draw_for(const girih_alg& alg, const girih_options& options)
{
    drawn_ = false;
    if (options.deterministic != 0) return GIRIH_OK;
    drawn_ = draw(options.random, BytesOut<>{*bytes_}.first(alg.rnd_bytes));
    return drawn_ ? GIRIH_OK : GIRIH_ERROR_RANDOM;
}

namespace {

using ml_dsa::Operations;
using ml_dsa::rows_at_once;

// ML-DSA.Sign (FIPS 204, Algorithm 2), or with a pre-hash HashML-DSA.Sign (FIPS 204, Algorithm 4),
// around the engine's ML-DSA.Sign_internal.
int sign(const girih_alg& alg, const girih_sign_row& row, SigningOutputs& outputs)
{
    GIRIH_TRY(check_row(alg, row, outputs));
    const SignedRow signed_row{row};
    FramedMessage framed;
    GIRIH_TRY(frame_message(alg, row.options, row.message, row.message_bytes, framed));
    SigningRandomness random;
    GIRIH_TRY(random.draw_for(alg, or_default(row.options)));  // last: a refused call draws nothing
    ResultBuffer<max_signature_bytes> signature{alg.signature_bytes};
    const ml_dsa::Frame& frame = framed.framing.frame;
    if (row.key == nullptr)
        GIRIH_TRY(error_of(alg.on_engine<Operations>().sign(row.secret_key, frame, framed.body, random.data(),
                                                            signature.data())));
    else
        GIRIH_TRY(attempts_error(row.key->operations_as<Operations>().sign_prepared(
            row.key->scheme_key(), frame, framed.body, random.data(), signature.data())));
    return signed_row.write_signature(alg, signature.view(), outputs, alg.verifying->verify);
}

/// Supplies an engine with the rows of a batch: one whenever a lane is free.
class SigningSource {
  public:
    SigningSource(const girih_alg& alg, std::span<girih_sign_row> rows) : alg_(alg), rows_(rows) {}

    void sign_all() { alg_.on_engine<Operations>().sign_many({next, done, this}); }

  private:
    /// The memory of a row in progress, besides the caller's.
    struct Scratch {
        girih_sign_row* row = nullptr;
        FramedMessage framed;
        SigningRandomness random;
    };

    static bool next(void* self, ml_dsa::SigningRow& out)
    {
        return static_cast<SigningSource*>(self)->next_row(out);
    }
    static void done(void* self, std::size_t number, bool is_signed)
    {
        static_cast<SigningSource*>(self)->take_back(number, is_signed);
    }

    /// The next row for the engine. Rows that cannot be signed get their result here.
    bool next_row(ml_dsa::SigningRow& out)
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
        GIRIH_TRY(check_capacity(alg_, row.signature, row.signature_capacity));
        GIRIH_TRY(frame_message(alg_, row.options, row.message, row.message_bytes, scratch.framed));
        GIRIH_TRY(scratch.random.draw_for(alg_, or_default(row.options)));
        out = {row.key->scheme_key(), scratch.framed.framing.frame,
               scratch.framed.body,   scratch.random.data(),
               row.signature,         0};
        return GIRIH_OK;
    }

    void take_back(std::size_t number, bool is_signed)
    {
        girih_sign_row& row = *scratch_[number].row;
        scratch_[number].row = nullptr;
        end_row(row, attempts_error(is_signed), is_signed ? alg_.signature_bytes : 0);
    }

    const girih_alg& alg_;
    std::span<girih_sign_row> rows_;
    std::size_t taken_ = 0;
    std::array<Scratch, rows_at_once> scratch_;
};

void sign_many(const girih_alg& alg, std::span<girih_sign_row> rows) { SigningSource{alg, rows}.sign_all(); }

int prepare_signing_key(const Byte*, girih_signing_key& key)
{
    return key.operations_as<Operations>().prepare_signing_key(key.secret_key(), key.scheme_key())
               ? GIRIH_OK
               : GIRIH_ERROR_SECRET_KEY;
}

}  // namespace

constinit const SigningFunctions signing{
    sign, for_batches(sign_many), key_size<Operations, &Operations::signing_key_size>, prepare_signing_key};
constinit const KeyFunctions keys{keygen<Operations>, nullptr, for_batches(keygen_many<Operations>),
                                  public_key<Operations>};

}  // namespace girih::ml_dsa_api
