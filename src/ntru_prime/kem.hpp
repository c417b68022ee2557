/// The key encapsulation mechanism around either core ("NTRU Prime: round 3",
/// Sections 3.4 and 3.7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/hash.hpp"
#include "ntru_prime/lprime.hpp"
#include "ntru_prime/streamlined.hpp"

namespace girih::ntru_prime {

template <class Set, class Isa>
using Core = std::conditional_t<Set::is_streamlined, Streamlined<Set, Isa>, Lprime<Set, Isa>>;

/// The parts of a secret key.
template <class Set>
struct SecretKeyView {
    const Set& set;
    const Byte* bytes;

    [[nodiscard]] constexpr BytesIn<> core() const { return {bytes, set.core_secret_key_bytes}; }
    [[nodiscard]] constexpr BytesIn<> public_key() const
    {
        return {bytes + set.core_secret_key_bytes, set.public_key_bytes};
    }
    [[nodiscard]] constexpr BytesIn<> rho() const
    {
        return {bytes + set.core_secret_key_bytes + set.public_key_bytes, set.input_bytes};
    }
    [[nodiscard]] constexpr BytesIn<hash_bytes> public_key_hash() const
    {
        return BytesIn<hash_bytes>{bytes + set.secret_key_bytes - hash_bytes, hash_bytes};
    }
};

/// What a secret key has besides its core and, at its end, the public key's hash: the public key
/// and rho. Constant time.
template <class Set, class Isa>
void append_public_key_and_rho(const Set& set, RandomStream<Isa>& random, BytesIn<> pk, BytesOut<> sk)
{
    copy(pk, sk.subspan(set.core_secret_key_bytes));
    random.bytes(sk.subspan(set.core_secret_key_bytes + set.public_key_bytes, set.input_bytes));
}

/// KEM_KeyGen (NTRU Prime, Section 3.7). False, with what was made so far, if the source of
/// randomness failed.
///
/// Constant time, but for the number of polynomials g that had no reciprocal.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] bool keygen(const Set& set, const Randomness& randomness, BytesOut<> pk,
                                         BytesOut<> sk)
{
    RandomStream<Isa> random{randomness};
    Core<Set, Isa>::keygen(set, random, pk, sk.first(set.core_secret_key_bytes));
    append_public_key_and_rho<Set, Isa>(set, random, pk, sk);
    hash_prefix<Isa, Set::public_key_room>(HashOf::public_key, pk, sk.template last<hash_bytes>());
    return !random.has_failed();
}

/// HashSession (NTRU Prime, Section 3.4), of the input's hash (or the input itself) and the
/// ciphertext.
template <class Set, class Isa>
using SessionHash = PrefixHash<Isa, hash_bytes + Set::ciphertext_room>;

/// HashConfirm (NTRU Prime, Section 3.4).
template <class Isa>
void confirm(BytesIn<hash_bytes> input_hash, BytesIn<hash_bytes> public_key_hash,
             BytesOut<confirmation_bytes> confirmation)
{
    PrefixHash<Isa, 2 * hash_bytes>{HashOf::confirmation, 2 * hash_bytes}
        .append(input_hash)
        .append(public_key_hash)
        .finish(confirmation);
}

/// What the confirmation and the session are hashed from, of an input.
template <class Set, class Isa>
void hash_input([[maybe_unused]] const Set& set, const typename Core<Set, Isa>::Input& input,
                BytesOut<hash_bytes> hash)
{
    if constexpr (Core<Set, Isa>::hashes_input) {
        hash_prefix<Isa, Set::public_key_room>(HashOf::input, BytesIn<>{input}.first(set.input_bytes), hash);
    } else {
        copy_secret(input.data(), hash.data(), hash_bytes);
    }
}

/// Hide (NTRU Prime, Section 3.7): the ciphertext of an input, which ends with its confirmation.
/// `input_hash` receives what the session is hashed from.
template <class Set, class Isa>
void hide(const Set& set, const typename Core<Set, Isa>::Input& input, BytesIn<> pk,
          BytesIn<hash_bytes> public_key_hash, std::array<Byte, hash_bytes>& input_hash,
          BytesOut<> ciphertext)
{
    Core<Set, Isa>::encrypt(set, input, pk, ciphertext.first(set.core_ciphertext_bytes));
    hash_input<Set, Isa>(set, input, input_hash);
    confirm<Isa>(input_hash, public_key_hash, ciphertext.template last<confirmation_bytes>());
}

