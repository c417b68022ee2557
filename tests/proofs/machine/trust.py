#!/usr/bin/env python3
"""What the proofs rely on, held against the processor and against another disassembler.

    trust.py BUILD...

1. Each instruction of each kernel has the length and the text that objdump gives it.
2. Each form of instruction, on known operands, random and extreme: the reader leaves the same registers,
   flags and memory as the processor.
3. The same forms on abstract operands: whatever the reader claims of a result (its interval, its form
   modulo q, its word, its bits, its value by enumeration) holds for what the processor computes from
   integers within the operands' intervals.

Jumps, calls and returns are not run; the conditions that they take are compared with the flags.
"""

import argparse
import ctypes
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from domain import Domain, Failure, Value, wrapped  # noqa: E402
from kernels import KERNELS  # noqa: E402
from prove import HERE, compiled_wrappers, engines_here, subject_of  # noqa: E402
from x86 import REGISTERS, WIDE, Instruction, Machine, capstone  # noqa: E402

TRIALS = 12
CONTROL = re.compile(r"j\w+|call|ret|leave|nop|endbr64|movs[bq]|stos[bq]")


# ---- The instructions of the kernels.

def functions_of(subject):
    """The kernels' functions, and those that they call, in each image."""
    for image in (subject.library, subject.wrappers):
        waiting = [s for k in KERNELS for s in subject.symbols(k) if (image is subject.wrappers) == k.is_wrapper]
        known = set()
        while waiting:
            name, address, size = waiting.pop()
            if address in known:
                continue
            known.add(address)
            code, at, instructions = image.read(address, size), 0, []
            while at < size:
                ins = Instruction(DECODER, code[at:at + 15], address + at)
                instructions.append(ins)
                at += ins.size
                if ins.name in ("call", "jmp") and ins.operands[0].kind == "constant":
                    target = ins.operands[0].value
                    waiting += [s for s in image.by_address.get(target, []) if not address <= target < address + size]
            yield image, name, address, size, instructions


DECODER = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
ALIASES = {"movabs": "mov", "vpcmpnltw": "vpcmpgew"}


def normal(text):
    """An instruction's text with the freedoms of disassemblers taken out."""
    text = re.sub(r"\s*(<.*?>|#.*)", "", text.lower())
    text = re.sub(r"^(?:(?:data16|cs|notrack|rex\.\w+|\{evex\}) )+", "", text)
    if text.startswith("nop") or re.fullmatch(r"xchg +ax,ax", text):
        return "nop"
    name, _, operands = text.partition(" ")
    operands = re.sub(r"(\w+) ptr (\[[^]]*\])\{1to\d+\}", r"\1 bcst \2", operands)
    operands = re.sub(r"\s|\*1\b|\b[csdefg]s:", "", operands)
    operands = re.sub(r"([+-]?)\b(0x[0-9a-f]+|\d+)\b(?!\})", lambda m: str(wrapped(int(m[2], 0), 64)) if not m[1] else m[1] + str(int(m[2], 0)), operands)
    operands = re.sub(r"[+-]0(?=\])", "", operands)
    return f"{ALIASES.get(name, name)} {operands}".strip()


def against_objdump(image, functions):
    """The instructions that objdump reads otherwise."""
    for _, name, address, size, instructions in functions:
        listing = subprocess.run(["objdump", "-d", "-Mintel", "--no-show-raw-insn", "-w", f"--start-address={address}",
                                  f"--stop-address={address + size}", image.path], check=True, capture_output=True, text=True).stdout
        theirs = {int(m[1], 16): m[2].strip() for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)}
        if set(theirs) != {ins.address for ins in instructions}:
            yield f"{name}: other lengths"
            continue
        for ins in instructions:
            ours, other = normal(ins.text), normal(theirs[ins.address])
            if other != "nop" and CONTROL.fullmatch(ins.name):
                ours, other = ins.name, other.split()[0].replace("rep", ins.name)
                other = {"jz": "je", "jnz": "jne"}.get(other, other)
            if ours != other:
                yield f"{ours!r} is by objdump {other!r} (in {name[:80]})"


# ---- The processor.

class State(ctypes.Structure):
    _fields_ = [("general", ctypes.c_uint64 * 16), ("flags", ctypes.c_uint64), ("masks", ctypes.c_uint64 * 8),
                ("unused", ctypes.c_uint64 * 7), ("vectors", (ctypes.c_uint8 * 64) * 32)]


