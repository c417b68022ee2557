#!/usr/bin/env python3
"""Compares what the proofs rely on with the processor and with another disassembler.

    trust.py BUILD...

1. Each instruction of each kernel has the length and the text that objdump gives it.
2. Each form of instruction, on known operands, random and extreme: the reader leaves the same
   registers, flags and memory as the processor.
3. The same forms on abstract operands: whatever the reader claims of a result (its interval,
   its form modulo q, its word, its bits, its value by enumeration) holds for what the
   processor computes from integers within the operands' intervals.

Jumps, calls and returns are not run; the conditions that they take are compared with the
flags.
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
from image import BASE  # noqa: E402
from domain import Domain, Failure, Value, wrapped  # noqa: E402
from kernels import KERNELS  # noqa: E402
from prove import HERE, compiled_wrappers, engines_here, subject_of  # noqa: E402
from instruction import REGISTERS, WIDE, Instruction  # noqa: E402
from x86 import Machine  # noqa: E402

PAGE = 192  # bytes of memory that an instruction may use
TRIALS, MODULI = 8, ((3329, 16), (8380417, 32))
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
                ins = Instruction(code[at:at + 15], address + at)
                instructions.append(ins)
                at += ins.size
                if ins.name in ("call", "jmp") and ins.operands[0].kind == "constant":
                    target = ins.operands[0].value
                    waiting += [s for s in image.by_address.get(target, []) if not address <= target < address + size]
            yield image, name, address, size, instructions


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
        listing = subprocess.run(["objdump", "-d", "-Mintel", "--no-show-raw-insn", "-w", f"--start-address={address - BASE}",
                                  f"--stop-address={address + size - BASE}", image.path], check=True, capture_output=True, text=True).stdout
        theirs = {BASE + int(m[1], 16): m[2].strip() for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)}
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
        self.memory = (ctypes.c_uint8 * PAGE).from_address(self.scratch)

    def run(self, code, state):
        self.library.run_instruction(ctypes.c_void_p(self.code), code, ctypes.c_uint64(len(code)), ctypes.byref(state))

    # The flags: carry 0, zero 6, sign 7, overflow 11.
    CONDITIONS = {"e": lambda f: f >> 6 & 1, "ne": lambda f: ~f >> 6 & 1, "b": lambda f: f & 1, "ae": lambda f: ~f & 1,
                  "be": lambda f: (f | f >> 6) & 1, "a": lambda f: ~(f | f >> 6) & 1, "s": lambda f: f >> 7 & 1, "ns": lambda f: ~f >> 7 & 1,
                  "l": lambda f: (f >> 7 ^ f >> 11) & 1, "ge": lambda f: ~(f >> 7 ^ f >> 11) & 1,
                  "le": lambda f: (f >> 6 | f >> 7 ^ f >> 11) & 1, "g": lambda f: ~(f >> 6 | f >> 7 ^ f >> 11) & 1}


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
    """A state of the registers, and of a page in which the instruction's memory lies; the
    reader's state has variables in a share of the operands."""

    def __init__(self, processor, example, rng, q, word_bits, share):
        self.processor, self.rng, self.size = processor, rng, word_bits // 8
        code, at, addresses = bytearray(example.code), processor.scratch + 64, set()
        self.general = {name: int.from_bytes(some_bytes(rng, 8), "little") for name in WIDE}
        for o in example.operands:
            if o.kind != "memory" or example.name == "lea":
                continue
            if o.is_relative:
                place = next(i for i in range(len(code) - 4, 0, -1) if code[i:i + 4] == (o.offset & 0xFFFFFFFF).to_bytes(4, "little"))
                code[place:place + 4] = (at - processor.code - len(code)).to_bytes(4, "little", signed=True)
            elif o.terms:
                (first, _), *others = wide = [(REGISTERS[name][0], scale) for name, scale in o.terms]
                addresses |= {name for name, _ in wide}
                others = [(name, scale) for name, scale in others if name != first]
                self.general |= {name: 8 for name, _ in others}
                base = at - o.offset - sum(8 * scale for _, scale in others)
                self.general[first] = base // sum(scale for name, scale in wide if name == first) & (1 << 64) - 1
        if example.name in ("push", "pop"):
            self.general["rsp"] = at
            addresses.add("rsp")
        self.ins = Instruction(bytes(code), processor.code)
        self.masks = [rng.choice((0, (1 << 64) - 1, rng.getrandbits(64))) for _ in range(8)]
        used = {o.number for o in self.ins.operands if o.kind == "vector"}
        self.vectors = [some_bytes(rng, 64) if i in used else bytes(64) for i in range(32)]
        self.page = some_bytes(rng, PAGE)
        self.domain = Domain(q, word_bits)
        self.machine = machine = Machine(NoImage, self.domain)
        machine.array(processor.scratch, PAGE, True)
        machine.registers = {name: list(value.to_bytes(8, "little")) for name, value in self.general.items()}
        machine.vectors = {i: list(data) for i, data in enumerate(self.vectors)}
        machine.masks = {f"k{i}": [mask >> b & 1 for b in range(64)] for i, mask in enumerate(self.masks)}
        machine.memory = {processor.scratch + i: x for i, x in enumerate(self.page)}
        self.inputs = []  # (a variable, where it is: a register's key and its first byte there)
        for o in self.ins.operands:
            if rng.random() >= share or o.kind not in ("vector", "register", "memory") or o.kind == "register" and o.name in addresses:
                continue
            if o.kind == "memory" and example.name != "lea":
                machine.memory |= {at + i: x for i, x in enumerate(self.variables("page", 64, 64))}
            elif o.kind == "vector":
                machine.vectors[o.number] = self.variables(o.number, 0, 64)
            elif o.kind == "register":
                machine.registers[o.name] = self.variables(o.name, 0, 8)

    def variables(self, key, first, count):
        """`count` bytes of variables with random intervals."""
        rng, half, data = self.rng, 1 << 8 * self.size - 1, []
        for at in range(first, first + count, self.size):
            limit = rng.choice((half, half >> 1, 1 << rng.randrange(8 * self.size - 1)))
            low, high = sorted(rng.choice((-limit, 0, limit - 1, rng.randrange(-limit, limit))) for _ in range(2))
            value = self.domain.input(self.size, low - (low == high == half - 1), high + (low == high < half - 1), len(self.inputs) + 1)
            self.domain.word_of(value)
            self.inputs.append((value, key, at))
            data += self.machine.bytes_of([value])
        return data

    def native(self, numbers):
        """The processor's state and the page, with these integers for the variables."""
        places = {"page": bytearray(self.page)} | {i: bytearray(v) for i, v in enumerate(self.vectors)}
        places |= {name: bytearray(value.to_bytes(8, "little")) for name, value in self.general.items()}
        for (_, key, at), number in zip(self.inputs, numbers):
            places[key][at:at + self.size] = (number & (1 << 8 * self.size) - 1).to_bytes(self.size, "little")
        state = State()
        for i, name in enumerate(WIDE):
            state.general[i] = int.from_bytes(places[name], "little")
        state.masks[:] = self.masks
        for i in range(32):
            ctypes.memmove(state.vectors[i], bytes(places[i]), 64)
        ctypes.memmove(self.processor.scratch, bytes(places["page"]), PAGE)
        self.processor.run(self.ins.code, state)
        return state, bytes(self.processor.memory)

    def outcome(self):
        """None if the reader refuses the operands; else the first claim that does not hold, or
        ""."""
        try:
            self.machine.execute(self.ins)
        except Failure:
            return None
        for _ in range(3 if self.inputs else 1):
            numbers = [self.rng.choice((v.low, v.high, self.rng.randint(v.low, v.high))) for v, *_ in self.inputs]
            self.numbers = {v: n for (v, *_), n in zip(self.inputs, numbers)}
            self.by_variable = dict(enumerate(numbers, 1))
            self.by_word = {next(iter(v.word)): n for v, n in self.numbers.items()}
            for difference in self.differences(*self.native(numbers)):
                return difference
        return ""

    def differences(self, state, page):
        machine = self.machine
        for i, name in enumerate(WIDE):
            if not self.same(machine.registers[name], state.general[i].to_bytes(8, "little")):
                yield name
        for i in range(32):
            if not self.same(machine.vectors[i], bytes(state.vectors[i])):
                yield f"zmm{i}"
        for i in range(8):
            if any(self.bit_of(b) not in (None, state.masks[i] >> j & 1) for j, b in enumerate(machine.masks[f"k{i}"])):
                yield f"k{i}"
        if not self.same([machine.memory[self.processor.scratch + i] for i in range(PAGE)], page):
            yield "memory"
        for name, of_flags in Processor.CONDITIONS.items() if machine.flags else ():
            try:
                if machine.condition(name) != bool(of_flags(state.flags)):
                    yield f"the condition {name}"
            except Failure:
                pass

    def number_of(self, value):
        """The integer that a value now is, if it is an input or depends on one only."""
        if value.constant is not None:
            return value.constant
        if value in self.numbers or value.source not in self.numbers:
            return self.numbers.get(value)
        n = self.numbers[value.source]
        return int(self.domain.integers_of(value.expression, n, n, {}).flat[0])

    def bit_of(self, b):
        """A mask's or a value's bit as it now is, or None if that is not known."""
        value, place = (b, 0) if isinstance(b, Value) else b if isinstance(b, tuple) else (None, 0)
        number = self.number_of(value) if value else None
        return b if value is None else None if number is None else number >> place & 1

    def same(self, claimed, now):
        if claimed == list(now):
            return True
        for i, (x, y) in enumerate(zip(claimed, now)):
            if isinstance(x, int) and x != y:
                return False
            if isinstance(x, int):
                continue
            bits = x if len(x) == 8 else [(x[0], 8 * x[1] + j) for j in range(8)]
            if any(self.bit_of(b) not in (None, y >> j & 1) for j, b in enumerate(bits)):
                return False
            if len(x) == 2 and x[1] == 0 and claimed[i:i + x[0].size] == [(x[0], j) for j in range(x[0].size)] and \
                    not self.holds(x[0], int.from_bytes(now[i:i + x[0].size], "little", signed=True)):
                return False
        return True

    def holds(self, value, n):
        form, word = self.evaluated(value.form, self.by_variable), self.evaluated(value.word, self.by_word)
        return value.low <= n <= value.high and (form is None or (form - n) % self.domain.q == 0) and \
            (word is None or (word - n) % self.domain.words.modulus == 0)

    @staticmethod
    def evaluated(form, numbers):
        total = None if form is None else 0
        for monomial, c in (form if isinstance(form, dict) else {0: form or 0}).items():
            for i in monomial if isinstance(monomial, tuple) else (monomial,):
                if total is None or i and i not in numbers:
                    return None
                c *= numbers[i] if i else 1
            total += c
        return total


def form_of(ins):
    """A key that is equal for instructions which differ in registers, addresses and scalar
    constants."""
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
        trials, abstract = ([Trial(processor, example, rng, *modulus, share).outcome() for _ in range(TRIALS) for modulus in MODULI]
                            for share in (0, 0.7))
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
