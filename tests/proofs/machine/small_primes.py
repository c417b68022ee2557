"""The kernels of Falcon, modulo 12289, and of NTRU Prime, modulo 3329 and modulo q.

The order of transforms' values is their own: it is proved that values are those at all roots,
and that the inverse undoes it.
"""

import numpy as np

import standard
from call import Array
from domain import Failure
from kernels import kernel


def evaluations(call, rows, degree, order, sign):
    """Each output is the polynomial (of a parity, for leaves of degree 2) at a root of z^order -
    sign of its own."""
    for parity in range(degree):
        own, roots = rows[parity::degree], rows[parity::degree, parity + degree]
        wanted, power = np.zeros_like(own), np.ones_like(roots)
        for j in range(parity, rows.shape[1], degree):
            wanted[:, j], power = power, power * roots % call.q
        if not np.array_equal(own, wanted) or any(
            pow(int(w), order, call.q) != sign % call.q for w in roots
        ):
            raise Failure("an output is no value at a root")
        if len(set(roots.tolist())) != len(roots):
            raise Failure("two values are at one root")


def undoes(inverse, forward, factor, q):
    """inverse forward = factor, in doubles: sums stay below 2^53, so each is exact."""
    count = len(forward)
    if count * q * q >= 1 << 53 or not np.array_equal(
        inverse.astype(float) @ forward.astype(float) % q, factor * np.eye(count) % q
    ):
        raise Failure("it does not undo the forward transform")


MATRICES = {}  # of forward transforms, for their inverses: (engine, library, name)


def remembered(subject, name, make=None):
    key = (subject.library.path, subject.engine, name)
    if make is not None:
        MATRICES[key] = make
    if key not in MATRICES:
        raise Failure("the forward transform is not proved")
    return MATRICES[key]


def falcon_forward(subject, entry, symbols, n):
    for in_place in (False, True):
        call = subject.call(entry, 12289, 16, n)
        source = call.input(n, 2, subject.bound("falcon_forward_in"), is_written=in_place)
        target = source if in_place else call.output(n, 2)
        call.run(symbols[0], source, target)
        rows = call.matrix(call.values(target))
        evaluations(call, rows, 1, n, -1)
        call.within(call.values(target), subject.bound(f"falcon_{n}_values"))
    remembered(subject, n, rows)
    return call


def falcon_words(subject, entry, symbols, n):
    """On words: residues in [0, q), before and after."""
    call = subject.call(entry, 12289, 16, n)
    call.domain.is_deep = True
    f = call.input(n, 2, (0, 12288), is_written=True)
    call.run(symbols[0], f)
    evaluations(call, call.matrix(call.values(f)), 1, n, -1)
    call.within(call.values(f), (0, 12288))
    return call


def falcon_product(subject, entry, symbols, n):
    """c - s h, with h as it is prepared."""
    call = subject.call(entry, 12289, 16, "point")
    q, half = 12289, (-6144, 6144)
    h, c = call.input(n, 2, (0, q - 1)), call.input(n, 2, (0, q - 1))
    s = call.input(n, 2, subject.bound("falcon_s2"), is_written=True)
    factor = call.output(2 * n, 2)
    call.domain.is_deep = True
    call.run(subject.wrappers.find(f"^wrapped_falcon_{n}_prepare$")[0], h, factor)
    call.domain.is_deep = False
    call.run(symbols[0], factor, c, s)
    product = standard.negacyclic_product(call.inputs(s), call.inputs(h), call.domain.forms.field)
    call.are_at_point(call.values(s), (call.inputs(c) - product) % q)
    call.within(call.values(s), half)
    return call


def falcon_quotient(subject, entry, symbols, n):
    """a f^(q - 2) of values, which is a / f where f is not 0. The answer whether it is depends on
    all."""
    q = 12289
    call = subject.call(entry, q, 16, "point")
    f, a = (
        call.input(n, 1, (-128, 127)),
        call.input(n, 2, subject.bound(f"falcon_{n}_inverse_in"), is_written=True),
    )
    call.run(symbols[0], f, a, subject.short_factor(pow(65536 * n, -1, q), q))
    field, forward = call.domain.forms.field, remembered(subject, n)
    powers = field.power(standard.matrix_product(forward, call.inputs(f), q), q - 2)
    # The transform forward of what comes out.
    values = [
        call.domain.forms.element(v.form) if v.form is not None else None for v in call.values(a)
    ]
    if any(v is None for v in values) or not np.array_equal(
        standard.matrix_product(forward, np.array(values), q), field.product(call.inputs(a), powers)
    ):
        raise Failure("the quotient is another one")
    call.within(call.values(a), (-6144, 6144))
    return call


