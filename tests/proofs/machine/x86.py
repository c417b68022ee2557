"""x86-64 machine code, read for every input of a kernel at once.

Registers and memory hold bytes. A byte is an integer (known), a pair (v, k) of a domain's Value and a
number (byte k of it), or eight bits, for bytes put together from several values. Moves, shuffles and
shifts move bytes or bits; arithmetic takes lanes, as integers with a sign.

Known must be: addresses, conditions of branches and of moves, counts of shifts, indices of shuffles. An
instruction that this file does not know is a failure, so none whose time depends on its operands (a
division, say) can occur.
"""

import re

import capstone

from domain import Failure, Value, wrapped

SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32, "zmmword": 64}
WIDE = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16)))
REGISTERS = {}  # name: (the whole register, bytes)
for _wide in WIDE:
    REGISTERS[_wide] = (_wide, 8)
    _short = _wide[1:] if _wide[1].isalpha() else _wide
    REGISTERS["e" + _short if _wide[1].isalpha() else _wide + "d"] = (_wide, 4)
    REGISTERS[_short if _wide[1].isalpha() else _wide + "w"] = (_wide, 2)
    _byte = {"ax": "al", "cx": "cl", "dx": "dl", "bx": "bl", "sp": "spl", "bp": "bpl", "si": "sil", "di": "dil"}.get(_short, _wide + "b")
    REGISTERS[_byte] = (_wide, 1)

