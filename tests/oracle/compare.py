"""What differs between a broker and the engine, and the differences that have a reason."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from tests.fixtures.seed import SEED
from tests.oracle.broker import Answer, Answers
from tests.oracle.cases.sampling import ENOUGH, Case
from warden.policy.bundle.catalog import read_catalog

__all__ = ["Difference", "check", "read_differences"]

_NONE = "NONE"  # the name of code 0
_FILE = Path(__file__).parent / "differences.yaml"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference that stays, with its reason: a row of ``differences.yaml``, which docs/reference/ shows.

    Args:
        operation: Of a decision input.
        kafka: Name of the broker's error, ``NONE`` where it takes the request.
        message: Regular expression for all of the broker's text; empty where it sends none.
        warden: Name of the engine's error; the same name means that the words, or the state afterwards, differ.
        what: What is refused, for a reader.
        reason: Why it stays.
        release: Of the broker, where it is an older one.
    """

    operation: str
    kafka: str
    message: str
    warden: str
    what: str
    reason: str
    release: str | None = None

    def explains(self, case: Case, kafka: Answer, engine: Answer) -> bool:
        """Whether it is this difference."""
        names = (self.operation, self.kafka, self.warden)
        return names == (case.operation, _name(kafka.code), _name(engine.code)) and bool(
            re.fullmatch(self.message, "".join(kafka.messages), re.DOTALL)
        )


def read_differences() -> list[Difference]:
    """Return the table, as it is written."""
    return [Difference(**row) for row in yaml.safe_load(_FILE.read_text(encoding="utf-8"))]


def check(cases: Sequence[Case], kafka: Answers, engine: Answers, release: str | None = None) -> None:
    """Fail unless broker and engine say the same of every case of an operation, but for differences with a reason.

    Args:
        cases: Of one operation.
        kafka: What the broker says.
        engine: What the engine says.
        release: Of the broker, where it is an older one; what is so on the newest too need not be so there.

    Raises:
        AssertionError: Something differs, a reason explains nothing any more, or there are too few cases.
    """
    operation = cases[0].operation
    rows = [row for row in read_differences() if row.operation == operation and row.release in {None, release}]
    unexplained, explained, used = [], 0, set()
    for case in cases:
        ours, theirs = engine[case.name], kafka[case.name]
        if not _same(theirs, ours):
            reasons = [row for row in rows if row.explains(case, theirs, ours)]
            used.update(reasons)
            explained += bool(reasons)
            if not reasons:
                unexplained.append(_shown(case, theirs, ours))
    stale = [row for row in rows if row.release == release and row not in used]
    refused = sum(kafka[case.name].code != 0 for case in cases)
    counts = (
        f"{_heading(operation, release)}: {len(cases)} cases, {refused} refused by Kafka, "
        f"{explained} different with a reason, {len(unexplained)} without, seed {SEED}"
    )
    print(counts)
    assert not unexplained, "\n".join([counts, *unexplained])
    assert not stale, f"{counts}; these rows of {_FILE.name} explain nothing: {stale}"
    assert len(cases) >= ENOUGH, counts


def _heading(operation: str, release: str | None) -> str:
    return operation if release is None else f"{operation} of Kafka {release}"


def _same(kafka: Answer, engine: Answer) -> bool:
    said = set(kafka.messages) <= set(engine.messages)
    return kafka.code == engine.code and said and kafka.after in (None, engine.after)


def _shown(case: Case, kafka: Answer, engine: Answer) -> str:
    said = [
        f"{who} {_name(answer.code)} {list(answer.messages)}" for who, answer in (("kafka", kafka), ("engine", engine))
    ]
    if kafka.code == engine.code and kafka.after not in (None, engine.after):
        said.append(f"{kafka.after} is not {engine.after}")
    return f"{case.name}: {case.request}: {'; '.join(said)}"


@cache
def _names() -> dict[int, str]:
    return {code: name for name, code in read_catalog("errors").items()}


def _name(code: int) -> str:
    from kafka.errors import for_code

    return _NONE if code == 0 else _names().get(code) or for_code(code).__name__
