"""Every algorithm: keys, signatures and secrets, prepared or not, and refused uses."""

from __future__ import annotations

import array
import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import KEMS, SIGNATURES, public_key, secret_keys

import girih


def test_every_algorithm_has_its_class() -> None:
    for name in girih.algorithms():
        namespace = girih.algorithm(name)
        assert namespace.name == name
        assert getattr(girih, namespace.__name__) is namespace
        assert str(namespace.public_key_bytes) in (namespace.__doc__ or "")
    assert girih.algorithm("mldsa65") is girih.ml_dsa_65
    assert girih.GirihException is girih.Exception and "GirihException" in girih.__all__
    with pytest.raises(KeyError, match="ML-DSA-66"):
        girih.algorithm("ML-DSA-66")


@pytest.mark.parametrize("alg", SIGNATURES)
def test_signatures_verify_and_others_do_not(alg: Any) -> None:
    key = alg.SigningKey.generate()
    public = key.verifying_key()
    assert type(public) is alg.VerifyingKey
    prepared, prepared_public = alg.PreparedSigningKey(key), alg.PreparedVerifyingKey(public)
    assert prepared.verifying_key() == public == alg.VerifyingKey(prepared_public)
    assert prepared_public.bytes() == bytes(prepared_public) == public.bytes()
    for signature in (
        key.sign(b"message"),
        prepared.sign(b"message"),
        key.sign(b"message", verify_after_sign=True),
    ):
        assert len(signature) <= alg.signature_bytes
        for verifier in (
            public,
            prepared_public,
            pickle.loads(pickle.dumps(public)),
            pickle.loads(pickle.dumps(prepared_public)),
        ):
            assert verifier.verify(b"message", signature) is True
            assert verifier.verify(b"massage", signature) is False
            assert verifier.verify(b"message", signature[:-1]) is False
            assert verifier.verify(b"message", b"") is False
            assert verifier.check(b"message", signature) is None
            with pytest.raises(girih.SignatureException) as caught:
                verifier.check(b"massage", signature)
            assert caught.value.error is girih.Error.SIGNATURE


@pytest.mark.parametrize("alg", KEMS)
def test_both_sides_have_the_secret(alg: Any) -> None:
    key = alg.DecapsulationKey.generate(checked=True)
    ciphertext, secret = key.encapsulation_key().encapsulate()
    assert len(ciphertext) == alg.ciphertext_bytes and len(secret) == 32
    assert key.decapsulate(ciphertext) == secret
    changed = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    assert key.decapsulate(changed) != secret  # implicit rejection
    assert key.decapsulate(changed) == key.decapsulate(changed)
    if hasattr(alg, "PreparedDecapsulationKey"):
        prepared = alg.PreparedDecapsulationKey(key)
        prepared_public = alg.PreparedEncapsulationKey(prepared.encapsulation_key())
        assert bytes(prepared_public) == bytes(key.encapsulation_key())
        ciphertext, secret = prepared_public.encapsulate()
        assert prepared.decapsulate(ciphertext) == secret == key.decapsulate(ciphertext)
    with pytest.raises(
        girih.InputException, match=f"ciphertext: 3 bytes, {alg.name} has {alg.ciphertext_bytes}"
    ):
        key.decapsulate(b"abc")


@pytest.mark.parametrize("alg", SIGNATURES + KEMS)
def test_keys_come_back_from_their_bytes(alg: Any) -> None:
    kind = secret_keys(alg)
    key = kind.from_seed(bytes(range(alg.seed_bytes)))
    assert public_key(kind.from_bytes(key.bytes().view())) == public_key(key)
    assert public_key(kind.from_seed(bytearray(range(alg.seed_bytes)))) == public_key(key)
    with pytest.raises(girih.InputException) as caught:
        kind.from_bytes(bytes([255]) * alg.secret_key_bytes)
    assert caught.value.error in (girih.Error.SECRET_KEY, girih.Error.KEY_MISMATCH)
    assert caught.value.place == "secret_key"
    with pytest.raises(girih.InputException, match="seed: 1 bytes"):
        kind.from_seed(b"x")
    with pytest.raises(TypeError, match="is made by"):
        kind()


@pytest.mark.parametrize(
    "alg", [girih.ml_dsa_44, girih.falcon_512, girih.ml_kem_512, girih.sntrup653]
)
def test_secret_keys_are_wiped_and_never_copied(alg: Any) -> None:
    key = secret_keys(alg).generate()
    secret = key.bytes()
    for refused in (
        lambda: pickle.dumps(key),
        lambda: copy.copy(key),
        lambda: copy.deepcopy(key),
        lambda: pickle.dumps(secret),
        lambda: copy.copy(secret),
    ):
        with pytest.raises(TypeError, match="nobody wipes"):
            refused()
    assert repr(secret) == "<SecretBytes>"  # without its content
    with memoryview(secret.view()) as view:
        assert view.readonly and len(view) == alg.secret_key_bytes
        with pytest.raises(BufferError):
            secret.wipe()
    with secret:
        assert secret == bytes(secret)
    assert secret.wiped
    with pytest.raises(ValueError, match="wiped"):
        bytes(secret)
    with key as same:
        assert same is key
    assert key.wiped
    with pytest.raises(girih.InputException, match="key: it was wiped"):
        key.bytes()


