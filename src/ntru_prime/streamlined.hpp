/// Streamlined NTRU Prime Core ("NTRU Prime: round 3", Section 3.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/arithmetic/arithmetic.hpp"
#include "ntru_prime/arithmetic/round.hpp"
#include "ntru_prime/encoding/encode.hpp"
#include "ntru_prime/hash.hpp"
#include "ntru_prime/sampling/sample.hpp"

namespace girih::ntru_prime {

template <Params P, class Isa>
struct Streamlined {
    using Arithmetic = ntru_prime::Arithmetic<P.ring, Isa>;

    /// What is encapsulated: a short polynomial, encoded.
    using Input = std::array<Byte, P.input_bytes()>;

    /// The public key h, and of the secret key f and 1/g.
    ///
    /// Constant time, but for the number of polynomials g that had no reciprocal; they are not used.
    static constexpr void keygen(RandomStream<Isa>& random, BytesOut<P.public_key_bytes()> pk,
                                 BytesOut<P.core_secret_key_bytes()> sk)
    {
        Wiped<Small<P.ring>> f;
        Wiped<Small<P.ring>> g;
        Wiped<Small<P.ring>> g_reciprocal;
        Wiped<Rq<P.ring>> f_reciprocal;
        Rq<P.ring> h;
        Secret<std::int32_t> has_none;
        do {
            small_random<P.ring, Isa>(random, *g);
            has_none = Secret<std::int32_t>{Arithmetic::reciprocal(*g, *g_reciprocal)};
        } while (!random.has_failed() &&
                 declassify(has_none, "Section 3.5: a g without a reciprocal is thrown away") != 0);
        short_random<P, Isa>(random, *f);
        Arithmetic::reciprocal_of_thrice(*f, *f_reciprocal);
        Arithmetic::multiply(*f_reciprocal, *g, h);
        rq_encode<P.ring, Isa>(h, pk);
        girih::declassify(pk, "Section 3.5: h is the public key");
        small_encode<P.ring, Isa>(*f, sk.template first<P.ring.small_bytes()>());
        small_encode<P.ring, Isa>(*g_reciprocal, sk.template last<P.ring.small_bytes()>());
    }

    /// Inputs_random, encoded. Constant time.
    static constexpr void random_input(RandomStream<Isa>& random, Input& input)
    {
        Wiped<Small<P.ring>> r;
        short_random<P, Isa>(random, *r);
        small_encode<P.ring, Isa>(*r, input);
    }

    /// Encrypt: Round(h r). Constant time in the input.
    static constexpr void encrypt(const Input& input, BytesIn<P.public_key_bytes()> pk,
                                  BytesOut<P.core_ciphertext_bytes()> ciphertext)
    {
        Wiped<Small<P.ring>> r;
        small_decode<P.ring, Isa>(input, *r);
        Rq<P.ring> h;
        rq_decode<P.ring, Isa>(pk, h);
        Wiped<Rounded<P.ring>> c;
        Arithmetic::multiply(h, *r, *c);
        round<P.ring, Isa>(*c);
        rounded_encode<P.ring, Isa>(*c, ciphertext);
    }

    /// Decrypt: the input, or 1, ..., 1, 0, ..., 0 of the same weight if what comes out is not of weight w. Constant time.
    static constexpr void decrypt(BytesIn<P.core_ciphertext_bytes()> ciphertext,
                                  BytesIn<P.core_secret_key_bytes()> sk, Input& input)
    {
        Wiped<Small<P.ring>> f;
        Wiped<Small<P.ring>> g_reciprocal;
        small_decode<P.ring, Isa>(sk.template first<P.ring.small_bytes()>(), *f);
        small_decode<P.ring, Isa>(sk.template last<P.ring.small_bytes()>(), *g_reciprocal);
        Rounded<P.ring> c;
        rounded_decode<P.ring, Isa>(ciphertext, c);

        Wiped<Rq<P.ring>> cf;
        Arithmetic::multiply(c, *f, *cf);
        Wiped<Small<P.ring>> e;
        residues_of_thrice<P.ring, Isa>(*cf, *e);
        Wiped<Small<P.ring>> r;
        Arithmetic::multiply(*e, *g_reciprocal, *r);

        std::int32_t weight = 0;
        for (std::size_t i = 0; i < P.ring.p; ++i) weight += r->c[i] & 1;
        const std::int32_t difference = weight - static_cast<std::int32_t>(P.w);
        const std::int32_t is_wrong = (difference | -difference) >> 31;
        for (std::size_t i = 0; i < P.ring.p; ++i) {
            const int instead = i < P.w ? 1 : 0;
            r->c[i] = static_cast<std::int8_t>(r->c[i] ^ ((r->c[i] ^ instead) & is_wrong));
        }
        small_encode<P.ring, Isa>(*r, input);
    }

    /// The confirmation and the session are hashed from the input's own hash.
    static constexpr bool hashes_input = true;
};

}  // namespace girih::ntru_prime
