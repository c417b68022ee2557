#!/usr/bin/env python3
"""Images for the bootloader of this folder: packs and signs one, and writes the loader's key.

    girih keygen --alg ml-dsa-44 --secret signer.key --public signer.pub
    image.py key signer.pub > public_key.h
    image.py pack application.bin --secret signer.key --version 1.2.0 --counter 3 -o image.bin
    image.py show image.bin
    image.py flash image.bin -o flash.bin

The last writes all flash behind the loader: a counter at 0, the slot, and erased bytes. The
signature is made by `girih sign`, which the environment variable GIRIH_COMMAND may name. boot.h has
the layout.
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HEADER_BYTES = 512
COUNTER_BYTES, SLOT_BYTES, ERASED = 0x1000, 0x30000, b"\xff"
HEADER = struct.Struct("<IHHIIBBHI")
INFO = struct.Struct("<HH")
ENTRY = struct.Struct("<HH")
HEADER_MAGIC = 0x69726967
TRAILER_MAGIC = 0x7468
# The type in header and trailer, by the public key's bytes; the longest signature's bytes.
TYPES = {1312: (0x0044, 2420), 897: (0x0512, 752)}
NAMES = {0x0044: "ML-DSA-44", 0x0512: "Falcon-512"}
GIRIH = os.environ.get("GIRIH_COMMAND", "girih")


def run(*command) -> bytes:
    try:
        return subprocess.run(
            [GIRIH, *map(str, command)], stdout=subprocess.PIPE, check=True
        ).stdout
    except OSError:
        sys.exit(f"image.py: there is no command {GIRIH}; GIRIH_COMMAND names it")
    except subprocess.CalledProcessError:
        sys.exit(f"image.py: `girih {command[0]}` failed")


def type_of(key: bytes) -> int:
    if len(key) not in TYPES:
        sys.exit("image.py: the key is of neither ML-DSA-44 nor Falcon-512")
    return TYPES[len(key)][0]


def check_key(public_key: bytes) -> None:
    """Refuses a key that the loader could not use. The loader also verifies under a wrong key, with
    a bit of the last byte changed. This has to be a key, too: it is not if Falcon's last
    coefficient is 12,288, the largest."""
    if len(public_key) == 897 and int.from_bytes(public_key[-2:], "big") % 2**14 == 12288:
        sys.exit("image.py: the loader cannot use this key (one of 12,289): generate another key")


def raw_public_key(key: pathlib.Path) -> bytes:
    return run("convert", key, "-", "--format", "raw", "--public-only")


def header_file(public: pathlib.Path) -> str:
    """public_key.h of the loader."""
    key = raw_public_key(public)
    check_key(key)
    rows = (
        ", ".join(f"0x{byte:02X}" for byte in key[at : at + 16]) for at in range(0, len(key), 16)
    )
    algorithm = "#define BOOT_FALCON_512\n" if NAMES[type_of(key)] == "Falcon-512" else ""
    return (
        f"/* Made by image.py from {public.name}: the key that images are verified with. */\n{algorithm}"
        f"static const unsigned char boot_public_key[{len(key)}] = {{\n    "
        + ",\n    ".join(rows)
        + "};\n"
    )


def packed(
    payload: bytes, secret: pathlib.Path, version: str, counter: int, *sign_options: str
) -> bytes:
    """The image: header, payload, trailer. sign_options are of `girih sign`."""
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)(?:\+(\d+))?", version)
    if not numbers:
        sys.exit("image.py: a version is MAJOR.MINOR.REVISION or MAJOR.MINOR.REVISION+BUILD")
    kind = type_of(raw_public_key(secret))
    try:
        header = HEADER.pack(
            HEADER_MAGIC,
            HEADER_BYTES,
            kind,
            len(payload),
            counter,
            *(int(n or 0) for n in numbers.groups()),
        )
    except struct.error:
        sys.exit("image.py: a number of the version, or the counter, is too large")
    signed = header.ljust(HEADER_BYTES, b"\0") + payload
    with tempfile.TemporaryDirectory() as folder:
        message = pathlib.Path(folder) / "signed"
        message.write_bytes(signed)
        signature = run("sign", *sign_options, "--secret", secret, "--signature", "-", message)
    info = INFO.pack(TRAILER_MAGIC, INFO.size + ENTRY.size + len(signature))
    return signed + info + ENTRY.pack(kind, len(signature)) + signature


def described(image: bytes) -> str:
    magic, header_bytes, kind, payload, counter, major, minor, revision, build = HEADER.unpack_from(
        image
    )
    if magic != HEADER_MAGIC or header_bytes != HEADER_BYTES:
        sys.exit("image.py: no image")
    return (
        f"{NAMES.get(kind, f'unknown type {kind:#x}')}, version {major}.{minor}.{revision}+{build}, counter {counter}: "
        f"{header_bytes} + {payload} + {len(image) - header_bytes - payload} bytes"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    key = commands.add_parser("key", help="the loader's public_key.h, on standard output")
    key.add_argument("public", type=pathlib.Path)
    pack = commands.add_parser("pack", help="make an image")
    pack.add_argument("payload", type=pathlib.Path)
    pack.add_argument("--secret", type=pathlib.Path, required=True, metavar="KEY")
    pack.add_argument("--version", required=True)
    pack.add_argument(
        "--counter",
        type=int,
        required=True,
        help="raise it when older images must not start any more",
    )
    pack.add_argument("-o", "--output", type=pathlib.Path, required=True)
    flash = commands.add_parser(
        "flash", help="an emulated board's flash behind the loader, as it leaves the factory"
    )
    flash.add_argument("image", type=pathlib.Path)
    flash.add_argument("-o", "--output", type=pathlib.Path, required=True)
    show = commands.add_parser("show", help="what an image says of itself; verifies nothing")
    show.add_argument("image", type=pathlib.Path)
    given = parser.parse_args()
    if given.command == "key":
        print(header_file(given.public), end="")
    elif given.command == "pack":
        given.output.write_bytes(
            packed(given.payload.read_bytes(), given.secret, given.version, given.counter)
        )
    elif given.command == "flash":
        given.output.write_bytes(
            ERASED * COUNTER_BYTES + given.image.read_bytes().ljust(SLOT_BYTES, ERASED)
        )
    else:
        print(described(given.image.read_bytes()))


if __name__ == "__main__":
    main()
