/// Signing of ML-DSA in little memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/compact/packed.hpp"
#include "ml_dsa/compact/parts.hpp"
#include "ml_dsa/hashing/frame.hpp"
#include "ml_dsa/lattice/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/sign.hpp"

namespace girih::ml_dsa::compact {

template <Params P, class Isa>
[[gnu::noinline]] constexpr void make_mask_seed(SecretKeyIn<P> sk, BytesIn<> rnd, BytesIn<mu_bytes> mu,
                                                BytesOut<rho_prime_bytes> rho_double_prime)
{
    if (is_private_random_seed(P, rnd)) return copy(rnd, rho_double_prime);
    keccak::Shake256<Isa> h;
    h.absorb(sk.template subspan<key_at, key_bytes>()).absorb(hashed_rnd(P, rnd)).absorb(mu);
    h.squeeze(rho_double_prime);
}

/// The matrix and the masks of an attempt: kept, or made again.
template <Params P, bool keeps>
struct Kept {
    std::array<std::array<Coefficients, P.l>, P.k> a_hat;
    std::array<Coefficients, P.l> y;
};
template <Params P>
struct Kept<P, false> {};

/// The attempts at a signature.
///
/// The plain form is sign_from_seed (ml_dsa/sign.hpp), whose judgement of an attempt this shares.
/// Apart is the order of work: there a step has all polynomials of a vector, here a polynomial goes
/// through all steps that its memory allows.
template <Params P, class Isa, bool keeps>
class Signing {
  public:
    Signing(SecretKeyIn<P> sk, BytesIn<rho_prime_bytes> rho_double_prime) : sk_(sk), seed_(rho_double_prime)
    {
        if constexpr (keeps)
            for (std::size_t i = 0; i < P.k; ++i)
                for (std::size_t j = 0; j < P.l; ++j)
                    for_each_uniform<Isa>(sk.template first<rho_bytes>(), i, j,
                                          [&](std::size_t at, std::int32_t a) { kept_.a_hat[i][j][at] = a; });
    }
    Signing(const Signing&) = delete;
    Signing& operator=(const Signing&) = delete;
    ~Signing()
    {
        wipe(w_);
        wipe(poly_);
        if constexpr (keeps) wipe(kept_.y);
    }

    /// One attempt. False if it was rejected.
    [[nodiscard]] bool attempt(std::size_t number, BytesIn<mu_bytes> mu, SignatureOut<P> sig)
    {
        kappa_ = number * P.l;
        commit();
        hash_commitment(mu, sig.template first<P.c_tilde_bytes>());
        girih::declassify(sig.template first<P.c_tilde_bytes>(),
                          "FIPS 204, Algorithm 7, line 15: c~ is a hash, and independent of the secret "
                          "key even when the "
                          "attempt is rejected");
        return respond(sig);
    }

  private:
    /// z and the hints, into the signature. False if the attempt is rejected.
    [[nodiscard, gnu::noinline]] bool respond(SignatureOut<P> sig)
    {
        const Terms<P.shape(), Isa> c{sig.template first<P.c_tilde_bytes>()};
        return subtract_c_s2(c) && write_z(c, sig) && write_hints(c, sig);
    }

    /// w = A y, as values (FIPS 204, Algorithm 7, lines 11 and 12).
    [[gnu::noinline]] void commit()
    {
        for (PackedPoly& w : w_)
            for (std::size_t at = 0; at < n; ++at) w.set(at, 0);
        for (std::size_t j = 0; j < P.l; ++j) {
            expand_mask<P.shape(), Isa>(seed_, kappa_ + j, poly_);
            if constexpr (keeps) kept_.y[j] = poly_;
            compact::ntt<Isa>(poly_);
            for (std::size_t i = 0; i < P.k; ++i) {
                const auto add = [&](std::size_t at, std::int32_t a) {
                    w_[i].add(at, compact::multiply<Isa>(a, poly_[at]));
                };
                if constexpr (keeps) {
                    for (std::size_t at = 0; at < n; ++at) add(at, kept_.a_hat[i][j][at]);
                } else {
                    for_each_uniform<Isa>(sk_.template first<rho_bytes>(), i, j, add);
                }
            }
        }
    }

    /// w as coefficients, and c~ = H(mu | w1Encode(w1)) (lines 12 to 15).
    [[gnu::noinline]] void hash_commitment(BytesIn<mu_bytes> mu, BytesOut<P.c_tilde_bytes> c_tilde)
    {
        keccak::Shake256<Isa> hash;
        hash.absorb(mu);
        for (PackedPoly& w : w_) {
            for (std::size_t at = 0; at < n; ++at) poly_[at] = w[at];
            compact::inverse_ntt<Isa>(poly_);
            auto w1 = writer_to(hash);
            for (std::size_t at = 0; at < n; ++at) {
                const std::int32_t r = canonical(poly_[at]);
                w.set(at, r);
                w1.add(high_bits<P.gamma2>(r), P.w1_bits());
            }
        }
        hash.squeeze(c_tilde);
    }

