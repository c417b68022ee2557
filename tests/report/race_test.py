"""docs/RACE.md: its commands build and race what they say, in a second instead of twenty.

The environment names the race's program, GIRIH_RACE, and the compilers, CC and CXX.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "lab/emulated"))
import model  # noqa: E402

PREFIX = "PQCLEAN_MLKEM768_CLEAN_"

# A library with NIST's interface, by girih itself. PLANTED makes one bit of the secrets wrong.
API = """
#include <stdint.h>
#define P_CRYPTO_PUBLICKEYBYTES 1184
#define P_CRYPTO_SECRETKEYBYTES 2400
#define P_CRYPTO_CIPHERTEXTBYTES 1088
#define P_CRYPTO_BYTES 32
int P_crypto_kem_keypair(uint8_t *pk, uint8_t *sk);
int P_crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk);
int P_crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);
""".replace("P_", PREFIX)
LIBRARY = """
#include "api.h"
#include "girih.h"
int PQCLEAN_randombytes(uint8_t *out, size_t bytes);
static int draw(void *state, uint8_t *out, size_t bytes) { (void)state; return PQCLEAN_randombytes(out, bytes); }
static const girih_random source = {draw, 0, 0};
int P_crypto_kem_keypair(uint8_t *pk, uint8_t *sk)
{ return girih_keygen(girih_ml_kem_768(), &source, pk, 1184, sk, 2400); }
int P_crypto_kem_enc(uint8_t *ct, uint8_t *ss, const uint8_t *pk)
{ return girih_encapsulate(girih_ml_kem_768(), &source, pk, 1184, ct, 1088, ss, 32); }
int P_crypto_kem_dec(uint8_t *ss, const uint8_t *ct, const uint8_t *sk)
{
    const int error = girih_decapsulate(girih_ml_kem_768(), sk, 2400, ct, 1088, ss, 32);
#ifdef PLANTED
    ss[31] ^= 1;
#endif
    return error;
}
""".replace("P_", PREFIX)


class Page(unittest.TestCase):
    """The blocks of the page, in their order."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        blocks = re.findall(
            r"```sh\n(.*?)```", (ROOT / "docs/RACE.md").read_text(encoding="utf-8"), re.S
        )
        assert len(blocks) == 3, (
            "docs/RACE.md: building the race, a build of girih, a foreign library"
        )
        for block in blocks[1:]:
            assert "--seconds 20" in block and "build/girih_race" in block, block
        cls.blocks = [
            block.replace("--seconds 20", "--seconds 1 --rounds 2")
            .replace("-O3", "-O1")
            .replace("build/girih_race", os.environ["GIRIH_RACE"])
            .replace("$(mktemp -d)", folder.name)
            for block in blocks
        ]
        cls.run_block(1)

    @classmethod
    def run_block(cls, number, **environment):
        script = f"set -euo pipefail\nmine={cls.folder}\n{cls.blocks[number]}"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )
        assert done.returncode == 0, done.stderr

    def results(self, name):
        return json.loads((self.folder / name / "compare.json").read_text(encoding="utf-8"))

    def foreign(self, *flags):
        """Runs the block of a foreign library, with a stand-in for PQClean."""
        clean, common = self.folder / "crypto_kem/ml-kem-768/clean", self.folder / "common"
        for folder in (clean, common):
            folder.mkdir(parents=True, exist_ok=True)
        (clean / "api.h").write_text(API)
        (clean / "kem.c").write_text(LIBRARY)
        (common / "fips202.c").write_text("typedef int nothing;\n")
        compiler = [
            os.environ["CC"],
            "-Wall",
            "-Wextra",
            "-Werror",
            f"-I{self.folder}",
            "-Wl,--no-as-needed",
            f"{self.folder}/base.so",
            *flags,
        ]
        self.run_block(2, PQCLEAN=str(self.folder), CC=" ".join(compiler))
        return self.results("foreign")

    def test_a_changed_build_has_its_ratio_to_the_first(self):
        entries = self.results("builds")["operations"]
        changed = [entry for entry in entries if entry["compiler"] == "changed"]
        self.assertEqual(len(changed), 10)
        self.assertEqual(len(entries), 20)
        for entry in changed:
            low, median, high = entry["first_build_ratio_interval"]
            self.assertTrue(0 < low <= median <= high)
        self.assertTrue(
            all(
                "first_build_ratio_interval" not in entry
                for entry in entries
                if entry not in changed
            )
        )
        self.assertIn(
            "girih's builds against the first", (self.folder / "builds/compare.txt").read_text()
        )

    def test_a_foreign_library_races(self):
        race = self.foreign()
        name = "NIST's interface (pqclean)"
        self.assertEqual(race["missing"], [])
        self.assertEqual(
            {
                row["operation"]
                for row in race["measurements"]
                if row["name"] == name and row["runs"] == row["operation"]
            },
            {"keygen", "encapsulate", "decapsulate"},
        )
        self.assertTrue(all(name in entry["ratios"] for entry in race["operations"]))

    def test_a_library_that_is_wrong_or_none_does_not_race(self):
        race = self.foreign("-DPLANTED")
        self.assertEqual(
            [absent["reason"] for absent in race["missing"]],
            ["decapsulate: its output is not that of the others"],
        )
        done = subprocess.run(
            [
                os.environ["GIRIH_RACE"],
                "--girih",
                f"base={self.folder}/base.so",
                "--engines",
                "portable",
                "--contender",
                f"none={self.folder}/base.so",
                "--algorithms",
                "ML-KEM-768",
                "--operations",
                "keygen",
                "--seconds",
                "0.1",
                "--rounds",
                "1",
                "--out",
                self.folder / "none",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertIn("contender_list", done.stderr)

    def test_marks_name_every_operation_of_every_contender(self):
        done = subprocess.run(
            [os.environ["GIRIH_RACE"], "--marked", "--engines=portable", "--algorithms=ML-KEM-768",
             f"--girih=base={self.folder}/base.so", f"--girih=changed={self.folder}/changed.so",
             f"--out={self.folder}/marked"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], [str(i + 1) for i in range(20)])
        self.assertEqual({row[1] for row in rows}, {"ML-KEM-768"})
        operations = {}
        for _, _, operation, contender, count in rows:
            operations.setdefault(contender, []).append((operation, count))
        base, changed = operations.values()
        self.assertEqual(base, changed)
        self.assertIn("decapsulate prepared", [operation for operation, _ in base])


@unittest.skipUnless(shutil.which("llvm-mca-19"), "there is no llvm-mca-19")
class Model(unittest.TestCase):
    """lab/emulated/model.py, on blocks whose cycles are known."""

    # Eight independent vector additions; a loop of four dependent multiplications; a call.
    ADDITIONS = " ".join(
        (0x4EBF8400 | i << 5 | i + 8).to_bytes(4, "little").hex() for i in range(8)
    )
    CHAIN = "009ca04e " * 4 + "81ffff54"  # mul v0.4s, v0.4s, v0.4s; b.ne to the first
    CALL = "00000094"
    ROUND = "0000c03d 009ca04e 0004813c"  # ldr q0, [x0]; mul v0.4s, v0.4s, v0.4s; str q0, [x0], #16
    # mul w0, w0, w1; mul w2, w0, w0; mul w0, w2, w1; b.ne, elsewhere
    NO_LOOP = "007c011b 027c001b 407c011b 01020054"

    def test_a_block_takes_what_the_cores_pipelines_allow(self):
        blocks = self.ADDITIONS, self.CHAIN, self.CALL, self.ROUND, self.NO_LOOP
        found = model.model({mark: {block: 100} for mark, block in enumerate(blocks, 1)})
        self.assertEqual([found[mark]["instructions"] for mark in (1, 2, 3)], [800, 500, 100])
        # Two vector pipelines on A72 and N1, four on V1 and M1.
        for core, cycles in (
            ("cortex-a72", 4),
            ("neoverse-n1", 4),
            ("neoverse-v1", 2),
            ("apple-m1", 2),
        ):
            self.assertAlmostEqual(found[1][core] / 100, cycles, delta=0.7, msg=core)
        # Each multiplication waits for the one before.
        self.assertGreater(found[2]["neoverse-n1"] / 100, 12)
        # A call is not taken for the hundred cycles of an unknown function.
        self.assertLess(found[3]["neoverse-n1"] / 100, 3)
        # The next round's address does not wait for what this one stores; and a block that is no
        # loop does not wait for its own results.
        for mark in 4, 5:
            for core in model.DISPATCHED:
                self.assertLess(found[mark][core] / 100, 6, msg=core)

    def test_blocks_that_an_emulator_has_cut_are_joined(self):
        # A loop that was entered from above, and cut after two instructions: its end ran each time.
        entry, head, end = "009ca04e 009ca04e", "009ca04e", "009ca04e 009ca04e 81ffff54"
        self.assertEqual(
            model.joined([(96, 1, entry), (100, 9, head), (104, 10, end)]),
            {f"{entry} {end}": 1, f"{head} {end}": 9},
        )
        # Nothing follows a jump, and what did not run after a block is not joined to it.
        jump = "00000014"
        self.assertEqual(
            model.joined([(96, 2, jump), (100, 2, head), (104, 1, end)]), {jump: 2, head: 2, end: 1}
        )


if __name__ == "__main__":
    unittest.main()
