"""girih verify --manifest: every line has its verdict, and no line spoils another."""

import itertools
import os
import subprocess

from command import COMMAND, FILE, MISSING, UNVERIFIED, USAGE, UTF16, CommandTest, not_on_windows, peak_memory

SENSELESS = "not the names of a public key, a signature and a message"
CHECK = "verify --manifest manifest "
HEAD = b"# public key, signature, message\n"


def line_of(n):
    return f"{'other' if n % 3 == 0 else 'key'}.pub.pem\t{n}.sig\tmessage {n}"


class Manifests(CommandTest):
    """Of six signatures by two keys."""

    KEYS = {"key": "ML-DSA-44", "other": "Dilithium3"}
    COUNT = 6

    def setUp(self):
        super().setUp()
        for n in range(self.COUNT):
            self.write(f"message {n}", b"a" * 160 * n)
            self.sign(secret="other.pem" if n % 3 == 0 else "key.pem", signature=f"{n}.sig", message=f"message {n}")
        self.write("manifest", HEAD + b"\n" + "\n".join(map(line_of, range(self.COUNT))).encode())

    def test_of_good_signatures_are_good(self):
        lines = self.girih(CHECK).decode().splitlines()
        self.assertEqual(lines, [*(f"good  message {n}" for n in range(6)), "6 signatures: 6 good, 0 bad, 0 error"])
        self.assertEqual(self.girih(CHECK + "--threads 3").decode().splitlines(), lines)

    @not_on_windows("a descriptor that is handed on")
    def test_in_standard_input_begin_where_that_is(self):
        self.write("manifest", b"a line that somebody else reads\n" + self.read("manifest"))
        with open(self.folder / "manifest", "rb", buffering=0) as file:
            file.readline()
            report = self.girih("verify --manifest -", stdin=file)
        self.assertTrue(report.endswith(b"6 signatures: 6 good, 0 bad, 0 error\n"))

    def test_may_begin_with_a_byte_order_mark(self):
        lines = "\n".join(map(line_of, (1, 2)))
        for changed in (lines.encode(), HEAD + lines.encode(), lines.replace("\n", "\r\n").encode()):
            report = self.girih("verify --manifest -", input=b"\xef\xbb\xbf" + changed).decode()
            self.assertEqual(report, "good  message 1\ngood  message 2\n2 signatures: 2 good, 0 bad, 0 error\n")
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("manifest", ("\ufeff" + lines).encode(encoding))
            self.girih(CHECK, code=FILE, error=f"manifest: line 1: {UTF16}")

    def test_judge_each_line_by_itself(self):
        self.write("message 1", b"changed")
        report = self.girih(CHECK, code=UNVERIFIED, error="manifest: 6 signatures: 5 good, 1 bad, 0 error").decode()
        self.assertIn("bad   message 1: the signature does not verify\n", report)
        (self.folder / "3.sig").unlink()
        self.write("4.sig", self.read("4.sig")[:-1])
        rows = self.json(CHECK, code=FILE, error="manifest: 6 signatures: 3 good, 2 bad, 1 error")["rows"]
        self.assertEqual([(row["line"], row["result"]) for row in rows],
                         list(enumerate(["good", "bad", "good", "error", "bad", "good"], 3)))
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
        for line in (CHECK + "--public key.pub.pem", "verify --threads 2 --public key.pub.pem --signature 1.sig a",
                     "verify"):
            self.girih(line, code=USAGE)

    def test_that_make_no_sense_anywhere_are_refused_before_anything_is_checked(self):
        good = b"key.pub.pem 1.sig message\n"
        for line, why in ((b"one two", SENSELESS), (b"one\ttwo\tthree\tfour", SENSELESS), (b"a\t\tc", SENSELESS),
                          (b"- b c", SENSELESS), (b"key.pub.pem\t1.sig\x00\tmessage 1", SENSELESS),
                          (b"x" * 16385, "longer than 16384 bytes"), (b"x" * 200_000, "longer than 16384 bytes")):
            self.write("manifest", good * 400 + line + b"\n" + good)
            self.fails(FILE, f"manifest: line 401: {why}", CHECK)

    def test_of_many_lines_are_reported_in_order_and_end_where_they_end(self):
        """More than 512 rows, which four threads take in a batch."""
        numbers = list(range(self.COUNT)) * 100
        for end in ("\n", "\r\n"):
            for last, threads in (("", 4), (end, 1), (end + end, 4)):
                self.write("manifest", (end.join(map(line_of, numbers)) + last).encode())
                report = self.girih(f"{CHECK} --threads {threads}").decode().splitlines()
                self.assertEqual(report[:-1], [f"good  message {n}" for n in numbers])
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
        self.assertEqual(self.girih(CHECK, code=FILE, error="manifest: names no signatures"),
                         b"0 signatures: 0 good, 0 bad, 0 error\n")
        self.assertEqual(self.json(CHECK, code=FILE),
                         {"rows": [], "summary": "0 signatures: 0 good, 0 bad, 0 error", "ok": False,
                          "error": self.error, "exit_code": FILE})


@not_on_windows("memory as Linux tells of it")
class Memory(CommandTest):
    """Is for threads, whatever the manifest."""

    KEYS = {"key": "ML-DSA-44", "large": "ML-DSA-87"}
    FILES = {"message": b"a message\n", "long": bytes(1 << 20)}

    def setUp(self):
        super().setUp()
        for key, message in (("key", "message"), ("key", "long"), ("large", "message")):
            self.sign(secret=f"{key}.pem", signature=f"{key}.{message}", message=message)

    def memory(self, lines, *options):
        """KiB at its highest. (What Python takes is part of it, so it keeps no lines.)"""
        with open(self.folder / "manifest", "wb") as manifest:
            manifest.writelines(lines)
        process = subprocess.Popen([COMMAND, "verify", "--manifest", "manifest", *map(str, options)], cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        memory = peak_memory(process)
        self.assertEqual(process.returncode, 0)
        return memory

    def test_does_not_grow_with_lines(self):
        line = b"key.pub.pem\tkey.message\t" + b"./" * 1000 + b"message\n"  # which weighs, if it is kept
        for threads, lines, extra in ((1, 6_000, ["--json"]), (4, 12_000, [])):
            one, many = (self.memory(itertools.repeat(line, count), "--threads", threads, *extra)
                         for count in (1, lines))
            self.assertLess(one, 32 << 10, f"a line with {threads} threads")
            self.assertLess(many, one + (threads * 3 << 10), f"{lines} lines with {threads} threads")

    def test_does_not_grow_with_keys(self):
        for n in range(600):
            os.link(self.folder / "large.pub.pem", self.folder / f"{n}.pub")
        line = b"%d.pub\tlarge.message\tmessage\n"
        one, many = (self.memory((line % n for n in range(count)), "--threads", 4) for count in (1, 600))
        self.assertLess(many, one + (20 << 10), "600 keys with four threads")

    def test_does_not_grow_with_long_messages(self):
        """Up to 1 MiB of a message is kept until its batch is checked: 100 of them are
        not kept at once."""
        self.assertLess(self.memory(itertools.repeat(b"key.pub.pem key.long long\n", 100)), 48 << 10)
