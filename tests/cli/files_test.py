"""Files that are read and written, when all goes well and when it does not."""

import os
import pathlib
import resource
import stat
import subprocess
import threading
import unittest

from command import (
    COMMAND,
    FILE,
    MESSAGE,
    MISSING,
    OPEN_KEY,
    TAKEN,
    USAGE,
    CommandTest,
    not_on_windows,
)

FULL = pathlib.Path("/dev/full")
NEW_KEY = "keygen --alg ML-DSA-44 "


class FilesTest(CommandTest):
    KEYS = {"key": "ML-DSA-44", "kem": "sntrup761"}
    FILES = {**MESSAGE, "taken": b"precious"}


@not_on_windows("permissions of POSIX")
class Modes(FilesTest):
    def test_of_what_is_secret_are_for_the_owner_alone(self):
        for file_format in ("pem", "der", "raw", "jwk", "cose"):
            self.girih(
                f"{NEW_KEY}--secret {file_format} --public p --force --format {file_format}",
                umask=0,
            )
        self.girih("convert key.pem key.der --format der", umask=0)
        self.encap(umask=0)
        self.decap(umask=0)
        self.assertEqual(
            {self.mode(name) for name in "pem der raw jwk cose key.der sent received".split()},
            {0o600},
        )
        os.chmod(self.folder / "key.der", 0o666)
        self.girih("convert key.pem key.der --format der --force", umask=0)
        self.assertEqual(self.mode("key.der"), 0o600, "in place of a file that all could read")

    def test_of_what_is_public_follow_the_umask(self):
        self.keygen("ML-DSA-44 --force", umask=0o027)
        self.sign(umask=0o002)
        self.girih("convert --public-only key.pem public.der --format der", umask=0o077)
        self.girih("mu --public key.pub.pem --output mu message", umask=0)
        self.encap(umask=0)
        self.assertEqual(
            [self.mode(name) for name in ("key.pub.pem", "message.sig", "public.der", "mu", "ct")],
            [0o640, 0o664, 0o600, 0o666, 0o666],
        )

    def test_of_private_keys_that_let_others_use_them_are_told_of(self):
        self.encap()
        for mode in (0o640, 0o604, 0o622, 0o666):
            for name in ("key.pem", "kem.pem"):
                os.chmod(self.folder / name, mode)
            why = OPEN_KEY.format(f"{mode & 0o77:03o}")
            self.sign("--force", warnings=[f"key.pem: {why}"])
            self.decap("--force", warnings=[f"kem.pem: {why}"])
            self.girih("convert key.pem copy --force", warnings=[f"key.pem: {why}"])
            with open(self.folder / "key.pem", "rb") as key:
                self.girih("inspect -", stdin=key, warnings=[f"standard input: {why}"])
        os.chmod(self.folder / "key.pub.pem", 0o666)
        self.verify()
        self.girih("inspect key.pub.pem")


class NewFiles(FilesTest):
    @not_on_windows("links and limits of its own")
    def test_leave_nothing_behind_when_they_cannot_be_written(self):
        os.symlink("elsewhere", self.folder / "link")
        self.fails(FILE, f"link: {TAKEN}", NEW_KEY + "--secret link --public p")
        for line, name in (
            (NEW_KEY + "--secret s --public p", "p"),
            ("convert key.pem taken --force --private-form both", "taken"),
        ):
            self.fails(
                FILE,
                f"{name}: File too large",
                line,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
            )

    def test_need_a_folder_and_are_none(self):
        (self.folder / "folder").mkdir()
        self.all_fail(
            FILE,
            [
                (NEW_KEY + "--secret s --public nowhere/p", f"nowhere/p: {MISSING}"),
                (NEW_KEY + "--secret nowhere/s --public p", f"nowhere/s: {MISSING}"),
                (NEW_KEY + "--secret folder --public p --force", "folder: is a directory"),
            ],
        )
        self.keygen(secret="folder/s", public=self.folder / "folder" / "p")
        self.assertEqual(self.names("folder"), ["p", "s"])


