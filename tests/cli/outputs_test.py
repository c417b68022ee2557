"""Outputs are opened before inputs are read, written over no input, complete or not at all, and
terminals are shown text."""

import os
import re
import signal
import subprocess
import time
import unittest

from command import (
    COMMAND,
    FILE,
    MESSAGE,
    MISSING,
    NOBODY,
    TAKEN,
    USAGE,
    WINDOWS,
    CommandTest,
    not_on_windows,
)

AS_ROOT = unittest.skipUnless(not WINDOWS and os.getuid() == 0, "needs to become somebody else")
KEYS = {"key": "ML-DSA-44", "kem": "sntrup761"}
SIGN = "sign --secret key.pem --signature "
KEYGEN = ["keygen", "--alg", "ML-DSA-44"]


class Unwritable(CommandTest):
    """Unwritable outputs are told before anything is read: here the input is a pipe that
    nobody ever writes."""

    KEYS = KEYS
    FILES = {"taken": b"precious", "folder/file": b""}

    def setUp(self):
        super().setUp()
        self.pipe, unwritten = os.pipe()
        self.addCleanup(os.close, self.pipe)
        self.addCleanup(os.close, unwritten)

    def told_at_once(self, message, line, **streams):
        self.fails(FILE, message, line, stdin=self.pipe, **streams)

    def test_files_are_told_before_the_message_is_read(self):
        for line in (
            "keygen --alg ML-DSA-44 --secret taken --public new",
            "convert --public-only - taken",
            "keygen --alg ML-DSA-44 --secret new --public taken",
            SIGN + "taken -",
            "mu --public key.pub.pem --output taken -",
            "decap --secret kem.pem --ciphertext - --shared-secret taken",
            # Before a key is read, too, for which a passphrase may be asked.
            "sign --secret - --signature taken key.pem",
            "mu --public - --output taken key.pem",
            "encap --public - --ciphertext taken --shared-secret new",
            "encap --public - --ciphertext new --shared-secret taken",
            "decap --secret - --ciphertext key.pem --shared-secret taken",
            "convert - taken",
        ):
            self.told_at_once(f"taken: {TAKEN}", line)
        refused = [("nowhere/file", MISSING), ("folder", "is a directory")]
        if not WINDOWS:
            refused += [
                ("taken/file", "Not a directory"),
                ("x" * 300, "File name too long"),
                ("/proc/version", TAKEN),
                ("/proc/file", MISSING),
            ]
        for path, why in refused:
            self.told_at_once(f"{path}: {why}", f"{SIGN}{path} -")

    @not_on_windows("a device that Linux opened for reading alone")
    def test_standard_output_is_told_before_the_message_is_read(self):
        with open(os.devnull, "rb") as unwritable:
            self.told_at_once(
                "/dev/stdout: Bad file descriptor", SIGN + "/dev/stdout -", stdout=unwritable
            )
            for line in (
                SIGN + "- -",
                "verify --public key.pub.pem --signature taken -",
                "verify --manifest -",
                # These report at their end: they fail before there are files.
                "keygen --alg ML-DSA-44",
                "sign --json --secret key.pem taken",
            ):
                self.told_at_once(
                    "standard output: Bad file descriptor",
                    line,
                    stdout=unwritable,
                    env={**os.environ, "GIRIH_KEYS": str(self.folder)},
                )

    @AS_ROOT
    def test_folders_of_others_are_told_before_the_message_is_read(self):
        os.chown(self.folder / "key.pem", NOBODY, NOBODY)
        self.as_nobody(SIGN + "new -", stdin=self.pipe, code=FILE, error="new: Permission denied")

    def test_a_command_that_is_killed_while_it_reads_leaves_nothing(self):
        before = self.state()
        with subprocess.Popen(
            [COMMAND, *SIGN.split(), "new", "-"], stdin=subprocess.PIPE, cwd=self.folder
        ) as process:
            process.stdin.write(bytes(1 << 20))
            process.stdin.flush()
            process.kill()
        self.assertEqual(self.state(), before)


