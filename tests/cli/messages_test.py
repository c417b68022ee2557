"""Help, mistakes on the command line, objects of JSON, lists, figures and colours."""

import json
import os
import re

from command import (
    CIPHERTEXTS,
    FILE,
    GOOD,
    MESSAGE,
    MISSING,
    SIGNATURES,
    UNVERIFIED,
    USAGE,
    WINDOWS,
    CommandTest,
    not_on_windows,
)

SUBCOMMANDS = (
    "keygen",
    "sign",
    "verify",
    "mu",
    "encap",
    "decap",
    "inspect",
    "convert",
    "list",
    "selftest",
    "bench",
    "completion",
    "man",
)
KEYGEN = "keygen --alg ML-DSA-44 --secret s --public p "
SIGN = "sign --secret key.pem --signature s message "
NO_ENGINE = {**os.environ, "GIRIH_ISA": "abacus"}


class Help(CommandTest):
    def test_names_every_subcommand_and_the_version(self):
        text = self.girih("--help")
        self.assertEqual(self.girih("help"), text)
        self.assertIn(b"Exit codes: 0 good, 1 ", text)
        for name in SUBCOMMANDS:
            self.assertIn(f"\n  {name} ", text.decode())
            its_own = self.girih(f"{name} --help")
            self.assertIn(f"girih {name}", its_own.decode())
            self.assertLessEqual(max(map(len, its_own.splitlines())), 132)
            self.assertEqual(self.girih(f"help {name}"), its_own)
        self.assertRegex(self.girih("--version"), rb"\Agirih \d+\.\d+\.\d+\n\Z")


class Mistakes(CommandTest):
    def test_are_explained_in_one_line(self):
        see = {name: f" (see girih {name} --help)" for name in SUBCOMMANDS}
        see[""] = " (see girih --help)"
        hexadecimal = "--context-hex: not an even number of hexadecimal digits"
        self.all_fail(
            USAGE,
            [
                (
                    SIGN + "--context " + "c" * 256,
                    "the context has 256 bytes; at most 255 are allowed",
                ),
                (SIGN + "--context-hex 0", hexadecimal),
                (SIGN + "--context-hex 0g", hexadecimal),
                ("bench --alg ML-DSA-45", "--alg: there is no ML-DSA-45; did you mean ML-DSA-44?"),
                *(
                    (line, why + see[of])
                    for line, of, why in (
                        ("", "", "say what to do: keygen, sign, verify, ..."),
                        ("frobnicate", "", "there is no frobnicate"),
                        (
                            "encrypt",
                            "",
                            "there is no encrypt: girih encrypts no files; "
                            "age 1.3 or later does (age-keygen -pq)",
                        ),
                        ("--frobnicate", "", "there is no --frobnicate"),
                        ("help frobnicate", "", "there is no frobnicate"),
                        ("sgin", "", "there is no sgin; did you mean sign?"),
                        ("help sgin", "", "there is no sgin; did you mean sign?"),
                        ("--versoin", "", "there is no --versoin; did you mean --version?"),
                        (
                            "sign --signatur s message",
                            "sign",
                            "there is no --signatur; did you mean --signature?",
                        ),
                        (
                            "sign --SIG=s message",
                            "sign",
                            "there is no --SIG; did you mean --signature?",
                        ),
                        ("keygen", "keygen", "--alg is required"),
                        ("sign --secret key.pem", "sign", "MESSAGE is required"),
                        (KEYGEN + "one two three", "keygen", "not expected: one two three"),
                        (SIGN + "--frobnicate", "sign", "there is no --frobnicate"),
                        (
                            SIGN + "--context c --context-hex 00",
                            "sign",
                            "--context excludes --context-hex",
                        ),
                        ("inspect -- key.pem -w", "inspect", "there is no -w"),
                        ("inspect [key.pem] [a]", "inspect", "not expected: [a]"),
                        (
                            KEYGEN + "--format [jks]",
                            "keygen",
                            "--format: [jks] not in {pem,der,raw,jwk,cose}",
                        ),
                        (
                            KEYGEN + "--private-form x",
                            "keygen",
                            "--private-form: x not in {seed,expanded,both}",
                        ),
                        (
                            "verify --manifest m --threads 0",
                            "verify",
                            "--threads: Value 0 not in range 1 to 1024",
                        ),
                    )
                ),
            ],
        )
        for line, option in (
            (SIGN + "--pre-hash", "--pre-hash"),
            (SIGN + "--alg", "--alg"),
            ("sign --secret", "--secret"),
            ("sign", "MESSAGE"),
            ("keygen --generator reference --alg", "--alg"),
            ("man --folder", "--folder"),
        ):
            self.fails(USAGE, f"{option}: is empty{see[line.split()[0]]}", line, "")


