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
            return self.plain({m: c * b % self.modulus for m, c in a.items()}) if isinstance(a, dict) else a * b % self.modulus
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
