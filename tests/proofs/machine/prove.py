#!/usr/bin/env python3
"""Proves the kernels of built libraries, from their machine code, for every input in their
bounds.

    prove.py [--engines avx2,neon] [--only PATTERN] [--quick] BUILD...

BUILD is a build folder with libgirih.so, of any compiler. For each kernel: its outputs are the
map that the standard defines; no sum overflows; each output is within its declared bound; only
the caller's arrays, the stack and the library's constants are read; only outputs and the stack
are written; no branch, address or index depends on an input; the registers that belong to the
caller are restored.

Fails, too, if no proof has run a kernel of the library, or an entry has no kernel; and if
a declared bound is more than 10 % above what is found, without a reason.
"""

import argparse
import re
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from domain import Failure  # noqa: E402
from image import Image  # noqa: E402
from kernels import ARM_ENGINES, ENGINES, KERNELS, Kernel, Subject  # noqa: E402

HERE = Path(__file__).resolve().parent
LOOSE = 1.10
# Kernels are the functions and classes that these folders declare for engines.
SRC = HERE.parents[2] / "src"
KERNEL_FOLDERS = (
    "ml_dsa/kernels",
    "ml_kem/kernels",
    "falcon/kernels/ring",
    "ntru_prime/kernels",
    "transform",
)
KERNEL_FILES = ("module_lattice/packing.hpp", "falcon/standard/verify.hpp")
# Kernels that no proof runs, with the reason.
NOT_PROVED = {
    r"falcon::reduce$": "key generation's reduce, of integers of many words, not the one in ring/ntt.hpp",
    r"ntru_prime::Reciprocal|ntru_prime::AnyModulo::reciprocal": "division steps: each result depends on f(0) and g(0), so it is no map; "
    "tests/ntru_prime compares them with the reference",
    r"falcon::(prepare_)?verify": "the scheme's, which calls PreparedFactor",
    r"falcon::PreparedFactor::": "the wrappers hold the same text",
    r"falcon::Quotient::(divide|transform)$": "clang alone leaves them out of line; divide_values, which is read, has their steps inlined",
    r"ml_dsa::dot$": "the wrappers hold the same text in each shape",
    r"ml_kem::decode_secret_vector$": "unpack and make_factor, inlined",
}


def declared_kernels():
    """(scheme, name) of what the sources declare at the head of a line."""
    for file in [
        *(f for folder in KERNEL_FOLDERS for f in (SRC / folder).glob("*.hpp")),
        *(SRC / f for f in KERNEL_FILES),
    ]:
        for line in file.read_text().splitlines():
            if match := re.match(r"(?:class|struct) (\w+)", line) or re.match(
                r"[\w\[].*?\b(\w+)\(", line
            ):
                yield file.relative_to(SRC).parts[0], match[1]


def path_of(name):
    """A function's namespaces, classes and name, without the arguments of templates."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name.split("(")[0].split()[-1].split("::")[1:]


def is_arm(build):
    return Image((build / "libgirih.so").resolve()).is_arm


def engines_of(build):
    """The build's engines that this processor has, or the emulated one."""
    if is_arm(build):
        return ARM_ENGINES
    flags = Path("/proc/cpuinfo").read_text()
    return [
        e
        for e in ENGINES
        if e not in ARM_ENGINES
        and {"avx2": " avx2 ", "avx512": " avx512_vbmi2 "}.get(e, "") in flags
    ]


class Verdict(NamedTuple):
    kernel: str
    build: str
    engine: str
    is_proved: bool
    seconds: float
    says: str


def compiled_wrappers(build, engine):
    """A library of the wrappers, compiled as the engine's ML-KEM object is."""
    folder = build / "proofs"
    folder.mkdir(exist_ok=True)
    source, library = folder / f"wrappers_{engine}.cpp", folder / f"wrappers_{engine}.so"
    place = f"src/CMakeFiles/girih_objects.dir/engines/{engine}/ml_kem.cpp.o"
    command = subprocess.run(
        ["ninja", "-C", build, "-t", "commands", "-s", place],
        check=True,
        capture_output=True,
        text=True,
    )
    command = command.stdout.strip().splitlines()[-1]
    region = (
        f'#include "engines/{engine}/prelude.hpp"\n#include "engines/{engine}/target_begin.hpp"\n',
        f'#include "engines/{engine}/target_end.hpp"\n',
    )
    begin, end = region if engine != "portable" else ("", "")
    source.write_text(
        f'{begin}#define girih_proved_isa {engine}\n#include "isa/{engine}/engine.hpp"\n#include "{HERE}/wrappers.hpp"\n{end}'
    )
    command = re.sub(
        r"-o \S+ -c \S+", f"-o {library.with_suffix('.o').resolve()} -c {source.resolve()}", command
    )
    command = re.sub(r"-MF \S+", f"-MF {library.with_suffix('.d').resolve()}", command)
    subprocess.run(command, shell=True, check=True, cwd=build)
    compiler = re.match(r"\S+(?: /\S+)?(?: --target=\S+)?", command)[0].split()
    subprocess.run(
        [
            *compiler,
            "-shared",
            "-nostdlib",
            "-Wl,-Bsymbolic,-z,noexecstack,--unresolved-symbols=ignore-all",
            "-o",
            library,
            library.with_suffix(".o"),
        ],
        check=True,
    )
    return library


