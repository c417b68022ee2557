"""tools/interop passes the artifacts that it makes, and names each of them that is broken."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

INTEROP = pathlib.Path(__file__).resolve().parents[2] / "tools/interop"
MEMORY = "/dev/shm"  # the command waits until what it writes is on the disk
# Others are compared with these.
GIVEN = re.compile(r"_ss\.bin|_pub\.|(?<!_jws)\.txt|/ta\.der")


def broken(content):
    """With a byte changed. The last 32 of an ML-KEM key are for rejections alone."""
    return content[:-33] + bytes([content[-33] ^ 1]) + content[-32:]


class Interop(unittest.TestCase):
    def interop(self, out, *arguments):
        """The rows of its table, and which artifacts failed."""
        done = subprocess.run(
            [INTEROP, "--out", out, *arguments], capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        rows = re.findall(r"^\| (.*) \|$", done.stdout, re.MULTILINE)[2:]
        return [row.split(" | ") for row in rows], re.findall(
            r"^- (.*?): .", done.stdout, re.MULTILINE
        )

    def test_its_artifacts_pass_and_broken_ones_are_named(self):
        with tempfile.TemporaryDirectory(
            prefix="girih-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None
        ) as name:
            os.environ["TMPDIR"] = name
            (row,), faults = self.interop(name)
            self.assertEqual((row[0], faults), ("girih", []))
            for cell in row[1:]:
                self.assertRegex(cell, r"^[1-9]\d*/0/\d+$")
            theirs, changed = pathlib.Path(name, "theirs/them"), []
            theirs.mkdir(parents=True)
            for archive in pathlib.Path(name, "girih").iterdir():
                with (
                    zipfile.ZipFile(archive) as good,
                    zipfile.ZipFile(theirs / archive.name, "w") as bad,
                ):
                    for file in good.namelist():
                        given = GIVEN.search(file)
                        bad.writestr(file, good.read(file) if given else broken(good.read(file)))
                        changed += [] if given else [f"them, {file}"]
            _, faults = self.interop(name, theirs)
            self.assertCountEqual(faults, changed)


if __name__ == "__main__":
    unittest.main()
