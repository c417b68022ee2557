"""Runs the girih command that GIRIH_COMMAND names, in a folder of its own."""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GIRIH_COMMAND"]
# Whether it is a program of Windows, and is run by Wine.
WINDOWS = "GIRIH_ON_WINDOWS" in os.environ
VECTORS = os.environ.get("GIRIH_VECTORS")
NOBODY = 65534

GOOD, UNVERIFIED, USAGE, FILE = 0, 1, 2, 3
BOARD = os.environ.get("GIRIH_BOARD")
MISSING = "No such file or directory"
TAKEN = "exists already; --force replaces it"
ONCE = "standard input (-) can be only one of the files that are read"
UTF16 = "text in UTF-16, where girih reads UTF-8"
OPEN_KEY = (
    "is a private key that others besides its owner can use (permissions {}); chmod go= ends that"
)
CERTIFICATE = (
    "is a certificate, of which only the key is used; its own signature and dates are not checked"
)
MESSAGE = {"message": b"a message\n"}

# The command would inherit that nohup, or a shell that has put the tests behind, ignores them.
for ignored, handler in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGQUIT, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
):
    signal.signal(ignored, handler)

# The bytes of signatures (Falcon's at most) and of ciphertexts.
SIGNATURES = {
    "ML-DSA-44": 2420,
    "ML-DSA-65": 3309,
    "ML-DSA-87": 4627,
    "Dilithium2": 2420,
    "Dilithium3": 3293,
    "Dilithium5": 4595,
    "Falcon-512": 752,
    "Falcon-1024": 1462,
    "Falcon-padded-512": 666,
    "Falcon-padded-1024": 1280,
    "Falcon-CT-512": 809,
    "Falcon-CT-1024": 1577,
}
CIPHERTEXTS = {
    "ML-KEM-512": 768,
    "ML-KEM-768": 1088,
    "ML-KEM-1024": 1568,
    "sntrup653": 897,
    "sntrup761": 1039,
    "sntrup857": 1184,
    "sntrup953": 1349,
    "sntrup1013": 1455,
    "sntrup1277": 1847,
    "ntrulpr653": 1025,
    "ntrulpr761": 1167,
    "ntrulpr857": 1312,
    "ntrulpr953": 1477,
    "ntrulpr1013": 1583,
    "ntrulpr1277": 1975,
}

# A key of ML-DSA-44 whose passphrase is WORDS, and which is decrypted in one iteration.
WORDS = b"correct horse"
LOCKED_KEY = b"""-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGiMF4GCSqGSIb3DQEFDTBRMDAGCSqGSIb3DQEFDDAjBBAAAQIDBAUGBwgJCgsM
DQ4PAgEBMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBAQERITFBUWFxgZGhsc
HR4fBECuJrnmuNaAecA/Sy9YpJ+vGWpaaqsF2RzathqPODt7FlXx3haSvU60s4ha
PTp8wXxuFKrg5+CHkXIYiCpMIwAj
-----END ENCRYPTED PRIVATE KEY-----
"""
LOCKED = {"locked.pem": LOCKED_KEY, "words": WORDS + b"\n"}


def not_on_windows(needed):
    return unittest.skipIf(WINDOWS, f"needs {needed}")


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"there is no {program}")


def flipped(content, at):
    """With one bit of the byte at this place flipped."""
    changed = bytearray(content)
    changed[at] ^= 1
    return bytes(changed)


