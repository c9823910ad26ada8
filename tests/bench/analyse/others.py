"""The same rows and rules in other programs that evaluate files: ``opa exec`` and conftest."""

import json
import os
import resource
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from tests.bench.analyse.rows import Rows
from warden.base.errors import ScanError

__all__ = ["Program", "conftest_test", "measure_others", "opa_exec", "other_lines", "other_ratios", "write_files"]

_BATCH = 500
_TARGETS = {"opa exec": 2, "conftest": 8}


@dataclass(frozen=True)
class Program:
    """A program that evaluates files.

    Args:
        command: What is run; the paths of files and directories come last.
        decisions: Makes of its output, in no order, whether each row is denied.
    """

    command: Sequence[str]
    decisions: Callable[[str], Iterable[bool]]


def opa_exec(opa: Path, bundle: Path, *, batches: bool = False) -> Program:
    """Return ``opa exec``.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        batches: Whether a file has many rows, and not one.
    """
    decision = "kafka/decisions" if batches else "kafka/decision"

    def decisions(text: str) -> Iterable[bool]:
        for file in json.loads(text)["result"]:
            if "result" not in file:  # its exit status is 0 all the same
                raise ScanError(f"opa exec decides nothing about {file['path']}: {file['error']['message']}")
            for decided in file["result"].values() if batches else [file["result"]]:
                yield not decided["allowed"]

    return Program([str(opa), "exec", "--bundle", str(bundle), "--decision", decision], decisions)


def conftest_test(conftest: Path, bundle: Path, directory: Path) -> Program:
    """Return ``conftest test`` on the policies and data of a bundle, by way of adapter.rego.

    Args:
        conftest: The binary.
        bundle: The bundle.
        directory: Where the bundle is unpacked to; it is made.
    """
    with tarfile.open(bundle) as source:
        for member in source:  # their names begin with "/"
            if (file := source.extractfile(member)) is not None:
                target = directory / member.name.lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read())
    shutil.copy(Path(__file__).with_name("adapter.rego"), directory)
    command = [str(conftest), "test", "--policy", str(directory), "--data", str(directory / "data.json")]
    options = ["--namespace", "bench", "--parser", "json", "--output", "json", "--no-fail"]
    return Program([*command, *options], lambda text: ("failures" in file for file in json.loads(text)))


def write_files(directory: Path, documents: Iterable[Any], parts: int) -> list[Path]:
    """Write a file for each document, dealt out to ``parts`` directories, which are returned."""
    places = [directory / str(part) for part in range(parts)]
    for place in places:
        place.mkdir(parents=True)
    for number, document in enumerate(documents):
        (places[number % parts] / f"{number:06}.json").write_text(json.dumps(document), encoding="utf-8")
    return places


def measure_others(
    opa: Path, conftest: Path | None, bundle: Path, rows: Rows, cores: int, directory: Path
) -> dict[str, dict[str, float]]:
    """Measure each program as one process, as its users run it, and as a process for each core.

    Args:
        opa, conftest: The binaries; without the latter it is left out.
        bundle: The bundle, unsigned.
        rows: What is evaluated, all of it.
        cores: Processes at once.
        directory: For files; it is made.

    Returns:
        Name → ``perSecond`` without the start of the program, which is in ``startSeconds``; ``processorMs`` of a row,
        on all cores together, which a busy machine changes less; ``rows`` and how many of them are ``denied``.

    Raises:
        ScanError: A program failed, or they do not agree on how many rows are denied.
    """
    bodies = (json.loads(body)["input"] for body in rows.bodies(_BATCH))
    singles = write_files(directory / "rows", rows.singles(len(rows.rows)), cores)
    batches = write_files(directory / "batches", bodies, cores)
    (one,) = write_files(directory / "one", rows.singles(1), 1)
    (none,) = write_files(directory / "none", [{"items": {}}], 1)

    def measured(program: Program, places: list[Path], least: Path, *, all_cores: bool) -> dict[str, float]:
        processes = [[place] for place in places] if all_cores else [places]
        start, idle, _ = _better_run(program, [[least]] * len(processes))
        seconds, busy, decisions = _better_run(program, processes)
        if len(decisions) != len(rows.rows):
            raise ScanError(f"{program.command[0]} gave {len(decisions)} decisions on {len(rows.rows)} rows")
        return {
            "perSecond": len(decisions) / (seconds - start),
            "startSeconds": start,
            "processorMs": 1000 * (busy - idle) / len(decisions),
            "rows": len(decisions),
            "denied": sum(decisions),
        }

    own, many = opa_exec(opa, bundle), opa_exec(opa, bundle, batches=True)
    found = {
        "opa exec": measured(own, singles, one, all_cores=False),
        "opa exec, a process a core": measured(own, singles, one, all_cores=True),
        f"opa exec, files of {_BATCH} rows, a process a core": measured(many, batches, none, all_cores=True),
    }
    if conftest:
        other = conftest_test(conftest, bundle, directory / "policy")
        found["conftest"] = measured(other, singles, one, all_cores=False)
        found["conftest, a process a core"] = measured(other, singles, one, all_cores=True)
    denied = {name: one["denied"] for name, one in found.items()}
    if len(set(denied.values())) > 1:
        raise ScanError(f"the programs do not agree on what is denied, so that their speed says nothing: {denied}")
    return found


