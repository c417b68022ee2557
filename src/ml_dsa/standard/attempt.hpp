/// One attempt at a signature (FIPS 204, Algorithm 7, lines 12 to 30): the commitment, its answer,
/// and what rejects it. Trailing comments give the standard's line numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/kernels/short_product.hpp"
#include "ml_dsa/sampling/expand.hpp"

namespace girih::ml_dsa {

using T0HatPoly = Poly<Form::ntt, ntt_bound(T0Poly::bound), Secrecy::secret>;

/// A secret key in the form that attempts use: with A, and with s1 and s2 for short products.
template <Shape S>
struct SigningKey {
    Wiped<std::array<Byte, key_bytes>> key;  ///< K
    Version version;
    PublicHash tr;
    Matrix<S> a_hat;
    std::array<ShortFactor<S>, S.l> s1;
    std::array<ShortFactor<S>, S.k> s2;
};

/// A secret key with everything that signing derives from it before it sees a message.
template <Shape S>
struct PreparedSigningKey : SigningKey<S> {
    PolyVector<S.k, T0HatPoly> t0_hat;
};

/// The NTT form of t0 (FIPS 204, Algorithm 7, line 4), from a prepared key or from a secret key's
/// bytes. From bytes, it is computed for each attempt that reaches c t0: hardly more than one per
/// signature.
template <Shape S, class Isa>
class T0Hat {
  public:
    constexpr explicit T0Hat(const PreparedSigningKey<S>& key) : kept_(&key.t0_hat) {}
    constexpr explicit T0Hat(const PackedSecretKey<S>& packed) : packed_(&packed) {}

    /// Memory for a polynomial that is not kept.
    struct Scratch {
        T0Poly t0;
        T0HatPoly t0_hat;
    };
    [[nodiscard]] constexpr const T0HatPoly& at(std::size_t i, Scratch& scratch) const
    {
        if (kept_ != nullptr) return (*kept_)[i];
        bit_unpack<d, T0Poly::bound.high, Isa>(packed_->t0(i), scratch.t0);
        ntt<Isa>(scratch.t0, scratch.t0_hat);
        return scratch.t0_hat;
    }

  private:
    const PolyVector<S.k, T0HatPoly>* kept_ = nullptr;
    const PackedSecretKey<S>* packed_ = nullptr;
};

/// Why an attempt was rejected, in the order of the checks.
enum class Rejection : std::uint8_t {
    r0,     ///< |w0 - c s2| >= gamma2 - beta
    z,      ///< |z| >= gamma1 - beta
    ct0,    ///< |c t0| >= gamma2
    hints,  ///< more than omega of them
};

/// Sees each rejection, and ignores it. Tests pass an observer that counts.
struct Unobserved {
    constexpr void operator()(Rejection) const noexcept {}
};

/// The limit that every |coefficient| of r0, z or c t0 has to stay below (FIPS 204, Algorithm 7,
/// lines 23 and 28).
template <Shape S, Rejection cause>
    requires(cause != Rejection::hints)
inline constexpr std::int32_t rejection_limit = cause == Rejection::r0  ? S.gamma2 - S.beta()
                                                : cause == Rejection::z ? S.gamma1 - S.beta()
                                                                        : S.gamma2;

/// Whether an attempt is rejected: some coefficient is not below its limit.
///
/// A rejection may be known, and the polynomial that caused it. Whether a coefficient is too large
/// does not depend on the secret, because the distribution of z and r0 inside the limit is the same
/// for every secret; only its sign would.
[[nodiscard]] constexpr bool is_rejected(Secret<std::uint32_t> decision)
{
    return declassify(decision,
                      "FIPS 204, Section 3.2 and Appendix C: the number of attempts is not secret") != 0;
}

/// Whether a polynomial rejects its attempt. Constant time, except for the result.
template <Shape S, class Isa, Rejection cause>
[[nodiscard]] constexpr bool rejects(const Coefficients& a)
{
    return is_rejected(Secret<std::uint32_t>{any_at_least<Isa>(a, rejection_limit<S, cause>)});
}

/// A view of the bytes of one attempt's y, and later of its z.
template <Shape S>
class MaskView {
  public:
    constexpr MaskView() = default;
    template <class PlaceOf>
    constexpr explicit MaskView(PlaceOf place_of) noexcept
    {
        for (std::size_t j = 0; j < S.l; ++j) y_[j] = place_of(j);
    }
    [[nodiscard]] constexpr MaskBytes<S>& operator[](std::size_t j) const noexcept { return *y_[j]; }

  private:
    std::array<MaskBytes<S>*, S.l> y_;  // trivial: a constructor would be a weak symbol that engines share
};

/// One attempt at a signature. Wiped on destruction.
template <Shape S>
struct Attempt {
    static constexpr Bound w0_bound = Bound::symmetric(S.gamma2);
    static constexpr Bound r0_bound = w0_bound + Bound::symmetric(S.beta());

