"""Every algorithm of an installed girih, with the standard library alone: smoke.py

Prints a hash of all keys, signatures and ciphertexts, made without randomness: it is the same on
every processor, C library and Python.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import girih


def numbers(count: int) -> bytes:
    """Bytes that stand for random ones."""
    return hashlib.shake_256(b"smoke").digest(count)


def main() -> int:
    made = hashlib.sha256()
    for name in girih.algorithms():
        algorithm: Any = girih.algorithm(name)
        if issubclass(algorithm, girih.SignatureAlgorithm):
            signer = algorithm.SigningKey.from_seed(numbers(algorithm.seed_bytes))
            public = signer.verifying_key()
            output = signer.sign(b"message", random=numbers)
            good = public.verify(b"message", output) and not public.verify(b"massage", output)
        else:
            receiver = algorithm.DecapsulationKey.from_seed(numbers(algorithm.seed_bytes))
            public = receiver.encapsulation_key()
            output, secret = public.encapsulate(random=numbers)
            good = receiver.decapsulate(output) == secret
            changed = receiver.decapsulate(output[:-1] + bytes([output[-1] ^ 1]))
            good = good and changed != secret
        if not good:
            print(f"{name}: wrong")
            return 1
        made.update(bytes(public) + output)
    print(
        f"{len(girih.algorithms())} algorithms are good on {girih.engine()}, Python {sys.version.split()[0]}: "
        f"{made.hexdigest()[:16]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
