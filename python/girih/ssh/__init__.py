"""SSH keys and signatures of ssh-mldsa44-ed25519@openssh.com, which OpenSSH has from 10.4 on.

A key is one of ML-DSA-44 with one of Ed25519, and both sign: MLDSA44-Ed25519-SHA512 of
draft-ietf-lamps-pq-composite-sigs, with an empty context. Ed25519 and AES are those of the package
cryptography; passphrases need bcrypt. Certificates and keys of other types are refused. Errors name
the byte or line. Not wiped: copies of secrets in base64, in these packages, and from os.urandom.

As a command, `python -m girih.ssh` or `girih-ssh` takes the arguments of `ssh-keygen -Y`.
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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, Union, cast

from girih import _girih
from girih._errors import Error, Exception, InputException, SignatureException, make_key_file
from girih._secret import Guarded, SecretBytes
from girih.algorithms import ml_dsa_44

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
except ImportError as error:
    raise ImportError("girih.ssh needs the package cryptography") from error

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAlias

    Message: TypeAlias = Union[Buffer, BinaryIO]  # a file is read in pieces, to its end
    Signer: TypeAlias = Union["SigningKey", "AgentKey"]

ALGORITHM = "ssh-mldsa44-ed25519@openssh.com"
MAX_ROUNDS = 1000  # of bcrypt, in a file that is read: about ten seconds
_KEY, _SEEDS, _SIGNATURE = 1312 + 32, 32 + 32, 2420 + 64  # bytes of ML-DSA-44 and Ed25519
_LABEL = b"COMPSIG-MLDSA44-Ed25519-SHA512"
_CIPHERS = [f"aes{bits}-{mode}" for mode in ("ctr", "cbc") for bits in (128, 192, 256)]
_SIGNATURE_MAGIC, _KEY_MAGIC = b"SSHSIG\0\0\0\1", b"openssh-key-v1\0"


class OtherKeyException(InputException):
    """The key is of another type, or a certificate."""


def _fail(place: str, text: str, kind: type[Exception] = InputException) -> NoReturn:
    raise kind(Error.SIGNATURE if kind is SignatureException else Error.ARGUMENT, place, text)


class _Reader:
    """Reads the fields of RFC 4251, Section 5."""

    def __init__(self, data: Buffer, place: str) -> None:
        self._data, self.at, self._place = memoryview(data), 0, place

    def expect(self, good: bool, text: str, kind: type[Exception] = InputException) -> None:
        if not good:
            _fail(self._place, f"byte {self.at}: {text}", kind)

    def take(self, count: int, field: str) -> memoryview:
        left = len(self._data) - self.at
        self.expect(count <= left, f"{field} has {count} bytes, and {left} are left")
        self.at += count
        return self._data[self.at - count:self.at]

    def number(self, field: str) -> int:
        return int.from_bytes(self.take(4, field), "big")

    def string(self, field: str) -> memoryview:
        return self.take(self.number(f"the length of {field}"), field)

    def text(self, field: str) -> str:
        return str(self.string(field), "utf-8", "surrogateescape")

    def value(self, field: str, count: int) -> bytes:
        """A field that has the type, and a value of so many bytes."""
        inner = _Reader(self.string(field), f"{self._place}: {field}")
        found = inner.text("the type")
        inner.expect(found == ALGORITHM, f"the type is {found[:64]!r}, and not {ALGORITHM}", OtherKeyException)
        value = bytes(inner.string("the value"))
        inner.expect(len(value) == count, f"the value has {len(value)} bytes, and not {count}")
        inner.end()
        return value

    def end(self) -> None:
        self.expect(self.at == len(self._data), f"{len(self._data) - self.at} bytes follow the end")


def _strings(*fields: Buffer | str) -> bytes:
    contents = (field.encode("utf-8", "surrogateescape") if isinstance(field, str) else bytes(field) for field in fields)
    return b"".join(len(content).to_bytes(4, "big") + content for content in contents)


def _from_base64(text: str, place: str) -> bytes:
    with contextlib.suppress(ValueError):
        decoded = base64.b64decode(text, validate=True)
        if decoded and base64.b64encode(decoded).decode() == text:
            return decoded
    _fail(place, "the base64 is malformed")


def _unarmor(armored: Buffer, kind: str, place: str) -> bytes:
    lines = str(memoryview(armored), "ascii", "replace").rstrip().split("\n")
    for number, part in ((1, "BEGIN"), (len(lines), "END")):
        if lines[number - 1].rstrip("\r") != f"-----{part} {kind}-----":
            _fail(place, f"line {number} is not -----{part} {kind}-----")
    return _from_base64("".join("".join(lines[1:-1]).split()), place)


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
        if len(self.data) != _KEY:
            raise InputException(Error.PUBLIC_KEY_LENGTH, "public_key", f"{len(self.data)} bytes, and not {_KEY}")

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
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob()).digest()).decode().rstrip("=")

    def verify(self, message: Buffer, signature: Buffer) -> bool:
        """Whether both parts of a composite signature, of 2484 bytes, verify."""
        view, signed = memoryview(signature), _composed(message)
        ml_dsa = ml_dsa_44.VerifyingKey(self.data[:-32])
        if len(view) != _SIGNATURE or not ml_dsa.verify(signed, view[:-64], context=_LABEL):
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
            raise InputException(Error.SECRET_KEY_LENGTH, "seeds", f"{len(self._seeds)} bytes, and not {_SEEDS}")
        self._ml_dsa = ml_dsa_44.SigningKey.from_seed(memoryview(self._seeds)[:32])

    @classmethod
    def generate(cls) -> SigningKey:
        """A new key."""
        return cls(os.urandom(_SEEDS))

    def _ed25519(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(memoryview(self._seeds)[32:])

    def verifying_key(self) -> VerifyingKey:
        """The public key."""
        return VerifyingKey(self._ml_dsa.verifying_key().bytes() + self._ed25519().public_key().public_bytes_raw())

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


def _split(line: str, place: str) -> tuple[str, str]:
    """The text before the first blank that is not quoted, and the text after it."""
    quoted = False
    for atom in re.finditer(r'\\"|.', line):
        quoted ^= atom[0] == '"'
        if atom[0] in " \t" and not quoted:
            return line[:atom.start()], line[atom.end():].lstrip(" \t")
    return (line, "") if not quoted else _fail(place, "a quote is not closed")


def _key_lines(file: Buffer, name: str, principals: bool) -> Iterator[tuple[str, str, KeyLine]]:
    """The place, the principals before, and the key of each line that has one of this type."""
    for number, line in enumerate(str(memoryview(file), "utf-8", "surrogateescape").split("\n"), 1):
        place, rest = f"{name}: line {number}", line.strip(" \t\r")
        if rest.startswith("#"):
            continue
        who, rest = _split(rest, place) if principals else ("", rest)
        options, (kind, rest) = "", _split(rest, place)
        if kind != ALGORITHM:
            options, (kind, rest) = kind, _split(rest, place)
        if kind == ALGORITHM:
            encoded, _, comment = rest.replace("\t", " ").partition(" ")
            key = _Reader(_strings(_from_base64(encoded, place)), place).value("the key", _KEY)
            yield place, who, KeyLine(VerifyingKey(key), comment.strip(), options)


def read_public_keys(file: Buffer) -> list[KeyLine]:
    """The keys of a .pub or authorized_keys file. Lines with keys of other types are left out."""
    return [line for _, _, line in _key_lines(file, "public keys", principals=False)]


def _crypt(section: bytearray, name: str, passphrase: Buffer, salt: bytes, rounds: int, encrypts: bool) -> None:
    """Encrypts or decrypts whole blocks in place."""
    try:
        import bcrypt
    except ImportError as error:
        raise ImportError("an encrypted SSH key needs the package bcrypt") from error
    size, mode = int(name[3:6]) // 8, modes.CTR if name.endswith("ctr") else modes.CBC
    derived = bcrypt.kdf(bytes(passphrase), salt, size + 16, rounds, ignore_few_rounds=True)
    cipher = Cipher(algorithms.AES(derived[:size]), mode(derived[size:]))
    made = bytearray(len(section) + 15)
    (cipher.encryptor() if encrypts else cipher.decryptor()).update_into(section, made)
    section[:] = made[:len(section)]
    made[:] = bytes(len(made))


def read_private_key(file: Buffer, passphrase: Buffer | None = None) -> tuple[SigningKey, str]:
    """The key and comment of an openssh-key-v1 file, encrypted by AES-CTR or AES-CBC, or not.

    KeyEncryptedException without a needed passphrase, PassphraseException with a wrong one.
    """
    reader = _Reader(_unarmor(file, "OPENSSH PRIVATE KEY", "private key"), "private key")
    reader.expect(bytes(reader.take(len(_KEY_MAGIC), "the magic")) == _KEY_MAGIC, f"the magic is not {_KEY_MAGIC!r}")
    cipher, kdf = reader.text("the cipher"), reader.text("the KDF")
    options = _Reader(reader.string("the KDF's options"), "private key: the KDF's options")
    encrypted, block = (True, 16) if cipher != "none" else (False, 8)
    reader.expect(not encrypted or cipher in _CIPHERS, f"cipher {cipher[:64]!r} is none of {', '.join(_CIPHERS)}")
    reader.expect(kdf == ("bcrypt" if encrypted else "none"), f"the KDF of cipher {cipher} is {kdf[:64]!r}")
    reader.expect(reader.number("the number of keys") == 1, "there is not one key")
    public = VerifyingKey(reader.value("the public key", _KEY)).blob()
    section = bytearray(reader.string("the private section"))
    reader.expect(len(section) % block == 0, f"the private section is no multiple of {block} bytes")
    reader.end()
    if encrypted:
        salt, rounds = bytes(options.string("the salt")), options.number("the number of rounds")
        options.expect(0 < rounds <= MAX_ROUNDS, f"{rounds} rounds; 1 to {MAX_ROUNDS} are read")
        options.expect(len(salt) > 0, "the salt is empty")
        if not passphrase:
            raise make_key_file(_girih.problem_encrypted, "is an encrypted private key, which needs its passphrase")
        _crypt(section, cipher, passphrase, salt, rounds, encrypts=False)
    options.end()
    reader = _Reader(section, "private key: the private section")
    try:
        same = reader.number("checkint 1") == reader.number("checkint 2")
        if encrypted and not same:
            raise make_key_file(_girih.problem_passphrase, "the passphrase is wrong, or the encrypted key was changed")
        reader.expect(same, "the checkints differ")
        inner, seeds = bytes(reader.take(len(public), "the public key")), reader.string("the seeds")
        reader.expect(len(seeds) == _SEEDS, f"the seeds have {len(seeds)} bytes, and not {_SEEDS}")
        key, comment = SigningKey(seeds), reader.text("the comment")
        reader.expect(inner == public == key.verifying_key().blob(), "the public keys are not those of the seeds")
        padding = bytes(reader.take(len(section) - reader.at, "the padding"))
        reader.expect(padding == bytes(range(1, 1 + len(padding) % block)), f"the padding is {padding[:16].hex()}")
        return key, comment
    finally:
        section[:] = bytes(len(section))


def write_private_key(key: SigningKey, comment: str = "", passphrase: Buffer | None = None,
                      rounds: int = 24) -> SecretBytes:
    """An openssh-key-v1 file; a passphrase encrypts it by aes256-ctr after rounds of bcrypt."""
    header, block, salt = ("none", "none", b""), 8, os.urandom(16)
    if passphrase:
        header, block = ("aes256-ctr", "bcrypt", _strings(salt) + rounds.to_bytes(4, "big")), 16
    section = key._fields(2 * os.urandom(4), comment)
    section.extend(range(1, 1 + -len(section) % block))
    if passphrase:
        _crypt(section, header[0], passphrase, salt, rounds, encrypts=True)
    made = _KEY_MAGIC + _strings(*header) + b"\0\0\0\1" + _strings(key.verifying_key().blob(), section)
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
        return answer.value("the signature", _SIGNATURE)


def _ask_agent(request: Buffer, expected: int) -> _Reader:
    """The agent's answer (RFC 9987), after its type."""
    path = os.environ.get("SSH_AUTH_SOCK") or _fail("agent", "SSH_AUTH_SOCK is not set")
    with socket.socket(socket.AF_UNIX) as agent, agent.makefile("rb") as answers:
        agent.connect(path)
        agent.sendall(_strings(request))
        length = int.from_bytes(answers.read(4), "big")
        reader = _Reader(answers.read(min(length, 1 << 18)), "agent")
    kind = reader.take(length, "the answer")[0]
    reader.expect(kind == expected, f"the answer's type is {kind}, and not {expected}")
    reader.at = 1
    return reader


