"""JWS (RFC 7515) and COSE_Sign1 (RFC 9052), signed by ML-DSA (RFC 9964); C2SP's notes, signed by
ML-DSA-44.

The key alone says which algorithm verifies: an envelope whose `alg` is another is refused, as is
one with a critical header, since girih knows none. Keys in an envelope are not used.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, Literal

from girih import _girih
from girih._base import PublicKey, SecretKey
from girih._errors import Error, InputException, SignatureException

if TYPE_CHECKING:
    from typing_extensions import Buffer

Format = Literal["jws", "jws-json", "cose", "note"]  # compact, flattened JSON, COSE_Sign1, note


class Payload(bytes):
    """A signed payload. `unsigned_lines` has a note's extension lines, which are not signed."""

    unsigned_lines: bytes = b""


def _bytes_of_type(typ: str | None) -> bytes | None:
    if typ is not None and not isinstance(typ, str):
        raise TypeError(f"typ must be text, not {type(typ).__name__}")
    return None if typ is None else typ.encode()


def sign(
    key: Any,
    payload: Buffer,
    *,
    format: Format,
    detached: bool = False,
    kid: Buffer | None = None,
    external_aad: Buffer = b"",
    deterministic: bool = False,
    time: int = 0,
    typ: str | None = None,
) -> bytes:
    """The envelope of a payload, which is left out of it if `detached`.

    `kid` is by default the one that the key was read with, or its thumbprint. `external_aad` is
    COSE's. KeyFileException if the key is none of ML-DSA's, or a JWS's kid is not text in UTF-8. A
    note's payload is a checkpoint or a note, its kid the key's name, and its `time` in seconds
    since 1970, or 0, which says nothing of the time. `typ` is a JWS's media type, such as "JWT".
    """
    if not isinstance(key, SecretKey):
        raise TypeError(f"key must be a secret key, not {type(key).__name__}")
    if not 0 <= index(time) < 1 << 63:
        raise InputException(
            Error.ARGUMENT, "time", f"{time} is not a number of seconds from 0 to 2^63 - 1"
        )
    return _girih.sign_envelope(
        key._key,
        payload,
        format,
        detached,
        kid,
        external_aad,
        deterministic,
        time,
        _bytes_of_type(typ),
    )


def verify(
    key: Any,
    envelope: Buffer,
    *,
    format: Format,
    payload: Buffer | None = None,
    kid: Buffer | None = None,
    external_aad: Buffer = b"",
    typ: str | None = None,
) -> Payload:
    """The payload of an envelope, once its signature is good. A detached one needs `payload`.

    A note's payload is the signed part of its text. If given, `kid` and `typ` are those that the
    envelope has to have; "JWT", "jwt" and "application/jwt" are one type. SignatureException if the
    signature, `alg`, `kid` or `typ` is another's; KeyFileException for a malformed envelope, which
    says where.
    """
    if not isinstance(key, PublicKey):
        raise TypeError(f"key must be a public key, not {type(key).__name__}")
    found = _girih.verify_envelope(
        key._algorithm,
        key.bytes(),
        envelope,
        format,
        payload,
        kid,
        external_aad,
        _bytes_of_type(typ),
    )
    if isinstance(found, str):
        raise SignatureException(Error.SIGNATURE, "envelope", found)
    verified = Payload(found[0])
    verified.unsigned_lines = found[1]
    return verified
