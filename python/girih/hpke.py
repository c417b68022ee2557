"""HPKE (RFC 9180) in base and PSK mode: encryption to a public key of ML-KEM or a hybrid KEM.

    import girih.hpke
    from girih.hybrids import x_wing

    suite = girih.hpke.Suite("HKDF-SHA256", "ChaCha20-Poly1305")
    key = x_wing.DecapsulationKey.generate()
    enc, ciphertext = suite.seal(key.encapsulation_key(), b"message", info=b"its purpose")
    assert suite.open(key, enc, ciphertext, info=b"its purpose") == b"message"

These KEMs, SHAKE128 and SHAKE256 are of draft-ietf-hpke-pq-04; later drafts may be incompatible.
Base mode does not authenticate the sender. PSK mode authenticates whoever has a secret that both
sides share: `psk=(secret, identifier)`, of at least 32 random bytes and one byte. Senders and
recipients belong to the process that made them: after a fork, the child makes its own. The AEADs
are of the package cryptography. Copies of secrets are left in Python's `bytes`, which nobody can
wipe.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Tuple, Union

from girih import _girih
from girih._errors import Error, InputException
from girih._kems import KemDecapsulationKey, KemEncapsulationKey
from girih._secret import Guarded, SecretBytes
from girih.hybrids import (
    HybridDecapsulationKey,
    HybridEncapsulationKey,
)  # which checks for cryptography

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

if TYPE_CHECKING:
    from typing_extensions import Buffer

    Psk = Optional[Tuple[Buffer, Buffer]]

    from girih._base import RandomCallable

Kdf = Literal["HKDF-SHA256", "HKDF-SHA384", "HKDF-SHA512", "SHAKE128", "SHAKE256"]
Aead = Literal["AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305", "Export-only"]
PublicKey = Union[KemEncapsulationKey[Any], HybridEncapsulationKey]
SecretKey = Union[KemDecapsulationKey[Any, Any], HybridDecapsulationKey[Any]]

_KEMS = {
    "ML-KEM-512": 0x40,
    "ML-KEM-768": 0x41,
    "ML-KEM-1024": 0x42,
    "MLKEM768-P256": 0x50,
    "MLKEM1024-P384": 0x51,
    "X-Wing": 0x647A,
}
_KDFS: dict[str, tuple[int, Any, int]] = {  # identifier, hash, Nh
    "HKDF-SHA256": (1, hashes.SHA256(), 32),
    "HKDF-SHA384": (2, hashes.SHA384(), 48),
    "HKDF-SHA512": (3, hashes.SHA512(), 64),
    "SHAKE128": (0x10, hashlib.shake_128, 32),
    "SHAKE256": (0x11, hashlib.shake_256, 64),
}
_AEADS: dict[str, tuple[int, Any, int, int]] = {  # identifier, class, Nk, Nn
    "AES-128-GCM": (1, AESGCM, 16, 12),
    "AES-256-GCM": (2, AESGCM, 32, 12),
    "ChaCha20-Poly1305": (3, ChaCha20Poly1305, 32, 12),
    "Export-only": (0xFFFF, None, 0, 0),
}

_forks = 0  # between the first process that loaded this module and this one


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


def _process() -> tuple[int, int]:
    """Differs between a process and its descendants. A process ID alone is not enough, because the
    system reuses them; a count of forks alone misses forks by C code."""
    return os.getpid(), _forks


class _Inputs(NamedTuple):
    """Both sides have the same, beside the KEM's shared secret."""

    mode: bytes
    info: bytes
    psk: bytes
    psk_id: bytes


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


