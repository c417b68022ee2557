"""girih verify --manifest: every line has its verdict, and no line spoils another."""

import json
import unittest

from command import FILE, UNVERIFIED, USAGE, CommandTest


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


if __name__ == "__main__":
    unittest.main()