@not_on_windows("devices with names of their own")
class Devices(FilesTest):
    def in_a_thread(self, work):
        thread = threading.Thread(target=work)
        thread.start()
        self.addCleanup(thread.join)
        return thread

    def test_that_are_pipes_are_written_one_after_the_other_and_not_replaced(self):
        for name in ("one", "two"):
            os.mkfifo(self.folder / name)
        for line in (
            NEW_KEY + "--secret one --public two",
            NEW_KEY + "--secret one --public two --force",
        ):
            received = []
            reader = self.in_a_thread(lambda: received.extend([self.read("two"), self.read("one")]))
            self.girih(line)
            reader.join()
            self.assertEqual([b"PRIVATE" in key for key in received], [False, True])
            self.assertTrue(stat.S_ISFIFO((self.folder / "one").stat().st_mode))
        self.in_a_thread(lambda: self.write("one", self.read("key.pem")))
        self.girih("inspect one")

    def test_take_any_number_of_outputs(self):
        self.girih(NEW_KEY + "--secret /dev/null --public /dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        self.sign(signature="/dev/null", message="/dev/null")

    @unittest.skipUnless(FULL.is_char_device(), "there is no /dev/full")
    def test_that_are_full_are_reported(self):
        self.fails(
            FILE, "/dev/full: No space left on device", NEW_KEY + "--secret /dev/full --public p"
        )
        with open(FULL, "wb") as full:
            self.fails(FILE, "standard output: No space left on device", "list", stdout=full)


class StandardOutput(FilesTest):
    def test_has_several_names(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.write("message.sig", self.sign(signature=name))
            self.verify()

    @not_on_windows("links of /dev")
    def test_in_a_file_is_written_there(self):
        for force in ("", "--force"):
            with open(self.folder / "message.sig", "wb") as out:
                self.sign(force, signature="/dev/stdout", stdout=out)
            self.verify()
            self.assertTrue(pathlib.Path("/dev/stdout").is_symlink())

    @not_on_windows("descriptors that a shell closes")
    def test_that_is_closed_gets_no_file_of_ours(self):
        script = (
            f'"$0" {NEW_KEY} --secret s --public p <&- >&- 2>&- && '
            '"$0" sign --secret s --signature message.sig message <&- >&- 2>&-'
        )
        subprocess.run(["sh", "-c", script, COMMAND], cwd=self.folder, check=True, timeout=60)
        self.verify(public="p")
        self.fails(
            FILE,
            "standard output: Bad file descriptor",
            "list",
            program=["sh", "-c", '"$0" "$@" >&-', COMMAND],
        )
        ours, theirs = os.pipe()
        os.close(ours)
        self.fails(FILE, "standard output: Broken pipe", "list", stdout=theirs)
        os.close(theirs)


class UnreadableFiles(FilesTest):
    def test_are_named(self):
        (self.folder / "folder").mkdir()
        for name, why in (("nowhere", MISSING), ("folder", "Is a directory")):
            self.all_fail(
                FILE,
                [
                    (line.format(name), f"{name}: {why}")
                    for line in (
                        "verify --public {} --signature taken message",
                        "verify --public key.pub.pem --signature {} message",
                        "verify --public key.pub.pem --signature taken {}",
                        "inspect {}",
                        "decap --secret kem.pem --ciphertext {} --shared-secret s",
                        "decap --secret {} --ciphertext taken --shared-secret s",
                        "encap --public {} --ciphertext c --shared-secret s",
                    )
                ],
            )

    @not_on_windows("another user")
    def test_that_belong_to_others_are_named(self):
        os.chmod(self.folder / "message", 0)
        sign = "sign --secret key.pem --signature - message"
        if os.getuid() != 0:
            self.fails(FILE, "message: Permission denied", sign)
        else:  # nothing is unreadable for root
            os.chmod(self.folder / "key.pem", 0o644)
            self.as_nobody(
                sign,
                code=FILE,
                error="message: Permission denied",
                warnings=["key.pem: " + OPEN_KEY.format("044")],
            )


@not_on_windows("a home in HOME; windows_test has one")
class DefaultKeys(CommandTest):
    """The command line leaves their names out."""

    FILES = MESSAGE

    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.home.mkdir()
        self.environment = {**os.environ, "HOME": str(self.home)}
        self.environment.pop("GIRIH_KEYS", None)

    def run_command(self, *words, **options):
        return super().run_command(*words, **{"env": self.environment, **options})

    def test_of_signatures_have_names_and_are_replaced_only_by_force(self):
        key = f"{self.home}/.girih/girih.key"
        self.write("message.sig")
        self.all_fail(
            FILE,
            [
                ("sign --force message", f"{key}: {MISSING}"),
                ("verify message", f"girih.pub: {MISSING}"),
            ],
        )
        self.assertEqual(
            self.girih(NEW_KEY).decode(), f"private key: {key}\npublic key: girih.pub\n"
        )
        self.assertEqual([self.mode("home/.girih"), self.mode(key)], [0o700, 0o600])
        self.fails(FILE, f"{key}: {TAKEN}", NEW_KEY)
        self.girih("sign --force message")
        self.assertEqual(
            self.girih("verify message"), b"message: good ML-DSA-44 signature by girih.pub\n"
        )
        self.girih("mu -o mu message")
        self.girih("verify --mu --signature message.sig mu")
        before = self.read(key)
        public = self.girih(NEW_KEY + "--force --public -")
        self.assertRegex(
            public, rb"\A-----BEGIN PUBLIC KEY-----\n[^-]*-----END PUBLIC KEY-----\n\Z"
        )
        self.assertNotEqual(self.read(key), before)

    def test_of_key_encapsulation_have_others(self):
        self.girih(NEW_KEY)
        self.girih("keygen --alg ML-KEM-512")
        self.assertEqual(self.names("home/.girih"), ["girih-kem.key", "girih.key"])
        self.girih("encap --ciphertext ct --shared-secret sent")
        self.girih("decap --ciphertext ct --shared-secret received")
        self.assert_shared()

    def test_are_in_the_folder_that_the_environment_names(self):
        self.environment["GIRIH_KEYS"] = str(self.folder / "keys")
        self.girih(NEW_KEY)
        self.assertEqual(self.names("keys"), ["girih.key"])
        self.girih("sign message")
        self.assertEqual(self.names("home"), [])
        self.environment["GIRIH_KEYS"] = str(self.folder / "nowhere" / "keys")
        self.fails(FILE, f"{self.folder}/nowhere/keys: {MISSING}", NEW_KEY + "--force")
        del self.environment["GIRIH_KEYS"], self.environment["HOME"]
        why = "--secret: not given, and neither GIRIH_KEYS nor HOME says where private keys are"
        self.all_fail(USAGE, [(NEW_KEY, why), ("sign message", why)])
