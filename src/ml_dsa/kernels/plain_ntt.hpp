/// NTT and NTT^-1 in the steps of FIPS 204, Section 7.5, on residues. ntt.hpp has them as engines
/// compute them, and tests/compile_time compares both.
///
/// Variable time: for tests and constant expressions.
#pragma once

#include <array>
#include <cstddef>

#include "ml_dsa/kernels/residue.hpp"
#include "ml_dsa/params.hpp"

namespace girih::ml_dsa {

using Residues = std::array<Residue, n>;

/// BitRev8 (FIPS 204, Algorithm 43): the bits of a byte in reverse order.
constexpr unsigned bit_rev8(unsigned m)
{
    unsigned r = 0;
    for (unsigned i = 0; i < 8; ++i) r |= (m >> i & 1U) << (7 - i);
    return r;
}

/// zetas[m] = zeta^BitRev8(m) (FIPS 204, Appendix B).
constexpr Residue zeta_of(unsigned m) { return power(Residue{zeta}, bit_rev8(m)); }

/// NTT (FIPS 204, Algorithm 41).
constexpr Residues plain_ntt(const Residues& w)
{
    Residues w_hat = w;
    unsigned m = 0;
    for (std::size_t len = n / 2; len >= 1; len /= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            const Residue z = zeta_of(++m);
            for (std::size_t j = start; j < start + len; ++j) {
                const Residue t = z * w_hat[j + len];
                w_hat[j + len] = w_hat[j] - t;
                w_hat[j] = w_hat[j] + t;
            }
        }
    }
    return w_hat;
}

/// NTT^-1 (FIPS 204, Algorithm 42).
constexpr Residues plain_inverse_ntt(const Residues& w_hat)
{
    Residues w = w_hat;
    unsigned m = n;
    for (std::size_t len = 1; len < n; len *= 2) {
        for (std::size_t start = 0; start < n; start += 2 * len) {
            const Residue z = -zeta_of(--m);
            for (std::size_t j = start; j < start + len; ++j) {
                const Residue t = w[j];
                w[j] = t + w[j + len];
                w[j + len] = z * (t - w[j + len]);
            }
        }
    }
    const Residue f = inverse(Residue{n});
    for (Residue& w_j : w) w_j = f * w_j;
    return w;
}

}  // namespace girih::ml_dsa
