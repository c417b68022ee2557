/// ML-DSA in little memory, byte for byte what keygen.hpp, sign.hpp and verify.hpp make.
///
/// The matrix is never stored when nothing needs it twice: each coefficient is used as it comes out
/// of its sponge. Keys stay packed, and are unpacked a polynomial at a time. Two plans: `small`
/// makes everything again whenever it is wanted, and its largest frames hold one or two
/// polynomials, and in signing k of 24 bits a coefficient; `fast` keeps transformed vectors, and in
/// signing the matrix and the masks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ml_dsa/compact/parts.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "ml_dsa/hashing/message.hpp"
#include "ml_dsa/keygen.hpp"
#include "ml_dsa/sign.hpp"

namespace girih::ml_dsa::compact {

enum class Plan { small, fast };

template <Params P, class Isa, Plan plan>
class Scheme {
    static constexpr bool keeps = plan == Plan::fast;
    static constexpr std::size_t bytes_at_once = 24;
    static constexpr std::size_t part =
        64;  ///< coefficients that are unpacked at once for a product with a challenge
    static constexpr std::size_t s_bytes = packed_bytes(P.eta_bits());
    static constexpr std::size_t t0_bytes = packed_bytes(d);
    static constexpr std::size_t t1_bytes = packed_bytes(P.t1_bits);
    static constexpr std::size_t z_bytes = packed_bytes(P.z_bits());

    static constexpr Shape S = P.shape();
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using SignatureIn = BytesIn<P.signature_bytes()>;
    using SignatureOut = BytesOut<P.signature_bytes()>;
    using Sum = Coefficients;

    // Where things are in a secret key (FIPS 204, Algorithm 24).
    static constexpr std::size_t key_at = rho_bytes;
    static constexpr std::size_t tr_at = key_at + key_bytes;
    static constexpr std::size_t s1_at = tr_at + P.tr_bytes;
    static constexpr std::size_t s2_at = s1_at + P.l * s_bytes;
    static constexpr std::size_t t0_at = s2_at + P.k * s_bytes;
    static constexpr std::size_t hints_at = P.c_tilde_bytes + P.l * z_bytes;

  public:
    // ---- Keys

    /// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
    static void keygen(BytesIn<seed_bytes> seed, PublicKeyOut pk, SecretKeyOut sk)
    {
        expand_seed(seed, pk, sk);
        make_rows(sk, [&](std::size_t i, Sum& t) {
            auto t1 = writer_to(&pk[rho_bytes + i * t1_bytes]);
            auto t0 = writer_to(&sk[t0_at + i * t0_bytes]);
            for (const std::int32_t c : t) {
                const auto [high, low] = power2round(c);
                t1.add(high, P.t1_bits);
                t0.add((1 << (d - 1)) - low, d);
            }
        });
        girih::declassify(pk, "FIPS 204, Algorithm 6, line 8: rho and t1 are the public key");
        hash_key(pk, sk.template subspan<tr_at, P.tr_bytes>());
    }

    /// The public key of a secret key, and all that the secret key says besides compared. Constant
    /// time, but for the answer.
    [[nodiscard]] static KeyCheck public_key(SecretKeyIn sk, PublicKeyOut pk)
    {
        if (has_malformed_vectors(sk)) return KeyCheck::malformed;
        copy(sk.template first<rho_bytes>(), pk);
        std::uint32_t difference = 0;
        make_rows(sk, [&](std::size_t i, Sum& t) {
            auto t1 = writer_to(&pk[rho_bytes + i * t1_bytes]);
            BitReader t0{&sk[t0_at + i * t0_bytes]};
            for (const std::int32_t c : t) {
                const auto [high, low] = power2round(c);
                t1.add(high, P.t1_bits);
                difference |= static_cast<std::uint32_t>(low ^ ((1 << (d - 1)) - t0.take(d)));
            }
        });
        girih::declassify(pk, "FIPS 204, Algorithm 6, line 8: rho and t1 are the public key");
        std::array<Byte, P.tr_bytes> tr;
        hash_key(pk, tr);
        for (std::size_t i = 0; i < P.tr_bytes; ++i) difference |= std::uint32_t{tr[i]} ^ sk[tr_at + i];
        return declassify(Secret{difference},
                          "a key that contradicts itself is refused, and may be known to be") == 0
                   ? KeyCheck::good
                   : KeyCheck::inconsistent;
    }

