"""Secrets: bytes that are wiped, and objects that cannot be copied."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from girih import _girih

if TYPE_CHECKING:
    from typing_extensions import Self


class Guarded:
    """Refuses pickling and copying, and is wiped at the end of a `with` block."""

    __slots__ = ()

    def wipe(self) -> None:
        """Overwrites the secret as soon as no thread uses it; using it afterwards is an error."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.wipe()

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(
            f"{type(self).__qualname__} cannot be {what}: the copy would be a secret that nobody wipes. "
            "To store or send a key on purpose, write it with girih.key_files."
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._refuse("pickled")

    def __copy__(self) -> NoReturn:
        self._refuse("copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self._refuse("copied")


class SecretBytes(_girih.Secret, Guarded):
    """Secret bytes, wiped by `wipe`, at the end of a `with` block, and on destruction.

    Bytes-like: files, `memoryview` and every argument of bytes read it in place; while one does,
    `wipe` is a BufferError. `bytes(secret)` is a copy, which Python never wipes. Comparison of
    equal lengths takes constant time.
    """

    __slots__ = ()

    def view(self) -> Self:
        """The secret itself, which is bytes-like."""
        return self

    def __repr__(self) -> str:
        return f"<{'wiped ' if self.wiped else ''}SecretBytes>"
