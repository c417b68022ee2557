from collections.abc import Callable
from typing import Any, ClassVar

from typing_extensions import Buffer

from girih._secret import SecretBytes

version: str
problem_wrong_kind: int
problem_encrypted: int
problem_passphrase: int
problem_no_passphrase: int

class Algorithm:
    name: str
    seed_bytes: int
    public_key_bytes: int
    secret_key_bytes: int
    signature_bytes: int
    ciphertext_bytes: int
    shared_secret_bytes: int
    is_kem: bool
    has_context: bool
    has_mu: bool

class Secret:
    def __init__(self, data: Buffer) -> None: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __len__(self) -> int: ...
    def wipe(self) -> None: ...
    @property
    def wiped(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride]

class ArrowResult:
    def __init__(self, format: str, rows: int, buffers: list[Buffer]) -> None: ...
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

def to_bytes(data: Buffer, name: str) -> bytes: ...

Random = Callable[[int], Buffer]
Progress = Callable[[int, int], object]

class KeyPair:
    @staticmethod
    def generate(algorithm: Algorithm, checked: bool, random: Random | None) -> KeyPair: ...
    @staticmethod
    def from_seed(algorithm: Algorithm, seed: Buffer, reference: bool) -> KeyPair: ...
    @staticmethod
    def from_bytes(algorithm: Algorithm, secret_key: Buffer) -> KeyPair: ...
    @property
    def algorithm(self) -> Algorithm: ...
    def public_key(self) -> bytes: ...
    def secret_key(self) -> SecretBytes: ...
    def seed(self) -> SecretBytes | None: ...
    def equals(self, other: KeyPair) -> bool: ...
    def wipe(self) -> None: ...
    @property
    def wiped(self) -> bool: ...

class PreparedVerifying:
    def __init__(self, algorithm: Algorithm, public_key: Buffer) -> None: ...

class PreparedEncapsulation:
    def __init__(self, algorithm: Algorithm, public_key: Buffer) -> None: ...

class PreparedSigning:
    def __init__(self, key: KeyPair) -> None: ...
    def wipe(self) -> None: ...
    @property
    def wiped(self) -> bool: ...

class PreparedDecapsulation:
    def __init__(self, key: KeyPair) -> None: ...
    def wipe(self) -> None: ...
    @property
    def wiped(self) -> bool: ...

class Message:
    @staticmethod
    def begin(
        algorithm: Algorithm, public_key: Buffer, context: Buffer | None, pre_hash: str | None
    ) -> Message: ...
    @staticmethod
    def begin_signing(algorithm: Algorithm, random: Random | None) -> Message: ...
    @staticmethod
    def begin_verifying(algorithm: Algorithm, signature: Buffer) -> Message: ...
    def update(self, piece: Buffer) -> None: ...
    def mu(self) -> bytes: ...
    def sign(self, key: KeyPair, verify_after_sign: bool) -> bytes: ...
    def verify(self, public_key: Buffer, signature: Buffer) -> bool: ...

def algorithm(name: str) -> Algorithm | None: ...
def algorithm_at(index: int, /) -> Algorithm | None: ...
def pre_hash_at(index: int, /) -> str | None: ...
def pre_hash_strength(name: str, /) -> int: ...
def engine() -> str: ...
def engine_reason() -> str: ...
def error_text(code: int) -> str: ...
def sign(
    key: KeyPair | PreparedSigning,
    message: Buffer,
    is_mu: bool,
    context: Buffer | None,
    pre_hash: str | None,
    deterministic: bool,
    verify_after_sign: bool,
    random: Random | None,
) -> bytes: ...
def verify(
    algorithm: Algorithm,
    public_key: Buffer,
    message: Buffer,
    signature: Buffer,
    is_mu: bool,
    context: Buffer | None,
    pre_hash: str | None,
) -> bool: ...
def verify_prepared(
    key: PreparedVerifying,
    message: Buffer,
    signature: Buffer,
    is_mu: bool,
    context: Buffer | None,
    pre_hash: str | None,
) -> bool: ...
def crypto_sign(key: KeyPair, message: Buffer, random: Random | None) -> bytes: ...
def crypto_sign_open(
    algorithm: Algorithm, public_key: Buffer, signed_message: Buffer
) -> bytes | None: ...
def encapsulate(
    algorithm: Algorithm, public_key: Buffer, random: Random | None
) -> tuple[bytes, SecretBytes]: ...
def encapsulate_prepared(
    key: PreparedEncapsulation, random: Random | None
) -> tuple[bytes, SecretBytes]: ...
def decapsulate(key: KeyPair | PreparedDecapsulation, ciphertext: Buffer) -> SecretBytes: ...
def read_key_file(
    file: Buffer, algorithm: Algorithm | None, passphrase: Buffer | None
) -> tuple[
    str,
    str,
    str | None,
    Algorithm,
    Any,
    tuple[str, int, int, int, int] | None,
    str | None,
    bytes | None,
]: ...
def write_private_key(
    key: KeyPair,
    form: str | None,
    format: str,
    passphrase: Buffer | None,
    encryption: tuple[str, int, int, int, int],
) -> SecretBytes: ...
def write_public_key(algorithm: Algorithm, public_key: Buffer, format: str) -> bytes: ...
def thumbprint(algorithm: Algorithm, public_key: Buffer, format: str) -> bytes: ...
def sign_envelope(
    key: KeyPair,
    payload: Buffer,
    format: str,
    detached: bool,
    kid: Buffer | None,
    external_aad: Buffer,
    deterministic: bool,
    time: int,
    typ: Buffer | None,
) -> bytes: ...
def verify_envelope(
    algorithm: Algorithm,
    public_key: Buffer,
    envelope: Buffer,
    format: str,
    payload: Buffer | None,
    kid: Buffer | None,
    external_aad: Buffer,
    typ: Buffer | None,
) -> tuple[bytes, bytes] | str: ...
def fingerprint(algorithm: Algorithm, public_key: Buffer) -> bytes: ...
def verify_many(
    algorithm: Algorithm,
    public_keys: Any,
    messages: Any,
    signatures: Any,
    contexts: Any,
    pre_hash: str | None,
    threads: int,
    progress: Progress | None,
) -> bytearray: ...
def sign_many(
    algorithm: Algorithm,
    keys: Any,
    messages: Any,
    contexts: Any,
    pre_hash: str | None,
    deterministic: bool,
    verify_after_sign: bool,
    random: Random | None,
    threads: int,
    progress: Progress | None,
) -> tuple[bytearray, bytearray, bytearray, BaseException | None]: ...
def keygen_many(
    algorithm: Algorithm,
    seeds: Any,
    count: int,
    random: Random | None,
    threads: int,
    progress: Progress | None,
) -> tuple[bytearray, bytearray, bytearray, BaseException | None]: ...
def encapsulate_many(
    algorithm: Algorithm,
    public_keys: Any,
    count: int,
    random: Random | None,
    threads: int,
    progress: Progress | None,
) -> tuple[bytearray, bytearray, bytearray, BaseException | None]: ...
def bits(codes: Buffer, wanted: int, equal: bool) -> bytes: ...
def decapsulate_many(
    algorithm: Algorithm, keys: Any, ciphertexts: Any, threads: int, progress: Progress | None
) -> tuple[bytearray, bytearray]: ...
