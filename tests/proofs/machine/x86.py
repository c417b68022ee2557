"""x86-64 machine code, read for every input of a kernel at once: memory and general registers.

Registers and memory hold bytes. A byte is an integer (known), a pair (v, k) of a domain's
Value and a number (byte k of it), or eight bits, for bytes put together from several values.
Moves, shuffles and shifts move bytes or bits; arithmetic takes lanes, as integers with a sign.

Known must be: addresses, conditions of branches, counts of shifts, indices of shuffles. The
forms of instructions are those that occur in the kernels; any other is a failure, so none
whose time depends on its operands (a division, say) can occur.
"""

from domain import Failure, Value, wrapped
from instruction import REGISTERS, WIDE, Instruction, Operand
from vectors import Vectors, bits_of, bytes_of_bits, is_known

STACK = 0x7FFF_0000_0000
STACK_BYTES = 1 << 18
RETURN = 0xDEAD_0000
CALLEE_SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
CALLER_SAVED = ("rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
# Conditions by the relations of domain.py.
CONDITIONS = {"e": "eq", "ne": "neq", "b": "ltu", "ae": "nltu", "be": "leu", "a": "nleu", "l": "lt", "ge": "nlt", "le": "le", "g": "gt"}
SHIFTS = {"shl": "shift_left", "shr": "shift_right_unsigned", "sar": "shift_right"}
EXTERNAL = 0xE000_0000  # the address of a function of another library: this and the place of its address
MASK64 = (1 << 64) - 1


class Machine(Vectors):
    limit = 400_000  # instructions of a call

    def __init__(self, image, domain):
        self.image, self.domain = image, domain
        self.memory = {}  # address: byte, where something was written
        self.arrays = []  # (address, bytes, whether it may be written)
        self.vectors = {}  # number: 64 bytes
        self.registers = {name: [0] * 8 for name in WIDE}
        self.masks = {}  # name: 64 bits, lowest first: 0, 1 or a lane's Value (0 or -1)
        self.flags = None  # (name, a, b, result) of the last that set them
        self.decoded = {}
        self.table_bytes = set()  # addresses in the image that were read
        self.steps, self.sums = 0, {}

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
            if place is None and STACK - STACK_BYTES <= at < STACK:  # as a probe of the stack does
                data.append((self.domain.unknown(1), 0))
                continue
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
                d, sign = self.domain, self.domain.resized(bit, element)
                others = d.of_one_source("xor", sign, d.constant(element, -1))
                x, y = d.of_one_source("and", self.lane(x), sign), d.of_one_source("and", self.lane(y), others)
                result += self.bytes_of([d.of_one_source("or", x, y)])
            else:
                result += x if bit else y
        return result

    # ---- Running.

    def run(self, start):
        """Calls the function, whose arguments are in registers, and holds it to the calling
        convention."""
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
            ins = self.decoded[at] = Instruction(bytes(place[0][place[1]:place[1] + 15]), at)
        return self.execute(ins)

    def call_external(self, name):
        """A function of the C library, by its contract; it leaves nothing in the registers that
        are its own."""
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

    def flag(self, name):
        """Whether a condition holds, 0 or -1, by the name, the operands and the result of the
        instruction that set the flags."""
        if self.flags is None:
            raise Failure("a condition depends on an input")
        last, a, b, result = self.flags
        if name in ("s", "ns") and last != "cmp" or name in ("e", "ne") and last not in ("cmp", "sub"):
            return self.domain.compared({"s": "lt", "ns": "nlt", "e": "eq", "ne": "neq"}[name], result, self.domain.constant(result.size, 0))
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
            wide = data + [0] * (o[0].size - len(data)) if name == "movzx" else self.bytes_of([d.resized(self.lane(data), o[0].size)])
            return self.write(o[0], wide)
        if name.startswith("set"):
            holds = d.unknown(1) if self.flags is None else d.resized(self.flag(name[3:]), 1)
            return self.write(o[0], self.bytes_of([d.of_one_source("and", holds, d.constant(1, 1))]))
        if name.startswith("cmov"):
            holds = self.flag(name[4:])
            bit = holds if holds.constant is None else holds.constant & 1
            return self.write(o[0], self.chosen([bit], self.read(o[1], o[0].size), self.read(o[0], o[0].size), o[0].size))
        if name == "cdqe":
            return self.write(Operand("rax"), self.bytes_of([d.resized(self.lane(self.registers["rax"][:4]), 8)]))
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
        if ins.repeats and name in ("movsq", "stosq"):
            return self.repeated_move(name)
        if name[0] == "j":
            return o[0].value if self.condition(name[1:]) else None
        return self.scalar_arithmetic(name, o)

    def repeated_move(self, name):
        """Moves of rcx words, or stores of rax, one after another (the direction flag is 0 between
        calls)."""
        source, target, count = (self.number(self.registers[r]) if r != "rsi" or name == "movsq" else 0 for r in ("rsi", "rdi", "rcx"))
        for i in range(0, 8 * count, 8):
            self.store(target + i, self.load(source + i, 8) if name == "movsq" else self.registers["rax"])
        ends = {"rdi": target + 8 * count, "rcx": 0} | ({"rsi": source + 8 * count} if name == "movsq" else {})
        for register, value in ends.items():
            self.registers[register] = list(value.to_bytes(8, "little"))

    def lea(self, o, size):
        """A sum of registers that need not be an address, in the width of the result."""
        d, total = self.domain, None
        for name, scale in o.terms:
            value = self.lane(self.registers[REGISTERS[name][0]][:size])
            if scale > 1:
                value = d.shifted(value, "shift_left", scale.bit_length() - 1)
            # A sum once, so that what is computed from both is of one source.
            total = value if total is None else self.sums.setdefault((total, value), d.add(total, value))
        offset = d.constant(size, wrapped(o.offset + (self.next if o.is_relative else 0), 8 * size))
        return self.bytes_of([offset if total is None else d.add(total, offset)])

    def scalar_arithmetic(self, name, o):
        d, size = self.domain, o[0].size
        if name in ("shlx", "shrx", "sarx"):  # without flags
            by = self.number(self.read(o[2], 1)) & (8 * size - 1)
            return self.write(o[0], self.bytes_of([d.shifted(self.lane(self.read(o[1], size)), SHIFTS[name[:3]], by)]))
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
        elif name in ("and", "test", "or", "xor"):
            result = self.lane(self.bitwise("and" if name == "test" else name, self.bytes_of([a]), self.bytes_of([b])))
        elif name == "imul" and len(o) > 1:
            result = d.half_product(*((a, b) if len(o) == 2 else (b, self.lane(self.read(o[2], size)))), "multiply")
        elif name in ("shl", "shr", "sar"):
            by = self.number(self.bytes_of([b])) & (63 if size == 8 else 31)
            result = d.shifted(a, SHIFTS[name], by)
        elif name == "shrd":
            by = self.number(self.read(o[2], 1)) & (8 * size - 1)
            result = self.lane(bytes_of_bits(bits_of(self.bytes_of([a, b]))[by:by + 8 * size]))
        else:
            raise Failure(f"an instruction that is not known: {name}")
        # Zero and sign are undefined after imul, and unchanged by not.
        self.flags = None if name in ("imul", "not", "neg") else (name, a, b, result)
        return None if name in ("cmp", "test") else self.write(o[0], self.bytes_of([result]))
