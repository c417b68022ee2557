"""Making, reading and converting keys."""

import base64
import hashlib
import pathlib
import unittest

from command import (CERTIFICATE, CIPHERTEXTS, FILE, MESSAGE, SIGNATURES, UNVERIFIED, USAGE, VECTORS, CommandTest,
                     flipped)

SEED = bytes(range(32)).hex()
SEED_OF_KEMS = bytes(range(64)).hex()  # d and z
MAKE = "keygen --secret s --public p --alg "
# An algorithm of each kind, and the forms of its private keys: in PEM and DER, and raw.
KINDS = {"ML-DSA-44": ("seed", "seed"), "Dilithium2": ("expanded", "seed"), "Falcon-512": ("expanded", "expanded"),
         "Falcon-padded-512": ("expanded", "expanded"), "Falcon-CT-512": ("expanded", "expanded"),
         "ML-KEM-512": ("seed", "seed"), "sntrup653": ("expanded", "expanded"), "ntrulpr653": ("expanded", "expanded")}


def der_of(pem):
    return base64.b64decode(b"".join(line for line in pem.splitlines() if not line.startswith(b"-")))


class EveryKind(CommandTest):
    """Of algorithm and format: keys are made, read, used and converted."""

    FILES = MESSAGE

    def used(self, algorithm, alg):
        """With both halves; the bytes of what was sent."""
        if algorithm in CIPHERTEXTS:
            self.assertEqual(self.encap("--force " + alg, public="p"), b"")
            self.assertEqual(self.decap("--force " + alg, secret="s"), b"")
            self.assertEqual(self.read("sent"), self.read("received"))
            self.assertEqual(len(self.read("sent")), 32)
            return self.read("ct")
        self.sign("--force " + alg, secret="s")
        self.assertEqual(self.verify(alg, public="p").decode(), f"message: good {algorithm} signature by p\n")
        self.verify(alg, public="p", message="s", code=UNVERIFIED)
        return self.read("message.sig")

    def test_of_key_is_made_and_used_in_every_format(self):
        for algorithm, forms in KINDS.items():
            for file_format in ("pem", "der", "raw"):
                with self.subTest(algorithm=algorithm, format=file_format):
                    self.keygen(f"{algorithm} --force --format {file_format}", secret="s", public="p")
                    # PEM and DER do not tell Falcon's constant-time format from the compressed one.
                    alg = f"--alg {algorithm}" if file_format == "raw" or "CT" in algorithm else ""
                    found = self.inspect(f"{alg} s")
                    self.assertEqual([found["kind"], found["algorithm"], found["format"].lower(), found["form"]],
                                     ["private key", algorithm, file_format, forms[file_format == "raw"]])
                    name = "ciphertext_bytes" if algorithm in CIPHERTEXTS else "signature_bytes"
                    size = {**SIGNATURES, **CIPHERTEXTS}[algorithm]
                    self.assertEqual(found[name], size)
                    is_exact = len(self.used(algorithm, alg)) == size
                    self.assertTrue(is_exact or algorithm.startswith("Falcon"))

    def test_of_key_is_converted_and_back(self):
        for algorithm in KINDS:
            with self.subTest(algorithm):
                self.have_key(algorithm)
                for name in ("key.pem", "key.pub.pem"):
                    for file_format in ("der", "raw"):
                        self.girih(f"convert {name} other --force --format {file_format}")
                        self.assertEqual(self.girih(f"convert --alg {algorithm} other -"), self.read(name))
                self.assertEqual(self.girih("convert --public-only key.pem -"), self.read("key.pub.pem"))


