/// Signing (FIPS 204, Section 6.2).
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/mask_stream.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/lattice/ntt.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "ml_dsa/lattice/short_product.hpp"

namespace girih::ml_dsa {

/// Why an attempt was thrown away, in the order in which signing looks.
enum class Rejection {
    r0,     ///< |w0 - c s2| >= gamma2 - beta
    z,      ///< |z| >= gamma1 - beta
    ct0,    ///< |c t0| >= gamma2
    hints,  ///< more than omega of them
};

/// The rnd of a deterministic signature (FIPS 204, Algorithm 2, line 5).
inline constexpr std::array<Byte, 32> no_rnd{};

/// Sees each rejection; this one looks away. Tests pass one that counts.
struct Unobserved {
    constexpr void operator()(Rejection) const noexcept {}
};

/// A secret key with all that signing makes of it: A, s1 and s2 for short products, and
/// the NTT form of t0.
template <Shape S>
struct PreparedSigningKey {
    using T0HatPoly = Poly<Form::ntt, ntt_bound(T0Poly::bound), Secrecy::secret>;

    Wiped<std::array<Byte, key_bytes>> key;  ///< K
    Version version;
    PublicHash tr;
    Matrix<S> a_hat;
    std::array<ShortFactor<S>, S.l> s1;
    std::array<ShortFactor<S>, S.k> s2;
    PolyVector<S.k, T0HatPoly> t0_hat;
};

/// The parts of the key as products take them (FIPS 204, Algorithm 7, lines 2 to 4).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void prepare_vectors(const Version& version, const SecretKey<S>& key,
                                                 PreparedSigningKey<S>& prepared)
{
    prepared.version = version;
    *prepared.key = *key.key;
    prepared.tr = key.tr;
    for (std::size_t j = 0; j < S.l; ++j) prepared.s1[j].set(key.s.s1[j]);
    for (std::size_t i = 0; i < S.k; ++i) prepared.s2[i].set(key.s.s2[i]);
    for (std::size_t i = 0; i < S.k; ++i) ntt<Isa>(key.t0[i], prepared.t0_hat[i]);
}

/// All that signing makes of a secret key (FIPS 204, Algorithm 7, lines 1 to 5). False for a
/// malformed key. Constant time, but for the answer.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool prepare_signing_key(const Version& version, BytesIn<> sk,
                                                                PreparedSigningKey<S>& prepared)
{
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return false;
    expand_a<S, Isa>(key.rho, prepared.a_hat);
    prepare_vectors<S, Isa>(version, key, prepared);
    return true;
}

/// What every |coefficient| of r0, z or c t0 stays below in an attempt that is not rejected (FIPS
/// 204, Algorithm 7, lines 23 and 28).
template <Shape S, Rejection cause>
    requires(cause != Rejection::hints)
inline constexpr std::int32_t rejection_limit = cause == Rejection::r0  ? S.gamma2 - S.beta()
                                                : cause == Rejection::z ? S.gamma1 - S.beta()
                                                                        : S.gamma2;

/// Whether an attempt is rejected: some coefficient is not below its limit.
///
/// That an attempt was rejected, and by which polynomial, may be known: whether a coefficient is
/// too large does not depend on the secret (the distribution of z and r0 inside the limit is the
/// same for each), only its sign would.
[[nodiscard]] constexpr bool is_rejected(Secret<std::uint32_t> decision)
{
    return declassify(decision,
                      "FIPS 204, Section 3.2 and Appendix C: the number of attempts is not secret") != 0;
}

/// The same for a whole polynomial. Constant time, but for the answer.
template <Shape S, class Isa, Rejection cause>
[[nodiscard]] constexpr bool rejects(const Coefficients& a)
{
    return is_rejected(Secret<std::uint32_t>{any_at_least<Isa>(a, rejection_limit<S, cause>)});
}

