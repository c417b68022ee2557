/// Encapsulation and decapsulation (FIPS 203, Sections 6.2, 6.3, 7.2 and 7.3): one row or several,
/// with keys as bytes or prepared.
///
/// The steps of a row are those of the standard; what is apart is the order of work. All hashes
/// that can run run side by side in the lanes of the permutation: those of the rows, and beside
/// them the matrix and the noise of the first rows, whose seed one of those hashes makes.
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
#include "ml_kem/encrypt.hpp"
#include "ml_kem/hashing/hash.hpp"
#include "ml_kem/interface.hpp"
#include "ml_kem/keygen.hpp"
#include "ml_kem/keys.hpp"

namespace girih::ml_kem {

/// Encryptions side by side: their polynomials, and the tasks that make them.
template <class Isa>
class Encryptions {
    static constexpr std::size_t together = rows_together<Isa>;

  public:
    /// Another one, with a prepared key, or with that of the bytes `ek`. r is read when the noise
    /// is drawn, m when the ciphertext is made. False if ek does not pass the modulus check.
    [[nodiscard]] bool add(const Params& p, const PreparedKey* prepared, BytesIn<> ek, BytesIn<sigma_bytes> r)
    {
        Work& work = works_[count_];
        bool is_good = true;
        if (prepared != nullptr) {
            work.key = prepared->encapsulation_key();
        } else {
            add_matrix_tasks<Isa>(p.k, ek.last<rho_bytes>(), Orientation::transposed, work.polys.data(),
                                  matrix_);
            const std::span<PublicPoly> t_hat = std::span{work.polys}.subspan(p.k * p.k, p.k);
            is_good = decode_public_vector<Isa>(ek, t_hat);
            work.key = {std::span<const PublicPoly>{work.polys}.first(p.k * p.k), t_hat};
        }
        add_noise_tasks<Isa>(p, r, work.noise, noise_);
        ++count_;
        return is_good;
    }
    void clear()
    {
        matrix_.clear();
        noise_.clear();
        count_ = 0;
    }

    /// Draws everything.
    void draw() { keccak::run_all<Isa>(matrix_, noise_); }

    /// The same beside hashes; `seeds` are those of them that make what noise is drawn from.
    template <std::size_t most, std::size_t rows>
    [[gnu::noinline]] void draw_beside(keccak::TaskList<Isa, most>& hashes,
                                       keccak::TaskArray<keccak::HashTask<Isa>, rows>& seeds)
    {
        hashes.add(matrix_);
        keccak::TaskList<Isa, noise_capacity> later;
        later.add(noise_);
        const auto is_ready = [&] {
            bool all_done = true;
            for (std::size_t i = 0; i < seeds.size(); ++i) all_done = all_done && seeds[i].is_done();
            return all_done;
        };
        keccak::run<typename Isa::WideWords>(hashes.tasks(), is_ready, later.tasks());
    }

    /// The ciphertext of one of them.
    void encrypt(const Params& p, std::size_t i, BytesIn<message_bytes> m, BytesOut<> ciphertext) const
    {
        ml_kem::encrypt<Isa>(p, works_[i].key, m, works_[i].noise, ciphertext);
    }

    static constexpr std::size_t matrix_capacity = together * max_k * max_k;

  private:
    struct Work {
        EncapsulationKey key;
        std::array<PublicPoly, max_k*(max_k + 1)> polys;
        Noise noise;
    };
    static constexpr std::size_t noise_capacity = together * (2 * max_k + 1);

