# pyright: reportUnnecessaryTypeIgnoreComment=true
"""A typical program for mypy and pyright in strict mode; it is not run."""

from __future__ import annotations

import girih
from girih import ml_dsa_65, ml_kem_768


def sign(key: ml_dsa_65.SigningKey, message: bytes) -> bytes:
    return key.sign(bytearray(message), context=memoryview(b"c"), random=lambda count: bytes(count))


def public(key: ml_dsa_65.SigningKey) -> ml_dsa_65.VerifyingKey:
    return key.verifying_key()


def generate() -> ml_dsa_65.SigningKey:
    with ml_dsa_65.SigningKey.generate() as key:
        return key


def secret(key: ml_kem_768.DecapsulationKey) -> girih.SecretBytes:
    ciphertext, mine = key.encapsulation_key().encapsulate()
    return mine if key.decapsulate(ciphertext) == mine else girih.SecretBytes(b"")


def batch(keys: list[bytes], rows: list[bytes | None]) -> None:
    ml_dsa_65.verify_many(keys, rows, rows, threads=2, progress=print)
    girih.falcon_512.SigningKey.from_seed(bytes(48), generator="reference")


def encrypted(key: ml_dsa_65.SigningKey, passphrase: bytearray) -> girih.key_files.Kdf | None:
    file = girih.key_files.write_private_key(key, passphrase=passphrase,
                                             encryption=girih.key_files.Encryption("scrypt", scrypt_n=2**15))
    found = girih.key_files.read(file.view(), passphrase=memoryview(passphrase))
    return None if found.encryption is None else found.encryption.kdf


def refused(key: ml_dsa_65.SigningKey) -> None:
    girih.ml_dsa_44.PreparedSigningKey("key")  # type: ignore[arg-type]  # pyright: ignore
    girih.key_files.write_private_key(key, passphrase="text")  # type: ignore[arg-type]  # pyright: ignore
    girih.key_files.Encryption("argon2")  # type: ignore[arg-type]  # pyright: ignore
    key.sign("text")  # type: ignore[arg-type]  # pyright: ignore
    wrong: girih.ml_dsa_44.VerifyingKey = key.verifying_key()  # type: ignore[assignment]  # pyright: ignore
    print(wrong)
