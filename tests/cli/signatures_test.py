"""Signing and verifying."""

import json
import os
import pty
import re
import select
import subprocess
import threading
import unittest

from command import ALGORITHMS, COMMAND, FALCONS, FALCON_SIGNATURE_BYTES, FILE, SIGNATURE_BYTES, UNVERIFIED, USAGE, CommandTest, not_on_windows, read_to_end


class Signatures(CommandTest):
    def test_verify_for_every_algorithm_and_format(self):
        self.write("message")
        for algorithm, length in zip(ALGORITHMS, SIGNATURE_BYTES):
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.keygen(algorithm, "--format", file_format, "--force", secret="s", public="p")
                    alg = ["--alg", algorithm] if file_format == "raw" else []
                    self.sign("--force", *alg, secret="s")
                    self.assertEqual(len(self.read("message.sig")), length)
                    self.assertEqual(self.verify(*alg, public="p"),
                                     f"message: good {algorithm} signature by p\n".encode())

    def test_verify_for_every_falcon_and_format(self):
        self.write("message")
        for algorithm, most in zip(FALCONS, FALCON_SIGNATURE_BYTES):
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.keygen(algorithm, "--format", file_format, "--force", secret="s", public="p")
                    # PEM and DER do not tell the constant-time format from the compressed one.
                    alg = ["--alg", algorithm]
                    self.sign("--force", *alg, secret="s")
                    self.assertLessEqual(len(self.read("message.sig")), most)
                    self.assertEqual(self.verify(*alg, public="p"),
                                     f"message: good {algorithm} signature by p\n".encode())
                    self.write("another", b"a massage\n")
                    self.verify(*alg, public="p", message="another", code=UNVERIFIED)

    def test_of_falcon_are_never_deterministic(self):
        self.keygen("Falcon-512")
        self.write("message")
        self.fails(USAGE, "Falcon-512 has no deterministic signatures: they could give the key away",
                   "sign", "--secret", "key.pem", "--signature", "s", "--deterministic", "message")
        self.fails(USAGE, "Falcon-512 has no mu",
                   "mu", "--public", "key.pub.pem", "--output", "mu", "message")

    def test_do_not_verify_what_was_changed(self):
        self.keygen()
        self.keygen(secret="other.pem", public="other.pub.pem")
        self.write("message")
        self.sign()
        flipped = bytearray(self.read("message.sig"))
        flipped[1000] ^= 1
        self.write("flipped.sig", flipped)
        self.write("another", b"a massage\n")
        for changed in ({"message": "another"}, {"signature": "flipped.sig"}, {"public": "other.pub.pem"}):
            with self.subTest(**changed):
                self.verify(code=UNVERIFIED, **changed)
        self.assertEqual(self.error,
                         "message.sig: the signature does not verify for message and other.pub.pem")

    def test_of_another_length_do_not_verify(self):
        self.keygen()
        self.write("message")
        self.sign()
        good = self.read("message.sig")
        wants = "bytes, and a signature by ML-DSA-44 has 2420"
        for name, content, why in (("empty", b"", "0 " + wants), ("short", good[:-1], "2419 " + wants),
                                   ("long", good + b"\0", "more than 2420 " + wants)):
            with self.subTest(name):
                self.write(name, content)
                self.verify(signature=name, code=UNVERIFIED)
                self.assertEqual(self.error, name + ": " + why)

    def test_deterministic_ones_repeat_and_others_do_not(self):
        self.keygen()
        self.write("message")
        self.assertEqual(self.sign("--deterministic", signature="-"),
                         self.sign("--deterministic", signature="-"))
        self.assertNotEqual(self.sign(signature="-"), self.sign(signature="-"))

    def test_bind_their_context(self):
        self.keygen()
        self.write("message")
        self.sign("--context", "release")
        self.verify("--context", "release")
        self.verify("--context-hex", b"release".hex().upper())
        self.verify(code=UNVERIFIED)
        self.verify("--context", "draft", code=UNVERIFIED)
        self.sign("--context-hex", "ff" * 255, "--force")
        self.verify("--context-hex", "ff" * 255)

    def test_take_a_context_as_it_is_wherever_it_stands(self):
        self.keygen()
        self.write("message")
        for context in ("\x01abc", "[abc]", "[]", "--abc", "a=b", "=abc"):
            self.sign(f"--context={context}", "--force")
            self.verify("--context-hex", context.encode().hex())
            self.verify(f"--context={context}")
        self.girih("sign", "--secret", "key.pem", "-o[a]", "message")
        self.assertIn("[a]", self.names())

    def test_with_an_empty_context_are_those_without(self):
        self.keygen()
        self.write("message")
        self.sign("--context", "")
        self.verify()

    def test_bind_their_pre_hash(self):
        self.keygen()
        self.write("message")
        names = json.loads(self.girih("list", "--json"))["pre_hashes"]
        self.assertIn("SHA2-256", names)
        for name in names:
            with self.subTest(name):
                self.sign("--pre-hash", name, "--force", warnings=self.weakness(name, "ML-DSA-44"))
                self.verify("--pre-hash", name)
                self.verify(code=UNVERIFIED)
        self.sign("--pre-hash", "shake-256", "--force")
        self.verify("--pre-hash", "SHAKE256")

    def weakness(self, pre_hash, algorithm):
        """What signing says of a pre-hash that is weaker than FIPS 204, Section 5.4, wants."""
        bits = {"SHAKE128": 128, "SHAKE256": 256}.get(pre_hash) or int(re.search(r"(\d+)$", pre_hash)[1]) // 2
        level = {"ML-DSA-44": 128, "ML-DSA-65": 192, "ML-DSA-87": 256}[algorithm]
        return [] if bits >= level else [
            f"--pre-hash: {pre_hash} has {bits} bits of strength against collisions; {algorithm} is meant to have {level} "
            "(FIPS 204, Section 5.4)"]

    def test_warn_of_pre_hashes_that_are_too_weak(self):
        self.write("message")
        for algorithm, weak in (("ML-DSA-44", 3), ("ML-DSA-65", 7), ("ML-DSA-87", 9)):
            self.keygen(algorithm, "--force")
            warned = 0
            for name in json.loads(self.girih("list", "--json"))["pre_hashes"]:
                with self.subTest(f"{algorithm}, {name}"):
                    self.sign("--pre-hash", name, "--force", warnings=self.weakness(name, algorithm))
                    warned += bool(self.weakness(name, algorithm))
                    self.verify("--pre-hash", name)
            self.assertEqual(warned, weak)

    def test_of_dilithium_have_no_contexts_or_pre_hashes(self):
        self.keygen("Dilithium2")
        self.write("message")
        self.sign("--context", "c", code=USAGE)
        self.assertEqual(self.error, "Dilithium2 has no contexts")
        self.sign("--pre-hash", "SHA2-256", code=USAGE)
        self.assertEqual(self.error, "Dilithium2 has no pre-hashes")

    def test_report_their_verdict_in_json(self):
        self.keygen()
        self.write("message")
        self.sign()
        good = json.loads(self.verify("--json"))
        self.assertEqual([good["verified"], good["algorithm"]], [True, "ML-DSA-44"])
        self.assertEqual(good["fingerprint"], self.inspect("key.pem")["fingerprint"])
        bad = json.loads(self.verify("--json", message="key.pem", code=UNVERIFIED))
        self.assertIs(bad["verified"], False)


