"""Encrypted key files: every key derivation, and every failure."""

from __future__ import annotations

import gc
import pickle
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import secret_keys

import girih
from girih.key_files import (
    Encryption,
    read,
    read_private_key,
    read_public_key,
    write_private_key,
    write_public_key,
)

KEY = girih.ml_dsa_65.SigningKey.from_seed(bytes(range(32)))
PASSPHRASE = "päss phrase".encode()
QUICK = Encryption(iterations=1000)
WAYS = [
    QUICK,
    Encryption("pbkdf2_sha512", iterations=2000),
    Encryption("scrypt", scrypt_n=16, scrypt_r=1, scrypt_p=2),
]
FILE = bytes(write_private_key(KEY, passphrase=PASSPHRASE, encryption=QUICK))


@pytest.mark.parametrize("how", WAYS, ids=lambda how: how.kdf)
@pytest.mark.parametrize("form", ["seed", "expanded", "both"])
@pytest.mark.parametrize("encoding", ["pem", "der"])
def test_what_is_encrypted_comes_back(how: Encryption, form: Any, encoding: Any) -> None:
    written = write_private_key(
        KEY, form=form, format=encoding, passphrase=PASSPHRASE, encryption=how
    )
    assert encoding == "der" or bytes(written).startswith(
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    )
    assert KEY.seed() is not None and bytes(KEY.seed().view()) not in bytes(written)
    found = read(written.view(), girih.ml_dsa_65, passphrase=PASSPHRASE)
    assert (found.kind, found.format, found.form, found.encryption) == (
        "private_key",
        encoding,
        form,
        how,
    )
    assert found.key.bytes() == KEY.bytes() and (found.key.seed() is None) == (form == "expanded")
    again = write_private_key(
        KEY, form=form, format=encoding, passphrase=PASSPHRASE, encryption=how
    )
    assert written != again  # another salt


@pytest.mark.parametrize(
    "how, chosen",
    [
        (None, Encryption(iterations=600_000)),
        (Encryption("pbkdf2_sha512"), Encryption("pbkdf2_sha512", iterations=210_000)),
        (Encryption("scrypt"), Encryption("scrypt", scrypt_n=2**14, scrypt_r=8, scrypt_p=5)),
    ],
    ids=["none", "pbkdf2_sha512", "scrypt"],
)
def test_the_defaults_are_those_of_the_header(how: Encryption | None, chosen: Encryption) -> None:
    written = write_private_key(KEY, passphrase=PASSPHRASE, encryption=how)
    assert read(written.view(), passphrase=PASSPHRASE).encryption == chosen


@pytest.mark.parametrize("name", girih.algorithms())
def test_every_algorithm_has_encrypted_keys(name: str) -> None:
    alg: Any = girih.algorithm(name)
    key = secret_keys(alg).generate()
    try:
        written = write_private_key(key, passphrase=b"p", encryption=QUICK)
    except girih.KeyFileException as error:  # as for a plain file with the same fault
        with pytest.raises(girih.KeyFileException) as plain:
            write_private_key(key)
        assert plain.value.problem == error.problem
        return
    assert read_private_key(written.view(), alg, passphrase=b"p").bytes() == key.bytes()


def test_a_missing_passphrase_and_a_wrong_one_are_told_apart() -> None:
    for reads in (read, read_private_key):
        with pytest.raises(girih.KeyEncryptedException, match="needs its passphrase") as missing:
            reads(FILE)
        assert type(missing.value) is girih.KeyEncryptedException
        for passphrase in (
            b"",
            PASSPHRASE[:-1],
            PASSPHRASE + b"x",
            PASSPHRASE.upper(),
            b"x" * 5000,
        ):
            with pytest.raises(girih.PassphraseException, match="passphrase is wrong") as wrong:
                reads(FILE, passphrase=passphrase)
            assert type(wrong.value) is girih.PassphraseException
            assert missing.value.problem != wrong.value.problem
    with pytest.raises(girih.KeyEncryptedException):
        read_public_key(FILE)
    for error in (missing.value, wrong.value):
        assert isinstance(error, girih.KeyFileException)
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error) and (copy.problem, str(copy)) == (
            error.problem,
            str(error),
        )


def test_no_changed_byte_of_both_forms_gives_another_key() -> None:
    file = bytes(
        write_private_key(KEY, form="both", format="der", passphrase=PASSPHRASE, encryption=QUICK)
    )
    encrypted = file.index(b"\x04\x82")  # the OCTET STRING of the encrypted bytes
    assert 100 < encrypted < 200
    unnoticed = []
    for byte in [
        *range(encrypted + 40),
        *range(encrypted + 40, len(file), 97),
        *range(len(file) - 40, len(file)),
    ]:
        changed = bytearray(file)
        changed[byte] ^= 1
        try:
            assert read(changed, passphrase=PASSPHRASE).key == KEY
            unnoticed.append(byte)
        except girih.KeyFileException as error:
            assert byte < encrypted + 4 or type(error) is girih.PassphraseException
    # A change of the initialization vector turns version 1 into 2, whose public key is optional.
    assert len(unnoticed) == 1 and unnoticed[0] < encrypted


