"""Making, reading and converting keys, and what is encapsulated for them."""

import base64
import hashlib
import pathlib
import resource
import unittest

from command import (
    CERTIFICATE,
    CIPHERTEXTS,
    FILE,
    MESSAGE,
    MISSING,
    ONCE,
    SIGNATURES,
    UNVERIFIED,
    USAGE,
    VECTORS,
    CommandTest,
    flipped,
    not_on_windows,
)

MAKE = "keygen --secret s --public p --alg "
# An algorithm of each kind, and the forms of its private keys: in PEM and DER, and raw.
KINDS = {
    "ML-DSA-44": ("seed", "seed"),
    "Dilithium2": ("expanded", "seed"),
    "Falcon-512": ("expanded", "expanded"),
    "Falcon-padded-512": ("expanded", "expanded"),
    "Falcon-CT-512": ("expanded", "expanded"),
    "ML-KEM-512": ("seed", "seed"),
    "sntrup653": ("expanded", "expanded"),
    "ntrulpr653": ("expanded", "expanded"),
}


def der_of(pem):
    return base64.b64decode(
        b"".join(line for line in pem.splitlines() if not line.startswith(b"-"))
    )


class EveryKind(CommandTest):
    """Keys of every kind of algorithm and format are made, read, used and converted."""

    FILES = MESSAGE

    def used(self, algorithm, alg):
        """With both halves; the bytes of what was sent."""
        if algorithm in CIPHERTEXTS:
            self.assertEqual(self.encap("--force " + alg, public="p"), b"")
            self.assertEqual(self.decap("--force " + alg, secret="s"), b"")
            self.assert_shared()
            self.assertEqual(len(self.read("sent")), 32)
            return self.read("ct")
        self.sign("--force " + alg, secret="s")
        self.assertEqual(
            self.verify(alg, public="p").decode(), f"message: good {algorithm} signature by p\n"
        )
        self.verify(alg, public="p", message="s", code=UNVERIFIED)
        return self.read("message.sig")

    def test_of_key_is_made_and_used_in_every_format(self):
        for algorithm, file_format in ((a, f) for a in KINDS for f in ("pem", "der", "raw")):
            self.keygen(f"{algorithm} --force --format {file_format}", secret="s", public="p")
            # PEM and DER do not tell Falcon's constant-time format from the compressed one.
            alg = f"--alg {algorithm}" if file_format == "raw" or "CT" in algorithm else ""
            found = self.inspect(f"{alg} s")
            self.assertEqual(
                [found["kind"], found["algorithm"], found["format"].lower(), found["form"]],
                ["private key", algorithm, file_format, KINDS[algorithm][file_format == "raw"]],
            )
            size = {**SIGNATURES, **CIPHERTEXTS}[algorithm]
            self.assertEqual(
                found["ciphertext_bytes" if algorithm in CIPHERTEXTS else "signature_bytes"], size
            )
            self.assertTrue(
                len(self.used(algorithm, alg)) == size or algorithm.startswith("Falcon")
            )

    def test_of_key_is_converted_and_back(self):
        for algorithm in KINDS:
            self.have_key(algorithm)
            for name, file_format in (
                (n, f) for n in ("key.pem", "key.pub.pem") for f in ("der", "raw")
            ):
                self.girih(f"convert {name} other --force --format {file_format}")
                self.assertEqual(self.girih(f"convert --alg {algorithm} other -"), self.read(name))
            self.assertEqual(
                self.girih("convert --public-only key.pem -"), self.read("key.pub.pem")
            )


