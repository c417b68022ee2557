"""Lines of SSH keys: damaged ones, revoked ones, those of allowed signers and their patterns, and
answers of agents."""

from __future__ import annotations

import contextlib
import io
import shutil
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

import girih

pytest.importorskip("cryptography")
pytest.importorskip("bcrypt")
from girih import ssh  # noqa: E402
from girih.ssh.__main__ import _REVOCABLE, _revoked, main  # noqa: E402
from test_ssh import (  # noqa: E402
    ED25519,
    KEY,
    LINE,
    OTHER,
    PUBLIC,
    key_line,
    number,
    private_file,
    signature_file,
    string,
    folder,  # noqa: F401
)

pytestmark = pytest.mark.usefixtures("folder")


def blob_of(value: bytes, kind: bytes = ssh.ALGORITHM.encode()) -> bytes:
    return string(kind) + string(value)


BLOB = PUBLIC.blob()
BARE = key_line(BLOB)
CERTIFICATE = "ssh-mldsa44-ed25519-cert-v01@openssh.com"

# Lines of this type of key, which no reader takes.
DAMAGED = {
    "a byte more": key_line(BLOB + b"\0"),
    "a string more": key_line(BLOB + string()),
    "a group less": BARE[:-4],
    "half": BARE[:1000],
    "a character less": BARE[:-1],
    "padding": BARE + "=",
    "more padding": BARE + "====",
    "a byte less": key_line(blob_of(PUBLIC.data[:-1])),
    "a longer value": key_line(blob_of(PUBLIC.data + b"\0")),
    "another type inside": key_line(blob_of(PUBLIC.data, b"ssh-ed25519")),
    "a certificate inside": key_line(blob_of(PUBLIC.data, CERTIFICATE.encode())),
    "a key of another type inside": key_line(blob_of(bytes(32), b"ssh-ed25519")),
    "another alphabet": f"{BARE[:-2]}-_",
    "no key": ssh.ALGORITHM,
    "a carriage return": BARE.replace("AAAA", "AA\rAA", 1),
    "bits after the end": f"{ssh.ALGORITHM} AB==",
    "a NUL": BARE + "\0",
}


def value_of(part: int | str) -> bytes:
    return part.encode() if isinstance(part, str) else bytes(part or 3)


