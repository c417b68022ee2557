"""Making, reading and converting keys."""

import base64
import hashlib
import json
import pathlib
import unittest

from command import ALGORITHMS, CERTIFICATE, FALCONS, FILE, KEMS, ML_KEMS, NTRU_PRIMES, UNVERIFIED, USAGE, VECTORS, CommandTest

COUNTING_SEED = bytes(range(32)).hex()
COUNTING_SEED_OF_KEMS = bytes(range(64)).hex()  # d and z


def der_of(pem):
    return base64.b64decode(b"".join(line for line in pem.splitlines() if not line.startswith(b"-")))


class Keygen(CommandTest):
    def test_makes_another_key_every_time(self):
        self.keygen(secret="a", public="a.pub")
        self.keygen(secret="b", public="b.pub")
        self.assertNotEqual(self.read("a"), self.read("b"))
        self.assertNotEqual(self.read("a.pub"), self.read("b.pub"))

    def test_keeps_the_seed_unless_told_otherwise(self):
        for algorithm in ALGORITHMS + FALCONS + KEMS:
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.keygen(algorithm, "--format", file_format, "--force", secret="s", public="p")
                    found = self.inspect("--alg", algorithm, "s")
                    seedless = algorithm.startswith("Dilithium") and file_format != "raw"
                    seedless = seedless or algorithm in FALCONS + NTRU_PRIMES
                    self.assertEqual(found["form"], "expanded" if seedless else "seed")
                    self.assertEqual(found["format"].lower(), file_format)

    def test_takes_a_seed(self):
        make = ["keygen", "--alg", "ML-DSA-44", "--public", "p", "--secret", "s", "--format", "raw",
                "--seed-hex"]
        self.girih(*make, COUNTING_SEED)
        self.assertEqual(self.read("s").hex(), COUNTING_SEED)
        for seed in (COUNTING_SEED[:-1], COUNTING_SEED[:-2], COUNTING_SEED + "00", "g" * 64):
            self.fails(USAGE, "--seed-hex: not 64 hexadecimal digits", *make, seed, "--force")
        make[2] = "ML-KEM-512"
        self.girih(*make, COUNTING_SEED_OF_KEMS, "--force")
        self.assertEqual(self.read("s").hex(), COUNTING_SEED_OF_KEMS)
        self.fails(USAGE, "--seed-hex: not 128 hexadecimal digits", *make, COUNTING_SEED, "--force")

    def test_names_the_algorithms_that_there_are(self):
        names = ALGORITHMS + FALCONS + KEMS
        self.fails(USAGE, f"--alg: there is no RSA; there are {', '.join(names[:-1])} and {names[-1]}",
                   "keygen", "--alg", "RSA", "--secret", "s", "--public", "p")

    def test_takes_an_algorithm_in_any_letter_case(self):
        self.keygen("ml-dsa-44")
        self.assertEqual(self.inspect("key.pem")["algorithm"], "ML-DSA-44")

    def test_refuses_forms_that_a_format_lacks(self):
        make = ["keygen", "--secret", "s", "--public", "p"]
        self.fails(USAGE,
                   "--private-form: PEM and DER hold an sntrup761 private key in its expanded form only",
                   *make, "--alg", "sntrup761", "--private-form", "seed")
        self.fails(USAGE,
                   "--private-form: PEM and DER hold a Dilithium2 private key in its expanded form only",
                   *make, "--alg", "Dilithium2", "--private-form", "seed")
        self.fails(USAGE, "--private-form: a raw key is the seed or the expanded key, not both",
                   *make, "--alg", "ML-DSA-44", "--private-form", "both", "--format", "raw")
        self.assertEqual(self.names(), [])


