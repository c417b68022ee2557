"""docs/RACE.md: its commands build and race what they say, in a second instead of twenty.

The environment names the race's program, GIRIH_RACE, and the compilers, CC and CXX.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
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


if __name__ == "__main__":
    unittest.main()
