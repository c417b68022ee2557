"""Makes the rows that the recipes of python/README.md verify: rows.py FOLDER [--rows N] [--parts N]

Parts are folders of Parquet files. A row has an id, a dictionary-encoded public key of one of eight
keys, a message and a signature. Some are bad on purpose: every thousandth signature is changed,
every 1,009th is cut short, every 1,013th is null. Distinct rows are signed once and repeated with
new ids, because signing takes longer than the measured work.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import girih

FILES_A_PART = 4


def spoil(row: int, signature: bytes) -> bytes | None:
    """The signature of a row, or its bad replacement."""
    if row % 1013 == 7:
        return None
    if row % 1009 == 7:
        return signature[:-1]
    return bytes([signature[0] ^ 1]) + signature[1:] if row % 1000 == 7 else signature


def expected(row: int) -> bool | None:
    """The expected verdict on a row."""
    return None if row % 1013 == 7 else row % 1009 != 7 and row % 1000 != 7


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--parts", type=int, default=4)
    arguments.add_argument("--distinct", type=int, default=20_000)
    given = arguments.parse_args()

    algorithm: Any = girih.ml_dsa_44
    keys = [algorithm.SigningKey.from_seed(bytes([key]) * 32) for key in range(8)]
    public_keys = pa.array([key.verifying_key().bytes() for key in keys])
    messages = [f"message {row}".encode() for row in range(given.distinct)]
    signatures = algorithm.sign_many(
        [keys[row % 8] for row in range(given.distinct)], messages, threads=2
    )

    rows_a_file = given.rows // (given.parts * FILES_A_PART)
    for part in range(given.parts):
        folder = given.folder / f"part-{part:03}"
        folder.mkdir(parents=True, exist_ok=True)
        for file in range(FILES_A_PART):
            first = (part * FILES_A_PART + file) * rows_a_file
            ids = range(first, first + rows_a_file)
            table = pa.table(
                {
                    "id": pa.array(ids, pa.int64()),
                    "public_key": pa.DictionaryArray.from_arrays(
                        pa.array([row % given.distinct % 8 for row in ids], pa.int32()), public_keys
                    ),
                    "message": pa.array(
                        [messages[row % given.distinct] for row in ids], pa.binary()
                    ),
                    "signature": pa.array(
                        [spoil(row, signatures[row % given.distinct]) for row in ids], pa.binary()
                    ),
                }
            )
            pq.write_table(
                table,
                folder / f"{file}.parquet",
                compression="none",
                row_group_size=16384,
                use_dictionary=["public_key"],
            )
    print(
        f"{rows_a_file * given.parts * FILES_A_PART} rows in {given.parts} parts under {given.folder}"
    )


if __name__ == "__main__":
    main()
