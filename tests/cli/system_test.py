"""What a system does to the command: signals, failing calls, closed streams, dumps of memory."""

import itertools
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from command import COMMAND, FILE, CommandTest

# Between these, a file of several could be there and another not.
CALLS = "?link,?linkat,?unlink,?unlinkat,?rename,?renameat,?renameat2,?fsync"
SIGNALS = itertools.cycle([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM])
OLD = b"precious"

# Outputs of each subcommand that makes files.
OUTPUTS = [
    (["keygen", "--alg", "ML-DSA-44", "--secret", "new.key", "--public", "new.pub"], ["new.key", "new.pub"]),
    (["sign", "--secret", "key.pem", "a", "b", "c"], ["a.sig", "b.sig", "c.sig"]),
    (["sign", "--secret", "key.pem", "--sums", "SUMS", "a", "b"], ["SUMS", "SUMS.sig"]),
    (["mu", "--public", "key.pub.pem", "--output", "mu", "a"], ["mu"]),
    (["encap", "--public", "kem.pub", "--ciphertext", "ct", "--shared-secret", "ss"], ["ct", "ss"]),
    (["decap", "--secret", "kem.key", "--ciphertext", "ct.bin", "--shared-secret", "ss"], ["ss"]),
    (["convert", "key.pem", "key.der", "--format", "der"], ["key.der"]),
]
KEYGEN = OUTPUTS[0]

# How names are exchanged where the system cannot do it at once, and where it has no links either.
NO_EXCHANGE = {"renameat2": "error=EINVAL"}
NO_LINKS = {**NO_EXCHANGE, "link": "error=EPERM", "linkat": "error=EPERM"}


def may_trace():
    return shutil.which("strace") and subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


needs_strace = unittest.skipUnless(may_trace(), "needs strace, and leave to trace")


class SystemTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen()
        self.keygen("ML-KEM-512", secret="kem.key", public="kem.pub")
        self.encap(public="kem.pub")
        for name in "abc":
            self.write(name)
        logs = tempfile.TemporaryDirectory(prefix="girih-")
        self.addCleanup(logs.cleanup)
        self.log = pathlib.Path(logs.name) / "log"

    def traced(self, arguments, injected, *options, **streams):
        """Runs it with faults injected into its system calls."""
        inject = [word for call, what in injected.items() for word in ("-e", f"inject=?{call}:{what}")]
        calls = ",".join([CALLS, *("?" + call for call in injected)])  # of those that there are
        return subprocess.run(["strace", "-o", self.log, "-e", f"trace={calls}", *options, *inject, COMMAND, *arguments],
                              cwd=self.folder, timeout=60, stderr=subprocess.PIPE, **{"stdout": subprocess.PIPE, **streams},
                              env={**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"})

    def calls(self):
        """How often each was called."""
        names = re.findall(r"^(\w+)\(", self.log.read_text(), re.MULTILINE)
        return {name: names.count(name) for name in names}

    def clear(self, outputs, old):
        for name in outputs:
            (self.folder / name).unlink(missing_ok=True)
            if old is not None:
                self.write(name, old)

    def left(self, outputs, old):
        """Whether all outputs are new. Fails if some are, or if another file was left."""
        now = [self.read(name) if (self.folder / name).exists() else None for name in outputs]
        are_new = {content != old for content in now}
        self.assertEqual(len(are_new), 1, dict(zip(outputs, now)))
        if are_new == {True}:
            self.assertNotIn(None, now)
        self.assertEqual([name for name in self.names() if name not in outputs], self.others)
        return are_new == {True}


@needs_strace
class Signals(SystemTest):
    """Whenever one comes, it leaves all outputs, or none and the old files."""

    def each_signal(self, arguments, outputs, old, injected):
        self.clear(outputs, None)
        self.others = self.names()
        self.clear(outputs, old)
        run = self.traced(arguments, injected)
        self.judge(run.returncode, 0, run.stderr)
        self.assertTrue(self.left(outputs, old))
        seen = set()
        for call, count in self.calls().items():
            # A call that fails is given its signal each time: strace takes one injection for it.
            for when in ["1+"] if call in injected else range(1, count + 1):
                number = next(SIGNALS)
                what = (injected[call] + ":" if call in injected else "") + f"signal={number.name}:when={when}"
                with self.subTest(" ".join(arguments), call=call, what=what, injected=injected):
                    self.clear(outputs, old)
                    run = self.traced(arguments, {**injected, call: what})
                    self.assertEqual(run.returncode, -number, run.stderr)
                    seen.add(self.left(outputs, old))
        self.assertEqual(seen, {False, True})

    def test_by_a_signal(self):
        for arguments, outputs in OUTPUTS:
            self.each_signal(arguments, outputs, None, {})
            self.each_signal([*arguments, "--force"], outputs, OLD, {})

    def test_by_a_signal_where_names_are_not_exchanged(self):
        self.each_signal([*KEYGEN[0], "--force"], KEYGEN[1], OLD, NO_EXCHANGE)
        self.each_signal([*KEYGEN[0], "--force"], KEYGEN[1], OLD, NO_LINKS)
        self.each_signal(KEYGEN[0], KEYGEN[1], None, NO_LINKS)


@unittest.skipUnless(pathlib.Path("/dev/full").is_char_device(), "there is no /dev/full")
class Reports(SystemTest):
    """What the command has to say comes to people together with its files, or neither does."""

    def unreported(self, arguments, outputs, injected=None, **options):
        for old in (None, OLD):
            self.clear(outputs, None)
            self.others = self.names()
            self.clear(outputs, old)
            whole = [*arguments] if old is None else [*arguments, "--force"]
            with self.subTest(" ".join(whole), injected=injected), open("/dev/full", "wb") as full:
                if injected:
                    run = self.traced(whole, injected, stdout=full)
                else:
                    run = subprocess.run([COMMAND, *whole], stdout=full, stderr=subprocess.PIPE, cwd=self.folder,
                                         timeout=60, **options)
                self.judge(run.returncode, FILE, run.stderr)
                self.assertEqual(self.error, "standard output: No space left on device")
                self.assertFalse(self.left(outputs, old))

    def test_that_cannot_be_written_undo_the_files(self):
        for arguments, outputs in OUTPUTS:
            self.unreported([*arguments, "--json"], outputs)

    def test_of_default_names_do_too(self):
        (self.folder / "keys").mkdir()
        self.unreported(["keygen", "--alg", "ML-DSA-44"], ["keys/girih.key", "girih.pub"],
                        env={**os.environ, "GIRIH_KEYS": "keys"})

    @needs_strace
    def test_where_names_are_not_exchanged_do_too(self):
        self.unreported([*KEYGEN[0], "--json"], KEYGEN[1], NO_EXCHANGE)

    @needs_strace
    def test_that_are_lost_when_standard_output_is_closed_are_told(self):
        with open(self.folder / "shown", "wb") as shown:
            run = self.traced(["list"], {"close": "error=EDQUOT"}, "-P", str(self.folder / "shown"), stdout=shown)
        self.judge(run.returncode, FILE, run.stderr)
        self.assertEqual(self.error, "standard output: Disk quota exceeded")


class ClosedStreams(SystemTest):
    def closed(self, number, *arguments):
        return subprocess.run(["sh", "-c", f'"$0" "$@" {number}<&-', COMMAND, *arguments], capture_output=True,
                              cwd=self.folder, timeout=60, start_new_session=True)

    def test_are_not_empty_inputs(self):
        self.write("words", b"correct horse\n")
        self.keygen("ML-DSA-44", "--encrypt", "--kdf", "scrypt", "--passphrase-file", "words", secret="locked.pem", public="locked.pub")
        self.write("empty", b"")
        self.girih("sign", "--secret", "key.pem", "--signature", "empty.sig", "empty")
        there = self.names()
        for arguments in (["sign", "--secret", "key.pem", "--signature", "s", "{}"], ["sign", "--secret", "{}", "a"],
                          ["sign", "--mu", "--secret", "key.pem", "--signature", "s", "{}"],
                          ["verify", "--public", "key.pub.pem", "--signature", "empty.sig", "{}"],
                          ["verify", "--public", "key.pub.pem", "--signature", "{}", "empty"],
                          ["verify", "--public", "{}", "empty"], ["verify", "--manifest", "{}"],
                          ["verify", "--public", "key.pub.pem", "--sums", "{}", "--signature", "empty.sig"],
                          ["mu", "--public", "key.pub.pem", "--output", "mu", "{}"],
                          ["encap", "--public", "{}", "--ciphertext", "ct", "--shared-secret", "ss"],
                          ["decap", "--secret", "kem.key", "--ciphertext", "{}", "--shared-secret", "ss"],
                          ["convert", "{}", "new"], ["inspect", "{}"],
                          ["inspect", "locked.pem", "--passphrase-file", "{}"],
                          ["keygen", "--alg", "ML-DSA-44", "--secret", "new", "--public", "p", "--encrypt",
                           "--passphrase-file", "{}"]):
            for name, shown in (("-", "standard input"), ("/dev/stdin", "/dev/stdin"), ("/dev/fd/0", "/dev/fd/0")):
                with self.subTest(" ".join(arguments), name=name):
                    run = self.closed(0, *(name if a == "{}" else a for a in arguments))
                    self.judge(run.returncode, FILE, run.stderr)
                    self.assertEqual(self.error, f"{shown}: Bad file descriptor")
                    self.assertEqual((run.stdout, self.names()), (b"", there))

    def test_have_no_passphrases(self):
        self.write("words", b"correct horse\n")
        self.keygen("ML-DSA-44", "--encrypt", "--kdf", "scrypt", "--passphrase-file", "words", secret="locked.pem", public="locked.pub")
        for number in ("0", "1"):
            run = self.closed(number, "inspect", "locked.pem", "--passphrase-fd", number)
            self.judge(run.returncode, FILE, run.stderr)
            self.assertEqual(self.error, f"file descriptor {number}: Bad file descriptor")


class Memory(SystemTest):
    """Of a command that waits for its message, with the key and its passphrase read."""

    WORDS = b"correct horse battery"

    def setUp(self):
        super().setUp()
        self.write("words", self.WORDS + b"\n")
        self.keygen("ML-DSA-44", "--encrypt", "--kdf", "scrypt", "--passphrase-file", "words", secret="locked.pem", public="locked.pub")
        os.mkfifo(self.folder / "pipe")
        reading, writing = os.pipe()
        os.write(writing, self.WORDS)
        os.close(writing)
        self.waiting = subprocess.Popen(
            [COMMAND, "sign", "--secret", "locked.pem", "--passphrase-fd", str(reading), "--signature", "s", "pipe"],
            cwd=self.folder, pass_fds=[reading], stderr=subprocess.DEVNULL, preexec_fn=self.allow_cores)
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
        with subprocess.Popen(["sleep", "60"], cwd=self.folder, preexec_fn=self.allow_cores) as other:
            if not self.is_dumped(other):
                self.skipTest("this system dumps no memory")
        self.assertFalse(self.is_dumped(self.waiting))

    def test_has_no_passphrase_any_longer(self):
        found = 0
        try:
            with open(f"/proc/{self.waiting.pid}/maps") as maps, open(f"/proc/{self.waiting.pid}/mem", "rb", 0) as memory:
                for first, last in re.findall(r"^(\w+)-(\w+) rw", maps.read(), re.MULTILINE):
                    size = int(last, 16) - int(first, 16)
                    if size < 1 << 30:  # not a sanitizer's shadow of all memory
                        memory.seek(int(first, 16))
                        found += memory.read(size).count(self.WORDS)
        except OSError as error:
            self.skipTest(f"the memory of another process cannot be read: {error}")
        self.assertEqual(found, 0)


@needs_strace
class Randomness(SystemTest):
    def test_that_fails_says_why(self):
        self.write("words", b"correct horse\n")
        self.keygen("Falcon-512", secret="falcon.pem", public="falcon.pub")
        self.keygen("sntrup653", secret="ntru.key", public="ntru.pub")
        make = ["--secret", "new.key", "--public", "new.pub"]
        seed = ["--seed-hex", "00" * 32]
        there = self.names()
        for arguments, where in ((["keygen", "--alg", "ML-DSA-44", *make], ""),
                                 (["keygen", "--alg", "Falcon-512", "--generator", "reference", *make], ""),
                                 (["keygen", "--alg", "ML-DSA-44", *seed, "--encrypt", "--passphrase-file", "words", *make],
                                  "new.key: "),
                                 (["sign", "--secret", "key.pem", "a"], ""), (["sign", "--secret", "falcon.pem", "a"], ""),
                                 (["encap", "--public", "kem.pub", "--ciphertext", "ct", "--shared-secret", "ss"], ""),
                                 (["encap", "--public", "ntru.pub", "--ciphertext", "ct", "--shared-secret", "ss"], "")):
            with self.subTest(" ".join(arguments)):
                run = self.traced(arguments, {"getrandom": "error=ENOSYS", "poll": "error=EIO", "ppoll": "error=EIO"})
                self.judge(run.returncode, FILE, run.stderr)
                self.assertEqual(self.error, f"{where}the source of randomness failed: getrandom or /dev/urandom: "
                                             "Input/output error")
                self.assertEqual(self.names(), there)


if __name__ == "__main__":
    unittest.main()