class Keygen(CommandTest):
    def test_makes_another_key_every_time_and_one_of_a_seed(self):
        make = MAKE + "{} --format raw --force --seed-hex {}"
        for algorithm, length in (("ML-DSA-44", 32), ("ML-KEM-512", 64)):
            seed = bytes(range(length)).hex()
            self.girih(make.format(algorithm, seed))
            self.assertEqual(self.read("s").hex(), seed)
            self.all_fail(
                USAGE,
                [
                    (
                        make.format(algorithm, wrong),
                        f"--seed-hex: not {2 * length} hexadecimal digits",
                    )
                    for wrong in (seed[:-1], seed[:-2], seed + "00", "g" * len(seed))
                ],
            )
            self.assertNotEqual(
                self.keygen(algorithm, secret="-", public=f"{algorithm}.1"),
                self.keygen(algorithm, secret="-", public=f"{algorithm}.2"),
            )
        self.girih(make.format("Falcon-512", "00" * 48))
        first = self.read("s")
        self.girih(make.format("Falcon-512", "00" * 48) + " --generator reference")
        self.assertNotEqual(self.read("s"), first)

    def test_knows_the_algorithms(self):
        self.girih(MAKE + "ml-dsa-44 --force")
        self.assertEqual(self.inspect("s")["algorithm"], "ML-DSA-44")
        *names, last = [*SIGNATURES, *CIPHERTEXTS]
        self.fails(
            USAGE, f"--alg: there is no RSA; there are {', '.join(names)} and {last}", MAKE + "RSA"
        )
        self.all_fail(
            USAGE,
            [
                (MAKE + wrong, f"--alg: there is no {wrong}; did you mean {right}?")
                for wrong, right in (
                    ("ML_DSA_65", "ML-DSA-65"),
                    ("mldsa-66", "ML-DSA-65"),
                    ("sntrup_761", "sntrup761"),
                    ("falcon-padded512x", "Falcon-padded-512"),
                    ("ml-kem-769", "ML-KEM-768"),
                    ("Dilithium4", "Dilithium2"),
                )
            ],
        )

    def test_refuses_what_an_algorithm_or_a_format_lacks(self):
        pem = "--private-form: PEM and DER hold {} private key in its expanded form only"
        self.all_fail(
            USAGE,
            [
                (MAKE + "sntrup761 --private-form seed", pem.format("an sntrup761")),
                (MAKE + "Dilithium2 --private-form seed", pem.format("a Dilithium2")),
                (
                    MAKE + "ML-DSA-44 --private-form both --format raw",
                    "--private-form: a raw key is the seed or the expanded key, not both",
                ),
                (MAKE + "ML-DSA-44 --generator reference", "--generator: ML-DSA-44 has only one"),
            ],
        )


class Inspect(CommandTest):
    KEYS = {"key": "ML-DSA-44"}

    def test_shows_the_fingerprint_and_no_secrets(self):
        self.girih("convert key.pem raw --format raw --private-form expanded")
        secrets = [self.read("raw")[at : at + 8].hex() for at in range(32, 128, 8)]
        secrets.append(der_of(self.read("key.pem"))[-32:].hex()[:16])
        fingerprint = hashlib.sha256(der_of(self.read("key.pub.pem"))).hexdigest()
        for line in ("key.pem", "key.pub.pem", "--json key.pem", "--alg ML-DSA-44 raw"):
            shown = self.girih("inspect " + line).decode()
            self.assertIn(fingerprint, shown)
            self.assertIn("SHA-256 of the public key's SubjectPublicKeyInfo in DER", shown)
            self.assertFalse([secret for secret in secrets if secret in shown])

    def test_describes_a_key_in_words(self):
        self.girih("convert key.pem both --private-form both")
        self.assertRegex(
            self.girih("inspect both").decode(),
            r"\Afile +both\nkind +private key\nalgorithm +ML-DSA-44\nformat +PEM\n"
            r"form +seed and expanded key, which agree\nsecret key +2560 bytes\npublic key +1312 bytes\n"
            r"signature +2420 bytes\nfingerprint    [0-9a-f]{64}\n",
        )
        for algorithm, options, shown in (
            ("ntrulpr653", "", "form           expanded key, without its seed"),
            ("ntrulpr653", "", "ciphertext     1025 bytes\nshared secret  32 bytes\nfingerprint"),
            (
                "Falcon-CT-512",
                "",
                "algorithm      Falcon-512 (Falcon-CT-512 has the same key files)",
            ),
            (
                "Falcon-CT-512",
                "--alg Falcon-CT-512 ",
                "algorithm      Falcon-CT-512 (Falcon-512 has the same key files)",
            ),
            ("Falcon-padded-512", "", "algorithm      Falcon-padded-512\n"),
        ):
            self.have_key(algorithm)
            self.assertIn(f"\n{shown}", self.girih(f"inspect {options}key.pem").decode())

    def test_refuses_what_is_no_key(self):
        for name, content in (
            ("text", b"a message\n"),
            ("empty", b""),
            ("long", b"0" * (1 << 20) + b"1"),
            ("raw", bytes(1952)),
        ):
            self.write(name, content)
        self.all_fail(
            FILE,
            [
                ("inspect text", "text: not PEM, DER, JWK or COSE_Key"),
                ("inspect empty", "empty: the file is empty"),
                ("inspect long", "long: too long for a key file"),
                ("inspect /dev/zero", "/dev/zero: too long for a key file"),
                (
                    "inspect raw",
                    "raw: neither PEM nor DER; its 1952 bytes may be a raw ML-DSA-65 or Dilithium3 "
                    "public key, whose algorithm has to be named (--alg)",
                ),
            ],
        )
        self.girih("inspect --alg Dilithium3 raw")


