#!/usr/bin/env python3
"""What the loader takes: flash, stack and instructions, in QEMU.

    figures.py FOLDER

FOLDER has a folder BOARD-ALGORITHM for each loader, and a key ALGORITHM.key. Prints the table of
README.md. The stack is painted before main and searched when the image starts. Instructions are
counted by the board's timer, which a few instructions in RAM start before main: each takes 16 ns.
Some ticks pass while the processor stands, so the last digits are not told.
"""

import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import glitches  # noqa: E402
from image import packed  # noqa: E402
from machine import BOARDS, LR, PC, RAM_END, Machine, Program  # noqa: E402

COLUMNS = ["flash", "stack", "instructions"]
TIMER = {"mps2-an386": 0x40000000, "mps2-an505": 0x50000000, "mps2-an385": 0x40000000}
NANOSECONDS = {
    "mps2-an386": 40,
    "mps2-an505": 50,
    "mps2-an385": 40,
}  # a tick of the timer, which counts down
# ldr r0, =TIMER; ldr r1, =0xFFFFFFFF; str r1, [r0, #8]; str r1, [r0, #4]; movs r1, #1;
# str r1, [r0]; b .; nop; the two numbers
START = bytes.fromhex("034804498160416001210160fee700bf")
# ldr r0, =TIMER; ldr r0, [r0, #4]; b .; nop; the number
READ = bytes.fromhex("01484068fee700bf")
PAINT, PAINTED, CODE_AT = b"\xa5", 16384, 0x8000


def run(machine: Machine, code: bytes, end: int) -> None:
    """Runs code in RAM up to its offset `end`; the registers are those of the caller."""
    at = RAM_END[machine.board] - CODE_AT
    machine.write(at, code)
    machine.breakpoint(at + end)
    machine.set_register(PC, at)
    machine.resume(30)
    machine.breakpoint(at + end, False)


def measure(board: str, loader: Program, image: bytes, landing: int) -> dict:
    machine = Machine(board, loader, landing, "-icount", "shift=4")
    machine.flash(image, 0)
    machine.reset()
    main = loader.symbols["main"]
    machine.breakpoint(main)
    machine.resume(30)
    machine.breakpoint(main, False)
    back = machine.register(LR)
    machine.write(RAM_END[board] - PAINTED, PAINT * (PAINTED - 64))
    timer = TIMER[board].to_bytes(4, "little")
    run(machine, START + timer + b"\xff" * 4, 12)
    machine.set_register(LR, back)
    machine.set_register(PC, main)
    if machine.resume(60) != landing:
        sys.exit("the image does not start")
    stack = machine.read(RAM_END[board] - PAINTED, PAINTED)
    run(machine, READ + timer, 4)
    ticks = 0xFFFFFFFF - machine.register(0)
    machine.close()
    sizes = (
        subprocess.run(
            ["arm-none-eabi-size", loader.file], stdout=subprocess.PIPE, check=True, text=True
        )
        .stdout.split("\n")[1]
        .split()
    )
    return {
        "flash": int(sizes[0]) + int(sizes[1]),
        "stack": len(stack.lstrip(PAINT)),
        "instructions": int(round(ticks * NANOSECONDS[board] / 16, -4)),
    }


def read(text: str) -> dict:
    """The figures by (algorithm, board) of README.md's table."""
    rows = re.findall(
        r"^\| `([\w-]+)` \| `([\w-]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE
    )
    return {
        (algorithm, board): dict(zip(COLUMNS, (int(number.replace(",", "")) for number in numbers)))
        for algorithm, board, *numbers in rows
    }


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    print(
        "| algorithm | board | flash, bytes | stack, bytes | instructions |\n|---|---|---:|---:|---:|"
    )
    for algorithm in ("ml-dsa-44", "falcon-512"):
        for board in BOARDS:
            payload, landing = glitches.trap(board)
            image = packed(payload, folder / f"{algorithm}.key", "1.0.0", 3)
            found = measure(
                board, Program(folder / f"{board}-{algorithm}" / "loader.elf"), image, landing
            )
            print(
                f"| `{algorithm}` | `{board}` | "
                + " | ".join(f"{found[name]:,}" for name in COLUMNS)
                + " |"
            )


if __name__ == "__main__":
    main()
