"""Secrets: bytes that are wiped, and objects that cannot be copied."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, cast

from girih import _girih

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self


class Guarded:
    """Refuses pickling and copying, and is wiped at the end of a `with` block."""

    __slots__ = ()

    def wipe(self) -> None:
        """Overwrites the secret as soon as no thread uses it; using it afterwards is an error."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.wipe()

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(
            f"{type(self).__qualname__} cannot be {what}: the copy would be a secret that nobody wipes. "
            "To store or send a key on purpose, write it with girih.key_files.")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._refuse("pickled")

    def __copy__(self) -> NoReturn:
        self._refuse("copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self._refuse("copied")


class SecretBytes(Guarded):
    """Secret bytes, wiped by `wipe`, at the end of a `with` block, and on destruction.

    `secret.view()` is a bytes-like view without a copy. `bytes(secret)` is a copy, which Python
    never wipes. Comparison of equal lengths takes constant time.
    """

    __slots__ = ("_secret",)
    __hash__ = None  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]

    def __init__(self, data: Buffer | _girih.Secret) -> None:
        self._secret = data if isinstance(data, _girih.Secret) else _girih.Secret(data)

    def view(self) -> _girih.Secret:
        """A bytes-like view of the bytes."""
        return self._secret

    def wipe(self) -> None:
        """Overwrites the bytes. BufferError while a memoryview of them is in use."""
        self._secret.wipe()

    @property
    def wiped(self) -> bool:
        """Whether the bytes were wiped."""
        return self._secret.wiped

    def __bytes__(self) -> bytes:
        return bytes(self._secret)

    def __len__(self) -> int:
        return len(self._secret)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SecretBytes):
            return self._secret.equals(other._secret)
        if isinstance(other, (bytes, bytearray, memoryview, _girih.Secret)):
            return self._secret.equals(cast("bytes", other))
        return NotImplemented

    def __repr__(self) -> str:
        return f"<{'wiped ' if self.wiped else ''}SecretBytes>"
