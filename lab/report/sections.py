"""The page's sections: charts and tables of the race, the benchmark and the footprint."""

import re

from charts import bars, curves, escaped, figure, groups, intervals, legend, scatter, table

ENGINES = ("portable", "avx2", "avx512", "neon", "neon_sha3")
SPEED = "operations a second"
MOST_BARS = 10


def missing(what, command):
    return f'<p class="missing">{escaped(what)} is not in this report: <code>{escaped(command)}</code> measures it.</p>'


def drawn(figures, what, command="make compare"):
    """The figures of a section; if there are none, a line that says how to measure them."""
    return f'<div class="figures">{"".join(figures)}</div>' if figures else missing(what, command)


def kind_of(row):
    """The class of a racer's colour."""
    engine = re.search(r"\[(\w+)\]", row["name"])
    return f"girih {engine.group(1)}" if row["girih"] and engine else "girih" if row["girih"] else "peer"


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

    def girih(self, algorithm, operation, engine):
        for row in self.fastest_builds(algorithm, operation):
            if row["girih"] and f"[{engine}]" in row["name"]:
                return row
        return None

    def engines(self):
        found = {row["engine"] for row in self.data["operations"]}
        return [engine for engine in ENGINES if engine in found]

    def best_engine(self):
        """The last in the list: each engine has more instructions than the one before."""
        return (self.engines() or [""])[-1]

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
    text = []
    for algorithm in race.algorithms:
        figures = []
        for operation in race.operations(algorithm):
            if operation not in ("keygen", "sign", "verify", "encapsulate", "decapsulate"):
                continue
            rows = race.fastest_builds(algorithm, operation)
            shown = rows[:MOST_BARS] + [row for row in rows[MOST_BARS:] if row["girih"]]
            entries = [
                (plain_name(row), per_second(row), per_second(row, "p90_ns"), per_second(row, "p10_ns"), kind_of(row))
                for row in shown
            ]
            title = f"{algorithm}, {operation}"
            cells = [
                [row["name"], per_second(row), row["ns"] / 1000, row["p10_ns"] / 1000, row["p90_ns"] / 1000,
                 runs_as(row), row["count"]]
                for row in sorted(race.groups[algorithm, operation], key=lambda row: row["ns"])
            ]
            heads = ["library", "a second", "µs, median", "10 %", "90 %", "runs", "count"]
            figures.append(figure(title, bars(entries, f"{title}: {SPEED}", SPEED), heads, cells))
        name = re.sub(r"\W+", "-", algorithm.lower())
        text.append(
            f'<details class="algorithm" id="speed-{name}"{" open" if algorithm == race.algorithms[0] else ""}>'
            f'<summary><h3>{escaped(algorithm)}</h3></summary>{drawn(figures, algorithm)}</details>'
        )
    return "".join(text)


def ratios(race):
    """Where girih stands: the ratio to the fastest peer with its interval."""
    engine = race.best_engine()
    figures = []
    chosen = race.ratios(engine)
    for algorithm in race.algorithms:
        entries = {operation: entry for (name, operation), entry in chosen.items() if name == algorithm}
        if not entries:
            continue
        points = []
        for operation, entry in entries.items():
            low, median, high = entry["ratio_interval"]
            points.append((operation, low, median, high,
                           "undecided" if entry["ratio_crosses_1"] else "peer" if median < 1 else "girih"))
        title = f"{algorithm}: girih[{engine}] against the fastest peer"
        cells = [
            [
                operation,
                entry["fastest_peer"],
                runs_as({"runs": entry["stand_ins"].get(entry["fastest_peer"], operation), "operation": operation}),
                entry["ratio_interval"][1],
                entry["ratio_interval"][0],
                entry["ratio_interval"][2],
                "undecided" if entry["ratio_crosses_1"] else "girih" if entry["ratio"] > 1 else "peer",
            ]
            for operation, entry in entries.items()
        ]
        figures.append(
            figure(title, intervals(points, title, "the peer's time divided by girih's"),
                   ["operation", "fastest peer", "it runs", "ratio", "low", "high", "faster"], cells)
        )
    return drawn(figures, "A peer")


