/// Pseudo-random polynomials (FIPS 204, Section 7.3), one after the other. Trailing comments give
/// the standard's line numbers.
///
/// lanes/sampling.hpp draws the same polynomials side by side, each in a lane of the permutation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/wipe.hpp"
#include "isa/shared/half_bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_dsa/encoding/bit_pack.hpp"
#include "ml_dsa/kernels/rounding.hpp"
#include "ml_dsa/types.hpp"

namespace girih::ml_dsa {

/// IntegerToBytes (FIPS 204, Algorithm 11) of two bytes.
[[nodiscard]] constexpr std::array<Byte, 2> two_bytes(std::size_t integer) noexcept
{
    return {static_cast<Byte>(integer), static_cast<Byte>(integer >> 8)};
}

/// CoeffFromThreeBytes (FIPS 204, Algorithm 14), in the low bits of a word: a coefficient where it
/// is below q, else a rejection.
[[nodiscard]] constexpr std::int32_t coeff_from_three_bytes(std::uint32_t bytes) noexcept
{
    return static_cast<std::int32_t>(bytes & 0x7FFFFF);
}

/// CoeffFromHalfByte (FIPS 204, Algorithm 15), of one half-byte or of a vector of them.
///
/// The rejections are not secret: whether a half-byte is rejected tells nothing about the other
/// half-bytes, nor about its own value if it is accepted. The values stay secret: no branch and no
/// index depends on them.
template <std::int32_t eta>
struct BoundedSource {
    static_assert(eta == 2 || eta == 4);

