"""tools/amalgamate: what it writes compiles alone, and makes the bytes of the library.

The environment names the tool, the compilers (separated by commas; the first is the build's
own, the others count with GIRIH_EXHAUSTIVE), and the program that is linked with the library,
GIRIH_PROGRAM.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TOOL = os.environ["GIRIH_AMALGAMATE"]
COMPILERS = os.environ["GIRIH_COMPILERS"].split(",")
SOURCE = pathlib.Path(__file__).resolve().parent / "program.cpp"
WIDE = re.compile(r"%[yz]mm|\tv[a-z]\w+ ")  # registers and instructions that came with AVX


def output_of(*command, cwd=None, **environment) -> str:
    return subprocess.run(
        command,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=os.environ | environment,
    ).stdout


def functions_with_vectors(compiled: pathlib.Path) -> set:
    """The symbols whose instructions a processor without AVX does not have."""
    found = set()
    symbol = ""
    for line in output_of("objdump", "-d", "--no-show-raw-insn", compiled).split("\n"):
        if heading := re.match(r"[0-9a-f]+ <(.*)>:", line):
            symbol = heading[1]
        elif WIDE.search(line):
            found.add(symbol)
    return found


class Amalgamation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compiled(self, compiler, *flags) -> pathlib.Path:
        """Alone: in its own folder, with nothing to find other headers by."""
        subprocess.run(
            [
                compiler,
                "-std=c++20",
                *flags,
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-psabi",
                "-c",
                "girih.cpp",
            ],
            check=True,
            cwd=self.folder,
        )
        return self.folder / "girih.o"

    def expect_header(self, *names, without):
        header = (self.folder / "girih.h").read_text()
        self.assertNotIn("_new(", header, "a heap")
        for name in (*names, *without):
            self.assertEqual(f"girih_{name}(void)" in header, name in names, name)

    def check_bytes(self, compiler, algorithm, engines, *flags):
        program = self.folder / "program"
        shutil.copy(SOURCE, self.folder)
        subprocess.run(
            [compiler, "-std=c++20", *flags, "program.cpp", "girih.o", "-o", program],
            check=True,
            cwd=self.folder,
        )
        for engine in engines:
            expected = output_of(os.environ["GIRIH_PROGRAM"], algorithm, GIRIH_ISA=engine)
            self.assertEqual(output_of(program, algorithm, GIRIH_ISA=engine), expected)
            if engine == "portable":
                self.assertTrue(expected.startswith("portable\npublic key "))

    def test_two_schemes_on_two_engines(self):
        output_of(
            TOOL, "falcon-512", "ml-kem-768", "--engines", "portable,avx2", "--output", self.folder
        )
        self.expect_header(
            "falcon_512", "ml_kem_768", without=["falcon_1024", "ml_kem_512", "sntrup761"]
        )
        for compiler in COMPILERS if os.environ.get("GIRIH_EXHAUSTIVE") else COMPILERS[:1]:
            with self.subTest(compiler):
                compiled = self.compiled(compiler, "-O1")
                self.assertNotIn(
                    "sqrt",
                    output_of("nm", "-u", compiled),
                    "a function that sets errno, by a branch",
                )
                on_x86 = "__x86_64__" in output_of(compiler, "-E", "-dM", "-xc++", os.devnull)
                for algorithm in ("Falcon-512", "ML-KEM-768"):
                    self.check_bytes(
                        compiler, algorithm, ["portable", "avx2"] if on_x86 else ["portable"]
                    )
                if on_x86 and shutil.which("objdump"):
                    wide = functions_with_vectors(compiled)
                    self.assertGreater(len(wide), 10)
                    self.assertEqual({name for name in wide if "girih_on_avx2" not in name}, set())

    def test_in_parts(self):
        """Each engine's part is compiled alone. Together they are the whole."""
        output_of(TOOL, "ml-kem-768", "--engines", "portable,avx2", "--output", self.folder)
        for part in ("avx2", "portable"):
            compiled = self.compiled(COMPILERS[0], "-O0", "-DGIRIH_PART", f"-DGIRIH_PART_{part}")
            compiled.rename(self.folder / f"{part}.o")
        output_of("ld", "-r", "avx2.o", "portable.o", "-o", "girih.o", cwd=self.folder)
        on_x86 = "__x86_64__" in output_of(COMPILERS[0], "-E", "-dM", "-xc++", os.devnull)
        engines = ["portable", "avx2"] if on_x86 else ["portable"]
        self.check_bytes(COMPILERS[0], "ML-KEM-768", engines)

    def test_one_engine_without_the_system_s_randomness(self):
        output_of(TOOL, "sntrup761", "--engines", "portable", "--output", self.folder)
        self.expect_header("sntrup761", without=["ml_dsa_65"])
        compiled = self.compiled(COMPILERS[0], "-O1", "-DGIRIH_NO_SYSTEM_RANDOMNESS")
        self.assertIsNone(
            re.search("getrandom|getentropy|open|read", output_of("nm", "-u", compiled))
        )
        self.check_bytes(COMPILERS[0], "sntrup761", ["portable"], "-DGIRIH_NO_SYSTEM_RANDOMNESS")

    @unittest.skipUnless(shutil.which("arm-none-eabi-g++"), "no compiler for a microcontroller")
    def test_on_a_microcontroller(self):
        """The C library's memory and environment are left to link, and the compiler's own."""
        output_of(TOOL, "ml-dsa-44", "--engines", "portable", "--output", self.folder)
        compiled = self.compiled(
            "arm-none-eabi-g++",
            "-O1",
            "-mcpu=cortex-m4",
            "-mthumb",
            "-fno-exceptions",
            "-fno-rtti",
            "-DGIRIH_NO_SYSTEM_RANDOMNESS",
        )
        missing = set(output_of("arm-none-eabi-nm", "-u", compiled).split()) - {"U"}
        self.assertEqual(
            {name for name in missing if not name.startswith("__aeabi_")},
            {"abort", "getenv", "memcmp", "memcpy", "memmove", "memset", "strlen"},
        )

    def test_unknown_names(self):
        for arguments, *named in (
            (["ml-dsa-66"], "'ml-dsa-66'", "ml-dsa-65", "falcon-padded-512", "ml-kem", "sntrup"),
            (["ml-dsa-65", "--engines", "avx3"], "'avx3'", "portable", "avx2", "neon"),
            (["ml-dsa-65", "--engines", "rvv"], "'rvv'", "portable", "avx2", "neon"),
        ):
            result = subprocess.run(
                [TOOL, *arguments, "--output", self.folder], stderr=subprocess.PIPE, text=True
            )
            self.assertEqual(result.returncode, 2)
            for name in named:
                self.assertIn(name, result.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
