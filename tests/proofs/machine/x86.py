"""x86-64 machine code: general registers, flags and operands."""

from domain import Failure, wrapped
from instruction import REGISTERS, WIDE, Instruction, Operand
from reader import MASK64, RETURN, Reader, bits_of, bytes_of_bits
from vectors import Vectors

# Conditions by the relations of domain.py.
CONDITIONS = {
    "e": "eq",
    "ne": "neq",
    "b": "ltu",
    "ae": "nltu",
    "be": "leu",
    "a": "nleu",
    "l": "lt",
    "ge": "nlt",
    "le": "le",
    "g": "gt",
}
SHIFTS = {
    "shl": "shift_left",
    "shr": "shift_right_unsigned",
    "sar": "shift_right",
    "rol": "rotate_left",
    "ror": "rotate_right",
}


class Machine(Vectors, Reader):
    Instruction, WIDE = Instruction, WIDE
    ARGUMENTS, RESULT = ("rdi", "rsi", "rdx", "rcx", "r8", "r9"), "rax"
    CALLEE_SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
    CALLER_SAVED = ("rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
    STACK_POINTER, RED_ZONE = "rsp", 128

    def __init__(self, image, domain):
        super().__init__(image, domain)
        self.masks = {}  # name: 64 bits, lowest first: 0, 1 or a lane's Value (0 or -1)
        self.sums = {}

    # ---- Calls.

    @staticmethod
    def unset():
        """Known, since clang moves masks of which it has set the low byte alone; of no use else."""
        return [0xA5] * 8

    def push(self, data):
        self.put("rsp", self.pointer() - 8)
        self.store(self.pointer(), data)

    def pop(self):
        data = self.load(self.pointer(), 8)
        self.put("rsp", self.pointer() + 8)
        return data

    def enter(self):
        self.push(list(RETURN.to_bytes(8, "little")))

    def leave(self):
        """The end of a function of another library."""
        self.vectors, self.masks = {}, {}
        return self.number(self.pop())

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
            return self.registers[o.name][: o.size]
        if o.kind == "memory":
            return (
                self.load(self.address(o), min(o.size, size) if o.copies == 1 else o.size)
                * o.copies
            )
        return list((o.value & (1 << 8 * size) - 1).to_bytes(size, "little"))

    def write(self, o, data):
        if o.kind == "memory":
            self.store(self.address(o), data)
        elif o.kind == "vector":
            self.vectors[o.number] = data + (
                self.vectors.get(o.number, [0] * 64)[len(data) :]
                if self.is_sse
                else [0] * (64 - len(data))
            )
        elif o.size == 4:
            self.registers[o.name] = data + [0] * 4
        else:
            self.registers[o.name] = data + self.registers[o.name][o.size :]

    def write_lanes(self, ins, data, element, mask=None):
        """A result under the instruction's mask: other lanes keep theirs, or become zero."""
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
                    self.store(at + i, data[i : i + element])
            return None
        old = [0] * len(data) if ins.zeroes else self.read(o, len(data))
        return self.write(o, self.chosen(bits, data, old, element))

    # ---- General registers.

    def execute_known(self, ins):
        self.is_sse = ins.is_sse
        kind = (
            self.vector if ins.name[0] == "v" else self.mask if ins.name[0] == "k" else self.scalar
        )
        return kind(ins)

    def flag(self, name):
        """Whether a condition holds, 0 or -1, by the name, the operands and the result of the
        instruction that set the flags."""
        if self.flags is None:
            raise Failure("a condition depends on an input")
        last, a, b, result = self.flags
        if (
            name in ("s", "ns")
            and last != "cmp"
            or name in ("e", "ne")
            and last not in ("cmp", "sub")
        ):
            return self.domain.compared(
                {"s": "lt", "ns": "nlt", "e": "eq", "ne": "neq"}[name],
                result,
                self.domain.constant(result.size, 0),
            )
        if last not in ("cmp", "sub") or name not in CONDITIONS:
            raise Failure(f"the condition {name} after {last}")
        return self.domain.compared(CONDITIONS[name], a, b)

    def condition(self, name):
        """Whether a condition holds that a branch depends on."""
        value = self.flag(name)
        if value.constant is None:
            raise Failure("a condition depends on an input")
        return value.constant != 0

    def scalar(self, ins):
        name, o, d = ins.name, ins.operands, self.domain
        if name in ("nop", "endbr64"):
            return None
        if name in ("mov", "movabs"):
            return self.write(o[0], self.read(o[1], o[0].size))
        if name in ("movzx", "movsx", "movsxd"):
            data = self.read(o[1], o[1].size)
            wide = (
                data + [0] * (o[0].size - len(data))
                if name == "movzx"
                else self.bytes_of([d.resized(self.lane(data), o[0].size)])
            )
            return self.write(o[0], wide)
        if name.startswith("set"):
            holds = d.unknown(1) if self.flags is None else d.resized(self.flag(name[3:]), 1)
            return self.write(
                o[0], self.bytes_of([d.of_one_source("and", holds, d.constant(1, 1))])
            )
        if name.startswith("cmov"):
            holds = self.flag(name[4:])
            bit = holds if holds.constant is None else holds.constant & 1
            return self.write(
                o[0],
                self.chosen(
                    [bit], self.read(o[1], o[0].size), self.read(o[0], o[0].size), o[0].size
                ),
            )
        if name == "cdqe":
            return self.write(
                Operand("rax"), self.bytes_of([d.resized(self.lane(self.registers["rax"][:4]), 8)])
            )
        if name == "lea":
            return self.write(o[0], self.lea(o[1], o[0].size))
        if name == "push":
            return self.push(self.read(o[0], 8))
        if name == "leave":
            self.registers["rsp"] = self.registers["rbp"]
        if name in ("pop", "leave"):
            return self.write(o[0] if name == "pop" else Operand("rbp"), self.pop())
        if name == "ret":
            if o:
                raise Failure("a return takes arguments off the stack")
            return self.number(self.pop(), "the address of the caller")
        if name == "jmp":
            return self.number(self.read(o[0], 8), "a branch")
        if name == "call":
            self.push(list(self.next.to_bytes(8, "little")))
            return self.number(self.read(o[0], 8), "a call")
        if ins.repeats and name in ("movsq", "stosq"):
            return self.repeated_move(name)
        if name[0] == "j":
            return o[0].value if self.condition(name[1:]) else None
        return self.scalar_arithmetic(name, o)

    def repeated_move(self, name):
        """Moves of rcx words, or stores of rax, one after another (the direction flag is 0 between
        calls)."""
        source, target, count = (
            self.number(self.registers[r]) if r != "rsi" or name == "movsq" else 0
            for r in ("rsi", "rdi", "rcx")
        )
        for i in range(0, 8 * count, 8):
            self.store(
                target + i, self.load(source + i, 8) if name == "movsq" else self.registers["rax"]
            )
        ends = {"rdi": target + 8 * count, "rcx": 0} | (
            {"rsi": source + 8 * count} if name == "movsq" else {}
        )
        for register, value in ends.items():
            self.put(register, value)

    def lea(self, o, size):
        """A sum of registers that need not be an address, in the width of the result."""
        d, total = self.domain, None
        for name, scale in o.terms:
            value = self.lane(self.registers[REGISTERS[name][0]][:size])
            if scale > 1:
                value = d.shifted(value, "shift_left", scale.bit_length() - 1)
            # A sum once, so that what is computed from both is of one source.
            total = (
                value
                if total is None
                else self.sums.setdefault((total, value), d.add(total, value))
            )
        offset = d.constant(size, wrapped(o.offset + (self.next if o.is_relative else 0), 8 * size))
        return self.bytes_of([offset if total is None else d.add(total, offset)])

    def scalar_arithmetic(self, name, o):
        d, size = self.domain, o[0].size
        if name in ("shlx", "shrx", "sarx", "rorx"):  # without flags
            by = self.number(self.read(o[2], 1)) & (8 * size - 1)
            return self.write(o[0], self.shifted(self.read(o[1], size), SHIFTS[name[:3]], by))
        if name == "xor" and o[0].text == o[1].text:
            a = b = d.constant(size, 0)
        else:
            a = self.lane(self.read(o[0], size))
            b = self.lane(self.read(o[1], size)) if len(o) > 1 else d.constant(size, 1)
        if name in ("add", "inc"):
            result = d.add(a, b)
        elif name in ("sub", "dec"):
            result = d.add(a, b, -1)
        elif name == "cmp":
            result = a  # of no use: conditions take the operands
        elif name == "neg":
            result = d.add(d.constant(size, 0), a, -1)
        elif name == "not":
            result = d.add(d.constant(size, -1), a, -1)
        elif name == "andn":
            a, b = self.read(o[1], size), self.read(o[2], size)
            result = self.lane(self.bitwise("and", self.bitwise("xor", a, [255] * size), b))
        elif name in ("and", "test", "or", "xor"):
            result = self.lane(
                self.bitwise(
                    "and" if name == "test" else name, self.bytes_of([a]), self.bytes_of([b])
                )
            )
        elif name == "imul" and len(o) > 1:
            result = d.half_product(
                *((a, b) if len(o) == 2 else (b, self.lane(self.read(o[2], size)))), "multiply"
            )
        elif name in SHIFTS:
            by = self.number(self.bytes_of([b])) & (63 if size == 8 else 31)
            result = self.lane(self.shifted(self.bytes_of([a]), SHIFTS[name], by))
        elif name == "shrd":
            by = self.number(self.read(o[2], 1)) & (8 * size - 1)
            result = self.lane(bytes_of_bits(bits_of(self.bytes_of([a, b]))[by : by + 8 * size]))
        else:
            raise Failure(f"an instruction that is not known: {name}")
        # Zero and sign are undefined after imul, and unchanged by not, rotations and shifts of 0.
        if name not in (*SHIFTS, "shrd") or by:
            self.flags = (
                None if name in ("imul", "not", "neg", "rol", "ror") else (name, a, b, result)
            )
        return None if name in ("cmp", "test") else self.write(o[0], self.bytes_of([result]))
