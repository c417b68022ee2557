/// Verification of ML-DSA in little memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/verdict.hpp"
#include "isa/options.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/frame.hpp"
#include "ml_dsa/encoding/hint.hpp"
#include "ml_dsa/kernels/poly_arithmetic.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/small/challenge.hpp"
#include "ml_dsa/small/packed.hpp"
#include "ml_dsa/small/parts.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_dsa::small {

/// The sum of a row: of 32 bits a coefficient, or of 24.
template <bool keeps>
using RowSum = std::conditional_t<keeps, Coefficients, PackedPoly>;

/// The coefficients of a row's sum, in [0, q): in its own place, or in that of a factor that
/// can be made again.
template <class Isa, class Vector>
constexpr Coefficients& finish(Coefficients& sum, Vector&)
{
    finish_sum<Isa>(sum);
    return sum;
}
template <class Isa, class Vector>
constexpr Coefficients& finish(const PackedPoly& sum, Vector& factors)
{
    Coefficients& w = factors.scratch();
    for (std::size_t at = 0; at < n; ++at) w[at] = sum[at];
    finish_sum<Isa>(w);
    return w;
}

template <Params P>
[[nodiscard, gnu::noinline]] constexpr bool has_good_z(SignatureIn<P> sig)
{
    const Byte* in = &sig[P.c_tilde_bytes];
    std::int32_t too_large = 0;
    for (std::size_t i = 0; i < P.l * n; i += group, in += P.z_bits())
        take_group<P.z_bits()>(in, [&](std::size_t, std::int32_t v) __attribute__((always_inline)) {
            too_large |= negative_if_at_least(P.gamma1 - v, P.gamma1 - P.beta());
        });
    return too_large >= 0;
}

template <Params P>
[[nodiscard, gnu::noinline]] constexpr bool has_good_hints(BytesIn<P.omega + P.k> hints)
{
    return for_each_one<P.shape()>(hints, [](std::size_t, std::size_t) {});
}

/// 0 if the hash squeezes c~. It is compared twice, by different code, so that no one instruction
/// decides. A mismatch gives a number far from 0: a skipped instruction is unlikely to leave 0.
template <Params P, class Isa>
[[nodiscard, gnu::noinline]] constexpr std::uint32_t difference_of(keccak::Shake256<Isa>& hash,
                                                                   BytesIn<P.c_tilde_bytes> c_tilde)
{
    std::array<Byte, P.c_tilde_bytes> again;
    hash.squeeze(again);
    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < again.size(); ++i) difference |= std::uint32_t{again[i]} ^ c_tilde[i];
    for (std::size_t i = again.size(); i-- > 0;)
        if (again[i] != c_tilde[i]) return not_verified;
    return difference;
}

/// w -= c t1 2^d, of values.
template <Params P, class Isa>
[[gnu::noinline]] constexpr void subtract_values(const Coefficients& c_hat, const Byte* packed,
                                                 Coefficients& w)
{
    Coefficients t1;
    unpack<P.t1_bits, 0>(packed, t1);
    for (std::int32_t& c : t1) c <<= d;
    small::ntt<Isa>(t1);
    for (std::size_t at = 0; at < n; ++at) w[at] -= small::multiply<Isa>(t1[at], c_hat[at]);
}

/// w -= c t1 2^d, of coefficients: t1 is shifted for each term of c. Takes and leaves w in [0, q).
template <Params P, class Isa>
[[gnu::noinline]] constexpr void subtract_c_t1(const ChallengeTerms<P.shape(), Isa>& c, const Byte* bytes,
                                               Coefficients& w)
{
    // tau (2^10 - 1) 2^13 + q < 2^29 + 2^23
    std::array<std::int16_t, part> t1;
    for (std::size_t first = 0; first < n; first += part) {
        unpack<P.t1_bits, 0>(bytes + packed_bytes(P.t1_bits) * first / n, t1);
        c.template add_product<d>(t1, first, w, true);
    }
    for (std::int32_t& coefficient : w) coefficient = canonical(reduce(coefficient));
}

/// Absorbs UseHint of a row, packed.
template <Params P, class Isa>
[[gnu::noinline]] constexpr void absorb_w1(Coefficients& w, BytesIn<P.omega + P.k> hints, std::size_t i,
                                           keccak::Shake256<Isa>& hash)
{
    // Where there is a hint, puts a residue with the high bits that UseHint gives.
    for (std::size_t hint = i == 0 ? 0 : hints[P.omega + i - 1]; hint < hints[P.omega + i]; ++hint) {
        std::int32_t& r = w[hints[hint]];
        r = use_hint<P.gamma2>(std::int32_t{1}, r) * (2 * P.gamma2);
    }
    absorb_w1_row<P, Isa>(hash, [&w](std::size_t at) { return high_bits<P.gamma2>(w[at]); });
}

