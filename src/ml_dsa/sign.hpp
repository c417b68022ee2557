/// Signing (FIPS 204, Section 6.2).
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encode.hpp"
#include "ml_dsa/ntt.hpp"
#include "ml_dsa/rounding.hpp"
#include "ml_dsa/sample.hpp"

namespace girih::ml_dsa {

/// Why an attempt was thrown away, in the order in which signing looks.
enum class Rejection {
    r0,     ///< |w0 - c s2| >= gamma2 - beta
    z,      ///< |z| >= gamma1 - beta
    ct0,    ///< |c t0| >= gamma2
    hints,  ///< more than omega of them
};

/// Sees each rejection; this one looks away. Tests pass one that counts.
struct Unobserved {
    constexpr void operator()(Rejection) const noexcept {}
};

/// A secret key with all that signing makes of it: A and the NTT forms of s1, s2 and t0.
template <Params P>
struct PreparedSigningKey {
    using SHatPoly = Poly<Form::ntt, ntt_bound(SecretPoly<P>::bound), Secrecy::secret>;
    using T0HatPoly = Poly<Form::ntt, ntt_bound(T0Poly::bound), Secrecy::secret>;

    Wiped<std::array<Byte, key_bytes>> key;  ///< K
    std::array<Byte, P.tr_bytes> tr;
    Matrix<P> a_hat;
    PolyVector<P.l, SHatPoly> s1_hat;
    PolyVector<P.k, SHatPoly> s2_hat;
    PolyVector<P.k, T0HatPoly> t0_hat;
};

/// FIPS 204, Algorithm 7, lines 1 to 5. False for a malformed key. Constant time, but for the answer.
template <Params P, class Isa>
[[nodiscard]] constexpr bool prepare_signing_key(BytesIn<P.secret_key_bytes()> sk,
                                                 PreparedSigningKey<P>& prepared)
{
    SecretKey<P> key;
    if (!sk_decode<P>(sk, key)) return false;
    *prepared.key = *key.key;
    prepared.tr = key.tr;
    expand_a<P, Isa>(key.rho, prepared.a_hat);
    for (std::size_t j = 0; j < P.l; ++j) prepared.s1_hat[j] = ntt<Isa>(key.s.s1[j]);
    for (std::size_t i = 0; i < P.k; ++i) prepared.s2_hat[i] = ntt<Isa>(key.s.s2[i]);
    for (std::size_t i = 0; i < P.k; ++i) prepared.t0_hat[i] = ntt<Isa>(key.t0[i]);
    return true;
}

/// All ones if some |coefficient| is at least `limit`, else zero. Constant time.
///
/// That an attempt was rejected, and by which polynomial, may be known: whether a coefficient is too large does not
/// depend on the secret (the distribution of z and r0 inside the limit is the same for each), only its sign would.
template <class Isa, class P>
[[nodiscard]] constexpr Secret<std::uint32_t> exceeds(const P& a, std::int32_t limit)
{
    auto too_large = Isa::broadcast_integer(0);
    for (std::size_t i = 0; i < n; i += Isa::integer_lanes) {
        const auto c = Isa::load(&a.c[i]);
        too_large = too_large | (limit - 1 - c) | (limit - 1 + c);
    }
    return Secret<std::uint32_t>{static_cast<std::uint32_t>(Isa::any_negative(too_large))};
}

[[nodiscard]] constexpr bool is_rejected(Secret<std::uint32_t> decision)
{
    return declassify(decision,
                      "FIPS 204, Section 3.2 and Appendix C: the number of attempts is not secret") != 0;
}

/// w split in high and low parts: w1 goes to the verifier inside the challenge, w0 never leaves.
template <Params P>
struct SplitCommitment {
    PolyVector<P.k, Poly<Form::coefficients, Bound{0, P.w1_max()}, Secrecy::secret>> w1;
    PolyVector<P.k, Poly<Form::coefficients, Bound::symmetric(P.gamma2), Secrecy::secret>> w0;
};

/// w = A y, decomposed (FIPS 204, Algorithm 7, lines 12 and 13).
template <Params P, class Isa>
constexpr void commit(const Matrix<P>& a_hat, const PolyVector<P.l, MaskPoly<P>>& y, SplitCommitment<P>& w)
{
    PolyVector<P.l, decltype(ntt<Isa>(y[0]))> y_hat;
    for (std::size_t j = 0; j < P.l; ++j) y_hat[j] = ntt<Isa>(y[j]);
    for (std::size_t i = 0; i < P.k; ++i) {
        const auto w_i = inverse_ntt<Isa>(dot<Isa>(a_hat[i], y_hat));
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
            const auto [high, low] = decompose<P.gamma2>(canonical(Isa::load(&w_i.c[j])));
            Isa::store(&w.w1[i].c[j], high);
            Isa::store(&w.w0[i].c[j], low);
        }
    }
}

/// c~ = H(mu | w1Encode(w1)) (FIPS 204, Algorithm 7, line 15; Algorithm 8, line 12).
template <Params P, class Isa, class W1>
constexpr void challenge_hash(BytesIn<mu_bytes> mu, const W1& w1, BytesOut<P.c_tilde_bytes> c_tilde)
{
    keccak::Shake256<Isa> h;
    h.absorb(mu);
    Wiped<std::array<Byte, packed_bytes(P.w1_bits())>> packed;
    for (std::size_t i = 0; i < P.k; ++i) {
        w1_encode<P>(w1[i], *packed);
        h.absorb(*packed);
    }
    h.squeeze(c_tilde);
}