class Names(CommandTest):
    """Names of files are shown so that a terminal does nothing else."""

    NASTY = b"\x1b]0;title\x07\n\xe2\x80\xae\xff\\"
    SHOWN = "\\x1b]0;title\\x07\\n\\xe2\\x80\\xae\\xff\\\\"
    # Spaces of all kinds, and what is not seen or changes what is.
    UNSEEN = (
        0xA0,
        0xAD,
        0x34F,
        0x600,
        0x61C,
        0x6DD,
        0x70F,
        0x890,
        0x8E2,
        0x115F,
        0x1160,
        0x1680,
        0x17B4,
        0x180B,
        0x180E,
        0x2000,
        0x200B,
        0x2028,
        0x202E,
        0x205F,
        0x2060,
        0x206F,
        0x2800,
        0x3000,
        0x3164,
        0xE000,
        0xFE0F,
        0xFEFF,
        0xFFA0,
        0xFFF9,
        0xFFFD,
        0x110BD,
        0x110CD,
        0x13430,
        0x1343F,
        0x1BCA0,
        0x1D159,
        0x1D173,
        0x1D17A,
        0xE0001,
        0xE0100,
        0x10FFFD,
    )
    SEEN = "\u0645\u0641\u062a\u0627\u062d-\u00e9-\u9470.pem\u060c\u061b\u061f\u2801\u3001\ufe10"

    @not_on_windows("names with line feeds")
    def test_show_nothing_that_a_terminal_acts_on(self):
        self.have_key()
        self.write("message", b"")
        self.sign()
        for name, beginning in (("message", b""), ("key.pub.pem", b"k")):
            os.link(
                self.folder / name, os.path.join(os.fsencode(self.folder), beginning + self.NASTY)
            )
        for code, message, *words in (
            (FILE, f"{self.SHOWN}?: {MISSING}", "inspect", self.NASTY + b"?"),
            (FILE, f"{self.SHOWN}: the file is empty", "inspect", self.NASTY),
            (USAGE, f"there is no {self.SHOWN} (see girih --help)", "", self.NASTY),
            (USAGE, f"not expected: {self.SHOWN} (see girih list --help)", "list", self.NASTY),
            (USAGE, None, "keygen --alg", self.NASTY),
        ):
            self.fails(code, message, *words)
        text = self.verify(public=b"k" + self.NASTY, message=self.NASTY).decode()
        self.assertEqual(text, f"{self.SHOWN}: good ML-DSA-44 signature by k{self.SHOWN}\n")
        self.assertIn(
            f"file           k{self.SHOWN}\n", self.girih("inspect", b"k" + self.NASTY).decode()
        )
        name = "\x1b[2J\x7f\u009b31m\u202e"
        manifest = {"input": f"key.pub.pem\tmessage.sig\t{name}\n".encode(), "code": FILE}
        shown = "\\x1b[2J\\x7f\\xc2\\x9b31m\\xe2\\x80\\xae"
        report = self.girih("verify --manifest -", **manifest).decode()
        self.assertIn(f"error {shown}: {MISSING}\n", report)
        exact = self.girih("verify --json --manifest -", **manifest)
        self.assertTrue(exact.replace(b"\n", b"").decode("ascii").isprintable(), exact)
        self.assertEqual(json.loads(exact)["rows"][0]["message"], name)

    @not_on_windows("names with spaces of all kinds")
    def test_show_letters_of_all_scripts_and_nothing_that_nobody_sees(self):
        unseen = [chr(point) for point in self.UNSEEN]
        shown = "b".join(
            "".join(f"\\x{byte:02x}" for byte in character.encode()) for character in unseen
        )
        self.fails(FILE, f"{shown}: {MISSING}", "inspect", "b".join(unseen))
        self.fails(FILE, f"{self.SEEN}: {MISSING}", "inspect", self.SEEN)


