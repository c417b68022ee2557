"""Cycles of what an emulator has counted (blocks.c), by llvm-mca's models of processors.

The blocks that make up COVERED of an operation's instructions are modelled, each alone, repeated;
the rest is taken in proportion. The repetitions of a block that is no loop do not wait for each
other. So there are no caches, no mispredicted branches, no waits for
stores, and no overlap between one block and the next. LLVM models neither Cortex-A76 (Raspberry Pi
5), which Neoverse N1 stands for, nor Apple's cores: for the M1 there is a bound by ports.
"""

import re
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

# Instructions that each core dispatches in a cycle, which LLVM's models do not limit.
DISPATCHED = {"cortex-a72": 3, "neoverse-n1": 4, "neoverse-v1": 8, "neoverse-v2": 8}
M1 = "apple-m1"
CORES = (*DISPATCHED, M1)
COVERED = 0.985
ITERATIONS = 12
FEATURES = "-mattr=+v8.4a,+sha3,+sha2,+aes,+sve,+sve2,+lse,+pauth"
BLOCKS_AT_ONCE = 40
JUMPS = ("bl", "blr", "br", "ret", "retaa")
LABELLED = ("b", "cbz", "cbnz", "tbz", "tbnz", "adr", "adrp")
# A register's kind and number, and instructions whose first operand is no result, or is read, too.
REGISTER = re.compile(r"\b([wxvqdshb])(\d+)\b")
NO_RESULT = re.compile(
    r"st|cmp|cmn|tst|ccm|b$|b\.|cb|tb[nz]|ret|ldp|dc$|prfm|msr"
    r"|movk|bf|[su]?q?r?d?f?ml[as]|[su]r?sra|s[rl]i|bsl|bi[tf]|tbx|ins|[su]aba|aes[de]|sha|\w+n2$"
)
BY_ELEMENT = (
    "mul mls mla sqrdmulh sqdmulh smull smlal smlsl smull2 smlal2 smlsl2 umull umlal umull2 umlal2"
).split()


def disassembled(blocks: list[str]) -> dict[str, list[str]]:
    """The instructions of blocks, which are words of hexadecimal bytes."""
    words = sorted({word for block in blocks for word in block.split()})
    lines = "".join(
        " ".join(f"0x{word[i : i + 2]}" for i in range(0, 8, 2)) + "\n" for word in words
    )
    printed = subprocess.run(
        ["llvm-mc-19", "--disassemble", "-triple=aarch64", FEATURES],
        input=lines, capture_output=True, text=True, check=False,
    )  # fmt: skip
    unknown = {int(line) - 1 for line in re.findall(r"<stdin>:(\d+):\d+: warning", printed.stderr)}
    texts = iter(
        [line.strip() for line in printed.stdout.splitlines() if line.startswith("\t")][1:]
    )
    known = {word: "nop" if i in unknown else next(texts) for i, word in enumerate(words)}
    found = {}
    for block in blocks:
        texts_of = [known[word] for word in block.split()]
        lines = [line for text in texts_of for line in modelled(text).split("\n")]
        # Whether the last instruction jumps to the first.
        is_loop = re.match(rf"[ct]?b.*#{4 - 4 * len(texts_of)}$", texts_of[-1])
        found[block] = lines if is_loop else unchained(lines)
    return found


