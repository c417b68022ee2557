"""Columns compared with single calls, of girih and of cryptography, in one run.

    python python/scale/benchmark.py [--rows N] [--algorithms NAME ...]

Every way verifies (or signs) the same rows in turns, and its best turn counts, as the one that
other load disturbed least. A few keys; one thread, and at the end two threads compared with one by
wall-clock time, which means little unless two processors are idle.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from cryptography.hazmat.primitives.asymmetric import mldsa

import girih

KEYS = 4


def best(
    ways: dict[str, Callable[[], object]], turns: int, clock: Callable[[], float] = time.thread_time
) -> dict[str, float]:
    """The shortest turn of each way in seconds, by this thread's CPU time or another clock."""
    found = dict.fromkeys(ways, float("inf"))
    for _ in range(turns):
        for name, way in ways.items():
            began = clock()
            way()
            found[name] = min(found[name], clock() - began)
    return found


def ways_to_verify(
    alg: Any, rows: int
) -> tuple[dict[str, Callable[[], object]], dict[str, Callable[[], object]]]:
    """Runs each way over the same rows, and then the columns on one thread and on two."""
    keys = [alg.SigningKey.from_seed(bytes([key]) * 32) for key in range(KEYS)]
    signers = [keys[row % KEYS] for row in range(rows)]
    messages = [b"message %08d" % row for row in range(rows)]
    signatures = alg.sign_many(signers, messages)
    public = [key.verifying_key() for key in signers]
    raw = [bytes(key) for key in public]
    their = {
        key: getattr(mldsa, f"MLDSA{alg.name[-2:]}PublicKey").from_public_bytes(key)
        for key in set(raw)
    }
    theirs = [their[key] for key in raw]
    prepared_of = {key: alg.PreparedVerifyingKey(key) for key in set(raw)}
    prepared = [prepared_of[key] for key in raw]
    arrow = pa.array(raw).dictionary_encode(), pa.array(messages), pa.array(signatures)
    arrays = [
        np.frombuffer(b"".join(column), np.uint8).reshape(rows, -1)
        for column in (raw, messages, signatures)
    ]

    def one_at_a_time() -> None:
        assert all(
            [
                key.verify(message, signature)
                for key, message, signature in zip(public, messages, signatures)
            ]
        )

    def one_at_a_time_prepared() -> None:
        assert all(
            [
                key.verify(message, signature)
                for key, message, signature in zip(prepared, messages, signatures)
            ]
        )

    def cryptography() -> None:
        for key, message, signature in zip(theirs, messages, signatures):
            key.verify(signature, message)

    return {
        "cryptography": cryptography,
        "verify": one_at_a_time,
        "verify, prepared key": one_at_a_time_prepared,
        "verify_many, lists": lambda: alg.verify_many(raw, messages, signatures),
        "verify_many, NumPy": lambda: alg.verify_many(*arrays),
        "verify_many, Arrow": lambda: alg.verify_many(*arrow),
    }, {
        f"threads={count}": functools.partial(alg.verify_many, *arrow, threads=count)
        for count in (1, 2)
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=4000)
    arguments.add_argument("--turns", type=int, default=7)
    arguments.add_argument(
        "--algorithms", nargs="+", default=["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]
    )
    given = arguments.parse_args()
    print(f"engine {girih.engine()}, {given.rows} rows under {KEYS} keys, microseconds a row")
    for name in given.algorithms:
        ways, threads = ways_to_verify(girih.algorithm(name), given.rows)
        for found, unit in (
            (best(ways, given.turns), "verify_many, Arrow"),
            (best(threads, given.turns, time.perf_counter), "threads=1"),
        ):
            for way, seconds in found.items():
                print(
                    f"{name:12} {way:24} {seconds / given.rows * 1e6:8.2f}   {seconds / found[unit]:5.2f} x"
                )


if __name__ == "__main__":
    main()
