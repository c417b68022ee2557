/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Trailing comments give the standard's line
/// numbers.
///
/// The portable engine and tests run this text; engines with lanes for several sponges run
/// lanes/keygen.hpp, and microcontrollers small/keygen.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/encoding/message.hpp"
#include "ml_dsa/kernels/ntt.hpp"
#include "ml_dsa/kernels/products.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/params.hpp"
#include "ml_dsa/sampling/expand.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

template <Shape S>
inline constexpr std::array<Byte, 2> k_and_l{Byte{S.k}, Byte{S.l}};

/// The bytes after the seed in the hash (FIPS 204, Algorithm 6, line 1); in round 3.1, nothing.
template <Shape S>
[[nodiscard]] constexpr BytesIn<> dimensions(const Version& version)
{
    return BytesIn<>{k_and_l<S>}.first(version.seed_names_dimensions() ? 2 : 0);
}

/// NTT(s1), and a row of t in progress. Wiped once, after the last row.
template <Shape S>
struct KeygenScratch {
    PolyVector<S.l, Poly<Form::ntt, ntt_bound(SecretPoly<S>::bound), Secrecy::secret>> s1_hat;
    Poly<Form::ntt_product, reduced_bound, Secrecy::secret> product;
    Poly<Form::coefficients, reduced_bound, Secrecy::secret> a_s1;
};

template <Shape S, class Isa>
constexpr void transform_s1(const SecretVectors<S>& s, KeygenScratch<S>& scratch)
{
    for (std::size_t j = 0; j < S.l; ++j) ntt<Isa>(s.s1[j], scratch.s1_hat[j]);
}

/// A row of t = A s1 + s2 in its two parts (FIPS 204, Algorithm 6, lines 5 and 6): t0, and t1 as
/// pkEncode (FIPS 204, Algorithm 22) writes it.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void make_row_of_t(const PolyVector<S.l, MatrixPoly>& a_hat_row,
                                               const SecretPoly<S>& s2, KeygenScratch<S>& scratch, T0Poly& t0,
                                               BytesOut<packed_bytes(S.t1_bits)> t1_packed)
{
    dot<Isa>(a_hat_row, scratch.s1_hat, scratch.product);
    inverse_ntt<Isa>(scratch.product, scratch.a_s1);
    T1Poly t1;
    for (std::size_t j = 0; j < n; j += Isa::integer_lanes) {
        // |t| <= q - 1 + eta, so two conditional additions and one subtraction
        // of q reach [0, q).
        const auto t = Isa::load(&scratch.a_s1.c[j]) + Isa::load(&s2.c[j]);
        const auto [high, low] = power2round(canonical(canonical(canonical(t) - q)));
        Isa::store(&t1.c[j], high);
        Isa::store(&t0.c[j], low);
    }
    girih::declassify(std::span{t1.c}, "FIPS 204, Algorithm 6, line 8: t1 is part of the public key");
    simple_bit_pack<S.t1_bits, Isa>(t1, t1_packed);
}

/// The place of t1's row i in a public key.
template <Shape S>
[[nodiscard]] constexpr auto t1_row(BytesOut<S.public_key_bytes()> pk, std::size_t i)
{
    constexpr std::size_t bytes = packed_bytes(S.t1_bits);
    return pk.subspan(rho_bytes + i * bytes).template first<bytes>();
}

/// t and the parts of the keys made from it (FIPS 204, Algorithm 6, lines 5 to 8).
template <Shape S, class Isa>
constexpr void make_public_key(const SecretKey<S>& key, const Matrix<S>& a_hat, PolyVector<S.k, T0Poly>& t0,
                               BytesOut<S.public_key_bytes()> pk)
{
    copy(key.rho, pk.template first<rho_bytes>());
    KeygenScratch<S> scratch;
    transform_s1<S, Isa>(key.s, scratch);
    for (std::size_t i = 0; i < S.k; ++i)
        make_row_of_t<S, Isa>(a_hat[i], key.s.s2[i], scratch, t0[i], t1_row<S>(pk, i));
}

/// (rho, rho', K) = H(xi | k | l) (FIPS 204, Algorithm 6, line 1).
template <Shape S, class Isa>
constexpr void expand_seed(const Version& version, BytesIn<seed_bytes> xi, BytesOut<rho_bytes> rho,
                           BytesOut<rho_prime_bytes> rho_prime, BytesOut<key_bytes> key)
{
    keccak::Shake256<Isa> h;
    h.absorb(xi).absorb(dimensions<S>(version));
    h.squeeze(rho).squeeze(rho_prime).squeeze(key);
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen(const Version& version, BytesIn<seed_bytes> xi,
                                        BytesOut<S.public_key_bytes()> pk, BytesOut<> sk)
{
    SecretKey<S> key;
    Wiped<std::array<Byte, rho_prime_bytes>> rho_prime;
    expand_seed<S, Isa>(version, xi, key.rho, *rho_prime, *key.key);  // 1
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 6, line 8: rho is part of the public key");
    Matrix<S> a_hat;
    expand_a<S, Isa>(key.rho, a_hat);                               // 3
    expand_s<S, Isa>(*rho_prime, key.s);                            // 4
    make_public_key<S, Isa>(key, a_hat, key.t0, pk);                // 5, 6, 8
    hash_public_key<S, Isa>(pk, key.tr.resized(version.tr_bytes));  // 9
    sk_encode<S, Isa>(key, sk);                                     // 10
}

}  // namespace girih::ml_dsa
