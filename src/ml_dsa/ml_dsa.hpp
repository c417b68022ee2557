/// ML-DSA and Dilithium: key generation, signing and verification (FIPS 204, Section 6), one row at
/// a time. The numbers behind the lines are those of the standard's lines.
///
/// Algorithms 7 and 8 each stand in two functions: what follows from the key alone
/// (prepare_signing_key, prepare_verifying_key), and the rest. Signing is one text for all engines;
/// its attempts keep whole vectors, or in firmware a polynomial at a time (compact/). Engines with
/// lanes for several sponges run the other lines in another order (lanes/).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/attempt.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/hashing/sampling.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/products.hpp"
#include "ml_dsa/lattice/rounding.hpp"

namespace girih::ml_dsa {

// ---- Key generation (Section 6.1)

template <Shape S>
inline constexpr std::array<Byte, 2> k_and_l{Byte{S.k}, Byte{S.l}};

/// The bytes behind the seed in the hash (FIPS 204, Algorithm 6, line 1); in round 3.1, nothing.
template <Shape S>
[[nodiscard]] constexpr BytesIn<> dimensions(const Version& version)
{
    return BytesIn<>{k_and_l<S>}.first(version.seed_names_dimensions() ? 2 : 0);
}

/// NTT(s1), and a row of t on its way. Wiped once, when the last row is made.
template <Shape S>
struct KeygenScratch {
    PolyVector<S.l, Poly<Form::ntt, ntt_bound(SecretPoly<S>::bound), Secrecy::secret>> s1_hat;
    Poly<Form::ntt_product, reduced_bound, Secrecy::secret> product;
    Poly<Form::coefficients, reduced_bound, Secrecy::secret> a_s1;
};

template <Shape S, class Isa>
constexpr void transform_s1(const SecretVectors<S>& s, KeygenScratch<S>& scratch)
{
    for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(s.s1[j], scratch.s1_hat[j]);
}

/// A row of t = A s1 + s2 in its two parts (FIPS 204, Algorithm 6, lines 5 and 6): t0, and t1 as
/// pkEncode (FIPS 204, Algorithm 22) writes it.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void make_row_of_t(const PolyVector<S.l, MatrixPoly>& a_hat_row,
                                               const SecretPoly<S>& s2, KeygenScratch<S>& scratch, T0Poly& t0,
                                               BytesOut<packed_bytes(S.t1_bits)> t1_packed)
{
    dot<Isa>(a_hat_row, scratch.s1_hat, scratch.product);
    inverse_ntt<Isa>(scratch.product, scratch.a_s1);
    T1Poly t1;
    for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
        // |t| <= q - 1 + eta, so two conditional additions and one subtraction
        // of q reach [0, q).
        const auto t = Isa::load(&scratch.a_s1.c[j]) + Isa::load(&s2.c[j]);
        const auto [high, low] = power2round(canonical(canonical(canonical(t) - q)));
        Isa::store(&t1.c[j], high);
        Isa::store(&t0.c[j], low);
    }
    girih::declassify(std::span{t1.c}, "FIPS 204, Algorithm 6, line 8: t1 is part of the public key");
    simple_bit_pack<S.t1_bits, Isa>(t1, t1_packed);
}

/// Where t1's row i stands in a public key.
template <Shape S>
[[nodiscard]] constexpr auto t1_row(BytesOut<S.public_key_bytes()> pk, std::size_t i)
{
    constexpr std::size_t bytes = packed_bytes(S.t1_bits);
    return pk.subspan(rho_bytes + i * bytes).template first<bytes>();
}

/// t and what is made of it (FIPS 204, Algorithm 6, lines 5 to 8).
template <Shape S, class Isa>
constexpr void make_public_key(const SecretKey<S>& key, const Matrix<S>& a_hat, PolyVector<S.k, T0Poly>& t0,
                               BytesOut<S.public_key_bytes()> pk)
{
    copy(key.rho, pk.template first<rho_bytes>());
    KeygenScratch<S> scratch;
    transform_s1<S, Isa>(key.s, scratch);
    for (std::size_t i = 0; i < S.k; ++i)
        make_row_of_t<S, Isa>(a_hat[i], key.s.s2[i], scratch, t0[i], t1_row<S>(pk, i));
}

