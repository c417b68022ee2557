/// Signing in little memory, with the same bytes as `sign`: eight polynomials of n numbers, G and
/// the point. s2, and f, g and F unpacked from the secret key, are in numbers that are free.
///
/// Values are recomputed instead of kept: the basis at the roots is computed before and again after
/// sampling. The walk through the tree uses 3n numbers, because a level of degree m uses 3m/2 and
/// leaves the rest to the levels below. One function walks all levels, whereas `ff_sampling` has
/// one for each.
///
/// | number | before the walk | during | after |
/// |---|---|---|---|
/// | 0, 1, 2 | g; G; c | the walk | residues modulo q; s2 |
/// | 3 | | z1 | z1 |
/// | 4 | -f, then t1 | t1, then z0 | z0 |
/// | 5 | -F, then t0 | t0 | |
/// | 6 | f, g, F as integers, then l10 | l10 | f, g, F as integers |
/// | 7 | d00, d11 | d00, d11 | |
///
/// `sign` multiplies z by the basis in floating point, and rounds. Here z, whose coefficients are
/// integers, is rounded first and multiplied modulo q: the coefficients of (s1, s2) = (c, 0) - z B
/// have a deviation below 170 and so are below q / 2, and each is the representative nearest 0.
/// (This fails for a key whose leaves are out of range; but then nothing is signed.)
///
/// Constant time if `sign` is. Everything is wiped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "falcon/encoding/public_key.hpp"
#include "falcon/encoding/secret_key.hpp"
#include "falcon/encoding/signature.hpp"
#include "falcon/interface.hpp"
#include "falcon/kernels/fft/fft.hpp"
#include "falcon/kernels/ring/ntt.hpp"
#include "falcon/kernels/ring/residue.hpp"
#include "falcon/params.hpp"
#include "falcon/rows.hpp"
#include "falcon/sampling/hash_to_point.hpp"
#include "falcon/sampling/sampler.hpp"
#include "falcon/small/walk.hpp"
#include "falcon/standard/sign.hpp"
#include "isa/products.hpp"
#include "keccak/sponge.hpp"

namespace girih::falcon {

/// The public key of a secret key. False for a malformed key; f G - g F = q is checked by signing
/// instead. Constant time, except for the result.
template <Params P, class Isa>
[[nodiscard]] bool public_key_compactly(BytesIn<P.secret_key_bytes()> sk, BytesOut<P.public_key_bytes()> pk)
{
    isa::require_falcons_secrets<Isa>();
    Wiped<Basis<P.n()>> basis{uninitialized};
    if (!decode_secret_key<P.shape(), Isa>(sk, *basis)) return false;
    write_public_key<P.shape(), Isa>(basis->f, basis->g, pk);  // decoding checks that f has a reciprocal
    return true;
}

template <Params P, class Isa>
class SmallSigning {
    using Fpr = typename Isa::Fpr;
    using Walk = SmallWalk<Isa>;
    using Values = Poly<Fpr, P.n()>;
    static constexpr std::size_t n = P.n();

  public:
    /// Sign (Falcon, Algorithm 10), in little memory.
    [[nodiscard]] static SignOutcome sign(BytesIn<P.secret_key_bytes()> sk, BytesIn<> message,
                                          const SigningRandomness& random,
                                          BytesOut<P.signature_bytes()> signature)
    {
        return sign_by(sk, random, signature, [&](ResiduePoly<n>& c) __attribute__((always_inline)) {
            hash_message<Isa, n>(random.salt, message, c);
        });
    }

    /// Sign (Falcon, Algorithm 10), with a hash that has absorbed the salt and the message.
    template <class HashIsa>
    [[nodiscard]] static SignOutcome sign(BytesIn<P.secret_key_bytes()> sk, keccak::Shake256<HashIsa>& hash,
                                          const SigningRandomness& random,
                                          BytesOut<P.signature_bytes()> signature)
    {
        return sign_by(sk, random, signature,
                       [&](ResiduePoly<n>& c) { hash_to_point_vartime<HashIsa, n>(hash, c); });
    }

    /// The public key of a secret key, with every check that signing makes of the key. Constant
    /// time, except for the result.
    [[nodiscard]] static KeyCheck public_key(BytesIn<P.secret_key_bytes()> sk,
                                             BytesOut<P.public_key_bytes()> pk)
    {
        Wiped<SmallPoly<n>> big_g{uninitialized};
        if (!complete_basis(sk, *big_g)) return KeyCheck::malformed;
        if (!is_consistent(sk, *big_g)) return KeyCheck::inconsistent;
        (void)public_key_compactly<P, Isa>(sk, pk);
        return KeyCheck::good;
    }

    SmallSigning(const SmallSigning&) = delete;
    SmallSigning& operator=(const SmallSigning&) = delete;

  private:
    SmallSigning(BytesIn<P.secret_key_bytes()> sk, const SmallPoly<n>& big_g) : sk_(sk), big_g_(&big_g) {}
    ~SmallSigning() { wipe(numbers_); }

