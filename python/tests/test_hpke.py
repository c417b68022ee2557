"""Hybrid KEMs and HPKE: the drafts' vectors, cryptography's HPKE both ways, refusals."""

from __future__ import annotations

import base64
import copy
import hashlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import pytest

import girih

pytest.importorskip("cryptography")
from girih import hpke, hybrids

HERE = Path(__file__).parent
HYBRIDS: list[Any] = [hybrids.x_wing, hybrids.mlkem768_p256, hybrids.mlkem1024_p384]
KEMS: dict[str, Any] = {
    kem.name: kem for kem in [*HYBRIDS, girih.ml_kem_512, girih.ml_kem_768, girih.ml_kem_1024]
}
SUITE: Any = hpke.Suite("HKDF-SHA256", "ChaCha20-Poly1305")
PSK = (
    bytes.fromhex("0247fd33b913760fa1fa51e1892d9f307fbe65eb171e8132c2af18555a738b82"),
    b"Ennyn Durin aran Moria",
)
P = 2**255 - 19
SMALL = [
    0,
    1,
    P - 1,
    P,
    P + 1,
    0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
]
SMALL_SHARES = [number.to_bytes(32, "little") for u in SMALL for number in (u, u | 1 << 255)]


def drawing(data: bytes) -> Callable[[int], bytes]:
    """A source of these bytes, and of zeros after them."""
    numbers = itertools.chain(data, itertools.repeat(0))
    return lambda count: bytes(itertools.islice(numbers, count))


def key_of(kem: Any) -> Any:
    return kem.DecapsulationKey.from_seed(bytes(range(kem.seed_bytes)))


def digest(*parts: Any) -> str:
    return hashlib.sha256(b"".join(bytes(part) for part in parts)).hexdigest()


@pytest.mark.parametrize("row", (HERE / "hpke_pq_04.tsv").read_text().splitlines())
def test_hpke_is_the_drafts(row: str) -> None:
    """draft-ietf-hpke-pq-04's vectors, long values by their SHA-256; TurboSHAKE's is left out."""
    name, kdf, aead, seed, randomness, shared_secret, *digests = row.split("\t")
    suite, info = hpke.Suite(kdf, aead), b"4f6465206f6e2061204772656369616e2055726e"
    message = b"4265617574792069732074727574682c20747275746820626561757479"
    key = KEMS[name].DecapsulationKey.from_seed(bytes.fromhex(seed))
    enc, sender = suite.sender(
        key.encapsulation_key(), info=info, random=drawing(bytes.fromhex(randomness))
    )
    assert bytes(key.decapsulate(enc)).hex() == shared_secret
    recipient = suite.recipient(key, enc, info=info)
    sealed = [sender.seal(message, aad=b"Count-%d" % count) for count in range(10)]
    assert all(
        recipient.open(row, aad=b"Count-%d" % count) == message for count, row in enumerate(sealed)
    )
    exported = [recipient.export(b"pseudorandom%d" % count, 32) for count in range(5)]
    assert exported == [sender.export(b"pseudorandom%d" % count, 32) for count in range(5)]
    made = digest(key.encapsulation_key()), digest(enc), digest(*sealed), digest(*exported)
    assert list(made) == digests


def test_psk_mode_is_the_rfcs() -> None:
    """RFC 9180, Appendix A.1.2, from the shared secret on: its KEM, DHKEM, is not here."""
    secret = girih.SecretBytes(
        bytes.fromhex("727699f009ffe3c076315019c69648366b69171439bd7dd0807743bde76986cd")
    )
    sender = hpke.Sender(
        hpke.Suite("HKDF-SHA256", "AES-128-GCM"),
        b"\0\x20",
        secret,
        hpke._inputs(b"Ode on a Grecian Urn", PSK),
    )
    sealed = sender.seal(b"Beauty is truth, truth beauty", aad=b"Count-0").hex()
    assert (
        sealed
        == "e52c6fed7f758d0cf7145689f21bc1be6ec9ea097fef4e959440012f4feb73fb611b946199e681f4cfc34db8ea"
    )
    assert (
        bytes(sender.export(b"", 32)).hex()
        == "dff17af354c8b41673567db6259fd6029967b4e1aad13023c2ae5df8f4f43bf6"
    )


