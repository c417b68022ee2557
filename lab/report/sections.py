"""The page's sections: charts and tables of the race, the benchmark and the footprint.

Each function returns a section's HTML, or nothing where its data are missing.
"""

import re

from charts import (
    curves,
    escaped,
    figure,
    groups,
    intervals,
    legend,
    paths,
    short,
    size,
    table,
    three_digits,
    time,
    under_names,
)
from rows import ENGINES, SCHEMES, of_benchmark, of_race

SPEED = "operations a second"
MOST_BARS = 10
PLAIN = ("keygen", "sign", "verify", "encapsulate", "decapsulate")
CURVES = (
    "girih",
    "second",
    "portable",
    "undecided",
    "peer",
)  # classes of several curves of one engine


def drawn(figures):
    return f'<div class="figures">{"".join(figures)}</div>' if figures else ""


def kind_of(row):
    """The class of a racer's colour."""
    engine = re.search(r"\[(\w+)\]", row["name"])
    return (
        f"girih {engine.group(1)}"
        if row["girih"] and engine
        else "girih"
        if row["girih"]
        else "peer"
    )


def plain_name(row):
    """Without the compiler: "girih[avx2]", "mldsa-native avx2"."""
    return re.sub(r" \((gcc|clang)[^)]*\)$| (clang\+\+|g\+\+)\S*$", "", row["name"])


def per_second(row, key="ns"):
    return 1e9 / row[key]


class Race:
    """The race's rows by algorithm and operation."""

    def __init__(self, data):
        self.data = data
        self.groups = {}
        for row in data["measurements"]:
            self.groups.setdefault((row["algorithm"], row["operation"]), []).append(row)
        self.algorithms = list(dict.fromkeys(algorithm for algorithm, _ in self.groups))

    def operations(self, algorithm):
        return [operation for name, operation in self.groups if name == algorithm]

    def fastest_builds(self, algorithm, operation):
        """The row of each racer's fastest compiler, the fastest racer first."""
        best = {}
        for row in sorted(self.groups.get((algorithm, operation), []), key=lambda row: row["ns"]):
            best.setdefault(plain_name(row), row)
        return list(best.values())

    def best_engine(self):
        """The last in the list: each engine has more instructions than the one before."""
        found = {row["engine"] for row in self.data["operations"]}
        return [engine for engine in ENGINES if engine in found][-1]

    def ratios(self, engine):
        """The entries of an engine with a fastest peer, of the faster compiler."""
        best = {}
        for entry in self.data["operations"]:
            if entry["engine"] != engine or "ratio_interval" not in entry:
                continue
            key = entry["algorithm"], entry["operation"]
            if key not in best or entry["girih_ns"] < best[key]["girih_ns"]:
                best[key] = entry
        return best


def runs_as(row):
    return "" if row["runs"] == row["operation"] else row["runs"]


def throughput(race):
    """Operations a second beside each peer: a figure for each algorithm and plain operation."""
    parts = []
    for algorithm in race.algorithms:
        figures = []
        for operation in (name for name in race.operations(algorithm) if name in PLAIN):
            rows = race.fastest_builds(algorithm, operation)
            shown = rows[:MOST_BARS] + [row for row in rows[MOST_BARS:] if row["girih"]]
            entries = [
                (
                    plain_name(row),
                    [
                        (
                            "",
                            kind_of(row),
                            per_second(row),
                            (per_second(row, "p90_ns"), per_second(row, "p10_ns")),
                        )
                    ],
                )
                for row in shown
            ]
            title = f"{algorithm}, {operation}"
            cells = [
                [
                    row["name"],
                    per_second(row),
                    row["ns"] / 1000,
                    row["p10_ns"] / 1000,
                    row["p90_ns"] / 1000,
                    runs_as(row),
                    row["count"],
                ]
                for row in sorted(race.groups[algorithm, operation], key=lambda row: row["ns"])
            ]
            heads = ["library", "a second", "µs, median", "10 %", "90 %", "runs", "count"]
            figures.append(figure(title, groups(entries, f"{title}: {SPEED}", short), heads, cells))
        name = re.sub(r"\W+", "-", algorithm.lower())
        parts.append(
            f'<details class="algorithm" id="speed-{name}"{" open" if algorithm == race.algorithms[0] else ""}>'
            f"<summary><h3>{escaped(algorithm)}</h3></summary>{drawn(figures)}</details>"
        )
    return "".join(parts)


