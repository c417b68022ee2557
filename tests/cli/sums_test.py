"""One signature for many files: girih sign --sums, girih verify --sums, and sha256sum."""

import hashlib
import os
import subprocess

from command import FILE, MISSING, TAKEN, UNVERIFIED, USAGE, UTF16, CommandTest, needs, not_on_windows

NAMES = "a b folder/d"
SENSELESS = "not a SHA-256 sum in 64 digits, two spaces and a name"
BACKSLASH = "a backslash in the name that stands for nothing"


class Sums(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = {"a": b"a", "b": b"", "folder/d": b"d" * 300_000}

    def sums(self, line, *more, **options):
        return self.girih(f"sign --secret key.pem --sums SUMS {line}", *more, **options)

    def sign_sums(self, content):
        """A file of sums that girih did not make."""
        self.write("SUMS", content)
        self.girih("sign --secret key.pem --force SUMS")

    def check(self, line="", **options):
        return self.girih(f"verify --public key.pub.pem --sums SUMS {line}", **options).decode()

    def test_are_those_of_sha256sum(self):
        self.sums(NAMES)
        self.assertEqual(self.read("SUMS").decode(), "".join(
            f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in self.FILES.items()))
        self.assertEqual(self.check(), "SUMS: good ML-DSA-44 signature by key.pub.pem\n"
                                       "good  a\ngood  b\ngood  folder/d\n3 files: 3 good, 0 bad, 0 error\n")
        self.girih("verify --public key.pub.pem SUMS")

    @needs("sha256sum")
    @not_on_windows("names with line feeds")
    def test_with_any_name_are_read_and_written_as_sha256sum_does(self):
        names = [b"back\\slash", b"line\nfeed", b"re\rturn", b"\xff", b" blank ", b"*star"]
        for name in names:
            self.write(os.fsdecode(name), name)
        self.sums("", *names)
        subprocess.run(["sha256sum", "--check", "--strict", "--status", "SUMS"], cwd=self.folder, check=True)
        self.check()
        for extra in ([], ["--binary"]):
            made = subprocess.run(["sha256sum", *extra, *names], cwd=self.folder, check=True, capture_output=True)
            self.sign_sums(made.stdout)
            self.check()

    def test_say_what_was_changed_and_what_is_missing(self):
        self.sums(f"--comment c {NAMES}")
        self.write("a", b"b")
        report = self.check(code=UNVERIFIED, error="SUMS: 3 files: 2 good, 1 bad, 0 error")
        self.assertIn("comment: c\nkey: ", report)
        self.assertIn("\nbad   a: has another SHA-256\ngood  b\n", report)
        os.unlink(self.folder / "b")
        found = self.json("verify --public key.pub.pem --sums SUMS", code=FILE)
        self.assertEqual([found["ok"], found["verified"], found["error"]], [False, True, self.error])
        self.assertEqual([row["result"] for row in found["files"]], ["bad", "error", "good"])
        self.assertEqual(found["files"][1]["reason"], f"b: {MISSING}")
        self.assertEqual(found["summary"], "3 files: 1 good, 1 bad, 1 error")

    def test_are_not_used_unless_their_signature_is_good(self):
        self.sums(NAMES)
        self.write("SUMS", self.read("SUMS").replace(b"  a\n", b"  e\n"))
        found = self.json("verify --public key.pub.pem --sums SUMS", code=UNVERIFIED,
                          error="SUMS.sig: the signature does not verify for SUMS and key.pub.pem")
        self.assertNotIn("files", found)

    def test_are_written_with_their_signature_or_not_at_all(self):
        self.fails(FILE, f"nothing: {MISSING}", "sign --secret key.pem --sums SUMS a nothing")
        self.write("SUMS.sig")
        self.fails(FILE, f"SUMS.sig: {TAKEN}", "sign --secret key.pem --sums SUMS a")
        self.sums("-o other.sig a")
        self.check("--signature other.sig")

    def test_may_begin_with_a_byte_order_mark_and_end_lines_otherwise(self):
        self.sums(NAMES)
        sums = self.read("SUMS")
        self.sign_sums(b"\xef\xbb\xbf" + sums.replace(b"\n", b"\r\n"))
        self.check()
        self.sign_sums(("\ufeff" + sums.decode()).encode("utf-16-le"))
        self.check(code=FILE, error=f"SUMS: line 1: {UTF16}")

    def test_replace_none_of_the_files_and_stand_alone(self):
        sign = "sign --secret key.pem --sums "
        self.all_fail(USAGE, [
            (sign + "a --force a b", "--sums and a are the same file"),
            (sign + "- a", "--sums: a file that has a name, and not -"),
            (sign + "/dev/stdout a", "--sums: a file that has a name, and not /dev/stdout"),
            (sign + "SUMS -", "--sums: standard input has no name that could stand in it"),
            (sign + "SUMS /dev/stdin", "--sums: /dev/stdin has no name that could stand in it"),
            ("verify --sums -", "--signature: not given, and standard input has no name to add .sig to")])
        self.sums("a")
        self.girih("verify --public key.pub.pem --sums - --signature SUMS.sig", input=self.read("SUMS"))
        for line in ("verify --sums SUMS a", "verify --sums SUMS --mu", "verify --sums SUMS --manifest m",
                     "sign --secret key.pem --sums SUMS --mu a"):
            self.girih(line, code=USAGE)

    def test_that_make_no_sense_name_the_line(self):
        digest = b"0" * 64
        for line, why in ((b"", SENSELESS), (digest, SENSELESS), (digest + b"  ", SENSELESS),
                          (digest + b" a", SENSELESS), (digest[1:] + b"  abc", SENSELESS),
                          (b"g" + digest[1:] + b"  a", SENSELESS),
                          (digest + b"  -", "not the name of a file"), (digest + b"  a\0", "not the name of a file"),
                          (b"\\" + digest + b"  a\\b", BACKSLASH), (b"\\" + digest + b"  a\\", BACKSLASH)):
            self.sign_sums(digest + b"  a\n" + line + b"\n")
            self.check(code=FILE, error=f"SUMS: line 2: {why}")
        self.sign_sums(b"")
        self.check(code=FILE, error="SUMS: names no files")

if __name__ == "__main__":
    unittest.main()
