"""Charts as SVG, and the tables behind them as HTML: small functions, no state.

A chart is drawn 380 units wide, about as many as a phone has pixels, and as a column of a screen.
Colours are classes, which the page's style sheet fills in for light, dark and paper.
"""

import html
import math
import re

WIDTH = 380
LINE = 22  # of a bar
THIN = 12  # of a bar in a group
CHARACTER = 7.3  # about, at twelve units
NAMES = 158  # the width of names beside bars
ENDS = 56  # the width of figures at the end of bars


def escaped(text):
    return html.escape(str(text), quote=True)


def three_digits(number):
    """A number as people write it: 1,234,000, 123, 12.3 or 1.23."""
    if number == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(number)))
    rounded = round(number, digits)
    return f"{rounded:,.{max(0, min(digits, 3))}f}"


def scaled(number, steps):
    """Three digits of a number in the greatest unit that it reaches."""
    for limit, unit in steps:
        if abs(number) >= limit * 0.9995:
            return f"{three_digits(number / (limit or 1))} {unit}".strip()
    return three_digits(number)


def short(number):
    """Three digits with k or M, for axes and the ends of bars."""
    return scaled(number, ((1e6, "M"), (1e3, "k")))


def time(nanoseconds):
    return scaled(nanoseconds, ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (0, "ns")))


def size(count):
    return scaled(count, ((1 << 20, "MiB"), (1 << 10, "KiB"), (0, "")))


def svg(height, body, label):
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escaped(label)}" '
        f'preserveAspectRatio="xMinYMin meet">{body}</svg>'
    )


def text(x, y, content, classes="", anchor="start", width=None):
    """A text, squeezed into a width, and cut where that is not enough."""
    squeezed = ""
    if width and len(content) * CHARACTER > width:
        most = int(width / CHARACTER * 1.35)
        content = content if len(content) <= most else content[: most - 1] + "…"
        squeezed = f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}" text-anchor="{anchor}"{squeezed}>'
        f"{escaped(content)}</text>"
    )


def line(x1, y1, x2, y2, classes):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{classes}"/>'


def hint(content):
    return f"<title>{escaped(content)}</title>"


def names_width(names):
    return min(NAMES, 8 + CHARACTER * max(map(len, names)))


def bar(start, y, height, value, spread, place, kind, name, shown):
    """A horizontal bar, the interval where there is one, and the figure behind both."""
    middle = y + height / 2
    low, high = spread or (value, value)
    more = f"; 10 to 90 %: {shown(low)} to {shown(high)}" if spread else ""
    body = [
        f'<g>{hint(f"{name}: {shown(value)}{more}")}<rect x="{start:.1f}" y="{y}" '
        f'width="{max(1, place(value) - start):.1f}" height="{height}" class="{kind}"/>'
    ]
    if spread:
        body.append(line(place(low), middle, place(high), middle, "interval"))
        body += [
            line(place(end), middle - 3, place(end), middle + 3, "interval") for end in (low, high)
        ]
    body.append(
        text(max(place(value), place(high)) + 5, middle + 4, shown(value), "small") + "</g>"
    )
    return "".join(body)


def groups(entries, label, shown):
    """Bars beside names: (name, bars), of which each is (its own name, class, value, spread)."""
    names = names_width(name for name, _ in entries)
    greatest = max(
        max(value, *(spread or ())) if spread else value
        for _, bars in entries
        for *_, value, spread in bars
    )
    place = lambda value: names + value * (WIDTH - names - ENDS) / greatest
    body, y = [], 2
    for name, bars in entries:
        thick = THIN if len(bars) > 1 else LINE - 6
        body.append(text(names - 6, y + thick * len(bars) / 2 + 4, name, "name", "end", names - 8))
        for own, kind, value, spread in bars:
            body.append(
                bar(
                    names,
                    y,
                    thick - 1,
                    value,
                    spread,
                    place,
                    kind,
                    f"{name}, {own}" if own else name,
                    shown,
                )
            )
            y += thick
        y += 6
    return svg(y, "".join(body), label)


