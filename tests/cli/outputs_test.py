"""Outputs are opened before inputs are read, and terminals are shown text."""

import os
import pathlib
import pty
import signal
import stat
import subprocess
import time
import unittest

from command import COMMAND, FILE, OPEN_KEY, WINDOWS, CommandTest, not_on_windows

MISSING = "No such file or directory"
TAKEN = "exists already; --force replaces it"
NOBODY = 65534


class Unwritable(CommandTest):
    """What cannot be written is told before anything is read: here the input is a pipe that
    nobody ever writes."""

    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("sntrup761", secret="kem.pem", public="kem.pub.pem")
        self.write("taken", b"precious")
        (self.folder / "folder").mkdir()

    def told_at_once(self, message, *arguments, **streams):
        ours, theirs = os.pipe()
        try:
            run = subprocess.run([COMMAND, *arguments], stdin=ours, stderr=subprocess.PIPE, cwd=self.folder, timeout=120,
                                 **{"stdout": subprocess.DEVNULL, **streams})
        finally:
            os.close(ours)
            os.close(theirs)
        self.judge(run.returncode, FILE, run.stderr)
        self.assertEqual(self.error, message)
        self.assertEqual(self.names(), ["folder", "kem.pem", "kem.pub.pem", "key.pem", "key.pub.pem", "taken"])
        self.assertEqual(self.read("taken"), b"precious")

    def test_files_are_told_before_the_message_is_read(self):
        refused = [("nowhere/file", MISSING), ("folder", "is a directory"), ("taken", TAKEN)]
        if not WINDOWS:
            refused += [("taken/file", "Not a directory"), ("x" * 300, "File name too long"), ("/proc/version", TAKEN),
                        ("/proc/file", MISSING)]
        for path, why in refused:
            for arguments in (["sign", "--secret", "key.pem", "--signature", path, "-"],
                              ["mu", "--public", "key.pub.pem", "--output", path, "-"],
                              ["decap", "--secret", "kem.pem", "--ciphertext", "-", "--shared-secret", path],
                              # The same before a key is read, for which a passphrase may be asked.
                              ["sign", "--secret", "-", "--signature", path, "key.pem"],
                              ["mu", "--public", "-", "--output", path, "key.pem"],
                              ["encap", "--public", "-", "--ciphertext", path, "--shared-secret", "new"],
                              ["decap", "--secret", "-", "--ciphertext", "key.pem", "--shared-secret", path],
                              ["convert", "-", path]):
                with self.subTest(" ".join(arguments)):
                    self.told_at_once(f"{path}: {why}", *arguments)

    @not_on_windows("a device that Linux opened for reading alone")
    def test_standard_output_is_told_before_the_message_is_read(self):
        with open(os.devnull, "rb") as unwritable:
            for name, shown in (("-", "standard output"), ("/dev/stdout", "/dev/stdout")):
                self.told_at_once(f"{shown}: Bad file descriptor", "sign", "--secret", "key.pem", "--signature", name, "-",
                                  stdout=unwritable)
            self.told_at_once("standard output: Bad file descriptor", "verify", "--public", "key.pub.pem", "--signature",
                              "taken", "-", stdout=unwritable)
            self.told_at_once("standard output: Bad file descriptor", "verify", "--manifest", "-", stdout=unwritable)

            # What would be told at the end, before there are files.
            self.told_at_once("standard output: Bad file descriptor", "keygen", "--alg", "ML-DSA-44", stdout=unwritable,
                              env={**os.environ, "GIRIH_KEYS": str(self.folder)})
            self.told_at_once("standard output: Bad file descriptor", "sign", "--json", "--secret", "key.pem", "taken",
                              stdout=unwritable)

    @not_on_windows("another user")
    @unittest.skipUnless(os.getuid() == 0, "needs to become somebody else")
    def test_folders_of_others_are_told_before_the_message_is_read(self):
        os.chmod(self.folder, 0o755)
        os.chmod(self.folder / "key.pem", 0o600)
        os.chown(self.folder / "key.pem", NOBODY, NOBODY)
        command = self.folder / "folder" / "girih"
        command.write_bytes(pathlib.Path(COMMAND).read_bytes())
        command.chmod(0o755)
        os.chmod(self.folder / "folder", 0o755)
        ours, theirs = os.pipe()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        run = subprocess.run([command, "sign", "--secret", "key.pem", "--signature", "new", "-"], stdin=ours,
                             capture_output=True, cwd=self.folder, timeout=120, user=NOBODY)
        self.judge(run.returncode, FILE, run.stderr)
        self.assertEqual(self.error, "new: Permission denied")

    def test_a_command_that_is_killed_while_it_reads_leaves_nothing(self):
        process = subprocess.Popen([COMMAND, "sign", "--secret", "key.pem", "--signature", "new", "-"],
                                   stdin=subprocess.PIPE, cwd=self.folder)
        process.stdin.write(bytes(1 << 20))
        process.stdin.flush()
        process.kill()
        process.wait()
        process.stdin.close()
        self.assertNotIn("new", self.names())
        self.assertEqual([name for name in self.names() if name.startswith(".girih")], [])


