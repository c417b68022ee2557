"""SSH keys and signatures: OpenSSH's test data, malformed inputs, and OpenSSH and git both ways."""

from __future__ import annotations

import base64
import getpass
import io
import os
import runpy
import shlex
import shutil
import socket
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import girih

pytest.importorskip("cryptography")
pytest.importorskip("bcrypt")
from girih import ssh  # noqa: E402
from girih.ssh.__main__ import main  # noqa: E402

DATA = Path(__file__).parent / "openssh"  # of OpenSSH's regress/unittests
SEEDS = bytes(range(64))
KEY = ssh.SigningKey(SEEDS)
PUBLIC = KEY.verifying_key()
OTHER = ssh.SigningKey(bytes(64)).verifying_key()
LINE = PUBLIC.line("a comment")
ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA7gpnGvNqiBYNxuMSoZFhHZjFzyA0dXYR0SFKbaPWnl"
CTR = b"\0\0\0\x0aaes256-ctr"


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def string(*fields: bytes) -> bytes:
    return number(len(b"".join(fields))) + b"".join(fields)


def typed(value: bytes, kind: bytes = ssh.ALGORITHM.encode()) -> bytes:
    return string(string(kind), string(value))


def key_line(blob: bytes, kind: str = ssh.ALGORITHM) -> str:
    return f"{kind} {base64.b64encode(blob).decode()}"


def armor(kind: str, fields: dict[str, bytes], changed: dict[str, bytes]) -> bytes:
    text = base64.b64encode(
        b"".join(changed.get(name, value) for name, value in fields.items())
    ).decode()
    return f"-----BEGIN {kind}-----\n{text}\n-----END {kind}-----\n".encode()


def private_file(**changed: bytes) -> bytes:
    """An unencrypted file of KEY, with some fields changed."""
    inner = {
        "check": b"12341234",
        "inner": PUBLIC.blob(),
        "seeds": string(SEEDS),
        "comment": string(b"a key"),
        "padding": b"\1\2\3\4",
    }
    return armor(
        "OPENSSH PRIVATE KEY",
        {
            "magic": b"openssh-key-v1\0",
            "cipher": string(b"none"),
            "kdf": string(b"none"),
            "options": string(),
            "count": number(1),
            "public": typed(PUBLIC.data),
            "section": string(*(changed.get(name, value) for name, value in inner.items())),
            "after": b"",
        },
        changed,
    )


def signature_file(**changed: bytes) -> bytes:
    """A signature of b"message" by KEY, with some fields changed."""
    value = ssh.read_signature(ssh.sign(KEY, b"message", namespace="n")).value
    return armor(
        "SSH SIGNATURE",
        {
            "magic": b"SSHSIG\0\0\0\1",
            "public": typed(PUBLIC.data),
            "namespace": string(b"n"),
            "reserved": string(),
            "hash": string(b"sha512"),
            "value": typed(value),
            "after": b"",
        },
        changed,
    )


def test_openssh_test_data() -> None:
    key, comment = ssh.read_private_key((DATA / "key").read_bytes())
    again = ssh.read_private_key((DATA / "key_pw").read_bytes(), b"mekmitasdigoat")
    assert (
        comment == again[1] == "MLDSA44-ED25519 test key #1"
        and again[0].verifying_key() == key.verifying_key()
    )
    assert key.verifying_key().fingerprint() == "SHA256:MHrtMS/Vf35zxTemIBpFyKqv9rT1bd1XMLqM9CnT8WY"
    blobs = [
        ssh._unarmor(file, "OPENSSH PRIVATE KEY", "", b"")
        for file in (ssh.write_private_key(key, comment), (DATA / "key").read_bytes())
    ]
    section = blobs[0].rindex(key.verifying_key().blob()) - 8
    assert (
        len({blob[:section] + blob[section + 8 :] for blob in blobs}) == 1
    )  # all but the checkints
    armored = (DATA / "signature").read_bytes()
    assert ssh._armor(ssh._unarmor(armored, "SSH SIGNATURE", "", b""), "SSH SIGNATURE") == armored
    found = ssh.read_signature(armored)
    ssh.verify(found.key, armored, b"This is a test, this is only a test", namespace="unittest")
    with pytest.raises(girih.SignatureException, match="it does not verify"):
        ssh.verify(found.key, armored, b"another", namespace="unittest")


