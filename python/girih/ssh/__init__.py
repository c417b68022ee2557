"""SSH keys and signatures of ssh-mldsa44-ed25519@openssh.com, which OpenSSH has from 10.4 on.

A key is one of ML-DSA-44 with one of Ed25519, and both sign: MLDSA44-Ed25519-SHA512 of
draft-ietf-lamps-pq-composite-sigs, with an empty context. Ed25519 and AES are those of the package
cryptography; passphrases need bcrypt. Certificates and keys of other types are refused. Errors name
the byte or line. Not wiped: copies of secrets in base64, in these packages, and from os.urandom.

As a command, `python -m girih.ssh` or `girih-ssh` takes arguments of `ssh-keygen`.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import fnmatch
import hashlib
import os
import re
import socket
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, Union, cast

from girih import _girih
from girih._errors import Error, Exception, InputException, SignatureException, make_key_file
from girih._secret import Guarded, SecretBytes
from girih.algorithms import ml_dsa_44

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
except ImportError as error:
    raise ImportError(
        "girih.ssh needs the package cryptography: pip install 'girih[ssh]'"
    ) from error

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    Message: TypeAlias = Union[Buffer, BinaryIO]  # a file is read in pieces, to its end
    Signer: TypeAlias = Union["SigningKey", "AgentKey"]

ALGORITHM = "ssh-mldsa44-ed25519@openssh.com"
MAX_ROUNDS = 1000  # of bcrypt, in a file that is read: about ten seconds
_KEY, _SEEDS, _SIGNATURE = 1312 + 32, 32 + 32, 2420 + 64  # bytes of ML-DSA-44 and Ed25519
_LABEL = b"COMPSIG-MLDSA44-Ed25519-SHA512"
_CIPHERS = {
    f"aes{size * 8}-{name}".encode(): (size, mode)
    for name, mode in (("ctr", modes.CTR), ("cbc", modes.CBC))
    for size in (16, 24, 32)
}
_MAX_PATTERN = 1022  # bytes of a pattern that OpenSSH reads
_SIGNATURE_MAGIC, _KEY_MAGIC = b"SSHSIG\0\0\0\1", b"openssh-key-v1\0"


class OtherKeyException(InputException):
    """The key is of another type, or a certificate."""


def _fail(place: str, text: str, kind: type[Exception] = InputException) -> NoReturn:
    raise kind(Error.SIGNATURE if kind is SignatureException else Error.ARGUMENT, place, text)


def _parse(
    data: Buffer, place: str, *fields: str, start: int = 0, rest: bool = False
) -> list[memoryview]:
    """The strings (RFC 4251, Section 5) from a byte on, and what follows them, if anything may."""
    view, found = memoryview(data), list[memoryview]()
    for field in fields:
        length, left = int.from_bytes(view[start : start + 4], "big"), len(view) - start - 4
        if length > left:
            _fail(place, f"byte {start}: {field} has {length} bytes, and {max(left, 0)} are left")
        found.append(view[start + 4 : start + 4 + length])
        start += 4 + length
    if not rest and start != len(view):
        _fail(place, f"byte {start}: {len(view) - start} bytes follow the end")
    return [*found, view[start:]] if rest else found


def _value(
    blob: Buffer, place: str, length: int, otherwise: type[Exception] = InputException
) -> bytes:
    """The value of a key or signature, which the name of its type precedes. `otherwise` is the
    error for another type: OtherKeyException where nothing before the blob has named its type."""
    kind, _ = _parse(blob, place, "the type", rest=True)
    if bytes(kind) != ALGORITHM.encode():
        _fail(place, f"byte 4: the type is {bytes(kind[:64])!r}, and not {ALGORITHM}", otherwise)
    (value,) = _parse(blob, place, "the value", start=4 + len(kind))
    if len(value) != length:
        _fail(place, f"byte {4 + len(kind)}: the value has {len(value)} bytes, and not {length}")
    return bytes(value)


def _strings(*fields: Buffer | str) -> bytes:
    contents = (
        field.encode("utf-8", "surrogateescape") if isinstance(field, str) else bytes(field)
        for field in fields
    )
    return b"".join(len(content).to_bytes(4, "big") + content for content in contents)


def _from_base64(text: bytes, place: str) -> bytes:
    with contextlib.suppress(ValueError):
        decoded = base64.b64decode(text, validate=True)
        if decoded and base64.b64encode(decoded) == text:
            return decoded
    _fail(place, "the base64 is malformed")


def _lines(file: Buffer, place: str) -> list[bytes]:
    """The lines of a text, which may begin with a byte order mark and end its lines in CR LF."""
    text = bytes(file)
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        _fail(place, "text in UTF-16, where girih reads UTF-8")
    return [line.removesuffix(b"\r") for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n")]


def _unarmor(armored: Buffer, kind: str, place: str, magic: bytes) -> bytes:
    lines = _lines(bytes(armored).rstrip(), place)
    for number, part in ((1, "BEGIN"), (len(lines), "END")):
        if lines[number - 1] != f"-----{part} {kind}-----".encode():
            _fail(place, f"line {number} is not -----{part} {kind}-----")
    blob = _from_base64(b"".join(b"".join(lines[1:-1]).split()), place)
    return (
        blob
        if blob.startswith(magic)
        else _fail(place, f"byte 0: it does not begin with {magic!r}")
    )


def _armor(blob: bytes, kind: str) -> bytes:
    text = re.sub(r"(.{1,70})", r"\1\n", base64.b64encode(blob).decode())
    return f"-----BEGIN {kind}-----\n{text}-----END {kind}-----\n".encode()


def _composed(message: Buffer) -> bytes:
    """M' of the composite, which both keys sign."""
    return b"CompositeAlgorithmSignatures2025" + _LABEL + b"\0" + hashlib.sha512(message).digest()