@not_on_windows("signals and pipes with names")
class Interrupted(CommandTest):
    """While it waits for the reader of the last output, the others are complete, without names."""

    def setUp(self):
        super().setUp()
        self.keygen()
        for name in ("a", "b"):
            self.write(name)
        self.write("a.sig", b"precious")
        os.mkfifo(self.folder / "b.sig")
        self.process = subprocess.Popen([COMMAND, "sign", "--secret", "key.pem", "--force", "a", "b"], cwd=self.folder)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        for _ in range(12_000):
            if self.temporary():
                break
            time.sleep(0.01)
        self.assertEqual(len(self.temporary()), 1)

    def temporary(self):
        return [name for name in self.names() if name.startswith(".girih")]

    def test_by_a_signal_it_leaves_nothing_and_replaces_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                if self.process.poll() is not None:
                    self.doCleanups()
                    self.setUp()
                self.process.send_signal(number)
                self.assertEqual(self.process.wait(120), -number)
                self.assertEqual(self.temporary(), [])
                self.assertEqual(self.read("a.sig"), b"precious")

    def test_without_one_it_goes_on(self):
        self.assertNotEqual(self.read("b.sig"), b"")
        self.assertEqual(self.process.wait(120), 0)
        self.assertEqual(self.temporary(), [])
        self.verify(signature="a.sig", message="a")


@not_on_windows("another user")
@unittest.skipUnless(os.getuid() == 0, "needs to become somebody else")
class OfSomebodyElse(CommandTest):
    def test_are_replaced_all_or_none(self):
        self.keygen("ML-KEM-512")
        os.chmod(self.folder, 0o755)
        for folder, mode in (("own", 0o755), ("sticky", 0o1777)):
            (self.folder / folder).mkdir()
            os.chmod(self.folder / folder, mode)
        os.chown(self.folder / "own", NOBODY, NOBODY)
        for name in ("own/ct", "sticky/ss"):  # of these, the second cannot be replaced
            self.write(name, b"precious")
        os.chmod(self.folder / "sticky/ss", 0o666)
        command = self.folder / "own" / "girih"
        command.write_bytes(pathlib.Path(COMMAND).read_bytes())
        command.chmod(0o755)
        for outputs in (("own/ct", "sticky/ss"), ("sticky/ss", "own/ct")):
            run = subprocess.run([command, "encap", "--public", "key.pub.pem", "--ciphertext", outputs[0], "--shared-secret",
                                  outputs[1], "--force"], capture_output=True, cwd=self.folder, timeout=120, user=NOBODY)
            self.judge(run.returncode, FILE, run.stderr)
            self.assertEqual(self.error, "sticky/ss: Operation not permitted")
            for name in ("own/ct", "sticky/ss"):
                self.assertEqual(self.read(name), b"precious")
            self.assertEqual(sorted(os.listdir(self.folder / "own")), ["ct", "girih"])
            self.assertEqual(os.listdir(self.folder / "sticky"), ["ss"])