def test_keys_come_back() -> None:
    for passphrase in (None, b"words"):
        written = ssh.write_private_key(KEY, "c \u00e9", passphrase, rounds=1)
        key, comment = ssh.read_private_key(written, passphrase)
        assert comment == "c \u00e9" and key.verifying_key() == PUBLIC
    with pytest.raises(girih.KeyEncryptedException):
        ssh.read_private_key(written)
    with pytest.raises(girih.PassphraseException):
        ssh.read_private_key(written, b"others")
    assert ssh.read_private_key(private_file())[1] == "a key"
    lines = ssh.read_public_keys(
        f'# keys\n\n{ED25519}\n{LINE}\r\nfrom="a, \\" b",no-pty {LINE}\n'.encode()
    )
    assert lines == [(PUBLIC, "a comment", ""), (PUBLIC, "a comment", 'from="a, \\" b",no-pty')]
    with pytest.raises(girih.InputException, match="comment: .* is not printable"):
        PUBLIC.line("two\nlines")
    wrong: Any = 5
    with pytest.raises(TypeError, match="public_key must be bytes-like"):
        ssh.VerifyingKey(wrong)
    with pytest.raises(TypeError, match="passphrase must be bytes-like"):
        ssh.write_private_key(KEY, passphrase=wrong)
    for passphrase, rounds in ((b"", 1), (b"p", 0), (b"p", -1), (b"p", 1001)):
        with pytest.raises(
            girih.InputException, match=f"the passphrase is empty, or {rounds} rounds"
        ):
            ssh.write_private_key(KEY, passphrase=passphrase, rounds=rounds)
    key.wipe()
    with pytest.raises(girih.InputException, match="wiped"):
        key.sign(b"")


def test_secrets_are_wiped_after_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[memoryview] = []
    monkeypatch.setattr(ssh, "SigningKey", lambda seeds: seen.append(seeds) or KEY)
    ssh.read_private_key(private_file())
    assert bytes(seen[0]) == bytes(64)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bcrypt", None)
    with pytest.raises(
        ImportError, match="an encrypted SSH key needs the package bcrypt: pip install 'girih.ssh.'"
    ):
        ssh.write_private_key(KEY, passphrase=b"words")
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    with pytest.raises(
        ImportError, match="girih.ssh needs the package cryptography: pip install 'girih.ssh.'"
    ):
        runpy.run_path(str(ssh.__file__))


@pytest.mark.parametrize("name", ["sha512", "sha256"])
def test_what_is_signed_verifies_if_both_parts_do(name: str) -> None:
    armored = ssh.sign(KEY, io.BytesIO(b"message" * 99999), namespace="file", hash_algorithm=name)
    ssh.verify(PUBLIC, armored, b"message" * 99999, namespace="file")
    assert ssh.read_signature(armored.replace(b"\n", b"\r\n")[:-1]) == ssh.read_signature(armored)
    signature = bytearray(KEY.sign(b"message"))
    assert PUBLIC.verify(b"message", signature)
    assert not any(PUBLIC.verify(b"message", signature[:size]) for size in (0, 63, 64, 2483))
    for at in (0, 2419, 2420, 2483):
        signature[at] ^= 1
        assert not PUBLIC.verify(b"message", signature)
        signature[at] ^= 1


@pytest.mark.parametrize(
    "changed, text",
    [
        ({"magic": b"openssh-key-v2\0"}, "byte 0: it does not begin with"),
        ({"cipher": CTR}, "cipher b'aes256-ctr' with KDF b'none' is not read"),
        ({"kdf": string(b"bcrypt")}, "cipher b'none' with KDF b'bcrypt'"),
        (
            {"cipher": string(b"aes256-gcm@openssh.com"), "kdf": string(b"bcrypt")},
            "cipher b'aes256-gcm@openssh.com' with",
        ),
        ({"options": string(b"x")}, "the KDF none has options"),
        ({"count": number(2)}, "byte 35: there is not one key"),
        ({"public": typed(bytes(32), b"ssh-ed25519")}, "byte 4: the type is b'ssh-ed25519'"),
        ({"public": typed(bytes(1343))}, "byte 35: the value has 1343 bytes, and not 1344"),
        ({"public": string(PUBLIC.blob(), b"x")}, "byte 1383: 1 bytes follow the end"),
        ({"public": typed(OTHER.data)}, "not those of the seeds"),
        ({"inner": OTHER.blob()}, "not those of the seeds"),
        ({"seeds": string(bytes(64))}, "not those of the seeds"),
        ({"check": b"12341235"}, "the checkints differ"),
        ({"seeds": string(bytes(63)), "padding": b"\1\2\3\4\5"}, "the seeds have 63 bytes"),
        ({"comment": number(99) + b"a key"}, "byte 1459: the comment has 99 bytes, and 9 are left"),
        ({"padding": b"\1\2\3\5"}, "byte 1468: the padding"),
        ({"padding": bytes(range(1, 13))}, "byte 1468: the padding"),
        ({"padding": b"\1\2\3"}, "no multiple of 8"),
        ({"after": b"x"}, "1 bytes follow the end"),
        ({"section": number(1 << 31)}, "the private section has 2147483648 bytes, and 0 are left"),
        *(
            (
                {
                    "cipher": CTR,
                    "kdf": string(b"bcrypt"),
                    "options": string(options),
                    "section": string(bytes(16)),
                },
                text,
            )
            for options, text in (
                (
                    string(b"salt") + number(1001),
                    "4 bytes of salt and 1001 rounds; 1 to 1000 are read",
                ),
                (string(b"salt") + b"\1", "1 to 1000 are read"),
                (string() + number(1), "0 bytes of salt"),
                (string(b"salt") + number(0), "0 rounds"),
            )
        ),
    ],
)
def test_malformed_private_keys_are_refused(changed: dict[str, bytes], text: str) -> None:
    with pytest.raises(girih.InputException, match=text):
        ssh.read_private_key(private_file(**changed), b"passphrase")


