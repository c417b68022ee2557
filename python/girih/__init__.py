"""Lattice-based signatures and key encapsulation: ML-DSA, Dilithium, Falcon, ML-KEM, NTRU Prime.

    import girih

    key = girih.ml_dsa_65.SigningKey.generate()
    signature = key.sign(b"message", context=b"release")
    good = key.verifying_key().verify(b"message", signature, context=b"release")

Lengths are in bytes. A bytes-like argument has one dimension of bytes: an array of wider numbers is
a TypeError, as text is. It is read in place, and may not be changed before the call returns, by
another thread or by `progress`; but the keys and contexts of a batch are copied if they can change.
Every function may run on any thread, and releases the interpreter's lock while the library works.
Time and memory accesses do not depend on secret keys, seeds or random bytes, as docs/SOUNDNESS.md
says; this does not cover `bytes` objects that a program makes of secrets. One interpreter of a
process can use girih at a time: in another one, `import girih` is an ImportError.

girih.arrow, girih.hpke, girih.hybrids and girih.ssh are imported when they are first used.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, overload

from girih import _girih, envelopes, key_files
from girih._base import Algorithm, Random, find
from girih._errors import (
    BatchException,
    Error,
    InputException,
    KeyEncryptedException,
    KeyFileException,
    PassphraseException,
    SignatureException,
)
from girih._errors import Exception as Exception  # not in __all__: it would hide Python's own
from girih._errors import Exception as GirihException
from girih._kems import Encapsulation, KemAlgorithm
from girih._secret import SecretBytes
from girih._signatures import SignatureAlgorithm

# facts: imports
from girih.algorithms import (
    ml_dsa_44,
    ml_dsa_65,
    ml_dsa_87,
    dilithium2,
    dilithium3,
    dilithium5,
    falcon_512,
    falcon_1024,
    falcon_padded_512,
    falcon_padded_1024,
    falcon_ct_512,
    falcon_ct_1024,
    ml_kem_512,
    ml_kem_768,
    ml_kem_1024,
    sntrup653,
    sntrup761,
    sntrup857,
    sntrup953,
    sntrup1013,
    sntrup1277,
    ntrulpr653,
    ntrulpr761,
    ntrulpr857,
    ntrulpr953,
    ntrulpr1013,
    ntrulpr1277,
)
# facts: end

if TYPE_CHECKING:
    from girih import arrow as arrow
    from girih import hpke as hpke
    from girih import hybrids as hybrids
    from girih import ssh as ssh

__version__ = _girih.version
__all__ = [
    "Error",
    "GirihException",
    "InputException",
    "SignatureException",
    "KeyFileException",
    "KeyEncryptedException",
    "PassphraseException",
    "BatchException",
    "SecretBytes",
    "Random",
    "Encapsulation",
    "SignatureAlgorithm",
    "KemAlgorithm",
    "algorithm",
    "algorithms",
    "engine",
    "engine_reason",
    "pre_hashes",
    "pre_hash_strength",
    "envelopes",
    "key_files",
    # facts: exports
    "ml_dsa_44",
    "ml_dsa_65",
    "ml_dsa_87",
    "dilithium2",
    "dilithium3",
    "dilithium5",
    "falcon_512",
    "falcon_1024",
    "falcon_padded_512",
    "falcon_padded_1024",
    "falcon_ct_512",
    "falcon_ct_1024",
    "ml_kem_512",
    "ml_kem_768",
    "ml_kem_1024",
    "sntrup653",
    "sntrup761",
    "sntrup857",
    "sntrup953",
    "sntrup1013",
    "sntrup1277",
    "ntrulpr653",
    "ntrulpr761",
    "ntrulpr857",
    "ntrulpr953",
    "ntrulpr1013",
    "ntrulpr1277",
    # facts: end
]


# Modules that are imported when they are first used, with the package that their import needs.
_LATER = {"arrow": None, "hpke": "cryptography", "hybrids": "cryptography", "ssh": "cryptography"}

if not TYPE_CHECKING:  # which would allow every name

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(f"girih.{name}")


def __dir__() -> list[str]:
    """The public names, without modules that cannot be imported: `help` looks at all of them."""
    later = [name for name, needed in _LATER.items() if needed is None or find_spec(needed)]
    return sorted([*__all__, *later, "Exception", "__version__"])


def algorithms() -> list[str]:
    """The names of this build's algorithms."""
    names: list[str] = []
    while (found := _girih.algorithm_at(len(names))) is not None:
        names.append(found.name)
    return names


