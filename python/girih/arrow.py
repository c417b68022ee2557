"""Signatures in Arrow tables: plain functions of batches for any data engine.

    import functools, girih.arrow

    verify = functools.partial(girih.arrow.verify, algorithm="ML-DSA-65", keep=["id"])
    ray.data.read_parquet(rows).map_batches(verify, batch_format="pyarrow", batch_size=None)

Both pickle, and each process prepares the keys of its batch once. python/README.md has
recipes for Ray Data, Dask and Spark.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from girih._columns import pyarrow
from girih._signatures import SignatureAlgorithm

if TYPE_CHECKING:
    from girih._base import Progress


def _signature_algorithm(algorithm: str | type[SignatureAlgorithm]) -> type[SignatureAlgorithm]:
    import girih

    found: object = girih.algorithm(algorithm) if isinstance(algorithm, str) else algorithm
    if not isinstance(found, type) or not issubclass(found, SignatureAlgorithm):
        raise TypeError(f"algorithm: {getattr(found, 'name', found)} is no signature algorithm")
    return found


def _table_of(data: Any) -> Any:
    """A Table or RecordBatch unchanged, or the Table of an Arrow stream."""
    pa = pyarrow()
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        return data
    if not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__arrow_c_array__"):
        raise TypeError("table must be pyarrow's Table or RecordBatch, or something that streams one "
                        f"(__arrow_c_stream__), not {type(data).__name__}")
    return pa.table(data)


def verify(table: Any, *, algorithm: str | type[SignatureAlgorithm], public_key: str = "public_key",
           message: str = "message", signature: str = "signature", context: str | None = None,
           pre_hash: str | None = None, verdict: str = "verdict", error: str | None = None,
           keep: Sequence[str] | None = None, threads: int = 1, progress: Progress | None = None) -> Any:
    """A pyarrow Table or RecordBatch with an additional last column of verdicts.

    `table` is one of these, or provides a Table through Arrow's C stream, as the data frames of
    polars and pandas do: `polars.from_arrow(verify(frame, ...))` is a polars frame again.
    `public_key`, `message`, `signature` and `context` name its columns, of binary types or
    dictionaries of these. The verdict is null if any of these is null, and false for a malformed
    row; `error` names a column for codes (girih.Error) that say why. `keep` names the columns to
    keep, all if None. KeyError for a missing column, ValueError for a new column that exists.
    """
    pa = pyarrow()
    table = _table_of(table)
    if isinstance(keep, str):
        raise TypeError("keep must be a sequence of names, not str")
    names = set(table.schema.names)
    for name in (public_key, message, signature, *([context] if context else []), *(keep or [])):
        if name not in names:
            raise KeyError(f"no column {name!r}; there are {', '.join(table.schema.names)}")
    for new in (verdict, error):
        if new in (names if keep is None else keep):
            raise ValueError(f"there is a column {new!r} already: give another name, or leave it out of keep")
    codes = _signature_algorithm(algorithm).check_many(
        table.column(public_key), table.column(message), table.column(signature),
        contexts=table.column(context) if context else None, pre_hash=pre_hash, threads=threads, progress=progress)
    made = table if keep is None else table.select(list(keep))
    compute = importlib.import_module("pyarrow.compute")
    made = made.append_column(pa.field(verdict, pa.bool_()), compute.equal(codes, pa.scalar(0, pa.int8())))
    return made.append_column(pa.field(error, pa.int8()), codes) if error else made


def verify_batches(**options: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """verify() with these options as a function from batches to batches, for Spark's mapInArrow."""
    inspect.signature(verify).bind(None, **options)  # detects unknown option names
    _signature_algorithm(options["algorithm"])
    return functools.partial(_verify_each, options)


def _verify_each(options: dict[str, Any], batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield verify(batch, **options)


__all__ = ["verify", "verify_batches"]
