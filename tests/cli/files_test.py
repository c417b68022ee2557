"""What becomes of files when all goes well, and when it does not."""

import os
import pathlib
import resource
import shutil
import stat
import subprocess
import threading
import unittest

from command import COMMAND, FILE, OPEN_KEY, USAGE, CommandTest, not_on_windows

TAKEN = "exists already; --force replaces it"
NOBODY = 65534


class NewFiles(CommandTest):
    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    @not_on_windows("permissions of POSIX")
    def test_with_private_keys_are_for_their_owner_alone(self):
        self.keygen(umask=0)
        self.assertEqual(self.mode("key.pem"), 0o600)
        self.girih("convert", "key.pem", "key.der", "--format", "der", umask=0)
        self.assertEqual(self.mode("key.der"), 0o600)

    @not_on_windows("the umask")
    def test_with_shared_secrets_are_for_their_owner_alone(self):
        self.keygen("sntrup761")
        self.encap(umask=0)
        self.decap(umask=0)
        self.assertEqual([self.mode(name) for name in ("sent", "received", "ct.bin")], [0o600, 0o600, 0o666])

    @not_on_windows("the umask")
    def test_with_public_content_follow_the_umask(self):
        self.write("message")
        self.keygen(umask=0o027)
        self.sign(umask=0o002)
        self.girih("convert", "--public-only", "key.pem", "public.der", "--format", "der", umask=0o077)
        self.girih("mu", "--public", "key.pub.pem", "--output", "mu", "message", umask=0)
        self.assertEqual([self.mode(name) for name in ("key.pub.pem", "message.sig", "public.der", "mu")],
                         [0o640, 0o664, 0o600, 0o666])

    def test_replace_nothing(self):
        self.keygen()
        self.keygen("sntrup761", secret="kem.pem", public="kem.pub.pem")
        self.encap(public="kem.pub.pem")
        self.write("message")
        self.write("taken", b"precious")
        there = self.names()
        encap = ["encap", "--public", "kem.pub.pem"]
        decap = ["decap", "--secret", "kem.pem", "--ciphertext", "ct.bin"]
        for arguments in (["keygen", "--alg", "ML-DSA-44", "--secret", "taken", "--public", "new"],
                          ["keygen", "--alg", "ML-DSA-44", "--secret", "new", "--public", "taken"],
                          ["sign", "--secret", "key.pem", "--signature", "taken", "message"],
                          ["mu", "--public", "key.pub.pem", "--output", "taken", "message"],
                          [*encap, "--ciphertext", "taken", "--shared-secret", "new"],
                          [*encap, "--ciphertext", "new", "--shared-secret", "taken"],
                          [*decap, "--shared-secret", "taken"],
                          ["convert", "key.pem", "taken"],
                          ["convert", "--public-only", "key.pem", "taken"]):
            with self.subTest(" ".join(arguments)):
                self.fails(FILE, "taken: " + TAKEN, *arguments)
                self.assertEqual(self.read("taken"), b"precious")
                self.assertEqual(self.names(), there)
                self.girih(*arguments, "--force")
                self.assertNotEqual(self.read("taken"), b"precious")
                self.write("taken", b"precious")
                (self.folder / "new").unlink(missing_ok=True)

    @not_on_windows("permissions of POSIX")
    def test_that_replace_a_readable_file_are_for_their_owner_alone(self):
        self.write("key.pem", b"")
        os.chmod(self.folder / "key.pem", 0o666)
        self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "key.pem", "--public", "p", "--force")
        self.assertEqual(self.mode("key.pem"), 0o600)

    @not_on_windows("links of its own")
    def test_do_not_go_through_a_dangling_link(self):
        os.symlink("elsewhere", self.folder / "key.pem")
        self.keygen(code=FILE)
        self.assertEqual(self.error, "key.pem: " + TAKEN)
        self.assertEqual(self.names(), ["key.pem"])

    def test_of_one_name_are_refused(self):
        self.fails(USAGE, "--secret and --public are the same file",
                   "keygen", "--alg", "ML-DSA-44", "--secret", "k", "--public", "k")
        self.fails(USAGE, "--ciphertext and --shared-secret are the same file",
                   "encap", "--public", "p", "--ciphertext", "k", "--shared-secret", "k")

    @not_on_windows("limits on processes")
    def test_leave_nothing_behind_when_they_cannot_be_written(self):
        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.keygen(code=FILE, preexec_fn=no_room)
        self.assertEqual(self.error, "key.pub.pem: File too large")
        self.assertEqual(self.names(), [])
        self.keygen()
        self.write("old.pem", b"precious")
        self.girih("convert", "key.pem", "old.pem", "--force", "--private-form", "both", code=FILE,
                   preexec_fn=no_room)
        self.assertEqual(self.error, "old.pem: File too large")
        self.assertEqual(self.names(), ["key.pem", "key.pub.pem", "old.pem"])
        self.assertEqual(self.read("old.pem"), b"precious")

    def test_need_their_folder(self):
        self.fails(FILE, "nowhere/p: No such file or directory",
                   "keygen", "--alg", "ML-DSA-44", "--secret", "s", "--public", "nowhere/p")
        self.fails(FILE, "nowhere/s: No such file or directory",
                   "keygen", "--alg", "ML-DSA-44", "--secret", "nowhere/s", "--public", "p")
        self.assertEqual(self.names(), [])

    def test_are_not_folders(self):
        (self.folder / "folder").mkdir()
        self.fails(FILE, "folder: is a directory",
                   "keygen", "--alg", "ML-DSA-44", "--secret", "folder", "--public", "p", "--force")

    def test_may_be_in_other_folders(self):
        (self.folder / "folder").mkdir()
        self.keygen(secret="folder/key.pem", public=str(self.folder / "folder" / "key.pub.pem"))
        self.assertEqual(sorted(os.listdir(self.folder / "folder")), ["key.pem", "key.pub.pem"])


