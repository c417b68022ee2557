/// The parameter sets of ML-KEM (FIPS 203, Section 8, Table 2), and the sizes that follow from
/// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "module_lattice/poly.hpp"

namespace girih::ml_kem {

using module_lattice::n;
using module_lattice::packed_bytes;

inline constexpr std::int32_t q = 3329;   ///< the modulus, 13 2^8 + 1
inline constexpr std::int32_t zeta = 17;  ///< a 256th root of unity modulo q
inline constexpr int coefficient_bits = 12;
inline constexpr std::size_t max_k = 4;

inline constexpr std::size_t rho_bytes = 32;      ///< the seed of the matrix
inline constexpr std::size_t sigma_bytes = 32;    ///< the seed of noise, also called r
inline constexpr std::size_t message_bytes = 32;  ///< m
inline constexpr std::size_t hash_bytes = 32;     ///< H(ek)
inline constexpr std::size_t z_bytes = 32;        ///< hashed with a rejected ciphertext
inline constexpr std::size_t shared_secret_bytes = 32;
inline constexpr std::size_t d_bytes = 32;
inline constexpr std::size_t seed_bytes = d_bytes + z_bytes;  ///< d | z (FIPS 203, Section 7.1)
inline constexpr std::size_t poly_bytes = packed_bytes(coefficient_bits);

inline constexpr int eta2 = 2;

/// BitRev7 (FIPS 203, Section 2.3): the seven bits of i in reverse order.
constexpr std::int32_t bit_rev7(std::size_t i)
{
    std::int32_t reversed = 0;
    for (int bit = 0; bit < 7; ++bit) reversed |= static_cast<std::int32_t>(i >> bit & 1) << (6 - bit);
    return reversed;
}

/// One parameter set. Known at run time: vectors and matrices are loops, so all sets share one
/// text.
struct Params {
    std::size_t k;  ///< rows and columns of A
    int eta1;       ///< largest coefficient of s, e and y
    int du;         ///< bits of a coefficient of u in a ciphertext
    int dv;         ///< and of v

    constexpr std::size_t vector_bytes() const { return k * poly_bytes; }
    constexpr std::size_t public_key_bytes() const { return vector_bytes() + rho_bytes; }
    constexpr std::size_t secret_key_bytes() const
    {
        return vector_bytes() + public_key_bytes() + hash_bytes + z_bytes;
    }
    constexpr std::size_t u_bytes() const { return k * packed_bytes(du); }
    constexpr std::size_t ciphertext_bytes() const { return u_bytes() + packed_bytes(dv); }

    friend constexpr bool operator==(const Params&, const Params&) = default;
};

inline constexpr Params ml_kem_512{2, 3, 10, 4};
inline constexpr Params ml_kem_768{3, 2, 10, 4};
inline constexpr Params ml_kem_1024{4, 2, 11, 5};

/// The largest sizes of all parameter sets.
inline constexpr std::size_t max_public_key_bytes = ml_kem_1024.public_key_bytes();
inline constexpr std::size_t max_ciphertext_bytes = ml_kem_1024.ciphertext_bytes();

// FIPS 203, Table 3.
constexpr bool has_sizes(const Params& p, std::size_t public_key, std::size_t secret_key,
                         std::size_t ciphertext)
{
    return p.public_key_bytes() == public_key && p.secret_key_bytes() == secret_key &&
           p.ciphertext_bytes() == ciphertext;
}
static_assert(has_sizes(ml_kem_512, 800, 1632, 768));
static_assert(has_sizes(ml_kem_768, 1184, 2400, 1088));
static_assert(has_sizes(ml_kem_1024, 1568, 3168, 1568));

}  // namespace girih::ml_kem
