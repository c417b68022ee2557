/// NTRU LPRime Core ("NTRU Prime: round 3", Section 3.6), expanded.
#pragma once

#include <array>
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
struct Lprime {
    using Arithmetic = ntru_prime::Arithmetic<P.ring, Isa>;

    /// What is encapsulated: 256 bits.
    using Input = std::array<Byte, message_bytes>;

    /// The public key: a seed of G, and A = Round(G a). The secret key: a. Constant time.
    static constexpr void keygen(RandomStream<Isa>& random, BytesOut<P.public_key_bytes()> pk,
                                 BytesOut<P.core_secret_key_bytes()> sk)
    {
        const auto seed = pk.template first<generator_bytes>();
        random.bytes(seed);
        girih::declassify(seed, "Section 3.6: the seed of G is in the public key");
        Rq<P.ring> g;
        generator<P.ring, Isa>(seed, g);
        Wiped<Small<P.ring>> a;
        short_random<P, Isa>(random, *a);
        Rounded<P.ring> big_a;
        Arithmetic::multiply(g, *a, big_a);
        round<P.ring, Isa>(big_a);
        rounded_encode<P.ring, Isa>(big_a, pk.template last<P.ring.rounded_bytes()>());
        girih::declassify(pk, "Section 3.6: A is in the public key");
        small_encode<P.ring, Isa>(*a, sk);
    }

    /// Inputs_random. Constant time.
    static constexpr void random_input(RandomStream<Isa>& random, Input& input) { random.bytes(input); }

    /// Encrypt: B = Round(G b) and T = Top(A b + r (q - 1) / 2), with b = HashShort(r). Constant time in the input.
    static constexpr void encrypt(const Input& input, BytesIn<P.public_key_bytes()> pk,
                                  BytesOut<P.core_ciphertext_bytes()> ciphertext)
    {
        Wiped<Small<P.ring>> b;
        hash_short(input, *b);

        Rq<P.ring> g;
        generator<P.ring, Isa>(pk.template first<generator_bytes>(), g);
        Wiped<Rounded<P.ring>> big_b;
        Arithmetic::multiply(g, *b, *big_b);
        round<P.ring, Isa>(*big_b);
        rounded_encode<P.ring, Isa>(*big_b, ciphertext.template first<P.ring.rounded_bytes()>());

        Rounded<P.ring> a;
        rounded_decode<P.ring, Isa>(pk.template last<P.ring.rounded_bytes()>(), a);
        Wiped<Rq<P.ring>> ab;
        Arithmetic::multiply(a, *b, *ab);
        const auto top_out = ciphertext.template last<top_bytes>();
        for (std::size_t i = 0; i < message_bits; i += 2) {
            const auto half = [&](std::size_t j) { return top(ab->c[j] + bit(input, j) * P.ring.q12()); };
            top_out[i / 2] = static_cast<Byte>(half(i) | half(i + 1) << 4);
        }
    }

    /// Decrypt: each bit of the input is whether Right(T) - (a B) + 4w + 1 is negative modulo q. Constant time.
    static constexpr void decrypt(BytesIn<P.core_ciphertext_bytes()> ciphertext,
                                  BytesIn<P.core_secret_key_bytes()> sk, Input& input)
    {
        Wiped<Small<P.ring>> a;
        small_decode<P.ring, Isa>(sk, *a);
        Rounded<P.ring> b;
        rounded_decode<P.ring, Isa>(ciphertext.template first<P.ring.rounded_bytes()>(), b);
        Wiped<Rq<P.ring>> ab;
        Arithmetic::multiply(b, *a, *ab);
        const auto tops = ciphertext.template last<top_bytes>();
        input = {};
        for (std::size_t i = 0; i < message_bits; ++i) {
            const std::int32_t t = tops[i / 2] >> (4 * (i % 2)) & 15;
            const std::int32_t difference = ModQ::centered(right(t) - ab->c[i] + 4 * std::int32_t{P.w} + 1);
            input[i / 8] |= static_cast<Byte>((difference >> 31 & 1) << (i % 8));
        }
    }

    /// The confirmation and the session are hashed from the input itself.
    static constexpr bool hashes_input = false;

  private:
    using ModQ = Modulo<Isa, P.ring.q>;

    [[nodiscard]] static constexpr std::int32_t bit(const Input& input, std::size_t i)
    {
        return input[i / 8] >> (i % 8) & 1;
    }
    /// Top, of a sum that is brought into [-q12, q12] first: four bits.
    [[nodiscard]] static constexpr std::int32_t top(std::int32_t c)
    {
        return (P.tau1 * (ModQ::centered(c) + P.tau0) + 16384) >> 15;
    }
    /// Right.
    [[nodiscard]] static constexpr std::int32_t right(std::int32_t t)
    {
        return ModQ::centered(P.tau3 * t - P.tau2);
    }
    /// HashShort. Constant time.
    static constexpr void hash_short(const Input& input, Small<P.ring>& b)
    {
        Wiped<std::array<Byte, hash_bytes>> key;
        hash_prefix<Isa, message_bytes>(HashOf::short_words, input, *key);
        Words<P.ring> words;
        Expansion<Isa>{*key}.words(words);
        short_from_list<P, Isa>(words, b);
        wipe(words);
    }
};

}  // namespace girih::ntru_prime
