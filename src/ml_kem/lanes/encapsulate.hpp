/// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17) in lanes, with keys as bytes or prepared.
///
/// First line 1 is hashed for all rows, side by side; then line 2 runs for a few rows at a time.
/// The matrices of the first few rows need no hash, so they are drawn beside the hashes. Their
/// noise begins when the hashes that make its seeds are done.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/lanes/encryption.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/standard/hash.hpp"

namespace girih::ml_kem {

/// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17) of at most group<Isa> rows. Constant time in m.
template <class Isa>
[[gnu::noinline]] void encapsulate_group(const Params& p, std::span<EncapsulationRow> rows)
{
    using Hash = keccak::HashTask<Isa>;
    std::array<std::array<Byte, hash_bytes>, group<Isa>> hashed;
    std::array<HalvedHash, group<Isa>> keys;  // K and r
    keccak::TaskArray<Hash, group<Isa>> g_tasks;
    keccak::TaskArray<Hash, group<Isa>> h_tasks;
    keccak::TaskList<Isa, group<Isa> + Encryptions<Isa>::matrix_capacity> tasks;
    const auto prepared = [&](std::size_t i) { return static_cast<const PreparedKey*>(rows[i].prepared); };
    const auto ek = [&](std::size_t i) {
        return BytesIn<>{rows[i].ek, prepared(i) == nullptr ? p.public_key_bytes() : 0};
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const BytesIn<hash_bytes> h =
            prepared(i) != nullptr ? prepared(i)->h : BytesIn<hash_bytes>{hashed[i]};
        Hash& g_task = g_tasks.add(g_function, typename Hash::Pieces{BytesIn<>{rows[i].m, message_bytes}, h},
                                   keys[i].bytes());
        if (prepared(i) != nullptr)
            tasks.add(g_task);
        else
            tasks.add(h_tasks.add(h_function, typename Hash::Pieces{ek(i)}, hashed[i], &g_task));
    }

    Encryptions<Isa> encryptions;
    const auto add_row = [&](std::size_t i) __attribute__((always_inline)) {
        rows[i].is_good = encryptions.add(p, prepared(i), ek(i), keys[i].second());
    };
    const auto take_row = [&](std::size_t i, std::size_t place) __attribute__((always_inline)) {
        const EncapsulationRow& row = rows[i];
        if (!row.is_good) return;
        const BytesOut<> ciphertext{row.ciphertext, p.ciphertext_bytes()};
        encryptions.encrypt(p, place, BytesIn<message_bytes>{row.m, message_bytes}, ciphertext);
        girih::declassify(ciphertext, "FIPS 203, Algorithm 17: the ciphertext is sent");
        copy_secret(keys[i].first().data(), row.shared_secret, shared_secret_bytes);
    };
    encryptions.run(rows.size(), tasks, g_tasks, add_row, take_row);
    wipe_stack_below();
}

}  // namespace girih::ml_kem
