"""The service of examples/python: claims by PyJWT, signatures by girih, and refusals."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import girih

jwt: Any = pytest.importorskip("jwt")
KEY = girih.ml_dsa_65.SigningKey.from_seed(bytes(32))
PUBLIC = KEY.verifying_key()


@pytest.fixture(scope="module")
def service() -> Any:
    example = Path(__file__).parents[2] / "examples/python/jwt_service.py"
    return SimpleNamespace(**runpy.run_path(str(example)))


def test_a_token_has_its_claims(service: Any) -> None:
    token = service.issue(KEY, "subject", "a service")
    claims = service.claims_of(token, {service.kid_of(PUBLIC): PUBLIC}, "a service")
    assert (claims["sub"], claims["aud"], claims["exp"] - claims["iat"]) == (
        "subject",
        "a service",
        300,
    )


def test_tokens_are_the_envelopes_of_girih(service: Any) -> None:
    keys = {service.kid_of(PUBLIC): PUBLIC}
    token = service.issue(KEY, "subject", "a service")
    payload = girih.envelopes.verify(PUBLIC, token.encode(), format="jws", typ="at+jwt")
    assert json.loads(payload) == service.claims_of(token, keys, "a service")
    signed = girih.envelopes.sign(KEY, payload, format="jws", typ="at+jwt").decode()
    assert service.claims_of(signed, keys, "a service") == json.loads(payload)


def test_other_tokens_are_refused(service: Any) -> None:
    keys = {service.kid_of(PUBLIC): PUBLIC}
    good = service.issue(KEY, "subject", "a service")
    header, payload, signature = good.split(".")
    stranger = girih.ml_dsa_65.SigningKey.generate()
    claims = girih.envelopes.verify(PUBLIC, good.encode(), format="jws")
    kid = service.kid_of(PUBLIC).encode()

    def signed(key: Any, claims: bytes, typ: str | None = "at+jwt") -> Any:
        return girih.envelopes.sign(key, claims, format="jws", kid=kid, typ=typ).decode()

    for token, error, text in (
        (service.issue(KEY, "subject", "a service", seconds=-1), "ExpiredSignature", "expired"),
        (service.issue(KEY, "subject", "another"), "InvalidAudience", "Audience"),
        (service.issue(stranger, "subject", "a service"), "InvalidToken", "kid is .*the issuer"),
        (signed(stranger, claims), "InvalidSignature", "verification failed"),
        (f"{header}.{payload}.{signature[:-4]}AAAA", "InvalidSignature", "verification failed"),
        (signed(KEY, claims, "JWT"), "InvalidToken", "typ is 'JWT'"),
        (signed(KEY, claims, None), "InvalidToken", "typ is None"),
        (signed(KEY, b'{"aud":"a service"}'), "MissingRequiredClaim", "exp"),
        (signed(girih.ml_dsa_44.SigningKey.generate(), claims), "InvalidAlgorithm", "alg"),
    ):
        with pytest.raises(getattr(jwt, f"{error}Error"), match=text):
            service.claims_of(token, keys, "a service")
    with pytest.raises(jwt.InvalidKeyError, match="not a key of ML-DSA-65: ml_dsa_44.SigningKey"):
        service.issue(girih.ml_dsa_44.SigningKey.generate(), "subject", "a service")
