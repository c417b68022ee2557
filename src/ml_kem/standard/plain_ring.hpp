/// FIPS 203, Section 4, word for word: with this ring, kem.hpp is the standard's own text.
///
/// For tests and for constant expressions. It divides and branches by coefficients, so it is
/// not for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"
#include "keccak/sponge.hpp"
#include "ml_kem/params.hpp"

namespace girih::ml_kem {

/// x modulo q, in [0, q).
constexpr std::int32_t modulo_q(std::int64_t x)
{
    const auto remainder = static_cast<std::int32_t>(x % q);
    return remainder < 0 ? remainder + q : remainder;
}

/// zeta^exponent modulo q.
constexpr std::int32_t power_of_zeta(int exponent)
{
    std::int32_t power = 1;
    for (int i = 0; i < exponent; ++i) power = modulo_q(power * zeta);
    return power;
}

template <class Engine>
struct PlainRing {
    using Isa = Engine;  ///< for the hash functions
    using Poly = std::array<std::int32_t, n>;

    // ---- Bits and bytes (Section 4.2.1)

    /// ByteEncode (FIPS 203, Algorithm 5), with BitsToBytes (FIPS 203, Algorithm 3).
    static constexpr void byte_encode(int d, const Poly& f, Byte* bytes)
    {
        for (std::size_t i = 0; i < packed_bytes(d); ++i) bytes[i] = 0;
        for (std::size_t i = 0, at = 0; i < n; ++i)
            for (int j = 0; j < d; ++j, ++at) bytes[at / 8] |= static_cast<Byte>((f[i] >> j & 1) << (at % 8));
    }
    /// ByteDecode (FIPS 203, Algorithm 6), with BytesToBits (FIPS 203, Algorithm 4).
    static constexpr Poly byte_decode(int d, const Byte* bytes)
    {
        Poly f{};
        for (std::size_t i = 0, at = 0; i < n; ++i) {
            for (int j = 0; j < d; ++j, ++at) f[i] |= (bytes[at / 8] >> (at % 8) & 1) << j;
            if (d == coefficient_bits) f[i] = modulo_q(f[i]);
        }
        return f;
    }
    /// Compress_d (FIPS 203, Section 4.2.1, formula 4.7): round(2^d x / q) modulo 2^d.
    template <int d>
    static constexpr std::uint32_t compress(std::int32_t x)
    {
        return static_cast<std::uint32_t>((2 * (modulo_q(x) << d) + q) / (2 * q) % (1 << d));
    }
    /// Decompress_d (FIPS 203, Section 4.2.1, formula 4.8): round(q y / 2^d).
    template <int d>
    static constexpr std::int32_t decompress(std::int32_t y)
    {
        return (2 * q * y + (1 << d)) / (2 << d);
    }

    // ---- Sampling (Section 4.2.2)

    /// SampleNTT (FIPS 203, Algorithm 7) of rho | j | i.
    static constexpr Poly sample_ntt(BytesIn<rho_bytes> rho, std::size_t j, std::size_t i)
    {
        keccak::Shake128<Isa> xof;
        xof.absorb(rho).absorb(static_cast<Byte>(j)).absorb(static_cast<Byte>(i));
        Poly a{};
        for (std::size_t count = 0; count < n;) {
            std::array<Byte, 3> c{};
            xof.squeeze(c);
            const std::int32_t d1 = c[0] + 256 * (c[1] % 16);
            const std::int32_t d2 = c[1] / 16 + 16 * c[2];
            if (d1 < q) a[count++] = d1;
            if (d2 < q && count < n) a[count++] = d2;
        }
        return a;
    }
    /// SamplePolyCBD (FIPS 203, Algorithm 8) of 64 eta bytes.
    template <int eta>
    static constexpr Poly sample_poly_cbd(BytesIn<64 * std::size_t{eta}> bytes)
    {
        const auto bit = [&](std::size_t at) { return bytes[at / 8] >> (at % 8) & 1; };
        Poly f{};
        for (std::size_t i = 0; i < n; ++i) {
            std::int32_t x = 0;
            std::int32_t y = 0;
            for (std::size_t j = 0; j < eta; ++j) x += bit(2 * i * eta + j);
            for (std::size_t j = 0; j < eta; ++j) y += bit(2 * i * eta + eta + j);
            f[i] = modulo_q(x - y);
        }
        return f;
    }

    // ---- The number-theoretic transform (Section 4.3)

