"""The command girih-ssh: arguments of `ssh-keygen`, and its output where git reads it."""

from __future__ import annotations

import argparse
import contextlib
import functools
import getpass
import os
import re
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Generator
from pathlib import Path

from girih import ssh
from girih._errors import (
    Exception,
    InputException,
    KeyEncryptedException,
    KeyFileException,
    SignatureException,
)

_NEEDED = {"sign": "nf", "verify": "nfIs", "find-principals": "fs", "check-novalidate": "ns"}


def _warn(text: str) -> None:
    print(f"girih-ssh: warning: {text}", file=sys.stderr)


@contextlib.contextmanager
def _naming(path: str) -> Generator[None, None, None]:
    """Errors name the file."""
    try:
        yield
    except ssh.OtherKeyException:
        raise
    except InputException as error:
        ssh._fail(path, error.text if isinstance(error, KeyFileException) else str(error))


def _ask_program(prompt: str) -> bytes:
    program = os.environ.get("SSH_ASKPASS")
    if not program:
        ssh._fail("passphrase", "SSH_ASKPASS names no program to ask for it")
    try:
        done = subprocess.run([program, prompt], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    except OSError as error:
        ssh._fail("passphrase", f"SSH_ASKPASS does not run: {error}")
    if done.returncode:
        ssh._fail("passphrase", f"SSH_ASKPASS, {program!r}, failed with {done.returncode}")
    return re.split(b"[\r\n]", done.stdout, maxsplit=1)[0]


def _ask(prompt: str) -> bytes:
    """A passphrase from the terminal, or from the program SSH_ASKPASS where OpenSSH runs it."""
    required = os.environ.get("SSH_ASKPASS_REQUIRE", "").lower()
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if required == "force" or (required == "prefer" and has_display):
        return _ask_program(prompt)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # or else it reads the message
            return getpass.getpass(prompt).encode("utf-8", "surrogateescape")
    except (getpass.GetPassWarning, EOFError):
        if has_display and required != "never":
            return _ask_program(prompt)
    ssh._fail(
        "passphrase",
        "it cannot be asked for without a terminal; set SSH_ASKPASS and SSH_ASKPASS_REQUIRE=force",
    )


def _generate(given: argparse.Namespace) -> None:
    """Writes a new key, and its public key to the .pub file. Neither may exist."""
    path = given.f
    if path is None:
        path = os.path.expanduser("~/.ssh/id_mldsa44_ed25519")
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    comment = given.C
    if comment is None:
        comment = ""
        with contextlib.suppress(KeyError, OSError):  # the user has no name
            comment = f"{getpass.getuser()}@{socket.gethostname()}"
    passphrase = given.N and given.N.encode("utf-8", "surrogateescape")
    if passphrase is None:
        with _naming(path):
            passphrase = _ask(f"Passphrase of {path} (empty for none): ")
            if _ask(f"Passphrase of {path}, again: ") != passphrase:
                ssh._fail("passphrase", "the two differ")
    made = list[str]()
    with ssh.SigningKey.generate() as key:
        public = key.verifying_key()
        line = f"{public.line(comment)}\n".encode()
        with ssh.write_private_key(key, comment, passphrase or None) as private:
            try:
                for name, content, mode in ((path, private, 0o600), (f"{path}.pub", line, 0o644)):
                    with open(name, "xb", opener=functools.partial(os.open, mode=mode)) as file:
                        made.append(name)
                        file.write(content)
            except OSError:
                for name in made:
                    os.unlink(name)
                raise
    text = (
        f"Your identification has been saved in {path}\n"
        f"Your public key has been saved in {path}.pub\n"
        f"The key fingerprint is:\n{public.fingerprint()} {comment}\n"
    )
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))


def _public_keys(path: str, file: bytes) -> list[ssh.VerifyingKey]:
    """The public keys of a file, or of the file beside a private one, or of the private one."""
    if file.startswith(b"-----BEGIN"):
        if not os.path.exists(f"{path}.pub"):
            with _naming(path):
                return [ssh.read_public_part(file)]
        path = f"{path}.pub"
        file = Path(path).read_bytes()
    with _naming(path):
        return [line.key for line in ssh.read_public_keys(file)]


