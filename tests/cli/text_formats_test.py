"""Texts as other programs write them. The table in docs/FORMATS.md says what each format allows;
the tests make each change to a text of each format."""

import pathlib
import re

from command import FILE, GOOD, LOCKED_KEY, UTF16, WINDOWS, WORDS, CommandTest

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs/FORMATS.md"
CHANGES = {
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "CR LF": lambda text: text.replace(b"\n", b"\r\n"),
    "no last line end": lambda text: text.removesuffix(b"\n"),
    "empty last line": lambda text: text + b"\n",
    "blank at the end": lambda text: text.removesuffix(b"\n") + b" \n",
}
# The file that a command reads, by the format's name in the table.
COMMANDS = {
    "PEM": ("key.pub.pem", "inspect key.pub.pem"),
    "JWK": ("key.jwk", "inspect key.jwk"),
    "compact JWS": ("message.jws", "verify-envelope --public key.pub.pem message.jws"),
    "flattened JWS": (
        "message.json",
        "verify-envelope --public key.pub.pem --format jws-json message.json",
    ),
    "note": ("log.note", "verify-envelope --vkey log.vkey --format note log.note"),
    "verifier key": ("log.vkey", "verify-envelope --vkey log.vkey --format note log.note"),
    "text signature": ("text.sig", "verify --public key.pub.pem --signature text.sig message"),
    "manifest": ("manifest", "verify --manifest manifest"),
    "sums": ("sums", "verify --public key.pub.pem --signature sums.sig --sums sums"),
    "passphrase": ("words", "inspect locked.pem --passphrase-file words"),
}
REFUSED = {
    ("compact JWS", "empty last line"): "the JWS: a second line, but a compact JWS is one line",
    ("compact JWS", "blank at the end"): "the JWS: the signature is not base64url without padding",
    ("note", "byte order mark"): "byte 0 of the note: a byte order mark, which notes do not have",
    ("note", "CR LF"): "byte 3 of the note: a carriage return; the lines of notes end in LF alone",
    ("note", "no last line end"): "the note: the last line does not end in a line feed",
    ("note", "empty last line"): "the note: no signature after the empty line",
    ("note", "blank at the end"): "line 5 of the note: no key ID and signature in base64",
    (
        "verifier key",
        "empty last line",
    ): "the verifier key: a second line, but a verifier key is one line",
    (
        "verifier key",
        "blank at the end",
    ): "the verifier key: no name, key ID and key in base64 with '+' between them",
    (
        "text signature",
        "empty last line",
    ): "line 57: a line after the last one of the signature, which has fewer than 64 characters",
    ("text signature", "blank at the end"): "line 56: a character outside base64",
    ("manifest", "blank at the end"): "message : No such file or directory",
    (
        "sums",
        "empty last line",
    ): "line 2: neither a sum in 64 or 128 digits, two spaces and a name, nor SHA256 (NAME) = SUM",
    ("sums", "blank at the end"): "message : No such file or directory",
    ("passphrase", "blank at the end"): "the passphrase is wrong, or the encrypted key was changed",
}


def table():
    """The document says of each change: read, refused, or kept as part of a name or passphrase."""
    section = (
        DOCUMENT.read_text(encoding="utf-8").partition("## Text files")[2].partition("\n## ")[0]
    )
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line[:1] == "|"
    ]
    assert rows[0][1:] == list(CHANGES), rows[0]
    names = [(name.partition(" (")[0], row[1:]) for row in rows[2:] for name in row[0].split(", ")]
    return {name: dict(zip(CHANGES, cells)) for name, cells in names}


class TextFormats(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = {
        "message": b"a message\n",
        "locked.pem": LOCKED_KEY,
        "words": WORDS + b"\n",
        "log": b"log\n1\n" + b"A" * 43 + b"=\n",
        "manifest": b"key.pub.pem\tmessage.sig\tmessage\n",
    }

    def setUp(self):
        super().setUp()
        self.girih("convert --public-only key.pem key.jwk --format jwk")
        self.girih("sign-envelope --secret key.pem message")
        self.girih("sign-envelope --secret key.pem --format jws-json message -o message.json")
        self.girih("sign-envelope --secret key.pem --format note --kid log log")
        self.girih("convert key.pem log.vkey --vkey log")
        self.sign()
        self.sign("--text", signature="text.sig")
        self.girih("sign --sums sums --secret key.pem message")

    def run_changed(self, name, change):
        """The command's exit code and errors for a changed text."""
        file, line = COMMANDS[name]
        good = self.read(file)
        self.write(file, change(good + (b"\n" if name == "compact JWS" else b"")))
        if name == "sums":  # which are signed as they are
            self.sign("--force", signature="sums.sig", message="sums")
        run = self.run_command(line)
        self.write(file, good)
        return run.returncode, (run.stdout + run.stderr).decode()

    def test_allow_what_the_document_says(self):
        said = table()
        self.assertLessEqual(set(COMMANDS), set(said))
        for name in COMMANDS:
            for change, is_changed in CHANGES.items():
                with self.subTest(format=name, change=change):
                    code, text = self.run_changed(name, is_changed)
                    is_name = name in ("manifest", "sums") and change == "blank at the end"
                    if said[name][change] == "read" or (is_name and WINDOWS):
                        self.assertEqual(code, GOOD, text)
                    else:
                        self.assertNotEqual(code, GOOD)
                        self.assertIn(REFUSED[name, change], text)
                        is_kept = is_name or (name, change) == ("passphrase", "blank at the end")
                        self.assertEqual(said[name][change], "kept" if is_kept else "refused")

    def test_in_utf_16_are_refused_by_name(self):
        for name in COMMANDS:
            for order in ("utf-16-le", "utf-16-be"):
                with self.subTest(format=name, order=order):
                    code, text = self.run_changed(
                        name, lambda good: ("\ufeff" + good.decode()).encode(order)
                    )
                    self.assertEqual(code, FILE, text)
                    self.assertRegex(text, re.compile(f"{UTF16}|PEM in UTF-16|is text in UTF-16"))
