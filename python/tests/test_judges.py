"""Comparison with other libraries, both ways: each reads the other's results."""

from __future__ import annotations

from typing import Any

import pytest

import girih
from girih.key_files import Encryption

DSA = [("ML-DSA-44", "44"), ("ML-DSA-65", "65"), ("ML-DSA-87", "87")]
KEMS = [("ML-KEM-512", "512"), ("ML-KEM-768", "768"), ("ML-KEM-1024", "1024")]


@pytest.mark.parametrize("name, size", DSA)
def test_ml_dsa_of_cryptography(name: str, size: str) -> None:
    theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    alg: Any = girih.algorithm(name)
    secret_class, public_class = (
        getattr(theirs, f"MLDSA{size}{kind}Key") for kind in ("Private", "Public")
    )
    for row in range(3):
        seed, message, context = bytes([row]) * 32, b"message %d" % row, b"c" * row
        key, their_key = alg.SigningKey.from_seed(seed), secret_class.from_seed_bytes(seed)
        assert their_key.public_key().public_bytes_raw() == bytes(key.verifying_key())
        public_class.from_public_bytes(bytes(key.verifying_key())).verify(
            key.sign(message, context=context), message, context
        )
        signature = their_key.sign(message, context)
        assert key.verifying_key().verify(message, signature, context=context)
        assert not key.verifying_key().verify(message, signature, context=context + b"x")


@pytest.mark.parametrize("name, size", DSA)
def test_ml_dsa_of_dilithium_py(name: str, size: str) -> None:
    theirs: Any = getattr(pytest.importorskip("dilithium_py.ml_dsa"), f"ML_DSA_{size}")
    alg: Any = girih.algorithm(name)
    seed = bytes(range(32))
    key = alg.SigningKey.from_seed(seed)
    public, secret = theirs.key_derive(seed)
    assert public == bytes(key.verifying_key()) and key.bytes() == secret
    signature = theirs.sign(secret, b"message", ctx=b"c", deterministic=True)
    assert key.sign(b"message", context=b"c", deterministic=True) == signature
    assert theirs.verify(public, b"message", key.sign(b"message", context=b"c"), ctx=b"c")


@pytest.mark.parametrize("name, size", KEMS)
def test_ml_kem_of_kyber_py(name: str, size: str) -> None:
    theirs: Any = getattr(pytest.importorskip("kyber_py.ml_kem"), f"ML_KEM_{size}")
    alg: Any = girih.algorithm(name)
    public, secret = theirs.key_derive(bytes(range(64)))
    key = alg.DecapsulationKey.from_seed(bytes(range(64)))
    assert bytes(key.encapsulation_key()) == public and key.bytes() == secret
    ciphertext, shared = key.encapsulation_key().encapsulate()
    assert theirs.decaps(secret, ciphertext) == bytes(shared)
    shared, ciphertext = theirs.encaps(public)
    assert key.decapsulate(ciphertext) == shared


@pytest.mark.parametrize("name, size", KEMS[1:])
def test_ml_kem_of_cryptography(name: str, size: str) -> None:
    theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mlkem")
    secret_class, public_class = (
        getattr(theirs, f"MLKEM{size}{kind}Key") for kind in ("Private", "Public")
    )
    alg: Any = girih.algorithm(name)
    key, their_key = (
        alg.DecapsulationKey.from_seed(bytes(range(64))),
        secret_class.from_seed_bytes(bytes(range(64))),
    )
    ciphertext, shared = key.encapsulation_key().encapsulate()
    assert their_key.decapsulate(ciphertext) == bytes(shared)
    shared, ciphertext = public_class.from_public_bytes(
        bytes(key.encapsulation_key())
    ).encapsulate()
    assert key.decapsulate(ciphertext) == shared


def test_key_files_of_cryptography() -> None:
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    key = girih.ml_dsa_65.SigningKey.generate()
    theirs = serialization.load_pem_private_key(bytes(girih.key_files.write_private_key(key)), None)
    assert theirs.public_key().public_bytes_raw() == bytes(key.verifying_key())
    pem = theirs.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    assert girih.key_files.read_private_key(pem).verifying_key() == key.verifying_key()
    public = serialization.load_pem_public_key(
        girih.key_files.write_public_key(key.verifying_key())
    )
    assert public.public_bytes_raw() == bytes(key.verifying_key())


def test_encrypted_key_files_of_cryptography() -> None:
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    mldsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    key, passphrase = girih.ml_dsa_65.SigningKey.generate(), b"correct horse"
    loads = {"pem": serialization.load_pem_private_key, "der": serialization.load_der_private_key}
    for how in (None, Encryption("pbkdf2_sha512"), Encryption("scrypt")):
        for encoding, load in loads.items():
            mine: Any = girih.key_files.write_private_key(
                key, format=encoding, passphrase=passphrase, encryption=how
            )
            assert load(bytes(mine), passphrase).public_key().public_bytes_raw() == bytes(
                key.verifying_key()
            )
            with pytest.raises(ValueError):
                load(bytes(mine), b"wrong")
            with pytest.raises(TypeError):  # encrypted, and no passphrase given
                load(bytes(mine), None)
    theirs = mldsa.MLDSA65PrivateKey.generate()
    for encoding in (serialization.Encoding.PEM, serialization.Encoding.DER):
        file = theirs.private_bytes(
            encoding,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(passphrase),
        )
        found = girih.key_files.read(file, girih.ml_dsa_65, passphrase=passphrase)
        assert bytes(found.key.verifying_key()) == theirs.public_key().public_bytes_raw()
        assert found.encryption is not None
        theirs.public_key().verify(found.key.sign(b"message"), b"message")
        with pytest.raises(girih.PassphraseException):
            girih.key_files.read(file, passphrase=b"wrong")
        with pytest.raises(girih.KeyEncryptedException):
            girih.key_files.read(file)