class Keygen(CommandTest):
    def test_makes_another_key_every_time(self):
        self.keygen(secret="a", public="a.pub")
        self.keygen(secret="b", public="b.pub")
        self.assertNotEqual(self.read("a"), self.read("b"))
        self.assertNotEqual(self.read("a.pub"), self.read("b.pub"))

    def test_takes_a_seed(self):
        for algorithm, seed in (("ML-DSA-44", SEED), ("ML-KEM-512", SEED_OF_KEMS)):
            make = f"{MAKE}{algorithm} --format raw --force --seed-hex "
            self.girih(make + seed)
            self.assertEqual(self.read("s").hex(), seed)
            for wrong in (seed[:-1], seed[:-2], seed + "00", "g" * len(seed)):
                self.fails(USAGE, f"--seed-hex: not {len(seed)} hexadecimal digits", make + wrong)
        self.girih(MAKE + f"Falcon-512 --format raw --force --seed-hex {'00' * 48}")
        first = self.read("s")
        self.girih(MAKE + f"Falcon-512 --format raw --force --generator reference --seed-hex {'00' * 48}")
        self.assertNotEqual(self.read("s"), first)

    def test_knows_the_algorithms(self):
        self.girih(MAKE + "ml-dsa-44 --force")
        self.assertEqual(self.inspect("s")["algorithm"], "ML-DSA-44")
        names = [*SIGNATURES, *CIPHERTEXTS]
        self.fails(USAGE, f"--alg: there is no RSA; there are {', '.join(names[:-1])} and {names[-1]}", MAKE + "RSA")
        for wrong, right in (("ML_DSA_65", "ML-DSA-65"), ("mldsa-66", "ML-DSA-65"), ("sntrup_761", "sntrup761"),
                             ("falcon-padded512x", "Falcon-padded-512"), ("ml-kem-769", "ML-KEM-768"),
                             ("Dilithium4", "Dilithium2")):
            self.fails(USAGE, f"--alg: there is no {wrong}; did you mean {right}?", MAKE + wrong)

    def test_refuses_what_an_algorithm_or_a_format_lacks(self):
        pem = "--private-form: PEM and DER hold {} private key in its expanded form only"
        self.all_fail(USAGE, [
            (MAKE + "sntrup761 --private-form seed", pem.format("an sntrup761")),
            (MAKE + "Dilithium2 --private-form seed", pem.format("a Dilithium2")),
            (MAKE + "ML-DSA-44 --private-form both --format raw",
             "--private-form: a raw key is the seed or the expanded key, not both"),
            (MAKE + "ML-DSA-44 --generator reference", "--generator: ML-DSA-44 has only one")])
        self.assertEqual(self.names(), [])


class Inspect(CommandTest):
    KEYS = {"key": "ML-DSA-44"}

    def test_shows_the_fingerprint_and_no_secrets(self):
        self.girih("convert key.pem raw --format raw --private-form expanded")
        secrets = [self.read("raw")[at:at + 8].hex() for at in range(32, 128, 8)]
        secrets.append(der_of(self.read("key.pem"))[-32:].hex()[:16])
        fingerprint = hashlib.sha256(der_of(self.read("key.pub.pem"))).hexdigest()
        for line in ("key.pem", "key.pub.pem", "--json key.pem", "--alg ML-DSA-44 raw"):
            shown = self.girih("inspect " + line).decode()
            self.assertIn(fingerprint, shown)
            self.assertIn("SHA-256 of the public key's SubjectPublicKeyInfo in DER", shown)
            for secret in secrets:
                self.assertNotIn(secret, shown)

    def test_describes_a_key_in_words(self):
        self.girih("convert key.pem both --private-form both")
        self.assertRegex(self.girih("inspect both").decode(),
                         r"\Afile +both\nkind +private key\nalgorithm +ML-DSA-44\nformat +PEM\n"
                         r"form +seed and expanded key, which agree\nsecret key +2560 bytes\npublic key +1312 bytes\n"
                         r"signature +2420 bytes\nfingerprint    [0-9a-f]{64}\n")
        self.have_key("ntrulpr653")
        shown = self.girih("inspect key.pem").decode()
        self.assertIn("form           expanded key, without its seed\n", shown)
        self.assertIn("ciphertext     1025 bytes\nshared secret  32 bytes\n", shown)
        self.assertNotIn("signature", shown)

    def test_names_the_other_format_of_falcon(self):
        for algorithm, options, shown in (
                ("Falcon-CT-512", "", "Falcon-512 (Falcon-CT-512 has the same key files)"),
                ("Falcon-CT-512", "--alg Falcon-CT-512 ", "Falcon-CT-512 (Falcon-512 has the same key files)"),
                ("Falcon-padded-512", "", "Falcon-padded-512")):
            self.have_key(algorithm)
            self.assertIn(f"algorithm      {shown}\n", self.girih(f"inspect {options}key.pem").decode())

    def test_refuses_what_is_no_key(self):
        for name, content in (("text", b"a message\n"), ("empty", b""), ("long", b"0" * (1 << 20) + b"1"),
                              ("raw", bytes(1952))):
            self.write(name, content)
        self.all_fail(FILE, [
            ("inspect text", "text: neither PEM nor DER"), ("inspect empty", "empty: the file is empty"),
            ("inspect long", "long: too long for a key file"),
            ("inspect /dev/zero", "/dev/zero: too long for a key file"),
            ("inspect raw", "raw: neither PEM nor DER; its 1952 bytes may be a raw ML-DSA-65 or Dilithium3 "
             "public key, whose algorithm has to be named (--alg)")])
        self.girih("inspect --alg Dilithium3 raw")


