/// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16) in lanes.
///
/// The hashes of all rows run side by side, before and after; between them the matrices and the
/// noise of a few rows at a time. The order of the work is all that differs from ml_kem.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/keygen_row.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "keccak/hash_task.hpp"
#include "keccak/task_list.hpp"
#include "ml_kem/hash.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/rows.hpp"
#include "ml_kem/lanes/sample.hpp"
#include "ml_kem/lattice/compress.hpp"
#include "ml_kem/lattice/ntt.hpp"

namespace girih::ml_kem {

/// K-PKE.KeyGen (FIPS 203, Algorithm 13) from line 16 on: t^ = A^ s^ + e^, and both vectors
/// encoded. Constant time.
template <class Isa>
[[gnu::noinline]] void encode_key_pair(const Params& p, KeyPairPolys& polys, BytesIn<rho_bytes> rho,
                                       BytesOut<> ek, BytesOut<> s_encoded)
{
    Vector<Factor> s_hat;
    Coefficients scratch;
    for (std::size_t j = 0; j < p.k; ++j) {
        NttPoly s;
        ntt<Isa>(polys.s[j], s);
        make_factor<Isa>(s.c, s_hat[j]);
        make_canonical<Isa>(s.c);
        byte_encode<coefficient_bits, Isa>(s.c, s_encoded.subspan(j * poly_bytes, poly_bytes));
    }
    for (std::size_t i = 0; i < p.k; ++i) {
        ProductPoly sum;
        NttPoly e;
        dot<Isa>(std::span<const PublicPoly>{polys.a_hat}.subspan(i * p.k, p.k),
                 std::span<const Factor>{s_hat}.first(p.k), sum);
        ntt<Isa>(polys.e[i], e);
        scale_and_add<Isa>(sum, e, scratch);
        byte_encode<coefficient_bits, Isa>(scratch, ek.subspan(i * poly_bytes, poly_bytes));
    }
    wipe_stack_below(kernel_stack_bytes);
    copy(rho, ek.last<rho_bytes>());
    girih::declassify(ek, "FIPS 203, Algorithm 13, line 19: t^ and rho are the encapsulation key");
}

/// ML-KEM.KeyGen_internal (FIPS 203, Algorithm 16) of at most group<Isa> rows. Constant time.
template <class Isa>
[[gnu::noinline]] void keygen_group(const Params& p, std::span<const KeygenRow> rows)
{
    constexpr std::size_t together = rows_together<Isa>;
    using Hash = keccak::HashTask<Isa>;
    const auto k = static_cast<Byte>(p.k);
    std::array<HalvedHash, group<Isa>> expanded;  // rho and sigma
    keccak::TaskArray<Hash, group<Isa>> hashes;
    for (std::size_t i = 0; i < rows.size(); ++i)
        hashes.add(g_function, typename Hash::Pieces{BytesIn<>{rows[i].seed, d_bytes}, BytesIn<>{&k, 1}},
                   expanded[i].bytes());
    keccak::run_all<Isa>(hashes);

    std::array<KeyPairPolys, together> polys;
    using Matrices = MatrixTasks<Isa, together>;
    using Noises = keccak::TaskArray<NoiseTask<Isa>, together * 2 * max_k>;
    for_rows_together<Isa>(rows.size(), [&](std::size_t first, std::size_t count) {
        Matrices matrix;
        Noises noise;
        for (std::size_t i = 0; i < count; ++i) {
            const HalvedHash& seeds = expanded[first + i];
            girih::declassify(seeds.first(), "FIPS 203, Algorithm 13, line 19: rho is in the public key");
            add_matrix_tasks<Isa>(p.k, seeds.first(), Orientation::as_is, polys[i].a_hat.data(), matrix);
            for (std::size_t j = 0; j < p.k; ++j) {
                noise.add(seeds.second(), j, p.eta1, polys[i].s[j]);
                noise.add(seeds.second(), p.k + j, p.eta1, polys[i].e[j]);
            }
        }
        keccak::run_all<Isa>(matrix, noise);
        for (std::size_t i = 0; i < count; ++i) {
            const KeygenRow& row = rows[first + i];
            encode_key_pair<Isa>(p, polys[i], expanded[first + i].first(), {row.pk, p.public_key_bytes()},
                                 {row.sk, p.vector_bytes()});
        }
    });

    hashes.clear();
    for (const KeygenRow& row : rows) {
        const BytesIn<> ek{row.pk, p.public_key_bytes()};
        const BytesOut<> rest = BytesOut<>{row.sk, p.secret_key_bytes()}.subspan(p.vector_bytes());
        copy(ek, rest);
        copy_secret(row.seed + d_bytes, rest.last<z_bytes>().data(), z_bytes);
        hashes.add(h_function, typename Hash::Pieces{ek}, rest.subspan(p.public_key_bytes(), hash_bytes));
    }
    keccak::run_all<Isa>(hashes);
    wipe_stack_below();
}

}  // namespace girih::ml_kem
