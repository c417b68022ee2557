"""Charts as SVG, and the tables behind them as HTML: small functions, no state.

A chart is drawn 380 units wide, about as many as a phone has pixels, and as a column of a screen.
Colours are classes, which the page's style sheet fills in for light, dark and paper.
"""

import html
import math

WIDTH = 380
LINE = 22  # of a bar
TEXT = 12
CHARACTER = 7.3  # about, at that size
NAMES = 158  # the width of names beside bars


def escaped(text):
    return html.escape(str(text), quote=True)


def three_digits(number):
    """A number as people write it: 1,234,000, 123, 12.3 or 1.23."""
    if number == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(number)))
    rounded = round(number, digits)
    return f"{rounded:,.{max(0, min(digits, 3))}f}"


def short(number):
    """Three digits with k or M, for axes and the ends of bars."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if abs(number) >= limit:
            return three_digits(number / limit) + " " + unit
    return three_digits(number)


def svg(height, body, label, width=WIDTH):
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escaped(label)}" '
        f'preserveAspectRatio="xMinYMin meet">{body}</svg>'
    )


def text(x, y, content, classes="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{classes}" text-anchor="{anchor}">{escaped(content)}</text>'


def line(x1, y1, x2, y2, classes):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{classes}"/>'


def hint(content):
    return f"<title>{escaped(content)}</title>"


def name_at(x, y, name, width):
    """A name that ends at x, squeezed into a width, and cut where that is not enough."""
    most = int(width / CHARACTER * 1.35)
    name = name if len(name) <= most else name[: most - 1] + "…"
    squeezed = f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"' if len(name) * CHARACTER > width else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="name" text-anchor="end"{squeezed}>{escaped(name)}</text>'


def names_width(names):
    return min(NAMES, 8 + CHARACTER * max(map(len, names)))


def bars(entries, label, unit):
    """Horizontal bars: (name, value, low, high, class), the interval drawn where there is one."""
    names = names_width(entry[0] for entry in entries)
    ends = 54
    greatest = max(max(value, high or 0) for _, value, _, high, _ in entries)
    scale = (WIDTH - names - ends) / greatest
    body = []
    for index, (name, value, low, high, kind) in enumerate(entries):
        y = index * LINE + 2
        of = f", 10 to 90 % of the rounds: {three_digits(low)} to {three_digits(high)}" if low else ""
        body.append(f'<g>{hint(f"{name}: {three_digits(value)} {unit}{of}")}')
        body.append(name_at(names - 6, y + 13, name, names - 8))
        body.append(
            f'<rect x="{names:.1f}" y="{y}" width="{max(1, value * scale):.1f}" height="{LINE - 6}" class="{kind}"/>'
        )
        if low:
            middle = y + (LINE - 6) / 2
            body.append(line(names + low * scale, middle, names + high * scale, middle, "interval"))
            body += [
                line(names + end * scale, middle - 4, names + end * scale, middle + 4, "interval")
                for end in (low, high)
            ]
        at = names + max(value, high or 0) * scale + 5
        body.append(text(at, y + 14, short(value), "number") + "</g>")
    return svg(len(entries) * LINE + 4, "".join(body), label)


def ticks_of(low, high):
    """1, 2, 5, 10, 20, ... within a range, fewer if it is a long one."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def logarithmic(low, high, start, end):
    """A function from values to places."""
    if high <= low:
        high = low * 2
    return lambda value: start + (end - start) * math.log(max(value, low * 1e-9) / low) / math.log(high / low)


def axis(ticks, place, top, bottom, name):
    body = "".join(
        line(place(tick), top, place(tick), bottom, "grid")
        + text(place(tick), bottom + 15, short(tick), "tick", "middle")
        for tick in ticks
    )
    return body + text(WIDTH / 2, bottom + 31, name, "tick", "middle")


def groups(entries, kinds, label, unit):
    """Thin bars in groups: (name, values in the order of kinds); kinds are (name, class)."""
    names = names_width(name for name, _ in entries)
    thin = 11
    scale = (WIDTH - names - 44) / max(max(values) for _, values in entries)
    body, y = [], 2
    for name, values in entries:
        body.append(name_at(names - 6, y + thin * len(values) / 2 + 4, name, names - 8))
        for (kind_name, kind), value in zip(kinds, values):
            body.append(
                f'<g>{hint(f"{name}, {kind_name}: {three_digits(value)} {unit}")}'
                f'<rect x="{names:.1f}" y="{y}" width="{max(1, value * scale):.1f}" height="{thin - 1}" class="{kind}"/>'
                + text(names + value * scale + 4, y + 9, short(value), "small")
                + "</g>"
            )
            y += thin
        y += 7
    return svg(y, "".join(body), label)


