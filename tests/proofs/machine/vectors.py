"""x86-64 machine code: vectors and masks (reader.py says how bytes and lanes are held)."""

import re
from functools import partial, reduce

from domain import Failure, Value
from reader import bits_of, bytes_of_bits


# ---- Shuffles by constants: for each byte of the result, its number in the operands' bytes one
# after another, or None for zero. `size` is a register's, `imm` the constant.


def within(size, block, pick):
    """In each block: byte j comes from byte pick(j) of the block, or of the next operand's from
    `block` on."""
    chosen = []
    for start in range(0, size, block):
        for j in range(block):
            s = pick(j)
            chosen.append(
                None if s is None else start + s if s < block else size + start + s - block
            )
    return chosen


def lanes4(lane, imm, j):
    """Byte j, if each lane of four comes from the lane that two bits of the constant name."""
    return lane * (imm >> 2 * (j // lane) & 3) + j % lane


def interleaved(lane, half):
    return lambda j: j // (2 * lane) * lane + j % lane + half + (16 if j // lane % 2 else 0)


SHUFFLES = {
    "vpshufd": lambda size, imm: within(size, 16, lambda j: lanes4(4, imm, j)),
    "vpshuflw": lambda size, imm: within(size, 16, lambda j: lanes4(2, imm, j) if j < 8 else j),
    "vpshufhw": lambda size, imm: within(
        size, 16, lambda j: 8 + lanes4(2, imm, j - 8) if j >= 8 else j
    ),
    "vpermq": lambda size, imm: within(size, 32, lambda j: lanes4(8, imm, j)),
    "vshufps": lambda size, imm: within(
        size, 16, lambda j: lanes4(4, imm, j) + (16 if j >= 8 else 0)
    ),
    "vshufpd": lambda size, imm: [
        i // 16 * 16 + 8 * (imm >> i // 8 & 1) + i % 8 + (size if i % 16 >= 8 else 0)
        for i in range(size)
    ],
    "vpblendw": lambda size, imm: [
        i + (size if imm >> (i // 2 % 8) & 1 else 0) for i in range(size)
    ],
    "vblendps": lambda size, imm: [i + (size if imm >> (i // 4) & 1 else 0) for i in range(size)],
    "vpblendd": lambda size, imm: [i + (size if imm >> (i // 4) & 1 else 0) for i in range(size)],
    "vperm2i128": lambda size, imm: [
        None if imm >> (i // 16 * 4 + 3) & 1 else 16 * (imm >> (i // 16 * 4) & 3) + i % 16
        for i in range(32)
    ],
    "vmovsd": lambda size, imm: [*range(16, 24), *range(8, 16)],
}
SHUFFLES["vperm2f128"] = SHUFFLES["vperm2i128"]
for _name, _lane in (
    ("punpck{}bw", 1),
    ("punpck{}wd", 2),
    ("punpck{}dq", 4),
    ("punpck{}qdq", 8),
    ("unpck{}ps", 4),
    ("unpck{}pd", 8),
):
    for _letter, _half in (("l", 0), ("h", 8)):
        SHUFFLES["v" + _name.format(_letter)] = lambda size, imm, lane=_lane, half=_half: within(
            size, 16, interleaved(lane, half)
        )
ONE_OPERAND = {"vpshufd", "vpshuflw", "vpshufhw", "vpermq"}

BLOCKS = {
    "128": 16,
    "32x4": 16,
    "64x2": 16,
    "64x4": 32,
    "32x8": 32,
}  # of extract, insert and broadcast


LETTERS = {"b": 1, "w": 2, "d": 4, "q": 8}

# ---- Lanes. name: (bytes of a lane, the domain's operation on two lanes)
ARITHMETIC = {
    "vpmullw": (2, lambda d, a, b: d.half_product(a, b, "multiply")),
    "vpmulhw": (2, lambda d, a, b: d.half_product(a, b, "multiply_high")),
    "vpmulhuw": (2, lambda d, a, b: d.multiply_high_unsigned(a, b)),
    "vpmulld": (4, lambda d, a, b: d.half_product(a, b, "multiply")),
    "vpmulhrsw": (2, lambda d, a, b: d.of_one_source("multiply_rounded", a, b)),
}
for _letter, _size in LETTERS.items():
    ARITHMETIC["vpcmpgt" + _letter] = (_size, lambda d, a, b: d.compared("gt", a, b))
    ARITHMETIC["vpminu" + _letter] = (
        _size,
        lambda d, a, b: d.of_one_source("minimum_unsigned", a, b),
    )
    ARITHMETIC["vpsubus" + _letter] = (
        _size,
        lambda d, a, b: d.of_one_source("subtract_unsigned", a, b),
    )
    ARITHMETIC["vpmaxu" + _letter] = (
        _size,
        lambda d, a, b: d.of_one_source("maximum_unsigned", a, b),
    )
    ARITHMETIC["vpcmpeq" + _letter] = (_size, lambda d, a, b: d.compared("eq", a, b))
    ARITHMETIC["vpadd" + _letter] = (_size, lambda d, a, b: d.add(a, b))
    ARITHMETIC["vpsub" + _letter] = (_size, lambda d, a, b: d.add(a, b, -1))
SHIFTS = {
    "sll": "shift_left",
    "srl": "shift_right_unsigned",
    "sra": "shift_right",
    "rol": "rotate_left",
    "ror": "rotate_right",
}


class Vectors:
    """The part of a Machine that reads instructions on vectors and masks."""

    # ---- Masks.

    def mask(self, ins):
        name, o = ins.name, ins.operands
        if name.startswith("kmov"):
            size = 8 * LETTERS[name[4]]
            if o[0].kind == "register":
                bits = self.masks[o[1].text][:size]
                if any(isinstance(b, Value) for b in bits):
                    raise Failure("a mask of inputs goes into a general register")
                return self.write(
                    o[0],
                    list(sum(b << i for i, b in enumerate(bits)).to_bytes(o[0].size, "little")),
                )
            bits = (
                self.masks[o[1].text]
                if o[1].kind == "mask"
                else bits_of(self.read(o[1], o[1].size))
            )
            if any(isinstance(b, tuple) for b in bits):
                raise Failure("a mask is made of inputs")
            self.masks[o[0].text] = list(bits[:size]) + [0] * (64 - size)
            return None
        if name != "kxord":
            raise Failure(f"an instruction that is not known: {ins.text}")
        self.masks[o[0].text] = [
            self.mask_bit(a, b) for a, b in zip(self.masks[o[1].text][:32], self.masks[o[2].text])
        ] + [0] * 32
        return None

    def mask_bit(self, a, b):
        """The exclusive or of two bits, each of which may be a lane's Value, 0 or -1."""
        if not isinstance(a, Value) and not isinstance(b, Value):
            return a ^ b
        size = a.size if isinstance(a, Value) else b.size
        result = self.domain.of_one_source(
            "xor", *(x if isinstance(x, Value) else self.domain.constant(size, -x) for x in (a, b))
        )
        return result if result.constant is None else result.constant & 1

    # ---- Vectors.

    @staticmethod
    def element(name):
        """The bytes of a lane for masks, by the end of an instruction's name."""
        match = re.search(r"(8|16|32|64)$", name)
        if match:
            return int(match[1]) // 8
        if match := re.search(r"(32|64)x\d$", name):
            return int(match[1]) // 8
        return {"ps": 4, "pd": 8}.get(name[-2:]) or LETTERS.get(name[-1], 8)

    def vector(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        if name == "vzeroupper":
            for number in range(16):
                if number in self.vectors:
                    self.vectors[number] = self.vectors[number][:16] + [0] * 48
            return None
        element = self.element(name)
        if re.fullmatch(r"vmov(dq[au]|[au]ps)(8|16|32|64)?", name):
            return self.move(ins, element)
        if name in ("vmovd", "vmovq"):
            size = 4 if name == "vmovd" else 8
            data = self.read(o[1], size)[:size]
            return self.write(o[0], data + [0] * (16 - size) if o[0].kind == "vector" else data)
        if name in ("vmovsd", "vmovss") and "memory" in (o[0].kind, o[-1].kind):
            size = 8 if name == "vmovsd" else 4
            return self.write(
                o[0],
                self.read(o[-1], 16)[:size] + [0] * (0 if o[0].kind == "memory" else 16 - size),
            )
        if match := re.fullmatch(r"vp?broadcast(w|d|q|ss|sd|i(?:128|32x4))", name):
            size = {"ss": 4, "sd": 8}.get(match[1]) or LETTERS.get(match[1]) or BLOCKS[match[1][1:]]
            return self.write_lanes(
                ins, self.read(o[1], size)[:size] * (o[0].size // size), element
            )
        if match := re.fullmatch(r"vextract[if](128|32x4|64x2|64x4|32x8)", name):
            size = BLOCKS[match[1]]
            at = size * (o[2].value % (o[1].size // size))
            return self.write_lanes(ins, self.read(o[1], 64)[at : at + size], element)
        if match := re.fullmatch(r"vpextr([bwdq])", name):
            size = LETTERS[match[1]]
            at = size * (o[-1].value % (16 // size))
            data = self.read(o[-2], 16)[at : at + size]
            return self.write(
                o[0],
                data
                if o[0].kind == "memory"
                else (data + [0] * 4)[: max(4, size)]
                if size < 8
                else data,
            )
        size = o[0].size if o[0].kind == "vector" else o[1].size
        if match := re.fullmatch(r"vinsert[if](128|32x4|64x2|64x4|32x8)", name):
            block, data = BLOCKS[match[1]], list(self.read(o[1], size))
            at = block * (o[3].value % (size // block))
            data[at : at + block] = self.read(o[2], block)
            return self.write_lanes(ins, data, element)
        if match := re.fullmatch(r"vpinsr([wq])", name):
            block, data = LETTERS[match[1]], list(self.read(o[1], 16))
            at = block * (o[-1].value % (16 // block))
            data[at : at + block] = self.read(o[-2], block)[:block]
            return self.write(o[0], data)
        if name == "vshufi64x2":
            a, b, blocks, imm = self.read(o[1], size), self.read(o[2], size), size // 16, o[3].value
            step = blocks.bit_length() - 1
            chosen = [
                (a if i < blocks // 2 else b, 16 * (imm >> step * i & (blocks - 1)))
                for i in range(blocks)
            ]
            return self.write_lanes(
                ins, [x for source, at in chosen for x in source[at : at + 16]], element
            )
        if name in SHUFFLES and (o[-1].kind == "constant" or name != "vpermq"):
            imm = o[-1].value if o[-1].kind == "constant" else 0
            given = o[1:2] if name in ONE_OPERAND else o[1:3]
            data = [x for operand in given for x in self.read(operand, size)]
            return self.write_lanes(
                ins, [0 if i is None else data[i] for i in SHUFFLES[name](size, imm)], element
            )
        if name in ("vpshufb", "vpermb", "vpermd", "vpermq") or re.fullmatch(
            "vperm[it]2[bwdq]", name
        ):
            return self.shuffle_by_indices(ins, element, size)
        if match := re.fullmatch(r"vp(s[lr]l|sra|ro[lr])(v?)([wdq])", name):
            return self.shift(ins, SHIFTS[match[1]], match[2], LETTERS[match[3]], size)
        if name in ("vpexpandd", "vpexpandq"):
            return self.expanded(ins, element, size)
        if name == "vpmultishiftqb":
            control, bits, result = self.read(o[1], size), bits_of(self.read(o[2], size)), []
            for i, c in enumerate(control):
                word = bits[i // 8 * 64 : i // 8 * 64 + 64]
                result += [word[(self.number([c]) + j) % 64] for j in range(8)]
            return self.write_lanes(ins, bytes_of_bits(result), 1)
        if match := re.fullmatch(r"vpmov(sx|zx)([bwd])([wdq])", name):
            narrow, wide = LETTERS[match[2]], LETTERS[match[3]]
            data = self.read(o[1], size * narrow // wide)
            parts = [data[i : i + narrow] for i in range(0, len(data), narrow)]
            return self.write_lanes(
                ins,
                [
                    x
                    for p in parts
                    for x in (
                        p + [0] * (wide - narrow)
                        if match[1] == "zx"
                        else self.bytes_of([d.resized(self.lane(p), wide)])
                    )
                ],
                element,
            )
        if match := re.fullmatch(r"vpmov([qdw])([dwb])", name):
            wide, narrow = LETTERS[match[1]], LETTERS[match[2]]
            data = self.read(o[1], o[1].size)
            return self.write_lanes(
                ins, [x for i in range(0, len(data), wide) for x in data[i : i + narrow]], element
            )
        if match := re.fullmatch(r"vps([lr])ldq", name):
            data, by = self.read(o[1], size), min(o[2].value, 16)
            blocks = [data[i : i + 16] for i in range(0, size, 16)]
            return self.write_lanes(
                ins,
                [
                    x
                    for b in blocks
                    for x in ([0] * by + b[: 16 - by] if match[1] == "l" else b[by:] + [0] * by)
                ],
                element,
            )
        if re.fullmatch(r"v?p?blendv(b|ps|pd)", name):
            lane = {"b": 1, "ps": 4, "pd": 8}[name.split("blendv")[1]]
            signs = [
                d.shifted(x, "shift_right", 8 * lane - 1)
                for x in self.lanes(self.read(o[3], size), lane)
            ]
            chosen = self.chosen(
                [x if x.constant is None else x.constant & 1 for x in signs],
                self.read(o[2], size),
                self.read(o[1], size),
                lane,
            )
            return self.write(o[0], chosen)
        if name in ("vtestps", "vtestpd", "vptest"):
            self.flags = None  # of inputs
            return None
        if (
            re.fullmatch(r"vpblendm[wd]|vpmov[wd]2m|vpmovm2[wd]", name)
            or re.match("vpcmp|vptest", name)
            and o[0].kind == "mask"
        ):
            return self.conditional(ins, element, size)
        return self.write_lanes(ins, self.lane_operation(ins, name, size), element)

    def move(self, ins, element):
        o = ins.operands
        size = o[0].size if o[0].kind == "vector" else o[1].size
        if (
            o[1].kind == "memory" and ins.mask is not None and ins.zeroes
        ):  # what is masked is not read
            at, bits = self.address(o[1]), self.masks[ins.mask]
            return self.write(
                o[0],
                [
                    x
                    for i in range(0, size, element)
                    for x in (self.load(at + i, element) if bits[i // element] else [0] * element)
                ],
            )
        return self.write_lanes(ins, self.read(o[1], size), element)

    def shuffle_by_indices(self, ins, element, size):
        name, o = ins.name, ins.operands
        if "i2" in name or "t2" in name:
            index, tables = (o[0], (o[1], o[2])) if "i2" in name else (o[1], (o[0], o[2]))
        else:
            index, tables = (o[2], (o[1],)) if name == "vpshufb" else (o[1], (o[2],))
        data = [x for table in tables for x in self.read(table, size)]
        indices, result = self.read(index, size), []
        for i in range(0, size, element):
            k = self.number(indices[i : i + element], "the index of a shuffle")
            if name == "vpshufb":
                result.append(0 if k & 0x80 else data[i // 16 * 16 + (k & 15)])
            else:
                at = element * (k % (len(data) // element))
                result += data[at : at + element]
        return self.write_lanes(ins, result, element)

    def expanded(self, ins, element, size):
        """Elements of the source, one after another, in the lanes that the mask has."""
        o, bits = ins.operands[1], self.masks[ins.mask][: size // element]
        lanes = [i for i, bit in enumerate(self.number([b]) for b in bits) if bit]
        source = (
            self.load(self.address(o), element * len(lanes))
            if o.kind == "memory"
            else self.read(o, size)
        )
        data = [0] * size
        for i, lane in enumerate(lanes):
            data[element * lane : element * (lane + 1)] = source[element * i : element * (i + 1)]
        return self.write_lanes(ins, data, element)

    def shift(self, ins, operation, is_variable, lane, size):
        o, result = ins.operands, []
        data = self.read(o[1], size)
        if is_variable:
            counts = self.read(o[2], size)
            counts = [
                self.number(counts[i : i + lane], "the count of a shift")
                for i in range(0, size, lane)
            ]
        else:
            counts = [
                o[2].value & 0xFF
                if o[2].kind == "constant"
                else self.number(self.read(o[2], 8), "the count of a shift")
            ] * (size // lane)
        for i, by in zip(range(0, size, lane), counts):
            result += self.shifted(data[i : i + lane], operation, by)
        return self.write_lanes(ins, result, lane)

    def lane_operation(self, ins, name, size):
        if (
            len(ins.operands) == 3
            and ins.operands[1].text == ins.operands[2].text
            and re.match("vpxor|vxorp|vpsub", name)
        ):
            return [0] * size  # whatever is in the register
        if name in ("vpternlogd", "vpternlogq"):
            return self.ternary(ins, size)
        given = ins.operands[1:3] if name != "vpdpwssd" else ins.operands[1:]
        a, b = (self.read(o, size) for o in given)
        if match := re.fullmatch(r"vp?(andn?|or|xor)(ps|pd|[dq])?", name):
            a = self.bitwise("xor", a, [255] * size) if match[1] == "andn" else a
            return self.bitwise(match[1].rstrip("n"), a, b)
        if name in ARITHMETIC:
            lane, operation = ARITHMETIC[name]
            return self.bytes_of(
                [
                    operation(self.domain, x, y)
                    for x, y in zip(self.lanes(a, lane), self.lanes(b, lane))
                ]
            )
        if name not in self.PAIRS:
            raise Failure(f"an instruction that is not known: {ins.text}")
        return self.PAIRS[name](self, a, b, size, ins)

    def products(self, a, b, size, ins):
        """The low 32 bits of 64-bit lanes, with a sign."""
        return self.bytes_of(
            [
                self.domain.multiply(self.lane(a[i : i + 4]), self.lane(b[i : i + 4]), 8)
                for i in range(0, size, 8)
            ]
        )

    def sums_of_products(self, a, b, size, ins):
        d, x, y = self.domain, self.lanes(a, 2), self.lanes(b, 2)
        sums = [
            d.add(d.multiply(x[i], y[i], 4), d.multiply(x[i + 1], y[i + 1], 4))
            for i in range(0, len(x), 2)
        ]
        if ins.name == "vpdpwssd":
            sums = [
                d.add(s, t) for s, t in zip(self.lanes(self.read(ins.operands[0], size), 4), sums)
            ]
        return self.bytes_of(sums)

    def byte_sums_of_products(self, a, b, size, ins):
        """Bytes of a without a sign, by bytes of b with one. Known sums saturate; others must
        not."""
        d = self.domain
        products = [
            d.multiply(self.lane([x, 0]), d.resized(self.lane([y]), 2), 2) for x, y in zip(a, b)
        ]
        pairs = [products[i : i + 2] for i in range(0, size, 2)]
        return self.bytes_of(
            [
                d.add(x, y)
                if x.constant is None or y.constant is None
                else d.constant(2, min(max(x.constant + y.constant, -32768), 32767))
                for x, y in pairs
            ]
        )

    def packed(self, a, b, size, ins):
        wide, d = 4 if "dw" in ins.name else 2, self.domain
        narrow, is_unsigned = wide // 2, "us" in ins.name
        low, high = (
            (0, (1 << 8 * narrow) - 1)
            if is_unsigned
            else (-(1 << 8 * narrow - 1), (1 << 8 * narrow - 1) - 1)
        )
        result = []
        for i in range(0, size, 16):
            for x in self.lanes(a[i : i + 16], wide) + self.lanes(b[i : i + 16], wide):
                value = (
                    d.constant(wide, min(max(x.constant, low), high))
                    if x.constant is not None
                    else x
                )
                if value.low < low or value.high > high:
                    raise Failure(f"a value saturates: [{value.low}, {value.high}]")
                result += self.bytes_of([value])[:narrow]
        return result

    PAIRS = {
        "vpmuldq": products,
        "vpmaddwd": sums_of_products,
        "vpdpwssd": sums_of_products,
        "vpmaddubsw": byte_sums_of_products,
        "vpackssdw": packed,
        "vpackusdw": packed,
        "vpackuswb": packed,
    }

    def ternary(self, ins, size):
        """The function of three bits that the constant is the table of. A bit that depends on
        more than one is unknown, unless words are joined: by the sum of products that the table
        is."""
        table, bits = ins.operands[3].value, []
        if table in (0x00, 0xFF):
            return [table] * size
        if self.domain.joins_words:
            return self.sum_of_products(table, [self.read(o, size) for o in ins.operands[:3]])
        for three in zip(*(bits_of(self.read(o, size)) for o in ins.operands[:3])):
            free = [k for k in range(3) if isinstance(three[k], tuple)]
            results = []
            for number in range(1 << len(free)):
                values = list(three)
                for j, k in enumerate(free):
                    values[k] = number >> j & 1
                results.append((values, table >> (values[0] << 2 | values[1] << 1 | values[2]) & 1))
            same = [three[k] for k in free if all(values[k] == r for values, r in results)]
            known = {r for _, r in results}
            bits.append(
                known.pop() if len(known) == 1 else same[0] if same else (self.domain.unknown(1), 0)
            )
        return bytes_of_bits(bits)

    def sum_of_products(self, table, three):
        ones = [255] * len(three[0])
        terms = [
            table >> i & 1 for i in range(8)
        ]  # of the operands with a bit in i, as in the table
        for bit in (1, 2, 4):
            terms = [x ^ (terms[i ^ bit] if i & bit else 0) for i, x in enumerate(terms)]
        products = [
            reduce(partial(self.bitwise, "and"), factors) if factors else ones
            for i in range(8)
            if terms[i]
            for factors in [[data for bit, data in zip((4, 2, 1), three) if i & bit]]
        ]
        return reduce(partial(self.bitwise, "xor"), products)

    def conditional(self, ins, element, size):
        """Blends by a mask, comparisons into masks, masks from signs and into lanes."""
        name, o, d = ins.name, ins.operands, self.domain
        if name.startswith("vpblendm"):
            return self.write(
                o[0],
                self.chosen(
                    self.masks[ins.mask], self.read(o[2], size), self.read(o[1], size), element
                ),
            )
        if ins.mask is not None:
            raise Failure(f"an instruction that is not known: {ins.text}")
        if name.startswith("vpmovm2"):
            lanes = self.masks[o[1].text][: size // element]
            return self.write(
                o[0],
                self.bytes_of(
                    [
                        d.resized(b, element) if isinstance(b, Value) else d.constant(element, -b)
                        for b in lanes
                    ]
                ),
            )
        if name.startswith("vpmov"):
            element = LETTERS[name[5]]
            signs = [
                d.shifted(x, "shift_right", 8 * element - 1)
                for x in self.lanes(self.read(o[1], o[1].size), element)
            ]
        elif match := re.fullmatch(r"vptest(n?)m([wd])", name):
            element = LETTERS[match[2]]
            both = self.lanes(
                self.bitwise("and", *(self.read(x, o[1].size) for x in o[1:])), element
            )
            signs = [
                d.compared("eq" if match[1] else "neq", x, d.constant(element, 0)) for x in both
            ]
        else:
            relation, element = re.fullmatch(r"vpcmp(\w+?)(u?[bwdq])", name).groups()
            element = LETTERS[element[-1]]
            given = [self.lanes(self.read(x, o[1].size), element) for x in o[1:]]
            signs = [
                d.compared(relation + ("u" if name[-2] == "u" else ""), x, y)
                for x, y in zip(*given)
            ]
        bits = [s if s.constant is None else s.constant & 1 for s in signs]
        self.masks[o[0].text] = bits + [0] * (64 - len(bits))
        return None
