"""Runs the girih command that GIRIH_COMMAND names, in a folder of its own."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GIRIH_COMMAND"]
# Whether it is a program of Windows, and is run by Wine.
WINDOWS = "GIRIH_ON_WINDOWS" in os.environ
VECTORS = os.environ.get("GIRIH_VECTORS")

GOOD, UNVERIFIED, USAGE, FILE = 0, 1, 2, 3
WARNING = "girih: warning: "
OPEN_KEY = "is a private key that others than its owner can use (permissions {}); chmod go= ends that"
CERTIFICATE = "is a certificate, of which only the key is used; its own signature and dates are not checked"

ALGORITHMS = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Dilithium2", "Dilithium3", "Dilithium5"]
FALCONS = ["Falcon-512", "Falcon-1024", "Falcon-padded-512", "Falcon-padded-1024", "Falcon-CT-512", "Falcon-CT-1024"]
FALCON_SIGNATURE_BYTES = [752, 1462, 666, 1280, 809, 1577]
SIGNATURE_BYTES = [2420, 3309, 4627, 2420, 3293, 4595]
ML_KEMS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]
NTRU_PRIMES = [family + size for family in ("sntrup", "ntrulpr")
               for size in ("653", "761", "857", "953", "1013", "1277")]
KEMS = ML_KEMS + NTRU_PRIMES
CIPHERTEXT_BYTES = [768, 1088, 1568, 897, 1039, 1184, 1349, 1455, 1847, 1025, 1167, 1312, 1477, 1583, 1975]


def not_on_windows(needed):
    return unittest.skipIf(WINDOWS, f"needs {needed}")


def read_to_end(own):
    """What a pipe or a terminal was sent, whose other end is closed: it may come in pieces, and
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
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="girih-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def girih(self, *arguments, code=GOOD, warnings=(), input=b"", **options):
        """Runs it, checks the exit code and standard error (these warnings, and one line if it
        fails), and returns what came out on standard output."""
        run = subprocess.run([COMMAND, *(a if isinstance(a, bytes) else str(a) for a in arguments)], input=input, capture_output=True,
                             cwd=self.folder, timeout=120, **options)
        self.judge(run.returncode, code, run.stderr, warnings)
        return run.stdout

    def judge(self, returned, code, stderr, warnings=()):
        self.assertEqual(returned, code, stderr.decode(errors="replace"))
        text = stderr.decode()
        self.assertTrue(text.replace("\n", "").isprintable(), ascii(text))
        lines = text.splitlines()
        told = [line[len(WARNING):] for line in lines if line.startswith(WARNING)]
        self.assertEqual(told, list(warnings))
        rest = [line for line in lines if not line.startswith(WARNING)]
        if code == GOOD:
            self.assertEqual(rest, [])
        else:
            self.assertRegex("\n".join(rest), r"\Agirih: [^\n]*\Z", "one line on standard error")
            self.error = rest[0][len("girih: "):]

    def fails(self, code, message, *arguments, **options):
        """Runs what has to fail with this message, and nothing on standard output."""
        self.assertEqual(self.girih(*arguments, code=code, **options), b"")
        self.assertEqual(self.error, message)

    def write(self, name, content=b"a message\n"):
        (self.folder / name).write_bytes(content)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def keygen(self, algorithm="ML-DSA-44", *extra, secret="key.pem", public="key.pub.pem", **options):
        if algorithm.startswith("Falcon-CT") and "raw" not in extra:
            options["warnings"] = [f"the key's files say {algorithm.replace('CT-', '')}: "
                                   f"give \"--alg {algorithm}\" wherever they are read"]
        self.girih("keygen", "--alg", algorithm, "--secret", secret, "--public", public, *extra, **options)

    def inspect(self, *arguments, **options):
        return json.loads(self.girih("inspect", "--json", *arguments, **options))

    def sign(self, *extra, secret="key.pem", signature="message.sig", message="message", **options):
        return self.girih("sign", "--secret", secret, "--signature", signature, *extra, message, **options)

    def encap(self, *extra, public="key.pub.pem", ciphertext="ct.bin", shared_secret="sent", **options):
        return self.girih("encap", "--public", public, "--ciphertext", ciphertext,
                          "--shared-secret", shared_secret, *extra, **options)

    def decap(self, *extra, secret="key.pem", ciphertext="ct.bin", shared_secret="received", **options):
        return self.girih("decap", "--secret", secret, "--ciphertext", ciphertext,
                          "--shared-secret", shared_secret, *extra, **options)

    def verify(self, *extra, public="key.pub.pem", signature="message.sig", message="message", **options):
        return self.girih("verify", "--public", public, "--signature", signature, *extra, message, **options)