class Kinds(CommandTest):
    KEYS = {"key": "ML-DSA-44", "kem": "sntrup761"}
    FILES = {**MESSAGE, "message.sig": b""}

    def test_are_told_apart(self):
        kem = "its algorithm, sntrup761, encapsulates keys and does not sign"
        self.all_fail(FILE, [
            ("sign -o s --secret key.pub.pem message", "key.pub.pem: is a public key; --secret needs a private key"),
            ("verify --public key.pem message", "key.pem: is a private key; --public needs a public key"),
            ("sign -o s --alg ML-DSA-65 --secret key.pem message",
             "key.pem: the key is an ML-DSA-44 key, not an ML-DSA-65 key"),
            ("sign -o s --secret kem.pem message", f"kem.pem: {kem}"),
            ("verify --public kem.pub.pem message", f"kem.pub.pem: {kem}"),
            ("mu --public kem.pub.pem --output mu message", f"kem.pub.pem: {kem}")])
        self.write("manifest", b"kem.pub.pem message.sig message\n")
        self.assertIn(f"kem.pub.pem: {kem}", self.girih("verify --manifest manifest", code=FILE).decode())
        self.assertNotIn("s", self.names())

    def test_that_are_malformed_say_so(self):
        kind = b"ENCRYPTED PRIVATE KEY"
        self.write("encrypted.pem", b"-----BEGIN %s-----\nMAA=\n-----END %s-----\n" % (kind, kind))
        self.fails(FILE, "encrypted.pem: byte 2 of the DER: EncryptedPrivateKeyInfo ends where "
                   "encryptionAlgorithm (SEQUENCE) is expected", "sign -o s --secret encrypted.pem message")


class Convert(CommandTest):
    def test_reaches_every_form_from_the_seed_and_back(self):
        self.have_key("ML-DSA-65")
        for file_format, forms in (("pem", "seed expanded both"), ("der", "seed expanded both"),
                                   ("raw", "seed expanded")):
            for form in forms.split():
                with self.subTest(format=file_format, form=form):
                    self.girih(f"convert key.pem out --force --format {file_format} --private-form {form}")
                    self.assertEqual(self.inspect("--alg ML-DSA-65 out")["form"], form)
                    if form != "expanded":
                        back = self.girih("convert --alg ML-DSA-65 out - --private-form seed")
                        self.assertEqual(back, self.read("key.pem"))

    def test_keeps_the_form_where_it_can(self):
        for form in ("seed", "expanded", "both"):
            self.keygen(f"ML-DSA-44 --force --private-form {form}", secret="s", public="p")
            der = self.girih("convert s - --format der")
            self.assertEqual(self.inspect("-", input=der)["form"], form)
        self.assertEqual(len(self.girih("convert s - --format raw")), 32)

    def test_writes_nothing_that_is_not_there(self):
        self.keygen("ML-DSA-44 --private-form expanded", secret="s", public="p")
        why = "s: the key came without its seed, which cannot be computed from the expanded key"
        self.all_fail(FILE, [(f"convert s out --private-form {form}", why) for form in ("seed", "both")])
        self.fails(USAGE, "--private-form: no private key is written", "convert p - --private-form seed")
        self.assertEqual(self.names(), ["p", "s"])


HASH_ML_DSA_44 = bytes.fromhex("0609608648016503040320")
ML_DSA_44 = bytes.fromhex("0609608648016503040311")
TWICE = b"hash.pub.der\tmessage.sig\tmessage\n"


