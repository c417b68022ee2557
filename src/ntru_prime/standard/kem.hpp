/// The key encapsulation mechanism around either core, in the specification's order
/// ("NTRU Prime: round 3", Sections 3.4 and 3.7).
///
/// Engines and microcontrollers run this text. Engines that hash two messages at once encapsulate
/// and decapsulate by lanes/kem.hpp instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/standard/hash.hpp"
#include "ntru_prime/standard/lprime.hpp"
#include "ntru_prime/standard/streamlined.hpp"

namespace girih::ntru_prime {

template <class Set, class Isa>
using Core = std::conditional_t<Set::is_streamlined, Streamlined<Set, Isa>, Lprime<Set, Isa>>;

/// The parts of a secret key, in their order.
template <class Set>
struct SecretKeyView {
    const Set& set;
    const Byte* bytes;

    [[nodiscard]] constexpr BytesIn<> core() const { return {bytes, set.core_secret_key_bytes}; }
    [[nodiscard]] constexpr BytesIn<> public_key() const
    {
        return {bytes + set.core_secret_key_bytes, set.public_key_bytes};
    }
    /// Takes the place of the input if a ciphertext is bad.
    [[nodiscard]] constexpr BytesIn<> rho() const
    {
        return {bytes + set.core_secret_key_bytes + set.public_key_bytes, set.input_bytes};
    }
    [[nodiscard]] constexpr BytesIn<hash_bytes> public_key_hash() const
    {
        return BytesIn<hash_bytes>{bytes + set.secret_key_bytes - hash_bytes, hash_bytes};
    }
};

/// The public key and rho, after the core of a secret key. Constant time.
template <class Set, class Isa>
void append_public_key_and_rho(const Set& set, RandomStream<Isa>& random, BytesIn<> pk, BytesOut<> sk)
{
    copy(pk, sk.subspan(set.core_secret_key_bytes));
    random.bytes(sk.subspan(set.core_secret_key_bytes + set.public_key_bytes, set.input_bytes));
}

/// KEM_KeyGen (NTRU Prime, Section 3.7). False, with incomplete outputs, if the source of
/// randomness failed.
///
/// Constant time, except for the number of polynomials g that had no reciprocal.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] bool keygen(const Set& set, const Randomness& randomness, BytesOut<> pk,
                                         BytesOut<> sk)
{
    RandomStream<Isa> random{randomness};
    Core<Set, Isa>::keygen(set, random, pk, sk.first(set.core_secret_key_bytes));
    append_public_key_and_rho<Set, Isa>(set, random, pk, sk);
    hash_prefix<Isa, Set::public_key_capacity>(HashOf::public_key, pk, sk.template last<hash_bytes>());
    return !random.has_failed();
}

/// The hash of an input (Streamlined NTRU Prime), or the input itself (NTRU LPRime): what
/// HashConfirm and HashSession take.
template <class Set, class Isa>
void hash_input([[maybe_unused]] const Set& set, const typename Core<Set, Isa>::Input& input,
                BytesOut<hash_bytes> hash)
{
    if constexpr (Set::is_streamlined)
        hash_prefix<Isa, Set::public_key_capacity>(HashOf::input, BytesIn<>{input}.first(set.input_bytes),
                                                   hash);
    else
        copy_secret(input.data(), hash.data(), hash_bytes);
}

/// HashConfirm (NTRU Prime, Section 3.4).
template <class Isa>
void hash_confirm(BytesIn<hash_bytes> input_hash, BytesIn<hash_bytes> public_key_hash,
                  BytesOut<confirmation_bytes> confirmation)
{
    PrefixHash<Isa, 2 * hash_bytes>{HashOf::confirmation, 2 * hash_bytes}
        .append(input_hash)
        .append(public_key_hash)
        .finish(confirmation);
}

/// HashSession (NTRU Prime, Section 3.4). The prefix is HashOf::session or HashOf::bad_session.
template <class Set, class Isa>
void hash_session(const Set& set, Byte prefix, BytesIn<hash_bytes> input_hash, BytesIn<> ciphertext,
                  BytesOut<shared_secret_bytes> shared_secret)
{
    PrefixHash<Isa, hash_bytes + Set::ciphertext_capacity>{prefix, hash_bytes + set.ciphertext_bytes}
        .append(input_hash)
        .append(ciphertext)
        .finish(shared_secret);
}