    template <class MakePoint>
    [[nodiscard, gnu::always_inline]] static SignOutcome sign_by(BytesIn<P.secret_key_bytes()> sk,
                                                                 const SigningRandomness& random,
                                                                 BytesOut<P.signature_bytes()> signature,
                                                                 MakePoint make_point)
    {
        isa::require_falcons_secrets<Isa>();
        Wiped<SmallPoly<n>> big_g{uninitialized};
        if (!complete_basis(sk, *big_g)) return {SignResult::malformed_key};
        return sign_point(sk, *big_g, random, signature, make_point);
    }

    /// G, of a secret key that is well-formed.
    [[nodiscard, gnu::noinline]] static bool complete_basis(BytesIn<P.secret_key_bytes()> sk,
                                                            SmallPoly<n>& big_g)
    {
        Wiped<Basis<n>> basis{uninitialized};
        const bool is_good = decode_secret_key<P.shape(), Isa>(sk, *basis);
        copy_secret(basis->big_g.data(), big_g.data(), sizeof big_g);
        return is_good;
    }

    // noinline, so that its numbers reuse the stack of decoding the key.
    template <class MakePoint>
    [[nodiscard, gnu::noinline]] static SignOutcome sign_point(BytesIn<P.secret_key_bytes()> sk,
                                                               const SmallPoly<n>& big_g,
                                                               const SigningRandomness& random,
                                                               BytesOut<P.signature_bytes()> signature,
                                                               MakePoint make_point)
    {
        SmallSigning signing{sk, big_g};
        make_point(signing.point_);
        keccak::Shake256<Isa> source;
        source.absorb(random.seed);
        for (int attempt = 0; attempt < max_attempts; ++attempt) {
            Sampler<Isa> sampler{P.sigma_min(), source};
            if (!signing.open()) return {SignResult::malformed_key};
            signing.approach(sampler);
            if (signing.has_bad_leaves(sampler)) return {SignResult::malformed_key};
            if (const std::size_t bytes = signing.finish(random.salt, signature))
                return {SignResult::good, bytes};
        }
        return {SignResult::too_many_attempts};
    }

    /// Whether f G - g F = q, and the leaves of the tree are in range: a walk from the point 0.
    [[nodiscard, gnu::noinline]] static bool is_consistent(BytesIn<P.secret_key_bytes()> sk,
                                                           const SmallPoly<n>& big_g)
    {
        SmallSigning signing{sk, big_g};
        signing.point_ = {};
        keccak::Shake256<Isa> source;
        Sampler<Isa> sampler{P.sigma_min(), source};
        if (!signing.open()) return false;
        signing.approach(sampler);
        return !signing.has_bad_leaves(sampler);
    }

    [[nodiscard]] static bool has_bad_leaves(Sampler<Isa>& sampler)
    {
        return declassify(sampler.leaf_range().some_outside(),
                          "Section 3.8.3: a malformed key is refused, and may be known to be") != 0;
    }

    /// f, g and F.
    struct Short {
        SmallPoly<n> f, g, big_f;
    };
    static_assert(sizeof(Short) <= sizeof(Values) && sizeof(ShortPoly<n>) <= sizeof(Values));

    /// f, g and F of the secret key, which has been decoded before, in number 6.
    [[nodiscard, gnu::noinline]] const Short& unpack_key()
    {
        constexpr std::size_t fg = fg_bytes<P.shape()>;
        auto& key = *new (&numbers_[6]) Short;
        (void)unpack_signed_fields<P.fg_bits(), Isa>(sk_.template subspan<1, fg>(), key.f);
        (void)unpack_signed_fields<P.fg_bits(), Isa>(sk_.template subspan<1 + fg, fg>(), key.g);
        (void)unpack_signed_fields<P.big_f_bits, Isa>(sk_.template last<n * P.big_f_bits / 8>(), key.big_f);
        return key;
    }

