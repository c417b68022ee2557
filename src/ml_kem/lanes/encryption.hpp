/// K-PKE (FIPS 203, Section 5) in lanes: the matrix and the noise of several encryptions are drawn
/// side by side, each polynomial by a sponge of its own, and the arithmetic of each row follows.
/// Only the order of the work differs from standard/kem.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/in_place.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/encoding/byte_encode.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/lanes/sampling.hpp"

namespace girih::ml_kem {

/// The tasks that sample y, e1 and e2 from r (FIPS 203, Algorithm 14, lines 9 to 17).
template <class Isa, std::size_t capacity>
[[gnu::noinline]] void add_noise_tasks(const Params& p, BytesIn<sigma_bytes> r, Noise& noise,
                                       keccak::TaskArray<NoiseTask<Isa>, capacity>& tasks)
{
    for (std::size_t i = 0; i < p.k; ++i) tasks.add(r, i, p.eta1, noise.y[i]);
    for (std::size_t i = 0; i < p.k; ++i) tasks.add(r, p.k + i, eta2, noise.e1[i]);
    tasks.add(r, 2 * p.k, eta2, noise.e2);
}

/// K-PKE.Encrypt (FIPS 203, Algorithm 14) from line 18 on: u = A^T y + e1 and v = t y + e2 + m,
/// compressed. Constant time in m and the noise.
template <class Isa>
[[gnu::noinline]] void encrypt(const Params& p, const EncapsulationKey& key, BytesIn<message_bytes> m,
                               const Noise& noise, BytesOut<> ciphertext)
{
    Vector<Factor> y_hat;
    for (std::size_t j = 0; j < p.k; ++j) {
        NttPoly y;
        ntt<Isa>(noise.y[j], y);
        make_factor<Isa>(y.c, y_hat[j]);
    }
    const auto factors = std::span<const Factor>{y_hat}.first(p.k);
    ProductPoly sum;
    RingPoly w;
    const std::size_t u_poly_bytes = packed_bytes(p.du);
    for (std::size_t i = 0; i < p.k; ++i) {
        dot<Isa>(key.row(i), factors, sum);
        inverse_ntt<Isa>(sum, w);
        add_to<Isa>(w.c, noise.e1[i].c);
        compress_and_encode<Isa>(p.du, w.c, ciphertext.subspan(i * u_poly_bytes, u_poly_bytes));
    }
    dot<Isa>(key.t_hat, factors, sum);
    inverse_ntt<Isa>(sum, w);
    add_to<Isa>(w.c, noise.e2.c);
    DecompressedPoly mu;
    decode_and_decompress<1, Isa>(m, mu);
    add_to<Isa>(w.c, mu.c);
    compress_and_encode<Isa>(p.dv, w.c, ciphertext.subspan(p.u_bytes()));
    wipe_stack_below(kernel_stack_bytes);
}

/// K-PKE.Decrypt (FIPS 203, Algorithm 15): m of a ciphertext. Constant time in s^ and m.
template <class Isa>
[[gnu::noinline]] void decrypt(const Params& p, std::span<const Factor> s_hat, BytesIn<> ciphertext,
                               BytesOut<message_bytes> m)
{
    Vector<NttPoly> u_hat;
    DecompressedPoly decompressed;
    const std::size_t u_poly_bytes = packed_bytes(p.du);
    for (std::size_t i = 0; i < p.k; ++i) {
        decode_and_decompress<Isa>(p.du, ciphertext.subspan(i * u_poly_bytes, u_poly_bytes), decompressed);
        ntt<Isa>(decompressed, u_hat[i]);
    }
    ProductPoly sum;
    RingPoly w;
    dot<Isa>(std::span<const NttPoly>{u_hat}.first(p.k), s_hat, sum);
    inverse_ntt<Isa>(sum, w);
    decode_and_decompress<Isa>(p.dv, ciphertext.subspan(p.u_bytes()), decompressed);
    subtract_from<Isa>(decompressed.c, w.c);
    compress_and_encode<1, Isa>(w.c, m);
    wipe_stack_below(kernel_stack_bytes);
}

/// The polynomials of several encryptions, and the tasks that draw them.
template <class Isa>
class Encryptions {
    static constexpr std::size_t together = rows_together<Isa>;

  public:
    /// Adds an encryption with the prepared key, or with `ek` if there is none. r is read when the
    /// noise is drawn. False if ek does not pass the modulus check.
    [[nodiscard]] bool add(const Params& p, const PreparedKey* prepared, BytesIn<> ek, BytesIn<sigma_bytes> r)
    {
        if (count_ == encryptions_.size()) encryptions_.add();
        Encryption& encryption = encryptions_[count_];
        bool is_good = true;
        if (prepared != nullptr) {
            encryption.key = prepared->encapsulation_key();
        } else {
            add_matrix_tasks<Isa>(p.k, ek.last<rho_bytes>(), Orientation::transposed, encryption.polys.data(),
                                  matrix_);
            const std::span<PublicPoly> t_hat = std::span{encryption.polys}.subspan(p.k * p.k, p.k);
            is_good = decode_public_vector<Isa>(ek, t_hat);
            encryption.key = {std::span<const PublicPoly>{encryption.polys}.first(p.k * p.k), t_hat};
        }
        add_noise_tasks<Isa>(p, r, encryption.noise, noise_);
        ++count_;
        return is_good;
    }

    /// Adds `rows` encryptions by add_row(i), draws their polynomials, and calls take_row(i, its
    /// number here). A few run together, the first of them while `hashes` run.
    template <class Hashes, class Seeds, class Add, class Take>
    [[gnu::always_inline]] void run(std::size_t rows, Hashes& hashes, Seeds& seeds, Add add_row,
                                    Take take_row)
    {
        const auto some = [&](std::size_t first, std::size_t count) __attribute__((always_inline)) {
            matrix_.clear();
            noise_.clear();
            count_ = 0;
            for (std::size_t i = first; i < first + count; ++i) add_row(i);
            if (first == 0)
                draw_beside(hashes, seeds);
            else
                keccak::run_all<Isa>(matrix_, noise_);
            for (std::size_t i = first; i < first + count; ++i) take_row(i, i - first);
        };
        for_rows_together<Isa>(rows, some);
    }

    /// The ciphertext of encryption i.
    void encrypt(const Params& p, std::size_t i, BytesIn<message_bytes> m, BytesOut<> ciphertext) const
    {
        ml_kem::encrypt<Isa>(p, encryptions_[i].key, m, encryptions_[i].noise, ciphertext);
    }

    static constexpr std::size_t matrix_capacity = together * max_k * max_k;

  private:
    /// Draws everything while `hashes` run; noise waits for `seeds`, the hashes that make r.
    template <std::size_t capacity, std::size_t rows>
    [[gnu::noinline]] void draw_beside(keccak::TaskList<Isa, capacity>& hashes,
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

    /// A key, its memory if it is not prepared, and the noise.
    struct Encryption {
        EncapsulationKey key;
        std::array<PublicPoly, max_k*(max_k + 1)> polys;
        Noise noise;
    };
    static constexpr std::size_t noise_capacity = together * (2 * max_k + 1);

    InPlace<Encryption, together> encryptions_;
    std::size_t count_ = 0;
    MatrixTasks<Isa, together> matrix_;
    keccak::TaskArray<NoiseTask<Isa>, noise_capacity> noise_;
};

}  // namespace girih::ml_kem