/// Hide (NTRU Prime, Section 3.7): the ciphertext of an input, which ends with its confirmation.
/// `input_hash` is an output too: the session is hashed from it.
template <class Set, class Isa>
void hide(const Set& set, const typename Core<Set, Isa>::Input& input, BytesIn<> pk,
          BytesIn<hash_bytes> public_key_hash, std::array<Byte, hash_bytes>& input_hash,
          BytesOut<> ciphertext)
{
    Core<Set, Isa>::encrypt(set, input, pk, ciphertext.first(set.core_ciphertext_bytes));
    hash_input<Set, Isa>(set, input, input_hash);
    hash_confirm<Isa>(input_hash, public_key_hash, ciphertext.template last<confirmation_bytes>());
}

/// Encap (NTRU Prime, Section 3.7). False if the source of randomness failed. Constant time in the
/// randomness.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] bool encapsulate(const Set& set, const Randomness& randomness, BytesIn<> pk,
                                              BytesOut<> ciphertext,
                                              BytesOut<shared_secret_bytes> shared_secret)
{
    std::array<Byte, hash_bytes> public_key_hash;
    hash_prefix<Isa, Set::public_key_capacity>(HashOf::public_key, pk, public_key_hash);

    RandomStream<Isa> random{randomness};
    Wiped<typename Core<Set, Isa>::Input> input;
    Core<Set, Isa>::random_input(set, random, *input);

    Wiped<std::array<Byte, hash_bytes>> input_hash;
    hide<Set, Isa>(set, *input, pk, public_key_hash, *input_hash, ciphertext);
    girih::declassify(ciphertext, "Section 3.7: the ciphertext is sent");
    hash_session<Set, Isa>(set, static_cast<Byte>(HashOf::session), *input_hash, ciphertext, shared_secret);
    return !random.has_failed();
}

/// Ciphertexts_diff_mask (NTRU Prime, Section 3.7): all ones if any bit differs, else 0. Constant
/// time.
[[nodiscard]] inline std::uint32_t ciphertexts_diff_mask(BytesIn<> a, BytesIn<> b) noexcept
{
    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) difference |= std::uint32_t{a[i]} ^ b[i];
    return nonzero_mask(difference);
}

/// Replaces the first bytes of a by b if the mask is all ones, and not if it is 0. Constant time.
inline void replace_if(std::uint32_t mask, BytesOut<> a, BytesIn<> b) noexcept
{
    for (std::size_t i = 0; i < b.size(); ++i) a[i] = static_cast<Byte>(a[i] ^ (mask & (a[i] ^ b[i])));
}

/// Decap (NTRU Prime, Section 3.7): for a ciphertext that is not the encryption of its input, the
/// secret is the hash of rho and the ciphertext. Constant time.
template <class Set, class Isa>
[[gnu::noinline]] void decapsulate(const Set& set, SecretKeyView<Set> sk, BytesIn<> ciphertext,
                                   BytesOut<shared_secret_bytes> shared_secret)
{
    Wiped<typename Core<Set, Isa>::Input> input;
    Core<Set, Isa>::decrypt(set, ciphertext.first(set.core_ciphertext_bytes), sk.core(), *input);

    Wiped<std::array<Byte, Set::ciphertext_capacity>> again_bytes;
    const BytesOut<> again = BytesOut<>{*again_bytes}.first(set.ciphertext_bytes);
    Wiped<std::array<Byte, hash_bytes>> input_hash;
    hide<Set, Isa>(set, *input, sk.public_key(), sk.public_key_hash(), *input_hash, again);

    const std::uint32_t is_bad = ciphertexts_diff_mask(ciphertext, again);
    replace_if(is_bad, *input, sk.rho());
    hash_input<Set, Isa>(set, *input, *input_hash);
    hash_session<Set, Isa>(set, static_cast<Byte>(1 + is_bad), *input_hash, ciphertext, shared_secret);
}

}  // namespace girih::ntru_prime
