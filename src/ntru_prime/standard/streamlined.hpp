/// Streamlined NTRU Prime Core ("NTRU Prime: round 3", Section 3.5).
///
/// Engines and microcontrollers run this text; arithmetic.hpp chooses the products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/arithmetic.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/kernels/round.hpp"
#include "ntru_prime/ring.hpp"
#include "ntru_prime/sampling/short_random.hpp"
#include "ntru_prime/standard/hash.hpp"

namespace girih::ntru_prime {

template <class Set, class Isa>
struct Streamlined {
    using Arithmetic = ntru_prime::Arithmetic<Isa, std::remove_cvref_t<decltype(Set::ring)>>;

    /// Inputs are short polynomials, encoded.
    using Input = std::array<Byte, Set::input_capacity>;

    /// KeyGen (NTRU Prime, Section 3.5), encoded: the public key h, and the secret f and 1/g.
    ///
    /// Constant time, except for the number of polynomials g that had no reciprocal, and are not
    /// used.
    [[gnu::noinline]] static void keygen(const Set& set, RandomStream<Isa>& random, BytesOut<> pk,
                                         BytesOut<> sk)
    {
        Wiped<Small<Set::capacity>> f;
        Wiped<Small<Set::capacity>> g;
        Wiped<Small<Set::capacity>> g_reciprocal;
        Wiped<Rq<Set::capacity>> f_reciprocal;
        Rq<Set::capacity> h;
        Secret<std::int32_t> has_none;
        do {
            small_random<Isa>(set.ring, random, *g);
            has_none = Secret<std::int32_t>{Arithmetic::r3_recip(set.ring, *g, *g_reciprocal)};
        } while (!random.has_failed() &&
                 declassify(has_none, "Section 3.5: a g without a reciprocal is thrown away") != 0);
        short_random<Isa>(set.ring.p, set.w, random, *f);
        Arithmetic::rq_recip3(set.ring, *f, *f_reciprocal);
        Arithmetic::rq_mult_small(set.ring, *f_reciprocal, *g, h);
        rq_encode<Isa>(set.ring, h, pk);
        girih::declassify(pk, "Section 3.5: h is the public key");
        small_encode<Isa>(set.ring, *f, sk.first(set.ring.small_bytes()));
        small_encode<Isa>(set.ring, *g_reciprocal, sk.last(set.ring.small_bytes()));
    }

    /// Inputs_random (NTRU Prime, Section 3.7), and Inputs_encode (NTRU Prime, Section 3.7) of what
    /// it draws. Constant time.
    static void random_input(const Set& set, RandomStream<Isa>& random, Input& input)
    {
        Wiped<Small<Set::capacity>> r;
        short_random<Isa>(set.ring.p, set.w, random, *r);
        small_encode<Isa>(set.ring, *r, BytesOut<>{input});
    }

    /// Encrypt (NTRU Prime, Section 3.5), encoded: Round(h r). Constant time in the input.
    [[gnu::noinline]] static void encrypt(const Set& set, const Input& input, BytesIn<> pk,
                                          BytesOut<> ciphertext)
    {
        Wiped<Small<Set::capacity>> r;
        small_decode<Isa>(set.ring, BytesIn<>{input}, *r);
        Rq<Set::capacity> h;
        rq_decode<Isa>(set.ring, pk, h);
        Wiped<Rounded<Set::capacity>> c;
        Arithmetic::rq_mult_small(set.ring, h, *r, *c);
        round<Isa>(set.ring, *c);
        rounded_encode<Isa>(set.ring, *c, ciphertext);
    }

    /// Decrypt (NTRU Prime, Section 3.5), encoded: the input; or, if the result does not have the
    /// weight w, w coefficients 1 and then zeros. Constant time.
    [[gnu::noinline]] static void decrypt(const Set& set, BytesIn<> ciphertext, BytesIn<> sk, Input& input)
    {
        Wiped<Small<Set::capacity>> f;
        Wiped<Small<Set::capacity>> g_reciprocal;
        small_decode<Isa>(set.ring, sk.first(set.ring.small_bytes()), *f);
        small_decode<Isa>(set.ring, sk.last(set.ring.small_bytes()), *g_reciprocal);
        Rounded<Set::capacity> c;
        rounded_decode<Isa>(set.ring, ciphertext, c);

        Wiped<Rq<Set::capacity>> cf;
        Arithmetic::rq_mult_small(set.ring, c, *f, *cf);
        Wiped<Small<Set::capacity>> e;
        r3_from_rq_mult3<Isa>(set.ring, *cf, *e);
        Wiped<Small<Set::capacity>> r;
        Arithmetic::r3_mult(set.ring, *e, *g_reciprocal, *r);

        const std::size_t p = set.ring.p;
        const std::size_t w = set.w;
        // Weightw_mask (NTRU Prime, Section 3.5)
        std::int32_t weight = 0;
        for (std::size_t i = 0; i < p; ++i) weight += r->c[i] & 1;
        const std::int32_t difference = weight - static_cast<std::int32_t>(set.w);
        const std::int32_t is_wrong = nonzero_mask(difference);
        for (std::size_t i = 0; i < p; ++i) {
            const int instead = i < w ? 1 : 0;
            r->c[i] = static_cast<std::int8_t>(r->c[i] ^ ((r->c[i] ^ instead) & is_wrong));
        }
        small_encode<Isa>(set.ring, *r, BytesOut<>{input});
    }
};

}  // namespace girih::ntru_prime
