"""Shared by the footprint and the race of images: the emulated board, and tables in Markdown."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


class Failure(Exception):
    pass


def run(*command):
    """The standard output of a command; a Failure with its first complaint if it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.splitlines() or ["no reason given"]
        raise Failure(
            next((line for line in lines if "error" in line or "undefined" in line), lines[0])
        )
    return done.stdout


def benchmark(girih_board, image, runs):
    """The operations of one of girih's images, by name, in the emulator."""
    text = run(
        girih_board, "--timeout", "600", "--emulate", image, "bench", "--runs", runs, "--json"
    )
    return {operation["operation"]: operation for operation in json.loads(text)["operations"]}


def spaced(number):
    return "" if number is None else f"{number:,}"


def table(heads, rows, texts=1):
    """A table in Markdown; its first `texts` columns are text."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * texts + "---:|" * (len(heads) - texts)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"
