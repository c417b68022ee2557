"""SSH keys and signatures: OpenSSH's test data, malformed inputs, and OpenSSH and git both ways."""

from __future__ import annotations

import base64
import io
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import girih

pytest.importorskip("cryptography")
pytest.importorskip("bcrypt")
from girih import ssh  # noqa: E402

DATA = Path(__file__).parent / "openssh"  # of OpenSSH's regress/unittests
SEEDS = bytes(range(64))
KEY = ssh.SigningKey(SEEDS)
PUBLIC = KEY.verifying_key()
LINE = PUBLIC.line("a comment")
TYPE = ssh.ALGORITHM.encode()
OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA7gpnGvNqiBYNxuMSoZFhHZjFzyA0dXYR0SFKbaPWnl ed"


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def string(data: bytes) -> bytes:
    return number(len(data)) + data


def armor(blob: bytes, kind: str) -> bytes:
    return f"-----BEGIN {kind}-----\n{base64.b64encode(blob).decode()}\n-----END {kind}-----\n".encode()


def private_file(**changed: bytes) -> bytes:
    """An unencrypted file of KEY, with some fields changed."""
    fields = {"magic": b"openssh-key-v1\0", "cipher": string(b"none"), "kdf": string(b"none"), "options": string(b""),
              "count": number(1), "public": string(PUBLIC.blob()), "section": b"", "after": b""}
    inner = {"check1": b"1234", "check2": b"1234", "inner": PUBLIC.blob(), "seeds": string(SEEDS),
             "comment": string(b"a key"), "padding": b"\1\2\3\4"}
    fields["section"] = string(b"".join(changed.get(name, value) for name, value in inner.items()))
    return armor(b"".join(changed.get(name, value) for name, value in fields.items()), "OPENSSH PRIVATE KEY")


def signature_file(**changed: bytes) -> bytes:
    """A signature of b"message" by KEY, with some fields changed."""
    value = ssh.read_signature(ssh.sign(KEY, b"message", namespace="n")).value
    fields = {"magic": b"SSHSIG", "version": number(1), "public": string(PUBLIC.blob()), "namespace": string(b"n"),
              "reserved": string(b""), "hash": string(b"sha512"), "value": string(string(TYPE) + string(value)), "after": b""}
    return armor(b"".join(changed.get(name, value) for name, value in fields.items()), "SSH SIGNATURE")


def other(seed: int) -> ssh.VerifyingKey:
    return ssh.SigningKey(bytes([seed]) * 64).verifying_key()


def test_openssh_test_data() -> None:
    key, comment = ssh.read_private_key((DATA / "key").read_bytes())
    again = ssh.read_private_key((DATA / "key_pw").read_bytes(), b"mekmitasdigoat")
    assert comment == again[1] == "MLDSA44-ED25519 test key #1" and again[0].verifying_key() == key.verifying_key()
    assert key.verifying_key().fingerprint() == "SHA256:MHrtMS/Vf35zxTemIBpFyKqv9rT1bd1XMLqM9CnT8WY"
    armored = (DATA / "signature").read_bytes()
    found = ssh.read_signature(armored)
    ssh.verify(found.key, armored, b"This is a test, this is only a test", namespace="unittest")
    for message, namespace in ((b"another", "unittest"), (b"This is a test, this is only a test", "file")):
        with pytest.raises(girih.SignatureException):
            ssh.verify(found.key, armored, message, namespace=namespace)


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
    lines = ssh.read_public_keys(f'# keys\n\n{OTHER}\n{LINE}\r\nfrom="a, \\" b",no-pty {LINE}\n'.encode())
    assert [(line.key, line.comment, line.options) for line in lines] == [
        (PUBLIC, "a comment", ""), (PUBLIC, "a comment", 'from="a, \\" b",no-pty')]
    key.wipe()
    with pytest.raises(girih.InputException, match="wiped"):
        key.sign(b"")


