/// FIPS 203, Section 4, for small processors: the polynomials of poly.hpp, sampled and encoded a
/// few bytes at a time.
///
/// Constant time, except for the matrix, which is public.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "core/secret.hpp"
#include "core/unroll.hpp"
#include "core/wipe.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/params.hpp"
#include "ml_kem/small/poly.hpp"
#include "module_lattice/fields.hpp"

namespace girih::ml_kem::small {

template <class Engine>
struct Ring : Arithmetic<Engine> {
    using Isa = Engine;
    using Poly = small::Poly;
    using Sponge = keccak::ChosenSponge<Isa>;  ///< one copy of the code for all functions
    using Arithmetic<Engine>::add_product;

    /// sum += SampleNTT(rho | j | i) b (FIPS 203, Algorithm 7): each residue is multiplied as it
    /// is drawn. Variable time: the matrix is public.
    [[gnu::noinline]] static void add_matrix_product(Poly& sum, BytesIn<rho_bytes> rho, std::size_t j,
                                                     std::size_t i, const Poly& b)
    {
        Sponge sponge{{keccak::shake128_function}};
        sponge.absorb(rho).absorb(std::array{static_cast<Byte>(j), static_cast<Byte>(i)});
        std::array<Byte, 24 + 1> bytes;  // three bytes are read as a word
        bytes[24] = 0;
        bool has_a0 = false;
        std::uint32_t a0 = 0;
        std::size_t residue = 0;
        const auto is_last = [&](std::uint32_t a) __attribute__((always_inline)) {
            if (a >= static_cast<std::uint32_t>(q)) return false;
            has_a0 = !has_a0;
            if (has_a0) {
                a0 = a;
                return false;
            }
            add_product(sum, residue, a0 | a << 16, b);
            return ++residue == n / 2;
        };
        for (;;) {
            sponge.squeeze(std::span{bytes}.template first<24>());
            for (std::size_t at = 0; at < 24; at += 3) {
                const std::uint32_t two = load_le32(&bytes[at]);
                if (is_last(two & 0xFFF) || is_last(two >> 12 & 0xFFF)) return;
            }
        }
    }

    /// f += SamplePolyCBD(PRF(seed, number)) (FIPS 203, Algorithm 8).
    template <int eta>
    [[gnu::noinline]] static void add_noise(BytesIn<sigma_bytes> seed, std::size_t number, Poly& f)
    {
        using Halves = typename Arithmetic<Isa>::Halves;
        static_assert(eta == 2 || eta == 3);
        constexpr std::size_t at_once = 8 * eta;         // bytes, of 32 coefficients
        constexpr std::size_t piece = eta == 2 ? 4 : 3;  // bytes, of 8 or 4 coefficients
        constexpr std::size_t pairs = 2 * piece / eta;
        constexpr std::uint32_t lowest = eta == 2 ? 0x55555555 : 0x249249;
        constexpr std::uint32_t mask = (1 << eta) - 1;
        Sponge sponge{{keccak::shake256_function}};
        sponge.absorb(seed).absorb(static_cast<Byte>(number));
        Wiped<std::array<Byte, at_once + 1>> bytes{uninitialized};
        (*bytes)[at_once] = 0;
        for (std::size_t i = 0; i < n / 2;) {
            sponge.squeeze(std::span{*bytes}.template first<at_once>());
            for (std::size_t at = 0; at < at_once; at += piece, i += pairs) {
                const std::uint32_t bits = load_le32(&(*bytes)[at]);
                // The sums of eta bits each, in eta bits: two sums make a coefficient.
                std::uint32_t sums = (bits & lowest) + (bits >> 1 & lowest);
                if constexpr (eta == 3) sums += bits >> 2 & lowest;
                unroll<pairs>([&](auto j) __attribute__((always_inline)) {
                    constexpr int shift = 4 * eta * static_cast<int>(j);
                    const std::uint32_t plus = (sums >> shift & mask) | (sums >> (shift + 2 * eta) & mask)
                                                                            << 16;
                    const std::uint32_t minus =
                        (sums >> (shift + eta) & mask) | (sums >> (shift + 3 * eta) & mask) << 16;
                    f.set_pair(i + j, Halves::add(f.pair(i + j), Halves::subtract(plus, minus)));
                });
            }
        }
    }

    /// ByteEncode (FIPS 203, Algorithm 5) of f modulo q, in 12 bits.
    [[gnu::noinline]] static void encode(Poly& f, Byte* bytes)
    {
        Arithmetic<Isa>::make_canonical(f);
        module_lattice::pack<coefficient_bits, 0>(f.c, bytes);
    }
    /// ByteDecode (FIPS 203, Algorithm 6) of 12 bits, not reduced.
    [[gnu::noinline]] static void decode(const Byte* bytes, Poly& f)
    {
        module_lattice::unpack<coefficient_bits, 0>(bytes, f.c);
    }

    /// Whether all coefficients of 12 bits are below q. Constant time, except for the result.
    [[nodiscard, gnu::noinline]] static bool are_below_q(BytesIn<> bytes)
    {
        std::int32_t any = 0;
        for (std::size_t at = 0; at < bytes.size(); at += coefficient_bits)
            module_lattice::take_group<coefficient_bits>(
                &bytes[at], [&](auto, std::int32_t v) __attribute__((always_inline)) { any |= q - 1 - v; });
        return declassify(Secret{static_cast<std::uint32_t>(any)},
                          "FIPS 203, Section 7.2: that a key is malformed is public") >>
                   31 ==
               0;
    }

    template <int d>
    [[nodiscard, gnu::always_inline]] static constexpr std::uint32_t compress(std::int32_t x) noexcept
    {
        return small::compress<d>(x);
    }
    template <int d>
    [[nodiscard, gnu::always_inline]] static constexpr std::int32_t decompress(std::int32_t y) noexcept
    {
        return small::decompress<d>(y);
    }
    /// f = Decompress_d(ByteDecode_d(bytes)).
    template <int d>
    [[gnu::noinline]] static void decode_and_decompress(const Byte* bytes, Poly& f)
    {
        for (std::size_t i = 0; i < n; i += module_lattice::group, bytes += d)
            module_lattice::take_group<d>(bytes, [&](auto j, std::int32_t y) __attribute__((always_inline)) {
                f[i + j] = static_cast<Coefficient>(decompress<d>(y));
            });
    }
};

}  // namespace girih::ml_kem::small
