# pyright: reportUnnecessaryTypeIgnoreComment=true
"""A typical program for mypy and pyright in strict mode; it is not run."""

from __future__ import annotations

import functools
from typing import Any

import numpy.typing as npt
from typing_extensions import assert_type

import girih.arrow
import girih.hpke
from girih import falcon_512, ml_dsa_65, ml_kem_768
from girih.hybrids import mlkem768_p256, x_wing


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


def encrypt(key: x_wing.DecapsulationKey, other: mlkem768_p256.EncapsulationKey) -> bytes:
    assert_type(key.encapsulation_key(), x_wing.EncapsulationKey)
    mlkem768_p256.EncapsulationKey(key.encapsulation_key())  # type: ignore[arg-type]  # pyright: ignore
    suite = girih.hpke.Suite("SHAKE256", "AES-256-GCM")
    enc, sender = suite.sender(other)
    assert_type(sender, girih.hpke.Sender)
    suite.seal(key, b"")  # type: ignore[arg-type]  # pyright: ignore
    return suite.open(key, enc, sender.seal(b"message"))


def batch(keys: list[bytes], rows: list[bytes | None]) -> None:
    ml_dsa_65.verify_many(keys, rows, rows, threads=2, progress=print)
    girih.falcon_512.SigningKey.from_seed(bytes(48), generator="reference")


def columns(
    key: ml_dsa_65.SigningKey, rows: list[bytes | None], array: npt.NDArray[Any], arrow: Any
) -> None:
    public = key.verifying_key()
    assert_type(ml_dsa_65.sign_many(key, rows), "list[bytes | None]")
    assert_type(ml_dsa_65.sign_many([key, bytes(4032)], array), npt.NDArray[Any])
    assert_type(ml_dsa_65.verify_many(public, rows, rows), "list[bool | None]")
    assert_type(ml_dsa_65.verify_many([public, None], array, array), npt.NDArray[Any])
    assert_type(ml_dsa_65.check_many(public, rows, rows), "list[girih.Error | None]")
    assert_type(ml_dsa_65.verify_many(public, rows, array), Any)
    assert_type(ml_dsa_65.verify_many(arrow, arrow, arrow), Any)
    assert_type(ml_dsa_65.keygen_many(count=2), tuple[list[bytes], list[bytes]])
    assert_type(ml_dsa_65.keygen_many(rows), "tuple[list[bytes | None], list[bytes | None]]")
    assert_type(
        ml_kem_768.keygen_many(count=2, columns="numpy"), tuple[npt.NDArray[Any], npt.NDArray[Any]]
    )
    assert_type(ml_kem_768.encapsulate_many(rows), "tuple[list[bytes | None], list[bytes | None]]")
    receiver = ml_kem_768.DecapsulationKey.generate()
    assert_type(ml_kem_768.decapsulate_many(receiver, rows), "list[bytes | None]")
    assert_type(ml_kem_768.decapsulate_many(receiver, array), npt.NDArray[Any])


def separated(
    key: ml_dsa_65.SigningKey, rows: list[bytes | None], pem: bytes, secret: girih.SecretBytes
) -> None:
    prepared = ml_dsa_65.PreparedSigningKey(key)
    assert_type(prepared.verifying_key(), ml_dsa_65.VerifyingKey)
    verifier = ml_dsa_65.PreparedVerifyingKey(prepared.verifying_key())
    assert_type(
        ml_dsa_65.verify_many([verifier, key.verifying_key(), None], rows, rows),
        "list[bool | None]",
    )
    assert_type(ml_dsa_65.sign_many(secret, rows, contexts=b"c"), "list[bytes | None]")
    assert_type(girih.key_files.read_private_key(pem, ml_dsa_65), ml_dsa_65.SigningKey)
    assert_type(girih.key_files.read_private_key(pem, ml_kem_768), ml_kem_768.DecapsulationKey)
    assert_type(girih.key_files.read_public_key(pem, ml_dsa_65), ml_dsa_65.VerifyingKey)
    assert_type(girih.key_files.read_public_key(pem, ml_kem_768), ml_kem_768.EncapsulationKey)
    ml_dsa_65.SigningKey.from_seed(secret)
    girih.arrow.verify(Frame(), algorithm=ml_dsa_65, key=verifier, context=b"c")


class Frame:
    """As far as girih uses it, polars' DataFrame."""

    def with_columns(self, *columns: object, **named: object) -> Frame:
        return self


