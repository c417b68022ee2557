"""One verification job as a single process, on Ray Data, on Dask or on Spark: jobs.py ENGINE IN OUT

Each folder in IN becomes one in OUT, which appears when it is complete, so that a restarted job
does the missing ones. `--kill` ends a busy worker of the cluster; `--stop-after N` ends the job
after N parts. Prints one line of JSON: parts, wall-clock seconds, and CPU seconds of all processes
of the job, without the start of the engine.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

import girih.arrow

OPTIONS: dict[str, Any] = {"algorithm": "ML-DSA-44", "keep": ["id"]}
VERDICTS = pa.schema([("id", pa.int64()), ("verdict", pa.bool_())])
WORKERS = 2

Part = Callable[[Path, Path], None]  # verifies a folder of Parquet files into another


class Processors:
    """CPU seconds of this process and its descendants."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[int, float], float] = {}
        threading.Thread(target=self._watch, daemon=True).start()

    def _look(self) -> None:
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                self._seconds[process.pid, process.create_time()] = times.user + times.system

    def _watch(self) -> None:
        while True:
            self._look()
            time.sleep(0.5)

    def seconds(self) -> float:
        self._look()
        return sum(self._seconds.values())


def verify_file(source: str, target: str) -> int:
    """Converts one file into another, in batches; returns its number of rows."""
    rows = 0
    with pq.ParquetWriter(target, VERDICTS) as writer:
        for batch in pq.ParquetFile(source, read_dictionary=["public_key"]).iter_batches(16384):
            verdicts = girih.arrow.verify(batch, **OPTIONS)
            writer.write_batch(verdicts)
            rows += verdicts.num_rows
    return rows


@contextlib.contextmanager
def on_one_process() -> Iterator[Part]:
    def part(source: Path, target: Path) -> None:
        for file in sorted(source.glob("*.parquet")):
            verify_file(str(file), str(target / file.name))

    yield part


@contextlib.contextmanager
def on_ray() -> Iterator[Part]:
    import ray

    ray.init(
        num_cpus=WORKERS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=2 << 30,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    verify = functools.partial(girih.arrow.verify, **OPTIONS)

    def part(source: Path, target: Path) -> None:
        rows = ray.data.read_parquet(str(source))
        rows.map_batches(verify, batch_format="pyarrow", batch_size=16384).write_parquet(
            str(target)
        )

    yield part
    ray.shutdown()


@contextlib.contextmanager
def on_dask() -> Iterator[Part]:
    from dask.distributed import Client, LocalCluster

    cluster = LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, memory_limit=0
    )
    client = Client(cluster)

    def part(source: Path, target: Path) -> None:
        files = sorted(source.glob("*.parquet"))
        done = client.map(
            verify_file,
            [str(file) for file in files],
            [str(target / file.name) for file in files],
            pure=False,
            retries=3,
        )
        client.gather(done)

    yield part
    client.close()
    cluster.close()


@contextlib.contextmanager
def on_spark() -> Iterator[Part]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local-cluster[{WORKERS},1,2048]")
        .config("spark.executor.memory", "2g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "16384")
        .config("spark.sql.files.maxPartitionBytes", str(256 << 20))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def part(source: Path, target: Path) -> None:
        rows = session.read.parquet(str(source))
        verify = girih.arrow.verify_batches(**OPTIONS)
        rows.mapInArrow(verify, "id long, verdict boolean").write.mode("overwrite").parquet(
            str(target)
        )

    yield part
    session.stop()


ENGINES = {"one": on_one_process, "ray": on_ray, "dask": on_dask, "spark": on_spark}
WORKER_OF = {
    "ray": ("ray::",),
    "dask": ("multiprocessing", "spawn_main"),
    "spark": ("CoarseGrainedExecutorBackend",),
}


def kill_a_worker(engine: str, found: list[str]) -> None:
    """Ends the busiest worker process, as soon as one is at work."""
    for _ in range(200):
        time.sleep(0.2)
        candidates = []
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                words = " ".join(process.cmdline())
                if (
                    all(word in words for word in WORKER_OF[engine])
                    and "resource_tracker" not in words
                ):
                    candidates.append((process.cpu_percent(0.1), process.pid, words[:60]))
        busy = max(candidates, default=(0.0, 0, ""))
        if busy[0] > 5:
            os.kill(busy[1], signal.SIGKILL)
            found.append(busy[2])
            return


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("engine", choices=list(ENGINES))
    arguments.add_argument("source", type=Path)
    arguments.add_argument("target", type=Path)
    arguments.add_argument("--kill", action="store_true")
    arguments.add_argument("--stop-after", type=int, default=0)
    given = arguments.parse_args()

    processors = Processors()
    killed: list[str] = []
    done = 0
    with ENGINES[given.engine]() as verify_part:
        began, used = time.perf_counter(), processors.seconds()
        for source in sorted(given.source.glob("part-*")):
            target = given.target / source.name
            if target.exists():
                continue
            if given.stop_after and done == given.stop_after:
                print(json.dumps({"stopped_after": done}), flush=True)
                os._exit(9)
            unfinished = given.target / f"unfinished-{source.name}"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            if given.kill and done == 0:
                threading.Thread(
                    target=kill_a_worker, args=(given.engine, killed), daemon=True
                ).start()
            verify_part(source.resolve(), unfinished.resolve())
            unfinished.rename(target)
            done += 1
        seconds, used = time.perf_counter() - began, processors.seconds() - used
    print(
        json.dumps(
            {
                "engine": given.engine,
                "parts": done,
                "seconds": round(seconds, 1),
                "processor_seconds": round(used, 1),
                "killed": killed,
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main()
