"""Keccak-f[1600]: a domain of words of 64 bits as sums of rotated atoms, and the proof that each
state becomes what FIPS 202 says, for every state.

A word is a sum modulo 2 of atoms, each rotated by some of 64 counts, and of a constant. Atoms are

- a word of the caller's state;
- the product of two words, bit by bit. Products whose factors are equal up to a rotation of both,
  their order and complements are one atom: (a + 1) b = a b + b, and `or` is a + b + a b.

So two words are the same function of the inputs if they have the same sum, in whatever order and
by whatever operations it was computed: a rotation as such, by whole bytes or by two shifts; chi by
`andn`, `not` and `and`, or a table of three bits. Nothing else is concluded: words of other sums
may be the same function, and then a proof fails. A state has 25 atoms of the caller and 600
products, so sums have at most 625 atoms, however many rounds they have gone through.
"""

from functools import cache
from weakref import WeakValueDictionary

from domain import Domain
from kernels import ARM_ENGINES, kernel
from value import Failure, Value, wrapped

BITS = 64
ONES = (1 << BITS) - 1
WORDS = 25
CHUNK = 128  # masks are made for multiples of so many words


# ---- Sums: an integer with 64 bits for each atom, bit i for its rotation to the left by i, above
# the 64 bits of the constant. So a rotation turns the bits of each.


@cache
def masks(chunks, by):
    """The bits from `by` on in each word, and the others."""
    all_words = ((1 << BITS * CHUNK * chunks) - 1) // ONES
    return all_words * (ONES >> by << by), all_words * ((1 << by) - 1)