def subject_of(build, engine):
    return Subject(
        engine,
        Image((build / "libgirih.so").resolve()),
        Image(build / f"proofs/wrappers_{engine}.so"),
    )


def missing(subject, is_quick=False):
    """Kernels of the library that no proof has run. A quick run has to run one function of each
    class or name, and leaves out what long entries name."""
    declared, executed = set(declared_kernels()), subject.executed
    left_out = [re.compile(k.pattern(subject.engine)) for k in KERNELS if k.is_long and is_quick]
    of_engine = [n for n in subject.library.functions if f"girih::isa::{subject.engine}::Isa" in n]
    run = {n for n in of_engine if any(at in executed for at, _ in subject.library.symbols[n])}
    names = {tuple(path_of(n)[: 3 if "::kernels::" in n else 2]) for n in run} if is_quick else ()
    for name in set(of_engine) - run:
        path = path_of(name)
        is_kernel = (
            len(path) > 1 and (path[0], path[1]) in declared or path[:2] == ["ml_dsa", "kernels"]
        )
        if (
            is_kernel
            and tuple(path[: 3 if path[1] == "kernels" else 2]) not in names
            and not any(p.search(name) for p in left_out)
            and not any(re.search(p, "::".join(path)) for p in NOT_PROVED)
        ):
            yield name
    # A permutation of Keccak that a compiler inlined elsewhere has the round constants.
    for name in subject.library.users("keccak::tables::round_constants"):
        engines = [e for e in ENGINES if f"isa::{e}::" in name or f"3isa{len(e)}{e}" in name]
        if (
            (subject.engine in engines or not engines)
            and not any(at in executed for at, _ in subject.library.symbols[name])
            and not any(p.search(name) for p in left_out)
        ):
            yield name


def prove(entry: Kernel, subject: Subject):
    """Says how a kernel was proved, or fails."""
    symbols = subject.symbols(entry)
    if not symbols and entry.may_be_inlined:
        return "inlined here"
    if not symbols:
        raise Failure("no such function")
    call = entry.prove(subject, entry, symbols)
    says = f"{call.machine.steps} instructions"
    if call.declared is not None:
        says = f"{call.found:,} of {call.declared:,}; {says}"
        if call.declared > LOOSE * call.found and not entry.loose:
            raise Failure(f"the bound {call.declared} is loose: {call.found} are found")
    return says


def prove_engine(build, engine, only, is_quick):
    subject = subject_of(build, engine)
    verdicts = []
    for entry in KERNELS:
        if (
            engine not in entry.engines
            or not re.search(only, entry.name)
            or entry.is_long
            and is_quick
        ):
            continue
        start = time.process_time()
        try:
            says, is_proved = prove(entry, subject), True
        except Failure as failure:
            says, is_proved = str(failure), False
        verdicts.append(
            Verdict(entry.name, str(build), engine, is_proved, time.process_time() - start, says)
        )
    return verdicts + [
        Verdict(name, str(build), engine, False, 0, "no proof has run it")
        for name in missing(subject, is_quick)
        if not only
    ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--only", default="", metavar="PATTERN", help="kernels whose names match")
    parser.add_argument("--quick", action="store_true", help="without the entries that take long")
    parser.add_argument("builds", type=Path, nargs="+")
    arguments = parser.parse_args()
    start = time.monotonic()
    pairs = [
        (build, engine)
        for build in arguments.builds
        for engine in arguments.engines.split(",")
        if (engine in ARM_ENGINES) == is_arm(build)
    ]
    with ProcessPoolExecutor(max_workers=2) as pool:
        list(pool.map(compiled_wrappers, *zip(*pairs)))
        compiled = time.monotonic()
        verdicts = []
        for found in pool.map(
            prove_engine,
            *zip(*pairs),
            [arguments.only] * len(pairs),
            [arguments.quick] * len(pairs),
        ):
            verdicts += found
            for v in found:
                print(
                    f"{'proved' if v.is_proved else 'FAILED':6} {v.build:16} {v.engine:8} {v.kernel:34} {v.seconds:5.1f} s  {v.says}",
                    flush=True,
                )
    failed = sum(not v.is_proved for v in verdicts)
    print(f"{len(verdicts) - failed} passed, {failed} failed")
    print(
        f"{compiled - start:.0f} s to compile the wrappers, {time.monotonic() - compiled:.0f} s to prove"
    )
    return 1 if failed or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
