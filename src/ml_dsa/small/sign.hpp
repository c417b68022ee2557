/// Signing of ML-DSA in little memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/frame.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/small/challenge.hpp"
#include "ml_dsa/small/packed.hpp"
#include "ml_dsa/small/parts.hpp"
#include "ml_dsa/standard/sign.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_dsa::small {

/// The memory of an attempt. Rows of w are residues at first, and later in the form of Split.
template <Params P, bool keeps>
struct AttemptMemory {
    std::array<PackedPoly, P.k> w;
    Coefficients poly;
};
/// That memory, if the matrix, the short vectors and the masks are kept.
template <Params P>
struct AttemptMemory<P, true> {
    std::array<Coefficients, P.k> w;
    std::array<Coefficients, P.l> y;
    std::array<std::array<Coefficients, P.l>, P.k> a_hat;
    std::array<ShortBytes<P.shape(), n>, P.l + P.k> s;  ///< s1, then s2
};

/// A residue in two parts, in one integer: the low part, doubled, and whether the high one is not
/// 0. Products with a challenge are added to the low part, and the sum stays in 24 bits.
template <Params P>
struct Split {
    static_assert(2 * (P.gamma2 + P.beta()) < 1 << 23);

    [[nodiscard]] static constexpr std::int32_t of(std::int32_t low, std::int32_t high)
    {
        return 2 * low - negative_lanes(-high);
    }
    [[nodiscard]] static constexpr std::int32_t low(std::int32_t both) { return both >> 1; }
    /// 0 for 0.
    [[nodiscard]] static constexpr std::int32_t high(std::int32_t both) { return both & 1; }
};

/// The attempts at a signature that sign_by makes, one polynomial at a time: each polynomial goes
/// through all steps that its memory allows. c~, z and the hints are written to the signature as
/// they come.
template <Params P, class Isa, bool keeps>
class Signing {
    static constexpr Shape shape = P.shape();
    using Challenge = ChallengeTerms<shape, Isa>;
    using ShortPoly = ShortBytes<shape, keeps ? n : sizeof(ByteSums<Isa>)>;

  public:
    static constexpr std::size_t l = P.l;

    Signing(SecretKeyIn<P> sk, BytesIn<rho_prime_bytes> rho_double_prime, SignatureOut<P> sig)
        : sk_(sk), seed_(rho_double_prime), sig_(sig)
    {
        if constexpr (keeps) {
            for (std::size_t i = 0; i < P.k; ++i)
                for (std::size_t j = 0; j < P.l; ++j)
                    rej_ntt_poly<Isa, drawn_at_once<keeps>>(
                        sk.template first<rho_bytes>(), j, i,
                        [&](std::size_t at, std::int32_t a) { scratch_.a_hat[i][j][at] = a; });
            for (std::size_t r = 0; r < P.l + P.k; ++r) scratch_.s[r].unpack(packed_short(r));
        }
    }
    Signing(const Signing&) = delete;
    Signing& operator=(const Signing&) = delete;
    ~Signing()
    {
        wipe(scratch_.w);
        if constexpr (keeps) {
            wipe(scratch_.y);
        } else {
            wipe(scratch_.poly);
        }
    }

    /// w = A y, as values (FIPS 204, Algorithm 7, lines 11 and 12).
    [[gnu::noinline]] void commit(std::size_t kappa)
    {
        kappa_ = kappa;
        if constexpr (keeps) {
            for (std::size_t j = 0; j < P.l; ++j) {
                make_mask(j, scratch_.y[j]);
                scratch_.w[j] = scratch_.y[j];
                small::ntt<Isa>(scratch_.w[j]);
            }
            multiply_matrix<Isa>(scratch_.a_hat, scratch_.w);
        } else {
            for (PackedPoly& w : scratch_.w) w = {};
            for (std::size_t j = 0; j < P.l; ++j) {
                make_mask(j, scratch_.poly);
                small::ntt<Isa>(scratch_.poly);
                for (std::size_t i = 0; i < P.k; ++i)
                    rej_ntt_poly<Isa, drawn_at_once<keeps>>(
                        sk_.template first<rho_bytes>(), j, i, [&](std::size_t at, std::int32_t a) {
                            scratch_.w[i].add(at, small::multiply<Isa>(a, scratch_.poly[at]));
                        });
            }
        }
    }