/// One attempt at a signature. Wiped when its life ends.
template <Shape S, class Isa>
struct Attempt {
    // w split in high and low parts: w1 goes to the verifier inside the challenge, w0 never leaves.
    PolyVector<S.k, Poly<Form::coefficients, Bound{0, S.w1_max()}, Secrecy::secret>> w1;
    PolyVector<S.k, Poly<Form::coefficients, Bound::symmetric(S.gamma2), Secrecy::secret>> w0;
    Wiped<std::array<Byte, S.w1_bytes()>> w1_encoded;
    PublicHash c_tilde;
    ChallengePoly c;
};

/// What attempts make on their way and leave behind: wiped once, when the last of them has ended.
template <Shape S>
struct Scratch {
    static constexpr Bound cs_bound = Bound::symmetric(S.beta());
    static constexpr Bound r0_bound = Bound::symmetric(S.gamma2) + cs_bound;
    static constexpr Bound z_bound = MaskPoly<S>::bound + cs_bound;

    PolyVector<S.l, Poly<Form::ntt, ntt_bound(MaskPoly<S>::bound), Secrecy::secret>> y_hat;
    PolyVector<S.k, Poly<Form::coefficients, r0_bound, Secrecy::secret>> r0;
    Poly<Form::coefficients, z_bound, Secrecy::secret> z;
    ProductBytes cs;
    Poly<Form::ntt_product, reduced_bound, Secrecy::secret> product;  ///< a row of A y, or of c t0
    Poly<Form::coefficients, reduced_bound, Secrecy::secret> row;     ///< the same as coefficients
};

/// w = A y, decomposed (FIPS 204, Algorithm 7, lines 12 and 13).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void commit(const Matrix<S>& a_hat, const Mask<S>& y, Scratch<S>& scratch,
                                        Attempt<S, Isa>& attempt)
{
    for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(y[j], scratch.y_hat[j]);
    for (std::size_t i = 0; i < S.k; ++i) {
        dot<Isa>(a_hat[i], scratch.y_hat, scratch.product);
        inverse_ntt<Isa>(scratch.product, scratch.row);
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
            const auto [high, low] = decompose<S.gamma2>(canonical(Isa::load(&scratch.row.c[j])));
            Isa::store(&attempt.w1[i].c[j], high);
            Isa::store(&attempt.w0[i].c[j], low);
        }
    }
    w1_encode<S, Isa>(attempt.w1, *attempt.w1_encoded);
}

/// c~ = H(mu | w1Encode(w1)) and c = SampleInBall(c~) (FIPS 204, Algorithm 7, lines 15 and 16),
/// beside the masks of the next attempts.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void challenge(const Version& version, BytesIn<mu_bytes> mu,
                                           MaskStream<S, Isa>& y, Attempt<S, Isa>& attempt)
{
    BallTask<S, Isa> c_task{attempt.c_tilde.room(version.c_tilde_bytes), attempt.c};
    keccak::HashTask<Isa> hash_task{
        {mu, *attempt.w1_encoded}, attempt.c_tilde.room(version.c_tilde_bytes), &c_task};
    const std::array<keccak::Task*, 1> tasks{&hash_task};
    y.run(tasks);
}

/// What a commitment is answered with: a secret, until it is accepted and given.
template <Shape S>
struct Response {
    using ZPoly = Poly<Form::coefficients, AcceptedZPoly<S>::bound, Secrecy::secret>;
    using HintPoly = Poly<Form::coefficients, Bound{0, 1}, Secrecy::secret>;

    PublicHash c_tilde;
    PolyVector<S.l, ZPoly> z;
    PolyVector<S.k, HintPoly> h;
};

