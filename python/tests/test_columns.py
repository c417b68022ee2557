"""Columns: every kind in, the same kind out, nulls stay null."""

from __future__ import annotations

import array
import collections
import sys
from typing import Any

import pytest
from conftest import KEMS, SIGNATURES

import girih

DSA: Any = girih.ml_dsa_44
ROWS = 300


@pytest.fixture(scope="module")
def batch() -> dict[str, Any]:
    """Rows under five keys, of which row 7 is changed, row 8 cut short and row 9 null."""
    keys = [DSA.SigningKey.from_seed(bytes([key]) * 32) for key in range(5)]
    rows = [keys[row * row % 5] for row in range(ROWS)]
    messages = [b"%05d" % row for row in range(ROWS)]
    signatures: list[bytes | None] = DSA.sign_many(rows, messages, threads=2)
    signatures[7:10] = [signatures[8], signatures[8][:-1], None]  # type: ignore[index]
    return {"keys": rows, "public": [bytes(key.verifying_key()) for key in rows], "messages": messages,
            "signatures": signatures, "verdicts": [None if row == 9 else row not in (7, 8) for row in range(ROWS)]}


def test_lists(batch: dict[str, Any]) -> None:
    for public in (batch["public"], [key.verifying_key() for key in batch["keys"]],
                   [DSA.PreparedVerifyingKey(key.verifying_key()) for key in batch["keys"]]):
        assert DSA.verify_many(public, batch["messages"], batch["signatures"], threads=2) == batch["verdicts"]
    errors = DSA.check_many(batch["public"], batch["messages"], batch["signatures"])
    assert errors[6:10] == [girih.Error.NONE, girih.Error.SIGNATURE, girih.Error.SIGNATURE, None]
    short = [key if row else key[1:] for row, key in enumerate(batch["public"])]
    assert DSA.check_many(short, batch["messages"], batch["signatures"])[0] is girih.Error.LENGTH
    other: Any = girih.ml_dsa_65.PreparedVerifyingKey(girih.ml_dsa_65.SigningKey.generate().verifying_key())
    assert DSA.check_many([other] + batch["public"][1:], batch["messages"],
                          batch["signatures"])[:2] == [girih.Error.ARGUMENT, girih.Error.NONE]