class Kinds(CommandTest):
    KEYS = {"key": "ML-DSA-44", "kem": "sntrup761"}
    FILES = {**MESSAGE, "message.sig": b"", "manifest": b"kem.pub.pem message.sig message\n"}

    def test_are_told_apart(self):
        kem = "its algorithm, sntrup761, encapsulates keys and does not sign"
        signs = "its algorithm, ML-DSA-44, signs and does not encapsulate keys"
        encap = "encap --ciphertext ct --shared-secret ss --public "
        decap = "decap --ciphertext message --shared-secret ss --secret "
        self.all_fail(
            FILE,
            [
                (
                    "sign -o s --secret key.pub.pem message",
                    "key.pub.pem: is a public key; --secret needs a private key",
                ),
                (
                    decap + "kem.pub.pem",
                    "kem.pub.pem: is a public key; --secret needs a private key",
                ),
                (
                    "verify --public key.pem message",
                    "key.pem: is a private key; --public needs a public key",
                ),
                (encap + "kem.pem", "kem.pem: is a private key; --public needs a public key"),
                (
                    "sign -o s --alg ML-DSA-65 --secret key.pem message",
                    "key.pem: the key is an ML-DSA-44 key, not an ML-DSA-65 key",
                ),
                (
                    encap + "kem.pub.pem --alg ntrulpr761",
                    "kem.pub.pem: the key is an sntrup761 key, not an ntrulpr761 key",
                ),
                (encap + "key.pub.pem", f"key.pub.pem: {signs}"),
                (decap + "key.pem", f"key.pem: {signs}"),
                ("sign -o s --secret kem.pem message", f"kem.pem: {kem}"),
                ("verify --public kem.pub.pem message", f"kem.pub.pem: {kem}"),
                ("mu --public kem.pub.pem --output mu message", f"kem.pub.pem: {kem}"),
            ],
        )
        self.assertIn(
            f"kem.pub.pem: {kem}", self.girih("verify --manifest manifest", code=FILE).decode()
        )


