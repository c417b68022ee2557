"""girih board, with the firmware's shell at the other end of a pseudo-terminal."""

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from command import COMMAND, FILE, UNVERIFIED, USAGE, CommandTest  # noqa: E402


class BoardTest(CommandTest):
    ROLE = "full"

    def setUp(self):
        super().setUp()
        board = pathlib.Path(os.environ["GIRIH_HOST_BOARDS"]) / f"girih_host_board_{self.ROLE}"
        process = subprocess.Popen([board], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.port = process.stdout.readline().decode().strip()
    def board(self, *arguments, **options):
        return self.girih("board", "--port", self.port, *arguments, **options).decode()


class FullBoardTest(BoardTest):
    def test_a_board_says_what_it_is(self):
        self.assertEqual(self.board("info"),
                         "algorithm             ML-DSA-44\n"
                         "public key            1312 bytes\n"
                         "private key           2560 bytes\n"
                         "longest message       7818 bytes\n")

    def test_a_signature_of_the_board_verifies_here_and_there(self):
        self.write("message")
        self.board("keygen", "--public", "board.pem")
        self.board("sign", "message", "--signature", "message.sig")
        self.verify(public="board.pem")
        self.board("verify", "message", "--signature", "message.sig")

        self.write("message", b"another message\n")
        self.fails(UNVERIFIED, "message.sig: the board does not accept it",
                   "board", "--port", self.port, "verify", "message", "--signature", "message.sig")

    def test_steps_follow_each_other(self):
        self.write("message")
        self.board("keygen", "--public", "board.pem", "sign", "message", "--signature", "message.sig",
                   "verify", "message", "--signature", "message.sig")
        self.verify(public="board.pem")

    def test_a_step_is_given_once(self):
        for step, other in (("info", "bench"), ("bench", "info"), ("report", "report")):
            self.fails(USAGE, f"{step}: given twice, and may be once", "board", "--port", self.port, step, other, step)

    def test_bench_and_report_have_numbers_of_runs_of_their_own(self):
        told = self.board("bench", "--runs", "1", "report", "--runs", "2")
        self.assertIn("ML-DSA-44, 1 runs\n", told)
        self.assertIn("ML-DSA-44, 2 runs each", told)

    def tells(self, *arguments, code=0, **options):
        """Standard output, and the lines on standard error."""
        run = subprocess.run([COMMAND, "board", "--port", self.port, *arguments], cwd=self.folder, capture_output=True,
                             timeout=120, **options)
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout, run.stderr.decode().splitlines()

    def test_standard_output_has_a_file_alone(self):
        self.write("message")
        for name in ("-", "/dev/stdout"):
            key, told = self.tells("keygen", "--public", name)
            self.write("board.pem", key)
            self.assertRegex("\n".join(told), r"\Agirih: new key pair on the board: [^\n]*\Z")
            signature, told = self.tells("sign", "message", "--signature", name, "info")
            self.write("message.sig", signature)
            self.assertRegex(told[0], "girih: message: signed on the board, and verified here: ")
            self.assertEqual(len(told), 5)
            self.verify(public="board.pem")

    def test_figures_in_json_are_one_object_whatever_else_is_done(self):
        told, _ = self.tells("info", "bench", "--json", "--runs", "1", "keygen", "--public", "board.pem")
        self.assertEqual([o["operation"] for o in json.loads(told)["operations"]], ["keygen", "sign", "verify"])
        told, _ = self.tells("bench", "--json", "--runs", "1", "sign", "nothing", "--signature", "s", code=FILE)
        self.assertEqual(json.loads(told), {"ok": False, "error": "nothing: No such file or directory", "exit_code": FILE})
        self.assertEqual(self.names(), ["board.pem"])

    def test_what_cannot_be_written_is_told_before_the_board_has_another_key(self):
        self.write("message")
        self.write("taken")
        self.board("keygen", "--public", "board.pem")
        self.fails(FILE, "taken: exists already; --force replaces it",
                   "board", "--port", self.port, "keygen", "--public", "new.pem", "sign", "message", "--signature", "taken")
        self.assertEqual(self.names(), ["board.pem", "message", "taken"])
        self.tells("keygen", "--public", "new.pem", code=FILE, preexec_fn=lambda: os.close(1))
        self.assertEqual(self.names(), ["board.pem", "message", "taken"])
        self.board("sign", "message", "--signature", "message.sig")
        self.verify(public="board.pem")

    def test_standard_input_is_one_of_the_inputs(self):
        self.fails(USAGE, "standard input (-) can be only one of the files that are read",
                   "board", "--port", self.port, "verify", "-", "--signature", "-")

    def test_the_longest_message_is_signed_and_a_longer_one_refused(self):
        self.board("keygen", "--public", "board.pem")
        self.write("message", bytes(7818))
        self.board("sign", "message", "--signature", "message.sig")
        self.board("verify", "message", "--signature", "message.sig")
        self.write("message", bytes(7819))
        self.fails(FILE, "message: more than the 7818 bytes that the board takes",
                   "board", "--port", self.port, "sign", "message", "--signature", "other.sig")
        self.assertEqual(self.names(), ["board.pem", "message", "message.sig"])

    def test_without_a_key_nothing_is_verified(self):
        self.write("message")
        self.write("message.sig", bytes(2420))
        self.fails(FILE, self.port + ": asking for the public key (has it one? make one with keygen): the board refuses",
                   "board", "--port", self.port, "verify", "message", "--signature", "message.sig")

    def test_a_port_is_for_one_program(self):
        with open(self.port, "rb", buffering=0) as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            self.fails(FILE, self.port + ": is another program's: Resource temporarily unavailable",
                       "board", "--port", self.port, "info")

    def test_a_port_that_never_ends_a_line_is_given_up(self):
        ours, theirs = os.openpty()
        stop = threading.Event()

        def chatter():
            while not stop.wait(0.01):
                try:
                    os.write(ours, b"x" * 50)
                except OSError:
                    return

        thread = threading.Thread(target=chatter)
        thread.start()
        try:
            self.fails(FILE, os.ttyname(theirs) + ": nothing that speaks girih's protocol answers; is the firmware on it, and "
                       "nobody else's program on the port?",
                       "board", "--port", os.ttyname(theirs), "--timeout", "1", "info")
        finally:
            stop.set()
            thread.join()
            os.close(theirs)
            os.close(ours)

    def test_what_is_no_image_is_not_emulated(self):
        self.write("message")
        self.fails(FILE, "message: is no image for the emulated board (images/mps2_an500/*.elf are)",
                   "board", "--emulate", "message", "info")

    def test_without_a_key_nothing_is_signed(self):
        self.write("message")
        self.fails(FILE, self.port + ": signing (has it a key? make one with keygen): the board refuses",
                   "board", "--port", self.port, "sign", "message", "--signature", "message.sig")
        self.assertEqual(self.names(), ["message"])

    def test_a_benchmark_has_as_many_runs_as_were_asked_for(self):
        lines = self.board("bench", "--runs", "3").splitlines()
        self.assertEqual(lines[0], "ML-DSA-44, 3 runs")
        self.assertEqual([line.split()[0] for line in lines[2:]], ["keygen", "sign", "verify"])

    def test_a_report_is_a_table(self):
        lines = self.board("report", "--runs", "3").splitlines()
        self.assertRegex(lines[0], r"\Agirih [\d.]+, ML-DSA-44, 3 runs each, on a board")
        rows = [line.split(" | ") for line in lines[2:]]
        self.assertEqual([row[0].strip("| ") for row in rows if len(row) > 1], ["operation", "keygen", "sign", "verify"])
        self.assertEqual({len(row) for row in rows if len(row) > 1}, {6})

    def test_a_private_key_is_imported_and_signs(self):
        self.write("message")
        self.keygen()
        self.board("import", "--secret", "key.pem", "sign", "message", "--signature", "message.sig")
        self.verify()
        self.board("sign", "message", "--signature", "other.sig", "--public", "key.pub.pem")
        self.keygen(secret="another.pem", public="another.pub.pem")
        self.fails(FILE, self.port + ": has another public key than it should", "board", "--port", self.port,
                   "sign", "message", "--signature", "third.sig", "--public", "another.pub.pem")
        self.assertNotIn("third.sig", self.names())

    def test_a_key_of_another_algorithm_is_not_imported(self):
        self.keygen("Falcon-512")
        self.fails(FILE, "key.pem: the key is a Falcon-512 key, not an ML-DSA-44 key",
                   "board", "--port", self.port, "import", "--secret", "key.pem")

    def test_a_half_line_from_before_does_no_harm(self):
        with open(self.port, "wb", buffering=0) as port:
            port.write(b"AT+S 00")
        self.assertIn("ML-DSA-44", self.board("info"))


class SigningBoardTest(BoardTest):
    ROLE = "signing"

    def test_it_signs_with_an_imported_key_and_with_no_other(self):
        self.write("message")
        self.keygen()
        self.board("import", "--secret", "key.pem", "sign", "message", "--signature", "message.sig")
        self.verify()
        self.board("sign", "message", "--signature", "other.sig", "--public", "key.pub.pem")
        self.fails(FILE, self.port + ": asking for the public key (has it one? make one with keygen): the board refuses",
                   "board", "--port", self.port, "sign", "message", "--signature", "third.sig")
        self.fails(FILE, self.port + ": importing a public key (can it verify?): the board refuses",
                   "board", "--port", self.port, "import", "--public", "key.pub.pem")

    def test_it_does_not_say_that_a_signature_is_bad(self):
        self.write("message")
        self.keygen()
        self.sign()
        self.board("import", "--secret", "key.pem", "verify", "message", "--signature", "message.sig", code=FILE)
        self.assertEqual(self.error, "message.sig: verifies here, but the board does not accept it (can it verify?)")

    def test_a_signature_by_another_key_than_expected_is_refused(self):
        self.write("message")
        self.keygen()
        self.board("import", "--secret", "key.pem")
        self.keygen(secret="another.pem", public="another.pub.pem")
        self.fails(UNVERIFIED, "the board's signature does not verify here", "board", "--port", self.port,
                   "sign", "message", "--signature", "message.sig", "--public", "another.pub.pem")


class VerifyingBoardTest(BoardTest):
    ROLE = "verifying"

    def test_it_verifies_under_an_imported_key(self):
        self.write("message")
        self.keygen()
        self.sign()
        self.board("import", "--public", "key.pub.pem", "verify", "message", "--signature", "message.sig")
        self.fails(FILE, self.port + ": importing a private key (can it sign?): the board refuses",
                   "board", "--port", self.port, "import", "--secret", "key.pem")


class NoBoardTest(CommandTest):
    def test_no_emulator_is_left_by_a_signal(self):
        """A program in QEMU's place, which says its number and waits."""
        header = bytearray(28)
        header[:5] = b"\x7fELF\x01"
        header[18] = 40  # an image for Arm, as far as the command looks
        self.write("image", bytes(header))
        emulator = self.folder / "qemu-system-arm"
        emulator.write_text('#!/bin/sh\necho $$ >"$$.pid"\nexec sleep 600\n')
        emulator.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        for tenths in range(200):  # of a millisecond, until the signal
            process = subprocess.Popen([COMMAND, "board", "--emulate", "image", "info"], cwd=self.folder, env=environment,
                                       stderr=subprocess.DEVNULL)
            time.sleep(tenths / 10_000)
            process.terminate()
            self.assertEqual(process.wait(60), -signal.SIGTERM)
        for _ in range(600):  # tenths of a second: one that was killed may take a while to end
            left = [path.stem for path in self.folder.glob("*.pid") if self.is_alive(path.stem)]
            if not left:
                break
            time.sleep(0.1)
        for number in left:
            os.kill(int(number), signal.SIGKILL)
        self.assertEqual(left, [])

    @staticmethod
    def is_alive(number):
        try:
            return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def test_a_silent_port_is_told(self):
        master, slave = os.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        name = os.ttyname(slave)
        self.fails(FILE, name + ": nothing that speaks girih's protocol answers; is the firmware on it, and "
                   "nobody else's program on the port?", "board", "--port", name, "info")

    def test_what_is_no_port_is_told(self):
        self.write("file")
        self.fails(FILE, "file: is no serial port: Inappropriate ioctl for device", "board", "--port", "file", "info")
        self.fails(FILE, "nothing: cannot be opened: No such file or directory", "board", "--port", "nothing", "info")
        self.fails(FILE, "nothing: cannot be read: No such file or directory", "board", "--emulate", "nothing", "info")

    def test_a_way_to_the_board_is_needed(self):
        self.fails(USAGE, "--port or --emulate is required (see girih board --help)", "board", "info")


if __name__ == "__main__":
    unittest.main()
