"""girih-board against a board that lies: whatever it says, there is one clear line, no file is
touched, and it ends soon."""

import concurrent.futures
import contextlib
import dataclasses
import functools
import os
import pathlib
import select
import subprocess
import tempfile
import termios
import threading
import tty
import types

from command import BOARD, FILE, GOOD, UNVERIFIED, CommandTest, flipped, peak_memory

MORE_MEMORY_KB = 48 * 1024  # than with an honest board
# A board is given up after three attempts of four seconds to speak to it, or --timeout and two
# seconds. A busy machine may take many times as long; an answer without an end takes for ever.
MOST_SECONDS = 120
TIMEOUT = 1  # for boards that lie, of which many are silent; honest ones may be slow


class Board:
    """A board on a pseudo-terminal, in this process. `answers` maps a command's letter to what
    comes back: bytes, or a function of the argument in bytes."""

    def __init__(self, answers, greeting=b"OK\r\n"):
        self.answers = answers
        self.greeting = greeting
        self.ours, self.theirs = os.openpty()
        os.set_blocking(self.ours, False)
        tty.setraw(self.theirs, termios.TCSANOW)
        self.name = os.ttyname(self.theirs)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def close(self):
        self.ended.set()
        self.thread.join()
        os.close(self.theirs)
        if self.ours is not None:
            os.close(self.ours)

    def work(self):
        line = b""
        while not self.ended.is_set():
            if select.select([self.ours], [], [], 0.05)[0]:
                *commands, line = (line + os.read(self.ours, 4096)).split(b"\n")
                for command in commands:
                    self.answer(command.strip())

    def answer(self, command):
        if command == b"AT":
            self.say(self.greeting)
        elif command.startswith(b"AT+"):
            reply = self.answers.get(command[3:4].decode(), b"ERROR\r\n")
            self.say(reply(bytes.fromhex(command[5:].decode())) if callable(reply) else reply)

    def say(self, reply):
        """Bytes; or pieces of them, with pauses in seconds between; None hangs up."""
        for piece in [reply] if isinstance(reply, bytes) else reply:
            if piece is None:
                os.close(self.ours)
                self.ours = None
                self.ended.set()
            elif not isinstance(piece, bytes):
                self.ended.wait(piece)
                continue
            while piece and not self.ended.is_set():
                if select.select([], [self.ours], [], 0.05)[1]:
                    try:
                        piece = piece[os.write(self.ours, piece[:1024]) :]
                    except BlockingIOError:
                        self.ended.wait(0.01)
            if self.ended.is_set():
                return


def lines(*texts):
    return b"".join(
        (text if isinstance(text, bytes) else str(text).encode()) + b"\r\n" for text in texts
    )


def info(*sizes, name="ML-DSA-44"):
    return lines(name, *sizes, "OK")


def in_hex(content):
    return lines(content.hex(), "OK")


def endless(*pieces):
    while True:
        yield from pieces


@dataclasses.dataclass
class Case:
    name: str
    step: list
    answers: dict
    greeting: object = b"OK\r\n"
    timeout: int = TIMEOUT


ML_DSA_44, HASH_ML_DSA_44 = (bytes.fromhex("06096086480165030403" + last) for last in ("11", "20"))
MESSAGE = b"the user's message\n"
INFO, KEYGEN, SIGN = (
    ["info"],
    ["keygen", "--public", "new"],
    ["sign", "message", "--signature", "new"],
)
VERIFY = ["verify", "message", "--signature", "message.sig"]
BENCH, IMPORT = ["bench", "--runs", "2"], ["import", "--secret", "key.pem"]

