"""The bootloader on the emulated boards, with both algorithms.

Besides what loaders.py reads, the environment names girih for this machine (GIRIH_LIBRARY), and a
compiler for it (CC).
"""

import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
import figures  # noqa: E402
import glitches  # noqa: E402
import image  # noqa: E402
from image import HEADER_BYTES, SLOT_BYTES  # noqa: E402
from loaders import ALGORITHMS, CORES, DEVICES, built, make_key, signed  # noqa: E402
from machine import Machine, Program  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


class SecureBoot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        for name, algorithm in [*((name, name) for name in ALGORITHMS), ("other", "ml-dsa-44")]:
            make_key(cls.folder, name, algorithm)
        cls.loaders = {
            (board, algorithm): built(cls.folder, board, algorithm)
            for board in CORES
            for algorithm in ALGORITHMS
        }

    def machine(self, board, algorithm, landing=0) -> Machine:
        out = self.loaders[board, algorithm]
        application = Program(out / "application.elf")
        machine = Machine(
            board, Program(out / "loader.elf"), landing or application.symbols["board_stop"]
        )
        self.addCleanup(machine.close)
        return machine

    def image(self, payload: bytes, algorithm, counter=3) -> bytes:
        return signed(payload, self.folder, algorithm, counter)

    def expect(self, machine, image, counter, said):
        machine.flash(image, counter)
        self.assertEqual(
            machine.boot(), "started" if said == "the application runs" else "stopped", said
        )
        self.assertEqual(machine.said(), said)

    def test_starts_the_good_image_and_refuses_others(self):
        for (board, algorithm), out in self.loaders.items():
            with self.subTest(f"{algorithm} on {board}"):
                machine = self.machine(board, algorithm)
                payload = (out / "application.bin").read_bytes()
                image = self.image(payload, algorithm)
                changed = bytearray(image)
                changed[HEADER_BYTES + 100] ^= 0x10
                end = HEADER_BYTES + len(payload)  # of what is signed
                for bad, counter, said in [
                    (image, 0, "the application runs"),
                    (image, 3, "the application runs"),
                    (image, 4, "refused: older than the counter allows"),
                    (bytes(changed), 0, "refused: wrong signature"),
                    (image[:-1], 0, "refused: wrong signature"),
                    (image[: end + 7], 0, "refused: cut off or changed"),
                    (image[: end - 64], 0, "refused: cut off or changed"),
                    (
                        self.image(payload, "other"),
                        0,
                        "refused: wrong signature"
                        if algorithm == "ml-dsa-44"
                        else "refused: wrong header",
                    ),
                    (self.image(payload, algorithm, 1025), 0, "refused: wrong header"),
                    (b"", 0, "refused: no image"),
                ]:
                    self.expect(machine, bad, counter, said)

    def test_the_page_s_commands(self):
        """The README's, without those that make keys and girih's libraries, which are there."""
        page = (HERE / "README.md").read_text()
        commands = re.search(r"```sh\n(.*?)```", page, re.DOTALL)[1]
        for there, here in [
            ("girih keygen", "true"),
            ("examples/secure_boot/libraries.sh", "true"),
            ("build/devices", str(DEVICES)),
            ("build/boot", "boot"),
            ("signer", str(self.folder / "ml-dsa-44")),
            ("examples/secure_boot", str(HERE)),
        ]:
            self.assertIn(there, commands)
            commands = commands.replace(there, here)
        with subprocess.Popen(
            ["sh", "-ec", commands],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as shell:
            limit = threading.Timer(120, os.killpg, (shell.pid, signal.SIGKILL))
            limit.start()
            said = [
                line.strip()
                for line in itertools.takewhile(
                    lambda line: "runs" not in line and "refused" not in line, shell.stdout
                )
            ]
            limit.cancel()
            os.killpg(shell.pid, signal.SIGKILL)
        self.assertEqual(said[-1:], ["good"])

    def test_the_counter_never_goes_back(self):
        machine = self.machine("mps2-an386", "falcon-512")
        payload = (self.loaders["mps2-an386", "falcon-512"] / "application.bin").read_bytes()
        machine.flash(b"", 0)
        for counter, result, then in [
            (0, "started", 0),
            (2, "started", 2),
            (1, "stopped", 2),
            (40, "started", 40),
            (39, "stopped", 40),
            (1024, "started", 1024),
            (1023, "stopped", 1024),
        ]:
            machine.flash(self.image(payload, "falcon-512", counter))
            self.assertEqual((machine.boot(), machine.counter()), (result, then), counter)

    def test_refuses_each_changed_byte_and_each_length(self):
        for algorithm in ALGORITHMS:
            out = self.loaders["mps2-an386", algorithm]
            image = self.image((out / "application.bin").read_bytes(), algorithm)
            (self.folder / "image").write_bytes(image)
            program = self.folder / f"changes-{algorithm}"
            subprocess.run(
                [
                    os.environ.get("CC", "cc"),
                    "-O1",
                    f"-I{out}",
                    f"-I{HERE.parents[1] / 'include'}",
                    HERE / "changes.c",
                    HERE / "boot.c",
                    os.environ["GIRIH_LIBRARY"],
                    "-o",
                    program,
                ],
                check=True,
            )
            result = subprocess.run(
                [program, self.folder / "image", str(SLOT_BYTES)], stdout=subprocess.PIPE, text=True
            )
            self.assertEqual(result.returncode, 0, result.stdout)
            self.assertGreater(int(result.stdout), 1.9 * len(image))

    def trials(self, board, algorithm, loader, **what) -> list:
        machine = Machine(board, Program(loader / "loader.elf"), glitches.landing_of(board))
        self.addCleanup(machine.close)
        images = glitches.bad_images(board, self.folder, algorithm)
        images = {name: images[name] for name in what.pop("images", images)}
        kinds = what.pop("kinds", glitches.FAULTS)
        return list(glitches.tried(machine, images, kinds, **what))

    def test_no_fault_starts_a_bad_image(self):
        """A sample of what `make faults` tries."""
        for board, algorithm in ("mps2-an386", "ml-dsa-44"), ("mps2-an505", "falcon-512"):
            tried = self.trials(board, algorithm, self.loaders[board, algorithm], most=8)
            self.assertEqual(sum(trials.results["not reached"] for trials in tried), 0)
            self.assertEqual([trials.started for trials in tried if trials.started], [])

    def test_every_kind_of_fault_opens_a_weak_loader(self):
        """One verdict, of which one bit tells whether it is good, one comparison, one jump."""
        weak = self.folder / "weak"
        sources = weak / "sources"
        shutil.copytree(HERE, sources)
        make_key(weak, "ml-dsa-44", "ml-dsa-44")
        loader, boot = sources / "loader.c", sources / "boot.c"
        text = loader.read_text()
        begin, end = text.index("    slot.least_counter = "), text.rindex("}")
        loader.write_text(
            text[:begin] + "    (void)is_cleared;\n    (void)raise_counter;\n    (void)header;\n"
            "    board_start(board_slot + BOOT_HEADER_BYTES);\n" + text[end:]
        )
        verdict = "BOOT_GOOD ^ (uint32_t)errors"
        self.assertIn(verdict, boot.read_text())
        boot.write_text(boot.read_text().replace(verdict, "BOOT_GOOD ^ ((uint32_t)errors & 1)"))
        out = built(weak, "mps2-an386", "ml-dsa-44", sources)
        functions = Program(out / "loader.elf").functions
        tried = self.trials(
            "mps2-an386",
            "ml-dsa-44",
            out,
            images=["sigbit"],
            most=0,
            where=lambda at: functions[at] in ("main", "check", "verify"),
        )
        started = {trials.fault for trials in tried if trials.started}
        # The instruction that decides has 16 or 32 bits.
        self.assertEqual(started - {"skip16", "skip32"}, {"nop", "invert", "bit", "bits"})
        self.assertTrue(started & {"skip16", "skip32"})

    def test_a_key_that_no_loader_can_check_is_refused(self):
        """A Falcon key whose last coefficient is q - 1 is no key with that bit changed."""
        self.assertEqual([c for c in range(12289) if c ^ 0x80 >= 12289], [12288])
        good = image.raw_public_key(self.folder / "falcon-512.pub")
        image.check_key(good)
        image.check_key(image.raw_public_key(self.folder / "ml-dsa-44.pub"))
        with self.assertRaisesRegex(SystemExit, "another key"):
            image.check_key(good[:-2] + (12288).to_bytes(2, "big"))

    def test_takes_no_more_than_it_says(self):
        """The table in README.md, which figures.py writes."""
        said = figures.read((HERE / "README.md").read_text())
        for (board, algorithm), out in self.loaders.items():
            payload, landing = glitches.trap(board)
            limits = {
                name: (1.1 if name == "instructions" else 1.05) * number
                for name, number in said[algorithm, board].items()
            }
            # (The emulated AN505's timer goes on while the host is busy, by up to a fifth.)
            for _ in range(5):
                measured = figures.measure(
                    board, Program(out / "loader.elf"), self.image(payload, algorithm), landing
                )
                if measured["instructions"] <= limits["instructions"]:
                    break
            for name, number in measured.items():
                self.assertLessEqual(number, limits[name], (algorithm, board, name))


if __name__ == "__main__":
    unittest.main()