class Processor:
    def __init__(self, folder):
        library = folder / "processor.so"
        subprocess.run(["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-Wl,-Bsymbolic", "-o", library, HERE / "processor.c"], check=True)
        self.library = ctypes.CDLL(str(library))
        self.library.make_pages.restype = ctypes.c_void_p
        self.code = self.library.make_pages()
        self.scratch = self.code + 4096
        self.memory = (ctypes.c_uint8 * 4096).from_address(self.scratch)

    def run(self, code, state):
        self.library.run_instruction(ctypes.c_void_p(self.code), code, ctypes.c_uint64(len(code)), ctypes.byref(state))

    CONDITIONS = {"e": lambda f: f >> 6 & 1, "s": lambda f: f >> 7 & 1, "b": lambda f: f & 1, "be": lambda f: f & 1 | f >> 6 & 1,
                  "l": lambda f: (f >> 7 ^ f >> 11) & 1, "le": lambda f: (f >> 7 ^ f >> 11) & 1 | f >> 6 & 1}


class NoImage:
    external = {}

    @staticmethod
    def place(_):
        return None


# ---- One instruction on both.

def some_bytes(rng, count):
    size = rng.choice((1, 2, 4, 8))
    bits = 8 * size
    data = b""
    while len(data) < count:
        extreme = rng.choice((0, 1, -1, 1 << bits - 1, (1 << bits - 1) - 1, rng.randrange(16), rng.getrandbits(bits), rng.getrandbits(bits)))
        data += (extreme & (1 << bits) - 1).to_bytes(size, "little")
    return data[:count]


class Trial:
    """A state of the registers and of the scratch page in which the instruction's memory lies there."""

    def __init__(self, processor, example, rng):
        self.processor, self.rng = processor, rng
        code = bytearray(example.code)
        at = processor.scratch + 1024
        self.addresses = set()
        general = {name: int.from_bytes(some_bytes(rng, 8), "little") for name in WIDE}
        for o in example.operands:
            if o.kind == "memory" and o.is_relative:
                place = next(i for i in range(len(code) - 4, 0, -1) if code[i:i + 4] == (o.offset & 0xFFFFFFFF).to_bytes(4, "little"))
                code[place:place + 4] = (at - processor.code - len(code)).to_bytes(4, "little", signed=True)
            elif o.kind == "memory" and example.name != "lea":
                wide = [(REGISTERS[name][0], scale) for name, scale in o.terms]
                self.addresses |= {name for name, _ in wide}
                for name, _ in wide[1:]:
                    general[name] = 8 if name != wide[0][0] else general[name]
                base = at - o.offset - sum(8 * scale for name, scale in wide[1:] if name != wide[0][0])
                factor = sum(scale for name, scale in wide if name == wide[0][0])
                general[wide[0][0]] = base // factor & (1 << 64) - 1
        if example.name in ("push", "pop"):
            general["rsp"] = at
            self.addresses.add("rsp")
        self.code = bytes(code)
        self.ins = Instruction(DECODER, self.code, processor.code)
        self.general = general
        self.masks = [rng.choice((0, (1 << 64) - 1, rng.getrandbits(64))) for _ in range(8)]
        self.vectors = [some_bytes(rng, 64) for _ in range(32)]
        self.memory = some_bytes(rng, 4096)

    def native(self, vectors=None, general=None, memory=None):
        """The state and the scratch page afterwards."""
        state = State()
        for i, name in enumerate(WIDE):
            state.general[i] = (general or self.general)[name]
        for i in range(8):
            state.masks[i] = self.masks[i]
        for i, data in enumerate(vectors or self.vectors):
            ctypes.memmove(state.vectors[i], data, 64)
        ctypes.memmove(self.processor.scratch, memory or self.memory, 4096)
        self.processor.run(self.code, state)
        return state, bytes(self.processor.memory)

    def machine(self, domain):
        machine = Machine(NoImage, domain)
        machine.array(self.processor.scratch, 4096, True)
        machine.registers = {name: list(value.to_bytes(8, "little")) for name, value in self.general.items()}
        machine.vectors = {i: list(data) for i, data in enumerate(self.vectors)}
        machine.masks = {f"k{i}": [mask >> b & 1 for b in range(64)] for i, mask in enumerate(self.masks)}
        machine.memory = {self.processor.scratch + i: x for i, x in enumerate(self.memory)}
        return machine

    def differences(self, machine, state, page, same):
        """The places where what the reader knows is not what the processor has; same(bytes, bytes) decides."""
        for i, name in enumerate(WIDE):
            if not same(machine.registers[name], state.general[i].to_bytes(8, "little")):
                yield name
        for i in range(32):
            if not same(machine.vectors[i], bytes(state.vectors[i])):
                yield f"zmm{i}"
        for i in range(1, 8):
            bits = machine.masks[f"k{i}"]
            if not any(isinstance(b, Value) for b in bits) and sum(b << j for j, b in enumerate(bits)) != state.masks[i]:
                yield f"k{i}"
        if not same([machine.memory[self.processor.scratch + i] for i in range(4096)], page):
            yield "memory"
        if machine.flags is not None:
            for name, of_flags in Processor.CONDITIONS.items():
                try:
                    if machine.condition(name) != bool(of_flags(state.flags)):
                        yield f"the condition {name}"
                except Failure:
                    pass