    /// NTT (FIPS 203, Algorithm 9).
    static constexpr void ntt(Poly& f)
    {
        std::size_t i = 1;
        for (std::size_t length = 128; length >= 2; length /= 2) {
            for (std::size_t start = 0; start < n; start += 2 * length) {
                const std::int32_t z = power_of_zeta(bit_rev7(i++));
                for (std::size_t j = start; j < start + length; ++j) {
                    const std::int32_t t = modulo_q(z * f[j + length]);
                    f[j + length] = modulo_q(f[j] - t);
                    f[j] = modulo_q(f[j] + t);
                }
            }
        }
    }
    /// NTT^-1 (FIPS 203, Algorithm 10).
    static constexpr void inverse_ntt(Poly& f)
    {
        std::size_t i = 127;
        for (std::size_t length = 2; length <= 128; length *= 2) {
            for (std::size_t start = 0; start < n; start += 2 * length) {
                const std::int32_t z = power_of_zeta(bit_rev7(i--));
                for (std::size_t j = start; j < start + length; ++j) {
                    const std::int32_t t = f[j];
                    f[j] = modulo_q(t + f[j + length]);
                    f[j + length] = modulo_q(z * modulo_q(f[j + length] - t));
                }
            }
        }
        for (std::int32_t& c : f) c = modulo_q(c * 3303);  // 128^-1 modulo q
    }
    /// MultiplyNTTs (FIPS 203, Algorithm 11).
    static constexpr Poly multiply_ntts(const Poly& f, const Poly& g)
    {
        Poly h{};
        for (std::size_t i = 0; i < n / 2; ++i) {
            const std::int32_t gamma = power_of_zeta(2 * bit_rev7(i) + 1);
            const auto [c0, c1] = base_case_multiply(f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1], gamma);
            h[2 * i] = c0;
            h[2 * i + 1] = c1;
        }
        return h;
    }
    /// BaseCaseMultiply (FIPS 203, Algorithm 12).
    static constexpr std::array<std::int32_t, 2> base_case_multiply(std::int64_t a0, std::int64_t a1,
                                                                    std::int64_t b0, std::int64_t b1,
                                                                    std::int64_t gamma)
    {
        return {modulo_q(a0 * b0 + modulo_q(a1 * b1) * gamma), modulo_q(a0 * b1 + a1 * b0)};
    }

    // ---- The steps of kem.hpp

    static constexpr void add(Poly& to, const Poly& f)
    {
        for (std::size_t i = 0; i < n; ++i) to[i] = modulo_q(to[i] + f[i]);
    }
    static constexpr void add_matrix_product(Poly& sum, BytesIn<rho_bytes> rho, std::size_t j, std::size_t i,
                                             const Poly& b)
    {
        add(sum, multiply_ntts(sample_ntt(rho, j, i), b));
    }
    static constexpr void add_product(Poly& sum, const Byte* bytes, const Poly& b)
    {
        add(sum, multiply_ntts(byte_decode(coefficient_bits, bytes), b));
    }
    template <int eta>
    static constexpr void add_noise(BytesIn<sigma_bytes> seed, std::size_t number, Poly& f)
    {
        std::array<Byte, 64 * std::size_t{eta}> bytes{};
        keccak::Shake256<Isa> prf;
        prf.absorb(seed).absorb(static_cast<Byte>(number)).squeeze(bytes);
        add(f, sample_poly_cbd<eta>(bytes));
    }
    static constexpr void add_to_products(Poly& sum, const Poly& f) { add(sum, f); }
    static constexpr void subtract_products_from(const Poly& t, Poly& sum)
    {
        for (std::size_t i = 0; i < n; ++i) sum[i] = modulo_q(t[i] - sum[i]);
    }
    static constexpr void make_canonical(Poly&) {}
    static constexpr void encode(const Poly& f, Byte* bytes) { byte_encode(coefficient_bits, f, bytes); }
    static constexpr void decode(const Byte* bytes, Poly& f) { f = byte_decode(coefficient_bits, bytes); }
    template <int d>
    static constexpr void decode_and_decompress(const Byte* bytes, Poly& f)
    {
        f = byte_decode(d, bytes);
        for (std::int32_t& c : f) c = decompress<d>(c);
    }
    /// The modulus check (FIPS 203, Section 7.2): ByteEncode12(ByteDecode12(bytes)) is `bytes`.
    static constexpr bool are_below_q(BytesIn<> bytes)
    {
        for (; !bytes.empty(); bytes = bytes.subspan(poly_bytes)) {
            std::array<Byte, poly_bytes> again{};
            byte_encode(coefficient_bits, byte_decode(coefficient_bits, bytes.data()), again.data());
            for (std::size_t i = 0; i < poly_bytes; ++i)
                if (again[i] != bytes[i]) return false;
        }
        return true;
    }
};

}  // namespace girih::ml_kem
