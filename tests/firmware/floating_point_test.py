"""Falcon's floating point in integers against the emulated processor's double unit:
floating_point_test.py IMAGE.elf. 20,000 rounds of seven pairs; 20 million with GIRIH_EXHAUSTIVE
set."""

import os
import subprocess
import sys

rounds = 20_000_000 if os.environ.get("GIRIH_EXHAUSTIVE") else 20_000
done = subprocess.run(
    [
        "qemu-system-arm",
        "-M",
        "mps2-an500",
        "-display",
        "none",
        "-monitor",
        "none",
        "-serial",
        "none",
        "-semihosting-config",
        f"enable=on,target=native,arg={rounds}",
        "-kernel",
        sys.argv[1],
    ],
    stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT,
    text=True,
    timeout=7200,
)
print(done.stdout)
sys.exit(0 if done.returncode == 0 and "all rounds are done" in done.stdout else 1)