class Json(CommandTest):
    """One object on standard output, whatever happens."""

    KEYS = {"key": "ML-DSA-44", "kem": "ML-KEM-512"}
    FILES = MESSAGE
    VERIFY = "verify --public key.pub.pem --signature "

    def setUp(self):
        super().setUp()
        self.sign()

    def test_says_that_all_is_well_or_has_the_error(self):
        row = b"key.pub.pem message.sig message\n"
        for name, content in (
            ("manifest", row),
            ("bad", row + b"key.pub.pem nothing message\n"),
            ("senseless", row + b"nothing\n"),
        ):
            self.write(name, content)
        for code, lines in (
            (
                GOOD,
                [
                    "list",
                    "selftest",
                    "inspect key.pem",
                    "verify --manifest manifest",
                    self.VERIFY + "message.sig message",
                ],
            ),
            (UNVERIFIED, [self.VERIFY + "message message"]),
            (
                USAGE,
                [
                    "",
                    "inspect",
                    "inspect --alg RSA key.pem",
                    "lst",
                    "list more",
                    "selftest --frobnicate",
                    "mu",
                    "encap",
                    self.VERIFY + "message.sig",
                    "verify --manifest bad message",
                    "keygen --alg ML-DSA-45",
                ],
            ),
            (
                FILE,
                [
                    "inspect nowhere",
                    "inspect message",
                    self.VERIFY + "nowhere message",
                    self.VERIFY + "message.sig nowhere",
                    "verify --manifest nowhere",
                    "verify --manifest bad",
                    "verify --manifest senseless",
                    "sign --secret nowhere message",
                    "keygen --alg ML-DSA-44 --secret key.pem --public p",
                    "convert message new",
                    "verify --sums nowhere",
                    "decap --secret key.pem --ciphertext c --shared-secret s",
                ],
            ),
        ):
            for line in lines:
                found = self.json(line, code=code)
                self.assertEqual(
                    [found["ok"], found.get("error"), found.get("exit_code")],
                    [False, self.error, code] if code else [True, None, None],
                )

    def test_tells_what_was_written(self):
        key, kem = (
            {
                "ok": True,
                "algorithm": algorithm,
                "fingerprint": self.inspect(f"{name}.pem")["fingerprint"],
            }
            for name, algorithm in self.KEYS.items()
        )
        files = {**kem, "ciphertext": "ct", "shared_secret": "ss"}
        options = " --ciphertext ct --shared-secret ss"
        for line, told in (
            (
                "sign --secret key.pem message key.pub.pem --force",
                {
                    **key,
                    "format": "raw",
                    "signatures": [
                        {"message": name, "signature": name + ".sig"}
                        for name in ("message", "key.pub.pem")
                    ],
                },
            ),
            (
                "sign --secret key.pem --text --sums sums message",
                {
                    **key,
                    "format": "text",
                    "sums": "sums",
                    "signatures": [{"message": "sums", "signature": "sums.sig"}],
                },
            ),
            (
                "mu --public key.pub.pem -o mu message",
                {**key, "public": "key.pub.pem", "message": "message", "output": "mu"},
            ),
            (
                "convert --public-only key.pem new",
                {**key, "input": "key.pem", "output": "new", "kind": "public key", "format": "PEM"},
            ),
            ("encap --public kem.pub.pem" + options, {**files, "public": "kem.pub.pem"}),
            ("decap --force --secret kem.pem" + options, {**files, "secret": "kem.pem"}),
        ):
            self.assertEqual(self.json(line), told)
        made = self.json(KEYGEN)
        self.assertEqual(
            made,
            {**key, "fingerprint": self.inspect("s")["fingerprint"], "secret": "s", "public": "p"},
        )

    def test_needs_standard_output_for_itself(self):
        for option, line in (
            ("--signature", "sign --secret key.pem -o - message"),
            ("--signature", "sign --secret key.pem -o /dev/stdout message"),
            ("--output", "mu --public key.pub.pem --output - message"),
            ("--secret", "keygen --alg ML-DSA-44 --secret - --public p"),
            ("--public", "keygen --alg ML-DSA-44 --secret s --public /dev/fd/1"),
            ("OUTPUT", "convert key.pem -"),
            ("--ciphertext", "encap --public p --ciphertext - --shared-secret s"),
            ("--shared-secret", "decap --secret s --ciphertext c --shared-secret -"),
        ):
            why = f"{option}: standard output is taken by --json"
            self.assertEqual(
                self.json(line, code=USAGE), {"ok": False, "error": why, "exit_code": USAGE}
            )

    def test_is_asked_for_by_the_option_alone(self):
        self.assertIs(json.loads(self.girih("inspect --json=true nothing", code=FILE))["ok"], False)
        why = f"nothing: {MISSING}"
        self.all_fail(
            FILE,
            [
                *((f"inspect --json={no} nothing", why) for no in ("0", "off", "FALSE")),
                ("verify --context --json --public nothing --signature s m", why),
                ("inspect -- --json", f"--json: {MISSING}"),
            ],
        )

    def test_of_a_broken_manifest_from_a_pipe_is_whole(self):
        """It cannot be read twice, so rows are out when the fault is found."""
        lines = b"key.pub.pem message.sig message\n" * 300 + b"nothing\n"
        found = self.json("verify --manifest -", input=lines, code=FILE)
        why = "standard input: line 301: not the names of a public key, a signature and a message"
        self.assertEqual([found["error"], found["ok"]], [why, False])
        self.assertGreaterEqual(len(found["rows"]), 128)