    std::array<Work, together> works_;
    std::size_t count_ = 0;
    MatrixTasks<Isa, together> matrix_;
    keccak::TaskArray<NoiseTask<Isa>, noise_capacity> noise_;
};

/// ML-KEM.Encaps_internal (FIPS 203, Algorithm 17) of at most group<Isa> rows. Constant time in m.
template <class Isa>
[[gnu::noinline]] void encapsulate_group(const Params& p, std::span<EncapsulationRow> rows)
{
    constexpr std::size_t together = rows_together<Isa>;
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
    for (std::size_t first = 0; first < rows.size(); first += together) {
        const std::size_t count = std::min(together, rows.size() - first);
        encryptions.clear();
        for (std::size_t i = first; i < first + count; ++i)
            rows[i].is_good = encryptions.add(p, prepared(i), ek(i), keys[i].second());
        if (first == 0) {
            encryptions.draw_beside(tasks, g_tasks);
        } else {
            encryptions.draw();
        }
        for (std::size_t i = 0; i < count; ++i) {
            const EncapsulationRow& row = rows[first + i];
            if (!row.is_good) continue;
            const BytesOut<> ciphertext{row.ciphertext, p.ciphertext_bytes()};
            encryptions.encrypt(p, i, BytesIn<message_bytes>{row.m, message_bytes}, ciphertext);
            girih::declassify(ciphertext, "FIPS 203, Algorithm 17: the ciphertext is sent");
            copy_secret(keys[first + i].first().data(), row.shared_secret, shared_secret_bytes);
        }
    }
    wipe_stack_below();
}

/// `if_equal` where the ciphertexts are equal, else `if_not`: implicit rejection (FIPS 203,
/// Algorithm 18, lines 9 to 11). Constant time.
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
/// of those whose keys are bytes. Constant time in the key and in what is encapsulated.
template <class Isa>
[[gnu::noinline]] void decapsulate_group(const Params& p, std::span<DecapsulationRow> rows)
{
    constexpr std::size_t together = rows_together<Isa>;
    using Hash = keccak::HashTask<Isa>;
    std::array<std::array<Byte, hash_bytes>, group<Isa>> hashed;
    std::array<HalvedHash, group<Isa>> keys;  // K' and r'
    Wiped<std::array<std::array<Byte, message_bytes>, group<Isa>>> m;
    Wiped<std::array<std::array<Byte, shared_secret_bytes>, group<Isa>>> rejection;
    keccak::TaskArray<Hash, group<Isa>> g_tasks;
    keccak::TaskArray<Hash, 2 * group<Isa>> other_tasks;
    keccak::TaskList<Isa, 3 * group<Isa> + Encryptions<Isa>::matrix_capacity> tasks;
    const auto prepared = [&](std::size_t i) { return static_cast<const PreparedKey*>(rows[i].prepared); };
    const auto view = [&](std::size_t i) {
        return DecapsulationKeyView{p, {rows[i].dk, p.secret_key_bytes()}};
    };
    const auto ciphertext = [&](std::size_t i) {
        return BytesIn<>{rows[i].ciphertext, p.ciphertext_bytes()};
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (prepared(i) == nullptr) {
            view(i).declassify_public_parts();
            Vector<Factor> s_hat;
            decode_secret_vector<Isa>(view(i).s_hat(), std::span{s_hat}.first(p.k));
            decrypt<Isa>(p, std::span<const Factor>{s_hat}.first(p.k), ciphertext(i), (*m)[i]);
        } else {
            decrypt<Isa>(p, prepared(i)->s_hat(), ciphertext(i), (*m)[i]);
        }
        const bool is_prepared = prepared(i) != nullptr;
        const BytesIn<> h = is_prepared ? prepared(i)->h : view(i).h();
        const BytesIn<> z = is_prepared ? prepared(i)->z : view(i).z();
        tasks.add(g_tasks.add(g_function, typename Hash::Pieces{(*m)[i], h}, keys[i].bytes()));
        tasks.add(other_tasks.add(j_function, typename Hash::Pieces{z, ciphertext(i)}, (*rejection)[i]));
        if (!is_prepared)
            tasks.add(other_tasks.add(h_function, typename Hash::Pieces{view(i).ek()}, hashed[i]));
    }

    Encryptions<Isa> encryptions;
    for (std::size_t first = 0; first < rows.size(); first += together) {
        const std::size_t count = std::min(together, rows.size() - first);
        encryptions.clear();
        for (std::size_t i = first; i < first + count; ++i)
            (void)encryptions.add(p, prepared(i), prepared(i) == nullptr ? view(i).ek() : BytesIn<>{},
                                  keys[i].second());
        if (first == 0) {
            encryptions.draw_beside(tasks, g_tasks);
        } else {
            encryptions.draw();
        }
        for (std::size_t i = 0; i < count; ++i) {
            DecapsulationRow& row = rows[first + i];
            row.is_good =
                prepared(first + i) != nullptr || std::ranges::equal(hashed[first + i], view(first + i).h());
            if (!row.is_good) continue;
            Wiped<std::array<Byte, max_ciphertext_bytes>> again{unset};
            const BytesOut<> made = BytesOut<>{*again}.first(p.ciphertext_bytes());
            encryptions.encrypt(p, i, (*m)[first + i], made);
            select_secret<Isa>(ciphertext(first + i), made, keys[first + i].first(),
                               BytesIn<shared_secret_bytes>{(*rejection)[first + i]}, row.shared_secret);
        }
    }
    wipe_stack_below();
}

}  // namespace girih::ml_kem