    // w, split into high and low parts: w1 goes to the verifier inside the challenge, w0 never
    // leaves.
    Wiped<std::array<Byte, S.w1_bytes()>> w1_encoded;
    /// w0, then r0 in its place, and then the hint.
    PolyVector<S.k, Poly<Form::coefficients, r0_bound, Secrecy::secret>> low;
    PublicHash c_tilde;
    ChallengePoly c;
};

/// Memory for the intermediate results of attempts. Wiped once, after the last attempt.
template <Shape S>
struct Scratch {
    static constexpr Bound z_bound = MaskPoly<S>::bound + Bound::symmetric(S.beta());

    PolyVector<S.l, Poly<Form::ntt, ntt_bound(MaskPoly<S>::bound), Secrecy::secret>> y_hat;
    MaskPoly<S> y;
    Poly<Form::coefficients, z_bound, Secrecy::secret> z;
    Poly<Form::coefficients, AcceptedZPoly<S>::bound, Secrecy::secret> accepted_z;
    Poly<Form::coefficients, Bound{0, (1 << S.w1_bits()) - 1}, Secrecy::secret> w1;
    ProductBytes cs;
    Poly<Form::ntt_product, reduced_bound, Secrecy::secret> product;  ///< a row of A y, or of c t0
    Poly<Form::coefficients, reduced_bound, Secrecy::secret> row;     ///< that row as coefficients
};

/// w = A y and its two parts (FIPS 204, Algorithm 7, lines 12 and 13), and the bytes of w1 that
/// line 15 hashes.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void commit(const Matrix<S>& a_hat, const MaskView<S>& y, Scratch<S>& scratch,
                                        Attempt<S>& attempt)
{
    for (std::size_t j = 0; j < S.l; ++j) {
        unpack_mask<S, Isa>(y[j], scratch.y);
        ntt<Isa>(scratch.y, scratch.y_hat[j]);
    }
    for (std::size_t i = 0; i < S.k; ++i) {
        dot<Isa>(a_hat[i], scratch.y_hat, scratch.product);
        inverse_ntt<Isa>(scratch.product, scratch.row);  // 12
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
            const auto [high, low] = decompose<S.gamma2>(canonical(Isa::load(&scratch.row.c[j])));
            Isa::store(&scratch.w1.c[j], high);  // 13
            Isa::store(&attempt.low[i].c[j], low);
        }
        simple_bit_pack<S.w1_bits(), Isa>(scratch.w1,
                                          w1_row<S>(BytesOut<S.w1_bytes()>{*attempt.w1_encoded}, i));
    }
}

/// Answers a commitment (FIPS 204, Algorithm 7, lines 17 to 28), or says why it cannot. z takes the
/// place of y, and the hint that of w0: both are secrets until encode_accepted.
///
/// The checks come in the order that rejects soonest: r0 fails more often than z, c t0 and the
/// hints hardly ever. The order changes neither the result nor what the number of attempts tells.
/// Products with the short s1 and s2 are sums of shifted copies, without a transform.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr std::optional<Rejection> respond(const SigningKey<S>& key,
                                                                        const T0Hat<S, Isa>& t0_hat,
                                                                        const MaskView<S>& y,
                                                                        Attempt<S>& attempt,
                                                                        Scratch<S>& scratch)
{
    const ChallengeTerms<S, Isa> c{attempt.c};
    // r0 is LowBits(w) - c s2 here and LowBits(w - c s2) in the standard. |c s2| <= beta. If the
    // first is below gamma2 in magnitude, they are equal. If it is not, they may differ by
    // 2 gamma2 or, across 0, by 2 gamma2 + 1. The second is then at least gamma2 - beta in
    // magnitude, so that both forms reject.
    for (std::size_t i = 0; i < S.k; ++i) {  // 19, 21, 23
        auto& r0 = attempt.low[i];
        add_product<Isa, Attempt<S>::w0_bound>(r0, c.negative_terms(), key.s2[i], scratch.cs, r0);
        if (rejects<S, Isa, Rejection::r0>(r0.c)) return Rejection::r0;
    }
    for (std::size_t j = 0; j < S.l; ++j) {  // 18, 20, 23: z = y + c s1
        unpack_mask<S, Isa>(y[j], scratch.y);
        add_product<Isa>(scratch.y, c.terms(), key.s1[j], scratch.cs, scratch.z);
        if (rejects<S, Isa, Rejection::z>(scratch.z.c)) return Rejection::z;
        narrow(scratch.z, scratch.accepted_z);
        bit_pack<S.z_bits(), S.gamma1, Isa>(scratch.accepted_z, y[j]);
    }
    const auto c_hat = ntt<Isa>(attempt.c);  // 17
    typename T0Hat<S, Isa>::Scratch t0_scratch;
    std::size_t hints = 0;
    for (std::size_t i = 0; i < S.k; ++i) {
        // 25: c t0, a row of ScalarVectorNTT (FIPS 204, Algorithm 47).
        multiply<Isa>(c_hat, t0_hat.at(i, t0_scratch), scratch.product);
        inverse_ntt<Isa>(scratch.product, scratch.row);
        if (rejects<S, Isa, Rejection::ct0>(scratch.row.c)) return Rejection::ct0;  // 28
        simple_bit_unpack<S.w1_bits(), Isa>(w1_row<S>(BytesIn<S.w1_bytes()>{*attempt.w1_encoded}, i),
                                            scratch.w1);
        const auto low_after = add<Isa>(attempt.low[i], scratch.row);
        for (std::size_t j = 0; j < n; j += Isa::integer_lanes)  // 26
            Isa::store(&attempt.low[i].c[j],
                       make_hint_from_low<S.gamma2>(Isa::load(&low_after.c[j]), Isa::load(&scratch.w1.c[j])));
        std::uint32_t sum = 0;
        for (const std::int32_t bit : attempt.low[i].c) sum += static_cast<std::uint32_t>(bit);
        const Secret<std::uint32_t> ones{sum};
        hints += declassify(ones, "FIPS 204, Algorithm 7, line 28: too many hints reject the attempt");
    }
    if (hints > S.omega) return Rejection::hints;  // 28
    return std::nullopt;
}