    /// w - c s2. False if its low bits are too large. While they are not, the high
    /// bits are those of w.
    [[nodiscard, gnu::noinline]] bool subtract_c_s2(const Terms<P.shape(), Isa>& c)
    {
        for (std::size_t i = 0; i < P.k; ++i) {
            multiply_short(c, &sk_[s2_at<P> + i * s_bytes<P>], false);
            std::int32_t too_large = 0;
            for (std::size_t at = 0; at < n; ++at) {
                const std::int32_t r0 = low_bits<P.gamma2>(w_[i][at]) - poly_[at];
                too_large |= negative_if_at_least(r0, rejection_limit<P.shape(), Rejection::r0>);
                w_[i].add(at, -poly_[at]);
            }
            if (is_rejected(Secret{static_cast<std::uint32_t>(too_large) >> 31})) return false;
        }
        return true;
    }

    /// z = y + c s1, into the signature. False if it is too large.
    [[nodiscard, gnu::noinline]] bool write_z(const Terms<P.shape(), Isa>& c, SignatureOut<P> sig)
    {
        for (std::size_t j = 0; j < P.l; ++j) {
            if constexpr (keeps)
                poly_ = kept_.y[j];
            else
                expand_mask<P.shape(), Isa>(seed_, kappa_ + j, poly_);
            multiply_short(c, &sk_[s1_at<P> + j * s_bytes<P>], true);
            if (rejects<P.shape(), Isa, Rejection::z>(poly_)) return false;
            girih::declassify(
                std::span{poly_},
                "FIPS 204, Algorithm 7, line 33: an accepted z is the signature, and each z inside its "
                "bound is as likely for every key");
            auto out = writer_to(&sig[P.c_tilde_bytes + j * z_bytes<P>]);
            for (const std::int32_t z : poly_) out.add(P.gamma1 - z, P.z_bits());
        }
        return true;
    }

    /// The hints of c t0, into the signature. False if c t0 is too large, or the
    /// hints are too many.
    [[nodiscard, gnu::noinline]] bool write_hints(const Terms<P.shape(), Isa>& c, SignatureOut<P> sig)
    {
        const auto hints = sig.template last<P.omega + P.k>();
        for (Byte& byte : hints) byte = 0;
        Wiped<std::array<std::int16_t, part>> t0{unset};
        std::size_t index = 0;
        for (std::size_t i = 0; i < P.k; ++i) {
            BitReader packed{&sk_[t0_at<P> + i * t0_bytes]};
            poly_ = {};
            for (std::size_t first = 0; first < n; first += part) {
                unpack(packed, d, 1 << (d - 1), *t0);
                c.add_product(*t0, first, poly_, false);
            }
            if (rejects<P.shape(), Isa, Rejection::ct0>(poly_)) return false;
            for (std::size_t at = 0; at < n; ++at) {
                const auto [high, low] = decompose<P.gamma2>(w_[i][at]);
                const Secret hint{make_hint_from_low<P.gamma2>(low + poly_[at], high)};
                if (declassify(
                        hint,
                        "FIPS 204, Algorithm 7, line 33: an accepted hint is the signature, and of too "
                        "many the attempt is known") == 0)
                    continue;
                if (index == P.omega) return false;
                hints[index++] = static_cast<Byte>(at);
            }
            hints[P.omega + i] = static_cast<Byte>(index);
        }
        return true;
    }

    /// poly_ = c s, or poly_ += c s, for a packed short s.
    [[gnu::noinline]] void multiply_short(const Terms<P.shape(), Isa>& c, const Byte* bytes, bool added)
    {
        BitReader packed{bytes};
        Wiped<std::array<std::int8_t, part>> s{unset};
        if (!added) poly_ = {};
        for (std::size_t first = 0; first < n; first += part) {
            unpack(packed, P.eta_bits(), P.eta, *s);
            c.add_product(*s, first, poly_, false);
        }
    }

    SecretKeyIn<P> sk_;
    BytesIn<rho_prime_bytes> seed_;
    std::size_t kappa_ = 0;
    std::array<PackedPoly, P.k> w_;
    Coefficients poly_;
    [[no_unique_address]] Kept<P, keeps> kept_;
};

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7). Constant time, but for the number of attempts
/// and what rejected each.
template <Params P, class Isa, bool keeps>
[[nodiscard]] constexpr SignResult sign(SecretKeyIn<P> sk, const Frame& frame, BytesIn<> message,
                                        BytesIn<> rnd, SignatureOut<P> sig)
{
    if (has_malformed_vectors<P>(sk)) return SignResult::malformed_key;
    std::array<Byte, mu_bytes> mu;
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime{unset};
    make_mu<P, Isa>(sk.template subspan<tr_at, P.tr_bytes>(), frame, message, mu);
    make_mask_seed<P, Isa>(sk, rnd, mu, *rho_double_prime);
    Signing<P, Isa, keeps> signing{sk, *rho_double_prime};
    for (std::size_t attempt = 0; attempt < max_attempts; ++attempt)
        if (signing.attempt(attempt, mu, sig)) return SignResult::good;
    for (Byte& byte : sig) byte = 0;
    return SignResult::too_many_attempts;
}

}  // namespace girih::ml_dsa::compact