class Stream:
    """Another library's table."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return None


def tables(key: ml_dsa_65.SigningKey, frame: Frame, stream: Stream) -> None:
    assert_type(girih.arrow.verify(frame, algorithm=ml_dsa_65, keep=["id"]), Frame)
    assert_type(girih.arrow.sign(frame, algorithm="ML-DSA-65", key=key), Frame)
    assert_type(girih.arrow.verify(stream, algorithm=ml_dsa_65), Any)
    assert_type(girih.arrow.sign(stream, algorithm=ml_dsa_65, key="key"), Any)
    functools.partial(girih.arrow.verify, algorithm="ML-DSA-44", keep=["id"])(frame)


def read(pem: bytes) -> None:
    assert_type(girih.key_files.read_private_key(pem, "ML-DSA-65"), ml_dsa_65.SigningKey)
    private = girih.key_files.read_private_key(pem, "ML-KEM-768", passphrase=b"words")
    assert_type(private, ml_kem_768.DecapsulationKey)
    assert_type(girih.key_files.read_public_key(pem, "Falcon-512"), falcon_512.VerifyingKey)
    assert_type(girih.key_files.read_public_key(pem, "ML-KEM-768"), ml_kem_768.EncapsulationKey)
    assert_type(girih.key_files.read_private_key(pem, str(pem)), Any)
    assert_type(girih.key_files.read_public_key(pem), Any)
    private.sign(pem)  # type: ignore[attr-defined]  # pyright: ignore


def confused(key: ml_dsa_65.SigningKey, rows: list[bytes | None]) -> None:
    public, receiver = key.verifying_key(), ml_kem_768.DecapsulationKey.generate()
    girih.ml_dsa_44.sign_many(key, rows)  # type: ignore[arg-type]  # pyright: ignore
    girih.ml_dsa_44.verify_many([public], rows, rows)  # type: ignore[list-item]  # pyright: ignore
    ml_dsa_65.verify_many(key, rows, rows)  # type: ignore[call-overload]  # pyright: ignore
    girih.ml_dsa_44.PreparedVerifyingKey(public)  # type: ignore[arg-type]  # pyright: ignore
    girih.ml_dsa_44.PreparedSigningKey(key)  # type: ignore[arg-type]  # pyright: ignore
    girih.ml_dsa_44.Message(public)  # type: ignore[arg-type]  # pyright: ignore
    other = girih.falcon_1024.SigningKey.generate()
    falcon_512.SigningMessage().sign(other)  # type: ignore[arg-type]  # pyright: ignore
    girih.ml_kem_512.decapsulate_many(receiver, rows)  # type: ignore[arg-type]  # pyright: ignore
    encapsulator = receiver.encapsulation_key()
    girih.ml_kem_512.encapsulate_many(encapsulator)  # type: ignore[arg-type]  # pyright: ignore


def named() -> None:
    assert_type(girih.algorithm("ML-DSA-65"), type[ml_dsa_65])
    assert_type(girih.algorithm("ML-DSA-65").SigningKey.generate(), ml_dsa_65.SigningKey)
    assert_type(girih.algorithm("Falcon-512"), type[falcon_512])
    girih.algorithm("ML-KEM-768").SigningKey  # type: ignore[attr-defined]  # pyright: ignore


def encrypted(key: ml_dsa_65.SigningKey, passphrase: bytearray) -> girih.key_files.Kdf | None:
    file = girih.key_files.write_private_key(
        key, passphrase=passphrase, encryption=girih.key_files.Encryption("scrypt", scrypt_n=2**15)
    )
    found = girih.key_files.read(file.view(), passphrase=memoryview(passphrase))
    return None if found.encryption is None else found.encryption.kdf


def refused(key: ml_dsa_65.SigningKey) -> None:
    girih.ml_dsa_44.PreparedSigningKey("key")  # type: ignore[arg-type]  # pyright: ignore
    girih.key_files.write_private_key(key, passphrase="text")  # type: ignore[arg-type]  # pyright: ignore
    girih.key_files.Encryption("argon2")  # type: ignore[arg-type]  # pyright: ignore
    ml_dsa_65.sign_many(key, ["text"])  # type: ignore[list-item]  # pyright: ignore
    ml_dsa_65.verify_many("key", [b""], [b""])  # type: ignore[arg-type]  # pyright: ignore
    girih.arrow.sign(Frame(), algorithm="", key=b"key")  # type: ignore[call-overload]  # pyright: ignore
    girih.arrow.verify(None, algorithm="ML-DSA-65")  # type: ignore[call-overload]  # pyright: ignore
    key.sign("text")  # type: ignore[arg-type]  # pyright: ignore
    wrong: girih.ml_dsa_44.VerifyingKey = key.verifying_key()  # type: ignore[assignment]  # pyright: ignore
    print(wrong)
