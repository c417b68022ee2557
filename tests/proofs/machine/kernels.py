"""The kernels that are proved: for each its symbol, its inputs with their bounds, and the map
that its outputs are.

A kernel is read in the linked library. Where the compiler inlines it into its callers, a
wrapper of wrappers.hpp is read in its place, compiled with the library's flags. Bounds are
those that the sources declare: wrappers.hpp exports them by name.
"""

import random
import re
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

import standard
from call import Array, Call, Dropped
from domain import Failure
from standard import ML_DSA_Q, ML_KEM_Q, N

ARM_ENGINES = ("neon", "neon_sha3")
ENGINES = ("avx2", "avx512", "portable", *ARM_ENGINES)


@dataclass(frozen=True)
class Kernel:
    name: str
    symbol: str  # a pattern; ENGINE stands for the engine, ISA for its struct
    prove: Callable  # (the subject, the symbols) -> the call
    engines: tuple = ENGINES
    may_be_inlined: bool = False  # read where the compiler left it a function
    is_long: bool = False  # left out by --quick: the text of another entry, with other numbers
    loose: str = ""  # why a declared bound may be more than 10 % above what is found

    @property
    def is_wrapper(self):
        return self.symbol.startswith("^wrapped_")

    def pattern(self, engine):
        return self.symbol.replace("ISA", "girih::isa::ENGINE::Isa").replace("ENGINE", engine)