def ratios(race):
    """The ratio to the fastest peer with its interval."""
    engine = race.best_engine()
    figures = []
    chosen = race.ratios(engine)
    for algorithm in race.algorithms:
        entries = {
            operation: entry for (name, operation), entry in chosen.items() if name == algorithm
        }
        if not entries:
            continue
        points, cells = [], []
        for operation, entry in entries.items():
            low, median, high = entry["ratio_interval"]
            kind = "undecided" if entry["ratio_crosses_1"] else "peer" if median < 1 else "girih"
            points.append((operation, low, median, high, kind))
            stand_in = entry["stand_ins"].get(entry["fastest_peer"], operation)
            cells.append(
                [
                    operation,
                    entry["fastest_peer"],
                    runs_as({"runs": stand_in, "operation": operation}),
                    median,
                    low,
                    high,
                    kind,
                ]
            )
        title = f"{algorithm}: girih[{engine}] against the fastest peer"
        figures.append(
            figure(
                title,
                intervals(points, title, "the peer's time divided by girih's"),
                ["operation", "fastest peer", "it runs", "ratio", "low", "high", "faster"],
                cells,
            )
        )
    return drawn(figures)


def builds(race):
    """Builds of girih against the first of them, on every engine."""
    figures, chosen = [], {}
    for entry in race.data["operations"]:
        if "first_build_ratio_interval" in entry:
            chosen.setdefault((entry["algorithm"], entry["engine"], entry["compiler"]), []).append(
                entry
            )
    for (algorithm, engine, build), entries in chosen.items():
        ratios_of = [
            (entry["operation"], *entry["first_build_ratio_interval"]) for entry in entries
        ]
        points = [
            (
                *ratio,
                "undecided" if ratio[1] <= 1 <= ratio[3] else "girih" if ratio[1] > 1 else "peer",
            )
            for ratio in ratios_of
        ]
        title = f"{algorithm}: girih[{engine}] {build} against the first build"
        figures.append(
            figure(
                title,
                intervals(points, title, "the first build's time divided by this one's"),
                ["operation", "low", "ratio", "high"],
                [list(ratio) for ratio in ratios_of],
            )
        )
    return drawn(figures)


def rejections(race):
    """The times of single signatures: girih's and the fastest peers'."""
    figures = []
    for algorithm in race.algorithms:
        rows = [
            row
            for row in race.fastest_builds(algorithm, "sign")
            if "messages_ns" in row and runs_as(row) == ""
        ]
        ours = [row for row in rows if row["girih"]]
        if not ours:
            continue
        shown = ours[:2] + [row for row in rows if not row["girih"]][:2]
        colours = ["girih avx512", "girih avx2", "peer", "peer second"]
        series = [
            (plain_name(row), [ns / 1000 for ns in row["messages_ns"]], kind)
            for row, kind in zip(shown, colours)
        ]
        title = f"{algorithm}: signatures done within a time"
        steps = len(shown[0]["messages_ns"]) - 1
        heads = ["library", "least", "10 %", "25 %", "50 %", "75 %", "90 %", "greatest, µs"]
        cells = [
            [row["name"]]
            + [
                row["messages_ns"][round(steps * share)] / 1000
                for share in (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1)
            ]
            for row in rows
        ]
        figures.append(
            figure(
                title,
                curves(series, title, "µs for a signature; each message's median"),
                heads,
                cells,
                keys=legend([(name, kind) for name, _, kind in series]),
            )
        )
    return drawn(figures)


def rows_of_girih(benchmarks, race):
    """The benchmark's rows, of the operations and of the components; without them the race's."""
    rows = [row for data in benchmarks for row in of_benchmark(data)]
    return rows or sorted(of_race(race.data), key=lambda row: row.value) if race else rows


def engines_in(rows):
    found = {row.engine for row in rows}
    return [engine for engine in ENGINES if engine in found]


def quick(rows, **wanted):
    """The fastest row with these properties."""
    found = [
        row for row in rows if all(getattr(row, name) == value for name, value in wanted.items())
    ]
    return min(found, key=lambda row: row.value) if found else None


def cells_of(rows):
    """Rows of a table with the heads in HEADS."""
    return [
        [row.algorithm, row.title, row.engine, row.value, *(row.spread or ("-", "-")), row.samples]
        for row in rows
    ]


HEADS = ["algorithm", "operation", "engine", "ns, median", "10 %, ns", "90 %, ns", "samples"]


