/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8). Trailing comments give the standard's line
/// numbers.
///
/// prepare_verifying_key computes everything that follows from the public key alone. The portable
/// engine and tests run this text; engines with lanes for several sponges run lanes/verify.hpp, and
/// microcontrollers small/verify.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// A public key with everything that verification derives from it before it sees a signature: A,
/// tr, and the NTT form of t1 2^d.
template <Shape S>
struct PreparedVerifyingKey {
    using T1HatPoly = Poly<Form::ntt, ntt_bound(Bound{0, T1Poly::bound.high << d})>;

    Version version;
    PublicHash tr;
    Matrix<S> a_hat;
    PolyVector<S.k, T1HatPoly> t1_hat;
};

/// t1 2^d in NTT form (FIPS 204, Algorithm 8, line 9).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_t1(const PublicKey<S>& key, PreparedVerifyingKey<S>& prepared)
{
    for (std::size_t i = 0; i < S.k; ++i) {
        Poly<Form::coefficients, Bound{0, T1Poly::bound.high << d}> shifted;
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&shifted.c[j], Isa::load(&key.t1[i].c[j]) << d);
        prepared.t1_hat[i] = ntt<Isa>(shifted);
    }
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), as far as it needs the public key alone.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_verifying_key(const Version& version,
                                                       BytesIn<S.public_key_bytes()> pk,
                                                       PreparedVerifyingKey<S>& prepared)
{
    const PublicKey<S> key = pk_decode<S, Isa>(pk);  // 1
    prepared.version = version;
    expand_a<S, Isa>(key.rho, prepared.a_hat);                           // 5
    hash_public_key<S, Isa>(pk, prepared.tr.resized(version.tr_bytes));  // 6
    prepare_t1<S, Isa>(key, prepared);                                   // 9
}

/// NTT(c) and NTT(z) of a signature.
template <Shape S>
struct TransformedSignature {
    Poly<Form::ntt, ntt_bound(ChallengePoly::bound)> c_hat;
    PolyVector<S.l, Poly<Form::ntt, ntt_bound(AcceptedZPoly<S>::bound)>> z_hat;
};

template <Shape S, class Isa>
constexpr void transform(const ChallengePoly& c, const Signature<S>& sig, TransformedSignature<S>& to)
{
    ntt<Isa>(c, to.c_hat);
    for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(sig.z[j], to.z_hat[j]);
}

/// A row of the w1 that a signature leads to (FIPS 204, Algorithm 8, lines 9 and 10), as w1Encode
/// writes it.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void make_row_of_w1(std::size_t i, const PreparedVerifyingKey<S>& key,
                                                const TransformedSignature<S>& transformed, const HintPoly& h,
                                                BytesOut<S.w1_bytes()> w1_encoded)
{
    const auto w = inverse_ntt<Isa>(  // 9
        dot_less_product<Isa>(key.a_hat[i], transformed.z_hat, transformed.c_hat, key.t1_hat[i]));
    Poly<Form::coefficients, Bound{0, S.w1_max()}> w1;
    for (std::size_t j = 0; j < n; j += Isa::integer_lanes)  // 10
        Isa::store(&w1.c[j], use_hint<S.gamma2>(Isa::load(&h.c[j]), canonical(Isa::load(&w.c[j]))));
    simple_bit_pack<S.w1_bits(), Isa>(w1, w1_row<S>(w1_encoded, i));
}

/// Whether c~ of a signature is the hash of mu and of the w1 that it leads to, for c =
/// SampleInBall(c~) (FIPS 204, Algorithm 8, lines 9 to 13).
template <Shape S, class Isa>
[[nodiscard]] constexpr bool answers_challenge(const PreparedVerifyingKey<S>& key, BytesIn<mu_bytes> mu,
                                               const Signature<S>& sig, const ChallengePoly& c)
{
    TransformedSignature<S> transformed;
    transform<S, Isa>(c, sig, transformed);
    std::array<Byte, S.w1_bytes()> w1_encoded;
    for (std::size_t i = 0; i < S.k; ++i)
        make_row_of_w1<S, Isa>(i, key, transformed, sig.h[i], w1_encoded);  // 9, 10
    PublicHash c_tilde;
    keccak::Shake256<Isa>{}
        .absorb(mu)
        .absorb(w1_encoded)
        .squeeze(c_tilde.resized(key.version.c_tilde_bytes));       // 12
    return std::ranges::equal(c_tilde.view(), sig.c_tilde.view());  // 13
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8) of a prepared key, from the message
/// representative mu. Variable time, like everything below: signatures and public keys are public.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_mu_vartime(const PreparedVerifyingKey<S>& key,
                                                              BytesIn<mu_bytes> mu, BytesIn<> sigma)
{
    Signature<S> sig;
    if (!sig_decode<S, Isa>(key.version, sigma, sig)) return false;      // 2, 3, 13
    const ChallengePoly c = sample_in_ball<S, Isa>(sig.c_tilde.view());  // 8
    return answers_challenge<S, Isa>(key, mu, sig, c);                   // 9 to 13
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8) of a public key and a message.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_vartime(const Version& version,
                                                           BytesIn<S.public_key_bytes()> pk,
                                                           const Frame& frame, BytesIn<> message,
                                                           BytesIn<> sigma)
{
    Signature<S> sig;
    if (!sig_decode<S, Isa>(version, sigma, sig)) return false;  // 2, 3, 13
    PreparedVerifyingKey<S> key;
    prepare_verifying_key<S, Isa>(version, pk, key);  // 1, 5, 6
    std::array<Byte, mu_bytes> mu;
    message_representative<Isa>(key.tr.view(), frame, message, mu);      // 7
    const ChallengePoly c = sample_in_ball<S, Isa>(sig.c_tilde.view());  // 8
    return answers_challenge<S, Isa>(key, mu, sig, c);                   // 9 to 13
}

}  // namespace girih::ml_dsa
