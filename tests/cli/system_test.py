"""A system does this to the command: signals, failing calls, closed streams, dumps of memory."""

import itertools
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from command import COMMAND, FILE, LOCKED, WORDS, CommandTest

# Between these, a file of several could be there and another not.
CALLS = "?link,?linkat,?unlink,?unlinkat,?rename,?renameat,?renameat2,?fsync,?syncfs"
SIGNALS = itertools.cycle(
    [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM]
)
OLD = b"precious"

# Outputs of each subcommand that makes files.
OUTPUTS = {
    "keygen --alg ML-DSA-44 --secret new.key --public new.pub": ["new.key", "new.pub"],
    "sign --secret key.pem a b c": ["a.sig", "b.sig", "c.sig"],
    "sign --secret key.pem --sums SUMS a b": ["SUMS", "SUMS.sig"],
    "mu --public key.pub.pem --output mu a": ["mu"],
    "encap --public kem.pub.pem --ciphertext ct --shared-secret ss": ["ct", "ss"],
    "decap --secret kem.pem --ciphertext ct.bin --shared-secret ss": ["ss"],
    "convert key.pem key.der --format der": ["key.der"],
    "convert --public-only key.pem key.pub": ["key.pub"],
}
KEYGEN = next(iter(OUTPUTS.items()))
VERIFY = "verify --public key.pub.pem --signature "

# How names are exchanged where the system cannot do it at once, and where it has no links either.
NO_EXCHANGE = {"renameat2": "error=EINVAL"}
NO_LINKS = {**NO_EXCHANGE, "link": "error=EPERM", "linkat": "error=EPERM"}


def may_trace():
    trace = ["strace", "-o", os.devnull, "true"]
    return shutil.which("strace") and subprocess.run(trace, capture_output=True).returncode == 0


needs_strace = unittest.skipUnless(may_trace(), "needs strace, and leave to trace")


class SystemTest(CommandTest):
    KEYS = {"key": "ML-DSA-44", "kem": "ML-KEM-512", "falcon": "Falcon-512", "ntru": "sntrup653"}
    FILES = {"a": b"a", "b": b"b", "c": b"c", **LOCKED}

    def setUp(self):
        super().setUp()
        self.encap(ciphertext="ct.bin")
        logs = tempfile.TemporaryDirectory(prefix="girih-")
        self.addCleanup(logs.cleanup)
        self.log = pathlib.Path(logs.name) / "log"

    def strace(self, injected, *options):
        """The words before a command, so that its system calls fail, or signals come with them."""
        inject = [
            word for call, what in injected.items() for word in ("-e", f"inject=?{call}:{what}")
        ]
        calls = ",".join([CALLS, *("?" + call for call in injected)])  # of those that there are
        no_leaks = (
            os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        )  # their search is traced as well
        return {
            "env": {**os.environ, "ASAN_OPTIONS": no_leaks},
            "program": [
                "strace",
                "-o",
                self.log,
                "-e",
                f"trace={calls}",
                *options,
                *inject,
                COMMAND,
            ],
        }

    def calls(self):
        """How often each was called."""
        names = re.findall(r"^(\w+)\(", self.log.read_text(), re.MULTILINE)
        return {name: names.count(name) for name in names}

    def clear(self, outputs, old):
        for name in outputs:
            (self.folder / name).unlink(missing_ok=True)
        self.others = self.names()
        if old is not None:
            for name in outputs:
                self.write(name, old)

    def left(self, outputs, old):
        """Whether all outputs are new. Fails if some are, or if another file was left."""
        now = [self.read(name) if (self.folder / name).exists() else None for name in outputs]
        are_new = {content not in (old, None) for content in now}
        self.assertEqual(len(are_new), 1, dict(zip(outputs, now)))
        if are_new == {False}:
            self.assertEqual(set(now), {old})
        self.assertEqual([name for name in self.names() if name not in outputs], self.others)
        return are_new == {True}


@needs_strace
class Signals(SystemTest):
    """Whenever one comes, it leaves all outputs, or none and the old files."""

    def each_signal(self, line, outputs, old, injected):
        self.clear(outputs, old)
        self.girih(line, **self.strace(injected))
        self.assertTrue(self.left(outputs, old))
        seen = set()
        for call, count in self.calls().items():
            # A call that fails is given its signal each time: strace takes one injection for it.
            for when in ["1+"] if call in injected else range(1, count + 1):
                number = next(SIGNALS)
                what = (
                    injected[call] + ":" if call in injected else ""
                ) + f"signal={number.name}:when={when}"
                with self.subTest(line, call=call, what=what, injected=injected):
                    self.clear(outputs, old)
                    run = self.run_command(line, **self.strace({**injected, call: what}))
                    self.assertEqual(run.returncode, -number, run.stderr)
                    seen.add(self.left(outputs, old))
        self.assertEqual(seen, {False, True})

    def test_by_a_signal(self):
        for line, outputs in OUTPUTS.items():
            self.each_signal(line, outputs, None, {})
            self.each_signal(line + " --force", outputs, OLD, {})

    def test_by_a_signal_where_names_are_not_exchanged(self):
        line, outputs = KEYGEN
        self.each_signal(line + " --force", outputs, OLD, NO_EXCHANGE)
        self.each_signal(line + " --force", outputs, OLD, NO_LINKS)
        self.each_signal(line, outputs, None, NO_LINKS)