    /// w as coefficients, in two parts, and c~ = H(mu | w1Encode(w1)) (lines 12 to 15).
    [[gnu::noinline]] void challenge(BytesIn<mu_bytes> mu)
    {
        keccak::Shake256<Isa> hash;
        hash.absorb(mu);
        for (auto& row : scratch_.w) {
            Coefficients& w = unpacked(row);
            small::inverse_ntt<Isa>(w);
            absorb_w1_row<P, Isa>(hash, [&](std::size_t at) {
                const auto [high, low] = decompose<P.gamma2>(canonical(w[at]));
                set(row, at, Split<P>::of(low, high));
                return high;
            });
        }
        hash.squeeze(c_tilde());
        declassify_challenge(c_tilde());
    }

    /// z and the hints, or the reason for rejecting the attempt.
    [[nodiscard, gnu::noinline]] std::optional<Rejection> respond()
    {
        const Challenge c{c_tilde()};                 // 16
        if (!subtract_c_s2(c)) return Rejection::r0;  // 19, 21, 23
        if (!write_z(c)) return Rejection::z;         // 18, 20, 23, 33
        return write_hints(c);                        // 25, 26, 28, 33
    }
    static void encode_accepted(BytesOut<>) {}  // respond() wrote it

  private:
    /// Subtracts c s2 from the low parts of w. False if they become too large; otherwise the high
    /// parts are still those of w.
    [[nodiscard, gnu::noinline]] bool subtract_c_s2(const Challenge& c)
    {
        for (std::size_t i = 0; i < P.k; ++i) {
            auto& row = scratch_.w[i];
            std::int32_t too_large = 0;
            with_short(P.l + i, [&](const ShortPoly& s2) {
                for_each_of_product<Isa>(c, s2, [&](std::size_t at, std::int32_t v) {
                    const std::int32_t r0 = row[at] - 2 * v;
                    set(row, at, r0);
                    too_large |=
                        negative_if_at_least(Split<P>::low(r0), rejection_limit<shape, Rejection::r0>);
                });
            });
            if (is_rejected(Secret{static_cast<std::uint32_t>(too_large) >> 31})) return false;
        }
        return true;
    }

    /// Writes z = y + c s1 to the signature. False if it is too large.
    [[nodiscard, gnu::noinline]] bool write_z(const Challenge& c)
    {
        for (std::size_t j = 0; j < P.l; ++j) {
            Coefficients& z = mask(j);
            std::int32_t too_large = 0;
            with_short(j, [&](const ShortPoly& s1) {
                for_each_of_product<Isa>(c, s1, [&](std::size_t at, std::int32_t v) {
                    z[at] += v;
                    too_large |= negative_if_at_least(z[at], rejection_limit<shape, Rejection::z>);
                });
            });
            if (is_rejected(Secret{static_cast<std::uint32_t>(too_large) >> 31})) return false;
            girih::declassify(
                std::span{z},
                "FIPS 204, Algorithm 7, line 33: an accepted z is the signature, and each z inside its "
                "bound is as likely for every key");
            pack<P.z_bits(), P.gamma1>(z, &sig_[P.c_tilde_bytes + j * z_bytes<P>]);
        }
        return true;
    }

    /// Writes the hints of c t0 to the signature, unless c t0 is too large or there are too many.
    [[nodiscard, gnu::noinline]] std::optional<Rejection> write_hints(const Challenge& c)
    {
        const auto hints = sig_.template last<P.omega + P.k>();
        for (Byte& byte : hints) byte = 0;
        if constexpr (keeps) {
            c.write(scratch_.y[0]);
            small::ntt<Isa>(scratch_.y[0]);
        }
        std::size_t index = 0;
        for (std::size_t i = 0; i < P.k; ++i) {
            const Coefficients& ct0 = multiply_t0(c, i);
            if (rejects<shape, Isa, Rejection::ct0>(ct0)) return Rejection::ct0;
            for (std::size_t at = 0; at < n; ++at) {
                const std::int32_t r0 = scratch_.w[i][at];
                const Secret hint{
                    make_hint_from_low<P.gamma2>(Split<P>::low(r0) + ct0[at], Split<P>::high(r0))};
                if (declassify(
                        hint,
                        "FIPS 204, Algorithm 7, line 33: an accepted hint is the signature, and of too "
                        "many the attempt is known") == 0)
                    continue;
                if (index == P.omega) return Rejection::hints;
                hints[index++] = static_cast<Byte>(at);
            }
            hints[P.omega + i] = static_cast<Byte>(index);
        }
        return std::nullopt;
    }