    // ---- Verification

    /// ML-DSA.Verify_internal (FIPS 204, Algorithm 8). Variable time: everything here is public.
    [[nodiscard, gnu::always_inline]] static bool verify_vartime(PublicKeyIn pk, const Frame& frame,
                                                                 BytesIn<> message, SignatureIn sig)
    {
        if (!has_good_z(sig) || !has_good_hints(sig.template last<P.omega + P.k>())) return false;
        const auto c_tilde = sig.template first<P.c_tilde_bytes>();
        const Terms<S, Isa> c{c_tilde};
        keccak::Shake256<Isa> hash;
        absorb_mu(pk, frame, message, hash);
        absorb_answer(pk, sig, c, hash);
        return gives(hash, c_tilde);
    }

    // ---- Signing

    /// ML-DSA.Sign_internal (FIPS 204, Algorithm 7). Constant time, but for the number of attempts
    /// and what rejected each.
    [[nodiscard]] static SignResult sign(SecretKeyIn sk, const Frame& frame, BytesIn<> message, BytesIn<> rnd,
                                         SignatureOut sig)
    {
        if (has_malformed_vectors(sk)) return SignResult::malformed_key;
        std::array<Byte, mu_bytes> mu;
        Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime{unset};
        make_mu(sk.template subspan<tr_at, P.tr_bytes>(), frame, message, mu);
        make_mask_seed(sk, rnd, mu, *rho_double_prime);
        Signing signing{sk, *rho_double_prime};
        for (std::size_t attempt = 0; attempt < max_attempts; ++attempt)
            if (signing.attempt(attempt, mu, sig)) return SignResult::good;
        for (Byte& byte : sig) byte = 0;
        return SignResult::too_many_attempts;
    }

  private:
    /// The sum of a verification's row: of 32 bits a coefficient, or of 24.
    using RowSum = std::conditional_t<keeps, Sum, PackedPoly>;

    static void clear(Sum& sum) { sum = {}; }
    static void clear(PackedPoly& sum)
    {
        for (std::size_t at = 0; at < n; ++at) sum.set(at, 0);
    }
    /// For |a| < q. In 32 bits, the sum of up to 8 stays below 2^26.
    static void add(Sum& sum, std::size_t at, std::int32_t a) { sum[at] += a; }
    static void add(PackedPoly& sum, std::size_t at, std::int32_t a) { sum.add(at, a); }

    /// The product of row i of the matrix and a vector, of values. (Not inlined, so that the sponge
    /// is gone when the sum is used.)
    template <class Vector, class AnySum>
    [[gnu::noinline]] static void sum_row(BytesIn<rho_bytes> rho, std::size_t i, Vector& factors, AnySum& sum)
    {
        clear(sum);
        for (std::size_t j = 0; j < P.l; ++j) {
            const Coefficients& b = factors[j];
            for_each_uniform<Isa, bytes_at_once>(rho, i, j, [&sum, &b](std::size_t at, std::int32_t a) {
                add(sum, at, compact::multiply<Isa>(a, b[at]));
            });
        }
    }

    /// The coefficients of a row's sum, in [0, q): in its own place, or in that of a factor that
    /// can be made again.
    template <class Vector>
    static Coefficients& finish(Sum& sum, Vector&)
    {
        finish_sum(sum);
        return sum;
    }
    template <class Vector>
    static Coefficients& finish(const PackedPoly& sum, Vector& factors)
    {
        Coefficients& w = factors.scratch();
        for (std::size_t at = 0; at < n; ++at) w[at] = sum[at];
        finish_sum(w);
        return w;
    }

