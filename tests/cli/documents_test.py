"""Completions and manual pages, made of what the subcommands declare."""

import os
import re
import shutil
import subprocess
import unittest

from command import ALGORITHMS, COMMAND, FILE, USAGE, CommandTest


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"there is no {program}")


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        self.subcommands = re.findall(r"(?m)^  ([a-z]+) ", self.girih("--help").decode().split("Subcommands:")[1])

    def options(self, *subcommand):
        """As --help has them; help's own is girih's."""
        if subcommand == ("help",):
            return ["--help"]
        return re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", self.girih(*subcommand, "--help").decode())


class Completions(Documents):
    def completed(self, *words):
        """What bash offers for the last word."""
        self.write("completion", self.girih("completion", "bash"))
        script = 'source completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { echo "<$2>"; }; _girih; ' \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        run = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.folder, check=True, capture_output=True,
                             text=True, timeout=60)
        self.assertEqual(run.stderr, "")
        return run.stdout.split()

    @needs("bash")
    def test_of_bash_offer_what_help_shows(self):
        self.assertLessEqual(set(self.subcommands), set(self.completed("girih", "")))
        for name in self.subcommands:
            self.assertIn(name, self.completed("girih", name[:-1]))
        for path in (["sign"], ["verify"], ["keygen"], ["board"], ["board", "sign"], ["board", "keygen", "--public", "p", "sign"]):
            last = path if len(path) < 3 else ["board", path[-1]]
            self.assertEqual(set(self.completed("girih", *path, "--")) - {"-o"}, set(self.options(*last)))

    @needs("bash")
    def test_of_bash_offer_values(self):
        self.assertEqual(self.completed("girih", "keygen", "--format", ""), ["pem", "der", "raw"])
        self.assertEqual(self.completed("girih", "keygen", "--alg", "ML-DSA"), ALGORITHMS[:3])
        self.assertEqual(self.completed("girih", "sign", "--pre-hash", "SHAKE1"), ["SHAKE128"])
        self.assertEqual(self.completed("girih", "sign", "--secret", ""), ["<default>"])
        self.assertEqual(self.completed("girih", "sign", "-o", ""), ["<default>"])
        self.assertEqual(self.completed("girih", "sign", ""), ["<default>"])
        self.assertEqual(self.completed("girih", "sign", "--context", ""), [])
        self.assertEqual(set(self.completed("girih", "completion", "")), {"bash", "zsh", "fish", "-h", "--help"})

    def test_name_every_option(self):
        for shell in ("zsh", "fish"):
            text = self.girih("completion", shell).decode()
            for name in self.subcommands:
                for option in self.options(name):
                    self.assertRegex(text, rf"(--|-l ){option[2:]}[\[ ]")

    def test_are_for_three_shells(self):
        self.fails(USAGE, "SHELL: tcsh not in {bash,zsh,fish} (see girih completion --help)", "completion", "tcsh")

    @needs("zsh")
    def test_of_zsh_can_be_read(self):
        self.write("_girih", self.girih("completion", "zsh"))
        subprocess.run(["zsh", "-n", "_girih"], cwd=self.folder, check=True, timeout=60)
        load = "autoload -Uz compinit && compinit -u -d dump && source ./_girih && [[ $_comps[girih] = _girih ]]"
        subprocess.run(["zsh", "-f", "-c", load], cwd=self.folder, check=True, timeout=60)

    @needs("fish")
    def test_of_fish_offer_what_help_shows(self):
        self.write("girih.fish", self.girih("completion", "fish"))

        def offered(line):
            run = subprocess.run(["fish", "-N", "-c", f"source girih.fish; complete -C '{line}'"], cwd=self.folder, check=True,
                                 capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(self.folder)})
            return [row.split("\t")[0] for row in run.stdout.splitlines()]

        self.assertLessEqual(set(self.subcommands), set(offered("girih ")))
        self.assertLessEqual(set(self.options("sign")), set(offered("girih sign --")))
        self.assertEqual(sorted(offered("girih keygen --format ")), ["der", "pem", "raw"])


class ManualPages(Documents):
    def test_are_there_for_every_subcommand(self):
        os.mkdir(self.folder / "pages")
        self.girih("man", "--folder", "pages")
        pages = sorted(os.listdir(self.folder / "pages"))
        self.assertEqual(pages, sorted(["girih.1", *(f"girih-{name}.1" for name in self.subcommands)]))
        self.assertEqual(self.read("pages/girih.1"), self.girih("man"))
        for name in self.subcommands:
            page = self.girih("man", name)
            self.assertEqual(self.read(f"pages/girih-{name}.1"), page)
            self.assertTrue(page.startswith(f".\\\" Made by girih man.\n.TH GIRIH\\-{name.upper()} 1 ".encode()))
            for option in self.options(name):
                self.assertIn(f"\\fB{option}\\fR".replace("-", "\\-"), page.decode())
        if shutil.which("groff"):
            checked = subprocess.run(["groff", "-man", "-ww", "-z", *pages], cwd=self.folder / "pages", check=True,
                                     capture_output=True, timeout=60)
            self.assertEqual(checked.stderr, b"")

    def test_of_nothing_are_refused(self):
        self.fails(USAGE, "there is no subcommand nonsense (see girih --help)", "man", "nonsense")
        self.fails(FILE, "nowhere/girih.1: No such file or directory", "man", "--folder", "nowhere")


if __name__ == "__main__":
    unittest.main()
