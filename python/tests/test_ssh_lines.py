"""Patterns of SSH's allowed signers."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import girih

pytest.importorskip("cryptography")
pytest.importorskip("bcrypt")
from girih import ssh  # noqa: E402
from test_ssh import ED25519, LINE, PUBLIC, folder  # noqa: E402, F401

pytestmark = pytest.mark.usefixtures("folder")

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
