"""Exceptions: each has the code of girih's C interface, and the argument or operation."""

from __future__ import annotations

import builtins
import enum
from typing import Any

from girih import _girih


class Error(enum.IntEnum):
    """The errors of girih's C interface (`girih_error` in girih.h)."""

    NONE = 0
    ARGUMENT = -1
    LENGTH = -2
    CONTEXT = -3
    PRE_HASH = -4
    SECRET_KEY = -5
    KEY_MISMATCH = -6
    SIGNATURE = -7
    RANDOM = -8
    ATTEMPTS = -9
    ENGINE = -10
    PUBLIC_KEY = -11
    OVERLAP = -12
    FAULT = -13
    MEMORY = -14
    ALGORITHM = -15
    OPTION = -16
    ALIGNMENT = -17
    MESSAGE = -18
    PUBLIC_KEY_LENGTH = -19
    SECRET_KEY_LENGTH = -20
    CAPACITY = -21


class Exception(builtins.Exception):  # its name in the C++ headers
    """The base of all errors: `error`, `place` (the argument or the operation), `text`."""

    def __init__(self, error: int, place: str, text: str) -> None:
        super().__init__(f"{place}: {text}")
        self.error = Error(error)
        self.place = place
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (int(self.error), self.place, self.text)


class InputException(Exception, ValueError):
    """An invalid argument: a wrong length or context, a malformed key, a wiped key."""


class SignatureException(Exception):
    """A signature does not verify; raised only by `check`."""


class KeyFileException(InputException):
    """A key file that is malformed, or a request that its format cannot fulfil.

    `problem` numbers the check that refused it (`Problem` in girih/key_files.hpp).
    """

    def __init__(self, problem: int, text: str) -> None:
        super().__init__(Error.ARGUMENT, "key file", text)
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.text)


class KeyEncryptedException(KeyFileException):
    """A private key's file is encrypted, and no passphrase was given (`Problem::encrypted`)."""


class PassphraseException(KeyFileException):
    """The passphrase is wrong, or what it encrypts was changed (`Problem::passphrase`).

    The two cannot be distinguished. Not every change is noticed: PBES2 does not authenticate.
    """


class BatchException(Exception):
    """Rows of a batch that failed: `errors` has (row, Error) of these, `column` has the others."""

    def __init__(self, operation: str, column: object, errors: list[tuple[int, Error]]) -> None:
        row, error = errors[0]
        super().__init__(
            error, operation, f"{len(errors)} rows failed, row {row} first ({error.name.lower()})"
        )
        self.operation = operation
        self.column = column
        self.errors = errors

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.operation, self.column, self.errors)


_INPUT = set(Error) - {
    Error.NONE,
    Error.SIGNATURE,
    Error.RANDOM,
    Error.ATTEMPTS,
    Error.ENGINE,
    Error.FAULT,
    Error.MEMORY,
}
_KEY_FILE = {
    _girih.problem_encrypted: KeyEncryptedException,
    _girih.problem_passphrase: PassphraseException,
}


def make(code: int, place: str, text: str, cause: BaseException | None) -> Exception:
    """The exception of a failure in the extension."""
    error = Error(code)
    made = (
        SignatureException
        if error is Error.SIGNATURE
        else InputException
        if error in _INPUT
        else Exception
    )
    exception = made(code, place, text)
    exception.__cause__ = cause
    return exception


def make_key_file(problem: int, text: str) -> KeyFileException:
    """The exception of a key file's problem."""
    return _KEY_FILE.get(problem, KeyFileException)(problem, text)
