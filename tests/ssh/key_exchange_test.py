"""The hybrid key exchange of RFC 9941 with OpenSSH on the other side: sntrup761 is that of the
girih command which GIRIH_COMMAND names, X25519 and Ed25519 are those of the openssl program.

The host signs the exchange hash, of which the shared secret is a part. So a signature that verifies
shows that both sides have the same secret.
"""

import base64
import hashlib
import os
import pathlib
import pwd
import shutil
import socket
import struct
import subprocess
import tempfile
import unittest

DISCONNECT, IGNORE, DEBUG, KEXINIT, NEWKEYS, ECDH_INIT, ECDH_REPLY = 1, 2, 4, 20, 21, 30, 31
PUBLIC_KEY_BYTES, CIPHERTEXT_BYTES = 1158, 1039  # of sntrup761
X25519_INFO = bytes.fromhex(
    "302a300506032b656e032100"
)  # SubjectPublicKeyInfo before the key (RFC 8410)
ED25519_INFO = bytes.fromhex("302a300506032b6570032100")
SECONDS = 120
PROGRAMS = {
    name: shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    for name in ("ssh", "sshd", "ssh-keygen", "openssl")
} | {"girih": os.environ["GIRIH_COMMAND"]}
# sshd of root wants a folder of the system and a user of its own.
USER = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid} if os.geteuid() == 0 else {}


def string(content):
    return struct.pack(">I", len(content)) + content


def strings(data):
    """The strings that data is made of (RFC 4251, Section 5)."""
    found = []
    while data:
        end = 4 + struct.unpack(">I", data[:4])[0]
        found.append(data[4:end])
        data = data[end:]
    return found


class Transport:
    """One side of a connection up to the first keys (RFC 4253): versions, KEXINIT, packets in the
    clear."""

    def __init__(self, connection, key_exchange):
        connection.settimeout(SECONDS)
        self.stream = connection.makefile("rwb")
        self.own_version = b"SSH-2.0-girih"
        self.stream.write(self.own_version + b"\r\n")
        self.stream.flush()
        self.peer_version = self.stream.readline(255).rstrip(b"\r\n")
        both_ways = [b"aes256-ctr", b"hmac-sha2-256", b"none", b""]
        lists = [key_exchange.encode(), b"ssh-ed25519"] + [
            names for names in both_ways for _ in range(2)
        ]
        self.own_kexinit = bytes([KEXINIT]) + bytes(16) + b"".join(map(string, lists)) + bytes(5)
        self.send(self.own_kexinit)
        self.peer_kexinit = self.receive(KEXINIT)

    def send(self, payload):
        """In a multiple of 8 bytes with at least 4 of padding (Section 6)."""
        padding = 4 + -(9 + len(payload)) % 8
        self.stream.write(
            struct.pack(">IB", 1 + len(payload) + padding, padding) + payload + bytes(padding)
        )
        self.stream.flush()

    def receive(self, *kinds):
        """The next payload, of one of these kinds; IGNORE and DEBUG may come at any time."""
        while True:
            length, padding = struct.unpack(">IB", self.stream.read(5))
            payload = self.stream.read(length - 1)[:-padding]
            if payload[0] not in (IGNORE, DEBUG):
                assert payload[0] in kinds, (
                    f"message {payload[0]} came where one of {kinds} should have"
                )
                return payload