def peak_memory(process):
    """KiB, at its highest, when it has ended."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss


def read_to_end(own):
    """All that a pipe or a terminal was sent, whose other end is closed: it may come in pieces, and
    late. Closes it."""
    text = b""
    try:
        while piece := os.read(own, 1 << 16):
            text += piece
    except OSError:  # the end of a terminal, on Linux
        pass
    os.close(own)
    return text


class CommandTest(unittest.TestCase):
    KEYS = {}  # NAME.pem and NAME.pub.pem, by their algorithm: there from the start
    FILES = {}  # their contents
    made = {}  # keys that another test has as well

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="girih-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, algorithm in self.KEYS.items():
            self.have_key(algorithm, name)
        for name, content in self.FILES.items():
            self.write(name, content)

    def have_key(self, algorithm="ML-DSA-44", name="key"):
        secret, public = f"{name}.pem", f"{name}.pub.pem"
        if (algorithm, name) not in self.made:
            self.keygen(algorithm + " --force", secret=secret, public=public)
            self.made[algorithm, name] = self.read(secret), self.read(public)
        self.write(secret, self.made[algorithm, name][0])
        self.write(public, self.made[algorithm, name][1])
        (self.folder / secret).chmod(0o600)

    def run_command(self, line, *more, program=(COMMAND,), **options):
        """The words of a line, and arguments that are taken as they are."""
        if "stdin" not in options:
            options.setdefault("input", b"")
        words = [word if isinstance(word, bytes) else str(word) for word in (*line.split(), *more)]
        options = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "start_new_session": True,
            **options,
        }
        return subprocess.run([*program, *words], cwd=self.folder, timeout=120, **options)

    def state(self):
        """All files in the folder, as they were left by who wrote them last."""
        paths = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(self.folder)
            for name in names
        ]
        return {
            path: (at.st_ino, at.st_size, at.st_mtime_ns)
            for path in paths
            for at in [os.lstat(path)]
        }

    def girih(self, line, *more, code=GOOD, error=None, warnings=(), **options):
        """Runs it, checks the exit code and standard error (these warnings, and one line if it
        fails, which touches no file), and returns what came out on standard output."""
        before = self.state()
        run = self.run_command(line, *more, **options)
        self.judge(run, code, warnings)
        if code != GOOD:
            self.assertEqual(self.state(), before)
        if isinstance(error, re.Pattern):
            self.assertRegex(self.error, error, run.args)
        elif error is not None:
            self.assertEqual(self.error, error, run.args)
        return run.stdout

    def judge(self, run, code, warnings=()):
        self.assertEqual(run.returncode, code, f"{run.args}: {run.stderr.decode(errors='replace')}")
        text = run.stderr.decode()
        self.assertTrue(text.replace("\n", "").isprintable(), ascii(text))
        name = "girih-board: " if run.args[0] == BOARD else "girih: "
        warning = name + "warning: "
        lines = text.splitlines()
        told = [line[len(warning) :] for line in lines if line.startswith(warning)]
        self.assertEqual(told, list(warnings))
        rest = [line for line in lines if not line.startswith(warning)]
        if code == GOOD:
            self.assertEqual(rest, [])
        else:
            self.assertRegex("\n".join(rest), rf"\A{name}[^\n]*\Z", "one line on standard error")
            self.error = rest[0][len(name) :]

    def fails(self, code, message, line, *more, **options):
        """Runs what has to fail with this message, and nothing on standard output."""
        self.assertFalse(self.girih(line, *more, code=code, error=message, **options))

    def all_fail(self, code, cases, **options):
        """Cases are a command line and its message."""
        for line, message in cases:
            self.fails(code, message, line, **options)

    def on_terminal(self, run, line, stream="stdout", **options):
        """All that a terminal, named TTY in the line, gets as this stream of the command."""
        own, terminal = pty.openpty()
        run(line.replace("TTY", os.ttyname(terminal)), **{stream: terminal}, **options)
        os.close(terminal)
        return read_to_end(own).replace(b"\r\n", b"\n")

    def json(self, line, *more, **options):
        return json.loads(self.girih(line + " --json", *more, **options))

    def as_nobody(self, line, *more, **options):
        """Runs a copy of it, as somebody who owns nothing."""
        os.chmod(self.folder, 0o755)
        with tempfile.TemporaryDirectory(prefix="girih-") as folder:
            os.chmod(folder, 0o755)
            copy = shutil.copy(COMMAND, folder)
            return self.girih(line, *more, program=[copy], user=NOBODY, **options)

    def memory(self, line, **streams):
        """KiB, at its highest, of a command that ends well."""
        process = subprocess.Popen([COMMAND, *line.split()], cwd=self.folder, **streams)
        memory = peak_memory(process)
        self.assertEqual(process.returncode, GOOD)
        return memory

    def write(self, name, content=b"a message\n"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(content)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def names(self, folder="."):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    # ---- Subcommands, with the names of files that most tests use

    def keygen(self, line="ML-DSA-44", secret="key.pem", public="key.pub.pem", **options):
        algorithm = line.split()[0]
        if algorithm.startswith("Falcon-CT") and "raw" not in line:
            options["warnings"] = [
                f"the key's files say {algorithm.replace('CT-', '')}: "
                f'give "--alg {algorithm}" wherever they are read'
            ]
        return self.girih(f"keygen --alg {line} --secret", secret, "--public", public, **options)

    def inspect(self, line, *more, **options):
        return self.json("inspect " + line, *more, **options)

    def sign(
        self, line="", secret="key.pem", signature="message.sig", message="message", **options
    ):
        return self.girih(
            f"sign {line} --secret", secret, "--signature", signature, message, **options
        )

    def verify(
        self, line="", public="key.pub.pem", signature="message.sig", message="message", **options
    ):
        return self.girih(
            f"verify {line} --public", public, "--signature", signature, message, **options
        )

    def encap(
        self, line="", public="kem.pub.pem", ciphertext="ct", shared_secret="sent", **options
    ):
        return self.girih(
            f"encap {line} --public",
            public,
            "--ciphertext",
            ciphertext,
            "--shared-secret",
            shared_secret,
            **options,
        )

    def decap(
        self, line="", secret="kem.pem", ciphertext="ct", shared_secret="received", **options
    ):
        return self.girih(
            f"decap {line} --secret",
            secret,
            "--ciphertext",
            ciphertext,
            "--shared-secret",
            shared_secret,
            **options,
        )

    def assert_shared(self):
        """Both have the shared secret."""
        self.assertEqual(self.read("sent"), self.read("received"))