def under_names(entries, label, shown):
    """Bars on a logarithmic axis, each under its name: (name, value, spread, class)."""
    values = [value for _, value, *_ in entries]
    low, high = 10.0 ** math.floor(math.log10(min(values) * 0.999)), max(values)
    place = logarithmic(low, high, 4, WIDTH - ENDS)
    bottom = len(entries) * 30 + 2
    body = [axis(ticks_of(low, high, (1,)), place, 0, bottom, "", shown)]
    for index, (name, value, spread, kind) in enumerate(entries):
        body.append(text(4, index * 30 + 12, name, "over", "start", WIDTH - 8))
        spread = spread and (max(spread[0], low), min(spread[1], high))
        body.append(bar(4, index * 30 + 16, 9, value, spread, place, kind, name, shown))
    return svg(bottom + 20, "".join(body), label)


def ticks_of(low, high, steps=None):
    """1, 2, 5, 10, 20, ... within a range, fewer if it is a long one."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = steps or ((1, 2, 5) if last - first <= 3 else (1,))
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def logarithmic(low, high, start, end):
    """A function from values to places."""
    if high <= low:
        high = low * 2
    return lambda value: (
        start + (end - start) * math.log(max(value, low * 1e-9) / low) / math.log(high / low)
    )


def rounded(figure_of):
    """A figure on an axis, without its zeros behind the point."""
    return re.sub(r"(?<=\d)\.0+(?= |$)|(?<=\.[1-9])0(?= |$)", "", figure_of)


def axis(ticks, place, top, bottom, name, shown=short):
    """Lines across, with figures below where there is space for them."""
    body, end = "", -99.0
    for tick in ticks:
        figure_of = rounded(shown(tick))
        half = CHARACTER * 0.45 * len(figure_of)
        x = min(max(place(tick), half), WIDTH - half)
        body += line(place(tick), top, place(tick), bottom, "grid")
        if x - half > end + 4:
            body += text(x, bottom + 15, figure_of, "tick", "middle")
            end = x + half
    return body + (text(WIDTH / 2, bottom + 31, name, "tick", "middle") if name else "")


def intervals(entries, label, name, at=1.0):
    """Medians with intervals about a line: (name, low, median, high, class), long names above."""
    above = CHARACTER * max(len(entry[0]) for entry in entries) > NAMES * 1.3
    names, step = (4, 32) if above else (names_width(entry[0] for entry in entries), LINE)
    low = min(min(entry[1] for entry in entries), at) * 0.97
    high = max(max(entry[3] for entry in entries), at) * 1.03
    place = logarithmic(low, high, names, WIDTH - 46)
    bottom = len(entries) * step + 6
    ticks = ticks_of(low, high, (1, 1.1, 1.2, 1.5, 2, 3, 5, 7, 8, 9) if high < 3 * low else None)
    marks = [tick for tick in ticks if tick == at or abs(place(tick) - place(at)) > 26]
    body = [axis(marks, place, 0, bottom, name), line(place(at), 0, place(at), bottom, "even")]
    for index, (entry, least, median, most, kind) in enumerate(entries):
        y = index * step + (24 if above else 12)
        body.append(f"<g>{hint(f'{entry}: {median:.2f}, {least:.2f} to {most:.2f}')}")
        body.append(
            text(4, y - 12, entry, "over", "start", WIDTH - 8)
            if above
            else text(names - 8, y + 4, entry, "name", "end", names - 10)
        )
        body.append(line(place(least), y, place(most), y, f"span {kind}"))
        body.append(f'<circle cx="{place(median):.1f}" cy="{y}" r="4.5" class="{kind}"/>')
        body.append(text(WIDTH - 4, y + 4, f"{median:.2f}", "number", "end") + "</g>")
    return svg(bottom + 38, "".join(body), label)


def legend(kinds):
    """(name, class) pairs as a line of HTML."""
    keys = "".join(
        f'<span class="key {kind}"><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" '
        f'height="10" class="{kind}"/></svg>{escaped(name)}</span>'
        for name, kind in kinds
    )
    return f'<p class="legend">{keys}</p>'


def curves(series, label, name):
    """The share that is done within a time: (name, sorted times at equal steps, class)."""
    height, left, right = 210, 44, WIDTH - 14
    most = max(times[int(len(times) * 0.98) - 1] for _, times, _ in series) * 1.02
    step = 10.0 ** math.floor(math.log10(most / 2))
    step *= 5 if most / step > 12 else 2 if most / step > 6 else 1
    place = lambda value: left + (right - left) * min(value, most) / most
    body = [axis([step * i for i in range(int(most / step) + 1)], place, 6, height, name)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = height - (height - 6) * share
        body.append(
            line(left, y, right, y, "grid") + text(left - 6, y + 4, f"{share:.0%}", "tick", "end")
        )
    for entry, times, kind in series:
        points, last = [], 0.0
        for index, value in enumerate(times):
            y = height - (height - 6) * index / (len(times) - 1)
            points.append(
                f"{place(value):.1f},{last if index else y:.1f} {place(value):.1f},{y:.1f}"
            )
            last = y
        body.append(
            f'<g>{hint(entry)}<polyline points="{" ".join(points)}" class="curve {kind}"/></g>'
        )
    return svg(height + 38, "".join(body), label)


def paths(series, label, name, shown_x=short, shown_y=short):
    """Points joined by lines, both axes logarithmic: (name, points, class)."""
    height, left, right = 230, 52, WIDTH - 26
    every = [point for _, points, _ in series for point in points]
    xs, ys = sorted({x for x, _ in every}), [y for _, y in every]
    x_place = logarithmic(xs[0], xs[-1], left, right)
    low, high = min(ys) * 0.85, max(ys) * 1.2
    y_place = logarithmic(low, high, height, 6)
    body = [axis(xs, x_place, 6, height, name, shown_x)]
    for tick in ticks_of(low, high, (1, 1.5, 2, 3, 4, 5, 7) if high < 10 * low else None):
        body.append(
            line(left, y_place(tick), right, y_place(tick), "grid")
            + text(left - 6, y_place(tick) + 4, rounded(shown_y(tick)), "tick", "end")
        )
    for entry, points, kind in series:
        places = [(x_place(x), y_place(y)) for x, y in points]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body.append(f'<polyline points="{joined}" class="curve {kind}"/>')
        body += [
            f'<g>{hint(f"{entry}, {shown_x(x)}: {shown_y(y)}")}<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="3.5" '
            f'class="{kind}"/></g>'
            for (x, y), at in zip(points, places)
        ]
    return svg(height + 38, "".join(body), label)


def table(heads, rows, caption, has_numbers=True, classes=()):
    """A table. Columns of numbers are aligned right; the first column names the row. A cell that
    shows fewer digits than its number has keeps the number for the exports."""
    numeric = [
        rows and all(isinstance(row[i], (int, float)) or row[i] in ("", "-") for row in rows)
        for i in range(len(heads))
    ]

    def cell(i, value):
        shown = (
            three_digits(value)
            if isinstance(value, float)
            else f"{value:,}"
            if isinstance(value, int)
            else value
        )
        exact = (
            f' data-value="{value:.6g}"'
            if isinstance(value, float)
            else f' data-value="{value}"'
            if isinstance(value, int)
            else ""
        )
        if i == 0:
            return f'<th scope="row">{escaped(shown)}</th>'
        return f"<td{' class=number' if has_numbers and numeric[i] else ''}{exact}>{escaped(shown)}</td>"

    head = "".join(
        f'<th scope="col"{" class=number" if has_numbers and right else ""}>{escaped(name)}</th>'
        for name, right in zip(heads, numeric)
    )
    body = "".join(
        f"<tr{f' class={kind}' if kind else ''}>"
        + "".join(cell(i, value) for i, value in enumerate(row))
        + "</tr>"
        for row, kind in zip(rows, [*classes] or [""] * len(rows))
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(caption)}"><table><caption>{escaped(caption)}'
        f"</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def figure(title, chart, heads, rows, note="", keys=""):
    """A chart with its table behind it."""
    remark = f"<p>{escaped(note)}</p>" if note else ""
    return (
        f"<figure><figcaption><h3>{escaped(title)}</h3>{remark}{keys}</figcaption>{chart}<details><summary>Table"
        f"<span class=quiet>: {escaped(title)}</span></summary>{table(heads, rows, title)}</details></figure>"
    )
