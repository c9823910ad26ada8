"""The decisions about what files declare, each with its findings and their lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from warden.check.model import Declared, Fault
from warden.check.resolve import duplicates, requested, state_before, unknown_state
from warden.contract.effect import message_of
from warden.opa.client import OpaClient

__all__ = ["Cluster", "Decided", "Finding", "decide"]

Level = Literal["error", "warning", "note"]

_LEVELS: Mapping[str, Level] = {"deny": "error", "warn": "warning"}


@dataclass(frozen=True)
class Cluster:
    """What declarations are held against.

    Args:
        name: As in the settings.
        state: The contract's cluster state; None for nothing.
    """

    name: str
    state: Mapping[str, Any] | None


@dataclass(frozen=True)
class Finding:
    """Something to say about a line of a file.

    Args:
        level: ``error`` denies; ``warning`` and ``note`` do not.
        file, line: Where.
        rule: The rule's id; ``kafka`` of Kafka's own refusals, ``warden`` of what could not be evaluated.
        message: What is wrong.
        fix: What to write, empty where nobody knows.
        name: What the declaration is about.
        cluster: On which cluster.
        path: To the value in the request.
    """

    level: Level
    file: str
    line: int
    rule: str
    message: str
    fix: str = ""
    name: str = ""
    cluster: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class Decided:
    """A declaration that was decided on.

    Args:
        declared: What is requested.
        cluster: On which cluster.
        decision: The contract's decision.
        denies_unknown: Whether a rule that could not be evaluated counts as an error.
    """

    declared: Declared
    cluster: str
    decision: Mapping[str, Any]
    denies_unknown: bool = False

    @property
    def denied(self) -> bool:
        """Whether anything speaks against it."""
        return any(finding.level == "error" for finding in self.findings())

    def findings(self) -> Iterator[Finding]:
        """Yield what there is to say, violations first."""
        shown = set()
        for violation in self.decision["violations"]:
            level = _LEVELS.get(violation["effect"], "note")
            message = message_of(violation)
            shown |= {f"{violation['rule']}: {message}", violation["message"]}
            yield self._finding(level, violation["rule"], message, violation["fix"], violation["path"])
        for message in self.decision["errors"]:
            if message not in shown:
                yield self._finding("error", "kafka", message)
        for message in self.decision["warnings"]:
            if message not in shown:
                yield self._finding("warning", "warden", message)
        for row in self.decision.get("notEvaluated", []):
            if pointers := [each for each in row["unknown"] if each in self.declared.unknown]:
                names = ", ".join(pointer.removeprefix("/request/") for pointer in pointers)
                yield self._finding(
                    "error" if self.denies_unknown else "warning",
                    row["rule"],
                    f"not evaluated, known only after apply: {names}",
                )
        if self.declared.note:
            yield self._finding("warning", "warden", self.declared.note)

    def without_cluster(self) -> list[str]:
        """Return the rules that were not evaluated since nothing is known of the cluster."""
        rows = self.decision.get("notEvaluated", [])
        return [row["rule"] for row in rows if not set(row["unknown"]) & set(self.declared.unknown)]

    def _finding(self, level: Level, rule: str, message: str, fix: str = "", path: Sequence[str | int] = ()) -> Finding:
        pieces = tuple(map(str, path))
        line = self.declared.line_of(pieces)
        return Finding(level, self.declared.file, line, rule, message, fix, self.declared.name, self.cluster, pieces)


def decide(
    opa: OpaClient,
    declared: Iterable[Declared],
    clusters: Mapping[str, Cluster],
    common: Mapping[str, Any],
    *,
    denies_unknown: bool = False,
) -> tuple[list[Decided], list[Fault], int]:
    """Ask about declarations, in batches for each cluster.

    Args:
        opa: Whom to ask.
        declared: What files declare; each names a cluster among `clusters`.
        clusters: By name.
        common: What decision inputs share besides, such as ``enforcementPoint``.
        denies_unknown: Whether a rule that reads what is known only after apply counts as an error.

    Returns:
        What was decided, what could not be, and how many declarations are in the cluster already.

    Raises:
        OpaError: OPA did not answer.
    """
    placed = [(str(one.cluster), one) for one in declared]
    doubled = list(duplicates(placed))
    twice = {id(one) for one, _ in doubled}
    decided: list[Decided] = []
    unchanged = 0
    for name, cluster in clusters.items():
        wanted = [one for where, one in placed if where == name and id(one) not in twice]
        pending = [one for each in wanted if (one := requested(each, cluster.state))]
        unchanged += len(wanted) - len(pending)
        deleted = sum(one.operation == "DeleteTopic" for one in pending)
        inputs = {str(i): _input(one, cluster, deleted) for i, one in enumerate(pending)}
        shared = {**common, "cluster": name, "clusterState": cluster.state or {}}
        decisions = opa.decide_many(inputs, shared) if inputs else {}
        decided += [Decided(pending[int(i)], name, decision, denies_unknown) for i, decision in decisions.items()]
    decided.sort(key=lambda one: (one.declared.file, one.declared.line))  # others stay in their order
    return decided, [fault for _, fault in doubled], unchanged


def _input(declared: Declared, cluster: Cluster, deleted: int) -> dict[str, Any]:
    request = dict(declared.request)
    if declared.operation == "DeleteTopic":
        request["topicsInRequest"] = deleted
    document: dict[str, Any] = {"operation": declared.operation, "request": request}
    unknown = list(declared.unknown)
    if cluster.state is None:
        unknown += unknown_state()
        if before := state_before(declared):
            document["clusterState"] = before
    if unknown:
        document["unknown"] = unknown
    return document