/// Answers one commitment (FIPS 204, Algorithm 7, lines 16 to 28): its signature, or
/// why there is none.
///
/// The checks come in the order that rejects soonest: r0 fails more often than z, c t0 and the
/// hints hardly ever. The order changes neither the result nor what the number of attempts tells.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr std::optional<Rejection> respond(const PreparedSigningKey<S>& key,
                                                                        const Mask<S>& y,
                                                                        const Attempt<S, Isa>& attempt,
                                                                        Scratch<S>& scratch,
                                                                        Response<S>& response)
{
    const ChallengeTerms<S, Isa> c{attempt.c};
    for (std::size_t i = 0; i < S.k; ++i) {
        add_product<Isa>(attempt.w0[i], c.negative_terms(), key.s2[i], scratch.cs, scratch.r0[i]);
        if (rejects<S, Isa, Rejection::r0>(scratch.r0[i].c)) return Rejection::r0;
    }
    for (std::size_t j = 0; j < S.l; ++j) {
        add_product<Isa>(y[j], c.terms(), key.s1[j], scratch.cs, scratch.z);
        if (rejects<S, Isa, Rejection::z>(scratch.z.c)) return Rejection::z;
        narrow(scratch.z, response.z[j]);
    }
    const auto c_hat = ntt<Isa>(attempt.c);
    std::size_t hints = 0;
    for (std::size_t i = 0; i < S.k; ++i) {
        // A row of ScalarVectorNTT (FIPS 204, Algorithm 47).
        multiply<Isa>(c_hat, key.t0_hat[i], scratch.product);
        inverse_ntt<Isa>(scratch.product, scratch.row);
        if (rejects<S, Isa, Rejection::ct0>(scratch.row.c)) return Rejection::ct0;
        const auto low_after = add<Isa>(scratch.r0[i], scratch.row);
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)
            Isa::store(&response.h[i].c[j], make_hint_from_low<S.gamma2>(Isa::load(&low_after.c[j]),
                                                                         Isa::load(&attempt.w1[i].c[j])));
        std::uint32_t sum = 0;
        for (const std::int32_t bit : response.h[i].c) sum += static_cast<std::uint32_t>(bit);
        const Secret<std::uint32_t> ones{sum};
        hints += declassify(ones, "FIPS 204, Algorithm 7, line 28: too many hints reject the attempt");
    }
    if (hints > S.omega) return Rejection::hints;

    response.c_tilde = attempt.c_tilde;
    return std::nullopt;
}

/// Gives an accepted response: here, and nowhere else, it becomes the signature.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void give(const Response<S>& accepted, BytesOut<> bytes)
{
    Hint<S> h;
    for (std::size_t i = 0; i < S.k; ++i)
        h[i] = declassify(accepted.h[i], "FIPS 204, Algorithm 7, line 33: an accepted hint is the signature");
    sig_encode<S, Isa>(accepted.c_tilde, accepted.z, h, bytes);
    girih::declassify(bytes, "FIPS 204, Algorithm 7, line 33: an accepted z is the signature");
}

/// What is hashed between K and mu for rho''. ML-DSA: rnd, where none means 32 zero bytes. Round
/// 3.1: nothing.
[[nodiscard]] constexpr BytesIn<> hashed_rnd(const Version& version, BytesIn<> rnd)
{
    if (!version.is_hedged()) return {};
    return rnd.empty() ? BytesIn<>{no_rnd} : rnd;
}

/// The hash that is rho'', from which the y of each attempt are expanded. ML-DSA: H(K | rnd | mu)
/// (FIPS 204, Algorithm 7, line 7). Round 3.1: H(K | mu).
template <class Isa>
[[nodiscard]] constexpr keccak::HashTask<Isa> private_random_seed_task(const Version& version,
                                                                       BytesIn<key_bytes> key, BytesIn<> rnd,
                                                                       BytesIn<mu_bytes> mu,
                                                                       BytesOut<rho_prime_bytes> out)
{
    return {{key, hashed_rnd(version, rnd), mu}, out};
}

/// Whether rho'' is not hashed but drawn: round 3.1's randomized signing.
[[nodiscard]] constexpr bool is_private_random_seed(const Version& version, BytesIn<> rnd)
{
    return !version.is_hedged() && !rnd.empty();
}

