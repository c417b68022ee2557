"""AArch64 machine code: operands, general registers, memory and vectors."""

import re

import capstone

from domain import Failure, wrapped
from reader import RETURN, Reader, bits_of, bytes_of_bits

LETTERS = {"b": 1, "h": 2, "s": 4, "w": 4, "d": 8, "x": 8, "q": 16}
CONDITIONS = {  # of the flags N, Z, C and V
    "eq": lambda n, z, c, v: z,
    "ne": lambda n, z, c, v: not z,
    "hs": lambda n, z, c, v: c,
    "lo": lambda n, z, c, v: not c,
    "mi": lambda n, z, c, v: n,
    "pl": lambda n, z, c, v: not n,
    "hi": lambda n, z, c, v: c and not z,
    "ls": lambda n, z, c, v: z or not c,
    "ge": lambda n, z, c, v: n == v,
    "lt": lambda n, z, c, v: n != v,
    "gt": lambda n, z, c, v: n == v and not z,
    "le": lambda n, z, c, v: n != v or z,
}

# A condition says this of the two operands that were compared, by the domain's names.
RELATIONS = {"hi": "nleu", "hs": "nltu", "ls": "leu", "lo": "ltu", "ge": "nlt", "ne": "neq"}


def parts_of(text):
    return [part.strip() for part in re.split(r",\s*(?![^\[{]*[\]}])", text)] if text else []


class Operand:
    """A general register, a vector or lanes of one, a list of vectors, memory, a constant, a
    condition, or the shift of the operand before it."""

    def __init__(self, text):
        self.text, self.kind, self.shift, self.index = text, "constant", None, None
        if match := re.fullmatch(r"([wx])(\d+|zr)|(w?)sp", text):
            self.kind, self.size = "register", 4 if text[0] == "w" else 8
            self.name = f"x{match[2]}" if match[2] else "sp"
        elif match := re.fullmatch(r"([bhsdq])(\d+)", text):
            self.kind, self.number, self.size = "vector", int(match[2]), LETTERS[match[1]]
            self.lane = self.size
        elif match := re.fullmatch(r"v(\d+)\.(\d*)([bhsd])(?:\[(\d+)\])?", text):
            self.kind, self.number, self.lane = "vector", int(match[1]), LETTERS[match[3]]
            self.size, self.index = (
                self.lane * int(match[2] or 1),
                int(match[4]) if match[4] else None,
            )
        elif match := re.fullmatch(r"\{(.*)\}(?:\[(\d+)\])?", text):
            self.kind, self.index = "list", int(match[2]) if match[2] else None
            self.items = [
                Operand(part + (f"[{match[2]}]" if match[2] else "")) for part in parts_of(match[1])
            ]
        elif match := re.fullmatch(r"\[(.*)\](!?)", text):
            base, *rest = [Operand(part) for part in parts_of(match[1])]
            self.kind, self.base, self.is_moved, self.offset, self.term = (
                "memory",
                base.name,
                match[2] == "!",
                0,
                None,
            )
            for o in rest:
                if o.kind == "constant":
                    self.offset = o.value
                elif o.kind == "register":
                    self.term = o
                else:
                    self.term.shift = o
        elif match := re.fullmatch(r"(lsl|lsr|asr|ror|msl|[us]xt[bhwx])(?: #(\w+))?", text):
            self.kind, self.name, self.by = "shift", match[1], int(match[2] or "0", 0)
        elif match := re.fullmatch(r"#?(-?(?:0x[0-9a-f]+|\d+))", text):
            self.value = int(match[1], 0)
        elif text in CONDITIONS:
            self.kind = "condition"
        else:
            raise Failure(f"an operand that is not known: {text}")


class Instruction:
    DECODER = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_LITTLE_ENDIAN)
    size = 4

    def __init__(self, code, address):
        ins = next(self.DECODER.disasm(code[:4], address, 1), None)
        if ins is None:
            raise Failure(f"no instruction: {code[:4].hex()}")
        self.address, self.code, self.name, self.text = (
            address,
            bytes(code[:4]),
            ins.mnemonic,
            f"{ins.mnemonic} {ins.op_str}",
        )
        self.operands = []
        for o in map(Operand, parts_of(ins.op_str) if self.name != "bti" else []):
            if o.kind == "shift":
                self.operands[-1].shift = o
            else:
                self.operands.append(o)


# ---- Lanes: an operation of the domain on two lanes of a register each.

