"""NIST's deterministic ACVP signatures of FIPS 204, a line each: acvp.py FOLDER. Between tabs: the
parameter set, the seed, the secret key, mu, the message, the context, the pre-hash and the
signature."""

import gzip
import json
import sys
from pathlib import Path

for kind in ["ML-DSA-sigGen-FIPS204", "ML-DSA-sigGen-FIPS204-tr1"]:
    prompts, results = (
        json.loads(gzip.open(Path(sys.argv[1]) / "acvp" / kind / f"{name}.json.gz").read())
        for name in ["prompt", "expectedResults"]
    )
    for group, result in zip(prompts["testGroups"], results["testGroups"]):
        for test, made in zip(group["tests"], result["tests"]):
            is_unframed = group["signatureInterface"] == "internal" and not group["externalMu"]
            if not group["deterministic"] or is_unframed:
                continue
            fields = [test.get(name, "") for name in ["seed", "sk", "mu", "message", "context"]]
            pre_hash = test["hashAlg"] if group.get("preHash") == "preHash" else ""
            print(group["parameterSet"], *fields, pre_hash, made["signature"], sep="\t")
