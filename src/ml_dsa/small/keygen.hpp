/// Key generation of ML-DSA in little memory, and the public key of a secret key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/small/packed.hpp"
#include "ml_dsa/small/parts.hpp"
#include "ml_dsa/standard/key_check.hpp"
#include "ml_dsa/standard/keygen.hpp"

namespace girih::ml_dsa::small {

/// Writes rho, K, s1 and s2 to their places in the keys (FIPS 204, Algorithm 6, lines 1 and 4).
template <Params P, class Isa>
[[gnu::noinline]] constexpr void expand_seed(BytesIn<seed_bytes> seed, PublicKeyOut<P> pk, SecretKeyOut<P> sk)
{
    Wiped<std::array<Byte, rho_prime_bytes>> rho_prime{uninitialized};
    ml_dsa::expand_seed<P.shape(), Isa>(P, seed, sk.template first<rho_bytes>(), *rho_prime,
                                        sk.template subspan<key_at, key_bytes>());
    copy(sk.template first<rho_bytes>(), pk);
    declassify_public_parts<P>(sk);
    for (std::size_t r = 0; r < P.l + P.k; ++r) {
        Wiped<std::array<std::int8_t, n>> s{uninitialized};
        rej_bounded_poly<P.shape(), Isa, 8>(
            *rho_prime, r, [&s](std::size_t i, std::int32_t c) { (*s)[i] = static_cast<std::int8_t>(c); });
        pack<P.eta_bits(), P.eta>(*s, &sk[s1_at<P> + r * s_bytes<P>]);
    }
}

/// t += s for a packed short s. Takes and leaves t in [0, q).
template <int bits, std::int32_t b>
constexpr void add_packed(const Byte* packed, Coefficients& t)
{
    for (std::size_t i = 0; i < n; i += group, packed += bits)
        take_group<bits>(packed, [&](std::size_t j, std::int32_t v) __attribute__((always_inline)) {
            t[i + j] = canonical(canonical(t[i + j] + b - v - q));
        });
}

/// Calls use(i, t) for each row of t = A s1 + s2 (FIPS 204, Algorithm 6, lines 3 and 5), in [0, q).
template <Params P, class Isa, bool keeps, class Use>
[[gnu::noinline]] constexpr void make_rows(BytesIn<P.secret_key_bytes()> sk, Use use)
{
    auto s1_hat = make_vector<P.l, keeps>([sk](std::size_t j, Coefficients& s1) {
        unpack<P.eta_bits(), P.eta>(&sk[s1_at<P> + j * s_bytes<P>], s1);
        small::ntt<Isa>(s1);
    });
    Wiped<Coefficients> t{uninitialized};
    for (std::size_t i = 0; i < P.k; ++i) {
        sum_row<Isa>(sk.template first<rho_bytes>(), i, s1_hat, *t);
        finish_sum<Isa>(*t);
        add_packed<P.eta_bits(), P.eta>(&sk[s2_at<P> + i * s_bytes<P>], *t);
        use(i, *t);
    }
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
template <Params P, class Isa, bool keeps>
constexpr void keygen(BytesIn<seed_bytes> seed, PublicKeyOut<P> pk, SecretKeyOut<P> sk)
{
    expand_seed<P, Isa>(seed, pk, sk);                                  // 1, 4
    make_rows<P, Isa, keeps>(sk, [&](std::size_t i, Coefficients& t) {  // 3, 5
        Byte* t1 = &pk[rho_bytes + i * t1_bytes<P>];
        Byte* t0 = &sk[t0_at<P> + i * t0_bytes];
        for (std::size_t at = 0; at < n; at += group, t1 += P.t1_bits, t0 += d) {
            // 6, 8, 10
            put_group<P.t1_bits>(t1, [&](std::size_t j) __attribute__((always_inline)) {
                return power2round(t[at + j]).high;
            });
            put_group<d>(t0, [&](std::size_t j) __attribute__((always_inline)) {
                return (1 << (d - 1)) - power2round(t[at + j]).low;
            });
        }
    });
    girih::declassify(pk, "FIPS 204, Algorithm 6, line 8: rho and t1 are the public key");
    hash_public_key<P.shape(), Isa>(pk, sk.template subspan<tr_at, P.tr_bytes>());  // 9
}

/// The public key of a secret key, and a comparison of everything else in the secret key. Constant
/// time, except for the result.
template <Params P, class Isa, bool keeps>
[[nodiscard]] constexpr KeyCheck public_key(SecretKeyIn<P> sk, PublicKeyOut<P> pk)
{
    if (has_malformed_vectors<P>(sk)) return KeyCheck::malformed;
    copy(sk.template first<rho_bytes>(), pk);
    std::uint32_t difference = 0;
    make_rows<P, Isa, keeps>(sk, [&](std::size_t i, Coefficients& t) {
        const Byte* t0 = &sk[t0_at<P> + i * t0_bytes];
        for (std::size_t at = 0; at < n; at += group, t0 += d)
            take_group<d>(t0, [&](std::size_t j, std::int32_t v) __attribute__((always_inline)) {
                const auto [high, low] = power2round(t[at + j]);
                t[at + j] = high;
                difference |= static_cast<std::uint32_t>(low ^ ((1 << (d - 1)) - v));
            });
        pack<P.t1_bits, 0>(t, &pk[rho_bytes + i * t1_bytes<P>]);
    });
    girih::declassify(pk, "FIPS 204, Algorithm 6, line 8: rho and t1 are the public key");
    std::array<Byte, P.tr_bytes> tr;
    hash_public_key<P.shape(), Isa>(pk, tr);
    for (std::size_t i = 0; i < P.tr_bytes; ++i) difference |= std::uint32_t{tr[i]} ^ sk[tr_at + i];
    return consistency(Secret{difference});
}

}  // namespace girih::ml_dsa::small
