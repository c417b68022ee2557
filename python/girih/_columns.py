"""Columns of batches: results have the kind of the arguments."""

from __future__ import annotations

import array
import importlib
import itertools
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Union, cast, get_args

from girih import _girih
from girih._errors import BatchException, Error

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

Kind = Literal["list", "numpy", "arrow", "polars", "pandas"]
NULL = 1  # the code of a row with a null


class Target(NamedTuple):
    """The columns that a call returns."""

    kind: Kind
    index: Any = None  # of pandas


class ArrowStream(Protocol):
    """A chunked column of pyarrow, a series of polars, ..."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """An array of pyarrow, nanoarrow, ..."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


if TYPE_CHECKING:
    import numpy.typing as npt

    Rows: TypeAlias = Sequence[Union[Buffer, None]]
    Array: TypeAlias = npt.NDArray[Any]
    # From Python 3.12 on, mypy takes an array of numpy for a Buffer; it is none of these.
    NoArray: TypeAlias = Union[Rows, bytes, bytearray, memoryview[Any], ArrowStream, ArrowArray]
    Column: TypeAlias = Union[NoArray, Array, Buffer]
    OnError = Literal["raise", "null"]


def is_arrow(column: object) -> bool:
    """Whether a column is Arrow's: pyarrow's, polars', pandas', ..."""
    return hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")


def is_pandas(value: object, name: Literal["DataFrame", "Series"]) -> bool:
    """Whether a value is of this class of pandas, which is not loaded if there is no such value."""
    return isinstance(value, getattr(sys.modules.get("pandas"), name, ()))


def target_of(*columns: object) -> Target:
    """That of the first column of Arrow or pandas, "numpy" if any is an array, else "list"."""
    for column in columns:
        if is_pandas(column, "Series"):
            return Target("pandas", cast("Any", column).index)
        if is_arrow(column):
            is_polars = type(column).__module__.partition(".")[0] == "polars"
            return Target("polars" if is_polars else "arrow")
    has_array = any(hasattr(column, "__array_interface__") for column in columns)
    return Target("numpy" if has_array else "list")


def has_bytes(column: object) -> bool:
    """Whether a column holds its rows' bytes, instead of being a sequence of objects."""
    if isinstance(column, (str, set, frozenset)) or is_arrow(column):
        return True
    try:
        with memoryview(cast("Buffer", column)) as view:
            return view.format != "O"
    except TypeError:
        return False


def demand_choices(on_error: str, kind: str | None, *columns: object) -> Target:
    """The target of the results: of `kind`, or that of the arguments.

    Raises ValueError for an unknown choice and ModuleNotFoundError for a missing module before any
    work, whose secrets would be lost.
    """
    if on_error not in ("raise", "null"):
        raise ValueError(f"on_error: {on_error!r} is neither 'raise' nor 'null'")
    if kind is not None and kind not in get_args(Kind):
        raise ValueError(f"columns: {kind!r} is none of {', '.join(map(repr, get_args(Kind)))}")
    target = target_of(*columns)
    if kind not in (None, target.kind):
        target = Target(cast("Kind", kind))
    if target.kind in ("numpy", "polars", "pandas"):
        module(target.kind)
    if kind == "arrow":
        module("pyarrow")
    return target


