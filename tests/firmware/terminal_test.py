"""girih-board, with the firmware's shell at the other end of a pseudo-terminal."""

import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from command import (
    BOARD,
    COMMAND,
    FILE,
    MESSAGE,
    MISSING,
    ONCE,
    TAKEN,
    UNVERIFIED,
    USAGE,
    CommandTest,
)

SIGN, VERIFY = "sign message --signature message.sig", "verify message --signature message.sig"
OTHER_SIGN = "sign message --signature third.sig --public other.pub.pem"
NO_KEY = "asking for the public key (has it one? make one with keygen): the board refuses"


class BoardTest(CommandTest):
    KEYS = {"key": "ML-DSA-44", "other": "ML-DSA-44", "falcon": "Falcon-512"}
    FILES = MESSAGE
    ROLE = "full"

    def setUp(self):
        super().setUp()
        board = pathlib.Path(os.environ["GIRIH_HOST_BOARDS"]) / f"girih_host_board_{self.ROLE}"
        process = subprocess.Popen([board], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.port = process.stdout.readline().decode().strip()

    def board(self, line, **options):
        return self.girih(f"--port {self.port} {line}", program=(BOARD,), **options).decode()

    def board_fails(self, code, message, line):
        self.fails(code, message, f"--port {self.port} {line}", program=(BOARD,))

    def signs_with_an_imported_key(self):
        self.board(f"import --secret key.pem {SIGN}")
        self.verify()
        self.board("sign message --signature other.sig --public key.pub.pem")


class FullBoard(BoardTest):
    def test_says_what_it_is(self):
        with open(self.port, "wb", buffering=0) as port:
            port.write(b"AT+S 00")  # a line that somebody else began
        self.assertEqual(
            self.board("info"),
            "algorithm             ML-DSA-44\n"
            "public key            1312 bytes\n"
            "private key           2560 bytes\n"
            "longest message       7818 bytes\n",
        )

    def test_makes_signatures_that_verify_here_and_there(self):
        self.board(f"keygen --public board.pem {SIGN} {VERIFY}")
        self.verify(public="board.pem")
        self.board(VERIFY)
        self.write("message", b"another message\n")
        self.board_fails(UNVERIFIED, "message.sig: the board does not accept it", VERIFY)

    def test_signs_the_longest_message_and_no_longer_one(self):
        self.write("message", bytes(7818))
        self.board(f"keygen --public board.pem {SIGN} {VERIFY}")
        self.write("message", bytes(7819))
        self.board_fails(
            FILE,
            "message: more than the 7818 bytes that the board takes",
            "sign message --signature other.sig",
        )

    def test_does_a_step_once(self):
        for step, other in (("info", "bench"), ("bench", "info"), ("report", "report")):
            self.board_fails(
                USAGE, f"{step}: given twice, and may be once", f"{step} {other} {step}"
            )
        self.board_fails(USAGE, ONCE, "verify - --signature -")

    def test_needs_a_key(self):
        self.board_fails(
            FILE,
            f"{self.port}: signing (has it a key? make one with keygen): the board refuses",
            SIGN,
        )
        self.write("message.sig", bytes(2420))
        self.board_fails(FILE, f"{self.port}: {NO_KEY}", VERIFY)

    def test_leaves_standard_output_to_a_file(self):
        for name in ("-", "/dev/stdout"):
            run = self.run_command(f"--port {self.port} keygen --public {name}", program=(BOARD,))
            self.write("board.pem", run.stdout)
            self.assertRegex(run.stderr, rb"\Agirih-board: new key pair on the board: [^\n]*\n\Z")
            run = self.run_command(
                f"--port {self.port} sign message --signature {name} info", program=(BOARD,)
            )
            self.write("message.sig", run.stdout)
            told = run.stderr.decode().splitlines()
            self.assertRegex(
                told[0], "girih-board: message: signed on the board, and verified here: "
            )
            self.assertEqual(len(told), 5)
            self.verify(public="board.pem")

    def test_keeps_its_key_if_an_output_cannot_be_written(self):
        self.write("taken")
        self.board("keygen --public board.pem")
        self.board_fails(
            FILE, f"taken: {TAKEN}", "keygen --public new.pem sign message --signature taken"
        )
        self.board("keygen --public new.pem", code=FILE, preexec_fn=lambda: os.close(1))
        self.board(SIGN)
        self.verify(public="board.pem")

    def test_is_for_one_program(self):
        with open(self.port, "rb", buffering=0) as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            self.board_fails(
                FILE, f"{self.port}: is another program's: Resource temporarily unavailable", "info"
            )

    def test_has_figures_of_as_many_runs_as_were_asked_for(self):
        told = self.board("bench --runs 1 report --runs 2")
        bench, report = told.split("\ngirih ")
        lines = bench.splitlines()
        self.assertEqual(lines[0], "ML-DSA-44, 1 runs")
        self.assertEqual([line.split()[0] for line in lines[2:]], ["keygen", "sign", "verify"])
        self.assertRegex(report, r"\A[\d.]+, ML-DSA-44, 2 runs each, on a board")
        rows = [line.split(" | ") for line in report.splitlines() if " | " in line]
        self.assertEqual(
            [row[0].strip("| ") for row in rows], ["operation", "keygen", "sign", "verify"]
        )
        self.assertEqual({len(row) for row in rows}, {6})

    def test_has_figures_in_json_that_are_one_object_whatever_else_is_done(self):
        told = self.run_command(
            f"--port {self.port} info keygen --public board.pem bench --runs 1 --json",
            program=(BOARD,),
        ).stdout
        self.assertEqual(
            [o["operation"] for o in json.loads(told)["operations"]], ["keygen", "sign", "verify"]
        )
        told = self.board("bench --json --runs 1 sign nothing --signature s", code=FILE)
        self.assertEqual(
            json.loads(told), {"ok": False, "error": f"nothing: {MISSING}", "exit_code": FILE}
        )

    def test_signs_with_an_imported_key(self):
        self.signs_with_an_imported_key()
        self.board_fails(FILE, f"{self.port}: has another public key than it should", OTHER_SIGN)
        self.board_fails(
            FILE,
            "falcon.pem: the key is a Falcon-512 key, not an ML-DSA-44 key",
            "import --secret falcon.pem",
        )


class SigningBoard(BoardTest):
    ROLE = "signing"

    def test_signs_with_an_imported_key_and_with_no_other(self):
        self.signs_with_an_imported_key()
        self.board_fails(FILE, f"{self.port}: {NO_KEY}", "sign message --signature third.sig")
        self.board_fails(
            FILE,
            f"{self.port}: importing a public key (can it verify?): the board refuses",
            "import --public key.pub.pem",
        )
        self.board_fails(UNVERIFIED, "the board's signature does not verify here", OTHER_SIGN)
        self.board(
            f"import --secret key.pem {VERIFY}",
            code=FILE,
            error="message.sig: verifies here, but the board does not accept it (can it verify?)",
        )


class VerifyingBoard(BoardTest):
    ROLE = "verifying"

    def test_verifies_under_an_imported_key(self):
        self.sign()
        self.board(f"import --public key.pub.pem {VERIFY}")
        self.board_fails(
            FILE,
            f"{self.port}: importing a private key (can it sign?): the board refuses",
            "import --secret key.pem",
        )


class NoBoard(CommandTest):
    FILES = {"message": b"message", "ct": b"ct"}

    def all_are_told(self, code, cases):
        self.all_fail(code, cases, program=(BOARD,))

    def test_is_told(self):
        self.write("file")
        self.all_are_told(
            FILE,
            [
                ("--port file info", "file: is no serial port: Inappropriate ioctl for device"),
                ("--port nothing info", f"nothing: cannot be opened: {MISSING}"),
                ("--emulate nothing info", f"nothing: cannot be read: {MISSING}"),
                (
                    "--emulate file info",
                    "file: is no image for the emulated board (images/mps2_an500/*.elf are)",
                ),
            ],
        )
        see = " (see girih-board --help)"
        self.all_are_told(
            USAGE,
            [
                ("info", "--port or --emulate is required" + see),
                ("--port p", "A subcommand is required" + see),
                ("--timeout 0 info", "--timeout: Value 0 not in range 1 to 86400" + see),
                *(
                    (line, "there is no bnech; did you mean bench?" + see)
                    for line in ("bnech", "help bnech")
                ),
            ],
        )

    def test_outputs_that_are_inputs_are_refused_before_it_is_spoken_to(self):
        os.symlink(".", self.folder / "here")
        self.all_are_told(
            USAGE,
            [
                (f"--force {line}", f"{which} are the same file")
                for line, which in (
                    (
                        "--port nowhere keygen --public x sign message --signature ./x",
                        "keygen --public and sign --signature",
                    ),
                    (
                        "--port nowhere sign message --signature here/message",
                        "sign --signature and the file to sign",
                    ),
                    (
                        "--port nowhere sign ct --signature message verify message --signature s",
                        "sign --signature and the file to verify",
                    ),
                    (
                        "--port nowhere keygen --public message verify ct --signature message",
                        "keygen --public and verify --signature",
                    ),
                    (
                        "--emulate message keygen --public ./message",
                        "keygen --public and --emulate",
                    ),
                )
            ],
        )

    def test_of_an_emulator_is_left_by_a_signal(self):
        """A program in QEMU's place, which says its number and waits."""
        header = bytearray(28)
        header[:5] = b"\x7fELF\x01"
        header[18] = 40  # an image for Arm, as far as the command looks
        self.write("image", bytes(header))
        self.write("qemu-system-arm", b'#!/bin/sh\necho $$ >"$$.pid"\nexec sleep 600\n')
        (self.folder / "qemu-system-arm").chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        for tenths in range(0, 200, 2):  # of a millisecond, until the signal
            process = subprocess.Popen(
                [BOARD, "--emulate", "image", "info"],
                cwd=self.folder,
                env=environment,
                stderr=subprocess.DEVNULL,
            )
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
            return (
                pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
            )
        except OSError:
            return False


class FormerName(CommandTest):
    """girih board, for a release."""

    NOTICE = b"girih: board is now a separate program: girih-board\n"

    def test_starts_the_program_beside_it(self):
        def close_output():
            os.close(1)

        for line, its_own, prepare in (
            ("board --help", "--help", None),
            ("help board sign", "help sign", None),
            ("board --port x bench --json", "--port x bench --json", None),
            ("board bnech", "bnech", None),
            ("board --help", "--help", close_output),
        ):
            old = self.run_command(line, preexec_fn=prepare)
            new = self.run_command(its_own, program=(BOARD,), preexec_fn=prepare)
            self.assertEqual(
                (old.returncode, old.stdout, old.stderr),
                (new.returncode, new.stdout, self.NOTICE + new.stderr),
                line,
            )

    def test_without_the_program_is_told(self):
        alone = shutil.copy(COMMAND, self.folder / "girih")
        missing = f"girih-board: is not installed beside girih: {MISSING}"
        told = self.girih("board --port p bench --json", code=FILE, error=missing, program=(alone,))
        self.assertEqual(json.loads(told), {"ok": False, "error": missing, "exit_code": FILE})