    /// 1 if |a| is at least `limit`, else 0. Constant time.
    [[nodiscard]] static constexpr std::uint32_t is_at_least(std::int32_t a, std::int32_t limit)
    {
        return static_cast<std::uint32_t>((limit - 1 - a) | (limit - 1 + a)) >> 31;
    }

    /// From a sum of products to coefficients in [0, q).
    [[gnu::noinline]] static void finish_sum(Sum& sum)
    {
        for (std::int32_t& c : sum) c = reduce(c);
        compact::inverse_ntt<Isa>(sum);
        for (std::int32_t& c : sum) c = canonical(c);
    }

    // ---- Keys

    /// rho, K, s1 and s2, where they belong.
    [[gnu::noinline]] static void expand_seed(BytesIn<seed_bytes> seed, PublicKeyOut pk, SecretKeyOut sk)
    {
        Wiped<std::array<Byte, rho_prime_bytes>> rho_prime{unset};
        keccak::Shake256<Isa>{}
            .absorb(seed)
            .absorb(dimensions<S>(P))
            .squeeze(sk.template first<rho_bytes>())
            .squeeze(*rho_prime)
            .squeeze(sk.template subspan<key_at, key_bytes>());
        copy(sk.template first<rho_bytes>(), pk);
        declassify_public_parts(sk);
        for (std::size_t r = 0; r < P.l + P.k; ++r) {
            auto out = writer_to(&sk[s1_at + r * s_bytes]);
            for_each_bounded<S, Isa>(*rho_prime, r,
                                     [&](std::size_t, std::int32_t s) { out.add(P.eta - s, P.eta_bits()); });
        }
    }

    /// use(i, t) for each row of t = A s1 + s2, in [0, q).
    template <class Use>
    [[gnu::noinline]] static void make_rows(BytesIn<P.secret_key_bytes()> sk, Use use)
    {
        auto s1_hat = make_vector<P.l, keeps>([sk](std::size_t j, Coefficients& s1) {
            unpack(&sk[s1_at + j * s_bytes], P.eta_bits(), P.eta, s1);
            compact::ntt<Isa>(s1);
        });
        Wiped<Sum> t{unset};
        for (std::size_t i = 0; i < P.k; ++i) {
            sum_row(sk.template first<rho_bytes>(), i, s1_hat, *t);
            finish_sum(*t);
            BitReader s2{&sk[s2_at + i * s_bytes]};
            for (std::int32_t& c : *t) c = canonical(canonical(c + P.eta - s2.take(P.eta_bits()) - q));
            use(i, *t);
        }
    }

    [[gnu::noinline]] static void hash_key(PublicKeyIn pk, BytesOut<P.tr_bytes> tr)
    {
        hash_public_key<S, Isa>(pk, tr);
    }

    static void declassify_public_parts(SecretKeyIn sk)
    {
        girih::declassify(sk.template first<rho_bytes>(),
                          "FIPS 204, Algorithm 24: rho is part of the public key");
        girih::declassify(sk.template subspan<tr_at, P.tr_bytes>(),
                          "FIPS 204, Algorithm 24: tr is a hash of the public key");
    }

    [[nodiscard]] static bool has_malformed_vectors(SecretKeyIn sk)
    {
        declassify_public_parts(sk);
        std::uint32_t out_of_range = 0;
        BitReader s{&sk[s1_at]};
        for (std::size_t i = 0; i < (P.l + P.k) * n; ++i)
            out_of_range |= static_cast<std::uint32_t>(2 * P.eta - s.take(P.eta_bits())) >> 31;
        return declassify(Secret{out_of_range},
                          "FIPS 204, Algorithm 25: a malformed key is refused, and may be known to be") != 0;
    }

