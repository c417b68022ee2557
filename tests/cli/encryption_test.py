"""Encrypted private keys, and where their passphrases come from."""

import contextlib
import os
import pty
import select
import signal
import termios
import unittest

from command import (
    COMMAND,
    FILE,
    GOOD,
    LOCKED,
    MISSING,
    ONCE,
    USAGE,
    UTF16,
    WORDS,
    CommandTest,
    not_on_windows,
)

try:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import mldsa
except ImportError:
    mldsa = None

WRONG = "the passphrase is wrong, or the encrypted key was changed"
LONGEST = bytes(range(128, 256)) * 8  # of any bytes
KEYGEN = "keygen --alg ML-DSA-44 --secret s --public p "
LOCK = " --encrypt --kdf scrypt --new-passphrase-file "  # what takes least time
OPEN = "inspect locked.pem --passphrase-file "


class EncryptionTest(CommandTest):
    FILES = LOCKED


class Keys(EncryptionTest):
    def test_are_encrypted_and_read_again(self):
        for line, kdf, told in (
            (
                "ML-DSA-65 --format pem",
                "pbkdf2-sha256",
                "HMAC-SHA-256, 600000 iterations, and AES-256-CBC",
            ),
            (
                "ML-KEM-768 --format pem",
                "pbkdf2-sha512",
                "HMAC-SHA-512, 210000 iterations, and AES-256-CBC",
            ),
            (
                "ML-DSA-44 --format der",
                "scrypt",
                r"\Ascrypt with N = 16384, r = 8 and p = 5, and AES-256-CBC",
            ),
        ):
            self.keygen(f"{line} --encrypt --kdf {kdf} --passphrase-file words --force")
            found = self.inspect("key.pem --passphrase-file words")
            self.assertEqual(
                [found["kind"], found["form"], found["format"].lower()],
                ["private key", "seed", line.split()[-1]],
            )
            self.assertRegex(found["encryption"], told)
            public = self.inspect("key.pub.pem")
            self.assertEqual(public["fingerprint"], found["fingerprint"])
            self.assertNotIn("encryption", public)
            if mldsa:
                content = self.read("key.pem")
                encoding, load = (
                    (serialization.Encoding.PEM, serialization.load_pem_private_key)
                    if b"-----" in content
                    else (serialization.Encoding.DER, serialization.load_der_private_key)
                )
                theirs = (
                    load(content, WORDS)
                    .public_key()
                    .public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
                )
                self.assertEqual(theirs, self.read("key.pub.pem"))

    @unittest.skipUnless(mldsa, "Python's cryptography has no ML-DSA here")
    def test_of_cryptography_are_read(self):
        self.write(
            "theirs.pem",
            mldsa.MLDSA65PrivateKey.generate().private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.BestAvailableEncryption(WORDS),
            ),
        )
        self.assertEqual(
            self.inspect("theirs.pem --passphrase-file words")["algorithm"], "ML-DSA-65"
        )

    def test_sign_and_decapsulate_and_may_be_readable_by_others(self):
        self.write("message")
        os.chmod(self.folder / "locked.pem", 0o644)
        self.girih("convert --public-only locked.pem key.pub.pem --passphrase-file words")
        self.sign("--passphrase-file words", secret="locked.pem")
        self.verify()
        self.have_key("ML-KEM-512", "kem")
        self.girih(f"convert kem.pem locked.kem{LOCK}words")
        self.encap()
        self.decap("--passphrase-file words", secret="locked.kem")
        self.assert_shared()

    def test_are_encrypted_where_that_is_asked_for_and_possible(self):
        not_given = "--encrypt: not given, but a passphrase or --kdf is"
        self.all_fail(
            USAGE,
            [
                (
                    KEYGEN + "--format raw --encrypt --passphrase-file words",
                    "--encrypt: raw keys are not encrypted; PEM and DER keys are",
                ),
                (KEYGEN + "--passphrase-file words", not_given),
                (KEYGEN + "--kdf scrypt", not_given),
            ],
        )
        self.fails(
            FILE,
            "locked.pem: is a private key; --public needs a public key",
            "verify --public locked.pem --signature words words",
        )