LANEWISE = {
    "add": lambda d, a, b: d.add(a, b),
    "sub": lambda d, a, b: d.add(a, b, -1),
    "mul": lambda d, a, b: d.half_product(a, b, "multiply"),
    "sqdmulh": lambda d, a, b: d.doubled_high_half(a, b),
    "sqrdmulh": lambda d, a, b: d.doubled_rounded_half(a, b),
    "shsub": lambda d, a, b: d.halved_difference(a, b),
    "cmgt": lambda d, a, b: d.of_one_source("greater", a, b),
    "cmhi": lambda d, a, b: d.compared("nleu", a, b),
    "uqsub": lambda d, a, b: d.of_one_source("subtract_unsigned", a, b),
    "cmeq": lambda d, a, b: d.compared("eq", a, b),
    "cmlt": lambda d, a, b: d.of_one_source("greater", b, a),
}
BITWISE = {"and": "and", "orr": "or", "eor": "xor"}
SHIFTS = {
    "lsl": "shift_left",
    "lsr": "shift_right_unsigned",
    "asr": "shift_right",
    "ror": "rotate_right",
    "shl": "shift_left",
    "sshr": "shift_right",
    "ushr": "shift_right_unsigned",
}
# Lane i of the result: its number in the lanes of both operands, of `count` each.
PERMUTATIONS = {
    "zip1": lambda i, count: i // 2 + count * (i % 2),
    "zip2": lambda i, count: (count + i) // 2 + count * (i % 2),
    "uzp1": lambda i, count: 2 * i,
    "uzp2": lambda i, count: 2 * i + 1,
    "trn1": lambda i, count: i // 2 * 2 + count * (i % 2),
    "trn2": lambda i, count: i // 2 * 2 + 1 + count * (i % 2),
}