def syncs_file_systems(folder):
    """Whether many files wait for their file system once: where a failure of that is told."""
    kind = subprocess.run(
        ["stat", "-f", "-c", "%T", folder], capture_output=True, text=True, check=True
    ).stdout.strip()
    version = tuple(map(int, re.match(r"(\d+)\.(\d+)", platform.release()).groups()))
    return version >= (5, 18) and kind in ("ext2/ext3", "xfs", "btrfs", "f2fs", "tmpfs")


@needs_strace
class OnTheDisk(SystemTest):
    """The contents of outputs are there before their names, and the names before the end."""

    MESSAGES = [f"m{i:02}" for i in range(20)]
    FILES = {**SystemTest.FILES, **dict.fromkeys(MESSAGES, b"m")}
    FEW = "sign --secret key.pem a b c", ["a.sig", "b.sig", "c.sig"]
    MANY = "sign --secret key.pem " + " ".join(MESSAGES), [f"{name}.sig" for name in MESSAGES]
    ONE_BY_ONE = {"fstatfs": "error=ENOSYS"}  # so that it is not known which file system it is

    def setUp(self):
        super().setUp()
        self.are_together = syncs_file_systems(self.folder)

    def synced(self, case, injected):
        """The waits before the names, and after them."""
        self.clear(case[1], None)
        self.girih(case[0], **self.strace(injected))
        self.assertTrue(self.left(case[1], None))
        calls = re.findall(r"^(fsync|syncfs|link|linkat)\(", self.log.read_text(), re.MULTILINE)
        names = [i for i, call in enumerate(calls) if call.startswith("link")]
        self.assertEqual(len(names), len(case[1]))
        self.assertEqual(names[-1] - names[0], len(names) - 1)
        return calls[: names[0]], calls[names[-1] + 1 :]

    def test_are_many_by_one_wait(self):
        if self.are_together:
            self.assertEqual(self.synced(self.MANY, {}), (["syncfs"], ["syncfs"]))
        self.assertEqual(self.synced(self.MANY, self.ONE_BY_ONE), (["fsync"] * 20, ["fsync"]))

    def test_are_few_one_by_one(self):
        self.assertEqual(self.synced(self.FEW, {}), (["fsync"] * 3, ["fsync"]))

    def test_are_looked_up_once(self):
        def looks(count):
            self.girih(
                "sign --force --secret key.pem",
                *self.MESSAGES[:count],
                **self.strace({}, "-e", "trace=?stat,?newfstatat,?statx,?fstat"),
            )
            return sum(self.calls().values())

        self.assertLessEqual(looks(20) - looks(10), 20 * 10)

    def cannot(self, case, call, when, message, injected=None):
        fails = {**(injected or {}), call: f"error=EIO:when={when}"}
        for old, force in ((None, ""), (OLD, " --force")):
            self.clear(case[1], old)
            with self.subTest(case[0] + force, fails=fails):
                self.fails(
                    FILE, f"{message}: Input/output error", case[0] + force, **self.strace(fails)
                )
                self.assertFalse(self.left(case[1], old))

    def test_failures_leave_no_output(self):
        for when, name in (
            (1, "a.sig"),
            (3, "c.sig"),
            (4, "a.sig: its folder cannot be synchronized"),
        ):
            self.cannot(self.FEW, "fsync", when, name)
        for when, name in ((20, "m19.sig"), (21, "m00.sig: its folder cannot be synchronized")):
            self.cannot(self.MANY, "fsync", when, name, self.ONE_BY_ONE)
        for when in (1, 2) if self.are_together else ():
            self.cannot(
                self.MANY, "syncfs", when, "m00.sig: its file system cannot be synchronized"
            )


@unittest.skipUnless(pathlib.Path("/dev/full").is_char_device(), "there is no /dev/full")
class Reports(SystemTest):
    """A report comes to people together with the files, or neither does."""

    def unreported(self, line, outputs, **options):
        for old, force in ((None, ""), (OLD, " --force")):
            self.clear(outputs, old)
            with self.subTest(line + force), open("/dev/full", "wb") as full:
                self.fails(
                    FILE,
                    "standard output: No space left on device",
                    line + force,
                    stdout=full,
                    **options,
                )
                self.assertFalse(self.left(outputs, old))

    def test_that_cannot_be_written_undo_the_files(self):
        for line, outputs in OUTPUTS.items():
            self.unreported(line + " --json", outputs)

    def test_of_default_names_do_too(self):
        (self.folder / "keys").mkdir()
        self.unreported(
            "keygen --alg ML-DSA-44",
            ["keys/girih.key", "girih.pub"],
            env={**os.environ, "GIRIH_KEYS": "keys"},
        )

    @needs_strace
    def test_where_names_are_not_exchanged_do_too(self):
        self.unreported(KEYGEN[0] + " --json", KEYGEN[1], **self.strace(NO_EXCHANGE))

    @needs_strace
    def test_that_are_lost_when_standard_output_is_closed_are_told(self):
        with open(self.log.parent / "shown", "wb") as shown:
            self.fails(
                FILE,
                "standard output: Disk quota exceeded",
                "list",
                stdout=shown,
                **self.strace({"close": "error=EDQUOT"}, "-P", shown.name),
            )


