"""The maps that the standards define, from their definitions alone: matrices modulo q, and
functions of integers."""

import numpy as np

N = 256
ML_DSA_Q, ML_DSA_ZETA = 8380417, 1753  # FIPS 204, Section 7.5
ML_KEM_Q, ML_KEM_ZETA = 3329, 17  # FIPS 203, Section 4.3


def bit_reversed(i, bits):
    return int(f"{i:0{bits}b}"[::-1], 2)


def powers(base, exponents, q):
    table = {e: pow(base, int(e), q) for e in np.unique(exponents)}
    return np.vectorize(table.__getitem__, otypes=[np.int64])(exponents)


def ml_dsa_ntt():
    """NTT (FIPS 204, Section 7.5): output i is w(zeta^(2 BitRev8(i) + 1))."""
    exponents = np.array(
        [[(2 * bit_reversed(i, 8) + 1) * j % 512 for j in range(N)] for i in range(N)]
    )
    return powers(ML_DSA_ZETA, exponents, ML_DSA_Q)


def ml_dsa_inverse_ntt():
    """Its inverse: coefficient j of the interpolation is 1 / 256 times the sum of the values
    times the inverse powers."""
    exponents = np.array(
        [[-(2 * bit_reversed(i, 8) + 1) * j % 512 for i in range(N)] for j in range(N)]
    )
    return powers(ML_DSA_ZETA, exponents, ML_DSA_Q) * pow(N, -1, ML_DSA_Q) % ML_DSA_Q


def ml_kem_gamma(i):
    """The gamma of residue i modulo X^2 - gamma (FIPS 203, Section 4.3)."""
    return pow(ML_KEM_ZETA, 2 * bit_reversed(i, 7) + 1, ML_KEM_Q)


def ml_kem_ntt():
    """NTT (FIPS 203, Section 4.3): outputs 2 i and 2 i + 1 are f modulo X^2 - gamma(i)."""
    rows = np.zeros((N, N), dtype=np.int64)
    for i in range(N):
        for j in range(i % 2, N, 2):
            rows[i, j] = pow(ml_kem_gamma(i // 2), j // 2, ML_KEM_Q)
    return rows


def ml_kem_inverse_ntt():
    rows = np.zeros((N, N), dtype=np.int64)
    for j in range(N):
        for i in range(j % 2, N, 2):
            rows[j, i] = (
                pow(ml_kem_gamma(i // 2), -(j // 2), ML_KEM_Q)
                * pow(N // 2, -1, ML_KEM_Q)
                % ML_KEM_Q
            )
    return rows


def compress(x, d):
    """Compress (FIPS 203, formula 4.7): round(2^d x / q) modulo 2^d, halves up."""
    return ((2 * (x % ML_KEM_Q) << d) + ML_KEM_Q) // (2 * ML_KEM_Q) % (1 << d)


def decompress(y, d):
    """Decompress (FIPS 203, formula 4.8): round(q y / 2^d), halves up."""
    return (2 * ML_KEM_Q * y + (1 << d)) >> (d + 1)


def matrix_product(a, b, q):
    """In doubles, whose sums stay below 2^53."""
    return (a.astype(float) @ b.astype(float) % q).astype(np.int64)


def negacyclic_product(a, b, field):
    """Modulo x^n + 1."""
    n, product = len(a), field.convolution(a, b)
    product[: n - 1] -= product[n:]
    return product[:n] % field.q


def ntru_prime_sums(whole, p):
    """The coefficients of a product that add up to each coefficient modulo x^p - x - 1."""
    return [
        [whole[j] for j in (i, i + p, i + p - 1) if j < len(whole) and (j != p - 1 or i == j)]
        for i in range(p)
    ]
