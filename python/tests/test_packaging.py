"""The source package has the files that a build needs, and no built ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def test_source_distributions_hold_no_build_products(tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not in a clone of the repository")
    tree = tmp_path / "tree"
    sources = {
        name for name in listed.stdout.decode().split("\0") if name and (TOP / name).is_file()
    }
    for name in sources:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, tree / name)
    for product in (
        "build/python/cp311-cp311-linux_x86_64/CMakeFiles/_girih.dir/src/module.cpp.o",
        "build/test/include/girih/made.h",
        "python/girih/__pycache__/arrow.cpython-311.pyc",
    ):
        (tree / product).parent.mkdir(parents=True)
        (tree / product).write_bytes(b"made")
    made = subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--outdir", str(tmp_path), str(tree)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names - {"PKG-INFO"} <= sources
    assert {
        "CMakeLists.txt",
        "LICENSE",
        "include/girih/girih.h",
        "python/src/module.cpp",
        "python/girih/py.typed",
    } <= names
    assert {name.partition("/")[0] for name in names} == {
        "CMakeLists.txt",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "PKG-INFO",
        "cmake",
        "include",
        "pyproject.toml",
        "python",
        "src",
    }
