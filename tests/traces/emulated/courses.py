#!/usr/bin/env python3
"""Runs operations under QEMU (operations.cpp) and lists those whose course depends on a secret:
courses.py [--planted] EMULATOR... PROGRAM

--planted runs those that leak on purpose, and fails unless all are found.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    planted = sys.argv[1] == "--planted"
    *emulator, program = sys.argv[2 if planted else 1 :]
    with tempfile.TemporaryDirectory() as folder:
        plugin, out = Path(folder) / "libcourses.so", Path(folder) / "verdicts"
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", HERE / "courses.c", "-o", plugin], check=True
        )
        done = subprocess.run(
            [
                *emulator,
                "-plugin",
                f"{plugin},out={out}",
                program,
                *(["planted"] if planted else []),
            ],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        verdicts = out.read_text(encoding="utf-8").splitlines()
    names = done.stdout.splitlines()
    if len(names) != len(verdicts) or not names:
        print(f"{len(names)} comparisons were made and {len(verdicts)} judged")
        return 1
    leaks = 0
    for name, verdict in zip(names, verdicts, strict=True):
        kind, told = verdict.split("\t")
        leaks += kind != "equal"
        if kind != "equal" or name.endswith(" 1"):
            print(f"{name:40} {kind} {told}")
    print(f"{len(names)} comparisons, {leaks} differ")
    return int(leaks != len(names) if planted else leaks > 0)


if __name__ == "__main__":
    sys.exit(main())
