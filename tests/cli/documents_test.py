"""Completions and manual pages, made of what the subcommands declare."""

import os
import re
import shutil
import subprocess

from command import FILE, MISSING, USAGE, CommandTest, needs


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        self.subcommands = re.findall(
            r"(?m)^  ([a-z-]+) ", self.girih("--help").decode().split("Subcommands:")[1]
        )

    def options(self, subcommand):
        """Its options in --help; help's own is girih's."""
        if subcommand == "help":
            return ["--help"]
        return re.findall(
            r"(?m)^  (?:-\w,)?(--[a-z-]+)", self.girih(subcommand + " --help").decode()
        )

    def run_shell(self, *command, **options):
        run = subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, text=True, **options
        )
        self.assertEqual(run.stderr, "")
        return run.stdout

    def completed(self, *words):
        """The words that bash offers for the last one, by the script in the file completion."""
        script = (
            'source completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { echo "<$2>"; }; '
            '_$1; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return self.run_shell("bash", "-c", script, "bash", *words).split()


class Completions(Documents):
    @needs("bash")
    def test_of_bash_offer_what_help_shows(self):
        self.write("completion", self.girih("completion bash"))
        self.assertLessEqual(set(self.subcommands), set(self.completed("girih", "")))
        for name in self.subcommands:
            self.assertIn(name, self.completed("girih", name[:-1]))
        for name in ("sign", "verify", "keygen"):
            self.assertEqual(
                set(self.completed("girih", name, "--")) - {"-o"}, set(self.options(name))
            )
        for words, offered in (
            ("keygen --format ", ["pem", "der", "raw", "jwk", "cose"]),
            ("keygen --alg ML-DSA", ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]),
            ("sign --pre-hash SHAKE1", ["SHAKE128"]),
            ("sign --secret ", ["<default>"]),
            ("sign -o ", ["<default>"]),
            ("sign ", ["<default>"]),
            ("sign --context ", []),
            ("completion ", ["bash", "zsh", "fish", "-h", "--help"]),
        ):
            self.assertCountEqual(self.completed("girih", *words.split(" ")), offered)

    def test_name_every_option(self):
        for shell in ("zsh", "fish"):
            text = self.girih(f"completion {shell}").decode()
            for name in self.subcommands:
                for option in self.options(name):
                    self.assertRegex(text, rf"(--|-l ){option[2:]}[\[ ]")
        self.fails(
            USAGE,
            "SHELL: tcsh not in {bash,zsh,fish} (see girih completion --help)",
            "completion tcsh",
        )

    @needs("zsh")
    def test_of_zsh_can_be_read(self):
        self.write("_girih", self.girih("completion zsh"))
        self.run_shell("zsh", "-n", "_girih")
        self.run_shell(
            "zsh",
            "-f",
            "-c",
            "autoload -Uz compinit && compinit -u -d dump && source ./_girih && "
            "[[ $_comps[girih] = _girih ]]",
        )

    @needs("fish")
    def test_of_fish_offer_what_help_shows(self):
        self.write("girih.fish", self.girih("completion fish"))

        def offered(line):
            rows = self.run_shell(
                "fish",
                "-N",
                "-c",
                f"source girih.fish; complete -C '{line}'",
                env={**os.environ, "HOME": str(self.folder)},
            )
            return {row.split("\t")[0] for row in rows.splitlines()}

        self.assertLessEqual(set(self.subcommands), offered("girih "))
        self.assertLessEqual(set(self.options("sign")), offered("girih sign --"))
        self.assertEqual(offered("girih keygen --format "), {"der", "pem", "raw"})


class ManualPages(Documents):
    def test_are_there_for_every_subcommand(self):
        os.mkdir(self.folder / "pages")
        self.girih("man --folder pages")
        pages = self.names("pages")
        self.assertEqual(
            pages, sorted(["girih.1", *(f"girih-{name}.1" for name in self.subcommands)])
        )
        self.assertEqual(self.read("pages/girih.1"), self.girih("man"))
        for name in self.subcommands:
            page = self.girih(f"man {name}")
            self.assertEqual(self.read(f"pages/girih-{name}.1"), page)
            title = f"girih-{name}".upper().replace("-", "\\-")
            self.assertTrue(page.startswith(f'.\\" Made by girih man.\n.TH {title} 1 '.encode()))
            for option in self.options(name):
                self.assertIn(f"\\fB{option}\\fR".replace("-", "\\-"), page.decode())
        if shutil.which("groff"):
            self.run_shell("groff", "-man", "-ww", "-z", *(f"pages/{page}" for page in pages))

    def test_of_nothing_are_refused(self):
        self.fails(USAGE, "there is no subcommand nonsense (see girih --help)", "man nonsense")
        self.fails(FILE, f"nowhere/girih.1: {MISSING}", "man --folder nowhere")