def modelled(instruction: str) -> str:
    """An instruction as llvm-mca models it best."""
    instruction = re.sub(r"\s+", " ", instruction)
    name, _, operands = instruction.partition(" ")
    if name in JUMPS:
        return "b ."  # of a call it would assume 100 cycles
    if name in LABELLED or name.startswith("b."):
        return f"{name} {', '.join([*operands.split(', ')[:-1], '.'])}"
    if name in ("ldr", "ldrsw") and "[" not in operands:
        return re.sub(r", \S+$", ", .", instruction)
    # A write of d0 would be one of a part of q0, which waits for the rest.
    if short := re.match(r"(?:ldr|ldur) [dsbh](\d+), (\[.*)$", instruction):
        address = short[2]
        if not address.endswith("!") and "]," not in address:
            address = re.sub(r"^\[(\w+).*\]$", r"[\1]", address)
        return f"ldr q{short[1]}, {address}"
    if moved := re.match(r"fmov d(\d+), (x\d+|xzr)$", instruction):
        return f"dup v{moved[1]}.2d, {moved[2]}"
    # The models have a new address wait for what is stored there; it is a sum by itself.
    if name.startswith("st") and (
        stored := re.match(r"(.*)\[(\w+)(?:\], (#?-?\w+)|, (#-?\d+)\]!)$", instruction)
    ):
        _, address, after, before = stored.groups()
        offset = f", {before}" if before else ""
        return f"{stored[1]}[{address}{offset}]\nadd {address}, {address}, {after or before}"
    # Products by an element, which the models lack for some cores, take as long as other products.
    if name in BY_ELEMENT and (
        by := re.match(r"(.*, v\d+\.(\w+), v\d+)\.[hs]\[\d\]$", instruction)
    ):
        return f"{by[1]}.{by[2]}"
    return instruction


def file_of(kind: str, number: str) -> tuple[str, str]:
    """The registers that one is of, general ones or vectors, and its number."""
    return ("x" if kind in "wx" else "v"), number


def unchained(block: list[str]) -> list[str]:
    """A block that is no loop, which the model repeats all the same. Registers that it reads come
    from other blocks; so its own end must not write them, but others that are free."""
    used = {file_of(*one) for one in REGISTER.findall(" ".join(block))}
    free = {
        file: [number for number in range(last) if (file, str(number)) not in used]
        for file, last in (("x", 29), ("v", 32))
    }
    given, written, names, out = set(), set(), {}, []

    def renamed(found: re.Match) -> str:
        return found[1] + names.get(file_of(*found.groups()), found[2])

    for instruction in block:
        name, _, operands = instruction.partition(" ")
        to = REGISTER.match(operands)
        if to is None or NO_RESULT.match(name) or operands[to.end() :].startswith((".d[", ".s[")):
            given |= {file_of(*one) for one in REGISTER.findall(operands)} - written
            out.append(f"{name} {REGISTER.sub(renamed, operands)}".strip())
            continue
        result, others = file_of(*to.groups()), operands[to.end() :]
        given |= {file_of(*one) for one in REGISTER.findall(others)} - written
        others = REGISTER.sub(renamed, others)
        written.add(result)
        if result in given and result not in names and free[result[0]]:
            names[result] = str(free[result[0]].pop())
        out.append(f"{name} {to[1]}{names.get(result, to[2])}{others}")
    return out


def port_bound(block: list[str]) -> float:
    """The cycles that an M1 needs at least, by its ports."""
    vector = scalar = loads = stores = branches = 0
    for name, _, operands in (instruction.partition(" ") for instruction in block):
        several = 3 if name in ("ld2", "ld3", "ld4", "st2", "st3", "st4") else 1
        if name.startswith("ld"):
            loads += several
        elif name.startswith("st"):
            stores += several
        elif name == "b" or name.startswith("b.") or name in ("cbz", "cbnz", "tbz", "tbnz"):
            branches += 1
        elif re.search(r"\b[vqdshb]\d+\b", operands):
            vector += 1
        else:
            scalar += 1
    everything = vector + scalar + loads + stores + branches
    return max(vector / 4, scalar / 6, loads / 3, stores / 2, branches / 2, everything / 8)


