"""Windows's own: bytes as they are, names in any script, who may use a file, who has it open."""

import os
import subprocess

from command import FILE, LOCKED, MESSAGE, MISSING, TAKEN, UNVERIFIED, USAGE, WORDS, CommandTest

HOLD_FILE = os.environ["GIRIH_HOLD_FILE"]
IN_USE = "is in use by another program"
# Text mode of Windows would change these bytes, or end at them.
HOSTILE = b"\x1a\r\n\n\r\x00\xff\x1a" + bytes(range(256)) + b"line\nline\r\nend\x1a"
SAME = "--secret and --public are the same file"


class WindowsTest(CommandTest):
    KEYS = {"key": "ML-DSA-44"}
    FILES = MESSAGE


class Bytes(WindowsTest):
    FILES = {"message": HOSTILE}

    def test_of_messages_are_as_they_are(self):
        self.sign("--deterministic")
        self.verify()
        again = self.sign("--deterministic", signature="-", message="-", input=HOSTILE)
        self.assertEqual(again, self.read("message.sig"))
        for changed in (
            HOSTILE[:-1],
            HOSTILE.replace(b"\r\n", b"\n"),
            HOSTILE.replace(b"\n", b"\r\n"),
            HOSTILE[1:],
            b"",
        ):
            self.verify(message="-", input=changed, code=UNVERIFIED)

    def test_of_keys_are_those_of_other_systems(self):
        for form in ("raw", "der", "pem"):
            self.keygen(f"ML-DSA-44 --seed-hex {'0a0d1a00' * 8} --format {form} --force")
            copy = self.girih(f"convert key.pem - --format {form} --force --alg ML-DSA-44")
            self.assertEqual(copy, self.read("key.pem"))
        self.assertNotIn(b"\r", self.read("key.pem"))

    def test_of_what_people_read_have_no_carriage_returns(self):
        for line in ("--help", "list", "list --json", "inspect key.pem"):
            self.assertNotIn(b"\r", self.girih(line))


class Names(CommandTest):
    def test_are_in_any_script(self):
        for name in (
            "with a space",
            "caf\u00e9",
            "\u0645\u0641\u062a\u0627\u062d",
            "\u9470\u5319",
            "\U0001f511 key",
            "~!@#$%^&()[]{}';,=+",
        ):
            self.keygen(secret=name + ".key", public=name + ".pub")
            self.write(name)
            self.assertEqual(self.girih("sign --secret", name + ".key", name), b"")
            self.assertEqual(
                self.girih("verify --public", name + ".pub", name).decode(),
                f"{name}: good ML-DSA-44 signature by {name}.pub\n",
            )
            self.fails(FILE, f"no {name}: {MISSING}", "inspect", f"no {name}")

    def test_are_long(self):
        folder = self.folder.joinpath(*["long" * 15] * 5)
        folder.mkdir(parents=True)
        self.keygen(secret=folder / "key", public=folder / "pub")
        self.write(folder / "message")
        self.girih("sign --secret", folder / "key", folder / "message")
        self.girih("verify --public", folder / "pub", folder / "message")
        self.assertEqual(self.names(folder), ["key", "message", "message.sig", "pub"])

    def test_are_the_same_in_capitals_and_with_backslashes(self):
        os.mkdir(self.folder / "folder")
        for one, other in (
            ("new", "NEW"),
            ("new", "new."),
            ("new", "new "),
            ("folder/new", "folder\\new"),
            ("new", ".\\New"),
            ("n\u00e9w", "N\u00c9W"),
        ):
            self.fails(
                USAGE, SAME, "keygen --alg ML-DSA-44 --force --secret", one, "--public", other
            )
        self.write("taken")
        self.keygen(secret="TAKEN", public="p", code=FILE, error=f"TAKEN: {TAKEN}")
        self.assertEqual(self.names(), ["folder", "taken"])

    def test_that_begin_with_a_slash_are_no_options(self):
        self.fails(FILE, f"/nowhere/key: {MISSING}", "inspect /nowhere/key")


class Keys(WindowsTest):
    def test_are_for_their_owner_alone(self):
        """Wine keeps a list of access as permissions, and takes the owner's group for the owner."""
        self.keygen("ML-DSA-44 --force", umask=0)
        self.assertEqual(self.mode("key.pem") & 0o007, 0)
        self.assertEqual(self.mode("key.pub.pem") & 0o004, 0o004)
        self.sign()

    def test_that_others_can_use_are_told_of(self):
        os.chmod(self.folder / "key.pem", 0o604)
        self.girih(
            "inspect key.pem",
            warnings=[
                "key.pem: is a private key that others besides its owner can use (Everyone); "
                'icacls "key.pem" /inheritance:r /grant:r "%USERNAME%:F" ends that'
            ],
        )

    def test_have_a_folder(self):
        environment = {**os.environ, "GIRIH_KEYS": "keys \u00e9"}
        self.girih("keygen --alg ML-DSA-44", env=environment)
        self.assertEqual(self.names("keys \u00e9"), ["girih.key"])
        self.assertEqual(self.mode("keys \u00e9") & 0o007, 0)
        self.girih("sign message", env=environment)
        self.girih("verify message", env=environment)
        self.assertIn(b"~\\.girih", self.girih("help sign"))

    def test_have_passphrases_from_a_descriptor(self):
        self.write("key.pem", LOCKED["locked.pem"])
        self.girih("inspect key.pem --passphrase-fd 0", input=WORDS + b"\n")
        self.fails(
            FILE, "file descriptor 99: Bad file descriptor", "inspect key.pem --passphrase-fd 99"
        )


class Refused(WindowsTest):
    def test_are_files_that_another_program_keeps(self):
        self.write("held", b"precious")
        holder = subprocess.Popen(
            [HOLD_FILE, "held"], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.assertEqual(holder.stdout.readline().strip(), b"held")
        try:
            self.all_fail(
                FILE,
                [
                    (line, f"held: {IN_USE}")
                    for line in (
                        "inspect held",
                        "sign --secret key.pem -o s held",
                        "sign --secret key.pem -o held message --force",
                    )
                ],
            )
        finally:
            holder.communicate()
        self.assertEqual(self.read("held"), b"precious")
        self.sign("--force", signature="held")
        self.verify(signature="held")

    def test_are_boards(self):
        self.fails(
            FILE, f"girih-board: is not installed beside girih: {MISSING}", "board --port COM3 info"
        )

    def test_are_outputs_over_inputs_by_their_other_names(self):
        for name in ("MESSAGE", ".\\message"):
            self.sign(
                "--force",
                signature=name,
                code=USAGE,
                error="--signature and MESSAGE are the same file",
            )

    def test_is_nothing_on_devices(self):
        self.sign(signature="NUL")
        self.girih("keygen --alg ML-DSA-44 --secret NUL --public nul --force")
        self.fails(FILE, "NUL: the file is empty", "inspect NUL")