class ClosedStreams(SystemTest):
    def fails_without(self, number, name, line):
        self.fails(
            FILE,
            f"{name}: Bad file descriptor",
            line,
            program=["sh", "-c", f'"$0" "$@" {number}<&-', COMMAND],
        )

    def test_are_not_empty_inputs_or_passphrases(self):
        for line in (
            "sign --secret key.pem --signature s {}",
            "sign --secret {} a",
            "sign --mu --secret key.pem --signature s {}",
            VERIFY + "a {}",
            VERIFY + "{} a",
            "verify --public {} a",
            "verify --manifest {}",
            VERIFY + "a --sums {}",
            "mu --public key.pub.pem --output mu {}",
            "encap --public {} --ciphertext ct --shared-secret ss",
            "decap --secret kem.pem --ciphertext {} --shared-secret ss",
            "convert {} new",
            "inspect {}",
            "inspect locked.pem --passphrase-file {}",
            "keygen --alg ML-DSA-44 --secret new --public p --encrypt --passphrase-file {}",
        ):
            self.fails_without(0, "standard input", line.format("-"))
            self.fails_without(0, "/dev/stdin", line.format("/dev/stdin"))
        self.fails_without(0, "/dev/fd/0", "inspect /dev/fd/0")
        for number in (0, 1):
            self.fails_without(
                number, f"file descriptor {number}", f"inspect locked.pem --passphrase-fd {number}"
            )


class Memory(SystemTest):
    """The command waits for its message, and has read the key and its passphrase."""

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "pipe")
        reading, writing = os.pipe()
        os.write(writing, WORDS)
        os.close(writing)
        self.waiting = subprocess.Popen(
            [
                COMMAND,
                "sign",
                "--secret",
                "locked.pem",
                "--passphrase-fd",
                str(reading),
                "--signature",
                "s",
                "pipe",
            ],
            cwd=self.folder,
            pass_fds=[reading],
            stderr=subprocess.DEVNULL,
            preexec_fn=self.allow_cores,
        )
        os.close(reading)
        self.addCleanup(self.waiting.wait)
        self.addCleanup(self.waiting.kill)
        # This returns when the command has come to its message.
        self.addCleanup(os.close, os.open(self.folder / "pipe", os.O_WRONLY))

    @staticmethod
    def allow_cores():
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))

    @staticmethod
    def is_dumped(process):
        process.send_signal(signal.SIGQUIT)
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT).si_code == os.CLD_DUMPED

    def test_is_not_dumped(self):
        with subprocess.Popen(
            ["sleep", "60"], cwd=self.folder, preexec_fn=self.allow_cores
        ) as other:
            if not self.is_dumped(other):
                self.skipTest("this system dumps no memory")
        self.assertFalse(self.is_dumped(self.waiting))

    def test_has_no_passphrase_any_longer(self):
        found = 0
        try:
            process = pathlib.Path(f"/proc/{self.waiting.pid}")
            with open(process / "maps") as maps, open(process / "mem", "rb", 0) as memory:
                for first, last in re.findall(r"^(\w+)-(\w+) rw", maps.read(), re.MULTILINE):
                    size = int(last, 16) - int(first, 16)
                    if size < 1 << 30:  # not a sanitizer's shadow of all memory
                        memory.seek(int(first, 16))
                        found += memory.read(size).count(WORDS)
        except OSError as error:
            self.skipTest(f"the memory of another process cannot be read: {error}")
        self.assertEqual(found, 0)


@needs_strace
class Randomness(SystemTest):
    def test_that_fails_says_why(self):
        make = "keygen --secret new.key --public new.pub --alg "
        encap = "encap --ciphertext ct --shared-secret ss --public "
        no_randomness = {"getrandom": "error=ENOSYS", "poll": "error=EIO", "ppoll": "error=EIO"}
        why = "the source of randomness failed: getrandom or /dev/urandom: Input/output error"
        self.all_fail(
            FILE,
            [
                (
                    make + f"ML-DSA-44 --seed-hex {'00' * 32} --encrypt --passphrase-file words",
                    f"new.key: {why}",
                )
            ],
            **self.strace(no_randomness),
        )
        self.all_fail(
            FILE,
            [
                (line, why)
                for line in (
                    make + "ML-DSA-44",
                    make + "Falcon-512 --generator reference",
                    "sign --secret key.pem a",
                    "sign --secret falcon.pem a",
                    encap + "kem.pub.pem",
                    encap + "ntru.pub.pem",
                )
            ],
            **self.strace(no_randomness),
        )