def rejections(race):
    """How long single signatures take: girih and the fastest peers."""
    figures = []
    for algorithm in race.algorithms:
        rows = [row for row in race.fastest_builds(algorithm, "sign") if "messages_ns" in row and runs_as(row) == ""]
        ours = [row for row in rows if row["girih"]]
        if not ours:
            continue
        shown = ours[:2] + [row for row in rows if not row["girih"]][:2]
        colours = ["girih avx512", "girih avx2", "peer", "peer second"]
        series = [
            (plain_name(row), [ns / 1000 for ns in row["messages_ns"]], kind) for row, kind in zip(shown, colours)
        ]
        title = f"{algorithm}: signatures done within a time"
        steps = len(shown[0]["messages_ns"]) - 1
        heads = ["library", "least", "10 %", "25 %", "50 %", "75 %", "90 %", "greatest, µs"]
        cells = [
            [row["name"]]
            + [row["messages_ns"][round(steps * share)] / 1000 for share in (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1)]
            for row in rows
        ]
        figures.append(
            figure(title, curves(series, title, "µs for a signature; each message's median"), heads, cells,
                   keys=legend([(name, kind) for name, _, kind in series]))
        )
    return drawn(figures, "Single signatures")


def size_and_speed(race):
    """Bytes that travel against the operations of their receiver and sender."""
    sizes = race.data.get("sizes", {})
    engine = race.best_engine()
    figures = []
    for title, made, operations in (("Signatures", "signature", ("sign", "verify")),
                                    ("Key encapsulation", "ciphertext", ("encapsulate", "decapsulate"))):
        for operation in operations:
            points, cells = [], []
            for algorithm in race.algorithms:
                size, row = sizes.get(algorithm) or {}, race.girih(algorithm, operation, engine)
                if not size.get(made) or row is None:
                    continue
                total = size["public_key"] + size[made]
                points.append((algorithm, total, per_second(row), f"girih {engine}"))
                rivals = [row for row in race.fastest_builds(algorithm, operation) if not row["girih"]]
                best = per_second(rivals[0]) if rivals else None
                cells.append(
                    [algorithm, size["public_key"], size["secret_key"], size[made], total, per_second(row), best or "-"]
                )
            if points:
                name = f"{title}: {operation}, speed against size"
                heads = ["algorithm", "public key", "secret key", made, f"public key and {made}",
                         f"{operation}, a second", "fastest peer's"]
                figures.append(
                    figure(name, scatter(points, name, f"bytes of a public key and a {made}", SPEED), heads,
                           cells, f"girih[{engine}]")
                )
    return drawn(figures, "Sizes")


def engines(race):
    """Every engine's speed, as a multiple of the portable one's."""
    names = race.engines()
    if len(names) < 2 or "portable" not in names:
        return missing("The portable engine beside another", "make compare")
    figures = []
    kinds = [(engine, f"girih {engine}") for engine in names]
    for algorithm in race.algorithms:
        entries, cells = [], []
        for operation in race.operations(algorithm):
            rows = {engine: race.girih(algorithm, operation, engine) for engine in names}
            if not all(rows.values()):
                continue
            entries.append((operation, [rows["portable"]["ns"] / rows[engine]["ns"] for engine in names]))
            cells.append(
                [operation]
                + [per_second(rows[engine]) for engine in names]
                + [rows["portable"]["ns"] / rows[engine]["ns"] for engine in names[1:]]
            )
        if entries:
            title = f"{algorithm}: engines"
            heads = (
                ["operation"]
                + [f"{engine}, a second" for engine in names]
                + [f"{engine}, times portable" for engine in names[1:]]
            )
            chart = groups(entries, kinds, f"{title}: times the portable one's speed", "times portable")
            figures.append(figure(title, chart, heads, cells, keys=legend(kinds)))
    return drawn(figures, "Several engines")