@pytest.mark.parametrize(
    "changed, text",
    [
        ({"magic": b"SSHSIG\0\0\0\2"}, "byte 0: it does not begin"),
        ({"reserved": string(b"x")}, "the reserved field is not"),
        ({"public": typed(PUBLIC.data, b"another")}, "the type is b'another'"),
        ({"after": b"x"}, "1 bytes follow the end"),
        ({"namespace": string()}, "namespace '' is empty"),
        ({"hash": string(b"sha1")}, "'sha1' neither sha512 nor sha256"),
        ({"value": typed(bytes(2484), b"ssh-ed25519")}, "the type is b'ssh-ed25519'"),
        ({"value": typed(bytes(2483))}, "the value has 2483 bytes"),
        ({"value": typed(bytes(2484))}, "does not verify"),
        ({"namespace": string(b"m")}, "for 'm'"),
        ({"hash": string(b"sha256")}, "does not verify"),
        ({"public": typed(OTHER.data)}, "it is by SHA256:"),
    ],
)
def test_malformed_signatures_are_refused(changed: dict[str, bytes], text: str) -> None:
    ssh.verify(PUBLIC, signature_file(), b"message", namespace="n")
    with pytest.raises((girih.InputException, girih.SignatureException), match=text):
        ssh.verify(PUBLIC, signature_file(**changed), b"message", namespace="n")


@pytest.mark.parametrize(
    "old, new, text",
    [
        (b"-----BEGIN", b" -----BEGIN", "line 1 is not"),
        (b"END SSH SIGNATURE-----", b"END SSH SIGNATURE", "line 3 is not"),
        (b"-----\n", b"-----\nx", "line 4 is not"),
        (b"U1NI", b"U1N\xff", "base64"),
        (b"U1NI", b"U1N", "base64"),
        (b"==\n", b"=\n", "base64"),
        (b"U1NI", b"U1NI=", "base64"),
        (b"A==\n", b"B==\n", "base64"),
    ],
)
def test_malformed_armor_is_refused(old: bytes, new: bytes, text: str) -> None:
    armored = signature_file(value=typed(bytes(2484)))
    assert old in armored
    with pytest.raises(girih.InputException, match=text):
        ssh.read_signature(new.join(armored.rsplit(old, 1)))


SIGNERS = f"""# a comment
e@x.org {ED25519}
*@x.org,!b@x.org namespaces="git,fi*,a\\"b",valid-after="20200101Z",valid-before="203001010000UTC" {LINE}
"c@y.org" Cert-Authority {LINE}
[d]@y.org valid-before="20200101000000" {LINE}
? {LINE}
"""


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: MARK + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.removesuffix(b"\n"),
        lambda text: text + b"\n",
        lambda text: text.removesuffix(b"\n") + b" \n",
    ],
    ids=["byte order mark", "CR LF", "no end", "empty line", "blank"],
)
def test_texts_are_read_as_docs_formats_says(change: Any) -> None:
    assert ssh.read_private_key(change(private_file()))[0].verifying_key() == PUBLIC
    ssh.verify(PUBLIC, change(signature_file()), b"message", namespace="n")
    assert [line.key for line in ssh.read_public_keys(change(f"{LINE}\n".encode()))] == [PUBLIC]
    assert [
        line.principals for line in ssh.read_allowed_signers(change(f"a@x.org {LINE}\n".encode()))
    ] == ["a@x.org"]


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_text_in_utf_16_is_refused_by_name(order: str) -> None:
    readers: list[Any] = [
        ssh.read_private_key,
        ssh.read_signature,
        ssh.read_public_keys,
        ssh.read_allowed_signers,
    ]
    for read, text in zip(
        readers, (private_file(), signature_file(), LINE.encode(), f"a@x.org {LINE}".encode())
    ):
        with pytest.raises(girih.InputException, match="text in UTF-16"):
            read(("\ufeff" + text.decode()).encode(order))