@dataclass(frozen=True)
class VerifyingKey:
    """A public key: 1312 bytes of ML-DSA-44, then 32 of Ed25519."""

    data: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", _girih.to_bytes(self.data, "public_key"))
        if len(self.data) != _KEY:
            raise InputException(
                Error.PUBLIC_KEY_LENGTH, "public_key", f"{len(self.data)} bytes, and not {_KEY}"
            )

    def blob(self) -> bytes:
        """The key in SSH's encoding."""
        return _strings(ALGORITHM, self.data)

    def line(self, comment: str = "") -> str:
        """The line of a .pub file, without its newline."""
        if not comment.isprintable():
            _fail("comment", f"{comment!r} is not printable")
        return f"{ALGORITHM} {base64.b64encode(self.blob()).decode()} {comment}".rstrip()

    def fingerprint(self) -> str:
        """SHA256:..., as `ssh-keygen -l` prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob()).digest()).decode().rstrip(
            "="
        )

    def verify(self, message: Buffer, signature: Buffer) -> bool:
        """Whether both parts of a composite signature, of 2484 bytes, verify."""
        view, signed = memoryview(signature), _composed(message)
        if not ml_dsa_44.VerifyingKey(self.data[:-32]).verify(signed, view[:-64], context=_LABEL):
            return False
        with contextlib.suppress(InvalidSignature):
            Ed25519PublicKey.from_public_bytes(self.data[-32:]).verify(bytes(view[-64:]), signed)
            return True
        return False


class SigningKey(Guarded):
    """A secret key, from two seeds of 32 bytes: that of ML-DSA-44, then that of Ed25519."""

    __slots__ = ("_ml_dsa", "_seeds")

    def __init__(self, seeds: Buffer) -> None:
        self._seeds = SecretBytes(seeds)
        if len(self._seeds) != _SEEDS:
            raise InputException(
                Error.SECRET_KEY_LENGTH, "seeds", f"{len(self._seeds)} bytes, and not {_SEEDS}"
            )
        self._ml_dsa = ml_dsa_44.SigningKey.from_seed(memoryview(self._seeds)[:32])

    @classmethod
    def generate(cls) -> SigningKey:
        """A new key."""
        return cls(os.urandom(_SEEDS))

    def _ed25519(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(memoryview(self._seeds)[32:])

    def verifying_key(self) -> VerifyingKey:
        """The public key."""
        return VerifyingKey(
            self._ml_dsa.verifying_key().bytes() + self._ed25519().public_key().public_bytes_raw()
        )

    def sign(self, message: Buffer) -> bytes:
        """A composite signature; ML-DSA's part is hedged."""
        signed = _composed(message)
        return self._ml_dsa.sign(signed, context=_LABEL) + self._ed25519().sign(signed)

    def wipe(self) -> None:
        """Overwrites both keys and their seeds."""
        self._seeds.wipe()
        self._ml_dsa.wipe()

    def _fields(self, start: bytes, comment: str) -> bytearray:
        """The key in files and messages to agents, which the caller wipes."""
        made = bytearray(start + self.verifying_key().blob() + _SEEDS.to_bytes(4, "big"))
        made.extend(memoryview(self._seeds))
        made.extend(_strings(comment))
        return made