def intervals(entries, label, name, at=1.0):
    """Medians with their intervals about a line: (name, low, median, high, class)."""
    names = names_width(entry[0] for entry in entries)
    low = min(min(entry[1] for entry in entries), at) * 0.93
    high = max(max(entry[3] for entry in entries), at) * 1.07
    place = logarithmic(low, high, names, WIDTH - 46)
    bottom = len(entries) * LINE + 6
    marks = [tick for tick in ticks_of(low, high) if tick == at or abs(place(tick) - place(at)) > 26]
    body = [axis(marks, place, 0, bottom, name), line(place(at), 0, place(at), bottom, "even")]
    for index, (entry, below, median, above, kind) in enumerate(entries):
        y = index * LINE + 12
        body.append(f"<g>{hint(f'{entry}: {median:.2f}, {below:.2f} to {above:.2f}')}")
        body.append(name_at(names - 8, y + 4, entry, names - 10))
        body.append(line(place(below), y, place(above), y, f"span {kind}"))
        body.append(f'<circle cx="{place(median):.1f}" cy="{y}" r="4.5" class="{kind}"/>')
        body.append(text(WIDTH - 4, y + 4, f"{median:.2f}", "number", "end") + "</g>")
    return svg(bottom + 38, "".join(body), label)


def legend(kinds):
    """(name, class) pairs as a line of HTML."""
    keys = "".join(
        f'<span class="key {kind}"><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" '
        f'class="{kind}"/></svg>{escaped(name)}</span>'
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
        body.append(line(left, y, right, y, "grid") + text(left - 6, y + 4, f"{share:.0%}", "tick", "end"))
    for entry, times, kind in series:
        points, last = [], 0.0
        for index, time in enumerate(times):
            y = height - (height - 6) * index / (len(times) - 1)
            points.append(f"{place(time):.1f},{last if index else y:.1f} {place(time):.1f},{y:.1f}")
            last = y
        body.append(f'<g>{hint(entry)}<polyline points="{" ".join(points)}" class="curve {kind}"/></g>')
    return svg(height + 38, "".join(body), label)


def free_place(x, y, width, taken, right):
    """The box (left, top, right, bottom) beside a point where its name covers least."""
    best = None
    for rise in (0, -9, 9, -18, 18, -27, 27):
        for start in (x + 7, x - 7 - width):
            box = (start, y + rise - 6, start + width, y + rise + 6)
            covered = sum(
                max(0, min(box[2], other[2]) - max(box[0], other[0]))
                * max(0, min(box[3], other[3]) - max(box[1], other[1]))
                for other in taken
            )
            cost = covered + abs(rise) * 0.5 + (1000 if box[2] > right + 12 or box[0] < 30 else 0)
            if best is None or cost < best[0]:
                best = cost, box
    return best[1]


def scatter(points, label, x_name, y_name):
    """Points with names: (name, x, y, class), both axes logarithmic."""
    height, left, right = 300, 50, WIDTH - 16
    lows = [min(point[i] for point in points) for i in (1, 2)]
    highs = [max(point[i] for point in points) for i in (1, 2)]
    x_place = logarithmic(lows[0] * 0.9, highs[0] * 1.25, left, right)
    y_place = logarithmic(lows[1] * 0.8, highs[1] * 1.4, height, 12)
    body = [axis([tick for tick in ticks_of(lows[0] * 0.9, highs[0] * 1.25)], x_place, 12, height, x_name)]
    for tick in ticks_of(lows[1] * 0.8, highs[1] * 1.4):
        body.append(
            line(left, y_place(tick), right, y_place(tick), "grid")
            + text(left - 5, y_place(tick) + 4, short(tick), "tick", "end")
        )
    body.append(text(left - 44, 9, y_name, "tick"))
    places = [(x_place(x), y_place(y)) for _, x, y, _ in points]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    for (name, x, y, kind), (at_x, at_y) in sorted(zip(points, places), key=lambda pair: pair[1][1]):
        box = free_place(at_x, at_y, CHARACTER * 0.88 * len(name), taken, right)
        taken.append(box)
        of = hint(f"{name}: {three_digits(x)} bytes, {three_digits(y)} a second")
        body.append(
            f'<g>{of}<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="4.5" class="{kind}"/>{text(box[0], box[3] - 2, name, "small")}</g>'
        )
    return svg(height + 38, "".join(body), label)


def table(heads, rows, caption, has_numbers=True):
    """A table. Columns of numbers are aligned right; the first column names the row."""
    numeric = [
        rows and all(isinstance(row[i], (int, float)) or row[i] in ("", "-") for row in rows) for i in range(len(heads))
    ]

    def cell(i, value):
        shown = three_digits(value) if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
        if i == 0:
            return f'<th scope="row">{escaped(shown)}</th>'
        return f'<td{" class=number" if has_numbers and numeric[i] else ""}>{escaped(shown)}</td>'

    head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(cell(i, value) for i, value in enumerate(row)) + "</tr>" for row in rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escaped(caption)}"><table><caption>{escaped(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def figure(title, chart, heads, rows, note="", keys=""):
    """A chart with its table behind it."""
    remark = f"<p>{escaped(note)}</p>" if note else ""
    return (
        f"<figure><figcaption><h3>{escaped(title)}</h3>{remark}{keys}</figcaption>{chart}"
        f"<details><summary>Table<span class=quiet>: {escaped(title)}</span></summary>{table(heads, rows, title)}</details></figure>"
    )
