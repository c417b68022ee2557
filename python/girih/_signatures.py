"""Signatures: ML-DSA and Dilithium, and Falcon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NoReturn, TypeVar

from girih import _columns, _girih
from girih._base import Algorithm, Member, PreparedPublicKey, PreparedSecretKey, PublicKey, SecretKey, bytes_of
from girih._errors import Error, SignatureException

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

    from girih._base import Progress, RandomCallable
    from girih._columns import Column

V = TypeVar("V", bound="_Verifier")


class _Checks:
    """check(), of what has verify()."""

    __slots__ = ()

    def verify(self, message: Buffer, signature: Buffer, *, context: Buffer | None = None,
               pre_hash: str | None = None) -> bool:
        """Whether the signature verifies."""
        raise NotImplementedError

    def check(self, message: Buffer, signature: Buffer, *, context: Buffer | None = None,
              pre_hash: str | None = None) -> None:
        """As verify, but a signature that does not verify is a SignatureException."""
        if not self.verify(message, signature, context=context, pre_hash=pre_hash):
            raise SignatureException(Error.SIGNATURE, f"{type(self).__qualname__}.check",
                                     "the signature does not verify")


class _Verifier(_Checks, PublicKey):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def verify(self, message: Buffer, signature: Buffer, *, context: Buffer | None = None,
               pre_hash: str | None = None) -> bool:
        """Whether the signature, of whatever length, verifies. Variable time: all is public.

        ML-DSA has contexts of up to 255 bytes and pre-hashes ("SHA2-512", ...: `pre_hashes()`);
        where there are none, Error.CONTEXT and Error.PRE_HASH. A Falcon key that is malformed is
        Error.PUBLIC_KEY.
        """
        return _girih.verify(self._algorithm, self._key, message, signature, False, context, pre_hash)


class MlDsaVerifyingKey(_Verifier):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def verify_mu(self, mu: Buffer, signature: Buffer) -> bool:
        """verify() from the 64-byte representative of a message (FIPS 204, Algorithm 8, line 6)."""
        return _girih.verify(self._algorithm, self._key, mu, signature, True, None, None)


class FalconVerifyingKey(_Verifier):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def crypto_sign_open(self, signed_message: Buffer) -> bytes | None:
        """The message of a signed message in NIST's form, or None if it does not verify.

        Of Falcon-512 and Falcon-1024; else Error.ARGUMENT.
        """
        return _girih.crypto_sign_open(self._algorithm, self._key, signed_message)


class _Signer(SecretKey, Generic[V]):
    """A secret key, which signs, in memory that is wiped when its life ends."""

    __slots__ = ()

    def verifying_key(self) -> V:
        """The public key."""
        namespace: Any = self._namespace
        made: V = namespace.VerifyingKey(self._key.public_key())
        return made


class MlDsaSigningKey(_Signer[V]):
    """A secret key, which signs, in memory that is wiped when its life ends.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ()

    def sign(self, message: Buffer, *, context: Buffer | None = None, pre_hash: str | None = None,
             deterministic: bool = False, verify_after_sign: bool = False,
             random: RandomCallable | None = None) -> bytes:
        """A signature: ML-DSA.Sign, or HashML-DSA.Sign with a `pre_hash` (Algorithms 2 and 4).

        Hedged with 32 random bytes unless `deterministic`. `verify_after_sign` tries the signature
        before it is given out: Error.FAULT. Constant time but for how many attempts it took, which
        the standard lets everybody know. Raises Error.CONTEXT, PRE_HASH, RANDOM or ATTEMPTS.
        """
        return _girih.sign(self._key, message, False, context, pre_hash, deterministic, verify_after_sign, random)

    def sign_mu(self, mu: Buffer, *, deterministic: bool = False, verify_after_sign: bool = False,
                random: RandomCallable | None = None) -> bytes:
        """sign() from the 64-byte representative of a message, computed elsewhere (external mu)."""
        return _girih.sign(self._key, mu, True, None, None, deterministic, verify_after_sign, random)


