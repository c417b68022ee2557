"""What objdump shows of built code, an instruction at a time: of an archive, an object or a shared
library, of whatever processor the objdump is for."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
LINE = re.compile(r"^\s*[0-9a-f]+:\s+(?:(?:lock|rep|repz|data16|notrack|bnd) )*(\S+)\s*(.*)$")
RELOCATION = re.compile(r"^\s*[0-9a-f]+: (?:IMAGE_REL|R)_\S+\s+(\S+)$")


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
    """All of a file, and the relocations that belong to them if asked for. Ends the program where
    there is none: nothing was looked at then."""
    options = ["--disassemble", "--demangle", "--no-show-raw-insn", *(["--reloc"] if relocations else [])]
    listing = subprocess.run([objdump, *options, str(file)], check=True, capture_output=True, text=True).stdout
    function, count = "", 0
    for line in listing.splitlines():
        if match := FUNCTION.match(line):
            function = match[1]
        elif match := RELOCATION.match(line):
            yield Instruction(function, "", match[1])
        elif match := LINE.match(line):
            count += 1
            yield Instruction(function, match[1], match[2])
    if count == 0:
        sys.exit(f"tools/{Path(sys.argv[0]).name}: {file}: {objdump} shows no instruction in it")
