/// Key generation (FIPS 203, Section 7.1), of one key pair or of several, and the public key of a
/// secret key.
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
#include "ml_kem/encoding.hpp"
#include "ml_kem/hashing/hash.hpp"
#include "ml_kem/hashing/sample.hpp"
#include "ml_kem/keys.hpp"

namespace girih::ml_kem {

/// Rows whose polynomials are made side by side: those of one do not fill the lanes.
template <class Isa>
inline constexpr std::size_t rows_together = std::min<std::size_t>(2, Isa::WideWords::count);
/// Rows whose hashes are.
template <class Isa>
inline constexpr std::size_t group = std::min(rows_at_once, Isa::WideWords::count);

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
    for (std::size_t first = 0; first < rows.size(); first += together) {
        const std::size_t count = std::min(together, rows.size() - first);
        MatrixTasks<Isa, together> matrix;
        keccak::TaskArray<NoiseTask<Isa>, together * 2 * max_k> noise;
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
    }

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

/// The public key of a secret key, and all that the secret key says checked: the modulus of both
/// vectors, the hash, and that e^ = t^ - A^ s^ is what KeyGen may have drawn. Constant time, but
/// for the answer.
template <class Isa>
[[nodiscard, gnu::noinline]] KeyCheck public_key(const DecapsulationKeyView& dk, BytesOut<> ek)
{
    const Params& p = dk.p;
    dk.declassify_public_parts();
    copy(dk.ek(), ek);
    std::array<PublicPoly, max_k * max_k> a_hat;
    Vector<PublicPoly> t_hat;
    std::array<Byte, hash_bytes> h;
    keccak::TaskArray<keccak::HashTask<Isa>, 1> hash;
    hash.add(h_function, typename keccak::HashTask<Isa>::Pieces{dk.ek()}, h);
    MatrixTasks<Isa, 1> matrix;
    add_matrix_tasks<Isa>(p.k, dk.ek().template last<rho_bytes>(), Orientation::as_is, a_hat.data(), matrix);
    keccak::run_all<Isa>(hash, matrix);
    if (!decode_public_vector<Isa>(dk.ek(), std::span{t_hat}.first(p.k))) return KeyCheck::malformed;
    Vector<Factor> s_hat;
    {
        Wiped<Vector<Coefficients>> s{unset};
        bool is_below = true;
        for (std::size_t i = 0; i < p.k; ++i) {
            byte_decode<coefficient_bits, Isa>(dk.s_hat().subspan(i * poly_bytes, poly_bytes), (*s)[i]);
            is_below = is_below_q<Isa>((*s)[i]) && is_below;
            make_factor<Isa>((*s)[i], s_hat[i]);
        }
        if (!is_below) return KeyCheck::malformed;
    }
    if (!std::ranges::equal(h, dk.h())) return KeyCheck::inconsistent;

    Secret<std::uint32_t> too_large{0};
    for (std::size_t i = 0; i < p.k; ++i) {
        // e = t - A s, where t^ is a product as well once it is divided by 2^16.
        ProductPoly sum;
        RingPoly e;
        dot<Isa>(std::span<const PublicPoly>{a_hat}.subspan(i * p.k, p.k),
                 std::span<const Factor>{s_hat}.first(p.k), sum);
        subtract_product<Isa>(t_hat[i], sum);
        inverse_ntt<Isa>(sum, e);
        make_canonical<Isa>(e.c);
        for (const Coefficient c : e.c) {
            // |e| <= eta1: c + eta1 is at most 2 eta1, or c is q - eta1 or more.
            const auto above = static_cast<std::uint32_t>(p.eta1 - c);        // negative: c > eta1
            const auto below = static_cast<std::uint32_t>(c - (q - p.eta1));  // negative: c < q - eta1
            too_large |= Secret<std::uint32_t>{above & below};
        }
    }
    wipe_stack_below();
    return declassify(too_large >> 31, "a key that contradicts itself is refused, and may be known to be") ==
                   0
               ? KeyCheck::good
               : KeyCheck::inconsistent;
}

}  // namespace girih::ml_kem
