"""Encapsulating and decapsulating keys."""

import base64
import resource
import textwrap
import unittest

from command import CIPHERTEXT_BYTES, FILE, KEMS, ML_KEMS, USAGE, CommandTest, not_on_windows

MISSING = "No such file or directory"


class SharedSecrets(CommandTest):
    def test_agree_for_every_algorithm_and_format(self):
        for algorithm, length in zip(KEMS, CIPHERTEXT_BYTES):
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.keygen(algorithm, "--format", file_format, "--force", secret="s", public="p")
                    alg = ["--alg", algorithm] if file_format == "raw" else []
                    self.assertEqual(self.encap("--force", *alg, public="p"), b"")
                    self.assertEqual(self.decap("--force", *alg, secret="s"), b"")
                    self.assertEqual(len(self.read("ct.bin")), length)
                    self.assertEqual(len(self.read("sent")), 32)
                    self.assertEqual(self.read("sent"), self.read("received"))

    def test_are_new_every_time(self):
        self.keygen("ntrulpr761")
        first = self.encap(shared_secret="-")
        second = self.encap("--force", shared_secret="-")
        self.assertNotEqual(first, second)

    def test_of_changed_ciphertexts_are_others_and_no_error(self):
        for algorithm in KEMS:
            self.keygen(algorithm, "--force")
            self.encap("--force")
            ciphertext = self.read("ct.bin")
            for at in (0, len(ciphertext) // 2, len(ciphertext) - 1):
                with self.subTest(algorithm=algorithm, at=at):
                    changed = bytearray(ciphertext)
                    changed[at] ^= 1
                    self.write("changed", changed)
                    secret = self.decap(ciphertext="changed", shared_secret="-")
                    self.assertEqual(len(secret), 32)
                    self.assertNotEqual(secret, self.read("sent"))
                    self.assertEqual(secret, self.decap(ciphertext="changed", shared_secret="-"))

    def test_of_anothers_ciphertext_are_others_and_no_error(self):
        self.keygen("sntrup761")
        self.keygen("sntrup761", secret="other.pem", public="other.pub.pem")
        self.encap(public="other.pub.pem")
        self.decap()
        self.assertNotEqual(self.read("sent"), self.read("received"))

    def test_go_through_standard_streams(self):
        self.keygen("sntrup653")
        ciphertext = self.encap(public="-", ciphertext="-", input=self.read("key.pub.pem"))
        self.assertEqual(self.decap(ciphertext="-", shared_secret="-", input=ciphertext), self.read("sent"))
        self.write("ct.bin", ciphertext)
        self.assertEqual(self.decap(secret="-", shared_secret="-", input=self.read("key.pem")),
                         self.read("sent"))
        self.fails(USAGE, "standard input (-) can be only one of the files that are read",
                   "decap", "--secret", "-", "--ciphertext", "-", "--shared-secret", "x")

    def test_come_from_a_raw_seed(self):
        for algorithm, length in (("sntrup761", 32), ("ML-KEM-768", 64)):
            self.keygen(algorithm, "--format", "raw", "--private-form", "seed", "--force")
            self.assertEqual(len(self.read("key.pem")), length)
            self.encap("--alg", algorithm, "--force")
            self.decap("--alg", algorithm, "--force")
            self.assertEqual(self.read("sent"), self.read("received"))


class Ciphertexts(CommandTest):
    def test_of_another_length_are_refused(self):
        self.keygen("sntrup761")
        self.encap()
        good = self.read("ct.bin")
        wants = "bytes, and a ciphertext for sntrup761 has 1039"
        for name, content, why in (("empty", b"", "0 " + wants), ("short", good[:-1], "1038 " + wants),
                                   ("long", good + b"\0", "more than 1039 " + wants)):
            with self.subTest(name):
                self.write(name, content)
                self.decap(ciphertext=name, code=FILE)
                self.assertEqual(self.error, name + ": " + why)
        self.assertNotIn("received", self.names())

    def test_that_cannot_be_read_are_named(self):
        self.keygen("sntrup761")
        (self.folder / "folder").mkdir()
        for name, why in (("nowhere", MISSING), ("folder", "Is a directory")):
            self.decap(ciphertext=name, code=FILE)
            self.assertEqual(self.error, f"{name}: {why}")
            self.decap(secret=name, code=FILE)
            self.assertEqual(self.error, f"{name}: {why}")
            self.encap(public=name, code=FILE)
            self.assertEqual(self.error, f"{name}: {why}")

    @not_on_windows("limits on processes")
    def test_leave_nothing_behind_when_a_file_cannot_be_written(self):
        self.keygen("sntrup761")
        there = self.names()
        self.encap(ciphertext="nowhere/ct.bin", code=FILE)
        self.assertEqual(self.error, f"nowhere/ct.bin: {MISSING}")
        self.encap(shared_secret="nowhere/sent", code=FILE)
        self.assertEqual(self.error, f"nowhere/sent: {MISSING}")
        self.encap(code=FILE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(self.error, "ct.bin: File too large")
        self.assertEqual(self.names(), there)


class Keys(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen("sntrup761")
        self.keygen("ML-DSA-44", secret="signing.pem", public="signing.pub.pem")
        self.write("message")

    def test_that_encapsulate_do_not_sign(self):
        why = "its algorithm, sntrup761, encapsulates keys and does not sign"
        self.sign(code=FILE)
        self.assertEqual(self.error, "key.pem: " + why)
        self.write("message.sig", b"")
        self.verify(code=FILE)
        self.assertEqual(self.error, "key.pub.pem: " + why)
        self.girih("mu", "--public", "key.pub.pem", "--output", "mu", "message", code=FILE)
        self.assertEqual(self.error, "key.pub.pem: " + why)
        self.write("manifest", b"key.pub.pem message.sig message\n")
        report = self.girih("verify", "--manifest", "manifest", code=FILE).decode()
        self.assertIn("key.pub.pem: " + why, report)
        self.assertEqual(self.names(), ["key.pem", "key.pub.pem", "manifest", "message", "message.sig",
                                        "signing.pem", "signing.pub.pem"])

    def test_that_sign_do_not_encapsulate(self):
        why = "its algorithm, ML-DSA-44, signs and does not encapsulate keys"
        self.encap(public="signing.pub.pem", code=FILE)
        self.assertEqual(self.error, "signing.pub.pem: " + why)
        self.encap()
        self.decap(secret="signing.pem", code=FILE)
        self.assertEqual(self.error, "signing.pem: " + why)

    def test_of_the_other_half_are_told_apart(self):
        self.encap(public="key.pem", code=FILE)
        self.assertEqual(self.error, "key.pem: is a private key; --public needs a public key")
        self.encap()
        self.decap(secret="key.pub.pem", code=FILE)
        self.assertEqual(self.error, "key.pub.pem: is a public key; --secret needs a private key")

    def test_of_algorithms_are_checked(self):
        self.encap("--alg", "ntrulpr761", code=FILE)
        self.assertEqual(self.error, "key.pub.pem: the key is an sntrup761 key, not an ntrulpr761 key")

    def test_that_contradict_themselves_are_refused(self):
        self.encap()
        self.girih("convert", "key.pem", "raw", "--format", "raw")
        changed = bytearray(self.read("raw"))
        changed[-1] ^= 1
        self.write("raw", changed)
        self.decap("--alg", "sntrup761", secret="raw", code=FILE)
        self.assertEqual(self.error, "raw: the secret key contradicts itself: 1/g, the public key or its "
                         "hash is not that of the rest")

    def test_of_ml_kem_that_contradict_themselves_are_refused(self):
        """The hash check of FIPS 203, Section 7.3, and what goes beyond it."""
        for algorithm in ML_KEMS:
            self.keygen(algorithm, "--force", "--private-form", "expanded", "--format", "raw")
            self.encap("--alg", algorithm, "--force")
            good = self.read("key.pem")
            for at, part in ((len(good) - 64, "hash"), (len(good) - 33, "hash"), (0, "s")):
                with self.subTest(algorithm=algorithm, at=at):
                    changed = bytearray(good)
                    changed[at] ^= 1
                    self.write("changed", changed)
                    for step in (self.decap, lambda *a, secret, code: self.girih("inspect", *a, secret, code=code)):
                        step("--alg", algorithm, secret="changed", code=FILE)
                        self.assertEqual(self.error, "changed: the expanded key contradicts itself: its "
                                         f"{part} is not that of the public key in it")
        self.assertNotIn("received", self.names())

    def test_of_ml_kem_with_a_coefficient_of_q_or_more_are_refused(self):
        """The modulus check of FIPS 203, Section 7.2."""
        for algorithm in ML_KEMS:
            self.keygen(algorithm, "--force")
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    alg = ["--alg", algorithm] if file_format == "raw" else []
                    self.girih("convert", "key.pub.pem", "raw", "--format", "raw", "--force")
                    key = self.read("raw")
                    self.girih("convert", "key.pub.pem", "bad", "--format", "der", "--force")
                    der = self.read("bad")
                    bad = bytes([0x01, key[1] & 0xF0 | 0x0D]) + key[2:]  # 3329 is 0xd01
                    content = {"raw": bad, "der": der[:-len(key)] + bad}
                    text = textwrap.fill(base64.b64encode(content["der"]).decode(), 64).encode()
                    content["pem"] = b"-----BEGIN PUBLIC KEY-----\n" + text + b"\n-----END PUBLIC KEY-----\n"
                    self.write("bad", content[file_format])
                    why = "bad: the public key is no ML-KEM key: a coefficient is not below q"
                    self.encap(*alg, public="bad", code=FILE)
                    self.assertEqual(self.error, why)
                    self.fails(FILE, why, "inspect", *alg, "bad")
        self.assertNotIn("ct.bin", self.names())

    def test_of_ml_kem_are_written_in_every_form(self):
        for algorithm, public, secret in zip(ML_KEMS, (800, 1184, 1568), (1632, 2400, 3168)):
            self.keygen(algorithm, "--force")
            self.assertEqual(self.inspect("key.pem")["form"], "seed")
            for form in ("seed", "expanded", "both"):
                with self.subTest(algorithm=algorithm, form=form):
                    self.girih("convert", "key.pem", "other", "--private-form", form, "--force")
                    found = self.inspect("other")
                    self.assertEqual([found["form"], found["secret_key_bytes"], found["public_key_bytes"]],
                                     [form, secret, public])
                    self.assertEqual(found["fingerprint"], self.inspect("key.pub.pem")["fingerprint"])
                    self.encap("--force")
                    self.decap("--force", secret="other")
                    self.assertEqual(self.read("sent"), self.read("received"))
            self.girih("convert", "other", "raw", "--format", "raw", "--private-form", "seed", "--force")
            self.assertEqual(len(self.read("raw")), 64)

    def test_are_converted_and_back(self):
        for algorithm in KEMS:
            self.keygen(algorithm, "--force")
            pem = self.read("key.pem")
            for file_format in ("der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.girih("convert", "key.pem", "other", "--format", file_format, "--force")
                    self.assertEqual(self.girih("convert", "--alg", algorithm, "other", "-"), pem)


class Descriptions(CommandTest):
    def test_of_keys_have_the_sizes_of_what_is_sent(self):
        for algorithm, length in zip(KEMS, CIPHERTEXT_BYTES):
            self.keygen(algorithm, "--force")
            for name in ("key.pem", "key.pub.pem"):
                found = self.inspect(name)
                self.assertEqual(found["algorithm"], algorithm)
                self.assertEqual([found["ciphertext_bytes"], found["shared_secret_bytes"]], [length, 32])
                self.assertNotIn("signature_bytes", found)
        shown = self.girih("inspect", "key.pub.pem").decode()
        self.assertIn("ciphertext     1975 bytes\nshared secret  32 bytes\n", shown)
        self.assertNotIn("signature", shown)


if __name__ == "__main__":
    unittest.main()
