"""Envelopes, and keys as JWK and COSE_Key: round trips, refusals, other libraries both ways."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

import girih
from girih import envelopes, key_files

NAMES = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]
FORMATS: list[envelopes.Format] = ["jws", "jws-json", "cose"]
SEED = bytes(range(32))
KEY = girih.ml_dsa_44.SigningKey.from_seed(SEED)
PUBLIC = KEY.verifying_key()
PAYLOAD = b"a payload"
CHECKPOINT = b"log\n1\n" + b"A" * 43 + b"=\n"


def key_of(name: str) -> Any:
    alg: Any = girih.algorithm(name)
    return alg.SigningKey.from_seed(SEED)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_signed_verifies(name: str, format: envelopes.Format) -> None:
    key = key_of(name)
    public = key.verifying_key()
    made = envelopes.sign(key, PAYLOAD, format=format, kid=b"k")
    assert envelopes.verify(public, made, format=format) == PAYLOAD
    assert envelopes.verify(public, made, format=format, kid=b"k") == PAYLOAD
    detached = envelopes.sign(key, PAYLOAD, format=format, detached=True, deterministic=True)
    assert detached == envelopes.sign(
        key, PAYLOAD, format=format, detached=True, deterministic=True
    )
    assert envelopes.verify(public, detached, format=format, payload=PAYLOAD) == PAYLOAD
    with pytest.raises(girih.SignatureException, match="envelope: the signature does not verify"):
        envelopes.verify(public, detached, format=format, payload=b"another")
    with pytest.raises(girih.SignatureException, match='kid is "k", not "l"'):
        envelopes.verify(public, made, format=format, kid=b"l")
    with pytest.raises(
        girih.SignatureException, match="alg is ML-DSA-.., but the key is ML-DSA-.."
    ):
        envelopes.verify(key_of(NAMES[NAMES.index(name) - 1]).verifying_key(), made, format=format)
    with pytest.raises(girih.InputException, match="payload: the envelope is detached"):
        envelopes.verify(public, detached, format=format)
    with pytest.raises(girih.InputException, match="payload: it is inside"):
        envelopes.verify(public, made, format=format, payload=PAYLOAD)
    with pytest.raises(girih.KeyFileException):
        envelopes.verify(public, made[:-1] if format == "cose" else made + b"}", format=format)


def test_external_data_is_signed() -> None:
    made = envelopes.sign(KEY, PAYLOAD, format="cose", external_aad=b"aad")
    assert envelopes.verify(PUBLIC, made, format="cose", external_aad=b"aad") == PAYLOAD
    with pytest.raises(girih.SignatureException):
        envelopes.verify(PUBLIC, made, format="cose")
    with pytest.raises(girih.KeyFileException, match="external_aad: only COSE_Sign1 has it"):
        envelopes.sign(KEY, PAYLOAD, format="jws", external_aad=b"aad")
    with pytest.raises(girih.KeyFileException, match="external_aad: only COSE_Sign1 has it"):
        envelopes.verify(
            PUBLIC, envelopes.sign(KEY, PAYLOAD, format="jws"), format="jws", external_aad=b"aad"
        )


@pytest.mark.parametrize("format", FORMATS[:2])
def test_a_jws_has_the_type_that_is_demanded(format: envelopes.Format) -> None:
    made = envelopes.sign(KEY, PAYLOAD, format=format, typ="JWT")
    protected = made.split(b".")[0] if format == "jws" else json.loads(made)["protected"].encode()
    assert json.loads(base64.urlsafe_b64decode(protected + b"=="))["typ"] == "JWT"
    for same in ("JWT", "jwt", "application/jwt", "Application/JWT", None):
        assert envelopes.verify(PUBLIC, made, format=format, typ=same) == PAYLOAD
    for other in ("at+jwt", "JWS", "JW", "text/jwt", "application/", ""):
        with pytest.raises(
            girih.SignatureException, match=f'typ is "JWT", not "{re.escape(other)}"'
        ):
            envelopes.verify(PUBLIC, made, format=format, typ=other)
    longer = envelopes.sign(KEY, PAYLOAD, format=format, typ="application/at+JWT")
    assert envelopes.verify(PUBLIC, longer, format=format, typ="at+jwt") == PAYLOAD
    with pytest.raises(girih.SignatureException, match='typ is missing, not "JWT"'):
        envelopes.verify(
            PUBLIC, envelopes.sign(KEY, PAYLOAD, format=format), format=format, typ="JWT"
        )


def test_a_type_is_text_and_of_a_jws() -> None:
    for wrong in ("", "a\n", "\0"):
        with pytest.raises(girih.KeyFileException, match="typ: a media type is text"):
            envelopes.sign(KEY, PAYLOAD, format="jws", typ=wrong)
    note = envelopes.sign(KEY, CHECKPOINT, format="note", kid=b"a")
    cose = envelopes.sign(KEY, PAYLOAD, format="cose")
    for payload, made, format in ((CHECKPOINT, note, "note"), (PAYLOAD, cose, "cose")):
        with pytest.raises(girih.KeyFileException, match="typ: only a JWS has it"):
            envelopes.sign(KEY, payload, format=format, kid=b"a", typ="JWT")  # type: ignore[arg-type]
        with pytest.raises(girih.KeyFileException, match="typ: only a JWS has it"):
            envelopes.verify(PUBLIC, made, format=format, typ="JWT")  # type: ignore[arg-type]
    for call in (
        lambda: envelopes.sign(KEY, PAYLOAD, format="jws", typ=b"JWT"),  # type: ignore[arg-type]
        lambda: envelopes.verify(PUBLIC, b"", format="jws", typ=b"JWT"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="typ must be text, not bytes"):
            call()
    header = base64.urlsafe_b64encode(b'{"alg":"ML-DSA-44","typ":5}').rstrip(b"=")
    with pytest.raises(girih.KeyFileException, match="typ"):
        envelopes.verify(PUBLIC, header + b"." + b"YQ.YQ", format="jws")


def test_notes_gather_signatures() -> None:
    made = envelopes.sign(KEY, CHECKPOINT, format="note", kid=b"a")
    both = envelopes.sign(KEY, made, format="note", kid=b"b", time=0x123456789A)
    assert base64.b64decode(both.split()[-1])[4:12] == bytes.fromhex("000000123456789a")
    assert envelopes.verify(PUBLIC, both, format="note", kid=b"a") == CHECKPOINT
    assert envelopes.verify(PUBLIC, both, format="note", kid=b"b") == CHECKPOINT
    with pytest.raises(girih.SignatureException, match='the note has no signature by "b"'):
        envelopes.verify(PUBLIC, made, format="note", kid=b"b")
    with pytest.raises(girih.KeyFileException, match="the key's signature is already present"):
        envelopes.sign(KEY, both, format="note", kid=b"a")
    for kid in (b"", b"\xff", b"\n"):
        with pytest.raises(
            girih.KeyFileException, match="kid: a note's key name is 1 to 255 bytes"
        ):
            envelopes.sign(KEY, CHECKPOINT, format="note", kid=kid)


def test_lines_that_are_not_signed_are_apart_from_the_payload() -> None:
    made = envelopes.sign(KEY, CHECKPOINT, format="note", kid=b"a")
    assert envelopes.verify(PUBLIC, made, format="note", kid=b"a").unsigned_lines == b""
    extended = made.replace(b"=\n\n", b"=\none\ntwo\n\n", 1)
    found = envelopes.verify(PUBLIC, extended, format="note", kid=b"a")
    assert (found, found.unsigned_lines) == (CHECKPOINT, b"one\ntwo\n")
    with pytest.raises(girih.KeyFileException, match="line 4 of the note: an extension line"):
        envelopes.sign(KEY, CHECKPOINT + b"one\n", format="note", kid=b"b")


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "format, before, after, error",
    [
        ("jws", MARK, b"\r\n", None),
        ("jws", b"", b"\n", None),
        ("jws", b"", b"\n\n", "a second line"),
        ("jws", b"", b" \n", "the signature is not base64url"),
        ("jws-json", MARK, b"\r\n \n", None),
        ("note", MARK, b"", "a byte order mark, which notes"),
        ("jws", b"\xff\xfe", b"", "text in UTF-16"),
        ("jws-json", b"\xff\xfe", b"", "text in UTF-16"),
        ("note", b"\xfe\xff", b"", "text in UTF-16"),
    ],
)
def test_texts_are_read_as_docs_formats_says(
    format: envelopes.Format, before: bytes, after: bytes, error: str | None
) -> None:
    made = before + envelopes.sign(KEY, CHECKPOINT, format=format, kid=b"a") + after
    if error is None:
        assert envelopes.verify(PUBLIC, made, format=format, kid=b"a") == CHECKPOINT
    else:
        with pytest.raises(girih.KeyFileException, match=error):
            envelopes.verify(PUBLIC, made, format=format, kid=b"a")


@pytest.mark.parametrize("format", ["jwk", "cose"])
def test_keys_come_back_with_their_kid(format: Any) -> None:
    secret = key_files.read(key_files.write_private_key(KEY, format=format).view())
    public = key_files.read(key_files.write_public_key(PUBLIC, format=format))
    assert (secret.key, public.key, secret.format) == (KEY, PUBLIC, format)
    assert secret.kid == public.kid == key_files.thumbprint(PUBLIC, format=format)
    with pytest.raises(girih.KeyFileException, match="holds keys of ML-DSA-44"):
        key_files.write_public_key(
            girih.falcon_512.SigningKey.generate().verifying_key(), format=format
        )
    with pytest.raises(girih.KeyFileException, match="holds the seed"):
        key_files.write_private_key(KEY, format=format, form="expanded")


def test_wrong_types_are_named() -> None:
    with pytest.raises(TypeError, match="key must be a secret key, not VerifyingKey"):
        envelopes.sign(PUBLIC, b"", format="jws")
    with pytest.raises(TypeError, match="key must be a public key, not SigningKey"):
        envelopes.verify(KEY, b"", format="jws")
    with pytest.raises(
        girih.InputException, match="format: 'jwt' is none of jws, jws-json, cose and note"
    ):
        envelopes.sign(KEY, b"", format="jwt")  # type: ignore[arg-type]
    with pytest.raises(girih.KeyFileException, match="signed with ML-DSA-44"):
        envelopes.sign(girih.falcon_512.SigningKey.generate(), b"", format="jws")
    with pytest.raises(girih.KeyFileException, match="kid: a JWS holds text"):
        envelopes.sign(KEY, b"", format="jws", kid=b"\xff")
    with pytest.raises(girih.KeyFileException, match="time: only a note has it"):
        envelopes.sign(KEY, b"", format="jws", time=1)
    with pytest.raises(girih.InputException, match="time: -1 is not a number of seconds"):
        envelopes.sign(KEY, b"", format="note", time=-1)


@pytest.mark.parametrize("name", NAMES)
def test_jwcrypto_reads_ours_and_we_read_its(name: str) -> None:
    jwk, jws = pytest.importorskip("jwcrypto.jwk"), pytest.importorskip("jwcrypto.jws")
    if name not in jws.default_allowed_algs:
        pytest.skip("this jwcrypto has no ML-DSA")
    key = key_of(name)
    public = key.verifying_key()
    theirs = jwk.JWK.from_json(bytes(key_files.write_private_key(key, format="jwk")).decode())
    assert theirs.thumbprint().encode() == key_files.thumbprint(public)
    assert key_files.read(theirs.export().encode()).key == key
    assert key_files.read(theirs.export_public().encode()).key == public
    for format in FORMATS[:2]:
        token = jws.JWS()
        token.deserialize(envelopes.sign(key, PAYLOAD, format=format).decode(), theirs)
        assert token.payload == PAYLOAD
    token = jws.JWS(PAYLOAD)
    token.add_signature(theirs, None, json.dumps({"alg": name, "kid": "k"}))
    for format, compact in (("jws", True), ("jws-json", False)):
        assert (
            envelopes.verify(public, token.serialize(compact).encode(), format=format, kid=b"k")
            == PAYLOAD
        )


@pytest.mark.parametrize(
    "name, number", [("ML-DSA-44", -48), ("ML-DSA-65", -49), ("ML-DSA-87", -50)]
)
def test_pycose_and_cryptography_read_ours_and_we_read_theirs(name: str, number: int) -> None:
    """pycose frames COSE_Sign1 and has no ML-DSA; cryptography signs what pycose says is signed."""
    algorithms, headers = (
        pytest.importorskip("pycose.algorithms"),
        pytest.importorskip("pycose.headers"),
    )
    messages = pytest.importorskip("pycose.messages")
    cbor2, mldsa = (
        pytest.importorskip("cbor2"),
        pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa"),
    )
    theirs = algorithms.CoseAlgorithm.register_attribute()(
        type(name, (algorithms.CoseAlgorithm,), {"identifier": number, "fullname": name})
    )
    their_key = getattr(mldsa, f"MLDSA{name[-2:]}PrivateKey").from_seed_bytes(SEED)
    key = key_of(name)
    public = key.verifying_key()
    parameters = cbor2.loads(key_files.write_public_key(public, format="cose"))
    assert parameters == {
        1: 7,
        2: key_files.thumbprint(public, format="cose"),
        3: number,
        -1: public.bytes(),
    }
    for detached in (False, True):
        read = messages.Sign1Message.decode(
            envelopes.sign(key, PAYLOAD, format="cose", detached=detached)
        )
        assert read.payload == (None if detached else PAYLOAD)
        read.payload = PAYLOAD
        their_key.public_key().verify(read.signature, read._create_sig_structure())
    made = messages.Sign1Message({headers.Algorithm: theirs}, payload=PAYLOAD)
    signature = their_key.sign(made._create_sig_structure())
    tagged = cbor2.CBORTag(18, [made.phdr_encoded, {4: b"k"}, PAYLOAD, signature])
    assert envelopes.verify(public, cbor2.dumps(tagged), format="cose", kid=b"k") == PAYLOAD