class Inspect(CommandTest):
    def test_never_shows_secrets(self):
        self.keygen()
        self.girih("convert", "key.pem", "raw", "--format", "raw", "--private-form", "expanded")
        secret_parts = [self.read("raw")[at:at + 8].hex() for at in range(32, 128, 8)]
        seed = der_of(self.read("key.pem"))[-32:].hex()
        for arguments in (["key.pem"], ["--json", "key.pem"], ["--alg", "ML-DSA-44", "raw"]):
            shown = self.girih("inspect", *arguments).decode()
            self.assertNotIn(seed[:16], shown)
            for part in secret_parts:
                self.assertNotIn(part, shown)

    def test_says_how_the_fingerprint_is_computed(self):
        self.keygen()
        fingerprint = hashlib.sha256(der_of(self.read("key.pub.pem"))).hexdigest()
        for name in ("key.pem", "key.pub.pem"):
            shown = self.girih("inspect", name).decode()
            self.assertIn(f"fingerprint    {fingerprint}\n", shown)
            self.assertIn("SHA-256 of the public key's SubjectPublicKeyInfo in DER", shown)

    def test_names_what_a_raw_file_may_be(self):
        self.write("raw", bytes(1952))
        self.fails(FILE, "raw: neither PEM nor DER; its 1952 bytes may be a raw ML-DSA-65 or Dilithium3 "
                   "public key, whose algorithm has to be named (--alg)", "inspect", "raw")
        self.girih("inspect", "--alg", "Dilithium3", "raw")

    def test_refuses_what_is_no_key(self):
        self.write("text")
        self.write("empty", b"")
        self.write("long", b"0" * (1 << 20) + b"1")
        self.fails(FILE, "text: neither PEM nor DER", "inspect", "text")
        self.fails(FILE, "empty: the file is empty", "inspect", "empty")
        self.fails(FILE, "long: too long for a key file", "inspect", "long")
        self.fails(FILE, "/dev/zero: too long for a key file", "inspect", "/dev/zero")