class KeyLine(NamedTuple):
    """A line of a .pub or authorized_keys file; its options are not interpreted."""

    key: VerifyingKey
    comment: str
    options: str


def _entries(file: Buffer, name: str) -> Iterator[tuple[str, str]]:
    """The place and the text of each line that is neither blank nor a comment."""
    for number, line in enumerate(_lines(file, name), 1):
        text = str(line, "utf-8", "surrogateescape").lstrip(" \t").rstrip(" \t\r")
        if text and not text.startswith("#"):
            yield f"{name}: line {number}", text


def _split(line: str, place: str) -> tuple[str, str]:
    """The text before the first blank that is not quoted, and the text after it."""
    quoted = False
    for atom in re.finditer(r'\\"|.', line):
        quoted ^= atom[0] == '"'
        if atom[0] in " \t" and not quoted:
            return line[: atom.start()], line[atom.end() :].lstrip(" \t")
    return (line, "") if not quoted else _fail(place, "a quote is not closed")


def _key_line(text: str, place: str) -> KeyLine | None:
    """The key of a line; None if it is of another type."""
    options, (kind, rest) = "", _split(text, place)
    if kind != ALGORITHM:
        options, (kind, rest) = kind, _split(rest, place)
    if kind != ALGORITHM:
        return None
    if "\0" in text:
        _fail(place, "it has a NUL")
    encoded, _, comment = rest.replace("\t", " ").partition(" ")
    blob = _from_base64(encoded.encode("utf-8", "surrogateescape"), place)
    return KeyLine(VerifyingKey(_value(blob, place, _KEY)), comment.strip(), options)


def read_public_keys(file: Buffer) -> list[KeyLine]:
    """The keys of a .pub or authorized_keys file. Lines with keys of other types are left out."""
    return [
        line for place, text in _entries(file, "public keys") if (line := _key_line(text, place))
    ]


def _crypt(
    section: bytearray, name: bytes, passphrase: Buffer, salt: bytes, rounds: int, encrypts: bool
) -> None:
    """Encrypts or decrypts whole blocks in place."""
    try:
        import bcrypt
    except ImportError as error:
        raise ImportError(
            "an encrypted SSH key needs the package bcrypt: pip install 'girih[ssh]'"
        ) from error
    size, mode = _CIPHERS[name]
    derived = bcrypt.kdf(bytes(passphrase), salt, size + 16, rounds, ignore_few_rounds=True)
    cipher = Cipher(algorithms.AES(derived[:size]), mode(derived[size:]))
    made = bytearray(len(section) + 15)
    (cipher.encryptor() if encrypts else cipher.decryptor()).update_into(section, made)
    section[:] = made[: len(section)]
    made[:] = bytes(len(made))


