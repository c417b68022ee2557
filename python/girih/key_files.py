"""Key files: PEM and DER of RFC 9881 and RFC 9935, JWK and COSE_Key of RFC 9964, and raw keys.

Reading is strict: a key that was read has passed every check that its encoding allows.
`girih/key_files.hpp` lists each algorithm's structures. Encrypted private keys are PBES2 with
AES-256-CBC, under PBKDF2 or scrypt. Passphrases are bytes, used unchanged (RFC 8018 recommends
UTF-8), and are not kept: callers may wipe them after the call. Constant time in their bytes, except
scrypt, whose memory accesses depend on them. PBES2 does not authenticate: a seed's file that was
changed may decrypt to another key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, cast, overload

from girih import _girih
from girih._base import Algorithm, PublicKey, SecretKey, by_name, find
from girih._errors import KeyFileException
from girih._secret import SecretBytes

if TYPE_CHECKING:
    from typing_extensions import Buffer

    import girih

Format = Literal["pem", "der", "raw", "jwk", "cose"]
Form = Literal["seed", "expanded", "both"]
Kind = Literal["private_key", "public_key", "certificate"]
Kdf = Literal[
    "pbkdf2_sha256",
    "pbkdf2_sha512",
    "scrypt",
    # read, and not written:
    "pbkdf2_sha1",
    "pbkdf2_sha224",
    "pbkdf2_sha384",
    "pbkdf2_sha512_224",
    "pbkdf2_sha512_256",
]

K = TypeVar("K", covariant=True)


class _Signs(Protocol[K]):  # an algorithm; its class of keys counts as a function that makes them
    def SigningKey(self) -> K: ...


class _Verifies(Protocol[K]):
    def VerifyingKey(self, data: bytes, /) -> K: ...


class _Decapsulates(Protocol[K]):
    def DecapsulationKey(self) -> K: ...


class _Encapsulates(Protocol[K]):
    def EncapsulationKey(self, data: bytes, /) -> K: ...


class Encryption(NamedTuple):
    """How a passphrase becomes a key of AES-256-CBC (PBES2, RFC 8018). A 0 is the default."""

    kdf: Kdf = "pbkdf2_sha256"
    iterations: int = 0  # of PBKDF2; 600,000 with SHA-256 and 210,000 with SHA-512
    scrypt_n: int = 0  # a power of two; 2**14, the largest that OpenSSL reads with scrypt_r = 8
    scrypt_r: int = 0  # in 128 bytes; 8
    scrypt_p: int = 0  # 5


class KeyFile(NamedTuple):
    """The contents of a file."""

    kind: Kind
    format: Format
    form: Form | None  # of a private key
    key: Any  # SigningKey, DecapsulationKey, VerifyingKey or EncapsulationKey of its algorithm
    encryption: Encryption | None = None  # of an encrypted private key
    pre_hash: str | None = None  # "SHA2-512" if the file's identifier is HashML-DSA's
    kid: bytes | None = None  # the key's identifier in a JWK or COSE_Key


def _classes(algorithm: _girih.Algorithm) -> tuple[Any, Any]:
    """The classes of an algorithm's secret and public keys."""
    namespace: Any = by_name[algorithm.name]
    if algorithm.is_kem:
        return namespace.DecapsulationKey, namespace.EncapsulationKey
    return namespace.SigningKey, namespace.VerifyingKey


def read(
    file: Buffer,
    algorithm: type[Algorithm] | str | None = None,
    *,
    passphrase: Buffer | None = None,
) -> KeyFile:
    """Reads a private key, a public key, or a certificate's public key, in any format.

    Raw keys need `algorithm`, such as girih.ml_dsa_65 or "ML-DSA-65"; if given, keys of other
    algorithms are refused. `passphrase` decrypts, and is ignored if nothing is encrypted. Raises
    KeyFileException, which says what is wrong and where: KeyEncryptedException without a needed
    passphrase, PassphraseException with a wrong one. At most 1 MiB, in linear time; an encrypted
    file may ask for at most some seconds and 256 MB.
    """
    kind, form_of_file, form, known, key, encryption, pre_hash, kid = _girih.read_key_file(
        file, None if algorithm is None else find(algorithm)._algorithm, passphrase
    )
    secret, public = _classes(known)
    made = secret._of(key) if isinstance(key, _girih.KeyPair) else public(key)
    how = None if encryption is None else Encryption(cast("Kdf", encryption[0]), *encryption[1:])
    return KeyFile(
        cast("Kind", kind),
        cast("Format", form_of_file),
        cast("Form | None", form),
        made,
        how,
        pre_hash,
        kid,
    )


