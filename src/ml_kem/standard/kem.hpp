/// ML-KEM (FIPS 203, Sections 5 to 7) for one key or one ciphertext, in the standard's order.
///
/// Tests, constant expressions and microcontrollers run this text. On other machines, lanes/ runs
/// the same steps for several keys or ciphertexts side by side, and tests compare the two.
///
/// `Ring` is Section 4 of the standard (ring.hpp): polynomials, how they are sampled, transformed,
/// multiplied and encoded. plain_ring.hpp follows the standard word for word; small/ computes the
/// same on small processors.
///
/// Memory is saved without changing a byte: an entry of A^ is multiplied as it is drawn and then
/// forgotten, and vectors are computed a polynomial at a time. Lines of the standard that treat a
/// whole vector therefore share a loop; the comment of each loop gives their numbers.
///
/// Constant time in everything that is secret, if `Ring` is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/params.hpp"
#include "ml_kem/standard/ciphertext.hpp"
#include "ml_kem/standard/hash.hpp"
#include "ml_kem/standard/ring.hpp"

namespace girih::ml_kem {

template <Params P, PolynomialRing Ring>
class Scheme {
    using Poly = typename Ring::Poly;
    using Ciphertext = ml_kem::Ciphertext<Ring>;

  public:
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using CiphertextIn = BytesIn<P.ciphertext_bytes()>;
    using CiphertextOut = BytesOut<P.ciphertext_bytes()>;
    using SharedSecretOut = BytesOut<shared_secret_bytes>;
    using VectorIn = BytesIn<P.vector_bytes()>;  ///< k polynomials, 12 bits a coefficient
    using VectorOut = BytesOut<P.vector_bytes()>;

    // ---- K-PKE (Section 5)

    /// K-PKE.KeyGen (FIPS 203, Algorithm 13).
    [[gnu::noinline]] static constexpr void k_pke_keygen(BytesIn<d_bytes> d, PublicKeyOut ek, VectorOut dk)
    {
        constexpr auto k = static_cast<Byte>(P.k);
        HalvedHash seeds;
        hash(g_function, d, {&k, 1}, seeds.bytes());  // line 1
        const BytesIn<rho_bytes> rho = seeds.first();
        const BytesIn<sigma_bytes> sigma = seeds.second();
        girih::declassify(rho, "FIPS 203, Algorithm 13, line 19: rho is in the public key");
        Wiped<Poly> f{uninitialized};
        Wiped<Poly> t{uninitialized};
        for (std::size_t j = 0; j < P.k; ++j) {  // lines 8 to 11, 16 and 20: s^ = NTT(s)
            *f = {};
            Ring::template add_noise<P.eta1>(sigma, j, *f);
            Ring::ntt(*f);
            Ring::encode(*f, poly_at(dk, j));
        }
        for (std::size_t i = 0; i < P.k; ++i) {  // lines 3 to 7, 12 to 15 and 17 to 19: t^ = A^ s^ + e^
            multiply_row(rho, i, dk, *f, *t);
            *f = {};
            Ring::template add_noise<P.eta1>(sigma, P.k + i, *f);
            Ring::ntt(*f);
            Ring::add_to_products(*t, *f);
            Ring::encode(*t, poly_at(ek, i));
        }
        copy(rho, ek.template last<rho_bytes>());
    }

    /// K-PKE.Encrypt (FIPS 203, Algorithm 14).
    [[gnu::noinline]] static constexpr void k_pke_encrypt(PublicKeyIn ek, BytesIn<message_bytes> m,
                                                          BytesIn<sigma_bytes> r, Ciphertext& c)
    {
        const auto rho = ek.template last<rho_bytes>();  // line 3
        Wiped<std::array<Poly, P.k>> y_hat{uninitialized};
        Wiped<Poly> w{uninitialized};
        for (std::size_t j = 0; j < P.k; ++j) {  // lines 9 to 12 and 18: y^ = NTT(y)
            Poly& y = (*y_hat)[j];
            y = {};
            Ring::template add_noise<P.eta1>(r, j, y);
            Ring::ntt(y);
        }
        for (std::size_t i = 0; i < P.k; ++i) {  // lines 4 to 8, 13 to 16, 19 and 22: u = A^T y + e1
            *w = {};
            for (std::size_t j = 0; j < P.k; ++j)  // of A^T, so i and j are exchanged
                Ring::add_matrix_product(*w, rho, i, j, (*y_hat)[j]);
            Ring::inverse_ntt(*w);
            Ring::template add_noise<eta2>(r, P.k + i, *w);
            c.template append<P.du>(*w);
        }
        *w = {};  // lines 2, 17, 20, 21 and 23: v = t y + e2 + mu
        for (std::size_t j = 0; j < P.k; ++j) Ring::add_product(*w, poly_at(ek, j), (*y_hat)[j]);
        Ring::inverse_ntt(*w);
        Ring::template add_noise<eta2>(r, 2 * P.k, *w);
        add_message(m, *w);
        c.template append<P.dv>(*w);
    }