def mca(blocks: list[list[str]], core: str) -> list[float | None]:
    """The cycles of an iteration of each block; None for one that llvm-mca cannot read."""
    source = "".join(
        f"# LLVM-MCA-BEGIN {i}\n" + "\n".join(block) + f"\n# LLVM-MCA-END {i}\n"
        for i, block in enumerate(blocks)
    )
    printed = subprocess.run(
        ["llvm-mca-19", "-mtriple=aarch64", f"-mcpu={core}", f"-dispatch={DISPATCHED[core]}", FEATURES,
         f"-iterations={ITERATIONS}", "-instruction-info=0", "-resource-pressure=0"],
        input=source, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    cycles: list[float | None] = [None] * len(blocks)
    parts = re.split(r"\[\d+\] Code Region - (\d+)", printed)
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        if total := re.search(r"Total Cycles:\s+(\d+)", part):
            cycles[int(name)] = int(total[1]) / ITERATIONS
    if len(blocks) > 1 and None in cycles:  # one that cannot be read hides the others
        return [one for block in blocks for one in mca([block], core)]
    return cycles


def largest(counts: dict[str, int]) -> list[str]:
    """The blocks that make up COVERED of the instructions."""
    work = {block: count * len(block.split()) for block, count in counts.items()}
    left, chosen = COVERED * sum(work.values()), []
    for block in sorted(work, key=work.get, reverse=True):
        if left <= 0:
            break
        chosen.append(block)
        left -= work[block]
    return chosen


def ends_in_a_jump(block: str) -> bool:
    """Whether no other instruction follows: a branch, a call, a return or an exception."""
    word = int.from_bytes(bytes.fromhex(block[-8:]), "little")
    return (
        word >> 26 & 0b11111 == 0b00101
        or word >> 25 & 0b111111 in (0b011010, 0b011011)
        or (word >> 24 in (0x54, 0xD4, 0xD6, 0xD7))
    )


def joined(found: list[tuple[int, int, str]]) -> dict[str, int]:
    """How often each block ran: of pairs of an address, a count and a block, those that follow each
    other without a jump are one. (QEMU ends a block after 512 instructions and at the end of a
    page, in the middle of a loop.)"""
    blocks: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for address, count, block in sorted(found, reverse=True):
        end = address + 4 * len(block.split())
        if not ends_in_a_jump(block) and len(blocks[end]) == 1:
            follows, rest = blocks[end][0]
            if follows >= count:
                blocks[end] = [(follows - count, rest)]
                block = f"{block} {rest}"
        blocks[address].append((count, block))
    counts: dict[str, int] = defaultdict(int)
    for count, block in (one for several in blocks.values() for one in several):
        if count > 0:
            counts[block] += count
    return counts


def read_counts(file: Path) -> dict[int, dict[str, int]]:
    """By mark, how often each block ran."""
    found: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for line in file.read_text(encoding="ascii").splitlines():
        mark, count, address, block = line.split("\t")
        found[int(mark)].append((int(address), int(count), block))
    return {mark: joined(blocks) for mark, blocks in found.items()}


def cycles_of_blocks(blocks: list[str], cores: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """By core, the cycles of each block."""
    texts = list(disassembled(blocks).values())
    found = {}
    for core in cores:
        if core == M1:
            found[core] = dict(zip(blocks, map(port_bound, texts), strict=True))
            continue
        cycles = [
            one
            for i in range(0, len(texts), BLOCKS_AT_ONCE)
            for one in mca(texts[i : i + BLOCKS_AT_ONCE], core)
        ]
        found[core] = dict(zip(blocks, cycles, strict=True))
    return found


def model(
    counts: dict[int, dict[str, int]], cores: Sequence[str] = CORES
) -> dict[int, dict[str, float]]:
    """By mark: the instructions, and the modelled cycles of each core."""
    chosen = {mark: largest(blocks) for mark, blocks in counts.items()}
    cycles = cycles_of_blocks(
        sorted({block for blocks in chosen.values() for block in blocks}), cores
    )
    results = {}
    for mark, blocks in counts.items():
        instructions = {block: count * len(block.split()) for block, count in blocks.items()}
        total = sum(instructions.values())
        results[mark] = {"instructions": total}
        for core in cores:
            read = [block for block in chosen[mark] if cycles[core][block] is not None]
            part = sum(instructions[block] for block in read)
            results[mark][core] = (
                sum(cycles[core][block] * blocks[block] for block in read) * total / part
            )
    return results
