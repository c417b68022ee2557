#!/usr/bin/env python3
"""Plants faults in kernels: single bits flipped in their code and in the tables that they read.
Each has to fail its proof, or change nothing.

    faults.py [--count N] BUILD...

A fault that survives is run on the processor, beside the kernel without it, on random and
extreme inputs:

- same text: the bit is one that the processor ignores;
- refused: an encoding that capstone reads and the processor does not, so any run of the kernel
  would show it;
- same results: a lane, an index's bit or a constant's bit that no output depends on;
- congruent: each word differs by a multiple of q, as a reduction's may within its bound.

Fails if a survivor's results differ in any other way.
"""

import argparse
import random
import signal
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from domain import Failure  # noqa: E402
from image import BASE  # noqa: E402
from kernels import KERNELS  # noqa: E402
from processor import Ended, Processor, compiled_processor  # noqa: E402
from prove import compiled_wrappers, engines_of, is_arm, subject_of  # noqa: E402
from reader import Reader  # noqa: E402

FAULTED = (
    "ML-DSA ntt",
    "ML-DSA inverse_ntt",
    "ML-DSA dot of 7",
    "ML-DSA multiply",
    "ML-DSA pack 13 bits, 4096 - c",
    "ML-DSA unpack 20 bits, 524288 - c",
    "ML-KEM ntt",
    "ML-KEM inverse_ntt",
    "ML-KEM make_factor",
    "ML-KEM dot of 12 bits",
    "ML-KEM scale_and_add",
    "ML-KEM pack 11 bits",
    "ML-KEM unpack 10 bits",
    "ML-KEM compress 10",
    "ML-KEM decompress 5",
    "NTRU Prime forward",
    "Keccak-f[1600] of one state",
    "Keccak-f[1600] of two lanes",
    "Keccak-f[1600] of four lanes",
    "Keccak-f[1600] of eight lanes",
    "Keccak-f[1600] of three states",
    "Keccak-f[1600] of four states",
)
INPUTS = 40
EXPLAINED = ("same text", "refused", "same results", "congruent")


class Native:
    """An image in a processor's memory, at any address."""

    def __init__(self, processor, image):
        self.processor = processor
        self.base = (
            processor.new(
                max(at - BASE + len(data) for at, data in image.segments + image.writable)
            )
            - BASE
        )
        for at, data in image.segments + image.writable:
            processor.write(self.base + at, data)
        for at, name in image.external.items():
            if name in processor.functions:
                processor.write(self.base + at, processor.functions[name].to_bytes(8, "little"))

    def outputs(self, call, rng):
        """The caller's arrays after the call, with inputs as the proof has them."""
        size = 1 << 16
        first = self.processor.new(size * call.arrays)
        places = {
            address + at: first + size * i + at
            for i, (address, count, _) in enumerate(call.machine.arrays)
            for at in range(count)
        }
        for array, values in call.given:
            self.processor.write(
                places[array.address],
                bytes(rng.randrange(256) for _ in range(array.count))
                if values is None
                else b"".join(
                    rng.choice((v.low, v.high, rng.randint(v.low, v.high))).to_bytes(
                        array.size, "little", signed=True
                    )
                    for v in values
                ),
            )
        address, numbers = call.last
        self.processor.call(self.base + address, [places.get(n, n) for n in numbers])
        return self.processor.read(first, size * call.arrays)


def are_congruent(call, a, b):
    a, b = (np.frombuffer(x, f"<i{call.domain.word_bits // 8}").astype(np.int64) for x in (a, b))
    return not ((a - b) % call.q).any()


def explained(build, image, call, place, bit):
    """A word for how its results differ from those of the kernel without the fault."""
    with Processor(build / "proofs/processor", image.is_arm) as processor:
        plain, faulty, data = (
            Native(processor, image),
            Native(processor, image),
            image.read(place, 1),
        )
        processor.write(faulty.base + place, bytes([data[0] ^ bit]))
        try:
            pairs = [
                [side.outputs(call, random.Random(seed)) for side in (plain, faulty)]
                for seed in range(INPUTS)
            ]
        except Ended:
            return "refused" if processor.process.wait() == -signal.SIGILL else "OTHER RESULTS"
    if all(a == b for a, b in pairs):
        return "same results"
    return (
        "congruent"
        if call.q and all(are_congruent(call, a, b) for a, b in pairs)
        else "OTHER RESULTS"
    )


def text_at(image, call, address):
    try:
        data, at = image.place(address)
        return call.machine.Instruction(bytes(data[at : at + 15]), address).text
    except Failure:
        return "no instruction"


def plant(build, engine, name, count):
    """Faults in one kernel: lines about the survivors, how many were found, and how survivors are
    explained."""
    subject = subject_of(build, engine)
    entry = next(k for k in KERNELS if k.name == name)
    symbols, rng = subject.symbols(entry), random.Random(f"{engine} {name}")
    Reader.limit = 400_000
    call = entry.prove(subject, entry, symbols)
    image = call.machine.image
    starts = {
        at: ins.address
        for ins in call.machine.decoded.values()
        for at in range(ins.address, ins.address + ins.size)
    }
    places = {"code": sorted(starts), "table": sorted(call.machine.table_bytes - set(starts))}
    Reader.limit = 4 * call.machine.steps
    found, classes, lines = 0, Counter(), []
    for i in range(count):
        kind = "table" if i % 3 == 0 and places["table"] else "code"
        place, bit = rng.choice(places[kind]), 1 << rng.randrange(8)
        data, at = image.place(place)
        before = text_at(image, call, starts[place]) if kind == "code" else "a constant"
        data[at] ^= bit
        try:
            entry.prove(subject, entry, symbols)
            survives = True
        except Failure:
            survives = False
        after = text_at(image, call, starts[place]) if kind == "code" else "a constant"
        data[at] ^= bit
        if not survives:
            found += 1
            continue
        why = explained(build, image, call, place, bit)
        if why == "same results" and kind == "code" and before == after:
            why = "same text"
        classes[why] += 1
        lines.append(
            f"  {engine} {name}: {kind} {place:#x} bit {bit:#04x}: {before}"
            + (f" -> {after}" if before != after else "")
            + f": {why}"
        )
    return f"{build} {engine} {name}: {found} of {count} found", found, classes, lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=18, help="faults in each kernel")
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    kernels = [kernel for kernel in KERNELS if kernel.name in FAULTED]
    work = [
        (build, engine, kernel.name, arguments.count)
        for build in arguments.builds
        for engine in engines_of(build)
        for kernel in kernels
        if engine in kernel.engines
    ]
    for build, engine in dict.fromkeys(w[:2] for w in work):
        compiled_wrappers(build, engine)
        compiled_processor(build / "proofs", is_arm(build))
    total, survivors = 0, Counter(dict.fromkeys(EXPLAINED, 0))
    with ProcessPoolExecutor(max_workers=2) as pool:
        for line, found, classes, lines in pool.map(plant, *zip(*work)):
            print(line, *lines, sep="\n", flush=True)
            total += found
            survivors.update(classes)
    wrong = sum(number for why, number in survivors.items() if why not in EXPLAINED)
    print(
        f"{total} of {arguments.count * len(work)} faults found; the others: "
        + ", ".join(f"{n} {why}" for why, n in survivors.items())
    )
    print(f"{arguments.count * len(work) - wrong} passed, {wrong} failed")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
