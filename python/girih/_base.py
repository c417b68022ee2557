"""The base of all algorithms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, Union, cast, overload

from girih import _columns, _girih
from girih._errors import Error, InputException
from girih._secret import Guarded, SecretBytes

A = TypeVar("A", bound="Algorithm", covariant=True)  # the algorithm of a key
K = TypeVar("K")

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self, TypeAlias, TypeGuard

    from girih._columns import Array, Column, Kind, OnError, Rows

    RandomCallable = Callable[[int], Buffer]
    Progress = Callable[[int, int], object]
    OneKey: TypeAlias = Union[bytes, bytearray, memoryview, SecretBytes]
    KeyRows: TypeAlias = Union[K, OneKey, Sequence[Union[K, OneKey, None]]]
    KeyColumn: TypeAlias = Union[K, Column, Iterable[Union[K, Buffer, None]]]
    PublicKeys: TypeAlias = KeyRows["PublicBytes[A]"]
    PublicColumn: TypeAlias = KeyColumn["PublicBytes[A]"]
    SecretKeys: TypeAlias = KeyRows["WipedKey[A]"]
    SecretColumn: TypeAlias = KeyColumn["WipedKey[A]"]


class Random:
    """A source of randomness with an attribute `piecewise`.

    Any callable that takes a number of bytes and returns as many is a source as well. NTRU Prime
    draws 32 bytes in one request; if `piecewise` is true, it makes a request for every piece that
    its specification draws, as in the generation of known answers.
    """

    def __init__(self, fill: RandomCallable, *, piecewise: bool = False) -> None:
        self._fill = fill
        self.piecewise = bool(piecewise)

    def __call__(self, count: int) -> Buffer:
        return self._fill(count)


class Member:
    """The base of an algorithm's classes, such as `ml_dsa_65.SigningKey`."""

    __slots__ = ()
    _algorithm: ClassVar[_girih.Algorithm]
    _namespace: ClassVar[type[Algorithm]]