class Lists(CommandTest):
    def test_show_sizes_and_the_engine(self):
        text = self.girih("list").decode()
        for algorithm in [*SIGNATURES, *CIPHERTEXTS]:
            if not algorithm.startswith("Falcon"):
                seed = 64 if "ML-KEM" in algorithm else 32
                last = "(yes|no)" if algorithm in SIGNATURES else "32"
                self.assertRegex(text, rf"(?m)^{algorithm} +{seed} +\d+ +\d+ +\d+  {last}$")
        self.assertRegex(text, r"shared secret\nML-KEM-512 ", "what most people want comes first")
        self.assertRegex(text, r"(?m)^Engine: \w+ \(.+\)\.$")
        listed = self.json("list")
        found = [
            (a["name"], a["kind"], a.get("signature_bytes", a.get("ciphertext_bytes")))
            for a in listed["algorithms"]
        ]
        self.assertEqual(
            found,
            [
                *((a, "signature", n) for a, n in SIGNATURES.items()),
                *((a, "key encapsulation", n) for a, n in CIPHERTEXTS.items()),
            ],
        )
        self.assertTrue(listed["engine"] and listed["engine_reason"] and listed["version"])

    def test_fail_without_an_engine(self):
        for line in ("list", "selftest", "inspect x"):
            found = self.json(
                line, code=FILE, env=NO_ENGINE, error=re.compile(r"GIRIH_ISA.*abacus")
            )
            self.assertEqual([found["ok"], found["error"]], [False, self.error])

    def test_of_the_self_test_have_every_algorithm(self):
        names = [*SIGNATURES, *CIPHERTEXTS]
        engine, answers, *lines = self.girih("selftest").decode().splitlines()
        self.assertRegex(engine, r"\Aengine \w+ \(.+\)\Z")
        self.assertRegex(answers, r"\Aknown answers on (\w+ )*portable\Z")
        self.assertEqual(lines, [f"{algorithm}: good" for algorithm in names])
        result = self.json("selftest")
        self.assertIs(result["passed"], True)
        self.assertIn(result["engine"], result["engines"])
        self.assertEqual(result["results"], [{"algorithm": a, "passed": True} for a in names])


