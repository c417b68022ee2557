#!/usr/bin/env python3
"""Leaves out one instruction of the loader at a time, and counts the bad images that start:

    glitches.py loader.elf BOARD --secret KEY [--patched] [--library STRIDE]

Each instruction that the loader's own code executes from main on is skipped once, in QEMU: the
first time that it comes by, the last, and each time between of at most four. With --patched each is
replaced by a nop instead, which stays. With --library STRIDE, every STRIDE-th instruction of girih
and the C library is skipped the first time.

The payload is a trap: its vectors and all its instructions lead to one place, so an image has
started as soon as the processor is anywhere in it.
"""

import argparse
import collections
import pathlib
import struct
import sys
import time

sys.dont_write_bytecode = True
from image import HEADER_BYTES, packed  # noqa: E402
from machine import BOARDS, NOP, RAM_END, SLOT_AT, Machine, Program  # noqa: E402


def trap(board: str) -> tuple:
    """The payload, and the address that everything in it leads to."""
    begin, size = BOARDS[board] + SLOT_AT + HEADER_BYTES, 2048
    landing = begin + size - 2
    vectors = struct.pack("<64I", RAM_END[board], *63 * [landing | 1])
    return vectors + NOP * ((size - len(vectors)) // 2 - 1) + bytes.fromhex("fee7"), landing  # b .


def bad_images(image: bytes) -> dict:
    """By what is wrong: the image, and the counter that it meets. Its own counter is 3."""
    changed = bytearray(image)
    changed[1000] ^= 1
    return {
        "changed": (bytes(changed), 0),
        "older": (image, 4),
        "cut": (image[: len(image) // 2], 0),
    }


def skips(machine: Machine) -> list:
    """(address, occurrence) of the loader's own code."""
    seen: collections.Counter = collections.Counter(machine.trace())
    return [
        (at, time)
        for at, times in sorted(seen.items())
        for time in (range(1, times + 1) if times <= 4 else (1, times))
    ]


def tried(machine: Machine, image: bytes, patched: bool = False, stride: int = 0):
    """(what is wrong, address, result) of each trial."""
    for name, (content, counter) in bad_images(image).items():
        machine.flash(content, counter)
        begin = time.monotonic()
        if machine.boot() != "stopped":
            sys.exit(f"the {name} image is not refused without a fault")
        seconds = max(1.0, 20 * (time.monotonic() - begin))
        if stride:
            trials = [{"skipped": at} for at in sorted(machine.loader.others)[::stride]]
        elif patched:
            trials = [{"patched": at} for at in sorted(machine.loader.own)]
        else:
            trials = [{"skipped": at, "occurrence": time} for at, time in skips(machine)]
        for trial in trials:
            machine.flash(content, counter)
            yield name, trial, machine.boot(**trial, seconds=seconds)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("loader", type=pathlib.Path)
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument(
        "--secret",
        type=pathlib.Path,
        required=True,
        metavar="KEY",
        help="of the loader's public key",
    )
    parser.add_argument("--patched", action="store_true")
    parser.add_argument("--library", type=int, default=0, metavar="STRIDE")
    given = parser.parse_args()
    payload, landing = trap(given.board)
    machine = Machine(given.board, Program(given.loader), landing)
    image = packed(payload, given.secret, "1.0.0", 3)
    machine.flash(image, 0)
    if machine.boot() != "started":
        sys.exit("the good image does not start")
    counts: collections.Counter = collections.Counter()
    for name, trial, result in tried(machine, image, given.patched, given.library):
        counts[name, result] += 1
        if result == "started":
            print(f"{name}: started without the instruction at {trial}")
    machine.close()
    for (name, result), count in sorted(counts.items()):
        print(f"{name:10} {result:10} {count:6}")


if __name__ == "__main__":
    main()