/// rho'' by itself.
template <class Isa>
constexpr void private_random_seed(const Version& version, BytesIn<key_bytes> key, BytesIn<> rnd,
                                   BytesIn<mu_bytes> mu, BytesOut<rho_prime_bytes> rho_double_prime)
{
    if (is_private_random_seed(version, rnd)) return copy(rnd, rho_double_prime);
    std::array tasks{private_random_seed_task<Isa>(version, key, rnd, mu, rho_double_prime)};
    keccak::run<typename Isa::SerialWords>(tasks);
}

/// The loop of ML-DSA.Sign_internal (FIPS 204, Algorithm 7, lines 8 to 33). False, with a zeroed
/// signature, after max_attempts rejections.
///
/// The plain form. SigningBatch (batch.hpp) takes the same steps for attempts at signatures of many
/// rows; compact::Signing (compact/sign.hpp) steps of its own, since it has memory for a polynomial
/// at a time. They share what follows an attempt's numbers: `rejects`, make_hint_from_low and
/// max_attempts.
///
/// Constant time, but for the number of attempts and what rejected each.
template <Shape S, class Isa, class Observer>
[[nodiscard, gnu::noinline]] constexpr bool sign_from_seed(const PreparedSigningKey<S>& key,
                                                           BytesIn<mu_bytes> mu,
                                                           BytesIn<rho_prime_bytes> rho_double_prime,
                                                           BytesOut<> bytes, Observer&& observe)
{
    // The counter of ExpandMask has 16 bits, and no attempt may see it wrap.
    static_assert(max_attempts * S.l <= 0xFFFF);

    MaskStream<S, Isa> y{rho_double_prime};
    Attempt<S, Isa> attempt;
    Scratch<S> scratch;
    Response<S> response;
    for (std::size_t tried = 0; tried < max_attempts; ++tried) {
        y.next();
        commit<S, Isa>(key.a_hat, y.mask(), scratch, attempt);
        challenge<S, Isa>(key.version, mu, y, attempt);
        const std::optional<Rejection> rejection = respond<S, Isa>(key, y.mask(), attempt, scratch, response);
        if (!rejection) {
            give<S, Isa>(response, bytes);
            return true;
        }
        observe(*rejection);
    }
    for (Byte& byte : bytes) byte = 0;
    return false;
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), from the message representative mu. rnd has
/// Version::rnd_bytes bytes, or none for a deterministic signature.
template <Shape S, class Isa, class Observer = Unobserved>
[[nodiscard, gnu::noinline]] constexpr bool sign_mu(const PreparedSigningKey<S>& key, BytesIn<mu_bytes> mu,
                                                    BytesIn<> rnd, BytesOut<> bytes, Observer&& observe = {})
{
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
    private_random_seed<Isa>(key.version, *key.key, rnd, mu, *rho_double_prime);
    return sign_from_seed<S, Isa>(key, mu, *rho_double_prime, bytes, observe);
}

/// The same from a secret key and a message, with all hashing that can be done at
/// once done at once.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr SignResult sign(const Version& version, BytesIn<> sk,
                                                       const Frame& frame, BytesIn<> message, BytesIn<> rnd,
                                                       BytesOut<> bytes)
{
    using Lanes = typename Isa::WideWords;
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return SignResult::malformed_key;

    PreparedSigningKey<S> prepared;
    std::array<Byte, mu_bytes> mu;
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, prepared.a_hat);
    if (rides_along(message)) {
        std::array mu_tasks{mu_task<Isa>(key.tr.view(), frame, message, mu)};
        keccak::run<Lanes>(mu_tasks, a_tasks);
    } else {
        keccak::run<Lanes>(a_tasks);
        message_representative<Isa>(key.tr.view(), frame, message, mu);
    }
    prepare_vectors<S, Isa>(version, key, prepared);
    return sign_mu<S, Isa>(prepared, mu, rnd, bytes) ? SignResult::good : SignResult::too_many_attempts;
}

}  // namespace girih::ml_dsa