class _Context(Guarded):
    """The keys of both sides, and the number of the next message. Any number of threads may use it.

    A forked process has a copy of both, and would use the nonces of this one: it is refused.
    """

    def __init__(
        self, suite: Suite, kem: bytes, shared_secret: SecretBytes, inputs: _Inputs
    ) -> None:
        kdf, self._hash, self._hash_bytes = _KDFS[suite.kdf]
        aead, aead_class, key_bytes, self._nonce_bytes = _AEADS[suite.aead]
        self._suite = b"HPKE" + kem + kdf.to_bytes(2, "big") + aead.to_bytes(2, "big")
        self._one_stage = suite.kdf.startswith("SHAKE")
        lengths = key_bytes, self._nonce_bytes, self._hash_bytes
        with shared_secret:
            secret = bytes(shared_secret)
        if self._one_stage:  # CombineSecrets_OneStage (draft-ietf-hpke-hpke)
            context = inputs.mode + _prefixed(inputs.psk_id) + _prefixed(inputs.info)
            made = self._derive(
                _prefixed(inputs.psk) + _prefixed(secret), b"secret", context, sum(lengths)
            )
        else:  # KeySchedule (RFC 9180, Section 5.1)
            context = (
                inputs.mode
                + self._extract(b"", b"psk_id_hash", inputs.psk_id)
                + self._extract(b"", b"info_hash", inputs.info)
            )
            secret = self._extract(secret, b"secret", inputs.psk)
            made = b"".join(
                self._derive(secret, label, context, length)
                for label, length in zip((b"key", b"base_nonce", b"exp"), lengths)
                if length > 0  # Export-only has neither key nor nonce
            )
        self._aead: Any = aead_class(made[:key_bytes]) if aead_class is not None else None
        self._base_nonce = int.from_bytes(made[key_bytes : -self._hash_bytes], "big")
        self._exporter = SecretBytes(made[-self._hash_bytes :])
        self._sequence, self._lock, self._made_in = 0, threading.Lock(), _process()

    def _extract(self, salt: bytes, label: bytes, ikm: bytes) -> bytes:
        """LabeledExtract (RFC 9180, Section 4)."""
        return hmac.digest(salt, b"HPKE-v1" + self._suite + label + ikm, self._hash.name)

    def _derive(self, secret: bytes, label: bytes, context: bytes, length: int) -> bytes:
        """LabeledExpand (RFC 9180, Section 4), or LabeledDerive (draft-ietf-hpke-hpke)."""
        suite = b"HPKE-v1" + self._suite
        if self._one_stage:
            data = secret + suite + _prefixed(label) + length.to_bytes(2, "big") + context
            derived: bytes = self._hash(data).digest(length)
            return derived
        return HKDFExpand(
            self._hash, length, length.to_bytes(2, "big") + suite + label + context
        ).derive(secret)

    def wipe(self) -> None:
        """Overwrites the exporter's secret; the AEAD's key is cryptography's."""
        if self._made_in != _process():  # where no thread would release the lock that another held
            self._lock = threading.Lock()
        with self._lock:
            self._aead = None
        self._exporter.wipe()

    def export(self, context: Buffer, length: int) -> SecretBytes:
        """A secret of both sides (RFC 9180, Section 5.3): 65535 bytes at most, HKDF: 255 hashes."""
        most = 65535 if self._one_stage else 255 * self._hash_bytes
        if not 0 <= length <= most:
            raise InputException(Error.LENGTH, "length", f"{length} bytes, {most} at most")
        exporter, data = bytes(self._exporter), _girih.to_bytes(context, "context")
        return SecretBytes(self._derive(exporter, b"sec", data, length))

    def _next(self, operation: str, data: Buffer, place: str, aad: Buffer) -> bytes:
        """The next message, which counts if it succeeds."""
        data, aad = _girih.to_bytes(data, place), _girih.to_bytes(aad, "aad")
        if self._nonce_bytes == 0:
            raise InputException(
                Error.ARGUMENT, "context", f"the suite's AEAD is Export-only: it cannot {operation}"
            )
        if self._made_in != _process():
            raise InputException(
                Error.ARGUMENT,
                "context",
                "it was made before a fork, by a process that may use its "
                "nonces: make another here",
            )
        with self._lock:
            if self._aead is None:
                raise InputException(Error.ARGUMENT, "context", "it was wiped")
            nonce = (self._base_nonce ^ self._sequence).to_bytes(self._nonce_bytes, "big")
            made: bytes = getattr(self._aead, operation)(nonce, data, aad)
            self._sequence += 1
        return made


class Sender(_Context):
    """Encrypts messages, in the process that made it: InputException after a fork."""

    def seal(self, plaintext: Buffer, *, aad: Buffer = b"") -> bytes:
        """The next message's ciphertext, 16 bytes longer. `aad` is authenticated and not in it."""
        return self._next("encrypt", plaintext, "plaintext", aad)


