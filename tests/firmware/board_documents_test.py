"""Completions and the manual page of girih-board, made of what its steps declare."""

import re

import documents_test
from command import BOARD, needs


class Documents(documents_test.Documents):
    def girih(self, line, *more, **options):
        return super().girih(line, *more, program=(BOARD,), **options)

    @needs("bash")
    def test_of_bash_offer_what_help_shows(self):
        self.write("completion", self.girih("completion bash"))
        self.assertLessEqual({"--port", *self.subcommands}, set(self.completed("girih-board", "")))
        self.assertLessEqual(
            {"--public", *self.subcommands}, set(self.completed("girih-board", "keygen", ""))
        )
        for line, step in (
            ("sign", "sign"),
            ("keygen --public p sign", "sign"),
            ("info import", "import"),
        ):
            self.assertEqual(
                set(self.completed("girih-board", *line.split(), "--")), set(self.options(step))
            )

    def test_name_every_step_and_option(self):
        page, zsh, fish = (
            self.girih(line).decode() for line in ("man", "completion zsh", "completion fish")
        )
        for option in {option for name in self.subcommands for option in self.options(name)}:
            self.assertTrue(f"{option}[" in zsh and f" -l {option[2:]} " in fish, option)
            self.assertIn(f"\\fB{option}\\fR".replace("-", "\\-"), page)
        self.assertEqual(re.findall(r"(?m)^\\fB(\w+)\\fR$", page), self.subcommands)
