"""What a person waits for: commands in processes of their own, from nothing to the end."""

import os
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyarrow.parquet import ParquetFile, write_table
from rich import box
from rich.console import Console
from rich.table import Table

from tests.fixtures.checkout import CHECKOUT
from warden.base.toolchain.cache import Cache
from warden.demo.estate import write_estate

__all__ = ["measure_commands", "show_commands"]

_INPUT = CHECKOUT / "docs/examples/create-topic.json"


@dataclass(frozen=True)
class _Timed:
    """A command to measure.

    Args:
        what: It in words.
        aim: Seconds of two idle cores.
        arguments: What follows `warden`.
        cold: Whether no bundle is remembered.
    """

    what: str
    aim: float
    arguments: tuple[str, ...]
    cold: bool = False


_COMMANDS = (
    _Timed("--help", 0.3, ("--help",)),
    _Timed("decide, a mistake in --settings", 1, ("decide", "--settings", "mistake.yaml", str(_INPUT)), cold=True),
    _Timed("decide, no bundle remembered", 4, ("decide", str(_INPUT)), cold=True),
    _Timed("decide, the second time", 1, ("decide", str(_INPUT))),
    _Timed("scan of 5 topics, no bundle remembered", 15, ("scan", "snapshot"), cold=True),
)


def measure_commands(times: int = 3) -> list[dict[str, Any]]:
    """Return of each command the seconds on the clock and of the processor, the quickest of some runs."""
    with TemporaryDirectory(prefix="warden-bench-") as name:
        directory = Path(name)
        (directory / "mistake.yaml").write_text("rules: {KFK-SIZ-01: {mode: deny}}\n", encoding="utf-8")
        _write_five_topics(directory / "snapshot")
        return [
            {"what": timed.what, "aim": timed.aim, **_quickest([_run(timed, directory) for _ in range(times)])}
            for timed in _COMMANDS
        ]


def _quickest(runs: list[dict[str, float]]) -> dict[str, float]:
    return min(runs, key=lambda run: run["seconds"])


def _write_five_topics(snapshot: Path) -> None:
    """Leave five topics of one cluster of the smallest estate."""
    write_estate(snapshot, 200, format="parquet")
    first, *others = sorted(snapshot.glob("topics/*/*"))
    for topics in others:
        shutil.rmtree(topics)
        shutil.rmtree(snapshot / "clusters" / topics.relative_to(snapshot / "topics"))
    (file,) = first.glob("*.parquet")
    write_table(ParquetFile(file).read().slice(0, 5), file)


def _run(timed: _Timed, directory: Path) -> dict[str, float]:
    cache = directory / "cache"
    if timed.cold:
        shutil.rmtree(cache / "bundles", ignore_errors=True)
    elif not cache.is_dir():
        _measured(timed, directory, cache)
    return _measured(timed, directory, cache)


def _measured(timed: _Timed, directory: Path, cache: Path) -> dict[str, float]:
    if not cache.is_dir():  # with the tools, without what was built
        cache.mkdir()
        for tool in Cache.from_environment().root.iterdir():
            if tool.name != "bundles":
                (cache / tool.name).symlink_to(tool)
    environment = {**os.environ, "WARDEN_CACHE": str(cache), "PYTHONPATH": f"{CHECKOUT / 'glue'}:{CHECKOUT}"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "warden", *timed.arguments],
        cwd=directory,
        env=environment,
        capture_output=True,
        check=False,
    )
    passed, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": passed, "processorSeconds": spent}


def show_commands(found: list[dict[str, Any]], console: Console) -> None:
    """Print them as a table."""
    table = Table(title="Commands, the quickest of three runs", title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("command", "seconds", "of the processor", "aim"):
        table.add_column(column, justify="left" if column == "command" else "right")
    for one in found:
        table.add_row(one["what"], f"{one['seconds']:.2f}", f"{one['processorSeconds']:.2f}", f"{one['aim']:g}")
    console.print(table)


if __name__ == "__main__":
    show_commands(measure_commands(), Console())