@pytest.mark.parametrize("name", ["sha512", "sha256"])
def test_what_is_signed_verifies_if_both_parts_do(name: str) -> None:
    armored = ssh.sign(KEY, io.BytesIO(b"message" * 99999), namespace="file", hash_algorithm=name)
    ssh.verify(PUBLIC, armored, b"message" * 99999, namespace="file")
    assert ssh.read_signature(armored.replace(b"\n", b"\r\n")) == ssh.read_signature(armored)
    with pytest.raises(girih.SignatureException, match="it is by SHA256:"):
        ssh.verify(other(1), armored, b"", namespace="file")
    signature = bytearray(KEY.sign(b"message"))
    assert PUBLIC.verify(b"message", signature) and not PUBLIC.verify(b"message", signature[:-1])
    for at in (0, 2419, 2420, 2483):
        signature[at] ^= 1
        assert not PUBLIC.verify(b"message", signature)
        signature[at] ^= 1


@pytest.mark.parametrize("changed, text", [
    ({"magic": b"openssh-key-v2\0"}, "byte 15: the magic"),
    ({"cipher": string(b"aes256-gcm@openssh.com")}, "byte .*cipher 'aes256-gcm@openssh.com' is none of aes128-ctr, "),
    ({"kdf": string(b"bcrypt")}, "the KDF of cipher none is 'bcrypt'"),
    ({"options": string(b"x")}, "the KDF's options: byte 0: 1 bytes follow the end"),
    ({"count": number(2)}, "there is not one key"),
    ({"public": string(string(b"ssh-ed25519") + string(bytes(32)))}, "the type is 'ssh-ed25519'"),
    ({"public": string(string(TYPE) + string(bytes(1343)))}, "the value has 1343 bytes, and not 1344"),
    ({"public": string(PUBLIC.blob() + b"x")}, "1 bytes follow the end"),
    ({"public": string(other(1).blob())}, "not those of the seeds"),
    ({"inner": other(1).blob()}, "not those of the seeds"),
    ({"seeds": string(bytes(64))}, "not those of the seeds"),
    ({"seeds": string(bytes(63)), "padding": b"\1\2\3\4\5"}, "the seeds have 63 bytes"),
    ({"check2": b"1235"}, "the checkints differ"),
    ({"comment": number(99) + b"a key"}, "the comment has 99 bytes"),
    ({"padding": b"\1\2\3\5"}, "the padding is"),
    ({"padding": bytes(range(1, 13))}, "the padding is"),
    ({"padding": b"\1\2\3"}, "no multiple of 8"),
    ({"after": b"x"}, "1 bytes follow the end"),
    ({"section": number(1 << 31)}, "the private section has 2147483648 bytes, and 0 are left"),
    ({"cipher": string(b"aes256-ctr"), "kdf": string(b"bcrypt"), "options": string(string(bytes(16)) + number(1001)),
      "section": string(bytes(16))}, "1001 rounds; 1 to 1000"),
])
def test_malformed_private_keys_are_refused(changed: dict[str, bytes], text: str) -> None:
    with pytest.raises(girih.InputException, match=text):
        ssh.read_private_key(private_file(**changed), b"passphrase")


@pytest.mark.parametrize("changed, text", [
    ({"magic": b"SSHSIH"}, "not SSHSIG"), ({"version": number(2)}, "not SSHSIG of version 1"),
    ({"public": string(string(TYPE + b"x") + string(PUBLIC.data))}, "the type is"),
    ({"namespace": string(b"")}, "namespace '' is empty"), ({"reserved": string(b"x")}, "the reserved field is not empty"),
    ({"hash": string(b"sha1")}, "'sha1' neither sha512 nor sha256"),
    ({"value": string(string(b"ssh-ed25519") + string(bytes(2484)))}, "the type is 'ssh-ed25519'"),
    ({"value": string(string(TYPE) + string(bytes(2483)))}, "the value has 2483 bytes"),
    ({"value": string(string(TYPE) + string(bytes(2484)) + b"x")}, "1 bytes follow the end"),
    ({"after": b"x"}, "1 bytes follow the end"),
    ({"namespace": string(b"m")}, "for 'm'"), ({"hash": string(b"sha256")}, "does not verify"),
    ({"public": string(other(1).blob())}, "it is by"),
    ({"value": string(string(TYPE) + string(bytes(2484)))}, "does not verify"),
])
def test_malformed_signatures_are_refused(changed: dict[str, bytes], text: str) -> None:
    ssh.verify(PUBLIC, signature_file(), b"message", namespace="n")
    with pytest.raises((girih.InputException, girih.SignatureException), match=text):
        ssh.verify(PUBLIC, signature_file(**changed), b"message", namespace="n")


