"""Lines and patterns of SSH's allowed signers."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

import girih

pytest.importorskip("cryptography")
pytest.importorskip("bcrypt")
from girih import ssh  # noqa: E402
from test_ssh import ED25519, LINE, PUBLIC, folder, key_line  # noqa: E402, F401

pytestmark = pytest.mark.usefixtures("folder")

BARE = key_line(PUBLIC.blob())
CERTIFICATE = "ssh-mldsa44-ed25519-cert-v01@openssh.com"

# Malformed lines of allowed_signers, and part of the warning.
MALFORMED = [
    (f'"b@x.org {LINE}', "principals, all in quotes"), (f'"b@x.org {ED25519}', "principals"), (f'b"c" {LINE}', "principals"),
    (f'"b"c {LINE}', "principals"), (f'b\\" {LINE}', "principals"), (f"\r b {LINE}", "principals"), ("b", "principals"),
    (f"b\0,c {LINE}", "principals"), (f'"b\0" {LINE}', "principals"), (f'b namespaces="n\0" {LINE}', "NUL"),
    ("b ssh-ed25519", "there is no key"), (f"b {ssh.ALGORITHM}", "base64"), (f"b {LINE[:60]} c", "base64|byte"),
    (f'b namespaces="git {LINE}', "a quote is not closed"), (f'b namespaces="git {ED25519}', "a quote is not closed"),
    (f"b namespaces=git {LINE}", "option 'namespaces=git' is"), (f'b valid-befor="20300101" {LINE}', "option 'valid-befor"),
    (f"b cert-authority, {LINE}", "option 'cert-authority,'"), (f'b namespaces="a",namespaces="b" {LINE}', "there twice"),
    (f'b valid-after="20300230" {LINE}', "'20300230' is not a time"), (f'b valid-after="19700101Z" {LINE}', "not a time after"),
    (f'b valid-before="19691231Z" {LINE}', "not a time after"), (f'b valid-before="" {LINE}', "'' is not a time"),
    (f'b valid-after="20300101",valid-before="20300101" {LINE}', "valid-before is not after"),
    (f'b namespaces="a\\" {LINE}', "a quote is not closed"), (f'b name\u017fpaces="a" {LINE}', "option 'name\u017f"),
    (f"b cert-author\u0131ty {LINE}", "option 'cert-author\u0131"), (f"b {ssh.ALGORITHM} {BARE}", "base64"),
]


@pytest.mark.parametrize("line, text", MALFORMED)
def test_malformed_allowed_signers_are_skipped(line: str, text: str) -> None:
    file = f"a@x.org {LINE}\n{line}\nb@x.org cert-authority {LINE}\n".encode()
    with pytest.warns(UserWarning, match=f"^allowed signers: line 2: .*({text}).*; the line is skipped$"):
        found = ssh.read_allowed_signers(file)
    assert [(signer.principals, signer.is_authority) for signer in found] == [("a@x.org", False), ("b@x.org", True)]
    with pytest.raises(girih.SignatureException, match="line 3 is for certificates"):
        ssh.find_signer(found, PUBLIC, principal="b@x.org")


@pytest.mark.parametrize("line", [f"a {ED25519}", f'a namespaces="a b" {ED25519}', f"a {CERTIFICATE} AAAA", "a ssh-new AAAA", f"# {LINE}", " \t\r"])
def test_lines_of_other_keys_are_left_out_without_a_warning(line: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ssh.read_allowed_signers(f'{line}\r\n\t "a b"\t{LINE}\r\n'.encode())
    assert [(signer.place, signer.principals) for signer in found] == [("allowed signers: line 2", "a b")]


# Names, patterns, and whether they match in OpenSSH.
LONG = "*" * 1021
PATTERNS = [
    ("a", "a", True), ("a", "a,", True), ("a", ",a", True), ("a", "b,,a", True), ("b", "a,", False), ("a", ",", False), ("A", "a", False),
    ("a", "*", True), ("a", "**", True), ("abc", "a*c", True), ("abc", "a*b", False), ("abc", "*b*", True), ("a", "?", True), ("ab", "?", False),
    ("a", "?*", True), ("\u00e9", "?", False), ("\u00e9", "??", True), ("a", "[a]", False), ("[a]", "[a]", True), ("a", "[!b]", False),
    ("a\\b", "a\\b", True), ("*", "\\*", False), ("a", "!a,*", False), ("a", "*,!a", False), ("b", "!a,*", True), ("b", "!a", False), ("a", "!", False),
    ("a", "a,!", True), ("!a", "!!a,*", False), ("a", "!!a,*", True), ("a b", "a b", True), ("a" * 2000, "a*", True),
    ("a", f"{LONG}*", True), ("a", f"{LONG}**", False), ("a", f"a,{LONG}**", False), ("a", f"{LONG}**,a", False), ("a", f"!b{LONG},a", True),
    ("a", f"!b{LONG}*,a", False), ("a", f"a,{'b' * 1100}", False), ("a", f"{LONG}*,{LONG}*,b", True), ("a" * 1023, "a" * 1023, False),
    ("\u00e9" * 511, "\u00e9" * 511, True), ("\u00e9" * 512, "\u00e9" * 512, False)]


@pytest.mark.parametrize("name, patterns, matches", PATTERNS)
def test_patterns_match_as_those_of_openssh(name: str, patterns: str, matches: bool) -> None:
    file = f'"{patterns}" namespaces="{patterns}" {LINE}\n'.encode()
    signers = ssh.read_allowed_signers(file)
    for given in ({"principal": name}, {"namespace": name}):
        expected: Any = contextlib.nullcontext() if matches else pytest.raises(girih.SignatureException, match="is not for")
        with expected:
            ssh.find_signer(signers, PUBLIC, **given)  # type: ignore[arg-type]
    if shutil.which("ssh-keygen"):
        Path("theirs").write_text(f'"{patterns}" {ED25519}\n', encoding="utf-8")
        ran = subprocess.run(["ssh-keygen", "-Y", "match-principals", "-I", name, "-f", "theirs"], capture_output=True, text=True)
        if "nsupported" not in ran.stderr:  # before OpenSSH 8.9
            assert (ran.returncode == 0) is matches, ran


# Patterns, and whether they match an empty text in OpenSSH.
EMPTY = [("*", True), ("a,", False), (",a", True), (",", True), ("a,,b", True), ("?", False), ("a,!", False), ("", False)]


@pytest.mark.parametrize("patterns, matches", EMPTY)
def test_an_empty_principal_is_refused_and_a_last_comma_matches_nothing(patterns: str, matches: bool) -> None:
    signers = ssh.read_allowed_signers(f'"{patterns}" namespaces="{patterns}" {LINE}\n'.encode())
    with pytest.raises(girih.InputException, match="principal: it is empty"):
        ssh.find_signer(signers, PUBLIC, principal="")
    expected: Any = contextlib.nullcontext() if matches else pytest.raises(girih.SignatureException, match="is not for")
    with expected:
        ssh.find_signer(signers, PUBLIC, namespace="")
