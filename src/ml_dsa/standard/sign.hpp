/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7). Trailing comments give the standard's line
/// numbers.
///
/// prepare_signing_key computes everything that follows from the key alone; sign_mu does the rest.
/// Its loop (sign_by) is one text for all engines: attempt.hpp has an attempt that keeps whole
/// vectors, small/sign.hpp one that keeps a polynomial at a time, and on engines with lanes for
/// several sponges, lanes/sign.hpp draws the masks of the next attempts at the same time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "ml_dsa/standard/attempt.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// The rnd of a deterministic signature (FIPS 204, Algorithm 2, line 5).
inline constexpr std::array<Byte, 32> no_rnd{};

/// The middle part of rho''. ML-DSA: rnd, where none means 32 zero bytes. Round 3.1: nothing.
[[nodiscard]] constexpr BytesIn<> hashed_rnd(const Version& version, BytesIn<> rnd)
{
    if (!version.is_hedged()) return {};
    return rnd.empty() ? BytesIn<>{no_rnd} : rnd;
}

/// Whether rho'' is drawn and not hashed: round 3.1's randomized signing.
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

/// open_signing_key, without wiping the stack.
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
/// Constant time, except for the result.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr bool open_signing_key(const Version& version,
                                                             const PackedSecretKey<S>& packed,
                                                             std::array<Byte, rho_bytes>& rho,
                                                             SigningKey<S>& key)
{
    key.version = version;
    packed.unpack(rho, *key.key, key.tr);
    if (unpack_short_vectors<S, Isa>(packed, key)) return true;
    // After a refusal, nothing would overwrite the registers that unpacking has spilled.
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
/// malformed key. Constant time, except for the result.
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
constexpr void make_challenge(const Version& version, BytesIn<mu_bytes> mu, MasksOnDemand<S, Isa>&,
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
/// Constant time, except for the number of attempts and what rejected each.
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
template <Shape S, class Isa, template <Shape, class> class MaskSource = MasksOnDemand,
          class Observer = Unobserved>
[[nodiscard, gnu::noinline]] constexpr bool sign_mu(const SigningKey<S>& key, const T0Hat<S, Isa>& t0_hat,
                                                    BytesIn<mu_bytes> mu, BytesIn<> rnd, BytesOut<> sigma,
                                                    Observer&& observe = {})
{
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime;
    private_random_seed<Isa>(key.version, *key.key, rnd, mu, *rho_double_prime);  // 7
    WholeVectorAttempts<S, Isa, MaskSource> attempts{key, t0_hat, *rho_double_prime};
    const bool is_signed = sign_by(attempts, mu, sigma, observe);  // 8 to 33
    // Nothing that follows would overwrite the registers that the last products have spilled below
    // the frame of respond.
    if (!std::is_constant_evaluated()) wipe_stack_below(6144);
    return is_signed;
}

/// sign_mu of a prepared key.
template <Shape S, class Isa, template <Shape, class> class MaskSource = MasksOnDemand,
          class Observer = Unobserved>
[[nodiscard]] constexpr bool sign_mu(const PreparedSigningKey<S>& key, BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                     BytesOut<> sigma, Observer&& observe = {})
{
    return sign_mu<S, Isa, MaskSource>(key, T0Hat<S, Isa>{key}, mu, rnd, sigma, observe);
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7) of a secret key, from mu.
template <Shape S, class Isa, template <Shape, class> class MaskSource = MasksOnDemand,
          auto expand = expand_a<S, Isa>>
[[nodiscard, gnu::noinline]] constexpr SignResult sign_mu(const Version& version, BytesIn<> sk,
                                                          BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                                          BytesOut<> sigma)
{
    const PackedSecretKey<S> packed{version, sk};
    SigningKey<S> key;
    std::array<Byte, rho_bytes> rho;
    if (!open_signing_key<S, Isa>(version, packed, rho, key)) return SignResult::malformed_key;
    expand(rho, key.a_hat);
    return sign_mu<S, Isa, MaskSource>(key, T0Hat<S, Isa>{packed}, mu, rnd, sigma)
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

}  // namespace girih::ml_dsa
