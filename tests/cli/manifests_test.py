"""girih verify --manifest, where no line spoils another; and one signature for many files:
girih sign --sums, girih verify --sums, and sha256sum."""

import hashlib
import itertools
import os
import re
import subprocess

from command import (
    FILE,
    MISSING,
    TAKEN,
    UNVERIFIED,
    USAGE,
    UTF16,
    CommandTest,
    needs,
    not_on_windows,
)

NAMES = "a b folder/d"
NO_SUM = "neither a sum in 64 or 128 digits, two spaces and a name, nor SHA256 (NAME) = SUM"
BACKSLASH = "a backslash in the name without a meaning"
SENSELESS = "not the names of a public key, a signature and a message"
CHECK = "verify --manifest manifest "
HEAD = b"# public key, signature, message\n"


def line_of(n):
    return f"{'other' if n % 3 == 0 else 'key'}.pub.pem\t{n}.sig\tmessage {n}"


class Manifests(CommandTest):
    """They name six signatures by two keys."""

    KEYS = {"key": "ML-DSA-44", "other": "Dilithium3"}
    COUNT = 6

    def setUp(self):
        super().setUp()
        for n in range(self.COUNT):
            self.write(f"message {n}", b"a" * 160 * n)
            self.sign(
                secret="other.pem" if n % 3 == 0 else "key.pem",
                signature=f"{n}.sig",
                message=f"message {n}",
            )
        self.write("manifest", HEAD + b"\n" + "\n".join(map(line_of, range(self.COUNT))).encode())

    @not_on_windows("a descriptor that is handed on")
    def test_in_standard_input_begin_where_that_is(self):
        self.write("manifest", b"a line that somebody else reads\n" + self.read("manifest"))
        with open(self.folder / "manifest", "rb", buffering=0) as file:
            file.readline()
            report = self.girih("verify --manifest -", stdin=file)
        self.assertTrue(report.endswith(b"6 signatures: 6 good, 0 bad, 0 error\n"))

    @not_on_windows("names of any bytes")
    def test_may_name_files_that_are_not_utf_8(self):
        self.write(os.fsdecode(b"\xff"), self.read("message 0"))
        self.write("manifest", b"other.pub.pem\t0.sig\t\xff\n")
        self.assertEqual(self.girih(CHECK).decode().splitlines()[0], "good  \\xff")
        self.assertEqual(self.json(CHECK)["rows"][0]["message"], "\ufffd")
        self.write("manifest", b"\xfe\t0.sig\tmessage 0\n")
        self.girih(CHECK, code=FILE, error=re.compile(r"first message 0: \\xfe: " + MISSING))

    def test_may_begin_with_a_byte_order_mark(self):
        lines = "\n".join(map(line_of, (1, 2)))
        for changed in (
            lines.encode(),
            HEAD + lines.encode(),
            lines.replace("\n", "\r\n").encode(),
        ):
            report = self.girih("verify --manifest -", input=b"\xef\xbb\xbf" + changed).decode()
            self.assertEqual(
                report, "good  message 1\ngood  message 2\n2 signatures: 2 good, 0 bad, 0 error\n"
            )
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("manifest", ("\ufeff" + lines).encode(encoding))
            self.girih(CHECK, code=FILE, error=f"manifest: line 1: {UTF16}")

    def test_judge_each_line_by_itself(self):
        self.write("message 1", b"changed")
        report = self.girih(
            CHECK,
            code=UNVERIFIED,
            error="manifest: 6 signatures: 5 good, 1 bad, 0 error; first "
            "message 1: the signature does not verify",
        ).decode()
        self.assertIn("bad   message 1: the signature does not verify\n", report)
        (self.folder / "3.sig").unlink()
        self.write("4.sig", self.read("4.sig")[:-1])
        rows = self.json(
            CHECK,
            code=FILE,
            error="manifest: 6 signatures: 3 good, 2 bad, 1 error; first "
            "message 1: the signature does not verify",
        )["rows"]
        self.assertEqual(
            [(row["line"], row["result"]) for row in rows],
            list(enumerate(["good", "bad", "good", "error", "bad", "good"], 3)),
        )
        self.assertEqual(rows[3]["reason"], f"3.sig: {MISSING}")

    def test_stream_large_messages(self):
        self.write("large", b"x" * (3 << 20))
        self.sign(signature="large.sig", message="large")
        self.write("manifest", b"key.pub.pem large.sig large\r\n")
        self.assertEqual(self.girih(CHECK), b"good  large\n1 signatures: 1 good, 0 bad, 0 error\n")

    def test_use_one_context_for_all_and_nothing_else(self):
        self.sign("--force --context release", signature="1.sig", message="message 1")
        self.write("manifest", line_of(1).encode())
        self.girih(CHECK + "--context release")
        self.girih(CHECK, code=UNVERIFIED)
        for line in (
            CHECK + "--public key.pub.pem",
            "verify --threads 2 --public key.pub.pem --signature 1.sig a",
            "verify",
        ):
            self.girih(line, code=USAGE)

    def test_that_make_no_sense_anywhere_are_refused_before_anything_is_checked(self):
        good = b"key.pub.pem 1.sig message\n"
        for line, why in (
            (b"one two", SENSELESS),
            (b"one\ttwo\tthree\tfour", SENSELESS),
            (b"a\t\tc", SENSELESS),
            (b"- b c", SENSELESS),
            (b"key.pub.pem\t1.sig\x00\tmessage 1", SENSELESS),
            (b"x" * 16385, "longer than 16384 bytes"),
            (b"x" * 200_000, "longer than 16384 bytes"),
        ):
            self.write("manifest", good * 400 + line + b"\n" + good)
            self.fails(FILE, f"manifest: line 401: {why}", CHECK)

    def test_of_many_lines_are_reported_in_order_and_end_where_they_end(self):
        """More than 512 rows, which four threads take in a batch."""
        numbers = list(range(self.COUNT)) * 100
        for end in ("\n", "\r\n"):
            for last, threads in (("", 4), (end, 1), (end + end, 4)):
                self.write("manifest", (end.join(map(line_of, numbers)) + last).encode())
                report = self.girih(f"{CHECK} --threads {threads}").decode().splitlines()
                self.assertEqual(
                    report,
                    [
                        *(f"good  message {n}" for n in numbers),
                        "600 signatures: 600 good, 0 bad, 0 error",
                    ],
                )
        rows = self.json(CHECK)["rows"]
        self.assertEqual([row["line"] for row in rows], list(range(1, len(numbers) + 1)))

    def test_may_name_more_keys_than_are_kept(self):
        lines = []
        for n in range(80):
            os.link(self.folder / "key.pub.pem", self.folder / f"{n}.pub")
            lines += [f"{n}.pub\t1.sig\tmessage 1", "0.pub\t1.sig\tmessage 1"]
        self.write("manifest", "\n".join(lines).encode())
        self.assertTrue(self.girih(CHECK).endswith(b"\n160 signatures: 160 good, 0 bad, 0 error\n"))

    def test_without_lines_have_no_signatures(self):
        self.write("manifest", b"# nothing\n\n")
        self.assertEqual(
            self.girih(CHECK, code=FILE, error="manifest: names no signatures"),
            b"0 signatures: 0 good, 0 bad, 0 error\n",
        )
        self.assertEqual(
            self.json(CHECK, code=FILE),
            {
                "rows": [],
                "summary": "0 signatures: 0 good, 0 bad, 0 error",
                "ok": False,
                "error": self.error,
                "exit_code": FILE,
            },
        )