@pytest.mark.parametrize("old, new, text", [
    (b"-----BEGIN", b" -----BEGIN", "line 1 is not"), (b"END SSH SIGNATURE-----", b"END SSH SIGNATURE", "line 3 is not"),
    (b"-----\n", b"-----\nx", "line 4 is not"), (b"U1NI", b"U1N\xff", "base64"), (b"U1NI", b"U1N", "base64"),
    (b"\n-----END", b"=\n-----END", "base64"), (b"U1NI", b"U1NI=", "base64"),
])
def test_malformed_armor_is_refused(old: bytes, new: bytes, text: str) -> None:
    head, found, tail = signature_file().rpartition(old)
    with pytest.raises(girih.InputException, match=text):
        ssh.read_signature(head + new + tail if found else b"")


SIGNERS = f'''# a comment
e@x.org {OTHER}
*@x.org,!b@x.org namespaces="git,fi*",valid-after="20200101Z",valid-before="203001010000UTC" {LINE}
"c@y.org" Cert-Authority {LINE}
d@y.org valid-before="20200101000000" {LINE}
'''


def test_allowed_signers() -> None:
    signers = ssh.read_allowed_signers(SIGNERS.encode())
    now = ssh.parse_time("20260101Z")
    assert now == 1767225600
    for namespace in ("git", "file", None):
        assert ssh.find_signer(signers, PUBLIC, principal="a@x.org", namespace=namespace, time=now) is signers[0]
    for principal, namespace, when, text in (
            ("b@x.org", "git", now, "line 3 is not for 'b@x.org'"), ("a@x.org", "email", now, "namespace 'email'"),
            ("a@x.org", "git", ssh.parse_time("20191231Z"), "line 3 is not valid at this time"),
            ("a@x.org", "git", ssh.parse_time("203001010001Z"), "line 3 is not valid at this time"),
            ("c@y.org", "git", now, "line 4 is for certificates"), ("d@y.org", "git", None, "line 5 is not valid")):
        with pytest.raises(girih.SignatureException, match=text):
            ssh.find_signer(signers, PUBLIC, principal=principal, namespace=namespace, time=when)
    with pytest.raises(girih.SignatureException, match="no line has the key"):
        ssh.find_signer(signers, other(1))


@pytest.mark.parametrize("line, text", [
    (LINE.replace("AAAA", "AAA", 1), "base64"), (f"{LINE[:60]} c", "base64|bytes"), (ssh.ALGORITHM, "base64"),
    (f'namespaces="git {LINE}', "a quote is not closed"), (f"namespaces=git {LINE}", "option 'namespaces=git' is"),
    (f'valid-befor="20300101" {LINE}', "option 'valid-befor"), (f"cert-authority, {LINE}", "option 'cert-authority,'"),
    (f'namespaces="a",namespaces="b" {LINE}', "there twice"), (f'valid-after="20300230" {LINE}', "'20300230' is no time"),
    (f'valid-after="20300101",valid-before="20300101" {LINE}', "valid-before is not after"),
])
def test_malformed_allowed_signers_are_refused(line: str, text: str) -> None:
    with pytest.raises(girih.InputException, match=f"allowed signers: line 2.*{text}|{text}"):
        ssh.read_allowed_signers(f"\na@x.org {line}\n".encode())