def falcon_inverse(subject, entry, symbols, n, factor, scales=()):
    call = subject.call(entry, 12289, 16, n)
    w = call.input(n, 2, subject.bound(f"falcon_{n}_inverse_in"), is_written=True)
    call.run(symbols[0], w, *(subject.short_factor(scale, call.q) for scale in scales))
    undoes(call.matrix(call.values(w)), remembered(subject, n), factor, call.q)
    if factor == 1:
        call.within(call.values(w), subject.bound(f"falcon_{n}_inverse"))
    return call


for _n in (512, 1024):
    kernel(
        f"Falcon-{_n} c - s h", f"^wrapped_falcon_{_n}_subtract_product$", _n, is_long=_n == 1024
    )(falcon_product)
    kernel(f"Falcon-{_n} ntt on words", rf"falcon::ntt<ISA, {_n}ul>", _n, is_long=_n == 1024)(
        falcon_words
    )
    _of = rf"Transform<ISA, 12289, {2 * _n}ul, girih::transform::Leaves{{1ul}}>::"
    kernel(f"Falcon-{_n} forward", _of + r"forward_half<1ul, false>", _n)(falcon_forward)
    kernel(f"Falcon-{_n} inverse layers", _of + r"inverse_half<1ul>", _n, _n)(falcon_inverse)
    kernel(
        f"Falcon-{_n} quotient", rf"falcon::Quotient<ISA, {_n}ul>::divide_values", _n, is_long=True
    )(falcon_quotient)
    for _symbol, _scales, _may in (
        (f"^wrapped_falcon_{_n}_inverse$", (), False),
        (_of + "inverse_negacyclic", (pow(_n, -1, 12289),), True),
    ):
        kernel(
            f"Falcon-{_n} inverse" + (" in the library" if _may else ""),
            _symbol,
            _n,
            1,
            _scales,
            may_be_inlined=_may,
            loose="the bound is that of a product with any 16 bits",
        )(falcon_inverse)


def ntru_prime_input(call, count, capacity, size, bound):
    """A polynomial, and anything behind it."""
    array = call.input(capacity, size, bound)
    rest = Array(array.address + count * size, capacity - count, size)
    call.fill(rest, [call.domain.unknown(size) for _ in range(capacity - count)])
    return Array(array.address, count, size, array.first)