def test_numpy(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    good = [row for row in range(ROWS) if batch["verdicts"][row]]

    def rows(column: str) -> Any:
        return np.frombuffer(b"".join(batch[column][row] for row in good), np.uint8).reshape(len(good), -1)

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


def test_arrow(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")
    public, messages = pa.array(batch["public"]), pa.array(batch["messages"])
    signatures = pa.array(batch["signatures"])
    for keys in (public, public.cast(pa.large_binary()), public.cast(pa.binary(1312)), public.dictionary_encode(),
                 pa.chunked_array([public[:100].dictionary_encode(), public[100:].dictionary_encode()])):
        for column in (signatures, signatures.cast(pa.large_binary()), pa.chunked_array([signatures[:9], signatures[9:]]),
                       signatures.cast(pa.binary_view())):
            verdicts = DSA.verify_many(keys, messages, column, threads=2)
            assert verdicts.type == pa.bool_() and verdicts.to_pylist() == batch["verdicts"]
            part = DSA.verify_many(keys[5:12], messages[5:12], column[5:12])  # an offset
            assert part.to_pylist() == batch["verdicts"][5:12]
    null_keys = pa.array([None if row == 3 else key for row, key in enumerate(batch["public"])]).dictionary_encode()
    assert DSA.verify_many(null_keys, messages, signatures).to_pylist()[3] is None
    assert DSA.verify_many(public, messages, pa.nulls(ROWS)).null_count == ROWS
    with pytest.raises(TypeError, match="messages must be an Arrow column of binary"):
        DSA.verify_many(public, pa.array(range(ROWS)), signatures)
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
            column(pa.binary_view(), int32(20, 0, 0, 1, 20, 0, 7, 0), b"x" * 20)):
        assert DSA.check_many(public, messages, signatures).to_pylist() == [girih.Error.LENGTH] * 2

    class Once:
        """What gives the same capsule every time."""

        def __init__(self) -> None:
            self.capsule = pa.chunked_array([[b"message"]]).__arrow_c_stream__()

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    with pytest.raises(girih.InputException, match="used up"):
        once = Once()
        DSA.verify_many(public, once, once)


def test_arrow_tables(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")
    import pickle

    import girih.arrow as arrow

    table = pa.table({"id": range(ROWS), "public_key": batch["public"], "message": batch["messages"],
                      "signature": batch["signatures"]})
    made = arrow.verify(table, algorithm="ML-DSA-44", keep=["id"], error="error")
    assert made.column_names == ["id", "verdict", "error"]
    assert made["verdict"].to_pylist() == batch["verdicts"]
    verify = pickle.loads(pickle.dumps(arrow.verify_batches(algorithm=DSA.name)))
    batches = list(verify(table.to_batches(max_chunksize=64)))
    assert [verdict for part in batches for verdict in part.column("verdict").to_pylist()] == batch["verdicts"]
    with pytest.raises(KeyError, match="no column 'signatur'"):
        arrow.verify(table, algorithm="ML-DSA-44", signature="signatur")


def test_contexts(batch: dict[str, Any]) -> None:
    key = batch["keys"][0]
    contexts = [b"", b"c", None, b"c" * 256, b"d"]
    signed = DSA.sign_many(key, [b"message"] * 5, contexts=contexts, on_error="null")
    assert [row is None for row in signed] == [False, False, True, True, False]
    public = key.verifying_key()
    assert public.verify(b"message", signed[1], context=b"c")
    filled = [row or b"" for row in signed]
    assert DSA.verify_many(public, [b"message"] * 5, filled, contexts=contexts) == [True, True, None, False, True]
    assert DSA.verify_many(public, [b"message"] * 5, filled, contexts=b"d") == [False] * 4 + [True]
    assert DSA.check_many(public, [b"message"] * 5, filled, contexts=contexts)[3] is girih.Error.CONTEXT


def test_failures_are_told_and_lose_nothing(batch: dict[str, Any]) -> None:
    keys = [batch["keys"][0], b"no key", None, batch["keys"][1]]
    with pytest.raises(girih.BatchException, match="1 rows failed, row 1 first") as caught:
        DSA.sign_many(keys, [b"message"] * 4)
    assert caught.value.errors == [(1, girih.Error.LENGTH)]
    assert [row is None for row in caught.value.column] == [False, True, True, False]
    with pytest.raises(girih.BatchException) as caught:
        DSA.sign_many(batch["keys"][0], [b"message"] * 4, random=lambda count: 1 // 0)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and len(caught.value.errors) == 4
    for wrong in ("a column", 5, b"bytes", batch["keys"][0]):
        with pytest.raises(TypeError):
            DSA.sign_many(batch["keys"][0], wrong)


def test_what_cannot_be_is_refused_before_any_work(batch: dict[str, Any]) -> None:
    def draw(count: int) -> bytes:
        raise AssertionError("it has begun to work")

    key, messages = batch["keys"][0], [b"message"]
    with pytest.raises(ValueError, match="on_error: 'ignore' is neither"):
        DSA.sign_many(key, messages, random=draw, on_error="ignore")
    with pytest.raises(ValueError, match="columns: 'pandas' is none of"):
        DSA.keygen_many(count=1, random=draw, columns="pandas")
    for module, columns in (("numpy", "numpy"), ("pyarrow", "arrow")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ModuleNotFoundError):
                DSA.keygen_many(count=1, random=draw, columns=columns)
    for wrong in (key, girih.dilithium2.SigningKey.generate().verifying_key()):
        with pytest.raises(TypeError, match="is no public key of ML-DSA-44"):
            DSA.verify_many(wrong, messages, messages)
        assert DSA.check_many([wrong], messages, messages) == [girih.Error.ARGUMENT]
    for wrong in (key.verifying_key(), girih.dilithium2.SigningKey.generate()):
        with pytest.raises(TypeError, match="is no secret key of ML-DSA-44"):
            DSA.sign_many(wrong, messages)
        assert DSA.sign_many([wrong], messages, on_error="null") == [None]


def test_progress(batch: dict[str, Any]) -> None:
    calls: list[tuple[int, int]] = []
    rows = 40_000
    DSA.verify_many(batch["public"][0], [b"m"] * rows, [b"s"] * rows, progress=lambda *call: calls.append(call))
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
    messages = np.ma.masked_array(np.arange(12, dtype=np.uint8).reshape(4, 3), np.zeros((4, 3), bool))
    messages[1] = np.ma.masked
    messages.mask[2, 1] = True
    signatures = DSA.sign_many(key, messages)
    assert [bool(row.all()) for row in np.ma.getmaskarray(signatures)] == [False, True, True, False]
    verdicts = DSA.verify_many(key.verifying_key(), messages, signatures)
    assert verdicts.tolist() == [True, None, None, True]
    # A key that was not made signs nothing, in a column or by itself.
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
    for rows in (collections.deque(keys), dict(enumerate(keys)).values(), iter(keys), np.array(keys, dtype=object)):
        verdicts = DSA.verify_many(rows, *arguments)
        assert [None if row == 9 else bool(verdict) for row, verdict in enumerate(verdicts)] == batch["verdicts"]


def test_an_array_of_strings_is_not_one_string(batch: dict[str, Any]) -> None:
    np = pytest.importorskip("numpy")
    key = batch["keys"][0]
    for contexts in (np.array([b"aaaa", b"bbbb"]), array.array("i", [1, 2])):
        with pytest.raises(TypeError, match="must be a column"):
            DSA.sign_many(key, [b"m", b"m"], contexts=contexts)
    assert len(DSA.sign_many(key, [b"m", b"m"], contexts=bytearray(b"one"))) == 2


def test_what_ends_a_program_does() -> None:
    def interrupt(size: int) -> bytes:
        raise KeyboardInterrupt

    key = DSA.SigningKey.generate()
    with pytest.raises(KeyboardInterrupt):
        key.sign(b"m", random=interrupt)
    with pytest.raises(KeyboardInterrupt):
        DSA.keygen_many(count=2, random=interrupt, on_error="null")