@pytest.fixture(scope="module")
def keygen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Runs ssh-keygen, if it has the algorithm, in a folder that has its key."""
    folder = tmp_path_factory.mktemp("openssh")

    def run(*arguments: str, data: bytes = b"") -> bytes:
        return subprocess.run(["ssh-keygen", *arguments], cwd=folder, input=data, check=True, capture_output=True).stdout

    try:
        run("-q", "-t", "mldsa44-ed25519", "-N", "", "-C", "their key", "-f", "key")
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("no ssh-keygen on PATH has mldsa44-ed25519, as that of OpenSSH 10.4 has")
    (folder / "signers").write_bytes(b"a@x.org namespaces=\"git\" " + (folder / "key.pub").read_bytes())
    run.folder = folder  # type: ignore[attr-defined]
    return run


def test_openssh_reads_ours_and_we_read_its(keygen: Any) -> None:
    folder = keygen.folder
    key, comment = ssh.read_private_key((folder / "key").read_bytes())
    public = key.verifying_key()
    assert comment == "their key" and f"{public.line(comment)}\n" == (folder / "key.pub").read_text()
    for cipher in ("aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes256-cbc"):
        shutil.copy(folder / "key", folder / cipher)
        keygen("-q", "-p", "-P", "", "-N", "words", "-a", "2", "-Z", cipher, "-f", cipher)
        assert ssh.read_private_key((folder / cipher).read_bytes(), b"words")[0].verifying_key() == public
    for size, passphrase in ((row, words) for row in range(9) for words in (None, b"words")):
        with ssh.write_private_key(key, "c" * size, passphrase, rounds=1) as file:
            (folder / "ours").write_bytes(file)
        (folder / "ours").chmod(0o600)
        assert keygen("-y", "-P", (passphrase or b"").decode(), "-f", "ours").decode().split()[1] == public.line().split()[1]
    assert public.fingerprint() in keygen("-l", "-f", "key.pub").decode()
    for name in ("sha512", "sha256"):
        theirs = keygen("-Y", "sign", "-n", "git", "-O", f"hashalg={name}", "-f", "key", data=b"message")
        ssh.verify(public, theirs, b"message", namespace="git")
        (folder / "sig").write_bytes(ssh.sign(key, b"message", namespace="git", hash_algorithm=name))
        keygen("-Y", "verify", "-n", "git", "-f", "signers", "-I", "a@x.org", "-s", "sig", data=b"message")


def test_agent_signs(keygen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("ssh-agent"):
        pytest.skip("no ssh-agent is on PATH")
    path = keygen.folder / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL) as agent:
        try:
            while not path.exists() and agent.poll() is None:
                time.sleep(0.01)
            monkeypatch.setenv("SSH_AUTH_SOCK", str(path))
            ssh.add_to_agent(KEY, "added")
            held, = ssh.agent_keys()
            assert held == (PUBLIC, "added")
            ssh.verify(PUBLIC, ssh.sign(held, b"message", namespace="n"), b"message", namespace="n")
            with pytest.raises(girih.InputException, match="agent: byte 1: the answer's type is 5"):
                ssh.AgentKey(other(1), "").sign(b"")
        finally:
            agent.terminate()


def test_command_serves_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("git"):
        pytest.skip("no git is on PATH")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    (tmp_path / "key").write_bytes(private_file())
    (tmp_path / "key.pub").write_text(LINE)
    (tmp_path / "signers").write_text(f"a@x.org {LINE}")
    program = tmp_path / "girih-ssh"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m girih.ssh "$@"\n')
    program.chmod(0o700)

    def git(*arguments: str, expected: int = 0) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@x.org", "-c", "gpg.format=ssh", "-c", f"gpg.ssh.program={program}",
             "-c", f"user.signingKey={tmp_path / 'key.pub'}", "-c", f"gpg.ssh.allowedSignersFile={tmp_path / 'signers'}",
             *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == expected, done.stderr
        return done.stdout + done.stderr

    git("init", "-q")
    git("commit", "-q", "-S", "--allow-empty", "-m", "signed")
    good = f'Good "git" signature for a@x.org with MLDSA44-ED25519 key {PUBLIC.fingerprint()}'
    assert good in git("verify-commit", "HEAD")
    (tmp_path / "revoked").write_text(LINE)
    assert "revokes its key" in git("-c", f"gpg.ssh.revocationFile={tmp_path / 'revoked'}", "verify-commit", "HEAD", expected=1)
    (tmp_path / "signers").write_text(f'a@x.org valid-before="20200101" {LINE}')
    assert "is not valid at this time" in git("verify-commit", "HEAD", expected=1)
