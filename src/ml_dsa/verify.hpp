/// Verification (FIPS 204, Section 6.3).
///
/// Variable time throughout: everything here is public.
#pragma once

#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"
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

/// t1 2^d in NTT form (FIPS 204, Algorithm 8, line 9).
template <Params P, class Isa>
constexpr void prepare_t1(const PublicKey<P>& key, PreparedVerifyingKey<P>& prepared)
{
    for (std::size_t i = 0; i < P.k; ++i) {
        Poly<Form::coefficients, Bound{0, T1Poly::bound.high << d}> shifted;
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&shifted.c[j], Isa::load(&key.t1[i].c[j]) << d);
        prepared.t1_hat[i] = ntt<Isa>(shifted);
    }
}

/// All that verification makes of a public key (FIPS 204, Algorithm 8, lines 1, 5 and 6).
template <Params P, class Isa>
constexpr void prepare_verifying_key(BytesIn<P.public_key_bytes()> pk, PreparedVerifyingKey<P>& prepared)
{
    using Lanes = typename Isa::WideWords;
    const PublicKey<P> key = pk_decode<P, Isa>(pk);
    std::array tr_task{keccak::HashTask<Isa>{{pk}, prepared.tr}};
    auto a_tasks = expand_a_tasks<P, Isa>(key.rho, prepared.a_hat);
    keccak::run<Lanes>(tr_task, a_tasks);
    prepare_t1<P, Isa>(key, prepared);
}

/// w1 that a signature leads to, encoded (FIPS 204, Algorithm 8, lines 9 to 11).
template <Params P, class Isa>
constexpr void answer(const PreparedVerifyingKey<P>& key, const Signature<P>& sig, const ChallengePoly& c,
                      BytesOut<P.w1_bytes()> w1_encoded)
{
    const auto c_hat = ntt<Isa>(c);
    PolyVector<P.l, decltype(ntt<Isa>(sig.z[0]))> z_hat;
    for (std::size_t j = 0; j < P.l; ++j) z_hat[j] = ntt<Isa>(sig.z[j]);

    PolyVector<P.k, Poly<Form::coefficients, Bound{0, P.w1_max()}>> w1;
    for (std::size_t i = 0; i < P.k; ++i) {
        const auto w = inverse_ntt<Isa>(dot_less_product<Isa>(key.a_hat[i], z_hat, c_hat, key.t1_hat[i]));
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&w1[i].c[j],
                       use_hint<P.gamma2>(Isa::load(&sig.h[i].c[j]), canonical(Isa::load(&w.c[j]))));
    }
    w1_encode<P, Isa>(w1, w1_encoded);
}

/// Whether c~ is the hash of mu and of the w1 that the signature leads to (FIPS 204, Algorithm 8, lines 9 to 13).
template <Params P, class Isa>
[[nodiscard]] constexpr bool answers_challenge(const PreparedVerifyingKey<P>& key, BytesIn<mu_bytes> mu,
                                               const Signature<P>& sig, const ChallengePoly& c)
{
    std::array<Byte, P.w1_bytes()> w1_encoded;
    answer<P, Isa>(key, sig, c, w1_encoded);
    std::array<Byte, P.c_tilde_bytes> c_tilde;
    keccak::Shake256<Isa>{}.absorb(mu).absorb(w1_encoded).squeeze(c_tilde);
    return c_tilde == sig.c_tilde;
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message representative mu.
template <Params P, class Isa>
[[nodiscard]] constexpr bool verify_mu_vartime(const PreparedVerifyingKey<P>& key, BytesIn<mu_bytes> mu,
                                               BytesIn<P.signature_bytes()> bytes)
{
    const auto sig = sig_decode<P, Isa>(bytes);  // z in range, hints canonical, or nothing
    return sig && answers_challenge<P, Isa>(key, mu, *sig, sample_in_ball<P, Isa>(sig->c_tilde));
}

/// The same from a public key and a message, with all hashing that can be done at once done at once.
template <Params P, class Isa>
[[nodiscard]] constexpr bool verify_vartime(BytesIn<P.public_key_bytes()> pk, const Frame& frame,
                                            BytesIn<> message, BytesIn<P.signature_bytes()> bytes)
{
    using Lanes = typename Isa::WideWords;
    const auto sig = sig_decode<P, Isa>(bytes);
    if (!sig) return false;

    PreparedVerifyingKey<P> key;
    const PublicKey<P> decoded = pk_decode<P, Isa>(pk);
    std::array<Byte, mu_bytes> mu;
    ChallengePoly c;
    auto mu_task = ml_dsa::mu_task<Isa>(key.tr, frame, message, mu);
    std::array tr_task{keccak::HashTask<Isa>{{pk}, key.tr, rides_along(message) ? &mu_task : nullptr}};
    std::array c_task{BallTask<P, Isa>{sig->c_tilde, c}};
    auto a_tasks = expand_a_tasks<P, Isa>(decoded.rho, key.a_hat);
    keccak::run<Lanes>(tr_task, c_task, a_tasks);
    if (!rides_along(message)) message_representative<Isa>(key.tr, frame, message, mu);

    prepare_t1<P, Isa>(decoded, key);
    return answers_challenge<P, Isa>(key, mu, *sig, c);
}

}  // namespace girih::ml_dsa
