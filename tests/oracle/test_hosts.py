"""Differential test: ranges of hosts as Kafka's own class reads them in a JVM, and as the engine does."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fixtures.seed import SEED
from tools.catalog.jvm import run_kafka_jvm
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]

_V4 = (
    "0.0.0.0",
    "10.1.2.3",
    "010.001.002.003",
    "255.255.255.255",
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.4 ",
    "a.b.c.d",
)
_V4_PREFIXES = ("0", "1", "08", "16", "31", "32", "33", "+8", "-1", "", "8/9", "\u0663")
_V6 = (
    *("::", "::1", "2001:db8::", "2001:0DB8:0:0:0:0:0:1", "00001::", "12345::", "::1.2.3.4", "::1.2.3", "1.2.3.4::"),
    *("::ffff:1.2.3.4", "::ffff:0:0", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::", "1:2:3:4::5:6:7:8"),
    *(":::", ":", "1:", ":1", "[::1]", "[::1", "::1]", "[]", "fe80::1%1", "fe80::1%no", "fe80::1%", "g::", "1::2::3"),
    *("::01.02.03.04", "::300.1.1.1", "x:y"),
)
_V6_PREFIXES = (
    "0",
    "1",
    "3",
    "64",
    "064",
    "+64",
    "127",
    "128",
    "129",
    "-0",
    "-1",
    " 8",
    "8 ",
    "",
    "x",
    "6/4",
    "\u0663",
)
_PEERS = (
    "0.0.0.1",
    "10.1.2.3",
    "10.255.0.1",
    "128.0.0.1",
    "255.255.255.255",
    "0:0:0:0:0:0:0:1",
    "2001:db8:0:0:0:0:0:2",
    "ffff::1",
)
_ENOUGH = 200


def _texts() -> Iterator[str]:
    """Each address with each prefix, and addresses and prefixes by chance."""
    yield from (f"{address}/{prefix}" for address, prefix in product(_V4, _V4_PREFIXES))
    yield from (f"{address}/{prefix}" for address, prefix in product(_V6, _V6_PREFIXES))
    chance = Random(SEED)
    for _ in range(200):
        yield f"{'.'.join(str(chance.randrange(256)) for _ in range(4))}/{chance.randrange(33)}"
        groups = [f"{chance.randrange(65536):x}" for _ in range(8)]
        start, end = sorted((chance.randrange(9), chance.randrange(9)))
        shown = f"{':'.join(groups[:start])}::{':'.join(groups[end:])}" if end > start else ":".join(groups)
        yield f"{shown}/{chance.randrange(129)}"


def test_ranges_are_read_as_kafka_reads_them(opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Every text is refused in Kafka's words or taken as by Kafka, and holds the addresses that it holds to Kafka."""
    texts = list(dict.fromkeys(_texts()))
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps({"texts": texts, "peers": _PEERS}), encoding="utf-8")
    query = """[{"problem": object.get({"p": p | p := data.kafka.model.hosts.range_problem(text)}, "p", null),
        "holds": [peer | not data.kafka.model.hosts.range_problem(text)
            some peer in input.peers; data.kafka.model.hosts.has_host(text, peer)]} |
        some text in input.texts]"""
    engine = evaluate_opa(opa_binary, "-b", str(shipped_bundle.path), "-i", str(path), query)
    with run_kafka_jvm() as jvm:
        kafka = [_read(jvm, text) for text in texts]
    outcomes = Counter("refused" if one["problem"] else "taken" for one in kafka)
    print(f"seed {SEED}: {len(texts)} ranges, {dict(outcomes)}")

    pairs = zip(texts, kafka, engine, strict=True)
    assert [] == [(text, theirs, ours) for text, theirs, ours in pairs if theirs != ours]
    assert min(outcomes.values()) >= _ENOUGH


def _read(jvm: Any, text: str) -> dict[str, Any]:
    from py4j.protocol import Py4JJavaError

    ranges = jvm.org.apache.kafka.server.authorizer.internals.CidrUtils
    try:
        ranges.validate(text)
    except Py4JJavaError as error:
        said = error.java_exception.getMessage()
        return {"problem": f"Invalid CIDR notation '{text}': {said}", "holds": []}
    return {"problem": None, "holds": [peer for peer in _PEERS if ranges.isInRange(peer, text)]}
