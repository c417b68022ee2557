"""Hybrid KEMs of ML-KEM and a curve: X-Wing, MLKEM768-P256 and MLKEM1024-P384.

    import girih.hybrids

    key = girih.hybrids.x_wing.DecapsulationKey.generate()
    ciphertext, secret = key.encapsulation_key().encapsulate()
    assert key.decapsulate(ciphertext) == secret

draft-irtf-cfrg-concrete-hybrid-kems-04 defines all three; its MLKEM768-X25519 is X-Wing
(draft-connolly-cfrg-xwing-kem-10). Later drafts may be incompatible. The package cryptography
computes the curves, in constant time as far as it promises that. Seeds, ML-KEM's keys and shared
secrets are kept in memory that is wiped, but copies of seeds, scalars and the curve's secrets are
left in Python's `bytes` and `int`, which nobody can wipe.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from girih import _girih
from girih._base import PublicBytes, bytes_of
from girih._errors import Error, InputException
from girih._errors import Exception as GirihException
from girih._kems import Decapsulating, E, Encapsulation, KemAlgorithm
from girih._secret import SecretBytes
from girih.algorithms import ml_kem_768, ml_kem_1024

try:
    from cryptography.hazmat.primitives.asymmetric import ec, x25519
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
except ImportError as cause:
    raise ImportError(
        "girih.hybrids and girih.hpke need the package cryptography: pip install 'girih[hpke]'"
    ) from cause

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

    from girih._base import RandomCallable


class _Curve(NamedTuple):
    """A nominal group (concrete-hybrid-kems, Section 3.1), by functions of cryptography."""

    seed_bytes: int
    element_bytes: int
    refused: str
    private: Callable[[bytes], Any]  # RandomScalar
    element: Callable[[bytes], Any]
    encoding: tuple[Encoding, PublicFormat]
    exchange: tuple[Any, ...] = ()


def _nist(curve: ec.EllipticCurve, order: int, seed_bytes: int) -> _Curve:
    scalar_bytes = curve.key_size // 8

    def private(seed: bytes) -> ec.EllipticCurvePrivateKey:
        for start in range(0, seed_bytes, scalar_bytes):
            scalar = int.from_bytes(seed[start : start + scalar_bytes], "big")
            if 0 < scalar < order:
                return ec.derive_private_key(scalar, curve)
        raise GirihException(
            Error.RANDOM, "random", "no scalar of it is between 0 and the curve's order"
        )

    return _Curve(
        seed_bytes,
        1 + 2 * scalar_bytes,
        f"its P-{curve.key_size} half is not an uncompressed point of the curve",
        private,
        functools.partial(ec.EllipticCurvePublicKey.from_encoded_point, curve),
        (Encoding.X962, PublicFormat.UncompressedPoint),
        (ec.ECDH(),),
    )


_X25519 = _Curve(
    32,
    32,
    "its X25519 half has small order",
    x25519.X25519PrivateKey.from_private_bytes,
    x25519.X25519PublicKey.from_public_bytes,
    (Encoding.Raw, PublicFormat.Raw),
)
_P256 = _nist(
    ec.SECP256R1(), 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551, 128
)
_P384 = _nist(
    ec.SECP384R1(),
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF << 128
    | 0x581A0DB248B0A77AECEC196ACCC52973,
    48,
)


def _draw(count: int, random: RandomCallable | None) -> bytes:
    if random is None:
        return os.urandom(count)
    try:
        drawn = _girih.to_bytes(random(count), "what random returns")
        if len(drawn) != count:
            raise ValueError(f"random returned {len(drawn)} bytes of {count}")
    except Exception as cause:
        raise GirihException(Error.RANDOM, "random", "the source of randomness failed") from cause
    return drawn


def _demand_length(
    data: bytes | SecretBytes, wanted: int, error: Error, place: str, name: str
) -> None:
    if len(data) != wanted:
        raise InputException(error, place, f"{len(data)} bytes, {name} has {wanted}")


class HybridKem:
    """A hybrid KEM: a class with the classes of its keys, which is never instantiated."""

    name: ClassVar[str]
    seed_bytes: ClassVar[int] = 32
    public_key_bytes: ClassVar[int]
    ciphertext_bytes: ClassVar[int]
    shared_secret_bytes: ClassVar[int] = 32
    _ml_kem: ClassVar[Any]
    _curve: ClassVar[_Curve]
    _label: ClassVar[bytes]

    def __init_subclass__(
        cls, name: str, ml_kem: type[KemAlgorithm], curve: _Curve, label: bytes
    ) -> None:
        cls.name, cls._ml_kem, cls._curve, cls._label = name, ml_kem, curve, label
        cls.public_key_bytes = ml_kem.public_key_bytes + curve.element_bytes
        cls.ciphertext_bytes = ml_kem.ciphertext_bytes + curve.element_bytes
        namespace: Any = cls
        for member in (namespace.EncapsulationKey, namespace.DecapsulationKey):
            member._algorithm = member._namespace = cls

    @classmethod
    def _split(cls, data: bytes) -> tuple[bytes, bytes]:
        return data[: -cls._curve.element_bytes], data[-cls._curve.element_bytes :]

    @classmethod
    def _public(cls, private: Any) -> bytes:
        element: bytes = private.public_key().public_bytes(*cls._curve.encoding)
        return element

    @classmethod
    def _combine(
        cls, first: SecretBytes, private: Any, peer: bytes, share: bytes, public: bytes, place: str
    ) -> SecretBytes:
        """C2PRICombiner (hybrid-kems, Section 5.1.3) of ML-KEM's secret and the curve's."""
        with first:
            try:
                second = private.exchange(*cls._curve.exchange, cls._curve.element(peer))
            except ValueError as cause:
                error = Error.PUBLIC_KEY if place == "public_key" else Error.ARGUMENT
                raise InputException(error, place, cls._curve.refused) from cause
            combined = hashlib.sha3_256(first)
            combined.update(second + share + public + cls._label)
            return SecretBytes(combined.digest())


class HybridEncapsulationKey(PublicBytes[Any]):
    """A public key, which encapsulates secrets for its owner. Pickles as its bytes."""

    __slots__ = ()
    _namespace: ClassVar[Any]

    def __init__(self, data: Self | Buffer) -> None:
        self._key = self._public = bytes_of(self, data)
        kem = self._namespace
        _demand_length(
            self._public, kem.public_key_bytes, Error.PUBLIC_KEY_LENGTH, "public_key", kem.name
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._public,)

    def encapsulate(self, *, random: RandomCallable | None = None) -> Encapsulation:
        """A new shared secret of 32 bytes, and its ciphertext.

        Draws 32 bytes for ML-KEM, then 32 for X25519, 128 for P-256 or 48 for P-384. Raises
        Error.RANDOM, and Error.PUBLIC_KEY if a coefficient of ML-KEM's half is not below q, or the
        curve's half is not on the curve, or of small order (X25519).
        """
        kem = self._namespace
        ml_kem, element = kem._split(self._public)
        ciphertext, secret = kem._ml_kem.EncapsulationKey(ml_kem).encapsulate(random=random)
        private = kem._curve.private(_draw(kem._curve.seed_bytes, random))
        share = kem._public(private)
        return Encapsulation(
            ciphertext + share, kem._combine(secret, private, element, share, element, "public_key")
        )


class HybridDecapsulationKey(Decapsulating[Any, E]):
    """A secret key: a seed of 32 bytes, in memory that is wiped on destruction.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ("_private", "_seed")
    _namespace: ClassVar[Any]
    _private: Any
    _seed: SecretBytes

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__qualname__} is made by generate() or from_seed()")

    @classmethod
    def generate(cls, *, random: RandomCallable | None = None) -> Self:
        """The key of a new seed. Raises Error.RANDOM if `random` raises."""
        return cls.from_seed(_draw(32, random))

    @classmethod
    def from_seed(cls, seed: Buffer) -> Self:
        """The key of a seed of 32 bytes, which the drafts call the decapsulation key."""
        made, kem = cls.__new__(cls), cls._namespace
        made._seed = SecretBytes(_girih.to_bytes(seed, "seed"))
        _demand_length(made._seed, 32, Error.LENGTH, "seed", kem.name)
        expanded = hashlib.shake_256(made._seed).digest(64 + kem._curve.seed_bytes)
        made._key, made._private = (
            kem._ml_kem.DecapsulationKey.from_seed(expanded[:64]),
            kem._curve.private(expanded[64:]),
        )
        made._public = made._key.encapsulation_key().bytes() + kem._public(made._private)
        return made

    def wipe(self) -> None:
        """Overwrites the key as soon as no thread uses it; the curve's half is cryptography's."""
        super().wipe()
        self._private = None
        self._seed.wipe()

    def seed(self) -> SecretBytes:
        """A copy of the seed, which the caller wipes."""
        return SecretBytes(self._seed)

    def decapsulate(self, ciphertext: Buffer) -> SecretBytes:
        """The shared secret of a ciphertext.

        A changed ciphertext gives another secret and no error, unless its share is not on the
        curve, or of small order (X25519): Error.ARGUMENT. One of another length is Error.LENGTH.
        """
        kem, private, data = (
            self._namespace,
            self._private,
            _girih.to_bytes(ciphertext, "ciphertext"),
        )
        _demand_length(data, kem.ciphertext_bytes, Error.LENGTH, "ciphertext", kem.name)
        ml_kem, share = kem._split(data)
        made: SecretBytes = kem._combine(
            self._key.decapsulate(ml_kem),
            private,
            share,
            share,
            kem._split(self._public)[1],
            "ciphertext",
        )
        return made


class x_wing(HybridKem, name="X-Wing", ml_kem=ml_kem_768, curve=_X25519, label=b"\\.//^\\"):
    class EncapsulationKey(HybridEncapsulationKey): ...

    class DecapsulationKey(HybridDecapsulationKey["x_wing.EncapsulationKey"]): ...


class mlkem768_p256(
    HybridKem, name="MLKEM768-P256", ml_kem=ml_kem_768, curve=_P256, label=b"MLKEM768-P256"
):
    class EncapsulationKey(HybridEncapsulationKey): ...

    class DecapsulationKey(HybridDecapsulationKey["mlkem768_p256.EncapsulationKey"]): ...


class mlkem1024_p384(
    HybridKem, name="MLKEM1024-P384", ml_kem=ml_kem_1024, curve=_P384, label=b"MLKEM1024-P384"
):
    class EncapsulationKey(HybridEncapsulationKey): ...

    class DecapsulationKey(HybridDecapsulationKey["mlkem1024_p384.EncapsulationKey"]): ...