def _signer(path: str, needs_agent: bool) -> ssh.SigningKey | ssh.AgentKey:
    """The agent's key, if it holds that of the file, or else the private file's."""
    file = Path(path).read_bytes()
    wanted, is_private = _public_keys(path, file), file.startswith(b"-----BEGIN")
    if not wanted:
        ssh._fail(path, f"there is no key of type {ssh.ALGORITHM}", ssh.OtherKeyException)
    needs_agent = needs_agent or not (is_private or path.endswith(".pub"))
    with contextlib.nullcontext() if needs_agent else contextlib.suppress(OSError, Exception):
        for held in ssh.agent_keys():
            if held.key in wanted:
                return held
    if needs_agent:
        ssh._fail("agent", f"it does not hold the key of {path}")
    name = path if is_private else path.removesuffix(".pub")
    file = Path(name).read_bytes()
    if os.name == "posix" and os.stat(name).st_mode & 0o077:
        _warn(f"others than its owner can use the private key {name}")
    with _naming(name):
        with contextlib.suppress(KeyEncryptedException):
            return ssh.read_private_key(file)[0]
        passphrase = _ask(f"Passphrase of {name}: ")
        if not passphrase:
            ssh._fail("passphrase", "it is empty, and the private key is encrypted")
        return ssh.read_private_key(file, passphrase)[0]


def _sign(given: argparse.Namespace, hash_algorithm: str) -> None:
    key = _signer(given.f, given.U)
    for file in given.files or ["-"]:
        with (
            contextlib.nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as message
        ):
            made = ssh.sign(key, message, namespace=given.n, hash_algorithm=hash_algorithm)
        with (
            contextlib.nullcontext(sys.stdout.buffer)
            if file == "-"
            else open(f"{file}.sig", "xb") as target
        ):
            try:
                target.write(made)
                target.flush()
            except OSError:
                if file != "-":
                    os.unlink(target.name)
                raise


# The types of keys that a file of revoked keys may have, and the strings after the type's name in
# the key: their bytes, 0 if any number but none will do, or their content.
_CURVES = (("nistp256", 65), ("nistp384", 97), ("nistp521", 133))
_REVOCABLE: dict[str, tuple[int | str, ...]] = {
    ssh.ALGORITHM: (ssh._KEY,),
    "ssh-ed25519": (32,),
    "ssh-rsa": (0, 0),
    "sk-ssh-ed25519@openssh.com": (32, 0),
    "sk-ecdsa-sha2-nistp256@openssh.com": (*_CURVES[0], 0),
    **{f"ecdsa-sha2-{curve[0]}": curve for curve in _CURVES},
}


def _fits(value: memoryview, part: int | str) -> bool:
    if isinstance(part, str):
        return bytes(value) == part.encode()
    return len(value) == part if part else len(value) > 0


def _revoked(path: str) -> list[bytes]:
    """The blobs of a file of public keys. Anything else in it is refused, since it might revoke."""
    file, blobs = Path(path).read_bytes(), list[bytes]()
    if file.startswith(b"SSHKRL"):
        ssh._fail(path, "is a KRL, which is not read; public keys, one a line, are")
    for place, line in ssh._entries(file, path):
        kind, encoded, *_ = [*re.split("[ \t]+", line, maxsplit=2), ""]
        if kind not in _REVOCABLE:
            ssh._fail(
                place,
                f"{kind[:64]!r} is not a type of public keys that are read, and may be that of a certificate",
            )
        blobs.append(ssh._from_base64(encoded.encode("utf-8", "surrogateescape"), place))
        wanted = (kind, *_REVOCABLE[kind])
        found = ssh._parse(
            blobs[-1],
            place,
            *("the type", "the first value", "the second", "the third")[: len(wanted)],
        )
        for value, part in zip(found, wanted):
            if not _fits(value, part):
                ssh._fail(
                    place,
                    f"{bytes(value[:64])!r}, of {len(value)} bytes, is not in a key of type {kind}",
                )
    return blobs


def _has_key(line: bytes, option: str) -> bool:
    """Whether a line of allowed signers (f) or revoked keys (r) is well-formed and of this type."""
    with contextlib.suppress(Exception):
        if option == "f":
            return bool(ssh.read_allowed_signers(line, warn=lambda text: None))
        return any(not found.options for found in ssh.read_public_keys(line))
    return False


