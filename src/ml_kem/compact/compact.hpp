/// ML-KEM in little memory, byte for byte what ml_kem/keygen.hpp and kem.hpp make.
///
/// The matrix is never stored: its residues are multiplied as they come out of a sponge, and added
/// to a polynomial of 16 bits a coefficient. Keys stay packed, and are unpacked a polynomial at a
/// time; of what is transformed, encryption alone keeps a vector (y). Decapsulation compares the
/// ciphertext that it makes with the given one as it is made.
///
/// Constant time in everything that is secret.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ml_kem/compact/parts.hpp"
#include "ml_kem/compact/poly.hpp"
#include "ml_kem/hashing/hash.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/params.hpp"

namespace girih::ml_kem::compact {

template <Params P, class Isa>
class Scheme {
    using A = Arithmetic<Isa>;
    using Halves = typename A::Halves;
    using Seeds = std::array<Byte, 64>;  // what G gives

  public:
    using PublicKeyIn = BytesIn<P.public_key_bytes()>;
    using PublicKeyOut = BytesOut<P.public_key_bytes()>;
    using SecretKeyIn = BytesIn<P.secret_key_bytes()>;
    using SecretKeyOut = BytesOut<P.secret_key_bytes()>;
    using CiphertextIn = BytesIn<P.ciphertext_bytes()>;
    using CiphertextOut = BytesOut<P.ciphertext_bytes()>;
    using SharedSecretOut = BytesOut<shared_secret_bytes>;

    /// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16), of d | z.
    [[gnu::noinline]] static void keygen(BytesIn<seed_bytes> seed, PublicKeyOut pk, SecretKeyOut sk)
    {
        {
            Wiped<Seeds> seeds{unset};
            constexpr auto k = static_cast<Byte>(P.k);
            compact::hash<Isa>(g_function, seed.template first<d_bytes>(), {&k, 1}, *seeds);
            const auto rho = BytesIn<64>{*seeds}.template first<rho_bytes>();
            girih::declassify(rho, "FIPS 203, Algorithm 13, line 19: rho is in the public key");
            make_key_pair(rho, BytesIn<64>{*seeds}.template last<sigma_bytes>(), pk, sk);
            copy(rho, pk.template last<rho_bytes>());
        }
        girih::declassify(pk, "FIPS 203, Algorithm 13, line 19: t^ and rho are the encapsulation key");
        copy(pk, sk.subspan(P.vector_bytes()));
        compact::hash<Isa>(h_function, pk, {}, sk.template subspan<h_at, hash_bytes>());
        copy_secret(&seed[d_bytes], &sk[z_at], z_bytes);
        wipe_stack_below(keygen_stack_bytes);
    }

    /// The public key of a secret key, and all that the secret key says checked
    /// (ml_kem::public_key).
    [[nodiscard, gnu::noinline]] static KeyCheck public_key(SecretKeyIn sk, PublicKeyOut pk)
    {
        declassify_public_parts(sk);
        copy(public_part(sk), pk);
        const bool is_good = are_below_q(pk.template first<P.vector_bytes()>());
        if (!are_below_q(sk.template first<P.vector_bytes()>()) || !is_good) return KeyCheck::malformed;
        if (!has_good_hash(sk)) return KeyCheck::inconsistent;
        const std::uint32_t too_large = error_too_large(sk);
        wipe_stack_below(keygen_stack_bytes);
        return declassify(Secret{too_large},
                          "a key that contradicts itself is refused, and may be known to be") == 0
                   ? KeyCheck::good
                   : KeyCheck::inconsistent;
    }

    /// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17). False, and nothing is written, for a key
    /// that does not pass the modulus check (Section 7.2). m may be where the secret will be.
    [[nodiscard, gnu::noinline]] static bool encapsulate(PublicKeyIn pk, BytesIn<message_bytes> m,
                                                         CiphertextOut ciphertext, SharedSecretOut secret)
    {
        if (!are_below_q(pk.template first<P.vector_bytes()>())) return false;
        {
            Wiped<Seeds> seeds{unset};  // K and r
            compact::hash<Isa>(h_function, pk, {}, BytesOut<64>{*seeds}.template first<hash_bytes>());
            compact::hash<Isa>(g_function, m, BytesIn<64>{*seeds}.template first<hash_bytes>(), *seeds);
            Ciphertext made = Ciphertext::written_to(ciphertext.data());
            encrypt(pk, m, BytesIn<64>{*seeds}.template last<sigma_bytes>(), made);
            copy_secret(seeds->data(), secret.data(), shared_secret_bytes);
        }
        girih::declassify(ciphertext, "FIPS 203, Algorithm 17: the ciphertext is sent");
        wipe_stack_below(encrypt_stack_bytes);
        return true;
    }