def _decrypt(
    section: bytearray, cipher: bytes, options: memoryview, passphrase: Buffer | None
) -> None:
    place = "private key: the KDF's options"
    salt, end = _parse(options, place, "the salt", rest=True)
    rounds = int.from_bytes(end, "big")
    if not salt or len(end) != 4 or not 0 < rounds <= MAX_ROUNDS:
        _fail(place, f"{len(salt)} bytes of salt and {rounds} rounds; 1 to {MAX_ROUNDS} are read")
    if not passphrase:
        raise make_key_file(
            _girih.problem_encrypted, "is an encrypted private key, which needs its passphrase"
        )
    _crypt(section, cipher, passphrase, bytes(salt), rounds, encrypts=False)
    if section[:4] != section[4:8]:
        raise make_key_file(
            _girih.problem_passphrase, "the passphrase is wrong, or the encrypted key was changed"
        )


class _PrivateFile(NamedTuple):
    """The parts of an openssh-key-v1 file that has one key, of this type."""

    cipher: bytes
    options: memoryview
    block: int  # the private section is whole blocks of so many bytes
    public: memoryview
    private: memoryview


def _private_file(file: Buffer) -> _PrivateFile:
    blob = _unarmor(file, "OPENSSH PRIVATE KEY", "private key", _KEY_MAGIC)
    *header, options, keys = _parse(
        blob,
        "private key",
        "the cipher",
        "the KDF",
        "the KDF's options",
        start=len(_KEY_MAGIC),
        rest=True,
    )
    cipher, kdf = map(bytes, header)
    encrypted, block = (False, 8) if cipher == b"none" else (True, 16)
    if kdf != (b"bcrypt" if encrypted else b"none") or (encrypted and cipher not in _CIPHERS):
        _fail("private key", f"cipher {cipher[:64]!r} with KDF {kdf[:64]!r} is not read")
    if bytes(keys[:4]) != b"\0\0\0\1":
        _fail("private key", f"byte {len(blob) - len(keys)}: there is not one key")
    public, private = _parse(
        keys,
        "private key, after the KDF's options",
        "the public key",
        "the private section",
        start=4,
    )
    _value(public, "private key: the public key", _KEY, OtherKeyException)
    if len(private) % block:
        _fail(
            "private key", f"the private section has {len(private)} bytes, no multiple of {block}"
        )
    return _PrivateFile(cipher, options, block, public, private)


def read_public_part(file: Buffer) -> VerifyingKey:
    """The public key of an openssh-key-v1 file, which needs no passphrase."""
    return VerifyingKey(_value(_private_file(file).public, "private key: the public key", _KEY))


def read_private_key(file: Buffer, passphrase: Buffer | None = None) -> tuple[SigningKey, str]:
    """The key and comment of an openssh-key-v1 file, encrypted by AES-CTR or AES-CBC, or not.

    KeyEncryptedException without a needed passphrase, PassphraseException with a wrong one.
    """
    cipher, options, block, public, private = _private_file(file)
    section, place = bytearray(private), "private key: the private section"
    try:
        if cipher != b"none":
            _decrypt(section, cipher, options, passphrase)
        elif options or section[:4] != section[4:8]:
            _fail(place, "the checkints differ, or the KDF none has options")
        *inner, seeds, comment, padding = _parse(
            section,
            place,
            "the type",
            "the public key",
            "the seeds",
            "the comment",
            start=8,
            rest=True,
        )
        if len(seeds) != _SEEDS:
            _fail(place, f"the seeds have {len(seeds)} bytes, and not {_SEEDS}")
        key = SigningKey(seeds)
        if not _strings(*inner) == bytes(public) == key.verifying_key().blob():
            _fail(place, "the public keys are not those of the seeds")
        if bytes(padding) != bytes(range(1, 1 + len(padding) % block)):
            _fail(
                place,
                f"byte {len(section) - len(padding)}: the padding is not 1, 2, ..., or longer than needed",
            )
        return key, str(comment, "utf-8", "surrogateescape")
    finally:
        section[:] = bytes(len(section))


