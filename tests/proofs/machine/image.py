"""A linked library's read-only segments, and its functions by name."""

import re
import struct
import subprocess


# The loader may put the library anywhere: here, where 32 bits hold no address of it.
BASE = 0x5555_5550_0000


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
