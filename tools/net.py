"""The parts of the checks (tools/parts.tsv), and which of them a change needs."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tools/parts.tsv"
EVIDENCE = ROOT / "docs/EVIDENCE.md"
LONGEST_REST = 60  # commits after which a part counts as changed
SHORT = 1  # minutes that a part may take to run on a change of its paths


def git(*arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=check,
    )
    return done.stdout.strip()


class Part(NamedTuple):
    """A line of tools/parts.tsv."""

    name: str
    when: str
    minutes: float
    paths: list[str]
    command: str

    @property
    def is_before_a_release(self) -> bool:
        return self.when != "only-change"


class Evidence(NamedTuple):
    """A row of docs/EVIDENCE.md."""

    part: str
    verdict: str
    commit: str
    date: str
    minutes: str
    count: str
    machine: str


class Plan(NamedTuple):
    """The parts that a change needs and those that it does not, each with the reason."""

    base: str
    files: list[str]
    chosen: list[tuple[Part, str]]
    left_out: list[tuple[Part, str]]


def read_parts() -> list[Part]:
    parts = []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != 5 or fields[1] not in (
                "change",
                "only-change",
                "emulator",
                "release",
            ):
                raise SystemExit(
                    f"{TABLE}:{number}: name, when, minutes, paths and command, with tabs between"
                )
            name, when, minutes, paths, command = fields
            parts.append(
                Part(name, when, float(minutes), paths.split() if paths != "-" else [], command)
            )
    return parts


def read_evidence() -> dict[str, Evidence]:
    if not EVIDENCE.exists():
        return {}
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in EVIDENCE.read_text().splitlines()
        if line.startswith("| ") and not line.startswith("| part")
    ]
    return {row[0]: Evidence(*row) for row in rows}


def is_in_history(commit: str) -> bool:
    return (
        subprocess.run(
            ["git", "-c", "safe.directory=*", "merge-base", "--is-ancestor", commit, "HEAD"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )


def changed_files(base: str, paths: list[str]) -> list[str]:
    """Files that differ from a commit, committed or not, under some paths or anywhere.
    docs/EVIDENCE.md does not count."""
    record = f":(exclude){EVIDENCE.relative_to(ROOT)}"
    return git("diff", "--name-only", base, "--", *paths, record).splitlines()


def base_of_the_change() -> str:
    """The commit that a change is compared with: where it left its target branch, else the commit
    of the tests' last evidence, else the commit before."""
    upstream = git("merge-base", "HEAD", "@{upstream}", check=False)
    if upstream and upstream != git("rev-parse", "HEAD"):
        return git("rev-parse", "--short", upstream)
    last = read_evidence().get("test")
    if (
        last
        and is_in_history(last.commit)
        and git("rev-parse", last.commit) != git("rev-parse", "HEAD")
    ):
        return last.commit
    return git("rev-parse", "--short", "HEAD^", check=False) or git("rev-parse", "--short", "HEAD")


def why_changed(part: Part, evidence: dict[str, Evidence], paths: Sequence[str] = ()) -> str:
    """Why a part counts as changed since it last passed, itself or what else is under some paths;
    empty if it does not."""
    last = evidence.get(part.name)
    if not last or not is_in_history(last.commit):
        return "there is no evidence of it"
    if last.verdict != "good":
        return f"it failed at {last.commit}"
    rest = int(git("rev-list", "--count", f"{last.commit}..HEAD"))
    if rest > LONGEST_REST:
        return f"last run {rest} commits ago"
    files = changed_files(last.commit, [*part.paths, *paths] if part.paths else [])
    return f"changed since {last.commit}: {some(files)}" if files else ""


def state_of(part: Part, evidence: dict[str, Evidence]) -> str:
    return (
        why_changed(part, evidence) or f"nothing of it changed since {evidence[part.name].commit}"
    )


def some(files: list[str]) -> str:
    return ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")


def plan_of_change(parts: list[Part], evidence: dict[str, Evidence]) -> Plan:
    base = base_of_the_change()
    chosen = [(part, "on each change") for part in parts if part.when in ("change", "only-change")]
    left_out = []
    emulators = [part for part in parts if part.when == "emulator"]
    touched = [part for part in emulators if part.paths and changed_files(base, part.paths)] or [
        part for part in emulators if why_changed(part, evidence)
    ]
    turn = int(git("rev-list", "--count", "HEAD"))
    one = (touched or emulators)[turn % len(touched or emulators)]
    for part in emulators:
        reason = state_of(part, evidence)
        if part is one:
            chosen.append(
                (
                    part,
                    f"{reason}; one of {len(touched)}, in turn"
                    if touched
                    else f"in turn; {reason}",
                )
            )
        else:
            left_out.append((part, f"{reason}; one emulator at a time"))
    for part in parts:
        if part.when == "release":
            files = changed_files(base, part.paths)
            if files and part.minutes <= SHORT:
                chosen.append((part, f"the change touches {some(files)}"))
            else:
                left_out.append((part, state_of(part, evidence)))
    return Plan(base, changed_files(base, []), chosen, left_out)