@not_on_windows("memory as Linux tells of it")
class Memory(CommandTest):
    """Memory is for threads, whatever the manifest."""

    KEYS = {"key": "ML-DSA-44", "large": "ML-DSA-87"}
    FILES = {"message": b"a message\n", "long": bytes(1 << 20)}

    def setUp(self):
        super().setUp()
        for key, message in (("key", "message"), ("key", "long"), ("large", "message")):
            self.sign(secret=f"{key}.pem", signature=f"{key}.{message}", message=message)

    def memory_for(self, lines, options="--threads 4"):
        """The peak of memory. (Python's is part of it, so no lines are kept here.)"""
        with open(self.folder / "manifest", "wb") as manifest:
            manifest.writelines(lines)
        return self.memory(CHECK + options, stdout=subprocess.DEVNULL)

    def test_does_not_grow_with_lines(self):
        line = (
            b"key.pub.pem\tkey.message\t" + b"./" * 1000 + b"message\n"
        )  # which weighs, if it is kept
        for threads, lines, extra in ((1, 6_000, "--json"), (4, 12_000, "")):
            one, many = (
                self.memory_for(itertools.repeat(line, count), f"--threads {threads} {extra}")
                for count in (1, lines)
            )
            self.assertLess(one, 32 << 10, f"a line with {threads} threads")
            self.assertLess(
                many, one + (threads * 3 << 10), f"{lines} lines with {threads} threads"
            )

    def test_does_not_grow_with_keys(self):
        for n in range(600):
            os.link(self.folder / "large.pub.pem", self.folder / f"{n}.pub")
        line = b"%d.pub\tlarge.message\tmessage\n"
        one, many = (self.memory_for(line % n for n in range(count)) for count in (1, 600))
        self.assertLess(many, one + (20 << 10), "600 keys with four threads")

    def test_does_not_grow_with_long_messages(self):
        """Up to 1 MiB of a message is kept until its batch is checked: 100 of them are
        not kept at once."""
        self.assertLess(
            self.memory_for(itertools.repeat(b"key.pub.pem key.long long\n", 100), ""), 48 << 10
        )


