/// ML-KEM.Decaps_internal (FIPS 203, Algorithm 18) in lanes, with keys as bytes or prepared, and
/// the hash check (Section 7.3).
///
/// First all rows are decrypted (line 5). Then the hashes of lines 6 and 7 and of the hash check
/// run side by side, with the matrix of the first rows beside them. Last, a few rows at a time are
/// encrypted again (line 8) and compared.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/encoding/byte_encode.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/lanes/encryption.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/standard/hash.hpp"

namespace girih::ml_kem {

/// Selects `if_equal` if the ciphertexts are equal, otherwise `if_not`: implicit rejection (FIPS
/// 203, Algorithm 18, lines 9 to 11). Constant time.
template <class Isa>
[[gnu::noinline]] void select_secret(BytesIn<> ciphertext, BytesIn<> again,
                                     BytesIn<shared_secret_bytes> if_equal,
                                     BytesIn<shared_secret_bytes> if_not, Byte* secret)
{
    std::uint32_t difference = 0;
    for (std::size_t i = 0; i < ciphertext.size(); ++i)
        difference |= static_cast<std::uint32_t>(ciphertext[i] ^ again[i]);
    const auto mask = static_cast<Byte>(nonzero_mask(difference));  // all ones if any bit differs
    for (std::size_t i = 0; i < shared_secret_bytes; ++i)
        secret[i] = static_cast<Byte>(if_equal[i] ^ (mask & (if_equal[i] ^ if_not[i])));
}

/// ML-KEM.Decaps_internal (FIPS 203, Algorithm 18) of at most group<Isa> rows, and the hash check
/// of those whose keys are bytes. Constant time in the key and in the encapsulated message.
template <class Isa>
[[gnu::noinline]] void decapsulate_group(const Params& p, std::span<DecapsulationRow> rows)
{
    using Hash = keccak::HashTask<Isa>;
    std::array<std::array<Byte, hash_bytes>, group<Isa>> h_of_ek;
    std::array<HalvedHash, group<Isa>> keys;  // K' and r'
    Wiped<std::array<std::array<Byte, message_bytes>, group<Isa>>> m;
    Wiped<std::array<std::array<Byte, shared_secret_bytes>, group<Isa>>> rejection;
    keccak::TaskArray<Hash, group<Isa>> g_tasks;
    keccak::TaskArray<Hash, 2 * group<Isa>> j_and_h_tasks;
    keccak::TaskList<Isa, 3 * group<Isa> + Encryptions<Isa>::matrix_capacity> tasks;
    const auto prepared = [&](std::size_t i) { return static_cast<const PreparedKey*>(rows[i].prepared); };
    const auto view = [&](std::size_t i) {
        return DecapsulationKeyView{p, {rows[i].dk, p.secret_key_bytes()}};
    };
    const auto ciphertext = [&](std::size_t i) {
        return BytesIn<>{rows[i].ciphertext, p.ciphertext_bytes()};
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool is_prepared = prepared(i) != nullptr;
        if (!is_prepared) {
            view(i).declassify_public_parts();
            Vector<Factor> s_hat;
            decode_secret_vector<Isa>(view(i).s_hat(), std::span{s_hat}.first(p.k));
            decrypt<Isa>(p, std::span<const Factor>{s_hat}.first(p.k), ciphertext(i), (*m)[i]);
        } else {
            decrypt<Isa>(p, prepared(i)->s_hat(), ciphertext(i), (*m)[i]);
        }
        const BytesIn<> h = is_prepared ? prepared(i)->h : view(i).h();
        const BytesIn<> z = is_prepared ? prepared(i)->z : view(i).z();
        tasks.add(g_tasks.add(g_function, typename Hash::Pieces{(*m)[i], h}, keys[i].bytes()));
        tasks.add(j_and_h_tasks.add(j_function, typename Hash::Pieces{z, ciphertext(i)}, (*rejection)[i]));
        if (!is_prepared)
            tasks.add(j_and_h_tasks.add(h_function, typename Hash::Pieces{view(i).ek()}, h_of_ek[i]));
    }

    Encryptions<Isa> encryptions;
    const auto add_row = [&](std::size_t i) __attribute__((always_inline)) {
        // Section 7.3 has no modulus check for ek.
        (void)encryptions.add(p, prepared(i), prepared(i) == nullptr ? view(i).ek() : BytesIn<>{},
                              keys[i].second());
    };
    const auto take_row = [&](std::size_t i, std::size_t place) __attribute__((always_inline)) {
        DecapsulationRow& row = rows[i];
        row.is_good = prepared(i) != nullptr || std::ranges::equal(h_of_ek[i], view(i).h());
        if (!row.is_good) return;
        Wiped<std::array<Byte, max_ciphertext_bytes>> again{uninitialized};
        const BytesOut<> made = BytesOut<>{*again}.first(p.ciphertext_bytes());
        encryptions.encrypt(p, place, (*m)[i], made);
        select_secret<Isa>(ciphertext(i), made, keys[i].first(),
                           BytesIn<shared_secret_bytes>{(*rejection)[i]}, row.shared_secret);
    };
    encryptions.run(rows.size(), tasks, g_tasks, add_row, take_row);
    wipe_stack_below();
}

}  // namespace girih::ml_kem
