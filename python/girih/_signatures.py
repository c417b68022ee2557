"""Signatures: ML-DSA and Dilithium, and Falcon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NoReturn, TypeVar, overload

from girih import _columns, _girih
from girih._base import (
    A,
    Algorithm,
    Member,
    PreparedPublicKey,
    PreparedSecretKey,
    PublicBytes,
    PublicKey,
    SecretKey,
    WipedKey,
    bytes_of,
    pair_of,
)
from girih._errors import Error, SignatureException

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

    from girih._base import (
        Progress,
        PublicColumn,
        PublicKeys,
        RandomCallable,
        SecretColumn,
        SecretKeys,
    )
    from girih._columns import Array, Column, NoArray, OnError, Rows

V = TypeVar("V", bound="_Verifier[Any]")


class _Checks:
    """check() for classes with verify()."""

    __slots__ = ()

    def verify(
        self,
        message: Buffer,
        signature: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
    ) -> bool:
        """Whether the signature verifies."""
        raise NotImplementedError

    def check(
        self,
        message: Buffer,
        signature: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
    ) -> None:
        """Raises SignatureException if the signature does not verify."""
        if not self.verify(message, signature, context=context, pre_hash=pre_hash):
            raise SignatureException(
                Error.SIGNATURE, f"{type(self).__qualname__}.check", "the signature does not verify"
            )


class _Verifier(_Checks, PublicKey[A]):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def verify(
        self,
        message: Buffer,
        signature: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
    ) -> bool:
        """Whether the signature, of any length, verifies. Variable time: everything is public.

        ML-DSA has contexts of up to 255 bytes and pre-hashes ("SHA2-512", ...: `pre_hashes()`);
        other algorithms raise Error.CONTEXT and Error.PRE_HASH. A malformed Falcon key is
        Error.PUBLIC_KEY.
        """
        return _girih.verify(
            self._algorithm, self._key, message, signature, False, context, pre_hash
        )


class MlDsaVerifyingKey(_Verifier[A]):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def verify_mu(self, mu: Buffer, signature: Buffer) -> bool:
        """verify() from the 64-byte representative of a message (FIPS 204, Algorithm 8, line 6)."""
        return _girih.verify(self._algorithm, self._key, mu, signature, True, None, None)


class FalconVerifyingKey(_Verifier[A]):
    """A public key, which verifies signatures. Pickles as its bytes."""

    __slots__ = ()

    def crypto_sign_open(self, signed_message: Buffer) -> bytes | None:
        """The message of a signed message in NIST's form, or None if it does not verify.

        For Falcon-512 and Falcon-1024; else Error.ALGORITHM.
        """
        return _girih.crypto_sign_open(self._algorithm, self._key, signed_message)


class _Signing(WipedKey[A], Generic[A, V]):
    __slots__ = ()

    def verifying_key(self) -> V:
        """The public key."""
        namespace: Any = self._namespace
        made: V = namespace.VerifyingKey(self._public)
        return made


class _Signer(_Signing[A, V], SecretKey[A]):
    """A secret key, which signs, in memory that is wiped when its life ends."""

    __slots__ = ()


class MlDsaSigningKey(_Signer[A, V]):
    """A secret key, which signs, in memory that is wiped when its life ends.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ()

    def sign(
        self,
        message: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
        deterministic: bool = False,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """A signature: ML-DSA.Sign, or HashML-DSA.Sign with a `pre_hash` (Algorithms 2 and 4).

        Hedged with 32 random bytes unless `deterministic`. `verify_after_sign` verifies the
        signature before returning it: Error.FAULT. Constant time, except for the number of
        attempts, which the standard reveals. Raises Error.CONTEXT, PRE_HASH, RANDOM or ATTEMPTS.
        """
        return _girih.sign(
            self._key, message, False, context, pre_hash, deterministic, verify_after_sign, random
        )

    def sign_mu(
        self,
        mu: Buffer,
        *,
        deterministic: bool = False,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """sign() from the 64-byte representative of a message, computed elsewhere (external mu)."""
        return _girih.sign(
            self._key, mu, True, None, None, deterministic, verify_after_sign, random
        )


class FalconSigningKey(_Signer[A, V]):
    """A secret key, which signs, in memory that is wiped when its life ends.

    `with key:` wipes it at the end of the block, and so does `wipe()`. Serves any number of
    threads. Pickling and copying are refused.
    """

    __slots__ = ()

    @classmethod
    def from_seed(cls, seed: Buffer, *, generator: Literal["fast", "reference"] = "fast") -> Self:
        """The key of a seed of 48 bytes. Constant time.

        `reference` is the generator of round 3's known answers: several times slower, and constant
        time only if the processor's floating point is.
        """
        if generator not in ("fast", "reference"):
            raise ValueError(f"generator: '{generator}' is neither 'fast' nor 'reference'")
        return cls._of(_girih.KeyPair.from_seed(cls._algorithm, seed, generator == "reference"))

    def sign(
        self,
        message: Buffer,
        *,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """A signature (Falcon, Algorithm 10), with a fresh salt every time.

        Draws 40 bytes and then 48. Constant time, except for the number of attempts.
        """
        return _girih.sign(self._key, message, False, None, None, False, verify_after_sign, random)

    def crypto_sign(self, message: Buffer, *, random: RandomCallable | None = None) -> bytes:
        """A signed message in NIST's form, for Falcon-512 and Falcon-1024; else Error.ALGORITHM."""
        return _girih.crypto_sign(self._key, message, random)


class _PreparedVerifier(_Checks, PreparedPublicKey[A]):
    __slots__ = ()
    _prepare = _girih.PreparedVerifying

    def verify(
        self,
        message: Buffer,
        signature: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
    ) -> bool:
        """Same result as VerifyingKey.verify."""
        return _girih.verify_prepared(self._key, message, signature, False, context, pre_hash)


class MlDsaPreparedVerifyingKey(_PreparedVerifier[A]):
    """A public key prepared for verifying many signatures.

    Serves any number of threads. Pickles as the key's bytes, and is prepared again.
    """

    __slots__ = ()

    def verify_mu(self, mu: Buffer, signature: Buffer) -> bool:
        """Same result as VerifyingKey.verify_mu."""
        return _girih.verify_prepared(self._key, mu, signature, True, None, None)


class FalconPreparedVerifyingKey(_PreparedVerifier[A]):
    """A public key prepared for verifying many signatures.

    Serves any number of threads. Pickles as the key's bytes, and is prepared again. A malformed key
    is Error.PUBLIC_KEY.
    """

    __slots__ = ()


class _PreparedSigner(_Signing[A, V], PreparedSecretKey[A]):
    __slots__ = ()
    _prepare = _girih.PreparedSigning


class MlDsaPreparedSigningKey(_PreparedSigner[A, V]):
    """A secret key prepared for making many signatures.

    Serves any number of threads; wiped like a SigningKey. Raises Error.SECRET_KEY for malformed
    bytes.
    """

    __slots__ = ()

    def sign(
        self,
        message: Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
        deterministic: bool = False,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """Same result as SigningKey.sign."""
        return _girih.sign(
            self._key, message, False, context, pre_hash, deterministic, verify_after_sign, random
        )

    def sign_mu(
        self,
        mu: Buffer,
        *,
        deterministic: bool = False,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """Same result as SigningKey.sign_mu."""
        return _girih.sign(
            self._key, mu, True, None, None, deterministic, verify_after_sign, random
        )


class FalconPreparedSigningKey(_PreparedSigner[A, V]):
    """A secret key with its whole tree, prepared for many signatures.

    Serves any number of threads; wiped like a SigningKey.
    """

    __slots__ = ()

    def sign(
        self,
        message: Buffer,
        *,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
    ) -> bytes:
        """Same result as SigningKey.sign."""
        return _girih.sign(self._key, message, False, None, None, False, verify_after_sign, random)


class _Message(Member, Generic[A]):
    __slots__ = ("_message",)
    _message: _girih.Message

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{type(self).__qualname__} can be neither copied nor pickled")

    def __copy__(self) -> NoReturn:
        self.__reduce_ex__(4)

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__reduce_ex__(4)

    def update(self, piece: Buffer) -> Self:
        """Adds the next piece, of any length."""
        self._message.update(piece)
        return self


class MlDsaMessage(_Message[A]):
    """Computes the representative mu of a message that is read once, piece by piece.

    Begins with the public key that the signature will be verified with. Raises Error.CONTEXT or
    Error.PRE_HASH; after mu(), Error.MESSAGE.
    """

    __slots__ = ()

    def __init__(
        self,
        key: PublicBytes[A] | Buffer,
        *,
        context: Buffer | None = None,
        pre_hash: str | None = None,
    ) -> None:
        self._message = _girih.Message.begin(
            self._algorithm, bytes_of(self, key), context, pre_hash
        )

    def mu(self) -> bytes:
        """Ends the message and returns its representative, 64 bytes, for sign_mu and verify_mu."""
        return self._message.mu()


class FalconSigningMessage(_Message[A]):
    """Signs a message that is read once, piece by piece. Draws the salt first.

    A process may fork in between: the sampler's seed is a hash of the drawn one and the message, so
    both processes make the same signature of one message, and independent ones of two.
    """

    __slots__ = ()

    def __init__(self, *, random: RandomCallable | None = None) -> None:
        self._message = _girih.Message.begin_signing(self._algorithm, random)

    def sign(self, key: SecretKey[A], *, verify_after_sign: bool = False) -> bytes:
        """Ends the message and returns its signature."""
        return self._message.sign(pair_of(self, key), verify_after_sign)


class FalconVerifyingMessage(_Message[A]):
    """Verifies one signature of a message that is read once, piece by piece.

    Raises SignatureException for a signature of at most 41 bytes, which lacks a salt.
    """

    __slots__ = ("_signature",)

    def __init__(self, signature: Buffer) -> None:
        self._signature = _girih.to_bytes(signature, "signature")
        self._message = _girih.Message.begin_verifying(self._algorithm, self._signature)

    def verify(self, key: PublicBytes[A] | Buffer) -> bool:
        """Ends the message and returns whether the signature verifies."""
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
    def _verified(
        cls,
        public_keys: Any,
        messages: Any,
        signatures: Any,
        contexts: Any,
        pre_hash: str | None,
        threads: int,
        progress: Progress | None,
    ) -> tuple[bytearray, _columns.Target]:
        """A code for each row, and the target of the verdicts."""
        codes = _girih.verify_many(
            cls._algorithm,
            cls._keys(public_keys, secret=False),
            messages,
            signatures,
            contexts,
            pre_hash,
            threads,
            progress,
        )
        return codes, _columns.target_of(messages, signatures, public_keys)

    @overload
    @classmethod
    def verify_many(
        cls,
        public_keys: PublicKeys[Self],
        messages: Rows,
        signatures: Rows,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> list[bool | None]: ...
    @overload
    @classmethod
    def verify_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: Array,
        signatures: Array,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Array: ...
    @overload
    @classmethod
    def verify_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: NoArray,
        signatures: Column,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Any: ...
    @overload
    @classmethod
    def verify_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: Column,
        signatures: NoArray,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Any: ...
    @classmethod
    def verify_many(
        cls,
        public_keys: Any,
        messages: Any,
        signatures: Any,
        *,
        contexts: Column | None = None,
        pre_hash: str | None = None,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> Any:
        """Verdicts on many signatures: True, False, or null if a row has a null.

        `public_keys` is one key for all rows (bytes, VerifyingKey, PreparedVerifyingKey), a
        sequence of these, or a column of bytes; messages, signatures and contexts are columns: a
        sequence of bytes-like objects or None, an array of bytes of shape (rows, bytes), one of
        NumPy's void type (`V32`: rows of 32 bytes), or Arrow's binary types and dictionaries of
        them, chunked or not. The result is of their kind: a list, a NumPy array (masked if there
        are nulls), a polars Series, a pandas Series with the same index, or pyarrow's Array
        (without pyarrow, an object with `__arrow_c_array__`). Rows belong together by position. A
        malformed row is False; check_many says why. A malformed key or context for all rows is an
        InputException, and a row that is neither bytes nor a key of this algorithm a TypeError that
        names it, both before any work. A key of several rows is prepared once. `progress(done,
        rows)` is called now and then; an exception from it ends the batch.
        """
        return _columns.verdicts(
            *cls._verified(public_keys, messages, signatures, contexts, pre_hash, threads, progress)
        )

    @overload
    @classmethod
    def check_many(
        cls,
        public_keys: PublicKeys[Self],
        messages: Rows,
        signatures: Rows,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> list[Error | None]: ...
    @overload
    @classmethod
    def check_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: Array,
        signatures: Array,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Array: ...
    @overload
    @classmethod
    def check_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: NoArray,
        signatures: Column,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Any: ...
    @overload
    @classmethod
    def check_many(
        cls,
        public_keys: PublicColumn[Self],
        messages: Column,
        signatures: NoArray,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
    ) -> Any: ...
    @classmethod
    def check_many(
        cls,
        public_keys: Any,
        messages: Any,
        signatures: Any,
        *,
        contexts: Column | None = None,
        pre_hash: str | None = None,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> Any:
        """An Error for each row: NONE if the signature verifies. Arguments are those of
        verify_many."""
        return _columns.errors(
            *cls._verified(public_keys, messages, signatures, contexts, pre_hash, threads, progress)
        )

    @classmethod
    def _signed(
        cls,
        keys: Any,
        messages: Any,
        contexts: Any,
        pre_hash: str | None,
        deterministic: bool,
        verify_after_sign: bool,
        random: RandomCallable | None,
        threads: int,
        progress: Progress | None,
        target: _columns.Target,
    ) -> tuple[bytearray, Any, BaseException | None]:
        """A code for each row, the column of signatures, and the exception of `random`."""
        codes, data, lengths, cause = _girih.sign_many(
            cls._algorithm,
            cls._keys(keys, secret=True),
            messages,
            contexts,
            pre_hash,
            deterministic,
            verify_after_sign,
            random,
            threads,
            progress,
        )
        return (
            codes,
            _columns.byte_rows(codes, data, cls.signature_bytes, target, cls._lengths(lengths)),
            cause,
        )

    @overload
    @classmethod
    def sign_many(
        cls,
        keys: SecretKeys[Self],
        messages: Rows,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        deterministic: bool = ...,
        verify_after_sign: bool = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> list[bytes | None]: ...
    @overload
    @classmethod
    def sign_many(
        cls,
        keys: SecretColumn[Self],
        messages: Array,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        deterministic: bool = ...,
        verify_after_sign: bool = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> Array: ...
    @overload
    @classmethod
    def sign_many(
        cls,
        keys: SecretColumn[Self],
        messages: NoArray,
        *,
        contexts: Column | None = ...,
        pre_hash: str | None = ...,
        deterministic: bool = ...,
        verify_after_sign: bool = ...,
        random: RandomCallable | None = ...,
        threads: int = ...,
        progress: Progress | None = ...,
        on_error: OnError = ...,
    ) -> Any: ...
    @classmethod
    def sign_many(
        cls,
        keys: Any,
        messages: Any,
        *,
        contexts: Column | None = None,
        pre_hash: str | None = None,
        deterministic: bool = False,
        verify_after_sign: bool = False,
        random: RandomCallable | None = None,
        threads: int = 1,
        progress: Progress | None = None,
        on_error: OnError = "raise",
    ) -> Any:
        """Signatures of many messages, null if a row has a null.

        `keys` is one SigningKey or PreparedSigningKey, a sequence of these, or a column of secret
        keys' bytes. Each of these is checked as by SigningKey.from_bytes, once if rows share it.
        Failed rows raise a BatchException, which has the column of the others, or are null.
        Falcon's signatures of different lengths come in a column that allows them.
        """
        target = _columns.demand_choices(on_error, None, messages, keys)
        codes, made, cause = cls._signed(
            keys,
            messages,
            contexts,
            pre_hash,
            deterministic,
            verify_after_sign,
            random,
            threads,
            progress,
            target,
        )
        return _columns.finish("sign_many", codes, made, on_error, cause)
