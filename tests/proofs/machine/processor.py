"""This processor, or an emulated one, in a process of its own (processor.c): memory, single
instructions and calls."""

import ctypes
import struct
import subprocess
from pathlib import Path

import aarch64
import x86

HERE = Path(__file__).resolve().parent
FLAGS = ["-O1", "-Wall", "-Werror", "-static"]


class Ended(Exception):
    """The process ended, by a signal."""


def compiled_processor(folder, is_arm):
    program = folder / "processor"
    subprocess.run(
        [
            "aarch64-linux-gnu-gcc-12" if is_arm else "gcc",
            *FLAGS,
            "-o",
            program,
            HERE / "processor.c",
        ],
        check=True,
    )
    return program


class Processor:
    def __init__(self, program, is_arm):
        self.is_arm, self.reader = is_arm, aarch64 if is_arm else x86
        emulator = ["qemu-aarch64", "-cpu", "max"] if is_arm else []
        self.process = subprocess.Popen(
            [*emulator, program.resolve()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.state, self.slot, self.scratch, self.arguments, *functions = struct.unpack(
            "<7Q", self.answer(56)
        )
        self.functions = dict(zip(("memcpy", "memmove", "memset"), functions))
        self.vector_bytes = 16 if is_arm else 64

        class State(ctypes.Structure):
            _fields_ = [
                ("general", ctypes.c_uint64 * len(self.reader.Machine.WIDE)),
                ("flags", ctypes.c_uint64),
                ("masks", ctypes.c_uint64 * 8),
                ("unused", ctypes.c_uint64 * 7),
                ("vectors", (ctypes.c_uint8 * self.vector_bytes) * 32),
            ]

        self.State = State

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def command(self, kind, address=0, size=0, data=b""):
        try:
            self.process.stdin.write(struct.pack("<3Q", ord(kind), address, size) + data)
        except BrokenPipeError as error:
            raise Ended from error

    def answer(self, size):
        try:
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise Ended from error
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise Ended
        return data

    def new(self, size):
        self.command("m", 0, size)
        return struct.unpack("<Q", self.answer(8))[0]

    def write(self, address, data):
        self.command("w", address, len(data), bytes(data))

    def read(self, address, size):
        self.command("r", address, size)
        return self.answer(size)

    def step(self, code, state, page):
        """One instruction: the state after it, and its memory."""
        self.write(self.slot, code if self.is_arm else code.ljust(16, b"\x90"))
        self.write(self.state, bytes(state))
        self.write(self.scratch, page)
        self.command("s")
        self.command("r", self.state, ctypes.sizeof(state))
        self.command("r", self.scratch, len(page))
        data = self.answer(ctypes.sizeof(state) + len(page))
        return self.State.from_buffer_copy(data), data[ctypes.sizeof(state) :]

    def call(self, address, numbers):
        self.write(self.arguments, struct.pack("<6Q", *numbers, *[0] * (6 - len(numbers))))
        self.command("c", address)
