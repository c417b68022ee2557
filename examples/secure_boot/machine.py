"""A board in QEMU, held by its debugger's interface (GDB's remote protocol): flash is written, the
processor reset, run to a place, and made to err there."""

import bisect
import collections
import dataclasses
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

from image import SLOT_BYTES

# Where their code is. The last is a Cortex-M3, on which code for a Cortex-M0+ runs.
BOARDS = {"mps2-an386": 0x00000000, "mps2-an505": 0x10000000, "mps2-an385": 0x00000000}
RAM_END = {"mps2-an386": 0x20010000, "mps2-an505": 0x38010000, "mps2-an385": 0x20010000}
COUNTER_AT, SLOT_AT = 0xB000, 0xC000
NOP = bytes.fromhex("00bf")
LR, PC, XPSR = 14, 15, 25


@dataclasses.dataclass(frozen=True)
class Fault:
    """At an instruction, either for good or at one of its occurrences: it is replaced (by nothing:
    it is skipped), or a bit of r0 is flipped before it."""

    at: int
    occurrence: int = 0  # 0: for good
    code: bytes = b""
    bit: int | None = None
    # An instruction at which to begin to count, at which of its own occurrences.
    way: tuple = (0, 0)


def counter_words(counter: int) -> bytes:
    return ((1 << 1024) - (1 << counter)).to_bytes(128, "little")


class Gone(Exception):
    """The emulator ended, as it does when a processor locks up."""


class Program:
    """The symbols and instructions of an ELF file."""

    def __init__(self, file: pathlib.Path):
        self.file = file
        self.symbols = {}
        own = set()  # the functions of this folder's own files
        for line in self._output("nm", "--line-numbers", file):
            if match := re.match(
                r"([0-9a-f]+) [tT] ([\w.]+)(?:\t.*/(loader|boot|board)\.c:\d+)?", line
            ):
                self.symbols[match[2]] = int(match[1], 16)
                if match[3]:
                    own.add(match[2])
        self.own, self.others = {}, {}  # address: bytes of the instruction
        self.returns = set()
        self.functions = {}  # of each instruction
        function = ""
        for line in self._output("objdump", "-d", "--no-show-raw-insn", "-w", file):
            if match := re.match(r"[0-9a-f]+ <(.*)>:", line):
                function, last = match[1], None
            elif match := re.match(r" *([0-9a-f]+):\t(\S+)\s*(.*)", line):
                here = self.own if function in own else self.others
                address = int(match[1], 16)
                if last is not None:
                    here[last] = address - last
                last = None if match[2].startswith(".") else address
                if last is not None:
                    here[last] = 2
                    self.functions[last] = function
                    if re.match(r"(pop|ldm|ldr).*\bpc\b(?!,)|bx lr", f"{match[2]} {match[3]}"):
                        self.returns.add(last)
        self.instructions = {**self.own, **self.others}

    def plain_name(self, at: int) -> str:
        """The function of an instruction, without C++'s parameters."""
        name = self._output("c++filt", "-p", self.functions[at])[0]
        while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
            name = shorter
        return name.split()[-1]

    @staticmethod
    def _output(tool: str, *arguments) -> list:
        return subprocess.run(
            [f"arm-none-eabi-{tool}", *arguments], stdout=subprocess.PIPE, check=True, text=True
        ).stdout.split("\n")