@dataclass
class Subject:
    """The images of one engine and compiler, and the bounds that the sources declare."""

    engine: str
    library: object
    wrappers: object
    decoded: list = field(default_factory=list)  # of the library, by each call

    def bound(self, name):
        """The declared bound `name`: its magnitude, or an interval if the name has a low end."""
        ends = [
            self.wrappers.find(f"^bound_{name}{end}$", functions=False)
            for end in ("", "_low", "_high")
        ]
        values = [
            int.from_bytes(self.wrappers.read(e[0][1], 8), "little", signed=True) if e else None
            for e in ends
        ]
        return (-values[0], values[0]) if values[0] is not None else (values[1], values[2])

    def short_factor(self, number, q):
        """A ShortFactor of transform/short_residue.hpp, as an argument: with a rounded quotient, or
        Montgomery's."""
        if self.engine in ARM_ENGINES:
            value = (number + q // 2) % q - q // 2
            quotient = (value * 65536 + q) // (2 * q)
        else:
            value = number * 65536 % q
            quotient = value * pow(q, -1, 65536)
        return value % 65536 | quotient % 65536 << 16

    def data(self, name):
        """The bytes of a constant of the library."""
        _, address, size = self.library.find(name, functions=False)[0]
        return self.library.read(address, size)

    def symbols(self, kernel):
        return (self.wrappers if kernel.is_wrapper else self.library).find(
            kernel.pattern(self.engine)
        )

    def call(self, kernel, q, word_bits, inputs=None, domain=None):
        call = Call(
            self.wrappers if kernel.is_wrapper else self.library, q, word_bits, inputs, domain
        )
        if not kernel.is_wrapper:
            self.decoded.append(call.machine.decoded)
        return call

    @property
    def executed(self):
        """The addresses of the library's instructions that proofs have run."""
        return set().union(*self.decoded)


KERNELS = []


def kernel(name, symbol, *arguments, **options):
    """Enters a kernel in the table, with the function that proves it and what that takes."""

    def enter(prove):
        KERNELS.append(
            Kernel(
                name,
                symbol,
                lambda subject, entry, symbols: prove(subject, entry, symbols, *arguments),
                **options,
            )
        )
        return prove

    return enter


# ---- ML-DSA

R32 = pow(2, 32, ML_DSA_Q)
R32_INVERSE = pow(R32, -1, ML_DSA_Q)


def transform(subject, entry, symbol, q, word_bits, size, wanted, bound, out_bound, in_place):
    """A linear map of 256 integers, between two arrays or in one."""
    call = subject.call(entry, q, word_bits, N)
    source = call.input(N, size, bound, is_written=in_place)
    target = source if in_place else call.output(N, size)
    call.run(symbol, source, target)
    call.is_map(call.values(target), wanted)
    call.within(call.values(target), out_bound)
    return call


@kernel("ML-DSA ntt", r"ml_dsa::kernels::ntt<ISA>", "any", False)
@kernel("ML-DSA ntt in place", r"ml_dsa::kernels::ntt<ISA>", "any", True)
@kernel("ML-DSA ntt of y", r"ml_dsa::kernels::ntt<ISA>", "y", False)
@kernel("ML-DSA ntt of z", r"ml_dsa::kernels::ntt<ISA>", "z", False)
@kernel("ML-DSA ntt of c", r"ml_dsa::kernels::ntt<ISA>", "c", False)
@kernel("ML-DSA ntt of s1, s2", r"ml_dsa::kernels::ntt<ISA>", "s", False)
@kernel("ML-DSA ntt of t0", r"ml_dsa::kernels::ntt<ISA>", "t0", False)
@kernel("ML-DSA ntt of t1 2^d", r"ml_dsa::kernels::ntt<ISA>", "t1", False)
def ml_dsa_ntt(subject, entry, symbols, of, in_place):
    bound, out_bound = subject.bound(f"ml_dsa_{of}"), subject.bound(f"ml_dsa_ntt_{of}")
    return transform(
        subject,
        entry,
        symbols[0],
        ML_DSA_Q,
        32,
        4,
        standard.ml_dsa_ntt(),
        bound,
        out_bound,
        in_place,
    )


LOOSE_INVERSE = "the bound is that of any Montgomery reduction; the last layer's factors are centred, which gives less"


@kernel("ML-DSA inverse_ntt", r"ml_dsa::kernels::inverse_ntt<ISA>", False, loose=LOOSE_INVERSE)
@kernel(
    "ML-DSA inverse_ntt in place", r"ml_dsa::kernels::inverse_ntt<ISA>", True, loose=LOOSE_INVERSE
)
def ml_dsa_inverse_ntt(subject, entry, symbols, in_place):
    # Products are divided by R, for which the last layer makes up.
    bound = subject.bound("ml_dsa_reduced")
    return transform(
        subject,
        entry,
        symbols[0],
        ML_DSA_Q,
        32,
        4,
        standard.ml_dsa_inverse_ntt() * R32,
        bound,
        bound,
        in_place,
    )


LOOSE_PRODUCT = "the bound is that of any Montgomery reduction; these sums stay below 2^31 q"


@kernel("ML-DSA multiply", "^wrapped_ml_dsa_multiply$", 1, False, loose=LOOSE_PRODUCT)
@kernel("ML-DSA dot of 4", "^wrapped_ml_dsa_dot_4$", 4, False, loose=LOOSE_PRODUCT)
@kernel("ML-DSA dot of 5", "^wrapped_ml_dsa_dot_5$", 5, False, loose=LOOSE_PRODUCT)
@kernel("ML-DSA dot of 7", "^wrapped_ml_dsa_dot_7$", 7, False, loose=LOOSE_PRODUCT)
@kernel(
    "ML-DSA dot_less_product of 4",
    "^wrapped_ml_dsa_dot_less_product_4$",
    4,
    True,
    loose=LOOSE_PRODUCT,
)
@kernel(
    "ML-DSA dot_less_product of 5",
    "^wrapped_ml_dsa_dot_less_product_5$",
    5,
    True,
    loose=LOOSE_PRODUCT,
)
@kernel(
    "ML-DSA dot_less_product of 7",
    "^wrapped_ml_dsa_dot_less_product_7$",
    7,
    True,
    loose=LOOSE_PRODUCT,
)
def ml_dsa_dot(subject, entry, symbols, terms, is_less_product):
    call = subject.call(entry, ML_DSA_Q, 32)
    a_bound, b_bound = (
        ((0, ML_DSA_Q - 1), subject.bound("ml_dsa_ntt_y"))
        if terms > 1
        else (subject.bound("ml_dsa_ntt_c"), subject.bound("ml_dsa_ntt_t0"))
    )
    a, b = call.input(terms * N, 4, a_bound), call.input(terms * N, 4, b_bound)
    pairs = [(a, b, j * N, R32_INVERSE) for j in range(terms)]
    arguments = [a, b]
    if is_less_product:
        c, t = (
            call.input(N, 4, subject.bound("ml_dsa_ntt_c")),
            call.input(N, 4, subject.bound("ml_dsa_ntt_t1")),
        )
        pairs.append((c, t, 0, -R32_INVERSE))
        arguments += [c, t]
    out = call.output(N, 4)
    call.run(symbols[0], *arguments, out)
    values = call.values(out)
    call.are_forms(
        values,
        [{(x.first + at + i, y.first + at + i): s for x, y, at, s in pairs} for i in range(N)],
    )
    call.within(values, subject.bound("ml_dsa_reduced"))
    return call


@kernel(
    "ML-DSA-44 add_product", r"ml_dsa::kernels::add_product<ISA, girih::ml_dsa::Shape{4ul", 2, 39
)
@kernel(
    "ML-DSA-65 add_product", r"ml_dsa::kernels::add_product<ISA, girih::ml_dsa::Shape{6ul", 4, 49
)
@kernel(
    "ML-DSA-87 add_product", r"ml_dsa::kernels::add_product<ISA, girih::ml_dsa::Shape{8ul", 2, 60
)
def ml_dsa_add_product(subject, entry, symbols, eta, tau):
    """a + c s. Addresses and branches depend on c, which is public: it is one of five drawn
    challenges here, of which one has no negative term and one no positive one."""
    draw = random.Random(tau)
    for minuses in (0, tau, *(draw.randrange(1, tau) for _ in range(3))):
        powers = draw.sample(range(N), tau)
        call = subject.call(entry, ML_DSA_Q, 32)
        a, product, total = (
            call.input(N, 4, subject.bound("ml_dsa_y")),
            call.output(N, 1),
            call.output(N, 4),
        )
        s = call.input(N, 1, (-eta, eta))
        both = call.place(2 * N, False)  # -s, and s behind it
        values = call.values(s)
        zero = call.domain.constant(1, 0)
        call.fill(Array(both, 2 * N, 1), [call.domain.add(zero, v, -1) for v in values] + values)
        lists = [
            call.data(b"".join(p.to_bytes(4, "little") for p in sorted(part)))
            for part in (powers[minuses:], powers[:minuses])
        ]
        terms = call.data(
            b"".join(
                x.to_bytes(8, "little") for part in lists for x in (part.address, part.count // 4)
            )
        )
        call.run(symbols[0], a, terms, both, product, total)
        wanted = [{a.first + i: 1} for i in range(N)]
        for k, power in enumerate(powers):
            for i in range(N):
                sign = (-1 if k < minuses else 1) * (-1 if i < power else 1)
                wanted[i][s.first + (i - power) % N] = sign
        call.are_forms(call.values(total), wanted)
        call.within(
            call.values(total),
            tuple(b + sign * tau * eta for b, sign in zip(subject.bound("ml_dsa_y"), (-1, 1))),
        )
    return call


@kernel(
    "ML-DSA any_at_least", r"ml_dsa::any_at_least<ISA>", 4, 1 << 30, (1 << 17,), may_be_inlined=True
)
@kernel("ML-KEM is_below_q", r"ml_kem::is_below_q<ISA>", 2, 4095, ())
def comparison(subject, entry, symbols, size, bound, limit):
    """Whether some coefficient is beyond a limit: only memory, branches and sums; the answer is
    one of all inputs, and tests/kernels tries each residue in each lane."""
    call = subject.call(entry, ML_DSA_Q, 8 * size)
    call.run(symbols[0], call.input(N, size, (-bound if limit else 0, bound)), *limit)
    return call


# ---- Packing: ML-DSA's and ML-KEM's


def packing(subject, entry, symbols, is_pack, bits, distance, size):
    """Integers of `bits` bits, which are the coefficients c or their distances b - c, lowest bits
    first."""
    call = subject.call(entry, ML_DSA_Q if size == 4 else ML_KEM_Q, 8 * size)
    bound = (0, (1 << bits) - 1) if distance is None else (distance - (1 << bits) + 1, distance)
    domain = call.domain
    if is_pack:
        coefficients, out = call.input(N, size, bound), call.output(N * bits // 8, 1)
        fields = call.values(coefficients)
        call.run(symbols[0], coefficients, out)
        given = call.bits(out)
        for i, c in enumerate(fields):
            held = domain.integer(
                tuple(given[bits * i : bits * (i + 1)]) + (0,) * (32 * size // 4 - bits)
            )
            check_field(domain, i, held, c, distance, (0, (1 << bits) - 1))
    else:
        source, fields = call.packed(N, bits)
        out = call.output(N, size)
        call.run(symbols[0], source, out)
        for i, (v, c) in enumerate(zip(call.values(out), fields)):
            check_field(domain, i, v, c, distance, bound)
    return call


def check_field(domain, i, value, source, distance, bound):
    """value = source, or distance - source, as integers: congruent modulo q, and both in an
    interval of fewer than q integers; or the same bits."""
    if distance is None:
        width = 8 * max(value.size, source.size)
        if any(value.bit(k) != source.bit(k) for k in range(width)):
            raise Failure(f"integer {i} has other bits")
        return
    wanted = domain.forms.sum(distance % domain.q, source.form, -1)
    if (
        value.form != wanted
        or value.low < bound[0]
        or value.high > bound[1]
        or bound[1] - bound[0] >= domain.q
    ):
        raise Failure(f"integer {i} is another one")


for _bits, _distance in (
    (3, 2),
    (4, 4),
    (13, 4096),
    (18, 1 << 17),
    (20, 1 << 19),
    (4, None),
    (6, None),
    (10, None),
):
    _map = "Identity" if _distance is None else f"DistanceFrom<{_distance}>"
    _name = f"{_bits} bits" + ("" if _distance is None else f", {_distance} - c")
    for _is_pack in (True, False):
        kernel(
            f"ML-DSA {'pack' if _is_pack else 'unpack'} {_name}",
            rf"::{'' if _is_pack else 'un'}pack<{_bits}, girih::module_lattice::IntegerLanes<ISA>, girih::module_lattice::{re.escape(_map)}",
            _is_pack,
            _bits,
            _distance,
            4,
        )(packing)
for _bits in (1, 4, 5, 6, 10, 11, 12):
    for _is_pack in (True, False):
        if not (_is_pack and _bits == 6):
            kernel(
                f"ML-KEM {'pack' if _is_pack else 'unpack'} {_bits} bits",
                rf"::{'' if _is_pack else 'un'}pack<{_bits}, girih::ml_kem::Lanes<ISA>, girih::module_lattice::Identity",
                _is_pack,
                _bits,
                None,
                2,
            )(packing)


# ---- ML-KEM

R16 = pow(2, 16, ML_KEM_Q)
R16_INVERSE = pow(R16, -1, ML_KEM_Q)
ANY_16 = (-32768, 32767)
ML_KEM_TRANSFORM = r"Transform<ISA, 3329, 256ul, girih::transform::Leaves{2ul, 17, \d+}>::"
LOOSE_VALUES = "the bound is that of reduce on any 16 bits"


@kernel("ML-KEM ntt", ML_KEM_TRANSFORM + r"forward_half<1ul, false>", loose=LOOSE_VALUES)
def ml_kem_ntt(subject, entry, symbols):
    return transform(
        subject,
        entry,
        symbols[0],
        ML_KEM_Q,
        16,
        2,
        standard.ml_kem_ntt(),
        subject.bound("ml_kem_ntt_in"),
        subject.bound("ml_kem_reduced"),
        False,
    )


@kernel(
    "ML-KEM inverse layers",
    ML_KEM_TRANSFORM + r"inverse_half<1ul>",
    engines=tuple(e for e in ENGINES if e not in ARM_ENGINES),
)
def ml_kem_inverse_layers(subject, entry, symbols):
    call = transform(
        subject,
        entry,
        symbols[0],
        ML_KEM_Q,
        16,
        2,
        standard.ml_kem_inverse_ntt() * (N // 2),
        subject.bound("ml_kem_product"),
        ANY_16,
        True,
    )
    call.declared = None  # any 16 bits may go into the last product
    return call


@kernel(
    "ML-KEM inverse_ntt",
    "^wrapped_ml_kem_inverse_ntt$",
    loose="the bound is that of a product with any 16 bits",
)
@kernel(
    "ML-KEM inverse_ntt of two blocks",
    ML_KEM_TRANSFORM + "inverse_two_blocks<",
    engines=ARM_ENGINES,
    loose="the bound is that of a product with any 16 bits",
)
def ml_kem_inverse_ntt(subject, entry, symbols):
    return transform(
        subject,
        entry,
        symbols[0],
        ML_KEM_Q,
        16,
        2,
        standard.ml_kem_inverse_ntt() * R16,
        subject.bound("ml_kem_product"),
        subject.bound("ml_kem_inverse"),
        False,
    )


@kernel(
    "ML-KEM inverse_ntt in the library",
    ML_KEM_TRANSFORM + "inverse_negacyclic",
    may_be_inlined=True,
    loose="the bound is that of a product with any 16 bits",
)
def ml_kem_inverse_negacyclic(subject, entry, symbols):
    """The inverse with its factor 2^16 / 128."""
    call = subject.call(entry, ML_KEM_Q, 16, N)
    w = call.input(N, 2, subject.bound("ml_kem_product"), is_written=True)
    call.run(symbols[0], w, subject.short_factor(R16 * pow(N // 2, -1, ML_KEM_Q), ML_KEM_Q))
    call.is_map(call.values(w), standard.ml_kem_inverse_ntt() * R16)
    call.within(call.values(w), subject.bound("ml_kem_inverse"))
    return call


def factor_places(engine):
    """The places of b0, gamma b1, b1 and b0 in a Factor, for each residue.

    They are in pairs (b0, gamma b1) and (b1, b0); or in vectors of eight, of b0 and gamma b1 in
    turns, and of b1 after them.
    """
    if engine not in ARM_ENGINES:
        return [(2 * i, 2 * i + 1, N + 2 * i, N + 2 * i + 1) for i in range(N // 2)]
    return [(at := i // 8 * 16 + i % 8, at + 8, N + i, at) for i in range(N // 2)]


@kernel("ML-KEM make_factor", r"ml_kem::make_factor<ISA>")
def ml_kem_make_factor(subject, entry, symbols):
    """b0, gamma b1, b1 and b0 of each residue b0 + b1 X."""
    call = subject.call(entry, ML_KEM_Q, 16)
    places = factor_places(subject.engine)
    b, factor = call.input(N, 2, ANY_16), call.output(1 + max(max(p) for p in places), 2)
    call.run(symbols[0], b, factor)
    values, wanted = call.values(factor), [None] * factor.count
    for i, (b0, gamma_b1, b1, again) in enumerate(places):
        wanted[b0] = wanted[again] = {b.first + 2 * i: 1}
        wanted[b1], wanted[gamma_b1] = (
            {b.first + 2 * i + 1: 1},
            {b.first + 2 * i + 1: standard.ml_kem_gamma(i)},
        )
    call.are_forms(values, wanted)
    call.within(values, subject.bound("ml_kem_reduced"))
    return call


@kernel("ML-KEM dot of 12 bits", r"ml_kem::dot<ISA, .*Bound{0l, 4095l}", False, loose=LOOSE_VALUES)
@kernel(
    "ML-KEM dot of reduced", r"ml_kem::dot<ISA, .*Bound{-2160l, 2160l}", True, loose=LOOSE_VALUES
)
def ml_kem_dot(subject, entry, symbols, is_reduced):
    """The sum of up to four products modulo X^2 - gamma, of factors that make_factor has
    prepared."""
    for terms in (2, 3, 4):
        call = subject.call(entry, ML_KEM_Q, 16)
        a = call.input(terms * N, 2, subject.bound("ml_kem_reduced") if is_reduced else (0, 4095))
        b = call.input(terms * 2 * N, 2, subject.bound("ml_kem_reduced"))
        out = call.output(N, 2)
        call.run(symbols[0], a, terms, b, Dropped(terms), out)
        values = call.values(out)
        places = factor_places(subject.engine)
        call.are_forms(
            values,
            [
                {
                    (
                        a.first + j * N + i // 2 * 2 + half,
                        b.first + j * 2 * N + places[i // 2][i % 2 * 2 + half],
                    ): R16_INVERSE
                    for j in range(terms)
                    for half in (0, 1)
                }
                for i in range(N)
            ],
        )
        call.within(values, subject.bound("ml_kem_product"))
    return call


@kernel("ML-KEM scale_and_add", r"ml_kem::scale_and_add<ISA>")
def ml_kem_scale_and_add(subject, entry, symbols):
    call = subject.call(entry, ML_KEM_Q, 16)
    a, b = (call.input(N, 2, subject.bound(name)) for name in ("ml_kem_product", "ml_kem_reduced"))
    out = call.output(N, 2)
    call.run(symbols[0], a, b, out)
    call.are_forms(call.values(out), [{a.first + i: R16, b.first + i: 1} for i in range(N)])
    call.within(call.values(out), (0, ML_KEM_Q - 1))
    return call


@kernel("ML-KEM subtract_product", r"ml_kem::subtract_product<ISA>", loose=LOOSE_VALUES)
def ml_kem_subtract_product(subject, entry, symbols):
    call = subject.call(entry, ML_KEM_Q, 16)
    t, total = (
        call.input(N, 2, (0, 4095)),
        call.input(N, 2, subject.bound("ml_kem_product"), is_written=True),
    )
    call.run(symbols[0], t, total)
    call.are_forms(
        call.values(total), [{t.first + i: R16_INVERSE, total.first + i: -1} for i in range(N)]
    )
    call.within(call.values(total), subject.bound("ml_kem_product"))
    return call


@kernel("ML-KEM make_canonical", r"ml_kem::make_canonical<ISA>")
def ml_kem_make_canonical(subject, entry, symbols):
    call = subject.call(entry, ML_KEM_Q, 16)
    f = call.input(N, 2, ANY_16, is_written=True)
    call.run(symbols[0], f)
    call.are_forms(call.values(f), [{f.first + i: 1} for i in range(N)])
    call.within(call.values(f), (0, ML_KEM_Q - 1))
    return call


@kernel("ML-KEM add_to", r"ml_kem::add_to<ISA>", 1)
@kernel("ML-KEM subtract_from", r"ml_kem::subtract_from<ISA>", -1)
def ml_kem_sum(subject, entry, symbols, sign):
    """a + b in place of a, and a - b in place of b, for any that do not overflow."""
    call = subject.call(entry, ML_KEM_Q, 16)
    bound = (-16383, 16383)
    a, b = (
        call.input(N, 2, bound, is_written=sign > 0),
        call.input(N, 2, bound, is_written=sign < 0),
    )
    call.run(symbols[0], a, b)
    call.are_forms(
        call.values(a if sign > 0 else b), [{a.first + i: 1, b.first + i: sign} for i in range(N)]
    )
    return call


@kernel("ML-KEM compress 1", r"ml_kem::compress_and_encode<1, ISA>", 1)
@kernel("ML-KEM compress 4", r"ml_kem::compress_and_encode<4, ISA>", 4)
@kernel("ML-KEM compress 5", r"ml_kem::compress_and_encode<5, ISA>", 5)
@kernel("ML-KEM compress 10", r"ml_kem::compress_and_encode<10, ISA>", 10)
@kernel("ML-KEM compress 11", r"ml_kem::compress_and_encode<11, ISA>", 11)
def ml_kem_compress(subject, entry, symbols, d):
    """ByteEncode(Compress(f)) of any 16-bit integers: each output's bits are those of one value
    that is Compress of one input, for every integer that it can be."""
    call = subject.call(entry, ML_KEM_Q, 16)
    f, out = call.input(N, 2, ANY_16), call.output(N * d // 8, 1)
    fields = call.values(f)
    call.run(symbols[0], f, out, N * d // 8)
    given, wanted = call.bits(out), standard.compress(np.arange(-32768, 32768), d)
    for i, source in enumerate(fields):
        value = call.domain.integer(tuple(given[d * i : d * (i + 1)]) + (0,) * (16 - d))
        if value.source is not source or not np.array_equal(
            call.domain.all_integers(value), wanted
        ):
            raise Failure(f"integer {i} is no Compress_{d}")
    return call


@kernel(
    "ML-KEM decompress 1",
    r"ml_kem::decode_and_decompress<1, ISA>",
    1,
    loose="the bound is that of all d; of one bit comes 0 or 1665",
)
@kernel("ML-KEM decompress 4", r"ml_kem::decode_and_decompress<4, ISA>", 4)
@kernel("ML-KEM decompress 5", r"ml_kem::decode_and_decompress<5, ISA>", 5)
@kernel("ML-KEM decompress 10", r"ml_kem::decode_and_decompress<10, ISA>", 10)
@kernel("ML-KEM decompress 11", r"ml_kem::decode_and_decompress<11, ISA>", 11)
def ml_kem_decompress(subject, entry, symbols, d):
    call = subject.call(entry, ML_KEM_Q, 16)
    source, fields = call.packed(N, d)
    f = call.output(N, 2)
    call.run(symbols[0], source, Dropped(N * d // 8), f)
    wanted = standard.decompress(np.arange(1 << d), d)
    for i, (value, field) in enumerate(zip(call.values(f), fields)):
        if value.source is not field or not np.array_equal(call.domain.all_integers(value), wanted):
            raise Failure(f"integer {i} is no Decompress_{d}")
    call.within(call.values(f), (0, ML_KEM_Q - 1))
    return call


import keccak  # noqa: E402,F401  enters the permutations
import small_primes  # noqa: E402,F401  enters Falcon's kernels and NTRU Prime's