def test_a_passphrase_is_ignored_where_nothing_is_encrypted() -> None:
    assert read(write_private_key(KEY).view(), passphrase=PASSPHRASE).encryption is None
    public = KEY.verifying_key()
    assert read(write_public_key(public), passphrase=PASSPHRASE).key == public


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"encryption": Encryption()}, girih.KeyFileException, "no passphrase"),
        ({"passphrase": b""}, girih.KeyFileException, "passphrase .* empty"),
        (
            {"passphrase": b"p", "format": "raw"},
            girih.KeyFileException,
            "raw keys are not encrypted",
        ),
        ({"passphrase": "text"}, TypeError, "passphrase must be bytes-like, not str"),
        (
            {"passphrase": b"p", "encryption": "scrypt"},
            TypeError,
            "encryption must be .*Encryption, not str",
        ),
    ],
)
def test_requests_that_cannot_be_fulfilled(
    arguments: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        write_private_key(KEY, **arguments)
    assert not isinstance(caught.value, (girih.KeyEncryptedException, girih.PassphraseException))


@pytest.mark.parametrize(
    "fields, error, words",
    [
        ({"kdf": "argon2"}, girih.InputException, "kdf: 'argon2' is none of"),
        ({"kdf": "\udc80"}, girih.InputException, "kdf: it is not a string"),
        ({"kdf": b"scrypt"}, girih.InputException, "kdf: it is not a string"),
        (
            {"iterations": -1},
            girih.InputException,
            "iterations: it is no integer from 0 to 4294967295",
        ),
        ({"iterations": 2**32}, girih.InputException, "iterations: it is"),
        ({"iterations": 10**5000}, girih.InputException, "iterations: it is"),
        ({"iterations": 10**7 + 1}, girih.KeyFileException, "more than the limit"),
        (
            {"kdf": "scrypt", "scrypt_n": 2**64},
            girih.InputException,
            "scrypt_n: it is no integer from 0 to 1844",
        ),
        ({"kdf": "scrypt", "scrypt_n": 1000}, girih.KeyFileException, "a power of two"),
        ({"kdf": "scrypt", "scrypt_n": 2**20}, girih.KeyFileException, "more memory or time"),
        ({"kdf": "scrypt", "scrypt_r": 1.0}, girih.InputException, "scrypt_r: it is"),
        ({"kdf": "scrypt", "scrypt_p": None}, girih.InputException, "scrypt_p: it is"),
    ],
)
def test_encryption_that_cannot_be(fields: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        write_private_key(KEY, passphrase=b"p", encryption=Encryption(**fields))
    assert type(caught.value) is error


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview, girih.SecretBytes])
def test_passphrases_of_every_type_of_bytes(form: Any) -> None:
    written = write_private_key(KEY, passphrase=form(PASSPHRASE), encryption=QUICK)
    assert read_private_key(written.view(), passphrase=form(PASSPHRASE)).bytes() == KEY.bytes()


def test_passphrases_are_not_kept() -> None:
    def use(passphrase: Any) -> list[Exception]:
        """All functions with a passphrase; their exceptions are kept alive."""
        raised: list[Exception] = []
        for file in (
            FILE,
            FILE[:-100],
            write_private_key(KEY, passphrase=passphrase, encryption=QUICK).view(),
        ):
            try:
                read(file, passphrase=passphrase)
            except girih.KeyFileException as error:
                raised.append(error)
        for bad in (Encryption("argon2"), Encryption(iterations=10**8)):  # type: ignore[arg-type]
            try:
                write_private_key(KEY, passphrase=passphrase, encryption=bad)
            except girih.InputException as error:
                raised.append(error)
        return raised

    passphrase = bytearray(b"wrong")
    raised = use(passphrase)
    assert [type(error) for error in raised] == [
        girih.PassphraseException,
        girih.KeyFileException,
        girih.InputException,
        girih.KeyFileException,
    ]
    passphrase.clear()  # BufferError if anything still views it
    secret = girih.SecretBytes(PASSPHRASE)
    raised = use(secret.view())
    secret.wipe()  # likewise
    counted = bytes(bytearray(PASSPHRASE))
    before = sys.getrefcount(counted)
    use(counted)
    gc.collect()  # exceptions, whose tracebacks refer to the argument
    assert sys.getrefcount(counted) == before