def known(trial):
    """The first difference on known operands; None if the reader refuses them; "" if there is none."""
    machine = trial.machine(Domain(3329, 16))
    try:
        machine.execute(trial.ins)
    except Failure:
        return None
    state, page = trial.native()
    return next(trial.differences(machine, state, page, lambda a, b: a == list(b)), "")


class Abstract:
    """Operands made of variables, and what is claimed of results."""

    def __init__(self, trial, q, word_bits):
        self.trial, self.domain, self.size = trial, Domain(q, word_bits), word_bits // 8
        self.inputs, rng = [], trial.rng
        self.machine = trial.machine(self.domain)
        self.places = []  # (kind, key, offset) of each input
        for o in trial.ins.operands:
            if o.kind == "vector" and rng.random() < 0.7:
                self.machine.vectors[o.number] = [x for i in range(0, 64, self.size) for x in self.variable("vector", o.number, i)]
            elif o.kind == "register" and o.name not in trial.addresses and rng.random() < 0.7:
                self.machine.registers[o.name] = [x for i in range(0, 8, self.size) for x in self.variable("register", o.name, i)]
            elif o.kind == "memory" and trial.ins.name != "lea" and rng.random() < 0.7:
                for i in range(0, 64, self.size):
                    for j, x in enumerate(self.variable("memory", None, 1024 + i)):
                        self.machine.memory[trial.processor.scratch + 1024 + i + j] = x

    def variable(self, *place):
        rng, half = self.trial.rng, 1 << 8 * self.size - 1
        limit = rng.choice((half, half >> 1, 1 << rng.randrange(8 * self.size - 1)))
        low, high = sorted(rng.choice((-limit, 0, limit - 1, rng.randrange(-limit, limit))) for _ in range(2))
        value = self.domain.input(self.size, low, max(high, low + 1) if low + 1 < half else high, len(self.inputs) + 1)
        if value.low == value.high:
            value.low -= 1
        self.inputs.append(value)
        self.places.append(place)
        self.domain.word_of(value)
        return self.machine.bytes_of([value])

    def check(self):
        try:
            self.machine.execute(self.trial.ins)
        except Failure:
            return None
        for _ in range(3):
            numbers = [self.trial.rng.choice((v.low, v.high, self.trial.rng.randint(v.low, v.high))) for v in self.inputs]
            vectors, general, memory = [bytearray(v) for v in self.trial.vectors], dict(self.trial.general), bytearray(self.trial.memory)
            registers = {name: bytearray(value.to_bytes(8, "little")) for name, value in general.items()}
            for (kind, key, at), number in zip(self.places, numbers):
                target = {"vector": vectors[key or 0] if kind == "vector" else None, "register": registers.get(key), "memory": memory}[kind]
                target[at:at + self.size] = (number & (1 << 8 * self.size) - 1).to_bytes(self.size, "little")
            general = {name: int.from_bytes(data, "little") for name, data in registers.items()}
            self.numbers = {v: n for v, n in zip(self.inputs, numbers)}
            self.by_word = {next(iter(v.word)): n for v, n in zip(self.inputs, numbers)}
            state, page = self.trial.native([bytes(v) for v in vectors], general, bytes(memory))
            for difference in self.trial.differences(self.machine, state, page, self.same):
                return difference
        return ""

    def number_of(self, value):
        """The integer that a value is now, if it is an input or depends on one only."""
        if value.constant is not None:
            return value.constant
        if value in self.numbers:
            return self.numbers[value]
        if value.source in self.numbers and value.expression:
            n = self.numbers[value.source]
            return int(self.domain.integers_of(value.expression, n, n, {}).flat[0]) if value.source is not value else None
        return None

    def same(self, claimed, bytes_now):
        for i, (x, y) in enumerate(zip(claimed, bytes_now)):
            if isinstance(x, int):
                if x != y:
                    return False
            elif len(x) == 8:
                for j, b in enumerate(x):
                    now = y >> j & 1
                    if isinstance(b, int) and b != now or isinstance(b, tuple) and self.number_of(b[0]) is not None and self.number_of(b[0]) >> b[1] & 1 != now:
                        return False
            else:
                value, k = x
                number = self.number_of(value)
                if number is not None and number >> 8 * k & 255 != y:
                    return False
                if k == 0 and claimed[i:i + value.size] == [(value, j) for j in range(value.size)] and \
                        not self.holds(value, int.from_bytes(bytes_now[i:i + value.size], "little", signed=True)):
                    return False
        return True

    def holds(self, value, n):
        if not value.low <= n <= value.high:
            return False
        if value.form is not None and (self.evaluated(value.form, {i + 1: self.numbers[v] for i, v in enumerate(self.inputs)}) - n) % self.domain.q:
            return False
        if value.word is not None:
            claimed = self.evaluated(value.word, self.by_word)
            return claimed is None or (claimed - n) % self.domain.words.modulus == 0
        return True

    @staticmethod
    def evaluated(form, numbers):
        total = 0
        for monomial, c in (form if isinstance(form, dict) else {0: form}).items():
            for i in monomial if isinstance(monomial, tuple) else (monomial,):
                if i and i not in numbers:
                    return None
                c *= numbers[i] if i else 1
            total += c
        return total