def write_private_key(
    key: SigningKey, comment: str = "", passphrase: Buffer | None = None, rounds: int = 24
) -> SecretBytes:
    """An openssh-key-v1 file; a passphrase encrypts it by aes256-ctr after rounds of bcrypt."""
    header, block, salt = (b"none", b"none", b""), 8, os.urandom(16)
    if passphrase is not None:
        passphrase = _girih.to_bytes(passphrase, "passphrase")
        if not passphrase or not 0 < rounds <= MAX_ROUNDS:
            _fail(
                "private key",
                f"the passphrase is empty, or {rounds} rounds are not 1 to {MAX_ROUNDS}",
            )
        header, block = (b"aes256-ctr", b"bcrypt", _strings(salt) + rounds.to_bytes(4, "big")), 16
    section = key._fields(2 * os.urandom(4), comment)
    section.extend(range(1, 1 + -len(section) % block))
    try:
        if passphrase is not None:
            _crypt(section, header[0], passphrase, salt, rounds, encrypts=True)
        made = (
            _KEY_MAGIC
            + _strings(*header)
            + b"\0\0\0\1"
            + _strings(key.verifying_key().blob(), section)
        )
    finally:
        section[:] = bytes(len(section))
    return SecretBytes(_armor(made, "OPENSSH PRIVATE KEY"))


class AgentKey(NamedTuple):
    """A key that the agent at SSH_AUTH_SOCK holds and signs with."""

    key: VerifyingKey
    comment: str

    def verifying_key(self) -> VerifyingKey:
        """The public key."""
        return self.key

    def sign(self, message: Buffer) -> bytes:
        """A composite signature."""
        answer = _ask_agent(b"\x0d" + _strings(self.key.blob(), message) + bytes(4), 14)
        return _value(_parse(answer, "agent", "the signature")[0], "agent's signature", _SIGNATURE)


def _ask_agent(request: Buffer, expected: int) -> bytes:
    """The agent's answer (RFC 9987), after its type."""
    path = os.environ.get("SSH_AUTH_SOCK") or _fail("agent", "SSH_AUTH_SOCK is not set")
    with socket.socket(socket.AF_UNIX) as agent, agent.makefile("rb") as answers:
        try:
            agent.connect(path)
        except OSError as error:
            _fail("agent", f"SSH_AUTH_SOCK, {path!r}: {error}")
        agent.sendall(len(memoryview(request)).to_bytes(4, "big"))
        agent.sendall(request)
        length = int.from_bytes(answers.read(4), "big")
        answer = answers.read(min(length, 1 << 18))
    if len(answer) != length:
        _fail("agent", f"the answer has {length} bytes, and {len(answer)} are read")
    if answer[:1] != bytes([expected]):
        _fail("agent", f"byte 4: the answer's type is {answer[:1].hex()}, and not {expected:02x}")
    return answer[1:]


def agent_keys() -> list[AgentKey]:
    """The agent's keys of this type."""
    answer = memoryview(_ask_agent(b"\x0b", 12))
    found, count, rest = list[AgentKey](), int.from_bytes(answer[:4], "big"), answer[4:]
    if len(answer) < 4:
        _fail("agent", "the number of keys is cut off")
    for _ in range(count):
        blob, comment, rest = _parse(rest, "agent", "a key", "a comment", rest=True)
        with contextlib.suppress(OtherKeyException):
            key = VerifyingKey(_value(blob, "agent's key", _KEY, OtherKeyException))
            found.append(AgentKey(key, str(comment, "utf-8", "surrogateescape")))
    if rest:
        _fail("agent", f"{len(rest)} bytes follow the last of {count} keys")
    return found


def add_to_agent(key: SigningKey, comment: str = "") -> None:
    """Gives the agent a key."""
    request = key._fields(b"\x11", comment)
    try:
        if _ask_agent(request, 6):
            _fail("agent", "bytes follow the answer")
    finally:
        request[:] = bytes(len(request))


