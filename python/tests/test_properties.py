"""Arbitrary arguments: the right result, or an error that names the argument."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import girih  # noqa: E402

settings.register_profile("girih", deadline=None, max_examples=60)
settings.load_profile("girih")

DSA: Any = girih.ml_dsa_44
KEM: Any = girih.ml_kem_512
KEY = DSA.SigningKey.from_seed(bytes(32))
PUBLIC = KEY.verifying_key()
SIGNATURE = KEY.sign(b"message", deterministic=True)
RECEIVER = KEM.DecapsulationKey.from_seed(bytes(64))
CIPHERTEXT = RECEIVER.encapsulation_key().encapsulate().ciphertext

# Bytes in every bytes-like type.
FORMS: list[Callable[[bytes], Any]] = [
    bytes,
    bytearray,
    memoryview,
    lambda data: array.array("B", data),
    lambda data: memoryview(bytearray(data + b"x"))[:-1],
    lambda data: girih.SecretBytes(data).view(),
]


@given(
    st.binary(max_size=5000),
    st.binary(max_size=255),
    st.sampled_from(FORMS),
    st.sampled_from(FORMS),
)
def test_every_message_in_every_form(message: bytes, context: bytes, form: Any, other: Any) -> None:
    signature = KEY.sign(form(message), context=other(context), deterministic=True)
    assert signature == KEY.sign(message, context=context, deterministic=True)
    assert PUBLIC.verify(other(message), form(signature), context=form(context))
    assert not PUBLIC.verify(message + b"x", signature, context=context)


@given(st.binary(max_size=2500))
def test_no_signature_but_the_right_one(signature: bytes) -> None:
    assert PUBLIC.verify(b"message", signature) is (signature == SIGNATURE)


@given(st.integers(0, len(SIGNATURE) * 8 - 1))
def test_no_bit_of_a_signature_may_change(bit: int) -> None:
    changed = bytearray(SIGNATURE)
    changed[bit // 8] ^= 1 << bit % 8
    assert not PUBLIC.verify(b"message", changed)
    assert not DSA.PreparedVerifyingKey(PUBLIC).verify(b"message", changed)


@given(st.integers(0, 6000).filter(lambda n: n not in (32, 64, 1312, 2560, 768, 800, 1632)))
def test_wrong_lengths_name_the_argument(length: int) -> None:
    data = bytes(length)
    for name, call in {
        "seed": lambda: DSA.SigningKey.from_seed(data),
        "secret_key": lambda: DSA.SigningKey.from_bytes(data),
        "public_key": lambda: DSA.VerifyingKey(data),
        "mu": lambda: PUBLIC.verify_mu(data, SIGNATURE),
        "ciphertext": lambda: RECEIVER.decapsulate(data),
    }.items():
        with pytest.raises(girih.InputException) as caught:
            call()
        error = (
            girih.Error[f"{name}_LENGTH".upper()] if name.endswith("_key") else girih.Error.LENGTH
        )
        assert caught.value.place == name and caught.value.error is error
        assert str(length) in str(caught.value)


@given(st.integers(256, 5000))
def test_long_contexts_are_an_error_and_no_verdict(length: int) -> None:
    for call in (
        lambda: KEY.sign(b"", context=bytes(length)),
        lambda: PUBLIC.verify(b"", b"", context=bytes(length)),
        lambda: DSA.Message(PUBLIC, context=bytes(length)),
    ):
        with pytest.raises(girih.InputException) as caught:
            call()
        assert caught.value.error is girih.Error.CONTEXT


@given(st.text(max_size=20))
def test_pre_hashes_are_known_or_refused(name: str) -> None:
    if girih.pre_hash_strength(name.split("\0")[0]) == 0:
        with pytest.raises((girih.InputException, ValueError)):
            KEY.sign(b"", pre_hash=name)


@given(st.lists(st.integers(0, 400), max_size=12))
def test_pieces_do_not_matter(lengths: list[int]) -> None:
    whole = bytes(index % 251 for index in range(sum(lengths)))
    message, begin = DSA.Message(PUBLIC), 0
    for length in lengths:
        message.update(memoryview(whole)[begin : begin + length])
        begin += length
    assert KEY.sign_mu(message.mu(), deterministic=True) == KEY.sign(whole, deterministic=True)


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(1, 2560))
def test_arguments_may_overlap(message: int, context: int, length: int) -> None:
    memory = bytearray(index * 7 % 256 for index in range(6000))
    view = memoryview(memory)
    first, second = view[message : message + length], view[context : context + length % 256]
    before = bytes(memory)
    signature = KEY.sign(first, context=second, deterministic=True)
    assert signature == KEY.sign(bytes(first), context=bytes(second), deterministic=True)
    memory[: len(signature)] = signature
    assert PUBLIC.verify(
        before[message : message + length],
        view[: len(signature)],
        context=before[context : context + length % 256],
    )


@given(st.binary(max_size=400))
def test_any_file_is_read_or_refused(data: bytes) -> None:
    for file in (data, b"-----BEGIN PRIVATE KEY-----\n" + data, b"\x30\x82" + data):
        with pytest.raises(girih.KeyFileException) as caught:
            girih.key_files.read(file)
        assert "\n" not in str(caught.value)


@given(st.integers(0, 200), st.integers(-1, 1200))
def test_threads_are_counted(rows: int, threads: int) -> None:
    messages, signatures = [b"message"] * rows, [SIGNATURE] * rows
    if 1 <= threads <= 64:
        assert DSA.verify_many(PUBLIC, messages, signatures, threads=threads) == [True] * rows
    elif not 1 <= threads <= 1024:
        with pytest.raises(girih.InputException, match="threads"):
            DSA.verify_many(PUBLIC, messages, signatures, threads=threads)


ROW = st.one_of(st.none(), st.just(SIGNATURE), st.just(SIGNATURE[:-1]), st.binary(max_size=9))


@given(
    st.lists(st.tuples(ROW, st.sampled_from([b"message", b"massage", None])), max_size=40),
    st.integers(1, 3),
)
def test_a_bad_row_spoils_no_other(rows: list[tuple[Any, Any]], threads: int) -> None:
    signatures, messages = [row[0] for row in rows], [row[1] for row in rows]
    expected = [
        None
        if signature is None or message is None
        else signature == SIGNATURE and message == b"message"
        for signature, message in rows
    ]
    assert DSA.verify_many(PUBLIC, messages, signatures, threads=threads) == expected
    errors = DSA.check_many([PUBLIC] * len(rows), messages, signatures, threads=threads)
    assert [None if error is None else error == girih.Error.NONE for error in errors] == expected
