/// Verification (FIPS 204, Section 6.3).
///
/// Variable time throughout: everything here is public.
#pragma once

#include <algorithm>
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

/// All that verification makes of a public key (FIPS 204, Algorithm 8, lines 1, 5 and 6).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_verifying_key(const Version& version,
                                                       BytesIn<S.public_key_bytes()> pk,
                                                       PreparedVerifyingKey<S>& prepared)
{
    using Lanes = typename Isa::WideWords;
    const PublicKey<S> key = pk_decode<S, Isa>(pk);
    prepared.version = version;
    std::array tr_task{keccak::HashTask<Isa>{{pk}, prepared.tr.room(version.tr_bytes)}};
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, prepared.a_hat);
    keccak::run<Lanes>(tr_task, a_tasks);
    prepare_t1<S, Isa>(key, prepared);
}

/// w1 that a signature leads to, encoded (FIPS 204, Algorithm 8, lines 9 to 11).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void recompute_w1(const PreparedVerifyingKey<S>& key, const Signature<S>& sig,
                                              const ChallengePoly& c, BytesOut<S.w1_bytes()> w1_encoded)
{
    const auto c_hat = ntt<Isa>(c);
    PolyVector<S.l, decltype(ntt<Isa>(sig.z[0]))> z_hat;
    for (std::size_t j = 0; j < S.l; ++j) z_hat[j] = ntt<Isa>(sig.z[j]);

    PolyVector<S.k, Poly<Form::coefficients, Bound{0, S.w1_max()}>> w1;
    for (std::size_t i = 0; i < S.k; ++i) {
        const auto w = inverse_ntt<Isa>(dot_less_product<Isa>(key.a_hat[i], z_hat, c_hat, key.t1_hat[i]));
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&w1[i].c[j],
                       use_hint<S.gamma2>(Isa::load(&sig.h[i].c[j]), canonical(Isa::load(&w.c[j]))));
    }
    w1_encode<S, Isa>(w1, w1_encoded);
}

/// Whether c~ is the hash of mu and of the w1 that the signature leads to
/// (FIPS 204, Algorithm 8, lines 9 to 13).
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool answers_challenge(const PreparedVerifyingKey<S>& key,
                                                              BytesIn<mu_bytes> mu, const Signature<S>& sig,
                                                              const ChallengePoly& c)
{
    std::array<Byte, S.w1_bytes()> w1_encoded;
    recompute_w1<S, Isa>(key, sig, c, w1_encoded);
    const BytesIn<> c_tilde = sig.c_tilde.view();
    PublicHash again;
    keccak::Shake256<Isa>{}.absorb(mu).absorb(w1_encoded).squeeze(again.room(c_tilde.size()));
    return std::ranges::equal(again.view(), c_tilde);
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message representative mu.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_mu_vartime(const PreparedVerifyingKey<S>& key,
                                                              BytesIn<mu_bytes> mu, BytesIn<> bytes)
{
    const auto sig = sig_decode<S, Isa>(key.version, bytes);  // z in range, hints canonical, or nothing
    return sig && answers_challenge<S, Isa>(key, mu, *sig, sample_in_ball<S, Isa>(sig->c_tilde.view()));
}

/// The same from a public key and a message, with all hashing that can be done at
/// once done at once.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool verify_vartime(const Version& version,
                                                           BytesIn<S.public_key_bytes()> pk,
                                                           const Frame& frame, BytesIn<> message,
                                                           BytesIn<> bytes)
{
    using Lanes = typename Isa::WideWords;
    const auto sig = sig_decode<S, Isa>(version, bytes);
    if (!sig) return false;

    PreparedVerifyingKey<S> key;
    const PublicKey<S> decoded = pk_decode<S, Isa>(pk);
    std::array<Byte, mu_bytes> mu;
    ChallengePoly c;
    key.version = version;
    const BytesOut<> tr = key.tr.room(version.tr_bytes);
    auto mu_task = ml_dsa::mu_task<Isa>(tr, frame, message, mu);
    std::array tr_task{keccak::HashTask<Isa>{{pk}, tr, rides_along(message) ? &mu_task : nullptr}};
    std::array c_task{BallTask<S, Isa>{sig->c_tilde.view(), c}};
    auto a_tasks = expand_a_tasks<S, Isa>(decoded.rho, key.a_hat);
    keccak::run<Lanes>(tr_task, c_task, a_tasks);
    if (!rides_along(message)) message_representative<Isa>(tr, frame, message, mu);

    prepare_t1<S, Isa>(decoded, key);
    return answers_challenge<S, Isa>(key, mu, *sig, c);
}

}  // namespace girih::ml_dsa
