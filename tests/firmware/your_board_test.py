"""The commands of firmware/YOUR_BOARD.md, from an empty folder to a signature that verifies."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "firmware/YOUR_BOARD.md").read_text()


class YourBoard(unittest.TestCase):
    def test_the_commands_end_with_a_signature_that_verifies(self):
        commands = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
        with (
            tempfile.TemporaryDirectory() as folder,
            subprocess.Popen(
                ["sh", "-ec", commands],
                cwd=folder,
                env=os.environ | {"GIRIH": str(ROOT)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            ) as shell,
        ):
            limit = threading.Timer(120, os.killpg, (shell.pid, signal.SIGKILL))
            limit.start()
            said = []
            for line in shell.stdout:
                said.append(line.strip())
                if "verified" in line:
                    os.killpg(shell.pid, signal.SIGKILL)
            limit.cancel()
        self.assertEqual(said[-1:], ["verified"], said)

    def test_the_page_is_short(self):
        self.assertLessEqual(len(PAGE.split()), 900)


if __name__ == "__main__":
    unittest.main()