def module(name: str) -> Any:
    """A library of columns; ModuleNotFoundError, which says how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as cause:
        extra = {"pyarrow": "girih[arrow]", "numpy": "girih[numpy]"}.get(name, name)
        raise ModuleNotFoundError(
            f"these columns need the package {name}: pip install '{extra}'", name=name
        ) from cause


def arrow_column(kind: Kind, layout: str, codes: bytearray, good: Buffer, *buffers: Buffer) -> Any:
    """An Arrow column, null where `good` has no bit: of polars, or of pyarrow if there is one."""
    column = _girih.ArrowResult(layout, len(codes), [good, *buffers])
    if kind == "polars":
        return module("polars").Series(column)
    try:
        return module("pyarrow").array(column)
    except ModuleNotFoundError:
        return column


def verdicts(codes: bytearray, target: Target) -> Any:
    """True, False or a null for each code."""
    kind = target.kind
    if kind == "list":
        return [None if code == NULL else code == 0 for code in codes]
    if kind in ("arrow", "polars"):
        return arrow_column(
            kind, "b", codes, _girih.bits(codes, NULL, False), _girih.bits(codes, 0, True)
        )
    import numpy as np

    numbers = np.frombuffer(codes, np.int8)
    if kind == "pandas":
        return series(target, "BooleanArray", numbers == 0, numbers == NULL)
    return masked(numbers == 0, numbers == NULL)


def series(target: Target, array_class: str, rows: Any, nulls: Any) -> Any:
    """Rows of pandas, in one of its arrays that can hold nulls."""
    pandas = module("pandas")
    return pandas.Series(getattr(pandas.arrays, array_class)(rows, nulls), target.index)


def masked(rows: Any, nulls: Any) -> Any:
    """Rows of numpy, masked if any is null."""
    import numpy as np

    masked_array: Any = np.ma.masked_array  # which numpy 2.2 does not annotate
    return masked_array(rows, nulls) if nulls.any() else rows


def signed(codes: bytearray) -> array.array[int]:
    """The codes as signed numbers, all negative except NULL and 0."""
    return array.array("b", bytes(codes))


def errors(codes: bytearray, target: Target) -> Any:
    """An Error for each code (a number in a column of numbers), or a null."""
    kind = target.kind
    if kind == "list":
        return [None if code == NULL else Error(code) for code in signed(codes)]
    if kind in ("arrow", "polars"):
        return arrow_column(kind, "c", codes, _girih.bits(codes, NULL, False), codes)
    import numpy as np

    numbers = np.frombuffer(codes, np.int8)
    if kind == "pandas":
        return series(target, "IntegerArray", numbers, numbers == NULL)
    return masked(numbers, numbers == NULL)


def byte_rows(
    codes: bytearray,
    data: bytearray,
    width: int,
    target: Target,
    lengths: bytearray | None = None,
    *,
    secret: bool = False,
) -> Any:
    """A row of bytes for each good code, else a null.

    `lengths` has a 16-bit number for each row if rows differ in length. If secrets are copied into
    rows, `data` is cleared.
    """
    kind = target.kind
    sizes: Sequence[int] | None = array.array("H", bytes(lengths)) if lengths is not None else None
    if kind in ("list", "pandas") or sizes is not None:
        view = memoryview(data)
        rows = [
            bytes(view[i * width : i * width + (sizes[i] if sizes is not None else width)])
            if code == 0
            else None
            for i, code in enumerate(codes)
        ]
        if secret:
            data[:] = bytes(len(data))
        if kind == "list":
            return rows
        if kind == "pandas":
            return module("pandas").Series(rows, target.index, object)
        if kind in ("arrow", "polars"):
            ends = array.array(
                "q", itertools.accumulate((len(row or b"") for row in rows), initial=0)
            )
            return arrow_column(
                kind,
                "Z",
                codes,
                _girih.bits(codes, 0, True),
                ends.tobytes(),
                b"".join(row or b"" for row in rows),
            )
        import numpy as np

        return np.array(rows, dtype=object)
    if kind in ("arrow", "polars"):
        return arrow_column(kind, f"w:{width}", codes, _girih.bits(codes, 0, True), data)
    import numpy as np

    rows2 = np.frombuffer(data, np.uint8).reshape(len(codes), width)
    bad = np.frombuffer(codes, np.int8) != 0
    return masked(rows2, np.broadcast_to(bad[:, None], rows2.shape))


def failures(codes: bytearray) -> list[tuple[int, Error]]:
    """The rows that are neither good nor null, with their errors."""
    return [(row, Error(code)) for row, code in enumerate(signed(codes)) if code not in (0, NULL)]


def finish(
    operation: str, codes: bytearray, made: Any, on_error: str, cause: BaseException | None = None
) -> Any:
    """The results; BatchException if rows failed and failures are to be raised."""
    if cause is not None and not isinstance(cause, Exception):
        raise cause  # exceptions that end a program: KeyboardInterrupt, SystemExit
    if on_error == "raise" and codes.count(0) + codes.count(NULL) != len(codes):
        raise BatchException(operation, made, failures(codes)) from cause
    return made
