"""What the command says: help, mistakes on the command line, list and selftest."""

import json
import os
import unittest

from command import ALGORITHMS, CIPHERTEXT_BYTES, FALCONS, FALCON_SIGNATURE_BYTES, FILE, KEMS, ML_KEMS, SIGNATURE_BYTES, UNVERIFIED, USAGE, WINDOWS, CommandTest, not_on_windows

SUBCOMMANDS = ("keygen", "sign", "verify", "mu", "encap", "decap", "inspect", "convert", "list", "selftest",
               "bench", "completion", "man")


class Help(CommandTest):
    def test_names_every_subcommand(self):
        text = self.girih("--help").decode()
        for name in SUBCOMMANDS:
            self.assertIn(f"\n  {name} ", text)
            self.assertIn(f"girih {name}", self.girih(name, "--help").decode())

    def test_is_a_command_too(self):
        self.assertEqual(self.girih("help"), self.girih("--help"))
        self.assertIn("\n  help ", self.girih("help").decode())
        for name in (*SUBCOMMANDS, "board"):
            self.assertEqual(self.girih("help", name), self.girih(name, "--help"))
        self.assertEqual(self.girih("help", "board", "sign"), self.girih("board", "sign", "--help"))

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
            (["help", "frobnicate"], "there is no frobnicate (see girih --help)"),
            (["sgin"], "there is no sgin; did you mean sign? (see girih --help)"),
            (["help", "sgin"], "there is no sgin; did you mean sign? (see girih --help)"),
            (["help", "board", "bnech"], "there is no bnech; did you mean bench? (see girih board --help)"),
            (["board", "bnech"], "there is no bnech; did you mean bench? (see girih board --help)"),
            (["--versoin"], "there is no --versoin; did you mean --version? (see girih --help)"),
            (["sign", "--secret", "key.pem", "--signatur", "s", "message"],
             "there is no --signatur; did you mean --signature?" + see_sign),
            (["sign", "--secret", "key.pem", "--SIG=s", "message"],
             "there is no --SIG; did you mean --signature?" + see_sign),
            (["keygen"], "--alg is required" + see_keygen),
            (["sign", "--secret", "key.pem"], "MESSAGE is required" + see_sign),
            (keygen + ["another"], "not expected: another" + see_keygen),
            (keygen + ["one", "two", "three"], "not expected: one two three" + see_keygen),
            (sign + ["--frobnicate"], "there is no --frobnicate" + see_sign),
            (sign + ["--context", "c", "--context-hex", "00"], "--context excludes --context-hex" + see_sign),
            (sign + ["--context", "c" * 256], "the context has 256 bytes; at most 255 are possible"),
            (sign + ["--context-hex", "0"], "--context-hex: not an even number of hexadecimal digits"),
            (sign + ["--context-hex", "0g"], "--context-hex: not an even number of hexadecimal digits"),
            (sign + ["--pre-hash", ""], "--pre-hash: is empty" + see_sign),
            (sign + ["--alg", ""], "--alg: is empty" + see_sign),
            (["sign", "--secret", ""], "--secret: is empty" + see_sign),
            (["sign", ""], "MESSAGE: is empty" + see_sign),
            (["keygen", "--alg", "", "--generator", "reference"], "--alg: is empty" + see_keygen),
            (["man", "--folder", ""], "--folder: is empty (see girih man --help)"),
            (["inspect", "--", "key.pem", "-w"], "there is no -w (see girih inspect --help)"),
            (["inspect", "[key.pem]", "[a]"], "not expected: [a] (see girih inspect --help)"),
            (["sign", "--secret", "key.pem", "--sums", "/dev/stdout", "message"],
             "--sums: a file that has a name, and not /dev/stdout"),
            (["sign", "--secret", "key.pem", "--sums", "sums", "/dev/stdin"],
             "--sums: /dev/stdin has no name that could stand in it"),
            (keygen + ["--format", "[jks]"], "--format: [jks] not in {pem,der,raw}" + see_keygen),
            (keygen + ["--format", "jks"], "--format: jks not in {pem,der,raw}" + see_keygen),
            (keygen + ["--private-form", "x"], "--private-form: x not in {seed,expanded,both}" + see_keygen),
        ):
            with self.subTest(" ".join(arguments)):
                self.fails(USAGE, message, *arguments)
        self.fails(USAGE, "--pre-hash: there is no SHA-256; did you mean SHA2-256?", *sign, "--pre-hash", "SHA-256")
        self.girih(*sign, "--pre-hash", "MD5", code=USAGE)
        self.assertRegex(self.error, r"\A--pre-hash: there is no MD5; there are SHA2-224, .* and SHAKE256\Z")
        self.assertEqual(self.names(), [])


    def test_of_algorithms_are_answered_with_the_nearest(self):
        for wrong, right in (("ML_DSA_65", "ML-DSA-65"), ("mldsa-66", "ML-DSA-65"), ("falcon-padded512x", "Falcon-padded-512"),
                             ("sntrup_761", "sntrup761"), ("ml-kem-769", "ML-KEM-768"), ("Dilithium4", "Dilithium2")):
            self.fails(USAGE, f"--alg: there is no {wrong}; did you mean {right}?",
                       "keygen", "--alg", wrong, "--secret", "s", "--public", "p")

    @not_on_windows("names with line feeds")
    def test_show_nothing_that_a_terminal_acts_on(self):
        """What was typed, and what files are called."""
        shown = "\\x1b]0;title\\x07\\n\\xe2\\x80\\xae\\xff\\\\"
        nasty = b"\x1b]0;title\x07\n\xe2\x80\xae\xff\\"
        self.girih("keygen", "--alg", "ML-DSA-44", "--secret", "key.pem", "--public", "key.pub.pem")
        (self.folder / "message").write_bytes(b"")
        self.sign(signature="message.sig")
        name = os.fsdecode(nasty)
        os.link(self.folder / "message", os.path.join(os.fsencode(self.folder), nasty))
        os.link(self.folder / "key.pub.pem", os.path.join(os.fsencode(self.folder), b"k" + nasty))
        for arguments, message in (
            (["inspect", name + "?"], f"{shown}?: No such file or directory"),
            (["inspect", name], f"{shown}: the file is empty"),
            ([name], f"there is no {shown} (see girih --help)"),
            (["keygen", "--alg", name, "--secret", "s", "--public", "p"], None),
            (["list", name], f"not expected: {shown} (see girih list --help)"),
        ):
            self.girih(*arguments, code=FILE if "inspect" in arguments else USAGE)
            if message is not None:
                self.assertEqual(self.error, message)
        text = self.girih("verify", "--public", b"k" + nasty, "--signature", "message.sig", nasty).decode()
        self.assertEqual(text, f"{shown}: good ML-DSA-44 signature by k{shown}\n")
        self.assertIn(f"file           k{shown}\n", self.girih("inspect", b"k" + nasty).decode())
        self.write("manifest", b"key.pub.pem\tmessage.sig\t\x1b[2J\n")
        self.girih("verify", "--manifest", "manifest", code=FILE)
        report = self.girih("verify", "--manifest", "manifest", code=FILE).decode()
        self.assertIn("error \\x1b[2J: \\x1b[2J: No such file or directory\n", report)
        self.write("manifest", "key.pub.pem\tmessage.sig\t\x1b[2J\x7f\u009b31m\u202e\n".encode())
        exact = self.girih("verify", "--json", "--manifest", "manifest", code=FILE)
        self.assertTrue(exact.replace(b"\n", b"").decode("ascii").isprintable(), exact)
        self.assertEqual(json.loads(exact)["rows"][0]["message"], "\x1b[2J\x7f\u009b31m\u202e")

    @not_on_windows("names with spaces of all kinds")
    def test_show_nothing_that_nobody_sees(self):
        for point in (0xA0, 0xAD, 0x34F, 0x600, 0x61C, 0x6DD, 0x70F, 0x890, 0x8E2, 0x115F, 0x1160, 0x1680, 0x17B4, 0x180B,
                      0x180E, 0x2000, 0x200B, 0x2028, 0x202E, 0x205F, 0x2060, 0x206F, 0x2800, 0x3000, 0x3164, 0xE000, 0xFE0F,
                      0xFEFF, 0xFFA0, 0xFFF9, 0xFFFD, 0x110BD, 0x110CD, 0x13430, 0x1343F, 0x1BCA0, 0x1D159, 0x1D173, 0x1D17A,
                      0xE0001, 0xE0100, 0x10FFFD):
            escaped = "".join(f"\\x{byte:02x}" for byte in chr(point).encode())
            self.fails(FILE, f"a{escaped}b: No such file or directory", "inspect", f"a{chr(point)}b")

    def test_leave_letters_of_other_scripts_as_they_are(self):
        self.fails(FILE, "\u0645\u0641\u062a\u0627\u062d-\u00e9-\u9470.pem: No such file or directory",
                   "inspect", "\u0645\u0641\u062a\u0627\u062d-\u00e9-\u9470.pem")
        marks = "\u060c\u061b\u061f\u2801\u3001\ufe10"
        self.fails(FILE, f"{marks}: No such file or directory", "inspect", marks)


