"""What the command says: help, mistakes on the command line, list and selftest."""

import json
import os
import unittest

from command import ALGORITHMS, CIPHERTEXT_BYTES, FALCONS, FALCON_SIGNATURE_BYTES, FILE, KEMS, SIGNATURE_BYTES, USAGE, CommandTest

SUBCOMMANDS = ("keygen", "sign", "verify", "mu", "encap", "decap", "inspect", "convert", "list", "selftest")


class Help(CommandTest):
    def test_names_every_subcommand(self):
        text = self.girih("--help").decode()
        for name in SUBCOMMANDS:
            self.assertIn(f"\n  {name} ", text)
            self.assertIn(f"girih {name}", self.girih(name, "--help").decode())

    def test_lists_the_exit_codes(self):
        self.assertIn("Exit codes: 0 good, 1 ", self.girih("--help").decode())

    def test_fits_a_wide_terminal(self):
        for name in SUBCOMMANDS:
            for line in self.girih(name, "--help").decode().splitlines():
                self.assertLessEqual(len(line), 132, line)

    def test_gives_the_version(self):
        self.assertRegex(self.girih("--version").decode(), r"\Agirih \d+\.\d+\.\d+\n\Z")


class Mistakes(CommandTest):
    def test_are_explained_in_one_line(self):
        sign = ["sign", "--secret", "key.pem", "--signature", "s", "message"]
        keygen = ["keygen", "--alg", "ML-DSA-44", "--secret", "s", "--public", "p"]
        see_sign, see_keygen = " (see girih sign --help)", " (see girih keygen --help)"
        for arguments, message in (
            ([], "say what to do: keygen, sign, verify, ... (see girih --help)"),
            (["frobnicate"], "there is no frobnicate (see girih --help)"),
            (["--frobnicate"], "there is no --frobnicate (see girih --help)"),
            (["keygen"], "--alg is required" + see_keygen),
            (["sign", "--secret", "key.pem"], "--signature is required" + see_sign),
            (sign + ["another"], "The following argument was not expected: another" + see_sign),
            (sign + ["--frobnicate"], "The following argument was not expected: --frobnicate" + see_sign),
            (sign + ["--context", "c", "--context-hex", "00"], "--context excludes --context-hex" + see_sign),
            (sign + ["--context", "c" * 256], "the context has 256 bytes; at most 255 are possible"),
            (sign + ["--context-hex", "0"], "--context-hex: not an even number of hexadecimal digits"),
            (sign + ["--context-hex", "0g"], "--context-hex: not an even number of hexadecimal digits"),
            (keygen + ["--format", "jks"], "--format: jks not in {pem,der,raw}" + see_keygen),
            (keygen + ["--private-form", "x"], "--private-form: x not in {seed,expanded,both}" + see_keygen),
        ):
            with self.subTest(" ".join(arguments)):
                self.fails(USAGE, message, *arguments)
        self.girih(*sign, "--pre-hash", "MD5", code=USAGE)
        self.assertRegex(self.error, r"\A--pre-hash: there is no MD5; there are SHA2-224, .* and SHAKE256\Z")
        self.assertEqual(self.names(), [])


class List(CommandTest):
    def test_shows_sizes_and_the_engine(self):
        text = self.girih("list").decode()
        for algorithm in ALGORITHMS:
            self.assertRegex(text, rf"(?m)^{algorithm} +32 +\d+ +\d+ +\d+  (yes|no)$")
        for algorithm in KEMS:
            self.assertRegex(text, rf"(?m)^{algorithm} +32 +\d+ +\d+ +\d+  32$")
        self.assertRegex(text, r"(?m)^Engine: \w+ \(.+\)\.$")

    def test_is_json_too(self):
        listed = json.loads(self.girih("list", "--json"))
        found = [(a["name"], a["kind"], a.get("signature_bytes", a.get("ciphertext_bytes")))
                 for a in listed["algorithms"]]
        self.assertEqual(found, [(a, "signature", n) for a, n in zip(ALGORITHMS + FALCONS, SIGNATURE_BYTES + FALCON_SIGNATURE_BYTES)] +
                         [(a, "key encapsulation", n) for a, n in zip(KEMS, CIPHERTEXT_BYTES)])
        self.assertTrue(listed["engine"] and listed["engine_reason"] and listed["version"])

    def test_fails_without_an_engine(self):
        environment = {**os.environ, "GIRIH_ISA": "abacus"}
        for arguments in (["list"], ["selftest"], ["inspect", "x"]):
            self.girih(*arguments, code=FILE, env=environment)
            self.assertRegex(self.error, r"GIRIH_ISA.*abacus")


class SelfTest(CommandTest):
    def test_passes(self):
        lines = self.girih("selftest").decode().splitlines()
        self.assertRegex(lines[0], r"\Aengine \w+ \(.+\)\Z")
        self.assertEqual(lines[1:], [f"{algorithm}: good" for algorithm in ALGORITHMS + FALCONS + KEMS])

    def test_is_json_too(self):
        result = json.loads(self.girih("selftest", "--json"))
        self.assertIs(result["passed"], True)
        self.assertEqual(result["results"], [{"algorithm": a, "passed": True} for a in ALGORITHMS + FALCONS + KEMS])


if __name__ == "__main__":
    unittest.main()