    [[gnu::noinline]] static void make_mu(BytesIn<P.tr_bytes> tr, const Frame& frame, BytesIn<> message,
                                          BytesOut<mu_bytes> mu)
    {
        keccak::Shake256<Isa> h;
        h.absorb(tr)
            .absorb(BytesIn<>{frame.head}.first(frame.head_bytes))
            .absorb(frame.context)
            .absorb(frame.oid);
        h.absorb(message).squeeze(mu);
    }

    // ---- Verification

    [[nodiscard, gnu::noinline]] static bool has_good_z(SignatureIn sig)
    {
        BitReader in{&sig[P.c_tilde_bytes]};
        for (std::size_t i = 0; i < P.l * n; ++i) {
            const std::int32_t z = P.gamma1 - in.take(P.z_bits());
            if (z >= P.gamma1 - P.beta() || -z >= P.gamma1 - P.beta()) return false;
        }
        return true;
    }

    [[nodiscard, gnu::noinline]] static bool has_good_hints(BytesIn<P.omega + P.k> hints)
    {
        return for_each_one<S>(hints, [](std::size_t, std::size_t) {});
    }

    /// Whether that is what the hash squeezes.
    [[nodiscard, gnu::noinline]] static bool gives(keccak::Shake256<Isa>& hash,
                                                   BytesIn<P.c_tilde_bytes> c_tilde)
    {
        std::array<Byte, P.c_tilde_bytes> again;
        hash.squeeze(again);
        return std::equal(again.begin(), again.end(), c_tilde.begin());
    }

    /// w1 that the signature leads to, into the hash that is c~
    /// (FIPS 204, Algorithm 8, lines 9 to 12).
    [[gnu::noinline]] static void absorb_answer(PublicKeyIn pk, SignatureIn sig, const Terms<S, Isa>& c,
                                                keccak::Shake256<Isa>& hash)
    {
        auto z_hat = make_vector<P.l, keeps>([sig](std::size_t j, Coefficients& z) {
            unpack(&sig[P.c_tilde_bytes + j * z_bytes], P.z_bits(), P.gamma1, z);
            compact::ntt<Isa>(z);
        });
        std::array<Coefficients, keeps ? 1 : 0> c_hat;
        for (Coefficients& poly : c_hat) {
            c.write(poly);
            compact::ntt<Isa>(poly);
        }
        for (std::size_t i = 0; i < P.k; ++i) {
            RowSum sum;
            sum_row(pk.template first<rho_bytes>(), i, z_hat, sum);
            const Byte* const t1 = &pk[rho_bytes + i * t1_bytes];
            if constexpr (keeps) subtract_values(c_hat[0], t1, sum);
            Coefficients& w = finish(sum, z_hat);
            if constexpr (!keeps) subtract_c_t1(c, t1, w);
            absorb_w1(w, sig.template last<P.omega + P.k>(), i, hash);
        }
    }

    /// w -= c t1 2^d, of values.
    [[gnu::noinline]] static void subtract_values(const Coefficients& c_hat, const Byte* packed, Sum& w)
    {
        Coefficients t1;
        unpack(packed, P.t1_bits, 0, t1);
        for (std::int32_t& c : t1) c <<= d;
        compact::ntt<Isa>(t1);
        for (std::size_t at = 0; at < n; ++at) w[at] -= compact::multiply<Isa>(t1[at], c_hat[at]);
    }

    /// The same of coefficients, shifted for each term of c. Takes and leaves w in [0, q).
    [[gnu::noinline]] static void subtract_c_t1(const Terms<S, Isa>& c, const Byte* bytes, Coefficients& w)
    {
        // tau (2^10 - 1) 2^13 + q < 2^29 + 2^23
        BitReader packed{bytes};
        std::array<std::int16_t, part> t1;
        for (std::size_t first = 0; first < n; first += part) {
            unpack(packed, P.t1_bits, 0, t1);
            c.template add_product<d>(t1, first, w, true);
        }
        for (std::int32_t& coefficient : w) coefficient = reduce(coefficient);
    }

