"""Windows's own: bytes as they are, names in any script, who may use a file, who has it open."""

import os
import stat
import subprocess
import unittest

from command import COMMAND, FILE, GOOD, UNVERIFIED, USAGE, CommandTest

HOLD_FILE = os.environ["GIRIH_HOLD_FILE"]
TAKEN = "exists already; --force replaces it"
IN_USE = "is in use by another program"
# What text of Windows would change or end at.
HOSTILE = b"\x1a\r\n\n\r\x00\xff\x1a" + bytes(range(256)) + b"line\nline\r\nend\x1a"


class Bytes(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message", HOSTILE)

    def test_of_messages_are_as_they_are(self):
        self.sign("--deterministic")
        self.verify()
        self.assertEqual(self.sign("--deterministic", signature="-", message="-", input=HOSTILE), self.read("message.sig"))
        for changed in (HOSTILE[:-1], HOSTILE.replace(b"\r\n", b"\n"), HOSTILE.replace(b"\n", b"\r\n"), HOSTILE[1:], b""):
            self.verify(message="-", input=changed, code=UNVERIFIED)

    def test_of_keys_are_those_of_other_systems(self):
        seed = "0a0d1a00" * 8
        for form in ("raw", "der", "pem"):
            self.keygen("ML-DSA-44", "--seed-hex", seed, "--format", form, "--force")
            copy = self.girih("convert", "key.pem", "-", "--format", form, *(["--alg", "ML-DSA-44"] if form == "raw" else []),
                              "--force")
            self.assertEqual(copy, self.read("key.pem"))
            if form != "raw":
                self.assertNotIn(b"\r", self.read("key.pem") if form == "pem" else b"")

    def test_of_what_people_read_have_no_carriage_returns(self):
        for arguments in (["--help"], ["list"], ["list", "--json"], ["inspect", "key.pem"]):
            self.assertNotIn(b"\r", self.girih(*arguments))

    def test_of_secrets_arrive(self):
        self.keygen("ML-KEM-512", "--force")
        self.encap("--force")
        self.decap()
        self.assertEqual(self.read("sent"), self.read("received"))


class Names(CommandTest):
    def test_are_in_any_script(self):
        for name in ("with a space", "caf\u00e9", "\u0645\u0641\u062a\u0627\u062d", "\u9470\u5319", "\U0001f511 key", "~!@#$%^&()[]{}';,=+"):
            with self.subTest(name):
                self.keygen(secret=name + ".key", public=name + ".pub")
                self.write(name)
                told = self.girih("sign", "--secret", name + ".key", name)
                self.assertEqual(told, b"")
                told = self.girih("verify", "--public", name + ".pub", name).decode()
                self.assertEqual(told, f"{name}: good ML-DSA-44 signature by {name}.pub\n")
                self.fails(FILE, f"no {name}: No such file or directory", "inspect", f"no {name}")

    def test_are_long(self):
        folder = self.folder
        for _ in range(5):
            folder = folder / ("long" * 15)
        folder.mkdir(parents=True)
        self.keygen(secret=folder / "key", public=folder / "pub")
        self.write(folder / "message")
        self.girih("sign", "--secret", folder / "key", folder / "message")
        self.girih("verify", "--public", folder / "pub", folder / "message")
        self.assertEqual(sorted(os.listdir(folder)), ["key", "message", "message.sig", "pub"])

    def test_are_the_same_in_capitals_and_with_backslashes(self):
        os.mkdir(self.folder / "folder")
        for one, other in (("new", "NEW"), ("new", "new."), ("new", "new "), ("folder/new", "folder\\new"),
                           ("new", ".\\New"), ("n\u00e9w", "N\u00c9W")):
            self.fails(USAGE, "--secret and --public are the same file", "keygen", "--alg", "ML-DSA-44",
                       "--secret", one, "--public", other, "--force")
        self.write("taken")
        self.keygen(secret="TAKEN", public="p", code=FILE)
        self.assertEqual(self.error, f"TAKEN: {TAKEN}")
        self.assertEqual(self.names(), ["folder", "taken"])

    def test_that_begin_with_a_slash_are_no_options(self):
        self.fails(FILE, "/nowhere/key: No such file or directory", "inspect", "/nowhere/key")


class Keys(CommandTest):
    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def test_are_for_their_owner_alone(self):
        """Wine keeps a list of access as permissions, and takes the owner's group for the owner."""
        self.keygen(umask=0)
        self.assertEqual(self.mode("key.pem") & 0o007, 0)
        self.assertEqual(self.mode("key.pub.pem") & 0o004, 0o004)
        self.write("message")
        self.sign()

    def test_that_others_can_use_are_told_of(self):
        self.keygen()
        os.chmod(self.folder / "key.pem", 0o604)
        self.girih("inspect", "key.pem", warnings=[
            "key.pem: is a private key that others than its owner can use (Everyone); "
            'icacls "key.pem" /inheritance:r /grant:r "%USERNAME%:F" ends that'])

    def test_have_a_folder(self):
        environment = {**os.environ, "GIRIH_KEYS": "keys \u00e9"}
        self.girih("keygen", "--alg", "ML-DSA-44", env=environment)
        self.assertEqual(sorted(os.listdir(self.folder / "keys \u00e9")), ["girih.key"])
        self.assertEqual(self.mode("keys \u00e9") & 0o007, 0)
        self.write("message")
        self.girih("sign", "message", env=environment)
        self.girih("verify", "message", env=environment)
        self.assertIn(b"~\\.girih", self.girih("help", "sign"))

    def test_have_passphrases(self):
        self.write("words", b"correct horse\r\n")
        self.keygen("ML-DSA-44", "--encrypt", "--passphrase-file", "words")
        self.assertIn(b"ENCRYPTED", self.read("key.pem"))
        self.girih("inspect", "key.pem", "--passphrase-file", "-", input=b"correct horse")
        self.girih("inspect", "key.pem", "--passphrase-fd", "0", input=b"correct horse\n")
        self.fails(FILE, "file descriptor 99: Bad file descriptor", "inspect", "key.pem", "--passphrase-fd", "99")


class Refused(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")

    def test_are_files_that_another_program_keeps(self):
        self.write("held", b"precious")
        holder = subprocess.Popen([HOLD_FILE, "held"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(holder.stdout.readline().strip(), b"held")
        there = self.names()
        try:
            self.fails(FILE, f"held: {IN_USE}", "inspect", "held")
            self.fails(FILE, f"held: {IN_USE}", "sign", "--secret", "key.pem", "-o", "s", "held")
            self.fails(FILE, f"held: {IN_USE}", "sign", "--secret", "key.pem", "-o", "held", "message", "--force")
            self.assertEqual(self.names(), there)
        finally:
            holder.communicate()
        self.assertEqual(self.read("held"), b"precious")
        self.sign("--force", signature="held")
        self.verify(signature="held")

    def test_are_boards(self):
        for option, value in (("--port", "COM3"), ("--emulate", "image.elf")):
            self.fails(USAGE, f"{option} {value}: girih does not speak to boards on Windows yet",
                       "board", option, value, "info")

    def test_are_outputs_over_inputs_by_their_other_names(self):
        os.link(self.folder / "message", self.folder / "hard")
        os.symlink("message", self.folder / "symbolic")
        for name in ("message", "MESSAGE", ".\\message", "hard", "symbolic"):
            self.fails(USAGE, "--signature and MESSAGE are the same file",
                       "sign", "--secret", "key.pem", "--signature", name, "message", "--force")
        self.assertEqual(self.read("message"), b"a message\n")

    def test_is_nothing_on_devices(self):
        self.sign(signature="NUL")
        self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "NUL", "--public", "nul", "--force")
        self.fails(FILE, "NUL: the file is empty", "inspect", "NUL")


class Commands(CommandTest):
    def test_work(self):
        self.girih("selftest")
        self.girih("bench", "--milliseconds", "1", "--alg", "ML-KEM-512")
        run = subprocess.run([COMMAND], capture_output=True, timeout=120)
        self.judge(run.returncode, USAGE, run.stderr)
        self.assertEqual(GOOD, 0)


if __name__ == "__main__":
    unittest.main()