/// Encap (NTRU Prime, Section 3.7). False if the source of randomness failed. Constant time in the
/// randomness. What Hide does is done here, interleaved with the hash of the public key.
///
/// The public key's hash is the longest; beside it, where the engine has lanes, the input is
/// hashed, and of the session what comes before the confirmation.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] bool encapsulate(const Set& set, const Randomness& randomness, BytesIn<> pk,
                                              BytesOut<> ciphertext,
                                              BytesOut<shared_secret_bytes> shared_secret)
{
    RandomStream<Isa> random{randomness};
    Wiped<typename Core<Set, Isa>::Input> input;
    Core<Set, Isa>::random_input(set, random, *input);

    PrefixHash<Isa, Set::public_key_room> public_key{HashOf::public_key, set.public_key_bytes};
    public_key.append(pk);
    Wiped<std::array<Byte, hash_bytes>> input_hash;
    if constexpr (Core<Set, Isa>::hashes_input) {
        PrefixHash<Isa, Set::input_room> hash{HashOf::input, set.input_bytes};
        hash.append(BytesIn<>{*input}.first(set.input_bytes));
        hash_together(public_key, hash);
        hash.finish(*input_hash);
    } else {
        copy_secret(input->data(), input_hash->data(), hash_bytes);
    }

    const auto core = ciphertext.first(set.core_ciphertext_bytes);
    Core<Set, Isa>::encrypt(set, *input, pk, core);
    girih::declassify(core, "Section 3.7: the ciphertext is sent");
    SessionHash<Set, Isa> session{HashOf::session, hash_bytes + set.ciphertext_bytes};
    session.append(*input_hash).append(core);
    hash_together(public_key, session);

    std::array<Byte, hash_bytes> public_key_hash;
    public_key.finish(public_key_hash);
    const auto confirmation = ciphertext.template last<confirmation_bytes>();
    confirm<Isa>(*input_hash, public_key_hash, confirmation);
    girih::declassify(confirmation, "Section 3.7: so is its confirmation");
    session.append(confirmation).finish(shared_secret);
    return !random.has_failed();
}

/// Whether decapsulation hashes rho in any case: where two messages take as long as one.
template <class Set, class Isa>
inline constexpr bool hashes_rho_beside_input = Core<Set, Isa>::hashes_input && Isa::HashWords::count > 1;

/// Decap (NTRU Prime, Section 3.7): for a ciphertext that is not what its input encrypts to, the
/// hash of rho and the ciphertext. Constant time.
template <class Set, class Isa>
[[gnu::noinline]] void decapsulate(const Set& set, SecretKeyView<Set> sk, BytesIn<> ciphertext,
                                   BytesOut<shared_secret_bytes> shared_secret)
{
    Wiped<typename Core<Set, Isa>::Input> input;
    Core<Set, Isa>::decrypt(set, ciphertext.first(set.core_ciphertext_bytes), sk.core(), *input);

    Wiped<std::array<Byte, Set::ciphertext_room>> again;
    Wiped<std::array<Byte, hash_bytes>> input_hash;
    [[maybe_unused]] Wiped<std::array<Byte, hash_bytes>> rho_hash;
    if constexpr (hashes_rho_beside_input<Set, Isa>) {
        Core<Set, Isa>::encrypt(set, *input, sk.public_key(),
                                BytesOut<>{*again}.first(set.core_ciphertext_bytes));
        PrefixHash<Isa, Set::input_room> of_input{HashOf::input, set.input_bytes};
        PrefixHash<Isa, Set::input_room> of_rho{HashOf::input, set.input_bytes};
        of_input.append(BytesIn<>{*input}.first(set.input_bytes));
        of_rho.append(sk.rho());
        hash_together(of_input, of_rho);
        of_input.finish(*input_hash);
        of_rho.finish(*rho_hash);
        confirm<Isa>(*input_hash, sk.public_key_hash(),
                     BytesOut<>{*again}.first(set.ciphertext_bytes).template last<confirmation_bytes>());
    } else {
        hide<Set, Isa>(set, *input, sk.public_key(), sk.public_key_hash(), *input_hash,
                       BytesOut<>{*again}.first(set.ciphertext_bytes));
    }

    // Ciphertexts_diff_mask (NTRU Prime, Section 3.7)
    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < set.ciphertext_bytes; ++i)
        difference |= std::uint32_t{(*again)[i]} ^ ciphertext[i];
    const std::uint32_t is_bad = nonzero_mask(difference);  // all ones if any bit differs

    const auto take_other = [mask = static_cast<Byte>(is_bad)](Byte& byte, Byte other) {
        byte = static_cast<Byte>(byte ^ (mask & (byte ^ other)));
    };
    if constexpr (hashes_rho_beside_input<Set, Isa>) {
        for (std::size_t i = 0; i < hash_bytes; ++i) take_other((*input_hash)[i], (*rho_hash)[i]);
    } else {
        // rho takes the place of the input before that is hashed.
        for (std::size_t i = 0; i < set.input_bytes; ++i) take_other((*input)[i], sk.rho()[i]);
        hash_input<Set, Isa>(set, *input, *input_hash);
    }
    SessionHash<Set, Isa>{static_cast<Byte>(1 + is_bad), hash_bytes + set.ciphertext_bytes}
        .append(*input_hash)
        .append(ciphertext)
        .finish(shared_secret);
}

}  // namespace girih::ntru_prime