@pytest.mark.parametrize(
    "psk, shared_secret, exported",
    [
        (
            None,
            "e81716ce8f73141d4f25ee9098efc968c91e5b8ce52ffff59d64039e82918b66",
            "ffaabc85a776136ca0c378e5d084c9140ab552b78f039d2e8775f26efff4c70e",
        ),
        (
            PSK,
            "024573db58c887decb4c57b6ed39f2c9a09c85600a8a0ecb11cac24c6aaec195",
            "7c9d79876a288507b81a5a52365a7d39cc0fa3f07e34172984f96fec07c44cba",
        ),
    ],
)
def test_export_only_is_the_rfcs(psk: Any, shared_secret: str, exported: str) -> None:
    """RFC 9180, Appendices A.7.1 and A.7.2, from the shared secret on."""
    sender = hpke.Sender(
        hpke.Suite("HKDF-SHA256", "Export-only"),
        b"\0\x20",
        girih.SecretBytes(bytes.fromhex(shared_secret)),
        hpke._inputs(b"Ode on a Grecian Urn", psk),
    )
    assert bytes(sender.export(b"TestContext", 32)).hex() == exported


@pytest.mark.parametrize("kdf", hpke._KDFS)
def test_export_only_neither_seals_nor_opens(kdf: Any) -> None:
    key, suite = key_of(girih.ml_kem_512), hpke.Suite(kdf, "Export-only")
    public = key.encapsulation_key()
    enc, sender = suite.sender(public, info=b"info")
    recipient = suite.recipient(key, enc, info=b"info")
    assert sender.export(b"context", 32) == recipient.export(b"context", 32)
    assert sender.export(b"", 32) != suite.recipient(key, enc, info=b"i").export(b"", 32)
    for word, refused in (
        ("encrypt", lambda: sender.seal(b"message")),
        ("decrypt", lambda: recipient.open(bytes(16))),
        ("encrypt", lambda: suite.seal(public, b"message")),
        ("decrypt", lambda: suite.open(key, enc, bytes(16))),
    ):
        text = f"context: the suite's AEAD is Export-only: it cannot {word}"
        with pytest.raises(girih.InputException, match=text):
            refused()
    sender.wipe()
    with pytest.raises(ValueError, match="secret: it was wiped"):
        sender.export(b"", 32)


def test_a_kdf_of_one_stage_derives_only_the_exporters_secret() -> None:
    """CombineSecrets_OneStage (draft-ietf-hpke-hpke) with no key and no nonce, step by step."""
    sender = hpke.Sender(
        hpke.Suite("SHAKE128", "Export-only"),
        b"\0\x40",
        girih.SecretBytes(b"shared secret"),
        hpke._inputs(b"info", None),
    )
    secret = b"\0\0" + b"\0\x0dshared secret"
    suite = b"HPKE-v1" + b"HPKE\0\x40\0\x10\xff\xff"
    labelled = secret + suite + b"\0\x06secret" + b"\0\x20" + b"\0" + b"\0\0" + b"\0\x04info"
    assert bytes(sender._exporter) == hashlib.shake_128(labelled).digest(32)


@pytest.mark.parametrize("kdf", hpke._KDFS)
def test_a_psk_and_its_identifier_are_those_of_the_sender(kdf: Any) -> None:
    key, suite = key_of(girih.ml_kem_512), hpke.Suite(kdf, "AES-128-GCM")
    enc, ciphertext = suite.seal(key.encapsulation_key(), b"message", psk=PSK)
    assert suite.open(key, enc, ciphertext, psk=PSK) == b"message"
    for psk in (
        None,
        (PSK[0], b"i"),
        (bytes(32), PSK[1]),
        (PSK[0] + b"\0", PSK[1]),
        (PSK[0], PSK[1] + b"\0"),
    ):
        with pytest.raises(
            girih.InputException, match="sealed with another key, enc, suite, info, psk or aad"
        ):
            suite.open(key, enc, ciphertext, psk=psk)


def test_x_wing_is_the_drafts() -> None:
    rows = (HERE.parents[1] / "tests/provider/drafts/xwing_10.tsv").read_text().splitlines()
    for row in rows:
        seed, public, ciphertext, secret = map(base64.b64decode, row.split())
        key = hybrids.x_wing.DecapsulationKey.from_seed(seed)
        assert (key.seed(), bytes(key.encapsulation_key()), key.decapsulate(ciphertext)) == (
            seed,
            public,
            secret,
        )
    assert len(rows) == 3


