"""girih verify --manifest: every line has its verdict, and no line spoils another."""

import json
import os
import subprocess
import unittest

from command import COMMAND, FILE, UNVERIFIED, USAGE, CommandTest, not_on_windows


class Manifests(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("Dilithium3", secret="other.pem", public="other.pub.pem")
        for number in range(20):
            message = self.write(f"message {number}", b"a" * 40 * number)
            secret = "other.pem" if number % 3 == 0 else "key.pem"
            self.sign(secret=secret, signature=f"{number}.sig", message=message)

    def manifest(self, numbers=range(20), name="manifest"):
        lines = ["# public key, signature, message", ""]
        lines += [f"{'other' if n % 3 == 0 else 'key'}.pub.pem\t{n}.sig\tmessage {n}" for n in numbers]
        return self.write(name, "\n".join(lines).encode())

    def check(self, *arguments, **options):
        return self.girih("verify", "--manifest", self.manifest(), *arguments, **options).decode()

    def test_of_good_signatures_are_good(self):
        lines = self.check().splitlines()
        self.assertEqual(lines[:2], ["good  message 0", "good  message 1"])
        self.assertEqual(lines[-1], "20 signatures: 20 good, 0 bad, 0 error")
        self.assertEqual(self.check("--threads", 3).splitlines(), lines)

    @not_on_windows("a descriptor that is handed on")
    def test_in_standard_input_begin_where_that_is(self):
        self.write("manifest", b"a line that somebody else reads\n" + self.read(self.manifest(range(3))))
        with open(self.folder / "manifest", "rb", buffering=0) as file:
            while file.read(1) != b"\n":
                pass
            run = subprocess.run([COMMAND, "verify", "--manifest", "-"], stdin=file, capture_output=True, cwd=self.folder,
                                 timeout=60)
        self.judge(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.decode().splitlines()[-1], "3 signatures: 3 good, 0 bad, 0 error")

    def test_may_begin_with_a_byte_order_mark(self):
        lines = self.read(self.manifest([1, 2])).split(b"\n", 2)[2]
        for changed in (lines, b"# public key, signature, message\n" + lines, lines.replace(b"\n", b"\r\n")):
            report = self.girih("verify", "--manifest", "-", input=b"\xef\xbb\xbf" + changed).decode()
            self.assertEqual(report, "good  message 1\ngood  message 2\n2 signatures: 2 good, 0 bad, 0 error\n")
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("manifest", ("\ufeff" + lines.decode()).encode(encoding))
            self.girih("verify", "--manifest", "manifest", code=FILE)
            self.assertEqual(self.error, "manifest: line 1: text in UTF-16, where girih reads UTF-8")

    def test_judge_each_line_by_itself(self):
        self.write("message 4", b"changed")
        (self.folder / "5.sig").unlink()
        self.write("7.sig", self.read("7.sig")[:-1])
        run = json.loads(self.check("--json", code=FILE))
        self.assertEqual(self.error, "manifest: 20 signatures: 17 good, 2 bad, 1 error")
        results = {row["line"] - 3: row["result"] for row in run["rows"]}
        self.assertEqual({n: r for n, r in results.items() if r != "good"}, {4: "bad", 5: "error", 7: "bad"})
        self.assertEqual([row["reason"] for row in run["rows"] if row["line"] == 8],
                         ["5.sig: No such file or directory"])

    def test_with_only_bad_signatures_exit_as_one_does(self):
        self.write("message 1", b"changed")
        report = self.check(code=UNVERIFIED)
        self.assertIn("bad   message 1: the signature does not verify\n", report)
        self.assertEqual(self.error, "manifest: 20 signatures: 19 good, 1 bad, 0 error")

    def test_stream_large_messages(self):
        self.write("large", b"x" * (3 << 20))
        self.sign(signature="large.sig", message="large")
        self.write("manifest", b"key.pub.pem large.sig large\r\n")
        report = self.girih("verify", "--manifest", "manifest").decode()
        self.assertEqual(report, "good  large\n1 signatures: 1 good, 0 bad, 0 error\n")

    def test_use_one_context_for_all(self):
        self.sign("--force", "--context", "release", signature="1.sig", message="message 1")
        self.write("manifest", b"key.pub.pem\t1.sig\tmessage 1\n")
        self.girih("verify", "--manifest", "manifest", "--context", "release")
        self.girih("verify", "--manifest", "manifest", code=UNVERIFIED)

    def test_that_make_no_sense_are_refused(self):
        self.write("manifest", b"key.pub.pem 1.sig\n")
        self.fails(FILE, "manifest: line 1: not the names of a public key, a signature and a message",
                   "verify", "--manifest", "manifest")
        self.girih("verify", "--manifest", "manifest", "--public", "key.pub.pem", code=USAGE)
        self.girih("verify", "--threads", 2, "--public", "key.pub.pem", "--signature", "1.sig", "message 1",
                   code=USAGE)
        self.girih("verify", code=USAGE)

    def test_that_make_no_sense_anywhere_are_refused_before_anything_is_checked(self):
        senseless = "not the names of a public key, a signature and a message"
        good = b"key.pub.pem 1.sig message\n"
        for line, why in ((b"one two", senseless), (b"one\ttwo\tthree\tfour", senseless), (b"a\t\tc", senseless),
                          (b"- b c", senseless), (b"key.pub.pem\t1.sig\x00\tmessage 1", senseless),
                          (b"x" * 16385, "longer than 16384 bytes"), (b"x" * 200_000, "longer than 16384 bytes")):
            self.write("manifest", good * 400 + line + b"\n" + good)
            self.fails(FILE, f"manifest: line 401: {why}", "verify", "--manifest", "manifest")

    def test_of_many_lines_are_reported_in_order_and_end_where_they_end(self):
        names = [n for n in range(20)] * 37
        lines = [f"{'other' if n % 3 == 0 else 'key'}.pub.pem\t{n}.sig\tmessage {n}" for n in names]
        for end in ("\n", "\r\n"):
            for last in ("", end, end + end):
                self.write("manifest", (end.join(lines) + last).encode())
                for threads in (1, 4):
                    report = self.girih("verify", "--manifest", "manifest", "--threads", threads).decode().splitlines()
                    self.assertEqual(report[:-1], [f"good  message {n}" for n in names])
        rows = json.loads(self.girih("verify", "--manifest", "manifest", "--json"))["rows"]
        self.assertEqual([row["line"] for row in rows], list(range(1, len(names) + 1)))

    def test_may_name_more_keys_than_are_kept(self):
        lines = []
        for n in range(150):
            os.link(self.folder / "key.pub.pem", self.folder / f"{n}.pub")
            lines += [f"{n}.pub 1.sig message", "0.pub 1.sig message"]
        os.rename(self.folder / "message 1", self.folder / "message")
        self.write("manifest", "\n".join(lines).encode())
        report = self.girih("verify", "--manifest", "manifest").decode().splitlines()
        self.assertEqual(report[-1], "300 signatures: 300 good, 0 bad, 0 error")

    def test_without_lines_have_no_signatures(self):
        self.write("manifest", b"# nothing\n\n")
        self.assertEqual(self.girih("verify", "--manifest", "manifest", code=FILE),
                         b"0 signatures: 0 good, 0 bad, 0 error\n")
        self.assertEqual(self.error, "manifest: names no signatures")
        self.assertEqual(json.loads(self.girih("verify", "--manifest", "manifest", "--json", code=FILE)),
                         {"rows": [], "summary": "0 signatures: 0 good, 0 bad, 0 error", "ok": False,
                          "error": self.error, "exit_code": FILE})

    def memory(self, *arguments):
        """KiB at its highest."""
        process = subprocess.Popen([COMMAND, "verify", "--manifest", *map(str, arguments)], cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss

    @not_on_windows("memory as Linux tells of it")
    def test_take_memory_for_threads_and_not_for_lines(self):
        os.rename(self.folder / "message 1", self.folder / "message")
        line = b"key.pub.pem\t1.sig\tmessage\n"
        self.write("one", line)
        self.write("many", line * 30_000)
        for extra in ([], ["--json"]):
            for threads in (1, 4):
                one, many = (self.memory(name, "--threads", threads, *extra) for name in ("one", "many"))
                self.assertLess(one, 32 << 10, f"a line with {threads} threads")
                self.assertLess(many, one + (threads * 3 << 10), f"30,000 lines with {threads} threads")

    @not_on_windows("memory as Linux tells of it")
    def test_take_memory_for_threads_and_not_for_keys(self):
        self.keygen("ML-DSA-87", secret="large.pem", public="large.pub.pem")
        self.sign(secret="large.pem", signature="large.sig", message="message 1")
        for n in range(600):
            os.link(self.folder / "large.pub.pem", self.folder / f"{n}.pub")
        self.write("one", b"large.pub.pem\tlarge.sig\tmessage 1\n")
        self.write("many", b"".join(b"%d.pub\tlarge.sig\tmessage 1\n" % n for n in range(600)))
        one, many = (self.memory(name, "--threads", 4) for name in ("one", "many"))
        self.assertLess(many, one + (20 << 10), "600 keys with four threads")

    @not_on_windows("memory as Linux tells of it")
    def test_take_little_memory_for_long_messages(self):
        """Up to 1 MiB of a message is kept until its batch is checked: 200 of them are
        not kept at once."""
        self.write("large", bytes(1 << 20))
        self.sign(signature="large.sig", message="large")
        self.write("manifest", b"key.pub.pem large.sig large\n" * 200)
        self.assertLess(self.memory("manifest"), 48 << 10)


if __name__ == "__main__":
    unittest.main()