class KeyExchange(unittest.TestCase):
    def setUp(self):
        missing = [name for name, path in PROGRAMS.items() if path is None]
        if missing:
            self.skipTest(f"there is no {missing[0]}")
        try:
            pwd.getpwuid(os.geteuid())
            with socket.create_server(("127.0.0.1", 0)) as server:
                socket.create_connection(server.getsockname()).close()
        except (KeyError, OSError):
            self.skipTest("a user without a name, or no loopback")
        folder = tempfile.TemporaryDirectory(prefix="girih-ssh-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        if USER:
            shutil.chown(self.folder, "nobody")
        known = self.run_program("ssh", "-Q", "kex").decode().split()
        names = ("sntrup761x25519-sha512@openssh.com", "sntrup761x25519-sha512")
        self.names = [name for name in names if name in known]
        if not self.names:
            self.skipTest("this OpenSSH has no sntrup761")

    def run_program(self, name, *arguments, **options):
        return subprocess.run(
            [PROGRAMS[name], *arguments],
            cwd=self.folder,
            timeout=SECONDS,
            check=True,
            stdout=subprocess.PIPE,
            **options,
        ).stdout

    def start(self, name, *arguments, **options):
        process = subprocess.Popen([PROGRAMS[name], *arguments], cwd=self.folder, **USER, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return name

    # ---- Classical cryptography

    def generate(self, algorithm):
        """Makes a key pair, in a file named as the algorithm, and returns the public key."""
        self.run_program("openssl", "genpkey", "-algorithm", algorithm, "-out", algorithm)
        return self.run_program("openssl", "pkey", "-in", algorithm, "-pubout", "-outform", "DER")[
            -32:
        ]

    def x25519(self, peer):
        self.write("peer", X25519_INFO + peer)
        return self.run_program(
            "openssl",
            "pkeyutl",
            "-derive",
            "-inkey",
            "x25519",
            "-peerkey",
            "peer",
            "-peerform",
            "DER",
        )

    def ed25519_sign(self, message):
        self.write("message", message)
        return self.run_program(
            "openssl", "pkeyutl", "-sign", "-rawin", "-inkey", "ed25519", "-in", "message"
        )

    def ed25519_verifies(self, public_key, message, signature):
        self.write("message", message)
        self.write("signature", signature)
        self.write("host", ED25519_INFO + public_key)
        done = subprocess.run(
            [
                PROGRAMS["openssl"],
                "pkeyutl",
                "-verify",
                "-rawin",
                "-pubin",
                "-inkey",
                "host",
                "-keyform",
                "DER",
                "-in",
                "message",
                "-sigfile",
                "signature",
            ],
            cwd=self.folder,
            timeout=SECONDS,
            capture_output=True,
            check=False,
        )
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode == 0

    # ---- girih's part, and the exchange

    def decapsulate(self, ciphertext):
        return self.run_program(
            "girih",
            "decap",
            "--alg",
            "sntrup761",
            "--secret",
            "secret",
            "--ciphertext",
            "-",
            "--shared-secret",
            "-",
            input=ciphertext,
        )

    def encapsulate(self, public_key):
        secret = self.run_program(
            "girih",
            "encap",
            "--alg",
            "sntrup761",
            "--public",
            "-",
            "--ciphertext",
            "ciphertext",
            "--shared-secret",
            "-",
            "--force",
            input=public_key,
        )
        return (self.folder / "ciphertext").read_bytes(), secret

    def exchange_hash(self, transcript, sntrup761_secret, x25519_secret):
        """RFC 9941, Section 3: the shared secret is a SHA-512, and a string."""
        shared_secret = hashlib.sha512(sntrup761_secret + x25519_secret).digest()
        return hashlib.sha512(b"".join(map(string, [*transcript, shared_secret]))).digest()

    def test_sshd_has_signed_the_secret_that_is_decapsulated(self):
        for name in self.names:
            with self.subTest(name):
                self.exchange_with_sshd(name)

    def exchange_with_sshd(self, name):
        (self.folder / "host_key").unlink(missing_ok=True)
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "host_key", **USER)
        own_end, other_end = socket.socketpair()
        with own_end:
            with other_end:
                self.start(
                    "sshd",
                    "-i",
                    "-e",
                    "-f",
                    "/dev/null",
                    "-oHostKey=host_key",
                    f"-oKexAlgorithms={name}",
                    "-oHostKeyAlgorithms=ssh-ed25519",
                    "-oUsePAM=no",
                    stdin=other_end,
                    stdout=other_end,
                )
            server = Transport(own_end, name)
            self.run_program(
                "girih",
                "keygen",
                "--alg",
                "sntrup761",
                "--format",
                "raw",
                "--secret",
                "secret",
                "--public",
                "public",
                "--force",
            )
            client_share = (self.folder / "public").read_bytes() + self.generate("x25519")
            server.send(bytes([ECDH_INIT]) + string(client_share))
            host_key, server_share, signature = strings(server.receive(ECDH_REPLY)[1:])
            server.receive(NEWKEYS)
        transcript = [
            server.own_version,
            server.peer_version,
            server.own_kexinit,
            server.peer_kexinit,
            host_key,
            client_share,
            server_share,
        ]
        self.assertEqual(len(server_share), CIPHERTEXT_BYTES + 32)
        ciphertext = server_share[:CIPHERTEXT_BYTES]
        changed = ciphertext[:500] + bytes([ciphertext[500] ^ 1]) + ciphertext[501:]
        x25519_secret = self.x25519(server_share[CIPHERTEXT_BYTES:])
        for sent, verifies in ((ciphertext, True), (changed, False)):
            exchange_hash = self.exchange_hash(transcript, self.decapsulate(sent), x25519_secret)
            verdict = self.ed25519_verifies(
                strings(host_key)[1], exchange_hash, strings(signature)[1]
            )
            self.assertEqual(verdict, verifies)

    def test_ssh_takes_the_secret_that_is_encapsulated_and_no_other(self):
        for name in self.names:
            with self.subTest(name):
                _, answer = self.exchange_with_ssh(name, flip=0)
                self.assertEqual(answer, NEWKEYS)
                ssh, answer = self.exchange_with_ssh(name, flip=1)
                self.assertIn(answer, (DISCONNECT, None))
                self.assertNotEqual(ssh.wait(SECONDS), 0)
                self.assertIn("incorrect signature", (self.folder / "errors").read_text())

    def exchange_with_ssh(self, name, flip):
        """The program, and the kind of message with which it answers; None if it closes."""
        host_key = string(b"ssh-ed25519") + string(self.generate("ed25519"))
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            self.write(
                "known_hosts",
                f"[127.0.0.1]:{port} ssh-ed25519 ".encode() + base64.b64encode(host_key) + b"\n",
            )
            listener.settimeout(SECONDS)
            with (self.folder / "errors").open("wb") as errors:
                ssh = self.start(
                    "ssh",
                    "-F",
                    "none",
                    "-v",
                    "-oBatchMode=yes",
                    f"-oKexAlgorithms={name}",
                    "-oHostKeyAlgorithms=ssh-ed25519",
                    "-oUserKnownHostsFile=known_hosts",
                    "-oGlobalKnownHostsFile=/dev/null",
                    "-oStrictHostKeyChecking=yes",
                    "-p",
                    str(port),
                    "girih@127.0.0.1",
                    "true",
                    stdin=subprocess.DEVNULL,
                    stderr=errors,
                )
            connection = listener.accept()[0]
        with connection:
            client = Transport(connection, name)
            [client_share] = strings(client.receive(ECDH_INIT)[1:])
            self.assertEqual(len(client_share), PUBLIC_KEY_BYTES + 32)
            ciphertext, secret = self.encapsulate(client_share[:PUBLIC_KEY_BYTES])
            server_share = ciphertext + self.generate("x25519")
            transcript = [
                client.peer_version,
                client.own_version,
                client.peer_kexinit,
                client.own_kexinit,
                host_key,
                client_share,
                server_share,
            ]
            sent = bytes([secret[0] ^ flip]) + secret[1:]
            exchange_hash = self.exchange_hash(
                transcript, sent, self.x25519(client_share[PUBLIC_KEY_BYTES:])
            )
            signature = string(b"ssh-ed25519") + string(self.ed25519_sign(exchange_hash))
            client.send(
                bytes([ECDH_REPLY]) + b"".join(map(string, [host_key, server_share, signature]))
            )
            try:
                return ssh, client.receive(NEWKEYS, DISCONNECT)[0]
            except (OSError, struct.error):
                return ssh, None


if __name__ == "__main__":
    unittest.main()
