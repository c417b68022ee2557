"""Signing and verifying."""

import os
import pty
import re
import select
import subprocess

from command import (
    COMMAND,
    FILE,
    GOOD,
    MESSAGE,
    MISSING,
    ONCE,
    TAKEN,
    UNVERIFIED,
    USAGE,
    WINDOWS,
    CommandTest,
    flipped,
    not_on_windows,
    read_to_end,
)


class SigningTest(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = MESSAGE


class Signatures(SigningTest):
    def test_do_not_verify_what_was_changed_or_has_another_length(self):
        self.sign()
        good = self.read("message.sig")
        for content, why in (
            (flipped(good, 1000), "the signature does not verify for message and key.pub.pem"),
            (b"", "0 bytes, but a signature by ML-DSA-44 has 2420"),
            (good[:-1], "2419 bytes, but a signature by ML-DSA-44 has 2420"),
            (good + b"\0", "more than 2420 bytes, but a signature by ML-DSA-44 has 2420"),
        ):
            self.write("wrong", content)
            self.verify(signature="wrong", code=UNVERIFIED, error=f"wrong: {why}")
        self.have_key("Falcon-512", "falcon")
        self.verify(
            public="falcon.pub.pem",
            code=UNVERIFIED,
            error="message.sig: more than 752 bytes, but a signature by Falcon-512 has at most 752",
        )

    def test_deterministic_ones_repeat_and_others_do_not(self):
        self.assertEqual(
            self.sign("--deterministic", signature="-"), self.sign("--deterministic", signature="-")
        )
        self.assertNotEqual(self.sign(signature="-"), self.sign(signature="-"))

    def test_refuse_what_their_algorithm_lacks(self):
        self.have_key("Falcon-512", "falcon")
        self.have_key("Dilithium2", "old")
        deterministic = "Falcon-512 has no deterministic signatures: they could reveal the key"
        self.all_fail(
            USAGE,
            [
                ("sign --secret falcon.pem --deterministic message", deterministic),
                ("mu --public falcon.pub.pem --output mu message", "Falcon-512 has no mu"),
                ("sign --secret falcon.pem --mu message", "Falcon-512 has no mu"),
                (
                    "verify --public falcon.pub.pem --signature message --mu message",
                    "Falcon-512 has no mu",
                ),
                ("sign --secret old.pem message --context c", "Dilithium2 has no contexts"),
                (
                    "sign --secret old.pem message --pre-hash SHA2-256",
                    "Dilithium2 has no pre-hashes",
                ),
            ],
        )

    def test_report_their_verdict_in_json(self):
        self.sign()
        good = self.json("verify --public key.pub.pem message")
        self.assertEqual(
            [good[name] for name in ("verified", "algorithm", "format", "fingerprint")],
            [True, "ML-DSA-44", "raw", self.inspect("key.pem")["fingerprint"]],
        )
        bad = self.json(
            "verify --public key.pub.pem --signature message.sig key.pem", code=UNVERIFIED
        )
        self.assertIs(bad["verified"], False)


class Contexts(SigningTest):
    def test_are_bound_and_taken_as_they_are_wherever_they_stand(self):
        for context in ("release", "\x01abc", "[abc]", "[]", "--abc", "a=b", "=abc"):
            self.sign(f"--context={context} --force")
            self.verify(f"--context-hex {context.encode().hex().upper()}")
            self.verify(f"--context={context}")
        for other in ("", "--context draft"):
            self.verify(other, code=UNVERIFIED)
        self.sign(f"--context-hex {'ff' * 255} --force")
        self.verify(f"--context-hex {'ff' * 255}")
        self.girih("sign --force --secret key.pem message --context", "")
        self.verify()
        self.girih("sign --secret key.pem -o[a] message")
        self.assertIn("[a]", self.names())


class PreHashes(SigningTest):
    def test_are_bound_and_their_weakness_is_told(self):
        """Weaker than FIPS 204, Section 5.4, wants: half of a digest's bits, or SHAKE's own."""
        names = self.json("list")["pre_hashes"]
        for algorithm, level, weak in (
            ("ML-DSA-44", 128, 3),
            ("ML-DSA-65", 192, 7),
            ("ML-DSA-87", 256, 9),
        ):
            self.have_key(algorithm)
            bits = {
                name: int(re.search(r"\d+$", name)[0]) // (1 if "SHAKE" in name else 2)
                for name in names
            }
            self.assertEqual(sum(strength < level for strength in bits.values()), weak)
            for name, strength in bits.items():
                self.sign(
                    f"--pre-hash {name} --force",
                    warnings=[]
                    if strength >= level
                    else [
                        f"--pre-hash: {name} has {strength} bits of strength against collisions; {algorithm} is meant "
                        f"to have {level} (FIPS 204, Section 5.4)"
                    ],
                )
                self.verify(f"--pre-hash {name}")
        self.verify(code=UNVERIFIED)

    def test_have_names_in_any_letter_case(self):
        self.sign("--pre-hash shake-256")
        self.verify("--pre-hash SHAKE256")
        self.verify("--pre-hash SHAKE128", code=UNVERIFIED)
        self.verify(
            "--pre-hash SHA-256",
            code=USAGE,
            error="--pre-hash: there is no SHA-256; did you mean SHA2-256?",
        )
        self.verify(
            "--pre-hash MD5",
            code=USAGE,
            error=re.compile(
                r"\A--pre-hash: there is no MD5; there are SHA2-224, .* and SHAKE256\Z"
            ),
        )


class ExternalMu(SigningTest):
    def test_stands_for_the_message_with_context_and_pre_hash(self):
        for options, other in (("", "--context c"), ("--context c --pre-hash SHA3-256", "")):
            self.girih(f"mu --public key.pub.pem --output mu --force {options} message")
            self.assertEqual(len(self.read("mu")), 64)
            self.sign("--mu --force", message="mu")
            self.verify(options)
            self.verify(other, code=UNVERIFIED)
            self.verify("--mu", message="mu")
            self.verify("--mu", message="-", input=self.read("mu"))
        for option, name in (("--context c", "context"), ("--pre-hash SHA3-256", "pre-hash")):
            self.verify(
                f"--mu {option}",
                message="mu",
                code=USAGE,
                error=f"--mu: the {name} is inside mu; give it when mu is made",
            )

    def test_has_64_bytes(self):
        for length, there in ((0, "0"), (63, "63"), (65, "more than 64")):
            self.write("mu", bytes(length))
            self.sign(
                "--mu", message="mu", code=FILE, error=f"mu: {there} bytes, where --mu needs 64"
            )


class Names(SigningTest):
    """The command line leaves the names of signatures out."""

    FILES = {"a": b"a", "b": b"b", "c": b"c", "folder/d": b"d"}

    def signs(self, *files, **options):
        return self.girih("sign --secret key.pem", *files, **options)

    def verifies(self, *words, **options):
        return self.girih("verify --public key.pub.pem", *words, **options)

    def test_are_beside_the_messages(self):
        self.signs("a", "b", "folder/d")
        for name in ("a", "b", "folder/d"):
            self.verifies("--signature", f"{name}.sig", name)
            self.verifies(name)
        self.verifies("--signature", "a.sig", "b", code=UNVERIFIED)

    def test_are_of_the_files_that_are_named(self):
        names = ["[a]", "[b,c]", "[", "-w", "--force"] + (
            [] if WINDOWS else ["\x01", "\x01[a]", "[]"]
        )
        for name in names:
            self.write(name, name.encode())
        there = self.names()
        self.signs("[a]", *(name for name in names if name[0] in "[\x01" and name != "[a]"))
        self.signs("a", "--", "-w", "--force")
        self.signs("--force", "--", "a", "[a]")
        self.assertEqual(
            self.names(), sorted([*there, "a.sig", *(name + ".sig" for name in names)])
        )
        for name in names:
            self.verifies("--", name)
        self.signs("--sums", "sums", "[a]")
        self.assertEqual(self.read("sums").decode().split()[1:], ["[a]"])

    def test_may_be_one_or_standard_output(self):
        self.signs("-o", "one", "a")
        self.verifies("--signature", "one", "a")
        self.write("a.sig", self.signs("-", input=b"a"))
        self.verifies("a")
        self.all_fail(
            USAGE,
            [
                (
                    "sign --secret key.pem -o one a b",
                    "--signature: one name for the signatures of 2 files; without it, each has its own",
                ),
                (
                    "verify -",
                    "--signature: not given, and standard input has no name to add .sig to",
                ),
            ],
        )

    def test_are_written_all_or_none(self):
        self.fails(FILE, f"nothing: {MISSING}", "sign --secret key.pem a nothing c")
        self.fails(FILE, f"nothing: {MISSING}", "sign --secret key.pem - nothing", input=b"a")
        self.write("b.sig", b"precious")
        self.fails(FILE, f"b.sig: {TAKEN}", "sign --secret key.pem a b c")
        self.signs("--force", "a", "b", "c")
        for name in "abc":
            self.verifies(name)

    def test_replace_no_message(self):
        self.write("a.sig", b"another message")
        self.all_fail(
            USAGE,
            [
                (
                    "sign --secret key.pem --force a a.sig",
                    "the signature of a and a.sig are the same file",
                ),
                (
                    "sign --secret key.pem --force a ./a",
                    "the signature of a and the signature of ./a are the same file",
                ),
            ],
        )


class SeveralKeys(CommandTest):
    """girih verify with several public keys: one of them is enough."""

    KEYS = {"a": "ML-DSA-44", "b": "ML-DSA-65", "c": "Falcon-512", "d": "Dilithium2"}
    FILES = MESSAGE

    def setUp(self):
        super().setUp()
        for name in self.KEYS:
            self.sign(secret=f"{name}.pem", signature=f"{name}.raw")
            self.sign("--text", secret=f"{name}.pem", signature=f"{name}.text")

    @staticmethod
    def keys(names):
        return "".join(f" --public {name}.pub.pem" for name in names)

    def test_find_the_one_that_signed(self):
        for name, algorithm in self.KEYS.items():
            for form, order in (("raw", "abcd"), ("raw", "dcba"), ("text", "abcd")):
                shown = self.girih(
                    f"verify{self.keys(order)} --signature {name}.{form} -",
                    input=MESSAGE["message"],
                )
                self.assertTrue(
                    shown.decode().startswith(
                        f"standard input: good {algorithm} signature by {name}.pub.pem\n"
                    )
                )

    def test_say_who_signed_or_that_none_did(self):
        self.fails(
            UNVERIFIED,
            "a.raw: the signature does not verify for message and b.pub.pem, c.pub.pem or d.pub.pem",
            f"verify{self.keys('bcd')} --signature a.raw message",
        )
        self.fails(
            UNVERIFIED,
            re.compile(
                r"\Aa.text: is by the key [0-9a-f]{64} of ML-DSA-44, which is not in "
                r"b.pub.pem or c.pub.pem\Z"
            ),
            f"verify{self.keys('bc')} --signature a.text message",
        )
        found = self.json(f"verify{self.keys('bc')} --signature a.raw message", code=UNVERIFIED)
        self.assertEqual([found["verified"], found["keys"]], [False, ["b.pub.pem", "c.pub.pem"]])
        found = self.json(f"verify{self.keys('ab')} --signature b.raw message")
        self.assertEqual(
            [found["public"], found["algorithm"], found["keys"]],
            ["b.pub.pem", "ML-DSA-65", ["a.pub.pem", "b.pub.pem"]],
        )

    def test_have_to_be_keys_all_of_them(self):
        self.fails(
            FILE, f"x.pub.pem: {MISSING}", f"verify{self.keys('ax')} --signature a.raw message"
        )


class StandardStreams(SigningTest):
    def test_carry_every_file_in_turn(self):
        pem = self.girih("keygen --alg ML-DSA-44 --secret - --public key.pub.pem --force")
        signature = self.sign(secret="-", signature="-", input=pem)
        self.verify(signature="-", input=signature)
        self.write("message.sig", signature)
        self.verify(public="-", input=self.read("key.pub.pem"))
        self.verify(message="-", input=self.read("message"))
        der = self.girih("convert - - --format der", input=pem)
        self.assertIn(b"kind           private key\n", self.girih("inspect -", input=der))
        self.fails(FILE, "standard input: the file is empty", "inspect -")
        self.all_fail(
            USAGE,
            [
                (line, ONCE)
                for line in (
                    "sign --secret - --signature x -",
                    "verify --public - --signature - m",
                    "mu --public - --output x -",
                    "verify --public - --public - --signature m m",
                )
            ],
        )


@not_on_windows("memory and terminals as Linux tells of them")
class LongMessages(SigningTest):
    BYTES = 48 << 20
    SIGN = "sign --secret key.pem - --force --signature "

    def memory_for(self, size):
        """While it signs so many bytes from a pipe."""
        with subprocess.Popen(
            ["head", "-c", str(size), "/dev/zero"], stdout=subprocess.PIPE
        ) as zeros:
            return self.memory(self.SIGN + "message.sig", stdin=zeros.stdout)

    def test_are_read_in_little_memory(self):
        empty = self.memory_for(0)
        self.assertLess(self.memory_for(self.BYTES), empty + (8 << 10))
        for size, code in ((self.BYTES, GOOD), (self.BYTES + 1, UNVERIFIED)):
            with open(self.folder / "message", "wb") as sparse:
                sparse.truncate(size)
            self.verify(code=code)

    def errors_of_a_slow_signature(self, terminal):
        """All that standard error shows while a message comes in pieces, a while apart."""
        own, theirs = pty.openpty() if terminal else os.pipe()
        process = subprocess.Popen(
            [COMMAND, *self.SIGN.split(), "/dev/null"],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        for seconds in [1.2] * 100 if terminal else [1.2, 0]:  # until something is shown
            process.stdin.write(bytes(1 << 20))
            process.stdin.flush()
            if select.select([own], [], [], seconds)[0]:
                break
        process.stdin.close()
        self.assertEqual(process.wait(), 0)
        return read_to_end(own)

    def test_show_progress_to_a_terminal_alone_and_erase_it(self):
        shown = self.errors_of_a_slow_signature(terminal=True)
        self.assertRegex(shown, rb"\A\r\x1b\[Kgirih: \d+\.\d MiB read")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)
        self.assertEqual(self.errors_of_a_slow_signature(terminal=False), b"")
