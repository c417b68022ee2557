/// Verification (FIPS 204, Section 6.3).
///
/// Variable time throughout: everything here is public.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "ml_dsa/encode.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/ntt.hpp"
#include "ml_dsa/rounding.hpp"
#include "ml_dsa/sample.hpp"
#include "ml_dsa/sign.hpp"

namespace girih::ml_dsa {

/// A public key with all that verification makes of it: A, tr, and the NTT form of t1 2^d.
template <Params P>
struct PreparedVerifyingKey {
    using T1HatPoly = Poly<Form::ntt, ntt_bound(Bound{0, T1Poly::bound.high << d})>;

    std::array<Byte, P.tr_bytes> tr;
    Matrix<P> a_hat;
    PolyVector<P.k, T1HatPoly> t1_hat;
};

/// FIPS 204, Algorithm 8, lines 1, 5 and 6, and the NTT of t1 2^d from line 9.
template <Params P, class Isa>
constexpr void prepare_verifying_key(BytesIn<P.public_key_bytes()> pk, PreparedVerifyingKey<P>& prepared)
{
    const PublicKey<P> key = pk_decode<P>(pk);
    expand_a<P, Isa>(key.rho, prepared.a_hat);
    hash_public_key<P, Isa>(pk, prepared.tr);
    for (std::size_t i = 0; i < P.k; ++i) {
        Poly<Form::coefficients, Bound{0, T1Poly::bound.high << d}> shifted;
        map<Isa>([](auto t) { return t << d; }, shifted.c, key.t1[i].c);
        prepared.t1_hat[i] = ntt<Isa>(shifted);
    }
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message representative mu.
template <Params P, class Isa>
[[nodiscard]] constexpr bool verify_mu_vartime(const PreparedVerifyingKey<P>& key, BytesIn<mu_bytes> mu,
                                               BytesIn<P.signature_bytes()> bytes)
{
    const auto sig = sig_decode<P>(bytes);  // z in range, hints canonical, or nothing
    if (!sig) return false;

    const auto c_hat = ntt<Isa>(sample_in_ball<P, Isa>(sig->c_tilde));
    PolyVector<P.l, decltype(ntt<Isa>(sig->z[0]))> z_hat;
    for (std::size_t j = 0; j < P.l; ++j) z_hat[j] = ntt<Isa>(sig->z[j]);

    PolyVector<P.k, Poly<Form::coefficients, Bound{0, P.w1_max()}>> w1;
    for (std::size_t i = 0; i < P.k; ++i) {
        const auto w = inverse_ntt<Isa>(dot_less_product<Isa>(key.a_hat[i], z_hat, c_hat, key.t1_hat[i]));
        map<Isa>([](auto hint, auto r) { return use_hint<P.gamma2>(hint, canonical(r)); }, w1[i].c,
                 sig->h[i].c, w.c);
    }
    std::array<Byte, P.c_tilde_bytes> c_tilde;
    challenge_hash<P, Isa>(mu, w1, c_tilde);
    return c_tilde == sig->c_tilde;
}

}  // namespace girih::ml_dsa