class Json(CommandTest):
    """One object on standard output, whatever happens."""

    def object(self, *arguments, **options):
        return json.loads(self.girih(*arguments, "--json", **options))

    def test_says_that_all_is_well(self):
        self.keygen()
        self.write("message")
        self.sign()
        self.write("manifest", b"key.pub.pem message.sig message\n")
        for arguments in (["list"], ["selftest"], ["inspect", "key.pem"], ["verify", "--manifest", "manifest"],
                          ["verify", "--public", "key.pub.pem", "--signature", "message.sig", "message"]):
            with self.subTest(" ".join(arguments)):
                found = self.object(*arguments)
                self.assertIs(found["ok"], True)
                self.assertNotIn("error", found)

    def test_has_the_error_of_every_failure(self):
        self.keygen()
        self.write("message")
        self.sign()
        self.write("other")
        self.write("bad", b"key.pub.pem message.sig message\nkey.pub.pem nothing message\n")
        self.write("senseless", b"key.pub.pem message.sig message\nnothing\n")
        verify = ["verify", "--public", "key.pub.pem", "--signature"]
        for code, arguments in (
            (FILE, ["inspect", "nowhere"]), (FILE, ["inspect", "message"]), (USAGE, ["inspect"]),
            (USAGE, ["inspect", "--alg", "RSA", "key.pem"]), (USAGE, ["lst"]), (USAGE, ["list", "more"]),
            (USAGE, ["selftest", "--frobnicate"]), (USAGE, []),
            (UNVERIFIED, [*verify, "other", "message"]), (FILE, [*verify, "nowhere", "message"]),
            (FILE, [*verify, "message.sig", "nowhere"]), (USAGE, [*verify, "message.sig"]),
            (FILE, ["verify", "--manifest", "nowhere"]), (FILE, ["verify", "--manifest", "bad"]),
            (FILE, ["verify", "--manifest", "senseless"]), (USAGE, ["verify", "--manifest", "bad", "message"]),
            (USAGE if WINDOWS else FILE, ["board", "--port", "nowhere", "bench"]), (USAGE, ["board", "bench"]),
            (FILE, ["sign", "--secret", "nowhere", "message"]), (USAGE, ["keygen", "--alg", "ML-DSA-45"]),
            (FILE, ["keygen", "--alg", "ML-DSA-44", "--secret", "key.pem", "--public", "p"]), (USAGE, ["mu"]),
            (FILE, ["convert", "message", "new"]), (FILE, ["verify", "--sums", "nowhere"]), (USAGE, ["encap"]),
            (FILE, ["decap", "--secret", "key.pem", "--ciphertext", "c", "--shared-secret", "s"]),
        ):
            with self.subTest(" ".join(arguments)):
                found = self.object(*arguments, code=code)
                self.assertIs(found["ok"], False)
                self.assertEqual([found["error"], found["exit_code"]], [self.error, code])
        for arguments in (["list"], ["selftest"], ["inspect", "key.pem"]):
            found = self.object(*arguments, code=FILE, env={**os.environ, "GIRIH_ISA": "abacus"})
            self.assertEqual([found["ok"], found["error"]], [False, self.error])

    def test_tells_what_was_written(self):
        def told(*arguments):
            found = self.object(*arguments)
            self.assertIs(found.pop("ok"), True)
            return found

        self.write("message")
        key = told("keygen", "--alg", "ML-DSA-44", "--secret", "key.pem", "--public", "key.pub.pem")
        self.assertEqual([key["secret"], key["public"]], ["key.pem", "key.pub.pem"])
        same = {"algorithm": "ML-DSA-44", "fingerprint": self.inspect("key.pem")["fingerprint"]}
        self.assertLessEqual(same.items(), key.items())
        secret, public = ["--secret", "key.pem"], ["--public", "key.pub.pem"]
        self.assertEqual(told("sign", *secret, "message", "key.pub.pem"),
                         {**same, "format": "raw", "signatures": [
                             {"message": name, "signature": name + ".sig"} for name in ("message", "key.pub.pem")]})
        self.assertEqual(told("sign", *secret, "--text", "--sums", "sums", "message"),
                         {**same, "format": "text", "sums": "sums",
                          "signatures": [{"message": "sums", "signature": "sums.sig"}]})
        self.assertEqual(told("mu", *public, "-o", "mu", "message"),
                         {**same, "public": "key.pub.pem", "message": "message", "output": "mu"})
        self.assertEqual(told("convert", "--public-only", "key.pem", "new"),
                         {**same, "input": "key.pem", "output": "new", "kind": "public key", "format": "PEM"})
        kem = told("keygen", "--alg", "ML-KEM-512", "--secret", "kem.pem", "--public", "kem.pub.pem")
        files = {"ciphertext": "ct", "shared_secret": "ss"}
        same = {"algorithm": "ML-KEM-512", "fingerprint": kem["fingerprint"]}
        options = ["--ciphertext", "ct", "--shared-secret", "ss"]
        self.assertEqual(told("encap", "--public", "kem.pub.pem", *options), {**same, **files, "public": "kem.pub.pem"})
        self.assertEqual(told("decap", "--force", "--secret", "kem.pem", *options), {**same, **files, "secret": "kem.pem"})

    def test_needs_standard_output_for_itself(self):
        self.keygen()
        self.write("message")
        for option, arguments in (
            ("--signature", ["sign", "--secret", "key.pem", "-o", "-", "message"]),
            ("--signature", ["sign", "--secret", "key.pem", "-o", "/dev/stdout", "message"]),
            ("--output", ["mu", "--public", "key.pub.pem", "--output", "-", "message"]),
            ("--secret", ["keygen", "--alg", "ML-DSA-44", "--secret", "-", "--public", "p"]),
            ("--public", ["keygen", "--alg", "ML-DSA-44", "--secret", "s", "--public", "/dev/fd/1"]),
            ("OUTPUT", ["convert", "key.pem", "-"]),
            ("--ciphertext", ["encap", "--public", "p", "--ciphertext", "-", "--shared-secret", "s"]),
            ("--shared-secret", ["decap", "--secret", "s", "--ciphertext", "c", "--shared-secret", "-"]),
        ):
            found = self.object(*arguments, code=USAGE)
            self.assertEqual(found, {"ok": False, "error": f"{option}: standard output has what --json tells",
                                     "exit_code": USAGE})

    def test_is_asked_for_by_the_option_alone(self):
        self.assertIs(self.object("inspect", "--json=true", "nothing", code=FILE)["ok"], False)
        for no in ("--json=0", "--json=off", "--json=FALSE"):
            self.fails(FILE, "nothing: No such file or directory", "inspect", no, "nothing")
        self.fails(FILE, "nothing: No such file or directory",
                   "verify", "--context", "--json", "--public", "nothing", "--signature", "s", "m")
        self.fails(FILE, "--json: No such file or directory", "inspect", "--", "--json")

    def test_of_a_broken_manifest_from_a_pipe_is_whole(self):
        """It cannot be read twice, so rows are out when the fault is found."""
        self.keygen()
        self.write("message")
        self.sign()
        lines = b"key.pub.pem message.sig message\n" * 300 + b"nothing\n"
        found = self.object("verify", "--manifest", "-", input=lines, code=FILE)
        self.assertEqual(found["error"], "standard input: line 301: not the names of a public key, a signature and a message")
        self.assertIs(found["ok"], False)
        self.assertGreaterEqual(len(found["rows"]), 128)


class List(CommandTest):
    def test_shows_sizes_and_the_engine(self):
        text = self.girih("list").decode()
        for algorithm in ALGORITHMS:
            self.assertRegex(text, rf"(?m)^{algorithm} +32 +\d+ +\d+ +\d+  (yes|no)$")
        for algorithm in KEMS:
            seed = 64 if algorithm in ML_KEMS else 32
            self.assertRegex(text, rf"(?m)^{algorithm} +{seed} +\d+ +\d+ +\d+  32$")
        self.assertRegex(text, r"shared secret\nML-KEM-512 ", "what most people want comes first")
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
