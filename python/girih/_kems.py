"""Key encapsulation: ML-KEM, and NTRU Prime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, overload

from girih import _columns, _girih
from girih._base import (
    A,
    Algorithm,
    PreparedPublicKey,
    PreparedSecretKey,
    PublicKey,
    SecretKey,
    WipedKey,
)
from girih._secret import SecretBytes

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

    from girih._base import (
        Progress,
        PublicBytes,
        PublicColumn,
        PublicKeys,
        RandomCallable,
        SecretColumn,
        SecretKeys,
    )
    from girih._columns import Array, Kind, NoArray, OnError, Rows

E = TypeVar("E", bound="PublicBytes[Any]")


class Encapsulation(NamedTuple):
    """The result of encapsulation: a ciphertext for the owner of the key, and the secret."""

    ciphertext: bytes
    shared_secret: SecretBytes


class KemEncapsulationKey(PublicKey[A]):
    """A public key, which encapsulates secrets for its owner. Pickles as its bytes."""

    __slots__ = ()

    def encapsulate(self, *, random: RandomCallable | None = None) -> Encapsulation:
        """A new shared secret of 32 bytes, and its ciphertext. Constant time.

        Draws 32 bytes. Raises Error.RANDOM, and Error.PUBLIC_KEY if a coefficient of ML-KEM's key
        is not below q (FIPS 203, Section 7.2); for NTRU Prime, every string of the right length is
        a key.
        """
        return Encapsulation(*_girih.encapsulate(self._algorithm, self._key, random))


class Decapsulating(WipedKey[A], Generic[A, E]):
    __slots__ = ()

    def encapsulation_key(self) -> E:
        """The public key."""
        namespace: Any = self._namespace
        made: E = namespace.EncapsulationKey(self._public)
        return made


class KemDecapsulationKey(Decapsulating[A, E], SecretKey[A]):
    """A secret key, in memory that is wiped on destruction.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ()

    def decapsulate(self, ciphertext: Buffer) -> SecretBytes:
        """The shared secret of a ciphertext. Constant time.

        A changed ciphertext, or one of another key, gives another secret and no error (implicit
        rejection); one of another length is Error.LENGTH.
        """
        return _girih.decapsulate(self._key, ciphertext)


class KemPreparedEncapsulationKey(PreparedPublicKey[A]):
    """A public key prepared for encapsulating many secrets.

    Serves any number of threads. Raises Error.PUBLIC_KEY for malformed bytes.
    """

    __slots__ = ()
    _prepare = _girih.PreparedEncapsulation

    def encapsulate(self, *, random: RandomCallable | None = None) -> Encapsulation:
        """Same result as EncapsulationKey.encapsulate."""
        return Encapsulation(*_girih.encapsulate_prepared(self._key, random))


class KemPreparedDecapsulationKey(Decapsulating[A, E], PreparedSecretKey[A]):
    """A secret key prepared for decapsulating many ciphertexts.

    Serves any number of threads; wiped like a DecapsulationKey.
    """

    __slots__ = ()
    _prepare = _girih.PreparedDecapsulation

    def decapsulate(self, ciphertext: Buffer) -> SecretBytes:
        """Same result as DecapsulationKey.decapsulate."""
        return _girih.decapsulate(self._key, ciphertext)


class KemAlgorithm(Algorithm):
    """A KEM: a class with the classes of its keys, which is never instantiated."""

    ciphertext_bytes: ClassVar[int]
    shared_secret_bytes: ClassVar[int]
    _sizes = (*Algorithm._sizes, "ciphertext_bytes", "shared_secret_bytes")

    @overload
    @classmethod
    def encapsulate_many(
        cls,
        public_keys: PublicKeys[Self],
        *,
        count: int = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Literal["list"] | None = ...,
        on_error: OnError = ...,
    ) -> tuple[list[bytes | None], list[bytes | None]]: ...
    @overload
    @classmethod
    def encapsulate_many(
        cls,
        public_keys: PublicColumn[Self],
        *,
        count: int = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Literal["numpy"],
        on_error: OnError = ...,
    ) -> tuple[Array, Array]: ...
    @overload
    @classmethod
    def encapsulate_many(
        cls,
        public_keys: PublicColumn[Self],
        *,
        count: int = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Kind | None = ...,
        on_error: OnError = ...,
    ) -> tuple[Any, Any]: ...
    @classmethod
    def encapsulate_many(
        cls,
        public_keys: Any,
        *,
        count: int = 1,
        random: RandomCallable | None = None,
        threads: int = 1,
        progress: Progress | None = None,
        columns: Kind | None = None,
        on_error: OnError = "raise",
    ) -> tuple[Any, Any]:
        """(ciphertexts, shared secrets) for a column of public keys, or `count` for one key.

        Columns and failures are as in verify_many and sign_many of the signature algorithms. The
        caller wipes the secrets.
        """
        target = _columns.demand_choices(on_error, columns, public_keys)
        codes, ciphertexts, secrets, cause = _girih.encapsulate_many(
            cls._algorithm, cls._keys(public_keys, secret=False), count, random, threads, progress
        )
        made = (
            _columns.byte_rows(codes, ciphertexts, cls.ciphertext_bytes, target),
            _columns.byte_rows(codes, secrets, cls.shared_secret_bytes, target, secret=True),
        )
        finished: tuple[Any, Any] = _columns.finish(
            "encapsulate_many", codes, made, on_error, cause
        )
        return finished

    @overload
    @classmethod
    def decapsulate_many(
        cls,
        keys: SecretKeys[Self],
        ciphertexts: Rows,
        *,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> list[bytes | None]: ...
    @overload
    @classmethod
    def decapsulate_many(
        cls,
        keys: SecretColumn[Self],
        ciphertexts: Array,
        *,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> Array: ...
    @overload
    @classmethod
    def decapsulate_many(
        cls,
        keys: SecretColumn[Self],
        ciphertexts: NoArray,
        *,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> Any: ...
    @classmethod
    def decapsulate_many(
        cls,
        keys: Any,
        ciphertexts: Any,
        *,
        threads: int = 1,
        progress: Progress | None = None,
        on_error: OnError = "raise",
    ) -> Any:
        """The shared secrets of many ciphertexts, under one key, several, or a column of keys.

        Raw keys are checked as by DecapsulationKey.from_bytes. The caller wipes the secrets.
        """
        target = _columns.demand_choices(on_error, None, ciphertexts, keys)
        codes, secrets = _girih.decapsulate_many(
            cls._algorithm, cls._keys(keys, secret=True), ciphertexts, threads, progress
        )
        made = _columns.byte_rows(codes, secrets, cls.shared_secret_bytes, target, secret=True)
        return _columns.finish("decapsulate_many", codes, made, on_error)
