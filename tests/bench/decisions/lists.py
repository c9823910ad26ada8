"""What evaluating lists costs: a broker's whole file, and the family's share in a decision of the scan."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import yaml

from tests.bench.analyse.rows import Rows
from tests.bench.measures import opa_bench
from warden.base.errors import ScanError
from warden.base.resources import find_shipped

__all__ = ["broker_file", "measure_lists", "without_lists"]

_KEYS = 300


def measure_lists(opa: Path, bundle: Path, rows: Rows) -> dict[str, float]:
    """Measure with ``opa bench`` on one core.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        rows: The estate.

    Returns:
        ``brokerFileMs``: milliseconds of kafka/lists/check for a broker's file with 300 keys; ``shareOfTime`` and
        ``shareOfAllocations``: what the family of list rules adds to a decision in a batch of 500, as a share of the
        decision without it. Time is the better of two measurements of each, taken in turn.
    """
    document = {"component": "broker", "configs": broker_file(), "mode": "parse"}
    file = opa_bench(opa, bundle, "data.kafka.lists.check", json.dumps({"input": document}).encode(), 1)
    bare = without_lists(bundle, bundle.with_name("without-lists.tar.gz"))
    costs = [(_cost(opa, bundle, rows), _cost(opa, bare, rows)) for _ in range(2)]
    seconds = [min(1 / pair[place]["perSecondPerCore"] for pair in costs) for place in (0, 1)]
    with_lists, without = costs[0]
    allocations = with_lists["allocationsPerDecision"] / without["allocationsPerDecision"] - 1
    return {
        "brokerFileMs": 1000 / file["perSecondPerCore"],
        "brokerFileAllocations": file["allocationsPerDecision"],
        "shareOfTime": seconds[0] / seconds[1] - 1,
        "shareOfAllocations": allocations,
    }


def broker_file() -> dict[str, str]:
    """Return 300 keys of a broker with their defaults, every list-typed one and what has no default among them."""
    text = (find_shipped("bundle") / "catalog" / "broker" / "data.yaml").read_text(encoding="utf-8")
    configs: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["configs"]
    lists = {
        "advertised.listeners": "PLAINTEXT://b1:9092",
        "controller.listener.names": "CONTROLLER",
        "early.start.listeners": "CONTROLLER",
        "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
        "log.dirs": "/data/1, /data/2, /data/3",
        "process.roles": "broker,controller",
    }
    names = sorted(configs, key=lambda name: (configs[name]["type"] != "list", name))[:_KEYS]
    return {name: lists.get(name) or configs[name].get("default") or "1" for name in names}


def without_lists(bundle: Path, target: Path) -> Path:
    """Copy a bundle without the family of list rules among those that the router asks."""
    left_out = 0
    with tarfile.open(bundle) as source, tarfile.open(target, "w:gz") as replica:
        for member in source:
            file = source.extractfile(member)
            content = b"" if file is None else file.read()
            if member.name.endswith("kafka/rules/families.rego"):
                lines = [line for line in content.splitlines(keepends=True) if b"rules.lists\n" not in line]
                kept = [line.replace(b" lists.deny,", b"") for line in lines]
                left_out = sum(before != after for before, after in zip(lines, kept, strict=True))
                content = b"".join(kept)
                member.size = len(content)
            replica.addfile(member, io.BytesIO(content))
    if left_out < 2:
        raise ScanError(
            "kafka/rules/families.rego no longer names the family of lists: this measurement has lost its grip"
        )
    return target


def _cost(opa: Path, bundle: Path, rows: Rows) -> dict[str, float]:
    return opa_bench(opa, bundle, "data.kafka.decisions", rows.batch(500), 500)