    /// The hash check (FIPS 203, Section 7.3).
    [[nodiscard, gnu::noinline]] static bool has_good_hash(SecretKeyIn sk)
    {
        declassify_public_parts(sk);
        std::array<Byte, hash_bytes> h;
        compact::hash<Isa>(h_function, public_part(sk), {}, h);
        return std::equal(h.begin(), h.end(), &sk[h_at]);
    }

    /// ML-KEM.Decaps_internal (FIPS 203, Algorithm 18), with a key that has passed the hash check.
    [[gnu::noinline]] static void decapsulate(SecretKeyIn sk, CiphertextIn ciphertext, SharedSecretOut secret)
    {
        declassify_public_parts(sk);
        {
            Wiped<std::array<Byte, message_bytes>> m{unset};
            Wiped<Seeds> seeds{unset};  // K' and r'
            decrypt(sk, ciphertext, *m);
            compact::hash<Isa>(g_function, *m, sk.template subspan<h_at, hash_bytes>(), *seeds);
            compact::hash<Isa>(j_function, sk.template subspan<z_at, z_bytes>(), ciphertext, secret);
            Ciphertext again = Ciphertext::compared_with(ciphertext.data());
            encrypt(public_part(sk), *m, BytesIn<64>{*seeds}.template last<sigma_bytes>(), again);
            const std::uint32_t mask = ~nonzero_mask(again.difference());  // all ones if no bit differs
            for (std::size_t i = 0; i < shared_secret_bytes; ++i)
                secret[i] = static_cast<Byte>(secret[i] ^ (mask & (secret[i] ^ (*seeds)[i])));
        }
        wipe_stack_below(encrypt_stack_bytes);
    }

  private:
    static constexpr std::size_t h_at = P.vector_bytes() + P.public_key_bytes();
    static constexpr std::size_t z_at = h_at + hash_bytes;
    static constexpr std::size_t u_poly_bytes = packed_bytes(P.du);
    /// No more than the operations take below their own frames.
    static constexpr std::size_t keygen_stack_bytes = 1536;
    static constexpr std::size_t encrypt_stack_bytes = (P.k + 1) * sizeof(Poly) + 384;

    [[nodiscard]] static PublicKeyIn public_part(SecretKeyIn sk)
    {
        return sk.template subspan<P.vector_bytes(), P.public_key_bytes()>();
    }
    static void declassify_public_parts(SecretKeyIn sk)
    {
        girih::declassify(sk.template subspan<P.vector_bytes(), P.public_key_bytes() + hash_bytes>(),
                          "FIPS 203, Algorithm 16: ek and H(ek) are public");
    }

    /// K-PKE.KeyGen (FIPS 203, Algorithm 13) from line 8 on, without rho.
    [[gnu::noinline]] static void make_key_pair(BytesIn<rho_bytes> rho, BytesIn<sigma_bytes> sigma,
                                                PublicKeyOut pk, SecretKeyOut sk)
    {
        Wiped<Poly> f{unset};
        Wiped<Poly> t{unset};
        for (std::size_t j = 0; j < P.k; ++j) {
            *f = {};
            add_noise<P.eta1, Isa>(sigma, j, *f);
            A::ntt(*f);
            A::make_canonical(*f);
            encode(*f, &sk[j * poly_bytes]);
        }
        for (std::size_t i = 0; i < P.k; ++i) {
            multiply_row(rho, i, sk.data(), *f, *t);
            A::undo_reduction(*t);
            *f = {};
            add_noise<P.eta1, Isa>(sigma, P.k + i, *f);
            A::ntt(*f);
            A::add(*t, *f);
            A::make_canonical(*t);
            encode(*t, &pk[i * poly_bytes]);
        }
    }

    /// Row i of A^ s^, a sum of products. `s` is scratch.
    [[gnu::noinline]] static void multiply_row(BytesIn<rho_bytes> rho, std::size_t i, const Byte* packed_s,
                                               Poly& s, Poly& sum)
    {
        sum = {};
        for (std::size_t j = 0; j < P.k; ++j) {
            decode(packed_s + j * poly_bytes, s);
            add_matrix_product<Isa>(sum, rho, j, i, s);
        }
    }