class FalconSigningKey(_Signer[V]):
    """A secret key, which signs, in memory that is wiped when its life ends.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ()

    @classmethod
    def from_seed(cls, seed: Buffer, *, generator: Literal["fast", "reference"] = "fast") -> Self:
        """The key of a seed of 48 bytes. Constant time.

        `reference` is the generator of round 3's known answers: several times slower, and constant
        time as far as the processor's floating point is.
        """
        if generator not in ("fast", "reference"):
            raise ValueError(f"generator: '{generator}' is neither 'fast' nor 'reference'")
        return cls._of(_girih.KeyPair.from_seed(cls._algorithm, seed, generator == "reference"))

    def sign(self, message: Buffer, *, verify_after_sign: bool = False,
             random: RandomCallable | None = None) -> bytes:
        """A signature (Falcon, Algorithm 10), as long as it is, with a fresh salt every time.

        Draws 40 bytes and then 48. Constant time, but for how many attempts it took.
        """
        return _girih.sign(self._key, message, False, None, None, False, verify_after_sign, random)

    def crypto_sign(self, message: Buffer, *, random: RandomCallable | None = None) -> bytes:
        """A signed message in NIST's form, of Falcon-512 and Falcon-1024; else Error.ARGUMENT."""
        return _girih.crypto_sign(self._key, message, random)


class _PreparedVerifier(_Checks, PreparedPublicKey):
    __slots__ = ()
    _prepare = _girih.PreparedVerifying

    def verify(self, message: Buffer, signature: Buffer, *, context: Buffer | None = None,
               pre_hash: str | None = None) -> bool:
        """As VerifyingKey.verify."""
        return _girih.verify_prepared(self._key, message, signature, False, context, pre_hash)


class MlDsaPreparedVerifyingKey(_PreparedVerifier):
    """A public key with all that verification makes of it first: for many signatures under one key.

    Serves any number of threads. Pickles as the key's bytes, and is prepared again.
    """

    __slots__ = ()

    def verify_mu(self, mu: Buffer, signature: Buffer) -> bool:
        """As VerifyingKey.verify_mu."""
        return _girih.verify_prepared(self._key, mu, signature, True, None, None)


class FalconPreparedVerifyingKey(_PreparedVerifier):
    """A public key in the form that verification wants: for many signatures under one key.

    Serves any number of threads. Pickles as the key's bytes, and is prepared again. A malformed key
    is Error.PUBLIC_KEY.
    """

    __slots__ = ()


class _PreparedSigner(PreparedSecretKey):
    __slots__ = ()
    _prepare = _girih.PreparedSigning


class MlDsaPreparedSigningKey(_PreparedSigner):
    """A secret key with all that signing makes of it first: for many signatures with one key.

    Serves any number of threads; wiped as a SigningKey is. Raises Error.SECRET_KEY for bytes that
    are no key.
    """

    __slots__ = ()

    def sign(self, message: Buffer, *, context: Buffer | None = None, pre_hash: str | None = None,
             deterministic: bool = False, verify_after_sign: bool = False,
             random: RandomCallable | None = None) -> bytes:
        """As SigningKey.sign."""
        return _girih.sign(self._key, message, False, context, pre_hash, deterministic, verify_after_sign, random)

    def sign_mu(self, mu: Buffer, *, deterministic: bool = False, verify_after_sign: bool = False,
                random: RandomCallable | None = None) -> bytes:
        """As SigningKey.sign_mu."""
        return _girih.sign(self._key, mu, True, None, None, deterministic, verify_after_sign, random)


class FalconPreparedSigningKey(_PreparedSigner):
    """A secret key with its whole tree: for many signatures with one key.

    Serves any number of threads; wiped as a SigningKey is.
    """

    __slots__ = ()

    def sign(self, message: Buffer, *, verify_after_sign: bool = False,
             random: RandomCallable | None = None) -> bytes:
        """As SigningKey.sign."""
        return _girih.sign(self._key, message, False, None, None, False, verify_after_sign, random)


class _Message(Member):
    __slots__ = ("_message",)
    _message: _girih.Message

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{type(self).__qualname__} can be neither copied nor pickled")

    def __copy__(self) -> NoReturn:
        self.__reduce_ex__(4)

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__reduce_ex__(4)

    def update(self, piece: Buffer) -> Self:
        """The next piece, of any length."""
        self._message.update(piece)
        return self


class MlDsaMessage(_Message):
    """A message that is read once, piece by piece, into its representative mu.

    Begins with the public key that the signature will be verified with. Raises Error.CONTEXT or
    Error.PRE_HASH; after mu(), Error.ARGUMENT.
    """

    __slots__ = ()

    def __init__(self, key: PublicKey | Buffer, *, context: Buffer | None = None,
                 pre_hash: str | None = None) -> None:
        self._message = _girih.Message.begin(self._algorithm, bytes_of(self, key), context, pre_hash)

    def mu(self) -> bytes:
        """Ends the message: its representative, 64 bytes, for sign_mu and verify_mu."""
        return self._message.mu()


