"""From the text of a C++ file to its mutants: what can be broken where, and the file with every
mutant behind a switch.

The text is not parsed. This relies on the layout of `make format`: operators are between blanks,
brackets of template arguments are not.
"""

import re
from dataclasses import dataclass


@dataclass
class Mutant:
    file: str
    line: int
    text: str  # of the line
    what: str  # what becomes of it
    kind: str
    number: int = 0
    result: str = "not run"

    def key(self) -> tuple[str, str, str]:
        return self.file, self.text, self.what


@dataclass
class Site:
    """A piece of a file, and how it is written with its mutants: write(piece with what is
    mutated in it, piece)."""

    start: int
    end: int
    depth: int  # of sites of one extent, the least is the outermost
    mutants: list[Mutant]
    write: object


OPENING, CLOSING = "([{", ")]}"


def masked(text: str) -> str:
    """Comments, strings and preprocessor lines as blanks, so that every offset stays."""
    pattern = re.compile(
        r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])'|^[ \t]*#(?:\\\n|[^\n])*",
        re.DOTALL | re.MULTILINE,
    )

    def blank(match):
        piece = match.group()
        if piece[0] in "\"'":
            return piece[0] + "_" * (len(piece) - 2) + piece[0]
        return re.sub(r"[^\n]", " ", piece)

    return pattern.sub(blank, text)