class HashMlDsa(CommandTest):
    """Keys whose files name HashML-DSA with SHA-512, whatever reads them."""

    KEYS = {"key": "ML-DSA-44"}
    FILES = MESSAGE

    def setUp(self):
        super().setUp()
        for name, to in (("key.pem", "hash.der"), ("key.pub.pem", "hash.pub.der")):
            der = der_of(self.read(name))
            self.assertEqual(der.count(ML_DSA_44), 1)
            self.write(to, der.replace(ML_DSA_44, HASH_ML_DSA_44))
            (self.folder / to).chmod(0o600)

    def test_are_for_signatures_with_their_pre_hash(self):
        self.assertEqual(self.json("sign --secret hash.der message")["pre_hash"], "SHA2-512")
        self.verify("--pre-hash SHA2-512")
        self.assertEqual(self.json("verify --public hash.pub.der message")["pre_hash"], "SHA2-512")
        self.verify(code=UNVERIFIED)
        self.verify("--pre-hash none", public="hash.pub.der", code=UNVERIFIED)
        self.girih("mu --public hash.pub.der --output mu message")
        self.verify("--mu", public="hash.pub.der", message="mu")
        self.write("manifest", TWICE + TWICE)
        self.girih("verify --manifest manifest")

    def test_take_no_other_signature_unless_told(self):
        self.sign()
        self.verify(public="hash.pub.der", code=UNVERIFIED, error="message.sig: the signature does not verify for "
                    'message and hash.pub.der as HashML-DSA, which the key is for ("--pre-hash none": as ML-DSA)')
        self.write("manifest", TWICE + TWICE.replace(b"hash.pub.der", b"key.pub.pem"))
        report = self.json("verify --manifest manifest", code=UNVERIFIED)
        self.assertEqual([row["result"] for row in report["rows"]], ["bad", "good"])
        self.verify("--pre-hash none", public="hash.pub.der")
        self.sign("--pre-hash NONE --force", secret="hash.der")
        self.verify()
        self.sign("--pre-hash SHA3-512 --force", secret="hash.der")
        self.verify("--pre-hash SHA3-512", public="hash.pub.der")

    def test_sign_no_texts_unless_told(self):
        why = ("--pre-hash: a signature in text has none, and the key is for HashML-DSA with SHA2-512; "
               '"--pre-hash none" uses it for ML-DSA')
        self.sign("--text", secret="hash.der", code=USAGE, error=why)
        self.sign("--text --pre-hash none", secret="hash.der")
        self.verify()
        self.verify(public="hash.pub.der", code=USAGE, error=why)
        self.verify("--pre-hash none", public="hash.pub.der")

    def test_are_converted_with_their_identifier(self):
        for name in ("hash.der", "hash.pub.der"):
            pem = self.girih(f"convert {name} -")
            self.assertIn(HASH_ML_DSA_44, der_of(pem))
            self.assertEqual(self.girih("convert - - --format der", input=pem), self.read(name))
            self.assertEqual(self.inspect(name)["pre_hash"], "SHA2-512")
            self.assertEqual(self.inspect(name)["fingerprint"], self.inspect("key.pem")["fingerprint"])
            self.girih(f"convert {name} - --format raw", warnings=[
                f"--format: a raw key does not say that it is for HashML-DSA, as {name} does"])
        self.assertEqual(self.girih("convert --public-only hash.der - --format der"), self.read("hash.pub.der"))
        self.assertIn(b"ML-DSA-44, for HashML-DSA with SHA-512\n", self.girih("inspect hash.der"))


class Files(CommandTest):
    """What other programs make of key files."""

    KEYS = {"key": "ML-DSA-44", "other": "ML-DSA-65"}
    FILES = MESSAGE

    def test_with_several_blocks_have_the_key_that_is_needed(self):
        for order in (("key.pem", "key.pub.pem"), ("key.pub.pem", "key.pem")):
            self.write("both.pem", b"Bag Attributes\n".join(self.read(name) for name in order))
            (self.folder / "both.pem").chmod(0o600)
            self.sign("--force", secret="both.pem")
            self.verify(public="both.pem")
            self.assertEqual(self.inspect("both.pem")["kind"], "private key")
        self.write("chain.pem", self.read("key.pub.pem") + self.read("other.pub.pem"))
        self.verify(public="chain.pem")
        self.write("two.pem", self.read("key.pem") + self.read("other.pem"))
        self.sign("--force", secret="two.pem", code=FILE, error="two.pem: line 5: a second private key begins "
                  "here, after that of line 1; a key file has one")

    def test_with_a_byte_order_mark_are_read(self):
        for name in ("key.pem", "key.pub.pem"):
            self.write(name, b"\xef\xbb\xbf" + self.read(name))
        self.sign()
        self.verify()
        self.write("key.pub.pem", self.read("key.pub.pem").decode().encode("utf-16"))
        self.fails(FILE, "key.pub.pem: PEM in UTF-16; key files are in ASCII or UTF-8", "inspect key.pub.pem")

    def test_that_contradict_themselves_are_refused(self):
        for algorithm, at, why in (
                ("sntrup761", -1,
                 "secret key contradicts itself: 1/g, the public key or its hash is not that of the rest"),
                ("ML-KEM-512", -33, "expanded key contradicts itself: its hash is not that of the public key in it")):
            self.keygen(f"{algorithm} --force --private-form expanded --format raw", secret="s", public="p")
            self.write("s", flipped(self.read("s"), at))
            self.all_fail(FILE, [(f"{line} --alg {algorithm}", f"s: the {why}") for line in (
                "inspect s", "decap --secret s --ciphertext p --shared-secret ss")])
        self.write("p", b"\x01\xfd" + self.read("p")[2:])  # 3329 is 0xd01
        why = "p: the public key is no ML-KEM key: a coefficient is not below q"
        self.all_fail(FILE, [(f"{line} --alg ML-KEM-512", why)
                             for line in ("inspect p", "encap --public p --ciphertext ct --shared-secret ss")])


