"""``python -m tests.bench.analyse.files``: `warden check` of many files, against conftest with the same rules."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.analyse.others import conftest_test
from tests.bench.programs import find_conftest
from warden.analyse.check.resolve import list_state_pointers
from warden.base.errors import ScanError
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import build_bundle

__all__ = ["file_ratios", "measure_files", "write_topics"]

_FILES = 1_000
_FEW, _MANY = 100, 10_000
_REPEAT = 2  # runs after one that warms up, of which the best counts
_TOPIC = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {{name: shop.orders.v{number}}}
spec: {{partitions: {partitions}, replicas: 3, config: {{retention.ms: 86400000, min.insync.replicas: 2}}}}
"""


@dataclass(frozen=True)
class _Run:
    """One run of a program: its output, seconds, seconds of the processor, and its largest process in KiB."""

    output: str
    seconds: float
    processor: float
    kibibytes: int


def write_topics(directory: Path, count: int) -> Path:
    """Write files of one topic each, of which some are denied, and return their directory.

    Args:
        directory: Where; it is made.
        count: How many.
    """
    directory.mkdir(parents=True)
    for number in range(count):
        text = _TOPIC.format(number=number, partitions=1 + number % 1200)
        (directory / f"{number:06}.yaml").write_text(text, encoding="utf-8")
    return directory


def measure_files(conftest: Path | None) -> dict[str, float]:
    """Measure whole runs, each program with its start, as its users see it.

    Args:
        conftest: The binary; it is left out where None.

    Returns:
        Seconds of one file without (``coldSeconds``) and with a bundle that was built before (``warmSeconds``); of
        1,000 files, with seconds of the processor, those of conftest too; and the largest process in KiB with 100
        (``fewKiB``) and with 10,000 files (``manyKiB``).

    Raises:
        ScanError: A program failed, or they do not agree on how many files are denied.
    """
    with TemporaryDirectory(prefix="warden-bench-") as name:
        directory = Path(name)
        environment = {**os.environ, "WARDEN_OPA": str(find_opa()), "WARDEN_CACHE": str(directory / "cache")}
        one, some = write_topics(directory / "one", 1), write_topics(directory / "some", _FILES)
        cold = _run(_check(one), environment)
        warm = _best(_check(one), environment)
        ours = _best(_check(some), environment)
        few = _run(_check(write_topics(directory / "few", _FEW)), environment)
        many = _run(_check(write_topics(directory / "many", _MANY)), environment)
        found = {
            "coldSeconds": cold.seconds,
            "warmSeconds": warm.seconds,
            "warmProcessorSeconds": warm.processor,
            "seconds": ours.seconds,
            "processorSeconds": ours.processor,
            "fewKiB": few.kibibytes,
            "manyKiB": many.kibibytes,
        }
        if conftest is not None:
            denied = sum(not each["decision"]["allowed"] for each in json.loads(ours.output)["declarations"])
            found |= _conftest(conftest, some, directory, denied)
    return found


def file_ratios(found: Mapping[str, float]) -> dict[str, float]:
    """Return what the aims are about.

    Args:
        found: What `measure_files` returns.
    """
    ratios = {
        "one file, no bundle built before, seconds (target 1)": found["coldSeconds"],
        "one file, seconds (target 0.4)": found["warmSeconds"],
        "memory of check with 10,000 files / with 100": found["manyKiB"] / found["fewKiB"],
    }
    if "conftestSeconds" in found:
        ratios |= {
            "check of 1,000 files / conftest test (target 2)": found["seconds"] / found["conftestSeconds"],
            "the same, of the processor": found["processorSeconds"] / found["conftestProcessorSeconds"],
        }
    return ratios


def _conftest(program: Path, files: Path, directory: Path, denied: int) -> dict[str, float]:
    bundle = build_bundle(directory / "bundle.tar.gz").path
    policy = directory / "policy"
    command = list(conftest_test(program, bundle, policy).command)
    shutil.copy(Path(__file__).with_name("files_adapter.rego"), policy / "adapter.rego")
    (policy / "files.json").write_text(json.dumps({"files": {"unknown": list_state_pointers()}}), encoding="utf-8")
    command[command.index("json")] = "yaml"
    command += ["--data", str(policy / "files.json"), str(files)]
    theirs = _best(command, os.environ)
    theirs_denied = sum("failures" in each for each in json.loads(theirs.output))
    if theirs_denied != denied or not denied:
        raise ScanError(f"of {_FILES} files check denies {denied}, conftest {theirs_denied}: no figures")
    return {"conftestSeconds": theirs.seconds, "conftestProcessorSeconds": theirs.processor}


def _check(directory: Path) -> list[str]:
    return [sys.executable, "-m", "warden", "check", "--output", "json", str(directory)]


def _best(command: Sequence[str], environment: Mapping[str, str]) -> _Run:
    _run(command, environment)
    return min((_run(command, environment) for _ in range(_REPEAT)), key=lambda run: run.seconds)


def _run(command: Sequence[str], environment: Mapping[str, str]) -> _Run:
    with TemporaryDirectory(prefix="warden-bench-") as name:
        output = Path(name) / "output"
        started = time.perf_counter()
        with output.open("wb") as out:
            process = subprocess.Popen(command, env=dict(environment), stdout=out, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)  # of its own processes too, which it has waited for
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        text = output.read_text(encoding="utf-8")
        if process.returncode not in (0, 1) or not text:  # both end with 1 where something is denied
            raise ScanError(f"{command[0]} failed with status {process.returncode}")
    return _Run(text, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss)


def main() -> int:
    """Measure and print."""
    found: dict[str, Any] = measure_files(find_conftest())
    for what, value in {**found, **file_ratios(found)}.items():
        print(f"{what}: {value:,.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