def rotated(total, by):
    by %= BITS
    moved, around = masks(total.bit_length() // (BITS * CHUNK) + 1, by)
    return total << by & moved | total >> BITS - by & around


def first_atom(total):
    """The first atom, its least bits among their rotations, and the counts that these are rotated
    by."""
    atom = ((total >> BITS & -(total >> BITS)).bit_length() - 1) // BITS + 1
    bits = total >> BITS * atom & ONES
    turned = [(bits << BITS | bits) >> by & ONES for by in range(BITS)]
    least = min(turned)
    return atom, least, [by for by in range(BITS) if turned[by] == least]


class Word(Value):
    """A value of 64 bits whose sum is known. For the rest of the domain, nothing else is."""

    def __init__(self, state, total):
        super().__init__(8, -(1 << BITS - 1), (1 << BITS - 1) - 1)
        self.state, self.total = state, total


class Words(Domain):
    """The domain for states side by side, of `words` words each, which are `lanes` words apart."""

    joins_words = True

    def __init__(self, lanes, words=WORDS):
        super().__init__(2, BITS)
        self.lanes, self.count_of_words = lanes, words
        self.by_sum = WeakValueDictionary()  # so that equal words are one value
        self.factors = {}  # of each state: its products' factors, with their numbers

    def word(self, state, total):
        if total <= ONES:
            return self.constant(8, wrapped(total, BITS))
        word = self.by_sum.get((state, total))
        if word is None:
            word = self.by_sum[state, total] = Word(state, total)
        return word

    def input(self, size, low, high, variable):
        group, place = divmod(variable - 1, self.count_of_words * self.lanes)
        word, lane = divmod(place, self.lanes)
        return self.word((group, lane), 1 << BITS * (1 + word))

    @staticmethod
    def operands(a, b):
        """The state of two words, and their sums."""
        states = {x.state for x in (a, b) if isinstance(x, Word)}
        if len(states) > 1:
            raise Failure("words of two states are joined")
        return states.pop(), *(
            x.total if isinstance(x, Word) else x.constant & ONES for x in (a, b)
        )

    def sum_of(self, a, b):
        state, x, y = self.operands(a, b)
        return self.word(state, x ^ y)

    def product_of(self, a, b):
        state, x, y = self.operands(a, b)
        if x == y:
            return a
        if x == y ^ ONES:
            return self.constant(8, 0)
        firsts = [first_atom(x), first_atom(y)]
        least = min(first[:2] for first in firsts)
        factors, by = min(
            (
                tuple(sorted(f ^ ONES if f & 1 else f for f in (rotated(x, -by), rotated(y, -by)))),
                by,
            )
            for first in firsts
            if first[:2] == least
            for by in first[2]
        )
        numbers = self.factors.setdefault(state, {})
        number = numbers.setdefault(factors, 1 + self.count_of_words + len(numbers))
        total = 1 << BITS * number + by
        # (x + s) (y + t) = x y + s (y + t) + t x
        if rotated(x, -by) & 1:
            total, x = total ^ y, x ^ ONES
        if rotated(y, -by) & 1:
            total ^= x
        return self.word(state, total)

    def rotated(self, a, by):
        return self.word(a.state, rotated(a.total, by))

    def number_of(self, word, inputs):
        """The number that a word is, where the caller's words are these numbers."""
        products = {number: factors for factors, number in self.factors.get(word.state, {}).items()}

        def evaluated(total):
            result = total & ONES
            for atom in range(1, total.bit_length() // BITS + 1):
                counts = [by for by in range(BITS) if total >> BITS * atom + by & 1]
                if counts and atom in products:
                    a, b = (evaluated(factor) for factor in products[atom])
                    number = a & b
                elif counts:
                    number = inputs[atom - 1] & ONES
                for by in counts:
                    result ^= rotated(number, by)
            return result

        return evaluated(word.total)

    # ---- What differs from other domains.

    def integer(self, bits):
        """A rotation of a word; other bits of words are kept as they are."""
        root, first = next((b for b in bits if isinstance(b, tuple)), (None, 0))
        if len(bits) != BITS or not isinstance(root, Word):
            return super().integer(bits)
        if bits == tuple((root, at % BITS) for at in range(first, first + BITS)):
            return self.rotated(root, -first)
        value = Domain.unknown(8)
        value.bits = bits
        return value

    def joined(self, operation, a, b):
        """The operation on two words, or the sum of a word and a constant; else None."""
        is_word = isinstance(a, Word)
        if operation == "xor" and (is_word or isinstance(b, Word)):
            if (is_word or a.constant is not None) and (
                isinstance(b, Word) or b.constant is not None
            ):
                return self.sum_of(a, b)
        elif is_word and isinstance(b, Word):
            product = self.product_of(a, b)
            return product if operation == "and" else self.sum_of(self.sum_of(a, b), product)
        return None

    def add(self, a, b, sign=1):
        if isinstance(b, Word) and sign > 0 and a is b:
            return self.shifted(a, "shift_left", 1)
        if isinstance(b, Word) and sign < 0 and a.constant == -1:  # a complement
            return self.sum_of(a, b)
        return super().add(a, b, sign)


LANES = r"(keccak::permute|KeccakInPlace)<girih::isa::ENGINE::"  # and how many


# ---- FIPS 202, Section 3


def permuted(words, state):
    """Keccak-f[1600] (Algorithm 7) of 25 words, word (x, y) at x + 5 y."""
    register = 1
    for _ in range(24):
        parity = [state[x] for x in range(5)]
        for i in range(5, WORDS):
            parity[i % 5] = words.sum_of(parity[i % 5], state[i])
        state = [
            words.sum_of(
                a, words.sum_of(parity[(i + 4) % 5], words.rotated(parity[(i + 1) % 5], 1))
            )
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
            complement = words.sum_of(moved[row + (i + 1) % 5], words.constant(8, ONES))
            state.append(
                words.sum_of(moved[i], words.product_of(complement, moved[row + (i + 2) % 5]))
            )
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        state[0] = words.sum_of(state[0], words.constant(8, constant))
    return state


@kernel(
    "Keccak-f[1600] of one state",
    r"keccak::permute_one<(girih::isa::ScalarWords<ISA ?>|girih::isa::ENGINE::OneWord) ?>",
    1,
    1,
)
@kernel(
    "Keccak-f[1600] of two lanes",
    r"keccak::permute<girih::isa::ENGINE::TwoWords ?>",
    2,
    1,
    engines=ARM_ENGINES,
)
@kernel("Keccak-f[1600] of four lanes", LANES + "FourWords ?>", 4, 1, engines=("avx2", "avx512"))
@kernel("Keccak-f[1600] of eight lanes", LANES + "EightWords ?>", 8, 1, engines=("avx512",))
@kernel(
    "Keccak-f[1600] of four lanes, twice",
    r"keccak::permute_two<girih::isa::ENGINE::FourWords ?>|keccak11permute_twoI.*4avx29FourWords",
    4,
    2,
    engines=("avx2",),
    is_long=True,
)
@kernel(
    "Keccak-f[1600] of one state in assembly", "^girih_keccak_one_state$", 1, 1, engines=("neon",)
)
@kernel("Keccak-f[1600] of three states", "^girih_keccak_three_states$", 1, 3, engines=("neon",))
@kernel("Keccak-f[1600] of four states", "^girih_keccak_four_states$", 1, 4, engines=("neon",))
@kernel(
    "Keccak-f[1600] of four states by SHA-3's instructions",
    "^girih_keccak_four_states_sha3$",
    1,
    4,
    engines=("neon",),
)
def keccak_of_states(subject, entry, symbols, lanes, groups):
    """`groups` arrays of states side by side; assembly takes states one after another."""
    words = Words(lanes)
    call = subject.call(entry, None, None, domain=words)
    size = WORDS * lanes
    arrays = [size * groups] if lanes == 1 else [size] * groups
    arrays = [
        call.input(count, 8, (-(1 << 63), (1 << 63) - 1), is_written=True) for count in arrays
    ]
    given = [word for array in arrays for word in call.values(array)]
    call.run(symbols[0], *arrays)
    found = [word for array in arrays for word in call.values(array)]
    for first in range(0, len(given), size):
        for lane in range(lanes):
            state = slice(first + lane, first + size, lanes)
            wanted = permuted(words, given[state])
            for i, (word, want) in enumerate(zip(found[state], wanted, strict=True)):
                if word is not want:
                    raise Failure(f"word {i} of state {first // WORDS + lane} is another function")
    return call