def _refuse_pre_hash(found: KeyFile) -> None:
    if found.pre_hash is not None:
        raise KeyFileException(
            _girih.problem_wrong_kind,
            f"the key is for HashML-DSA with {found.pre_hash}, and a "
            "bare key does not say so; read gives both",
        )


@overload
def read_private_key(
    file: Buffer, algorithm: _Signs[K], *, passphrase: Buffer | None = ...
) -> K: ...
@overload
def read_private_key(
    file: Buffer, algorithm: _Decapsulates[K], *, passphrase: Buffer | None = ...
) -> K: ...
# facts: readers of private keys
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-DSA-44"], *, passphrase: Buffer | None = ...
) -> girih.ml_dsa_44.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-DSA-65"], *, passphrase: Buffer | None = ...
) -> girih.ml_dsa_65.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-DSA-87"], *, passphrase: Buffer | None = ...
) -> girih.ml_dsa_87.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Dilithium2"], *, passphrase: Buffer | None = ...
) -> girih.dilithium2.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Dilithium3"], *, passphrase: Buffer | None = ...
) -> girih.dilithium3.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Dilithium5"], *, passphrase: Buffer | None = ...
) -> girih.dilithium5.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-512"], *, passphrase: Buffer | None = ...
) -> girih.falcon_512.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-1024"], *, passphrase: Buffer | None = ...
) -> girih.falcon_1024.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-padded-512"], *, passphrase: Buffer | None = ...
) -> girih.falcon_padded_512.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-padded-1024"], *, passphrase: Buffer | None = ...
) -> girih.falcon_padded_1024.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-CT-512"], *, passphrase: Buffer | None = ...
) -> girih.falcon_ct_512.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["Falcon-CT-1024"], *, passphrase: Buffer | None = ...
) -> girih.falcon_ct_1024.SigningKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-KEM-512"], *, passphrase: Buffer | None = ...
) -> girih.ml_kem_512.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-KEM-768"], *, passphrase: Buffer | None = ...
) -> girih.ml_kem_768.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ML-KEM-1024"], *, passphrase: Buffer | None = ...
) -> girih.ml_kem_1024.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup653"], *, passphrase: Buffer | None = ...
) -> girih.sntrup653.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup761"], *, passphrase: Buffer | None = ...
) -> girih.sntrup761.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup857"], *, passphrase: Buffer | None = ...
) -> girih.sntrup857.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup953"], *, passphrase: Buffer | None = ...
) -> girih.sntrup953.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup1013"], *, passphrase: Buffer | None = ...
) -> girih.sntrup1013.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["sntrup1277"], *, passphrase: Buffer | None = ...
) -> girih.sntrup1277.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr653"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr653.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr761"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr761.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr857"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr857.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr953"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr953.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr1013"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr1013.DecapsulationKey: ...
@overload
def read_private_key(
    file: Buffer, algorithm: Literal["ntrulpr1277"], *, passphrase: Buffer | None = ...
) -> girih.ntrulpr1277.DecapsulationKey: ...
# facts: end
@overload
def read_private_key(
    file: Buffer, algorithm: type[Algorithm] | str | None = ..., *, passphrase: Buffer | None = ...
) -> Any: ...
def read_private_key(
    file: Buffer, algorithm: Any = None, *, passphrase: Buffer | None = None
) -> Any:
    """The SigningKey or DecapsulationKey of a private key's file; errors are those of read.

    A key for HashML-DSA is refused; `read` returns it, with its pre-hash.
    """
    found = read(file, algorithm, passphrase=passphrase)
    if found.kind != "private_key":
        raise KeyFileException(
            _girih.problem_wrong_kind,
            f"a private key is needed, and this is a {found.kind.replace('_', ' ')}",
        )
    _refuse_pre_hash(found)
    return found.key


