"""One process, several lives: interpreters, second imports, forks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SIGNS = """
import girih
key = girih.ml_dsa_44.SigningKey.generate()
signature = key.sign(b"message")
def works():
    assert key.verifying_key().verify(b"message", signature)
    assert girih.ml_dsa_44.SigningKey.generate().sign(b"message")
works()
"""

INTERPRETERS = """
try:
    import _interpreters as interpreters
    create = lambda: interpreters.create("legacy")
except ImportError:
    import _xxsubinterpreters as interpreters
    create = interpreters.create if {old} else lambda: interpreters.create(isolated=False)
def run(program):
    inner = create()
    try:
        raised = interpreters.run_string(inner, program)
        assert raised is None, raised
    finally:
        interpreters.destroy(inner)
""".format(old=sys.version_info < (3, 12))


def runs(program: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_second_interpreter_is_refused_and_breaks_nothing() -> None:
    refused = "try:\n    import girih\nexcept ImportError as error:\n    assert 'another interpreter' in str(error)\nelse:\n    1 // 0"
    runs(
        SIGNS
        + INTERPRETERS
        + f"""
for _ in range(2):
    run({refused!r})
    works()
"""
    )


def test_interpreters_one_after_the_other() -> None:
    runs(
        INTERPRETERS
        + f"""
run({SIGNS!r})
run({SIGNS!r})
{SIGNS}
"""
    )


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")
def test_an_embedded_interpreter_is_begun_again(tmp_path: Path) -> None:
    config = sysconfig.get_config_vars()
    library = Path(config["LIBDIR"], config["LDLIBRARY"])
    if not library.exists():
        pytest.skip("no library of Python to embed")
    (tmp_path / "main.c").write_text("""
#include <Python.h>
int main(int argc, char **argv)
{
    (void)argc;
    for (int i = 0; i < 3; ++i) {
        Py_Initialize();
        if (PyRun_SimpleString(argv[1]) != 0) return 1;
        if (Py_FinalizeEx() != 0) return 2;
    }
    return 0;
}
""")
    subprocess.run(
        [
            "cc",
            str(tmp_path / "main.c"),
            "-o",
            str(tmp_path / "main"),
            "-I" + config["INCLUDEPY"],
            str(library),
            "-Wl,-rpath," + config["LIBDIR"],
            *config["LINKFORSHARED"].split(),
            *config["LIBS"].split(),
            *config["SYSLIBS"].split(),
        ],
        check=True,
    )
    done = subprocess.run(
        [str(tmp_path / "main"), SIGNS],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONHOME": sys.base_prefix, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "forgotten", ["name == 'girih'", "name.startswith('girih')", "name == 'girih._girih'"]
)
def test_a_second_import_has_the_same_types(forgotten: str) -> None:
    runs(
        SIGNS
        + f"""
import copy, gc, importlib, sys
first, first_signature = key, signature
old = girih._girih
for _ in range(3):
    for name in [name for name in sys.modules if {forgotten}]:
        del sys.modules[name]
    del girih, old
    gc.collect()
    works_still = first.verifying_key().verify(b"message", first_signature)
    assert works_still and first.sign(b"another")
    import girih
    import girih._girih as old
    key = girih.ml_dsa_44.SigningKey.generate()
    signature = key.sign(b"message")
    works()
    public = girih.ml_dsa_44.VerifyingKey(bytes(first.verifying_key()))
    assert girih.ml_dsa_44.verify_many([public] * 2, [b"message"] * 2, [first_signature] * 2) == [True] * 2
    try:
        public.verify(b"", b"", context=bytes(256))
    except girih.InputException:
        pass
    importlib.reload(old)
    importlib.reload(girih)
    works()
"""
    )


LATER = ["arrow", "hpke", "hybrids", "ssh"]


def test_modules_are_imported_when_they_are_used() -> None:
    pytest.importorskip("cryptography")
    runs(f"""
import sys, girih
loaded = lambda: {{"cryptography", "numpy", "pandas", "polars", "pyarrow"}} & set(sys.modules)
assert not loaded() and not any("girih." + name in sys.modules for name in {LATER})
assert set({LATER}) < set(dir(girih)) and "importlib" not in dir(girih) and not loaded()
assert girih.arrow.__name__ == "girih.arrow" and not loaded()
assert girih.hpke.Suite and girih.ssh.sign and girih.hybrids.x_wing
try:
    girih.sssh
except AttributeError as error:
    assert str(error) == "module 'girih' has no attribute 'sssh'"
else:
    1 // 0
""")


def test_modules_that_lack_a_package_say_what_to_install() -> None:
    runs(f"""
import io, pydoc, sys
sys.modules["cryptography"] = None
import girih
assert set({LATER}) & set(dir(girih)) == {{"arrow"}}
pydoc.Helper(output=io.StringIO()).help(girih)
for name, extra in (("ssh", "ssh"), ("hpke", "hpke"), ("hybrids", "hpke")):
    try:
        getattr(girih, name)
    except ImportError as error:
        assert f"pip install 'girih[{{extra}}]'" in str(error), error
    else:
        1 // 0
""")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_has_the_keys() -> None:
    runs(
        SIGNS
        + """
import os
child = os.fork()
if child == 0:
    works()
    assert girih.ml_dsa_44.sign_many(key, [b"m"] * 70, threads=2)
    os._exit(0)
works()
assert os.waitpid(child, 0)[1] == 0
"""
    )