@pytest.mark.parametrize("alg", [girih.ml_dsa_65, girih.dilithium3])
def test_messages_in_pieces_have_the_mu_of_the_whole(alg: Any) -> None:
    key = alg.SigningKey.from_seed(bytes(32))
    public = key.verifying_key()
    context = b"c" if alg is girih.ml_dsa_65 else b""
    message = alg.Message(public, context=context).update(b"mes").update(b"").update(b"sage")
    mu = message.mu()
    assert key.sign_mu(mu, deterministic=True) == key.sign(
        b"message", context=context, deterministic=True
    )
    assert public.verify_mu(mu, key.sign(b"message", context=context))
    assert alg.PreparedVerifyingKey(public).verify_mu(mu, alg.PreparedSigningKey(key).sign_mu(mu))
    with pytest.raises(girih.InputException, match="it was ended"):
        message.update(b"more")
    with pytest.raises(girih.InputException, match="mu: 63 bytes"):
        key.sign_mu(mu[1:])


def test_falcon_in_pieces_and_in_nists_form() -> None:
    alg = girih.falcon_512
    key = alg.SigningKey.generate()
    public = key.verifying_key()
    signature = alg.SigningMessage().update(b"mes").update(b"sage").sign(key)
    assert public.verify(b"message", signature)
    assert alg.VerifyingMessage(signature).update(b"messag").update(b"e").verify(public)
    assert not alg.VerifyingMessage(signature).update(b"massage").verify(public)
    signed = key.crypto_sign(b"message")
    assert public.crypto_sign_open(signed) == b"message"
    assert public.crypto_sign_open(signed[:-1]) is None
    with pytest.raises(girih.Exception):
        girih.falcon_padded_512.SigningKey.generate().crypto_sign(b"message")
    with pytest.raises(
        TypeError, match="key must be a secret key of Falcon-512, not falcon_1024.SigningKey"
    ):
        alg.SigningMessage().sign(girih.falcon_1024.SigningKey.generate())
    malformed = alg.VerifyingKey(bytes([255]) * alg.public_key_bytes)
    with pytest.raises(girih.InputException, match="public_key") as caught:
        malformed.verify(b"message", signature)
    assert caught.value.error is girih.Error.PUBLIC_KEY


def test_contexts_and_pre_hashes() -> None:
    key = girih.ml_dsa_44.SigningKey.generate()
    public = key.verifying_key()
    for pre_hash in [None, *girih.pre_hashes()]:
        signature = key.sign(b"message", context=b"c" * 255, pre_hash=pre_hash)
        assert public.verify(b"message", signature, context=b"c" * 255, pre_hash=pre_hash)
        assert not public.verify(b"message", signature, pre_hash=pre_hash)
        assert not public.verify(
            b"message", signature, context=b"c" * 255, pre_hash="SHA3-512" if not pre_hash else None
        )
    assert girih.pre_hash_strength("SHA2-256") == 128 and girih.pre_hash_strength("MD5") == 0
    with pytest.raises(girih.InputException, match="context: 256 bytes, 255 at most"):
        key.sign(b"", context=b"c" * 256)
    with pytest.raises(girih.InputException, match="pre_hash: 'MD5' is none of SHA2-.*, SHA3-512"):
        public.verify(b"", b"", pre_hash="MD5")
    with pytest.raises(girih.InputException, match="context: 1 bytes, Dilithium2 has no contexts"):
        girih.dilithium2.SigningKey.generate().sign(b"", context=b"c")