    /// UseHint for a row, packed, into the hash.
    [[gnu::noinline]] static void absorb_w1(const Coefficients& w, BytesIn<P.omega + P.k> hints,
                                            std::size_t i, keccak::Shake256<Isa>& hash)
    {
        std::size_t hint = i == 0 ? 0 : hints[P.omega + i - 1];
        const std::size_t end = hints[P.omega + i];
        auto w1 = writer_to(hash);
        for (std::size_t j = 0; j < n; ++j) {
            const bool has_hint = hint < end && hints[hint] == j;
            hint += has_hint ? 1 : 0;
            w1.add(use_hint<P.gamma2>(std::int32_t{has_hint}, w[j]), P.w1_bits());
        }
    }

    [[gnu::noinline]] static void absorb_mu(PublicKeyIn pk, const Frame& frame, BytesIn<> message,
                                            keccak::Shake256<Isa>& hash)
    {
        std::array<Byte, std::max(P.tr_bytes, mu_bytes)> tr_then_mu;
        const auto tr = std::span{tr_then_mu}.template first<P.tr_bytes>();
        const auto mu = std::span{tr_then_mu}.template first<mu_bytes>();
        hash_key(pk, tr);
        make_mu(tr, frame, message, mu);
        hash.absorb(mu);
    }

    // ---- Signing

    [[gnu::noinline]] static void make_mask_seed(SecretKeyIn sk, BytesIn<> rnd, BytesIn<mu_bytes> mu,
                                                 BytesOut<rho_prime_bytes> rho_double_prime)
    {
        if (is_private_random_seed(P, rnd)) return copy(rnd, rho_double_prime);
        keccak::Shake256<Isa> h;
        h.absorb(sk.template subspan<key_at, key_bytes>());
        if (P.is_hedged()) h.absorb(rnd.empty() ? BytesIn<>{no_rnd} : rnd);
        h.absorb(mu).squeeze(rho_double_prime);
    }

    /// The matrix and the masks of an attempt: kept, or made again.
    struct Kept {
        std::array<std::array<Coefficients, P.l>, P.k> a_hat;
        std::array<Coefficients, P.l> y;
    };
    struct NothingKept {};

