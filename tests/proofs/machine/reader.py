"""Machine code, read for every input of a kernel at once: memory, lanes and calls, which all
processors share.

Registers and memory hold bytes. A byte is an integer (known), a pair (v, k) of a domain's
Value and a number (byte k of it), or eight bits, for bytes put together from several values.
Moves, shuffles and shifts move bytes or bits; arithmetic takes lanes, as integers with a sign.

Known must be: addresses, conditions of branches, counts of shifts, indices of shuffles. The
forms of instructions are those that occur in the kernels; any other is a failure, so none
whose time depends on its operands (a division, say) can occur.
"""

from domain import Domain, Failure, Value

STACK = 0x7FFF_0000_0000
STACK_BYTES = 1 << 18
RETURN = 0xDEAD_0000
EXTERNAL = (
    0xE000_0000  # the address of a function of another library: this and the place of its address
)
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
        eight = tuple(bits[i : i + 8])
        first = eight[0]
        if (
            isinstance(first, tuple)
            and first[1] % 8 == 0
            and all(first[0].bit(first[1] + j) == b for j, b in enumerate(eight))
            and first[1] < 8 * first[0].size
        ):
            data.append((first[0], first[1] // 8))
        elif all(b in (0, 1) for b in eight):
            data.append(sum(b << j for j, b in enumerate(eight)))
        else:
            data.append(eight)
    return data


class Reader:
    """A processor's own are its decoder, the names of its registers, and execute_known."""

    limit = 400_000  # instructions of a call

    def __init__(self, image, domain):
        self.image, self.domain = image, domain
        self.memory = {}  # address: byte, where something was written
        self.arrays = []  # (address, bytes, whether it may be written)
        self.vectors = {}  # number: its bytes
        self.registers = {name: self.unknown() for name in self.WIDE}
        self.flags = None  # what conditions are found from, if known
        self.compared = None  # on Arm: the two values whose difference set them
        self.decoded = {}
        self.table_bytes = set()  # addresses in the image that were read
        self.steps = 0

    @staticmethod
    def unknown():
        return Reader.bytes_of([Domain.unknown(8)])

    unset = unknown  # a register before the call

    def put(self, name, number):
        self.registers[name] = list((number & MASK64).to_bytes(8, "little"))

    def pointer(self):
        return self.number(self.registers[self.STACK_POINTER])

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

    def check_written(self, address, size):
        """Fails unless bytes of an output or of the stack alone are written."""
        end = address + size
        if STACK - STACK_BYTES <= address and end <= STACK:
            if address < self.number(self.registers[self.STACK_POINTER]) - self.RED_ZONE:
                raise Failure("memory below the stack pointer is written")
        elif not any(
            start <= address and end <= start + count
            for start, count, is_written in self.arrays
            if is_written
        ):
            raise Failure(
                f"memory at {address:#x} is written that is neither an output nor the stack"
            )

    def store(self, address, data):
        self.check_written(address, len(data))
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
            return self.domain.constant(
                len(data), int.from_bytes(bytes(data), "little", signed=True)
            )
        if not isinstance(first, int) and len(first) == 2:
            value, at = first
            if all(
                not isinstance(x, int) and len(x) == 2 and x[0] is value and x[1] == at + i
                for i, x in enumerate(data)
            ):
                return (
                    value
                    if at == 0 and value.size == len(data)
                    else self.domain.part(value, at, len(data))
                )
        return self.domain.integer(tuple(bits_of(data)))

    def lanes(self, data, size):
        return [self.lane(data[i : i + size]) for i in range(0, len(data), size)]

    @staticmethod
    def bytes_of(values):
        data = []
        for value in values:
            if value.constant is not None:
                data += (value.constant & ((1 << 8 * value.size) - 1)).to_bytes(
                    value.size, "little"
                )
            else:
                data += [(value, k) for k in range(value.size)]
        return data

    def chosen(self, bits, data, old, element):
        """Lanes of data where a bit is 1, else of old."""
        result = []
        for i in range(0, len(data), element):
            bit, x, y = bits[i // element], data[i : i + element], old[i : i + element]
            if isinstance(bit, Value):
                d, sign = self.domain, self.domain.resized(bit, element)
                others = d.of_one_source("xor", sign, d.constant(element, -1))
                x, y = (
                    d.of_one_source("and", self.lane(x), sign),
                    d.of_one_source("and", self.lane(y), others),
                )
                result += self.bytes_of([d.of_one_source("or", x, y)])
            else:
                result += x if bit else y
        return result

    # ---- Running.

    def run(self, start, arguments):
        """Calls the function and holds it to the calling convention."""
        self.registers = {name: self.unset() for name in self.WIDE}
        for name, number in zip(self.ARGUMENTS, arguments):
            self.put(name, number)
        for i, name in enumerate(self.CALLEE_SAVED):
            self.put(name, 0x5A5A_0000_0000_0000 + i)
        self.put(self.STACK_POINTER, STACK)
        self.enter()
        saved, at = self.saved(), start
        while at != RETURN:
            at = self.step(at)
            self.steps += 1
            if self.steps > self.limit:
                raise Failure("it does not end")
        if self.pointer() != STACK:
            raise Failure("the stack pointer is not restored")
        for name, value in self.saved().items():
            if saved[name] != value:
                raise Failure(f"{name} is not restored")

    def saved(self):
        return {name: self.registers[name] for name in self.CALLEE_SAVED}

    def step(self, at):
        ins = self.decoded.get(at)
        if ins is None and at - EXTERNAL in self.image.external:
            return self.call_external(self.image.external[at - EXTERNAL])
        if ins is None:
            place = self.image.place(at)
            if place is None:
                raise Failure(f"code at {at:#x} is not the library's")
            ins = self.decoded[at] = self.Instruction(bytes(place[0][place[1] : place[1] + 16]), at)
        return self.execute(ins)

    def call_external(self, name):
        """A function of the C library, by its contract; it leaves nothing in the registers that
        are its own."""
        target, source, count = (self.number(self.registers[r]) for r in self.ARGUMENTS[:3])
        if name not in ("memcpy", "memmove", "memset"):
            raise Failure(f"a call of {name}")
        self.check_written(target, count)  # first: a wrong count can be as long as memory
        self.store(target, [source & 255] * count if name == "memset" else self.load(source, count))
        self.flags = self.compared = None
        for register in self.CALLER_SAVED:
            self.registers[register] = self.unknown()
        self.put(self.RESULT, target)
        return self.leave()

    def execute(self, ins):
        """The address of the next instruction."""
        self.next = ins.address + ins.size
        try:
            target = self.execute_known(ins)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise Failure(f"an instruction that is not known: {ins.text}") from error
        return self.next if target is None else target

    # ---- Bits.

    def shifted(self, data, operation, by):
        """The bytes of a lane, shifted or rotated."""
        if operation.startswith("rotate"):
            bits, by = bits_of(data), (by if operation == "rotate_right" else -by) % (8 * len(data))
            turned = bytes_of_bits(bits[by:] + bits[:by])
            return self.bytes_of([self.lane(turned)]) if self.domain.joins_words else turned
        size, n = len(data), min(by // 8, len(data))
        if by % 8 == 0 and operation != "shift_right":
            return [0] * n + data[: size - n] if operation == "shift_left" else data[n:] + [0] * n
        return self.bytes_of([self.domain.shifted(self.lane(data), operation, by)])

    def bitwise(self, operation, a, b):
        """Bit by bit, where one of two bits is known; else, and where bits are gathered, lanes of
        16 or 32 bits by enumeration, with their bits kept."""
        d, result = self.domain, []
        has_integers = d.is_deep and any(
            not isinstance(t, int) and len(t) == 2 and t[0].size == 4 and t[1] == 3
            for t in (*a[3::4], *b[3::4])
        )
        lane = min(4 if has_integers else d.word_bits // 8, len(a))
        for i in range(0, len(a), lane):
            x, y = a[i : i + lane], b[i : i + lane]
            if d.joins_words and (value := d.joined(operation, self.lane(x), self.lane(y))):
                result += self.bytes_of([value])
                continue
            bits = [d.bitwise(operation, s, t) for s, t in zip(bits_of(x), bits_of(y))]
            known = None not in bits
            data = bytes_of_bits(bits) if known else None
            if (
                not known
                or not is_known(data)
                and any(isinstance(t, tuple) and len(t) == 8 for t in data)
            ):
                value = (
                    d.derive(operation, lane, self.lane(x), self.lane(y))
                    if known
                    else d.of_one_source(operation, self.lane(x), self.lane(y))
                )
                if value is not None:
                    if known and value.constant is None:
                        value.bits = tuple(bits)
                    data = self.bytes_of([value])
            result += data
        return result
