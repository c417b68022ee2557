"""Polynomials modulo an integer: the forms and words of values (domain.py)."""

import numpy as np


class Sparse:
    """Polynomials modulo m: an integer, or a dictionary from monomials to coefficients
    other than 0. Monomials: 0 is 1, i > 0 is variable i, (i, j) is the product of two."""

    def __init__(self, modulus):
        self.modulus = modulus

    def variable(self, i):
        return {i: 1}

    def sum(self, a, b, sign):
        if a is None or b is None:
            return None
        if isinstance(a, int) and isinstance(b, int):
            return (a + sign * b) % self.modulus
        total = dict(a) if isinstance(a, dict) else {0: a}
        for monomial, c in (b if isinstance(b, dict) else {0: b}).items():
            c = (total.get(monomial, 0) + sign * c) % self.modulus
            if c:
                total[monomial] = c
            else:
                total.pop(monomial, None)
        return self.plain(total)

    @staticmethod
    def plain(terms):
        terms = {monomial: c for monomial, c in terms.items() if c}
        return terms.get(0, 0) if not terms or terms.keys() == {0} else terms

    def product(self, a, b):
        if a == 0 or b == 0:
            return 0
        if a is None or b is None:
            return None
        if isinstance(b, int):
            return (
                self.plain({m: c * b % self.modulus for m, c in a.items()})
                if isinstance(a, dict)
                else a * b % self.modulus
            )
        if isinstance(a, int):
            return self.product(b, a)
        total = {}
        for i, c in a.items():
            for j, d in b.items():
                if isinstance(i, tuple) and j or isinstance(j, tuple) and i:
                    return None  # of degree 3
                monomial = j if i == 0 else i if j == 0 else (min(i, j), max(i, j))
                total[monomial] = (total.get(monomial, 0) + c * d) % self.modulus
        return self.plain(total)


class Field:
    """The field of q^k elements, k from 15 to 24: Z/q[t]/(t^k - a) for a generator a of (Z/q)*. (It
    is one if the primes of k divide q - 1, and 4 does not divide k or divides q - 1.) Elements
    are the last axis of arrays."""

    def __init__(self, q):
        self.q = q
        primes = {p for p in range(2, 25) if (q - 1) % p == 0 and all(p % i for i in range(2, p))}
        self.k = max(
            k
            for k in range(2, 25)
            if (k % 4 or (q - 1) % 4 == 0)
            and not any(
                k % p == 0
                for p in range(2, 25)
                if all(p % i for i in range(2, p)) and p not in primes
            )
        )
        order, left = [], q - 1
        for p in range(2, q):
            if left % p == 0:
                order.append(p)
                while left % p == 0:
                    left //= p
            if left == 1:
                break
        self.a = next(a for a in range(2, q) if all(pow(a, (q - 1) // p, q) != 1 for p in order))

    def product(self, x, y):
        """Element by element."""
        long = np.zeros((*x.shape[:-1], 2 * self.k - 1), dtype=np.int64)
        for i in range(self.k):
            long[..., i : i + self.k] += x[..., i : i + 1] * y % self.q
        return self.reduced(long)

    def convolution(self, x, y):
        """The product of two polynomials, whose coefficients are the rows."""
        size, half = len(x) + len(y) - 1, self.q // 2
        x, y = (
            np.fft.rfft((a + half) % self.q - half, size, axis=0) for a in (x, y)
        )  # sums stay below 2^41
        long = np.zeros((len(x), 2 * self.k - 1), dtype=complex)
        for i in range(self.k):
            long[:, i : i + self.k] += x[:, i : i + 1] * y
        return self.reduced(np.rint(np.fft.irfft(long, size, axis=0)).astype(np.int64))

    def reduced(self, long):
        low = long[..., : self.k] % self.q
        low[..., :-1] += long[..., self.k :] % self.q * self.a
        return low % self.q

    def power(self, x, exponent):
        result = np.zeros_like(x)
        result[..., 0] = 1
        for bit in f"{exponent:b}":
            result = self.product(result, result)
            if bit == "1":
                result = self.product(result, x)
        return result


class Point:
    """Polynomials modulo a prime q, each by its value at one random point of a Field: an integer or
    an element. Two different ones of degree d have the same value with probability at most
    d / q^k, which is below 2^-170 for all that kernels compute."""

    def __init__(self, q):
        self.modulus, self.field, self.random, self.inputs = (
            q,
            Field(q),
            np.random.default_rng(q),
            {},
        )

    def variable(self, i):
        if i not in self.inputs:
            self.inputs[i] = self.random.integers(0, self.modulus, self.field.k)
        return self.inputs[i]

    def element(self, a):
        return (
            a
            if not isinstance(a, int)
            else np.array([a] + [0] * (self.field.k - 1), dtype=np.int64)
        )

    def sum(self, a, b, sign):
        if a is None or b is None:
            return None
        if isinstance(a, int) and isinstance(b, int):
            return (a + sign * b) % self.modulus
        return (self.element(a) + sign * self.element(b)) % self.modulus

    def product(self, a, b):
        if isinstance(a, int) and a == 0 or isinstance(b, int) and b == 0:
            return 0
        if a is None or b is None:
            return None
        return (
            a * b % self.modulus
            if isinstance(a, int) or isinstance(b, int)
            else self.field.reduced(np.convolve(a, b))
        )


class Dense:
    """Polynomials of degree 1 in `count` variables modulo m: an integer, or all coefficients in a
    row."""

    def __init__(self, modulus, count):
        self.modulus, self.count = modulus, count

    def variable(self, i):
        row = np.zeros(self.count + 1, dtype=np.int64)
        row[i] = 1
        return row

    def sum(self, a, b, sign):
        if a is None or b is None:
            return None
        if isinstance(b, int):
            if isinstance(a, int):
                return (a + sign * b) % self.modulus
            row = a.copy()
            row[0] = (row[0] + sign * b) % self.modulus
            return row
        if isinstance(a, int):
            row = sign * b
            row[0] += a
            return row % self.modulus
        return (a + sign * b) % self.modulus

    def product(self, a, b):
        if isinstance(a, int) and a == 0 or isinstance(b, int) and b == 0:
            return 0
        if a is None or b is None or not isinstance(a, int) and not isinstance(b, int):
            return None
        return a * b % self.modulus