    class Signing {
      public:
        Signing(SecretKeyIn sk, BytesIn<rho_prime_bytes> rho_double_prime) : sk_(sk), seed_(rho_double_prime)
        {
            if constexpr (keeps)
                for (std::size_t i = 0; i < P.k; ++i)
                    for (std::size_t j = 0; j < P.l; ++j)
                        for_each_uniform<Isa, bytes_at_once>(
                            sk.template first<rho_bytes>(), i, j,
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
        [[nodiscard]] bool attempt(std::size_t number, BytesIn<mu_bytes> mu, SignatureOut sig)
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
        [[nodiscard, gnu::noinline]] bool respond(SignatureOut sig)
        {
            const Terms<S, Isa> c{sig.template first<P.c_tilde_bytes>()};
            return subtract_c_s2(c) && write_z(c, sig) && write_hints(c, sig);
        }

        /// w = A y, as values (FIPS 204, Algorithm 7, lines 11 and 12).
        [[gnu::noinline]] void commit()
        {
            for (PackedPoly& w : w_)
                for (std::size_t at = 0; at < n; ++at) w.set(at, 0);
            for (std::size_t j = 0; j < P.l; ++j) {
                expand_mask<S, Isa>(seed_, kappa_ + j, poly_);
                if constexpr (keeps) kept_.y[j] = poly_;
                compact::ntt<Isa>(poly_);
                for (std::size_t i = 0; i < P.k; ++i) {
                    const auto add = [&](std::size_t at, std::int32_t a) {
                        w_[i].add(at, compact::multiply<Isa>(a, poly_[at]));
                    };
                    if constexpr (keeps) {
                        for (std::size_t at = 0; at < n; ++at) add(at, kept_.a_hat[i][j][at]);
                    } else {
                        for_each_uniform<Isa, bytes_at_once>(sk_.template first<rho_bytes>(), i, j, add);
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
        [[nodiscard, gnu::noinline]] bool subtract_c_s2(const Terms<S, Isa>& c)
        {
            for (std::size_t i = 0; i < P.k; ++i) {
                multiply_short(c, &sk_[s2_at + i * s_bytes], false);
                std::uint32_t too_large = 0;
                for (std::size_t at = 0; at < n; ++at) {
                    const std::int32_t r0 = low_bits<P.gamma2>(w_[i][at]) - poly_[at];
                    too_large |= is_at_least(r0, P.gamma2 - P.beta());
                    w_[i].add(at, -poly_[at]);
                }
                if (is_rejected(Secret{too_large})) return false;
            }
            return true;
        }

        /// z = y + c s1, into the signature. False if it is too large.
        [[nodiscard, gnu::noinline]] bool write_z(const Terms<S, Isa>& c, SignatureOut sig)
        {
            for (std::size_t j = 0; j < P.l; ++j) {
                if constexpr (keeps)
                    poly_ = kept_.y[j];
                else
                    expand_mask<S, Isa>(seed_, kappa_ + j, poly_);
                multiply_short(c, &sk_[s1_at + j * s_bytes], true);
                std::uint32_t too_large = 0;
                for (const std::int32_t z : poly_) too_large |= is_at_least(z, P.gamma1 - P.beta());
                if (is_rejected(Secret{too_large})) return false;
                girih::declassify(
                    std::span{poly_},
                    "FIPS 204, Algorithm 7, line 33: an accepted z is the signature, and each z inside its "
                    "bound is as likely for every key");
                auto out = writer_to(&sig[P.c_tilde_bytes + j * z_bytes]);
                for (const std::int32_t z : poly_) out.add(P.gamma1 - z, P.z_bits());
            }
            return true;
        }

        /// The hints of c t0, into the signature. False if c t0 is too large, or the
        /// hints are too many.
        [[nodiscard, gnu::noinline]] bool write_hints(const Terms<S, Isa>& c, SignatureOut sig)
        {
            const auto hints = sig.template last<P.omega + P.k>();
            for (Byte& byte : hints) byte = 0;
            Wiped<std::array<std::int16_t, part>> t0{unset};
            std::size_t index = 0;
            for (std::size_t i = 0; i < P.k; ++i) {
                BitReader packed{&sk_[t0_at + i * t0_bytes]};
                poly_ = {};
                for (std::size_t first = 0; first < n; first += part) {
                    unpack(packed, d, 1 << (d - 1), *t0);
                    c.add_product(*t0, first, poly_, false);
                }
                std::uint32_t too_large = 0;
                for (const std::int32_t a : poly_) too_large |= is_at_least(a, P.gamma2);
                if (is_rejected(Secret{too_large})) return false;
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
        [[gnu::noinline]] void multiply_short(const Terms<S, Isa>& c, const Byte* bytes, bool added)
        {
            BitReader packed{bytes};
            Wiped<std::array<std::int8_t, part>> s{unset};
            if (!added) poly_ = {};
            for (std::size_t first = 0; first < n; first += part) {
                unpack(packed, P.eta_bits(), P.eta, *s);
                c.add_product(*s, first, poly_, false);
            }
        }

        SecretKeyIn sk_;
        BytesIn<rho_prime_bytes> seed_;
        std::size_t kappa_ = 0;
        std::array<PackedPoly, P.k> w_;
        Coefficients poly_;
        [[no_unique_address]] std::conditional_t<keeps, Kept, NothingKept> kept_;
    };
};

}  // namespace girih::ml_dsa::compact
