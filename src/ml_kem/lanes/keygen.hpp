/// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16) in lanes.
///
/// The hashes of all rows run side by side, some before and some after the rest. Between them, the
/// matrices and the noise are drawn for a few rows at a time. Only the order of the work differs
/// from standard/kem.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/in_place.hpp"
#include "core/keygen_row.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/rows_hash.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/kernels/compress.hpp"
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/lanes/sampling.hpp"
#include "ml_kem/standard/hash.hpp"

namespace girih::ml_kem {

/// K-PKE.KeyGen (FIPS 203, Algorithm 13) from line 16 on, with the polynomials of one key pair. The
/// caller wipes the stack below it, where kernels and these functions spill registers. Constant
/// time.
template <class Isa>
class KeyPair {
  public:
    KeyPair(const Params& p, BytesIn<rho_bytes> rho, BytesOut<> ek, BytesOut<> s_encoded)
        : p_(p), ek_(ek), s_encoded_(s_encoded)
    {
        copy(rho, ek_.last<rho_bytes>());
    }

    /// Transforms s, and encodes s^.
    [[gnu::noinline]] void encode_s(const KeyPairPolys& polys)
    {
        for (std::size_t j = 0; j < p_.k; ++j) {
            NttPoly s;
            ntt<Isa>(polys.s[j], s);
            make_factor<Isa>(s.c, s_hat_[j]);
            make_canonical<Isa>(s.c);
            byte_encode<coefficient_bits, Isa>(s.c, s_encoded_.subspan(j * poly_bytes, poly_bytes));
        }
    }
    /// Row i of t^ = A^ s^ + e^, encoded.
    [[gnu::noinline]] void encode_t(const KeyPairPolys& polys, std::size_t i)
    {
        ProductPoly sum;
        NttPoly e;
        Coefficients t;
        dot<Isa>(std::span<const PublicPoly>{polys.a_hat}.subspan(i * p_.k, p_.k),
                 std::span<const Factor>{s_hat_}.first(p_.k), sum);
        ntt<Isa>(polys.e[i], e);
        scale_and_add<Isa>(sum, e, t);
        const BytesOut<> encoded = ek_.subspan(i * poly_bytes, poly_bytes);
        byte_encode<coefficient_bits, Isa>(t, encoded);
        girih::declassify(encoded, "FIPS 203, Algorithm 13, line 19: t^ and rho are the encapsulation key");
    }

  private:
    const Params& p_;
    BytesOut<> ek_;
    BytesOut<> s_encoded_;
    Vector<Factor> s_hat_;
};

/// When the hash H(ek) begins: where all lanes together need the fewest permutations.
template <class Isa>
[[nodiscard]] constexpr keccak::HashBegin ek_hash_begin(std::size_t k)
{
    return Isa::WideWords::count < 8 && k == 4 ? keccak::HashBegin{2, 1} : keccak::HashBegin{1, 0};
}

/// The tasks of key pairs: for each pair, those of A row by row, then those of s, then those of e.
template <class Isa>
struct KeygenTasks {
    MatrixTasks<Isa, rows_together<Isa>> matrix;
    keccak::TaskArray<NoiseTask<Isa>, rows_together<Isa> * 2 * max_k> noise;

