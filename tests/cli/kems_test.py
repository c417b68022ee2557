"""Encapsulating and decapsulating keys."""

import resource
import unittest

from command import FILE, MISSING, ONCE, USAGE, CommandTest, flipped, not_on_windows


class KemTest(CommandTest):
    KEYS = {"kem": "sntrup761", "other": "sntrup761", "signing": "ML-DSA-44"}


class SharedSecrets(KemTest):
    def test_are_new_every_time(self):
        self.assertNotEqual(self.encap(shared_secret="-"), self.encap("--force", shared_secret="-"))

    def test_of_another_ciphertext_or_key_are_others_and_no_error(self):
        for algorithm in ("sntrup761", "ML-KEM-512"):
            self.have_key(algorithm, "kem")
            self.encap("--force")
            for at in (0, len(self.read("ct")) // 2, -1):
                with self.subTest(algorithm=algorithm, at=at):
                    self.write("changed", flipped(self.read("ct"), at))
                    secret = self.decap(ciphertext="changed", shared_secret="-")
                    self.assertEqual(len(secret), 32)
                    self.assertNotEqual(secret, self.read("sent"))
                    self.assertEqual(secret, self.decap(ciphertext="changed", shared_secret="-"))
        self.have_key("sntrup761", "kem")
        self.encap("--force", public="other.pub.pem")
        self.decap()
        self.assertNotEqual(self.read("sent"), self.read("received"))

    def test_go_through_standard_streams(self):
        ciphertext = self.encap(public="-", ciphertext="-", input=self.read("kem.pub.pem"))
        self.assertEqual(self.decap(ciphertext="-", shared_secret="-", input=ciphertext), self.read("sent"))
        self.write("ct", ciphertext)
        self.assertEqual(self.decap(secret="-", shared_secret="-", input=self.read("kem.pem")), self.read("sent"))
        self.fails(USAGE, ONCE, "decap --secret - --ciphertext - --shared-secret x")

    def test_come_from_a_raw_seed(self):
        for algorithm, length in (("sntrup761", 32), ("ML-KEM-768", 64)):
            self.keygen(f"{algorithm} --format raw --private-form seed --force", secret="s", public="p")
            self.assertEqual(len(self.read("s")), length)
            self.encap(f"--alg {algorithm} --force", public="p")
            self.decap(f"--alg {algorithm} --force", secret="s")
            self.assertEqual(self.read("sent"), self.read("received"))


class Refused(KemTest):
    def test_are_ciphertexts_of_another_length(self):
        self.encap()
        good = self.read("ct")
        for content, bytes_there in ((b"", "0"), (good[:-1], "1038"), (good + b"\0", "more than 1039")):
            with self.subTest(bytes_there):
                self.write("ct", content)
                self.decap(code=FILE, error=f"ct: {bytes_there} bytes, and a ciphertext for sntrup761 has 1039")
        self.assertNotIn("received", self.names())

    def test_are_files_that_cannot_be_read(self):
        (self.folder / "folder").mkdir()
        for name, why in (("nowhere", MISSING), ("folder", "Is a directory")):
            for step, option in ((self.decap, "ciphertext"), (self.decap, "secret"), (self.encap, "public")):
                with self.subTest(f"{option} {name}"):
                    step(**{option: name}, code=FILE, error=f"{name}: {why}")

    @not_on_windows("limits on processes")
    def test_are_files_that_cannot_be_written_and_nothing_is_left(self):
        there = self.names()
        self.encap(ciphertext="nowhere/ct", code=FILE, error=f"nowhere/ct: {MISSING}")
        self.encap(shared_secret="nowhere/sent", code=FILE, error=f"nowhere/sent: {MISSING}")
        self.encap(code=FILE, error="ct: File too large",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(self.names(), there)

    def test_are_keys_of_another_kind(self):
        self.encap()
        self.encap("--force", public="kem.pem", code=FILE,
                   error="kem.pem: is a private key; --public needs a public key")
        self.decap(secret="kem.pub.pem", code=FILE, error="kem.pub.pem: is a public key; --secret needs a private key")
        self.encap("--force --alg ntrulpr761", code=FILE,
                   error="kem.pub.pem: the key is an sntrup761 key, not an ntrulpr761 key")
        why = "its algorithm, ML-DSA-44, signs and does not encapsulate keys"
        self.encap("--force", public="signing.pub.pem", code=FILE, error=f"signing.pub.pem: {why}")
        self.decap(secret="signing.pem", code=FILE, error=f"signing.pem: {why}")


if __name__ == "__main__":
    unittest.main()