def operations(rows):
    """For each scheme a line of figures, of an operation each: the algorithms, with a bar for each
    engine."""
    rows = [row for row in rows if not row.component and row.batch == 1 and row.message == 32]
    lines = []
    for scheme in dict.fromkeys(SCHEMES.values()):
        figures = []
        for operation in PLAIN:
            of_operation = [
                row for row in rows if row.scheme == scheme and row.operation == operation
            ]
            algorithms = dict.fromkeys(row.algorithm for row in of_operation)
            best = {
                name: [
                    quick(of_operation, algorithm=name, engine=engine)
                    for engine in engines_in(of_operation)
                ]
                for name in algorithms
            }
            entries = [
                (
                    name,
                    [
                        (row.engine, f"girih {row.engine}", row.value, row.spread)
                        for row in chosen
                        if row
                    ],
                )
                for name, chosen in best.items()
            ]
            if entries:
                title = f"{scheme}: {operation}"
                cells = cells_of([row for chosen in best.values() for row in chosen if row])
                figures.append(figure(title, groups(entries, f"{title}, time", time), HEADS, cells))
        lines.append(drawn(figures))
    keys = legend([(engine, f"girih {engine}") for engine in engines_in(rows)])
    return keys + "".join(lines) if any(lines) else ""


def components(rows):
    """The components of each scheme, the slowest first, on the widest engine."""
    rows = [row for row in rows if row.component]
    engine = (engines_in(rows) or [""])[-1]
    figures = []
    for subject in dict.fromkeys(row.algorithm for row in rows):
        chosen = sorted(
            (row for row in rows if row.algorithm == subject and row.engine == engine),
            key=lambda row: -row.value,
        )
        entries = [(row.operation, row.value, row.spread, f"girih {engine}") for row in chosen]
        title = f"{subject}: {len(entries)} components"
        figures.append(
            figure(
                title,
                under_names(entries, f"{title}, time", time),
                HEADS,
                cells_of(chosen),
                f"On {engine}; the axis is logarithmic.",
            )
        )
    return drawn(figures)


def messages(rows):
    """The time of signing and verifying by the length of the message."""
    rows = [
        row
        for row in rows
        if not row.component and row.batch == 1 and row.operation in ("sign", "verify")
    ]
    figures = []
    for algorithm, operation in dict.fromkeys(
        (row.algorithm, row.operation) for row in rows if row.message != 32
    ):
        chosen = sorted(
            (row for row in rows if (row.algorithm, row.operation) == (algorithm, operation)),
            key=lambda row: (ENGINES.index(row.engine), row.message),
        )
        series = [
            (
                engine,
                [(row.message, row.value) for row in chosen if row.engine == engine],
                f"girih {engine}",
            )
            for engine in engines_in(chosen)
        ]
        title = f"{algorithm}: {operation} by the length of the message"
        cells = [
            [f"{size(row.message)}, {row.engine}", row.value, row.value / row.message]
            for row in chosen
        ]
        figures.append(
            figure(
                title,
                paths(series, title, "bytes of the message", size, time),
                ["message, engine", "ns", "ns a byte"],
                cells,
                "Both axes are logarithmic.",
                legend([(name, kind) for name, _, kind in series]),
            )
        )
    return drawn(figures)


def batches(rows):
    """The gain of prepared keys and of calls for many rows, on the widest engine."""
    rows = [row for row in rows if not row.component and row.message == 32]
    engine = (engines_in(rows) or [""])[-1]
    rows = [row for row in rows if row.engine == engine]
    gains, bars_of = {}, {}
    for row in rows:
        base = row.operation.removesuffix(" prepared").removesuffix(" many")
        plain = quick(rows, algorithm=row.algorithm, operation=base, batch=1)
        if plain and row.operation != base and base in PLAIN:
            gains.setdefault((row.algorithm, row.operation), {})[row.batch] = (
                plain.value / row.value
            )
            bars_of.setdefault(row.algorithm, {}).setdefault(row.operation, row)
    # A scheme whose algorithms have one such operation each is one chart.
    charts = {}
    for algorithm, chosen in bars_of.items():
        for operation, row in chosen.items():
            alone = len(chosen) == 1
            charts.setdefault(row.scheme if alone else algorithm, []).append(
                (f"{algorithm} {operation}" if alone else operation, row)
            )
    said = f"On {engine}: times as fast as from bytes, one at a time."
    figures = []
    for name, entries in charts.items():
        gained = [
            (label, row, gains[row.algorithm, row.operation][row.batch]) for label, row in entries
        ]
        title = f"{name}: prepared keys and batches"
        bars = [(label, [("", f"girih {engine}", gain, None)]) for label, _, gain in gained]
        cells = [[f"{row.algorithm} {row.title}", row.value, gain] for _, row, gain in gained]
        figures.append(
            figure(
                title,
                groups(bars, f"{title}, times as fast", three_digits),
                ["operation", "ns a row", "times as fast"],
                cells,
                said,
            )
        )
    for name in bars_of:
        by_batch = [
            (operation, sorted({1: 1.0, **points}.items()))
            for (algorithm, operation), points in gains.items()
            if algorithm == name and len(points) > 2
        ]
        series = [(operation, points, kind) for (operation, points), kind in zip(by_batch, CURVES)]
        if series:
            title = f"{name}: rows of a batch"
            cells = [
                [f"{operation}, {count} rows", gain]
                for operation, points in by_batch
                for count, gain in points
            ]
            figures.append(
                figure(
                    title,
                    paths(series, title, "rows in a call", short, three_digits),
                    ["operation", "times as fast"],
                    cells,
                    said,
                    legend([(operation, kind) for operation, _, kind in series]),
                )
            )
    return drawn(figures)


