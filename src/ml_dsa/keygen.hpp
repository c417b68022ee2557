/// Key generation (FIPS 204, Section 6.1), and the public key of a secret key.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/encoding/keys_and_signatures.hpp"
#include "ml_dsa/hashing/sample.hpp"
#include "ml_dsa/interface.hpp"
#include "ml_dsa/public_rows.hpp"
#include "ml_dsa/rows_beside_hash.hpp"

namespace girih::ml_dsa {

/// What the seed of a key pair is expanded to (FIPS 204, Algorithm 6, line 1).
struct ExpandedSeed {
    static constexpr std::size_t rho_prime_at = rho_bytes;
    static constexpr std::size_t key_at = rho_prime_at + rho_prime_bytes;

    Wiped<std::array<Byte, key_at + key_bytes>> bytes;

    template <std::size_t at, std::size_t size>
    [[nodiscard]] constexpr BytesIn<size> view() const
    {
        return BytesIn<key_at + key_bytes>{*bytes}.template subspan<at, size>();
    }
    [[nodiscard]] constexpr BytesIn<rho_bytes> rho() const { return view<0, rho_bytes>(); }
    [[nodiscard]] constexpr BytesIn<rho_prime_bytes> rho_prime() const
    {
        return view<rho_prime_at, rho_prime_bytes>();
    }
    [[nodiscard]] constexpr BytesIn<key_bytes> key() const { return view<key_at, key_bytes>(); }
};

template <Shape S>
inline constexpr std::array<Byte, 2> k_and_l{Byte{S.k}, Byte{S.l}};

/// What follows the seed in the hash (FIPS 204, Algorithm 6, line 1); in round 3.1, nothing.
template <Shape S>
[[nodiscard]] constexpr BytesIn<> dimensions(const Version& version)
{
    return BytesIn<>{k_and_l<S>}.first(version.seed_names_dimensions() ? 2 : 0);
}

/// Adds the tasks of s and of A: what takes most permutations is first, unless the hash waits for
/// rows. Then s is first; or, where most of it takes one permutation or two by chance, what the
/// first row needs.
template <Shape S, class Tasks, class STasks, class ATasks>
constexpr void add_in_order(Tasks& tasks, STasks& s_tasks, ATasks& a_tasks, HashBegin begin)
{
    constexpr bool row_first = S.eta == 2;
    const std::size_t first_of_s = begin.is_never() ? 0 : row_first ? S.l + 1 : s_tasks.size();
    const std::size_t first_of_a = begin.is_never() ? a_tasks.size() : row_first ? S.l : 0;
    const std::span s{s_tasks};
    const std::span a{a_tasks};
    tasks.add(s.first(first_of_s));
    tasks.add(a.first(first_of_a));
    tasks.add(s.subspan(first_of_s));
    tasks.add(a.subspan(first_of_a));
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6) from line 2 on; K is left out, and tr, unless
/// there is room for it. Each row of t is made as soon as its polynomials are there, and the rows
/// are hashed beside those that follow. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen_from_expanded_seed(ExpandedSeed& seed,
                                                           BytesOut<S.public_key_bytes()> pk,
                                                           SecretKey<S>& key, BytesOut<> tr = {})
{
    copy(seed.rho(), key.rho);
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 6, line 8: rho is part of the public key");

    Matrix<S> a_hat;
    auto s_tasks = expand_s_tasks<S, Isa>(seed.rho_prime(), key.s);
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, a_hat);
    PublicRows<S, Isa> rows{key.rho, a_hat, key.s, key.t0, pk};
    RowsHash<Isa> hash{{pk}, tr};
    const HashBegin begin = tr.empty() ? HashBegin::never() : tr_begin<S, Isa>;
    keccak::TaskList<Isa, S.k + S.l + S.k * S.l> tasks;
    add_in_order<S>(tasks, s_tasks, a_tasks, begin);
    std::size_t s_done = 0;
    const auto s_is_there = [&](std::size_t row) {
        count_done(s_tasks, s_done);
        return s_done > S.l + row;
    };
    make_rows_beside_hash(tasks.tasks(), a_tasks, s_is_there, rows, hash, begin);
    if (!tr.empty()) hash.finish();
}

/// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6). Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen(const Version& version, BytesIn<seed_bytes> seed,
                                        BytesOut<S.public_key_bytes()> pk, BytesOut<> sk)
{
    ExpandedSeed expanded;
    keccak::Shake256<Isa>{}.absorb(seed).absorb(dimensions<S>(version)).squeeze(*expanded.bytes);
    SecretKey<S> key;
    keygen_from_expanded_seed<S, Isa>(expanded, pk, key, key.tr.room(version.tr_bytes));
    copy(expanded.key(), *key.key);
    sk_encode<S, Isa>(key, sk);
}

/// The public key of a secret key, made again from rho, s1 and s2, and all that the secret key says
/// besides compared. Constant time, but for the answer.
template <Shape S, class Isa>
[[nodiscard, gnu::noinline]] constexpr KeyCheck public_key(const Version& version, BytesIn<> sk,
                                                           BytesOut<S.public_key_bytes()> pk)
{
    SecretKey<S> key;
    if (!sk_decode<S, Isa>(version, sk, key)) return KeyCheck::malformed;
    PolyVector<S.k, T0Poly> t0;
    std::array<Byte, mu_bytes> tr_again;
    const BytesOut<> tr = std::span{tr_again}.first(version.tr_bytes);
    Matrix<S> a_hat;
    expand_a<S, Isa>(key.rho, a_hat);
    PublicRows<S, Isa> rows{key.rho, a_hat, key.s, t0, pk};
    while (rows.count() < S.k) rows.make_next();
    hash_public_key<S, Isa>(pk, tr);

    Secret<std::uint32_t> difference{0};
    for (std::size_t i = 0; i < S.k; ++i)
        for (std::size_t j = 0; j < n; ++j)
            difference |= Secret<std::uint32_t>{static_cast<std::uint32_t>(t0[i].c[j] ^ key.t0[i].c[j])};
    for (std::size_t i = 0; i < tr.size(); ++i)
        difference |= Secret<std::uint32_t>{std::uint32_t{tr[i]} ^ key.tr.view()[i]};
    return declassify(difference, "a key that contradicts itself is refused, and may be known to be") == 0
               ? KeyCheck::good
               : KeyCheck::inconsistent;
}

}  // namespace girih::ml_dsa
