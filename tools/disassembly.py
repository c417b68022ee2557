"""objdump's output, an instruction at a time, for an archive, an object or a shared library of any
processor that the objdump is for."""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

FUNCTION = re.compile(r"^[0-9a-f]+ <((?!\.L).*)>:$")  # not a label inside one
LINE = re.compile(r"^\s*[0-9a-f]+:\s+(?:(?:lock|rep|repz|data16|notrack|bnd) )*(\S+)\s*(.*)$")
RELOCATION = re.compile(r"^\s*[0-9a-f]+:\s+(?:IMAGE_REL|R)_\S+\s+(\S+)$")
UNKNOWN = ("<unknown>", ".insn", ".4byte", ".2byte")  # of LLVM, and of GNU's for RISC-V


class Instruction(NamedTuple):
    function: str
    mnemonic: str  # without prefixes; of a relocation, none
    operands: str  # of a relocation, its symbol

    @property
    def is_relocation(self) -> bool:
        return not self.mnemonic

    def __str__(self) -> str:
        return f"{self.mnemonic} {self.operands}".strip()


def instructions(objdump: str, file: Path, *, relocations: bool = False) -> Iterator[Instruction]:
    """All instructions of a file, with their relocations on request. Ends the program if there are
    none, or one that objdump does not know, since then not everything was checked."""
    options = [
        "--disassemble",
        "--demangle",
        "--no-show-raw-insn",
        *(["--reloc"] if relocations else []),
    ]
    listing = subprocess.run(
        [*shlex.split(objdump), *options, str(file)], check=True, capture_output=True, text=True
    ).stdout
    function, count = "", 0
    for line in listing.splitlines():
        if match := FUNCTION.match(line):
            function = match[1]
        elif match := RELOCATION.match(line):
            yield Instruction(function, "", match[1])
        elif match := LINE.match(line):
            count += 1
            if match[1] in UNKNOWN:
                sys.exit(f"tools/{Path(sys.argv[0]).name}: {file}: {objdump} does not know {line}")
            yield Instruction(function, match[1], match[2])
    if count == 0:
        sys.exit(f"tools/{Path(sys.argv[0]).name}: {file}: {objdump} shows no instruction in it")


def look_into(
    files: argparse.ArgumentParser | str,
    faults: Callable[[argparse.Namespace, Path], Iterator[str]],
    objdump: str = "objdump",
) -> int:
    """The exit status of a program that prints the faults of the files in its arguments. `files` is
    the program's description, or a parser with more options."""
    parser = files
    if isinstance(parser, str):
        parser = argparse.ArgumentParser(
            description=files, formatter_class=argparse.RawDescriptionHelpFormatter
        )
    parser.add_argument("--objdump", default=objdump, help="the program, with its own options")
    parser.add_argument("file", type=Path, nargs="+")
    arguments = parser.parse_args()
    found = 0
    for file in arguments.file:
        for fault in faults(arguments, file):
            print(f"{file.name}: {fault}")
            found += 1
    if found:
        print(f"tools/{Path(sys.argv[0]).name}: {found} found", file=sys.stderr)
    return 1 if found else 0