def agent_keys() -> list[AgentKey]:
    """The agent's keys of this type."""
    reader, found = _ask_agent(b"\x0b", 12), list[AgentKey]()
    for _ in range(reader.number("the number of keys")):
        blob, comment = reader.string("a key"), reader.text("a comment")
        with contextlib.suppress(OtherKeyException):
            found.append(AgentKey(VerifyingKey(_Reader(_strings(blob), "agent").value("a key", _KEY)), comment))
    return found


def add_to_agent(key: SigningKey, comment: str = "") -> None:
    """Gives the agent a key."""
    _ask_agent(key._fields(b"\x11", comment), 6)


class Signature(NamedTuple):
    """An SSHSIG (OpenSSH's PROTOCOL.sshsig)."""

    key: VerifyingKey
    namespace: str
    hash_algorithm: str
    value: bytes


def read_signature(armored: Buffer) -> Signature:
    """Reads a signature, without verifying it."""
    reader = _Reader(_unarmor(armored, "SSH SIGNATURE", "signature"), "signature")
    reader.expect(bytes(reader.take(10, "the magic")) == _SIGNATURE_MAGIC, "this is not SSHSIG of version 1")
    key, namespace = VerifyingKey(reader.value("the public key", _KEY)), reader.text("the namespace")
    reader.expect(not reader.string("the reserved field"), "the reserved field is not empty")
    found = Signature(key, namespace, reader.text("the hash"), reader.value("the signature", _SIGNATURE))
    reader.end()
    _signed(found.namespace, found.hash_algorithm, b"")
    return found


