"""A value of the abstract domain, and the failure that ends a proof."""


class Failure(Exception):
    """The proof does not go through."""


def wrapped(x, bits):
    """The signed integer of `bits` bits that is x modulo 2^bits."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


class Value:
    """An integer with a sign of `size` bytes; the head of domain.py says what it knows."""

    __slots__ = (
        "size",
        "low",
        "high",
        "form",
        "word",
        "whole",
        "source",
        "expression",
        "bits",
        "origin",
        "parts",
        "constant",
        "doubled",
        "terms",
        "factors",
        "rounded",
        "negated",
    )

    def __init__(self, size, low, high, form=None, word=None):
        self.size, self.low, self.high, self.form, self.word = size, low, high, form, word
        self.whole = None  # of a high half: the product whose high half it is
        self.doubled = None  # of a high half of a product's double: the product
        self.source, self.expression = self, 0
        self.factors = None  # of a low half: the two whose product's low half it is
        self.rounded = None  # of a rounded half: the two whose product's double's half it is
        self.negated = None  # the value that this is 0 less, modulo 2^(8 size)
        self.bits = None  # the bits that it was put together from
        self.origin = None  # (v, k): this is floor(v / 2^k) modulo 2^(8 size)
        self.parts = None
        self.constant = None
        self.terms = None  # of a sum, with forms by values at a point: its operands

    def bit(self, i):
        """Bit i: 0, 1, or a pair of a value that was not put together from others, and a place."""
        i = min(i, 8 * self.size - 1)
        if self.constant is not None:
            return self.constant >> i & 1
        if self.bits is not None:
            return self.bits[i]
        if self.low >= 0 and self.high < 1 << i:
            return 0
        if self.origin is not None:
            value, shift = self.origin
            return value.bit(i + shift) if i + shift >= 0 else 0
        return (self, i)

    def is_of_bits(self):
        return self.bits is not None or self.origin is not None or self.constant is not None