    /// c t0's row i. If vectors are kept, the transform of c is in y[0] and the product goes after
    /// it, because z is already written. Otherwise terms are added.
    [[nodiscard]] const Coefficients& multiply_t0(const Challenge& c, std::size_t i)
    {
        const Byte* const packed = &sk_[t0_at<P> + i * t0_bytes];
        if constexpr (keeps) {
            static_assert(P.l >= 2);
            Coefficients& t0 = scratch_.y[1];
            unpack<d, 1 << (d - 1)>(packed, t0);
            small::ntt<Isa>(t0);
            for (std::size_t at = 0; at < n; ++at) t0[at] = small::multiply<Isa>(t0[at], scratch_.y[0][at]);
            small::inverse_ntt<Isa>(t0);
            return t0;
        } else {
            Wiped<std::array<std::int16_t, part>> t0{uninitialized};
            scratch_.poly = {};
            for (std::size_t first = 0; first < n; first += part) {
                unpack<d, 1 << (d - 1)>(packed + t0_bytes * first / n, *t0);
                c.add_product(*t0, first, scratch_.poly, false);
            }
            return scratch_.poly;
        }
    }

    // ---- Parts that are kept, or made again

    void make_mask(std::size_t j, Coefficients& y) { expand_mask<shape, Isa>(seed_, kappa_ + j, y); }

    [[nodiscard]] Coefficients& mask(std::size_t j)
    {
        if constexpr (keeps) {
            return scratch_.y[j];
        } else {
            make_mask(j, scratch_.poly);
            return scratch_.poly;
        }
    }

    /// A row of w, to be transformed: in place, or in other memory.
    [[nodiscard]] static Coefficients& unpacked(Coefficients& row) { return row; }
    [[nodiscard]] Coefficients& unpacked(const PackedPoly& row)
    {
        for (std::size_t at = 0; at < n; ++at) scratch_.poly[at] = row[at];
        return scratch_.poly;
    }
    static void set(Coefficients& row, std::size_t at, std::int32_t a) { row[at] = a; }
    static void set(PackedPoly& row, std::size_t at, std::int32_t a) { row.set(at, a); }

    /// Calls use(s) for short polynomial number r: those of s1, then those of s2.
    template <class Use>
    void with_short(std::size_t r, Use use) const
    {
        if constexpr (keeps) {
            use(scratch_.s[r]);
        } else {
            ShortPoly s;
            s.unpack(packed_short(r));
            use(s);
        }
    }
    [[nodiscard]] const Byte* packed_short(std::size_t r) const { return &sk_[s1_at<P> + r * s_bytes<P>]; }

    [[nodiscard]] BytesOut<P.c_tilde_bytes> c_tilde() const { return sig_.template first<P.c_tilde_bytes>(); }

    SecretKeyIn<P> sk_;
    BytesIn<rho_prime_bytes> seed_;
    SignatureOut<P> sig_;
    std::size_t kappa_ = 0;
    AttemptMemory<P, keeps> scratch_;
};

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), from the message representative mu. Constant time,
/// except for the number of attempts and what rejected each.
template <Params P, class Isa, bool keeps>
[[nodiscard]] constexpr SignResult sign_mu(SecretKeyIn<P> sk, BytesIn<mu_bytes> mu, BytesIn<> rnd,
                                           SignatureOut<P> sig)
{
    if (has_malformed_vectors<P>(sk)) return SignResult::malformed_key;  // 1
    Wiped<std::array<Byte, rho_prime_bytes>> rho_double_prime{uninitialized};
    const auto key = sk.template subspan<key_at, key_bytes>();
    private_random_seed<Isa>(P, key, rnd, mu, *rho_double_prime);  // 7
    Signing<P, Isa, keeps> attempts{sk, *rho_double_prime, sig};   // 2, 3, 5
    return sign_by(attempts, mu, sig, Unobserved{}) ? SignResult::good : SignResult::too_many_attempts;
}

/// ML-DSA.Sign_internal (FIPS 204, Algorithm 7), from the message.
template <Params P, class Isa, bool keeps>
[[nodiscard]] constexpr SignResult sign(SecretKeyIn<P> sk, const Frame& frame, BytesIn<> message,
                                        BytesIn<> rnd, SignatureOut<P> sig)
{
    std::array<Byte, mu_bytes> mu;
    const auto tr = sk.template subspan<tr_at, P.tr_bytes>();
    message_representative<Isa>(tr, frame, message, mu);  // 6
    return sign_mu<P, Isa, keeps>(sk, mu, rnd, sig);
}

}  // namespace girih::ml_dsa::small