def theirs(name: str, seed: bytes) -> tuple[Any, Any]:
    """cryptography's KEM and key; it has no ML-KEM-512 and no P-256."""
    module: Any = pytest.importorskip("cryptography.hazmat.primitives.hpke")
    from cryptography.hazmat.primitives.asymmetric import ec, mlkem, x25519

    if name.startswith("ML-KEM"):
        name = name.replace("-", "")
        return getattr(module.KEM, name), getattr(mlkem, f"{name}PrivateKey").from_seed_bytes(seed)
    expanded = hashlib.shake_256(seed).digest(112)
    if name == "X-Wing":
        return module.KEM.MLKEM768_X25519, module.MLKEM768X25519PrivateKey(
            mlkem.MLKEM768PrivateKey.from_seed_bytes(expanded[:64]),
            x25519.X25519PrivateKey.from_private_bytes(expanded[64:96]),
        )
    return module.KEM.MLKEM1024_P384, module.MLKEM1024P384PrivateKey(
        mlkem.MLKEM1024PrivateKey.from_seed_bytes(expanded[:64]),
        ec.derive_private_key(int.from_bytes(expanded[64:], "big"), ec.SECP384R1()),
    )


@pytest.mark.parametrize("name", ["ML-KEM-768", "ML-KEM-1024", "X-Wing", "MLKEM1024-P384"])
def test_hpke_of_cryptography(name: str) -> None:
    module: Any = pytest.importorskip("cryptography.hazmat.primitives.hpke")
    key = key_of(KEMS[name])
    kem, their_key = theirs(name, bytes(key.seed()))
    for kdf, aead in itertools.product(hpke._KDFS, list(hpke._AEADS)[:-1]):  # not Export-only
        mine = hpke.Suite(kdf, aead)
        suite = module.Suite(
            kem,
            getattr(module.KDF, kdf.replace("-", "_")),
            getattr(module.AEAD, aead.replace("-", "_").upper()),
        )
        sealed = b"".join(mine.seal(key.encapsulation_key(), b"message", info=b"i"))
        assert suite.decrypt(sealed, their_key, b"i") == b"message"
        both, enc_bytes = (
            suite.encrypt(b"message", their_key.public_key(), b"i"),
            KEMS[name].ciphertext_bytes,
        )
        assert mine.open(key, both[:enc_bytes], both[enc_bytes:], info=b"i") == b"message"


class Waiting:
    """An AEAD during which other threads run."""

    def __init__(self, aead: Any) -> None:
        self._aead = aead

    def encrypt(self, nonce: bytes, data: bytes, aad: bytes) -> Any:
        time.sleep(0.001)
        return self._aead.encrypt(nonce, data, aad)


def test_secrets_are_wiped_after_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The KEM's secret, and the context of a single message, also after an error."""
    key = key_of(girih.ml_kem_768)
    given: list[Any] = []
    made = hpke._Context.__init__

    def watched(self: Any, suite: Any, kem: bytes, shared_secret: Any, inputs: Any) -> None:
        given.extend((shared_secret, self))
        made(self, suite, kem, shared_secret, inputs)

    monkeypatch.setattr(hpke._Context, "__init__", watched)
    enc, sealed = SUITE.seal(key.encapsulation_key(), b"message")
    assert SUITE.open(key, enc, sealed) == b"message"
    with pytest.raises(girih.InputException):
        SUITE.open(key, enc, sealed[1:])
    assert len(given) == 6
    for secret, context in zip(given[::2], given[1::2]):
        for use in (lambda: bytes(secret), lambda: context.export(b"", 1)):
            with pytest.raises(ValueError, match="it was wiped"):
                use()
        assert context._aead is None


@pytest.mark.parametrize("kem", KEMS.values())
def test_both_sides_agree(kem: Any) -> None:
    key = kem.DecapsulationKey.generate()
    public = pickle.loads(pickle.dumps(key.encapsulation_key()))
    assert public == kem.EncapsulationKey(key.encapsulation_key().bytes())
    enc, sender = SUITE.sender(public)
    recipient = SUITE.recipient(key, enc)
    first, second = sender.seal(b"1"), sender.seal(b"2", aad=b"a")
    for wrong, aad in ((second, b"a"), (first, b"a"), (first[:-1], b""), (b"", b"")):
        with pytest.raises(
            girih.InputException, match="^ciphertext: it was changed, is not the next message"
        ):
            recipient.open(wrong, aad=aad)
    assert (recipient.open(first), recipient.open(second, aad=b"a")) == (b"1", b"2")
    aead = sender._aead
    sender._aead = Waiting(aead)
    with ThreadPoolExecutor(8) as pool:  # each under a nonce of its own
        assert len(set(pool.map(sender.seal, [b"same"] * 40))) == 40
    sender._aead = aead
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(sender)
    sender.wipe()
    for use in (lambda: sender.seal(b""), lambda: sender.export(b"", 1)):
        with pytest.raises(ValueError, match="it was wiped"):
            use()