@unittest.skipUnless(VECTORS, "GIRIH_VECTORS is not set: it names the folder of vectors")
class RfcExamples(CommandTest):
    """The keys of RFC 9881 (ML-DSA) and RFC 9935 (ML-KEM); tests/key_files reads all of them."""

    FILES = MESSAGE

    def example(self, name):
        """A copy: the vectors are everybody's to read, which private keys should not be."""
        folder = "rfc9935" if "ML-KEM" in name else "rfc9881"
        self.write(name, (pathlib.Path(VECTORS) / folder / name).read_bytes())
        (self.folder / name).chmod(0o600)
        return name

    def test_keys_are_made_to_the_byte(self):
        for algorithm, seed in (("ML-DSA-44", SEED), ("ML-KEM-512", SEED_OF_KEMS)):
            for form in ("seed", "expanded", "both"):
                self.girih(f"{MAKE}{algorithm} --seed-hex {seed} --private-form {form} --force")
                self.assertEqual(self.read("s"), self.read(self.example(f"{algorithm}-{form}.priv")))
                self.assertEqual(self.read("p"), self.read(self.example(f"{algorithm}.pub")))

    def test_bad_keys_are_refused(self):
        halves = "the expanded key is not the one that the seed beside it expands to"
        for algorithm in ("ML-DSA-44", "ML-KEM-512"):
            name = self.example(f"bad-{algorithm}-1.priv")
            self.fails(FILE, f"{name}: {halves}", f"inspect {name}")

    def test_certificates_verify_their_own_signature(self):
        """Their elements: what is signed, the algorithm, and the signature in a BIT STRING."""
        certificate = self.example("ML-DSA-44.crt")
        der = der_of(self.read(certificate))
        signed = slice(4, 8 + int.from_bytes(der[6:8], "big"))
        self.assertEqual(der[4:6] + der[signed.stop:signed.stop + 2], b"\x30\x82\x30\x0b")
        self.write("message", der[signed])
        self.write("message.sig", der[-2420:])
        warning = {"warnings": [f"{certificate}: {CERTIFICATE}"]}
        self.verify(public=certificate, **warning)
        self.assertIs(self.json(f"verify --public {certificate} message", **warning)["certificate_checked"], False)
        self.write("manifest", f"{certificate}\tmessage.sig\tmessage\n".encode())
        report = self.json("verify --manifest manifest", warnings=[
            "1 signatures are by keys in certificates, whose own signatures and dates are not checked"])
        self.assertIs(report["rows"][0]["certificate_checked"], False)
        self.girih(f"convert {certificate} public.pem")
        self.assertEqual(self.inspect(certificate)["kind"], "certificate")
        self.assertIn(b"certificate, whose signature and dates are not checked", self.girih(f"inspect {certificate}"))
        self.assertNotIn("certificate_checked", self.json("verify --public public.pem message"))
        self.girih(f"mu --public {certificate} --output - message", **warning)

    def test_certificates_of_ml_kem_take_shared_secrets(self):
        certificate = self.example("ML-KEM-512.crt")
        self.encap(public=certificate, warnings=[f"{certificate}: {CERTIFICATE}"])
        self.decap(secret=self.example("ML-KEM-512-expanded.priv"))
        self.assertEqual(self.read("sent"), self.read("received"))


if __name__ == "__main__":
    unittest.main()
