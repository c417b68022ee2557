/// Packed keys and signatures of ML-DSA: their types and layout, and the functions that several
/// operations share: the range check of the short vectors, and hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/types.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_dsa::small {

using module_lattice::above_middle;
using module_lattice::group;
using module_lattice::put_group;

// Bytes of a polynomial.
template <Params P>
inline constexpr std::size_t s_bytes = packed_bytes(P.eta_bits());
inline constexpr std::size_t t0_bytes = packed_bytes(d);
template <Params P>
inline constexpr std::size_t t1_bytes = packed_bytes(P.t1_bits);
template <Params P>
inline constexpr std::size_t z_bytes = packed_bytes(P.z_bits());

// The layout of a secret key (FIPS 204, Algorithm 24).
inline constexpr std::size_t key_at = rho_bytes;
inline constexpr std::size_t tr_at = key_at + key_bytes;
template <Params P>
inline constexpr std::size_t s1_at = tr_at + P.tr_bytes;
template <Params P>
inline constexpr std::size_t s2_at = s1_at<P> + P.l * s_bytes<P>;
template <Params P>
inline constexpr std::size_t t0_at = s2_at<P> + P.k * s_bytes<P>;

template <Params P>
constexpr void declassify_public_parts(SecretKeyIn<P> sk)
{
    girih::declassify(sk.template first<rho_bytes>(),
                      "FIPS 204, Algorithm 24: rho is part of the public key");
    girih::declassify(sk.template subspan<tr_at, P.tr_bytes>(),
                      "FIPS 204, Algorithm 24: tr is a hash of the public key");
}

/// Whether s1 or s2 has a coefficient above eta. Constant time, except for the result.
template <Params P>
[[nodiscard]] constexpr bool has_malformed_vectors(SecretKeyIn<P> sk)
{
    declassify_public_parts<P>(sk);
    static_assert(2 * P.eta == 1 << (P.eta_bits() - 1));
    const std::uint32_t out_of_range = above_middle<P.eta_bits()>(&sk[s1_at<P>], (P.l + P.k) * n / group);
    return declassify(Secret{out_of_range},
                      "FIPS 204, Algorithm 25: a malformed key is refused, and may be known to be") != 0;
}

/// Absorbs high(i) for each coefficient of a row of w1, packed (FIPS 204, Algorithm 28).
template <Params P, class Isa, class High>
constexpr void absorb_w1_row(keccak::Shake256<Isa>& hash, High high)
{
    constexpr std::size_t bits = P.w1_bits();
    std::array<Byte, std::lcm<std::size_t>(8, bits)> w1;  // whole words of the sponge
    for (std::size_t i = 0; i < n;) {
        for (std::size_t at = 0; at < w1.size(); at += bits, i += group)
            put_group<bits>(&w1[at],
                            [&](std::size_t j) __attribute__((always_inline)) { return high(i + j); });
        hash.absorb(w1);
    }
}

}  // namespace girih::ml_dsa::small