/// The hint of an accepted attempt, declassified in place.
template <Shape S>
class AcceptedHint {
  public:
    struct Row {
        const Coefficients& c;
    };

    constexpr explicit AcceptedHint(Attempt<S>& accepted) : accepted_(accepted) {}
    [[nodiscard]] constexpr Row operator[](std::size_t i) const
    {
        girih::declassify(std::span{accepted_.low[i].c},
                          "FIPS 204, Algorithm 7, line 33: an accepted hint is the signature");
        return {accepted_.low[i].c};
    }

  private:
    Attempt<S>& accepted_;
};

/// Writes an accepted attempt with its z (FIPS 204, Algorithm 7, line 33): here, and nowhere else,
/// it becomes the signature.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void encode_accepted(Attempt<S>& accepted, const MaskView<S>& z, BytesOut<> bytes)
{
    sig_encode<S, Isa>(accepted.c_tilde, z, AcceptedHint<S>{accepted}, bytes);
    girih::declassify(bytes, "FIPS 204, Algorithm 7, line 33: an accepted z is the signature");
}

/// The masks of a row's attempts, each drawn when it is needed. MaskStream (lanes/mask_stream.hpp)
/// draws them ahead.
template <Shape S, class Isa>
class MasksOnDemand {
  public:
    constexpr explicit MasksOnDemand(BytesIn<rho_prime_bytes> rho_double_prime) : seed_(rho_double_prime) {}
    constexpr void next(std::size_t kappa) { squeeze_mask<S, Isa>(seed_, kappa, *y_); }
    [[nodiscard]] constexpr MaskView<S> mask()
    {
        return MaskView<S>{[this](std::size_t j) { return &(*y_)[j]; }};
    }

  private:
    BytesIn<rho_prime_bytes> seed_;
    Wiped<std::array<MaskBytes<S>, S.l>> y_;
};

/// The attempts of sign_by (sign.hpp), with whole vectors in memory.
template <Shape S, class Isa, template <Shape, class> class MaskSource>
class WholeVectorAttempts {
  public:
    static constexpr std::size_t l = S.l;

    constexpr WholeVectorAttempts(const SigningKey<S>& key, const T0Hat<S, Isa>& t0_hat,
                                  BytesIn<rho_prime_bytes> rho_double_prime)
        : key_(key), t0_hat_(t0_hat), masks_(rho_double_prime)
    {
    }
    constexpr void commit(std::size_t kappa)
    {
        masks_.next(kappa);                                                     // 11
        ml_dsa::commit<S, Isa>(key_.a_hat, masks_.mask(), scratch_, attempt_);  // 12, 13
    }
    /// make_challenge is in sign.hpp for MasksOnDemand, and in lanes/sign.hpp for MaskStream.
    constexpr void challenge(BytesIn<mu_bytes> mu) { make_challenge(key_.version, mu, masks_, attempt_); }
    [[nodiscard]] constexpr std::optional<Rejection> respond()
    {
        return ml_dsa::respond<S, Isa>(key_, t0_hat_, masks_.mask(), attempt_, scratch_);
    }
    constexpr void encode_accepted(BytesOut<> sigma)
    {
        ml_dsa::encode_accepted<S, Isa>(attempt_, masks_.mask(), sigma);
    }

  private:
    const SigningKey<S>& key_;
    const T0Hat<S, Isa>& t0_hat_;
    MaskSource<S, Isa> masks_;
    Attempt<S> attempt_;
    Scratch<S> scratch_;
};

}  // namespace girih::ml_dsa
