"""Signatures in Arrow tables: plain functions of batches for any data engine.

    import functools, girih.arrow

    verify = functools.partial(girih.arrow.verify, algorithm="ML-DSA-65", keep=["id"])
    ray.data.read_parquet(rows).map_batches(verify, batch_format="pyarrow", batch_size=None)

Both pickle, and each process prepares the keys of its batch once. python/README.md has
recipes for Ray Data, Dask and Spark.

A table is a pyarrow Table or RecordBatch, a frame of pandas, a frame of polars, which needs no
pyarrow, or provides a Table through Arrow's C stream. The result is of the same kind, or a Table;
of pandas, it has the same index.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, Union, overload

from girih import _columns
from girih._base import by_name, find
from girih._errors import Error, InputException
from girih._signatures import SignatureAlgorithm

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from girih._base import Algorithm, Progress, PublicBytes, RandomCallable, WipedKey
    from girih._columns import ArrowArray, ArrowStream


class _OfPyarrow(Protocol):  # a Table or RecordBatch
    def append_column(self, field: Any, column: Any, /) -> Any: ...


class _OfPolars(Protocol):
    def with_columns(self, *columns: Any, **named: Any) -> Any: ...


class _OfPandas(Protocol):
    def assign(self, **columns: Any) -> Any: ...


T = TypeVar("T", bound=Union[_OfPyarrow, _OfPolars, _OfPandas])  # the result has its type


def _signature_algorithm(algorithm: str | type[SignatureAlgorithm]) -> type[SignatureAlgorithm]:
    found = find(algorithm)
    if not issubclass(found, SignatureAlgorithm):
        raise TypeError(f"algorithm: {found.name} is no signature algorithm")
    return found


class _Column:
    """A column with its name, which errors say."""

    def __init__(self, name: str, column: Any) -> None:
        self.name = name
        self._column = column

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._column, attribute)


class _Table:
    """A table or frame with the named columns, to which results are appended."""

    def __init__(
        self, data: Any, used: Sequence[Any], made: Sequence[str | None], keep: Sequence[str] | None
    ) -> None:
        is_pandas = _columns.is_pandas(data, "DataFrame")
        self._is_frame = hasattr(data, "__arrow_c_stream__") and hasattr(data, "with_columns")
        self._data: Any = data if self._is_frame or is_pandas else _table_of(data)
        self._keep = keep
        self.target = (
            _columns.Target("pandas", data.index) if is_pandas else _columns.Target("arrow")
        )
        if isinstance(keep, str):
            raise TypeError("keep must be a sequence of names, not str")
        names: list[str] = list(
            data.columns if self._is_frame or is_pandas else self._data.schema.names
        )
        for name in (*used, *(keep or [])):
            if isinstance(name, str) and names.count(name) != 1:
                raise KeyError(
                    f"several columns {name!r}"
                    if name in names
                    else f"no column {name!r}; there are {', '.join(map(str, names))}"
                )
        for new in made:
            if new in (names if keep is None else keep):
                raise ValueError(
                    f"there is a column {new!r} already: give another name, or leave it out of keep"
                )

    def __getitem__(self, name: Any) -> Any:
        """The column of a name, or what serves all rows."""
        if not isinstance(name, str):
            return name
        column = self._data[name]
        if self.target.kind == "pandas":
            pa = _columns.module("pyarrow")
            try:
                column = pa.array(column)
            except pa.ArrowException as cause:
                raise TypeError(f"column {name!r} cannot be read: {cause}") from cause
        return _Column(name, column)

    def bytes_at(self, name: str, row: int) -> int:
        """The length of a row that is not null."""
        cell = self._data[name].iloc[row] if self.target.kind == "pandas" else self._data[name][row]
        return len(cell.as_py() if hasattr(cell, "as_py") else cell)

    def demand_algorithm(self, name: str, algorithm: type[Algorithm], codes: bytearray) -> None:
        """Fails if no key of a column is the algorithm's."""
        wrong = Error.PUBLIC_KEY_LENGTH % 256
        if wrong not in codes or codes.count(wrong) + codes.count(_columns.NULL) != len(codes):
            return
        row = codes.index(wrong)
        size = self.bytes_at(name, row)
        others = ", ".join(a.name for a in by_name.values() if a.public_key_bytes == size)
        raise InputException(
            Error.PUBLIC_KEY_LENGTH,
            f"public_keys (column {name!r})",
            f"no key has {algorithm.name}'s {algorithm.public_key_bytes} bytes, "
            f"row {row} has {size}" + (f" ({others})" if others else ""),
        )

    def append(self, columns: dict[str | None, Any]) -> Any:
        """The kept columns, and those that have a name."""
        named = {name: column for name, column in columns.items() if name is not None}
        if self._is_frame:
            series: Any = self._data.to_series(0).__class__
            made = self._data.with_columns(
                **{name: series(name, column) for name, column in named.items()}
            )
            return made if self._keep is None else made.select([*self._keep, *named])
        if self.target.kind == "pandas":
            made = self._data if self._keep is None else self._data[list(self._keep)]
            return made.assign(**named)
        made = self._data if self._keep is None else self._data.select(list(self._keep))
        for name, column in named.items():
            made = made.append_column(name, column)
        return made


