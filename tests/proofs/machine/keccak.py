"""Keccak-f[1600] in assembly: a domain of rotated words, and the proof that each state becomes
what FIPS 202 says, for every state.

A word of 64 bits is a sum modulo 2 of atoms, each rotated, and of a constant. Atoms are

- a word of the caller's state;
- the product of two words, bit by bit;
- the sum of a word and one product, as chi makes it: without it, sums would grow from round to
  round.

Products and results of chi that are equal up to a rotation are one atom. So two words are the
same function of the inputs if they have the same atoms, rotations and constant. Nothing else is
concluded: words of other forms may be the same function, and then a proof fails.

Addresses, counts and branches are numbers, so the run that is read is the only one.
"""

from domain import Failure, wrapped
from kernels import kernel

BITS = 64
ONES = (1 << BITS) - 1
WORDS = 25


def rotated_number(number, by):
    by %= BITS
    return (number << by | number >> (BITS - by)) & ONES


class Word:
    """A value of 64 bits, for the reader: what it asks of domain.Value, and the word's form."""

    size, low, high = 8, -(1 << 63), (1 << 63) - 1

    def __init__(self, terms, offset, shift=0):
        self.terms = terms  # {(atom, its rotation to the left)}
        self.offset = offset  # the constant
        self.shift = shift  # left if positive: of the word, with zeros moved in
        self.constant = wrapped(offset, BITS) if not terms and shift == 0 else None
        self.source = self

    def bit(self, i):
        return self.offset >> i & 1 if self.constant is not None else (self, i)

    def rotated(self, by):
        return frozenset((atom, (at + by) % BITS) for atom, at in self.terms), rotated_number(
            self.offset, by
        )

    def __eq__(self, other):
        return isinstance(other, Word) and (self.terms, self.offset, self.shift) == (
            other.terms,
            other.offset,
            other.shift,
        )

    def __hash__(self):
        return hash((self.terms, self.offset, self.shift))


class Words:
    """The domain: what the reader asks of domain.Domain, as far as it holds for words."""

    word_bits, is_deep, moves_bytes = BITS, False, False

    def __init__(self):
        self.atoms = {}  # what it is: its number
        self.products = set()  # the numbers of those that are products

    # ---- Words.

    def constant(self, size, c):
        if size != 8:
            raise Failure(f"a constant of {size} bytes")
        return Word(frozenset(), c & ONES)

    def input(self, size, low, high, variable):
        return Word(
            frozenset([(self.atoms.setdefault(("input", variable), len(self.atoms)), 0)]), 0
        )

    def atom(self, kind, a, b):
        """A product, or a word plus a product, by its least form among its rotations."""
        numbers = {atom for word in (a, b) for atom, _ in word.terms}
        least, forms = min(numbers), []
        for by in {at for word in (a, b) for atom, at in word.terms if atom == least}:
            form = [
                (tuple(sorted(terms)), offset) for terms, offset in (a.rotated(-by), b.rotated(-by))
            ]
            forms.append((tuple(sorted(form)) if kind == "product" else tuple(form), by))
        form, by = min(forms)
        number = self.atoms.setdefault((kind, form), len(self.atoms))
        if kind == "product":
            self.products.add(number)
        return Word(frozenset([(number, by)]), 0)

    def sum(self, a, b):
        for word, product in ((a, b), (b, a)):
            is_product = len(product.terms) == 1 and next(iter(product.terms))[0] in self.products
            if (
                is_product
                and word.terms
                and not any(atom in self.products for atom, _ in word.terms)
            ):
                return self.atom("chi", word, product)
        return Word(a.terms ^ b.terms, a.offset ^ b.offset)

    def product(self, a, b):
        for word, other in ((a, b), (b, a)):
            if word.constant is not None and word.offset in (0, ONES):
                return other if word.offset else word
            if word.constant is not None:
                raise Failure("bits of a word are chosen")
        return self.atom("product", a, b)

    def rotated(self, a, by):
        return Word(*a.rotated(by))

    # ---- What the reader asks.

    @staticmethod
    def bitwise(operation, a, b):
        """An operation on known bits; on all others it is one on words."""
        return (
            {"xor": a ^ b, "and": a & b, "or": a | b}[operation]
            if isinstance(a, int) and isinstance(b, int)
            else None
        )

    def of_one_source(self, operation, a, b):
        if not (isinstance(a, Word) and isinstance(b, Word)):
            raise Failure("a register is read that nothing was put into")
        if a.shift or b.shift:
            return self.of_shifted(operation, a, b)
        if operation not in ("xor", "and"):
            raise Failure("words are joined that no rotation divided")
        return self.sum(a, b) if operation == "xor" else self.product(a, b)

    def of_shifted(self, operation, a, b):
        """A rotation, as the sum of two shifts of a word: SHL, and SRI, which keeps bits above."""
        if (
            operation == "and"
            and b.constant is not None
            and a.shift > 0
            and b.offset == ONES << a.shift & ONES
        ):
            return a
        whole = [Word(word.terms, word.offset) for word in (a, b)]
        if operation == "or" and a.shift > 0 and b.shift == a.shift - BITS and whole[0] == whole[1]:
            return self.rotated(whole[0], a.shift)
        raise Failure("shifted words are joined that are no rotation")

    def shifted(self, a, operation, by):
        if a.constant is not None:
            return self.constant(8, a.offset << by if operation == "shift_left" else a.offset >> by)
        if a.shift or operation not in ("shift_left", "shift_right_unsigned"):
            raise Failure("a shifted word is shifted")
        return Word(a.terms, a.offset, by if operation == "shift_left" else -by)

    def add(self, a, b, sign=1):
        if a.constant is not None and b.constant is not None:
            return self.constant(8, a.constant + sign * b.constant)
        if a == b and sign == 1 and a.shift == 0:
            return Word(a.terms, a.offset, 1)
        raise Failure("words are added as integers")

    def integer(self, bits):
        raise Failure("a word is put together from parts")

    def part(self, value, at, size):
        raise Failure("a part of a word is used")

    resized = part