def milliseconds(cycles):
    """On a Cortex-M7 at 480 MHz, by boards/footprint's estimate of 1.06 instructions a cycle."""
    return cycles / 1.06 / 480_000


def microcontroller(rows):
    """Time, flash and memory on a Cortex-M7 beside the best known ones."""
    times, flash, memory, cells = [], [], [], []

    def bar(entries, name, value, kind="girih"):
        entries.append((name, [("", kind, value, None)]))

    for row in (row for row in rows if row["preset"] == "release" and row["operations"]):
        image, known = row["image"], row.get("known", {})
        bar(flash, image, row["flash"] / 1000)
        if known:
            bar(flash, "known", known["flash"] / 1000, "peer")
        for operation, figures in row["operations"].items():
            name = f"{image} {operation}"
            bar(times, name, milliseconds(figures["median_cycles"]))
            if best := figures.get("best_known_cycles"):
                bar(times, "known", milliseconds(best), "peer")
            if on_board := known.get(f"{operation}_milliseconds"):
                bar(times, "known, on a board", on_board, "peer second")
            bar(memory, name, figures["ram"] / 1000)
            cells.append(
                [
                    name,
                    milliseconds(figures["median_cycles"]),
                    figures["median_cycles"],
                    figures.get("best_known_cycles", "-"),
                    on_board or "-",
                    figures["stack_bytes"],
                    figures["ram"],
                    row["flash"],
                ]
            )
        if known.get("static_ram"):
            bar(memory, f"{image} known, no stack", known["static_ram"] / 1000, "peer")
    heads = [
        "operation",
        "ms at 480 MHz, estimated",
        "instructions",
        "best known, instructions",
        "known, ms on a board",
        "stack, bytes",
        "RAM, bytes",
        "FLASH of the image, bytes",
    ]
    keys = legend(
        [
            ("girih", "girih"),
            ("the best known, same emulator", "peer"),
            ("known, measured on a board", "peer second"),
        ]
    )
    estimated = "Estimated from the emulator's instructions, which repeat exactly: 480 MHz, 1.06 instructions a cycle."
    short_ones = [entry for entry in times if entry[1][0][2] < 10]
    return drawn(
        [
            figure(
                f"Cortex-M7: {name}",
                groups(entries, f"{name}, {unit}", short),
                heads,
                cells,
                note,
                keys,
            )
            for name, entries, unit, note in (
                ("milliseconds, short operations", short_ones, "ms", estimated),
                (
                    "milliseconds, long operations",
                    [entry for entry in times if entry not in short_ones],
                    "ms",
                    estimated,
                ),
                (
                    "FLASH, thousand bytes",
                    flash,
                    "kB",
                    "An image for the NUCLEO-H753ZI less a blank one, -O3.",
                ),
                (
                    "RAM, thousand bytes",
                    memory,
                    "kB",
                    "Peak stack and the keys that an operation uses.",
                ),
            )
            if entries
        ]
    )