class Machine:
    """A board with a loader. An image has started when the processor comes to `landing`."""

    def __init__(self, board: str, loader: Program, landing: int, *options: str):
        self.base = BOARDS[board]
        self.board, self.loader, self.options = board, loader, options
        self.ends = {landing: "started", loader.symbols["board_stop"]: "stopped"}
        self.folder = tempfile.TemporaryDirectory()
        self.process = None
        self._start()

    def _start(self) -> None:
        path = f"{self.folder.name}/debugger"
        self.process = subprocess.Popen(
            [
                "qemu-system-arm",
                "-M",
                self.board,
                "-display",
                "none",
                "-monitor",
                "none",
                "-serial",
                f"file:{self.folder.name}/serial",
                "-chardev",
                f"socket,path={path},server=on,wait=off,id=debugger",
                "-gdb",
                "chardev:debugger",
                "-S",
                "-kernel",
                self.loader.file,
                *self.options,
            ],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.link = socket.socket(socket.AF_UNIX)
        self.link.settimeout(30)
        for _ in range(300):
            try:
                self.link.connect(path)
                break
            except OSError:
                time.sleep(0.02)
        self.input = b""
        self.ask("qXfer:features:read:target.xml:0,800")  # else it has no single registers
        for address in self.ends:
            self.breakpoint(address)

    def close(self) -> None:
        self.link.close()
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    # ---- The protocol

    def _send(self, text: str) -> None:
        self.link.sendall(f"${text}#{sum(text.encode()) % 256:02x}".encode())

    def _answer(self) -> str:
        while not (match := re.search(rb"\$([^#]*)#..", self.input)):
            more = self.link.recv(65536)
            if not more:
                raise Gone
            self.input += more
        self.input = self.input[match.end() :]
        self.link.sendall(b"+")
        return match[1].decode()

    def ask(self, text: str) -> str:
        self._send(text)
        return self._answer()

    def breakpoint(self, address: int, there: bool = True) -> None:
        self.ask(f"{'Z' if there else 'z'}0,{address:x},2")

    def write(self, address: int, content: bytes) -> None:
        for at in range(0, len(content), 1024):
            piece = content[at : at + 1024]
            self.ask(f"M{address + at:x},{len(piece):x}:{piece.hex()}")

    def read(self, address: int, count: int) -> bytes:
        return b"".join(
            bytes.fromhex(self.ask(f"m{address + at:x},{min(1024, count - at):x}"))
            for at in range(0, count, 1024)
        )

    def register(self, number: int) -> int:
        return int.from_bytes(bytes.fromhex(self.ask(f"p{number:x}")), "little")

    def set_register(self, number: int, value: int) -> None:
        self.ask(f"P{number:x}={value.to_bytes(4, 'little').hex()}")

    def step(self) -> int:
        self.ask("s")
        return self.register(PC)

    def resume(self, seconds: float) -> int:
        """Runs to the next breakpoint, and returns its address; 0 if none comes."""
        self._send("c")
        self.link.settimeout(seconds)
        try:
            self._answer()
            return self.register(PC)
        except TimeoutError:
            self.link.sendall(b"\x03")
            self.link.settimeout(30)
            self._answer()
            return 0
        finally:
            self.link.settimeout(30)

    def reset(self) -> None:
        """The processor as after power-on, and the loader as in its file."""
        self.ask("qRcmd," + b"system_reset".hex())
        while self.read(self.base, 4) == b"":
            pass

    # ---- Boots

    def flash(self, image: bytes, counter: int | None = None) -> None:
        """Writes the slot, erased behind the image, and the counter, if it is given."""
        self.write(self.base + SLOT_AT, image + b"\xff" * min(4096, SLOT_BYTES - len(image)))
        if counter is not None:
            self.write(self.base + COUNTER_AT, counter_words(counter))

    def counter(self) -> int:
        return 1024 - int.from_bytes(self.read(self.base + COUNTER_AT, 128), "little").bit_count()

    def skip(self) -> None:
        """Goes past the next instruction without it, also in an IT block."""
        at, status = self.register(PC), self.register(XPSR)
        block = (status >> 25 & 3) | (status >> 10 & 0x3F) << 2
        block = 0 if block & 7 == 0 else (block & 0xE0) | (block << 1 & 0x1F)
        self.set_register(XPSR, status & ~0x0600FC00 | (block & 3) << 25 | block >> 2 << 10)
        self.set_register(PC, at + self.loader.instructions[at])

    def boot(self, fault: Fault | None = None, seconds: float = 5) -> str:
        """How a start ends: "started", "stopped", or otherwise."""
        try:
            self.reset()
            if fault is None:
                at = self.resume(seconds)
            elif fault.occurrence:
                at = self._err_once(fault, seconds)
            elif fault.bit is None:
                self.write(fault.at, fault.code)
                at = self.resume(seconds)
            else:
                at = self._flip_each_time(fault, seconds)
            return "not reached" if at is None else self.ends.get(at, "hangs")
        except (Gone, OSError):
            self.link.close()
            self.process.kill()
            self.process.wait()
            self._start()
            return "locks up"

    def _pass(self, at: int) -> int:
        """Executes the instruction at a breakpoint, which would otherwise stop at once again."""
        self.breakpoint(at, False)
        here = self.step()
        self.breakpoint(at)
        return here

    def _to(self, at: int, occurrence: int, seconds: float) -> bool:
        """Runs to an occurrence of an instruction, of which one here is the first."""
        if self.register(PC) == at:
            occurrence -= 1
        self.breakpoint(at)
        while occurrence > 0:
            if self.register(PC) == at and self._pass(at) == at:
                occurrence -= 1
                continue
            if self.resume(seconds) != at:
                break
            occurrence -= 1
        self.breakpoint(at, at in self.ends)
        return occurrence == 0

    def _err_once(self, fault: Fault, seconds: float) -> int | None:
        way, passes = fault.way
        if passes and not self._to(way, passes, seconds):
            return None
        if not self._to(fault.at, fault.occurrence, seconds):
            return None
        if fault.bit is None:
            self.skip()
        else:
            self._flip(fault.bit)
            self.step()
        here = self.register(PC)
        return here if here in self.ends else self.resume(seconds)

    def _flip_each_time(self, fault: Fault, seconds: float) -> int:
        self.breakpoint(fault.at)
        while (here := self.resume(seconds)) == fault.at:
            self._flip(fault.bit)
            if (here := self._pass(fault.at)) in self.ends:
                break
        self.breakpoint(fault.at, fault.at in self.ends)
        return here

    def _flip(self, bit: int) -> None:
        self.set_register(0, self.register(0) ^ 1 << bit)

    def said(self) -> str:
        """The last line on the serial port."""
        return (
            pathlib.Path(f"{self.folder.name}/serial")
            .read_text(errors="replace")
            .strip()
            .rsplit("\n", 1)[-1]
        )


class Trace:
    """The instructions of a start that ends in board_stop, in their order: blocks without a branch,
    as QEMU tells them."""

    FEW = 32  # breakpoints that a trial may stop at

    def __init__(self, board: str, loader: Program, flash: bytes):
        self.loader = loader
        self.blocks: list = []  # as they run: the first address
        contents: dict = {}  # the addresses of each block
        with tempfile.TemporaryDirectory() as folder:
            content = pathlib.Path(folder) / "flash"
            content.write_bytes(flash)
            pipe = pathlib.Path(folder) / "log"
            os.mkfifo(pipe)
            process = subprocess.Popen(
                [
                    "qemu-system-arm",
                    *("-M", board, "-display", "none", "-monitor", "none", "-serial", "null"),
                    *("-kernel", loader.file, "-d", "in_asm,exec,nochain", "-D", pipe),
                    *("-device", f"loader,file={content},addr={BOARDS[board] + COUNTER_AT:#x}"),
                ],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stop = loader.symbols["board_stop"]
            fresh: list = []  # of the block that is being told
            with pipe.open() as log:
                for line in log:
                    if line.startswith("0x"):
                        fresh.append(int(line[:10], 16))
                    elif line.startswith("Trace"):
                        at = int(line.split("/", 2)[1], 16)
                        if fresh:
                            contents[fresh[0]], fresh = fresh, []
                        if at == stop:
                            break
                        self.blocks.append(at)
                    elif line.startswith("Stopped") and self.blocks:
                        self.blocks.pop()
            process.kill()
            process.wait()
        self.times = collections.defaultdict(list)  # of each instruction: indices of blocks
        for index, block in enumerate(self.blocks):
            for at in contents[block]:
                self.times[at].append(index)

    def occurrences(self, at: int, most: int) -> list:
        """Numbers of occurrences, from 1: all, or `most` of them with the first and the last."""
        count = len(self.times[at])
        if count <= most:
            return list(range(1, count + 1))
        return sorted({1 + (count - 1) * i // (most - 1) for i in range(most)})

    def shortened(self, fault: Fault) -> Fault:
        """The same fault, on the way to whose occurrence fewer breakpoints are stopped at: it is
        counted from an instruction shortly before that runs more rarely."""
        if fault.occurrence <= self.FEW:
            return fault
        times = self.times[fault.at]
        index = times[fault.occurrence - 1]
        best, result = fault.occurrence, fault
        seen = set()
        for before in range(index, max(-1, index - 20000), -1):
            block = self.blocks[before]
            if block in seen:
                continue
            seen.add(block)
            passes = bisect.bisect_right(self.times[block], before)
            rest = fault.occurrence - bisect.bisect_left(times, before)
            if passes + rest < best:
                best = passes + rest
                result = dataclasses.replace(fault, occurrence=rest, way=(block, passes))
            if best <= self.FEW:
                break
        return result
