/// The parameter sets of Falcon (round 3, specification 1.2, Section 3.13, Table 3.3), and the
/// sizes that follow from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::falcon {

inline constexpr std::uint32_t q = 12289;  ///< the modulus, 3 * 2^12 + 1

inline constexpr std::size_t salt_bytes = 40;  ///< r, fresh for every signature
inline constexpr std::size_t seed_bytes = 48;  ///< of a key pair, and of the sampler of one signature

static_assert(q == 3 * (1 << 12) + 1);

/// A residue modulo q, in [0, q).
using Residue = std::uint16_t;

/// The format of s2 in a signature (specification, Sections 3.11.2 and 3.11.3).
enum class Format {
    /// Compressed, of any length.
    compressed,
    /// Compressed, and padded with zeros to a fixed length; if it does not fit, signing makes
    /// another attempt.
    padded,
    /// Every coefficient has the same number of bits.
    constant_time
};

/// The degree, which the arithmetic and the keys depend on: a template argument. All formats of a
/// degree have one shape.
struct Shape {
    unsigned logn;  ///< n = 2^logn coefficients in a polynomial

    constexpr std::size_t n() const { return std::size_t{1} << logn; }

    /// 1 / sigma, with sigma the standard deviation of signatures, and sigma_min, the smallest
    /// deviation of SamplerZ. Table 3.3 rounds the definitions of Section 2.6: sigma_min =
    /// sqrt(ln(4 n (1 + 1 / epsilon)) / 2) / pi with epsilon = 1 / sqrt(2^64 lambda), sigma = 1.17
    /// sqrt(q) sigma_min. These are 1 / sigma and sigma_min to the precision of a double.
    constexpr double inverse_sigma() const
    {
        return logn == 9 ? 0.0060336696681577241031668062510953022 : 0.0059386453095331159950250124336477482;
    }
    constexpr double sigma_min() const
    {
        return logn == 9 ? 1.2778336969128335860256340575729042 : 1.2982803343442918539708792538826807;
    }
    /// The product of all leaves of a tree, 1 / sigma' each: (sqrt(q) / sigma)^n. Every key's Gram
    /// matrix has the determinant q^2 at each of n / 2 roots, and each leaf is sqrt(d) / sigma for
    /// one factor d of their product.
    constexpr double leaf_product() const
    {
        double product = q * inverse_sigma() * inverse_sigma();
        for (unsigned i = 1; i < logn; ++i) product *= product;
        return product;
    }
    /// floor(beta^2), the largest squared norm of a signature: beta = 1.1 sigma sqrt(2n).
    constexpr std::uint32_t norm_bound() const { return logn == 9 ? 34034726 : 70265242; }

    /// Bits of a coefficient of f and g, and of F, in a secret key (Section 3.11.5).
    constexpr unsigned fg_bits() const { return logn == 9 ? 6 : 5; }
    static constexpr unsigned big_f_bits = 8;

    constexpr std::size_t public_key_bytes() const { return 1 + n() * 14 / 8; }
    constexpr std::size_t secret_key_bytes() const
    {
        return 1 + 2 * n() * fg_bits() / 8 + n() * big_f_bits / 8;
    }

    /// The longest signature. A compressed one has nine bits a coefficient, and the unary bits of
    /// the high parts: sum |s_i| <= sqrt(n) beta, so these are fewer than sqrt(n beta^2) / 128.
    constexpr std::size_t signature_bytes(Format format) const
    {
        switch (format) {
            case Format::padded:
                return logn == 9 ? 666 : 1280;
            case Format::constant_time:
                return 1 + salt_bytes + n() * constant_time_bits() / 8;
            default:
                return logn == 9 ? 752 : 1462;
        }
    }
    /// Bits of a coefficient of s2 in the constant-time format.
    constexpr unsigned constant_time_bits() const { return 12; }

    /// The first byte of each encoding: its kind in the high half, logn in the low half.
    constexpr std::uint8_t public_key_header() const { return static_cast<std::uint8_t>(0x00 + logn); }
    constexpr std::uint8_t secret_key_header() const { return static_cast<std::uint8_t>(0x50 + logn); }
    constexpr std::uint8_t signature_header(Format format) const
    {
        return static_cast<std::uint8_t>((format == Format::constant_time ? 0x50 : 0x30) + logn);
    }

    friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// One parameter set. The format is known at run time, so that all share one text.
struct Params : Shape {
    Format format;

    constexpr Shape shape() const { return static_cast<const Shape&>(*this); }
    constexpr std::size_t signature_bytes() const { return Shape::signature_bytes(format); }
    constexpr std::uint8_t signature_header() const { return Shape::signature_header(format); }

    friend constexpr bool operator==(const Params&, const Params&) = default;
};

inline constexpr Params falcon_512{{9}, Format::compressed};
inline constexpr Params falcon_1024{{10}, Format::compressed};
inline constexpr Params falcon_padded_512{{9}, Format::padded};
inline constexpr Params falcon_padded_1024{{10}, Format::padded};
inline constexpr Params falcon_ct_512{{9}, Format::constant_time};
inline constexpr Params falcon_ct_1024{{10}, Format::constant_time};
inline constexpr std::size_t max_signature_bytes = falcon_ct_1024.signature_bytes();

constexpr bool has_sizes(Params p, std::size_t public_key, std::size_t secret_key, std::size_t signature)
{
    return p.public_key_bytes() == public_key && p.secret_key_bytes() == secret_key &&
           p.signature_bytes() == signature;
}
static_assert(has_sizes(falcon_512, 897, 1281, 752));
static_assert(has_sizes(falcon_padded_512, 897, 1281, 666));
static_assert(has_sizes(falcon_ct_512, 897, 1281, 809));
static_assert(has_sizes(falcon_1024, 1793, 2305, 1462));
static_assert(has_sizes(falcon_padded_1024, 1793, 2305, 1280));
static_assert(has_sizes(falcon_ct_1024, 1793, 2305, 1577));

/// A polynomial's coefficients, modulo x^n + 1.
template <class T, std::size_t n>
using Poly = std::array<T, n>;

}  // namespace girih::falcon