class Passphrases(EncryptionTest):
    def test_are_the_first_line(self):
        for words in (
            WORDS,
            WORDS + b"\n",
            WORDS + b"\r\n",
            WORDS + b"\nmore",
            b"\xef\xbb\xbf" + WORDS,
            b"\xef\xbb\xbf" + WORDS + b"\r\nmore",
        ):
            self.girih(OPEN + "-", input=words)
        for words in (b"", WORDS[:-1], WORDS + b" \n", b"\n" + WORDS):
            self.fails(FILE, f"locked.pem: {WRONG}", OPEN + "-", input=words)
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("16 bits", "\ufeffcorrect horse\r\n".encode(encoding))
            self.fails(FILE, f"16 bits: {UTF16}", OPEN.strip(), "16 bits")

    def test_have_at_most_1024_bytes_of_any_value(self):
        self.write("longest", b"\xef\xbb\xbf" + LONGEST + b"\r\n")
        self.girih(f"convert locked.pem long.pem --passphrase-file words{LOCK}longest")
        self.girih("inspect long.pem --passphrase-file -", input=LONGEST + b"\r\n")
        for words in (LONGEST + b"x", LONGEST + b"x\r\n", 5 * LONGEST):
            self.write("long", words)
            self.fails(FILE, "long: the passphrase has more than 1024 bytes", OPEN + "long")

    @not_on_windows("descriptors that a program of Linux hands on")
    def test_come_from_a_descriptor(self):
        reading, writing = os.pipe()
        os.write(writing, WORDS + b"\nwhat follows")
        os.close(writing)
        self.girih("inspect locked.pem --passphrase-fd", reading, pass_fds=[reading])
        self.assertEqual(os.read(reading, 100), b"what follows")
        os.close(reading)
        for closed in ("3", "99"):  # 3 is what the key's file gets
            self.fails(
                FILE,
                f"file descriptor {closed}: Bad file descriptor",
                "inspect locked.pem --passphrase-fd",
                closed,
            )

    def test_are_needed_and_are_no_file_that_is_written_or_read_twice(self):
        self.write("empty", b"\n")
        self.all_fail(
            FILE,
            [
                (
                    "inspect locked.pem",
                    "locked.pem: is an encrypted private key, which needs its passphrase, but there is "
                    "no terminal to ask for it on (--passphrase-file, --passphrase-fd)",
                ),
                (OPEN + "missing", f"missing: {MISSING}"),
                (
                    KEYGEN + "--encrypt --passphrase-file empty",
                    "s: the passphrase to encrypt with is empty",
                ),
            ],
        )
        self.all_fail(
            USAGE,
            [
                (
                    "keygen --alg ML-DSA-44 --secret words --public p --encrypt --passphrase-file words --force",
                    "--secret and --passphrase-file are the same file",
                ),
                ("inspect - --passphrase-fd 0", ONCE),
            ],
        )


class Convert(EncryptionTest):
    def test_keeps_the_encryption_and_ends_or_begins_it_if_asked_for(self):
        self.girih("convert locked.pem locked.der --format der --passphrase-file words")
        found = self.inspect("locked.der --passphrase-file words")
        self.assertEqual(
            [found["format"], found["encryption"]],
            ["DER", "PBKDF2 with HMAC-SHA-256, 1 iterations, and AES-256-CBC"],
        )
        self.girih("convert locked.pem plain.pem --decrypt --passphrase-file words")
        self.assertNotIn("encryption", self.inspect("plain.pem"))
        self.girih("convert locked.pem raw --decrypt --format raw --passphrase-file words")
        self.assertEqual(self.read("raw"), bytes(32))
        self.girih(f"convert plain.pem again.pem{LOCK}words")
        self.girih("inspect again.pem --passphrase-file words")
        self.girih("convert locked.pem public.pem --public-only --passphrase-file words")
        self.assertEqual(self.read("public.pem"), self.girih("convert --public-only plain.pem -"))
        self.all_fail(
            USAGE,
            [
                (
                    "convert locked.pem n --format raw --passphrase-file words",
                    "--format: raw keys are not encrypted; --decrypt writes the key as it is",
                ),
                ("convert plain.pem n --decrypt", "--decrypt: plain.pem is not encrypted"),
                (
                    "convert plain.pem n --new-passphrase-file words",
                    "--encrypt: not given, but a new passphrase or --kdf is",
                ),
                (
                    "convert public.pem n --encrypt",
                    "--encrypt, --decrypt: no private key is written",
                ),
            ],
        )

    def test_changes_the_passphrase(self):
        self.write("others", b"battery staple\r\nand what is no passphrase\n")
        self.girih(f"convert locked.pem new.pem --passphrase-file words{LOCK}others")
        self.fails(FILE, f"new.pem: {WRONG}", "inspect new.pem --passphrase-file words")
        found = self.inspect("new.pem --passphrase-file others")
        self.assertTrue(found["encryption"].startswith("scrypt"))
        self.fails(
            USAGE,
            "--new-passphrase-file: is empty (see girih convert --help)",
            "convert locked.pem n --encrypt --passphrase-file words --new-passphrase-file",
            "",
        )