@not_on_windows("devices with names of their own")
class Devices(CommandTest):
    def test_are_written_and_not_replaced(self):
        self.keygen()
        os.mkfifo(self.folder / "pipe")
        received = []
        reader = threading.Thread(target=lambda: received.append(self.read("pipe")))
        reader.start()
        self.girih("convert", "key.pem", "pipe", "--force")
        reader.join()
        self.assertEqual(received, [self.read("key.pem")])
        self.assertTrue(stat.S_ISFIFO((self.folder / "pipe").stat().st_mode))

    @unittest.skipUnless(pathlib.Path("/dev/full").is_char_device(), "there is no /dev/full")
    def test_that_are_full_are_reported(self):
        self.fails(FILE, "/dev/full: No space left on device",
                   "keygen", "--alg", "ML-DSA-44", "--secret", "/dev/full", "--public", "p")
        self.assertEqual(self.names(), [])

    def test_give_keys(self):
        self.keygen()
        os.mkfifo(self.folder / "pipe")
        writer = threading.Thread(target=lambda: self.write("pipe", self.read("key.pem")))
        writer.start()
        self.girih("inspect", "pipe")
        writer.join()


@not_on_windows("descriptors that a shell closes")
class StandardOutput(CommandTest):
    def run_with(self, stdout):
        run = subprocess.run([COMMAND, "list"], stdout=stdout, stderr=subprocess.PIPE, timeout=60)
        return run.returncode, run.stderr

    def test_that_nobody_reads_is_reported(self):
        ours, theirs = os.pipe()
        os.close(ours)
        self.assertEqual(self.run_with(theirs), (FILE, b"girih: standard output: Broken pipe\n"))
        os.close(theirs)

    @unittest.skipUnless(pathlib.Path("/dev/full").is_char_device(), "there is no /dev/full")
    def test_that_is_full_is_reported(self):
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.run_with(full),
                             (FILE, b"girih: standard output: No space left on device\n"))

    def test_that_is_closed_gets_no_file_of_ours(self):
        self.write("message")
        script = '"$0" keygen --alg ML-DSA-44 --secret s --public p <&- >&- 2>&- && ' \
                 '"$0" sign --secret s --signature sig message <&- >&- 2>&-'
        subprocess.run(["sh", "-c", script, COMMAND], cwd=self.folder, check=True, timeout=60)
        self.verify(public="p", signature="sig")
        closed = subprocess.run(["sh", "-c", '"$0" list >&-', COMMAND], capture_output=True, timeout=60)
        self.assertEqual((closed.returncode, closed.stderr),
                         (FILE, b"girih: standard output: Bad file descriptor\n"))


class UnreadableFiles(CommandTest):
    def test_are_named(self):
        self.keygen()
        self.write("message")
        self.write("message.sig", b"")
        (self.folder / "folder").mkdir()
        for name, why in (("nowhere", "No such file or directory"), ("folder", "Is a directory")):
            for part in ({"public": name}, {"signature": name}, {"message": name}):
                with self.subTest(part):
                    self.verify(code=FILE, **part)
                    self.assertEqual(self.error, f"{name}: {why}")
            self.fails(FILE, f"{name}: {why}", "inspect", name)

    @not_on_windows("another user")
    def test_that_belong_to_others_are_named(self):
        self.keygen()
        self.write("message")
        os.chmod(self.folder / "message", 0)
        if os.getuid() != 0:
            self.sign(code=FILE)
        else:
            # Nothing is unreadable for root: be nobody, with a copy of the command where
            # nobody may run it.
            shutil.copy(COMMAND, self.folder / "girih")
            for name, mode in ((".", 0o755), ("girih", 0o755), ("key.pem", 0o644)):
                os.chmod(self.folder / name, mode)
            sign = [self.folder / "girih", "sign", "--secret", "key.pem", "--signature", "-", "message"]
            run = subprocess.run(sign, cwd=self.folder, capture_output=True, user=NOBODY, timeout=60)
            self.judge(run.returncode, FILE, run.stderr, ["key.pem: " + OPEN_KEY.format("044")])
        self.assertEqual(self.error, "message: Permission denied")


if __name__ == "__main__":
    unittest.main()