def form_of(ins):
    """What makes two instructions alike: all but the registers, the addresses and a scalar's constant."""
    is_vector = any(o.kind in ("vector", "mask") for o in ins.operands)
    operands = tuple((o.kind, o.value if is_vector else 0) if o.kind == "constant" else (o.kind, o.size, getattr(o, "copies", 1)) for o in ins.operands)
    same = len(ins.operands) == 3 and ins.operands[1].text == ins.operands[2].text
    return ins.name, operands, ins.mask is not None, ins.zeroes, ins.is_sse, same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    failures, forms, count = [], {}, 0
    for build in arguments.builds:
        for engine in engines_here():
            compiled_wrappers(build, engine)
            subject = subject_of(build, engine)
            functions = list(functions_of(subject))
            for image in (subject.library, subject.wrappers):
                failures += against_objdump(image, [f for f in functions if f[0] is image])
            for *_, instructions in functions:
                count += len(instructions)
                for ins in instructions:
                    if not CONTROL.fullmatch(ins.name):
                        forms.setdefault(form_of(ins), ins)
    print(f"{count} instructions as objdump reads them, {len(forms)} forms")
    processor, rng, compared, refused = Processor(arguments.builds[0] / "proofs"), random.Random(1), [0, 0], []
    for form, example in sorted(forms.items(), key=lambda pair: pair[1].text):
        trials = [known(Trial(processor, example, rng)) for _ in range(TRIALS)]
        abstract = [Abstract(Trial(processor, example, rng), *modulus).check() for _ in range(TRIALS) for modulus in ((3329, 16), (8380417, 32))]
        failures += sorted({f"{example.text}: known operands, {t}" for t in trials if t} | {f"{example.text}: abstract operands, {t}" for t in abstract if t})
        compared = [compared[0] + sum(t == "" for t in trials), compared[1] + sum(t == "" for t in abstract)]
        if "" not in trials:
            refused.append(example.text)
    print(f"on the processor: {compared[0]} trials of known operands, {compared[1]} of abstract ones")
    print(*(f"the reader refuses: {text}" for text in refused), sep="\n")
    print(*failures, sep="\n")
    print(f"{len(forms) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