class Algorithm:
    """An algorithm: a class with the classes of its keys, which is never instantiated."""

    name: ClassVar[str]
    seed_bytes: ClassVar[int]
    public_key_bytes: ClassVar[int]
    secret_key_bytes: ClassVar[int]
    _sizes: ClassVar[tuple[str, ...]] = ("seed_bytes", "public_key_bytes", "secret_key_bytes")
    _algorithm: ClassVar[_girih.Algorithm]

    def __init_subclass__(cls, name: str | None = None) -> None:
        if name is None:
            return
        known = _girih.algorithm(name)
        if known is None:  # left out of this build
            return
        cls._algorithm = known
        cls.name = known.name
        for size in cls._sizes:
            setattr(cls, size, getattr(known, size))
        sizes = f"public key {known.public_key_bytes} bytes, secret key {known.secret_key_bytes}"
        if known.is_kem:
            sizes += (
                f", ciphertext {known.ciphertext_bytes}, shared secret {known.shared_secret_bytes}"
            )
        else:
            sizes += f", signature {'' if known.has_mu else 'at most '}{known.signature_bytes}"
        cls.__doc__ = f"{known.name}: {sizes}, seed {known.seed_bytes}."
        for member in vars(cls).values():
            if isinstance(member, type) and issubclass(member, Member):
                member._algorithm = known
                member._namespace = cls
                member.__doc__ = f"{known.name} ({sizes}, seed {known.seed_bytes}).\n\n{member.__mro__[1].__doc__}"
        by_name[known.name] = cls

    @classmethod
    def _keys(cls, keys: Any, *, secret: bool) -> Any:
        """Converts keys, alone or in a sequence, for the extension.

        A key of another algorithm or kind is a TypeError, in a sequence too.
        """

        def fits(key: object) -> TypeGuard[Key[Any]]:
            return is_key(key) and key._namespace is cls and isinstance(key, WipedKey) is secret

        if fits(keys):
            return keys._key
        name, kind = ("keys", "secret") if secret else ("public_keys", "public")

        def demand(key: object, place: str) -> None:
            if is_key(key):
                raise TypeError(
                    f"{place}: {type(key).__qualname__} is no {kind} key of {cls.name}"
                    + ("" if secret else hint(key))
                )

        demand(keys, name)
        if _columns.has_bytes(keys) or not isinstance(keys, Iterable):
            return keys
        rows: list[object] = []
        for key in cast("Iterable[object]", keys):
            if not fits(key):
                demand(key, f"row {len(rows)} of {name}")
            rows.append(key._key if fits(key) else key)
        return rows

    @overload
    @classmethod
    def keygen_many(
        cls,
        seeds: None = ...,
        *,
        count: int,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Literal["list"] | None = ...,
        on_error: Literal["raise"] = ...,
    ) -> tuple[list[bytes], list[bytes]]: ...
    @overload
    @classmethod
    def keygen_many(
        cls,
        seeds: Rows,
        *,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Literal["list"] | None = ...,
        on_error: OnError = ...,
    ) -> tuple[list[bytes | None], list[bytes | None]]: ...
    @overload
    @classmethod
    def keygen_many(
        cls,
        seeds: Column | None = ...,
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
    def keygen_many(
        cls,
        seeds: Column | None = ...,
        *,
        count: int = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        columns: Kind | None = ...,
        on_error: OnError = ...,
    ) -> tuple[Any, Any]: ...
    @classmethod
    def keygen_many(
        cls,
        seeds: Any = None,
        *,
        count: int = 0,
        random: RandomCallable | None = None,
        threads: int = 1,
        progress: Progress | None = None,
        columns: Kind | None = None,
        on_error: OnError = "raise",
    ) -> tuple[Any, Any]:
        """(public keys, secret keys) of many seeds, or of `count` new key pairs.

        The caller wipes the secret keys: with `columns="numpy"` they are in memory that can be
        wiped.
        """
        target = _columns.demand_choices(on_error, columns, seeds)
        codes, public, secret, cause = _girih.keygen_many(
            cls._algorithm, seeds, count, random, threads, progress
        )
        made = (
            _columns.byte_rows(codes, public, cls.public_key_bytes, target),
            _columns.byte_rows(codes, secret, cls.secret_key_bytes, target, secret=True),
        )
        finished: tuple[Any, Any] = _columns.finish("keygen_many", codes, made, on_error, cause)
        return finished


by_name: dict[str, type[Algorithm]] = {}


def find(algorithm: object) -> type[Algorithm]:
    """An algorithm that is given itself or by its name. KeyError if unknown."""
    if isinstance(algorithm, str):
        found = _girih.algorithm(algorithm)
        if found is None:
            raise KeyError(f"no algorithm {algorithm!r}; there are {', '.join(by_name)}")
        return by_name[found.name]
    if (
        not isinstance(algorithm, type)
        or not issubclass(algorithm, Algorithm)
        or not hasattr(algorithm, "name")
    ):
        raise TypeError(
            f"algorithm must be one of girih's, such as girih.ml_dsa_65, or its name, not {algorithm!r}"
        )
    return algorithm


class Key(Member, Generic[A]):
    """A key of one algorithm. Keys are equal if they have the same class and public key."""

    __slots__ = ("_key", "_public")
    _key: Any  # the extension's key
    _public: bytes

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._public == other._public

    def __hash__(self) -> int:
        return hash((type(self), self._public))

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__} {self._public[:8].hex()}...>"


class PublicBytes(Key[A]):
    """A public key, prepared or not. Pickles as its bytes."""

    __slots__ = ()

    def __bytes__(self) -> bytes:
        return self._public

    def bytes(self) -> bytes:
        """The bytes in the standard's encoding."""
        return self._public

    def __reduce__(self) -> tuple[Any, ...]:
        member = type(self).__name__
        if getattr(self._namespace, member, None) is type(self):  # found by its name
            return _public_key, (self._algorithm.name, member, self._public)
        return type(self), (self._public,)


def _public_key(algorithm: str, member: str, data: bytes) -> Any:
    return getattr(by_name[algorithm], member)(data)


class PublicKey(PublicBytes[A]):
    """The bytes of a public key."""

    __slots__ = ()
    _key: bytes

    def __init__(self, data: PublicBytes[A] | Buffer) -> None:
        self._key = self._public = bytes_of(self, data)
        wanted = self._algorithm.public_key_bytes
        if len(self._key) != wanted:
            raise InputException(
                Error.PUBLIC_KEY_LENGTH,
                "public_key",
                f"{len(self._key)} bytes, {self._algorithm.name} has {wanted}",
            )


