"""Rows of results: one shape for what the benchmark, the race and the footprint write."""

import math
import re
from dataclasses import dataclass, field

ENGINES = ("reference", "portable", "avx2", "avx512", "neon", "neon_sha3", "rvv", "rvv256")
NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
# By the beginnings of the algorithms' names.
SCHEMES = {
    "ML-DSA": "ML-DSA",
    "Falcon": "Falcon",
    "ML-KEM": "ML-KEM",
    "sntrup": "NTRU Prime",
    "ntrulpr": "NTRU Prime",
    "Dilithium": "Dilithium",
    "": "Others",
}
QUANTILE = re.compile(r"(min|max|median|p(\d+))_exec_time \(ns\)")
BATCH = re.compile(r", a call of (\d+) rows$")
MESSAGE = re.compile(r", (\d+)-byte message$")
Z_95 = 0.98  # half of the normal distribution's 1.96


@dataclass
class Row:
    """A time, or a count where `unit` says so: of one operation, also where a call has many."""

    name: str  # the same in two runs
    algorithm: str
    operation: str  # without the length of the message and the size of the batch
    engine: str
    value: float
    quantiles: dict = field(default_factory=dict)  # value by share
    samples: int = 0
    batch: int = 1
    message: int = 32
    component: bool = False
    unit: str = "ns"

    @property
    def scheme(self):
        return next(scheme for start, scheme in SCHEMES.items() if self.algorithm.startswith(start))

    @property
    def title(self):
        more = f", batch of {self.batch}" if self.batch > 1 else ""
        more += f", {self.message:,}-byte message" if self.message != 32 else ""
        return self.operation + more

    def at(self, share):
        """The value that this share of the samples does not exceed, interpolated."""
        known = sorted(self.quantiles.items())
        if not known:
            return self.value
        (low, below), (high, above) = known[0], known[-1]
        for quantile, value in known:
            if quantile <= share:
                low, below = quantile, value
            elif quantile < high:
                high, above = quantile, value
        return (
            below
            if high <= low
            else below + (above - below) * min(1, max(0, (share - low) / (high - low)))
        )

    @property
    def interval(self):
        """Where the true median lies by 95 %, by ranks of the sign test; an exact value alone. A
        single sample does not tell."""
        if self.samples == 1:
            return 0.0, math.inf
        half = min(0.5, Z_95 / math.sqrt(self.samples)) if self.samples else 0.5
        return (
            (self.at(0.5 - half), self.at(0.5 + half))
            if self.quantiles
            else (self.value, self.value)
        )

    @property
    def spread(self):
        """From 10 to 90 % of the samples, of which there are at least two; else nothing."""
        return (self.at(0.1), self.at(0.9)) if self.quantiles and self.samples != 1 else None


def share_of(match):
    return (
        {"min": 0.0, "median": 0.5, "max": 1.0}.get(match[1])
        if match[2] is None
        else int(match[2]) / 100
    )


def of_benchmark(data):
    engine = data.get("context", {}).get("engine", "").split(" ")[0]
    for row in data["benchmarks"]:
        if (
            row.get("run_type") != "iteration"
            or "real_time" not in row
            or "::routine<" in row["name"]
        ):
            continue
        algorithm, _, operation = (row.get("label") or row["name"]).partition(": ")
        batch, message = BATCH.search(operation), MESSAGE.search(operation)
        is_component = not row["name"].endswith("/manual_time")
        rows = int(batch[1]) if batch else 1
        quantiles = {
            share_of(match): value / rows
            for key, value in row.items()
            if (match := QUANTILE.match(key))
        }
        operation = operation if is_component else MESSAGE.sub("", BATCH.sub("", operation))
        yield Row(
            f"{row['name']} {engine}",
            algorithm,
            operation,
            engine,
            row["real_time"] * NANOSECONDS[row["time_unit"]] / rows,
            quantiles,
            int(row.get("samples", row.get("iterations", 0))),
            rows,
            int(message[1]) if message and not is_component else 32,
            is_component,
        )


def of_race(data, everybody=False):
    for row in data["measurements"]:
        engine = re.search(r"\[(\w+)\]", row["name"])
        if everybody or (row["girih"] and engine):
            operation = (
                row["operation"].replace("_", " ")
                if not everybody
                else f"{row['operation']}, {row['name']}"
            )
            yield Row(
                f"{row['algorithm']} {row['operation']} {row['name']}",
                row["algorithm"],
                operation,
                engine[1] if engine else "",
                row["ns"],
                {0.1: row["p10_ns"], 0.5: row["ns"], 0.9: row["p90_ns"]},
                row["rounds"],
                32 if "_many" in row["operation"] else 1,
            )


def of_footprint(data):
    for row in data:
        name = f"{row['image']}, {row['preset']}"
        yield Row(f"{name} FLASH", name, "FLASH", "", row["flash"], unit="bytes")
        for operation, figures in row["operations"].items():
            for key, unit in (("median_cycles", "instructions"), ("ram", "bytes")):
                yield Row(
                    f"{name} {operation} {key}",
                    name,
                    f"{operation}, {unit}",
                    "",
                    figures[key],
                    unit=unit,
                )


def rows_of(data):
    """All rows of a file of results, of whatever program."""
    if isinstance(data, list):
        return list(of_footprint(data))
    return list(of_race(data, True) if "measurements" in data else of_benchmark(data))
