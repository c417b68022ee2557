/// Encapsulation and decapsulation on engines that hash two messages at once: the operations of
/// standard/kem.hpp, with hashes in another order. Other engines use those of standard/kem.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "ntru_prime/standard/kem.hpp"
#include "sha2/lanes.hpp"

namespace girih::ntru_prime {

template <class Isa>
inline constexpr bool hashes_side_by_side = Isa::HashWords::count > 1;

/// Hashes the blocks that are ready in both messages, as many as the one with fewer has.
template <class Isa, std::size_t a_capacity, std::size_t b_capacity>
void hash_together(PrefixHash<Isa, a_capacity>& a, PrefixHash<Isa, b_capacity>& b) noexcept
{
    if constexpr (hashes_side_by_side<Isa>) {
        const std::array chains{&a.chain(), &b.chain()};
        sha2::Sha512Lanes<typename Isa::HashWords>::compress(chains,
                                                             std::min(a.ready_blocks(), b.ready_blocks()));
    }
}

/// Encap (NTRU Prime, Section 3.7), with the hash of the public key, which is the longest, beside
/// that of the input and then beside that of the session, up to the confirmation.
template <class Set, class Isa>
[[nodiscard, gnu::noinline]] bool encapsulate_side_by_side(const Set& set, const Randomness& randomness,
                                                           BytesIn<> pk, BytesOut<> ciphertext,
                                                           BytesOut<shared_secret_bytes> shared_secret)
{
    if constexpr (!hashes_side_by_side<Isa>) {
        return encapsulate<Set, Isa>(set, randomness, pk, ciphertext, shared_secret);
    } else {
        RandomStream<Isa> random{randomness};
        Wiped<typename Core<Set, Isa>::Input> input;
        Core<Set, Isa>::random_input(set, random, *input);

        PrefixHash<Isa, Set::public_key_capacity> of_public_key{HashOf::public_key, set.public_key_bytes};
        of_public_key.append(pk);
        Wiped<std::array<Byte, hash_bytes>> input_hash;
        if constexpr (Set::is_streamlined) {
            PrefixHash<Isa, Set::input_capacity> of_input{HashOf::input, set.input_bytes};
            of_input.append(BytesIn<>{*input}.first(set.input_bytes));
            hash_together(of_public_key, of_input);
            of_input.finish(*input_hash);
        } else {
            copy_secret(input->data(), input_hash->data(), hash_bytes);
        }

        const auto core = ciphertext.first(set.core_ciphertext_bytes);
        Core<Set, Isa>::encrypt(set, *input, pk, core);
        girih::declassify(core, "Section 3.7: the ciphertext is sent");
        PrefixHash<Isa, hash_bytes + Set::ciphertext_capacity> of_session{HashOf::session,
                                                                          hash_bytes + set.ciphertext_bytes};
        of_session.append(*input_hash).append(core);
        hash_together(of_public_key, of_session);

        std::array<Byte, hash_bytes> public_key_hash;
        of_public_key.finish(public_key_hash);
        const auto confirmation = ciphertext.template last<confirmation_bytes>();
        hash_confirm<Isa>(*input_hash, public_key_hash, confirmation);
        girih::declassify(confirmation, "Section 3.7: so is its confirmation");
        of_session.append(confirmation).finish(shared_secret);
        return !random.has_failed();
    }
}

/// Decap (NTRU Prime, Section 3.7), with the input hashed beside rho: one of the two hashes is
/// selected, instead of hashing one of the two.
template <class Set, class Isa>
[[gnu::noinline]] void decapsulate_side_by_side(const Set& set, SecretKeyView<Set> sk, BytesIn<> ciphertext,
                                                BytesOut<shared_secret_bytes> shared_secret)
{
    if constexpr (!hashes_side_by_side<Isa> || !Set::is_streamlined) {
        return decapsulate<Set, Isa>(set, sk, ciphertext, shared_secret);
    } else {
        Wiped<typename Core<Set, Isa>::Input> input;
        Core<Set, Isa>::decrypt(set, ciphertext.first(set.core_ciphertext_bytes), sk.core(), *input);

        Wiped<std::array<Byte, Set::ciphertext_capacity>> again_bytes;
        const BytesOut<> again = BytesOut<>{*again_bytes}.first(set.ciphertext_bytes);
        Core<Set, Isa>::encrypt(set, *input, sk.public_key(), again.first(set.core_ciphertext_bytes));
        Wiped<std::array<Byte, hash_bytes>> input_hash;
        Wiped<std::array<Byte, hash_bytes>> rho_hash;
        PrefixHash<Isa, Set::input_capacity> of_input{HashOf::input, set.input_bytes};
        PrefixHash<Isa, Set::input_capacity> of_rho{HashOf::input, set.input_bytes};
        of_input.append(BytesIn<>{*input}.first(set.input_bytes));
        of_rho.append(sk.rho());
        hash_together(of_input, of_rho);
        of_input.finish(*input_hash);
        of_rho.finish(*rho_hash);
        hash_confirm<Isa>(*input_hash, sk.public_key_hash(), again.template last<confirmation_bytes>());

        const std::uint32_t is_bad = ciphertexts_diff_mask(ciphertext, again);
        replace_if(is_bad, *input_hash, *rho_hash);
        hash_session<Set, Isa>(set, static_cast<Byte>(1 + is_bad), *input_hash, ciphertext, shared_secret);
    }
}

}  // namespace girih::ntru_prime