class Signature(NamedTuple):
    """An SSHSIG (OpenSSH's PROTOCOL.sshsig)."""

    key: VerifyingKey
    namespace: str
    hash_algorithm: str
    value: bytes


def read_signature(armored: Buffer) -> Signature:
    """Reads a signature, without verifying it."""
    blob = _unarmor(armored, "SSH SIGNATURE", "signature", _SIGNATURE_MAGIC)
    public, namespace, reserved, name, value = _parse(
        blob,
        "signature",
        "the public key",
        "the namespace",
        "the reserved field",
        "the hash",
        "the value",
        start=10,
    )
    if reserved:
        _fail("signature", "the reserved field is not empty")
    key = VerifyingKey(_value(public, "signature: the public key", _KEY, OtherKeyException))
    found = Signature(
        key,
        str(namespace, "utf-8", "surrogateescape"),
        str(name, "ascii", "replace"),
        _value(value, "signature: the value", _SIGNATURE),
    )
    _signed(found.namespace, found.hash_algorithm, b"")
    return found


def _signed(namespace: str, hash_algorithm: str, message: Message) -> bytes:
    """The bytes that are signed for a message."""
    if not namespace or hash_algorithm not in ("sha512", "sha256"):
        _fail(
            "signature",
            f"namespace {namespace!r} is empty, or hash {hash_algorithm!r} neither sha512 nor sha256",
        )
    digest, read = hashlib.new(hash_algorithm), getattr(message, "read", None)
    for piece in iter(lambda: read(1 << 16), b"") if read else (cast("Buffer", message),):
        digest.update(piece)
    return b"SSHSIG" + _strings(namespace, "", hash_algorithm, digest.digest())


def sign(key: Signer, message: Message, *, namespace: str, hash_algorithm: str = "sha512") -> bytes:
    """The armored signature of a message for one purpose, such as "git" or "file"."""
    value = _strings(ALGORITHM, key.sign(_signed(namespace, hash_algorithm, message)))
    public = key.verifying_key().blob()
    return _armor(
        _SIGNATURE_MAGIC + _strings(public, namespace, "", hash_algorithm, value), "SSH SIGNATURE"
    )


def verify(key: VerifyingKey, armored: Buffer, message: Message, *, namespace: str) -> None:
    """SignatureException unless this key signed the message for this namespace."""
    found = read_signature(armored)
    if (found.key, found.namespace) != (key, namespace):
        _fail(
            "signature",
            f"it is by {found.key.fingerprint()} for {found.namespace!r}",
            SignatureException,
        )
    if not key.verify(_signed(namespace, found.hash_algorithm, message), found.value):
        _fail("signature", "it does not verify", SignatureException)


class AllowedSigner(NamedTuple):
    """A line of an allowed_signers file: which key signs for whom, for what, and when."""

    place: str
    principals: str  # patterns, as namespaces are
    key: VerifyingKey
    namespaces: str
    after: float  # seconds since 1970
    before: float
    is_authority: bool


def _matches(text: str, patterns: str) -> bool:
    """Whether a pattern of a list matches, and none with an exclamation mark before it, as OpenSSH
    reads lists: nothing follows a last comma, and a pattern that is too long spoils its list."""
    name, *each = (part.encode("utf-8", "surrogateescape") for part in (text, *patterns.split(",")))
    if not each[-1]:
        each.pop()
    if any(len(pattern.removeprefix(b"!")) > _MAX_PATTERN for pattern in each):
        return False
    found = [
        pattern
        for pattern in each
        if fnmatch.fnmatchcase(name, pattern.removeprefix(b"!").replace(b"[", b"[[]"))
    ]
    return bool(found) and not any(pattern.startswith(b"!") for pattern in found)