# Lines of a file of revoked keys with keys of other types: good ones, and damaged ones.
OTHERS = {
    kind: string(kind.encode()) + b"".join(string(value_of(part)) for part in parts)
    for kind, parts in _REVOCABLE.items()
}
WRONG = {
    **{
        f"{kind}, {name}": key_line(changed, kind)
        for kind, blob in OTHERS.items()
        for name, changed in {
            "a byte more": blob + b"\0",
            "a byte less": blob[:-1],
            "a string more": blob + string(),
            "the type alone": string(kind.encode()),
            "the type of another": blob.replace(kind[-4:].encode(), b"none", 1),
        }.items()
    },
    "a certificate": key_line(blob_of(PUBLIC.data, CERTIFICATE.encode()), CERTIFICATE),
    "an unknown type": key_line(BLOB, "ssh-mldsa44"),
    "a certificate of another type": key_line(
        blob_of(bytes(32), b"ssh-ed25519-cert-v01@openssh.com"), "ssh-ed25519-cert-v01@openssh.com"
    ),
    "options": f"no-pty {BARE}",
    "a principal": f"a@x.org {BARE}",
    "base64 alone": BARE.split()[1],
    "another blank": BARE.replace(" ", "\v"),
    "an empty number": key_line(blob_of(b"\3", b"ssh-rsa") + string(), "ssh-rsa"),
    "another curve": key_line(
        OTHERS["ecdsa-sha2-nistp256"].replace(b"nistp256", b"nistp384"), "ecdsa-sha2-nistp256"
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_keys_are_refused_by_every_reader(name: str) -> None:
    line, seen = DAMAGED[name], list[str]()
    with pytest.raises(girih.InputException, match="public keys: line 2: ") as raised:
        ssh.read_public_keys(f"{LINE}\n{line}\n".encode())
    assert not isinstance(raised.value, ssh.OtherKeyException)
    found = ssh.read_allowed_signers(f"a {line}\nb {LINE}\n".encode(), "file", warn=seen.append)
    assert (
        [signer.principals for signer in found] == ["b"]
        and len(seen) == 1
        and seen[0].startswith("file: line 1: ")
    )


@pytest.mark.parametrize("name", [*DAMAGED, *WRONG])
def test_a_signature_is_not_good_with_a_damaged_file_of_revoked_keys(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "call", lambda command: pytest.fail("ssh-keygen was run"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"message")))
    Path("revoked").write_text(f"{ED25519}\n{DAMAGED.get(name) or WRONG[name]}\n", newline="")
    assert main("-Y verify -n n -f signers -I a@x.org -s sig -r revoked".split()) == 255
    assert "girih-ssh: revoked: line 2: " in capsys.readouterr().err


def test_keys_of_other_types_revoke_none_of_this_one() -> None:
    lines = [key_line(blob, kind) for kind, blob in OTHERS.items() if kind != ssh.ALGORITHM]
    Path("revoked").write_text(
        "\n \t\r\n# none\n" + "\n".join(f"\t{line} \t a comment\r" for line in lines)
    )
    assert len(found := _revoked("revoked")) == len(lines) and PUBLIC.blob() not in found
    Path("revoked").write_text("\n".join([*lines, f" {BARE}"]))
    assert PUBLIC.blob() in _revoked("revoked")
    if shutil.which("ssh-keygen"):
        for index, kind in enumerate(
            ("ed25519", "rsa -b 1024", "ecdsa -b 256", "ecdsa -b 384", "ecdsa -b 521")
        ):
            subprocess.run(
                ["ssh-keygen", "-q", "-N", "", "-f", f"other{index}", "-t", *kind.split()],
                check=True,
            )
            assert len(_revoked(f"other{index}.pub")) == 1


@pytest.mark.parametrize("kind", [kind for kind in OTHERS if kind != ssh.ALGORITHM])
def test_whole_keys_of_other_types_are_told_from_damaged_ones(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = string(OTHERS[kind])
    for read, file in (
        (ssh.read_signature, signature_file(public=other)),
        (ssh.read_private_key, private_file(public=other)),
    ):
        with pytest.raises(ssh.OtherKeyException, match=f"byte 4: the type is b'{kind}'"):
            read(file)
    answer = number(3) + other + string() + string(BLOB) + string(b"ours") + other + string()
    monkeypatch.setattr(ssh, "_ask_agent", lambda request, expected: answer)
    assert ssh.agent_keys() == [(PUBLIC, "ours")]


# Malformed lines of allowed_signers, and part of the warning.
MALFORMED = [
    (f'"b@x.org {LINE}', "principals, all in quotes"),
    (f'"b@x.org {ED25519}', "principals"),
    (f'b"c" {LINE}', "principals"),
    (f'"b"c {LINE}', "principals"),
    (f'b\\" {LINE}', "principals"),
    (f"\r b {LINE}", "principals"),
    ("b", "principals"),
    (f"b\0,c {LINE}", "principals"),
    (f'"b\0" {LINE}', "principals"),
    (f'b namespaces="n\0" {LINE}', "NUL"),
    ("b ssh-ed25519", "there is no key"),
    (f"b {ssh.ALGORITHM}", "base64"),
    (f"b {LINE[:60]} c", "base64|byte"),
    (f'b namespaces="git {LINE}', "a quote is not closed"),
    (f'b namespaces="git {ED25519}', "a quote is not closed"),
    (f"b namespaces=git {LINE}", "option 'namespaces=git' is"),
    (f'b valid-befor="20300101" {LINE}', "option 'valid-befor"),
    (f"b cert-authority, {LINE}", "option 'cert-authority,'"),
    (f'b namespaces="a",namespaces="b" {LINE}', "there twice"),
    (f'b valid-after="20300230" {LINE}', "'20300230' is not a time"),
    (f'b valid-after="19700101Z" {LINE}', "not a time after"),
    (f'b valid-before="19691231Z" {LINE}', "not a time after"),
    (f'b valid-before="" {LINE}', "'' is not a time"),
    (f'b valid-after="20300101",valid-before="20300101" {LINE}', "valid-before is not after"),
    (f'b namespaces="a\\" {LINE}', "a quote is not closed"),
    (f'b name\u017fpaces="a" {LINE}', "option 'name\u017f"),
    (f"b cert-author\u0131ty {LINE}", "option 'cert-author\u0131"),
    (f"b {ssh.ALGORITHM} {BARE}", "base64"),
]


@pytest.mark.parametrize("line, text", MALFORMED)
def test_malformed_allowed_signers_are_skipped(line: str, text: str) -> None:
    file = f"a@x.org {LINE}\n{line}\nb@x.org cert-authority {LINE}\n".encode()
    with pytest.warns(
        UserWarning, match=f"^allowed signers: line 2: .*({text}).*; the line is skipped$"
    ):
        found = ssh.read_allowed_signers(file)
    assert [(signer.principals, signer.is_authority) for signer in found] == [
        ("a@x.org", False),
        ("b@x.org", True),
    ]
    with pytest.raises(girih.SignatureException, match="line 3 is for certificates"):
        ssh.find_signer(found, PUBLIC, principal="b@x.org")


@pytest.mark.parametrize(
    "line",
    [
        f"a {ED25519}",
        f'a namespaces="a b" {ED25519}',
        f"a {CERTIFICATE} AAAA",
        "a ssh-new AAAA",
        f"# {LINE}",
        " \t\r",
    ],
)
def test_lines_of_other_keys_are_left_out_without_a_warning(line: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ssh.read_allowed_signers(f'{line}\r\n\t "a b"\t{LINE}\r\n'.encode())
    assert [(signer.place, signer.principals) for signer in found] == [
        ("allowed signers: line 2", "a b")
    ]


# Names, patterns, and whether they match in OpenSSH.
LONG = "*" * 1021
PATTERNS = [
    ("a", "a", True),
    ("a", "a,", True),
    ("a", ",a", True),
    ("a", "b,,a", True),
    ("b", "a,", False),
    ("a", ",", False),
    ("A", "a", False),
    ("a", "*", True),
    ("a", "**", True),
    ("abc", "a*c", True),
    ("abc", "a*b", False),
    ("abc", "*b*", True),
    ("a", "?", True),
    ("ab", "?", False),
    ("a", "?*", True),
    ("\u00e9", "?", False),
    ("\u00e9", "??", True),
    ("a", "[a]", False),
    ("[a]", "[a]", True),
    ("a", "[!b]", False),
    ("a\\b", "a\\b", True),
    ("*", "\\*", False),
    ("a", "!a,*", False),
    ("a", "*,!a", False),
    ("b", "!a,*", True),
    ("b", "!a", False),
    ("a", "!", False),
    ("a", "a,!", True),
    ("!a", "!!a,*", False),
    ("a", "!!a,*", True),
    ("a b", "a b", True),
    ("a" * 2000, "a*", True),
    ("a", f"{LONG}*", True),
    ("a", f"{LONG}**", False),
    ("a", f"a,{LONG}**", False),
    ("a", f"{LONG}**,a", False),
    ("a", f"!b{LONG},a", True),
    ("a", f"!b{LONG}*,a", False),
    ("a", f"a,{'b' * 1100}", False),
    ("a", f"{LONG}*,{LONG}*,b", True),
    ("a" * 1023, "a" * 1023, False),
    ("\u00e9" * 511, "\u00e9" * 511, True),
    ("\u00e9" * 512, "\u00e9" * 512, False),
]


@pytest.mark.parametrize("name, patterns, matches", PATTERNS)
def test_patterns_match_as_those_of_openssh(name: str, patterns: str, matches: bool) -> None:
    file = f'"{patterns}" namespaces="{patterns}" {LINE}\n'.encode()
    signers = ssh.read_allowed_signers(file)
    for given in ({"principal": name}, {"namespace": name}):
        expected: Any = (
            contextlib.nullcontext()
            if matches
            else pytest.raises(girih.SignatureException, match="is not for")
        )
        with expected:
            ssh.find_signer(signers, PUBLIC, **given)  # type: ignore[arg-type]
    if shutil.which("ssh-keygen"):
        Path("theirs").write_text(f'"{patterns}" {ED25519}\n', encoding="utf-8")
        ran = subprocess.run(
            ["ssh-keygen", "-Y", "match-principals", "-I", name, "-f", "theirs"],
            capture_output=True,
            text=True,
        )
        if "nsupported" not in ran.stderr:  # before OpenSSH 8.9
            assert (ran.returncode == 0) is matches, ran


# Patterns, and whether they match an empty text in OpenSSH.
EMPTY = [
    ("*", True),
    ("a,", False),
    (",a", True),
    (",", True),
    ("a,,b", True),
    ("?", False),
    ("a,!", False),
    ("", False),
]


@pytest.mark.parametrize("patterns, matches", EMPTY)
def test_an_empty_principal_is_refused_and_a_last_comma_matches_nothing(
    patterns: str, matches: bool
) -> None:
    signers = ssh.read_allowed_signers(f'"{patterns}" namespaces="{patterns}" {LINE}\n'.encode())
    with pytest.raises(girih.InputException, match="principal: it is empty"):
        ssh.find_signer(signers, PUBLIC, principal="")
    expected: Any = (
        contextlib.nullcontext()
        if matches
        else pytest.raises(girih.SignatureException, match="is not for")
    )
    with expected:
        ssh.find_signer(signers, PUBLIC, namespace="")


HELD = string(BLOB) + string(b"a comment")
ANSWERS = [
    (b"\x0c" + number(0) + HELD, "bytes follow the last of 0 keys"),
    (b"\x0c" + number(2) + HELD, "a key has 0 bytes, and 0 are left"),
    (b"\x0c" + number(1) + HELD + b"\0", "1 bytes follow the last of 1 keys"),
    (b"\x0c" + number(1) + HELD[:-1], "a comment has 9 bytes"),
    (b"\x0c" + number(1) + string(BLOB + b"\0") + string(), "1 bytes follow the end"),
    (b"\x0c", "the number of keys is cut off"),
    (b"\x06\0", "bytes follow the answer"),
    (b"\x0e" + string(blob_of(bytes(2484))) + b"\0", "1 bytes follow the end"),
    (b"\x0e" + string(blob_of(bytes(2484), b"ssh-ed25519")), "the type is b'ssh-ed25519'"),
    (b"\x06", "the answer has 2 bytes, and 1 are read"),
    *[
        (answer, f"byte 4: the answer's type is {answer[:1].hex()}, and not {asked}")
        for asked in ("06", "0c", "0e")
        for answer in (b"", b"\x05", b"\x06", b"\x0c" + number(0), b"\x0e" + string())
        if answer[:1].hex() != asked
    ],
]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets of agents")
@pytest.mark.parametrize("answer, text", ANSWERS)
def test_malformed_answers_of_agents_are_refused(
    answer: bytes, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", "agent")
    length = len(answer) + text.startswith("the answer has")
    asked = int(text[-2:], 16) if ", and not " in text else answer[0]

    def agent(server: socket.socket) -> None:
        connection = server.accept()[0]
        with connection, connection.makefile("rb") as requests:
            requests.read(int.from_bytes(requests.read(4), "big"))
            connection.sendall(number(length) + answer)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind("agent")
        server.listen()
        thread = threading.Thread(target=agent, args=(server,), daemon=True)
        thread.start()
        ask = {
            0x0C: ssh.agent_keys,
            0x06: lambda: ssh.add_to_agent(KEY),
            0x0E: lambda: ssh.AgentKey(OTHER, "").sign(b""),
        }[asked]
        with pytest.raises(girih.InputException, match=text) as raised:
            ask()
        assert not isinstance(raised.value, ssh.OtherKeyException)
        thread.join()