@not_on_windows("a terminal")
class Terminals(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("sntrup761", secret="kem.pem", public="kem.pub.pem")
        self.write("message")
        self.encap(public="kem.pub.pem")
        self.own, self.terminal = pty.openpty()
        self.addCleanup(os.close, self.own)
        self.addCleanup(os.close, self.terminal)

    def run_on_terminal(self, *arguments):
        run = subprocess.run([COMMAND, *arguments], stdout=self.terminal, stderr=subprocess.PIPE, cwd=self.folder, timeout=60)
        end = b"the end"  # when it is there, so is what was shown before
        os.write(self.terminal, end)
        shown = b""
        while not shown.endswith(end):
            shown += os.read(self.own, 1 << 16)
        return run, shown[:-len(end)]

    def test_are_not_sent_binary_without_force(self):
        name = os.ttyname(self.terminal)
        for path, called in (("-", "standard output"), ("/dev/stdout", "/dev/stdout"), (name, name)):
            for arguments in (["sign", "--secret", "key.pem", "--signature", path, "message"],
                              ["mu", "--public", "key.pub.pem", "--output", path, "message"],
                              ["encap", "--public", "kem.pub.pem", "--ciphertext", path, "--shared-secret", "new"],
                              ["encap", "--public", "kem.pub.pem", "--ciphertext", "new", "--shared-secret", path],
                              ["decap", "--secret", "kem.pem", "--ciphertext", "ct.bin", "--shared-secret", path],
                              ["convert", "key.pem", path, "--format", "der"],
                              ["convert", "--public-only", "key.pem", path, "--format", "raw"],
                              ["keygen", "--alg", "ML-DSA-44", "--secret", path, "--public", "new", "--format", "raw"]):
                with self.subTest(" ".join(arguments)):
                    run, shown = self.run_on_terminal(*arguments)
                    self.judge(run.returncode, FILE, run.stderr)
                    self.assertEqual(self.error, f"{called}: is a terminal, and this is not text; --force writes it all the same")
                    self.assertEqual(shown, b"")
                    self.assertNotIn("new", self.names())

    def test_are_sent_binary_with_force(self):
        run, shown = self.run_on_terminal("mu", "--public", "key.pub.pem", "--output", "-", "message", "--force")
        self.judge(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(len(shown), 64)

    def test_are_sent_text(self):
        for arguments in (["convert", "key.pem", "-"], ["convert", "--public-only", "key.pem", "/dev/stdout"],
                          ["keygen", "--alg", "ML-DSA-44", "--secret", "-", "--public", "new"]):
            run, shown = self.run_on_terminal(*arguments)
            self.judge(run.returncode, 0, run.stderr)
            self.assertIn(b"-----BEGIN P", shown)


class PrivateKeys(CommandTest):
    @not_on_windows("permissions of POSIX")
    def test_that_others_can_use_are_told_of(self):
        self.keygen()
        self.keygen("sntrup761", secret="kem.pem", public="kem.pub.pem")
        self.write("message")
        self.encap(public="kem.pub.pem")
        for mode in (0o640, 0o604, 0o622, 0o666):
            for name in ("key.pem", "kem.pem"):
                os.chmod(self.folder / name, mode)
            warn = lambda name: [f"{name}: " + OPEN_KEY.format(f"{mode & 0o77:03o}")]  # noqa: E731
            self.sign("--force", warnings=warn("key.pem"))
            self.decap("--force", secret="kem.pem", warnings=warn("kem.pem"))
            self.girih("convert", "key.pem", "copy", "--force", warnings=warn("key.pem"))
            self.girih("inspect", "key.pem", warnings=warn("key.pem"))
            with open(self.folder / "key.pem", "rb") as key:
                run = subprocess.run([COMMAND, "inspect", "-"], stdin=key, capture_output=True, timeout=60)
            self.judge(run.returncode, 0, run.stderr, warn("standard input"))

    @not_on_windows("permissions of POSIX")
    def test_of_their_owner_alone_and_public_keys_are_not(self):
        self.keygen()
        self.write("message")
        self.sign()
        os.chmod(self.folder / "key.pub.pem", 0o666)
        self.verify()
        self.girih("inspect", "key.pub.pem")

    @not_on_windows("permissions of POSIX")
    def test_are_written_for_their_owner_alone(self):
        for file_format in ("pem", "der", "raw"):
            self.keygen("Falcon-512", "--format", file_format, "--force", umask=0)
            self.assertEqual(stat.S_IMODE((self.folder / "key.pem").stat().st_mode), 0o600)


if __name__ == "__main__":
    unittest.main()
