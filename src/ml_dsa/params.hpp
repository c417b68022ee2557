/// The parameter sets of ML-DSA (FIPS 204, Section 4, Table 1) and of Dilithium (round 3.1), and
/// the sizes that follow from them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "module_lattice/poly.hpp"

namespace girih::ml_dsa {

inline constexpr std::int32_t q = 8380417;  ///< the modulus, 2^23 - 2^13 + 1
inline constexpr std::size_t n = 256;       ///< coefficients of a polynomial
inline constexpr int d = 13;                ///< bits that are dropped from t
inline constexpr std::int32_t zeta = 1753;  ///< a 512th root of unity modulo q

inline constexpr std::size_t rho_bytes = 32;
inline constexpr std::size_t key_bytes = 32;  ///< K, the signing seed of a secret key
inline constexpr std::size_t rho_prime_bytes = 64;
inline constexpr std::size_t mu_bytes = 64;
inline constexpr std::size_t seed_bytes = 32;
inline constexpr std::size_t max_context_bytes = 255;

/// Signing gives up after this many attempts: FIPS 204, Appendix C, with the errata's figure for
/// a chance of 2^-256.
inline constexpr std::size_t max_attempts = 821;

static_assert(q == (1 << 23) - (1 << 13) + 1);

using module_lattice::packed_bytes;

/// bitlen (FIPS 204, Section 2.3): the bits of a positive integer.
constexpr int bit_length(std::int32_t a)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(a)));
}

enum class Family { dilithium_round_3_1, ml_dsa };

/// How the two families differ around the same arithmetic. It is known at run time, so that both
/// share one text. Code asks for a difference by name, and never compares families.
struct Version {
    Family family;
    std::size_t c_tilde_bytes;  ///< lambda / 4 in FIPS 204, 32 in round 3.1
    std::size_t tr_bytes;       ///< hash of the public key: 64 in FIPS 204, 32 in round 3.1

    /// FIPS 204, Algorithm 6, line 1: k and l enter the hash that expands the seed.
    constexpr bool seed_names_dimensions() const { return family == Family::ml_dsa; }
    /// FIPS 204, Algorithms 2 and 3: the message is prefixed with 0x00 | length of
    /// context | context.
    constexpr bool has_context() const { return family == Family::ml_dsa; }
    /// FIPS 204, Algorithm 7, line 7: rho'' = H(K | rnd | mu). Round 3.1 hashes K and mu, or
    /// draws rho'' itself.
    constexpr bool is_hedged() const { return family == Family::ml_dsa; }
    constexpr std::size_t rnd_bytes() const { return is_hedged() ? 32 : rho_prime_bytes; }

    friend constexpr bool operator==(const Version&, const Version&) = default;
};

/// The numbers that the arithmetic depends on: a template argument. An ML-DSA parameter set and the
/// Dilithium set that it comes from have the same shape.
struct Shape {
    std::size_t k;        ///< rows of A
    std::size_t l;        ///< columns of A
    std::int32_t eta;     ///< largest coefficient of s1 and s2
    std::size_t tau;      ///< nonzero coefficients of the challenge
    std::int32_t gamma1;  ///< range of y
    std::int32_t gamma2;  ///< half the rounding step of w
    std::size_t omega;    ///< most hints in a signature

    constexpr std::int32_t beta() const { return static_cast<std::int32_t>(tau) * eta; }

    constexpr int eta_bits() const { return bit_length(2 * eta); }
    constexpr int z_bits() const { return bit_length(2 * gamma1 - 1); }
    constexpr std::int32_t w1_max() const { return (q - 1) / (2 * gamma2) - 1; }
    constexpr int w1_bits() const { return bit_length(w1_max()); }

    constexpr std::size_t public_key_bytes() const { return rho_bytes + k * packed_bytes(t1_bits); }
    constexpr std::size_t secret_key_bytes(const Version& version) const
    {
        return rho_bytes + key_bytes + version.tr_bytes + (k + l) * packed_bytes(eta_bits()) +
               k * packed_bytes(d);
    }
    constexpr std::size_t signature_bytes(const Version& version) const
    {
        return version.c_tilde_bytes + l * packed_bytes(z_bits()) + omega + k;
    }
    constexpr std::size_t w1_bytes() const { return k * packed_bytes(w1_bits()); }

    static constexpr int t1_bits = 23 - d;  ///< bitlen(q - 1) - d

    friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// One parameter set.
struct Params : Shape, Version {
    constexpr Shape shape() const { return static_cast<const Shape&>(*this); }
    constexpr Version version() const { return static_cast<const Version&>(*this); }
    constexpr std::size_t secret_key_bytes() const { return Shape::secret_key_bytes(*this); }
    constexpr std::size_t signature_bytes() const { return Shape::signature_bytes(*this); }

    friend constexpr bool operator==(const Params&, const Params&) = default;
};

inline constexpr Params ml_dsa_44{{4, 4, 2, 39, 1 << 17, (q - 1) / 88, 80}, {Family::ml_dsa, 128 / 4, 64}};
inline constexpr Params ml_dsa_65{{6, 5, 4, 49, 1 << 19, (q - 1) / 32, 55}, {Family::ml_dsa, 192 / 4, 64}};
inline constexpr Params ml_dsa_87{{8, 7, 2, 60, 1 << 19, (q - 1) / 32, 75}, {Family::ml_dsa, 256 / 4, 64}};

inline constexpr Version round_3_1{Family::dilithium_round_3_1, 32, 32};
inline constexpr Params dilithium2{ml_dsa_44.shape(), round_3_1};
inline constexpr Params dilithium3{ml_dsa_65.shape(), round_3_1};
inline constexpr Params dilithium5{ml_dsa_87.shape(), round_3_1};

// FIPS 204, Table 2, and the same table of round 3.1.
constexpr bool has_sizes(Params p, std::size_t public_key, std::size_t secret_key, std::size_t signature)
{
    return p.public_key_bytes() == public_key && p.secret_key_bytes() == secret_key &&
           p.signature_bytes() == signature;
}
static_assert(has_sizes(ml_dsa_44, 1312, 2560, 2420));
static_assert(has_sizes(ml_dsa_65, 1952, 4032, 3309));
static_assert(has_sizes(ml_dsa_87, 2592, 4896, 4627));
static_assert(has_sizes(dilithium2, 1312, 2528, 2420));
static_assert(has_sizes(dilithium3, 1952, 4000, 3293));
static_assert(has_sizes(dilithium5, 2592, 4864, 4595));

}  // namespace girih::ml_dsa