/// tr = H(pk).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void hash_public_key(BytesIn<S.public_key_bytes()> pk, BytesOut<> tr)
{
    keccak::Shake256<Isa>{}.absorb(pk).squeeze(tr);
}

/// (rho, rho', K) = H(xi | k | l) (FIPS 204, Algorithm 6, line 1).
template <Shape S, class Isa>
constexpr void expand_seed(const Version& version, BytesIn<seed_bytes> xi, BytesOut<rho_bytes> rho,
                           BytesOut<rho_prime_bytes> rho_prime, BytesOut<key_bytes> key)
{
    keccak::Shake256<Isa> h;
    h.absorb(xi).absorb(dimensions<S>(version));
    h.squeeze(rho).squeeze(rho_prime).squeeze(key);
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen(const Version& version, BytesIn<seed_bytes> xi,
                                        BytesOut<S.public_key_bytes()> pk, BytesOut<> sk)
{
    SecretKey<S> key;
    Wiped<std::array<Byte, rho_prime_bytes>> rho_prime;
    expand_seed<S, Isa>(version, xi, key.rho, *rho_prime, *key.key);  // 1
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 6, line 8: rho is part of the public key");
    Matrix<S> a_hat;
    expand_a<S, Isa>(key.rho, a_hat);                               // 3
    expand_s<S, Isa>(*rho_prime, key.s);                            // 4
    make_public_key<S, Isa>(key, a_hat, key.t0, pk);                // 5, 6, 8
    hash_public_key<S, Isa>(pk, key.tr.resized(version.tr_bytes));  // 9
    sk_encode<S, Isa>(key, sk);                                     // 10
}

/// The verdict on an imported key, of which `difference` is not 0 where it contradicts itself.
[[nodiscard]] constexpr KeyCheck consistency(Secret<std::uint32_t> difference)
{
    return declassify(difference, "a key that contradicts itself is refused, and may be known to be") == 0
               ? KeyCheck::good
               : KeyCheck::inconsistent;
}

/// The public key of a secret key, made again from rho, s1 and s2; t0 and tr are compared with
/// those of the secret key. Constant time, but for the answer.
template <Shape S, class Isa, auto expand = expand_a<S, Isa>>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(const Version& version, BytesIn<> sk,
                                                           BytesOut<S.public_key_bytes()> pk)
{
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return KeyCheck::malformed;
    Matrix<S> a_hat;
    expand(key.rho, a_hat);
    PolyVector<S.k, T0Poly> t0;
    make_public_key<S, Isa>(key, a_hat, t0, pk);
    PublicHash again;
    const BytesOut<> tr = again.resized(version.tr_bytes);
    hash_public_key<S, Isa>(pk, tr);

    Secret<std::uint32_t> difference{0};
    for (std::size_t i = 0; i < S.k; ++i)
        for (std::size_t j = 0; j < n; ++j)
            difference |= Secret<std::uint32_t>{static_cast<std::uint32_t>(t0[i].c[j] ^ key.t0[i].c[j])};
    for (std::size_t i = 0; i < tr.size(); ++i)
        difference |= Secret<std::uint32_t>{std::uint32_t{tr[i]} ^ key.tr.view()[i]};
    return consistency(difference);
}

// ---- Signing (Section 6.2)

/// The rnd of a deterministic signature (FIPS 204, Algorithm 2, line 5).
inline constexpr std::array<Byte, 32> no_rnd{};

/// The middle part of rho''. ML-DSA: rnd, where none means 32 zero bytes. Round 3.1: nothing.
[[nodiscard]] constexpr BytesIn<> hashed_rnd(const Version& version, BytesIn<> rnd)
{
    if (!version.is_hedged()) return {};
    return rnd.empty() ? BytesIn<>{no_rnd} : rnd;
}

/// Whether rho'' is not hashed but drawn: round 3.1's randomized signing.
[[nodiscard]] constexpr bool rnd_is_rho_double_prime(const Version& version, BytesIn<> rnd)
{
    return !version.is_hedged() && !rnd.empty();
}

/// rho'', which expands to y. ML-DSA: H(K | rnd | mu) (FIPS 204, Algorithm 7, line 7). Round 3.1:
/// H(K | mu), or drawn.
template <class Isa>
[[gnu::noinline]] constexpr void private_random_seed(const Version& version, BytesIn<key_bytes> key,
                                                     BytesIn<> rnd, BytesIn<mu_bytes> mu,
                                                     BytesOut<rho_prime_bytes> rho_double_prime)
{
    if (rnd_is_rho_double_prime(version, rnd)) return copy(rnd, rho_double_prime);
    keccak::Shake256<Isa>{}.absorb(key).absorb(hashed_rnd(version, rnd)).absorb(mu).squeeze(rho_double_prime);
}

/// open_signing_key, but for what it leaves on the stack.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool unpack_short_vectors(const PackedSecretKey<S>& packed,
                                                                 SigningKey<S>& key)
{
    Secret<std::uint32_t> out_of_range{0};
    SecretPoly<S> s;
    for (std::size_t j = 0; j < S.l; ++j) {
        out_of_range |= unpack_short<S, Isa>(packed.s1(j), s);
        key.s1[j].set(s);  // 2
    }
    for (std::size_t i = 0; i < S.k; ++i) {
        out_of_range |= unpack_short<S, Isa>(packed.s2(i), s);
        key.s2[i].set(s);  // 3
    }
    return is_well_formed(out_of_range);
}

