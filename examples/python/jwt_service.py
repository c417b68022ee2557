"""Access tokens (JWT, RFC 9068) signed by ML-DSA: PyJWT checks the claims, girih the signatures.

pip install pyjwt
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import jwt

import girih

ALGORITHM = "ML-DSA-65"
ISSUER = "https://login.example"
TYPE = "at+jwt"  # of an access token, so that no other token of the issuer passes for one


class MlDsa(jwt.algorithms.Algorithm):
    """ML-DSA for PyJWT (RFC 9964), whose keys are SigningKey and VerifyingKey of girih."""

    def __init__(self, algorithm: Any) -> None:
        self._kinds = algorithm.SigningKey, algorithm.VerifyingKey

    def prepare_key(self, key: Any) -> Any:
        if not isinstance(key, self._kinds):
            raise jwt.InvalidKeyError(f"not a key of {ALGORITHM}: {type(key).__qualname__}")
        return key

    def sign(self, msg: bytes, key: Any) -> bytes:
        signature: bytes = key.sign(msg)
        return signature

    def verify(self, msg: bytes, key: Any, sig: bytes) -> bool:
        good: bool = key.verify(msg, sig)
        return good

    @staticmethod
    def to_jwk(key_obj: Any, as_dict: bool = False) -> Any:
        raise NotImplementedError("girih.key_files writes keys")

    @staticmethod
    def from_jwk(jwk: Any) -> Any:
        raise NotImplementedError("girih.key_files reads keys")


jwt.register_algorithm(ALGORITHM, MlDsa(girih.algorithm(ALGORITHM)))


def kid_of(public: girih.ml_dsa_65.VerifyingKey) -> str:
    """The thumbprint of a key (RFC 7638), which names it in tokens."""
    return girih.key_files.thumbprint(public).decode()


def issue(
    key: girih.ml_dsa_65.SigningKey, subject: str, audience: str, *, seconds: int = 300
) -> str:
    """A token by which a subject may use an audience's service for some time."""
    now = int(time.time())
    claims = {"iss": ISSUER, "sub": subject, "aud": audience, "iat": now, "exp": now + seconds}
    headers = {"typ": TYPE, "kid": kid_of(key.verifying_key())}
    return jwt.encode(claims, key, algorithm=ALGORITHM, headers=headers)


def claims_of(
    token: str, keys: Mapping[str, girih.ml_dsa_65.VerifyingKey], audience: str
) -> dict[str, Any]:
    """The claims of a token for an audience, by one of the issuer's keys, whose names are kids.

    Raises jwt.InvalidTokenError: ExpiredSignatureError, InvalidAudienceError, ...
    """
    header = jwt.get_unverified_header(token)  # which chooses among trusted keys, and no more
    if header.get("typ") != TYPE:
        raise jwt.InvalidTokenError(f"typ is {header.get('typ')!r}, not {TYPE!r}")
    public = keys.get(header.get("kid", ""))
    if public is None:
        raise jwt.InvalidTokenError(f"kid is {header.get('kid')!r}, which is not the issuer's")
    return jwt.decode(
        token,
        public,
        algorithms=[ALGORITHM],
        audience=audience,
        issuer=ISSUER,
        options={"require": ["exp", "aud", "iss", "sub"]},
    )


if __name__ == "__main__":
    signing = girih.ml_dsa_65.SigningKey.generate()
    trusted = {kid_of(signing.verifying_key()): signing.verifying_key()}
    print(claims_of(issue(signing, "a subject", "a service"), trusted, "a service"))
