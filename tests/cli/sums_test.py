"""One signature for many files: girih sign --sums, girih verify --sums, and sha256sum."""

import hashlib
import json
import os
import shutil
import subprocess
import unittest

from command import FILE, UNVERIFIED, USAGE, CommandTest, not_on_windows

FILES = {"a": b"a", "b c": b"", "folder/d": b"d" * 300_000}


class Sums(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen(public="girih.pub")
        os.mkdir(self.folder / "folder")
        for name, content in FILES.items():
            self.write(name, content)

    def sign(self, *arguments, **options):
        return self.girih("sign", "--secret", "key.pem", "--sums", "SUMS", *arguments, **options)

    def check(self, *arguments, **options):
        return self.girih("verify", "--sums", "SUMS", *arguments, **options).decode()

    def test_are_those_of_sha256sum(self):
        self.sign(*FILES)
        self.assertEqual(self.read("SUMS").decode(), "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in FILES.items()))
        self.assertEqual(self.check(), "SUMS: good ML-DSA-44 signature by girih.pub\n"
                                       "good  a\ngood  b c\ngood  folder/d\n3 files: 3 good, 0 bad, 0 error\n")
        self.girih("verify", "SUMS")

    @unittest.skipUnless(shutil.which("sha256sum"), "there is no sha256sum")
    @not_on_windows("names with line feeds")
    def test_with_any_name_are_read_and_written_as_sha256sum_does(self):
        names = [b"back\\slash", b"line\nfeed", b"re\rturn", b"\xff", b" blank ", b"*star"]
        for name in names:
            with open(os.path.join(os.fsencode(self.folder), name), "wb") as file:
                file.write(name)
        self.sign(*names)
        subprocess.run(["sha256sum", "--check", "--strict", "--status", "SUMS"], cwd=self.folder, check=True)
        self.check()
        for extra in ([], ["--binary"]):
            made = subprocess.run(["sha256sum", *extra, *names], cwd=self.folder, check=True, capture_output=True)
            self.write("SUMS", made.stdout)
            self.girih("sign", "--secret", "key.pem", "--force", "SUMS")
            self.check()

    def test_say_what_was_changed_and_what_is_missing(self):
        self.sign("--comment", "c", *FILES)
        self.write("a", b"b")
        report = self.check(code=UNVERIFIED)
        self.assertIn("comment: c\nkey: ", report)
        self.assertIn("\nbad   a: has another SHA-256\ngood  b c\n", report)
        self.assertEqual(self.error, "SUMS: 3 files: 2 good, 1 bad, 0 error")
        os.unlink(self.folder / "b c")
        found = json.loads(self.check("--json", code=FILE))
        self.assertEqual([found["ok"], found["verified"], found["error"]], [False, True, self.error])
        self.assertEqual([row["result"] for row in found["files"]], ["bad", "error", "good"])
        self.assertEqual(found["files"][1]["reason"], "b c: No such file or directory")
        self.assertEqual(found["summary"], "3 files: 1 good, 1 bad, 1 error")

    def test_are_not_used_unless_their_signature_is_good(self):
        self.sign(*FILES)
        self.write("SUMS", self.read("SUMS").replace(b"  a\n", b"  e\n"))
        self.fails(UNVERIFIED, "SUMS.sig: the signature does not verify for SUMS and girih.pub", "verify", "--sums", "SUMS")
        found = json.loads(self.check("--json", code=UNVERIFIED))
        self.assertNotIn("files", found)

    def test_are_written_with_their_signature_or_not_at_all(self):
        there = self.names()
        self.fails(FILE, "nothing: No such file or directory",
                   "sign", "--secret", "key.pem", "--sums", "SUMS", "a", "nothing")
        self.write("SUMS.sig")
        self.fails(FILE, "SUMS.sig: exists already; --force replaces it",
                   "sign", "--secret", "key.pem", "--sums", "SUMS", "a")
        self.assertEqual(self.names(), sorted([*there, "SUMS.sig"]))
        self.sign("-o", "other.sig", "a")
        self.check("--signature", "other.sig")

    def test_may_begin_with_a_byte_order_mark_and_end_lines_otherwise(self):
        self.sign(*FILES)
        sums = self.read("SUMS")
        self.write("SUMS", b"\xef\xbb\xbf" + sums.replace(b"\n", b"\r\n"))
        self.girih("sign", "--secret", "key.pem", "--force", "SUMS")
        self.check()
        self.write("SUMS", ("\ufeff" + sums.decode()).encode("utf-16-le"))
        self.girih("sign", "--secret", "key.pem", "--force", "SUMS")
        self.check(code=FILE)
        self.assertEqual(self.error, "SUMS: line 1: text in UTF-16, where girih reads UTF-8")

    def test_replace_none_of_the_files(self):
        self.fails(USAGE, "--sums and a are the same file",
                   "sign", "--secret", "key.pem", "--sums", "a", "--force", "a", "b c")
        self.fails(USAGE, "--sums: a file that has a name, and not -", "sign", "--secret", "key.pem", "--sums", "-", "a")
        self.fails(USAGE, "--sums: standard input has no name that could stand in it",
                   "sign", "--secret", "key.pem", "--sums", "SUMS", "-")
        self.fails(USAGE, "--signature: not given, and standard input has no name to add .sig to", "verify", "--sums", "-")
        self.sign("a")
        self.girih("verify", "--sums", "-", "--signature", "SUMS.sig", input=self.read("SUMS"))

    def test_that_make_no_sense_name_the_line(self):
        digest = b"0" * 64
        senseless = "not a SHA-256 sum in 64 digits, two spaces and a name"
        for line, why in ((b"", senseless), (digest, senseless), (digest + b"  ", senseless), (digest + b" a", senseless),
                          (digest[1:] + b"  abc", senseless), (b"g" + digest[1:] + b"  a", senseless),
                          (digest + b"  -", "not the name of a file"), (digest + b"  a\0", "not the name of a file"),
                          (b"\\" + digest + b"  a\\b", "a backslash in the name that stands for nothing"),
                          (b"\\" + digest + b"  a\\", "a backslash in the name that stands for nothing")):
            self.write("SUMS", digest + b"  a\n" + line + b"\n")
            self.girih("sign", "--secret", "key.pem", "--force", "SUMS")
            self.check(code=FILE)
            self.assertEqual(self.error, f"SUMS: line 2: {why}")
        self.write("SUMS", b"")
        self.girih("sign", "--secret", "key.pem", "--force", "SUMS")
        self.check(code=FILE)
        self.assertEqual(self.error, "SUMS: names no files")

    def test_stand_alone(self):
        for more in (["a"], ["--mu"], ["--manifest", "m"]):
            self.girih("verify", "--sums", "SUMS", *more, code=USAGE)
        self.girih("sign", "--secret", "key.pem", "--sums", "SUMS", "--mu", "a", code=USAGE)


if __name__ == "__main__":
    unittest.main()