    /// Not 0 if e = t - A s has a coefficient above eta1.
    [[nodiscard, gnu::noinline]] static std::uint32_t error_too_large(SecretKeyIn sk)
    {
        const PublicKeyIn pk = public_part(sk);
        Wiped<Poly> s{unset};
        Wiped<Poly> e{unset};
        Wiped<Poly> t{unset};
        std::uint32_t too_large = 0;
        for (std::size_t i = 0; i < P.k; ++i) {
            multiply_row(pk.template last<rho_bytes>(), i, sk.data(), *s, *e);
            // t is brought to the coefficients alone, as a product with what undoes its scale.
            decode(&pk[i * poly_bytes], *t);
            for (std::size_t at = 0; at < n / 2; ++at) {
                const auto scaled = Halves::multiply(t->pair(at), Halves::factor(Halves::reduction));
                e->set_pair(at, Halves::multiply(Halves::subtract(scaled, e->pair(at)), A::Layers::one));
            }
            A::inverse_ntt(*e);
            A::make_canonical(*e);
            for (const Coefficient c : e->c) {
                // |e| <= eta1: c is at most eta1, or q - eta1 or more.
                too_large |= static_cast<std::uint32_t>((P.eta1 - c) & (c - (q - P.eta1))) >> 31;
            }
        }
        return too_large;
    }

    /// K-PKE.Encrypt (FIPS 203, Algorithm 14).
    [[gnu::noinline]] static void encrypt(PublicKeyIn pk, BytesIn<message_bytes> m, BytesIn<sigma_bytes> r,
                                          Ciphertext& ciphertext)
    {
        Wiped<std::array<Poly, P.k>> y_hat{unset};
        Wiped<Poly> w{unset};
        for (std::size_t j = 0; j < P.k; ++j) {
            Poly& y = (*y_hat)[j];
            y = {};
            add_noise<P.eta1, Isa>(r, j, y);
            A::ntt(y);
        }
        for (std::size_t i = 0; i < P.k; ++i) {
            *w = {};
            for (std::size_t j = 0; j < P.k; ++j)
                add_matrix_product<Isa>(*w, pk.template last<rho_bytes>(), i, j, (*y_hat)[j]);
            A::inverse_ntt(*w);
            add_noise<eta2, Isa>(r, P.k + i, *w);
            ciphertext.add<P.du>(*w);
        }
        *w = {};
        for (std::size_t j = 0; j < P.k; ++j) A::add_product(*w, &pk[j * poly_bytes], (*y_hat)[j]);
        A::inverse_ntt(*w);
        add_noise<eta2, Isa>(r, 2 * P.k, *w);
        add_message(m, *w);
        ciphertext.add<P.dv>(*w);
    }

    /// w += Decompress_1(ByteDecode_1(m)).
    [[gnu::noinline]] static void add_message(BytesIn<message_bytes> m, Poly& w)
    {
        for (std::size_t i = 0; i < n; ++i)
            w[i] = static_cast<Coefficient>(w[i] + (decompress<1>(1) & odd_mask(m[i / 8] >> (i % 8))));
    }

    /// K-PKE.Decrypt (FIPS 203, Algorithm 15).
    [[gnu::noinline]] static void decrypt(SecretKeyIn sk, CiphertextIn ciphertext, BytesOut<message_bytes> m)
    {
        Wiped<Poly> u{unset};
        Wiped<Poly> w{unset};
        *w = {};
        for (std::size_t i = 0; i < P.k; ++i) {
            decode_and_decompress<P.du>(&ciphertext[i * u_poly_bytes], *u);
            A::ntt(*u);
            A::add_product(*w, &sk[i * poly_bytes], *u);
        }
        A::inverse_ntt(*w);
        decode_and_decompress<P.dv>(&ciphertext[P.u_bytes()], *u);
        for (std::size_t i = 0; i < n / 8; ++i) {
            std::uint32_t byte = 0;
            for (std::size_t j = 0; j < 8; ++j) byte |= compress<1>((*u)[8 * i + j] - (*w)[8 * i + j]) << j;
            m[i] = static_cast<Byte>(byte);
        }
    }
};

}  // namespace girih::ml_kem::compact
