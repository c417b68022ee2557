"""girih board against a board that lies: whatever it says, there is one clear line, no file is
touched, and it ends soon."""

import concurrent.futures
import os
import pathlib
import resource
import select
import subprocess
import tempfile
import termios
import threading
import time
import tty
import unittest

from command import COMMAND, FILE, UNVERIFIED, CommandTest

MORE_MEMORY_KB = 48 * 1024  # than with an honest board
# A board is given up after three attempts of four seconds to speak to it, or --timeout and two
# seconds. A busy machine may take many times as long; an answer without an end takes for ever.
MOST_SECONDS = 120
TIMEOUT = 1  # for boards that lie, of which many are silent; honest ones may be slow


class Board:
    """A board on a pseudo-terminal, in this process. `answers` maps a command's letter to what
    comes back: bytes, or a function of the argument in bytes. It counts as honest where
    nothing else is said."""

    def __init__(self, answers, greeting=b"OK\r\n"):
        self.answers = answers
        self.greeting = greeting
        self.ours, theirs = os.openpty()
        os.set_blocking(self.ours, False)
        tty.setraw(theirs, termios.TCSANOW)
        self.theirs = theirs
        self.name = os.ttyname(theirs)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        for descriptor in (self.ours, self.theirs):
            if descriptor is not None:
                os.close(descriptor)

    def work(self):
        line = b""
        while not self.ended.is_set():
            if not select.select([self.ours], [], [], 0.05)[0]:
                continue
            try:
                line += os.read(self.ours, 4096)
            except BlockingIOError:
                continue
            except OSError:
                return
            while b"\n" in line:
                command, line = line.split(b"\n", 1)
                self.answer(command.strip())

    def answer(self, command):
        if command == b"AT":
            return self.say(self.greeting)
        if not command.startswith(b"AT+"):
            return None
        letter, argument = command[3:4].decode(), bytes.fromhex(command[5:].decode())
        reply = self.answers.get(letter, b"ERROR\r\n")
        return self.say(reply(argument) if callable(reply) else reply)

    def say(self, reply):
        """Bytes; or pieces of them, with pauses in seconds between; None hangs up."""
        for piece in [reply] if isinstance(reply, bytes) else reply:
            if self.ended.is_set():
                return
            if piece is None:
                os.close(self.theirs)
                self.theirs = None
                os.close(self.ours)
                self.ours = os.open(os.devnull, os.O_RDONLY)
                self.ended.set()
                return
            if isinstance(piece, (int, float)):
                if self.ended.wait(piece):
                    return
                continue
            while piece and not self.ended.is_set():
                if select.select([], [self.ours], [], 0.05)[1]:
                    try:
                        piece = piece[os.write(self.ours, piece[:1024]):]
                    except BlockingIOError:
                        time.sleep(0.01)
                    except OSError:
                        return


def lines(*texts):
    return b"".join((text if isinstance(text, bytes) else str(text).encode()) + b"\r\n" for text in texts)


def endless(piece):
    while True:
        yield piece


def drip(piece, pause):
    while True:
        yield piece
        yield pause