def product_modulo_q(subject, entry, symbols, p, q, capacity):
    """Products in R/q of a polynomial and a small one, in all steps: transforms, products of
    values, back, and x^p = x + 1."""
    call = subject.call(entry, q, 16, "point")
    ring = call.data(subject.data(rf"ntru_prime::ring_of<girih::ntru_prime::Ring{{{p}ul, "))
    a = ntru_prime_input(call, p, capacity, 2, (-(q // 2), q // 2))
    b, product = ntru_prime_input(call, p, capacity, 1, (-1, 1)), call.output(capacity, 2)
    call.run(symbols[0], ring, a, b, product)
    whole = call.domain.forms.field.convolution(call.inputs(a), call.inputs(b))
    values = call.values(Array(product.address, p, 2))
    call.are_at_point(values, [sum(terms) % q for terms in standard.ntru_prime_sums(whole, p)])
    call.within(values, (-(q // 2), q // 2))
    return call


def leaves(value, bound):
    """The terms of a sum, down to those that are within a bound."""
    return (
        [value]
        if value.terms is None or -bound <= value.low <= value.high <= bound
        else [x for t in value.terms for x in leaves(t, bound)]
    )


def product_modulo_3(subject, entry, symbols, p, capacity):
    """Products in R/3. Coefficients of the product before x^p = x + 1 are integers of at most p,
    and known modulo 3329 and by bounds: so they are exact. Sums of them are reduced modulo 3,
    for each integer that they can be."""
    call = subject.call(entry, 3329, 16, "point")
    a, b = (ntru_prime_input(call, p, capacity, 1, (-1, 1)) for _ in range(2))
    product, bound = call.output(capacity, 1), 3329 - p - 1
    call.run(symbols[0], p, a, b, product)
    whole = call.domain.forms.field.convolution(call.inputs(a), call.inputs(b))
    values = call.values(Array(product.address, p, 1))
    for i, (value, terms) in enumerate(zip(values, standard.ntru_prime_sums(whole, p))):
        total = value.source
        integers = np.arange(total.low, total.high + 1)
        found = leaves(total, bound)
        if any(x.low < -bound or x.high > bound for x in found) or not np.array_equal(
            call.domain.all_integers(value), (integers + 1) % 3 - 1
        ):
            raise Failure(f"output {i} is no residue modulo 3")
        # An integer within the bound that is 0 modulo 3329 is 0.
        found = [
            call.domain.forms.element(x.form).tolist()
            for x in found
            if not (isinstance(x.form, int) and x.form == 0)
        ]
        if sorted(x for x in found if any(x)) != sorted(t.tolist() for t in terms):
            raise Failure(f"output {i} is another map")
    call.within(values, (-1, 1))
    return call


def good_forward(subject, entry, symbols, r):
    """NTRU Prime's cyclic transform of 512 points, leaves of degree 2: whole, or in its two
    halves."""
    call = subject.call(entry, r, 16, 512)
    half = subject.bound("ntru_prime_first_layer")[1] // 2  # the first layer adds two
    source, target = call.input(512, 2, (-half, half)), call.output(512, 2)
    if len(symbols) == 1:
        call.run(symbols[0], source, target)
    else:
        for i, symbol in enumerate(sorted(symbols, key=lambda s: s[0])):
            call.run(symbol, source, target.address + 512 * i)
    rows = call.matrix(call.values(target))
    evaluations(call, rows, 2, 256, 1)
    call.within(call.values(target), subject.bound("ntru_prime_values"))
    remembered(subject, r, rows)
    return call


def good_inverse(subject, entry, symbols, r):
    call = subject.call(entry, r, 16, 512)
    w = call.input(512, 2, subject.bound("ntru_prime_inverse_in"), is_written=True)
    forward = remembered(subject, r)
    if len(symbols) == 1:
        call.run(symbols[0], w)
        rows = call.matrix(call.values(w))
        undoes(rows, forward, 256, r)
        call.within(call.values(w), subject.bound("ntru_prime_inverse"))
        return call
    for i, symbol in enumerate(sorted(symbols, key=lambda s: s[0])):
        call.run(symbol, w.address + 512 * i)
    rows = call.matrix(call.values(w))
    # Half i is the polynomial modulo z^128 - 1 or z^128 + 1, times 128. Their sum and difference,
    # which the caller forms, are the whole.
    a, b = rows[:256], rows[256:]
    undoes(np.concatenate([a + b, a - b]) % r, forward, 256, r)
    call.within(call.values(w), tuple(b // 2 for b in subject.bound("ntru_prime_inverse")))
    return call


_of = r"Transform<ISA, 3329, 256ul, girih::transform::Leaves{2ul, 0, 3329}>::"
kernel("NTRU Prime forward", _of + r"(forward_half<[01]ul, true>|forward_whole)", 3329)(
    good_forward
)
kernel(
    "NTRU Prime inverse",
    _of + r"(inverse_half<[01]ul>|inverse_whole)",
    3329,
    loose="the bound doubles what products with any 16 bits have, and few values are near that",
)(good_inverse)
kernel(
    "NTRU Prime inverse in the library",
    _of + r"inverse\(",
    3329,
    may_be_inlined=True,
    loose="the bound doubles what products with any 16 bits have, and few values are near that",
)(good_inverse)
for _p, _q in ((653, 4621), (761, 4591), (857, 5167), (953, 6343), (1013, 7177), (1277, 7879)):
    _capacity = 768 if _p <= 768 else 1280
    kernel(
        f"NTRU Prime {_p} product modulo q",
        rf"ntru_prime::ProductModuloQ<ISA, .*{_capacity}ul> >::multiply<",
        _p,
        _q,
        _capacity,
        is_long=_p != 761,
    )(product_modulo_q)
    kernel(
        f"NTRU Prime {_p} product modulo 3",
        rf"ntru_prime::ProductModulo3<ISA, {_capacity}ul>::multiply\(unsigned long, girih::ntru_prime::Small",
        _p,
        _capacity,
        is_long=_p != 761,
    )(product_modulo_3)
