/// K-PKE (FIPS 203, Section 5): encryption and decryption.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/bytes.hpp"
#include "core/wipe.hpp"
#include "ml_kem/encoding.hpp"
#include "ml_kem/hashing/sample.hpp"
#include "ml_kem/keys.hpp"
#include "ml_kem/lattice/compress.hpp"
#include "ml_kem/lattice/ntt.hpp"

namespace girih::ml_kem {

/// The tasks that draw y, e1 and e2 from r (FIPS 203, Algorithm 14, lines 9 to 17).
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

}  // namespace girih::ml_kem