def test_allowed_signers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC+5")
    time.tzset()
    signers = ssh.read_allowed_signers(SIGNERS.encode())
    now = ssh.parse_time("20260101Z")
    assert now == 1767225600 == ssh.parse_time("202512311900")
    for namespace in ("git", "file", 'a"b', None):
        assert (
            ssh.find_signer(signers, PUBLIC, principal="a@x.org", namespace=namespace, time=now)
            is signers[0]
        )
    for principal, namespace, when, text in (
        ("b@x.org", "git", now, "line 3 is not for 'b@x.org'"),
        ("a@x.org", "email", now, "namespace 'email'"),
        ("\u00e9", "git", now, "line 6 is not for"),
        ("a@x.org", "git", ssh.parse_time("20191231Z"), "line 3 is not valid at this time"),
        ("a@x.org", "git", ssh.parse_time("203001010001Z"), "line 3 is not valid at this time"),
        ("c@y.org", "git", now, "line 4 is for certificates"),
        ("[d]@y.org", "git", None, "line 5 is not valid"),
    ):
        with pytest.raises(girih.SignatureException, match=text):
            ssh.find_signer(signers, PUBLIC, principal=principal, namespace=namespace, time=when)
    with pytest.raises(girih.SignatureException, match="no line has the key"):
        ssh.find_signer(signers, OTHER)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a key, its signature and who may sign."""
    monkeypatch.chdir(tmp_path)
    for name in (
        "SSH_AUTH_SOCK",
        "SSH_ASKPASS",
        "SSH_ASKPASS_REQUIRE",
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ):
        monkeypatch.delenv(name, raising=False)
    for name, content in {
        "key": private_file(),
        "key.pub": LINE.encode(),
        "encrypted": ssh.write_private_key(KEY, "", b"words", rounds=1),
        "ed.pub": ED25519.encode(),
        "half": private_file()[:99],
        "krl": b"SSHKRL\n\0",
        "others": f"# none\r\n\n{ED25519} a comment\r\n".encode(),
        "bom": f"\ufeff{LINE}".encode(),
        "damaged": f'"b@x.org {LINE}\na@x.org,,c@x.org, {LINE}\n'.encode(),
        "swapped.pub": key_line(string(b"ssh-ed25519") + string(PUBLIC.data)).encode(),
        "sig": signature_file(),
        "message": b"message",
        "message.sig": b"",
        "signers": f"a@x.org,c@x.org {LINE}\n".encode(),
        "for_git": f'a@x.org namespaces="git" {LINE}\n'.encode(),
        "until_2020": f'a@x.org valid-before="20200101Z" {LINE}\n'.encode(),
    }.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    "arguments, status, text",
    [
        (
            "verify -n n -f signers -I a@x.org -s sig",
            0,
            f'Good "n" signature for a@x.org with MLDSA44-ED25519 key {PUBLIC.fingerprint()}',
        ),
        (
            "check-novalidate -n n -s sig",
            0,
            f'Good "n" signature with MLDSA44-ED25519 key {PUBLIC.fingerprint()}',
        ),
        ("find-principals -f signers -s sig -Overify-time=20260101", 0, "a@x.org\nc@x.org\n"),
        ("find-principals -f until_2020 -s sig -Overify-time=20191231Z", 0, "a@x.org\n"),
        ("find-principals -f until_2020 -s sig", 255, "line 1 is not valid at this time"),
        ("verify -n n -f until_2020 -I a@x.org -s sig", 255, "line 1 is not valid at this time"),
        ("verify -n n -f for_git -I a@x.org -s sig", 255, "line 1 is not for namespace 'n'"),
        ("sign -n n -f key", 0, "-----BEGIN SSH SIGNATURE-----\n"),
        ("sign -n n -f ed.pub message", 7, ""),
        ("sign -n n -f message.sig", 7, ""),
        ("sign -n n -f half", 255, "half: private key: line 2 is not -----END OPENSSH PRIVATE KEY"),
        ("verify -n n -f signers -I b@x.org -s sig", 255, "line 1 is not for 'b@x.org'"),
        ("verify -n m -f signers -I a@x.org -s sig", 255, "for 'n'"),
        ("verify -n n -f no -I a -s sig", 255, "No such file"),
        ("verify -n n -f signers -I a@x.org -s sig -r key.pub", 255, "key.pub revokes its key"),
        ("verify -n n -f signers -I a@x.org -s sig -r krl", 255, "krl: is a KRL"),
        ("verify -n n -f signers -I a@x.org -s sig -r others", 0, "Good"),
        ("verify -n n -f signers -I a@x.org -s sig -r bom", 255, "bom revokes its key"),
        ("verify -n n -f signers -I= -s sig", 255, "principal: it is empty"),
        (
            "verify -n n -f damaged -I a@x.org -s sig",
            0,
            "girih-ssh: warning: damaged: line 1: it does not",
        ),
        ("verify -n n -f damaged -I b@x.org -s sig", 255, "damaged: line 2 is not for 'b@x.org'"),
        (
            "find-principals -f damaged -s sig",
            0,
            "a@x.org\nc@x.org\ngirih-ssh: warning: damaged: line 1: it does not",
        ),
        ("sign -n n -f swapped.pub", 255, "swapped.pub: public keys: line 1: byte 4: the type"),
        ("verify -n n -f signers -I a@x.org -s sig -r=", 255, ""),
        ("sign -n n -f key message", 255, "message.sig"),
        ("sign -n n -f key -Ohashalg=sha1", 255, "'sha1' neither"),
        ("sign -n n -U -f key.pub", 255, "SSH_AUTH_SOCK is not set"),
        ("sign -n n", 2, "needs -f"),
        ("sign -n n -f key -Overify-time=2026", 2, "no -O but hashalg="),
    ],
)
def test_command(
    folder: Path,
    arguments: str,
    status: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"message")))
    monkeypatch.setattr(
        subprocess,
        "call",
        lambda command: 7 if command == ["ssh-keygen", "-Y", *arguments.split()] else 1,
    )
    try:
        found = main(["-Y", *arguments.split()])
    except SystemExit as error:
        found = int(str(error))
    output = b"".join(capsysbinary.readouterr()).decode()
    assert found == status and text in output


def test_no_agent_or_space(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    resource = pytest.importorskip("resource")
    sign = ["-Y", "sign", "-n", "n", "message", "-f"]
    monkeypatch.setattr(ssh, "_ask_agent", lambda request, expected: b"\0\0\0\1 is no key")
    monkeypatch.setenv("SSH_AUTH_SOCK", "a socket")
    Path("message.sig").unlink()
    Path("key").chmod(0o604)
    assert main([*sign, "key"]) == 0
    assert "others than its owner can use the private key key" in capsys.readouterr().err
    Path("key").chmod(0o600)
    Path("message.sig").unlink()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    status = main([*sign, "key"])
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (
        status == 255
        and not Path("message.sig").exists()
        and "warning" not in capsys.readouterr().err
    )


FORCE = {"SSH_ASKPASS": "./askpass", "SSH_ASKPASS_REQUIRE": "force"}
PREFER = {"SSH_ASKPASS": "./askpass", "SSH_ASKPASS_REQUIRE": "Prefer"}
DISPLAY = {"SSH_ASKPASS": "./askpass", "DISPLAY": ":0"}
WAYLAND = {"SSH_ASKPASS": "./askpass", "WAYLAND_DISPLAY": "wayland-0"}


def sign_encrypted(monkeypatch: pytest.MonkeyPatch, terminal: str | None) -> int:
    """Signs by the encrypted key; a passphrase is typed at the terminal, if there is one."""

    def typed_there(prompt: str) -> str:
        if terminal is None:
            warnings.warn("no terminal", getpass.GetPassWarning)
        return terminal or ""

    monkeypatch.setattr(getpass, "getpass", typed_there)
    Path("encrypted").chmod(0o600)
    Path("message.sig").unlink()
    return main("-Y sign -n n -f encrypted message".split())


@pytest.mark.skipif(sys.platform == "win32", reason="askpass is a shell script")
@pytest.mark.parametrize(
    "environment, script, terminal",
    [
        ({}, "exit 1", "words"),
        ({"SSH_ASKPASS": "./askpass"}, "exit 1", "words"),
        (PREFER, "exit 1", "words"),
        (DISPLAY, "exit 1", "words"),
        ({**DISPLAY, "SSH_ASKPASS_REQUIRE": "never"}, "exit 1", "words"),
        (FORCE, "echo words", "others"),
        ({**PREFER, **DISPLAY}, "echo words", "others"),
        ({**PREFER, **WAYLAND}, "echo words", "others"),
        (DISPLAY, "echo words", None),
        (WAYLAND, "echo words", None),
        (FORCE, r"printf 'words\r\nmore'", None),
        (FORCE, "printf words", None),
        (FORCE, '[ "$1" = "Passphrase of encrypted: " ] && echo words', None),
    ],
)
def test_passphrases_come_from_where_openssh_takes_them(
    folder: Path,
    environment: dict[str, str],
    script: str,
    terminal: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    Path("askpass").write_text(f"#!/bin/sh\n{script}\n")
    Path("askpass").chmod(0o700)
    assert sign_encrypted(monkeypatch, terminal) == 0
    ssh.verify(PUBLIC, Path("message.sig").read_bytes(), b"message", namespace="n")


@pytest.mark.skipif(sys.platform == "win32", reason="askpass is a shell script")
@pytest.mark.parametrize(
    "environment, script, terminal, text",
    [
        ({}, "", None, "passphrase: it cannot be asked for without a terminal"),
        ({"SSH_ASKPASS": "./askpass"}, "echo words", None, "passphrase: it cannot be asked for"),
        (PREFER, "echo words", None, "passphrase: it cannot be asked for"),
        ({**DISPLAY, "SSH_ASKPASS_REQUIRE": "never"}, "echo words", None, "it cannot be asked for"),
        ({**FORCE, "SSH_ASKPASS": ""}, "", "words", "passphrase: SSH_ASKPASS names no program"),
        ({**FORCE, "SSH_ASKPASS": "./none"}, "", "words", "No such file or directory: './none'"),
        (FORCE, "echo words; exit 3", "words", "SSH_ASKPASS, './askpass', failed with 3"),
        (FORCE, "echo", "words", "passphrase: it is empty, and the private key is encrypted"),
        (FORCE, "true", "words", "passphrase: it is empty, and the private key is encrypted"),
        (FORCE, "echo others", "words", "the passphrase is wrong, or the encrypted key was"),
        ({}, "", "", "passphrase: it is empty, and the private key is encrypted"),
        ({}, "", "others", "the passphrase is wrong, or the encrypted key was changed"),
    ],
)
def test_a_refused_passphrase_names_its_file(
    folder: Path,
    environment: dict[str, str],
    script: str,
    terminal: str | None,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    Path("askpass").write_text(f"#!/bin/sh\n{script}\n")
    Path("askpass").chmod(0o700)
    assert sign_encrypted(monkeypatch, terminal) == 255
    error = capsys.readouterr().err
    assert error.startswith("girih-ssh: encrypted: ") and text in error


def test_an_agent_signs_for_an_encrypted_key_without_its_passphrase(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask_agent(request: bytes, expected: int) -> bytes:
        if expected == 12:
            return number(1) + string(PUBLIC.blob()) + string(b"held")
        return typed(KEY.sign(ssh._parse(request, "", "key", "message", start=1, rest=True)[1]))

    with monkeypatch.context() as agent:
        agent.setattr(ssh, "_ask_agent", ask_agent)
        assert sign_encrypted(agent, None) == 0
    ssh.verify(PUBLIC, Path("message.sig").read_bytes(), b"message", namespace="n")
    monkeypatch.setenv("SSH_AUTH_SOCK", "nowhere")
    assert sign_encrypted(monkeypatch, "words") == 0
    assert main("-Y sign -n n -U -f encrypted message".split()) == 255
    assert "agent: SSH_AUTH_SOCK, 'nowhere': " in capsys.readouterr().err


GENERATE = "-t mldsa44-ed25519 -f new"


def test_new_keys_are_written_as_openssh_writes_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for passphrase in ("words", ""):
        name = f"new{passphrase}"
        assert main(["-t", ssh.ALGORITHM, "-f", name, "-C", "c \u00e9", "-N", passphrase]) == 0
        key, comment = ssh.read_private_key(Path(name).read_bytes(), passphrase.encode() or None)
        line = Path(f"{name}.pub").read_text(encoding="utf-8")
        assert comment == "c \u00e9" and line == f"{key.verifying_key().line(comment)}\n"
        assert os.name != "posix" or Path(name).stat().st_mode & 0o777 == 0o600
        assert capsys.readouterr().out == (
            f"Your identification has been saved in {name}\n"
            f"Your public key has been saved in {name}.pub\n"
            f"The key fingerprint is:\n{key.verifying_key().fingerprint()} c \u00e9\n"
        )
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setattr(getpass, "getuser", lambda: "a")
    monkeypatch.setattr(socket, "gethostname", lambda: "b")
    assert main("-t mldsa44-ed25519 -N=".split()) == 0
    assert Path(".ssh/id_mldsa44_ed25519.pub").read_text().endswith(" a@b\n")
    assert os.name != "posix" or Path(".ssh").stat().st_mode & 0o777 == 0o700


def test_new_keys_overwrite_nothing_and_leave_nothing_half_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    resource = pytest.importorskip("resource")
    for existing in ("new", "new.pub"):
        Path(existing).write_text("precious")
        assert main(f"{GENERATE} -N=".split()) == 255
        assert f"File exists: '{existing}'" in capsys.readouterr().err
        assert [path.read_text() for path in folder.glob("new*")] == ["precious"]
        Path(existing).unlink()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    status = main(f"{GENERATE} -N=".split())
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert status == 255 and not list(folder.glob("new*"))
    monkeypatch.setitem(sys.modules, "bcrypt", None)
    assert main(f"{GENERATE} -N words".split()) == 255 and not list(folder.glob("new*"))
    assert "needs the package bcrypt" in capsys.readouterr().err


@pytest.mark.parametrize("typed_there", [["words", "words"], ["", ""], ["words", "others"]])
def test_a_new_passphrase_is_asked_for_twice(
    folder: Path,
    typed_there: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second = typed_there
    answers = iter(typed_there)
    monkeypatch.setattr(getpass, "getpass", lambda prompt: next(answers))
    assert main(GENERATE.split()) == (0 if first == second else 255)
    assert ("new: passphrase: the two differ" in capsys.readouterr().err) is (first != second)
    assert Path("new").exists() is (first == second)
    if first == second:
        ssh.read_private_key(Path("new").read_bytes(), first.encode() or None)


@pytest.mark.parametrize(
    "arguments, status, text",
    [
        ("-t rsa", 2, "argument -t: invalid choice: 'rsa'"),
        (f"{GENERATE} -Y sign", 2, "argument -Y: not allowed with argument -t"),
        ("-f new", 2, "one of the arguments -t -Y is required"),
        (f"{GENERATE} -n n", 2, "-t takes only -f, -C and -N"),
        (f"{GENERATE} message", 2, "-t takes only -f, -C and -N"),
        ("-Y sign -n n -f key -N=", 2, "-Y sign takes no -C or -N"),
        (f"{GENERATE} -N= -C \x7f", 255, "comment: '\\x7f' is not printable"),
        ("-t mldsa44-ed25519 -N= -f none/new", 255, "No such file or directory: 'none/new'"),
        ("-t mldsa44-ed25519 -N= -f=", 255, "No such file or directory: ''"),
    ],
)
def test_arguments_for_new_keys_are_checked(
    folder: Path, arguments: str, status: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(arguments.split())
    except SystemExit as error:
        found = int(str(error))
    assert found == status and text in capsys.readouterr().err
    assert not list(folder.glob("new*"))


@pytest.fixture
def git(folder: Path) -> Any:
    """Runs git with girih-ssh in a repository in the working folder; returns all that it prints."""
    if not shutil.which("git"):
        pytest.skip("no git is on PATH")
    program = folder / "girih-ssh"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m girih.ssh "$@"\n')
    program.chmod(0o700)
    settings = {
        "user.name": "A",
        "user.email": "a@x.org",
        "gpg.format": "ssh",
        "gpg.ssh.program": program,
        "gpg.ssh.allowedSignersFile": folder / "signers",
    }

    def run(arguments: str, **more: str) -> str:
        options = [
            option
            for name, value in {**settings, **more}.items()
            for option in ("-c", f"{name}={value}")
        ]
        done = subprocess.run(["git", *options, *arguments.split()], capture_output=True, text=True)
        return done.stdout + done.stderr

    run("init -q")
    return run


COMMIT = "commit -q -S --allow-empty -m signed"


def test_git_signs_and_verifies(git: Any) -> None:
    git(COMMIT, **{"user.signingKey": "key.pub"})
    assert (
        git("verify-commit HEAD")
        == f'Good "git" signature for a@x.org with MLDSA44-ED25519 key {PUBLIC.fingerprint()}\n'
    )
    Path("signers").write_text(f'a@x.org valid-before="20200101" {LINE}')
    assert "is not valid at this time" in git("verify-commit HEAD")


def test_git_verifies_other_keys_in_files_that_have_both_types(git: Any) -> None:
    if not shutil.which("ssh-keygen"):
        pytest.skip("no ssh-keygen is on PATH")
    subprocess.run("ssh-keygen -q -t ed25519 -f their_ed -N".split() + [""], check=True)
    theirs = Path("their_ed.pub").read_text()
    git(COMMIT, **{"user.signingKey": "their_ed"})
    signers = f'a@x.org {LINE}\na@x.org namespaces="git" {LINE}\na@x.org {theirs}'
    Path("signers").write_text(signers)
    good = git("verify-commit HEAD")
    assert (
        good.startswith('Good "git" signature for a@x.org with ED25519') and "\n" not in good[:-1]
    )
    revoked = {"gpg.ssh.revocationFile": "revoked"}
    Path("revoked").write_text(f"{LINE}\n{ED25519}\n")
    assert git("verify-commit HEAD", **revoked) == good
    Path("revoked").write_text(f"{LINE}\n{theirs}\n")
    assert "Good" not in git("verify-commit HEAD", **revoked)
    Path("signers").write_text(f"{LINE}\na@x.org {ssh.ALGORITHM} AAAA\n{signers}")
    assert f"{Path('signers').resolve()}:2: invalid key" in git("verify-commit HEAD")


@pytest.fixture
def keygen(folder: Path) -> Any:
    """Runs ssh-keygen, if it has the algorithm, in a folder with its key."""

    def run(arguments: str, data: bytes = b"") -> bytes:
        return subprocess.run(
            ["ssh-keygen", *shlex.split(arguments)], input=data, check=True, capture_output=True
        ).stdout

    try:
        run("-q -t mldsa44-ed25519 -N '' -C 'their key' -f theirs")
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("no ssh-keygen on PATH has mldsa44-ed25519, which OpenSSH has from 10.4 on")
    return run


def test_openssh_reads_ours_and_we_read_its(keygen: Any, folder: Path) -> None:
    key, comment = ssh.read_private_key(Path("theirs").read_bytes())
    public = key.verifying_key()
    assert comment == "their key" and f"{public.line(comment)}\n" == Path("theirs.pub").read_text()
    assert public.fingerprint() in keygen("-l -f theirs.pub").decode()
    for name in ("sha512", "sha256"):
        ssh.verify(
            public,
            keygen(f"-Y sign -n n -O hashalg={name} -f theirs", b"message"),
            b"message",
            namespace="n",
        )
        Path("sig").write_bytes(ssh.sign(KEY, b"message", namespace="n", hash_algorithm=name))
        keygen("-Y verify -n n -f signers -I a@x.org -s sig", b"message")
    for cipher in ("aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes256-cbc"):
        shutil.copy("theirs", cipher)
        keygen(f"-q -p -P '' -N words -a 2 -Z {cipher} -f {cipher}")
        assert (
            ssh.read_private_key(Path(cipher).read_bytes(), b"words")[0].verifying_key() == public
        )
    Path("key").chmod(0o600)
    for size in range(17):
        Path("key").write_bytes(
            ssh.write_private_key(KEY, "c" * size, b"words" if size % 2 else None, rounds=1)
        )
        assert (
            keygen(f"-y -P '{'words' if size % 2 else ''}' -f key").decode().split()[:2]
            == LINE.split()[:2]
        )


def test_agent_signs(keygen: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("ssh-agent"):
        pytest.skip("no ssh-agent is on PATH")
    with subprocess.Popen(["ssh-agent", "-D", "-a", "agent"], stdout=subprocess.DEVNULL) as agent:
        try:
            while not Path("agent").exists() and agent.poll() is None:
                time.sleep(0.01)
            monkeypatch.setenv("SSH_AUTH_SOCK", "agent")
            ssh.add_to_agent(KEY, "added")
            assert ssh.agent_keys() == [(PUBLIC, "added")]
            Path("key").unlink()
            Path("message.sig").unlink()
            assert main(["-Y", "sign", "-n", "n", "-f", "key.pub", "message"]) == 0
            ssh.verify(PUBLIC, Path("message.sig").read_bytes(), b"message", namespace="n")
            with pytest.raises(
                girih.InputException, match="agent: byte 4: the answer's type is 05"
            ):
                ssh.AgentKey(OTHER, "").sign(b"")
        finally:
            agent.terminate()