def test_the_lock_is_given_back_while_a_key_is_derived() -> None:
    slow = Encryption(iterations=400_000)
    file = write_private_key(KEY, passphrase=b"p", encryption=slow)
    for work in (
        lambda: write_private_key(KEY, passphrase=b"p", encryption=slow),
        lambda: read(file.view(), passphrase=b"p"),
    ):
        ended, span, turns = threading.Event(), [0.0, 0.0], [0.0]

        def run() -> None:
            span[0] = time.perf_counter()
            work()
            span[1] = time.perf_counter()
            ended.set()

        thread = threading.Thread(target=run)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(100)  # a thread loses the lock only by releasing it
        try:
            thread.start()
            while not ended.wait(0.001):
                turns.append(time.perf_counter())
        finally:
            sys.setswitchinterval(interval)
            thread.join()
        assert any(span[0] < turn < span[1] for turn in turns)


def test_keys_for_hash_ml_dsa_say_so() -> None:
    ml_dsa, hash_ml_dsa = (
        bytes.fromhex("0609608648016503040312"),
        bytes.fromhex("0609608648016503040321"),
    )
    secret = bytes(write_private_key(KEY, format="der")).replace(ml_dsa, hash_ml_dsa)
    public = write_public_key(KEY.verifying_key(), format="der").replace(ml_dsa, hash_ml_dsa)
    signing, verifying = read(secret), read(public)
    assert (signing.pre_hash, verifying.pre_hash) == ("SHA2-512", "SHA2-512")
    assert read(FILE, passphrase=PASSPHRASE).pre_hash is None
    signature = signing.key.sign(b"message", pre_hash=signing.pre_hash)
    assert verifying.key.verify(b"message", signature, pre_hash=verifying.pre_hash)
    assert bytes(write_private_key(signing.key, format="der")) == secret
    for reads, file in ((read_private_key, secret), (read_public_key, public)):
        with pytest.raises(girih.KeyFileException, match="for HashML-DSA with SHA2-512"):
            reads(file)


def test_algorithms_are_given_by_name_as_well() -> None:
    raw = KEY.verifying_key().bytes()
    for algorithm in ("ML-DSA-65", "mldsa65", girih.ml_dsa_65):
        assert read(raw, algorithm).key == read_public_key(raw, algorithm) == KEY.verifying_key()
    assert read_private_key(KEY.bytes(), "ML-DSA-65") == KEY
    with pytest.raises(KeyError, match="no algorithm 'ML-DSA-66'; there are ML-DSA-44, "):
        read(raw, "ML-DSA-66")
    for wrong in (5, b"ML-DSA-65", girih.SignatureAlgorithm, girih.ml_dsa_65.SigningKey):
        with pytest.raises(
            TypeError,
            match="algorithm must be one of girih's, such as girih.ml_dsa_65, or its name, not",
        ):
            read(raw, wrong)  # type: ignore[arg-type]


def test_keys_of_the_wrong_kind_are_named() -> None:
    key: Any = girih.ml_dsa_44.SigningKey.generate()
    for wrong in (key.verifying_key(), b"bytes", None):
        with pytest.raises(
            TypeError, match=f"key must be a secret key, not {type(wrong).__name__}"
        ):
            girih.key_files.write_private_key(wrong)
    for wrong in (key, b"bytes", None):
        for write in (girih.key_files.write_public_key, girih.key_files.fingerprint):
            with pytest.raises(
                TypeError, match=f"key must be a public key, not {type(wrong).__name__}"
            ):
                write(wrong)
    with pytest.raises(
        TypeError, match="key must be a secret key of Falcon-512, not ml_dsa_44.VerifyingKey"
    ):
        girih.falcon_512.SigningMessage().sign(key.verifying_key())


FOREIGN = [
    line.split("\t")
    for line in (Path(__file__).parents[2] / "tests/key_files/foreign.tsv").read_text().splitlines()
]


@pytest.mark.parametrize(
    "name, form, content, told, remedy", FOREIGN, ids=[row[0] for row in FOREIGN]
)
def test_files_that_girih_does_not_read_are_named(
    name: str, form: str, content: str, told: str, remedy: str
) -> None:
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n" if form == "headers" else ""
    block = f"-----BEGIN {content}-----\n{headers}MAA=\n-----END {content}-----\n"
    file = (
        bytes.fromhex(content) if form == "hex" else (content if form == "text" else block).encode()
    )
    readers: list[Any] = [read, read_private_key, read_public_key]
    for reader in readers:
        with pytest.raises(girih.KeyFileException) as caught:
            reader(file)
        assert told in str(caught.value) and remedy in str(caught.value)
