/// NTRU LPRime Core ("NTRU Prime: round 3", Section 3.6), expanded.
///
/// Engines and microcontrollers run this text; arithmetic.hpp chooses the products.
#pragma once

#include <array>
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
#include "ntru_prime/sampling/expand.hpp"
#include "ntru_prime/sampling/short_random.hpp"
#include "ntru_prime/standard/hash.hpp"

namespace girih::ntru_prime {

template <class Set, class Isa>
struct Lprime {
    using Arithmetic = ntru_prime::Arithmetic<Isa, std::remove_cvref_t<decltype(Set::ring)>>;

    /// Inputs are 256 bits.
    using Input = std::array<Byte, message_bytes>;

    /// XKeyGen (NTRU Prime, Section 3.6), encoded: a seed of G, then
    /// KeyGen (NTRU Prime, Section 3.6). The public key is the seed and A = Round(G a), the secret
    /// key a. Constant time.
    [[gnu::noinline]] static void keygen(const Set& set, RandomStream<Isa>& random, BytesOut<> pk,
                                         BytesOut<> sk)
    {
        const auto seed = pk.template first<generator_bytes>();
        random.bytes(seed);
        girih::declassify(seed, "Section 3.6: the seed of G is in the public key");
        Rq<Set::capacity> g;
        generator<Isa>(set.ring, seed, g);
        Wiped<Small<Set::capacity>> a;
        short_random<Isa>(set.ring.p, set.w, random, *a);
        Rounded<Set::capacity> big_a;
        Arithmetic::rq_mult_small(set.ring, g, *a, big_a);
        round<Isa>(set.ring, big_a);
        rounded_encode<Isa>(set.ring, big_a, pk.last(set.ring.rounded_bytes()));
        girih::declassify(pk, "Section 3.6: A is in the public key");
        small_encode<Isa>(set.ring, *a, sk);
    }

    /// Inputs_random (NTRU Prime, Section 3.7): bits come encoded. Constant time.
    static void random_input(const Set& /* set */, RandomStream<Isa>& random, Input& input)
    {
        random.bytes(input);
    }

    /// XEncrypt (NTRU Prime, Section 3.6), encoded: HashShort and Generator, then
    /// Encrypt (NTRU Prime, Section 3.6). B = Round(G b) and T = Top(A b + r (q - 1) / 2), with
    /// b = HashShort(r). Constant time in the input.
    [[gnu::noinline]] static void encrypt(const Set& set, const Input& input, BytesIn<> pk,
                                          BytesOut<> ciphertext)
    {
        Wiped<Small<Set::capacity>> b;
        hash_short(set, input, *b);

        Rq<Set::capacity> g;
        generator<Isa>(set.ring, pk.template first<generator_bytes>(), g);
        const typename Arithmetic::Factor b_factor{*b};
        Wiped<Rounded<Set::capacity>> big_b;
        Arithmetic::rq_mult_small(set.ring, g, b_factor, *big_b);
        round<Isa>(set.ring, *big_b);
        rounded_encode<Isa>(set.ring, *big_b, ciphertext.first(set.ring.rounded_bytes()));

        Rounded<Set::capacity> a;
        rounded_decode<Isa>(set.ring, pk.last(set.ring.rounded_bytes()), a);
        Wiped<Rq<Set::capacity>> ab;
        Arithmetic::rq_mult_small(set.ring, a, b_factor, *ab);
        // Top_encode (NTRU Prime, Section 3.6): two a byte. (Eight at once, before any is written:
        // bytes may alias anything, even the numbers of the set.)
        const auto top_out = ciphertext.last(top_bytes);
        for (std::size_t i = 0; i < message_bytes; ++i) {
            std::array<std::int32_t, 8> tops;
            for (std::size_t j = 0; j < 8; ++j)
                tops[j] = top(set, ab->c[8 * i + j] + (input[i] >> j & 1) * set.ring.q12);
            for (std::size_t j = 0; j < 4; ++j)
                top_out[4 * i + j] = static_cast<Byte>(tops[2 * j] | tops[2 * j + 1] << 4);
        }
    }

    /// Decrypt (NTRU Prime, Section 3.6), which XDecrypt (NTRU Prime, Section 3.6) is too, encoded:
    /// each bit of the input is whether Right(T) - (a B) + 4w + 1 is negative modulo q. Constant
    /// time.
    [[gnu::noinline]] static void decrypt(const Set& set, BytesIn<> ciphertext, BytesIn<> sk, Input& input)
    {
        Wiped<Small<Set::capacity>> a;
        small_decode<Isa>(set.ring, sk, *a);
        Rounded<Set::capacity> b;
        rounded_decode<Isa>(set.ring, ciphertext.first(set.ring.rounded_bytes()), b);
        Wiped<Rq<Set::capacity>> ab;
        Arithmetic::rq_mult_small(set.ring, b, *a, *ab);
        const auto tops = ciphertext.last(top_bytes);
        input = {};
        for (std::size_t i = 0; i < message_bits; ++i) {
            // Top_decode (NTRU Prime, Section 3.6)
            const std::int32_t t = tops[i / 2] >> (4 * (i % 2)) & 15;
            const std::int32_t difference =
                modulo_q(set).centered(right(set, t) - ab->c[i] + 4 * static_cast<std::int32_t>(set.w) + 1);
            input[i / 8] |= static_cast<Byte>((difference >> 31 & 1) << (i % 8));
        }
    }

  private:
    [[nodiscard]] static constexpr AnyModulo<Isa> modulo_q(const Set& set)
    {
        return AnyModulo<Isa>{set.ring.modulo_q};
    }
    [[nodiscard]] static constexpr std::int32_t bit(const Input& input, std::size_t i)
    {
        return input[i / 8] >> (i % 8) & 1;
    }
    /// Top (NTRU Prime, Section 3.6), of a sum that is brought into [-q12, q12] first: four bits.
    [[nodiscard]] static constexpr std::int32_t top(const Set& set, std::int32_t c)
    {
        return (set.tau1 * (modulo_q(set).centered(c) + set.tau0) + 16384) >> 15;
    }
    /// Right (NTRU Prime, Section 3.6).
    [[nodiscard]] static constexpr std::int32_t right(const Set& set, std::int32_t t)
    {
        return modulo_q(set).centered(set.tau3 * t - set.tau2);
    }
    /// HashShort (NTRU Prime, Section 3.6). Constant time.
    static void hash_short(const Set& set, const Input& input, Small<Set::capacity>& b)
    {
        Wiped<std::array<Byte, hash_bytes>> key;
        hash_prefix<Isa, message_bytes>(HashOf::short_words, input, *key);
        Words<Set::capacity> words;
        Expansion<Isa>{*key}.words(std::span{words}.first(set.ring.p));
        short_from_list<Isa>(set.ring.p, set.w, words, b);
    }
};

}  // namespace girih::ntru_prime