class Recipient(_Context):
    """Decrypts messages, in the order in which they were encrypted, in the process that made it:
    InputException after a fork, where a message would count twice."""

    def open(self, ciphertext: Buffer, *, aad: Buffer = b"") -> bytes:
        """The next message. InputException for any other, which is not counted."""
        try:
            return self._next("decrypt", ciphertext, "ciphertext", aad)
        except InvalidTag as cause:
            raise InputException(
                Error.ARGUMENT,
                "ciphertext",
                "it was changed, is not the next message, or was sealed "
                "with another key, enc, suite, info, psk or aad",
            ) from cause


class Suite:
    """A KDF and an AEAD, by name; the KEM is the key's.

    With the AEAD "Export-only" (RFC 9180, Section 7.3), contexts export secrets, and seal and open
    are InputExceptions.
    """

    def __init__(self, kdf: Kdf, aead: Aead) -> None:
        for value, known, place in ((kdf, _KDFS, "kdf"), (aead, _AEADS, "aead")):
            if value not in known:
                raise InputException(
                    Error.ARGUMENT, place, f"{value!r} is none of {', '.join(known)}"
                )
        self.kdf, self.aead = kdf, aead

    def sender(
        self,
        public_key: PublicKey,
        *,
        info: Buffer = b"",
        psk: Psk = None,
        random: RandomCallable | None = None,
    ) -> tuple[bytes, Sender]:
        """SetupBaseS, SetupPSKS: enc, and what encrypts. Errors of encapsulate."""
        kem = _kem_of(public_key, (KemEncapsulationKey, HybridEncapsulationKey), "public_key")
        inputs = _inputs(info, psk)
        enc, secret = public_key.encapsulate(random=random)
        return enc, Sender(self, kem, secret, inputs)

    def recipient(
        self, key: SecretKey, enc: Buffer, *, info: Buffer = b"", psk: Psk = None
    ) -> Recipient:
        """SetupBaseR, SetupPSKR: what decrypts a sender's messages. Errors of decapsulate."""
        kem = _kem_of(key, (KemDecapsulationKey, HybridDecapsulationKey), "key")
        inputs = _inputs(info, psk)
        return Recipient(self, kem, key.decapsulate(enc), inputs)

    def seal(
        self,
        public_key: PublicKey,
        plaintext: Buffer,
        *,
        info: Buffer = b"",
        aad: Buffer = b"",
        psk: Psk = None,
    ) -> tuple[bytes, bytes]:
        """A single message: enc and the ciphertext."""
        enc, sender = self.sender(public_key, info=info, psk=psk)
        with sender:
            return enc, sender.seal(plaintext, aad=aad)

    def open(
        self,
        key: SecretKey,
        enc: Buffer,
        ciphertext: Buffer,
        *,
        info: Buffer = b"",
        aad: Buffer = b"",
        psk: Psk = None,
    ) -> bytes:
        """The message of enc and a ciphertext."""
        with self.recipient(key, enc, info=info, psk=psk) as recipient:
            return recipient.open(ciphertext, aad=aad)


def _kem_of(key: Any, kinds: Any, place: str) -> bytes:
    """The identifier of a key's KEM."""
    if not isinstance(key, kinds):
        raise TypeError(f"{place}: {type(key).__name__} is no {kinds[0].__name__[3:]}")
    name = key._namespace.name
    if name not in _KEMS:
        raise InputException(
            Error.ALGORITHM, place, f"HPKE has no KEM {name}, only {', '.join(_KEMS)}"
        )
    return _KEMS[name].to_bytes(2, "big")


def _inputs(info: Buffer, psk: Psk) -> _Inputs:
    """VerifyPSKInputs (RFC 9180, Section 5.1), and the least and the most of each length."""
    if psk is not None and not (isinstance(psk, tuple) and len(psk) == 2):
        raise TypeError("psk must be a secret and its identifier, as a tuple")
    mode = b"\0" if psk is None else b"\1"
    secret, name = psk or (b"", b"")
    found: list[bytes] = []
    for place, value, least in (
        ("info", info, 0),
        ("psk", secret, 32 * mode[0]),
        ("psk_id", name, mode[0]),
    ):
        data = _girih.to_bytes(value, place)
        if (
            not least <= len(data) <= 65535
        ):  # its length has two bytes; HKDF's limit is out of reach
            raise InputException(
                Error.LENGTH, place, f"{len(data)} bytes, and not {least} to 65535"
            )
        found.append(data)
    return _Inputs(mode, *found)