# The outputs and the inputs of each subcommand that has both, as messages call them.
SUBCOMMANDS = {
    "sign --secret {--secret} --signature {--signature} {MESSAGE}": (
        ["--signature"],
        {"--secret": "key.pem", "MESSAGE": "message"},
    ),
    "mu --public {--public} --output {--output} {MESSAGE}": (
        ["--output"],
        {"--public": "key.pub.pem", "MESSAGE": "message"},
    ),
    "encap --public {--public} --ciphertext {--ciphertext} --shared-secret {--shared-secret}": (
        ["--ciphertext", "--shared-secret"],
        {"--public": "kem.pub.pem"},
    ),
    "decap --secret {--secret} --ciphertext {--ciphertext} --shared-secret {--shared-secret}": (
        ["--shared-secret"],
        {"--secret": "kem.pem", "--ciphertext": "ct"},
    ),
    "convert {INPUT} {OUTPUT}": (["OUTPUT"], {"INPUT": "key.pem"}),
}


class SameFiles(CommandTest):
    """However the two are spelt."""

    KEYS = KEYS
    FILES = {**MESSAGE, "ct": b"", "there": b"", "folder/file": b""}

    def setUp(self):
        super().setUp()
        os.symlink(".", self.folder / "here")

    def spellings(self, name):
        """Through folders and, of a file that exists, links."""
        yield from (name, "./" + name, "folder/../" + name, "here/" + name, str(self.folder / name))
        if name in self.names():
            for link, made in ((os.symlink, "symbolic"), (os.link, "hard")):
                link(name if link is os.symlink else self.folder / name, self.folder / made)
                yield made
                os.unlink(self.folder / made)

    def refused(self, first, second, *words):
        self.fails(USAGE, f"{first} and {second} are the same file", "", *words, "--force")

    def test_of_an_input_and_an_output_are_refused(self):
        for line, (outputs, inputs) in SUBCOMMANDS.items():
            for option, output in ((option, output) for option in inputs for output in outputs):
                files = {**dict.fromkeys(outputs, "new"), **inputs, output: inputs[option]}
                self.refused(output, option, *line.format(**files).split())
        for spelling in self.spellings("message"):
            self.refused(
                "--signature",
                "MESSAGE",
                "sign",
                "--secret",
                "key.pem",
                "--signature",
                spelling,
                "message",
            )

    def test_of_two_outputs_are_refused(self):
        for name in ("new", "there"):
            for spelling in self.spellings(name):
                for one, other in ((name, spelling), (spelling, name)):
                    self.refused(
                        "--secret", "--public", *KEYGEN, "--secret", one, "--public", other
                    )
        self.refused("--secret", "--public", *KEYGEN, "--secret", "-", "--public", "-")
        self.refused(
            "--ciphertext",
            "--shared-secret",
            "encap",
            "--public",
            "kem.pub.pem",
            "--ciphertext",
            "new",
            "--shared-secret",
            "new",
        )

    @not_on_windows("the volume of a file that Linux opened, which Wine does not tell")
    def test_are_seen_through_standard_streams(self):
        with (
            open(self.folder / "message", "rb") as message,
            open(self.folder / "key.pem", "ab") as key,
        ):
            for name in ("-", "/dev/stdin", "/dev/fd/0"):
                self.fails(
                    USAGE,
                    "--signature and MESSAGE are the same file",
                    f"{SIGN}message {name} --force",
                    stdin=message,
                )
            for name in ("-", "/dev/stdout"):
                self.fails(
                    USAGE,
                    "--signature and --secret are the same file",
                    f"{SIGN}{name} message",
                    stdout=key,
                )
        self.refused("--secret", "--public", *KEYGEN, "--secret", "-", "--public", "/dev/stdout")

    def test_are_not_those_of_one_content(self):
        self.write("copy")
        self.sign("--force", signature="copy")
        self.verify(signature="copy")