template <Params P, class Isa>
[[gnu::noinline]] constexpr void absorb_mu(PublicKeyIn<P> pk, const Frame& frame, BytesIn<> message,
                                           keccak::Shake256<Isa>& hash)
{
    std::array<Byte, std::max(P.tr_bytes, mu_bytes)> tr_then_mu;
    const auto tr = std::span{tr_then_mu}.template first<P.tr_bytes>();
    const auto mu = std::span{tr_then_mu}.template first<mu_bytes>();
    hash_public_key<P.shape(), Isa>(pk, tr);
    message_representative<Isa>(tr, frame, message, mu);
    hash.absorb(mu);
}

/// Absorbs the w1 that the signature leads to, for the hash c~ (FIPS 204, Algorithm 8, lines 9 to
/// 12).
template <Params P, class Isa, bool keeps>
[[gnu::noinline]] constexpr void absorb_answer(PublicKeyIn<P> pk, SignatureIn<P> sig,
                                               const ChallengeTerms<P.shape(), Isa>& c,
                                               keccak::Shake256<Isa>& hash)
{
    auto z_hat = make_vector<P.l, keeps>([sig](std::size_t j, Coefficients& z) {
        unpack<P.z_bits(), P.gamma1>(&sig[P.c_tilde_bytes + j * z_bytes<P>], z);
        small::ntt<Isa>(z);
    });
    std::array<Coefficients, keeps ? 1 : 0> c_hat;
    for (Coefficients& poly : c_hat) {
        c.write(poly);
        small::ntt<Isa>(poly);
    }
    for (std::size_t i = 0; i < P.k; ++i) {
        RowSum<keeps> sum;
        if constexpr (isa::SavesMemory<Isa> && !keeps)
            sum_row_in_place<Isa>(pk.template first<rho_bytes>(), i, z_hat, sum);
        else
            sum_row<Isa>(pk.template first<rho_bytes>(), i, z_hat, sum);
        const Byte* const t1 = &pk[rho_bytes + i * t1_bytes<P>];
        if constexpr (keeps) subtract_values<P, Isa>(c_hat[0], t1, sum);
        Coefficients& w = finish<Isa>(sum, z_hat);
        if constexpr (!keeps) subtract_c_t1<P, Isa>(c, t1, w);
        absorb_w1<P, Isa>(w, sig.template last<P.omega + P.k>(), i, hash);
    }
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8); absorb(hash) absorbs mu. 0 for a good signature.
/// Variable time: everything here is public.
template <Params P, class Isa, bool keeps, class Absorb>
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t verify_by(PublicKeyIn<P> pk, SignatureIn<P> sig,
                                                                    Absorb absorb)
{
    if (!has_good_z<P>(sig)) return not_verified;                                     // 2, 13
    if (!has_good_hints<P>(sig.template last<P.omega + P.k>())) return not_verified;  // 2, 3
    const auto c_tilde = sig.template first<P.c_tilde_bytes>();
    const ChallengeTerms<P.shape(), Isa> c{c_tilde};  // 8
    keccak::Shake256<Isa> hash;
    absorb(hash);                                    // 6, 7
    absorb_answer<P, Isa, keeps>(pk, sig, c, hash);  // 1, 5, 9, 10
    return difference_of<P, Isa>(hash, c_tilde);     // 12, 13
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message representative mu. 0 for a good
/// signature.
template <Params P, class Isa, bool keeps>
[[nodiscard]] constexpr std::uint32_t verify_mu_vartime(PublicKeyIn<P> pk, BytesIn<mu_bytes> mu,
                                                        SignatureIn<P> sig)
{
    return verify_by<P, Isa, keeps>(pk, sig, [&](keccak::Shake256<Isa>& hash) { hash.absorb(mu); });
}

/// ML-DSA.Verify_internal (FIPS 204, Algorithm 8), from the message.
template <Params P, class Isa, bool keeps>
[[nodiscard, gnu::always_inline]] constexpr bool verify_vartime(PublicKeyIn<P> pk, const Frame& frame,
                                                                BytesIn<> message, SignatureIn<P> sig)
{
    const auto absorb = [&](keccak::Shake256<Isa>& hash)
                            __attribute__((always_inline)) { absorb_mu<P, Isa>(pk, frame, message, hash); };
    return verify_by<P, Isa, keeps>(pk, sig, absorb) == 0;
}

}  // namespace girih::ml_dsa::small