class HostileBoards(unittest.TestCase):
    """Each answer in turn is mangled in every way, and all others are honest."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="girih-")
        cls.addClassCleanup(folder.cleanup)
        cls.keys = pathlib.Path(folder.name)
        for name, algorithm in (("key", "ML-DSA-44"), ("other", "ML-DSA-44"), ("kem", "sntrup761"), ("falcon", "Falcon-512")):
            cls.command("keygen", "--alg", algorithm, "--format", "raw", "--secret", name, "--public", name + ".pub")
        cls.public = (cls.keys / "key.pub").read_bytes()
        (cls.keys / "message").write_bytes(b"the user's message\n")
        (cls.keys / "empty").write_bytes(b"")
        cls.message = (cls.keys / "message").read_bytes()
        cls.most_memory = cls().run_step(cls.STEPS["info"], cls.honest())[5] + MORE_MEMORY_KB

    @classmethod
    def command(cls, *arguments):
        return subprocess.run([COMMAND, *arguments], cwd=cls.keys, check=True, capture_output=True, timeout=60).stdout

    @classmethod
    def sign(cls, message, secret="key", algorithm="ML-DSA-44"):
        """By the command, with the board's key: what an honest board would send."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(message)
            file.flush()
            return cls.command("sign", "--alg", algorithm, "--secret", secret, "--signature", "-", file.name)

    @classmethod
    def honest(cls):
        info = lines("ML-DSA-44", 1312, 2560, 7818, "OK")
        run = lines("10 4800000 40000", "11 4900000 40000", "OK")
        return {"I": info, "G": lines("OK"), "P": lines(cls.public.hex().upper(), "OK"), "V": lines("OK"), "M": lines("OK"),
                "S": lambda message: lines(cls.sign(message).hex().upper(), "OK"), "N": lines(123456, "OK"),
                "X": lines(40000, "OK"), "R": run, "B": run, "C": run}

    STEPS = {"info": ["info"], "keygen": ["keygen", "--public", "new"], "sign": ["sign", "message", "--signature", "new"],
             "verify": ["verify", "message", "--signature", "message.sig"], "bench": ["bench", "--runs", "2"],
             "import": ["import", "--secret"]}

    def run_step(self, step, answers, timeout=60, **options):
        """In a folder of its own: exit code, standard error, standard output, files, seconds,
        and KiB of memory."""
        with tempfile.TemporaryDirectory(prefix="girih-") as folder, Board(answers, **options) as board:
            for name, content in (("message", self.message), ("message.sig", self.signature()), ("empty", b"")):
                (pathlib.Path(folder) / name).write_bytes(content)
            if step == self.STEPS["import"]:
                step = [*step, str(self.keys / "key")]
            before = time.monotonic()
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
                process = subprocess.Popen([COMMAND, "board", "--port", board.name, "--timeout", str(timeout), *step],
                                           cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
                watchdog = threading.Timer(MOST_SECONDS, process.kill)
                watchdog.start()
                _, status, usage = os.wait4(process.pid, 0)
                watchdog.cancel()
                process.returncode = os.waitstatus_to_exitcode(status)
                out.seek(0)
                err.seek(0)
                return (process.returncode, err.read(), out.read(), sorted(os.listdir(folder)),
                        time.monotonic() - before, usage.ru_maxrss)

    @classmethod
    def signature(cls):
        if not hasattr(cls, "made"):
            cls.made = cls.sign(cls.message)
        return cls.made

    def judge(self, name, result, codes=(FILE, UNVERIFIED)):
        code, err, out, files, seconds, memory = result
        with self.subTest(name):
            self.assertIn(code, codes, (err, out))
            text = err.decode()
            self.assertRegex(text, r"\Agirih: [^\n]+\n\Z")
            self.assertTrue(text[:-1].isprintable() and text.isascii(), ascii(text))
            self.assertLess(len(text), 400)
            self.assertNotIn("fault of girih's own", text)
            self.assertNotIn("out of memory", text)
            self.assertEqual(files, ["empty", "message", "message.sig"])
            self.assertNotIn(b"signed", out)
            self.assertNotIn(b"verified", out)
            self.assertNotIn(b"new key", out)
            self.assertTrue(out.decode().replace("\n", "").isprintable(), out)
            self.assertLess(seconds, MOST_SECONDS)
            self.assertLess(memory, self.most_memory)

    def try_all(self, cases, codes=(FILE, UNVERIFIED)):
        """Cases are (name, step, answers); they mostly wait, so many run at once."""
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            waiting = [(name, pool.submit(self.run_step, step, answers, TIMEOUT)) for name, step, answers in cases]
            for name, result in waiting:
                self.judge(name, result.result(), codes)

    # ---- Honest first, or the rest would show nothing

    def test_an_honest_board_does_everything(self):
        for name, step in self.STEPS.items():
            code, err, out, files, _, memory = self.run_step(step, self.honest())
            self.assertEqual((code, err), (0, b""), name)
            self.assertEqual("new" in files, name in ("keygen", "sign"))
            self.assertLess(memory, self.most_memory)

    # ---- Every answer, in every way

    # What a line is replaced by; {} is what it was.
    LINES = [b"", b" ", b"-1", b"+1", b"0x10", b"1e3", b"1.5", b"007", b"1 2", b"18446744073709551615", b"18446744073709551616",
             b"9223372036854775808", b"9" * 40, b"281474976710656 281474976710656 281474976710656", b"nan", b"\x00", b"\xff\xfe",
             b"\x1b[2J\x1b]0;gone\x07", b"\xe2\x80\xae", b"{}\r", b"{} ", b" {}", b"{}{}", b"{}0", b"{}00", b"OVERFLOW", b"ERROR",
             b"OK", b"ok", b"FAULT", b"0G", b"A" * 20480, b"A" * 20482, b"A" * 100_000, b"%s%n%s%n", b"../../etc/passwd", b"READY"]

    def mangled(self, answer):
        """Ways to spoil an answer: (name, answer)."""
        parts = answer.split(b"\r\n")[:-1]
        for at, part in enumerate(parts):
            for text in self.LINES:
                line = text.replace(b"{}", part)
                if line != part:
                    yield f"line {at} is {line[:30]!r}", lines(*parts[:at], line, *parts[at + 1:])
        for at in range(len(parts)):
            yield f"line {at} is missing", lines(*parts[:at], *parts[at + 1:])
            yield f"line {at} comes twice", lines(*parts[:at], parts[at], *parts[at:])
        yield "the other way round", lines(*parts[-2::-1], parts[-1])
        yield "without an end", answer[:-4]
        yield "nothing", b""
        yield "it hangs up", [None]
        yield "it hangs up in the middle", [answer[:max(1, len(answer) // 2)], None]
        yield "a line without an end", endless(b"A" * 1024)
        yield "lines without an end", endless(b"0\r\n" * 300)
        yield "line ends without an end", endless(b"\n" * 1024)
        yield "zeros", endless(bytes(1024))
        yield "a byte now and then", drip(b"0", 0.3)
        yield "a line now and then", drip(b"0\r\n", 0.3)
        yield "junk", os.urandom(3000).replace(b"OK", b"ok")

    def is_sound(self, letter, answer, is_last):
        """Whether a mangled answer is still one that an honest board might give. What comes after
        the last one is not read."""
        if not isinstance(answer, bytes):
            return False
        got = answer.replace(b"\r\n", b"\n").split(b"\n")[:-1]
        ends = [at for at, line in enumerate(got) if line in (b"OK", b"ERROR", b"OVERFLOW")]
        if is_last and ends:
            got = got[:ends[0] + 1]
        if not got or got[-1] != b"OK":
            return letter in "RB" and got in ([b"ERROR"], [b"OVERFLOW"])
        body = got[:-1]

        def number(line, most):
            return line.isdigit() and (line == b"0" or line[:1] != b"0") and int(line) <= most

        if letter in "GVM":
            return body == []
        if letter in "NX":
            return len(body) == 1 and number(body[0], 2**48 - 1 if letter == "N" else 2**32 - 1)
        if letter in "RB":
            return len(body) == 2 and all(len(line.split(b" ")) == 3 and all(number(n, 2**32 - 1) for n in line.split(b" "))
                                          for line in body)
        if letter == "I":
            return body[:3] == [b"ML-DSA-44", b"1312", b"2560"] and len(body) == 4 and number(body[3], 10240)
        return body == self.honest()["P"].split(b"\r\n")[:1] if letter == "P" else False

    def test_every_answer_mangled_in_every_way_is_refused(self):
        cases = []
        for name, letters, last in (("info", "I", "I"), ("keygen", "GP", "P"), ("sign", "SNX", "P"), ("verify", "PV", "X"),
                                    ("bench", "R", "C"), ("import", "M", "M")):
            for letter in letters:
                honest = self.honest()
                answer = lines(self.signature().hex().upper(), "OK") if letter == "S" else honest[letter]
                for how, spoilt in self.mangled(answer):
                    if spoilt == answer or self.is_sound(letter, spoilt, letter == last):
                        continue
                    answers = {**honest, letter: spoilt}
                    cases.append((f"{name}: {letter}: {how}", self.STEPS[name], answers))
        self.assertGreater(len(cases), 400)
        self.try_all(cases)

    # ---- Messages and signatures

    def test_no_length_makes_another_message_out_of_the_users(self):
        cases = []
        for signed in (b"", self.message):
            signature = lines(self.sign(signed).hex(), "OK")
            for most in (2**64 - 1, 2**64, 2**63, 2**63 - 1, 2**32, 10241, -1):
                answers = {**self.honest(), "I": lines("ML-DSA-44", 1312, 2560, most, "OK"), "S": signature}
                for step in ("sign", "verify", "info"):
                    cases.append((f"{step}: {most}", self.STEPS[step], answers))
        self.try_all(cases, (FILE,))
        short = {**self.honest(), "I": lines("ML-DSA-44", 1312, 2560, 5, "OK")}
        result = self.run_step(self.STEPS["sign"], short)
        self.judge("a message that is too long", result, (FILE,))
        self.assertEqual(result[1], b"girih: message: more than the 5 bytes that the board takes\n")

    def test_no_other_signature_passes_for_the_messages(self):
        signature = self.signature()
        flipped = bytearray(signature)
        flipped[100] ^= 1
        for name, sent in (("of the empty message", self.sign(b"")), ("of another message", self.sign(b"another")),
                           ("of a part", self.sign(self.message[:5])), ("by another key", self.sign(self.message, "other")),
                           ("with a bit flipped", bytes(flipped)), ("short", signature[:-1]), ("long", signature + b"\0"),
                           ("the public key", self.public), ("nothing", b""), ("the message", self.message)):
            answers = {**self.honest(), "S": lines(sent.hex(), "OK")}
            self.judge(name, self.run_step(self.STEPS["sign"], answers))

    def test_a_signature_is_not_accepted_on_the_boards_word(self):
        wrong = self.sign(b"another")
        with tempfile.TemporaryDirectory(prefix="girih-") as folder, Board(self.honest()) as board:
            (pathlib.Path(folder) / "message").write_bytes(self.message)
            (pathlib.Path(folder) / "s").write_bytes(wrong)
            run = subprocess.run([COMMAND, "board", "--port", board.name, "verify", "message", "--signature", "s"],
                                 cwd=folder, capture_output=True, timeout=60)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (UNVERIFIED, b"", b"girih: s: the board accepts it, but it does not verify here\n"))

    def test_a_board_keeps_its_key(self):
        """keygen shows one key, and sign's signature is by another, which the board then
        says is its own."""
        given = iter([self.public, (self.keys / "other.pub").read_bytes()])
        answers = {**self.honest(), "P": lambda _: lines(next(given).hex(), "OK"),
                   "S": lambda message: lines(self.sign(message, "other").hex(), "OK")}
        code, err, out, files, _, _ = self.run_step([*self.STEPS["keygen"], "sign", "message", "--signature", "newer"], answers)
        self.assertEqual((code, files), (FILE, ["empty", "message", "message.sig", "new"]))
        self.assertRegex(err, rb"\Agirih: [^\n]*has another public key than a moment ago\n\Z")
        self.assertNotIn(b"signed", out)

    # ---- Algorithms

    def test_no_algorithm_is_taken_for_another(self):
        falcon, kem = (self.keys / "falcon.pub").read_bytes(), (self.keys / "kem.pub").read_bytes()
        cases = []
        for name in ("ML-DSA-65", "ml-dsa-44", "MLDSA44", "Dilithium2", "Falcon-512", "sntrup761", "blank", "RSA", "", "A" * 33,
                     "ML-DSA-44 ", "ML-DSA-44\\n", "\x1b[1mML-DSA-44", "a/b", "ML-DSA-44;x"):
            for step in ("keygen", "sign", "verify"):
                answers = {**self.honest(), "I": lines(name, 1312, 2560, 7818, "OK")}
                cases.append((f"{name!r}: {step}", self.STEPS[step], answers))
        for public in (falcon, kem, self.public[:-1], self.public + b"\0", b"", bytes(10241)):
            for step in ("keygen", "sign", "verify"):
                cases.append((f"a key of {len(public)} bytes: {step}", self.STEPS[step],
                              {**self.honest(), "P": lines(public.hex(), "OK")}))
        for sizes in ((1313, 2560, 7818), (1312, 2561, 7818), (0, 0, 0), (10241, 2560, 7818)):
            for step in ("info", "keygen", "sign"):
                cases.append((f"{sizes}: {step}", self.STEPS[step],
                              {**self.honest(), "I": lines("ML-DSA-44", *sizes, "OK")}))
        self.try_all(cases)

    def test_a_key_for_hash_ml_dsa_is_not_given_to_a_board(self):
        for option, name in (("--secret", "key"), ("--public", "key.pub")):
            der = self.command("convert", "--alg", "ML-DSA-44", "--format", "der", name, "-")
            file = self.keys / (name + ".hash")
            file.write_bytes(der.replace(bytes.fromhex("0609608648016503040311"), bytes.fromhex("0609608648016503040320")))
            file.chmod(0o600)
            result = self.run_step(["import", option, str(file)], self.honest())
            self.judge(option, result)
            self.assertTrue(result[1].endswith(b": is for HashML-DSA, which boards do not have\n"), result[1])

    def test_a_falcon_key_has_to_be_one(self):
        info = lines("Falcon-512", 897, 1281, 9400, "OK")
        good = (self.keys / "falcon.pub").read_bytes()
        for name, key in (("header", bytes([good[0] ^ 0x10]) + good[1:]), ("coefficients", good[:1] + b"\xff" * 896)):
            signature = self.sign(self.message, "falcon", "Falcon-512")
            answers = {**self.honest(), "I": info, "P": lines(key.hex(), "OK"), "S": lines(signature.hex(), "OK")}
            self.judge(name, self.run_step(self.STEPS["sign"], answers))

    # ---- The line itself

    def test_a_greeting_may_be_anything(self):
        cases = [b"", b"READY\r\n", b"ERROR\r\n", b"\x1b[2JOK\r\n", b"OK", os.urandom(100), [None], drip(b"O", 0.3),
                 drip(b"OK\x00\r\n", 0.05), endless(b"x" * 1024), endless(b"\r\n" * 100)]
        with concurrent.futures.ThreadPoolExecutor(len(cases)) as pool:
            results = pool.map(lambda greeting: self.run_step(["info"], self.honest(), TIMEOUT, greeting=greeting), cases)
            for greeting, result in zip(cases, results):
                self.judge(f"greeting: {greeting!r:.30}", result)

    def test_a_line_or_an_answer_that_does_not_end_is_given_up_at_its_limit(self):
        """Long before --timeout."""
        for answer, why in ((endless(b"A" * 1024), b"sends a line that does not end"),
                            (endless(b"0\r\n" * 300), b"answers with more than 16 lines")):
            result = self.run_step(["info"], {**self.honest(), "I": answer}, timeout=600)
            self.judge(why, result, (FILE,))
            self.assertIn(why, result[1])

    def test_what_is_said_without_a_question_is_no_answer(self):
        """The signature comes before it is asked for, and another one after."""
        extra = lines(self.public.hex(), "OK") + lines(self.sign(b"").hex(), "OK")
        for letter, answer in (("I", self.honest()["I"] + extra), ("N", self.honest()["N"] + lines(1, "OK"))):
            self.judge(letter, self.run_step(self.STEPS["sign"], {**self.honest(), letter: answer}))

    def test_a_board_that_takes_nothing_is_given_up(self):
        """It answers, and then reads no more: the message fills the line."""
        class Deaf(Board):
            def answer(self, command):
                super().answer(command)
                if command == b"AT+I":
                    self.ended.wait()

        ours = {**self.honest(), "I": lines("ML-DSA-44", 1312, 2560, 7818, "OK")}
        with tempfile.TemporaryDirectory(prefix="girih-") as folder, Deaf(ours) as board:
            (pathlib.Path(folder) / "message").write_bytes(bytes(7818))
            run = subprocess.run([COMMAND, "board", "--port", board.name, "--timeout", "1", "sign", "message", "--signature",
                                  "new"], cwd=folder, capture_output=True, timeout=MOST_SECONDS)
            self.assertEqual(run.returncode, FILE)
            self.assertRegex(run.stderr, rb"\Agirih: [^\n]*(takes no more characters|no answer for 1 seconds[^\n]*)\n\Z")
            self.assertEqual(os.listdir(folder), ["message"])


if __name__ == "__main__":
    unittest.main()
