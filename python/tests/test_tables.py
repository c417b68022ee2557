"""Tables of pyarrow and frames of other libraries are signed and verified."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import pytest
from conftest import DSA, ROWS

import girih
from girih import arrow


def test_arrow_tables(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")

    table = pa.table(
        {
            "id": range(ROWS),
            "public_key": batch["public"],
            "message": batch["messages"],
            "signature": batch["signatures"],
        }
    )
    made = arrow.verify(table, algorithm="ML-DSA-44", keep=["id"], error="error")
    assert made.column_names == ["id", "verdict", "error"]
    assert made["verdict"].to_pylist() == batch["verdicts"]
    verify = pickle.loads(pickle.dumps(arrow.verify_batches(algorithm=DSA.name)))
    batches = list(verify(table.to_batches(max_chunksize=64)))
    assert [verdict for part in batches for verdict in part.column("verdict").to_pylist()] == batch[
        "verdicts"
    ]
    with pytest.raises(KeyError, match="no column 'signatur'"):
        arrow.verify(table, algorithm="ML-DSA-44", signature="signatur")
    with pytest.raises(TypeError, match="unexpected keyword argument 'messages'"):
        arrow.verify_batches(algorithm=DSA.name, messages="m")
    with pytest.raises(KeyError, match="ML-DSA-45"):
        arrow.verify_batches(algorithm="ML-DSA-45")
    with pytest.raises(ValueError, match="there is a column 'verdict' already"):
        arrow.verify(
            made.append_column("public_key", table["public_key"])
            .append_column("message", table["message"])
            .append_column("signature", table["signature"]),
            algorithm=DSA,
        )
    with pytest.raises(TypeError, match="keep must be a sequence of names, not str"):
        arrow.verify(table, algorithm=DSA, keep="id")
    for wrong, said in (
        (girih.ml_kem_512, "ML-KEM-512 is no signature"),
        (DSA.SigningKey, "one of girih's"),
        (5, "one of"),
    ):
        with pytest.raises(TypeError, match=f"algorithm.* {said}"):
            arrow.verify(table, algorithm=wrong)  # type: ignore[arg-type]


def test_one_key_and_context_of_a_table(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")

    key = batch["keys"][0]
    table = pa.table({"m": [b"a", None], "text": ["a", "b"], "number": [1, 2]})
    signed = arrow.sign(table, algorithm=DSA, key=key, message="m", context=b"c")
    for public in (key.verifying_key(), DSA.PreparedVerifyingKey(key.verifying_key())):
        for context, good in ((b"c", True), (b"d", False), (None, False)):
            made = arrow.verify(signed, algorithm=DSA, key=public, message="m", context=context)
            assert made["verdict"].to_pylist() == [good, None]
    with pytest.raises(girih.InputException, match="^contexts: 256 bytes, 255 at most"):
        arrow.sign(table, algorithm=DSA, key=key, message="m", context=bytes(256))
    with pytest.raises(
        TypeError,
        match="public_keys: ml_dsa_44.SigningKey is no public key .* use its verifying_key",
    ):
        arrow.verify(signed, algorithm=DSA, key=key, message="m")
    for column, kind in (("text", "strings"), ("number", "int64")):
        with pytest.raises(
            TypeError,
            match=f"messages .column '{column}'. must be an Arrow column .*, not of {kind}",
        ):
            arrow.sign(table, algorithm=DSA, key=key, message=column)
        with pytest.raises(
            TypeError,
            match=f"public_keys .column '{column}'. must be an Arrow column .*, not of {kind}",
        ):
            arrow.verify(signed, algorithm=DSA, key=column, message="m")


@pytest.mark.parametrize("of", ["arrow", "polars", "pandas"])
def test_an_algorithm_that_no_key_of_a_table_has_is_refused(batch: dict[str, Any], of: str) -> None:
    pa = pytest.importorskip("pyarrow")
    made_of = {"arrow": lambda table: table, "polars": frame_of_polars, "pandas": frame_of_pandas}
    others = girih.ml_dsa_65.keygen_many(count=4)[0]

    def table(public: list[Any]) -> Any:
        rows = {"public_key": public, "message": [b"m"] * 5, "signature": [b"s"] * 5}
        return made_of[of](pa.table(rows))

    wrong = table([None, *others])
    with pytest.raises(girih.InputException) as caught:
        arrow.verify(wrong, algorithm=DSA)
    assert caught.value.error is girih.Error.PUBLIC_KEY_LENGTH
    assert str(caught.value) == (
        "public_keys (column 'public_key'): no key has ML-DSA-44's 1312 bytes, "
        "row 1 has 1952 (ML-DSA-65, Dilithium3)"
    )
    with pytest.raises(girih.InputException, match="1312 bytes, row 0 has 3$"):
        arrow.verify(table([b"key"] * 5), algorithm=DSA)
    error = girih.Error.PUBLIC_KEY_LENGTH
    made = pa.table(arrow.verify(wrong, algorithm=DSA, error="error", keep=[]))
    assert made["error"].to_pylist() == [None, *[error] * 4]
    mixed = table([batch["public"][0], *others])  # one key of the algorithm: the others are rows
    made = pa.table(arrow.verify(mixed, algorithm=DSA, keep=[]))
    assert made["verdict"].to_pylist() == [False] * 5
    for nothing in (wrong[:0], table([None] * 5)):
        made = pa.table(arrow.verify(nothing, algorithm=DSA, keep=[]))
        assert made["verdict"].null_count == len(made)


def test_signed_tables(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")

    key = batch["keys"][0]
    secret = [bytes(row.bytes()) for row in batch["keys"][:5]]
    table = pa.table(
        {
            "id": range(5),
            "message": [b"a", None, b"c", b"d", b"e"],
            "context": [b"x", b"x", b"", None, b"y"],
            "secret": [*secret[:4], None],
        }
    )
    made = arrow.sign(
        table, algorithm="ML-DSA-44", key=key, keep=["id", "message"], deterministic=True
    )
    assert made.column_names == ["id", "message", "signature"] and made[
        "signature"
    ].type == pa.binary(2420)
    assert made["signature"].to_pylist() == DSA.sign_many(
        key, table["message"].to_pylist(), deterministic=True
    )
    made = arrow.sign(table, algorithm=DSA, key="secret", context="context")
    assert [row is None for row in made["signature"].to_pylist()] == [
        False,
        True,
        False,
        True,
        True,
    ]
    public = pa.array([row.verifying_key().bytes() for row in batch["keys"][:5]])
    verified = arrow.verify(
        made.append_column("public_key", public), algorithm=DSA, context="context", keep=[]
    )
    assert verified["verdict"].to_pylist() == [True, None, True, None, None]
    sign = pickle.loads(
        pickle.dumps(arrow.sign_batches(algorithm=DSA.name, key="secret", keep=["id"]))
    )
    parts = list(sign(table.to_batches(max_chunksize=2)))
    assert (
        all(isinstance(part, pa.RecordBatch) for part in parts)
        and sum(part.num_rows for part in parts) == 5
    )
    falcon = girih.falcon_512.SigningKey.from_seed(bytes(48))
    column = arrow.sign(table, algorithm="Falcon-512", key=falcon)["signature"]
    assert column.type == pa.large_binary() and column.null_count == 1
    assert falcon.verifying_key().verify(b"a", column[0].as_py()) and falcon.verifying_key().verify(
        b"e", column[4].as_py()
    )


def test_tables_that_cannot_be_signed(batch: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")

    table = pa.table(
        {"message": [b"a", b"b"], "secret": [bytes(batch["keys"][0].bytes()), b"short"]}
    )
    with pytest.raises(girih.BatchException, match="1 rows failed, row 1 first") as caught:
        arrow.sign(table, algorithm=DSA, key="secret", keep=[])
    assert [row is None for row in caught.value.column["signature"].to_pylist()] == [False, True]
    made = arrow.sign(table, algorithm=DSA, key="secret", keep=[], error="error")
    assert made["error"].to_pylist() == [girih.Error.NONE, girih.Error.SECRET_KEY_LENGTH]
    with pytest.raises(KeyError, match="no column 'key'"):
        arrow.sign(table, algorithm=DSA, key="key")
    with pytest.raises(ValueError, match="there is a column 'secret' already"):
        arrow.sign(table, algorithm=DSA, key="secret", signature="secret")
    for wrong in (batch["keys"][0].verifying_key(), girih.ml_dsa_65.SigningKey.generate()):
        with pytest.raises(TypeError, match="is no secret key of ML-DSA-44"):
            arrow.sign(table, algorithm=DSA, key=wrong)
    with pytest.raises(TypeError, match="is no signature algorithm"):
        arrow.sign(table, algorithm="ML-KEM-512", key=batch["keys"][0])
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(arrow.sign_batches(algorithm=DSA, key=batch["keys"][0]))


def test_a_frame_of_polars_needs_no_pyarrow(
    batch: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pl = pytest.importorskip("polars")

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    halves = [
        pl.DataFrame(
            {
                "id": list(range(ROWS))[half],
                "public_key": batch["public"][half],
                "message": batch["messages"][half],
                "signature": batch["signatures"][half],
            }
        )
        for half in (slice(0, 100), slice(100, ROWS))
    ]
    frame = pl.concat(halves, rechunk=False)
    assert frame.n_chunks() == 2
    made = arrow.verify(frame, algorithm=DSA, keep=["id"], error="error")
    assert isinstance(made, pl.DataFrame) and made.columns == ["id", "verdict", "error"]
    assert made["verdict"].to_list() == batch["verdicts"] and made["error"][6:10].to_list() == [
        0,
        -7,
        -7,
        None,
    ]
    for key, public in (
        (batch["keys"][0], batch["public"][0]),
        (girih.falcon_512.SigningKey.generate(), None),
    ):
        alg: Any = girih.algorithm(key._algorithm.name)
        signed = arrow.sign(frame, algorithm=alg, key=key, keep=["message"], signature="new")
        assert signed["new"].null_count() == 0
        assert all(
            alg.verify_many(
                public or key.verifying_key(), signed["message"].to_list(), signed["new"].to_list()
            )
        )
    column = DSA.verify_many(frame["public_key"], frame["message"], frame["signature"])
    assert isinstance(column, pl.Series) and column.to_list() == batch["verdicts"]
    column = DSA.check_many(frame["public_key"], frame["message"], frame["signature"])
    assert isinstance(column, pl.Series) and column[7] == girih.Error.SIGNATURE
    for alg in (DSA, girih.falcon_512):
        public, secret = alg.keygen_many(count=2, columns="polars")
        signed = alg.sign_many(secret, pl.Series([b"a", None]))
        assert isinstance(signed, pl.Series) and alg.verify_many(
            public, [b"a", b"b"], signed
        ).to_list() == [True, None]
    with pytest.raises(
        TypeError,
        match="messages .column 'message'. must be an Arrow column of binary, .*, not of strings",
    ):
        arrow.verify(frame.with_columns(message=pl.lit("text")), algorithm=DSA)


def test_arrow_without_pyarrow_and_polars(
    batch: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow")
    columns = [
        Frame(pa.chunked_array([batch[name]])) for name in ("public", "messages", "signatures")
    ]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyarrow", None)
        made = DSA.verify_many(*columns)
    assert (
        not isinstance(made, pa.Array)
        and len(made) == ROWS
        and pa.array(made).to_pylist() == batch["verdicts"]
    )


def test_a_table_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pytest.importorskip("pyarrow").chunked_array([[b"a"]])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ModuleNotFoundError, match="the package pyarrow: pip install 'girih.arrow.'"
    ):
        arrow.verify(Frame(column), algorithm=DSA)


class Frame:
    """Another library's table, which exports Arrow's C stream."""

    def __init__(self, table: Any) -> None:
        self.__arrow_c_stream__ = table.__arrow_c_stream__


def frame_of_polars(table: Any) -> Any:
    return pytest.importorskip("polars").from_arrow(table)


def frame_of_pandas(table: Any) -> Any:
    pytest.importorskip("pandas", "2.2")
    return table.to_pandas()


@pytest.mark.parametrize("make", [Frame, frame_of_polars, frame_of_pandas])
def test_tables_of_others(batch: dict[str, Any], make: Any) -> None:
    pa = pytest.importorskip("pyarrow")

    columns = {
        "public_key": batch["public"],
        "message": batch["messages"],
        "signature": batch["signatures"],
    }
    made = arrow.verify(make(pa.table(columns)), algorithm=DSA, keep=[])
    assert isinstance(made, pa.Table) is (make is Frame)
    assert pa.table(made)["verdict"].to_pylist() == batch["verdicts"]
    columns["message"] = [message.decode() for message in batch["messages"]]
    with pytest.raises(
        TypeError,
        match="messages .column 'message'. must be an Arrow column of binary, .*, not of strings",
    ):
        arrow.verify(make(pa.table(columns)), algorithm=DSA)
    for wrong in (columns, None, [columns]):
        with pytest.raises(
            TypeError, match=f"table must be pyarrow's .*, not {type(wrong).__name__}"
        ):
            arrow.verify(wrong, algorithm=DSA)


@pytest.mark.parametrize("make", [frame_of_polars, frame_of_pandas])
def test_series(batch: dict[str, Any], make: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    good = [row for row in range(ROWS) if row not in (7, 8, 9)]
    frame = make(
        pa.table(
            {
                name: [batch[name][row] for row in good]
                for name in ("public", "messages", "signatures")
            }
        )
    )
    assert all(DSA.verify_many(frame["public"], frame["messages"], frame["signatures"]))
    with pytest.raises(TypeError, match="messages"):
        DSA.verify_many(
            frame["public"], make(pa.table({"m": ["a"] * len(good)}))["m"], frame["signatures"]
        )


def test_series_of_pandas_keep_their_index(batch: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas", "2.2")
    index = pd.Index(range(ROWS, 0, -1))
    messages = pd.Series(batch["messages"], index)
    for made, rows in (
        (DSA.verify_many(batch["public"], messages, batch["signatures"]), batch["verdicts"]),
        (
            DSA.check_many(
                pd.Series(batch["public"], index), *map(list, [messages, batch["signatures"]])
            ),
            DSA.check_many(batch["public"], batch["messages"], batch["signatures"]),
        ),
        (
            DSA.sign_many(batch["keys"], messages, deterministic=True),
            DSA.sign_many(batch["keys"], batch["messages"], deterministic=True),
        ),
    ):
        assert isinstance(made, pd.Series) and made.index.equals(index)
        assert [None if row is pd.NA else row for row in made] == rows
    falcon = girih.falcon_512.SigningKey.generate()
    signed = girih.falcon_512.sign_many(falcon, messages[:3])
    assert signed.index.equals(index[:3]) and falcon.verifying_key().verify(
        b"00001", signed[ROWS - 1]
    )
    public, secret = girih.ml_kem_512.keygen_many(count=2, columns="pandas")
    ciphertexts, secrets = girih.ml_kem_512.encapsulate_many(public[::-1])
    assert list(ciphertexts.index) == [1, 0] and ciphertexts.dtype == object
    assert girih.ml_kem_512.decapsulate_many(secret[::-1], ciphertexts).equals(secrets)


def test_frames_of_pandas_keep_their_index(batch: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas", "2.2")
    index = pd.Index(range(ROWS, 0, -1), name="id")
    frame = pd.DataFrame(
        {
            "public_key": pd.Categorical(batch["public"]),
            "message": batch["messages"],
            "signature": batch["signatures"],
            4: [object()] * ROWS,  # which Arrow cannot hold
        },
        index,
    )
    made = arrow.verify(frame, algorithm=DSA, error="error")
    assert list(made.columns) == [*frame.columns, "verdict", "error"] and len(frame.columns) == 4
    assert made.index.equals(index) and made.loc[ROWS - 8, "error"] == girih.Error.SIGNATURE
    assert [None if row is pd.NA else row for row in made["verdict"]] == batch["verdicts"]
    assert arrow.verify(made, algorithm=DSA, keep=[]).equals(made[["verdict"]])
    signed = arrow.sign(frame, algorithm=DSA, key=batch["keys"][0], keep=["message"], signature="s")
    assert signed.index.equals(index) and list(signed.columns) == ["message", "s"]
    public = batch["keys"][0].verifying_key()
    assert all(DSA.verify_many(public, list(signed["message"]), list(signed["s"])))
    with pytest.raises(KeyError, match="no column 'm'; there are public_key, .*, 4"):
        arrow.verify(frame, algorithm=DSA, message="m")
    with pytest.raises(KeyError, match="several columns 'message'"):
        arrow.verify(pd.concat([frame, frame[["message"]]], axis=1), algorithm=DSA)
    frame["message"] = [1, *batch["messages"][1:]]
    with pytest.raises(TypeError, match="column 'message' cannot be read: Could not convert"):
        arrow.verify(frame, algorithm=DSA)