def test_randomness_from_a_callable() -> None:
    drawn: list[int] = []

    def count(wanted: int) -> bytes:
        drawn.append(wanted)
        return bytes(wanted)

    key = girih.ml_dsa_44.SigningKey.generate(random=count)
    assert key.verifying_key() == girih.ml_dsa_44.SigningKey.from_seed(bytes(32)).verifying_key()
    assert bytes(key.seed() or b"?") == bytes(32)
    assert key.sign(b"message", random=count) == key.sign(b"message", random=bytes)
    assert drawn == [32, 32]
    with pytest.raises(girih.Exception, match="random") as caught:
        key.sign(b"message", random=lambda wanted: 1 // 0)
    assert caught.value.error is girih.Error.RANDOM
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(girih.Exception) as caught:
        girih.ml_kem_512.DecapsulationKey.generate(random=lambda wanted: bytes(wanted - 1))
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(TypeError, match="callable"):
        key.sign(b"message", random=5)


def test_messages_in_pieces_are_not_copied() -> None:
    key = girih.ml_dsa_44.SigningKey.generate().verifying_key()
    for message in (girih.ml_dsa_44.Message(key), girih.falcon_512.SigningMessage()):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                copied(message)  # type: ignore[operator]


def test_secrets_are_compared_by_their_bytes() -> None:
    one, same, other = (
        girih.SecretBytes(b"one"),
        girih.SecretBytes(b"one"),
        girih.SecretBytes(b"two"),
    )
    assert (
        one == same.view()
        and one.view() == same.view()
        and one.view() == b"one"
        and b"one" == one.view()
    )
    assert one != other.view() and one.view() != other.view() and one.view() != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(one.view())


def test_secrets_that_were_never_made_have_no_bytes() -> None:
    made: Any = girih.SecretBytes(b"one").view()
    with pytest.raises(BufferError, match="never made"):
        memoryview(type(made).__new__(type(made)))


def test_secrets_are_bytes(tmp_path: Path) -> None:
    key = girih.ml_dsa_44.SigningKey.from_seed(bytes(32))
    seed, secret, path = key.seed(), key.bytes(), tmp_path / "key"
    assert (
        girih.ml_dsa_44.SigningKey.from_seed(seed)
        == girih.ml_dsa_44.SigningKey.from_bytes(secret)
        == key
    )
    assert path.write_bytes(secret) == 2560 and path.read_bytes() == secret == girih.SecretBytes(
        secret
    )
    assert (
        b"x" + secret == b"x" + bytes(secret)
        and secret.view() is secret
        and secret != "text"
        and secret != array.array("i", [1])
    )
    assert key.verifying_key().verify(secret, key.sign(secret, context=seed), context=seed)
    assert None not in girih.ml_dsa_44.sign_many([secret, key], [secret, seed], contexts=seed)
    secret.wipe()
    for use in (
        bytes,
        memoryview,
        girih.ml_dsa_44.SigningKey.from_bytes,
        girih.SecretBytes,
        key.sign,
    ):
        with pytest.raises(ValueError, match="secret: it was wiped"):
            use(secret)


@pytest.mark.parametrize(
    "alg", [girih.ml_dsa_44, girih.falcon_512, girih.ml_kem_512, girih.sntrup653]
)
def test_a_secret_key_says_where_its_public_key_is(alg: Any) -> None:
    key, public = (
        secret_keys(alg).generate(),
        "verifying_key" if hasattr(alg, "SigningKey") else "encapsulation_key",
    )
    for name in (
        "VerifyingKey",
        "PreparedVerifyingKey",
        "Message",
        "EncapsulationKey",
        "PreparedEncapsulationKey",
    ):
        if hasattr(alg, name):
            with pytest.raises(
                TypeError,
                match=f"public_key must be a public key of {alg.name} .*: use its {public}\\(\\)",
            ):
                getattr(alg, name)(key)


def test_names_are_compared_to_their_ends() -> None:
    with pytest.raises(girih.InputException):
        girih.ml_dsa_44.SigningKey.generate().sign(b"m", pre_hash="SHA2-512\0x")
    with pytest.raises(KeyError):
        girih.algorithm("ML-DSA-65\0x")


@pytest.mark.parametrize(
    "alg", [girih.ml_dsa_44, girih.falcon_512, girih.ml_kem_512, girih.sntrup653]
)
def test_keys_are_compared_by_what_they_are(alg: Any) -> None:
    secret = secret_keys(alg)
    key, other = secret.generate(), secret.generate()
    same = secret.from_bytes(key.bytes().view())
    halves = [(key, same, other), tuple(public_key(each) for each in (key, same, other))]
    for kind, of in (
        ("PreparedSigningKey", 0),
        ("PreparedVerifyingKey", 1),
        ("PreparedDecapsulationKey", 0),
        ("PreparedEncapsulationKey", 1),
    ):
        if hasattr(alg, kind):
            halves.append(tuple(getattr(alg, kind)(each) for each in halves[of]))
    for one, equal, different in halves:
        assert (
            one == equal and hash(one) == hash(equal) and not one != equal and {one: 1}[equal] == 1
        )
        assert (
            one != different
            and one != 1
            and one != bytes(one if hasattr(one, "__bytes__") else b"")
        )
        assert one.__eq__(object()) is NotImplemented
        assert len({one, equal, different}) == 2
        assert repr(one).startswith("<") and alg.__name__ in repr(one) and " at 0x" not in repr(one)
    assert len({half[0] for half in halves}) == len(halves)
    before = hash(key)
    key.wipe()
    assert key == key and key != same and hash(key) == before


def test_secret_keys_are_equal_only_if_all_of_them_is() -> None:
    key = girih.ml_kem_512.DecapsulationKey.from_seed(bytes(64))
    changed = bytearray(key.bytes().view())
    changed[-1] ^= 1  # z, which does not affect the public key
    other = girih.ml_kem_512.DecapsulationKey.from_bytes(changed)
    assert other.encapsulation_key() == key.encapsulation_key() and other != key


class Named(girih.ml_dsa_44.VerifyingKey):
    """A user's class."""


def test_keys_of_other_classes_keep_them() -> None:
    key = Named(bytes(girih.ml_dsa_44.SigningKey.generate().verifying_key()))
    for copied in (pickle.loads(pickle.dumps(key)), copy.copy(key)):
        assert type(copied) is Named and bytes(copied) == bytes(key)