    /// All ones in what is accepted, 0 elsewhere.
    template <class Lanes>
    [[gnu::always_inline]] static constexpr auto keep(typename Lanes::Vector half) noexcept
    {
        auto accepted = Lanes::below(half, eta == 2 ? 15 : 9);
        girih::declassify(std::span{&accepted, 1},
                          "FIPS 204, Algorithm 31: rejections are independent of the accepted values");
        return accepted;
    }
    template <class Lanes>
    [[gnu::always_inline]] static constexpr auto value(typename Lanes::Vector half) noexcept
    {
        if constexpr (eta == 2)
            return 2 - Lanes::modulo_5(half);
        else
            return 4 - half;
    }
};

/// The c~ of an attempt becomes public: computing with it may take variable time.
constexpr void declassify_challenge(BytesIn<> c_tilde)
{
    girih::declassify(c_tilde,
                      "FIPS 204, Algorithm 7, line 15: c~ is a hash, and independent of the secret key even "
                      "when the attempt is rejected");
}

/// SampleInBall (FIPS 204, Algorithm 29). Variable time: c~ is part of a signature, or of an
/// attempt at one.
template <Shape S, class Isa>
[[nodiscard]] constexpr ChallengePoly sample_in_ball(BytesIn<> c_tilde)
{
    ChallengePoly c;
    c.c = {};                 // 1
    keccak::Shake256<Isa> h;  // 2
    h.absorb(c_tilde);        // 3
    std::array<Byte, keccak::shake256_function.rate> block;
    std::size_t at = 8;
    h.squeeze(block);  // 4, 5: its first eight bytes are the signs
    const std::uint64_t signs = load_le64(block.data());
    const auto squeeze_byte = [&] {
        if (at == block.size()) {
            h.squeeze(block);
            at = 0;
        }
        return block[at++];
    };
    for (std::size_t i = n - S.tau; i < n; ++i) {               // 6
        Byte j = squeeze_byte();                                // 7
        while (j > i) j = squeeze_byte();                       // 8 to 10
        c.c[i] = c.c[j];                                        // 11
        c.c[j] = (signs >> (i + S.tau - n) & 1) != 0 ? -1 : 1;  // 12
    }
    return c;  // 14
}

/// The memory of RejNTTPoly, which squeezes `drawn` bytes at a time.
template <class Isa, std::size_t drawn>
struct MatrixSource {
    keccak::Shake128<Isa> g;
    std::array<Byte, drawn + 1> bytes;  // the last three are read as a word, too
};

/// RejNTTPoly (FIPS 204, Algorithm 30) of the seed rho | s | r: use(j, a) for each coefficient a_j,
/// in its order. Variable time: the matrix is public.
template <class Isa, std::size_t drawn, class Use>
[[gnu::always_inline]] constexpr void rej_ntt_poly(MatrixSource<Isa, drawn>& source, BytesIn<rho_bytes> rho,
                                                   std::size_t s, std::size_t r, Use use)
{
    static_assert(drawn % 3 == 0);
    auto& [g, bytes] = source;
    bytes[drawn] = 0;
    std::size_t j = 0;                                        // 1, 2
    g.absorb(rho).absorb(two_bytes(r << 8 | s));              // 3
    while (true) {                                            // 4
        g.squeeze(std::span{bytes}.template first<drawn>());  // 5
        for (std::size_t at = 0; at < drawn; at += 3) {
            const std::int32_t a = coeff_from_three_bytes(load_le32(&bytes[at]));  // 6
            if (a >= q) continue;                                                  // 7
            use(j, a);
            if (++j == n) return;  // 8
        }
    }
}
template <class Isa, std::size_t drawn, class Use>
constexpr void rej_ntt_poly(BytesIn<rho_bytes> rho, std::size_t s, std::size_t r, Use use)
{
    MatrixSource<Isa, drawn> source;
    rej_ntt_poly(source, rho, s, r, use);
}

/// RejBoundedPoly (FIPS 204, Algorithm 31) of the seed rho' | r: calls put(j, a) for the
/// coefficients a_j in order. A coefficient may be put more than once; the last call counts.
/// Constant time, except for rejections (BoundedSource).
template <Shape S, class Isa, std::size_t drawn, class Put>
constexpr void rej_bounded_poly(BytesIn<rho_prime_bytes> rho_prime, std::size_t r, Put put)
{
    using Source = BoundedSource<S.eta>;
    using Lanes = isa::OneHalfByte<Isa>;
    Wiped<std::array<Byte, drawn>> bytes{uninitialized};
    std::size_t j = 0;                         // 1
    keccak::Shake256<Isa> h;                   // 2
    h.absorb(rho_prime).absorb(two_bytes(r));  // 3
    while (j < n) {                            // 4
        h.squeeze(*bytes);                     // 5
        for (std::size_t at = 0; at < 2 * drawn && j < n; ++at) {
            const std::int32_t half = (*bytes)[at / 2] >> (4 * (at % 2)) & 15;  // 6, 7
            put(j, Source::template value<Lanes>(half));
            j += static_cast<std::size_t>(Source::template keep<Lanes>(half) & 1);  // 8 to 15
        }
    }
}

/// ExpandA (FIPS 204, Algorithm 32): the k x l matrix, in NTT form. Variable time: rho is public.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_a(BytesIn<rho_bytes> rho, Matrix<S>& a_hat)
{
    for (std::size_t r = 0; r < S.k; ++r)                       // 1
        for (std::size_t s = 0; s < S.l; ++s)                   // 2
            rej_ntt_poly<Isa, keccak::shake128_function.rate>(  // 3, 4
                rho, s, r, [&](std::size_t j, std::int32_t a) { a_hat[r][s].c[j] = a; });
}

/// ExpandS (FIPS 204, Algorithm 33).
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void expand_s(BytesIn<rho_prime_bytes> rho_prime, SecretVectors<S>& s)
{
    const auto expand = [&](std::size_t r, SecretPoly<S>& poly) {
        rej_bounded_poly<S, Isa, keccak::shake256_function.rate>(
            rho_prime, r, [&](std::size_t j, std::int32_t a) { poly.c[j] = a; });
    };
    for (std::size_t r = 0; r < S.l; ++r) expand(r, s.s1[r]);        // 1 to 3
    for (std::size_t r = 0; r < S.k; ++r) expand(r + S.l, s.s2[r]);  // 4 to 6
}

/// ExpandMask (FIPS 204, Algorithm 34) from rho'' and the counter kappa, without line 5. Constant
/// time.
template <Shape S, class Isa>
[[gnu::noinline]] constexpr void squeeze_mask(BytesIn<rho_prime_bytes> rho_double_prime, std::size_t kappa,
                                              std::array<MaskBytes<S>, S.l>& y)
{
    for (std::size_t r = 0; r < S.l; ++r)  // 2 to 4
        keccak::Shake256<Isa>{}.absorb(rho_double_prime).absorb(two_bytes(kappa + r)).squeeze(y[r]);
}

/// ExpandMask (FIPS 204, Algorithm 34), line 5.
template <Shape S, class Isa>
constexpr void unpack_mask(const MaskBytes<S>& v, MaskPoly<S>& y)
{
    bit_unpack<S.z_bits(), S.gamma1, Isa>(v, y);
}

}  // namespace girih::ml_dsa
