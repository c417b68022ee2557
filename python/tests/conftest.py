"""Shared by the tests: known answers, and NIST's generator for them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

import girih


def vector_folder() -> Path:
    """The folder of vectors, or a skip."""
    folder = os.environ.get("GIRIH_VECTORS")
    if not folder:
        pytest.skip("GIRIH_VECTORS names no folder of vectors")
    return Path(folder)


def acvp(name: str) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """(group, prompt, expected result) of each test of a folder of NIST's ACVP."""
    folder = vector_folder() / "acvp" / name
    files = [
        json.loads(gzip.decompress((folder / f"{part}.json.gz").read_bytes()))
        for part in ("prompt", "expectedResults")
    ]
    prompt, expected = [file[1] if isinstance(file, list) else file for file in files]
    results = {
        (group["tgId"], test["tcId"]): test
        for group in expected["testGroups"]
        for test in group["tests"]
    }
    return [
        (group, test, results[group["tgId"], test["tcId"]])
        for group in prompt["testGroups"]
        for test in group["tests"]
    ]


def records(name: str) -> list[dict[str, str]]:
    """The records of a .rsp file of NIST's rounds."""
    text = gzip.decompress((vector_folder() / "kat" / f"{name}.gz").read_bytes()).decode()
    found: list[dict[str, str]] = []
    for line in text.splitlines():
        if line.startswith("count"):
            found.append({})
        key, separator, value = line.partition(" =")
        if separator and found:
            found[-1][key.strip()] = value.strip()
    return found


SIGNATURES: list[Any] = [
    girih.algorithm(name)
    for name in girih.algorithms()
    if issubclass(girih.algorithm(name), girih.SignatureAlgorithm)
]
KEMS: list[Any] = [
    girih.algorithm(name)
    for name in girih.algorithms()
    if issubclass(girih.algorithm(name), girih.KemAlgorithm)
]


DSA: Any = girih.ml_dsa_44
ROWS = 300


@pytest.fixture(scope="session")
def batch() -> dict[str, Any]:
    """Rows under five keys; row 7 is changed, row 8 cut short and row 9 null."""
    keys = [DSA.SigningKey.from_seed(bytes([key]) * 32) for key in range(5)]
    rows = [keys[row * row % 5] for row in range(ROWS)]
    messages = [b"%05d" % row for row in range(ROWS)]
    signatures: list[bytes | None] = DSA.sign_many(rows, messages, threads=2)
    signatures[7:10] = [signatures[8], signatures[8][:-1], None]  # type: ignore[index]
    return {
        "keys": rows,
        "public": [bytes(key.verifying_key()) for key in rows],
        "messages": messages,
        "signatures": signatures,
        "verdicts": [None if row == 9 else row not in (7, 8) for row in range(ROWS)],
    }


def secret_keys(alg: Any) -> Any:
    """The class of an algorithm's secret keys."""
    return getattr(alg, "SigningKey", None) or alg.DecapsulationKey


def public_key(key: Any) -> Any:
    return key.verifying_key() if hasattr(key, "verifying_key") else key.encapsulation_key()


def pytest_make_parametrize_id(config: object, val: object, argname: str) -> str | None:
    return val.name if isinstance(val, type) and hasattr(val, "name") else None