# Uses of a sender and a recipient by a forked process, and whether they are refused.
FORKED: dict[str, tuple[Callable[[Any, Any], object], bool]] = {
    "seal": (lambda sender, recipient: sender.seal(b"1"), True),
    "open": (lambda sender, recipient: recipient.open(b""), True),
    "sender.export": (lambda sender, recipient: sender.export(b"", 1), False),
    "recipient.export": (lambda sender, recipient: recipient.export(b"", 1), False),
    "sender.wipe": (lambda sender, recipient: sender.wipe(), False),
    "recipient.wipe": (lambda sender, recipient: recipient.wipe(), False),
}


def in_fork(work: Callable[[], object]) -> str:
    """The error that work in a forked process ends with."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        text = ""
        signal.alarm(60)  # ends a process that waits for a lock for ever
        try:
            work()
        except BaseException as error:
            text = f"{type(error).__name__} {error}"
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as answer:
        text = answer.read()
    assert os.waitpid(child, 0) == (child, 0)
    return text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("number_is_used_again", [False, True])
@pytest.mark.parametrize("name", FORKED)
def test_a_forked_process_uses_no_nonce_again(
    name: str, number_is_used_again: bool, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if number_is_used_again:
        monkeypatch.setattr(os, "getpid", lambda: 1)
    key, (use, is_refused) = key_of(girih.ml_kem_768), FORKED[name]
    enc, sender = SUITE.sender(key.encapsulation_key())
    recipient = SUITE.recipient(key, enc)
    recipient.open(sender.seal(b"0"))

    def work() -> None:
        use(sender, recipient)

    refused = "InputException context: it was made before a fork" if is_refused else ""
    with sender._lock, recipient._lock:  # held by a thread that the forked process lacks
        found = in_fork(
            work if depth == 1 else lambda: pytest.fail(text) if (text := in_fork(work)) else None
        )
    assert refused in found and bool(found) is is_refused
    assert recipient.open(sender.seal(b"1")) == b"1"
    assert in_fork(lambda: SUITE.seal(key.encapsulation_key(), b"of its own")) == ""


@pytest.mark.parametrize("kem", HYBRIDS)
def test_secret_keys_are_wiped_and_not_copied(kem: Any) -> None:
    key = key_of(kem)
    ciphertext, secret = key.encapsulation_key().encapsulate()
    changed = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    assert key.decapsulate(ciphertext) == secret != key.decapsulate(changed)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(key)
    with key:
        pass
    for use in (key.seed, lambda: key.decapsulate(ciphertext)):
        with pytest.raises(ValueError, match="it was wiped"):
            use()


@pytest.mark.parametrize(
    "kem, scalar_bytes, order",
    [
        (
            hybrids.mlkem768_p256,
            32,
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        ),
        (
            hybrids.mlkem1024_p384,
            48,
            "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf"
            "581a0db248b0a77aecec196accc52973",
        ),
    ],
)
def test_scalars_are_between_0_and_the_order(kem: Any, scalar_bytes: int, order: str) -> None:
    public = key_of(kem).encapsulation_key()

    def encapsulated(*scalars: int) -> Any:
        seed = b"".join(scalar.to_bytes(scalar_bytes, "big") for scalar in scalars)
        return public.encapsulate(random=drawing(bytes(32) + seed))

    largest = encapsulated(int(order, 16) - 1)
    for refused in (0, int(order, 16), 256**scalar_bytes - 1):
        with pytest.raises(girih.GirihException, match="^random: no scalar"):
            encapsulated(*[refused] * 4, int(order, 16) - 1)
        if kem is hybrids.mlkem768_p256:  # the draft tries up to four
            assert encapsulated(refused, refused, refused, int(order, 16) - 1) == largest


def with_share(data: bytes, share: bytes) -> bytes:
    return data[: -len(share)] + share


@pytest.mark.parametrize("kem", HYBRIDS)
def test_malformed_keys_and_ciphertexts_are_refused(kem: Any) -> None:
    key = key_of(kem)
    public, ciphertext = (
        bytes(key.encapsulation_key()),
        key.encapsulation_key().encapsulate().ciphertext,
    )
    share = public[-kem._curve.element_bytes :]
    wrong_shares = (
        SMALL_SHARES
        if kem is hybrids.x_wing
        else [
            bytes(len(share)),
            share[:-1] + bytes([share[-1] ^ 1]),
            b"\4" + b"\xff" * (len(share) - 1),
            *(bytes([form]) + share[1:] for form in (2, 3, 6, 7)),
        ]
    )
    place = (
        "half has small order"
        if kem is hybrids.x_wing
        else "half is not an uncompressed point of the curve"
    )
    for wrong in wrong_shares:
        with pytest.raises(girih.InputException, match=f"^public_key: its .* {place}") as raised:
            kem.EncapsulationKey(with_share(public, wrong)).encapsulate()
        assert raised.value.error is girih.Error.PUBLIC_KEY
        with pytest.raises(girih.InputException, match=f"^ciphertext: its .* {place}"):
            SUITE.recipient(key, with_share(ciphertext, wrong))
    with pytest.raises(girih.InputException, match="^public_key: "):
        kem.EncapsulationKey(b"\xff" * 3 + public[3:]).encapsulate()
    for size in (0, 1, len(ciphertext) - 1, len(ciphertext) + 1):
        with pytest.raises(
            girih.InputException,
            match=f"^ciphertext: {size} bytes, {kem.name} has {len(ciphertext)}",
        ):
            key.decapsulate(bytes(size))


def test_shares_of_x25519_beyond_the_prime_are_read_modulo_it() -> None:
    """RFC 7748, Section 5; the combiner hashes them as they are."""
    key = key_of(hybrids.x_wing)
    ciphertext = key.encapsulation_key().encapsulate().ciphertext
    shares = [number.to_bytes(32, "little") for number in (9, 9 | 1 << 255, P + 9)]
    assert len({bytes(key.decapsulate(with_share(ciphertext, share))) for share in shares}) == 3


def test_wrong_arguments_are_named() -> None:
    key, public = key_of(girih.ml_kem_768), key_of(girih.ml_kem_768).encapsulation_key()
    x_wing, kem = key_of(hybrids.x_wing), hybrids.x_wing
    sender: Any = SUITE.sender(public)[1]
    sntrup = girih.sntrup761.DecapsulationKey.generate().encapsulation_key()
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (
            lambda: kem.EncapsulationKey(b"short"),
            girih.InputException,
            "public_key: 5 bytes, X-Wing has 1216",
        ),
        (
            lambda: kem.EncapsulationKey(x_wing),
            TypeError,
            "public key of X-Wing or its bytes, .* encapsulation_key",
        ),
        (
            lambda: kem.DecapsulationKey.from_seed(b"short"),
            girih.InputException,
            "seed: 5 bytes, X-Wing has 32",
        ),
        (
            lambda: kem.DecapsulationKey.from_seed("text"),
            TypeError,
            "seed must be bytes-like, not str",
        ),
        (kem.DecapsulationKey, TypeError, r"made by generate\(\) or from_seed\(\)"),
        (
            lambda: kem.DecapsulationKey.generate(random=lambda count: b""),
            girih.GirihException,
            "random: ",
        ),
        (lambda: hpke.Suite("MD5", "AES-128-GCM"), ValueError, "kdf: 'MD5' is none of HKDF"),
        (lambda: hpke.Suite("SHAKE128", "DES"), ValueError, "aead: 'DES' is none of AES"),
        (
            lambda: SUITE.sender(sntrup),
            girih.InputException,
            "public_key: HPKE has no KEM sntrup761",
        ),
        (lambda: SUITE.sender(key), TypeError, "public_key: DecapsulationKey is no Encaps"),
        (lambda: SUITE.recipient(public, b""), TypeError, "key: EncapsulationKey is no Decaps"),
        (lambda: SUITE.recipient(key, b"short"), girih.InputException, "ciphertext: 5 bytes"),
        (
            lambda: SUITE.sender(public, info=bytes(65536)),
            ValueError,
            "info: 65536 bytes, and not 0 to 65535",
        ),
        (
            lambda: SUITE.sender(public, psk=PSK[0]),
            TypeError,
            "psk must be a secret and its identifier",
        ),
        (
            lambda: SUITE.sender(public, psk=(PSK[0][1:], b"i")),
            ValueError,
            "psk: 31 bytes, and not 32 to 65535",
        ),
        (
            lambda: SUITE.recipient(key, b"", psk=(PSK[0], b"")),
            ValueError,
            "psk_id: 0 bytes, and not 1 to 65535",
        ),
        (lambda: sender.export(b"", 255 * 32 + 1), ValueError, "length: 8161 bytes, 8160 at most"),
        (lambda: sender.export(b"", -1), ValueError, "length: -1 bytes"),
        (lambda: sender.seal("text"), TypeError, "plaintext must be bytes-like, not str"),
        (lambda: sender.seal(b"", aad="text"), TypeError, "aad must be bytes-like, not str"),
    ]
    for call, kind, text in wrong:
        with pytest.raises(kind, match=text):
            call()


def test_without_cryptography_an_error_names_it() -> None:
    program = "import sys; sys.modules['cryptography'] = None; import girih; import girih.hpke"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (
        "ImportError: girih.hybrids and girih.hpke need the package cryptography: pip install"
        in ran.stderr
    )
