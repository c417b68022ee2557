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

/// The checks that come first when a message or its representative is signed.
inline int check_row(const girih_alg& alg, const girih_sign_row& row, const SigningOutputs& outputs)
{
    GIRIH_TRY(check_key(alg, row));
    GIRIH_TRY(check_engine());
    if (!is_there(row.message, row.message_bytes)) return GIRIH_ERROR_ARGUMENT;
    return outputs.check_capacity(alg);
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