def prepared(race):
    """The gain of prepared keys and batches, on the best engine."""
    engine = race.best_engine()
    figures = []
    for algorithm in race.algorithms:
        names = race.operations(algorithm)
        entries, cells = [], []
        for operation in names:
            base = operation.split()[0].removesuffix("_many")
            row, single = race.girih(algorithm, operation, engine), race.girih(algorithm, base, engine)
            if row is None or single is None:
                continue
            entries.append((operation, per_second(row), per_second(row, "p90_ns"), per_second(row, "p10_ns"),
                            f"girih {engine}" if operation == base else "girih avx2"))
            cells.append([operation, per_second(row), single["ns"] / row["ns"]])
        if len(entries) > 3:
            title = f"{algorithm}: prepared keys and batches"
            figures.append(
                figure(title, bars(entries, f"{title}: {SPEED}", SPEED),
                       ["operation", "a second", "times the plain one"], cells,
                       f"girih[{engine}]; dark: from bytes, one at a time; of a batch, rows a second")
            )
    return drawn(figures, "Prepared keys and batches")


def milliseconds(cycles):
    """On a Cortex-M7 at 480 MHz, by boards/footprint's estimate of 1.06 instructions a cycle."""
    return cycles / 1.06 / 480_000


def microcontroller(rows):
    """Time, flash and memory on a Cortex-M7 beside the best known ones."""
    times, flash, memory, cells = [], [], [], []
    for row in (row for row in rows if row["preset"] == "release" and row["operations"]):
        image, known = row["image"], row.get("known", {})
        flash.append((image, row["flash"] / 1000, None, None, "girih"))
        if known:
            flash.append(("known", known["flash"] / 1000, None, None, "peer"))
        for operation, figures in row["operations"].items():
            name = f"{image} {operation}"
            times.append((name, milliseconds(figures["median_cycles"]), None, None, "girih"))
            if best := figures.get("best_known_cycles"):
                times.append(("known", milliseconds(best), None, None, "peer"))
            on_board = known.get(f"{operation}_milliseconds")
            if on_board:
                times.append(("known, on a board", on_board, None, None, "peer second"))
            memory.append((name, figures["ram"] / 1000, None, None, "girih"))
            cells.append([name, milliseconds(figures["median_cycles"]), figures["median_cycles"],
                          figures.get("best_known_cycles", "-"), on_board or "-", figures["stack_bytes"],
                          figures["ram"], row["flash"]])
        if known.get("static_ram"):
            memory.append((f"{image} known, no stack", known["static_ram"] / 1000, None, None, "peer"))
    heads = ["operation", "ms at 480 MHz, estimated", "instructions", "best known, instructions",
             "known, ms on a board", "stack, bytes", "RAM, bytes", "FLASH of the image, bytes"]
    keys = legend(
        [("girih", "girih"), ("the best known, same emulator", "peer"), ("known, measured on a board", "peer second")]
    )
    estimated = "Estimated from the emulator's instructions, which repeat exactly: 480 MHz, 1.06 instructions a cycle."
    parts = [
        figure(f"Cortex-M7: {name}", bars(entries, name, unit), heads, cells, note, keys)
        for name, entries, unit, note in (
            ("milliseconds, short operations", [entry for entry in times if entry[1] < 10], "ms", estimated),
            ("milliseconds, long operations", [entry for entry in times if entry[1] >= 10], "ms", estimated),
            ("FLASH, thousand bytes", flash, "thousand bytes", "An image for the NUCLEO-H753ZI less a blank one, -O3."),
            ("RAM, thousand bytes", memory, "thousand bytes", "Peak stack and the keys that an operation uses."),
        )
        if entries
    ]
    return drawn(parts, "The Cortex-M7", "make footprint")