# A line is replaced by these, where {} is the line: any line, one of numbers, and one of digits.
ANY = [
    b"",
    b" ",
    b"\x00",
    b"\xff\xfe",
    b"\x1b[2J\x1b]0;gone\x07",
    b"\xe2\x80\xae",
    b"{}\r",
    b"{} ",
    b" {}",
    b"{}{}",
    b"OVERFLOW",
    b"ERROR",
    b"OK",
    b"FAULT",
    b"READY",
    b"A" * 20482,
    b"A" * 100_000,
    b"%s%n%s%n",
]
NUMBERS = [
    b"-1",
    b"+1",
    b"0x10",
    b"1e3",
    b"1.5",
    b"007",
    b"1 2",
    b"18446744073709551615",
    b"18446744073709551616",
    b"9223372036854775808",
    b"9" * 40,
    b"281474976710656 281474976710656 281474976710656",
    b"nan",
    b"{}00",
]
DIGITS = [b"0G", b"ok", b"{}0", b"{}00", b"A" * 20480, b"../../etc/passwd"]


class HostileBoards(CommandTest):
    """Each answer in turn is mangled in every way, and all others are honest."""

    KEYS = {"key": "ML-DSA-44", "other": "ML-DSA-44", "kem": "sntrup761", "falcon": "Falcon-512"}

    def setUp(self):
        super().setUp()
        self.public = self.raw("key")
        self.signature = self.signed(MESSAGE)
        self.files = {
            "empty": b"",
            "message": MESSAGE,
            "message.sig": self.signature,
            "key.pem": self.read("key.pem"),
        }

    @functools.cached_property
    def most_memory(self):
        return self.run_case(Case("", INFO, self.honest(), timeout=60)).memory + MORE_MEMORY_KB

    def raw(self, name):
        return self.girih(f"convert {name}.pub.pem - --format raw")

    def signed(self, message, key="key"):
        """By the command, with the board's key: what an honest board would send."""
        return self.sign(secret=f"{key}.pem", signature="-", message="-", input=message)

    def honest(self, **others):
        run = lines("10 4800000 40000", "11 4900000 40000", "OK")
        return {
            "I": info(1312, 2560, 7818),
            "G": lines("OK"),
            "V": lines("OK"),
            "M": lines("OK"),
            "P": in_hex(self.public),
            "N": lines(123456, "OK"),
            "X": lines(40000, "OK"),
            "S": lambda message: in_hex(self.signed(message)),
            "R": run,
            "B": run,
            "C": run,
            **others,
        }

    def run_case(self, case, board=Board):
        """In a folder of its own."""
        with (
            tempfile.TemporaryDirectory(prefix="girih-") as folder,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
            contextlib.closing(board(case.answers, case.greeting)) as port,
        ):
            for name, content in self.files.items():
                path = pathlib.Path(folder) / name
                path.write_bytes(content)
                path.chmod(0o600)
            process = subprocess.Popen(
                [BOARD, "--port", port.name, "--timeout", str(case.timeout), *case.step],
                cwd=folder,
                stdout=out,
                stderr=err,
                stdin=subprocess.DEVNULL,
            )
            watchdog = threading.Timer(MOST_SECONDS, process.kill)
            watchdog.start()
            memory = peak_memory(process)
            watchdog.cancel()
            out.seek(0)
            err.seek(0)
            return types.SimpleNamespace(
                code=process.returncode,
                err=err.read(),
                out=out.read(),
                memory=memory,
                files=sorted(os.listdir(folder)),
            )

    def expect_refused(self, result, codes):
        self.assertIn(result.code, codes, result)
        text = result.err.decode()
        self.assertRegex(text, r"\Agirih-board: [^\n]+\n\Z")
        self.assertTrue(text[:-1].isprintable() and text.isascii(), ascii(text))
        self.assertLess(len(text), 400)
        self.assertNotRegex(text, "fault of girih's own|out of memory")
        self.assertEqual(result.files, sorted(self.files))
        self.assertNotRegex(result.out, b"signed|verified|new key")
        self.assertTrue(result.out.decode().replace("\n", "").isprintable(), result.out)
        self.assertLess(result.memory, self.most_memory)

    def all_are_refused(self, cases, codes=(FILE, UNVERIFIED), why=b""):
        """They mostly wait, so many run at once. `why` is in all lines on standard error."""
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            for case, result in zip(cases, pool.map(self.run_case, cases)):
                with self.subTest(case.name):
                    self.expect_refused(result, codes)
                    self.assertIn(why, result.err)

    # ---- Honest first, or the rest would show nothing

    def test_an_honest_board_does_everything(self):
        for step in (INFO, KEYGEN, SIGN, VERIFY, BENCH, IMPORT):
            result = self.run_case(Case("", step, self.honest(), timeout=60))
            self.assertEqual((result.code, result.err), (GOOD, b""), step)
            self.assertEqual("new" in result.files, step in (KEYGEN, SIGN))
            self.assertLess(result.memory, self.most_memory)

    # ---- Every answer, in every way

    def mangled(self, answer):
        """Ways to spoil an answer: (name, answer)."""
        parts = answer.split(b"\r\n")[:-1]
        for at, part in enumerate(parts):
            is_number = part.replace(b" ", b"").isdigit()
            for text in (
                ANY
                + (NUMBERS if is_number else [])
                + (DIGITS if is_number or len(part) > 9 else [])
            ):
                line = text.replace(b"{}", part)
                if line != part:
                    yield f"line {at} is {line[:30]!r}", lines(*parts[:at], line, *parts[at + 1 :])
            yield f"line {at} is missing", lines(*parts[:at], *parts[at + 1 :])
            yield f"line {at} comes twice", lines(*parts[:at], parts[at], *parts[at:])
        yield "the other way round", lines(*parts[-2::-1], parts[-1])
        yield "without an end", answer[:-4]
        yield "nothing", b""
        yield "it hangs up", [None]
        yield "it hangs up in the middle", [answer[: max(1, len(answer) // 2)], None]
        for what, *pieces in (
            ("a line without an end", b"A" * 1024),
            ("lines without an end", b"0\r\n" * 300),
            ("line ends without an end", b"\n" * 1024),
            ("zeros", bytes(1024)),
            ("a byte now and then", b"0", 0.3),
            ("a line now and then", b"0\r\n", 0.3),
        ):
            yield what, endless(*pieces)
        yield "junk", os.urandom(3000).replace(b"OK", b"ok")

    def is_sound(self, letter, answer, is_last):
        """Whether a mangled answer is still one that an honest board might give. Nothing after
        the last one is read."""
        if not isinstance(answer, bytes):
            return False
        got = answer.replace(b"\r\n", b"\n").split(b"\n")[:-1]
        ends = [at for at, line in enumerate(got) if line in (b"OK", b"ERROR", b"OVERFLOW")]
        if is_last and ends:
            got = got[: ends[0] + 1]
        if not got or got[-1] != b"OK":
            return letter in "RB" and got in ([b"ERROR"], [b"OVERFLOW"])
        body = got[:-1]

        def number(line, most):
            return line.isdigit() and (line == b"0" or line[:1] != b"0") and int(line) <= most

        if letter in "NX":
            return len(body) == 1 and number(body[0], 2**48 - 1 if letter == "N" else 2**32 - 1)
        if letter in "RB":
            return len(body) == 2 and all(
                len(words) == 3 and all(number(word, 2**32 - 1) for word in words)
                for words in (line.split(b" ") for line in body)
            )
        if letter == "I":
            return (
                body[:3] == [b"ML-DSA-44", b"1312", b"2560"]
                and len(body) == 4
                and number(body[3], 10240)
            )
        return body == {"P": [self.public.hex().encode()], "S": None}.get(letter, [])

    def test_every_answer_mangled_in_every_way_is_refused(self):
        answers = {**self.honest(), "S": in_hex(self.signature)}
        cases = []
        for step, letters, last in (
            (INFO, "I", "I"),
            (KEYGEN, "GP", "P"),
            (SIGN, "SNX", "P"),
            (VERIFY, "V", "X"),
            (BENCH, "R", "C"),
            (IMPORT, "M", "M"),
        ):
            for letter in letters:
                cases += [
                    Case(f"{step[0]}: {letter}: {how}", step, self.honest(**{letter: spoilt}))
                    for how, spoilt in self.mangled(answers[letter])
                    if spoilt != answers[letter]
                    and not self.is_sound(letter, spoilt, letter == last)
                ]
        self.assertGreater(len(cases), 400)
        self.all_are_refused(cases)

    # ---- Messages and signatures

    def test_no_length_makes_another_message_out_of_the_users(self):
        lengths = [2**64 - 1, 2**64, 2**63, 2**63 - 1, 2**32, 10241, -1]
        self.all_are_refused(
            [
                Case(
                    f"{step[0]}: {most}",
                    step,
                    self.honest(I=info(1312, 2560, most), S=in_hex(sent)),
                )
                for most in lengths
                for step, sent in (
                    (SIGN, self.signed(b"")),
                    (SIGN, self.signature),
                    (INFO, b""),
                    (VERIFY, b""),
                )
            ],
            (FILE,),
        )
        self.all_are_refused(
            [Case("a message that is too long", SIGN, self.honest(I=info(1312, 2560, 5)))],
            (FILE,),
            b"girih-board: message: more than the 5 bytes that the board takes\n",
        )

    def test_no_other_signature_passes_for_the_messages(self):
        good = self.signature
        self.all_are_refused(
            [
                Case(name, SIGN, self.honest(S=in_hex(sent)))
                for name, sent in (
                    ("of the empty message", self.signed(b"")),
                    ("of another message", self.signed(b"another")),
                    ("of a part", self.signed(MESSAGE[:5])),
                    ("by another key", self.signed(MESSAGE, "other")),
                    ("with a bit flipped", flipped(good, 100)),
                    ("short", good[:-1]),
                    ("long", good + b"\0"),
                    ("the public key", self.public),
                    ("nothing", b""),
                    ("the message", MESSAGE),
                )
            ]
        )

    def test_a_signature_is_not_accepted_on_the_boards_word(self):
        result = self.run_case(
            Case("", ["verify", "empty", "--signature", "message.sig"], self.honest())
        )
        self.assertEqual(
            (result.code, result.out, result.err),
            (
                UNVERIFIED,
                b"",
                b"girih-board: message.sig: the board accepts it, but it does not verify here\n",
            ),
        )

    def test_a_board_keeps_its_key(self):
        """keygen shows one key, and sign's signature is by another, which the board then
        says is its own."""
        given = iter([self.public, self.raw("other")])
        result = self.run_case(
            Case(
                "",
                [*KEYGEN, "sign", "message", "--signature", "newer"],
                self.honest(
                    P=lambda _: in_hex(next(given)),
                    S=lambda message: in_hex(self.signed(message, "other")),
                ),
            )
        )
        self.assertEqual((result.code, result.files), (FILE, sorted([*self.files, "new"])))
        self.assertRegex(
            result.err, rb"\Agirih-board: [^\n]*has another public key than a moment ago\n\Z"
        )
        self.assertNotIn(b"signed", result.out)

    # ---- Algorithms

    def test_no_algorithm_is_taken_for_another(self):
        cases = [
            Case(f"{name!r}", KEYGEN, self.honest(I=info(1312, 2560, 7818, name=name)))
            for name in (
                "ML-DSA-65",
                "ml-dsa-44",
                "MLDSA44",
                "Dilithium2",
                "Falcon-512",
                "sntrup761",
                "blank",
                "RSA",
                "",
                "A" * 33,
                "ML-DSA-44 ",
                "ML-DSA-44\\n",
                "\x1b[1mML-DSA-44",
                "a/b",
                "ML-DSA-44;x",
            )
        ]
        cases += [
            Case(f"{step[0]}: {name}", step, self.honest(I=info(*sizes, name=name)))
            for name, sizes in (("blank", (1, 1, 1)), ("sntrup761", (1158, 1763, 1039)))
            for step in (SIGN, VERIFY)
        ]
        cases += [
            Case(f"{step[0]}: a key of {len(public)} bytes", step, self.honest(P=in_hex(public)))
            for public in (
                self.raw("falcon"),
                self.raw("kem"),
                self.public[:-1],
                self.public + b"\0",
                b"",
                bytes(10241),
            )
            for step in (KEYGEN, SIGN, VERIFY)
        ]
        cases += [
            Case(f"{sizes}", INFO, self.honest(I=info(*sizes)))
            for sizes in ((1313, 2560, 7818), (1312, 2561, 7818), (0, 0, 0), (10241, 2560, 7818))
        ]
        self.all_are_refused(cases)

    def test_a_key_for_hash_ml_dsa_is_not_given_to_a_board(self):
        for name in ("key.pem", "key.pub.pem"):
            der = self.girih(f"convert {name} - --format der")
            self.files[name] = der.replace(ML_DSA_44, HASH_ML_DSA_44)
        self.all_are_refused(
            [
                Case(step[1], step, self.honest())
                for step in (IMPORT, ["import", "--public", "key.pub.pem"])
            ],
            why=b": is for HashML-DSA, which boards do not have\n",
        )

    def test_a_falcon_key_has_to_be_one(self):
        good = self.raw("falcon")
        signature = in_hex(self.signed(MESSAGE, "falcon"))
        self.all_are_refused(
            [
                Case(
                    name,
                    SIGN,
                    self.honest(
                        I=info(897, 1281, 9400, name="Falcon-512"), P=in_hex(key), S=signature
                    ),
                )
                for name, key in (
                    ("header", bytes([good[0] ^ 0x10]) + good[1:]),
                    ("coefficients", good[:1] + b"\xff" * 896),
                )
            ]
        )

    # ---- The line itself

    def test_a_greeting_may_be_anything(self):
        self.all_are_refused([Case("it hangs up", INFO, self.honest(), [None])])
        greetings = [
            b"",
            b"READY\r\n",
            b"ERROR\r\n",
            b"\x1b[2JOK\r\n",
            b"OK",
            os.urandom(100),
            endless(b"O", 0.3),
            endless(b"OK\x00\r\n", 0.05),
            endless(b"x" * 1024, 0.01),
            endless(b"\r\n" * 100, 0.01),
        ]
        self.all_are_refused(
            [Case(f"{greeting!r:.30}", INFO, self.honest(), greeting) for greeting in greetings],
            (FILE,),
            b": nothing that speaks girih's protocol answers; is the firmware on it, and "
            b"nobody else's program on the port?\n",
        )

    def test_a_line_or_an_answer_that_does_not_end_is_given_up_at_its_limit(self):
        """Long before --timeout."""
        for piece, why in (
            (b"A" * 1024, b"sends a line that does not end"),
            (b"0\r\n" * 300, b"answers with more than 16 lines"),
        ):
            self.all_are_refused(
                [Case("", INFO, self.honest(I=endless(piece)), timeout=600)], (FILE,), why
            )

    def test_what_is_said_without_a_question_is_no_answer(self):
        """The signature comes before it is asked for, and another one after."""
        extra = in_hex(self.public) + in_hex(self.signed(b""))
        self.all_are_refused(
            [
                Case(letter, SIGN, self.honest(**{letter: self.honest()[letter] + more}))
                for letter, more in (("I", extra), ("N", lines(1, "OK")))
            ]
        )

    def test_a_board_that_takes_nothing_is_given_up(self):
        """It answers, and then reads no more: the message fills the line."""

        class Deaf(Board):
            def answer(self, command):
                super().answer(command)
                if command == b"AT+I":
                    self.ended.wait()

        self.files["message"] = bytes(7818)
        result = self.run_case(Case("", SIGN, self.honest()), Deaf)
        self.expect_refused(result, (FILE,))
        self.assertRegex(result.err, rb"takes no more characters|no answer for 1 seconds")