    /// K-PKE.Decrypt (FIPS 203, Algorithm 15).
    [[gnu::noinline]] static constexpr void k_pke_decrypt(VectorIn dk, CiphertextIn c,
                                                          BytesOut<message_bytes> m)
    {
        Wiped<Poly> f{uninitialized};
        Wiped<Poly> w{uninitialized};
        *w = {};
        for (std::size_t i = 0; i < P.k; ++i) {  // lines 1, 3, 5 and 6: s u
            Ring::template decode_and_decompress<P.du>(&c[i * packed_bytes(P.du)], *f);
            Ring::ntt(*f);
            Ring::add_product(*w, poly_at(dk, i), *f);
        }
        Ring::inverse_ntt(*w);
        Ring::template decode_and_decompress<P.dv>(&c[P.u_bytes()], *f);  // lines 2 and 4
        for (std::size_t i = 0; i < n / 8; ++i) {                         // lines 6 and 7: m of v - s u
            std::uint32_t byte = 0;
            for (std::size_t j = 0; j < 8; ++j)
                byte |= Ring::template compress<1>((*f)[8 * i + j] - (*w)[8 * i + j]) << j;
            m[i] = static_cast<Byte>(byte);
        }
    }

    // ---- ML-KEM, from randomness that is given (Section 6)

    /// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16), from d | z.
    [[gnu::noinline]] static constexpr void keygen(BytesIn<seed_bytes> seed, PublicKeyOut ek, SecretKeyOut dk)
    {
        k_pke_keygen(seed.template first<d_bytes>(), ek, dk.template first<P.vector_bytes()>());  // line 1
        girih::declassify(ek, "FIPS 203, Algorithm 13, line 19: t^ and rho are the encapsulation key");
        copy(ek, dk.subspan(P.vector_bytes()));  // lines 2 and 3
        hash(h_function, ek, {}, dk.template subspan<h_at, hash_bytes>());
        copy_secret(seed.template last<z_bytes>(), dk.template last<z_bytes>());
        wipe_below(keygen_stack_bytes);
    }

    /// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17). False, and nothing is written, for a key
    /// that does not pass the modulus check (Section 7.2). m may lie where the secret will be
    /// written.
    [[nodiscard, gnu::noinline]] static constexpr bool encapsulate(PublicKeyIn ek, BytesIn<message_bytes> m,
                                                                   CiphertextOut c, SharedSecretOut secret)
    {
        if (!Ring::are_below_q(ek.template first<P.vector_bytes()>())) return false;
        {
            HalvedHash keys;  // K and r
            hash(h_function, ek, {}, keys.bytes().template first<hash_bytes>());
            hash(g_function, m, keys.first(), keys.bytes());  // line 1
            auto made = Ciphertext::written_to(c.data());
            k_pke_encrypt(ek, m, keys.second(), made);  // line 2
            copy_secret(keys.first(), secret);
        }
        girih::declassify(c, "FIPS 203, Algorithm 17: the ciphertext is sent");
        wipe_below(encrypt_stack_bytes);
        return true;
    }

    /// ML-KEM.Decaps_internal (FIPS 203, Algorithm 18), with a key that has passed the hash check.
    [[gnu::noinline]] static constexpr void decapsulate(SecretKeyIn dk, CiphertextIn c,
                                                        SharedSecretOut secret)
    {
        declassify_public_parts(dk);
        {
            Wiped<std::array<Byte, message_bytes>> m{uninitialized};
            HalvedHash keys;                                              // K' and r'
            k_pke_decrypt(dk.template first<P.vector_bytes()>(), c, *m);  // line 5
            hash(g_function, *m, h_of(dk), keys.bytes());                 // line 6
            hash(j_function, dk.template last<z_bytes>(), c, secret);     // line 7: K-bar
            auto again = Ciphertext::compared_with(c.data());
            k_pke_encrypt(ek_of(dk), *m, keys.second(), again);                // line 8
            const std::uint32_t is_equal = ~nonzero_mask(again.difference());  // lines 9 to 11
            for (std::size_t i = 0; i < shared_secret_bytes; ++i)
                secret[i] = static_cast<Byte>(secret[i] ^ (is_equal & (secret[i] ^ keys.first()[i])));
        }
        wipe_below(encrypt_stack_bytes);
    }

    // ---- Checks of keys

    /// The hash check (FIPS 203, Section 7.3).
    [[nodiscard, gnu::noinline]] static constexpr bool has_good_hash(SecretKeyIn dk)
    {
        declassify_public_parts(dk);
        std::array<Byte, hash_bytes> h;
        hash(h_function, ek_of(dk), {}, h);
        return std::equal(h.begin(), h.end(), h_of(dk).begin());
    }