# facts: overloads
@overload
def algorithm(name: Literal["ML-DSA-44"]) -> type[ml_dsa_44]: ...
@overload
def algorithm(name: Literal["ML-DSA-65"]) -> type[ml_dsa_65]: ...
@overload
def algorithm(name: Literal["ML-DSA-87"]) -> type[ml_dsa_87]: ...
@overload
def algorithm(name: Literal["Dilithium2"]) -> type[dilithium2]: ...
@overload
def algorithm(name: Literal["Dilithium3"]) -> type[dilithium3]: ...
@overload
def algorithm(name: Literal["Dilithium5"]) -> type[dilithium5]: ...
@overload
def algorithm(name: Literal["Falcon-512"]) -> type[falcon_512]: ...
@overload
def algorithm(name: Literal["Falcon-1024"]) -> type[falcon_1024]: ...
@overload
def algorithm(name: Literal["Falcon-padded-512"]) -> type[falcon_padded_512]: ...
@overload
def algorithm(name: Literal["Falcon-padded-1024"]) -> type[falcon_padded_1024]: ...
@overload
def algorithm(name: Literal["Falcon-CT-512"]) -> type[falcon_ct_512]: ...
@overload
def algorithm(name: Literal["Falcon-CT-1024"]) -> type[falcon_ct_1024]: ...
@overload
def algorithm(name: Literal["ML-KEM-512"]) -> type[ml_kem_512]: ...
@overload
def algorithm(name: Literal["ML-KEM-768"]) -> type[ml_kem_768]: ...
@overload
def algorithm(name: Literal["ML-KEM-1024"]) -> type[ml_kem_1024]: ...
@overload
def algorithm(name: Literal["sntrup653"]) -> type[sntrup653]: ...
@overload
def algorithm(name: Literal["sntrup761"]) -> type[sntrup761]: ...
@overload
def algorithm(name: Literal["sntrup857"]) -> type[sntrup857]: ...
@overload
def algorithm(name: Literal["sntrup953"]) -> type[sntrup953]: ...
@overload
def algorithm(name: Literal["sntrup1013"]) -> type[sntrup1013]: ...
@overload
def algorithm(name: Literal["sntrup1277"]) -> type[sntrup1277]: ...
@overload
def algorithm(name: Literal["ntrulpr653"]) -> type[ntrulpr653]: ...
@overload
def algorithm(name: Literal["ntrulpr761"]) -> type[ntrulpr761]: ...
@overload
def algorithm(name: Literal["ntrulpr857"]) -> type[ntrulpr857]: ...
@overload
def algorithm(name: Literal["ntrulpr953"]) -> type[ntrulpr953]: ...
@overload
def algorithm(name: Literal["ntrulpr1013"]) -> type[ntrulpr1013]: ...
@overload
def algorithm(name: Literal["ntrulpr1277"]) -> type[ntrulpr1277]: ...
# facts: end
@overload
def algorithm(name: str) -> type[Algorithm]: ...
def algorithm(name: str) -> type[Algorithm]:
    """The algorithm with a name: `algorithm("ML-DSA-65") is ml_dsa_65`.

    Names are case-insensitive, and hyphens may be left out. KeyError if unknown.
    """
    return find(name)


def engine() -> str:
    """The processor engine in use: "portable", "avx2", ... Error.ENGINE if GIRIH_ISA names none."""
    return _girih.engine()


def engine_reason() -> str:
    """A sentence that says why this engine is used."""
    return _girih.engine_reason()


def pre_hashes() -> list[str]:
    """The names of HashML-DSA's pre-hashes (FIPS 204, Section 5.4)."""
    names: list[str] = []
    while (found := _girih.pre_hash_at(len(names))) is not None:
        names.append(found)
    return names


def pre_hash_strength(name: str) -> int:
    """The collision strength of a pre-hash in bits; ML-DSA-44, 65 and 87 require 128, 192 and 256.

    0 for an unknown name.
    """
    return _girih.pre_hash_strength(name)
