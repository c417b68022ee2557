/// ML-DSA in little memory, byte for byte what standard/ makes. The trailing comments of keygen,
/// sign and verify_vartime give the line numbers of FIPS 204, Algorithms 6, 7 and 8.
///
/// The matrix is never stored when nothing needs it twice: each coefficient is used as it comes out
/// of its sponge. Keys stay packed, and are unpacked a polynomial at a time. There are two plans.
/// `small` computes everything again whenever it is needed; its largest frames hold one or two
/// polynomials and, in signing, k more of 24 bits a coefficient. `fast` keeps transformed vectors
/// and, in signing, the matrix and the masks.
#pragma once

#include "isa/isa.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/small/keygen.hpp"
#include "ml_dsa/small/sign.hpp"
#include "ml_dsa/small/verify.hpp"

namespace girih::ml_dsa::small {

enum class Plan { small, fast };

template <Params P, isa::TransformsWords Isa, Plan plan>
struct Scheme {
    static constexpr bool keeps = plan == Plan::fast;
    static constexpr auto& keygen = small::keygen<P, Isa, keeps>;
    static constexpr auto& public_key = small::public_key<P, Isa, keeps>;
    static constexpr auto& sign = small::sign<P, Isa, keeps>;
    static constexpr auto& sign_mu = small::sign_mu<P, Isa, keeps>;
    static constexpr auto& verify_mu_vartime = small::verify_mu_vartime<P, Isa, keeps>;
    /// (No reference: at -Og, g++ cannot inline through one, as this function has to be.)
    [[nodiscard, gnu::always_inline]] static bool verify_vartime(PublicKeyIn<P> pk, const Frame& frame,
                                                                 BytesIn<> message, SignatureIn<P> sig)
    {
        return small::verify_vartime<P, Isa, keeps>(pk, frame, message, sig);
    }
};

}  // namespace girih::ml_dsa::small