@contextlib.contextmanager
def started(child, folder):
    """A process on a terminal of its own that runs `child`: its number, and the terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        child()
        os._exit(99)
    try:
        yield process, terminal
    finally:
        os.close(terminal)


def code_of(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def hides(terminal):
    return not termios.tcgetattr(terminal)[3] & termios.ECHO


@not_on_windows("a terminal")
class Terminals(EncryptionTest):
    @staticmethod
    def shown(terminal, until=None):
        """All that a terminal shows, to its end, or until it ends in this."""
        shown = b""
        with contextlib.suppress(OSError):  # the end, on Linux
            while (
                not (until and shown.endswith(until)) and select.select([terminal], [], [], 120)[0]
            ):
                if not (piece := os.read(terminal, 1000)):
                    break
                shown += piece
        return shown

    def type(self, line, *answers):
        """All that a terminal shows while these lines are typed, and the exit code."""
        shown = b""
        with started(lambda: os.execv(COMMAND, [COMMAND, *line.split()]), self.folder) as (
            process,
            terminal,
        ):
            for answer in answers:
                shown += self.shown(terminal, b": ") + b"|"
                os.write(terminal, answer)
            shown += self.shown(terminal)
            return shown.decode(), code_of(process)

    def test_hide_what_is_typed(self):
        shown, code = self.type(KEYGEN + "--encrypt --kdf scrypt", WORDS + b"\n", WORDS + b"\n")
        self.assertEqual(code, GOOD, shown)
        self.assertRegex(shown, r"\Anew passphrase for s: \|\s*the same again: \|\s*\Z")
        self.girih("inspect s --passphrase-file words")
        shown, code = self.type("inspect locked.pem", WORDS + b"\n")
        self.assertEqual(code, GOOD, shown)
        self.assertRegex(shown, r"\Apassphrase of locked.pem: \|\s*file ")
        self.assertNotIn("horse", shown)

    def test_ask_twice_for_a_new_passphrase_and_may_interrupt(self):
        shown, code = self.type(KEYGEN + "--encrypt", b"one\n", b"two\n")
        self.assertEqual(code, FILE)
        self.assertIn("the two passphrases that were typed differ", shown)
        self.assertEqual(self.names(), ["locked.pem", "words"])
        self.assertEqual(self.type("inspect locked.pem", b"corr\x03")[1], -signal.SIGINT)

    def test_are_left_as_they_were(self):
        def shell():
            signal.signal(number, lambda *_: None)  # which is for the command alone
            code = os.spawnv(os.P_WAIT, COMMAND, [COMMAND, "inspect", "locked.pem"])
            os.write(1, b"hides" if hides(0) else b"shows")
            os._exit(-code)

        for number in (
            signal.SIGTERM,
            signal.SIGHUP,
            signal.SIGQUIT,
            signal.SIGALRM,
            signal.SIGUSR1,
        ):
            with self.subTest(number.name), started(shell, self.folder) as (process, terminal):
                self.shown(terminal, b": ")
                self.assertTrue(hides(terminal))
                os.killpg(process, number)
                shown = self.shown(terminal)
                self.assertEqual(code_of(process), number, shown)
                self.assertIn(b"shows", shown)

    def test_are_left_by_a_stopped_command_which_asks_again_when_it_goes_on(self):
        def shell():
            command = os.fork()
            if command == 0:  # a job of its own, as shells have it
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpgrp())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execv(COMMAND, [COMMAND, "inspect", "locked.pem"])
            status = os.waitpid(command, os.WUNTRACED)[1]
            os.write(1, b"stopped: " if os.WIFSTOPPED(status) and not hides(0) else b"wrong: ")
            os.kill(command, signal.SIGCONT)
            os._exit(code_of(command) & 127)

        shown = b""
        with started(shell, self.folder) as (process, terminal):
            for answer in (b"corr\x1a", WORDS + b"\n"):
                shown += self.shown(terminal, b"passphrase of locked.pem: ")
                self.assertTrue(hides(terminal), shown)
                os.write(terminal, answer)
            shown += self.shown(terminal)
            self.assertEqual(code_of(process), GOOD, shown)
        self.assertEqual(shown.count(b"passphrase of locked.pem: "), 2, shown)
        self.assertIn(b"stopped: ", shown)
        self.assertNotIn(b"horse", shown)
