#!/usr/bin/env python3
"""Plants faults in kernels: single bits flipped in their code and in the tables that they read.
Each has to fail its proof, or change nothing.

    faults.py [--count N] BUILD...

A fault that survives is run on the processor, beside the kernel without it, on random and
extreme inputs:

- same text: the bit is one that the processor ignores;
- refused: an encoding that capstone reads and the processor does not, so any run of the kernel
  would show it;
- same results: a lane, an index's bit or a constant's bit that no output depends on.

Fails if a survivor's results differ.
"""

import argparse
import ctypes
import os
import random
import signal
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from domain import Failure  # noqa: E402
from image import BASE  # noqa: E402
from kernels import KERNELS  # noqa: E402
from prove import compiled_wrappers, engines_here, subject_of  # noqa: E402
from instruction import Instruction  # noqa: E402
from x86 import Machine  # noqa: E402

FAULTED = ("ML-DSA ntt", "ML-DSA inverse_ntt", "ML-DSA dot of 7", "ML-DSA multiply", "ML-DSA pack 13 bits, 4096 - c",
           "ML-DSA unpack 20 bits, 524288 - c", "ML-KEM ntt", "ML-KEM inverse_ntt", "ML-KEM make_factor", "ML-KEM dot of 12 bits",
           "ML-KEM scale_and_add", "ML-KEM pack 11 bits", "ML-KEM unpack 10 bits", "ML-KEM compress 10", "ML-KEM decompress 5",
           "NTRU Prime forward")
INPUTS = 40
EXPLAINED = ("same text", "refused", "same results")


class Native:
    """An image in this process's memory, at any address."""

    def __init__(self, image):
        end = max(at - BASE + len(data) for at, data in image.segments + image.writable) + 4096
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        # Readable, writable and executable; private and anonymous.
        self.base = libc.mmap(None, end, 7, 0x22, -1, 0) - BASE
        for at, data in image.segments + image.writable:
            ctypes.memmove(self.base + at, bytes(data), len(data))
        for at, name in image.external.items():
            if name in ("memcpy", "memset"):
                address = ctypes.cast(getattr(libc, name), ctypes.c_void_p).value
                ctypes.memmove(self.base + at, address.to_bytes(8, "little"), 8)

    def outputs(self, call, rng):
        """The caller's arrays after the call, with inputs as the proof has them."""
        size = 1 << 16
        page = ctypes.create_string_buffer(size * (call.arrays + 1))
        first = (ctypes.addressof(page) + 63) & ~63
        places = {address: first + size * i for i, (address, _, _) in enumerate(call.machine.arrays)}
        for array, values in call.given:
            data = bytes(rng.randrange(256) for _ in range(array.count)) if values is None else b"".join(
                rng.choice((v.low, v.high, rng.randint(v.low, v.high))).to_bytes(array.size, "little", signed=True) for v in values)
            ctypes.memmove(places[array.address], data, len(data))
        address, numbers = call.last
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * len(numbers))(self.base + address)
        function(*(places.get(n, n) for n in numbers))
        return ctypes.string_at(first, size * call.arrays)


def same_on_processor(image, call, place, bit):
    """Whether the kernel computes the same with the fault, in a process of its own; None: it
    dies."""
    child = os.fork()
    if child == 0:
        plain, faulty, same = Native(image), Native(image), True
        old = ctypes.string_at(faulty.base + place, 1)[0]
        ctypes.memmove(faulty.base + place, bytes([old ^ bit]), 1)
        for seed in range(INPUTS):
            same = same and plain.outputs(call, random.Random(seed)) == faulty.outputs(call, random.Random(seed))
        os._exit(0 if same else 1)
    status = os.waitpid(child, 0)[1]
    refused = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGILL
    return None if refused else status == 0


def text_at(image, address):
    try:
        data, at = image.place(address)
        return Instruction(bytes(data[at:at + 15]), address).text
    except Failure:
        return "no instruction"


def plant(build, engine, name, count):
    """Faults in one kernel: lines about the survivors, how many were found, and how survivors are
    explained."""
    subject = subject_of(build, engine)
    entry = next(k for k in KERNELS if k.name == name)
    symbols, rng = subject.symbols(entry), random.Random(f"{engine} {name}")
    Machine.limit = 100_000
    call = entry.prove(subject, entry, symbols)
    image = call.machine.image
    starts = {at: ins.address for ins in call.machine.decoded.values() for at in range(ins.address, ins.address + ins.size)}
    places = {"code": sorted(starts), "table": sorted(call.machine.table_bytes - set(starts))}
    Machine.limit = 4 * call.machine.steps
    found, classes, lines = 0, Counter(), []
    for i in range(count):
        kind = "table" if i % 3 == 0 and places["table"] else "code"
        place, bit = rng.choice(places[kind]), 1 << rng.randrange(8)
        data, at = image.place(place)
        before = text_at(image, starts[place]) if kind == "code" else "a constant"
        data[at] ^= bit
        try:
            entry.prove(subject, entry, symbols)
            survives = True
        except Failure:
            survives = False
        after = text_at(image, starts[place]) if kind == "code" else "a constant"
        data[at] ^= bit
        if not survives:
            found += 1
            continue
        same = same_on_processor(image, call, place, bit)
        why = "same text" if same and kind == "code" and before == after else "same results" if same else \
            "refused" if same is None else "OTHER RESULTS"
        classes[why] += 1
        lines.append(f"  {engine} {name}: {kind} {place:#x} bit {bit:#04x}: {before}" + (f" -> {after}" if before != after else "") + f": {why}")
    return f"{build} {engine} {name}: {found} of {count} found", found, classes, lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=18, help="faults in each kernel")
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    work = [(build, engine, name, arguments.count) for build in arguments.builds for engine in engines_here() for name in FAULTED]
    for build, engine in dict.fromkeys(w[:2] for w in work):
        compiled_wrappers(build, engine)
    total, survivors = 0, Counter(dict.fromkeys(EXPLAINED, 0))
    with ProcessPoolExecutor(max_workers=2) as pool:
        for line, found, classes, lines in pool.map(plant, *zip(*work)):
            print(line, *lines, sep="\n", flush=True)
            total += found
            survivors.update(classes)
    wrong = sum(number for why, number in survivors.items() if why not in EXPLAINED)
    print(f"{total} of {arguments.count * len(work)} faults found; the others: " + ", ".join(f"{n} {why}" for why, n in survivors.items()))
    print(f"{arguments.count * len(work) - wrong} passed, {wrong} failed")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
