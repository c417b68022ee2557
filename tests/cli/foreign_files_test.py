"""Files of keys that girih does not read: every command names each kind, and says what to do."""

import pathlib

from command import FILE, CommandTest

TABLE = pathlib.Path(__file__).parent.parent / "key_files/foreign.tsv"
HEADERS = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"
COMMANDS = (
    "inspect foreign",
    "convert foreign new",
    "sign --secret foreign message",
    "sign-envelope --secret foreign message",
    "verify --public foreign --signature message message",
    "verify-envelope --public foreign message",
    "mu --public foreign --output new message",
    "encap --public foreign --ciphertext new --shared-secret new2",
    "decap --secret foreign --ciphertext message --shared-secret new",
)


def content_of(form, content):
    if form in ("hex", "text"):
        return bytes.fromhex(content) if form == "hex" else content.encode()
    headers = HEADERS if form == "headers" else ""
    return f"-----BEGIN {content}-----\n{headers}MAA=\n-----END {content}-----\n".encode()


class ForeignFiles(CommandTest):
    FILES = {"message": b"a message\n"}

    def test_are_named_with_a_remedy_by_every_command(self):
        for row in TABLE.read_text().splitlines():
            name, form, content, told, remedy = row.split("\t")
            self.write("foreign", content_of(form, content))
            for line in COMMANDS:
                with self.subTest(name=name, line=line):
                    self.girih(line, code=FILE)
                    self.assertTrue(self.error.startswith("foreign: "), self.error)
                    self.assertIn(told, self.error)
                    self.assertIn(remedy, self.error)
