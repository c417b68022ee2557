"""Many threads with one key: the same bytes, and no crash while a key is wiped."""

from __future__ import annotations

import signal
import subprocess
import sys
import sysconfig
import threading
import time
from typing import Any

import pytest

import girih

DSA: Any = girih.ml_dsa_44
KEM: Any = girih.ml_kem_512


def on_threads(count: int, work: Any) -> None:
    """Runs work(i) on threads, and raises their exceptions."""
    raised: list[BaseException] = []

    def run(index: int) -> None:
        try:
            work(index)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_the_lock_of_free_threaded_builds_stays_off() -> None:
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()  # type: ignore[attr-defined]


def test_one_key_on_many_threads() -> None:
    key, prepared = DSA.SigningKey.from_seed(bytes(32)), None
    prepared = DSA.PreparedSigningKey(key)
    public = DSA.PreparedVerifyingKey(key.verifying_key())
    wanted = [key.sign(b"%d" % row, deterministic=True) for row in range(8)]

    def work(index: int) -> None:
        for row in range(8):
            signer = key if index % 2 else prepared
            assert signer.sign(b"%d" % row, deterministic=True) == wanted[row]
            assert public.verify(b"%d" % row, wanted[row])
            assert DSA.verify_many(
                key.verifying_key(), [b"%d" % row] * 70, [wanted[row]] * 70, threads=2
            )[-1]

    on_threads(8, work)


def test_a_key_is_wiped_under_its_users() -> None:
    for _ in range(10):
        key = DSA.SigningKey.generate()
        prepared, public, start = (
            DSA.PreparedSigningKey(key),
            key.verifying_key(),
            threading.Barrier(5),
        )

        def work(index: int) -> None:
            start.wait()
            if index == 4:
                key.wipe()
                prepared.wipe()
                return
            for _ in range(20):
                try:
                    signature = (key if index % 2 else prepared).sign(b"message")
                except girih.InputException as error:
                    assert "wiped" in str(error)
                    return
                assert public.verify(b"message", signature)

        on_threads(5, work)
        assert key.wiped and prepared.wiped


def test_one_message_and_one_secret_on_many_threads() -> None:
    public = DSA.SigningKey.from_seed(bytes(32)).verifying_key()
    message = DSA.Message(public)
    on_threads(6, lambda index: [message.update(b"x" * 1000) for _ in range(20)])
    assert message.mu() == DSA.Message(public).update(b"x" * 120_000).mu()
    secret = girih.SecretBytes(b"s" * 32)

    def read(index: int) -> None:
        for _ in range(200):
            try:
                if index == 0:
                    secret.wipe()
                assert bytes(secret) == b"s" * 32 == bytes(memoryview(secret.view()))
            except (ValueError, BufferError):
                pass

    on_threads(4, read)


def test_a_callable_on_many_threads() -> None:
    def draw(count: int) -> bytes:
        return b"r" * count

    wanted = DSA.SigningKey.generate(random=draw).verifying_key()
    on_threads(
        6,
        lambda index: [
            DSA.SigningKey.generate(random=draw).verifying_key() == wanted or 1 // 0
            for _ in range(5)
        ],
    )
    public, _ = DSA.keygen_many(count=300, random=draw, threads=4)
    assert set(public) == {bytes(wanted)}


def test_the_lock_is_given_back() -> None:
    """Another thread runs while a batch is processed."""
    key = DSA.SigningKey.from_seed(bytes(32))
    ticks, end = [0], threading.Event()

    def tick() -> None:
        while not end.is_set():
            ticks[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    DSA.sign_many(key, [b"%d" % row for row in range(3000)])
    after = ticks[0]
    end.set()
    thread.join()
    assert after - before > 10


@pytest.mark.parametrize(
    "call",
    [
        "key.sign(message)",
        "public.verify(message, signature)",
        "dsa.sign_many(key, [message] * 4, threads=2)",
    ],
)
def test_daemons_do_not_abort_the_end(call: str) -> None:
    program = f"""
import threading, time, girih
dsa = girih.ml_dsa_44
key = dsa.SigningKey.generate()
public = key.verifying_key()
message = bytes(1000000)
signature = key.sign(message)
def work():
    while True:
        {call}
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""
    # In CPython 3.10 a thread that waits for the lock may read the freed interpreter (take_gil).
    ends = {0, -signal.SIGSEGV} if sys.version_info < (3, 11) else {0}
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, timeout=60, check=False
        )
        assert run.returncode in ends and run.stderr == b"", (run.returncode, run.stderr)
