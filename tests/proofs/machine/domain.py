"""Abstract integers: what is known of a lane for every input of a kernel at once.

A Value stands for an integer of 8 to 64 bits. It knows

- an interval of Z that holds it;
- its form: a polynomial of degree at most 2 in the inputs that it is congruent to modulo q, or
  None;
- its word: the same modulo 2^w, in variables for words of w bits that nothing else is known
  of;
- its bits, where it was put together from bits of other values;
- its expression, if all that it depends on is one value, its source: then whatever the
  interval and the form do not show is found by trying every integer in the source's interval.

Words prove Montgomery's reduction. With m = a / q modulo 2^w the words of a and of m q are
equal, so the low halves are, and the high half of a - m q is (a - m q) / 2^w, exactly.

Rounded quotients have a rule of their own. With constants b and b' and a multiple r of q,

    2^(w-1) (a b - r round(a b' / 2^(w-1))) = a (2^(w-1) b - r b') - r e,   |e| <= 2^(w-2),

whose right side gives the interval. If that is one of w bits, the difference of the two low halves
is the same; and it is a b modulo q.

Nothing here depends on an instruction set. Every operation is one on exact integers, which
fails if a sum leaves its lane, or one modulo 2^bits by its definition (part, and what derive
enumerates).
"""

import numpy as np

from forms import Dense, Point, Sparse
from value import Failure, Value, wrapped

ENUMERABLE = 1 << 17  # sources with at most so many integers are tried one by one


def below(a, b):
    """a < b as integers without a sign."""
    return np.where((a < 0) == (b < 0), a < b, b < 0)


# Relations: an operation, whether its operands are exchanged, and whether its result is negated.
RELATIONS = {
    "gt": ("greater", 0, 0),
    "lt": ("greater", 1, 0),
    "nle": ("greater", 0, 0),
    "le": ("greater", 0, 1),
    "nlt": ("greater", 1, 1),
    "eq": ("equal", 0, 0),
    "neq": ("equal", 0, 1),
    "ltu": ("less_unsigned", 0, 0),
    "nleu": ("less_unsigned", 1, 0),
    "leu": ("less_unsigned", 1, 1),
    "nltu": ("less_unsigned", 0, 1),
}
# Operations whose operands depend on one source, on all its integers at once; `bits` is the width.
UNSIGNED = {8: 0xFF, 16: 0xFFFF, 32: 0xFFFFFFFF}
OPERATIONS = {
    "add": lambda a, b, bits: a + b,
    "subtract": lambda a, b, bits: a - b,
    "multiply": lambda a, b, bits: a * b,
    "multiply_high": lambda a, b, bits: a * b >> bits,
    "multiply_high_unsigned": lambda a, b, bits: (
        (a & UNSIGNED[bits]) * (b & UNSIGNED[bits]) >> bits
    ),
    "multiply_rounded": lambda a, b, bits: (a * b + (1 << (bits - 2))) >> (bits - 1),
    "and": lambda a, b, bits: a & b,
    "or": lambda a, b, bits: a | b,
    "xor": lambda a, b, bits: a ^ b,
    "shift_left": lambda a, b, bits: a << b,
    "shift_right": lambda a, b, bits: a >> b,
    "shift_right_unsigned": lambda a, b, bits: (a & UNSIGNED[bits]) >> b,
    "minimum_unsigned": lambda a, b, bits: np.where(below(a, b), a, b),
    "maximum_unsigned": lambda a, b, bits: np.where(below(a, b), b, a),
    "subtract_unsigned": lambda a, b, bits: np.where(below(a, b), 0, a - b),  # at least 0
    "less_unsigned": lambda a, b, bits: -np.int64(below(a, b)),
    "equal": lambda a, b, bits: -np.int64(a == b),
    "greater": lambda a, b, bits: -np.int64(a > b),
}


