"""Encrypted private keys, and where their passphrases come from."""

import base64
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import termios
import unittest

from command import COMMAND, FILE, GOOD, USAGE, CommandTest, not_on_windows

try:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem
except ImportError:
    mldsa = None

WORDS = "correct horse"
WRONG = "the passphrase is wrong, or the encrypted key was changed"
KDFS = ["pbkdf2-sha256", "pbkdf2-sha512", "scrypt"]
DIGESTS = {"pbkdf2-sha256": "SHA256", "pbkdf2-sha512": "SHA512"}
MAKE = ["keygen", "--alg", "ML-DSA-44", "--secret", "key.pem", "--public", "key.pub.pem", "--encrypt"]


def shown_next(terminal):
    """What a terminal shows; nothing at its end."""
    try:
        return os.read(terminal, 1000)
    except OSError:  # the end, on Linux
        return b""


class EncryptionTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("words", f"{WORDS}\n".encode())
        self.write("other words", b"battery staple\r\nand what is no passphrase\n")

    def girih(self, *arguments, **options):
        """Without the terminal that the tests may have been started on."""
        return super().girih(*arguments, start_new_session=True, **options)

    def encrypted(self, *extra, algorithm="ML-DSA-44", words="words", **options):
        self.keygen(algorithm, "--encrypt", "--passphrase-file", words, *extra, **options)


class Keys(EncryptionTest):
    def test_are_encrypted_and_read_again(self):
        for kdf in KDFS:
            for file_format in ("pem", "der"):
                with self.subTest(kdf=kdf, format=file_format):
                    self.encrypted("--kdf", kdf, "--format", file_format, "--force")
                    found = self.inspect("key.pem", "--passphrase-file", "words")
                    self.assertEqual((found["kind"], found["format"].lower(), found["form"]),
                                     ("private key", file_format, "seed"))
                    self.assertIn("AES-256-CBC", found["encryption"])
                    public = self.inspect("key.pub.pem")
                    self.assertEqual(public["fingerprint"], found["fingerprint"])
                    self.assertNotIn("encryption", public)

    def test_sign_and_decapsulate(self):
        self.encrypted()
        self.write("message")
        self.sign("--passphrase-file", "words")
        self.verify()
        self.encrypted("--force", algorithm="ML-KEM-512")
        self.encap()
        self.decap("--passphrase-file", "words")
        self.assertEqual(self.read("sent"), self.read("received"))

    def test_may_be_readable_by_others(self):
        self.encrypted()
        os.chmod(self.folder / "key.pem", 0o644)
        self.girih("inspect", "key.pem", "--passphrase-file", "words")

    def test_are_no_public_keys(self):
        self.encrypted()
        self.write("message")
        self.write("message.sig", b"")
        self.verify(public="key.pem", code=FILE)
        self.assertEqual(self.error, "key.pem: is a private key; --public needs a public key")

    def test_are_not_raw(self):
        self.fails(USAGE, "--encrypt: raw keys are not encrypted; PEM and DER keys are", "keygen", "--alg",
                   "ML-DSA-44", "--secret", "s", "--public", "p", "--format", "raw", "--encrypt",
                   "--passphrase-file", "words")

    def test_are_encrypted_only_if_asked_for(self):
        for extra in (["--passphrase-file", "words"], ["--kdf", "scrypt"]):
            self.fails(USAGE, "--encrypt: not given, and a passphrase or --kdf is", "keygen", "--alg",
                       "ML-DSA-44", "--secret", "s", "--public", "p", *extra)