def other_lines(found: Mapping[str, Any]) -> list[tuple[str, float, str]]:
    """Return (what, rows a second, a note) for the table."""
    return [
        (
            name,
            one["perSecond"],
            f"{one['processorMs']:.2f} ms of processor a row, besides {one['startSeconds']:.1f} s to start",
        )
        for name, one in found.items()
    ]


def other_ratios(found: Mapping[str, Any], scan: float, whole: float) -> dict[str, float]:
    """Return what the scan's rows a second are to each of them.

    Args:
        found: What `measure_others` returns.
        scan: Rows a second with equal parts evaluated once, which no other program does.
        whole: Rows a second where each is evaluated whole, as by the others: like for like.
    """
    aims = {name: f" (target {target})" for name, target in _TARGETS.items()}
    cut = {
        f"scan, equal parts once / {name}{aims.get(name, '')}": scan / one["perSecond"] for name, one in found.items()
    }
    like_for_like = {f"whole topics / {name}": whole / one["perSecond"] for name, one in found.items()}
    return cut | like_for_like


def _better_run(program: Program, processes: list[list[Path]]) -> tuple[float, float, list[bool]]:
    """As `_run`, after a run that warms up, the faster of two."""
    _run(program, processes)
    return min(_run(program, processes), _run(program, processes), key=lambda run: run[0])


def _run(program: Program, processes: list[list[Path]]) -> tuple[float, float, list[bool]]:
    """Run one process for each list of files and directories, all at once.

    Returns:
        Seconds, seconds of the processor, and whether each row is denied.
    """
    environment = dict(os.environ)
    if len(processes) > 1:  # as for `opa bench` on all cores; one process is left as its users run it
        environment |= {"GOMAXPROCS": "1", "GOGC": os.environ.get("GOGC", "800")}
    with ExitStack() as stack:  # files, because of two pipes the second would wait until the first has been read
        outputs = [stack.enter_context(TemporaryFile("w+", encoding="utf-8")) for _ in processes]
        started, before = time.perf_counter(), _processor_seconds()
        running = [
            subprocess.Popen([*program.command, *map(str, paths)], env=environment, stdout=out, stderr=subprocess.PIPE)
            for paths, out in zip(processes, outputs, strict=True)
        ]
        said = [process.communicate()[1].decode(errors="replace").strip() for process in running]
        seconds, processor = time.perf_counter() - started, _processor_seconds() - before
        for process, words in zip(running, said, strict=True):
            if process.returncode:
                raise ScanError(f"{program.command[0]} failed: {words or f'status {process.returncode}'}")
        decisions: list[bool] = []
        for out in outputs:
            out.seek(0)
            decisions += program.decisions(out.read())
    return seconds, processor, decisions


def _processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