    /// Everything before the walk. False if the basis does not solve the NTRU equation.
    [[nodiscard, gnu::noinline]] bool open()
    {
        Values& g = numbers_[0];
        Values& big_g = numbers_[1];
        Values& c = numbers_[2];
        Values& minus_f = numbers_[4];
        Values& minus_big_f = numbers_[5];
        {
            const Short& key = unpack_key();
            transform<Fpr, n>(key.g, g);
            transform<Fpr, n>(*big_g_, big_g);
            transform<Fpr, n>(key.f, minus_f);
            transform<Fpr, n>(key.big_f, minus_big_f);
        }
        negate<Fpr, n>(minus_f);
        negate<Fpr, n>(minus_big_f);
        for (std::size_t i = 0; i < n; ++i) c[i] = Fpr::of(point_[i]);
        fft<Fpr>(c);

        Values& l10 = numbers_[6];
        Values& d = numbers_[7];
        const Fpr inverse_q{1.0 / q};
        const Complex<Fpr> modulus{Fpr::of(q), Fpr::of(0)};
        std::uint32_t wrong = 0;
        for (std::size_t i = 0; i < n / 2; ++i) {
            const Complex<Fpr> b00 = at(g, i);
            const Complex<Fpr> b01 = at(minus_f, i);
            const Complex<Fpr> b10 = at(big_g, i);
            const Complex<Fpr> b11 = at(minus_big_f, i);
            wrong |= less(norm(b00 * b11 - b01 * b10 - modulus), Fpr{1.0}) ^ 1;  // has_wrong_determinant

            // decompose_gram: LDL* (Falcon, Algorithm 8) of B B*
            const Fpr g00 = norm(b00) + norm(b01);
            const Complex<Fpr> g01 = b00 * conjugate(b10) + b01 * conjugate(b11);
            const Fpr g11 = norm(b10) + norm(b11);
            const Fpr inverse = Fpr{1.0} / g00;
            put(l10, i, conjugate(g01) * inverse);
            d[i] = g00;
            d[i + n / 2] = g11 - norm(g01) * inverse;

            // t = (c, 0) B^-1
            const Complex<Fpr> target = at(c, i);
            put(minus_f, i, (target * b01) * -inverse_q);
            put(minus_big_f, i, (target * b11) * inverse_q);
        }
        return declassify(Secret{wrong},
                          "Section 3.4: a key that contradicts itself is refused, and may be known to") == 0;
    }

    /// z near (c, 0) B^-1: z1 and z0 in numbers 3 and 4, as integers up to rounding errors.
    [[gnu::noinline]] void approach(Sampler<Isa>& sampler)
    {
        Walk walk{sampler, Fpr{P.inverse_sigma()}};
        Fpr* const scratch = numbers_[0].data();
        Fpr* const z1 = numbers_[3].data();
        Fpr* const t1 = numbers_[4].data();
        Fpr* const t0 = numbers_[5].data();
        const Values& d = numbers_[7];
        walk.sample(&d[n / 2], t1, z1, scratch, n);
        Walk::shift_centre(t0, t1, z1, numbers_[6].data(), n);
        walk.sample(d.data(), t0, t1, scratch, n);  // z0 replaces t1

        inverse_fft<Fpr>(numbers_[3]);
        inverse_fft<Fpr>(numbers_[4]);
    }

    /// Reuses the first numbers once z is sampled.
    struct Residues {
        ResiduePoly<n> z0, z1;    ///< as values at the roots
        ResiduePoly<n> z_g, z_f;  ///< z0 g + z1 G, which is c - s1, and z0 f + z1 F, which is s2
        ResiduePoly<n> values;
    };
    static_assert(sizeof(Residues) <= 2 * sizeof(Values));

    [[nodiscard, gnu::noinline]] const Residues& multiply_by_basis()
    {
        auto& r = *new (&numbers_[0]) Residues;
        for (std::size_t i = 0; i < n; ++i) {
            r.z0[i] = modulo_q::of_integer(static_cast<std::int32_t>(round(numbers_[4][i])));
            r.z1[i] = modulo_q::of_integer(static_cast<std::int32_t>(round(numbers_[3][i])));
        }
        ntt<Isa, n>(r.z0);
        ntt<Isa, n>(r.z1);
        const Short& key = unpack_key();
        combine(key.g, *big_g_, r, r.z_g);
        combine(key.f, key.big_f, r, r.z_f);
        return r;
    }

    /// z0 a + z1 b
    [[gnu::noinline]] static void combine(const SmallPoly<n>& a, const SmallPoly<n>& b, Residues& r,
                                          ResiduePoly<n>& out)
    {
        reduce<Isa, n>(a, out);
        ntt<Isa, n>(out);
        multiply_values<Isa, n>(out, r.z0);
        reduce<Isa, n>(b, r.values);
        ntt<Isa, n>(r.values);
        multiply_values<Isa, n>(r.values, r.z1);
        for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Residue>(modulo_q::add(out[i], r.values[i]));
        inverse_ntt<Isa, n>(out);
    }

    /// Writes the signature if it is short enough and fits its format; returns its length, or 0.
    [[nodiscard, gnu::noinline]] std::size_t finish(BytesIn<salt_bytes> salt,
                                                    BytesOut<P.signature_bytes()> signature)
    {
        const Residues& r = multiply_by_basis();
        auto& s2 = *new (&numbers_[2]) ShortPoly<n>;
        const auto nearest = [this, &r](std::size_t which, std::size_t i) -> std::int64_t {
            return which == 0 ? point_[i] - modulo_q::centred(modulo_q::subtract(point_[i], r.z_g[i]))
                              : -modulo_q::centred(r.z_f[i]);
        };
        return is_short<P.shape()>(point_, nearest, s2)
                   ? write_signature<P.shape(), Isa>(P.format, s2, salt, signature)
                   : 0;
    }

    BytesIn<P.secret_key_bytes()> sk_;
    const SmallPoly<n>* big_g_;
    ResiduePoly<n> point_;
    std::array<Values, 8> numbers_;
};

}  // namespace girih::falcon