/// skDecode (FIPS 204, Algorithm 25), with s1 and s2 as products take them (FIPS 204, Algorithm 7,
/// lines 1 to 3): all of a signing key but A. False for a malformed key, as sk_decode says.
/// Constant time, but for the answer.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool open_signing_key(const Version& version,
                                                             const PackedSecretKey<S>& packed,
                                                             std::array<Byte, rho_bytes>& rho,
                                                             SigningKey<S>& key)
{
    key.version = version;
    packed.unpack(rho, *key.key, key.tr);
    if (unpack_short_vectors<S, Isa>(packed, key)) return true;
    // Nothing that follows a refusal would overwrite what unpacking has spilled.
    if (!std::is_constant_evaluated()) wipe_stack_below(8192);
    return false;
}

/// The NTT form of t0 (FIPS 204, Algorithm 7, line 4).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_t0(const PackedSecretKey<S>& packed,
                                            PolyVector<S.k, T0HatPoly>& t0_hat)
{
    T0Poly t0;
    for (std::size_t i = 0; i < S.k; ++i) {
        bit_unpack<d, T0Poly::bound.high, Isa>(packed.t0(i), t0);
        ntt<Isa>(t0, t0_hat[i]);
    }
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), as far as it needs no message. False for a
/// malformed key. Constant time, but for the answer.
template <Shape S, class Isa, auto expand = expand_a<S, Isa>>
[[nodiscard, gnu::noinline]] constexpr bool prepare_signing_key(const Version& version, BytesIn<> sk,
                                                                PreparedSigningKey<S>& prepared)
{
    const PackedSecretKey<S> packed{version, sk};
    std::array<Byte, rho_bytes> rho;
    if (!open_signing_key<S, Isa>(version, packed, rho, prepared)) return false;  // 1 to 3
    prepare_t0<S, Isa>(packed, prepared.t0_hat);                                  // 4
    expand(rho, prepared.a_hat);                                                  // 5
    return true;
}

