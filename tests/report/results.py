"""Results as the race, the benchmark and the footprint write them, made up and small."""

# Would be a tag, and would end the script that the JSON is in, were they not escaped.
HOSTILE = '<img src="x">'
CLOSING = "</script>"


def measurement(algorithm, operation, name, nanoseconds):
    row = {
        "algorithm": algorithm,
        "operation": operation,
        "name": name,
        "girih": name.startswith("girih"),
        "portable": "portable" in name,
        "runs": operation,
        "ns": nanoseconds,
        "p10_ns": nanoseconds * 0.9,
        "p90_ns": nanoseconds * 1.2,
        "ticks": nanoseconds * 2,
        "rounds": 20,
        "count": 160,
    }
    if operation == "sign":
        row["messages_ns"] = [nanoseconds * (0.5 + step / 50) for step in range(51)]
    return row


def entry(algorithm, operation, engine, nanoseconds, interval):
    return {
        "algorithm": algorithm,
        "operation": operation,
        "engine": engine,
        "compiler": "g++",
        "girih_ns": nanoseconds,
        "peers": {HOSTILE: 1.0},
        "ratios": {HOSTILE: interval},
        "stand_ins": {},
        "fastest_peer": HOSTILE,
        "ratio": interval[1],
        "ratio_interval": interval,
        "ratio_crosses_1": interval[0] <= 1 <= interval[2],
    }


def compare():
    names = (
        (1, "girih[avx2] g++"),
        (3, "girih[portable] g++"),
        (2, HOSTILE),
        (9, "a peer with a name that is long (gcc)"),
    )
    rows, operations = [], []
    for algorithm, of_algorithm in (
        ("ML-DSA-44", ("keygen", "sign", "sign prepared", "sign_many prepared", "verify")),
        (
            "ML-KEM-768",
            ("keygen", "keygen_many", "encapsulate", "encapsulate prepared", "decapsulate"),
        ),
    ):
        for index, operation in enumerate(of_algorithm):
            rows += [
                measurement(algorithm, operation, name, 1000.0 * factor * (index + 1))
                for factor, name in names
            ]
            low = 0.9 if operation == "keygen" else 1.5
            operations.append(
                entry(algorithm, operation, "avx2", 1000.0, [low, low + 0.15, low + 0.3])
            )
            operations.append(entry(algorithm, operation, "portable", 3000.0, [0.5, 0.6, 0.7]))
    return {
        "environment": {"cpu": "a processor", "versions": {"package": "1.0"}, "failures": {}},
        "operations": operations,
        "measurements": rows,
        "peers": [{"name": HOSTILE, "package": "package", "code": "vector", "note": CLOSING}],
        "missing": [{"name": "nobody", "reason": "a reason"}],
        "sizes": {
            "ML-DSA-44": {"public_key": 1312, "secret_key": 2560, "signature": 2420},
            "ML-KEM-768": {"public_key": 1184, "secret_key": 2400, "ciphertext": 1088},
        },
    }


def benchmark(engine="avx2", factor=1.0, slower=()):
    """Rows of an engine, `factor` times as slow, a fifth more with a word of `slower`."""

    def row(name, label, nanoseconds, **more):
        nanoseconds *= factor * (1.2 if any(word in label for word in slower) else 1)
        quantiles = {
            "min": 0.98,
            "p10": 0.98,
            "p40": 0.995,
            "median": 1,
            "p60": 1.005,
            "p90": 1.1,
            "max": 2,
        }
        return {
            "name": name,
            "run_type": "iteration",
            "real_time": nanoseconds,
            "time_unit": "ns",
            "label": label,
            "samples": 400,
            **{f"{name}_exec_time (ns)": nanoseconds * of for name, of in quantiles.items()},
            **more,
        }

    operations = [
        (algorithm, what, nanoseconds)
        for algorithm, step in (("ML-DSA-65", "sign"), ("ML-KEM-768", "encapsulate"))
        for what, nanoseconds in (("keygen", 20e3), (step, 50e3), (f"{step} prepared", 40e3))
    ]
    operations += [
        ("ML-DSA-65", f"keygen many, a call of {rows} rows", 15e3 * rows) for rows in (2, 8, 32)
    ]
    operations += [
        ("ML-DSA-65", f"sign, {length}-byte message", 49e3 + length) for length in (1024, 16384)
    ]
    rows = [
        row(f"{label}/manual_time", label, nanoseconds)
        for label, nanoseconds in (
            (f"{algorithm}: {what}", nanoseconds) for algorithm, what, nanoseconds in operations
        )
    ]
    components = [
        row(f"c{place}", f"ML-DSA and Dilithium: {HOSTILE} of {place} coefficients", 3.0 * 7**place)
        for place in range(6)
    ]
    routines = [
        row(
            f"bench_ntru_prime::routine<sntrup761, {engine}>/enc/{name}",
            f"sntrup761 enc: {name}",
            cycles / 2,
            cycles=cycles,
            is_total=total,
        )
        for engine, factor in (("reference", 50), ("portable", 4), ("avx2", 1))
        for name, cycles, total in (
            ("Rq_mult_small", 900.0 * factor, 0),
            ("total", 1000.0 * factor, 1),
        )
    ]
    return {
        "context": {"engine": f"{engine} (for a reason)", "caches": []},
        "benchmarks": [*components, *rows, *routines],
    }


def footprint():
    def figures(cycles, **more):
        return {
            "median_cycles": cycles,
            "mean_cycles": cycles,
            "stack_bytes": 3000,
            "ram": 4000,
            **more,
        }

    return [
        {
            "image": "falcon-512",
            "preset": "release",
            "public_key": 897,
            "private_key": 1281,
            "flash": 67000,
            "static_ram": 2176,
            "operations": {
                "keygen": figures(30_000_000),
                "verify": figures(190_000),
                "sign": figures(12_000_000, best_known_cycles=14_500_000),
            },
            "known": {
                "flash": 76292,
                "static_ram": 64514,
                "keygen_milliseconds": 266,
                "sign_milliseconds": 61,
            },
            "symbols": {"f": 1},
            "objects": {"f": 1},
        }
    ]