class Kinds(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")

    def test_are_told_apart(self):
        self.sign(secret="key.pub.pem", code=FILE)
        self.assertEqual(self.error, "key.pub.pem: is a public key; --secret needs a private key")
        self.write("message.sig", b"")
        self.verify(public="key.pem", code=FILE)
        self.assertEqual(self.error, "key.pem: is a private key; --public needs a public key")

    def test_of_algorithms_are_checked(self):
        self.sign("--alg", "ML-DSA-65", code=FILE)
        self.assertEqual(self.error, "key.pem: the key is an ML-DSA-44 key, not an ML-DSA-65 key")

    def test_that_are_malformed_say_so(self):
        self.write("encrypted.pem", b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n"
                   b"-----END ENCRYPTED PRIVATE KEY-----\n")
        self.sign(secret="encrypted.pem", code=FILE)
        self.assertEqual(self.error,
                         "encrypted.pem: byte 2 of the DER: EncryptedPrivateKeyInfo ends where "
                         "encryptionAlgorithm (SEQUENCE) is expected")


class Convert(CommandTest):
    def test_reaches_every_form_from_the_seed_and_back(self):
        self.girih("keygen", "--alg", "ML-DSA-65", "--secret", "seed.pem", "--public", "p")
        for file_format in ("pem", "der", "raw"):
            for form in ("seed", "expanded", "both"):
                if (file_format, form) == ("raw", "both"):
                    continue
                with self.subTest(format=file_format, form=form):
                    self.girih("convert", "seed.pem", "out", "--force", "--format", file_format,
                               "--private-form", form)
                    self.assertEqual(self.inspect("--alg", "ML-DSA-65", "out")["form"], form)
                    if form != "expanded":
                        back = ["convert", "--alg", "ML-DSA-65", "out", "-", "--private-form", "seed"]
                        self.assertEqual(self.girih(*back), self.read("seed.pem"))

    def test_keeps_the_form_where_it_can(self):
        for form in ("seed", "expanded", "both"):
            self.keygen("ML-DSA-44", "--force", "--private-form", form, secret="s", public="p")
            der = self.girih("convert", "s", "-", "--format", "der")
            self.assertEqual(self.inspect("-", input=der)["form"], form)
        self.assertEqual(len(self.girih("convert", "s", "-", "--format", "raw")), 32)

    def test_cannot_find_a_seed(self):
        self.keygen("ML-DSA-44", "--private-form", "expanded", secret="s", public="p")
        why = "s: the key came without its seed, which cannot be computed from the expanded key"
        for form in ("seed", "both"):
            self.fails(FILE, why, "convert", "s", "out", "--private-form", form)
        self.assertEqual(self.names(), ["p", "s"])

    def test_writes_the_public_key(self):
        for algorithm in ALGORITHMS + KEMS:
            self.keygen(algorithm, "--force", secret="s", public="p")
            self.assertEqual(self.girih("convert", "--public-only", "s", "-"), self.read("p"))
            self.assertEqual(self.girih("convert", "p", "-"), self.read("p"))
        self.fails(USAGE, "--private-form: no private key is written",
                   "convert", "p", "-", "--private-form", "seed")


HASH_ML_DSA_44 = bytes.fromhex("0609608648016503040320")
ML_DSA_44 = bytes.fromhex("0609608648016503040311")


class HashMlDsa(CommandTest):
    """Keys whose files name HashML-DSA with SHA-512, whatever reads them."""

    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")
        for name, to in (("key.pem", "hash.der"), ("key.pub.pem", "hash.pub.der")):
            der = self.girih("convert", name, "-", "--format", "der")
            self.assertEqual(der.count(ML_DSA_44), 1)
            self.write(to, der.replace(ML_DSA_44, HASH_ML_DSA_44))
            (self.folder / to).chmod(0o600)

    def test_are_for_signatures_with_their_pre_hash(self):
        told = json.loads(self.sign("--json", secret="hash.der"))
        self.assertEqual(told["pre_hash"], "SHA2-512")
        self.verify("--pre-hash", "SHA2-512")
        told = json.loads(self.verify("--json", public="hash.pub.der"))
        self.assertEqual(told["pre_hash"], "SHA2-512")
        self.verify(code=UNVERIFIED)
        self.verify("--pre-hash", "none", public="hash.pub.der", code=UNVERIFIED)
        self.girih("mu", "--public", "hash.pub.der", "--output", "mu", "message")
        self.verify("--mu", public="hash.pub.der", message="mu")
        self.write("manifest", b"hash.pub.der\tmessage.sig\tmessage\nhash.pub.der\tmessage.sig\tmessage\n")
        self.girih("verify", "--manifest", "manifest")

    def test_take_no_other_signature_unless_told(self):
        self.sign()
        self.verify(public="hash.pub.der", code=UNVERIFIED)
        self.assertEqual(self.error, "message.sig: the signature does not verify for message and hash.pub.der "
                         'as HashML-DSA, which the key is for ("--pre-hash none": as ML-DSA)')
        self.write("manifest", b"hash.pub.der\tmessage.sig\tmessage\nkey.pub.pem\tmessage.sig\tmessage\n")
        report = json.loads(self.girih("verify", "--json", "--manifest", "manifest", code=UNVERIFIED))
        self.assertEqual([row["result"] for row in report["rows"]], ["bad", "good"])
        self.verify("--pre-hash", "none", public="hash.pub.der")
        self.sign("--pre-hash", "NONE", "--force", secret="hash.der")
        self.verify()
        self.sign("--pre-hash", "SHA3-512", "--force", secret="hash.der")
        self.verify("--pre-hash", "SHA3-512", public="hash.pub.der")

    def test_sign_no_texts_unless_told(self):
        why = ("--pre-hash: a signature in text has none, and the key is for HashML-DSA with SHA2-512; "
               '"--pre-hash none" uses it for ML-DSA')
        self.sign("--text", secret="hash.der", code=USAGE)
        self.assertEqual(self.error, why)
        self.sign("--text", "--pre-hash", "none", secret="hash.der")
        self.verify()
        self.verify(public="hash.pub.der", code=USAGE)
        self.assertEqual(self.error, why)
        self.verify("--pre-hash", "none", public="hash.pub.der")

    def test_are_converted_with_their_identifier(self):
        for name in ("hash.der", "hash.pub.der"):
            pem = self.girih("convert", name, "-")
            self.assertIn(HASH_ML_DSA_44, der_of(pem))
            self.assertEqual(self.girih("convert", "-", "-", "--format", "der", input=pem), self.read(name))
            self.assertEqual(self.inspect(name)["pre_hash"], "SHA2-512")
            self.assertEqual(self.inspect(name)["fingerprint"], self.inspect("key.pem")["fingerprint"])
            self.girih("convert", name, "-", "--format", "raw", warnings=[
                f"--format: a raw key does not say that it is for HashML-DSA, as {name} does"])
        self.assertEqual(self.girih("convert", "--public-only", "hash.der", "-", "--format", "der"),
                         self.read("hash.pub.der"))


class Files(CommandTest):
    """What other programs make of key files."""

    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("ML-DSA-65", secret="other.pem", public="other.pub.pem")
        self.write("message")

    def test_with_several_blocks_have_the_key_that_is_needed(self):
        for order in (("key.pem", "key.pub.pem"), ("key.pub.pem", "key.pem")):
            self.write("both.pem", b"Bag Attributes\n".join(self.read(name) for name in order))
            (self.folder / "both.pem").chmod(0o600)
            self.sign("--force", secret="both.pem")
            self.verify(public="both.pem")
            self.assertEqual(self.inspect("both.pem")["kind"], "private key")
        self.write("chain.pem", self.read("key.pub.pem") + self.read("other.pub.pem"))
        self.verify(public="chain.pem")

    def test_with_two_private_keys_say_so(self):
        self.write("two.pem", self.read("key.pem") + self.read("other.pem"))
        self.sign(secret="two.pem", code=FILE)
        self.assertEqual(self.error, "two.pem: line 5: a second private key begins here, after that of line 1; "
                         "a key file has one")

    def test_with_a_byte_order_mark_are_read(self):
        for name in ("key.pem", "key.pub.pem"):
            self.write(name, b"\xef\xbb\xbf" + self.read(name))
        self.sign()
        self.verify()
        self.write("key.pub.pem", self.read("key.pub.pem").decode().encode("utf-16"))
        self.fails(FILE, "key.pub.pem: PEM in UTF-16; key files are in ASCII or UTF-8", "inspect", "key.pub.pem")

    def test_that_forget_the_format_of_falcon_say_so(self):
        self.keygen("Falcon-CT-512", "--force")
        self.assertIn(b"algorithm      Falcon-512 (Falcon-CT-512 has the same key files)\n",
                      self.girih("inspect", "key.pem"))
        self.assertIn(b"algorithm      Falcon-CT-512 (Falcon-512 has the same key files)\n",
                      self.girih("inspect", "--alg", "Falcon-CT-512", "key.pem"))
        self.keygen("Falcon-padded-512", "--force")
        self.assertIn(b"algorithm      Falcon-padded-512\n", self.girih("inspect", "key.pem"))


@unittest.skipUnless(VECTORS, "GIRIH_VECTORS is not set: it names the folder of vectors")
class RfcExamples(CommandTest):
    """The keys of RFC 9881 (ML-DSA) and RFC 9935 (ML-KEM)."""

    def example(self, name):
        """A copy: the vectors are everybody's to read, which private keys should not be."""
        copy = self.folder / name
        folder = "rfc9935" if "ML-KEM" in name else "rfc9881"
        copy.write_bytes((pathlib.Path(VECTORS) / folder / name).read_bytes())
        copy.chmod(0o600)
        return copy

    def test_keys_are_read(self):
        for algorithm in ALGORITHMS[:3] + ML_KEMS:
            public = der_of(self.example(algorithm + ".pub").read_bytes())
            for suffix, kind, form in (("-seed.priv", "private key", "seed"),
                                       ("-expanded.priv", "private key", "expanded"),
                                       ("-both.priv", "private key", "both"),
                                       (".pub", "public key", None), (".crt", "certificate", None)):
                with self.subTest(algorithm + suffix):
                    found = self.inspect(self.example(algorithm + suffix))
                    self.assertEqual([found["kind"], found["algorithm"], found.get("form")],
                                     [kind, algorithm, form])
                    self.assertEqual(found["fingerprint"], hashlib.sha256(public).hexdigest())

    def test_keys_are_made_to_the_byte(self):
        for algorithm in ALGORITHMS[:3] + ML_KEMS:
            seed = COUNTING_SEED_OF_KEMS if algorithm in ML_KEMS else COUNTING_SEED
            for form in ("seed", "expanded", "both"):
                self.keygen(algorithm, "--seed-hex", seed, "--private-form", form, "--force",
                            secret="s", public="p")
                self.assertEqual(self.read("s"), self.example(f"{algorithm}-{form}.priv").read_bytes())
                self.assertEqual(self.read("p"), self.example(f"{algorithm}.pub").read_bytes())

    def test_certificates_verify_their_own_signature(self):
        def element(der, at):
            """Where the content of the element at `at` begins, and where it ends."""
            length, begin = der[at + 1], at + 2
            if length >= 0x80:
                begin += length - 0x80
                length = int.from_bytes(der[at + 2:begin], "big")
            return begin, begin + length

        for algorithm in ALGORITHMS[:3]:
            der = der_of(self.example(algorithm + ".crt").read_bytes())
            signed, _ = element(der, 0)
            _, signed_end = element(der, signed)
            _, algorithm_end = element(der, signed_end)
            signature, _ = element(der, algorithm_end)
            self.write("message", der[signed:signed_end])
            self.write("message.sig", der[signature + 1:])
            certificate = self.example(algorithm + ".crt")
            self.verify(public=certificate, warnings=[f"{certificate}: {CERTIFICATE}"])
            verdict = json.loads(self.verify("--json", public=certificate, warnings=[f"{certificate}: {CERTIFICATE}"]))
            self.assertIs(verdict["certificate_checked"], False)
            self.write("manifest", f"{algorithm}.crt\tmessage.sig\tmessage\n".encode())
            warning = "1 signatures are by keys in certificates, whose own signatures and dates are not checked"
            many = json.loads(self.girih("verify", "--json", "--manifest", "manifest", warnings=[warning]))
            self.assertIs(many["rows"][0]["certificate_checked"], False)
            self.girih("convert", certificate, "public.pem", "--force")
            self.assertNotIn("certificate_checked", json.loads(self.verify("--json", public="public.pem")))
            self.girih("mu", "--public", certificate, "--output", "-", "message",
                       warnings=[f"{certificate}: {CERTIFICATE}"])

    def test_bad_keys_are_refused(self):
        halves = "the expanded key is not the one that the seed beside it expands to"
        parts = "the expanded key contradicts itself: its t0 or its tr is not that of the rest"
        for number, why in ((1, halves), (2, parts), (3, parts)):
            path = self.example(f"bad-ML-DSA-44-{number}.priv")
            self.fails(FILE, f"{path}: {why}", "inspect", path)
        s, digest = (f"the expanded key contradicts itself: its {part} is not that of the public key in it"
                     for part in ("s", "hash"))
        z = "the expanded key is not that of the seed beside it: its z is not that of the seed"
        for number, why in ((1, halves), (2, s), (3, digest), (4, z)):
            path = self.example(f"bad-ML-KEM-512-{number}.priv")
            self.fails(FILE, f"{path}: {why}", "inspect", path)

    def test_certificates_of_ml_kem_take_shared_secrets(self):
        for algorithm in ML_KEMS:
            certificate = self.example(algorithm + ".crt")
            self.encap("--force", public=certificate, warnings=[f"{certificate}: {CERTIFICATE}"])
            self.decap("--force", secret=self.example(algorithm + "-expanded.priv"))
            self.assertEqual(self.read("sent"), self.read("received"))


if __name__ == "__main__":
    unittest.main()