/// Answers one commitment (FIPS 204, Algorithm 7, lines 16 to 28): a signature, or why there is none.
///
/// The checks come in the order that rejects soonest: r0 fails more often than z, c t0 and the hints hardly ever. The
/// order changes neither the result nor what the number of attempts tells.
template <Params P, class Isa>
[[nodiscard]] constexpr std::optional<Rejection> respond(const PreparedSigningKey<P>& key,
                                                         const PolyVector<P.l, MaskPoly<P>>& y,
                                                         const SplitCommitment<P>& w, Signature<P>& sig)
{
    const auto c_hat = ntt<Isa>(sample_in_ball<P, Isa>(sig.c_tilde));

    using R0Poly = decltype(subtract<Isa>(w.w0[0], inverse_ntt<Isa>(multiply<Isa>(c_hat, key.s2_hat[0]))));
    PolyVector<P.k, R0Poly> r0;
    for (std::size_t i = 0; i < P.k; ++i) {
        r0[i] = subtract<Isa>(w.w0[i], inverse_ntt<Isa>(multiply<Isa>(c_hat, key.s2_hat[i])));
        if (is_rejected(exceeds<Isa>(r0[i], P.gamma2 - P.beta()))) return Rejection::r0;
    }
    for (std::size_t j = 0; j < P.l; ++j) {
        const auto z = add<Isa>(y[j], inverse_ntt<Isa>(multiply<Isa>(c_hat, key.s1_hat[j])));
        if (is_rejected(exceeds<Isa>(z, P.gamma1 - P.beta()))) return Rejection::z;
        sig.z[j].c = z.c;
    }
    std::size_t hints = 0;
    for (std::size_t i = 0; i < P.k; ++i) {
        const auto ct0 = inverse_ntt<Isa>(multiply<Isa>(c_hat, key.t0_hat[i]));
        if (is_rejected(exceeds<Isa>(ct0, P.gamma2))) return Rejection::ct0;
        const auto low_after = add<Isa>(r0[i], ct0);
        map<Isa>([](auto low, auto high) { return make_hint_from_low<P.gamma2>(low, high); }, sig.h[i].c,
                 low_after.c, w.w1[i].c);
        Secret<std::uint32_t> ones{0};
        for (const std::int32_t bit : sig.h[i].c)
            ones += Secret<std::uint32_t>{static_cast<std::uint32_t>(bit)};
        hints += declassify(ones, "FIPS 204, Algorithm 7, line 28: too many hints reject the attempt");
    }
    if (hints > P.omega) return Rejection::hints;

    for (auto& z : sig.z.p)
        girih::declassify(std::span{z.c}, "FIPS 204, Algorithm 7, line 33: an accepted z is the signature");
    for (auto& h : sig.h.p)
        girih::declassify(std::span{h.c},
                          "FIPS 204, Algorithm 7, line 33: an accepted hint is the signature");
    return std::nullopt;
}

/// rho'', from which each attempt's y is expanded. ML-DSA: H(K | rnd | mu) (FIPS 204, Algorithm 7, line 7), where no rnd
/// means 32 zero bytes. Round 3.1: H(K | mu), or rnd itself.
template <Params P, class Isa>
constexpr void private_random_seed(BytesIn<key_bytes> key, BytesIn<> rnd, BytesIn<mu_bytes> mu,
                                   BytesOut<rho_prime_bytes> rho_double_prime)
{
    if (!P.is_hedged() && !rnd.empty()) return copy(rnd, rho_double_prime);
    keccak::Shake256<Isa> h;
    h.absorb(key);
    constexpr std::array<Byte, P.rnd_bytes()> zeros{};
    if (P.is_hedged()) h.absorb(rnd.empty() ? BytesIn<>{zeros} : rnd);
    h.absorb(mu).squeeze(rho_double_prime);
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), from the message representative mu. rnd has Params::rnd_bytes bytes, or
/// none for a deterministic signature.
/// False, with a zeroed signature, after max_attempts rejections.
///
/// Constant time, but for the number of attempts and what rejected each.
template <Params P, class Isa, class Observer = Unobserved>
[[nodiscard]] constexpr bool sign_mu(const PreparedSigningKey<P>& key, BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                     BytesOut<P.signature_bytes()> bytes, Observer&& observe = {})
{
    // The counter of ExpandMask has 16 bits, and no attempt may see it wrap.
    static_assert(max_attempts * P.l <= 0xFFFF);

    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
    private_random_seed<P, Isa>(*key.key, rnd, mu, *rho_double_prime);

    PolyVector<P.l, MaskPoly<P>> y;
    SplitCommitment<P> w;
    Wiped<Signature<P>> sig;
    for (std::size_t attempt = 0; attempt < max_attempts; ++attempt) {
        expand_mask<P, Isa>(*rho_double_prime, attempt * P.l, y);
        commit<P, Isa>(key.a_hat, y, w);
        challenge_hash<P, Isa>(mu, w.w1, sig->c_tilde);
        girih::declassify(std::span{sig->c_tilde},
                          "FIPS 204, Algorithm 7, line 15: c~ is a hash, and independent of "
                          "the secret key even when the attempt is rejected");
        const std::optional<Rejection> rejection = respond<P, Isa>(key, y, w, *sig);
        if (!rejection) {
            sig_encode<P>(*sig, bytes);
            return true;
        }
        observe(*rejection);
    }
    for (Byte& byte : bytes) byte = 0;
    return false;
}

}  // namespace girih::ml_dsa