FILES = {"a": b"a", "b": b"", "folder/d": b"d" * 300_000}


class SeveralFiles(CommandTest):
    """girih verify MESSAGE MESSAGE: each has its signature beside it."""

    KEYS = {"key": "ML-DSA-44"}
    FILES = FILES

    def test_are_verified_and_reported_one_by_one(self):
        self.girih(f"sign --secret key.pem {NAMES}")
        check = f"verify --public key.pub.pem {NAMES} "
        for options in ("", "--threads 2"):
            self.assertEqual(
                self.girih(check + options).decode(),
                "good  a\ngood  b\ngood  folder/d\n3 signatures: 3 good, 0 bad, 0 error\n",
            )
        self.write("a", b"b")
        first = "; first a: the signature does not verify"
        self.girih(
            check,
            code=UNVERIFIED,
            error=f"key.pub.pem: 3 signatures: 2 good, 1 bad, 0 error{first}",
        )
        os.unlink(self.folder / "b.sig")
        rows = self.json(
            check, code=FILE, error=f"key.pub.pem: 3 signatures: 1 good, 1 bad, 1 error{first}"
        )["rows"]
        self.assertEqual(
            [row["reason"] for row in rows],
            ["the signature does not verify", f"b.sig: {MISSING}", ""],
        )
        for option, why in (
            ("--signature a.sig", "--signature: one name for the signatures of 3 files"),
            ("--public key.pub.pem", "--public: more than one key for 3 files"),
        ):
            self.fails(USAGE, why, check + option)
        self.fails(
            USAGE,
            "MESSAGE: standard input has no name to add .sig to",
            "verify --public key.pub.pem a -",
        )
        self.fails(
            USAGE,
            "--threads: needs --manifest or several files",
            "verify --public key.pub.pem --threads 2 a",
        )

    def test_are_verified_in_silence(self):
        self.girih(f"sign --secret key.pem {NAMES}")
        check = f"verify --public key.pub.pem --quiet {NAMES}"
        self.assertEqual(self.girih(check), b"")
        self.write("a", b"b")
        for line in (check, "verify --public key.pub.pem -q a"):
            run = self.run_command(line)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (UNVERIFIED, b"", b""))
        os.unlink(self.folder / "b.sig")
        self.fails(FILE, re.compile("^key.pub.pem: 3 signatures: 1 good, 1 bad, 1 error"), check)
        self.fails(USAGE, re.compile("--json"), check + " --json")