STACK = 0x7FFF_0000_0000
STACK_BYTES = 1 << 16
RETURN = 0xDEAD_0000
CALLEE_SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
CALLER_SAVED = ("rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
EXTERNAL = 0xE000_0000  # the address of a function of another library: this and the place of its address
MASK64 = (1 << 64) - 1


def is_known(data):
    return all(isinstance(x, int) for x in data)


def bits_of(data):
    """The bits of bytes, lowest first."""
    bits = []
    for x in data:
        if isinstance(x, int):
            bits += [x >> i & 1 for i in range(8)]
        elif len(x) == 2:
            value, k = x
            bits += [value.bit(8 * k + i) for i in range(8)]
        else:
            bits += x
    return bits


def bytes_of_bits(bits):
    data = []
    for i in range(0, len(bits), 8):
        eight = tuple(bits[i:i + 8])
        first = eight[0]
        if isinstance(first, tuple) and first[1] % 8 == 0 and all(first[0].bit(first[1] + j) == b for j, b in enumerate(eight)) \
                and first[1] < 8 * first[0].size:
            data.append((first[0], first[1] // 8))
        elif all(b in (0, 1) for b in eight):
            data.append(sum(b << j for j, b in enumerate(eight)))
        else:
            data.append(eight)
    return data


class Operand:
    """A register, a constant or memory."""

    def __init__(self, text):
        self.text, self.kind = text, "constant"
        if match := re.fullmatch(r"([xyz])mm(\d+)", text):
            self.kind, self.number, self.size = "vector", int(match[2]), {"x": 16, "y": 32, "z": 64}[match[1]]
        elif re.fullmatch(r"k\d", text):
            self.kind, self.size = "mask", 8
        elif text in REGISTERS:
            self.kind = "register"
            self.name, self.size = REGISTERS[text]
        elif match := re.fullmatch(r"(?:(\w+) ptr )?\[(.*)\](?:\s*\{1to(\d+)\})?", text):
            self.kind, self.size = "memory", SIZES[match[1]] if match[1] else 0
            self.copies = int(match[3]) if match[3] else 1
            self.terms, self.offset, self.is_relative = [], 0, False
            for sign, term, scale in re.findall(r"([+-]?)\s*(\w+)(?:\s*\*\s*(\d+))?", match[2]):
                if term in REGISTERS:
                    self.terms.append((term, int(scale or 1)))
                elif term == "rip":
                    self.is_relative = True
                elif not term[0].isdigit():
                    raise Failure(f"an operand that is not known: {text}")
                else:
                    self.offset += int(term, 0) * (-1 if sign == "-" else 1)
        elif re.fullmatch(r"-?\w+", text) and text.lstrip("-")[0].isdigit():
            self.value = int(text, 0)
        else:
            raise Failure(f"an operand that is not known: {text}")


class Instruction:
    """A decoded instruction. One of SSE, `paddd a, b`, is named and has operands as AVX's `vpaddd a, a,
    b`, but leaves the upper bytes of its result as they are."""

    MOVES = re.compile(r"mov(aps|ups|apd|upd|dqa|dqu|d|q)|pshuf(d|lw|hw)|pmov[sz]x\w\w|movs[hl]dup|cvt\w+")

    def __init__(self, decoder, code, address):
        ins = next(decoder.disasm(code, address, 1), None)
        if ins is None:
            raise Failure(f"no instruction: {code.hex()}")
        self.address, self.size, self.code, self.text = address, ins.size, bytes(ins.bytes), f"{ins.mnemonic} {ins.op_str}"
        self.name, self.mask, self.zeroes, self.is_sse = ins.mnemonic.split()[-1], None, False, False
        self.operands = []
        text = re.sub(r"\s*\{(k\d|z)\}", r"{\1}", ins.op_str)
        self.repeats = ins.mnemonic.startswith("rep ")
        if self.name == "nop" or self.repeats:
            return
        for part in [p.strip() for p in re.split(r",\s*(?![^\[]*\])", text)] if text else []:
            for mark in re.findall(r"\{(k\d|z)\}", part):
                self.zeroes, self.mask = self.zeroes or mark == "z", self.mask if mark == "z" else mark
            self.operands.append(Operand(re.sub(r"\{(k\d|z)\}", "", part)))
        kinds = [o.kind for o in self.operands]
        if "vector" in kinds and self.name[0] != "v" and self.name[:2] not in ("km",):
            self.is_sse, self.name = True, "v" + self.name
            if kinds[0] == "vector" and not self.MOVES.fullmatch(self.name[1:]):
                self.operands.insert(0, self.operands[0])


# ---- Shuffles by constants: for each byte of the result, its number in the operands' bytes one after
# another, or None for zero. `size` is a register's, `imm` the constant.

def within(size, block, pick):
    """In each block: byte j comes from byte pick(j) of the block, or of the next operand's from `block` on."""
    chosen = []
    for start in range(0, size, block):
        for j in range(block):
            s = pick(j)
            chosen.append(None if s is None else start + s if s < block else size + start + s - block)
    return chosen


def lanes4(lane, imm, j):
    """Byte j, if each lane of four comes from the lane that two bits of the constant name."""
    return lane * (imm >> 2 * (j // lane) & 3) + j % lane


def interleaved(lane, half):
    return lambda j: j // (2 * lane) * lane + j % lane + half + (16 if j // lane % 2 else 0)


SHUFFLES = {
    "vpshufd": lambda size, imm: within(size, 16, lambda j: lanes4(4, imm, j)),
    "vpermilps": lambda size, imm: within(size, 16, lambda j: lanes4(4, imm, j)),
    "vpermilpd": lambda size, imm: [i // 16 * 16 + 8 * (imm >> i // 8 & 1) + i % 8 for i in range(size)],
    "vpshuflw": lambda size, imm: within(size, 16, lambda j: lanes4(2, imm, j) if j < 8 else j),
    "vpshufhw": lambda size, imm: within(size, 16, lambda j: 8 + lanes4(2, imm, j - 8) if j >= 8 else j),
    "vmovshdup": lambda size, imm: within(size, 8, lambda j: 4 + j % 4),
    "vmovsldup": lambda size, imm: within(size, 8, lambda j: j % 4),
    "vmovddup": lambda size, imm: within(size, 16, lambda j: j % 8),
    "vpermq": lambda size, imm: within(size, 32, lambda j: lanes4(8, imm, j)),
    "vpermpd": lambda size, imm: within(size, 32, lambda j: lanes4(8, imm, j)),
    "vpsrldq": lambda size, imm: within(size, 16, lambda j: j + imm if j + imm < 16 else None),
    "vpslldq": lambda size, imm: within(size, 16, lambda j: j - imm if j >= imm else None),
    "vshufps": lambda size, imm: within(size, 16, lambda j: lanes4(4, imm, j) + (16 if j >= 8 else 0)),
    "vshufpd": lambda size, imm: [i // 16 * 16 + 8 * (imm >> i // 8 & 1) + i % 8 + (size if i % 16 >= 8 else 0) for i in range(size)],
    "vpblendw": lambda size, imm: [i + (size if imm >> (i // 2 % 8) & 1 else 0) for i in range(size)],
    "vpblendd": lambda size, imm: [i + (size if imm >> (i // 4) & 1 else 0) for i in range(size)],
    "vblendps": lambda size, imm: [i + (size if imm >> (i // 4) & 1 else 0) for i in range(size)],
    "vblendpd": lambda size, imm: [i + (size if imm >> (i // 8) & 1 else 0) for i in range(size)],
    "vpalignr": lambda size, imm: within(size, 16, lambda j: None if j + imm >= 32 else 16 + j + imm if j + imm < 16 else j + imm - 16),
    "vperm2i128": lambda size, imm: [None if imm >> (i // 16 * 4 + 3) & 1 else 16 * (imm >> (i // 16 * 4) & 3) + i % 16 for i in range(32)],
    "vmovlhps": lambda size, imm: [*range(8), *range(16, 24)],
    "vmovhlps": lambda size, imm: [*range(24, 32), *range(8, 16)],
    "vmovsd": lambda size, imm: [*range(16, 24), *range(8, 16)],
    "vmovss": lambda size, imm: [*range(16, 20), *range(4, 16)],
}
SHUFFLES["vperm2f128"] = SHUFFLES["vperm2i128"]
for _name, _lane in (("bw", 1), ("wd", 2), ("dq", 4), ("qdq", 8)):
    for _half in (0, 8):
        SHUFFLES[f"vpunpck{'h' if _half else 'l'}{_name}"] = \
            lambda size, imm, lane=_lane, half=_half: within(size, 16, interleaved(lane, half))
for _name, _lane in (("ps", 4), ("pd", 8)):
    for _half in (0, 8):
        SHUFFLES[f"vunpck{'h' if _half else 'l'}{_name}"] = SHUFFLES[f"vpunpck{'h' if _half else 'l'}{'dq' if _lane == 4 else 'qdq'}"]
ONE_OPERAND = {"vpshufd", "vpermilps", "vpermilpd", "vpshuflw", "vpshufhw", "vmovshdup", "vmovsldup", "vmovddup", "vpermq", "vpermpd", "vpsrldq", "vpslldq"}

BLOCKS = {"128": 16, "32x4": 16, "64x2": 16, "64x4": 32, "32x8": 32}  # of extract, insert and broadcast


# ---- Lanes. name: (bytes of a lane, the domain's operation on two lanes)
ARITHMETIC = {}
for _letter, _size in (("b", 1), ("w", 2), ("d", 4), ("q", 8)):
    ARITHMETIC["vpadd" + _letter] = (_size, lambda d, a, b: d.add(a, b))
    ARITHMETIC["vpsub" + _letter] = (_size, lambda d, a, b: d.add(a, b, -1))
    ARITHMETIC["vpcmpgt" + _letter] = (_size, lambda d, a, b: d.of_one_source("greater", a, b))
    ARITHMETIC["vpcmpeq" + _letter] = (_size, lambda d, a, b: d.of_one_source("equal", a, b))
    ARITHMETIC["vpmins" + _letter] = (_size, lambda d, a, b: d.of_one_source("minimum", a, b))
    ARITHMETIC["vpmaxs" + _letter] = (_size, lambda d, a, b: d.of_one_source("maximum", a, b))
    ARITHMETIC["vpminu" + _letter] = (_size, lambda d, a, b: d.of_one_source("minimum_unsigned", a, b))
ARITHMETIC |= {
    "vpmullw": (2, lambda d, a, b: d.half_product(a, b, "multiply")),
    "vpmulld": (4, lambda d, a, b: d.half_product(a, b, "multiply")),
    "vpmulhw": (2, lambda d, a, b: d.half_product(a, b, "multiply_high")),
    "vpmulhuw": (2, lambda d, a, b: d.half_product(a, b, "multiply_high") if a.low >= 0 and b.low >= 0
                 else d.of_one_source("multiply_high_unsigned", a, b)),
    "vpmulhrsw": (2, lambda d, a, b: d.of_one_source("multiply_rounded", a, b)),
}
BITWISE = {"vpand": "and", "vpandn": "and_not", "vpor": "or", "vpxor": "xor",
           "vandps": "and", "vandnps": "and_not", "vorps": "or", "vxorps": "xor",
           "vandpd": "and", "vandnpd": "and_not", "vorpd": "or", "vxorpd": "xor"}
SHIFTS = {"l": "shift_left", "r": "shift_right_unsigned", "a": "shift_right"}
LETTERS = {"b": 1, "w": 2, "d": 4, "q": 8}


class Machine:
    limit = 100_000  # instructions of a call

    def __init__(self, image, domain):
        self.image, self.domain = image, domain
        self.memory = {}  # address: byte, where something was written
        self.arrays = []  # (address, bytes, whether it may be written)
        self.vectors = {}  # number: 64 bytes
        self.registers = {name: [0] * 8 for name in WIDE}
        self.masks = {}  # name: 64 bits, lowest first: 0, 1 or a lane's Value (0 or -1)
        self.flags = None  # (operation, a, b, result, bits) of the last that set them, if known
        self.decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.decoded = {}
        self.table_bytes = set()  # addresses in the image that were read
        self.steps = 0

    # ---- Memory.

    def array(self, address, size, is_written=False):
        self.arrays.append((address, size, is_written))
        return address

    def load(self, address, size):
        if address in self.image.external and size == 8:
            return list((EXTERNAL + address).to_bytes(8, "little"))
        memory, data = self.memory, []
        for at in range(address, address + size):
            if at in memory:
                data.append(memory[at])
                continue
            place = self.image.place(at)
            if place is None:
                raise Failure(f"memory at {at:#x} is read that is neither the caller's nor written")
            self.table_bytes.add(at)
            data.append(place[0][place[1]])
        return data

    def store(self, address, data):
        end = address + len(data)
        if STACK - STACK_BYTES <= address and end <= STACK:
            if address < self.number(self.registers["rsp"]) - 128:
                raise Failure("memory below the stack pointer is written")
        elif not any(start <= address and end <= start + size for start, size, is_written in self.arrays if is_written):
            raise Failure(f"memory at {address:#x} is written that is neither an output nor the stack")
        for i, x in enumerate(data):
            self.memory[address + i] = x

    # ---- Lanes.

    def number(self, data, what="an address, a count or an index"):
        if not is_known(data):
            raise Failure(f"{what} depends on an input")
        return int.from_bytes(bytes(data), "little")

    def lane(self, data):
        first = data[0]
        if isinstance(first, int) and is_known(data):
            return self.domain.constant(len(data), int.from_bytes(bytes(data), "little", signed=True))
        if not isinstance(first, int) and len(first) == 2:
            value, at = first
            if all(not isinstance(x, int) and len(x) == 2 and x[0] is value and x[1] == at + i for i, x in enumerate(data)):
                return value if at == 0 and value.size == len(data) else self.domain.part(value, at, len(data))
        return self.domain.integer(tuple(bits_of(data)))

    def lanes(self, data, size):
        return [self.lane(data[i:i + size]) for i in range(0, len(data), size)]

    @staticmethod
    def bytes_of(values):
        data = []
        for value in values:
            if value.constant is not None:
                data += (value.constant & ((1 << 8 * value.size) - 1)).to_bytes(value.size, "little")
            else:
                data += [(value, k) for k in range(value.size)]
        return data

    # ---- Operands.

    def address(self, o):
        total = o.offset + (self.next if o.is_relative else 0)
        for name, scale in o.terms:
            total += scale * self.number(self.register(name), "an address")
        return total & MASK64

    def register(self, name):
        wide, size = REGISTERS[name]
        return self.registers[wide][:size]

    def read(self, o, size):
        """The bytes of an operand; memory may have fewer, for copies or as part of a register."""
        if o.kind == "vector":
            if o.number not in self.vectors:
                raise Failure(f"{o.text} is read before it is written")
            return self.vectors[o.number][:size]
        if o.kind == "register":
            return self.registers[o.name][:o.size]
        if o.kind == "memory":
            return self.load(self.address(o), min(o.size, size) if o.copies == 1 else o.size) * o.copies
        return list((o.value & (1 << 8 * size) - 1).to_bytes(size, "little"))

    def write(self, o, data):
        if o.kind == "memory":
            self.store(self.address(o), data)
        elif o.kind == "vector":
            self.vectors[o.number] = data + (self.vectors.get(o.number, [0] * 64)[len(data):] if self.is_sse else [0] * (64 - len(data)))
        elif o.size == 4:
            self.registers[o.name] = data + [0] * 4
        else:
            self.registers[o.name] = data + self.registers[o.name][o.size:]

    def write_lanes(self, ins, data, element, mask=None):
        """A result under the instruction's mask: other lanes keep what they have, or become zero."""
        o = ins.operands[0]
        if mask is None and ins.mask is None:
            return self.write(o, data)
        bits = self.masks[mask or ins.mask]
        if o.kind == "memory":
            at = self.address(o)
            for i in range(0, len(data), element):
                if bits[i // element] not in (0, 1):
                    raise Failure("a store depends on an input")
                if bits[i // element]:
                    self.store(at + i, data[i:i + element])
            return None
        old = [0] * len(data) if ins.zeroes else self.read(o, len(data))
        return self.write(o, self.chosen(bits, data, old, element))

    def chosen(self, bits, data, old, element):
        """Lanes of data where a bit is 1, else of old."""
        result = []
        for i in range(0, len(data), element):
            bit, x, y = bits[i // element], data[i:i + element], old[i:i + element]
            if isinstance(bit, Value):
                sign = self.domain.resized(bit, element)
                d = self.domain
                x, y = d.of_one_source("and", self.lane(x), sign), d.of_one_source("and_not", sign, self.lane(y))
                result += self.bytes_of([d.of_one_source("or", x, y)])
            else:
                result += x if bit else y
        return result

    # ---- Running.

    def run(self, start):
        """Calls the function, whose arguments are in registers, and holds it to the calling convention."""
        top = STACK - 8
        self.registers["rsp"] = list(top.to_bytes(8, "little"))
        self.store(top, list(RETURN.to_bytes(8, "little")))
        for i, name in enumerate(CALLEE_SAVED):
            self.registers[name] = list((0x5A5A_0000_0000_0000 + i).to_bytes(8, "little"))
        saved = {name: self.registers[name] for name in CALLEE_SAVED}
        at = start
        while at != RETURN:
            at = self.step(at)
            self.steps += 1
            if self.steps > self.limit:
                raise Failure("it does not end")
        if self.number(self.registers["rsp"]) != top + 8:
            raise Failure("the stack pointer is not restored")
        for name, value in saved.items():
            if self.registers[name] != value:
                raise Failure(f"{name} is not restored")

    def step(self, at):
        ins = self.decoded.get(at)
        if ins is None and at - EXTERNAL in self.image.external:
            return self.call_external(self.image.external[at - EXTERNAL])
        if ins is None:
            place = self.image.place(at)
            if place is None:
                raise Failure(f"code at {at:#x} is not the library's")
            ins = self.decoded[at] = Instruction(self.decoder, bytes(place[0][place[1]:place[1] + 15]), at)
        return self.execute(ins)

    def call_external(self, name):
        """A function of the C library, by its contract; it leaves nothing in the registers that are its own."""
        target, source, count = (self.number(self.registers[r]) for r in ("rdi", "rsi", "rdx"))
        if name not in ("memcpy", "memset"):
            raise Failure(f"a call of {name}")
        self.store(target, self.load(source, count) if name == "memcpy" else [source & 255] * count)
        self.vectors, self.masks, self.flags = {}, {}, None
        for register in CALLER_SAVED:
            self.registers[register] = self.bytes_of([Value(8, -(1 << 63), (1 << 63) - 1)])
        self.registers["rax"] = list(target.to_bytes(8, "little"))
        pointer = self.number(self.registers["rsp"])
        self.registers["rsp"] = list((pointer + 8).to_bytes(8, "little"))
        return self.number(self.load(pointer, 8))

    def execute(self, ins):
        self.next, self.is_sse = ins.address + ins.size, ins.is_sse
        try:
            if ins.name[0] == "v":
                self.vector(ins)
                return self.next
            if ins.name[0] == "k":
                self.mask(ins)
                return self.next
            target = self.scalar(ins)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise Failure(f"an instruction that is not known: {ins.text}") from error
        return self.next if target is None else target

    # ---- General registers.

    CONDITIONS = {
        "e": lambda f: f.result == 0, "s": lambda f: f.result >> (f.bits - 1) != 0,
        "b": lambda f: f.a < f.b, "be": lambda f: f.a <= f.b,
        "l": lambda f: wrapped(f.a, f.bits) < wrapped(f.b, f.bits), "le": lambda f: wrapped(f.a, f.bits) <= wrapped(f.b, f.bits),
    }
    NEGATED = {"ne": "e", "ns": "s", "ae": "b", "a": "be", "ge": "l", "g": "le"}

    class Flags:
        def __init__(self, name, a, b, result, bits):
            self.name, self.a, self.b, self.result, self.bits = name, a, b, result, bits

    def condition(self, name):
        flags, negated = self.flags, name in self.NEGATED
        name = self.NEGATED.get(name, name)
        if flags is None:
            raise Failure("a condition depends on an input")
        if flags.name in ("and", "test", "or", "xor") and name in ("b", "be", "l", "le"):
            # Carry and overflow are 0: signed, the result is compared with 0; unsigned, nothing is below it.
            flags = self.Flags("cmp", flags.result, 0, flags.result, flags.bits)
        elif flags.name not in ("cmp", "sub") and name not in ("e", "s"):
            raise Failure(f"the condition {name} after {flags.name}")
        return self.CONDITIONS[name](flags) != negated

    def set_flags(self, name, a, b, result):
        known = all(x.constant is not None for x in (a, b, result))
        mask = (1 << 8 * a.size) - 1
        self.flags = self.Flags(name, a.constant & mask, b.constant & mask, result.constant & mask, 8 * a.size) if known else None

    def scalar(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        if name in ("nop", "endbr64"):
            return None
        if name in ("mov", "movabs"):
            return self.write(o[0], self.read(o[1], o[0].size))
        if name in ("movzx", "movsx", "movsxd"):
            data = self.read(o[1], o[1].size)
            wide = data + [0] * (o[0].size - len(data)) if name == "movzx" else self.bytes_of([d.resized(self.lane(data), o[0].size)])
            return self.write(o[0], wide)
        if name in ("cdqe", "cwde"):
            size = 8 if name == "cdqe" else 4
            return self.write(Operand("rax" if size == 8 else "eax"), self.bytes_of([d.resized(self.lane(self.registers["rax"][:size // 2]), size)]))
        if name == "lea":
            return self.write(o[0], self.lea(o[1], o[0].size))
        if name == "push":
            pointer = self.number(self.registers["rsp"]) - 8
            self.registers["rsp"] = list(pointer.to_bytes(8, "little"))
            return self.store(pointer, self.read(o[0], 8))
        if name in ("pop", "ret", "leave"):
            pointer = self.number(self.registers["rbp" if name == "leave" else "rsp"])
            data = self.load(pointer, 8)
            self.registers["rsp"] = list((pointer + 8).to_bytes(8, "little"))
            if name == "ret":
                return self.number(data, "the address of the caller")
            return self.write(o[0] if name == "pop" else Operand("rbp"), data)
        if name == "jmp":
            return self.number(self.read(o[0], 8), "a branch")
        if name == "call":
            self.registers["rsp"] = list((self.number(self.registers["rsp"]) - 8).to_bytes(8, "little"))
            self.store(self.number(self.registers["rsp"]), list(self.next.to_bytes(8, "little")))
            return self.number(self.read(o[0], 8), "a call")
        if ins.repeats and name in ("movsb", "movsq", "stosb", "stosq"):
            return self.repeated(name[:4], 8 if name[4] == "q" else 1)
        if name[0] == "j":
            return o[0].value if self.condition(name[1:]) else None
        if name.startswith("set"):
            return self.write(o[0], [int(self.condition(name[3:]))])
        if name.startswith("cmov"):
            return self.write(o[0], self.read(o[1] if self.condition(name[4:]) else o[0], o[0].size))
        return self.scalar_arithmetic(name, o)

    def repeated(self, name, size):
        """Moves or stores of rcx words one after another (the direction flag is 0 between calls)."""
        source, target, count = (self.number(self.registers[r]) for r in ("rsi", "rdi", "rcx"))
        for i in range(0, size * count, size):
            self.store(target + i, self.load(source + i, size) if name == "movs" else self.registers["rax"][:size])
        for register, value in (("rsi", source + size * count * (name == "movs")), ("rdi", target + size * count), ("rcx", 0)):
            self.registers[register] = list(value.to_bytes(8, "little"))

    def lea(self, o, size):
        """A sum of registers that need not be an address, in the width of the result."""
        d, total = self.domain, self.domain.constant(size, wrapped(o.offset + (self.next if o.is_relative else 0), 8 * size))
        for name, scale in o.terms:
            value = self.lane(self.registers[REGISTERS[name][0]][:size])
            if scale > 1:
                value = d.shifted(value, "shift_left", scale.bit_length() - 1)
            total = d.add(value, total)
        return self.bytes_of([total])

    def scalar_arithmetic(self, name, o):
        if not o:
            raise Failure(f"an instruction that is not known: {name}")
        d, size = self.domain, o[0].size
        a = self.lane(self.read(o[0], size))
        b = self.lane(self.read(o[1], size)) if len(o) > 1 else d.constant(size, 1)
        if name in ("xor", "sub") and len(o) == 2 and o[0].text == o[1].text:
            a = b = d.constant(size, 0)
        if name in ("add", "inc"):
            result = d.add(a, b)
        elif name in ("sub", "dec", "cmp"):
            result = d.add(a, b, -1) if name != "cmp" or a.constant is not None and b.constant is not None else a
        elif name == "neg":
            a, b, name = d.constant(size, 0), a, "sub"
            result = d.add(a, b, -1)
        elif name in ("and", "test", "or", "xor", "andn", "not"):
            kind = {"test": "and", "andn": "and_not", "not": "xor"}.get(name, name)
            x, y = (o[1], o[2]) if name == "andn" else (o[0], o[1]) if len(o) > 1 else (o[0], None)
            y = self.read(y, size) if y else [255] * size
            result = self.lane(self.bitwise(kind, self.read(x, size), y))
        elif name == "imul" and len(o) > 1:
            if len(o) == 3:
                a, b = b, self.lane(self.read(o[2], size))
            result = d.half_product(a, b, "multiply")
        elif name in ("shl", "sal", "shr", "sar", "shlx", "shrx", "sarx", "rol", "ror", "rorx", "bswap"):
            if name.endswith("x"):
                a, b = b, self.lane(self.read(o[2], size if o[2].kind == "register" else 1))
            result = self.scalar_shift(name, a, b if len(o) > 1 else d.constant(size, 1))
        elif name in ("shld", "shrd"):
            by = self.number(self.read(o[2], 1)) & (8 * size - 1)
            low, high = (b, a) if name == "shld" else (a, b)
            both = bits_of(self.bytes_of([low, high]))
            start = 8 * size - by if name == "shld" else by
            result = self.lane(bytes_of_bits(both[start:start + 8 * size]))
        else:
            raise Failure(f"an instruction that is not known: {name}")
        if name not in ("shlx", "shrx", "sarx", "rorx", "not", "bswap"):
            self.set_flags(name, a, b, result)
        return None if name in ("cmp", "test") else self.write(o[0], self.bytes_of([result]))

    def scalar_shift(self, name, a, count):
        if count.constant is None:
            raise Failure("the count of a shift depends on an input")
        bits, by = 8 * a.size, count.constant & (63 if a.size == 8 else 31)
        if name[:2] == "ro":
            old, by = bits_of(self.bytes_of([a])), by if name == "rol" else bits - by
            return self.lane(bytes_of_bits([old[(i - by) % bits] for i in range(bits)]))
        return self.domain.shifted(a, {"sh" + "l": "shift_left", "sal": "shift_left", "shr": "shift_right_unsigned"}.get(name[:3], "shift_right"), by)

    # ---- Masks.

    def mask(self, ins):
        name, o = ins.name, ins.operands
        if name.startswith("kmov"):
            size = 8 * LETTERS[name[4]]
            if o[0].kind == "register":
                bits = self.masks[o[1].text][:size]
                if any(isinstance(b, Value) for b in bits):
                    raise Failure("a mask of inputs goes into a general register")
                return self.write(o[0], list(sum(b << i for i, b in enumerate(bits)).to_bytes(o[0].size, "little")))
            bits = self.masks[o[1].text] if o[1].kind == "mask" else bits_of(self.read(o[1], o[1].size))
            if any(isinstance(b, tuple) for b in bits):
                raise Failure("a mask is made of inputs")
            self.masks[o[0].text] = list(bits[:size]) + [0] * (64 - size)
            return None
        size = 8 * LETTERS[name[-1]]
        if name.startswith("kxnor") and o[1].text == o[2].text:
            self.masks[o[0].text] = [1] * size + [0] * (64 - size)
        elif name.startswith("kxor") and o[1].text == o[2].text:
            self.masks[o[0].text] = [0] * 64
        elif re.match("k(not|x?or|andn?)[bwdq]", name):
            given = [self.masks[x.text][:size] for x in o[1:]]
            kind = {"not": "xor", "andn": "and_not"}.get(name[1:-1], name[1:-1])
            given += [[1] * size] if len(given) == 1 else []
            self.masks[o[0].text] = [self.mask_bit(kind, a, b) for a, b in zip(*given)] + [0] * (64 - size)
        else:
            raise Failure(f"an instruction that is not known: {ins.text}")
        return None

    def mask_bit(self, operation, a, b):
        """A function of two bits, of which one may be a lane's Value, 0 or -1."""
        if not isinstance(a, Value) and not isinstance(b, Value):
            return self.domain.bitwise(operation, a, b)
        size = a.size if isinstance(a, Value) else b.size
        a, b = (x if isinstance(x, Value) else self.domain.constant(size, -x) for x in (a, b))
        result = self.domain.of_one_source(operation, a, b)
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
        return {"b": 1, "w": 2, "d": 4, "q": 8}.get(name[-1], 4 if name.endswith("ps") else 8)

    def vector(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        if name == "vzeroupper":
            for number in range(16):
                if number in self.vectors:
                    self.vectors[number] = self.vectors[number][:16] + [0] * 48
            return None
        element = self.element(name)
        if re.fullmatch(r"vmov(dq[au]|[au]p[sd])(8|16|32|64)?|vlddqu|vmovnt\w+", name):
            return self.move(ins, element)
        if name in ("vmovd", "vmovq"):
            size = 4 if name == "vmovd" else 8
            data = self.read(o[1], size)[:size]
            return self.write(o[0], data + [0] * (16 - size) if o[0].kind == "vector" else data)
        if name in ("vmovlps", "vmovlpd", "vmovhps", "vmovhpd"):
            high = name[4] == "h"
            if o[0].kind == "memory":
                return self.write(o[0], self.read(o[-1], 16)[8:] if high else self.read(o[-1], 8))
            a, b = self.read(o[1], 16), self.read(o[-1], 8)
            return self.write(o[0], a[:8] + b if high else b + a[8:])
        if match := re.fullmatch(r"v(?:p?broadcast)(b|w|d|q|ss|sd|[if](?:128|32x4|64x2|64x4|32x8))", name):
            size = {"ss": 4, "sd": 8}.get(match[1]) or LETTERS.get(match[1]) or BLOCKS[match[1][1:]]
            return self.write_lanes(ins, self.read(o[1], size)[:size] * (o[0].size // size), element)
        if match := re.fullmatch(r"vextract[if](128|32x4|64x2|64x4|32x8)", name):
            size = BLOCKS[match[1]]
            at = size * (o[2].value % (o[1].size // size))
            return self.write_lanes(ins, self.read(o[1], 64)[at:at + size], element)
        if match := re.fullmatch(r"vpextr([bwdq])", name):
            size = LETTERS[match[1]]
            at = size * (o[-1].value % (16 // size))
            data = self.read(o[-2], 16)[at:at + size]
            return self.write(o[0], data if o[0].kind == "memory" else (data + [0] * 4)[:max(4, size)] if size < 8 else data)
        size = o[0].size if o[0].kind == "vector" else o[1].size
        if match := re.fullmatch(r"vinsert[if](128|32x4|64x2|64x4|32x8)", name):
            block, data = BLOCKS[match[1]], list(self.read(o[1], size))
            at = block * (o[3].value % (size // block))
            data[at:at + block] = self.read(o[2], block)
            return self.write_lanes(ins, data, element)
        if match := re.fullmatch(r"vpinsr([bwdq])", name):
            block, data = LETTERS[match[1]], list(self.read(o[1], 16))
            at = block * (o[-1].value % (16 // block))
            data[at:at + block] = self.read(o[-2], block)[:block]
            return self.write(o[0], data)
        if name in ("vshufi64x2", "vshufi32x4", "vshuff64x2", "vshuff32x4"):
            a, b, blocks, imm = self.read(o[1], size), self.read(o[2], size), size // 16, o[3].value
            step = blocks.bit_length() - 1
            chosen = [(a if i < blocks // 2 else b, 16 * (imm >> step * i & (blocks - 1))) for i in range(blocks)]
            return self.write_lanes(ins, [x for source, at in chosen for x in source[at:at + 16]], element)
        if name in SHUFFLES and (o[-1].kind == "constant" or name not in ("vpermq", "vpermpd", "vpermilps", "vpermilpd")):
            imm = o[-1].value if o[-1].kind == "constant" else 0
            given = o[1:2] if name in ONE_OPERAND else o[1:3]
            data = [x for operand in given for x in self.read(operand, size)]
            return self.write_lanes(ins, [0 if i is None else data[i] for i in SHUFFLES[name](size, imm)], element)
        if name in ("vpshufb", "vpermb", "vpermw", "vpermd", "vpermq", "vpermps", "vpermilps") or re.fullmatch(r"vperm[it]2\w+", name):
            return self.shuffle_by_indices(ins, element, size)
        if match := re.fullmatch(r"vps(ll|rl|ra)(v?)([wdq])", name):
            return self.shift(ins, SHIFTS["l" if match[1] == "ll" else match[1][1] if match[1] == "ra" else "r"], match[2], LETTERS[match[3]], size)
        if match := re.fullmatch(r"vpro(l|r)(d|q)", name):
            by, result = o[2].value % (8 * element), []
            data = self.read(o[1], size)
            for i in range(0, size, element):
                bits = bits_of(data[i:i + element])
                by_left = by if match[1] == "l" else 8 * element - by
                result += bytes_of_bits([bits[(j - by_left) % len(bits)] for j in range(len(bits))])
            return self.write_lanes(ins, result, element)
        if name == "vpmultishiftqb":
            control, bits, result = self.read(o[1], size), bits_of(self.read(o[2], size)), []
            for i, c in enumerate(control):
                word = bits[i // 8 * 64:i // 8 * 64 + 64]
                result += [word[(self.number([c]) + j) % 64] for j in range(8)]
            return self.write_lanes(ins, bytes_of_bits(result), 1)
        if match := re.fullmatch(r"vpmov([sz])x([bwd])([wdq])", name):
            narrow, wide = LETTERS[match[2]], LETTERS[match[3]]
            data = self.read(o[1], size * narrow // wide)
            parts = [data[i:i + narrow] for i in range(0, size * narrow // wide, narrow)]
            result = [x for p in parts for x in (p + [0] * (wide - narrow) if match[1] == "z" else self.bytes_of([d.resized(self.lane(p), wide)]))]
            return self.write_lanes(ins, result, wide)
        if match := re.fullmatch(r"vpmov([wdq])([bwd])", name):
            wide, narrow = LETTERS[match[1]], LETTERS[match[2]]
            data = self.read(o[1], o[1].size)
            result = [x for i in range(0, len(data), wide) for x in data[i:i + narrow]]
            return self.write_lanes(ins, result if o[0].kind == "memory" else result + [0] * (16 - len(result)), narrow)
        if name in ("vpblendvb", "vblendvps", "vpblendmb", "vpblendmw", "vpblendmd", "vpblendmq") or name.startswith("vpcmp") and o[0].kind == "mask" \
                or name in ("vpmovw2m", "vpmovd2m", "vpmovm2w", "vpmovm2d", "vptestmw", "vptestmd", "vptestnmw"):
            return self.conditional(ins, element, size)
        return self.write_lanes(ins, self.lane_operation(ins, name, size), element)

    def move(self, ins, element):
        o = ins.operands
        size = o[0].size if o[0].kind == "vector" else o[1].size
        if o[1].kind == "memory" and ins.mask is not None and ins.zeroes:  # what is masked is not read
            at, bits = self.address(o[1]), self.masks[ins.mask]
            return self.write(o[0], [x for i in range(0, size, element) for x in
                                     (self.load(at + i, element) if bits[i // element] else [0] * element)])
        return self.write_lanes(ins, self.read(o[1], size), element)

    def shuffle_by_indices(self, ins, element, size):
        name, o = ins.name, ins.operands
        if "i2" in name or "t2" in name:
            index, tables = (o[0], (o[1], o[2])) if "i2" in name else (o[1], (o[0], o[2]))
        else:
            index, tables = (o[2], (o[1],)) if name in ("vpshufb", "vpermilps") else (o[1], (o[2],))
        data = [x for table in tables for x in self.read(table, size)]
        indices, result = self.read(index, size), []
        for i in range(0, size, element):
            k = self.number(indices[i:i + element], "the index of a shuffle")
            if name == "vpshufb":
                result.append(0 if k & 0x80 else data[i // 16 * 16 + (k & 15)])
            elif name == "vpermilps":
                at = i // 16 * 16 + 4 * (k & 3)
                result += data[at:at + 4]
            else:
                at = element * (k % (len(data) // element))
                result += data[at:at + element]
        return self.write_lanes(ins, result, element)

    def shift(self, ins, operation, is_variable, lane, size):
        o, d, result = ins.operands, self.domain, []
        data = self.read(o[1], size)
        if is_variable:
            counts = self.read(o[2], size)
            counts = [self.number(counts[i:i + lane], "the count of a shift") for i in range(0, size, lane)]
        else:
            counts = [o[2].value if o[2].kind == "constant" else self.number(self.read(o[2], 8), "the count of a shift")] * (size // lane)
        for i, by in zip(range(0, size, lane), counts):
            x, n = data[i:i + lane], min(by, 8 * lane) // 8
            if by % 8 == 0 and operation != "shift_right":
                result += [0] * n + x[:lane - n] if operation == "shift_left" else x[n:] + [0] * n
            else:
                result += self.bytes_of([d.shifted(self.lane(x), operation, by)])
        return self.write_lanes(ins, result, lane)

    def lane_operation(self, ins, name, size):
        d = self.domain
        if len(ins.operands) == 3 and ins.operands[1].text == ins.operands[2].text:
            # Whatever is in the register: zero of what is subtracted from itself, ones of what is equal to itself.
            if re.match("vpxor|vxorp|vpsub", name):
                return [0] * size
            if name.startswith("vpcmpeq"):
                return [255] * size
        if match := re.fullmatch(r"(v(?:p(?:andn?|or|xor)|(?:andn?|x?or)p[sd]))[dq]?", name):
            return self.bitwise(BITWISE[match[1]], *(self.read(o, size) for o in ins.operands[1:3]))
        if name in ("vpternlogd", "vpternlogq"):
            return self.ternary(ins, size)
        if name in ("vpabsw", "vpabsd"):
            lane = LETTERS[name[-1]]
            return self.bytes_of([d.of_one_source("maximum", x, d.add(d.constant(lane, 0), x, -1))
                                  for x in self.lanes(self.read(ins.operands[1], size), lane)])
        given = ins.operands[1:3] if name[:4] != "vpdp" else ins.operands[:3]
        if name not in ARITHMETIC and name not in self.PAIRS or len(given) < 2:
            raise Failure(f"an instruction that is not known: {ins.text}")
        a, b = self.read(given[-2], size), self.read(given[-1], size)
        if name in ARITHMETIC:
            lane, operation = ARITHMETIC[name]
            return self.bytes_of([operation(d, x, y) for x, y in zip(self.lanes(a, lane), self.lanes(b, lane))])
        return self.PAIRS[name](self, a, b, size, ins)

    def products(self, a, b, size, ins):
        """The low 32 bits of 64-bit lanes, with a sign."""
        return self.bytes_of([self.domain.multiply(self.lane(a[i:i + 4]), self.lane(b[i:i + 4]), 8) for i in range(0, size, 8)])

    def unsigned_products(self, a, b, size, ins):
        d = self.domain
        lanes = [(self.lane(a[i:i + 4] + [0] * 4), self.lane(b[i:i + 4] + [0] * 4)) for i in range(0, size, 8)]
        return self.bytes_of([d.constant(8, wrapped(x.constant * y.constant, 64)) if x.constant is not None and y.constant is not None
                              else d.multiply(x, y, 8) for x, y in lanes])

    def sums_of_products(self, a, b, size, ins):
        d, x, y = self.domain, self.lanes(a, 2), self.lanes(b, 2)
        sums = [d.add(d.multiply(x[i], y[i], 4), d.multiply(x[i + 1], y[i + 1], 4)) for i in range(0, len(x), 2)]
        if ins.name == "vpdpwssd":
            sums = [d.add(s, t) for s, t in zip(self.lanes(self.read(ins.operands[0], size), 4), sums)]
        return self.bytes_of(sums)

    def byte_sums_of_products(self, a, b, size, ins):
        """Bytes of a without a sign, by bytes of b with one. Known sums saturate; others must not."""
        d = self.domain
        products = [d.multiply(self.lane([x, 0]), d.resized(self.lane([y]), 2), 2) for x, y in zip(a, b)]
        pairs = [products[i:i + 2] for i in range(0, size, 2)]
        return self.bytes_of([d.add(x, y) if x.constant is None or y.constant is None
                              else d.constant(2, min(max(x.constant + y.constant, -32768), 32767)) for x, y in pairs])

    def packed(self, a, b, size, ins):
        wide, d = 4 if "dw" in ins.name else 2, self.domain
        narrow, is_unsigned = wide // 2, "us" in ins.name
        low, high = (0, (1 << 8 * narrow) - 1) if is_unsigned else (-(1 << 8 * narrow - 1), (1 << 8 * narrow - 1) - 1)
        result = []
        for i in range(0, size, 16):
            for x in self.lanes(a[i:i + 16], wide) + self.lanes(b[i:i + 16], wide):
                value = d.constant(wide, min(max(x.constant, low), high)) if x.constant is not None else x
                if value.low < low or value.high > high:
                    raise Failure(f"a value saturates: [{value.low}, {value.high}]")
                result += self.bytes_of([value])[:narrow]
        return result

    PAIRS = {"vpmuldq": products, "vpmuludq": unsigned_products, "vpmaddwd": sums_of_products, "vpdpwssd": sums_of_products,
             "vpmaddubsw": byte_sums_of_products, "vpackssdw": packed, "vpackusdw": packed, "vpacksswb": packed, "vpackuswb": packed}

    def bitwise(self, operation, a, b):
        """Bit by bit, where one of two bits is known; else, and where bits are gathered, lanes of 16 or 32
        bits by enumeration, with their bits kept."""
        d, result = self.domain, []
        lane = min(d.word_bits // 8, len(a))
        for i in range(0, len(a), lane):
            x, y = a[i:i + lane], b[i:i + lane]
            bits = [d.bitwise(operation, s, t) for s, t in zip(bits_of(x), bits_of(y))]
            known = None not in bits
            data = bytes_of_bits(bits) if known else None
            if not known or not is_known(data) and any(isinstance(t, tuple) and len(t) == 8 for t in data):
                value = d.derive(operation, lane, self.lane(x), self.lane(y)) if known else d.of_one_source(operation, self.lane(x), self.lane(y))
                if value is not None:
                    if known and value.constant is None:
                        value.bits = tuple(bits)
                    data = self.bytes_of([value])
            result += data
        return result

    def ternary(self, ins, size):
        """The function of three bits that the constant is the table of."""
        table = ins.operands[3].value
        given = [self.read(o, size) if table not in (0x00, 0xFF) else [0] * size for o in ins.operands[:3]]
        if table == 0xFF:
            return [255] * size
        bits = []
        for three in zip(*(bits_of(x) for x in given)):
            free = [k for k in range(3) if isinstance(three[k], tuple)]
            choices = []
            for number in range(1 << len(free)):
                values = list(three)
                for j, k in enumerate(free):
                    values[k] = number >> j & 1
                if all(values[k] == values[m] for k in free for m in free if three[k] == three[m]):
                    choices.append((values, table >> (values[0] << 2 | values[1] << 1 | values[2]) & 1))
            result = [c for _, c in choices]
            same = [three[k] for k in free if all(values[k] == c for values, c in choices)]
            if len(set(result)) == 1:
                bits.append(result[0])
            elif same:
                bits.append(same[0])
            else:
                return self.ternary_lanes(given, table)
        return bytes_of_bits(bits)

    def ternary_lanes(self, given, table):
        """Lanes that depend on one source: the or of the table's terms."""
        d, size = self.domain, self.domain.word_bits // 8
        result = []
        for a, b, c in zip(*(self.lanes(x, size) for x in given)):
            total = d.constant(size, 0)
            for number in range(8):
                if table >> number & 1:
                    term = d.constant(size, -1)
                    for k, x in enumerate((a, b, c)):
                        term = d.of_one_source("and" if number >> (2 - k) & 1 else "and_not", x, term)
                    total = d.of_one_source("or", total, term)
            result.append(total)
        return self.bytes_of(result)

    def conditional(self, ins, element, size):
        """Blends by a vector or a mask, comparisons into masks, masks from signs and into lanes."""
        name, o, d = ins.name, ins.operands, self.domain
        if name in ("vpblendvb", "vblendvps"):
            lane = 1 if name == "vpblendvb" else 4
            a, b, c = (self.read(x, size) for x in o[1:4])
            tops = [bits_of([c[i + lane - 1]])[7] for i in range(0, size, lane)]
            if any(isinstance(t, tuple) for t in tops):
                raise Failure("a blend depends on an input")
            return self.write(o[0], self.chosen(tops, b, a, lane))
        if name.startswith("vpblendm"):
            a, b = self.read(o[1], size), self.read(o[2], size)
            return self.write(o[0], self.chosen(self.masks[ins.mask], b, [0] * size if ins.zeroes else a, element))
        if name in ("vpmovm2w", "vpmovm2d"):
            bits = self.masks[o[1].text]
            return self.write(o[0], self.bytes_of([d.resized(b, element) if isinstance(b, Value) else d.constant(element, -b)
                                                   for b in bits[:size // element]]))
        size = o[1].size
        if name in ("vpmovw2m", "vpmovd2m"):
            element = LETTERS[name[5]]
            signs = [d.shifted(x, "shift_right", 8 * element - 1) for x in self.lanes(self.read(o[1], size), element)]
        else:
            a, b = (self.lanes(self.read(x, size), element) for x in o[1:3])
            signs = [self.compared(name, o, x, y) for x, y in zip(a, b)]
        if ins.mask is not None:
            raise Failure("a comparison under a mask")
        bits = [s if s.constant is None else s.constant & 1 for s in signs]
        self.masks[o[0].text] = bits + [0] * (64 - len(bits))
        return None

    def compared(self, name, o, a, b):
        d = self.domain
        zero = d.constant(a.size, 0)
        if name.startswith("vptest"):
            equal = d.of_one_source("equal", d.of_one_source("and", a, b), zero)
            return equal if "nm" in name else d.of_one_source("xor", equal, d.constant(a.size, -1))
        kind = re.match(r"vpcmp(eq|lt|le|neq|nlt|nle|gt|ge|u)?", name)[1]
        if name[5:6] == "u" or re.match(r"vpcmp\w*u[bwdq]$", name):
            raise Failure(f"a comparison without signs: {name}")
        if kind is None:
            kind = ("eq", "lt", "le", "false", "neq", "nlt", "nle", "true")[o[3].value]
        base = {"eq": ("equal", a, b), "neq": ("equal", a, b), "lt": ("greater", b, a), "nlt": ("greater", b, a), "gt": ("greater", a, b),
                "le": ("greater", a, b), "nle": ("greater", a, b), "ge": ("greater", b, a)}[kind]
        result = d.of_one_source(*base)
        return d.of_one_source("xor", result, d.constant(a.size, -1)) if kind in ("neq", "nlt", "le", "ge") else result
