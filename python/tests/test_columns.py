"""Columns: results have the kind of the arguments, and nulls stay null."""

from __future__ import annotations

import array
import collections
import datetime
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import pytest
from conftest import DSA, KEMS, ROWS, SIGNATURES, secret_keys

import girih


def test_lists(batch: dict[str, Any]) -> None:
    for public in (
        batch["public"],
        [key.verifying_key() for key in batch["keys"]],
        [DSA.PreparedVerifyingKey(key.verifying_key()) for key in batch["keys"]],
    ):
        assert (
            DSA.verify_many(public, batch["messages"], batch["signatures"], threads=2)
            == batch["verdicts"]
        )
    errors = DSA.check_many(batch["public"], batch["messages"], batch["signatures"])
    assert errors[6:10] == [girih.Error.NONE, girih.Error.SIGNATURE, girih.Error.SIGNATURE, None]
    short = [key if row else key[1:] for row, key in enumerate(batch["public"])]
    assert (
        DSA.check_many(short, batch["messages"], batch["signatures"])[0]
        is girih.Error.PUBLIC_KEY_LENGTH
    )


def test_numpy(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    good = [row for row in range(ROWS) if batch["verdicts"][row]]

    def rows(column: str) -> Any:
        return np.frombuffer(b"".join(batch[column][row] for row in good), np.uint8).reshape(
            len(good), -1
        )

    public, messages, signatures = rows("public"), rows("messages"), rows("signatures").copy()
    assert DSA.verify_many(public, messages, signatures).all()
    assert DSA.verify_many(public[::-2], messages[::-2], signatures[::-2]).all()  # strides
    signatures[3, 0] ^= 1
    verdicts = DSA.verify_many(public, messages, signatures)
    assert verdicts.dtype == bool and verdicts.sum() == len(good) - 1 and not verdicts[3]
    with pytest.raises(TypeError, match="signatures must have rows of uint8"):
        DSA.verify_many(public, messages, signatures.astype(np.uint16))
    with pytest.raises(girih.InputException, match="signatures: 5 rows, messages has"):
        DSA.verify_many(public, messages, signatures[:5])
    public, secret = DSA.keygen_many(count=3, columns="numpy")
    assert public.shape == (3, 1312) and secret.shape == (3, 2560)
    signed = DSA.sign_many(secret, messages[:3])
    assert DSA.verify_many(public, messages[:3], signed).all()
    secret[:] = 0  # which wipes it


def test_numpys_void_type_holds_rows() -> None:
    np = pytest.importorskip("numpy")
    key = DSA.SigningKey.from_seed(bytes(32))
    public, messages = key.verifying_key(), np.arange(160, dtype=np.uint8).view("V32")
    messages[1] = bytes(32)  # zeros at the end count, unlike those of strings
    signatures = DSA.sign_many(key, messages)
    rows = [bytes(row) for row in messages]
    assert DSA.verify_many(public, rows, [bytes(row) for row in signatures]) == [True] * 5
    signatures = signatures.view("V2420")[:, 0]
    assert DSA.verify_many(public, messages[::-2], signatures[::-2]).all()  # strides
    assert not DSA.verify_many(public, messages, signatures[::-1])[[0, 1, 3, 4]].any()
    masked = np.ma.masked_array(messages, [0, 1, 0, 0, 0])
    assert DSA.verify_many(public, masked, signatures).tolist() == [True, None, True, True, True]
    for keys in (np.array([np.void(bytes(public))] * 5), np.void(bytes(public))):
        assert DSA.verify_many(keys, messages, signatures).all()
    secret = np.array([np.void(bytes(key.bytes()))] * 5)
    assert DSA.verify_many(public, messages, DSA.sign_many(secret, messages)).all()
    assert not DSA.verify_many(public, np.ndarray(5, "V0"), signatures).any()
    for wrong in (messages.reshape(5, 1), np.zeros(5, [("a", "u1"), ("b", "V31")])):
        with pytest.raises(TypeError, match="^messages must "):
            DSA.verify_many(public, wrong, signatures)


def test_arrow(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")
    public, messages = pa.array(batch["public"]), pa.array(batch["messages"])
    signatures = pa.array(batch["signatures"])
    for keys in (
        public,
        public.cast(pa.large_binary()),
        public.cast(pa.binary(1312)),
        public.dictionary_encode(),
        pa.chunked_array([public[:100].dictionary_encode(), public[100:].dictionary_encode()]),
    ):
        for column in (
            signatures,
            signatures.cast(pa.large_binary()),
            pa.chunked_array([signatures[:9], signatures[9:]]),
            signatures.cast(pa.binary_view()),
        ):
            verdicts = DSA.verify_many(keys, messages, column, threads=2)
            assert verdicts.type == pa.bool_() and verdicts.to_pylist() == batch["verdicts"]
            part = DSA.verify_many(keys[5:12], messages[5:12], column[5:12])  # an offset
            assert part.to_pylist() == batch["verdicts"][5:12]
    null_keys = pa.array(
        [None if row == 3 else key for row, key in enumerate(batch["public"])]
    ).dictionary_encode()
    assert DSA.verify_many(null_keys, messages, signatures).to_pylist()[3] is None
    assert DSA.verify_many(public, messages, pa.nulls(ROWS)).null_count == ROWS
    for wrong, named in (
        (pa.array(range(ROWS)), "of int64"),
        (pa.array(["a"] * ROWS), "of strings"),
        (pa.array(["a"] * ROWS).dictionary_encode(), "of strings"),
        (pa.table({"m": messages}), "a table"),
    ):
        with pytest.raises(
            TypeError, match=f"messages must be an Arrow column of binary, .*, not {named}"
        ):
            DSA.verify_many(public, wrong, signatures)
    made = DSA.sign_many(batch["keys"][0], pa.array([b"a", None, b"c"]))
    assert made.type == pa.binary(2420) and made.null_count == 1 and made[1].as_py() is None


def test_malformed_arrow() -> None:
    pa = pytest.importorskip("pyarrow")

    def column(kind: Any, *buffers: bytes) -> Any:
        return pa.Array.from_buffers(kind, 2, [None, *map(pa.py_buffer, buffers)])

    def int32(*numbers: int) -> bytes:
        return b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)

    public, signatures = DSA.SigningKey.generate().verifying_key(), pa.array([b"", b""])
    for messages in (
        column(pa.binary(), int32(0, 2000000000, 1), b"x"),
        column(pa.binary(), int32(0, -9, 1), b"x"),
        column(pa.binary_view(), int32(20, 0, 0, 1, 20, 0, 7, 0), b"x" * 20),
    ):
        assert DSA.check_many(public, messages, signatures).to_pylist() == [girih.Error.LENGTH] * 2

    class Once:
        """A source that returns the same capsule every time."""

        def __init__(self) -> None:
            self.capsule = pa.chunked_array([[b"message"]]).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    with pytest.raises(girih.InputException, match="used up"):
        once = Once()
        DSA.verify_many(public, once, once)


def test_contexts(batch: dict[str, Any]) -> None:
    key = batch["keys"][0]
    contexts = [b"", b"c", None, b"c" * 256, b"d"]
    signed = DSA.sign_many(key, [b"message"] * 5, contexts=contexts, on_error="null")
    assert [row is None for row in signed] == [False, False, True, True, False]
    public = key.verifying_key()
    assert public.verify(b"message", signed[1], context=b"c")
    filled = [row or b"" for row in signed]
    assert DSA.verify_many(public, [b"message"] * 5, filled, contexts=contexts) == [
        True,
        True,
        None,
        False,
        True,
    ]
    assert DSA.verify_many(public, [b"message"] * 5, filled, contexts=b"d") == [False] * 4 + [True]
    assert (
        DSA.check_many(public, [b"message"] * 5, filled, contexts=contexts)[3]
        is girih.Error.CONTEXT
    )


def test_failures_are_told_and_lose_nothing(batch: dict[str, Any]) -> None:
    keys = [batch["keys"][0], b"no key", None, batch["keys"][1]]
    with pytest.raises(girih.BatchException, match="1 rows failed, row 1 first") as caught:
        DSA.sign_many(keys, [b"message"] * 4)
    assert caught.value.errors == [(1, girih.Error.SECRET_KEY_LENGTH)]
    assert [row is None for row in caught.value.column] == [False, True, True, False]
    with pytest.raises(girih.BatchException) as caught:
        DSA.sign_many(batch["keys"][0], [b"message"] * 4, random=lambda count: 1 // 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and len(caught.value.errors) == 4
    for wrong in ("a column", 5, b"bytes", batch["keys"][0]):
        with pytest.raises(TypeError):
            DSA.sign_many(batch["keys"][0], wrong)


@pytest.mark.parametrize("alg", SIGNATURES + KEMS)
def test_secret_keys_in_bytes_are_checked(alg: Any) -> None:
    """As from_bytes checks them, in rows and for all rows."""
    kind = secret_keys(alg)
    key = kind.generate()
    changed = bytearray(key.bytes())
    changed[-33 if "ML-KEM" in alg.name else -1] ^= 1  # not z, which nothing checks
    with pytest.raises(girih.InputException) as alone:
        kind.from_bytes(changed)
    rows = (
        [b"m"] * 5 if alg in SIGNATURES else [key.encapsulation_key().encapsulate().ciphertext] * 5
    )
    many = alg.sign_many if alg in SIGNATURES else alg.decapsulate_many
    for bad in (bytes(changed), girih.SecretBytes(changed)):
        with pytest.raises(girih.BatchException) as caught:
            many([bytes(key.bytes()), bad, key, None, bad], rows, threads=2)
        assert caught.value.errors == [(1, alone.value.error), (4, alone.value.error)]
        assert [row is None for row in caught.value.column] == [False, True, False, True, True]
        with pytest.raises(girih.InputException, match="^keys: ") as of_all:
            many(bad, rows, on_error="null")
        assert of_all.value.error is alone.value.error
    assert None not in many(key.bytes(), rows)


def test_one_wrong_argument_for_all_rows_is_named(batch: dict[str, Any]) -> None:
    key, kem, rows = batch["keys"][0], girih.ml_kem_512, [b"m"] * 2
    public, short, long = key.verifying_key(), b"abc", b"c" * 256
    calls: list[tuple[str, girih.Error, Callable[[], object]]] = [
        (
            "public_keys: 3 bytes, ML-DSA-44 has 1312",
            girih.Error.PUBLIC_KEY_LENGTH,
            lambda: DSA.verify_many(short, rows, rows),
        ),
        (
            "public_keys: 3 bytes, ML-DSA-44 has 1312",
            girih.Error.PUBLIC_KEY_LENGTH,
            lambda: DSA.check_many(short, [], []),
        ),
        (
            "contexts: 256 bytes, 255 at most",
            girih.Error.CONTEXT,
            lambda: DSA.verify_many(public, rows, rows, contexts=long),
        ),
        (
            "contexts: 256 bytes, 255 at most",
            girih.Error.CONTEXT,
            lambda: DSA.sign_many(key, rows, contexts=long, on_error="null"),
        ),
        (
            "contexts: 1 bytes, Falcon-512 has no contexts",
            girih.Error.CONTEXT,
            lambda: girih.falcon_512.verify_many(bytes(897), rows, rows, contexts=b"c"),
        ),
        (
            "keys: 3 bytes, ML-DSA-44 has 2560",
            girih.Error.SECRET_KEY_LENGTH,
            lambda: DSA.sign_many(short, rows, on_error="null"),
        ),
        (
            "public_keys: ",
            girih.Error.PUBLIC_KEY,
            lambda: girih.falcon_512.verify_many(b"\xff" * 897, rows, rows),
        ),
        (
            "public_keys: ",
            girih.Error.PUBLIC_KEY,
            lambda: kem.encapsulate_many(b"\xff" * 800, count=2, on_error="null"),
        ),
        (
            "public_keys: 3 bytes, sntrup653 has 994",
            girih.Error.PUBLIC_KEY_LENGTH,
            lambda: girih.sntrup653.encapsulate_many(short),
        ),
        (
            "keys: 3 bytes, ML-KEM-512 has 1632",
            girih.Error.SECRET_KEY_LENGTH,
            lambda: kem.decapsulate_many(short, rows, on_error="null"),
        ),
    ]
    for text, error, call in calls:
        with pytest.raises(girih.InputException, match=f"^{text}") as caught:
            call()
        assert caught.value.error is error
    assert DSA.verify_many([short, bytes(public)], rows, rows) == [False, False]  # a wrong row


def test_what_cannot_be_is_refused_before_any_work(batch: dict[str, Any]) -> None:
    def draw(count: int) -> bytes:
        raise AssertionError("it has begun to work")

    key, messages = batch["keys"][0], [b"message"]
    with pytest.raises(ValueError, match="on_error: 'ignore' is neither"):
        DSA.sign_many(key, messages, random=draw, on_error="ignore")
    with pytest.raises(ValueError, match="columns: 'tuple' is none of"):
        DSA.keygen_many(count=1, random=draw, columns="tuple")
    for module, columns in (("numpy", "numpy"), ("pandas", "pandas"), ("pyarrow", "arrow")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ModuleNotFoundError, match=f"the package {module}: pip install"):
                DSA.keygen_many(count=1, random=draw, columns=columns)
    for wrong in (key, girih.dilithium2.SigningKey.generate().verifying_key()):
        with pytest.raises(
            TypeError, match="^public_keys: .* is no public key of ML-DSA-44"
        ) as caught:
            DSA.verify_many(wrong, messages, messages)
        assert ("use its verifying_key()" in str(caught.value)) is (wrong is key)
        with pytest.raises(
            TypeError, match=f"row 1 of public_keys: {type(wrong).__qualname__} is no public key of"
        ):
            DSA.verify_many([key.verifying_key(), wrong], messages * 2, messages * 2)
    for wrong in (key.verifying_key(), girih.dilithium2.SigningKey.generate()):
        with pytest.raises(TypeError, match="is no secret key of ML-DSA-44"):
            DSA.sign_many(wrong, messages)
        with pytest.raises(
            TypeError, match=f"row 0 of keys: {type(wrong).__qualname__} is no secret key of"
        ):
            DSA.sign_many([wrong], messages, random=draw, on_error="null")
    for wrong in (0, -1, 1025, 2**70):
        with pytest.raises(girih.InputException, match="threads: .*, 1 to 1024"):
            DSA.sign_many(key, messages, threads=wrong, random=draw)
    with pytest.raises(girih.InputException, match="count: -1 rows"):
        DSA.keygen_many(count=-1)
    for wrong, name in (
        ({"threads": "2"}, "threads must be an int, not str"),
        ({"threads": 1.5}, "threads must be an int, not float"),
        ({"threads": None}, "threads must be an int, not NoneType"),
        ({"progress": 5}, "progress must be callable, or None"),
        ({"deterministic": "no"}, "deterministic must be True or False, not str"),
        ({"verify_after_sign": 1}, "verify_after_sign must be True or False, not int"),
        ({"context": b"misspelt"}, "unexpected keyword argument 'context'"),
    ):
        with pytest.raises(TypeError, match=name):
            DSA.sign_many(key, messages, random=draw, **wrong)


def test_progress(batch: dict[str, Any]) -> None:
    calls: list[tuple[int, int]] = []
    rows = 40_000
    DSA.verify_many(
        batch["public"][0], [b"m"] * rows, [b"s"] * rows, progress=lambda *call: calls.append(call)
    )
    assert calls[-1] == (rows, rows) and len(calls) > 1 and calls == sorted(calls)
    with pytest.raises(ZeroDivisionError):
        DSA.verify_many(batch["public"][0], [b"m"], [b"s"], progress=lambda done, rows: 1 // 0)


@pytest.mark.parametrize("alg", SIGNATURES)
def test_batches_of_every_signature(alg: Any) -> None:
    seeds = [bytes([row]) * alg.seed_bytes for row in range(3)]
    public, secret = alg.keygen_many(seeds, threads=2)
    keys = [alg.SigningKey.from_seed(seed) for seed in seeds]
    assert public == [bytes(key.verifying_key()) for key in keys]
    assert all(key.bytes() == row for key, row in zip(keys, secret))
    messages = [b"%d" % row for row in range(24)]
    for signers in ((keys * 8), (secret * 8), [alg.PreparedSigningKey(key) for key in keys] * 8):
        signed = alg.sign_many(signers, messages)
        assert alg.verify_many(public * 8, messages, signed) == [True] * 24
    assert alg.verify_many(public * 8, messages, signed[1:] + signed[:1]) == [False] * 24


@pytest.mark.parametrize("alg", KEMS)
def test_batches_of_every_kem(alg: Any) -> None:
    public, secret = alg.keygen_many(count=3)
    ciphertexts, secrets = alg.encapsulate_many(public * 3, threads=2)
    assert len(set(secrets)) == 9
    assert alg.decapsulate_many(secret * 3, ciphertexts, threads=2) == secrets
    key = alg.DecapsulationKey.from_bytes(secret[0])
    ciphertexts, secrets = alg.encapsulate_many(key.encapsulation_key(), count=5)
    assert alg.decapsulate_many(key, [*ciphertexts, None]) == [*secrets, None]
    assert alg.decapsulate_many(key, [b"short"], on_error="null") == [None]


def test_masked_rows_are_null(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    key = batch["keys"][0]
    messages = np.ma.masked_array(
        np.arange(12, dtype=np.uint8).reshape(4, 3), np.zeros((4, 3), bool)
    )
    messages[1] = np.ma.masked
    messages.mask[2, 1] = True
    signatures = DSA.sign_many(key, messages)
    assert [bool(row.all()) for row in np.ma.getmaskarray(signatures)] == [False, True, True, False]
    verdicts = DSA.verify_many(key.verifying_key(), messages, signatures)
    assert verdicts.tolist() == [True, None, None, True]
    # A null key signs nothing, in a column or alone.
    public, secret = DSA.keygen_many([bytes(32), None], columns="numpy")
    assert np.ma.getmaskarray(DSA.sign_many(secret, [b"a", b"b"]))[:, 0].tolist() == [False, True]
    assert np.ma.getmaskarray(public)[1].all()
    with pytest.raises(TypeError, match="masked"):
        DSA.VerifyingKey(public[1]).verify(b"a", b"b")
    with pytest.raises(TypeError, match="message has bytes that are masked"):
        key.sign(messages[1])


def test_keys_in_any_sequence(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    keys = [key.verifying_key() for key in batch["keys"]]
    arguments = batch["messages"], batch["signatures"]
    for rows in (
        collections.deque(keys),
        dict(enumerate(keys)).values(),
        iter(keys),
        np.array(keys, dtype=object),
    ):
        verdicts = DSA.verify_many(rows, *arguments)
        assert [
            None if row == 9 else bool(verdict) for row, verdict in enumerate(verdicts)
        ] == batch["verdicts"]


def test_an_array_of_strings_is_not_one_string(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    key = batch["keys"][0]
    for contexts in (np.array([b"aaaa", b"bbbb"]), array.array("i", [1, 2]), "text"):
        with pytest.raises(TypeError, match="must be a column .* or one for all rows, not"):
            DSA.sign_many(key, [b"m", b"m"], contexts=contexts)
    for column in (np.array([b"a", b"b"]), np.array([b"aa", b"bb"])):
        with pytest.raises(
            TypeError, match="not ndarray of strings, which lose the zero bytes at their end"
        ):
            DSA.sign_many(key, column)
    assert len(DSA.sign_many(key, [b"m", b"m"], contexts=bytearray(b"one"))) == 2


def test_what_ends_a_program_does() -> None:
    def interrupt(size: int) -> bytes:
        raise KeyboardInterrupt

    key = DSA.SigningKey.generate()
    with pytest.raises(KeyboardInterrupt):
        key.sign(b"m", random=interrupt)
    with pytest.raises(KeyboardInterrupt):
        DSA.keygen_many(count=2, random=interrupt, on_error="null")


def not_bytes() -> list[tuple[object, str]]:
    """Mistakes for bytes, and the errors for them."""
    wrong: list[tuple[object, str]] = [
        ("text", "must be bytes-like, not str"),
        ("ab" * 1312, "must be bytes-like, not str"),
        (5, "must be bytes-like, not int"),
        (object(), "must be bytes-like, not object"),
        (True, "must be bytes-like, not bool"),
        (1.5, "must be bytes-like, not float"),
        ([1, 2], "must be bytes-like, not list"),
        ([b"m"], "must be bytes-like, not list"),
        ((), "must be bytes-like, not tuple"),
        ({}, "must be bytes-like, not dict"),
        (pathlib.Path("m"), "must be bytes-like, not PosixPath"),
        (datetime.date(2026, 1, 1), "must be bytes-like, not date"),
        (array.array("i", [1, 2]), "must have items of one byte .*, not of format 'i'"),
        (memoryview(b"12345678").cast("Q"), "must have items of one byte .*, not of format 'Q'"),
        (memoryview(b"1234").cast("?"), "must have items of one byte .*, not of format '\\?'"),
        (memoryview(b"123456").cast("B", (2, 3)), "must have one dimension, not 2"),
        (memoryview(b"12345678")[::2], "must have its bytes side by side"),
        (memoryview(b"12345678")[::-1], "must have its bytes side by side"),
    ]
    try:
        import numpy as np
    except ImportError:
        return wrong
    return [
        *wrong,
        (np.arange(3), "must have items of one byte"),
        (np.zeros(3, bool), "must have items of one byte"),
        (np.uint8(5), "must have one dimension, not 0"),
        (np.zeros((2, 3), np.uint8), "must have one dimension, not 2"),
        (np.arange(6, dtype=np.uint8)[::2], "must have its bytes side by side"),
        (np.array([b"m", None], dtype=object), "must have items of one byte"),
        (np.array([b"ab"]), "must have items"),
    ]


@pytest.mark.parametrize(("wrong", "said"), not_bytes(), ids=lambda value: type(value).__name__)
def test_what_is_no_bytes_is_no_forgery(batch: dict[str, Any], wrong: Any, said: str) -> None:
    """A program's mistake is an error that names the column and the row."""
    key, public, message, signature = (
        batch[name][0] for name in ("keys", "public", "messages", "signatures")
    )
    verifier, receiver = (
        DSA.VerifyingKey(public),
        girih.ml_kem_512.DecapsulationKey.from_seed(bytes(64)),
    )
    calls: list[tuple[str, Callable[[], object]]] = [
        ("message", lambda: verifier.verify(wrong, signature)),
        ("signature", lambda: verifier.verify(message, wrong)),
        ("context", lambda: verifier.verify(message, signature, context=wrong)),
        ("message", lambda: key.sign(wrong)),
        ("context", lambda: key.sign(b"", context=wrong)),
        ("mu", lambda: key.sign_mu(wrong)),
        ("piece", lambda: DSA.Message(verifier).update(wrong)),
        ("public_key", lambda: DSA.VerifyingKey(wrong)),
        ("public_key", lambda: DSA.PreparedVerifyingKey(wrong)),
        ("secret_key", lambda: DSA.SigningKey.from_bytes(wrong)),
        ("seed", lambda: DSA.SigningKey.from_seed(wrong)),
        ("ciphertext", lambda: receiver.decapsulate(wrong)),
        ("file", lambda: girih.key_files.read(wrong)),
        ("passphrase", lambda: girih.key_files.read(b"", passphrase=wrong)),
        (
            "row 1 of public_keys",
            lambda: DSA.verify_many([public, wrong], [message] * 2, [signature] * 2),
        ),
        ("row 1 of messages", lambda: DSA.check_many(public, [message, wrong], [signature] * 2)),
        ("row 1 of signatures", lambda: DSA.verify_many(public, [message] * 2, (signature, wrong))),
        (
            "row 1 of contexts",
            lambda: DSA.verify_many(public, [message] * 2, [signature] * 2, contexts=[b"", wrong]),
        ),
        ("row 0 of keys", lambda: DSA.sign_many([wrong], [message])),
        ("row 0 of seeds", lambda: DSA.keygen_many([wrong])),
        ("row 0 of ciphertexts", lambda: girih.ml_kem_512.decapsulate_many(receiver, [wrong])),
    ]
    for name, call in calls:
        with pytest.raises(TypeError, match=f"^{name} {said}"):
            call()


def test_none_is_no_bytes(batch: dict[str, Any]) -> None:
    public: Any = batch["keys"][0].verifying_key()
    for name, arguments in (("message", (None, b"")), ("signature", (b"", None))):
        with pytest.raises(TypeError, match=f"{name} must be bytes-like, not NoneType"):
            public.verify(*arguments)
    for name, arguments in (
        ("public_keys", (None, [b""], [b""])),
        ("messages", (public, None, [b""])),
        ("signatures", (public, [b""], None)),
    ):
        with pytest.raises(TypeError, match=f"{name} must be a column .*, not NoneType"):
            DSA.verify_many(*arguments)
    with pytest.raises(TypeError, match="public_key must be bytes-like, not NoneType"):
        DSA.VerifyingKey(None)


def test_rows_of_an_array_of_objects(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    public, signatures = (
        batch["public"][0],
        np.array([batch["signatures"][0]] * 3 + [None], dtype=object),
    )
    messages = np.array([batch["messages"][0], b"m", None, b""], dtype=object)
    assert DSA.verify_many(public, messages, signatures).tolist() == [True, False, None, None]
    messages[3] = "text"
    with pytest.raises(TypeError, match="row 3 of messages must be bytes-like, not str"):
        DSA.verify_many(public, messages, signatures)
    for wrong in ({b"m"}, frozenset([b"m"])):
        with pytest.raises(TypeError, match="messages must be a column .*, which has no order"):
            DSA.verify_many(public, wrong, signatures[:1])
        with pytest.raises(TypeError, match="public_keys must be a column .*, which has no order"):
            DSA.verify_many(wrong, [b"m"], signatures[:1])
    gone = memoryview(b"m")
    gone.release()
    with pytest.raises(ValueError, match="row 0 of messages cannot be read"):
        DSA.verify_many(public, [gone], signatures[:1])


@pytest.mark.parametrize(
    ("column", "public"),
    [
        *(
            (column, public)
            for column in ("one", "list", "numpy", "broadcast")
            for public in (True, False)
        ),
        ("key", False),
    ],
)
def test_a_batch_has_the_keys_that_it_was_called_with(column: str, public: bool) -> None:
    """Every window has the same key, even if its buffer is written or wiped meanwhile."""
    kem: Any = girih.ml_kem_512
    old, new = kem.DecapsulationKey.from_seed(bytes(64)), kem.DecapsulationKey.generate()
    receiver = old if public else kem.DecapsulationKey.from_seed(bytes(64))
    ciphertext, secret = old.encapsulation_key().encapsulate()
    rows, before, after = (
        16384 + 2,
        *((bytes(key.encapsulation_key()) if public else bytes(key.bytes()) for key in (old, new))),
    )
    buffer = bytearray(before)
    keys: Any = {"one": buffer, "list": [buffer] * rows, "key": old}.get(column)
    if column in ("numpy", "broadcast"):
        np = pytest.importorskip("numpy")
        keys = np.broadcast_to(np.frombuffer(buffer, np.uint8), (rows, len(buffer)))
        keys = keys.copy() if column == "numpy" else keys

    def write(done: int, total: int) -> None:
        if column == "key":
            old.wipe()
        elif column == "numpy":
            keys[:] = np.frombuffer(after, np.uint8)
        else:
            buffer[:] = after

    if public:
        ciphertexts, secrets = kem.encapsulate_many(
            keys, count=rows, progress=write, columns="list"
        )
        for row in (0, 16383, 16384, rows - 1):
            assert receiver.decapsulate(ciphertexts[row]) == secrets[row]
    else:
        secrets = kem.decapsulate_many(keys, [ciphertext] * rows, progress=write)
        assert all(secret == bytes(row) for row in secrets)
