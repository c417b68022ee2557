"""No output is written over an input or over another output, however the two are spelt."""

import os
import pathlib
import subprocess
import threading
import unittest

from command import COMMAND, USAGE, CommandTest, not_on_windows

# Subcommand by subcommand: the inputs and outputs, as (what messages call it, its file here),
# and the command line.
SUBCOMMANDS = {
    "keygen": ([], [("--secret", "new secret"), ("--public", "new public")],
               ["keygen", "--alg", "ML-DSA-44", "--secret", "{--secret}", "--public", "{--public}"]),
    "sign": ([("--secret", "key.pem"), ("MESSAGE", "message")], [("--signature", "new signature")],
             ["sign", "--secret", "{--secret}", "--signature", "{--signature}", "{MESSAGE}"]),
    "mu": ([("--public", "key.pub.pem"), ("MESSAGE", "message")], [("--output", "new mu")],
           ["mu", "--public", "{--public}", "--output", "{--output}", "{MESSAGE}"]),
    "encap": ([("--public", "kem.pub.pem")], [("--ciphertext", "new ct"), ("--shared-secret", "new ss")],
              ["encap", "--public", "{--public}", "--ciphertext", "{--ciphertext}", "--shared-secret", "{--shared-secret}"]),
    "decap": ([("--secret", "kem.pem"), ("--ciphertext", "ct")], [("--shared-secret", "new ss")],
              ["decap", "--secret", "{--secret}", "--ciphertext", "{--ciphertext}", "--shared-secret", "{--shared-secret}"]),
    "convert": ([("INPUT", "key.pem")], [("OUTPUT", "new key")], ["convert", "{INPUT}", "{OUTPUT}"]),
}


class SameFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("sntrup761", secret="kem.pem", public="kem.pub.pem")
        self.write("message")
        self.encap(public="kem.pub.pem", ciphertext="ct", shared_secret="ss")
        (self.folder / "folder").mkdir()
        os.symlink(".", self.folder / "here")

    def spellings(self, name):
        """Other names of a file that exists: through folders and links."""
        yield name
        yield "./" + name
        yield "folder/../" + name
        yield "here/" + name
        yield str(self.folder / name)
        os.symlink(name, self.folder / "symbolic")
        yield "symbolic"
        os.unlink(self.folder / "symbolic")
        os.link(self.folder / name, self.folder / "hard")
        yield "hard"
        os.unlink(self.folder / "hard")

    def contents(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def refused(self, first, second, line, files, **options):
        before = self.contents()
        arguments = [part.format(**files) if part.startswith("{") else part for part in line]
        self.fails(USAGE, f"{first} and {second} are the same file", *arguments, "--force", **options)
        self.assertEqual(self.contents(), before)

    def test_of_an_input_and_an_output_are_refused(self):
        for name, (inputs, outputs, line) in SUBCOMMANDS.items():
            for option, path in inputs:
                for output, _ in outputs:
                    for spelling in self.spellings(path):
                        with self.subTest(f"{name}: {output} is {option}, {spelling}"):
                            self.refused(output, option, line, {**dict(inputs), **dict(outputs), output: spelling})

    def test_of_two_outputs_are_refused(self):
        for name, (inputs, outputs, line) in SUBCOMMANDS.items():
            if len(outputs) != 2:
                continue
            first, second = outputs[0][0], outputs[1][0]
            for one in ("nothing yet", "there", "-"):
                if one == "there":
                    self.write(one)
                if one == "-":
                    spellings = ["-"]
                elif one == "there":
                    spellings = self.spellings(one)
                else:
                    spellings = [one, "./" + one, "folder/../" + one, "here/" + one, str(self.folder / one)]
                for spelling in spellings:
                    with self.subTest(f"{name}: {spelling}"):
                        self.refused(first, second, line, {**dict(inputs), first: one, second: spelling})
                        self.refused(first, second, line, {**dict(inputs), first: spelling, second: one})

    @not_on_windows("the volume of a file that Linux opened, which Wine does not tell")
    def test_are_seen_through_standard_streams(self):
        with open(self.folder / "message", "rb") as message:
            before = self.contents()
            for name in ("-", "/dev/stdin", "/dev/fd/0"):
                self.judge_run(["sign", "--secret", "key.pem", "--signature", "message", name, "--force"], stdin=message)
        with open(self.folder / "key.pem", "ab") as key:
            for name in ("-", "/dev/stdout"):
                self.judge_run(["sign", "--secret", "key.pem", "--signature", name, "message"], stdout=key)
        self.assertEqual(self.contents(), before)
        self.refused("--secret", "--public", SUBCOMMANDS["keygen"][2], {"--secret": "-", "--public": "/dev/stdout"})

    def judge_run(self, arguments, **streams):
        run = subprocess.run([COMMAND, *arguments], cwd=self.folder, stderr=subprocess.PIPE, timeout=60,
                             **{"stdout": subprocess.DEVNULL, **streams})
        self.judge(run.returncode, USAGE, run.stderr)
        self.assertRegex(self.error, r"\A--signature and (--secret|MESSAGE) are the same file\Z")

    def test_of_a_board_are_refused_before_it_is_spoken_to(self):
        board = ["board", "--port", "nowhere", "--force"]
        key, made = ["keygen", "--public", "x"], ["sign", "message", "--signature", "./x"]
        self.fails(USAGE, "keygen --public and sign --signature are the same file", *board, *key, *made)
        self.fails(USAGE, "sign --signature and the file to sign are the same file",
                   *board, "sign", "message", "--signature", "here/message")
        self.fails(USAGE, "sign --signature and the file to verify are the same file",
                   *board, "sign", "ct", "--signature", "message", "verify", "message", "--signature", "s")
        self.fails(USAGE, "keygen --public and verify --signature are the same file",
                   *board, "keygen", "--public", "message", "verify", "ct", "--signature", "message")
        self.fails(USAGE, "keygen --public and --emulate are the same file",
                   "board", "--emulate", "message", "--force", "keygen", "--public", "./message")


class OtherFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.write("message")

    def test_of_one_content_are_not_the_same(self):
        self.write("copy")
        self.sign("--force", signature="copy")
        self.verify(signature="copy")

    @not_on_windows("devices with names of their own")
    def test_that_are_devices_take_any_number_of_outputs(self):
        self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "/dev/null", "--public", "/dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        self.sign(signature="/dev/null", message="/dev/null")

    def test_that_are_standard_output_by_another_name_are_written(self):
        signature = self.sign(signature="-", message="message")
        self.write("message.sig", signature)
        self.verify()
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            self.write("message.sig", self.sign(signature=name))
            self.verify()

    @not_on_windows("links of /dev")
    def test_that_are_standard_output_in_a_file_are_written_there(self):
        for force in ([], ["--force"]):
            with open(self.folder / "message.sig", "wb") as out:
                subprocess.run([COMMAND, "sign", "--secret", "key.pem", "--signature", "/dev/stdout", "message", *force],
                               cwd=self.folder, stdout=out, check=True, timeout=60)
            self.verify()
            self.assertTrue(pathlib.Path("/dev/stdout").is_symlink())

    @not_on_windows("pipes with names")
    def test_that_are_pipes_are_read_one_after_the_other(self):
        for name in ("one", "two"):
            os.mkfifo(self.folder / name)
        received = []
        reader = threading.Thread(target=lambda: received.extend([self.read("two"), self.read("one")]))
        reader.start()
        self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "one", "--public", "two")
        reader.join()
        self.assertEqual([b"PRIVATE" in key for key in received], [False, True])


if __name__ == "__main__":
    unittest.main()