def reference(rows):
    """The reference beside the optimized engines: totals of NTRU Prime's operations."""
    pattern = re.compile(r"bench_ntru_prime::routine<([^,]+), ([^>]+)>/([^/]+)/(.*)")
    routines = [(pattern.match(row["name"]).groups(), row) for row in rows if pattern.match(row["name"])]
    figures = []
    for chosen in dict.fromkeys(name[0] for name, _ in routines):
        of_set = [
            (engine, operation, routine, row) for (name, engine, operation, routine), row in routines if name == chosen
        ]
        names = list(dict.fromkeys(engine for engine, *_ in of_set))
        totals = {(operation, engine): row["cycles"] for engine, operation, _, row in of_set if row.get("is_total")}
        kinds = [(engine, f"girih {engine}") for engine in names[1:]]
        entries = [
            (operation, [totals[operation, "reference"] / totals[operation, engine] for engine in names[1:]])
            for operation in dict.fromkeys(operation for operation, _ in totals)
        ]
        lines = {}
        for engine, operation, routine, row in of_set:
            lines.setdefault((operation, row["label"].split(": ", 1)[1]), {}).setdefault(engine, int(row["cycles"]))
        cells = [
            [f"{operation}: {routine}"]
            + [cycles.get(engine, "-") for engine in names]
            + [
                cycles["reference"] / cycles[engine] if cycles.get(engine) and cycles.get("reference") else "-"
                for engine in names[1:]
            ]
            for (operation, routine), cycles in lines.items()
        ]
        heads = (
            ["routine"] + [f"{engine}, cycles" for engine in names] + [f"reference / {engine}" for engine in names[1:]]
        )
        title = f"{chosen}: times as fast as the reference"
        figures.append(figure(title, groups(entries, kinds, title, "times as fast"), heads, cells,
                              "Whole operations; the table has the cycles of every routine.", legend(kinds)))
    return drawn(figures, "The reference engine", "make benchmark")


def all_rows(rows):
    """The benchmark's table."""
    unit = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
    cells = [
        [row.get("label") or row["name"], row["real_time"] * unit[row["time_unit"]],
         round(row["ticks"], 1) if "ticks" in row else "-", row["name"]]
        for row in rows
        if row.get("run_type") == "iteration" and "real_time" in row and "::routine<" not in row["name"]
    ]
    if not cells:
        return missing("The benchmark", "make benchmark")
    body = table(["row", "ns, median", "ticks", "name"], cells, "make benchmark")
    return f"<details><summary>All {len(cells)} rows of the benchmark</summary>{body}</details>"


def environment(compare, benchmark):
    """The machine, compilers and versions of the measurements."""

    def flat(value):
        if isinstance(value, dict):
            return "; ".join(f"{name} {flat(item)}" for name, item in value.items()) or "none"
        return "; ".join(map(flat, value)) if isinstance(value, list) else str(value)

    parts = []
    for name, data in (("make compare", compare.get("environment", {})),
                       ("make benchmark", benchmark.get("context", {}))):
        if data:
            parts.append(
                table(["what", ""], [[key.replace("_", " "), flat(value)] for key, value in data.items()], name, False)
            )
    if compare.get("peers"):
        versions = compare["environment"].get("versions", {})
        rows = [
            [peer["name"], f"{peer['package']} {versions.get(peer['package'], '')}", peer["code"], peer["note"]]
            for peer in compare["peers"]
        ]
        parts.append(table(["peer", "package", "code", "note"], rows, "Peers", False))
    if compare.get("missing"):
        rows = [[left_out["name"], left_out["reason"]] for left_out in compare["missing"]]
        parts.append(table(["who", "why"], rows, "Not in the race", False))
    return "".join(parts)


def headline(race):
    """A few sentences on top: the counts, not the adjectives."""
    engine = race.best_engine()
    entries = race.ratios(engine).values()
    ahead = sum(entry["ratio"] > 1 and not entry["ratio_crosses_1"] for entry in entries)
    even = sum(entry["ratio_crosses_1"] for entry in entries)
    behind = len(entries) - ahead - even
    return (
        f"<p class=headline>On the engine {escaped(engine)}, girih is faster than the fastest peer in <b>{ahead}</b> of {len(entries)} operations, "
        f"slower in <b>{behind}</b>, and in <b>{even}</b> the race does not tell.</p>"
    )