class Convert(CommandTest):
    def test_keeps_the_form_and_makes_no_seed_that_is_not_there(self):
        for form in ("seed", "both", "expanded"):
            self.keygen(f"ML-DSA-44 --force --private-form {form}", secret="s", public="p")
            self.assertEqual(
                self.inspect("-", input=self.girih("convert s - --format der"))["form"], form
            )
            if form == "both":
                self.girih("convert s raw --format raw")
                self.assertEqual(len(self.read("raw")), 32)
                self.assertEqual(
                    self.girih("convert --alg ML-DSA-44 raw - --private-form both"), self.read("s")
                )
        why = "s: the key came without its seed, which cannot be computed from the expanded key"
        self.all_fail(
            FILE, [(f"convert s out --private-form {form}", why) for form in ("seed", "both")]
        )
        self.fails(
            USAGE, "--private-form: no private key is written", "convert p - --private-form seed"
        )


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
        self.girih("verify --manifest -", input=TWICE + TWICE)

    def test_take_no_other_signature_unless_told(self):
        self.sign()
        self.verify(
            public="hash.pub.der",
            code=UNVERIFIED,
            error="message.sig: the signature does not verify for "
            'message and hash.pub.der as HashML-DSA, which the key is for ("--pre-hash none": as ML-DSA)',
        )
        report = self.json(
            "verify --manifest -",
            input=TWICE + TWICE.replace(b"hash.pub.der", b"key.pub.pem"),
            code=UNVERIFIED,
        )
        self.assertEqual([row["result"] for row in report["rows"]], ["bad", "good"])
        self.verify("--pre-hash none", public="hash.pub.der")
        self.sign("--pre-hash NONE --force", secret="hash.der")
        self.verify()
        self.sign("--pre-hash SHA3-512 --force", secret="hash.der")
        self.verify("--pre-hash SHA3-512", public="hash.pub.der")

    def test_sign_no_texts_unless_told(self):
        why = (
            "--pre-hash: a signature in text has none, and the key is for HashML-DSA with SHA2-512; "
            '"--pre-hash none" uses it for ML-DSA'
        )
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
            found = self.inspect(name)
            self.assertEqual(
                [found["pre_hash"], found["fingerprint"]],
                ["SHA2-512", self.inspect("key.pem")["fingerprint"]],
            )
            self.girih(
                f"convert {name} - --format raw",
                warnings=[
                    f"--format: a raw key does not say that it is for HashML-DSA, as {name} does"
                ],
            )
        self.assertEqual(
            self.girih("convert --public-only hash.der - --format der"), self.read("hash.pub.der")
        )
        self.assertIn(b"ML-DSA-44, for HashML-DSA with SHA-512\n", self.girih("inspect hash.der"))


class Malformed(CommandTest):
    """One error of each kind: tests/key_files has all that src/key_files tells."""

    FILES = MESSAGE

    def test_keys_are_named_with_what_is_wrong(self):
        locked = b"ENCRYPTED PRIVATE KEY"
        self.write("locked", b"-----BEGIN %s-----\nMAA=\n-----END %s-----\n" % (locked, locked))
        self.fails(
            FILE,
            "locked: byte 2 of the DER: EncryptedPrivateKeyInfo ends where encryptionAlgorithm "
            "(SEQUENCE) is expected",
            "sign -o s --secret locked message",
        )
        self.girih(MAKE + "ML-KEM-512 --private-form expanded --format raw")
        self.write("s", flipped(self.read("s"), -33))
        self.write("p", b"\x01\xfd" + self.read("p")[2:])  # 3329 is 0xd01
        private = (
            "s: the expanded key contradicts itself: its hash does not match the public key in it"
        )
        public = "p: the public key is not an ML-KEM key: a coefficient is not below q"
        self.all_fail(
            FILE,
            [
                (f"{line} --alg ML-KEM-512", why)
                for line, why in (
                    ("inspect s", private),
                    ("decap --secret s --ciphertext message --shared-secret ss", private),
                    ("inspect p", public),
                    ("encap --public p --ciphertext ct --shared-secret ss", public),
                )
            ],
        )


