"""A call of a kernel on arrays of inputs, and the comparison of its outputs with what the
standard says.

Every input is a variable with a bound; the outputs are then values of these variables."""

from dataclasses import dataclass

import numpy as np

import aarch64
import x86
from domain import Domain, Failure
from reader import bits_of, bytes_of_bits

FIRST_ARRAY, BETWEEN_ARRAYS = 0x10_0000_0000, 0x10_0000


@dataclass(frozen=True)
class Array:
    address: int
    count: int
    size: int
    first: int = 0  # the number of its first variable


@dataclass(frozen=True)
class Dropped:
    """An argument that g++'s clones (isra) leave out, because no caller's value is used."""

    value: int


class Call:
    def __init__(self, image, q, word_bits, inputs=None, domain=None):
        self.q = q
        self.domain = domain or Domain(q, word_bits, inputs)
        self.machine = (aarch64 if image.is_arm else x86).Machine(image, self.domain)
        self.variables, self.arrays = 1, 0
        self.found, self.declared = 0, None
        self.given, self.last = (
            [],
            None,
        )  # (an array, its values or None for any bytes); the last call

    # ---- Arrays of the caller.

    def place(self, size, is_written):
        self.arrays += 1
        return self.machine.array(FIRST_ARRAY + self.arrays * BETWEEN_ARRAYS, size, is_written)

    def input(self, count, size, bound, is_written=False):
        """`count` integers of `size` bytes with bound[0] <= each <= bound[1]."""
        array = Array(self.place(count * size, is_written), count, size, self.variables)
        self.variables += count
        self.fill(array, [self.domain.input(size, *bound, array.first + i) for i in range(count)])
        return array

    def fill(self, array, values):
        self.given.append((array, values))
        for i, x in enumerate(self.machine.bytes_of(values)):
            self.machine.memory[array.address + i] = x

    def data(self, known):
        """Bytes that the caller knows."""
        array = Array(self.place(len(known), False), len(known), 1)
        self.machine.memory.update(enumerate(known, array.address))
        return array

    def output(self, count, size):
        return Array(self.place(count * size, True), count, size)

    def packed(self, count, bits):
        """`count` integers of `bits` bits, one after another in a string of bytes."""
        size = 2 if self.domain.word_bits == 16 else 4
        fields = [
            self.domain.input(size, 0, (1 << bits) - 1, self.variables + i) for i in range(count)
        ]
        array = Array(self.place(count * bits // 8, False), count * bits // 8, 1, self.variables)
        self.variables += count
        self.given.append((array, None))
        for i, x in enumerate(bytes_of_bits([f.bit(b) for f in fields for b in range(bits)])):
            self.machine.memory[array.address + i] = x
        return array, fields

    # ---- The call.

    def run(self, symbol, *arguments):
        name, address, _ = symbol
        if ".isra" in name:
            arguments = [a for a in arguments if not isinstance(a, Dropped)]
        numbers = [
            a.address if isinstance(a, Array) else a.value if isinstance(a, Dropped) else a
            for a in arguments
        ]
        self.last = address, numbers
        self.machine.run(address, numbers)

    def values(self, array):
        return self.machine.lanes(
            self.machine.load(array.address, array.count * array.size), array.size
        )

    def bits(self, array):
        return bits_of(self.machine.load(array.address, array.count * array.size))

    # ---- Expectations.

    def within(self, values, bound):
        """Holds intervals to a declared bound, and remembers both for the table."""
        low, high = min(v.low for v in values), max(v.high for v in values)
        if low < bound[0] or high > bound[1]:
            raise Failure(f"outputs are in [{low}, {high}], not in [{bound[0]}, {bound[1]}]")
        self.found, self.declared = max(-low, high, self.found), max(-bound[0], bound[1])

    def matrix(self, values):
        """The outputs' linear map, a row for each."""
        if any(v.form is None for v in values):
            raise Failure("an output has no known map")
        rows = np.zeros((len(values), self.domain.forms.count + 1), dtype=np.int64)
        for i, v in enumerate(values):
            if isinstance(v.form, int):
                rows[i, 0] = v.form
            else:
                rows[i] = v.form
        if rows[:, 0].any():
            raise Failure("an output's map has a constant")
        return rows[:, 1:]

    def is_map(self, values, wanted):
        rows = self.matrix(values)
        if not np.array_equal(rows, wanted % self.q):
            i = int(np.nonzero((rows != wanted % self.q).any(axis=1))[0][0])
            raise Failure(f"output {i} is another map")

    def inputs(self, array):
        """The values of an array's variables at the point."""
        return np.array([self.domain.forms.variable(array.first + i) for i in range(array.count)])

    def are_at_point(self, values, wanted):
        for i, (value, want) in enumerate(zip(values, wanted, strict=True)):
            if value.form is None or not np.array_equal(
                self.domain.forms.element(value.form), want
            ):
                raise Failure(f"output {i} is another map")

    def are_forms(self, values, wanted):
        """wanted[i]: the coefficients of output i, by monomials."""
        for i, (value, want) in enumerate(zip(values, wanted, strict=True)):
            if value.form != {m: c % self.q for m, c in want.items() if c % self.q}:
                raise Failure(f"output {i} is another map")
