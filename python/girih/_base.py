"""What the faces of all algorithms share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from girih import _girih
from girih._errors import Error, InputException
from girih._secret import Guarded, SecretBytes

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

    RandomCallable = Callable[[int], Buffer]
    Progress = Callable[[int, int], object]


class Random:
    """A source of randomness that says how it wants to be asked.

    A plain callable, which takes a number of bytes and returns as many, does wherever `random` is
    taken. NTRU Prime draws 32 bytes in one request, unless `piecewise` is true: then every piece
    that its specification draws is a request, as known answers are generated.
    """

    def __init__(self, fill: RandomCallable, *, piecewise: bool = False) -> None:
        self._fill = fill
        self.piecewise = piecewise

    def __call__(self, count: int) -> Buffer:
        return self._fill(count)


class Member:
    """A class of one algorithm: `ml_dsa_65.SigningKey` and the like."""

    __slots__ = ()
    _algorithm: ClassVar[_girih.Algorithm]
    _namespace: ClassVar[type[Algorithm]]


class Algorithm:
    """An algorithm: a class with the classes of its keys, which is never instantiated."""

    name: ClassVar[str]
    seed_bytes: ClassVar[int]
    public_key_bytes: ClassVar[int]
    secret_key_bytes: ClassVar[int]
    _algorithm: ClassVar[_girih.Algorithm]

    def __init_subclass__(cls, name: str | None = None) -> None:
        if name is None:
            return
        known = _girih.algorithm(name)
        if known is None:  # left out of this build
            return
        cls._algorithm = known
        cls.name = known.name
        cls.seed_bytes = known.seed_bytes
        cls.public_key_bytes = known.public_key_bytes
        cls.secret_key_bytes = known.secret_key_bytes
        sizes = f"public key {known.public_key_bytes} bytes, secret key {known.secret_key_bytes}"
        if known.is_kem:
            sizes += f", ciphertext {known.ciphertext_bytes}, shared secret {known.shared_secret_bytes}"
        else:
            sizes += f", signature {'' if known.has_mu else 'at most '}{known.signature_bytes}"
        cls.__doc__ = f"{known.name}: {sizes}, seed {known.seed_bytes}."
        for member in vars(cls).values():
            if isinstance(member, type) and issubclass(member, Member):
                member._algorithm = known
                member._namespace = cls
                member.__doc__ = f"{known.name} ({sizes}, seed {known.seed_bytes}).\n\n{member.__mro__[1].__doc__}"
        by_name[known.name] = cls


by_name: dict[str, type[Algorithm]] = {}


class PublicKey(Member):
    """The bytes of a public key."""

    __slots__ = ("_bytes",)

    def __init__(self, data: Buffer) -> None:
        self._bytes = bytes(memoryview(data))
        wanted = self._algorithm.public_key_bytes
        if len(self._bytes) != wanted:
            raise InputException(Error.LENGTH, "public_key",
                                 f"{len(self._bytes)} bytes, {self._algorithm.name} has {wanted}")

    def __bytes__(self) -> bytes:
        return self._bytes

    def bytes(self) -> bytes:
        """The bytes, as the standard encodes them."""
        return self._bytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash((type(self), self._bytes))

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__} {self._bytes[:8].hex()}...>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _public_key, (self._algorithm.name, type(self).__name__, self._bytes)


def _public_key(algorithm: str, member: str, data: bytes) -> Any:
    return getattr(by_name[algorithm], member)(data)


class SecretKey(Guarded, Member):
    """A secret key with its public key, in memory that is wiped when its life ends.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ("_pair",)
    _pair: _girih.KeyPair

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__qualname__} is made by generate(), from_seed() or from_bytes()")

    @classmethod
    def _of(cls, pair: _girih.KeyPair) -> Self:
        made = cls.__new__(cls)
        made._pair = pair
        return made

    @classmethod
    def generate(cls, *, random: RandomCallable | None = None, checked: bool = False) -> Self:
        """A new key. Constant time but for what is thrown away.

        `random` takes a number of bytes and returns as many; None is the operating system.
        `checked` tries the pair out before it is given away: Error.FAULT. Raises Error.RANDOM, from
        what `random` raised.
        """
        return cls._of(_girih.KeyPair.generate(cls._algorithm, checked, random))

    @classmethod
    def from_seed(cls, seed: Buffer) -> Self:
        """The key of a seed of `seed_bytes`, which is as secret as the key. Constant time."""
        return cls._of(_girih.KeyPair.from_seed(cls._algorithm, seed, False))

    @classmethod
    def from_bytes(cls, secret_key: Buffer) -> Self:
        """A key from the bytes of another, with every check that they allow.

        Raises Error.LENGTH, Error.SECRET_KEY or Error.KEY_MISMATCH. Constant time but for the
        verdict.
        """
        return cls._of(_girih.KeyPair.from_bytes(cls._algorithm, secret_key))

    def bytes(self) -> SecretBytes:
        """A copy of the secret key's bytes, to be wiped by whoever asked for it."""
        return SecretBytes(self._pair.secret_key())

    def seed(self) -> SecretBytes | None:
        """A copy of the seed, if the key has one; new keys of NTRU Prime and Falcon do not."""
        seed = self._pair.seed()
        return None if seed is None else SecretBytes(seed)

    def wipe(self) -> None:
        """Overwrites the key, as soon as no thread works with it."""
        self._pair.wipe()

    @property
    def wiped(self) -> bool:
        """Whether the key is gone."""
        return self._pair.wiped

    def __repr__(self) -> str:
        return f"<{'wiped ' if self.wiped else ''}{type(self).__qualname__}>"


def single_or_column(keys: Any, handle: Callable[[Any], Any]) -> Any:
    """Keys for the extension: a key's own object instead of ours, alone or in a sequence."""
    found = handle(keys)
    if found is not None:
        return found
    if isinstance(keys, (list, tuple)):
        rows = cast("list[object]", keys)
        return [key if key is None else (handle(key) or key) for key in rows]
    return keys
