/// Signing and verifying with ML-DSA, of a message or of its representative.
#pragma once

#include "api/ml_dsa/framing.hpp"
#include "api/ml_dsa/tables.hpp"
#include "api/signing.hpp"

namespace girih::ml_dsa_api {

using namespace api;

/// The randomness of one signature, if the options ask for any.
class SigningRandomness {
  public:
    int draw_for(const girih_alg& alg, const girih_options& options);
    /// Null for a deterministic signature.
    [[nodiscard]] const Byte* data() const { return drawn_ ? bytes_->data() : nullptr; }

  private:
    Wiped<std::array<Byte, ml_dsa::rho_prime_bytes>> bytes_;
    bool drawn_ = false;
};

/// The common part of all functions that sign: calls frame(), which checks and frames the message,
/// sign(rnd, signature), which writes the signature, and verify(row), which verifies it. None of
/// them touches the caller's outputs.
template <class Frame, class Sign, class Verify>
int sign_with(const girih_alg& alg, const girih_sign_row& row, SigningOutputs& outputs, Frame frame,
              Sign sign, Verify verify)
{
    const SignedRow signed_row{row};
    GIRIH_TRY(check_engine());
    if (!is_there(row.message, row.message_bytes)) return GIRIH_ERROR_ARGUMENT;
    GIRIH_TRY(outputs.check_capacity(alg));
    GIRIH_TRY(frame());  // first, because a refused message draws no randomness
    SigningRandomness random;
    GIRIH_TRY(random.draw_for(alg, or_default(row.options)));
    ResultBuffer<max_signature_bytes> signature{alg.signature_bytes};
    GIRIH_TRY(sign(random.data(), signature.data()));
    return write_signature(alg, signed_row.secret_key(), or_default(row.options), signature.view(), outputs,
                           [&](const Byte* public_key, BytesIn<> made) {
                               return verify(alg, signed_row.with(alg, public_key, made));
                           });
}

inline int error_of(ml_dsa::SignResult result)
{
    switch (result) {
        case ml_dsa::SignResult::malformed_key:
            return GIRIH_ERROR_SECRET_KEY;
        case ml_dsa::SignResult::too_many_attempts:
            return GIRIH_ERROR_ATTEMPTS;
        case ml_dsa::SignResult::good:
            break;
    }
    return GIRIH_OK;
}

}  // namespace girih::ml_dsa_api