class Terminal(CommandTest):
    def shown(self, line, stream="stderr", **changes):
        """All that a terminal gets as this stream of the command."""
        environment = {
            "PATH": os.environ["PATH"],
            "TERM": "xterm",
            "HOME": str(self.folder),
            **changes,
        }
        return self.on_terminal(self.run_command, line, stream, env=environment)


QUICK = "bench --milliseconds 1 --alg "


class Bench(Terminal):
    """A short table, on any copy of the command."""

    def test_times_what_is_asked_for(self):
        number = r" +\d+\.\d"
        self.assertRegex(
            self.girih(QUICK + "ML-KEM-512 --alg ml-dsa-44").decode(),
            rf"\A +keygen +sign +verify\nML-DSA-44{number * 3}\n\n +keygen +encap +decap\n"
            rf"ML-KEM-512{number * 3}\n\nMedian microseconds .*\nEngine: \w+ \(.+\)\.\n\Z",
        )

    def test_is_json_too(self):
        found = self.json(QUICK + "Falcon-512")
        self.assertEqual(
            [(row["algorithm"], row["operation"]) for row in found["results"]],
            [("Falcon-512", operation) for operation in ("keygen", "sign", "verify")],
        )
        for row in found["results"]:
            self.assertTrue(0 < row["least_ns"] <= row["median_ns"], row)
            self.assertGreaterEqual(row["runs"], 5)
        self.assertTrue(found["ok"] and found["engine"] and found["version"])

    @not_on_windows("a terminal")
    def test_has_a_bar_on_a_terminal_that_is_gone_at_the_end(self):
        shown = self.shown(QUICK + "ML-KEM-512")
        self.assertIn(b"\r\033[K[" + b"#" * 20 + b"." * 10 + b"] ML-KEM-512 decap", shown)
        self.assertTrue(shown.endswith(b"\r\033[K"))


GREEN, RED, YELLOW, PLAIN = (f"\033[{code}m".encode() for code in ("1;32", "1;31", "1;33", "0"))
VERIFY = "verify --public key.pub.pem "


@not_on_windows("a terminal")
class Colours(Terminal):
    KEYS = {"key": "ML-DSA-44"}
    FILES = {
        **MESSAGE,
        "manifest": b"key.pub.pem message.sig message\nkey.pub.pem message.sig key.pub.pem\n",
    }

    def setUp(self):
        super().setUp()
        self.sign()

    def test_are_those_of_verdicts(self):
        self.girih("sign --secret key.pem --sums SUMS message")
        good = GREEN + b"good" + PLAIN
        self.assertEqual(
            self.shown(VERIFY + "message", "stdout"),
            b"message: " + good + b" ML-DSA-44 signature by key.pub.pem\n",
        )
        self.assertIn(b"\n" + good + b"  message\n", self.shown(VERIFY + "--sums SUMS", "stdout"))
        self.assertTrue(
            self.shown("verify --manifest manifest", "stdout").startswith(
                good + b"  message\n" + RED + b"bad" + PLAIN + b"   key.pub.pem: "
            )
        )
        self.assertEqual(
            self.shown("verify --manifest manifest"),
            RED + b"girih:" + PLAIN + b" manifest: 2 signatures: 1 good, 1 bad, 0 error; first "
            b"key.pub.pem: the signature does not verify\n",
        )
        os.chmod(self.folder / "key.pem", 0o644)
        self.assertTrue(
            self.shown("inspect key.pem").startswith(
                b"girih: " + YELLOW + b"warning:" + PLAIN + b" key.pem"
            )
        )

    def test_are_for_terminals_that_want_them(self):
        for line, stream in (
            (VERIFY + "message", "stdout"),
            ("verify --manifest manifest", "stdout"),
            ("nonsense", "stderr"),
        ):
            for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                self.assertNotIn(b"\033", self.shown(line, stream, **changes))
            self.assertIn(b"\033[", self.shown(line, stream, NO_COLOR=""))
            run = self.run_command(line)
            self.assertNotIn(b"\033", run.stdout + run.stderr)
        self.assertNotIn(b"\033", self.shown(VERIFY + "--json message", "stdout"))
