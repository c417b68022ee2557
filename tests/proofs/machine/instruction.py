"""x86-64 instructions, decoded by capstone: names, operands and masks."""

import re

import capstone

from domain import Failure

SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32, "zmmword": 64}
WIDE = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16)))
REGISTERS = {}  # name: (the whole register, bytes)
for _wide in WIDE:
    _names = (
        (_wide, _wide + "d", _wide + "w", _wide + "b")
        if _wide[1].isdigit()
        else (
            _wide,
            "e" + _wide[1:],
            _wide[1:],
            _wide[1] + "l" if _wide[2] == "x" else _wide[1:] + "l",
        )
    )
    REGISTERS |= {name: (_wide, size) for name, size in zip(_names, (8, 4, 2, 1))}


class Operand:
    """A register, a constant or memory."""

    def __init__(self, text):
        self.text, self.kind = text, "constant"
        if match := re.fullmatch(r"([xyz])mm(\d+)", text):
            self.kind, self.number, self.size = (
                "vector",
                int(match[2]),
                {"x": 16, "y": 32, "z": 64}[match[1]],
            )
        elif re.fullmatch(r"k\d", text):
            self.kind, self.size = "mask", 8
        elif text in REGISTERS:
            self.kind = "register"
            self.name, self.size = REGISTERS[text]
        elif match := re.fullmatch(r"(?:(\w+) ptr )?\[(.*)\](?:\s*\{1to(\d+)\})?", text):
            self.kind, self.size, self.copies = (
                "memory",
                SIZES[match[1]] if match[1] else 0,
                int(match[3] or 1),
            )
            self.terms, self.offset, self.is_relative = [], 0, False
            for sign, term, scale in re.findall(r"([+-]?)\s*(\w+)(?:\s*\*\s*(\d+))?", match[2]):
                if term in REGISTERS:
                    self.terms.append((term, int(scale or 1)))
                elif term == "rip":
                    self.is_relative = True
                elif term[0].isdigit():
                    self.offset += int(term, 0) * (-1 if sign == "-" else 1)
                else:
                    raise Failure(f"an operand that is not known: {text}")
        elif re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text):
            self.value = int(text, 0)
        else:
            raise Failure(f"an operand that is not known: {text}")


class Instruction:
    """A decoded instruction. One of SSE, `paddd a, b`, is named and has operands as AVX's `vpaddd
    a, a, b`, but leaves the upper bytes of its result as they are."""

    MOVES = re.compile(r"mov(aps|ups|apd|upd|dqa|dqu|d|q)|pshuf(d|lw|hw)")
    DECODER = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)

    def __init__(self, code, address):
        ins = next(self.DECODER.disasm(code, address, 1), None)
        if ins is None:
            raise Failure(f"no instruction: {code.hex()}")
        self.address, self.size, self.code, self.text = (
            address,
            ins.size,
            bytes(ins.bytes),
            f"{ins.mnemonic} {ins.op_str}",
        )
        self.name, self.mask, self.zeroes, self.is_sse = (
            ins.mnemonic.split()[-1],
            None,
            False,
            False,
        )
        self.operands, self.repeats = [], ins.mnemonic.startswith("rep ")
        if self.name == "nop" or self.repeats:
            return
        text = re.sub(r"\s*\{(k\d|z)\}", r"{\1}", ins.op_str)
        for part in [p.strip() for p in re.split(r",\s*(?![^\[]*\])", text)] if text else []:
            for mark in re.findall(r"\{(k\d|z)\}", part):
                self.zeroes, self.mask = (
                    self.zeroes or mark == "z",
                    self.mask if mark == "z" else mark,
                )
            self.operands.append(Operand(re.sub(r"\{(k\d|z)\}", "", part)))
        kinds = [o.kind for o in self.operands]
        if "vector" in kinds and self.name[0] not in "vk":
            self.is_sse, self.name = True, "v" + self.name
            if kinds[0] == "vector" and not self.MOVES.fullmatch(self.name[1:]):
                self.operands.insert(0, self.operands[0])
