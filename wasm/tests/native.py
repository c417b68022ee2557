#!/usr/bin/env python3
"""A transcript of every algorithm from the native library (GIRIH_LIBRARY), as JSON: inputs are
fixed, and each output is a SHA-256. native.test.js makes the same transcript of the modules."""

import ctypes
import hashlib
import json
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p

FILL = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)


class Random(ctypes.Structure):
    _fields_ = [("fill", FILL), ("state", c_void_p), ("piecewise", c_int)]


class Options(ctypes.Structure):
    _fields_ = [
        ("context", c_char_p),
        ("context_bytes", c_size_t),
        ("pre_hash", c_char_p),
        ("deterministic", c_int),
        ("random", POINTER(Random)),
        ("verify_after_sign", c_int),
        ("reserved", c_size_t * 2),
    ]


def fixed(label: str, size: int) -> bytes:
    """Bytes that both sides compute."""
    return hashlib.shake_256(label.encode()).digest(size)


def given(data: bytes) -> Random:
    """A girih_random that gives these bytes once."""
    rest = bytearray(data)

    def fill(_state: int, out: int, size: int) -> int:
        if size > len(rest):
            return -1
        ctypes.memmove(out, bytes(rest[:size]), size)
        del rest[:size]
        return 0

    return Random(FILL(fill), None, 0)


def check(result: int) -> None:
    if result != 0:
        raise SystemExit(f"native.py: the library returned {result}")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Algorithm:
    def __init__(self, library: ctypes.CDLL, address: int):
        self.library = library
        self.address = c_void_p(address)
        self.name = ctypes.cast(library.girih_name(self.address), c_char_p).value.decode()

    def size(self, what: str) -> int:
        return getattr(self.library, f"girih_{what}_bytes")(self.address)

    def keys(self, seed: bytes) -> tuple[bytes, bytes]:
        public, secret = (
            ctypes.create_string_buffer(self.size(f"{kind}_key")) for kind in ("public", "secret")
        )
        check(
            self.library.girih_keygen_from_seed(
                self.address,
                seed,
                c_size_t(len(seed)),
                public,
                c_size_t(len(public)),
                secret,
                c_size_t(len(secret)),
            )
        )
        return public.raw, secret.raw

    def sign(self, secret: bytes, message: bytes, options: Options) -> bytes:
        signature = ctypes.create_string_buffer(self.size("signature"))
        length = c_size_t()
        check(
            self.library.girih_sign(
                self.address,
                secret,
                c_size_t(len(secret)),
                message,
                c_size_t(len(message)),
                byref(options),
                signature,
                c_size_t(len(signature)),
                byref(length),
            )
        )
        return signature.raw[: length.value]

    def signatures(self, secret: bytes, count: int) -> list[str]:
        has_mu = self.library.girih_has_mu(self.address) == 1
        has_context = self.library.girih_has_context(self.address) == 1
        rand = 88 if not has_mu else 32 if has_context else 64
        found = []
        for number in range(count):
            label = f"{self.name} {number}"
            context = fixed(f"context {label}", number % 5) if has_context else b""
            source = given(fixed(f"entropy {label}", rand))
            is_deterministic = has_mu and number % 2 == 1
            options = Options(
                context=context,
                context_bytes=len(context),
                deterministic=int(is_deterministic),
                random=ctypes.pointer(source),
            )
            found.append(digest(self.sign(secret, fixed(f"message {label}", number * 37), options)))
        return found

    def encapsulations(self, public: bytes, secret: bytes, count: int) -> list[str]:
        found = []
        for number in range(count):
            label = f"{self.name} {number}"
            source = given(fixed(f"msg {label}", 32))
            cipher = ctypes.create_string_buffer(self.size("ciphertext"))
            shared, other = (
                ctypes.create_string_buffer(self.size("shared_secret")) for _ in range(2)
            )
            check(
                self.library.girih_encapsulate(
                    self.address,
                    byref(source),
                    public,
                    c_size_t(len(public)),
                    cipher,
                    c_size_t(len(cipher)),
                    shared,
                    c_size_t(len(shared)),
                )
            )
            changed = bytes([cipher.raw[0] ^ 1]) + cipher.raw[1:]
            check(
                self.library.girih_decapsulate(
                    self.address,
                    secret,
                    c_size_t(len(secret)),
                    changed,
                    c_size_t(len(changed)),
                    other,
                    c_size_t(len(other)),
                )
            )
            found += [digest(cipher.raw), digest(shared.raw), digest(other.raw)]
        return found

    def transcript(self, count: int) -> dict[str, object]:
        public, secret = self.keys(fixed(f"seed {self.name}", self.size("seed")))
        is_kem = self.library.girih_is_kem(self.address) == 1
        outputs = (
            self.encapsulations(public, secret, count) if is_kem else self.signatures(secret, count)
        )
        return {
            "name": self.name,
            "publicKey": digest(public),
            "secretKey": digest(secret),
            "outputs": outputs,
        }


def main() -> int:
    library = ctypes.CDLL(os.environ["GIRIH_LIBRARY"])
    library.girih_algorithm_at.restype = c_void_p
    library.girih_algorithm_at.argtypes = [c_size_t]
    library.girih_name.restype = c_void_p
    for what in ("seed", "public_key", "secret_key", "signature", "ciphertext", "shared_secret"):
        getattr(library, f"girih_{what}_bytes").restype = c_size_t
    transcripts = []
    while address := library.girih_algorithm_at(len(transcripts)):
        transcripts.append(Algorithm(library, address).transcript(int(sys.argv[1])))
    print(json.dumps(transcripts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