def _verify_by_ssh_keygen(given: argparse.Namespace) -> int:
    """Verifies a signature by a key of another type.

    Before OpenSSH 10.4, ssh-keygen complains of allowed signers with keys of this type and refuses
    files of revoked keys that have one. It gets copies in which these lines are comments.
    """
    with tempfile.TemporaryDirectory() as folder:
        command, copies = ["ssh-keygen", "-Y", given.operation], dict[str, str]()
        for option, value in [(name, getattr(given, name)) for name in "nfIsr"]:
            if value is not None and option in "fr":
                lines = Path(value).read_bytes().split(b"\n")
                copies[os.path.join(folder, option)] = value
                value = os.path.join(folder, option)
                Path(value).write_bytes(
                    b"\n".join(b"#" if _has_key(line, option) else line for line in lines)
                )
            if value is not None:
                command += [f"-{option}", value]
        for setting in given.O:
            command += ["-O", setting]
        done = subprocess.run(command, stderr=subprocess.PIPE)
    for copy, name in copies.items():
        done.stderr = done.stderr.replace(os.fsencode(copy), os.fsencode(name))
    sys.stderr.buffer.write(done.stderr)
    return done.returncode


def _verify(given: argparse.Namespace, time: float | None) -> None:
    armored = Path(given.s).read_bytes()
    key = ssh.read_signature(armored).key
    signers = (
        ssh.read_allowed_signers(Path(given.f).read_bytes(), given.f, warn=_warn) if given.f else []
    )
    if given.operation == "find-principals":
        text = "\n".join(
            filter(None, ssh.find_signer(signers, key, time=time).principals.split(","))
        )
    else:
        ssh.verify(key, armored, sys.stdin.buffer, namespace=given.n)
        if given.r is not None and key.blob() in _revoked(given.r):
            ssh._fail("signature", f"{given.r} revokes its key", SignatureException)
        text = f'Good "{given.n}" signature'
        if given.operation == "verify":
            ssh.find_signer(signers, key, principal=given.I, namespace=given.n, time=time)
            text += f" for {given.I}"
        text += f" with MLDSA44-ED25519 key {key.fingerprint()}"
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "surrogateescape"))


def main(arguments: list[str] | None = None) -> int:
    """Runs the command, or ssh-keygen if the key is of another type. Returns 255 for a failure."""
    parser = argparse.ArgumentParser(
        "girih-ssh", description="Makes keys as ssh-keygen -t does; signs and verifies as -Y does."
    )
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument("-t", choices=("mldsa44-ed25519", ssh.ALGORITHM), help="type of a new key")
    modes.add_argument("-Y", dest="operation", choices=_NEEDED)
    for option, meaning in {
        "C": "comment of a new key; USER@HOST by default",
        "N": "passphrase of a new key; empty for none",
        "n": "namespace",
        "f": "file of the key or of allowed signers",
        "I": "principal",
        "s": "file of the signature",
        "r": "file of revoked public keys",
    }.items():
        parser.add_argument(f"-{option}", help=meaning)
    parser.add_argument("-O", action="append", default=[], help="hashalg=NAME or verify-time=TIME")
    parser.add_argument("-U", action="store_true", help="an agent has to sign")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args(arguments)
    if given.t and any((given.n, given.I, given.s, given.r, given.O, given.U, given.files)):
        parser.error("-t takes only -f, -C and -N")
    if given.operation and (given.C, given.N) != (None, None):
        parser.error(f"-Y {given.operation} takes no -C or -N")
    for option in _NEEDED.get(given.operation, ""):
        if getattr(given, option) is None:
            parser.error(f"-Y {given.operation} needs -{option}")
    known = "hashalg" if given.operation == "sign" else "verify-time"
    settings = {name: value for name, _, value in (option.partition("=") for option in given.O)}
    if settings.keys() - {known}:
        parser.error(f"-Y {given.operation} has no -O but {known}=")
    try:
        try:
            if given.t:
                _generate(given)
            elif given.operation == "sign":
                _sign(given, settings.get(known, "sha512"))
            else:
                _verify(given, ssh.parse_time(settings[known], known) if settings else None)
            return 0
        except ssh.OtherKeyException:
            if given.operation != "sign":
                return _verify_by_ssh_keygen(given)
            return subprocess.call(
                ["ssh-keygen", *(sys.argv[1:] if arguments is None else arguments)]
            )
    except (Exception, ImportError, OSError) as error:
        print(f"girih-ssh: {error}", file=sys.stderr)
        return 255


if __name__ == "__main__":
    sys.exit(main())
