#!/usr/bin/env python3
"""Compares what the proofs rely on with the processor and with another disassembler.

    trust.py BUILD...

1. Each instruction of each kernel has the length and the text that objdump gives it.
2. Each form of instruction, on known operands, random and extreme: the reader leaves the same
   registers, flags and memory as the processor.
3. The same forms on abstract operands: whatever the reader claims of a result (its interval,
   its form modulo q, its word, its bits, its value by enumeration, its sum of rotated words)
   holds for what the processor computes from integers within the operands' intervals.

AArch64's run on QEMU. Jumps, calls and returns are not run; the conditions that they take are
compared with the flags.
"""

import argparse
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import aarch64  # noqa: E402
import x86  # noqa: E402
from image import BASE  # noqa: E402
from domain import Domain, Failure, Value, wrapped  # noqa: E402
from keccak import Word, Words  # noqa: E402
from kernels import KERNELS  # noqa: E402
from processor import Processor, compiled_processor  # noqa: E402
from prove import compiled_wrappers, engines_of, is_arm, subject_of  # noqa: E402
from instruction import REGISTERS  # noqa: E402

PAGE = 192  # bytes of memory that an instruction may use
TRIALS = 8
DOMAINS = (lambda: Domain(3329, 16), lambda: Domain(8380417, 32), lambda: Words(1, words=64))
CONTROL = re.compile(
    r"j\w+|call|ret|leave|nop|endbr64|movs[bq]|stos[bq]|b(\.\w+|l|r|ti)?|[ct]bn?z|(pac|aut)iasp"
)


# ---- The instructions of the kernels.


def functions_of(subject):
    """The kernels' functions, and those that they call, in each image."""
    for image in (subject.library, subject.wrappers):
        waiting = [
            s
            for k in KERNELS
            for s in subject.symbols(k)
            if (image is subject.wrappers) == k.is_wrapper
        ]
        known = set()
        while waiting:
            name, address, size = waiting.pop()
            if address in known:
                continue
            known.add(address)
            code, at, instructions = image.read(address, size), 0, []
            while at < size:
                ins = (aarch64 if image.is_arm else x86).Instruction(
                    code[at : at + 15], address + at
                )
                instructions.append(ins)
                at += ins.size
                if ins.name in ("call", "jmp", "b", "bl") and ins.operands[0].kind == "constant":
                    target = ins.operands[0].value
                    waiting += [
                        s
                        for s in image.by_address.get(target, [])
                        if not address <= target < address + size
                    ]
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
    operands = re.sub(
        r"([+-]?)\b(0x[0-9a-f]+|\d+)\b(?!\})",
        lambda m: str(wrapped(int(m[2], 0), 64)) if not m[1] else m[1] + str(int(m[2], 0)),
        operands,
    )
    operands = re.sub(r"[+-]0(?=\])", "", operands)
    return f"{ALIASES.get(name, name)} {operands}".strip()


def normal_arm(text):
    """AArch64's text, with numbers in decimal, addresses in the file and lists written out."""
    text = re.sub(r"\s*(<.*?>|//.*)", "", text)
    name, _, operands = text.replace("\t", " ").partition(" ")
    name = {"b.cc": "b.lo", "b.cs": "b.hs"}.get(name, name)
    if (
        CONTROL.fullmatch(name)
        and name[0] in "bct"
        and name[:3] != "bti"
        or name in ("adr", "adrp")
    ):
        operands = re.sub(
            r"#?(0x)?([0-9a-f]+)$",
            lambda m: str(int(m[2], 16) - (BASE if int(m[2], 16) >= BASE else 0)),
            operands,
        )
    operands = re.sub(
        r"\{v(\d+)(\.\w+)-v(\d+)\.\w+\}",
        lambda m: "{" + ",".join(f"v{i}{m[2]}" for i in range(int(m[1]), int(m[3]) + 1)) + "}",
        operands,
    )
    width = 32 if re.match(r" *w\d", operands) else 64
    operands = re.sub(
        r"#?(-?)\b(0x[0-9a-f]+|\d+)\b",
        lambda m: m[1] + str(wrapped(int(m[2], 0), width)),
        operands.replace(" ", ""),
    )
    operands = re.sub(r",cc$", ",lo", re.sub(r",cs$", ",hs", operands))
    if re.fullmatch("[us]shll2?", name) and operands.endswith(",0"):
        name, operands = name.replace("shll", "xtl"), operands.removesuffix(",0")
    return f"{name} {operands}".strip()


