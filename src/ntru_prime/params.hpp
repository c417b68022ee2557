/// The parameter sets of NTRU Prime (round 3; "NTRU Prime: round 3", Section 3), and the sizes
/// that follow from them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ntru_prime/kernels/rings.hpp"

namespace girih::ntru_prime {

inline constexpr std::size_t hash_bytes = 32;           ///< Hash: the first half of SHA-512
inline constexpr std::size_t confirmation_bytes = 32;   ///< HashConfirm, the end of a ciphertext
inline constexpr std::size_t shared_secret_bytes = 32;  ///< HashSession
inline constexpr std::size_t seed_bytes = 32;     ///< what a key pair or an encapsulation is expanded from
inline constexpr std::size_t message_bits = 256;  ///< NTRU LPRime's I, the bits of its inputs
inline constexpr std::size_t message_bytes = message_bits / 8;
inline constexpr std::size_t top_bytes = message_bits / 2;  ///< Top: four bits for each bit of the message
inline constexpr std::size_t generator_bytes = 32;          ///< NTRU LPRime's seed of G

enum class Family { streamlined, lprime };

/// One parameter set.
struct Params {
    Family family;
    Ring ring;
    std::size_t w;          ///< nonzero coefficients of a short polynomial
    std::int32_t tau0 = 0;  ///< of Top and Right, in NTRU LPRime
    std::int32_t tau1 = 0;
    std::int32_t tau2 = 0;
    std::int32_t tau3 = 0;

    [[nodiscard]] constexpr bool is_streamlined() const { return family == Family::streamlined; }

    /// An input of Encap: a short polynomial, or 256 bits.
    [[nodiscard]] constexpr std::size_t input_bytes() const
    {
        return is_streamlined() ? ring.small_bytes() : message_bytes;
    }
    [[nodiscard]] constexpr std::size_t public_key_bytes() const
    {
        return is_streamlined() ? ring.rq_bytes : generator_bytes + ring.rounded_bytes;
    }
    /// f and 1/g, or a.
    [[nodiscard]] constexpr std::size_t core_secret_key_bytes() const
    {
        return is_streamlined() ? 2 * ring.small_bytes() : ring.small_bytes();
    }
    /// All of a secret key: the core, the public key, rho (which takes the place of the input if a
    /// ciphertext is bad), and the hash of the public key.
    [[nodiscard]] constexpr std::size_t secret_key_bytes() const
    {
        return core_secret_key_bytes() + public_key_bytes() + input_bytes() + hash_bytes;
    }
    /// A ciphertext without its confirmation.
    [[nodiscard]] constexpr std::size_t core_ciphertext_bytes() const
    {
        return is_streamlined() ? ring.rounded_bytes : ring.rounded_bytes + top_bytes;
    }
    [[nodiscard]] constexpr std::size_t ciphertext_bytes() const
    {
        return core_ciphertext_bytes() + confirmation_bytes;
    }

    friend constexpr bool operator==(const Params&, const Params&) = default;
};

inline constexpr Params sntrup653{Family::streamlined, ring653, 288};
inline constexpr Params sntrup761{Family::streamlined, ring761, 286};
inline constexpr Params sntrup857{Family::streamlined, ring857, 322};
inline constexpr Params sntrup953{Family::streamlined, ring953, 396};
inline constexpr Params sntrup1013{Family::streamlined, ring1013, 448};
inline constexpr Params sntrup1277{Family::streamlined, ring1277, 492};

inline constexpr Params ntrulpr653{Family::lprime, ring653, 252, 2175, 113, 2031, 290};
inline constexpr Params ntrulpr761{Family::lprime, ring761, 250, 2156, 114, 2007, 287};
inline constexpr Params ntrulpr857{Family::lprime, ring857, 281, 2433, 101, 2265, 324};
inline constexpr Params ntrulpr953{Family::lprime, ring953, 345, 2997, 82, 2798, 400};
inline constexpr Params ntrulpr1013{Family::lprime, ring1013, 392, 3367, 73, 3143, 449};
inline constexpr Params ntrulpr1277{Family::lprime, ring1277, 429, 3724, 66, 3469, 496};

// The sizes of the round-3 submission.
constexpr bool has_sizes(Params p, std::size_t public_key, std::size_t secret_key, std::size_t ciphertext)
{
    return p.public_key_bytes() == public_key && p.secret_key_bytes() == secret_key &&
           p.ciphertext_bytes() == ciphertext;
}
static_assert(has_sizes(sntrup653, 994, 1518, 897));
static_assert(has_sizes(sntrup761, 1158, 1763, 1039));
static_assert(has_sizes(sntrup857, 1322, 1999, 1184));
static_assert(has_sizes(sntrup953, 1505, 2254, 1349));
static_assert(has_sizes(sntrup1013, 1623, 2417, 1455));
static_assert(has_sizes(sntrup1277, 2067, 3059, 1847));
static_assert(has_sizes(ntrulpr653, 897, 1125, 1025));
static_assert(has_sizes(ntrulpr761, 1039, 1294, 1167));
static_assert(has_sizes(ntrulpr857, 1184, 1463, 1312));
static_assert(has_sizes(ntrulpr953, 1349, 1652, 1477));
static_assert(has_sizes(ntrulpr1013, 1455, 1773, 1583));
static_assert(has_sizes(ntrulpr1277, 1847, 2231, 1975));

/// All parameter sets, in the order of all tables.
inline constexpr std::array parameter_sets{sntrup653,  sntrup761,  sntrup857,   sntrup953,
                                           sntrup1013, sntrup1277, ntrulpr653,  ntrulpr761,
                                           ntrulpr857, ntrulpr953, ntrulpr1013, ntrulpr1277};
static_assert(std::ranges::all_of(parameter_sets, [](const Params& set) { return set.ring.p % 4 == 1; }),
              "small_encode and small_decode have one coefficient in the last byte");

}  // namespace girih::ntru_prime
