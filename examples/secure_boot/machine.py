"""A board in QEMU, held by its debugger's interface (GDB's remote protocol): flash is written, the
processor reset, run to a place, and made to skip an instruction."""

import pathlib
import re
import socket
import subprocess
import tempfile
import time

from image import SLOT_BYTES

BOARDS = {"mps2-an386": 0x00000000, "mps2-an505": 0x10000000}  # and where their code is
RAM_END = {"mps2-an386": 0x20010000, "mps2-an505": 0x38010000}
COUNTER_AT, SLOT_AT = 0xB000, 0xC000
NOP = bytes.fromhex("00bf")
LR, PC, XPSR = 14, 15, 25


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
                r"([0-9a-f]+) [tT] (\w+)(?:\t.*/(loader|boot|board)\.c:\d+)?", line
            ):
                self.symbols[match[2]] = int(match[1], 16)
                if match[3]:
                    own.add(match[2])
        self.own, self.others = {}, {}  # address: bytes of the instruction
        function = ""
        for line in self._output("objdump", "-d", "--no-show-raw-insn", "-w", file):
            if match := re.match(r"[0-9a-f]+ <(.*)>:", line):
                function, last = match[1], None
            elif match := re.match(r" *([0-9a-f]+):\t(\S+)", line):
                here = self.own if function in own else self.others
                address = int(match[1], 16)
                if last is not None:
                    here[last] = address - last
                last = None if match[2].startswith(".") else address
                if last is not None:
                    here[last] = 2
        self.instructions = {**self.own, **self.others}

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
            self.write(
                self.base + COUNTER_AT, ((1 << 1024) - (1 << counter)).to_bytes(128, "little")
            )

    def counter(self) -> int:
        return 1024 - int.from_bytes(self.read(self.base + COUNTER_AT, 128), "little").bit_count()

    def skip(self) -> None:
        """Goes past the next instruction without it, also in an IT block."""
        at, status = self.register(PC), self.register(XPSR)
        block = (status >> 25 & 3) | (status >> 10 & 0x3F) << 2
        block = 0 if block & 7 == 0 else (block & 0xE0) | (block << 1 & 0x1F)
        self.set_register(XPSR, status & ~0x0600FC00 | (block & 3) << 25 | block >> 2 << 10)
        self.set_register(PC, at + self.loader.instructions[at])

    def boot(
        self, skipped: int = 0, occurrence: int = 1, patched: int = 0, seconds: float = 5
    ) -> str:
        """How a start ends: "started", "stopped", or otherwise. Left out is the instruction at
        `skipped`, of its occurrences the one with this number, or always the one at `patched`."""
        try:
            self.reset()
            if patched:
                self.write(patched, NOP * (self.loader.instructions[patched] // 2))
            if skipped:
                self.breakpoint(skipped)
            at = 0
            for _ in range(occurrence if skipped else 1):
                at = self.resume(seconds)
                if at != skipped:
                    break
            if skipped:
                self.breakpoint(skipped, skipped in self.ends)
                if at == skipped:
                    self.skip()
                    at = self.resume(seconds)
            return self.ends.get(at, "hangs")
        except (Gone, OSError):
            self.link.close()
            self.process.wait()
            self._start()
            return "locks up"

    def said(self) -> str:
        """The last line on the serial port."""
        return (
            pathlib.Path(f"{self.folder.name}/serial")
            .read_text(errors="replace")
            .strip()
            .rsplit("\n", 1)[-1]
        )

    def trace(self) -> list:
        """The addresses of the loader's own instructions from main on, as they run."""
        self.reset()
        main = self.loader.symbols["main"]
        self.breakpoint(main)
        self.resume(30)
        self.breakpoint(main, False)
        found = []
        while True:
            at = self.register(PC)
            if at in self.loader.own:
                found.append(at)
                if (
                    at in self.ends
                    or self.step() in self.ends
                    and self.register(PC) not in self.loader.own
                ):
                    return found
            else:
                back = self.register(LR) & ~1
                self.breakpoint(back)
                self.resume(30)
                self.breakpoint(back, back in self.ends)