def _table_of(data: Any) -> Any:
    """A Table or RecordBatch unchanged, or the Table of an Arrow stream."""
    pa = _columns.module("pyarrow")
    if isinstance(data, (pa.Table, pa.RecordBatch)):
        return data
    if not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__arrow_c_array__"):
        raise TypeError(
            "table must be pyarrow's Table or RecordBatch, or something that streams one "
            f"(__arrow_c_stream__), not {type(data).__name__}"
        )
    return pa.table(data)


@overload
def verify(
    table: T,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: PublicBytes[Any] | str = ...,
    message: str = ...,
    signature: str = ...,
    context: Buffer | str | None = ...,
    pre_hash: str | None = ...,
    verdict: str = ...,
    error: str | None = ...,
    keep: Sequence[str] | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
) -> T: ...
@overload
def verify(
    table: ArrowStream | ArrowArray,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: PublicBytes[Any] | str = ...,
    message: str = ...,
    signature: str = ...,
    context: Buffer | str | None = ...,
    pre_hash: str | None = ...,
    verdict: str = ...,
    error: str | None = ...,
    keep: Sequence[str] | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
) -> Any: ...
def verify(
    table: Any,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: PublicBytes[Any] | str = "public_key",
    message: str = "message",
    signature: str = "signature",
    context: Buffer | str | None = None,
    pre_hash: str | None = None,
    verdict: str = "verdict",
    error: str | None = None,
    keep: Sequence[str] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Any:
    """The table with an additional last column of verdicts.

    `key`, `message`, `signature` and `context` name its columns, of binary types or dictionaries of
    these; `key` may be a VerifyingKey or PreparedVerifyingKey and `context` bytes, for all rows.
    The verdict is null if any of these is null, and false for a malformed row; `error` names a
    column for codes (girih.Error) that say why. `keep` names the columns to keep, all if None.
    KeyError for a missing column, ValueError for a new column that exists. Unless
    `error` is given, InputException if no key of a column has the algorithm's length: give it where
    others choose the keys.
    """
    rows = _Table(table, (key, message, signature, context), (verdict, error), keep)
    found = _signature_algorithm(algorithm)
    codes, _ = found._verified(
        rows[key], rows[message], rows[signature], rows[context], pre_hash, threads, progress
    )
    if isinstance(key, str) and error is None:
        rows.demand_algorithm(key, found, codes)
    return rows.append(
        {
            verdict: _columns.verdicts(codes, rows.target),
            error: _columns.errors(codes, rows.target) if error else None,
        }
    )


@overload
def sign(
    table: T,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: WipedKey[Any] | str,
    message: str = ...,
    context: Buffer | str | None = ...,
    pre_hash: str | None = ...,
    deterministic: bool = ...,
    verify_after_sign: bool = ...,
    random: RandomCallable | None = ...,
    signature: str = ...,
    error: str | None = ...,
    keep: Sequence[str] | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
) -> T: ...
@overload
def sign(
    table: ArrowStream | ArrowArray,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: WipedKey[Any] | str,
    message: str = ...,
    context: Buffer | str | None = ...,
    pre_hash: str | None = ...,
    deterministic: bool = ...,
    verify_after_sign: bool = ...,
    random: RandomCallable | None = ...,
    signature: str = ...,
    error: str | None = ...,
    keep: Sequence[str] | None = ...,
    threads: int = ...,
    progress: Progress | None = ...,
) -> Any: ...
def sign(
    table: Any,
    *,
    algorithm: str | type[SignatureAlgorithm],
    key: WipedKey[Any] | str,
    message: str = "message",
    context: Buffer | str | None = None,
    pre_hash: str | None = None,
    deterministic: bool = False,
    verify_after_sign: bool = False,
    random: RandomCallable | None = None,
    signature: str = "signature",
    error: str | None = None,
    keep: Sequence[str] | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Any:
    """The table with an additional last column of signatures.

    `key` is a SigningKey or PreparedSigningKey for all rows, or names a column of secret keys'
    bytes, which are checked as by `from_bytes`; `context` is as in verify(). The signature is null
    if the row's message, context or key is null. A row that cannot be signed raises a
    BatchException, whose `column` is the table; or, if `error` names a column for codes
    (girih.Error), its signature is null. `keep` and errors are as in verify().
    """
    rows = _Table(table, (message, context, key), (signature, error), keep)
    codes, signatures, cause = _signature_algorithm(algorithm)._signed(
        rows[key],
        rows[message],
        rows[context],
        pre_hash,
        deterministic,
        verify_after_sign,
        random,
        threads,
        progress,
        rows.target,
    )
    made = rows.append(
        {signature: signatures, error: _columns.errors(codes, rows.target) if error else None}
    )
    return _columns.finish("sign", codes, made, "null" if error else "raise", cause)


def verify_batches(**options: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """verify() with these options as a function from batches to batches, for Spark's mapInArrow."""
    return _of_batches(verify, options)


def sign_batches(**options: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """sign() likewise. It pickles if its key is a column: key objects refuse."""
    return _of_batches(sign, options)


def _of_batches(
    work: Callable[..., Any], options: dict[str, Any]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    inspect.signature(work).bind(None, **options)  # detects unknown option names
    _signature_algorithm(options["algorithm"])
    return functools.partial(_each, work, options)


def _each(
    work: Callable[..., Any], options: dict[str, Any], batches: Iterable[Any]
) -> Iterator[Any]:
    for batch in batches:
        yield work(batch, **options)


__all__ = ["sign", "sign_batches", "verify", "verify_batches"]
