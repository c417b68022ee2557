/// Key generation in lanes. For one row, A and s are drawn side by side, and tr is hashed beside
/// the last rows of t. For several rows, the hashes of the seeds run side by side, and so do those
/// of the public keys. The steps are those of standard/keygen.hpp in another order, and make the
/// same keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "keccak/task_list.hpp"
#include "ml_dsa/lanes/sampling.hpp"
#include "ml_dsa/lanes/schedule.hpp"
#include "ml_dsa/standard/keygen.hpp"

namespace girih::ml_dsa {

/// Adds the tasks of s and of A: those with the most permutations first, unless the hash waits for
/// rows. Then s is first; or, if chance decides whether its tasks take one permutation or two, the
/// tasks that the first row needs.
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

/// Lines 3 to 8 of keygen, from key.rho and rho'; and line 9, unless tr is empty. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void make_keys_in_lanes(BytesIn<rho_prime_bytes> rho_prime, SecretKey<S>& key,
                                                    BytesOut<S.public_key_bytes()> pk, BytesOut<> tr = {})
{
    girih::declassify(std::span{key.rho}, "FIPS 204, Algorithm 6, line 8: rho is part of the public key");
    copy(key.rho, pk.template first<rho_bytes>());
    Matrix<S> a_hat;
    auto s_tasks = expand_s_tasks<S, Isa>(rho_prime, key.s);
    auto a_tasks = expand_a_tasks<S, Isa>(key.rho, a_hat);
    const HashBegin begin = tr.empty() ? HashBegin::never() : tr_begin<S, Isa>;
    keccak::TaskList<Isa, S.k + S.l + S.k * S.l> tasks;
    add_in_order<S>(tasks, s_tasks, a_tasks, begin);

    KeygenScratch<S> scratch;
    std::size_t s_done = 0;
    const auto s_is_there = [&](std::size_t row) {
        keccak::count_done(s_tasks, s_done);
        return s_done > S.l + row;
    };
    const auto make_row = [&](std::size_t i) {
        if (i == 0) transform_s1<S, Isa>(key.s, scratch);
        make_row_of_t<S, Isa>(a_hat[i], key.s.s2[i], scratch, key.t0[i], t1_row<S>(pk, i));
    };
    keccak::RowsHash<Isa> hash{keccak::shake256_function, {pk}, tr};
    make_rows_beside_hash<S, Isa>(tasks.tasks(), a_tasks, s_is_there, make_row, hash, public_key_rows<S>,
                                  begin);
    if (!tr.empty()) hash.finish();
}

/// keygen of one row. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen_in_lanes(const Version& version, BytesIn<seed_bytes> xi,
                                                 BytesOut<S.public_key_bytes()> pk, BytesOut<> sk)
{
    SecretKey<S> key;
    Wiped<std::array<Byte, rho_prime_bytes>> rho_prime;
    expand_seed<S, Isa>(version, xi, key.rho, *rho_prime, *key.key);
    make_keys_in_lanes<S, Isa>(*rho_prime, key, pk, key.tr.resized(version.tr_bytes));
    sk_encode<S, Isa>(key, sk);
}

/// keygen of several rows, at most as many as there are lanes. Constant time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void keygen_many(const Version& version, std::span<const KeygenRow> rows)
{
    constexpr std::size_t count = rows_in_lanes<Isa>;
    constexpr std::size_t key_at = rho_bytes + rho_prime_bytes;
    const auto row = [rows](std::size_t i) { return rows[std::min(i, rows.size() - 1)]; };
    std::array<Wiped<std::array<Byte, key_at + key_bytes>>, count> expanded;  // rho | rho' | K of each
    auto seed_tasks = keccak::make_tasks<count>([&](std::size_t i) {
        return keccak::HashTask<Isa>{{BytesIn<>{row(i).seed, seed_bytes}, dimensions<S>(version)},
                                     *expanded[i]};
    });
    keccak::run<typename Isa::WideWords>(seed_tasks);

    keccak::TaskList<Isa, count> hashes;
    auto tr_tasks = keccak::make_tasks<count>([&](std::size_t i) {
        return keccak::HashTask<Isa>{{BytesIn<>{row(i).pk, S.public_key_bytes()}},
                                     BytesOut<>{row(i).sk + rho_bytes + key_bytes, version.tr_bytes}};
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const BytesIn<key_at + key_bytes> seed{*expanded[i]};
        SecretKey<S> key;
        copy(seed.template first<rho_bytes>(), key.rho);
        copy_secret(seed.template last<key_bytes>(), BytesOut<key_bytes>{*key.key});
        (void)key.tr.resized(version.tr_bytes);  // written below
        make_keys_in_lanes<S, Isa>(seed.template subspan<rho_bytes, rho_prime_bytes>(), key,
                                   BytesOut<S.public_key_bytes()>{rows[i].pk, S.public_key_bytes()});
        sk_encode<S, Isa>(key, BytesOut<>{rows[i].sk, S.secret_key_bytes(version)});
        hashes.add(tr_tasks[i]);
    }
    hashes.run();
}

}  // namespace girih::ml_dsa