@not_on_windows("signals and pipes with names")
class Interrupted(CommandTest):
    """While it waits for the reader of the last output, the others are complete, without names."""

    KEYS = {"key": "ML-DSA-44"}
    FILES = {"a": b"a", "b": b"b", "a.sig": b"precious"}

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "b.sig")

    def temporary(self):
        return [name for name in self.names() if name.startswith(".girih")]

    def is_complete(self):
        """One holds a signature; an empty one is the command's test of the folder, soon removed."""
        try:
            return [(self.folder / name).stat().st_size for name in self.temporary()] == [2420]
        except FileNotFoundError:
            return False

    def waiting(self):
        process = subprocess.Popen(
            [COMMAND, *"sign --secret key.pem --force a b".split()], cwd=self.folder
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for _ in range(12_000):
            if self.is_complete() or process.poll() is not None:
                break
            time.sleep(0.01)
        self.assertTrue(self.is_complete())
        return process

    def test_by_a_signal_it_leaves_nothing_and_replaces_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.waiting()
            process.send_signal(number)
            self.assertEqual(process.wait(120), -number)
            self.assertEqual((self.temporary(), self.read("a.sig")), ([], b"precious"))

    def test_without_one_it_goes_on(self):
        process = self.waiting()
        self.assertNotEqual(self.read("b.sig"), b"")
        self.assertEqual((process.wait(120), self.temporary()), (0, []))
        self.verify(signature="a.sig", message="a")


@AS_ROOT
class OfSomebodyElse(CommandTest):
    KEYS = {"kem": "ML-KEM-512"}
    FILES = {
        "own/ct": b"precious",
        "sticky/ss": b"precious",
    }  # of these, the second cannot be replaced

    def test_are_replaced_all_or_none(self):
        os.chmod(self.folder / "sticky", 0o1777)
        os.chmod(self.folder / "sticky/ss", 0o666)
        os.chown(self.folder / "own", NOBODY, NOBODY)
        for line in (
            "--ciphertext own/ct --shared-secret sticky/ss",
            "--ciphertext sticky/ss --shared-secret own/ct",
        ):
            self.as_nobody(
                "encap --public kem.pub.pem --force " + line,
                code=FILE,
                error="sticky/ss: Operation not permitted",
            )


@not_on_windows("a terminal")
class Terminals(CommandTest):
    KEYS = KEYS
    FILES = MESSAGE

    def setUp(self):
        super().setUp()
        self.encap()

    def shown(self, line, **options):
        return self.on_terminal(self.girih, line, **options)

    def test_are_sent_binary_by_force_alone(self):
        why = "is a terminal, but this is not text; --force writes it anyway"
        for line in (
            SIGN + "- message",
            "mu --public key.pub.pem --output - message",
            "encap --public kem.pub.pem --ciphertext - --shared-secret new",
            "encap --public kem.pub.pem --ciphertext new --shared-secret -",
            "decap --secret kem.pem --ciphertext ct --shared-secret -",
            "convert key.pem - --format der",
            "convert --public-only key.pem - --format raw",
            "keygen --alg ML-DSA-44 --secret - --public new --format raw",
        ):
            self.assertEqual(self.shown(line, code=FILE, error=f"standard output: {why}"), b"")
        for path, name in (("/dev/stdout", "/dev/stdout"), ("TTY", "/dev/pts/[0-9]+")):
            why_not = re.compile(rf"\A{name}: {re.escape(why)}\Z")
            self.assertEqual(self.shown(f"{SIGN}{path} message", code=FILE, error=why_not), b"")
        self.assertGreaterEqual(
            len(self.shown("mu --public key.pub.pem --output - message --force")), 64
        )

    def test_are_sent_text(self):
        for line in (
            "convert key.pem -",
            "convert --public-only key.pem /dev/stdout",
            "keygen --alg ML-DSA-44 --secret - --public new",
        ):
            self.assertIn(b"-----BEGIN P", self.shown(line))