def against_objdump(image, functions):
    """The instructions that objdump reads otherwise."""
    objdump = ["aarch64-linux-gnu-objdump"] if image.is_arm else ["objdump", "-Mintel"]
    for _, name, address, size, instructions in functions:
        listing = subprocess.run(
            [
                *objdump,
                "-d",
                "--no-show-raw-insn",
                "-w",
                f"--start-address={address - BASE}",
                f"--stop-address={address + size - BASE}",
                image.path,
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        theirs = {
            BASE + int(m[1], 16): m[2].strip()
            for m in re.finditer(r"^ *([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)
        }
        if set(theirs) != {ins.address for ins in instructions}:
            yield f"{name}: other lengths"
            continue
        for ins in instructions:
            ours, other = (
                (normal_arm if image.is_arm else normal)(ins.text),
                (normal_arm if image.is_arm else normal)(theirs[ins.address]),
            )
            if not image.is_arm and other != "nop" and CONTROL.fullmatch(ins.name):
                ours, other = ins.name, other.split()[0].replace("rep", ins.name)
                other = {"jz": "je", "jnz": "jne"}.get(other, other)
            if ours != other:
                yield f"{ours!r} is by objdump {other!r} (in {name[:80]})"


# ---- One instruction on the reader and the processor.

# x86-64's flags (AArch64's are the reader's own): carry 0, zero 6, sign 7, overflow 11.
CONDITIONS = {
    "e": lambda f: f >> 6 & 1,
    "ne": lambda f: ~f >> 6 & 1,
    "b": lambda f: f & 1,
    "ae": lambda f: ~f & 1,
    "be": lambda f: (f | f >> 6) & 1,
    "a": lambda f: ~(f | f >> 6) & 1,
    "s": lambda f: f >> 7 & 1,
    "ns": lambda f: ~f >> 7 & 1,
    "l": lambda f: (f >> 7 ^ f >> 11) & 1,
    "ge": lambda f: ~(f >> 7 ^ f >> 11) & 1,
    "le": lambda f: (f >> 6 | f >> 7 ^ f >> 11) & 1,
    "g": lambda f: ~(f >> 6 | f >> 7 ^ f >> 11) & 1,
}


def flags_after(kind, a, b, bits):
    """x86-64's flags after two numbers were compared, or one was tested (its own `and`)."""
    mask, top = (1 << bits) - 1, bits - 1
    result = (a - b if kind == "cmp" else a) & mask
    carry, overflow = (
        (a & mask < b & mask, (a ^ b) & (a ^ result) & 1 << top != 0)
        if kind == "cmp"
        else (False, False)
    )
    return carry | (result == 0) << 6 | (result >> top) << 7 | overflow << 11


class NoImage:
    external = {}

    @staticmethod
    def place(_):
        return None


def some_bytes(rng, count):
    size = rng.choice((1, 2, 4, 8))
    bits = 8 * size
    data = b""
    while len(data) < count:
        extreme = rng.choice(
            (
                0,
                1,
                -1,
                1 << bits - 1,
                (1 << bits - 1) - 1,
                rng.randrange(16),
                rng.getrandbits(bits),
                rng.getrandbits(bits),
            )
        )
        data += (extreme & (1 << bits) - 1).to_bytes(size, "little")
    return data[:count]


def places_of(ins):
    """The operands, and the vectors of lists."""
    return [x for o in ins.operands for x in (o.items if o.kind == "list" else [o])]


class Trial:
    """A state of the registers, and of a page in which the instruction's memory lies; the
    reader's state has variables in a share of the operands."""

    def __init__(self, processor, example, rng, domain, share):
        self.processor, self.rng, self.size = processor, rng, domain.word_bits // 8
        self.wide, count = processor.reader.Machine.WIDE, processor.vector_bytes
        self.general = {name: int.from_bytes(some_bytes(rng, 8), "little") for name in self.wide}
        at, self.flags = processor.scratch + 64, rng.randrange(16) << 28
        code, addresses = (self.place_arm if processor.is_arm else self.place_x86)(example, at)
        self.ins = processor.reader.Instruction(bytes(code), processor.slot)
        self.masks = [rng.choice((0, (1 << 64) - 1, rng.getrandbits(64))) for _ in range(8)]
        operands = places_of(self.ins)
        used = {o.number for o in operands if o.kind == "vector"}
        self.vectors = [some_bytes(rng, count) if i in used else bytes(count) for i in range(32)]
        self.page = some_bytes(rng, PAGE)
        self.domain = domain
        self.machine = machine = processor.reader.Machine(NoImage, self.domain)
        machine.array(processor.scratch, PAGE, True)
        machine.registers = {
            name: list(value.to_bytes(8, "little")) for name, value in self.general.items()
        }
        machine.vectors = {i: list(data) for i, data in enumerate(self.vectors)}
        machine.masks = {
            f"k{i}": [mask >> b & 1 for b in range(64)] for i, mask in enumerate(self.masks)
        }
        machine.memory = {processor.scratch + i: x for i, x in enumerate(self.page)}
        self.inputs = []  # (a variable, where it is: a register's key and its first byte there)
        if processor.is_arm:
            machine.flags = tuple(self.flags >> i & 1 for i in (31, 30, 29, 28))
        else:
            self.compare(share)
        for o in operands:
            if (
                rng.random() >= share
                or o.kind not in ("vector", "register", "memory")
                or o.kind == "register"
                and o.name in addresses
            ):
                continue
            if o.kind == "memory" and example.name != "lea":
                machine.memory |= {at + i: x for i, x in enumerate(self.variables("page", 64, 64))}
            elif o.kind == "vector":
                machine.vectors[o.number] = self.variables(o.number, 0, count)
            elif o.kind == "register" and o.name in self.general:
                machine.registers[o.name] = self.variables(o.name, 0, 8)

    def place_x86(self, example, at):
        """The code, with memory at an address, and the registers that the address is of."""
        code, addresses = bytearray(example.code), set()
        for o in example.operands:
            if o.kind != "memory" or example.name == "lea":
                continue
            if o.is_relative:
                place = next(
                    i
                    for i in range(len(code) - 4, 0, -1)
                    if code[i : i + 4] == (o.offset & 0xFFFFFFFF).to_bytes(4, "little")
                )
                code[place : place + 4] = (at - self.processor.slot - len(code)).to_bytes(
                    4, "little", signed=True
                )
            elif o.terms:
                (first, _), *others = wide = [
                    (REGISTERS[name][0], scale) for name, scale in o.terms
                ]
                addresses |= {name for name, _ in wide}
                others = [(name, scale) for name, scale in others if name != first]
                self.general |= {name: 8 for name, _ in others}
                base = at - o.offset - sum(8 * scale for _, scale in others)
                self.general[first] = (
                    base // sum(scale for name, scale in wide if name == first) & (1 << 64) - 1
                )
        if example.name in ("push", "pop"):
            self.general["rsp"] = at
            addresses.add("rsp")
        return code, addresses

    def compare(self, share):
        """x86-64's flags, of two numbers that were compared or one that was tested before: the
        first is a variable in a share of trials."""
        rng, machine = self.rng, self.machine
        is_variable, self.kind = rng.random() < share, rng.choice(("cmp", "test"))
        self.compared = size = self.size if is_variable else rng.choice((1, 2, 4, 8))
        self.before = some_bytes(rng, 16)
        a, b = (machine.lane(list(self.before[at : at + size])) for at in (0, 8))
        if is_variable:
            a = machine.lane(self.variables("flags", 0, size))
        if rng.random() < 0.5:  # equal numbers, and a variable's ends
            b = self.domain.constant(size, rng.choice((a.low, a.high)))
            self.before = self.before[:8] + (b.constant & (1 << 8 * size) - 1).to_bytes(8, "little")
        machine.flags = self.kind, a, a if self.kind == "test" else b, a

    def place_arm(self, example, at):
        addresses = set()
        for o in example.operands:
            if o.kind == "memory":
                addresses |= {o.base} | ({o.term.name} if o.term else set())
                term = 8 if o.term else 0
                if o.term:
                    self.general[o.term.name] = term
                self.general[o.base] = (
                    at - o.offset - (term << (o.term.shift.by if o.term and o.term.shift else 0))
                )
        return example.code, addresses

    def variables(self, key, first, count):
        """`count` bytes of variables with random intervals."""
        rng, half, data = self.rng, 1 << 8 * self.size - 1, []
        for at in range(first, first + count, self.size):
            limit = rng.choice((half, half >> 1, 1 << rng.randrange(8 * self.size - 1)))
            low, high = sorted(
                rng.choice((-limit, 0, limit - 1, rng.randrange(-limit, limit))) for _ in range(2)
            )
            value = self.domain.input(
                self.size,
                low - (low == high == half - 1),
                high + (low == high < half - 1),
                len(self.inputs) + 1,
            )
            self.domain.word_of(value)
            self.inputs.append((value, key, at))
            data += self.machine.bytes_of([value])
        return data

    def native(self, numbers):
        """The processor's state and the page, with these integers for the variables."""
        places = {"page": bytearray(self.page)} | {
            i: bytearray(v) for i, v in enumerate(self.vectors)
        }
        places["flags"] = bytearray(b"" if self.processor.is_arm else self.before)
        places |= {
            name: bytearray(value.to_bytes(8, "little")) for name, value in self.general.items()
        }
        for (_, key, at), number in zip(self.inputs, numbers):
            places[key][at : at + self.size] = (number & (1 << 8 * self.size) - 1).to_bytes(
                self.size, "little"
            )
        state = self.processor.State()
        for i, name in enumerate(self.wide):
            state.general[i] = int.from_bytes(places[name], "little")
        if not self.processor.is_arm:
            a, b = (
                int.from_bytes(places["flags"][at : at + self.compared], "little") for at in (0, 8)
            )
            self.flags = flags_after(self.kind, a, b, 8 * self.compared)
        state.masks[:], state.flags = self.masks, self.flags
        for i in range(32):
            state.vectors[i][:] = places[i]
        return self.processor.step(self.ins.code, state, places["page"])

    def outcome(self):
        """None if the reader refuses the operands; else the first claim that does not hold, or
        ""."""
        try:
            self.machine.execute(self.ins)
        except Failure:
            return None
        for _ in range(3 if self.inputs else 1):
            numbers = [
                self.rng.choice((v.low, v.high, self.rng.randint(v.low, v.high)))
                for v, *_ in self.inputs
            ]
            self.numbers = {v: n for (v, *_), n in zip(self.inputs, numbers)}
            self.by_variable = dict(enumerate(numbers, 1))
            self.by_word = {next(iter(v.word)): n for v, n in self.numbers.items()}
            for difference in self.differences(*self.native(numbers)):
                return difference
        return ""

    def differences(self, state, page):
        machine = self.machine
        for i, name in enumerate(self.wide):
            if not self.same(machine.registers[name], state.general[i].to_bytes(8, "little")):
                yield name
        for i in range(32):
            if not self.same(machine.vectors[i], bytes(state.vectors[i])):
                yield f"vector {i}"
        for i, mask in enumerate(machine.masks.values() if not self.processor.is_arm else ()):
            if any(
                self.bit_of(b) not in (None, state.masks[i] >> j & 1) for j, b in enumerate(mask)
            ):
                yield f"k{i}"
        if not self.same([machine.memory[self.processor.scratch + i] for i in range(PAGE)], page):
            yield "memory"
        if (
            self.processor.is_arm
            and machine.flags
            and machine.flags != tuple(state.flags >> i & 1 for i in (31, 30, 29, 28))
        ):
            yield "flags"
        for name, of_flags in (
            CONDITIONS.items() if machine.flags and not self.processor.is_arm else ()
        ):
            try:
                if machine.condition(name) != bool(of_flags(state.flags)):
                    yield f"the condition {name}"
            except Failure:
                pass

    def number_of(self, value):
        """The integer that a value now is, if it is an input or depends on one only, or a word."""
        if value.constant is not None:
            return value.constant
        if value in self.numbers or value.source not in self.numbers:
            if isinstance(value, Word) and value not in self.numbers:
                inputs = [self.numbers[v] for v, *_ in self.inputs]
                self.numbers[value] = self.domain.number_of(value, inputs)
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
            if (
                len(x) == 2
                and x[1] == 0
                and claimed[i : i + x[0].size] == [(x[0], j) for j in range(x[0].size)]
                and not self.holds(
                    x[0], int.from_bytes(now[i : i + x[0].size], "little", signed=True)
                )
            ):
                return False
        return True

    def holds(self, value, n):
        form, word = (
            self.evaluated(value.form, self.by_variable),
            self.evaluated(value.word, self.by_word),
        )
        return (
            value.low <= n <= value.high
            and (form is None or (form - n) % self.domain.q == 0)
            and (word is None or (word - n) % self.domain.words.modulus == 0)
        )

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
    operands = tuple(
        (o.kind, o.value if is_vector else 0)
        if o.kind == "constant"
        else (o.kind, getattr(o, "size", 0), getattr(o, "copies", 1))
        for o in places_of(ins)
    )
    same = len(ins.operands) == 3 and ins.operands[1].text == ins.operands[2].text
    return ins.name, operands, ins.mask is not None, ins.zeroes, ins.is_sse, same


ADDING = {"add", "sub", "cmp", "ccmp", "mov", "movk", "and", "adrp"}  # of any constant alike


def arm_form_of(ins):
    key = [ins.name, any(o.kind == "memory" for o in ins.operands)]
    for o in places_of(ins):
        shift = o.shift and (o.shift.name, o.shift.by)
        if o.kind == "memory":
            key.append((o.is_moved, o.term and (o.term.size, o.term.shift and o.term.shift.by)))
        elif o.kind == "constant":
            key.append((0 if ins.name in ADDING or key[1] else o.value, shift))
        else:
            key.append(
                (
                    o.kind,
                    getattr(o, "size", o.text),
                    getattr(o, "lane", getattr(o, "name", "") == "sp"),
                    o.index,
                    shift,
                )
            )
    return tuple(key)


def read_kernels(build):
    """Where objdump differs, how many instructions there are, and one of each form."""
    failures, forms, count = [], {}, 0
    for engine in engines_of(build):
        compiled_wrappers(build, engine)
        subject = subject_of(build, engine)
        functions = list(functions_of(subject))
        for image in (subject.library, subject.wrappers):
            failures += against_objdump(image, [f for f in functions if f[0] is image])
        for *_, instructions in functions:
            count += len(instructions)
            for ins in instructions:
                if not CONTROL.fullmatch(ins.name):
                    forms.setdefault((arm_form_of if subject.library.is_arm else form_of)(ins), ins)
    return failures, forms, count


def compare(builds):
    """Compares builds for one processor: the failures, the forms that the reader refused on all
    operands, and how many it did not."""
    failures, forms, count = [], {}, 0
    for build in builds:
        found, more, instructions = read_kernels(build)
        failures, forms, count = failures + found, more | forms, count + instructions
    print(f"{count} instructions as objdump reads them, {len(forms)} forms")
    rng, compared, refused = random.Random(1), [0, 0], []
    arm = is_arm(builds[0])
    with Processor(compiled_processor(builds[0] / "proofs", arm), arm) as processor:
        for form, example in sorted(forms.items(), key=lambda pair: pair[1].text):
            trials, abstract = (
                [
                    Trial(processor, example, rng, domain(), share).outcome()
                    for _ in range(TRIALS)
                    for domain in DOMAINS
                ]
                for share in (0, 0.7)
            )
            failures += sorted(
                {f"{example.text}: known operands, {t}" for t in trials if t}
                | {f"{example.text}: abstract operands, {t}" for t in abstract if t}
            )
            compared = [
                compared[0] + sum(t == "" for t in trials),
                compared[1] + sum(t == "" for t in abstract),
            ]
            if "" not in trials:
                refused.append(example.text)
    print(
        f"on the processor: {compared[0]} trials of known operands, {compared[1]} of abstract ones"
    )
    return failures, refused, len(forms) - len(refused)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    failures, refused, forms = [], [], 0
    for arm in (False, True):
        builds = [build for build in arguments.builds if is_arm(build) == arm]
        found, more, count = compare(builds) if builds else ([], [], 0)
        failures, refused, forms = failures + found, refused + more, forms + count
    print(
        *(f"not compared, since the reader refuses it: {text}" for text in refused),
        *failures,
        sep="\n",
    )
    print(f"{forms - len(failures)} passed, {len(failures)} failed, {len(refused)} not compared")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