def reference(benchmarks):
    """The reference beside the optimized engines: totals of NTRU Prime's operations."""
    pattern = re.compile(r"bench_ntru_prime::routine<([^,]+), ([^>]+)>/([^/]+)/(.*)")
    routines = [
        (match.groups(), row)
        for data in benchmarks
        for row in data["benchmarks"]
        if (match := pattern.match(row["name"]))
    ]
    figures = []
    for chosen in dict.fromkeys(name for (name, *_), _ in routines):
        cycles, totals = {}, {}
        for (name, engine, operation, _), row in routines:
            if name == chosen:
                routine = f"{operation}: {row['label'].split(': ', 1)[1]}"
                cycles.setdefault(routine, {})[engine] = row["cycles"]
                if row.get("is_total"):
                    totals.setdefault(operation, {})[engine] = row["cycles"]
        names = list(
            dict.fromkeys(engine for of_routine in cycles.values() for engine in of_routine)
        )
        kinds = [(engine, f"girih {engine}") for engine in names if engine != "reference"]
        entries = [
            (
                operation,
                [
                    (engine, kind, engines["reference"] / engines[engine], None)
                    for engine, kind in kinds
                    if engine in engines
                ],
            )
            for operation, engines in totals.items()
            if "reference" in engines and len(engines) > 1
        ]
        if not entries:  # the benchmark was interrupted
            continue
        cells = [
            [routine] + [int(engines[engine]) if engine in engines else "-" for engine in names]
            for routine, engines in cycles.items()
        ]
        title = f"{chosen}: times as fast as the reference"
        figures.append(
            figure(
                title,
                groups(entries, title, short),
                ["routine"] + [f"{engine}, cycles" for engine in names],
                cells,
                "Whole operations; the table has the cycles of every routine.",
                legend(kinds),
            )
        )
    return drawn(figures)


def all_rows(rows):
    """One table of everything, which the page's script filters, sorts and saves."""
    if not rows:
        return ""
    body = table(
        HEADS, cells_of(rows), "All rows; a row of a batch is one of its calls divided by the batch"
    )
    return f'<div class="filtered">{body}</div>'


def environment(race, benchmarks):
    """The machine, compilers and versions of the measurements."""

    def flat(value):
        if isinstance(value, dict):
            return "; ".join(f"{name} {flat(item)}" for name, item in value.items()) or "none"
        return "; ".join(map(flat, value)) if isinstance(value, list) else str(value)

    def listed(value, name):
        return table(
            ["name", "value"],
            [[key.replace("_", " "), flat(item)] for key, item in value.items()],
            name,
            False,
        )

    parts = [listed(race["environment"], "make compare")] if race.get("environment") else []
    parts += [
        listed(data["context"], "make benchmark: " + data["context"].get("engine", ""))
        for data in benchmarks[:1]
        if data.get("context")
    ]
    if race.get("peers"):
        versions = race["environment"].get("versions", {})
        parts.append(
            table(
                ["peer", "package", "code", "note"],
                [
                    [
                        peer["name"],
                        f"{peer['package']} {versions.get(peer['package'], '')}",
                        peer["code"],
                        peer["note"],
                    ]
                    for peer in race["peers"]
                ],
                "Peers",
                False,
            )
        )
    if race.get("sizes"):
        made = ("public_key", "secret_key", "signature", "ciphertext")
        parts.append(
            table(
                ["algorithm", *(name.replace("_", " ") for name in made)],
                [
                    [name, *(bytes_of.get(what, "-") for what in made)]
                    for name, bytes_of in race["sizes"].items()
                ],
                "Sizes in bytes",
            )
        )
    if race.get("missing"):
        parts.append(
            table(
                ["who", "why"],
                [[absent["name"], absent["reason"]] for absent in race["missing"]],
                "Not in the race",
                False,
            )
        )
    return "".join(parts)


def headline(race, rows, benchmarks):
    """The counts in a sentence or two."""
    said = []
    if race:
        engine = race.best_engine()
        entries = race.ratios(engine).values()
        ahead = sum(entry["ratio"] > 1 and not entry["ratio_crosses_1"] for entry in entries)
        even = sum(entry["ratio_crosses_1"] for entry in entries)
        behind = len(entries) - ahead - even
        said.append(
            f"On the engine {escaped(engine)}, girih is faster than the fastest peer in <b>{ahead}</b> of "
            f"{len(entries)} operations, slower in <b>{behind}</b>, and in <b>{even}</b> the race does not tell."
        )
    if benchmarks and rows:
        of_engine = ", ".join(
            f"<b>{sum(row.engine == engine for row in rows)}</b> on {engine}"
            for engine in reversed(engines_in(rows))
        )
        machine = benchmarks[0].get("context", {})
        said.append(
            f"Rows of the benchmark: {of_engine}. One core of {escaped(machine.get('processor', 'a processor'))}, "
            f"{escaped(machine.get('compiler', 'a compiler'))}."
        )
    return "".join(f"<p class=headline>{sentence}</p>" for sentence in said)