class ExternalMu(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")

    def mu(self, *extra):
        self.girih("mu", "--public", "key.pub.pem", "--output", "mu", "--force", *extra, "message")

    def test_stands_for_the_message(self):
        self.mu()
        self.assertEqual(len(self.read("mu")), 64)
        self.sign("--mu", message="mu")
        self.verify()
        self.verify("--mu", message="mu")
        self.verify("--mu", message="-", input=self.read("mu"))

    def test_holds_context_and_pre_hash(self):
        self.mu("--context", "c", "--pre-hash", "SHA3-256")
        self.sign("--mu", message="mu")
        self.verify("--context", "c", "--pre-hash", "SHA3-256")
        self.verify(code=UNVERIFIED)
        self.verify("--mu", "--context", "c", message="mu", code=USAGE)
        self.assertEqual(self.error, "--mu: the context is inside mu; give it when mu is made")
        self.sign("--mu", "--pre-hash", "SHA3-256", message="mu", signature="-", code=USAGE)
        self.assertEqual(self.error, "--mu: the pre-hash is inside mu; give it when mu is made")

    def test_has_64_bytes(self):
        for length, why in ((0, "0 bytes"), (63, "63 bytes"), (65, "more than 64 bytes")):
            self.write("mu", bytes(length))
            self.sign("--mu", message="mu", code=FILE)
            self.assertEqual(self.error, f"mu: {why}, where --mu needs 64")


class StandardStreams(CommandTest):
    def test_carry_every_file_in_turn(self):
        pem = self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "-", "--public", "key.pub.pem")
        self.write("message")
        signature = self.sign(secret="-", signature="-", input=pem)
        self.verify(signature="-", input=signature)
        self.write("message.sig", signature)
        self.verify(public="-", input=self.read("key.pub.pem"))
        self.verify(message="-", input=self.read("message"))
        der = self.girih("convert", "-", "-", "--format", "der", input=pem)
        self.assertIn(b"kind           private key\n", self.girih("inspect", "-", input=der))

    def test_are_not_read_twice(self):
        self.keygen()
        once = "standard input (-) can be only one of the files that are read"
        self.fails(USAGE, once, "sign", "--secret", "-", "--signature", "x", "-")
        self.fails(USAGE, once, "verify", "--public", "-", "--signature", "-", "m")
        self.fails(USAGE, once, "mu", "--public", "-", "--output", "x", "-")

    def test_are_named_in_errors(self):
        self.fails(FILE, "standard input: the file is empty", "inspect", "-")