/// c~ and c of a commitment.
template <Shape S, class Isa>
constexpr void make_challenge(const Version& version, BytesIn<mu_bytes> mu, Masks<S, Isa>&,
                              Attempt<S>& attempt)
{
    const BytesOut<> c_tilde = attempt.c_tilde.resized(version.c_tilde_bytes);
    keccak::Shake256<Isa>{}.absorb(mu).absorb(*attempt.w1_encoded).squeeze(c_tilde);  // 15
    declassify_challenge(c_tilde);
    attempt.c = sample_in_ball<S, Isa>(c_tilde);  // 16
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), lines 8 to 33. False, with a zeroed signature,
/// after max_attempts rejections.
///
/// Constant time, but for the number of attempts and what rejected each.
template <class Attempts, class Observer>
[[nodiscard, gnu::always_inline]] constexpr bool sign_by(Attempts& attempts, BytesIn<mu_bytes> mu,
                                                         BytesOut<> sigma, Observer&& observe)
{
    // The counter of ExpandMask has 16 bits, and no attempt may see it wrap.
    static_assert(max_attempts * Attempts::l <= 0xFFFF);
    for (std::size_t kappa = 0; kappa < max_attempts * Attempts::l; kappa += Attempts::l) {  // 8, 10, 31
        attempts.commit(kappa);                                                              // 11 to 13
        attempts.challenge(mu);                                                              // 15, 16
        const auto rejection = attempts.respond();                                           // 17 to 28
        if (!rejection) {
            attempts.encode_accepted(sigma);  // 33
            return true;
        }
        observe(*rejection);
    }
    for (Byte& byte : sigma) byte = 0;
    return false;
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), from the message representative mu. rnd has
/// Version::rnd_bytes bytes, or none for a deterministic signature.
template <Shape S, class Isa, template <Shape, class> class MasksOf = Masks, class Observer = Unobserved>
[[nodiscard, gnu::noinline]] constexpr bool sign_mu(const SigningKey<S>& key, const T0Hat<S, Isa>& t0_hat,
                                                    BytesIn<mu_bytes> mu, BytesIn<> rnd, BytesOut<> sigma,
                                                    Observer&& observe = {})
{
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
    private_random_seed<Isa>(key.version, *key.key, rnd, mu, *rho_double_prime);  // 7
    KeptAttempts<S, Isa, MasksOf> attempts{key, t0_hat, *rho_double_prime};
    const bool is_signed = sign_by(attempts, mu, sigma, observe);  // 8 to 33
    // Nothing that follows would overwrite what the last products, below the frame of respond, have
    // spilled.
    if (!std::is_constant_evaluated()) wipe_stack_below(6144);
    return is_signed;
}

/// That of a prepared key.
template <Shape S, class Isa, template <Shape, class> class MasksOf = Masks, class Observer = Unobserved>
[[nodiscard]] constexpr bool sign_mu(const PreparedSigningKey<S>& key, BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                     BytesOut<> sigma, Observer&& observe = {})
{
    return sign_mu<S, Isa, MasksOf>(key, T0Hat<S, Isa>{key}, mu, rnd, sigma, observe);
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7) of a secret key, from mu.
template <Shape S, class Isa, template <Shape, class> class MasksOf = Masks, auto expand = expand_a<S, Isa>>
[[nodiscard, gnu::noinline]] constexpr SignResult sign_mu(const Version& version, BytesIn<> sk,
                                                          BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                                          BytesOut<> sigma)
{
    const PackedSecretKey<S> packed{version, sk};
    SigningKey<S> key;
    std::array<Byte, rho_bytes> rho;
    if (!open_signing_key<S, Isa>(version, packed, rho, key)) return SignResult::malformed_key;
    expand(rho, key.a_hat);
    return sign_mu<S, Isa, MasksOf>(key, T0Hat<S, Isa>{packed}, mu, rnd, sigma)
               ? SignResult::good
               : SignResult::too_many_attempts;
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7) of a secret key and a message.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr SignResult sign(const Version& version, BytesIn<> sk,
                                                       const Frame& frame, BytesIn<> message, BytesIn<> rnd,
                                                       BytesOut<> sigma)
{
    std::array<Byte, mu_bytes> mu;
    const BytesIn<> tr = PackedSecretKey<S>{version, sk}.tr;
    message_representative<Isa>(tr, frame, message, mu);  // 6
    return sign_mu<S, Isa>(version, sk, mu, rnd, sigma);  // 1 to 5, 7 to 34
}

// ---- Verification (Section 6.3)

/// A public key with all that verification makes of it before it sees a signature: A, tr, and the
/// NTT form of t1 2^d.
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
/// representative mu. Variable time, as everything that follows: signatures and public keys are
/// public.
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
