/// The primes modulo which the key generator computes with large integers, found at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih::falcon::rns {

/// A prime p = 1 modulo 2048 below 2^31, with the constants for computing modulo p. Montgomery form
/// is times 2^32.
struct Prime {
    std::uint32_t p;
    std::uint32_t negative_inverse;    ///< -1 / p modulo 2^32
    std::uint32_t montgomery_squared;  ///< 2^64 modulo p
    std::uint32_t root;                ///< a primitive 2048th root of 1, in Montgomery form
    std::uint32_t crt;  ///< the reciprocal of the product of all primes before, in Montgomery form
};

/// The number of words of the key generator's longest integers: 308, for the coefficients of F and
/// G at n = 2.
inline constexpr std::size_t prime_count = 308;

constexpr std::uint64_t power_modulo(std::uint64_t a, std::uint64_t exponent, std::uint64_t p)
{
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = result * a % p;
        a = a * a % p;
    }
    return result;
}

/// Miller and Rabin's test, which with these bases proves primality below 4,759,123,141 (Jaeschke,
/// 1993).
constexpr bool is_prime(std::uint32_t p)
{
    for (const std::uint32_t small : {3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u})
        if (p % small == 0) return p == small;
    for (const std::uint32_t base : {2u, 7u, 61u}) {
        std::uint32_t odd = p - 1;
        while ((odd & 1) == 0) odd >>= 1;
        std::uint64_t x = power_modulo(base, odd, p);
        if (x == 1) continue;
        for (; x != p - 1; x = x * x % p, odd <<= 1)
            if (odd == (p - 1) / 2 || odd == p - 1) return false;
    }
    return true;
}

/// The largest primes first. (A template, like the tables below: finding all primes takes the
/// compiler seconds, and so happens only where they are used.)
template <std::size_t count>
inline constexpr std::array<std::uint32_t, count> moduli = [] {
    std::array<std::uint32_t, count> all{};
    std::uint32_t candidate = (1u << 31) + 1;
    for (std::uint32_t& p : all) {
        do candidate -= 2048;
        while (!is_prime(candidate));
        p = candidate;
    }
    return all;
}();

/// The reciprocals of the products of all primes before each.
template <std::size_t count>
inline constexpr std::array<std::uint32_t, count> crt_reciprocals = [] {
    std::array<std::uint32_t, count> all{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t p = moduli<count>[i];
        std::uint64_t product = 1;
        for (std::size_t j = 0; j < i; ++j) product = product * moduli<count>[j] % p;
        all[i] = static_cast<std::uint32_t>(power_modulo(product, p - 2, p));
    }
    return all;
}();

constexpr Prime make_prime(std::uint64_t p, std::uint64_t crt)
{
    std::uint32_t inverse = 1;  // of p modulo 2^32: correct bits double, from one
    for (int i = 0; i < 5; ++i) inverse *= 2 - static_cast<std::uint32_t>(p) * inverse;
    const std::uint64_t two_32 = (std::uint64_t{1} << 32) % p;
    std::uint64_t root = 1;  // x^((p - 1) / 2048) for the first x of which it has order 2048
    for (std::uint64_t x = 2; power_modulo(root, 1024, p) != p - 1; ++x)
        root = power_modulo(x, (p - 1) / 2048, p);
    return {static_cast<std::uint32_t>(p), 0 - inverse, static_cast<std::uint32_t>(two_32 * two_32 % p),
            static_cast<std::uint32_t>(root * two_32 % p), static_cast<std::uint32_t>(crt * two_32 % p)};
}

template <std::size_t count>
inline constexpr std::array<Prime, count> first_primes = [] {
    // All primes together must represent every integer, and 2^31 must be congruent to a small
    // number.
    static_assert(moduli<count>[count - 1] > (1u << 31) - (1u << 23));
    std::array<Prime, count> all{};
    for (std::size_t i = 0; i < count; ++i) all[i] = make_prime(moduli<count>[i], crt_reciprocals<count>[i]);
    return all;
}();

}  // namespace girih::falcon::rns