class Domain:
    joins_words = False  # whether all bits of two words may be joined by sums and products

    def __init__(self, q, word_bits, inputs=None):
        """`inputs`: how many variables forms of degree 1 have; None: forms of degree 2; "point":
        forms by their values at a random point."""
        self.q, self.word_bits = q, word_bits
        self.forms = (
            Sparse(q) if inputs is None else Point(q) if inputs == "point" else Dense(q, inputs)
        )
        self.words = Sparse(1 << word_bits)
        self.constants, self.integers, self.facts, self.tables, self.products = {}, {}, {}, {}, {}
        # Code on words wraps, and puts them together from halves. A deep domain enumerates what it
        # can, and computes a product once, so that its halves know each other.
        self.is_deep = False
        self.known = None, {}  # the last source's interval; expressions of it, on all its integers
        self.expressions, self.numbers = (
            [("source",)],
            {},
        )  # by number; number 0 is the source itself
        self.largest = {}  # bits: the largest magnitude of a sum of so many bits
        self.count = 0

    # ---- Values.

    def constant(self, size, c):
        value = self.constants.get((size, c))
        if value is None:
            value = self.constants[size, c] = Value(size, c, c, c % self.q, c % self.words.modulus)
            value.constant, value.source, value.expression = c, None, self.number(("constant", c))
        return value

    def input(self, size, low, high, variable):
        return Value(size, low, high, self.forms.variable(variable))

    def word_of(self, value):
        if value.word is None:
            self.count += 1
            value.word = self.words.variable(self.count)
        return value.word

    def integer(self, bits):
        """The integer of these bits, lowest first: a value in another width, if they are its
        bits."""
        value = self.integers.get(bits)
        if value is None:
            size = len(bits) // 8
            if all(b in (0, 1) for b in bits):
                return self.constant(
                    size, wrapped(sum(b << i for i, b in enumerate(bits)), len(bits))
                )
            value = self.run_of(bits) or self.field_of(bits)
            if value is None:
                signs, top = (
                    [1 << i for i in range(len(bits) - 1)] + [-(1 << (len(bits) - 1))],
                    len(bits) - 1,
                )
                low = sum(s for s, b in zip(signs, bits) if b == 1 or b != 0 and s < 0)
                high = sum(s for s, b in zip(signs, bits) if b == 1 or b != 0 and s > 0)
                value = Value(size, low, high)
                value.bits = bits
                half = (
                    self.run_of(bits[: self.word_bits]) if len(bits) == 2 * self.word_bits else None
                )
                if half is not None:  # without its sign, or beside another
                    value.word, value.parts = self.word_of(half), {(0, half.size): half}
            self.integers[bits] = value
        return value

    def run_of(self, bits):
        """The value that has these bits, if it is the low or high part of one, or that with its
        sign."""
        if not isinstance(bits[0], tuple):
            return None
        root, first = bits[0]
        at, width, count = first // 8, 8 * root.size - first, 1
        while count < min(len(bits), width) and bits[count] == root.bit(first + count):
            count += 1
        size = count // 8
        if (
            first % 8
            or count % 8
            or any(b != bits[count - 1] for b in bits[count:])
            or at
            and at + size < root.size
        ):
            return None
        return self.resized(
            root if size == root.size else self.part(root, at, size), len(bits) // 8
        )

    def field_of(self, bits):
        """The value of some runs of bits of values that depend on one source, by enumeration."""
        runs, size = [], len(bits) // 8
        for i, bit in enumerate(bits):
            if isinstance(bit, tuple):
                if (
                    runs
                    and bit == (runs[-1][1], runs[-1][2] + runs[-1][3])
                    and runs[-1][0] + runs[-1][3] == i
                ):
                    runs[-1][3] += 1
                else:
                    runs.append([i, *bit, 1])
        if (
            not 1 <= len(runs) <= 2
            or size > 4
            or runs[0][1].source is not runs[-1][1].source
            or not self.is_enumerable(runs[0][1])
        ):
            return None
        if not self.is_deep and (
            len(runs) > 1 or runs[0][0] > 0 or 1 in bits or not self.is_derived(runs[0][1])
        ):
            return None
        value = self.constant(
            size, wrapped(sum(1 << i for i, bit in enumerate(bits) if bit == 1), len(bits))
        )
        for at, root, first, count in runs:
            field = self.resized(
                self.derive("shift_right", root.size, root, self.constant(root.size, first)), size
            )
            field = self.derive(
                "and", size, field, self.constant(size, wrapped((1 << count) - 1, len(bits)))
            )
            value = self.derive(
                "or", size, value, self.derive("shift_left", size, field, self.constant(size, at))
            )
        if value.constant is None:
            value.bits = bits
        return value

    def resized(self, value, size):
        """The low bytes of a value, or the value with a sign in more bytes."""
        if size == value.size:
            return value
        if size < value.size:
            return self.part(value, 0, size)
        if value.constant is not None:
            return self.constant(size, value.constant)
        wide = Value(
            size,
            value.low,
            value.high,
            value.form,
            value.word if 8 * value.size >= self.word_bits else None,
        )
        wide.source, wide.expression, wide.origin = value.source, value.expression, (value, 0)
        return wide

    def part(self, value, at, size):
        """Bytes at, at + 1, ..., of a value, as an integer with a sign."""
        if value.parts is None:
            value.parts = {}
        part = value.parts.get((at, size))
        if part is not None:
            return part
        bits = 8 * size
        half = 1 << (bits - 1)
        if value.constant is not None:
            part = self.constant(size, wrapped(value.constant >> 8 * at, bits))
        elif self.is_gathered(value) and not -half <= value.low <= value.high < half:
            gathered = tuple(value.bit(8 * at + i) for i in range(bits))
            part = self.integer(gathered)
            if self.is_deep and at == 0 and part.bits == gathered and self.is_derived(value):
                part = self.truncated(value, size)
                part.bits = gathered if part.constant is None else None
        elif at == 0:
            if (
                self.is_deep
                and self.is_derived(value)
                and not -half <= value.low <= value.high < half
            ):
                part = self.truncated(value, size)
            elif -half <= value.low and value.high < half:
                part = Value(size, value.low, value.high, value.form)
                part.source, part.expression = value.source, value.expression
            else:
                part = Value(size, -half, half - 1)
            if part.constant is None:
                part.word = self.word_of(value) if bits >= self.word_bits else None
        elif self.is_derived(value) and at + size == value.size:
            part = self.resized(self.shifted(value, "shift_right", 8 * at), size)
            if part.constant is None and at == size and bits == self.word_bits:
                part.whole = value
        elif (
            at == size
            and value.size == 2 * size
            and bits == self.word_bits
            and self.word_of(value) == 0
        ):
            inverse = pow(1 << bits, -1, self.q)  # the low half is 0
            part = Value(
                size,
                -(-value.low >> bits),
                value.high >> bits,
                self.forms.product(value.form, inverse),
            )
        elif at + size == value.size:
            part = Value(size, value.low >> 8 * at, value.high >> 8 * at)
            if at == size and bits == self.word_bits:
                part.whole = value
        else:
            part = self.integer(tuple(value.bit(8 * at + i) for i in range(bits)))
        if part.constant is None and part.bits is None and part.origin is None:
            part.origin = (value, 8 * at)
        value.parts[at, size] = part
        return part

    def truncated(self, value, size):
        """The low bytes of a derived value, by enumeration."""
        return self.of_expression(
            self.number(("or", 8 * size, value.expression, value.expression)), size, value.source
        )

    @staticmethod
    def is_gathered(value):
        """Whether a value was put together from bits of others, or is part of one that was."""
        while value.bits is None and value.origin is not None:
            value = value.origin[0]
        return value.bits is not None

    # ---- Enumeration.

    def number(self, expression):
        """Expressions are numbers, so that a fact holds for all lanes that compute the same."""
        n = self.numbers.get(expression)
        if n is None:
            n = self.numbers[expression] = len(self.expressions)
            self.expressions.append(expression)
        return n

    def integers_of(self, expression, low, high, known):
        """An expression on all integers of its source."""
        if expression not in known:
            kind, *rest = self.expressions[expression]
            if kind == "source":
                result = np.arange(low, high + 1, dtype=np.int64)
            elif kind == "constant":
                result = np.int64(rest[0])
            else:
                bits, a, b = rest
                result = OPERATIONS[kind](
                    self.integers_of(a, low, high, known),
                    self.integers_of(b, low, high, known),
                    bits,
                )
                result = (
                    ((result + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))
                    if bits < 64
                    else result
                )
            known[expression] = result
        return known[expression]

    def all_integers(self, value):
        """A value for each integer of its source, in order."""
        key = (value.expression, value.source.low, value.source.high)
        if key not in self.tables:
            self.tables[key] = self.integers_of(*key, {})
        return self.tables[key]

    @staticmethod
    def is_enumerable(value):
        return value.source is not None and value.source.high - value.source.low < ENUMERABLE

    def is_derived(self, value):
        return (value.expression != 0 or value.source is not value) and self.is_enumerable(value)

    def attach(self, value, operation, bits, a, b):
        """Notes how a value is computed, if from one source."""
        if a.constant is not None:
            value.source = b.source
        elif b.constant is not None or a.source is b.source:
            value.source = a.source
        else:
            return value
        value.expression = self.number((operation, bits, a.expression, b.expression))
        return value

    def derive(self, operation, size, a, b):
        """The operation by its definition on every integer of the one source, or None."""
        if a.constant is not None and b.constant is not None:
            expression = self.number((operation, 8 * size, a.expression, b.expression))
            return self.constant(size, int(self.integers_of(expression, 0, 0, {})))
        source = b.source if a.constant is not None else a.source
        if (
            a.constant is None
            and b.constant is None
            and a.source is not b.source
            or source.high - source.low >= ENUMERABLE
        ):
            return None
        return self.of_expression(
            self.number((operation, 8 * size, a.expression, b.expression)), size, source
        )

    def of_expression(self, expression, size, source):
        fact = self.facts.get((expression, source.low, source.high))
        if fact is None:
            if self.known[0] != (source.low, source.high) or len(self.known[1]) > 100:
                self.known = (source.low, source.high), {}
            integers = self.integers_of(expression, source.low, source.high, self.known[1])
            if integers.size == 1:
                return self.constant(size, int(integers.flat[0]))
            residues = integers % self.q  # so that nothing below leaves 64 bits
            slope = int(residues[1] - residues[0]) % self.q
            start = (int(residues[0]) - slope * source.low) % self.q
            is_linear = not np.any(
                (slope * (np.arange(source.low, source.high + 1) % self.q) + start - residues)
                % self.q
            )
            fact = self.facts[expression, source.low, source.high] = (
                int(integers.min()),
                int(integers.max()),
                slope,
                start,
                is_linear,
            )
        low, high, slope, start, is_linear = fact
        if low == high:
            return self.constant(size, low)
        form = (
            self.forms.sum(self.forms.product(source.form, slope), start, 1) if is_linear else None
        )
        value = Value(size, low, high, form)
        value.source, value.expression = source, expression
        return value

    def refined(self, value):
        """The value with its interval and form by enumeration, if it has no form yet."""
        if value.form is not None or not self.is_derived(value):
            return value
        known = self.of_expression(value.expression, value.size, value.source)
        if known.constant is None:
            known.bits, known.origin = value.bits, value.origin
        return known

    # ---- Arithmetic.

    def add(self, a, b, sign=1):
        """a + b, or a - b, in the lane of both."""
        size, bits = a.size, 8 * a.size
        operation = "add" if sign > 0 else "subtract"
        if a.constant is not None and b.constant is not None:
            return self.constant(size, wrapped(a.constant + sign * b.constant, bits))
        if b.constant == 0:
            return a
        if a is b and sign > 0 and a.is_of_bits() and a.low >= 0 and 2 * a.high < 1 << (bits - 1):
            return self.shifted(a, "shift_left", 1)
        low, high = (
            (a.low + b.low, a.high + b.high) if sign > 0 else (a.low - b.high, a.high - b.low)
        )
        fits = -(1 << (bits - 1)) <= low and high < 1 << (bits - 1)
        if sign < 0 and a.whole and b.whole and self.word_of(a.whole) == self.word_of(b.whole):
            return self.exact_difference(a.whole, b.whole, size, low, high)
        if a.constant == 0 and sign < 0 and b.factors is not None and not fits:
            value = self.attach(self.unknown(size), operation, bits, a, b)
            value.negated = b
            return value
        for x, y in ((a, b), (b, a)) if sign > 0 else ():
            if x.negated is not None:
                return self.add(y, x.negated, -1)
        rest = self.rest_of_quotient(a, b) if sign < 0 else None
        if rest is not None:
            return rest
        a, b = self.refined(a), self.refined(b)
        if a.source is b.source or a.constant is not None or b.constant is not None:
            value = self.derive(operation, size, a, b)
            if value is not None:
                if value.form is None and fits:
                    value.form = self.forms.sum(a.form, b.form, sign)
                return value
        if sign > 0 and a.is_of_bits() and b.is_of_bits():
            pairs = [(a.bit(i), b.bit(i)) for i in range(bits)]
            if all(x == 0 or y == 0 for x, y in pairs):
                value = self.integer(tuple(y if x == 0 else x for x, y in pairs))
                if value.form is None and fits:
                    value.form = self.forms.sum(a.form, b.form, 1)
                return value
        self.largest[bits] = max(self.largest.get(bits, 0), -low, high)
        if not fits:
            raise Failure(f"a sum of {bits} bits overflows: [{low}, {high}]")
        word = (
            self.words.sum(self.word_of(a), self.word_of(b), sign)
            if bits > self.word_bits
            else None
        )
        total = self.attach(
            Value(size, low, high, self.forms.sum(a.form, b.form, sign), word),
            operation,
            bits,
            a,
            b,
        )
        total.terms = (a, b) if sign > 0 and isinstance(self.forms, Point) else None
        half = self.word_bits // 8
        if size == 2 * half and (a.bits is not None or b.bits is not None):
            # The low half of a sum is the sum of the low halves: for lanes without their signs.
            try:
                low_sum = self.add(self.part(a, 0, half), self.part(b, 0, half), sign)
                total.word, total.parts = self.word_of(low_sum), {(0, half): low_sum}
            except Failure:
                pass
        return total

    def exact_difference(self, x, y, size, low, high):
        """The difference of the high halves of two integers whose low halves are equal."""
        bits = self.word_bits
        low, high = max(low, -((y.high - x.low) >> bits)), min(high, (x.high - y.low) >> bits)
        if low < -(1 << (bits - 1)) or high >= 1 << (bits - 1):
            raise Failure(f"a difference of high halves overflows: [{low}, {high}]")
        return Value(
            size,
            low,
            high,
            self.forms.product(self.forms.sum(x.form, y.form, -1), pow(1 << bits, -1, self.q)),
        )

    def multiply(self, a, b, size):
        """a b, in a lane of `size` bytes that holds every product."""
        product = self.product(a, b, size)
        return (
            product
            if product.constant is not None
            else self.attach(product, "multiply", 8 * size, a, b)
        )

    def product(self, a, b, size):
        if a.constant is not None and b.constant is not None:
            return self.constant(size, wrapped(a.constant * b.constant, 8 * size))
        corners = (a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)
        low, high = min(corners), max(corners)
        if low < -(1 << (8 * size - 1)) or high >= 1 << (8 * size - 1):
            raise Failure(f"a product overflows {8 * size} bits: [{low}, {high}]")
        if low == high:
            return self.constant(size, low)
        product = Value(
            size,
            low,
            high,
            self.forms.product(a.form, b.form),
            self.words.product(self.word_of(a), self.word_of(b)),
        )
        for x, y in ((a, b), (b, a)):
            if y.constant is not None and y.constant > 0 and y.constant & (y.constant - 1) == 0:
                product.origin = (x, 1 - y.constant.bit_length())
        return product

    def half_product(self, a, b, operation):
        """The low half of a b (`multiply`), or the high half (`multiply_high`)."""
        a, b = (b, a) if a.constant is not None else (a, b)
        if operation == "multiply" and b.constant == -(1 << (8 * a.size - 1)):
            return self.shifted(a, "shift_left", 8 * a.size - 1)
        if operation == "multiply" and a.size == 8 and b.constant and b.constant % (1 << 32) == 0:
            # Modulo 2^64, the low 32 bits of the product with b / 2^32, moved up.
            low = self.part(self.product(a, self.constant(8, b.constant >> 32), 16), 0, 4)
            moved = Value(8, low.low << 32, low.high << 32)
            moved.origin = (low, -32)
            return moved
        product = self.products.get((a, b)) if self.is_deep else self.product(a, b, 2 * a.size)
        if product is None:
            product = self.products[a, b] = self.multiply(a, b, 2 * a.size)
        half = self.part(product, a.size if operation == "multiply_high" else 0, a.size)
        if half.constant is not None:
            return half
        if operation == "multiply":
            half.factors = a, b
        return self.attach(half, operation, 8 * a.size, a, b)

    def doubled_high_half(self, a, b):
        """The high half of 2 a b, which must fit."""
        bits, product = 8 * a.size, self.multiply(a, b, 2 * a.size)
        if product.high == 1 << (2 * bits - 2):
            raise Failure("a product's double overflows")
        if product.constant is not None:
            return self.constant(a.size, 2 * product.constant >> bits)
        half = Value(a.size, 2 * product.low >> bits, 2 * product.high >> bits)
        half.doubled = product
        return half

    def halved_difference(self, a, b):
        """floor((a - b) / 2). Where both are high halves of doubles, 2 x and 2 y, and x = y modulo
        2^bits, 2 x = 2 y modulo 2^(bits + 1), so this is exactly (x - y) / 2^bits."""
        low, high = (a.low - b.high) >> 1, (a.high - b.low) >> 1
        if low == high:
            return self.constant(a.size, low)
        if (
            a.doubled
            and b.doubled
            and 8 * a.size == self.word_bits
            and self.word_of(a.doubled) == self.word_of(b.doubled)
        ):
            return self.exact_difference(a.doubled, b.doubled, a.size, low, high)
        return Value(a.size, low, high)

    def doubled_rounded_half(self, a, b):
        """The high half of 2 a b with halves rounded up, which must fit: by enumeration, or as a
        quotient."""
        low = -(1 << (8 * a.size - 1))
        if a.low == low and b.low == low:
            raise Failure("a product's double overflows")
        a, b = (b, a) if a.constant is not None else (a, b)
        half = self.derive("multiply_rounded", a.size, a, b)
        if half is None:
            bits, corners = (
                8 * a.size,
                (a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high),
            )
            half = Value(
                a.size,
                *((x + (1 << (bits - 2))) >> (bits - 1) for x in (min(corners), max(corners))),
            )
            half.rounded = a, b
        return half

    def rest_of_quotient(self, a, b):
        """a - b, if a is the low half of x z and b that of r and of the rounded quotient by it, or
        None."""
        if a.factors is None or b.factors is None or b.factors[0].rounded is None:
            return None
        (x, z), (quotient, r) = a.factors, b.factors
        y, rounded = quotient.rounded
        if (
            x is not y
            or z.constant is None
            or rounded.constant is None
            or r.constant is None
            or r.constant <= 0
            or r.constant % self.q
        ):
            return None
        bits, quarter = 8 * a.size, 1 << (8 * a.size - 2)
        rest = 2 * quarter * z.constant - r.constant * rounded.constant
        ends = [x.low * rest, x.high * rest]
        low = -((r.constant * quarter - min(ends)) >> (bits - 1))
        high = (max(ends) + r.constant * quarter) >> (bits - 1)
        if low < -2 * quarter or high >= 2 * quarter:
            raise Failure(f"a product by a rounded quotient overflows: [{low}, {high}]")
        return Value(a.size, low, high, self.forms.product(x.form, z.constant % self.q))

    def multiply_high_unsigned(self, a, b):
        """Without signs: a power of two shifts; with them, if that is the same."""
        bits, (a, b) = 8 * a.size, (b, a) if a.constant is not None else (a, b)
        factor = 0 if b.constant is None else b.constant & (1 << bits) - 1
        if factor.bit_count() == 1:
            return self.shifted(a, "shift_right_unsigned", bits + 1 - factor.bit_length())
        return (
            self.half_product(a, b, "multiply_high")
            if a.low >= 0 and b.low >= 0
            else self.of_one_source("multiply_high_unsigned", a, b)
        )

    def of_one_source(self, operation, a, b):
        """The operation by enumeration. If the two depend on more than one value, the result is
        unknown; lanes that are not used may be such."""
        value = self.derive(operation, a.size, a, b)
        return self.unknown(a.size) if value is None else value

    def compared(self, relation, a, b):
        """0 or -1: whether a relation holds. 0 > b is the sign of b."""
        operation, is_exchanged, is_negated = RELATIONS[relation]
        a, b = (b, a) if is_exchanged else (a, b)
        holds = (
            self.shifted(b, "shift_right", 8 * b.size - 1)
            if operation == "greater" and a.constant == 0
            else self.of_one_source(operation, a, b)
        )
        return self.of_one_source("xor", holds, self.constant(a.size, -1)) if is_negated else holds

    @staticmethod
    def unknown(size):
        return Value(size, -(1 << (8 * size - 1)), (1 << (8 * size - 1)) - 1)

    def shifted(self, value, operation, by):
        """A value shifted by a constant; bits are kept."""
        bits = 8 * value.size
        by = min(by, bits - 1) if operation == "shift_right" else by
        if by >= bits:
            return self.constant(value.size, 0)
        if value.constant is not None:
            n = value.constant if operation == "shift_right" else value.constant & (1 << bits) - 1
            return self.constant(
                value.size, wrapped(n << by if operation == "shift_left" else n >> by, bits)
            )
        if (
            by == self.word_bits
            and bits == 2 * by
            and operation != "shift_left"
            and (value.low >= 0 or operation == "shift_right")
            and self.word_of(value) == 0
            and not self.is_derived(value)
        ):
            return self.resized(self.part(value, by // 8, by // 8), value.size)
        if operation == "shift_left":
            moved = tuple(value.bit(i - by) if i >= by else 0 for i in range(bits))
        else:
            moved = tuple(
                value.bit(i + by)
                if i + by < bits
                else value.bit(bits - 1)
                if operation == "shift_right"
                else 0
                for i in range(bits)
            )
        result = self.run_of(moved) if self.is_gathered(value) else None
        if result is not None:
            return result
        result = (
            self.derive(operation, value.size, value, self.constant(value.size, by))
            if bits < 64 or operation == "shift_right"
            else None
        )
        if result is None:
            result = self.integer(moved)
        elif result.constant is None:
            result.bits = moved
            if (
                operation == "shift_left"
                and -(1 << (bits - 1)) <= value.low << by
                and value.high << by < 1 << (bits - 1)
            ):
                result.form = self.forms.product(value.form, 1 << by)
        return result

    def bitwise(self, operation, x, y):
        """One bit of `and`, `or` or `xor`, or None if it is a function of two bits."""
        if operation == "and":
            return 0 if x == 0 or y == 0 else y if x == 1 else x if y == 1 or x == y else None
        if operation == "or":
            return 1 if x == 1 or y == 1 else y if x == 0 else x if y == 0 or x == y else None
        return (
            x ^ y
            if x in (0, 1) and y in (0, 1)
            else y
            if x == 0
            else x
            if y == 0
            else 0
            if x == y
            else None
        )
