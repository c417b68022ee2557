/// The key encapsulation mechanism around either core ("NTRU Prime: round 3", Sections 3.4 and 3.7).
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

template <Params P, class Isa>
using Core = std::conditional_t<P.is_streamlined(), Streamlined<P, Isa>, Lprime<P, Isa>>;

/// The parts of a secret key.
template <Params P>
struct SecretKeyView {
    BytesIn<P.secret_key_bytes()> bytes;

    [[nodiscard]] constexpr auto core() const { return bytes.template first<P.core_secret_key_bytes()>(); }
    [[nodiscard]] constexpr auto public_key() const
    {
        return bytes.template subspan<P.core_secret_key_bytes(), P.public_key_bytes()>();
    }
    [[nodiscard]] constexpr auto rho() const
    {
        return bytes.template subspan<P.core_secret_key_bytes() + P.public_key_bytes(), P.input_bytes()>();
    }
    [[nodiscard]] constexpr auto public_key_hash() const { return bytes.template last<hash_bytes>(); }
};

/// What a secret key has besides its core and, at its end, the public key's hash: the public key and rho. Constant time.
template <Params P, class Isa>
void append_public_key_and_rho(RandomStream<Isa>& random, BytesIn<P.public_key_bytes()> pk,
                               BytesOut<P.secret_key_bytes()> sk)
{
    copy(pk, sk.subspan(P.core_secret_key_bytes()));
    random.bytes(sk.template subspan<P.core_secret_key_bytes() + P.public_key_bytes(), P.input_bytes()>());
}

/// KEM_KeyGen. False, with what was made so far, if the source of randomness failed.
///
/// Constant time, but for the number of polynomials g that had no reciprocal.
template <Params P, class Isa>
[[nodiscard, gnu::noinline]] bool keygen(const Randomness& randomness, BytesOut<P.public_key_bytes()> pk,
                                         BytesOut<P.secret_key_bytes()> sk)
{
    RandomStream<Isa> random{randomness};
    Core<P, Isa>::keygen(random, pk, sk.template first<P.core_secret_key_bytes()>());
    append_public_key_and_rho<P, Isa>(random, pk, sk);
    hash_prefix<Isa, P.public_key_bytes()>(HashOf::public_key, pk, sk.template last<hash_bytes>());
    return !random.has_failed();
}

/// The session's hash, of the input's hash (or the input itself) and the ciphertext.
template <Params P, class Isa>
using SessionHash = PrefixHash<Isa, hash_bytes + P.ciphertext_bytes()>;

/// HashConfirm.
template <class Isa>
void confirm(BytesIn<hash_bytes> input_hash, BytesIn<hash_bytes> public_key_hash,
             BytesOut<confirmation_bytes> confirmation)
{
    PrefixHash<Isa, 2 * hash_bytes>{HashOf::confirmation}
        .append(input_hash)
        .append(public_key_hash)
        .finish(confirmation);
}

/// What the confirmation and the session are hashed from, of an input.
template <Params P, class Isa>
void hash_input(const typename Core<P, Isa>::Input& input, BytesOut<hash_bytes> hash)
{
    if constexpr (Core<P, Isa>::hashes_input) {
        hash_prefix<Isa, P.input_bytes()>(HashOf::input, input, hash);
    } else {
        copy_secret(input.data(), hash.data(), hash_bytes);
    }
}

/// Hide: the ciphertext of an input, which ends with its confirmation. `input_hash` receives what the session is hashed from.
template <Params P, class Isa>
void hide(const typename Core<P, Isa>::Input& input, BytesIn<P.public_key_bytes()> pk,
          BytesIn<hash_bytes> public_key_hash, std::array<Byte, hash_bytes>& input_hash,
          BytesOut<P.ciphertext_bytes()> ciphertext)
{
    Core<P, Isa>::encrypt(input, pk, ciphertext.template first<P.core_ciphertext_bytes()>());
    hash_input<P, Isa>(input, input_hash);
    confirm<Isa>(input_hash, public_key_hash, ciphertext.template last<confirmation_bytes>());
}

/// Encap. False if the source of randomness failed. Constant time in the randomness.
///
/// The public key's hash is the longest; beside it, where the engine has lanes, the input is hashed, and of the session what
/// comes before the confirmation.
template <Params P, class Isa>
[[nodiscard, gnu::noinline]] bool encapsulate(const Randomness& randomness, BytesIn<P.public_key_bytes()> pk,
                                              BytesOut<P.ciphertext_bytes()> ciphertext,
                                              BytesOut<shared_secret_bytes> shared_secret)
{
    RandomStream<Isa> random{randomness};
    Wiped<typename Core<P, Isa>::Input> input;
    Core<P, Isa>::random_input(random, *input);

    PrefixHash<Isa, P.public_key_bytes()> public_key{HashOf::public_key};
    public_key.append(pk);
    Wiped<std::array<Byte, hash_bytes>> input_hash;
    if constexpr (Core<P, Isa>::hashes_input) {
        PrefixHash<Isa, P.input_bytes()> hash{HashOf::input};
        hash.append(*input);
        hash_together(public_key, hash);
        hash.finish(*input_hash);
    } else {
        *input_hash = *input;
    }

    const auto core = ciphertext.template first<P.core_ciphertext_bytes()>();
    Core<P, Isa>::encrypt(*input, pk, core);
    girih::declassify(core, "Section 3.7: the ciphertext is sent");
    SessionHash<P, Isa> session{HashOf::session};
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

/// Decap: for a ciphertext that is not what its input encrypts to, the hash of rho and the ciphertext. Constant time.
template <Params P, class Isa>
[[gnu::noinline]] void decapsulate(SecretKeyView<P> sk, BytesIn<P.ciphertext_bytes()> ciphertext,
                                   BytesOut<shared_secret_bytes> shared_secret)
{
    Wiped<typename Core<P, Isa>::Input> input;
    Core<P, Isa>::decrypt(ciphertext.template first<P.core_ciphertext_bytes()>(), sk.core(), *input);

    Wiped<std::array<Byte, P.ciphertext_bytes()>> again;
    Wiped<std::array<Byte, hash_bytes>> input_hash;
    hide<P, Isa>(*input, sk.public_key(), sk.public_key_hash(), *input_hash, *again);

    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < again->size(); ++i) difference |= std::uint32_t{(*again)[i]} ^ ciphertext[i];
    const std::uint32_t is_bad = (0 - difference) >> 31;  // 1 if any bit differs

    // rho takes the place of the input before that is hashed.
    const Byte mask = static_cast<Byte>(0 - is_bad);
    for (std::size_t i = 0; i < input->size(); ++i)
        (*input)[i] = static_cast<Byte>((*input)[i] ^ (mask & ((*input)[i] ^ sk.rho()[i])));
    hash_input<P, Isa>(*input, *input_hash);
    SessionHash<P, Isa>{static_cast<Byte>(1 - is_bad)}
        .append(*input_hash)
        .append(ciphertext)
        .finish(shared_secret);
}

}  // namespace girih::ntru_prime