# ---- FIPS 202, Section 3


def permuted(words, state):
    """Keccak-f[1600] (Algorithm 7) of 25 words, word (x, y) at x + 5 y."""
    register = 1
    for _ in range(24):
        parity = [state[x] for x in range(5)]
        for i in range(5, WORDS):
            parity[i % 5] = words.sum(parity[i % 5], state[i])
        state = [
            words.sum(a, words.sum(parity[(i + 4) % 5], words.rotated(parity[(i + 1) % 5], 1)))
            for i, a in enumerate(state)
        ]
        moved, x, y = {0: state[0]}, 1, 0
        for t in range(24):  # rho's walk is pi's: (x, y) goes to (y, 2 x + 3 y)
            to = y, (2 * x + 3 * y) % 5
            moved[to[0] + 5 * to[1]] = words.rotated(state[x + 5 * y], (t + 1) * (t + 2) // 2)
            x, y = to
        state = []
        for i in range(WORDS):
            row = i - i % 5
            complement = words.sum(moved[row + (i + 1) % 5], words.constant(8, ONES))
            state.append(words.sum(moved[i], words.product(complement, moved[row + (i + 2) % 5])))
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        state[0] = words.sum(state[0], words.constant(8, constant))
    return state


@kernel("Keccak-f[1600] of three states", "^girih_keccak_three_states$", 3, engines=("neon",))
@kernel("Keccak-f[1600] of four states", "^girih_keccak_four_states$", 4, engines=("neon",))
def keccak_of_states(subject, entry, symbols, count):
    words = Words()
    call = subject.call(entry, None, None, domain=words)
    states = call.input(WORDS * count, 8, (Word.low, Word.high), is_written=True)
    given = call.values(states)
    call.run(symbols[0], states)
    results = call.values(states)
    for i in range(count):
        of_state = slice(WORDS * i, WORDS * (i + 1))
        for place, (found, wanted) in enumerate(
            zip(results[of_state], permuted(words, given[of_state]), strict=True)
        ):
            if found != wanted:
                raise Failure(f"word {place} of state {i} is another function")
    return call
