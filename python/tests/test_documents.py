"""The examples of the documents run, and print what the documents show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"


def test_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "matplotlib"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(DOCUMENTS / "TUTORIAL.md"), module_relative=False)
    assert tried > 40 and failed == 0
    assert (tmp_path / "signing.png").stat().st_size > 1000