def _signed(namespace: str, hash_algorithm: str, message: Message) -> bytes:
    """The bytes that are signed for a message."""
    if not namespace or hash_algorithm not in ("sha512", "sha256"):
        _fail("signature", f"namespace {namespace!r} is empty, or hash {hash_algorithm!r} neither sha512 nor sha256")
    digest, read = hashlib.new(hash_algorithm), getattr(message, "read", None)
    for piece in iter(lambda: read(1 << 16), b"") if read else (cast("Buffer", message),):
        digest.update(piece)
    return b"SSHSIG" + _strings(namespace, "", hash_algorithm, digest.digest())


def sign(key: Signer, message: Message, *, namespace: str, hash_algorithm: str = "sha512") -> bytes:
    """The armored signature of a message for one purpose, such as "git" or "file"."""
    value = _strings(ALGORITHM, key.sign(_signed(namespace, hash_algorithm, message)))
    public = key.verifying_key().blob()
    return _armor(_SIGNATURE_MAGIC + _strings(public, namespace, "", hash_algorithm, value), "SSH SIGNATURE")


def verify(key: VerifyingKey, armored: Buffer, message: Message, *, namespace: str) -> None:
    """SignatureException unless this key signed the message for this namespace."""
    found = read_signature(armored)
    if (found.key, found.namespace) != (key, namespace):
        _fail("signature", f"it is by {found.key.fingerprint()} for {found.namespace!r}", SignatureException)
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
    found = [pattern for pattern in patterns.split(",")
             if fnmatch.fnmatchcase(text, pattern.removeprefix("!").replace("[", "[[]"))]
    return bool(found) and not any(pattern.startswith("!") for pattern in found)


