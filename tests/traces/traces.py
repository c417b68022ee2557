#!/usr/bin/env python3
"""Runs operations of the shared library on variants of their inputs that differ in nothing public,
and compares the traces of the runs, instruction by instruction.

A difference that the list does not let through is a leak: it is printed with its instruction, its
line and its function. --check compares the translation with the processor's single steps instead.
"""

import argparse
import ctypes
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
from cases import Library, cases  # noqa: E402

SYMBOLIZER = "llvm-symbolizer-19", "--output-style=GNU", "--addresses", "--pretty-print"
KINDS = ("address", "mask", "operand", "path")  # trace.hpp
SKIPPED, ROOM, SHOWN, NO_RANDOM_ADDRESSES = 77, 1 << 16, 12, 0x0040000


class Difference(NamedTuple):
    at: int
    kind: str
    count: int
    values: tuple[int, int]  # of a path, the next instructions
    caller: int  # the last call before it
    callers_caller: int  # and the last before that


def output(*command, given=""):
    return subprocess.run(command, input=given, text=True, capture_output=True, check=False).stdout


class Places:
    """The source of an instruction: lines "function at src/file:line", the innermost first."""

    def __init__(self):
        self.bases, self.known, self.symbols = {}, {}, None
        for line in Path("/proc/self/maps").read_text().splitlines():
            ends, *_, file = line.split(maxsplit=5)
            begin, end = (int(text, 16) for text in ends.split("-"))
            if file.startswith("/"):
                self.bases.setdefault(file, []).append((begin, end))

    def file_of(self, address):
        for file, parts in self.bases.items():
            if any(begin <= address < end for begin, end in parts):
                return file, address - parts[0][0]
        return "/dev/null", address

    def look_up(self, addresses):
        offsets = {}
        for address in set(addresses) - set(self.known):
            self.known[address] = []
            file, offset = self.file_of(address)
            offsets.setdefault(file, {})[offset] = address
        for file, wanted in offsets.items():
            found = output(*SYMBOLIZER, f"--obj={file}", given="\n".join(map(hex, wanted)))
            for part in re.split(r"^0x", found, flags=re.MULTILINE)[1:]:
                offset, lines = part.split(": ", 1)
                tidy = re.sub(r" \(inlined by\) | \(discriminator \d+\)", "", lines)
                self.known[wanted[int(offset, 16)]] = re.sub(
                    r" at \S*/src/", " at src/", tidy
                ).splitlines()

    def of(self, address):
        self.look_up([address])
        lines = self.known[address]
        return [line for line in lines if " at src/" in line] or lines

    def lasting(self, difference):
        """Functions and files without line numbers; outside of girih, in wipe.cpp and in an
        engine's operation, with the calls before."""
        lines = self.of(difference.at)
        for caller in (difference.caller, difference.callers_caller):
            if not caller or any(
                re.search(" at src/(?!core/wipe.cpp|isa/)", line) for line in lines
            ):
                break
            lines = lines + self.of(caller)
        return "\n".join(line.rpartition(":")[0] for line in lines)

    def brief(self, address):
        file, offset = self.file_of(address)
        window = f"--start-address={offset}", f"--stop-address={offset + 16}"
        code = re.findall(
            "^ .*", output("objdump", "-d", "--no-show-raw-insn", *window, file), re.MULTILINE
        )
        lines = self.of(address) or ["? at ?"]
        text = re.sub(r"\s+", " ", code[0].partition(":")[2]) if code else ""
        inner, outer = lines[0].rpartition(" at ")[2], lines[-1].rpartition(" at ")[0][:90]
        return f"{Path(file).name}+{offset:#x}:{text} at {inner} in {outer}"

    def functions(self, pattern):
        """Addresses of libgirih's functions whose symbols a regular expression finds."""
        file = next(file for file in self.bases if "/libgirih.so" in file)
        if self.symbols is None:
            base = self.bases[file][0][0]
            lines = re.findall(
                "^([0-9a-f]+) ([0-9a-f]+) [a-zA-Z] (.*)$", output("nm", "-SC", file), re.MULTILINE
            )
            self.symbols = [
                (base + int(begin, 16), int(size, 16), name) for begin, size, name in lines
            ]
        return [
            (begin, begin + size) for begin, size, name in self.symbols if re.search(pattern, name)
        ]


class Declassified:
    """declassified.tsv: what is cut out of traces or let through, and why."""

    def __init__(self, file, places):
        lines = Path(file).read_text().splitlines() if file else []
        self.entries = [line.split("\t") for line in lines if line and not line.startswith("#")]
        self.places, self.used = places, set()
        for entry in self.entries:
            if len(entry) != 4 or entry[1] not in ("cut", "any", *KINDS):
                sys.exit(f"{file}: not a line of the list: {entry}")

    def cut(self, name):
        ranges = []
        for case, kind, place, why in self.entries:
            if kind == "cut" and re.search(case, name) and (found := self.places.functions(place)):
                self.used.add("\t".join((case, kind, place, why)))
                ranges += found
        return ranges

    def reason(self, name, difference):
        lines = self.places.lasting(difference)
        for case, kind, place, why in self.entries:
            if (
                kind in ("any", difference.kind)
                and re.search(case, name)
                and re.search(place, lines)
            ):
                self.used.add("\t".join((case, kind, place, why)))
                return why
        return None