@not_on_windows("memory and terminals as Linux tells of them")
class LongMessages(CommandTest):
    PIECE = bytes(1 << 20)

    def signing(self, signature, **streams):
        """A command that waits for its message."""
        return subprocess.Popen([COMMAND, "sign", "--secret", "key.pem", "--signature", signature, "-"],
                                stdin=subprocess.PIPE, cwd=self.folder, **streams)

    def feed(self, process, pieces):
        def write():
            with process.stdin as pipe:
                for _ in range(pieces):
                    pipe.write(self.PIECE)

        writer = threading.Thread(target=write)
        writer.start()
        return writer

    def test_are_read_in_little_memory(self):
        """200 MiB through a pipe."""
        self.keygen()
        process = self.signing("message.sig")
        writer = self.feed(process, 200)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        writer.join()
        self.assertEqual(process.returncode, 0)
        self.assertLess(usage.ru_maxrss, 100 * 1024, "KiB")

        with open(self.folder / "message", "wb") as sparse:
            sparse.truncate(200 * len(self.PIECE))
        self.verify()
        with open(self.folder / "message", "ab") as sparse:
            sparse.write(b"\0")
        self.verify(code=UNVERIFIED)

    def errors_of_a_slow_signature(self, terminal):
        """What standard error shows while a message comes in pieces, a while apart."""
        own, theirs = pty.openpty() if terminal else os.pipe()
        process = self.signing("/dev/null", stderr=theirs)
        os.close(theirs)
        for _ in range(100 if terminal else 2):  # until something is shown
            process.stdin.write(self.PIECE)
            process.stdin.flush()
            if select.select([own], [], [], 1.2)[0]:
                break
        process.stdin.close()
        self.assertEqual(process.wait(), 0)
        return read_to_end(own)

    def test_show_progress_to_a_terminal_and_erase_it(self):
        self.keygen()
        shown = self.errors_of_a_slow_signature(terminal=True)
        self.assertRegex(shown, rb"\A\r\x1b\[Kgirih: \d+\.\d MiB read")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)

    def test_show_nothing_to_a_file(self):
        self.keygen()
        self.assertEqual(self.errors_of_a_slow_signature(terminal=False), b"")


if __name__ == "__main__":
    unittest.main()
