/// The check of an imported decapsulation key.
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
#include "ml_kem/kernels/ntt.hpp"
#include "ml_kem/lanes/keys.hpp"
#include "ml_kem/lanes/sampling.hpp"
#include "ml_kem/standard/hash.hpp"

namespace girih::ml_kem {

/// The public key of a secret key. Checks that both vectors are below q, that H(ek) is right, and
/// that e = t - A s is small enough for KeyGen to have drawn it. Constant time, except for the
/// result.
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
        Wiped<Vector<Coefficients>> s{uninitialized};
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
        // e = t - A s, where t^ divided by 2^16 has the scale of a product.
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
