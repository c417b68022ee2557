"""Key files: PEM and DER as RFC 9881 and RFC 9935 have them, and raw keys.

Reading is strict, and every key that comes out has passed all checks that its encoding allows.
`girih/key_files.hpp` says which structures each algorithm has. Encrypted files are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from girih import _girih
from girih._base import Algorithm, PublicKey, SecretKey, by_name
from girih._errors import KeyFileException
from girih._secret import SecretBytes

if TYPE_CHECKING:
    from typing_extensions import Buffer

Format = Literal["pem", "der", "raw"]
Form = Literal["seed", "expanded", "both"]
Kind = Literal["private_key", "public_key", "certificate"]
_WRONG_KIND = 6  # Problem::wrong_kind


class KeyFile(NamedTuple):
    """What a file was found to hold."""

    kind: Kind
    format: Format
    form: Form | None  # of a private key
    key: Any  # SigningKey, DecapsulationKey, VerifyingKey or EncapsulationKey of its algorithm


def _classes(algorithm: _girih.Algorithm) -> tuple[Any, Any]:
    """The classes of secret and public keys."""
    namespace: Any = by_name[algorithm.name]
    if algorithm.is_kem:
        return namespace.DecapsulationKey, namespace.EncapsulationKey
    return namespace.SigningKey, namespace.VerifyingKey


def read(file: Buffer, algorithm: type[Algorithm] | None = None) -> KeyFile:
    """Reads a private key, a public key, or the public key of a certificate, and finds the format.

    Raw keys want `algorithm` named; with it, keys of other algorithms are refused. Raises
    KeyFileException, which says what is wrong and where. At most 1 MiB, in time linear in that.
    """
    kind, form_of_file, form, known, key = _girih.read_key_file(
        file, None if algorithm is None else algorithm._algorithm)
    secret, public = _classes(known)
    made = secret._of(key) if isinstance(key, _girih.KeyPair) else public(key)
    return KeyFile(cast("Kind", kind), cast("Format", form_of_file), cast("Form | None", form), made)


def read_private_key(file: Buffer, algorithm: type[Algorithm] | None = None) -> Any:
    """The SigningKey or DecapsulationKey of a private key's file."""
    found = read(file, algorithm)
    if found.kind != "private_key":
        raise KeyFileException(_WRONG_KIND, f"a private key is needed, and this is a {found.kind.replace('_', ' ')}")
    return found.key


def read_public_key(file: Buffer, algorithm: type[Algorithm] | None = None) -> Any:
    """The VerifyingKey or EncapsulationKey of a public key's file, or of a certificate.

    The certificate's signature, dates and names are not checked.
    """
    found = read(file, algorithm)
    if found.kind == "private_key":
        raise KeyFileException(_WRONG_KIND, "a public key is needed, and this is a private key")
    return found.key


def write_private_key(key: SecretKey, *, form: Form | None = None, format: Format = "pem") -> SecretBytes:
    """PKCS#8, or the raw bytes: the seed (the default if there is one), the expanded key, or both.

    KeyFileException if the key has no seed, or the format no such form.
    """
    return SecretBytes(_girih.write_private_key(key._pair, form, format))


def write_public_key(key: PublicKey, *, format: Format = "pem") -> bytes:
    """SubjectPublicKeyInfo, or the raw bytes."""
    return _girih.write_public_key(key._algorithm, key.bytes(), format)


def fingerprint(key: PublicKey) -> bytes:
    """What people compare instead of keys: the SHA-256 of write_public_key(key, format="der")."""
    return _girih.fingerprint(key._algorithm, key.bytes())
