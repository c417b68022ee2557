"""A linked library's read-only segments, and its functions by name."""

import re
import struct
import subprocess

import capstone
import numpy as np


# The loader may put the library anywhere: here, where 32 bits hold no address of it.
BASE = 0x5555_5550_0000
DECODER = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)


class Image:
    """An ELF file of 64 bits. Writable segments are left out: a kernel has no business there, and
    what the loader puts into them is not in the file."""

    def __init__(self, path):
        self.path = path
        data = path.read_bytes()
        self.is_arm = struct.unpack_from("<H", data, 18) == (183,)
        (table,) = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        self.segments = []  # (address, bytes)
        self.writable = []
        for i in range(count):
            kind, flags, offset, address, _, length, *_ = struct.unpack_from(
                "<IIQQQQQQ", data, table + i * size
            )
            if kind == 1:
                segments = self.writable if flags & 2 else self.segments
                segments.append((BASE + address, bytearray(data[offset : offset + length])))
        self.symbols = {}  # demangled name: [(address, size)]
        self.functions = set()  # those names that are functions
        listing = subprocess.run(
            ["nm", "-S", "--defined-only", path], check=True, capture_output=True, text=True
        ).stdout
        fields = [line.split() for line in listing.splitlines()]
        fields = [f for f in fields if len(f) == 4]
        names = subprocess.run(
            ["c++filt"],
            input="\n".join(f[3] for f in fields),
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for (address, length, kind, _), name in zip(fields, names.splitlines()):
            self.symbols.setdefault(name, []).append((BASE + int(address, 16), int(length, 16)))
            if kind in "tTwW":
                self.functions.add(name)

        self.by_address = {}  # address: [(name, address, size)] of functions
        for name in self.functions:
            for at, size in self.symbols[name]:
                self.by_address.setdefault(at, []).append((name, at, size))
        relocations = subprocess.run(
            ["readelf", "-rW", path], check=True, capture_output=True, text=True
        ).stdout
        found = re.findall(
            r"^([0-9a-f]+) .*R_\w+_(?:JUMP_SL\w*|GLOB_DAT) +[0-9a-f]+ +(\w+)",
            relocations,
            re.MULTILINE,
        )
        for at, target in re.findall(
            r"^([0-9a-f]+) .*R_\w+_RELATIVE +([0-9a-f]+)", relocations, re.MULTILINE
        ):
            for start, data in self.writable:
                if start <= BASE + int(at, 16) < start + len(data):
                    struct.pack_into("<Q", data, BASE + int(at, 16) - start, BASE + int(target, 16))
        # Functions of other libraries, by the place of their addresses.
        self.external = {BASE + int(address, 16): name for address, name in found}

    def find(self, pattern, functions=True):
        """The symbols that match a pattern: [(name, address, size)], one for each address."""
        found = {
            at: (name, at, size)
            for name, places in self.symbols.items()
            if re.search(pattern, name) and (name in self.functions or not functions)
            for at, size in places
        }
        return [found[at] for at in sorted(found)]

    def users(self, name):
        """The functions that make an address in the data of this name."""
        ((_, first, size),) = self.find(name, functions=False)
        makes = self.arm_addresses if self.is_arm else self.x86_addresses
        places = [at for start, data in self.segments for at in makes(start, data, first, size)]
        functions = {f for same in self.by_address.values() for f in same}
        return {
            name
            for name, start, length in functions
            if (found := [at for at in places if start <= at < start + length])
            and (self.is_arm or self.has_relative(start, length, found))
        }

    @staticmethod
    def x86_addresses(start, data, first, size):
        """Where four bytes may be the distance from the next instruction: the last of most."""
        for k in range(4):
            distances = np.frombuffer(data, "<i4", (len(data) - k) // 4, k)
            places = start + k + 4 * np.arange(len(distances))
            targets = places + 4 + distances
            yield from places[(first <= targets) & (targets < first + size)]

    def has_relative(self, start, length, places):
        """Whether such places are in instructions that have a distance."""
        return any(
            "rip" in operands and any(at <= place < at + size for place in places)
            for at, size, _, operands in DECODER.disasm_lite(self.read(start, length), start)
        )

    @staticmethod
    def arm_addresses(start, data, first, size):
        """Where adrp makes a page, to which one of the next instructions adds the rest."""
        code = [int(w) for w in np.frombuffer(data, "<u4", len(data) // 4)]
        for i, word in enumerate(code):
            if word & 0x9F000000 != 0x90000000:
                continue
            pages = (word >> 5 & 0x7FFFF) << 2 | word >> 29 & 3
            page = (start + 4 * i & ~0xFFF) + ((pages ^ 1 << 20) - (1 << 20) << 12)
            offsets = [
                w >> 10 & 0xFFF
                for w in code[i + 1 : i + 20]
                if w & 0xFFC00000 == 0x91000000 and w >> 5 & 31 == word & 31
            ]
            if any(first <= page + offset < first + size for offset in offsets):
                yield start + 4 * i

    def place(self, address):
        """The segment's bytes and the offset in them, or None."""
        for start, data in self.segments:
            if start <= address < start + len(data):
                return data, address - start
        return None

    def read(self, address, size):
        for start, data in self.segments + self.writable:
            if start <= address < start + len(data):
                return bytes(data[address - start : address - start + size])
        raise KeyError(address)