class Text:
    def __init__(self, file: str, text: str, with_numbers: bool):
        self.file = file
        self.text = text
        self.code = masked(text)
        self.lines = text.split("\n")
        self.with_numbers = with_numbers
        self.sites: list[Site] = []
        self.partner: dict[int, int] = {}
        open_at: list[int] = []
        for i, c in enumerate(self.code):
            if c in OPENING:
                open_at.append(i)
            elif c in CLOSING:
                at = open_at.pop()
                self.partner[at], self.partner[i] = i, at
        self.find()

    # Where an expression ends.

    def is_template(self, at: int) -> bool:
        """A bracket of a template's arguments: layout puts blanks around the operators."""
        if self.code[at] == "<":
            return (
                not (self.code[at - 1].isspace() and self.code[at + 1].isspace())
                and self.code[at - 1 : at + 1] != "<<"
                and self.code[at : at + 2] not in ("<<", "<=")
            )
        return (
            not self.code[at - 1].isspace()
            and self.code[at - 1] not in "-"
            and (self.code[at - 1] != ">" or self.is_template(at - 1))
        )

    def left(self, at: int, stops: set[str]) -> int:
        """The start of the operand that ends before `at`."""
        i, angles = at - 1, 0
        while i >= 0:
            c = self.code[i]
            if c in CLOSING:
                i = self.partner[i] - 1
                continue
            if c in OPENING or c == ";":
                break
            if c == ">" and self.is_template(i):
                angles += 1
            elif c == "<" and angles > 0 and self.is_template(i):
                angles -= 1
            elif angles == 0:
                if c == ",":
                    break
                if c.isspace():
                    word = re.search(r"\S+$", self.code[:i])
                    if word and (
                        word.group() in stops
                        or word.group() in ("return", "else", "do")
                        or re.fullmatch(r"[-+*/&|^]?=|<<=|>>=", word.group())
                    ):
                        break
            i -= 1
        start = i + 1
        return start + len(self.code[start:at]) - len(self.code[start:at].lstrip())

    def right(self, at: int, stops: set[str]) -> int:
        """The end of the operand that begins at or after `at`."""
        i, angles = at, 0
        while i < len(self.code):
            c = self.code[i]
            if c in OPENING:
                i = self.partner[i] + 1
                continue
            if c in CLOSING or c == ";":
                break
            if c == "<" and self.is_template(i) and re.match(r"[\w:>)]", self.code[i - 1]):
                angles += 1
            elif c == ">" and angles > 0 and self.is_template(i):
                angles -= 1
            elif angles == 0:
                if c == ",":
                    break
                word = re.match(r"\S+", self.code[i:])
                if self.code[i - 1].isspace() and word and word.group() in stops:
                    break
            i += 1
        return i - (len(self.code[at:i]) - len(self.code[at:i].rstrip()))

    # Sites.

    def mutant(self, at: int, what: str, kind: str) -> Mutant:
        line = self.code.count("\n", 0, at)
        return Mutant(self.file, line + 1, self.lines[line].strip(), what, kind)

    def add(self, start, end, depth, mutants, write):
        self.sites.append(Site(start, end, depth, mutants, write))

    def statement_start(self, at: int) -> int:
        i = at - 1
        while i >= 0 and self.code[i] not in ";{":
            if self.code[i] == "}":
                if self.code[self.partner[i] - 1].isspace():
                    break  # a block, and no initializer
                i = self.partner[i]
            i -= 1
        return i + 1

    def is_fixed(self, at: int) -> bool:
        """Whether the code there is evaluated at compile time."""
        head = self.code[self.statement_start(at) : at]
        head = re.sub(r"^(\s*(public|private|protected):)+", "", head)
        return bool(
            re.search(
                r"\b(static_assert|requires|concept|template|using|enum|if constexpr|case|operator|namespace)\b",
                head,
            )
            or re.match(r"\s*(static |inline |\[\[.*?\]\] )*constexpr\b[^()]*=", head)
        )

    def find(self):
        code = self.code
        one_line = lambda piece: re.sub(r"\s*\n\s*", " ", re.sub(r"//[^\n]*", "", piece))
        short = lambda piece: re.sub(r"\s+", " ", piece).strip()

        for match in re.finditer(r"\b(if|while) \(", code):
            start, end = match.end(), self.partner[match.end() - 1]
            inner = code[start:end]
            named = re.match(r"\s*const [\w:]+ (\w+) = ", inner)
            if self.is_fixed(match.start()) or code[start - 2 : start] != " (":
                continue
            if named:
                never = self.mutant(start, f"if ({short(inner)}) never", "condition")
                self.add(
                    start,
                    end,
                    0,
                    [never],
                    lambda piece, _, m=never, name=named.group(1): (
                        f"{piece}; {name} && !girih_mutation::is({m.number})"
                    ),
                )
                continue
            if ";" in inner:
                continue
            never = self.mutant(start, f"{match.group(1)} ({short(inner)}) never", "condition")
            mutants = [never]
            if match.group(1) == "if":
                mutants.append(self.mutant(start, f"if not ({short(inner)})", "condition"))
                write = lambda piece, whole, m=mutants: (
                    f"girih_mutation::is({m[1].number}) ? !({one_line(whole)}) : (({piece}) && !girih_mutation::is({m[0].number}))"
                )
            else:
                write = lambda piece, whole, m=mutants: (
                    f"({piece}) && !girih_mutation::is({m[0].number})"
                )
            self.add(start, end, 0, mutants, write)

        lower = {"&&", "||", "?", ":"}
        for match in re.finditer(r"(?<=\s)(&&|\|\|)(?=\s)", code):
            if self.is_fixed(match.start()):
                continue
            stops = lower if match.group() == "&&" else {"||", "?", ":"}
            for side, (start, end) in enumerate(
                (
                    (self.left(match.start(), stops), match.start() - 1),
                    (match.end() + 1, self.right(match.end() + 1, stops)),
                )
            ):
                while code[start].isspace():
                    start += 1
                end -= len(code[start:end]) - len(code[start:end].rstrip())
                if any(s.start == start and s.end == end and s.depth == 2 for s in self.sites):
                    continue
                m = self.mutant(start, f"without {short(code[start:end])}", "part")
                self.add(
                    start,
                    end,
                    2,
                    [m],
                    lambda piece, _, m=m, op=match.group(): (
                        f"(girih_mutation::is({m.number}) || static_cast<bool>({piece}))"
                        if op == "&&"
                        else f"(!girih_mutation::is({m.number}) && static_cast<bool>({piece}))"
                    ),
                )

        edges = {"<": ("<=", " - 1"), "<=": ("<", " + 1"), ">": (">=", " + 1"), ">=": (">", " - 1")}
        stops = lower | {"&", "|", "^", "<", "<=", ">", ">=", "==", "!="}
        for match in re.finditer(r"(?<=\s)(<=|>=|<|>|==|!=)(?=\s)", code):
            if self.is_fixed(match.start()):
                continue
            op = match.group()
            start, end = self.left(match.start(), stops), self.right(match.end() + 1, stops)
            a, b = code[start : match.start()].strip(), code[match.end() : end].strip()
            if op in edges and b != "nullptr":
                other, one = edges[op]
                others = [
                    (f"{a} {other} {b}", f"{op} to {other}"),
                    (f"{a} {op} {b}{one}", f"{op} to {op} {short(b)}{one}"),
                ]
                in_header = re.search(r"\bfor \([^;{}]*;[^;]*$", code[max(0, start - 200) : start])
                if in_header and not re.search(r"&&|\|\|", code[start - 30 : end + 30]):
                    continue  # a counter: no check
            else:
                if any(
                    s.start == start and s.end == end and s.depth == 0 and len(s.mutants) == 2
                    for s in self.sites
                ):
                    continue  # the condition says the opposite already
                other = "!=" if op == "==" else "=="
                others = [(f"{a} {other} {b}", f"{op} to {other}")]
            mutants = [
                self.mutant(match.start(), f"{short(a)} {op} {short(b)}: {what}", "comparison")
                for _, what in others
            ]

            def write(piece, whole, mutants=mutants, others=others):
                text = f"static_cast<bool>({piece})"
                for m, (other, _) in zip(mutants, others):
                    text = f"girih_mutation::is({m.number}) ? static_cast<bool>({one_line(other)}) : {text}"
                return f"({text})"

            self.add(start, end, 3, mutants, write)

        for match in re.finditer(
            r"\breturn (true|false|GIRIH_ERROR_\w+|[\w:]+::(?:malformed\w*|inconsistent|bad));",
            code,
        ):
            value = match.group(1)
            instead = {"true": "false", "false": "true"}.get(value) or (
                "int{GIRIH_OK}" if value.startswith("GIRIH") else re.sub(r"\w+$", "good", value)
            )
            m = self.mutant(match.start(), f"return {instead} for {value}", "return")
            as_int = f"int{{{value}}}" if value.startswith("GIRIH") else value
            self.add(
                match.start(1),
                match.end(1),
                1,
                [m],
                lambda piece, _, m=m, v=as_int, i=instead: (
                    f"girih_mutation::is({m.number}) ? {i} : {v}"
                ),
            )

        for match in re.finditer(r" ([|&])= ", code):
            start = match.start()
            while start > 0 and (
                code[start - 1] in ")]" or re.match(r"[\w.>:*-]", code[start - 1])
            ):
                start = self.partner[start - 1] if code[start - 1] in ")]" else start - 1
            end = self.right(match.end(), set())
            if code[end] != ";" or self.is_fixed(start):
                continue
            m = self.mutant(start, f"{short(code[start:end])} not kept", "accumulation")
            value = code[match.end() : end]
            self.add(
                start,
                end + 1,
                0,
                [m],
                lambda piece, _, m=m, value=value: (
                    f"{{ if (girih_mutation::is({m.number})) (void)({one_line(value)}); else {piece} }}"
                ),
            )

        for match in re.finditer(r"\bGIRIH_TRY\(", code):
            start, end = match.start(), self.partner[match.end() - 1]
            m = self.mutant(start, f"error ignored of {short(code[match.end() : end])}", "error")
            value = self.text[match.end() : end]
            self.add(
                start,
                end + 2,
                0,
                [m],
                lambda piece, _, m=m, value=value: (
                    f"{{ if (girih_mutation::is({m.number})) (void)({one_line(value)}); else {piece} }}"
                ),
            )

        call = re.compile(
            r"(?<=[;{})])(\s+)((?!return\b|GIRIH_|if\b|for\b|while\b|switch\b|static_assert\b|(?:girih::)?declassify\b|"
            r"(?:girih::)?wipe\w*\b|assert\b|defined\b|sizeof\b|operator\b|decltype\b|else\b|requires\b|template\b|static_cast\b|"
            r"storage->~)[A-Za-z_][\w:]*(?:(?:->|\.)(?:template )?\w+)*(?:<[^;(){}]*>)?)\("
        )
        for match in call.finditer(code):
            start, end = match.start(2), self.partner[match.end() - 1] + 1
            while re.match(r"\s*\.\w+\(", code[end:]):
                end = self.partner[code.index("(", end)] + 1
            if code[end] != ";" or (
                code[match.start() - 1] == ")"
                and not re.search(r"\b(?:if|for|while) $", code[: self.partner[match.start() - 1]])
            ):
                continue
            m = self.mutant(start, f"{short(code[start:end])} left out", "call")
            self.add(
                start,
                end + 1,
                0,
                [m],
                lambda piece, _, m=m: f"{{ if (!girih_mutation::is({m.number})) {piece} }}",
            )

        if self.with_numbers:
            for match in re.finditer(r"(?<![\w.'])(0x[0-9A-Fa-f]+|\d+)([uU]?)(?![\w.'])", code):
                head = code[self.statement_start(match.start()) : match.start()]
                if (
                    self.is_fixed(match.start())
                    or re.search(r"\bfor \(|<[^<>()]*$|\[\[", head)
                    or code[match.end()] == ">"
                ):
                    continue
                m = self.mutant(
                    match.start(),
                    f"{match.group()} to {match.group()} + 1 (column {self.column(match.start())})",
                    "number",
                )
                self.add(
                    match.start(),
                    match.end(),
                    5,
                    [m],
                    lambda piece, _, m=m: f"({piece} + girih_mutation::is({m.number}))",
                )

    def column(self, at: int) -> int:
        line = self.code.rfind("\n", 0, at) + 1
        indent = len(self.code[line:at]) - len(self.code[line:at].lstrip())
        return at - line - indent + 1

    def written(self, dropped_lines: set[int]) -> str:
        """The file with its mutants; every line stays where it is."""
        sites = sorted(
            (s for s in self.sites if not any(m.line in dropped_lines for m in s.mutants)),
            key=lambda s: (s.start, -s.end, s.depth),
        )

        def piece(start, end, inside):
            out, at, i = [], start, 0
            while i < len(inside):
                site = inside[i]
                nested = []
                i += 1
                while i < len(inside) and inside[i].start < site.end:
                    if inside[i].end <= site.end:
                        nested.append(inside[i])
                    else:
                        for m in inside[i].mutants:
                            m.result = "not switched"
                    i += 1
                out.append(self.text[at : site.start])
                whole = self.text[site.start : site.end]
                out.append(site.write(piece(site.start, site.end, nested), whole))
                at = site.end
            out.append(self.text[at:end])
            return "".join(out)

        return piece(0, len(self.text), sites)