@unittest.skipUnless(VECTORS, "GIRIH_VECTORS is not set: it names the folder of vectors")
class Certificates(CommandTest):
    """RFC 9881 (ML-DSA) and RFC 9935 (ML-KEM) have them; tests/key_files reads all their keys."""

    FILES = MESSAGE

    def example(self, name):
        """A copy: the vectors are everybody's to read, which private keys should not be."""
        folder = "rfc9935" if "ML-KEM" in name else "rfc9881"
        self.write(name, (pathlib.Path(VECTORS) / folder / name).read_bytes())
        (self.folder / name).chmod(0o600)
        return name

    def test_verify_their_own_signature(self):
        """Their elements: what is signed, the algorithm, and the signature in a BIT STRING."""
        certificate = self.example("ML-DSA-44.crt")
        der = der_of(self.read(certificate))
        signed = slice(4, 8 + int.from_bytes(der[6:8], "big"))
        self.assertEqual(der[4:6] + der[signed.stop : signed.stop + 2], b"\x30\x82\x30\x0b")
        self.write("message", der[signed])
        self.write("message.sig", der[-2420:])
        warning = {"warnings": [f"{certificate}: {CERTIFICATE}"]}
        self.verify(public=certificate, **warning)
        self.assertIs(
            self.json(f"verify --public {certificate} message", **warning)["certificate_checked"],
            False,
        )
        report = self.json(
            "verify --manifest -",
            input=f"{certificate}\tmessage.sig\tmessage\n".encode(),
            warnings=[
                "1 signatures are by keys in certificates, whose own signatures and dates are not checked"
            ],
        )
        self.assertIs(report["rows"][0]["certificate_checked"], False)
        self.girih(f"convert {certificate} public.pem")
        self.assertEqual(self.inspect(certificate)["kind"], "certificate")
        self.assertIn(
            b"certificate, whose signature and dates are not checked",
            self.girih(f"inspect {certificate}"),
        )
        self.assertNotIn("certificate_checked", self.json("verify --public public.pem message"))
        self.girih(f"mu --public {certificate} --output - message", **warning)

    def test_of_ml_kem_take_shared_secrets(self):
        certificate = self.example("ML-KEM-512.crt")
        self.encap(public=certificate, warnings=[f"{certificate}: {CERTIFICATE}"])
        self.decap(secret=self.example("ML-KEM-512-expanded.priv"))
        self.assert_shared()


class Kems(CommandTest):
    KEYS = {"kem": "sntrup761", "other": "sntrup761"}

    def test_share_a_new_secret_every_time_and_another_with_whom_it_is_not_for(self):
        secrets = {self.encap(shared_secret="-"), self.encap("--force", shared_secret="-")}
        self.write("changed", flipped(self.read("ct"), 100))
        for options in ({"ciphertext": "changed"}, {"secret": "other.pem"}):
            secrets.add(self.decap(shared_secret="-", **options))
        self.assertEqual([len(secret) for secret in secrets], [32] * 4)

    def test_go_through_standard_streams(self):
        ciphertext = self.encap(public="-", ciphertext="-", input=self.read("kem.pub.pem"))
        self.assertEqual(
            self.decap(ciphertext="-", shared_secret="-", input=ciphertext), self.read("sent")
        )
        self.write("ct", ciphertext)
        self.assertEqual(
            self.decap(secret="-", shared_secret="-", input=self.read("kem.pem")), self.read("sent")
        )
        self.fails(USAGE, ONCE, "decap --secret - --ciphertext - --shared-secret x")

    def test_take_a_raw_seed(self):
        self.keygen("sntrup761 --format raw --private-form seed", secret="s", public="p")
        self.assertEqual(len(self.read("s")), 32)
        self.encap("--alg sntrup761", public="p")
        self.decap("--alg sntrup761", secret="s")
        self.assert_shared()

    def test_refuse_ciphertexts_of_another_length(self):
        self.encap()
        good = self.read("ct")
        for content, bytes_there in (
            (b"", "0"),
            (good[:-1], "1038"),
            (good + b"\0", "more than 1039"),
        ):
            self.write("ct", content)
            self.decap(
                code=FILE, error=f"ct: {bytes_there} bytes, but a ciphertext for sntrup761 has 1039"
            )

    @not_on_windows("limits on processes")
    def test_leave_nothing_where_files_cannot_be_written(self):
        self.encap(ciphertext="nowhere/ct", code=FILE, error=f"nowhere/ct: {MISSING}")
        self.encap(shared_secret="nowhere/sent", code=FILE, error=f"nowhere/sent: {MISSING}")
        self.encap(
            code=FILE,
            error="ct: File too large",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        )