class PreparedPublicKey(PublicBytes[A]):
    """A prepared public key. Pickles as the key's bytes."""

    __slots__ = ()
    _prepare: ClassVar[type[Any]]

    def __init__(self, key: PublicBytes[A] | Buffer) -> None:
        self._public = bytes_of(self, key)
        self._key = self._prepare(self._algorithm, self._public)


def is_key(value: object) -> TypeGuard[Key[Any]]:
    return isinstance(value, Key)


def hint(key: object) -> str:
    """Where the public key of a secret key is, for errors."""
    methods = ("verifying_key", "encapsulation_key")
    return "".join(f": use its {method}()" for method in methods if hasattr(key, method))


def bytes_of(self: Member, key: PublicBytes[Any] | Buffer) -> bytes:
    """The bytes of a public key of this algorithm."""
    if isinstance(key, Key):
        if not isinstance(key, PublicBytes) or key._algorithm is not self._algorithm:
            raise TypeError(
                f"public_key must be a public key of {self._algorithm.name} or its bytes, "
                f"not {type(key).__qualname__}{hint(key)}"
            )
        return key.bytes()
    return _girih.to_bytes(key, "public_key")


class WipedKey(Guarded, Key[A]):
    """The base of secret keys, which the extension holds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{'wiped ' if self.wiped else ''}{type(self).__qualname__}>"

    def wipe(self) -> None:
        """Overwrites the key as soon as no thread uses it."""
        self._key.wipe()

    @property
    def wiped(self) -> bool:
        """Whether the key was wiped."""
        wiped: bool = self._key.wiped
        return wiped


class SecretKey(WipedKey[A]):
    """A secret key with its public key, in memory that is wiped on destruction.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused. Keys are compared by their bytes, in constant time; a
    wiped one is equal only to itself.
    """

    __slots__ = ()
    _key: _girih.KeyPair

    def __init__(self) -> None:
        raise TypeError(
            f"{type(self).__qualname__} is made by generate(), from_seed() or from_bytes()"
        )

    @classmethod
    def _of(cls, pair: _girih.KeyPair) -> Self:
        made = cls.__new__(cls)
        made._key, made._public = pair, pair.public_key()
        return made

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or self._key.equals(other._key)

    def __hash__(self) -> int:
        return super().__hash__()

    @classmethod
    def generate(cls, *, random: RandomCallable | None = None, checked: bool = False) -> Self:
        """A new key. Constant time, except for rejected candidates.

        `random` takes a number of bytes and returns as many; None is the operating system.
        `checked` makes a pairwise consistency check: Error.FAULT. Raises Error.RANDOM if `random`
        raises.
        """
        return cls._of(_girih.KeyPair.generate(cls._algorithm, checked, random))

    @classmethod
    def from_seed(cls, seed: Buffer) -> Self:
        """The key of a seed of `seed_bytes`, which is as secret as the key. Constant time."""
        return cls._of(_girih.KeyPair.from_seed(cls._algorithm, seed, False))

    @classmethod
    def from_bytes(cls, secret_key: Buffer) -> Self:
        """A key from a secret key's bytes, with every check that they allow.

        Raises Error.SECRET_KEY_LENGTH, Error.SECRET_KEY or Error.KEY_MISMATCH. Constant time,
        except for the verdict.
        """
        return cls._of(_girih.KeyPair.from_bytes(cls._algorithm, secret_key))

    def bytes(self) -> SecretBytes:
        """A copy of the secret key's bytes, which the caller wipes."""
        return self._key.secret_key()

    def seed(self) -> SecretBytes | None:
        """A copy of the seed, if the key has one; new keys of NTRU Prime and Falcon do not."""
        return self._key.seed()


class PreparedSecretKey(WipedKey[A]):
    """A prepared secret key."""

    __slots__ = ()
    _prepare: ClassVar[type[Any]]

    def __init__(self, key: SecretKey[A]) -> None:
        self._key, self._public = self._prepare(pair_of(self, key)), key._public


def pair_of(self: Member, key: SecretKey[Any]) -> _girih.KeyPair:
    """The extension's key of a secret key of this algorithm."""
    if not isinstance(key, SecretKey) or key._algorithm is not self._algorithm:
        raise TypeError(
            f"key must be a secret key of {self._algorithm.name}, not {type(key).__qualname__}"
        )
    return key._key