def run_in_child(case, variant, log, is_stepped=False):
    """In a child, so that every variant finds the same stack and heap. The end of the state."""
    read_end, write_end = os.pipe()
    if (child := os.fork()) == 0:
        case.subject.put(variant)
        case.subject.library.run(case.function, case.arguments(), log, is_stepped)
        os.write(write_end, struct.pack("q", hash(case.subject.state())))
        os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as state:
        state = state.read()
    return os.waitpid(child, 0)[1] == 0, state


def compare(library, a, b, ranges):
    """The differences of two logs (None: they never meet again), their steps and those not cut."""
    functions = (ctypes.c_uint64 * (2 * len(ranges)))(*(end for one in ranges for end in one))
    found, steps = (ctypes.c_uint64 * (7 * ROOM))(), (ctypes.c_uint64 * 2)()
    address = ctypes.addressof
    count = library(
        "girih_traces_compare",
        a.address,
        b.address,
        address(functions),
        len(ranges),
        address(found),
        ROOM,
        address(steps),
    )
    if count == 2**64 - 1:
        return None, steps
    rows = (found[7 * i : 7 * i + 7] for i in range(count))
    return [
        Difference(at, KINDS[kind], times, (x, y), *callers)
        for at, kind, times, x, y, *callers in rows
    ], steps


def judge(case, declassified):
    """Runs a case and reports it. Whether it is good."""
    library, places, begin = case.subject.library, declassified.places, time.monotonic()
    logs, failures, differences, reasons, leaks = library.logs[: len(case.variants)], [], {}, {}, []
    case.subject.put(case.variants[0])
    library.run(case.function, case.arguments(), logs[0])  # copies the code for all
    states = set()
    for variant, log in zip(case.variants, logs):
        ended, state = run_in_child(case, variant, log)
        states.add(state)
        if not ended or not log.is_good():
            failures.append(f"variant {case.variants.index(variant)} failed")
    if len(states) != len(case.variants):
        failures.append("variants have the same inputs and outputs")
    different = [log for log in logs[1:] if log.words() != logs[0].words()]
    ranges = declassified.cut(case.name) if different else []
    steps = (1, 1)
    for log in different if not failures else ():
        found, steps = compare(library, logs[0], log, ranges)
        if found is None:
            failures.append("the traces never meet again")
        for difference in found or ():
            differences.setdefault((difference.at, difference.kind), difference)
    places.look_up(
        [
            address
            for one in differences.values()
            for address in (one.at, one.caller, one.callers_caller)
        ]
    )
    for difference in differences.values():
        why = declassified.reason(case.name, difference)
        leaks += [difference] if why is None else []
        reasons[why] = reasons.get(why, 0) + 1
    verdict = "equal but for what is declassified" if differences or ranges else "equal"
    verdict = "LEAKS" if leaks else verdict
    verdict = f"FAILED: {', '.join(failures)}" if failures else verdict
    compared = f" ({100 * steps[1] // steps[0]} % compared)" if ranges else ""
    size = f"{len(case.variants)} x {logs[0].count():9} words"
    print(
        f"{case.name:46} {size} {time.monotonic() - begin:6.2f} s  {verdict}{compared}", flush=True
    )
    for why, count in reasons.items():
        print(f"  {count} places: {why}" if why else f"  {count} places are leaks:")
    for leak in leaks[:SHOWN]:
        print(f"  {leak.kind}, {leak.count} times: {places.brief(leak.at)}")
        for at in leak.values if leak.kind == "path" else ():
            print(f"    goes on at {places.brief(at)}")
        for caller in (leak.caller, leak.callers_caller):
            print(f"    after the call at {places.brief(caller)}")
    return not failures and not leaks


def check(case):
    """Whether single steps log what the translation does."""
    library = case.subject.library
    stepped, translated = library.logs[:2]
    ran = [
        run_in_child(case, case.variants[0], log, log is stepped)[0]
        for log in (stepped, translated)
    ]
    found, steps = compare(library, stepped, translated, []) if all(ran) else (None, (0, 0))
    print(f"{case.name:46} {steps[0]} steps {'agree' if found == [] else 'DISAGREE'}", flush=True)
    return found == []


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "library",
        help="libgirih_traces.so, which runs the operations of the libgirih that it finds",
    )
    parser.add_argument(
        "--only", default="", metavar="REGEX", help="the cases whose names it finds"
    )
    parser.add_argument(
        "--declassified", metavar="FILE", help="the list of differences that are let through"
    )
    parser.add_argument(
        "--used", metavar="FILE", help="write the lines of the list that let something through"
    )
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if (
        "LD_BIND_NOW" not in os.environ
    ):  # addresses are the same in every run, and nothing is bound later
        ctypes.CDLL(None).personality(NO_RANDOM_ADDRESSES)
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_BIND_NOW": "1"})
    library = Library(arguments.library)
    engine = library("girih_engine")
    if engine == 0:
        print("skipped:", ctypes.string_at(library("girih_engine_reason")).decode())
        return SKIPPED
    declassified = Declassified(arguments.declassified, Places())
    traced = (case for name in library.names() for case in cases(library, name, arguments.only))
    verdicts = [check(case) if arguments.check else judge(case, declassified) for case in traced]
    if arguments.used:
        Path(arguments.used).write_text("".join(f"{line}\n" for line in sorted(declassified.used)))
    print(
        f"{ctypes.string_at(engine).decode()}: {sum(verdicts)} passed, {len(verdicts) - sum(verdicts)} failed"
    )
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
