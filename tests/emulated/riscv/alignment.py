#!/usr/bin/env python3
"""Runs a program under QEMU and lists its vector instructions that access unaligned elements
(alignment.c): alignment.py [--planted] EMULATOR... -- PROGRAM...

--planted fails unless there is one.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    planted = sys.argv[1] == "--planted"
    given = sys.argv[2 if planted else 1 :]
    emulator, program = given[: given.index("--")], given[given.index("--") + 1 :]
    with tempfile.TemporaryDirectory() as folder:
        plugin, out = Path(folder) / "libalignment.so", Path(folder) / "places"
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", HERE / "alignment.c", "-o", plugin], check=True
        )
        subprocess.run([*emulator, "-plugin", f"{plugin},out={out}", *program], check=True)
        places = out.read_text(encoding="utf-8").splitlines()
    print("\n".join(places))
    print(f"{len(places)} vector instructions access unaligned elements")
    return int(not places if planted else bool(places))


if __name__ == "__main__":
    sys.exit(main())
