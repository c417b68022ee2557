"""The commands of firmware/YOUR_BOARD.md, from an empty folder to a signature that verifies, and
its options of every core."""

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
OPTIONS = re.findall(r"^\| [\w+, -]+ \| `(-m[^`]*)` \|$", PAGE, re.MULTILINE)
# Links the page's program without its board.
BOARD = "-Wl,--gc-sections,--entry=main,--defsym=board_print=0,--defsym=board_stop=0"


def commands(text: str) -> str:
    return "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def compiled(processor: str) -> str:
    """The page's commands up to its objects, with other options."""
    text = commands(PAGE[: PAGE.index("## 5. ")])
    text = re.sub(r'^processor=".*"$', f'processor="{processor}"', text, flags=re.MULTILINE)
    if "-march=rv32" in processor:
        text = text.replace("--core cortex-m4", "--core riscv32")
        text = text.replace(
            "arm-none-eabi-gcc $processor $size",
            "arm-none-eabi-gcc $processor $size -ffreestanding",
        )
        text = text.replace(
            "arm-none-eabi-g++ $processor", "arm-none-eabi-g++ $processor $riscv_cxx"
        )
        text = re.sub(r"arm-none-eabi-g", "riscv64-unknown-elf-g", text)
        text = text.replace('"$board/board.c"', '"$GIRIH/tests/firmware/device/memory.c"')
    return text


class YourBoard(unittest.TestCase):
    def test_the_commands_end_with_a_signature_that_verifies(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            subprocess.Popen(
                ["sh", "-ec", commands(PAGE)],
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

    def test_its_options_are_those_of_every_core(self):
        arm = (ROOT / "cmake/toolchains/arm-none-eabi.cmake").read_text()
        floats = dict(re.findall(r'set\(girih_floats_(\S+) "(.*)"\)', arm))
        riscv = re.search(
            r'set\(processor "(.*)"\)', (ROOT / "cmake/toolchains/riscv32.cmake").read_text()
        )
        cores = [
            row.split("\t")[0]
            for row in (ROOT / "tests/firmware/device/boards.tsv").read_text().splitlines()
            if row[0] != "#"
        ]
        expected = [
            f"-mcpu={core} -mthumb {floats.get(core, '-mfloat-abi=soft')}"
            if core.startswith("cortex")
            else riscv[1]
            for core in cores
        ]
        self.assertEqual(OPTIONS, expected)

    def test_every_core_s_options_compile_the_page_s_program_and_link_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for processor in OPTIONS:
                tools = "riscv64-unknown-elf" if "-march" in processor else "arm-none-eabi"
                libraries = (
                    "-nostdlib memory.o -lgcc"
                    if "-march" in processor
                    else "-nostartfiles --specs=nano.specs"
                )
                link = f"{tools}-gcc {processor} main.o random.o girih.o girih_assembly.o {BOARD} {libraries} -o linked"
                with self.subTest(processor):
                    self.succeeds(compiled(processor) + link, folder)

    def test_a_library_for_a_larger_core_is_not_linked(self):
        small, large = OPTIONS[:2]
        again = f'arm-none-eabi-gcc {small} -I"$board" -c main.c random.c'
        link = f"arm-none-eabi-gcc {small} -nostartfiles main.o random.o girih.o girih_assembly.o {BOARD} -o linked"
        with tempfile.TemporaryDirectory() as folder:
            self.succeeds(compiled(large) + again, folder)
            done = subprocess.run(
                link.split(), cwd=folder, capture_output=True, text=True, check=False
            )
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("undefined reference to `girih_core_has_thumb2'", done.stderr)

    def succeeds(self, script: str, folder: str) -> None:
        done = subprocess.run(
            ["sh", "-ec", script],
            cwd=folder,
            env=os.environ | {"GIRIH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])

    def test_the_page_is_short(self):
        self.assertLessEqual(len(PAGE.split()), 900)


if __name__ == "__main__":
    unittest.main()