def parse_time(text: str, place: str = "time") -> float:
    """The seconds since 1970 of YYYYMMDD[HHMM[SS]], in local time or, with Z, in UTC. They are more
    than none, as OpenSSH wants them."""
    found = re.fullmatch(r"(\d{8})(?:(\d{4})(\d\d)?)?(Z|UTC)?", text, re.I | re.A)
    with contextlib.suppress(OverflowError, ValueError):
        if found:
            digits, zone = (
                f"{found[1]}{found[2] or '0000'}{found[3] or '00'}",
                datetime.timezone.utc if found[4] else None,
            )
            seconds = (
                datetime.datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=zone).timestamp()
            )
            if seconds > 0:
                return seconds
    _fail(place, f"{text!r} is not a time after 1970: YYYYMMDD[HHMM[SS]][Z]")


_PRINCIPALS = re.compile(r'(?:"([^"\0]*)"|([^" \t\r\0]+))[ \t\r]+')
_OPTION = re.compile(
    r'(cert-authority|(namespaces|valid-after|valid-before)="((?:[^"\\]|\\"|\\(?!"))*)")(,(?=.)|\Z)',
    re.I | re.A,
)


def _allowed_signer(text: str, place: str) -> AllowedSigner | None:
    """The signer of a line; None if the key is of another type."""
    who = _PRINCIPALS.match(text) or _fail(
        place, "it does not begin with principals, all in quotes or none, and a blank"
    )
    line = _key_line(text[who.end() :], place)
    if not line:
        return None if len(text[who.end() :].split()) > 1 else _fail(place, "there is no key")
    options, at = dict[str, str](), 0
    while at < len(line.options):
        found = _OPTION.match(line.options, at)
        if not found or (name := (found[2] or found[1]).lower()) in options:
            _fail(
                place, f"option {line.options[at : at + 40]!r} is malformed, unknown or there twice"
            )
        at, options[name] = found.end(), (found[3] or "").replace('\\"', '"')
    after, before = (
        parse_time(options[name], place) if name in options else default
        for name, default in (("valid-after", 0.0), ("valid-before", float("inf")))
    )
    if after >= before:
        _fail(place, "valid-before is not after valid-after")
    principals = who[2] if who[1] is None else who[1]
    return AllowedSigner(
        place,
        principals,
        line.key,
        options.get("namespaces", "*"),
        after,
        before,
        "cert-authority" in options,
    )


def read_allowed_signers(
    file: Buffer, name: str = "allowed signers", *, warn: Callable[[str], object] = warnings.warn
) -> list[AllowedSigner]:
    """The lines with keys of this type. Lines with keys of other types are left out.

    A malformed line lets nobody sign, and does not end the reading: `warn` gets a text for it, with
    the name of the file and the line.
    """
    signers = list[AllowedSigner]()
    for place, text in _entries(file, name):
        try:
            signers.extend(filter(None, [_allowed_signer(text, place)]))
        except InputException as error:
            warn(f"{error}; the line is skipped")
    return signers


def find_signer(
    signers: Iterable[AllowedSigner],
    key: VerifyingKey,
    *,
    principal: str | None = None,
    namespace: str | None = None,
    time: float | None = None,
) -> AllowedSigner:
    """The first line that lets the key sign; SignatureException, with reasons, if there is none.

    A principal or namespace that is None is not compared; a time that is None is now.
    """
    if principal == "":
        _fail("principal", "it is empty")
    when, reasons = datetime.datetime.now().timestamp() if time is None else time, list[str]()
    for signer in (signer for signer in signers if signer.key == key):
        if principal is not None and not _matches(principal, signer.principals):
            reasons.append(f"{signer.place} is not for {principal!r}")
        elif signer.is_authority:
            reasons.append(f"{signer.place} is for certificates, which are not read")
        elif namespace is not None and not _matches(namespace, signer.namespaces):
            reasons.append(f"{signer.place} is not for namespace {namespace!r}")
        elif not signer.after <= when <= signer.before:
            reasons.append(f"{signer.place} is not valid at this time")
        else:
            return signer
    _fail(
        "signature",
        "; ".join(reasons) or f"no line has the key {key.fingerprint()}",
        SignatureException,
    )
