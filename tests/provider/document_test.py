"""Runs the commands of docs/OPENSSL.md in order, in a folder of their own: each has to succeed.

GIRIH_PROVIDER is the provider; GIRIH_OPENSSL, if it is set, the program to run as `openssl`.
Commands after a line <!-- needs 3.5 --> are left out with an older one.
"""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

PROVIDER = pathlib.Path(os.environ["GIRIH_PROVIDER"]).resolve()
PROGRAM = shutil.which(os.environ.get("GIRIH_OPENSSL", "openssl"))
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/OPENSSL.md"
BLOCK = re.compile(r"(?:<!-- needs (\d+)\.(\d+) -->\n)?```(sh|ini)\n(.*?)```\n", re.DOTALL)
PORT = re.compile(r"\b244\d\d\b")
# Instead of the document's pause for a server to start, which may take longer on a busy machine.
LISTENS = "for _ in {{1..600}}; do grep -Eqs ':{:04X} 0+:0000 0A' /proc/net/tcp /proc/net/tcp6 && break; sleep 0.1; done\n"
END_SERVERS = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"
SECONDS = 600
SHOWN = 2000  # characters of a failed block's output
# The x509 -req of OpenSSL 4.0.3 takes the unnamed section for extensions unless that names another.
FIRST = "extensions = none\n"
REST = """
[none]
[evp_properties]
default_properties = ?provider=girih
[req]
distinguished_name = dn
x509_extensions = authority
[dn]
[authority]
basicConstraints = critical, CA:TRUE
subjectKeyIdentifier = hash
"""


def version(environment):
    shown = subprocess.run(
        [PROGRAM, "version"], capture_output=True, text=True, env=environment, check=True
    ).stdout
    return tuple(map(int, re.match(r"OpenSSL (\d+)\.(\d+)", shown).groups()))


def configuration(text):
    """The document's, with composites and the module, and preferring girih where OpenSSL has it."""
    text, count = re.subn(r"# (module = ).*", rf"\g<1>{PROVIDER}", text)
    text, turned_on = re.subn(r"# (composites = on)", r"\1", text)
    assert count == turned_on == 1, "the configuration in the document has another form"
    return (
        FIRST
        + text.replace("[openssl_init]\n", "[openssl_init]\nalg_section = evp_properties\n")
        + REST
    )


def has_loopback():
    try:
        with (
            socket.create_server(("localhost", 0)) as server,
            socket.create_connection(server.getsockname()),
        ):
            return True
    except OSError:
        return False


def free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return str(listener.getsockname()[1])


def main():
    blocks = BLOCK.findall(DOCUMENT.read_text(encoding="utf-8"))
    configurations = [text for _, _, kind, text in blocks if kind == "ini"]
    with tempfile.TemporaryDirectory(prefix="girih-") as name:
        folder = pathlib.Path(name)
        (folder / "openssl.cnf").write_text(configuration(configurations[0]), encoding="utf-8")
        (folder / "bin").mkdir()
        (folder / "bin/openssl").write_text(f'#!/bin/sh\nexec {PROGRAM} "$@"\n', encoding="utf-8")
        (folder / "bin/openssl").chmod(0o755)
        environment = dict(
            os.environ,
            OPENSSL_CONF=str(folder / "openssl.cnf"),
            PATH=f"{folder}/bin:{os.environ['PATH']}",
        )
        has = version(environment)
        run = failed = skipped = 0
        for major, minor, kind, text in blocks:
            if kind != "sh":
                continue
            if major and has < (int(major), int(minor)):
                skipped += 1
                continue
            ports = sorted(set(PORT.findall(text)))
            if ports and not has_loopback():
                skipped += 1
                continue
            for port in ports:
                free = free_port()
                text = text.replace(port, free).replace("sleep 2\n", LISTENS.format(int(free)))
            done = subprocess.run(
                ["bash", "-e", "-c", END_SERVERS + text],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
            run += 1
            if done.returncode != 0 or "error:" in done.stderr and "! openssl" not in text:
                failed += 1
                print(
                    f"FAILED with exit code {done.returncode}:\n{text}{(done.stdout + done.stderr)[-SHOWN:]}"
                )
    print(f"openssl {has[0]}.{has[1]}: {run - failed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not run else 0


if __name__ == "__main__":
    sys.exit(main())