@overload
def read_public_key(file: Buffer, algorithm: _Verifies[K]) -> K: ...
@overload
def read_public_key(file: Buffer, algorithm: _Encapsulates[K]) -> K: ...
# facts: readers of public keys
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-DSA-44"]
) -> girih.ml_dsa_44.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-DSA-65"]
) -> girih.ml_dsa_65.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-DSA-87"]
) -> girih.ml_dsa_87.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Dilithium2"]
) -> girih.dilithium2.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Dilithium3"]
) -> girih.dilithium3.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Dilithium5"]
) -> girih.dilithium5.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-512"]
) -> girih.falcon_512.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-1024"]
) -> girih.falcon_1024.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-padded-512"]
) -> girih.falcon_padded_512.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-padded-1024"]
) -> girih.falcon_padded_1024.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-CT-512"]
) -> girih.falcon_ct_512.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["Falcon-CT-1024"]
) -> girih.falcon_ct_1024.VerifyingKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-KEM-512"]
) -> girih.ml_kem_512.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-KEM-768"]
) -> girih.ml_kem_768.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ML-KEM-1024"]
) -> girih.ml_kem_1024.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup653"]
) -> girih.sntrup653.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup761"]
) -> girih.sntrup761.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup857"]
) -> girih.sntrup857.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup953"]
) -> girih.sntrup953.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup1013"]
) -> girih.sntrup1013.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["sntrup1277"]
) -> girih.sntrup1277.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr653"]
) -> girih.ntrulpr653.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr761"]
) -> girih.ntrulpr761.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr857"]
) -> girih.ntrulpr857.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr953"]
) -> girih.ntrulpr953.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr1013"]
) -> girih.ntrulpr1013.EncapsulationKey: ...
@overload
def read_public_key(
    file: Buffer, algorithm: Literal["ntrulpr1277"]
) -> girih.ntrulpr1277.EncapsulationKey: ...
# facts: end
@overload
def read_public_key(file: Buffer, algorithm: type[Algorithm] | str | None = ...) -> Any: ...
def read_public_key(file: Buffer, algorithm: Any = None) -> Any:
    """The VerifyingKey or EncapsulationKey of a public key's file, or of a certificate.

    The certificate's signature, dates and names are not checked. A key for HashML-DSA is refused,
    as by read_private_key.
    """
    found = read(file, algorithm)
    if found.kind == "private_key":
        raise KeyFileException(
            _girih.problem_wrong_kind, "a public key is needed, and this is a private key"
        )
    _refuse_pre_hash(found)
    return found.key


def write_private_key(
    key: SecretKey[Any],
    *,
    form: Form | None = None,
    format: Format = "pem",
    passphrase: Buffer | None = None,
    encryption: Encryption | None = None,
) -> SecretBytes:
    """PKCS#8, the raw bytes, or a JWK or COSE_Key, which hold the seed alone.

    `form` is the seed (the default if there is one), the expanded key, or both.

    A `passphrase` encrypts PEM and DER with a fresh salt, as `encryption` says; None is
    `Encryption()`, which takes some tenths of a second. KeyFileException if the key has no seed,
    the format lacks the form or encryption, the passphrase is empty or missing although
    `encryption` is given, or `read` would refuse the cost. InputException for an invalid kdf or
    number.
    """
    if not isinstance(key, SecretKey):
        raise TypeError(f"key must be a secret key, not {type(key).__name__}")
    if encryption is not None:
        if not isinstance(encryption, Encryption):
            raise TypeError(
                f"encryption must be girih.key_files.Encryption, not {type(encryption).__name__}"
            )
        if passphrase is None:
            raise KeyFileException(
                _girih.problem_no_passphrase, "there is no passphrase to encrypt with"
            )
    return _girih.write_private_key(key._key, form, format, passphrase, encryption or Encryption())


def _demand_public(key: object) -> None:
    if not isinstance(key, PublicKey):
        raise TypeError(f"key must be a public key, not {type(key).__name__}")


def write_public_key(key: PublicKey[Any], *, format: Format = "pem") -> bytes:
    """SubjectPublicKeyInfo, the raw bytes, or of ML-DSA a JWK or COSE_Key with its thumbprint."""
    _demand_public(key)
    return _girih.write_public_key(key._algorithm, key.bytes(), format)


def thumbprint(key: PublicKey[Any], *, format: Literal["jwk", "cose"] = "jwk") -> bytes:
    """The thumbprint of an ML-DSA key: RFC 7638's in base64url, or RFC 9679's 32 bytes. It is the
    kid of keys and envelopes that have no other."""
    _demand_public(key)
    found = _girih.thumbprint(key._algorithm, key.bytes(), format)
    if not found:
        raise KeyFileException(
            _girih.problem_wrong_kind, f"{key._algorithm.name} has no thumbprint in {format}"
        )
    return found


def fingerprint(key: PublicKey[Any]) -> bytes:
    """The fingerprint that people compare instead of keys: SHA-256 of write_public_key(key,
    format="der")."""
    _demand_public(key)
    return _girih.fingerprint(key._algorithm, key.bytes())
