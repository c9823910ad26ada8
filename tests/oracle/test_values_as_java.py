"""Differential test: values of each type as ``ConfigDef.parseType`` reads them in a JVM, and as the engine does."""

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.case_counts import sample_or_all
from tools.catalog.jvm import run_kafka_jvm
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_SEED = 20261122
_TYPES = ("short", "int", "long", "double", "boolean", "string")
_PIECES = {
    "whole": [
        "0",
        "1",
        "7",
        "00",
        "32767",
        "32768",
        "2147483648",
        "9223372036854775807",
        "9223372036854775808",
        "٣",
        "\uff12",
    ],
    "decimal": [".", ".5", "5.", "0.1234567890123456789", "e5", "E-3", "e+400", "e-400", "1e309", "f", "D", "d"],
    "hexadecimal": ["0x", "0X1", ".8", "p3", "P-2", "p-1080", "A.f", "xp1", "p99999999999", "0x1.8p1", "0x1p1023"],
    "word": ["true", "FALSE", "TrUe", "fal\u017fe", "yes", "NaN", "nan", "Infinity", "infinity", "x", "_"],
    "around": ["", "", "", " ", "\t", "\u0000", "\u001f", "\u00a0", "\u2003", "\u000b", "+", "-", "--"],
}


def _texts(chance: random.Random, count: int) -> Iterator[str]:
    """One to three pieces of a kind between two of those that stand around."""
    yield from (piece for pieces in _PIECES.values() for piece in pieces)
    for _ in range(count):
        kinds = [
            chance.choice(["whole", "decimal", "hexadecimal", "word", "whole"]) for _ in range(chance.randint(1, 3))
        ]
        sign, *middle = [chance.choice(["", "", "+", "-"]), *(chance.choice(_PIECES[kind]) for kind in kinds)]
        yield "".join([chance.choice(_PIECES["around"]), sign, *middle, chance.choice(_PIECES["around"])])


def _java(jvm: Any, type_name: str, text: str) -> Any:
    """What Kafka reads, and "refused" where it throws; what JSON has no number for by Java's name of it."""
    from py4j.protocol import Py4JJavaError

    kinds = jvm.org.apache.kafka.common.config.ConfigDef.Type
    try:
        value = jvm.org.apache.kafka.common.config.ConfigDef.parseType("k", text, getattr(kinds, type_name.upper()))
    except Py4JJavaError:
        return "refused"
    if type_name == "double" and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


@sample_or_all(120, 1200)
def test_values_are_read_as_java_reads_them(
    count: int, opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path
) -> None:
    """Every text is read to the same value, or refused by both."""
    chance = random.Random(_SEED)
    texts = sorted(set(_texts(chance, count)))
    cases = [(type_name, text) for type_name in _TYPES for text in texts]
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    query = "[[v | v := data.kafka.configs._parsed_value(c[0], c[1])] | some c in input]"
    ours = evaluate_opa(opa_binary, "-b", str(shipped_bundle.path), "-i", str(path), query)
    with run_kafka_jvm() as jvm:
        theirs = [_java(jvm, type_name, text) for type_name, text in cases]
    outcomes = Counter("refused" if kafka == "refused" else "read" for kafka in theirs)
    print(f"seed {_SEED}: {len(cases)} cases, {dict(outcomes)}")

    different = [
        (case, kafka, engine)
        for case, kafka, engine in zip(cases, theirs, ours, strict=True)
        if engine != ([] if kafka == "refused" else [kafka])
    ]
    assert [] == different
    assert min(outcomes.values()) >= count * 5 // 6