    /// The public key of a secret key, with a check of everything in the secret key
    /// (ml_kem::public_key).
    [[nodiscard, gnu::noinline]] static constexpr KeyCheck public_key(SecretKeyIn dk, PublicKeyOut ek)
    {
        declassify_public_parts(dk);
        copy(ek_of(dk), ek);
        const bool is_good = Ring::are_below_q(ek.template first<P.vector_bytes()>());
        if (!Ring::are_below_q(dk.template first<P.vector_bytes()>()) || !is_good) return KeyCheck::malformed;
        if (!has_good_hash(dk)) return KeyCheck::inconsistent;
        const std::uint32_t too_large = error_too_large(dk);
        wipe_below(keygen_stack_bytes);
        return declassify(Secret{too_large},
                          "a key that contradicts itself is refused, and may be known to be") == 0
                   ? KeyCheck::good
                   : KeyCheck::inconsistent;
    }

  private:
    static constexpr std::size_t h_at = P.vector_bytes() + P.public_key_bytes();
    /// The stack that operations use below their own frames, at most.
    static constexpr std::size_t keygen_stack_bytes = 1536;
    static constexpr std::size_t encrypt_stack_bytes = (P.k + 1) * sizeof(Poly) + 384;

    static constexpr void wipe_below(std::size_t bytes)
    {
        if (!std::is_constant_evaluated()) wipe_stack_below(bytes);
    }

    /// A hash of two pieces, one of which may be empty.
    [[gnu::noinline]] static constexpr void hash(keccak::Function function, BytesIn<> first, BytesIn<> second,
                                                 BytesOut<> out)
    {
        keccak::ChosenSponge<typename Ring::Isa>{{function}}.absorb(first).absorb(second).squeeze(out);
    }

    template <class Bytes>
    [[nodiscard]] static constexpr auto* poly_at(Bytes vector, std::size_t i)
    {
        return &vector[i * poly_bytes];
    }
    [[nodiscard]] static constexpr PublicKeyIn ek_of(SecretKeyIn dk)
    {
        return dk.template subspan<P.vector_bytes(), P.public_key_bytes()>();
    }
    [[nodiscard]] static constexpr BytesIn<hash_bytes> h_of(SecretKeyIn dk)
    {
        return dk.template subspan<h_at, hash_bytes>();
    }
    static constexpr void declassify_public_parts(SecretKeyIn dk)
    {
        girih::declassify(dk.template subspan<P.vector_bytes(), P.public_key_bytes() + hash_bytes>(),
                          "FIPS 203, Algorithm 16: ek and H(ek) are public");
    }

    /// Row i of A^ s^, as a sum of products. `s` is scratch.
    [[gnu::noinline]] static constexpr void multiply_row(BytesIn<rho_bytes> rho, std::size_t i,
                                                         VectorIn s_hat, Poly& s, Poly& sum)
    {
        sum = {};
        for (std::size_t j = 0; j < P.k; ++j) {
            Ring::decode(poly_at(s_hat, j), s);
            Ring::add_matrix_product(sum, rho, j, i, s);
        }
    }

    /// w += Decompress_1(ByteDecode_1(m)).
    [[gnu::noinline]] static constexpr void add_message(BytesIn<message_bytes> m, Poly& w)
    {
        constexpr std::int32_t half = Ring::template decompress<1>(1);
        for (std::size_t i = 0; i < n; ++i)
            w[i] = static_cast<typename Poly::value_type>(w[i] + (half & odd_mask(m[i / 8] >> (i % 8))));
    }

    /// Not 0 if e = t - A s has a coefficient above eta1 in magnitude.
    [[nodiscard, gnu::noinline]] static constexpr std::uint32_t error_too_large(SecretKeyIn dk)
    {
        const PublicKeyIn ek = ek_of(dk);
        Wiped<Poly> s{uninitialized};
        Wiped<Poly> e{uninitialized};
        Wiped<Poly> t{uninitialized};
        std::uint32_t too_large = 0;
        for (std::size_t i = 0; i < P.k; ++i) {
            multiply_row(ek.template last<rho_bytes>(), i, dk.template first<P.vector_bytes()>(), *s, *e);
            Ring::decode(poly_at(ek, i), *t);
            Ring::subtract_products_from(*t, *e);
            Ring::inverse_ntt(*e);
            Ring::make_canonical(*e);
            for (std::size_t at = 0; at < n; ++at) {
                const std::int32_t c = (*e)[at];
                // |e| <= eta1: c is at most eta1, or q - eta1 or more.
                too_large |= static_cast<std::uint32_t>((P.eta1 - c) & (c - (q - P.eta1))) >> 31;
            }
        }
        return too_large;
    }
};

}  // namespace girih::ml_kem