class Machine(Reader):
    Instruction, WIDE = Instruction, (*(f"x{i}" for i in range(31)), "sp")
    ARGUMENTS, RESULT = WIDE[:8], "x0"
    CALLEE_SAVED, CALLER_SAVED = WIDE[19:30], WIDE[:19]
    STACK_POINTER, RED_ZONE = "sp", 0

    # ---- Calls.

    def enter(self):
        self.put("x30", RETURN)
        self.vectors = {i: [0x50 + i] * 8 + self.unknown() for i in range(8, 16)}

    def saved(self):
        return super().saved() | {f"d{i}": self.vectors[i][:8] for i in range(8, 16)}

    def leave(self):
        """The end of a function of another library."""
        self.vectors = {i: self.vectors[i][:8] + self.unknown() for i in range(8, 16)}
        target = self.number(self.registers["x30"])
        self.registers["x30"] = self.unknown()
        return target

    def authenticated(self, is_signed):
        """The return address with a mark of the stack pointer in its upper bits, or without it."""
        address, mark = self.number(self.registers["x30"]), (self.pointer() >> 3 | 1) & 0xFFFF
        if address >> 48 != (0 if is_signed else mark):
            raise Failure("the return address is signed twice, or not as it is authenticated")
        return address ^ mark << 48

    # ---- Operands.

    def address(self, o):
        term = 0 if o.term is None else self.number(self.read(o.term), "an address")
        return self.number(self.registers[o.base], "an address") + o.offset + term & (1 << 64) - 1

    def read(self, o):
        if o.kind == "vector":
            if o.number not in self.vectors:
                raise Failure(f"{o.text} is read before it is written")
            at = o.lane * (o.index or 0)
            return self.vectors[o.number][at : at + o.size]
        if o.kind == "constant":
            return list(
                (o.value << (o.shift.by if o.shift else 0) & (1 << 64) - 1).to_bytes(8, "little")
            )
        data = [0] * o.size if o.name == "xzr" else self.registers[o.name][: o.size]
        return self.moved(data, o.shift) if o.shift else data

    def moved(self, data, shift):
        """A general register with its shift, or its extension in 64 bits."""
        if shift.name in SHIFTS:
            return self.shifted(data, SHIFTS[shift.name], shift.by)
        size = LETTERS[shift.name[3]]
        wide = (
            self.bytes_of([self.domain.resized(self.lane(data[:size]), 8)])
            if shift.name[0] == "s"
            else data[:size] + [0] * (8 - size)
        )
        return self.shifted(wide, "shift_left", shift.by)

    def write(self, o, data):
        if o.kind == "vector":
            at = o.lane * (o.index or 0)
            old = self.vectors[o.number] if o.index is not None else [0] * 16
            self.vectors[o.number] = (
                old[:at]
                + data
                + (old[at + len(data) :] if o.index is not None else [0] * (16 - len(data)))
            )
        elif o.name != "xzr":
            self.registers[o.name] = data[: o.size] + [0] * (8 - o.size)

    # ---- Running.

    def execute_known(self, ins):
        name, o = ins.name, ins.operands
        if name in ("nop", "bti"):
            return None
        if name in ("paciasp", "autiasp"):
            return self.put("x30", self.authenticated(name == "paciasp"))
        if name in ("b", "bl", "br", "ret", "cbz", "cbnz", "tbz", "tbnz") or name.startswith("b."):
            return self.branch(ins)
        if any(x.kind == "memory" for x in o):
            return self.transfer(ins)
        return self.vector(ins) if any(x.kind == "vector" for x in o) else self.scalar(ins)

    def condition(self, name):
        if self.flags is None:
            raise Failure("a condition depends on an input")
        return bool(CONDITIONS[name](*self.flags))

    def holds(self, name):
        """Whether a condition holds: 1 or 0, or a value that is -1 or 0 and depends on an input."""
        if self.flags is not None or self.compared is None:
            return int(self.condition(name))
        return self.domain.compared(RELATIONS.get(name, name), *self.compared)

    def branch(self, ins):
        name, o = ins.name, ins.operands
        if name == "ret":
            return self.number(
                self.read(o[0]) if o else self.registers["x30"], "the address of the caller"
            )
        if name in ("cbz", "cbnz"):
            return (
                o[1].value
                if (self.number(self.read(o[0]), "a condition") == 0) == (name == "cbz")
                else None
            )
        if name in ("tbz", "tbnz"):
            bit = self.number(self.read(o[0]), "a condition") >> o[1].value & 1
            return o[2].value if bit == (name == "tbnz") else None
        if name[:2] == "b.":
            return o[0].value if self.condition(name[2:]) else None
        if name == "bl":
            self.put("x30", self.next)
        return self.number(self.read(o[0]), "a branch")

    # ---- Loads and stores.

    def transfer(self, ins):
        name, o = ins.name, ins.operands
        at = next(i for i, x in enumerate(o) if x.kind == "memory")
        registers, place = o[:at], o[at]
        address = self.address(place)
        if place.is_moved:
            self.put(place.base, address)
        if match := re.fullmatch(r"(ld|st)([1-4])(r?)", name):
            self.structures(
                registers[0].items, address, match[1] == "ld", int(match[2]), match[3] == "r"
            )
        else:
            self.plain(name, registers, address)
        if at + 1 < len(o):
            self.put(place.base, address + self.number(self.read(o[at + 1])))

    def plain(self, name, registers, address):
        match = re.fullmatch(r"(ld|st)u?[rp](s?)([bhw]?)", name)
        for o in registers:
            size = LETTERS.get(match[3], o.size)
            if match[1] == "st":
                self.store(address, self.read(o)[:size])
            else:
                data = self.load(address, size)
                if match[2]:
                    data = self.bytes_of([self.domain.resized(self.lane(data), o.size)])
                self.write(o, data + [0] * (o.size - len(data)))
            address += size

    def structures(self, items, address, is_load, count, is_repeated):
        """Whole vectors, or one lane of each, between which memory goes round."""
        first, lane = items[0], items[0].lane
        if count == 1 and not is_repeated and first.index is None:
            return self.plain("ldr" if is_load else "str", items, address)
        data = [[] for _ in items] if is_load else [self.read(o) for o in items]
        lanes = 1 if is_repeated else first.size // lane
        for i in range(lanes):
            for j in range(count):
                place = address + lane * (i * count + j)
                if is_load:
                    data[j] += self.load(place, lane)
                else:
                    self.store(place, data[j][lane * i : lane * (i + 1)])
        for o, x in zip(items, data) if is_load else ():
            self.write(o, x * (o.size // lane) if is_repeated else x)
        return None

    # ---- General registers.

    def scalar(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        size = o[0].size
        if name in ("mov", "adrp", "adr"):
            return self.write(o[0], self.read(o[1])[:size])
        if name == "movk":
            at = o[1].shift.by // 8 if o[1].shift else 0
            data = self.registers[o[0].name][:size]
            return self.write(
                o[0], data[:at] + list(o[1].value.to_bytes(2, "little")) + data[at + 2 :]
            )
        if name == "ccmp":
            if self.condition(o[3].text):
                return self.sum_with_flags(
                    self.lane(self.read(o[0])), self.lane(self.read(o[1])[:size]), -1
                )
            self.compared = None
            self.flags = tuple(o[2].value >> i & 1 for i in (3, 2, 1, 0))
            return None
        if name in ("cmp", "cmn"):
            return self.sum_with_flags(
                self.lane(self.read(o[0])),
                self.lane(self.read(o[1])[:size]),
                -1 if name == "cmp" else 1,
            )
        if name == "csel":
            return self.write(
                o[0],
                self.chosen(
                    [self.holds(o[3].text)], self.read(o[1])[:size], self.read(o[2])[:size], size
                ),
            )
        if name == "mvn":
            return self.write(o[0], self.bitwise("xor", self.read(o[1]), [255] * size))
        if name == "neg":
            return self.write(
                o[0], self.bytes_of([d.add(d.constant(size, 0), self.lane(self.read(o[1])), -1)])
            )
        if name == "cset":
            return self.write(
                o[0], self.bytes_of([d.constant(size, int(self.condition(o[1].text)))])
            )
        if name == "tst":
            return self.flags_of_bits(self.read(o[0]), self.read(o[1])[:size])
        if name in ("sxtb", "sxth", "sxtw", "sbfx"):
            bits, at, count = (
                bits_of(self.read(o[1])),
                *((x.value for x in o[2:]) if name == "sbfx" else (0, 8 * LETTERS[name[3]])),
            )
            kept = bytes_of_bits([0] * (8 * size - count) + bits[at : at + count])
            return self.write(o[0], self.shifted(kept, "shift_right", 8 * size - count))
        a, b = self.read(o[1]), self.read(o[2])[:size] if len(o) > 2 else None
        if name in ("mul", "madd"):
            product = d.half_product(self.lane(a), self.lane(b), "multiply")
            return self.write(
                o[0],
                self.bytes_of(
                    [product if name == "mul" else d.add(product, self.lane(self.read(o[3])))]
                ),
            )
        if name == "extr":
            return self.write(
                o[0], bytes_of_bits(bits_of(b + a)[o[3].value : o[3].value + 8 * size])
            )
        if name in ("adds", "subs"):
            self.sum_with_flags(self.lane(a), self.lane(b), 1 if name == "adds" else -1)
        if name in ("add", "adds", "sub", "subs"):
            return self.write(
                o[0],
                self.bytes_of(
                    [d.add(self.lane(a[:size]), self.lane(b), 1 if name[:3] == "add" else -1)]
                ),
            )
        if name == "ands":
            self.flags_of_bits(a, b)
        if name == "bic":
            return self.write(o[0], self.bitwise("and", a, self.bitwise("xor", b, [255] * size)))
        if name in BITWISE or name == "ands":
            return self.write(o[0], self.bitwise(BITWISE[name[:3]], a, b))
        if name in SHIFTS:
            return self.write(
                o[0],
                self.shifted(a, SHIFTS[name], self.number(b, "the count of a shift") % (8 * size)),
            )
        if name in ("ubfx", "ubfiz"):
            at, count = o[2].value, o[3].value
            bits = bits_of(a)
            field = bits[at : at + count] if name == "ubfx" else [0] * at + bits[:count]
            return self.write(o[0], bytes_of_bits(field + [0] * (8 * size - len(field))))
        raise Failure(f"an instruction that is not known: {ins.text}")

    def flags_of_bits(self, a, b):
        both, self.compared = self.lane(self.bitwise("and", a, b)), None
        self.flags = (
            None
            if both.constant is None
            else (int(both.constant < 0), int(both.constant == 0), 0, 0)
        )

    def sum_with_flags(self, a, b, sign):
        self.compared = (a, b) if sign < 0 else None
        if a.constant is None or b.constant is None:
            self.flags = None
            return
        bits = 8 * a.size
        mask = (1 << bits) - 1
        x, y = a.constant & mask, b.constant & mask
        total = x + y if sign > 0 else x + (~y & mask) + 1
        result = wrapped(total, bits)
        self.flags = (
            int(result < 0),
            int(result == 0),
            total >> bits,
            int(result != a.constant + sign * b.constant),
        )

    # ---- Vectors.

    def vector(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        if name in ("mov", "fmov"):
            return self.write(o[0], self.read(o[1])[: o[0].size])
        size, lane = o[0].size, o[0].lane
        if name == "mvn":
            return self.write(o[0], self.bitwise("xor", self.read(o[1]), [255] * size))
        if name == "dup":
            return self.write(o[0], self.read(o[1])[:lane] * (size // lane))
        if name in ("movi", "mvni"):
            data = self.constant(o[1], lane) * (size // lane)
            return self.write(o[0], data if name == "movi" else [x ^ 255 for x in data])
        if name == "bic" and len(o) == 3:
            return self.write(
                o[0],
                self.bitwise(
                    "and", self.read(o[1]), self.bitwise("xor", self.read(o[2]), [255] * size)
                ),
            )
        if name == "bic":  # by a constant
            return self.write(
                o[0],
                self.bitwise(
                    "and",
                    self.read(o[0]),
                    [x ^ 255 for x in self.constant(o[1], lane) * (size // lane)],
                ),
            )
        if name in BITWISE:
            return self.write(o[0], self.bitwise(BITWISE[name], self.read(o[1]), self.read(o[2])))
        if name == "bcax":
            a, b, c = (self.read(x) for x in o[1:])
            return self.write(
                o[0],
                self.bitwise(
                    "xor", a, self.bitwise("and", b, self.bitwise("xor", c, [255] * size))
                ),
            )
        if name in ("eor3", "rax1", "xar"):  # sums, the second operand or the sum rotated
            a, b = self.read(o[1]), self.read(o[2])
            b = self.rotated_lanes(b, 63) if name == "rax1" else b
            total = self.bitwise("xor", a, b)
            if name == "eor3":
                total = self.bitwise("xor", total, self.read(o[3]))
            return self.write(
                o[0], self.rotated_lanes(total, o[3].value) if name == "xar" else total
            )
        if name in ("bit", "bif", "bsl"):
            target, a, b = (self.read(x) for x in o)
            mask, ones, zeros = {
                "bit": (b, a, target),
                "bif": (b, target, a),
                "bsl": (target, a, b),
            }[name]
            others = self.bitwise("xor", mask, [255] * size)
            return self.write(
                o[0],
                self.bitwise(
                    "or", self.bitwise("and", ones, mask), self.bitwise("and", zeros, others)
                ),
            )
        if name == "sri":
            by = o[2].value
            kept = list(((1 << 8 * lane) - (1 << 8 * lane >> by)).to_bytes(lane, "little")) * (
                size // lane
            )
            return self.write(
                o[0],
                self.bitwise(
                    "or", self.bitwise("and", self.read(o[0]), kept), self.shifts("ushr", o, lane)
                ),
            )
        if name in PERMUTATIONS:
            data, count = self.read(o[1]) + self.read(o[2]), size // lane
            chosen = [lane * PERMUTATIONS[name](i, count) for i in range(count)]
            return self.write(o[0], [x for at in chosen for x in data[at : at + lane]])
        if name == "ext":
            return self.write(
                o[0], (self.read(o[1]) + self.read(o[2]))[o[3].value : o[3].value + size]
            )
        if name == "tbl":
            table = [x for item in o[1].items for x in self.read(item)]
            indices = [self.number([k], "the index of a shuffle") for k in self.read(o[2])]
            return self.write(o[0], [table[k] if k < len(table) else 0 for k in indices])
        if name in ("shl", "sshr", "ushr", "ushl"):
            return self.write(o[0], self.shifts(name, o, lane))
        if re.fullmatch(r"shrn2?|xtn2?|[us]shll2?|[su]mull2?|[su]ml[as]l2?|[us](add|sub)w2?", name):
            return self.resize(name.removesuffix("2"), o, name.endswith("2"))
        return self.write(o[0], self.bytes_of(self.arithmetic(name, o, size, lane)))

    def rotated_lanes(self, data, by):
        """Lanes of 64 bits, rotated to the right."""
        lanes = [data[i : i + 8] for i in range(0, len(data), 8)]
        return [x for lane in lanes for x in self.shifted(lane, "rotate_right", by)]

    @staticmethod
    def constant(o, lane):
        value = o.value << (o.shift.by if o.shift else 0)
        if o.shift and o.shift.name == "msl":
            value |= (1 << o.shift.by) - 1
        return list((value & (1 << 8 * lane) - 1).to_bytes(lane, "little"))

    def lanes_of(self, o, count, lane):
        """The lanes of a vector, or one lane or a constant for all."""
        if o.kind == "constant":
            return [self.domain.constant(lane, o.value)] * count
        return (
            [self.lane(self.read(o))] * count
            if o.index is not None
            else self.lanes(self.read(o), lane)
        )

    def arithmetic(self, name, o, size, lane):
        d, count = self.domain, size // lane
        if name == "neg":
            return [d.add(d.constant(lane, 0), x, -1) for x in self.lanes(self.read(o[1]), lane)]
        a, b = (self.lanes_of(x, count, lane) for x in o[1:3])
        if name == "addp":
            pairs = a + b
            return [d.add(pairs[i], pairs[i + 1]) for i in range(0, 2 * count, 2)]
        if name == "usra":
            sums, moved = (
                self.lanes(data, lane) for data in (self.read(o[0]), self.shifts("ushr", o, lane))
            )
            return [d.add(x, y) for x, y in zip(sums, moved)]
        if name in ("mls", "mla"):
            sums = self.lanes(self.read(o[0]), lane)
            return [
                d.add(s, d.half_product(x, y, "multiply"), 1 if name == "mla" else -1)
                for s, x, y in zip(sums, a, b)
            ]
        return [LANEWISE[name](d, x, y) for x, y in zip(a, b)]

    def shifts(self, name, o, lane):
        data, result = self.read(o[1]), []
        for i in range(0, len(data), lane):
            by = (
                o[2].value
                if name != "ushl"
                else wrapped(self.number(self.read(o[2])[i : i + 1], "the count of a shift"), 8)
            )
            operation = (
                SHIFTS[name]
                if name != "ushl"
                else "shift_left"
                if by > 0
                else "shift_right_unsigned"
            )
            result += self.shifted(data[i : i + lane], operation, abs(by))
        return result

    def resize(self, name, o, is_upper):
        """Narrow results, for the upper half of a vector or with zeros above; and wide ones, of
        the operands' lower halves or upper ones."""
        d, wide = self.domain, max(o[0].lane, o[1].lane)
        half, upper = wide // 2, slice(8, 16) if is_upper else slice(0, 8)
        if name in ("shrn", "xtn"):
            by, data, result = o[2].value if name == "shrn" else 0, self.read(o[1]), []
            for i in range(0, 16, wide):
                result += self.shifted(data[i : i + wide], "shift_right_unsigned", by)[:half]
            return self.write(o[0], self.vectors[o[0].number][:8] + result if is_upper else result)
        if name[-1] == "w":  # a wide operand and a narrow one
            narrow = self.vectors[o[2].number][upper]
            narrow = [
                self.wide(narrow[i : i + half], wide, name[0] == "u") for i in range(0, 8, half)
            ]
            wides = self.lanes(self.read(o[1]), wide)
            return self.write(
                o[0],
                self.bytes_of(
                    [d.add(x, y, 1 if name[1:4] == "add" else -1) for x, y in zip(wides, narrow)]
                ),
            )
        data, result = self.vectors[o[1].number][upper], []
        if name[1:] == "shll":
            for x in (data[i : i + half] for i in range(0, 8, half)):
                x = (
                    x + [0] * half
                    if name[0] == "u"
                    else self.bytes_of([d.resized(self.lane(x), wide)])
                )
                result += self.shifted(x, "shift_left", o[2].value)
            return self.write(o[0], result)
        others = (
            self.lanes_of(o[2], 8 // half, half)
            if o[2].index is not None
            else self.lanes(self.vectors[o[2].number][upper], half)
        )
        if name[0] == "u":
            others = [self.wide(self.bytes_of([x]), wide, True) for x in others]
            products = [
                d.half_product(
                    self.wide(data[half * i : half * i + half], wide, True), x, "multiply"
                )
                for i, x in enumerate(others)
            ]
        else:
            products = [d.multiply(x, y, wide) for x, y in zip(self.lanes(data, half), others)]
        if name[1:] != "mull":
            sums = self.lanes(self.read(o[0]), wide)
            products = [
                d.add(s, p, 1 if name[1:] == "mlal" else -1) for s, p in zip(sums, products)
            ]
        return self.write(o[0], self.bytes_of(products))

    def wide(self, data, size, is_unsigned):
        return (
            self.lane(data + [0] * (size - len(data)))
            if is_unsigned
            else self.domain.resized(self.lane(data), size)
        )
