#!/usr/bin/env python3
"""Makes the loader err by one instruction at a time, in QEMU, and counts the bad images that start:

    glitches.py [--board BOARD] [--algorithm ALGORITHM] [--image NAME] [--fault NAME]
                [--most N | --all]

The environment names the command (GIRIH_COMMAND) and the folder in which libraries.sh has installed
girih for devices (GIRIH_DEVICES). Without options: both algorithms on every board, with a fixed
sample of the faults. Prints a table; the status is 1 if a bad image starts.

The faults:
    skip16, skip32   a 16-bit or 32-bit instruction is skipped, once
    nop              an instruction is a nop from the start on
    invert           a conditional branch, or IT, has the opposite condition from the start on
    bit              a bit of r0 is flipped once, where a function returns
    bits             the same bit each time that this function returns

An instruction that runs more than five times errs once at its first occurrence, at its last and at
three between. Bits are flipped where a function returns by pop, ldm or ldr, or bx lr, 16 times at
most.

The images (bad_images) carry what an attacker may write. Vectors and code of their payloads lead to
one place, so an image has started as soon as the processor is anywhere in it.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import pathlib
import struct
import sys
import tempfile
import time
import typing

sys.dont_write_bytecode = True
from image import COUNTER_BYTES, ENTRY, HEADER_BYTES, INFO, TRAILER_MAGIC, raw_public_key  # noqa: E402
from loaders import ALGORITHMS, CORES, built, make_key, signed  # noqa: E402
from machine import (
    BOARDS,
    COUNTER_AT,
    NOP,
    RAM_END,
    SLOT_AT,
    Fault,
    Machine,
    Program,
    Trace,
    counter_words,
)  # noqa: E402

FAULTS = ["skip16", "skip32", "nop", "invert", "bit", "bits"]
SAMPLE = 30  # trials of a fault with an image
OCCURRENCES = 5  # of one instruction that is to err once
RETURNS = 16  # of one function; those that return more often give no verdict


# ---- Images


def landing_of(board: str) -> int:
    return BOARDS[board] + SLOT_AT + HEADER_BYTES + 2048 - 2


def trap(board: str, filler: bytes = NOP) -> tuple:
    """A payload, and the address that everything in it leads to."""
    landing = landing_of(board)
    vectors = struct.pack("<64I", RAM_END[board], *63 * [landing | 1])
    rest = 2048 - len(vectors) - 2
    return vectors + (filler * rest)[:rest] + bytes.fromhex("fee7"), landing  # b .


class Image(typing.NamedTuple):
    content: bytes
    counter: int  # that it meets


def bad_images(board: str, folder: pathlib.Path, algorithm: str) -> dict:
    """By what is wrong, images with the counter 3:

    sigbit   one bit of the signature
    tail     the same, and the header's end is taken for vectors a few bytes too early
    words    the same, and the payload is addresses: one that is taken from it leads into it
    forged   a signature that verifies if a step of the verification is left out
    older    nothing, but the image is older than the counter allows
    """
    word = struct.pack("<I", landing_of(board) | 1)
    good = signed(trap(board)[0], folder, algorithm)
    end = HEADER_BYTES + 2048
    signature_at = end + INFO.size + ENTRY.size
    kind = ENTRY.unpack_from(good, end + INFO.size)[0]
    is_falcon = kind == 0x0512

    def changed(image: bytes, at: int, content: bytes) -> bytes:
        return image[:at] + content + image[at + len(content) :]

    sigbit_at = signature_at + (60 if is_falcon else 5)
    sigbit = changed(good, sigbit_at, bytes([good[sigbit_at] ^ 1]))
    # From 7 and from 14 bytes before the header's end: a stack pointer, and an entry.
    tail = changed(changed(sigbit, 498, word + word), 509, word[:3])
    words = changed(tail, HEADER_BYTES, trap(board, word)[0])
    # (Addresses that leave a Falcon signature its first byte, and an ML-DSA one its z.)
    words = changed(words, signature_at + is_falcon, word * (10 if is_falcon else 8))
    forge = forged_falcon if is_falcon else forged_ml_dsa
    forged = forge(raw_public_key(folder / f"{algorithm}.pub"), good[:end], good[signature_at:])
    trailer = INFO.pack(TRAILER_MAGIC, INFO.size + ENTRY.size + len(forged))
    return {
        "sigbit": Image(sigbit, 0),
        "tail": Image(tail, 0),
        "words": Image(words, 0),
        "forged": Image(good[:end] + trailer + ENTRY.pack(kind, len(forged)) + forged, 0),
        "older": Image(good, 4),
    }


def shake256(data: bytes, count: int) -> bytes:
    return hashlib.shake_256(data).digest(count)


def forged_ml_dsa(public_key: bytes, signed: bytes, _signature: bytes) -> bytes:
    """z = 0, no hints, and c~ = H(mu | w1 = 0): good if c t1 is left out. For ML-DSA-44."""
    mu = shake256(shake256(public_key, 64) + b"\0\0" + signed, 64)
    gamma1 = int(f"{1 << 17:018b}" * 1024, 2).to_bytes(2304, "little")
    return shake256(mu + bytes(768), 32) + gamma1 + bytes(84)


def forged_falcon(_key: bytes, _signed: bytes, signature: bytes) -> bytes:
    """s2 = 0: good if the norm of s1 is left out. For Falcon-512."""
    return signature[:41] + int("000000001" * 512, 2).to_bytes(576, "big")


# ---- Faults


def inverted(code: bytes) -> bytes:
    """The instruction with the opposite condition; nothing if it has none."""
    first = int.from_bytes(code[:2], "little")
    if len(code) == 4:
        second = int.from_bytes(code[2:], "little")
        if first >> 11 == 0x1E and second & 0xD000 == 0x8000 and first >> 6 & 15 < 14:  # b.w
            return struct.pack("<HH", first ^ 1 << 6, second)
    elif first >> 12 == 0xD and first >> 8 & 15 < 14:  # b
        return struct.pack("<H", first ^ 1 << 8)
    elif first & 0xF500 == 0xB100:  # cbz, cbnz
        return struct.pack("<H", first ^ 1 << 11)
    elif first >> 8 == 0xBF and first & 15:  # it: the lowest bit that is set ends the block
        ends = first & -first
        return struct.pack("<H", first ^ 1 << 4 ^ 15 & -2 * ends)
    return b""


def faults(name: str, loader: Program, trace: Trace, codes: dict) -> typing.Iterator[Fault]:
    """All faults of a kind, with at most OCCURRENCES occurrences of an instruction that has more.
    `codes`: the bytes of each instruction."""

    def once(at: int, **what) -> typing.Iterator[Fault]:
        for occurrence in trace.occurrences(at, OCCURRENCES):
            yield Fault(at, occurrence, **what)

    stop = range(loader.symbols["board_stop"], loader.symbols["board_stop"] + 6)
    run = [at for at in sorted(trace.times) if at in codes and at not in stop]
    if name in ("skip16", "skip32"):
        for at in run:
            if len(codes[at]) == (2 if name == "skip16" else 4):
                yield from once(at)
    elif name == "nop":
        for at, code in sorted(codes.items()):
            if at not in stop:
                yield Fault(at, code=NOP * (len(code) // 2))
    elif name == "invert":
        for at, code in sorted(codes.items()):
            if other := inverted(code):
                yield Fault(at, code=other)
    else:
        for at in run:
            if at in loader.returns and len(trace.times[at]) <= RETURNS:
                for bit in range(32):
                    yield from [Fault(at, bit=bit)] if name == "bits" else once(at, bit=bit)


def sampled(every: list, most: int) -> list:
    """All, or `most` of them at even distances."""
    if not most or len(every) <= most:
        return every
    return [every[len(every) * i // most] for i in range(most)]


class Trials(typing.NamedTuple):
    """The trials of a kind of fault with an image."""

    image: str
    fault: str
    possible: int
    results: collections.Counter
    started: list  # of the faults


def tried(
    machine: Machine, images: dict, kinds: list, most: int = SAMPLE, where=lambda _at: True
) -> typing.Iterator[Trials]:
    """Trials with each image, of the instructions for which `where` holds; `most`: 0 for all."""
    loader = machine.loader
    machine.reset()
    codes = {at: machine.read(at, size) for at, size in loader.instructions.items() if where(at)}
    for name, image in images.items():
        machine.flash(*image)
        began = time.monotonic()
        if machine.boot() != "stopped":
            sys.exit(f"the image {name} is not refused without a fault")
        seconds = max(0.4, 12 * (time.monotonic() - began))
        flash = counter_words(image.counter).ljust(COUNTER_BYTES, b"\xff") + image.content
        trace = Trace(machine.board, loader, flash + b"\xff" * 4096)
        for kind in kinds:
            every = list(faults(kind, loader, trace, codes))
            trials = Trials(name, kind, len(every), collections.Counter(), [])
            for fault in sampled(every, most):
                machine.flash(*image)
                result = machine.boot(trace.shortened(fault), seconds)
                trials.results[result] += 1
                if result == "started":
                    trials.started.append(fault)
            yield trials


def described(fault: Fault, loader: Program) -> str:
    return (
        f"{fault.at:#x} in {loader.plain_name(fault.at)}"
        + (f", occurrence {fault.occurrence}" if fault.occurrence else "")
        + (f", bit {fault.bit}" if fault.bit is not None else "")
    )


def run(board: str, algorithm: str, folder: pathlib.Path, given: argparse.Namespace) -> list:
    """The table's lines, and a line for each fault that starts a bad image."""
    loader = Program(built(folder, board, algorithm) / "loader.elf")
    machine = Machine(board, loader, landing_of(board))
    machine.flash(signed(trap(board)[0], folder, algorithm), 0)
    if machine.boot() != "started":
        sys.exit("the good image does not start")
    images = bad_images(board, folder, algorithm)
    if given.image:
        images = {name: images[name] for name in given.image}
    lines = []
    for trials in tried(machine, images, given.fault or FAULTS, given.most):
        results = trials.results
        count = sum(results.values())
        lines.append(
            f"| {algorithm} | {board} | {trials.image} | {trials.fault} | {trials.possible:,} "
            f"| {count:,} | {len(trials.started)} | {results['stopped']:,} | {results['hangs'] + results['locks up']:,} "
            f"| {results['not reached']} |"
        )
        print(lines[-1], flush=True)
        for fault in trials.started:
            lines.append(f"started: {described(fault, loader)}")
            print(lines[-1], flush=True)
    machine.close()
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--board", action="append", choices=CORES)
    parser.add_argument("--algorithm", action="append", choices=ALGORITHMS)
    parser.add_argument("--image", action="append")
    parser.add_argument("--fault", action="append", choices=FAULTS)
    parser.add_argument("--most", type=int, default=SAMPLE, help="trials of a fault with an image")
    parser.add_argument("--all", dest="most", action="store_const", const=0)
    parser.add_argument("--loaders", type=pathlib.Path, help="a folder to keep the loaders in")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.loaders or pathlib.Path(temporary)
        for algorithm in ALGORITHMS:
            make_key(folder, algorithm, algorithm)
        pairs = list(itertools.product(given.board or CORES, given.algorithm or ALGORITHMS))
        print(
            "| algorithm | board | image | fault | possible | tried | started | refused | no end | not reached |"
        )
        print("|---|---|---|---|---:|---:|---:|---:|---:|---:|", flush=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            lines = [*pool.map(lambda pair: run(*pair, folder, given), pairs)]
    started = [line for of in lines for line in of if line.startswith("started")]
    print(f"{len(started)} faults start a bad image" if started else "no fault starts a bad image")
    sys.exit(1 if started else 0)


if __name__ == "__main__":
    main()