class FalconSigningMessage(_Message):
    """A message that is read once, piece by piece, to be signed. Its salt is drawn first."""

    __slots__ = ()

    def __init__(self, *, random: RandomCallable | None = None) -> None:
        self._message = _girih.Message.begin_signing(self._algorithm, random)

    def sign(self, key: SecretKey, *, verify_after_sign: bool = False) -> bytes:
        """Ends the message: its signature."""
        if not isinstance(key, SecretKey):
            raise TypeError(f"key must be a secret key of {self._algorithm.name}")
        return self._message.sign(key._key, verify_after_sign)


class FalconVerifyingMessage(_Message):
    """A message that is read once, piece by piece, to verify one signature.

    Raises SignatureException for one of at most 41 bytes, which has no salt to begin with.
    """

    __slots__ = ("_signature",)

    def __init__(self, signature: Buffer) -> None:
        self._signature = _girih.to_bytes(signature, "signature")
        self._message = _girih.Message.begin_verifying(self._algorithm, self._signature)

    def verify(self, key: PublicKey | Buffer) -> bool:
        """Ends the message: whether the signature verifies."""
        return self._message.verify(bytes_of(self, key), self._signature)


class SignatureAlgorithm(Algorithm):
    """A signature algorithm: a class with the classes of its keys, which is never instantiated."""

    signature_bytes: ClassVar[int]
    mu_bytes: ClassVar[int] = 64
    _sizes = (*Algorithm._sizes, "signature_bytes")

    @classmethod
    def _lengths(cls, lengths: bytearray) -> bytearray | None:
        varies = not cls._algorithm.has_mu and "padded" not in cls.name and "CT" not in cls.name
        return lengths if varies else None

    @classmethod
    def _verified(cls, public_keys: Any, messages: Any, signatures: Any, contexts: Any, pre_hash: str | None,
                  threads: int, progress: Progress | None) -> tuple[bytearray, _columns.Kind]:
        """A code for each row, and the kind of column that they are to be."""
        codes = _girih.verify_many(cls._algorithm, cls._keys(public_keys, secret=False), messages, signatures,
                                   contexts, pre_hash, threads, progress)
        return codes, _columns.kind_of(messages, signatures, public_keys)

    @classmethod
    def verify_many(cls, public_keys: Any, messages: Column, signatures: Column, *,
                    contexts: Column | Buffer | None = None, pre_hash: str | None = None, threads: int = 1,
                    progress: Progress | None = None) -> Any:
        """Verdicts on many signatures: True, False, or null where a row has a null.

        `public_keys` is one key for all rows (bytes, VerifyingKey, PreparedVerifyingKey), a
        sequence of these, or a column of bytes; messages, signatures and contexts are columns: a
        sequence of bytes-like objects or None, an array of bytes of shape (rows, bytes), or Arrow's
        binary types and dictionaries of them, chunked or not. What comes back is of their kind: a
        list, a NumPy array (masked if there are nulls), an Arrow array. A malformed row is False;
        check_many says why. A row that is neither bytes nor a key of this algorithm is a TypeError
        that names it, before any work. A key of several rows is prepared once.
        `progress(done, rows)` is called now and then; what it raises ends the batch.
        """
        return _columns.verdicts(
            *cls._verified(public_keys, messages, signatures, contexts, pre_hash, threads, progress))

    @classmethod
    def check_many(cls, public_keys: Any, messages: Column, signatures: Column, *,
                   contexts: Column | Buffer | None = None, pre_hash: str | None = None, threads: int = 1,
                   progress: Progress | None = None) -> Any:
        """As verify_many, with an Error for each row: NONE where the signature verifies."""
        return _columns.errors(
            *cls._verified(public_keys, messages, signatures, contexts, pre_hash, threads, progress))

    @classmethod
    def sign_many(cls, keys: Any, messages: Column, *, contexts: Column | Buffer | None = None,
                  pre_hash: str | None = None, deterministic: bool = False, verify_after_sign: bool = False,
                  random: RandomCallable | None = None, threads: int = 1, progress: Progress | None = None,
                  on_error: Literal["raise", "null"] = "raise") -> Any:
        """Signatures of many messages, null where a row has a null.

        `keys` is one SigningKey or PreparedSigningKey, a sequence of these, or a column of secret
        keys' bytes. Rows that fail are a BatchException, which has the column of the others, or
        null. Falcon's signatures that differ in length come as a column that allows it.
        """
        kind = _columns.demand_choices(on_error, None, messages, keys)
        codes, data, lengths, cause = _girih.sign_many(
            cls._algorithm, cls._keys(keys, secret=True), messages, contexts, pre_hash, deterministic,
            verify_after_sign, random, threads, progress)
        made = _columns.byte_rows(codes, data, cls.signature_bytes, kind, cls._lengths(lengths))
        return _columns.finish("sign_many", codes, made, on_error, cause)
