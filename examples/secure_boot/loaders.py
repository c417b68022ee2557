"""Keys and loaders for the test and for the trials of faults.

The environment names the command (GIRIH_COMMAND) and the folder in which libraries.sh has installed
girih for devices (GIRIH_DEVICES).
"""

import os
import pathlib
import subprocess

from image import packed

HERE = pathlib.Path(__file__).resolve().parent
DEVICES = pathlib.Path(os.environ["GIRIH_DEVICES"])
CORES = {"mps2-an386": "cortex-m4", "mps2-an505": "cortex-m33", "mps2-an385": "cortex-m0plus"}
ALGORITHMS = ["ml-dsa-44", "falcon-512"]


def make_key(folder: pathlib.Path, name: str, algorithm: str) -> None:
    """A key pair of a fixed seed, since trials of faults depend on the key."""
    if (folder / f"{name}.key").exists():
        return
    subprocess.run(
        [
            os.environ["GIRIH_COMMAND"],
            *("keygen", "--alg", algorithm),
            *("--seed-hex", f"{len(name):02x}" * (48 if algorithm.startswith("falcon") else 32)),
            *("--secret", folder / f"{name}.key", "--public", folder / f"{name}.pub"),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def signed(payload: bytes, folder: pathlib.Path, algorithm: str, counter: int = 3) -> bytes:
    """An image, which is the same each time with ML-DSA. Falcon's signatures never are."""
    options = [] if algorithm.startswith("falcon") else ["--deterministic"]
    return packed(payload, folder / f"{algorithm}.key", "1.2.0", counter, *options)


def built(
    folder: pathlib.Path, board: str, algorithm: str, sources: pathlib.Path = HERE
) -> pathlib.Path:
    """The folder of a loader and an application."""
    out = folder / f"{board}-{algorithm}"
    subprocess.run(
        [
            *("make", "-s", "-f", sources / "Makefile", f"BOARD={board}"),
            f"GIRIH={DEVICES / CORES[board]}",
            *(f"KEY={folder / algorithm}.pub", f"OUT={out}"),
        ],
        check=True,
    )
    return out
