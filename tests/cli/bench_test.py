"""girih bench: a short table, on any copy of the command."""

import json
import os
import pty
import subprocess
import unittest

from command import COMMAND, USAGE, CommandTest, not_on_windows, read_to_end

QUICK = ["bench", "--milliseconds", "1"]


class Bench(CommandTest):
    def test_times_what_is_asked_for(self):
        text = self.girih(*QUICK, "--alg", "ML-KEM-512", "--alg", "ml-dsa-44").decode()
        number = r" +\d+\.\d"
        self.assertRegex(text, rf"\A +keygen +sign +verify\nML-DSA-44{number * 3}\n\n +keygen +encap +decap\n"
                               rf"ML-KEM-512{number * 3}\n\nMedian microseconds .*\nEngine: \w+ \(.+\)\.\n\Z")

    def test_is_json_too(self):
        found = json.loads(self.girih(*QUICK, "--alg", "Falcon-512", "--json"))
        self.assertEqual([(row["algorithm"], row["operation"]) for row in found["results"]],
                         [("Falcon-512", operation) for operation in ("keygen", "sign", "verify")])
        for row in found["results"]:
            self.assertTrue(0 < row["least_ns"] <= row["median_ns"], row)
            self.assertGreaterEqual(row["runs"], 5)
        self.assertTrue(found["ok"] and found["engine"] and found["version"])

    @not_on_windows("a terminal")
    def test_has_a_bar_on_a_terminal_that_is_gone_at_the_end(self):
        own, terminal = pty.openpty()
        subprocess.run([COMMAND, *QUICK, "--alg", "ML-KEM-512"], check=True, stdout=subprocess.DEVNULL, stderr=terminal, timeout=60)
        os.close(terminal)
        shown = read_to_end(own)
        self.assertIn(b"\r\033[K[" + b"#" * 20 + b"." * 10 + b"] ML-KEM-512 decap", shown)
        self.assertTrue(shown.endswith(b"\r\033[K"))

    def test_knows_its_algorithms(self):
        self.fails(USAGE, "--alg: there is no ML-DSA-45; did you mean ML-DSA-44?", *QUICK, "--alg", "ML-DSA-45")


if __name__ == "__main__":
    unittest.main()