    void add(const Params& p, const HalvedHash& seeds, KeyPairPolys& polys)
    {
        girih::declassify(seeds.first(), "FIPS 203, Algorithm 13, line 19: rho is in the public key");
        add_matrix_tasks<Isa>(p.k, seeds.first(), Orientation::as_is, polys.a_hat.data(), matrix);
        for (std::size_t j = 0; j < p.k; ++j) noise.add(seeds.second(), j, p.eta1, polys.s[j]);
        for (std::size_t j = 0; j < p.k; ++j) noise.add(seeds.second(), p.k + j, p.eta1, polys.e[j]);
    }
};

/// Makes one key pair, and hashes ek beside the last rows of t^. False if the hash is unfinished.
/// Constant time.
template <class Isa>
[[gnu::noinline]] bool make_pair_beside_hash(const Params& p, const KeyPairPolys& polys,
                                             KeygenTasks<Isa>& drawn, KeyPair<Isa>& pair, BytesIn<> ek,
                                             BytesOut<> h)
{
    // Enough of A comes first to keep all lanes busy while the hash waits for the first row of t^.
    const std::size_t first_rows = p.k == 3 ? 2 : 1;
    const std::size_t first_of_a = first_rows * p.k;
    const std::size_t first_of_noise = p.k + first_rows + 1;
    keccak::TaskList<Isa, max_k * max_k + 2 * max_k> tasks;
    for (std::size_t i = 0; i < first_of_a; ++i) tasks.add(drawn.matrix[i]);
    for (std::size_t i = 0; i < first_of_noise; ++i) tasks.add(drawn.noise[i]);
    for (std::size_t i = first_of_a; i < drawn.matrix.size(); ++i) tasks.add(drawn.matrix[i]);
    for (std::size_t i = first_of_noise; i < drawn.noise.size(); ++i) tasks.add(drawn.noise[i]);

    keccak::RowsHash<Isa> hash{h_function, {ek}, h};
    std::size_t a_done = 0;
    std::size_t noise_done = 0;
    std::size_t rows = 0;
    const auto make_rows = [&] {
        keccak::count_done(drawn.matrix, a_done);
        keccak::count_done(drawn.noise, noise_done);
        const std::size_t before = rows;
        for (; rows < p.k && a_done >= (rows + 1) * p.k && noise_done > p.k + rows; ++rows) {
            if (rows == 0) pair.encode_s(polys);
            pair.encode_t(polys, rows);
        }
        if (rows != before) wipe_stack_below();
        hash.has(rows < p.k ? rows * poly_bytes : ek.size());
        return rows;
    };
    keccak::run_beside_hash<Isa>(tasks.tasks(), make_rows, hash, ek_hash_begin<Isa>(p.k));
    return hash.is_done();
}

/// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16) of at most group<Isa> rows. Constant time.
template <class Isa>
[[gnu::noinline]] void keygen_group(const Params& p, std::span<const KeygenRow> rows)
{
    using Hash = keccak::HashTask<Isa>;
    const auto k = static_cast<Byte>(p.k);
    std::array<HalvedHash, group<Isa>> expanded;  // rho and sigma
    keccak::TaskArray<Hash, group<Isa>> hashes;
    for (std::size_t i = 0; i < rows.size(); ++i)
        hashes.add(g_function, typename Hash::Pieces{BytesIn<>{rows[i].seed, d_bytes}, BytesIn<>{&k, 1}},
                   expanded[i].bytes());
    keccak::run_all<Isa>(hashes);
    hashes.clear();

    const auto ek = [&](std::size_t i) { return BytesOut<>{rows[i].pk, p.public_key_bytes()}; };
    const auto dk = [&](std::size_t i) { return BytesOut<>{rows[i].sk, p.secret_key_bytes()}; };
    const auto h = [&](std::size_t i) {
        return dk(i).last(hash_bytes + z_bytes).template first<hash_bytes>();
    };
    InPlace<KeyPairPolys, rows_together<Isa>> polys;
    bool is_hashed = false;
    for_rows_together<Isa>(rows.size(), [&](std::size_t first, std::size_t count) {
        KeygenTasks<Isa> tasks;
        while (polys.size() < count) polys.add();
        for (std::size_t i = 0; i < count; ++i) tasks.add(p, expanded[first + i], polys[i]);
        const auto pair = [&](std::size_t i) {
            return KeyPair<Isa>{p, expanded[first + i].first(), ek(first + i), dk(first + i)};
        };
        if constexpr (Isa::WideWords::count >= keccak::min_lanes) {
            if (rows.size() == 1) {
                KeyPair<Isa> only = pair(0);
                is_hashed = make_pair_beside_hash<Isa>(p, polys[0], tasks, only, ek(0), h(0));
                return;
            }
        }
        keccak::run_all<Isa>(tasks.matrix, tasks.noise);
        for (std::size_t i = 0; i < count; ++i) {
            KeyPair<Isa> made = pair(i);
            made.encode_s(polys[i]);
            for (std::size_t row = 0; row < p.k; ++row) made.encode_t(polys[i], row);
        }
        wipe_stack_below();
    });

    for (std::size_t i = 0; i < rows.size(); ++i) {
        copy(ek(i), dk(i).subspan(p.vector_bytes()));
        copy_secret(rows[i].seed + d_bytes, dk(i).template last<z_bytes>().data(), z_bytes);
        if (!is_hashed) hashes.add(h_function, typename Hash::Pieces{ek(i)}, h(i));
    }
    if (!is_hashed) keccak::run_all<Isa>(hashes);
    wipe_stack_below();
}

}  // namespace girih::ml_kem