class Passphrases(EncryptionTest):
    def test_are_the_first_line(self):
        self.encrypted(words="other words")
        for words in (b"battery staple", b"battery staple\n", b"battery staple\r\n", b"battery staple\nmore"):
            self.girih("inspect", "key.pem", "--passphrase-file", "-", input=words)
        for words in (b"", b"battery stapl", b"battery staple \n", b"\nbattery staple\n"):
            self.fails(FILE, f"key.pem: {WRONG}", "inspect", "key.pem", "--passphrase-file", "-", input=words)

    def test_may_come_after_a_byte_order_mark(self):
        self.encrypted()
        for end in ("", "\n", "\r\nmore"):
            self.girih("inspect", "key.pem", "--passphrase-file", "-", input=f"\ufeff{WORDS}{end}".encode())
        for encoding in ("utf-16-le", "utf-16-be"):
            self.write("words of 16 bits", f"\ufeff{WORDS}\r\n".encode(encoding))
            self.fails(FILE, "words of 16 bits: text in UTF-16, where girih reads UTF-8", "inspect", "key.pem",
                       "--passphrase-file", "words of 16 bits")
        self.write("long words", b"\xef\xbb\xbf" + b"w" * 1024 + b"\r\n")
        self.encrypted("--force", words="long words")
        self.girih("inspect", "key.pem", "--passphrase-file", "-", input=b"w" * 1024)

    @not_on_windows("descriptors that a program of Linux hands on")
    def test_come_from_a_descriptor(self):
        self.encrypted()
        reading, writing = os.pipe()
        os.write(writing, f"{WORDS}\nwhat follows".encode())
        os.close(writing)
        self.girih("inspect", "key.pem", "--passphrase-fd", reading, pass_fds=[reading])
        self.assertEqual(os.read(reading, 100), b"what follows")
        os.close(reading)
        for closed in ("3", "99"):  # 3 is what the key's file gets
            self.fails(FILE, f"file descriptor {closed}: Bad file descriptor", "inspect", "key.pem",
                       "--passphrase-fd", closed)

    def test_are_of_any_bytes(self):
        self.write("binary", bytes(range(128, 256)) + b"\n")
        self.encrypted(words="binary")
        self.girih("inspect", "key.pem", "--passphrase-file", "binary")

    def test_are_not_empty_where_they_encrypt(self):
        self.write("empty", b"\n")
        self.keygen("ML-DSA-44", "--encrypt", "--passphrase-file", "empty", code=FILE)
        self.assertEqual(self.error, "key.pem: the passphrase to encrypt with is empty")
        self.assertEqual(self.names(), ["empty", "other words", "words"])

    def test_have_at_most_1024_bytes(self):
        self.write("longest", b"x" * 1024 + b"\n")
        self.encrypted(words="longest")
        self.girih("inspect", "key.pem", "--passphrase-file", "-", input=b"x" * 1024 + b"\r\n")
        for words in (b"x" * 1025, b"x" * 1025 + b"\r\n", b"x" * 5000):
            self.write("too long", words)
            self.fails(FILE, "too long: the passphrase has more than 1024 bytes", "inspect", "key.pem",
                       "--passphrase-file", "too long")

    def test_are_needed(self):
        self.encrypted()
        self.fails(FILE, "key.pem: is an encrypted private key, which needs its passphrase, and there is no "
                   "terminal to ask for it on (--passphrase-file, --passphrase-fd)", "inspect", "key.pem")
        self.fails(FILE, "missing: No such file or directory", "inspect", "key.pem", "--passphrase-file",
                   "missing")

    def test_are_no_file_that_is_written_or_read_twice(self):
        self.fails(USAGE, "--secret and --passphrase-file are the same file", "keygen", "--alg", "ML-DSA-44",
                   "--secret", "words", "--public", "p", "--encrypt", "--passphrase-file", "words", "--force")
        self.fails(USAGE, "standard input (-) can be only one of the files that are read", "inspect", "-",
                   "--passphrase-fd", "0")

    def type(self, arguments, answers):
        """What a terminal shows while these lines are typed, and the exit code."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execv(COMMAND, [COMMAND, *arguments])
        shown = b""
        for answer in [*answers, None]:
            while True:
                got = shown_next(terminal)
                shown += got
                if not got or (answer is not None and shown.endswith(b": ")):
                    break
            if answer is not None:
                os.write(terminal, answer.encode())
        os.close(terminal)
        return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    @not_on_windows("a terminal")
    def test_are_typed_unseen(self):
        shown, code = self.type(MAKE, [f"{WORDS}\n", f"{WORDS}\n"])
        self.assertEqual(code, GOOD, shown)
        self.assertIn("new passphrase for key.pem: ", shown)
        self.assertIn("the same again: ", shown)
        self.assertNotIn("horse", shown)
        self.girih("inspect", "key.pem", "--passphrase-file", "words")
        shown, code = self.type(["inspect", "key.pem"], [f"{WORDS}\n"])
        self.assertEqual(code, GOOD, shown)
        self.assertIn("passphrase of key.pem: ", shown)
        self.assertNotIn("horse", shown)

    @not_on_windows("a terminal")
    def test_are_typed_twice_alike(self):
        shown, code = self.type(MAKE, ["one\n", "two\n"])
        self.assertEqual(code, FILE)
        self.assertIn("the two passphrases that were typed differ", shown)
        self.assertNotIn("key.pem", self.names())

    @not_on_windows("a terminal")
    def test_may_be_interrupted(self):
        self.encrypted()
        shown, code = self.type(["inspect", "key.pem"], ["corr\x03"])
        self.assertEqual(code, -2, shown)

    @not_on_windows("signals")
    def test_leave_the_terminal_as_it_was(self):
        self.encrypted()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1):
            with self.subTest(number.name):
                shell, terminal = pty.fork()
                if shell == 0:
                    os.chdir(self.folder)
                    signal.signal(number, lambda *_: None)  # which is for the command alone
                    code = os.spawnv(os.P_WAIT, COMMAND, [COMMAND, "inspect", "key.pem"])
                    os.write(1, b"shows" if termios.tcgetattr(0)[3] & termios.ECHO else b"hides")
                    os._exit(-code)
                shown = b""
                while not shown.endswith(b": ") and select.select([terminal], [], [], 20)[0]:
                    shown += os.read(terminal, 1000)
                self.assertFalse(termios.tcgetattr(terminal)[3] & termios.ECHO)
                os.killpg(shell, number)
                while got := shown_next(terminal):
                    shown += got
                os.close(terminal)
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), number, shown)
                self.assertIn(b"shows", shown)

    @not_on_windows("signals")
    def test_may_wait_for_a_stopped_command(self):
        """A stopped command leaves the terminal as it was, and asks again when it goes on."""
        self.encrypted()
        shell, terminal = pty.fork()
        if shell == 0:
            command = os.fork()
            if command == 0:  # a job of its own, as shells have it
                os.chdir(self.folder)
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpgrp())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execv(COMMAND, [COMMAND, "inspect", "key.pem"])
            status = os.waitpid(command, os.WUNTRACED)[1]
            shows = termios.tcgetattr(0)[3] & termios.ECHO != 0
            os.write(1, b"stopped: " if os.WIFSTOPPED(status) and shows else b"wrong: ")
            os.kill(command, signal.SIGCONT)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(command, 0)[1]) & 127)
        question = b"passphrase of key.pem: "
        shown = b""
        for asked, answer in enumerate((b"corr\x1a", f"{WORDS}\n".encode()), 1):
            while shown.count(question) < asked and select.select([terminal], [], [], 120)[0]:
                shown += os.read(terminal, 1000)
            self.assertEqual(shown.count(question), asked, shown)
            self.assertFalse(termios.tcgetattr(terminal)[3] & termios.ECHO)
            os.write(terminal, answer)
        while got := shown_next(terminal):
            shown += got
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]), GOOD, shown)
        self.assertIn(b"stopped: ", shown)
        self.assertNotIn(b"horse", shown)


class Convert(EncryptionTest):
    def test_keeps_the_encryption(self):
        self.encrypted("--kdf", "scrypt")
        self.girih("convert", "key.pem", "key.der", "--format", "der", "--passphrase-file", "words")
        found = self.inspect("key.der", "--passphrase-file", "words")
        self.assertTrue(found["encryption"].startswith("scrypt with N = 16384, r = 8 and p = 5"))

    def test_decrypts_if_asked_for(self):
        self.encrypted()
        self.girih("convert", "key.pem", "plain.pem", "--decrypt", "--passphrase-file", "words")
        self.assertNotIn("encryption", self.inspect("plain.pem"))
        self.girih("convert", "key.pem", "raw", "--decrypt", "--format", "raw", "--passphrase-file", "words")
        self.assertEqual(len(self.read("raw")), 32)
        self.fails(USAGE, "--format: raw keys are not encrypted; --decrypt writes the key as it is", "convert",
                   "key.pem", "raw2", "--format", "raw", "--passphrase-file", "words")
        self.fails(USAGE, "--decrypt: plain.pem is not encrypted", "convert", "plain.pem", "again", "--decrypt")

    def test_changes_the_passphrase(self):
        self.encrypted()
        self.girih("convert", "key.pem", "new.pem", "--encrypt", "--kdf", "pbkdf2-sha512", "--passphrase-file",
                   "words", "--new-passphrase-file", "other words")
        self.fails(FILE, f"new.pem: {WRONG}", "inspect", "new.pem", "--passphrase-file", "words")
        found = self.inspect("new.pem", "--passphrase-file", "other words")
        self.assertIn("HMAC-SHA-512, 210000 iterations", found["encryption"])
        self.fails(USAGE, "--new-passphrase-file: is empty (see girih convert --help)", "convert", "key.pem", "newer.pem",
                   "--encrypt", "--passphrase-file", "words", "--new-passphrase-file", "")

    def test_encrypts_a_plain_key(self):
        self.keygen()
        self.girih("convert", "key.pem", "new.pem", "--encrypt", "--new-passphrase-file", "words")
        self.girih("inspect", "new.pem", "--passphrase-file", "words")
        self.fails(USAGE, "--encrypt: not given, and a new passphrase or --kdf is", "convert", "key.pem", "n",
                   "--new-passphrase-file", "words")

    def test_takes_the_public_half_of_an_encrypted_key(self):
        self.encrypted()
        self.girih("convert", "key.pem", "public.pem", "--public-only", "--passphrase-file", "words")
        self.assertEqual(self.read("public.pem"), self.read("key.pub.pem"))
        self.fails(USAGE, "--encrypt, --decrypt: no private key is written", "convert", "key.pub.pem", "n",
                   "--encrypt")


class OtherPrograms(EncryptionTest):
    @unittest.skipUnless(mldsa, "Python's cryptography has no ML-DSA here")
    def test_cryptography_reads_and_is_read(self):
        passphrase = WORDS.encode()
        for algorithm, kind in (("ML-DSA-65", mldsa.MLDSA65PrivateKey), ("ML-KEM-768", mlkem.MLKEM768PrivateKey)):
            for kdf in KDFS:
                with self.subTest(algorithm=algorithm, kdf=kdf):
                    self.encrypted("--kdf", kdf, "--force", algorithm=algorithm)
                    key = serialization.load_pem_private_key(self.read("key.pem"), passphrase)
                    public = key.public_key().public_bytes(serialization.Encoding.PEM,
                                                           serialization.PublicFormat.SubjectPublicKeyInfo)
                    self.assertEqual(public, self.read("key.pub.pem"))
            self.write("theirs.pem", kind.generate().private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                serialization.BestAvailableEncryption(passphrase)))
            self.assertEqual(self.inspect("theirs.pem", "--passphrase-file", "words")["algorithm"], algorithm)

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_openssl_decrypts_the_content(self):
        """Of an algorithm that this openssl does not know, by its kdf and enc."""
        for kdf, digest in DIGESTS.items():
            self.encrypted("--kdf", kdf, "--force")
            self.girih("convert", "key.pem", "plain.der", "--decrypt", "--format", "der", "--force",
                       "--passphrase-file", "words")
            der = base64.b64decode("".join(self.read("key.pem").decode().splitlines()[1:-1]))
            listing = subprocess.run(["openssl", "asn1parse", "-inform", "DER"], input=der, capture_output=True,
                                     check=True).stdout.decode()
            salt, iv, content = re.findall(r"OCTET STRING +\[HEX DUMP\]:([0-9A-F]+)", listing)
            iterations = int(re.search(r"INTEGER +:([0-9A-F]+)", listing)[1], 16)
            self.assertIn(f"hmacWith{digest}", listing)
            key = subprocess.run(["openssl", "kdf", "-keylen", "32", "-kdfopt", f"digest:{digest}", "-kdfopt",
                                  f"pass:{WORDS}", "-kdfopt", f"hexsalt:{salt}", "-kdfopt", f"iter:{iterations}",
                                  "PBKDF2"], capture_output=True, check=True).stdout.decode()
            plain = subprocess.run(["openssl", "enc", "-d", "-aes-256-cbc", "-K", key.strip().replace(":", ""),
                                    "-iv", iv], input=bytes.fromhex(content), capture_output=True, check=True)
            self.assertEqual(plain.stdout, self.read("plain.der"))


if __name__ == "__main__":
    unittest.main()
