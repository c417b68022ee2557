"""Two runs of one program, row by row: ratios with intervals, and the rows that changed."""

import math

from charts import escaped, figure, intervals, table
from rows import rows_of

MOST_SHOWN = 40  # of a chart of changes
ENOUGH = 12  # rows from which the machine's pace is told


class Pair:
    """A row in both runs: B's value divided by A's, and the interval of that."""

    def __init__(self, a, b):
        self.a, self.b = a, b
        (low_a, high_a), (low_b, high_b) = a.interval, b.interval
        self.low, self.ratio = low_b / high_a, b.value / a.value
        self.high = high_b / low_a if low_a else math.inf

    @property
    def title(self):
        return f"{self.a.algorithm}, {self.a.title}" + (
            f", {self.a.engine}" if self.a.engine else ""
        )


class Comparison:
    """All pairs. The machine's pace is the median ratio of the rows that are times."""

    def __init__(self, a, b, limit):
        after = {row.name: row for row in rows_of(b)}
        before = {row.name: row for row in rows_of(a)}
        self.pairs = [
            Pair(row, after[name])
            for name, row in before.items()
            if name in after and row.value > 0
        ]
        self.only = [len(before.keys() - after.keys()), len(after.keys() - before.keys())]
        times = sorted(pair.ratio for pair in self.pairs if pair.a.unit == "ns")
        self.pace = times[len(times) // 2] if len(times) >= ENOUGH else 1.0
        self.limit = limit

    def verdict(self, pair):
        """A change where the whole interval lies beyond the limit; an exact count needs none."""
        pace, limit = (self.pace, self.limit) if pair.a.unit == "ns" else (1.0, 1.0)
        return "slower" if pair.low > pace * limit else "faster" if pair.high * limit < pace else ""

    def changed(self, verdict):
        far = (pair for pair in self.pairs if self.verdict(pair) == verdict)
        return sorted(far, key=lambda pair: pair.ratio, reverse=verdict == "slower")

    def summary(self):
        slower, faster = len(self.changed("slower")), len(self.changed("faster"))
        return (
            f"Of {len(self.pairs)} rows in both, {slower} take more in B, {faster} take less, and in "
            f"{len(self.pairs) - slower - faster} the runs do not tell."
        )

    def notes(self):
        yield (
            f"The median row takes {self.pace:.3f} times as long in B. A row is marked where its whole interval is "
            f"over {(self.limit - 1) * 100:.0f} % from that; a count of instructions or bytes where it differs."
        )
        yield (
            "An interval has the true ratio of the medians by 95 %, by the samples of each run alone. The machine's "
            "pace drifts between runs: repeat them, or time two builds interleaved by make ab."
        )

    def text(self):
        lines = [self.summary(), *self.notes()]
        for verdict in ("slower", "faster"):
            lines += [
                f"  {pair.ratio:7.3f}  {pair.low:.3f} to {pair.high:.3f}  {verdict}  {pair.title}"
                for pair in self.changed(verdict)
            ]
        return "\n".join(lines)

    def head(self, a, b):
        return (
            f'<p class="quiet">A is {escaped(a)}, B is {escaped(b)}.</p><p class=headline>{self.summary()}</p>'
            + "".join(f"<p>{note}</p>" for note in self.notes())
        )

    def foot(self):
        return (
            f'<p class="missing">Rows of one file alone: {self.only[0]} of A, {self.only[1]} of B.</p>'
            if any(self.only)
            else ""
        )

    def row_of(self, pair):
        ends = ["-", "-"] if math.isinf(pair.high) else [f"{pair.low:.3f}", f"{pair.high:.3f}"]
        return [
            pair.title,
            pair.a.unit,
            pair.a.value,
            pair.b.value,
            f"{pair.ratio:.3f}",
            *ends,
            self.verdict(pair),
        ]

    def parts(self):
        heads = ["row", "unit", "A", "B", "B / A", "low", "high", "change"]
        figures = []
        for verdict, kind in (("slower", "second"), ("faster", "girih")):
            chosen = self.changed(verdict)[:MOST_SHOWN]
            if chosen:
                points = [(pair.title, pair.low, pair.ratio, pair.high, kind) for pair in chosen]
                title = f"{verdict.capitalize()} in B"
                figures.append(
                    figure(
                        title,
                        intervals(points, title, "B's time divided by A's", self.pace),
                        heads,
                        [self.row_of(pair) for pair in chosen],
                    )
                )
        first = sorted(self.pairs, key=lambda pair: not self.verdict(pair))
        everything = table(
            heads,
            [self.row_of(pair) for pair in first],
            "All rows that both runs have",
            classes=[self.verdict(pair) for pair in first],
        )
        parts = [
            (
                "changes",
                "What changed",
                "",
                f'<div class="figures">{"".join(figures)}</div>' if figures else "",
            ),
            ("rows", "All rows", "", f'<div class="filtered">{everything}</div>'),
        ]
        return [part for part in parts if part[-1]]
