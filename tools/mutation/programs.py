"""The programs of tools/mutate: each with the files that are mutated and the tests that should
notice."""

from dataclasses import dataclass, field


@dataclass
class Program:
    """Files that are mutated together, and the tests that should notice."""

    name: str
    files: list[str]  # mutated: patterns
    compiled: list[str]  # with the mutants inside: patterns
    built: list[str]  # tests that include none of the files, as the build has them: FOLDER/PATH
    tests: str = "*"  # a filter
    numbers: list[str] = field(default_factory=list)  # files whose numbers are mutated too
    libraries: list[str] = field(default_factory=lambda: ["libgirih.a"])
    linked: list[str] = field(default_factory=list)  # libraries of the system
    environment: dict[str, str] = field(default_factory=dict)
    # Whether all its survivors have been judged; if not, it is mutated only if it is named.
    is_judged: bool = True


SLOW = "Attempts.AreAsMany*:FalconSignaturesInNumbers.*"
PROGRAMS = [
    Program(
        "api",
        [
            "src/api/*.cpp",
            "src/api/[!ps]*/*.cpp",
            "src/api/prepared_keys/prepared_keys.cpp",
            "src/api/*.hpp",
            "src/api/*/*.hpp",
        ],
        ["src/api/*.cpp", "src/api/*/*.cpp", "tests/api/buffers_test.cpp"],
        [
            "api/batches_test",
            "api/faults_test",
            "api/functions_test",
            "api/messages_test",
            "api/names_test",
            "api/selftest_test",
            "negative/falcon_verdicts_test",
            "negative/kem_verdicts_test",
            "negative/ml_kem_verdicts_test",
            "negative/ml_dsa_verdicts_test",
            "negative/signed_messages_test",
            "unit/falcon/falcon_test",
            "unit/interfaces/keygen_sign_verify_test",
            "unit/interfaces/public_cpp_test",
            "unit/interfaces/public_kems_test",
            "unit/ml_dsa/rejection_test",
            "unit/ntru_prime/kem_test",
        ],
        f"*-{SLOW}",
    ),
    Program(
        "ml_dsa",
        [
            "src/ml_dsa/encoding/keys_and_signatures.hpp",
            "src/ml_dsa/encoding/hint.hpp",
            "src/ml_dsa/encoding/bit_pack.hpp",
            "src/ml_dsa/kernels/rounding.hpp",
            "src/ml_dsa/standard/key_check.hpp",
            "src/ml_dsa/standard/keygen.hpp",
            "src/ml_dsa/standard/sign.hpp",
            "src/ml_dsa/standard/verify.hpp",
            "src/ml_dsa/sampling/expand.hpp",
            "src/ml_dsa/lanes/sampling.hpp",
            "src/ml_dsa/lanes/keygen.hpp",
            "src/ml_dsa/lanes/verify.hpp",
            "src/module_lattice/packing.hpp",
            "src/module_lattice/rejection.hpp",
        ],
        [
            "tests/mutation/ml_dsa.cpp",
            "tests/mutation/ml_dsa_kernels.cpp",
            "tests/kernels/ml_dsa_kernels_test.cpp",
            "tests/kernels/ml_dsa_coding_kernels_test.cpp",
            "tests/unit/ml_dsa/sampling_test.cpp",
            "tests/unit/ml_dsa/lanes_test.cpp",
            "tests/cross_isa/engine_in_use.cpp",
            "tests/cross_isa/engines_test.cpp",
            "tests/cross_isa/kem_operations.cpp",
            "tests/cross_isa/signing.cpp",
            "tests/negative/ml_dsa_verdicts_test.cpp",
        ],
        ["unit/interfaces/keygen_sign_verify_test"],
        "*-*MakeTheHintsThatChange*:*KeygenSignVerify.Refuses*:*KeygenSignVerify.ASecretKey*:"
        "*KeygenSignVerify.HasOneMu*:*KeygenSignVerify.MakesOfEveryRow*:PreHashes.*:"
        "*MakesTheSameBytes*:FalconOperations.*:NoEngineDeathTest.*",
        numbers=[
            "src/ml_dsa/kernels/rounding.hpp",
            "src/ml_dsa/sampling/expand.hpp",
            "src/ml_dsa/lanes/sampling.hpp",
            "src/ml_dsa/encoding/bit_pack.hpp",
            "src/ml_dsa/encoding/keys_and_signatures.hpp",
            "src/ml_dsa/encoding/hint.hpp",
            "src/module_lattice/packing.hpp",
            "src/module_lattice/rejection.hpp",
        ],
        environment={"GIRIH_ISA": "portable"},
    ),
    Program(
        "falcon",
        [
            "src/falcon/encoding/bit_fields.hpp",
            "src/falcon/small/verify.hpp",
            "src/falcon/sampling/hash_to_point.hpp",
            "src/falcon/standard/key_check.hpp",
            "src/falcon/params.hpp",
            "src/falcon/encoding/public_key.hpp",
            "src/falcon/sampling/sampler.hpp",
            "src/falcon/encoding/secret_key.hpp",
            "src/falcon/encoding/signature.hpp",
            "src/falcon/standard/verify.hpp",
        ],
        [
            "tests/mutation/falcon.cpp",
            "tests/unit/falcon/sampling_test.cpp",
            "tests/negative/falcon_decoder_test.cpp",
            "tests/negative/falcon_verdicts_test.cpp",
        ],
        ["unit/falcon/falcon_test", "negative/signed_messages_test"],
        numbers=[
            "src/falcon/params.hpp",
            "src/falcon/sampling/sampler.hpp",
            "src/falcon/sampling/hash_to_point.hpp",
            "src/falcon/encoding/signature.hpp",
            "src/falcon/encoding/bit_fields.hpp",
            "src/falcon/standard/verify.hpp",
        ],
        environment={"GIRIH_ISA": "portable"},
    ),
    Program(
        "ml_kem",
        [
            "src/ml_kem/lanes/decapsulate.hpp",
            "src/ml_kem/lanes/encapsulate.hpp",
            "src/ml_kem/lanes/encryption.hpp",
            "src/ml_kem/lanes/key_check.hpp",
            "src/ml_kem/lanes/keygen.hpp",
            "src/ml_kem/lanes/prepared_key.hpp",
            "src/ml_kem/lanes/sampling.hpp",
            "src/ml_kem/kernels/compress.hpp",
            "src/ml_kem/encoding/byte_encode.hpp",
        ],
        [
            "tests/mutation/ml_kem.cpp",
            "tests/negative/ml_kem_verdicts_test.cpp",
            "tests/cross_isa/engine_in_use.cpp",
            "tests/cross_isa/engines_test.cpp",
            "tests/cross_isa/kem_operations.cpp",
            "tests/cross_isa/kem_rejection_test.cpp",
            "tests/cross_isa/signing.cpp",
        ],
        ["api/functions_test", "unit/interfaces/public_kems_test"],
        "*-*MakesTheSameBytes*:OfNtruPrime/*:FalconOperations.*:NoEngineDeathTest.*",
        numbers=["src/ml_kem/kernels/compress.hpp", "src/ml_kem/lanes/sampling.hpp"],
        environment={"GIRIH_ISA": "portable"},
        is_judged=False,
    ),
    Program(
        "ntru_prime",
        [
            "src/ntru_prime/encoding/encode.hpp",
            "src/ntru_prime/standard/kem.hpp",
            "src/ntru_prime/standard/key_check.hpp",
            "src/ntru_prime/standard/lprime.hpp",
            "src/ntru_prime/sampling/expand.hpp",
            "src/ntru_prime/sampling/short_random.hpp",
            "src/ntru_prime/standard/streamlined.hpp",
        ],
        [
            "tests/mutation/ntru_prime.cpp",
            "tests/unit/ntru_prime/ntru_prime_test.cpp",
            "tests/cross_isa/engine_in_use.cpp",
            "tests/cross_isa/engines_test.cpp",
            "tests/cross_isa/kem_operations.cpp",
            "tests/cross_isa/kem_weight_test.cpp",
            "tests/cross_isa/signing.cpp",
            "tests/negative/kem_verdicts_test.cpp",
        ],
        ["api/batches_test", "api/functions_test", "unit/ntru_prime/kem_test"],
        # (engine_in_use.cpp chooses the engine, whatever GIRIH_ISA says.)
        f"*-{SLOW}:*MakesTheSameBytes*:FalconOperations.*:NoEngineDeathTest.*",
        numbers=[
            "src/ntru_prime/encoding/encode.hpp",
            "src/ntru_prime/sampling/expand.hpp",
            "src/ntru_prime/sampling/short_random.hpp",
            "src/ntru_prime/standard/lprime.hpp",
            "src/ntru_prime/standard/streamlined.hpp",
        ],
        environment={"GIRIH_ISA": "portable"},
    ),
    Program(
        "key_files",
        ["src/key_files/*.cpp", "src/key_files/encryption/*.cpp"],
        ["src/key_files/*.cpp", "src/key_files/encryption/*.cpp"],
        ["key_files/*"],
        is_judged=False,
    ),
    Program(
        "provider",
        [
            "provider/[!h]*.cpp",
            "provider/hybrid.cpp",
            "provider/context.hpp",
            "provider/parameters.hpp",
        ],
        ["provider/[!h]*.cpp", "provider/hybrid.cpp"],
        ["provider/*"],
        "*-*DeathTest.*",
        libraries=["libgirih_key_files.a", "libgirih.a"],
        linked=["-lcrypto"],
        is_judged=False,
    ),
]