class Sums(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = FILES

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
        self.assertEqual(
            self.read("SUMS").decode(),
            "".join(
                f"{hashlib.sha256(content).hexdigest()}  {name}\n"
                for name, content in self.FILES.items()
            ),
        )
        self.assertEqual(
            self.check(),
            "SUMS: good ML-DSA-44 signature by key.pub.pem\n"
            "good  a\ngood  b\ngood  folder/d\n3 files: 3 good, 0 bad, 0 error\n",
        )
        self.girih("verify --public key.pub.pem SUMS")

    @needs("sha256sum")
    @not_on_windows("names with line feeds")
    def test_with_any_name_are_read_and_written_as_sha256sum_does(self):
        names = [b"back\\slash", b"line\nfeed", b"re\rturn", b"\xff", b" blank ", b"*star"]
        for name in names:
            self.write(os.fsdecode(name), name)
        self.sums("", *names)
        subprocess.run(
            ["sha256sum", "--check", "--strict", "--status", "SUMS"], cwd=self.folder, check=True
        )
        self.check()
        for program in ("sha256sum", "sha512sum"):
            for extra in ([], ["--binary"], ["--tag"]):
                made = subprocess.run(
                    [program, *extra, *names], cwd=self.folder, check=True, capture_output=True
                )
                self.sign_sums(made.stdout)
                self.check()

    def test_say_what_was_changed_and_what_is_missing(self):
        self.sums(f"--comment c {NAMES}")
        self.write("a", b"b")
        report = self.check(
            code=UNVERIFIED,
            error="SUMS: 3 files: 2 good, 1 bad, 0 error; first a: has another SHA-256",
        )
        self.assertIn("comment: c\nkey: ", report)
        self.assertIn("\nbad   a: has another SHA-256\ngood  b\n", report)
        os.unlink(self.folder / "b")
        found = self.json("verify --public key.pub.pem --sums SUMS", code=FILE)
        self.assertEqual(
            [found["ok"], found["verified"], found["error"]], [False, True, self.error]
        )
        self.assertEqual([row["result"] for row in found["rows"]], ["bad", "error", "good"])
        self.assertEqual(found["rows"][1]["reason"], MISSING)
        self.assertEqual(found["summary"], "3 files: 1 good, 1 bad, 1 error")

    def test_are_not_used_unless_their_signature_is_good(self):
        self.sums(NAMES)
        self.write("SUMS", self.read("SUMS").replace(b"  a\n", b"  e\n"))
        found = self.json(
            "verify --public key.pub.pem --sums SUMS",
            code=UNVERIFIED,
            error="SUMS.sig: the signature does not verify for SUMS and key.pub.pem",
        )
        self.assertNotIn("rows", found)

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
        self.all_fail(
            USAGE,
            [
                (sign + "a --force a b", "--sums and a are the same file"),
                (sign + "- a", "--sums: a file with a name, not -"),
                (sign + "/dev/stdout a", "--sums: a file with a name, not /dev/stdout"),
                (sign + "SUMS -", "--sums: standard input has no name to write in it"),
                (sign + "SUMS /dev/stdin", "--sums: /dev/stdin has no name to write in it"),
                (
                    "verify --sums -",
                    "--signature: not given, and standard input has no name to add .sig to",
                ),
            ],
        )
        self.sums("a")
        self.girih(
            "verify --public key.pub.pem --sums - --signature SUMS.sig", input=self.read("SUMS")
        )
        for line in (
            "verify --sums SUMS a",
            "verify --sums SUMS --mu",
            "verify --sums SUMS --manifest m",
            "sign --secret key.pem --sums SUMS --mu a",
        ):
            self.girih(line, code=USAGE)

    def test_of_sha512_say_what_was_changed(self):
        digest = hashlib.sha512(self.FILES["a"]).hexdigest()
        self.sign_sums(f"SHA512 (a) = {digest.upper()}\n{digest}  b\n".encode())
        report = self.check(
            code=UNVERIFIED,
            error="SUMS: 2 files: 1 good, 1 bad, 0 error; first b: has another SHA-512",
        )
        self.assertIn("good  a\nbad   b: has another SHA-512\n", report)

    def test_that_make_no_sense_name_the_line(self):
        digest = b"0" * 64
        for line, why in (
            (b"", NO_SUM),
            (digest, NO_SUM),
            (digest + b"  ", NO_SUM),
            (digest + b" a", NO_SUM),
            (digest[1:] + b"  abc", NO_SUM),
            (b"g" + digest[1:] + b"  a", NO_SUM),
            (digest + b"0  a", NO_SUM),
            (2 * digest + b" a", NO_SUM),
            (b"SHA256 (a) = " + 2 * digest, NO_SUM),
            (b"SHA512 (a) = " + digest, NO_SUM),
            (b"SHA1 (a) = " + digest, NO_SUM),
            (b"SHA256 () = " + digest, NO_SUM),
            (b"SHA256 a = " + digest, NO_SUM),
            (b"SHA256 (a) = g" + digest[1:], NO_SUM),
            (b"SHA256 (-) = " + digest, "not the name of a file"),
            (digest + b"  -", "not the name of a file"),
            (digest + b"  a\0", "not the name of a file"),
            (b"\\" + digest + b"  a\\b", BACKSLASH),
            (b"\\" + digest + b"  a\\", BACKSLASH),
        ):
            self.sign_sums(digest + b"  a\n" + line + b"\n")
            self.check(code=FILE, error=f"SUMS: line 2: {why}")
        self.sign_sums(b"")
        self.check(code=FILE, error="SUMS: names no files")


if __name__ == "__main__":
    unittest.main()