def parse_time(text: str, place: str = "time") -> float:
    """The seconds since 1970 of YYYYMMDD[HHMM[SS]], in local time or, with Z, in UTC."""
    found = re.fullmatch(r"(\d{8})(?:(\d{4})(\d\d)?)?(Z|UTC)?", text, re.I | re.A)
    with contextlib.suppress(OverflowError, ValueError):
        if found:
            digits, zone = f"{found[1]}{found[2] or '0000'}{found[3] or '00'}", "+0000" if found[4] else ""
            return datetime.datetime.strptime(digits + zone, "%Y%m%d%H%M%S%z"[:12 + len(zone)]).timestamp()
    _fail(place, f"{text!r} is no time: YYYYMMDD[HHMM[SS]][Z]")


_OPTION = re.compile(r'(cert-authority|(namespaces|valid-after|valid-before)="((?:[^"\\]|\\"|\\(?!"))*)")(,(?=.)|\Z)', re.I)


def read_allowed_signers(file: Buffer) -> list[AllowedSigner]:
    """The lines with keys of this type, which have to be well-formed; the others are left out."""
    signers: list[AllowedSigner] = []
    for place, principals, line in _key_lines(file, "allowed signers", principals=True):
        options, at = dict[str, str](), 0
        while at < len(line.options):
            found = _OPTION.match(line.options, at)
            if not found or (name := (found[2] or found[1]).lower()) in options:
                _fail(place, f"option {line.options[at:at + 40]!r} is malformed, unknown or there twice")
            at, options[name] = found.end(), (found[3] or "").replace('\\"', '"')
        after, before = (parse_time(options.get(f"valid-{name}", default), place)
                         for name, default in (("after", "19700101Z"), ("before", "99991230Z")))
        if after >= before:
            _fail(place, "valid-before is not after valid-after")
        signers.append(AllowedSigner(place, principals.replace('"', ""), line.key, options.get("namespaces", "*"),
                                     after, before, "cert-authority" in options))
    return signers


def find_signer(signers: Iterable[AllowedSigner], key: VerifyingKey, *, principal: str | None = None,
                namespace: str | None = None, time: float | None = None) -> AllowedSigner:
    """The first line that lets the key sign; SignatureException, with reasons, if there is none.

    A principal or namespace that is None is not compared; a time that is None is now.
    """
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
    _fail("signature", "; ".join(reasons) or f"no line has the key {key.fingerprint()}", SignatureException)
