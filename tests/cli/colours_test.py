"""Colours: on a terminal, and nowhere else."""

import os
import pty
import subprocess
import unittest

from command import COMMAND, CommandTest, read_to_end

GREEN, RED, YELLOW, PLAIN = (f"\033[{code}m".encode() for code in ("1;32", "1;31", "1;33", "0"))


class Colours(CommandTest):
    def setUp(self):
        super().setUp()
        self.keygen(public="girih.pub")
        self.write("message")
        self.girih("sign", "--secret", "key.pem", "message")
        self.girih("sign", "--secret", "key.pem", "--sums", "SUMS", "message")
        self.write("manifest", b"girih.pub message.sig message\ngirih.pub message.sig girih.pub\n")

    def shown(self, *arguments, **changes):
        """What a terminal gets, as standard output and as standard error."""
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "HOME": str(self.folder), **changes}
        streams = []
        for stream in ("stdout", "stderr"):
            own, terminal = pty.openpty()
            subprocess.run([COMMAND, *arguments], cwd=self.folder, env=environment, timeout=60,
                           **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: terminal})
            os.close(terminal)
            streams.append(read_to_end(own).replace(b"\r\n", b"\n"))
        return streams

    def test_are_those_of_verdicts(self):
        good = GREEN + b"good" + PLAIN
        self.assertEqual(self.shown("verify", "message")[0],
                         b"message: " + good + b" ML-DSA-44 signature by girih.pub\n")
        self.assertIn(b"\n" + good + b"  message\n", self.shown("verify", "--sums", "SUMS")[0])
        rows = self.shown("verify", "--manifest", "manifest")
        self.assertTrue(rows[0].startswith(good + b"  message\n" + RED + b"bad" + PLAIN + b"   girih.pub: "))
        self.assertEqual(rows[1], RED + b"girih:" + PLAIN + b" manifest: 2 signatures: 1 good, 1 bad, 0 error\n")
        os.chmod(self.folder / "key.pem", 0o644)
        self.assertTrue(self.shown("inspect", "key.pem")[1].startswith(b"girih: " + YELLOW + b"warning:" + PLAIN + b" key.pem"))

    def test_are_for_terminals_that_want_them(self):
        for arguments in (["verify", "message"], ["verify", "--manifest", "manifest"], ["nonsense"]):
            for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                self.assertNotIn(b"\033", b"".join(self.shown(*arguments, **changes)))
            self.assertIn(b"\033[", b"".join(self.shown(*arguments, NO_COLOR="")))
            run = subprocess.run([COMMAND, *arguments], cwd=self.folder, capture_output=True, timeout=60)
            self.assertNotIn(b"\033", run.stdout + run.stderr)
        self.assertNotIn(b"\033", b"".join(self.shown("verify", "--json", "message")))


if __name__ == "__main__":
    unittest.main()
