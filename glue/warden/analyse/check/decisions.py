"""The decisions about what files declare, each with its findings and their lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from warden.analyse.check.model import Declaration, Fault
from warden.analyse.check.readers.topic_formats import HCL, PLAN
from warden.analyse.check.resolve import (
    LABEL_AUDIT,
    adjust_to_state,
    build_declared_state,
    iter_duplicates,
    lay_labels,
    list_state_pointers,
)
from warden.base.errors import ConfigurationError, OpaUndefined
from warden.base.files.redact import redact
from warden.policy.contract.charges import add_charges
from warden.policy.contract.effect import format_message

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["CheckFinding", "ClusterContext", "DecidedDeclaration", "build_decision_input", "decide_declarations"]

Level = Literal["error", "warning", "note"]

_DECIDED = 500  # declarations whose decisions are there as OPA sent them
_BATCH = 100  # configurations in a request, each with hundreds of keys
_KNOWN = {PLAN: "after apply", HCL: "to a plan"}  # when, by format
_LEVELS: Mapping[str, Level] = {"deny": "error", "warn": "warning"}


@dataclass(frozen=True)
class ClusterContext:
    """What declarations are held against.

    Args:
        name: As in the settings.
        state: The contract's cluster state; None for nothing.
    """

    name: str
    state: Mapping[str, Any] | None


@dataclass(frozen=True)
class CheckFinding:
    """Something to say about a line of a file.

    Args:
        level: ``error`` denies; ``warning`` and ``note`` do not.
        file, line: Where; the line is 0 where the whole file or directory is meant.
        rule: The rule's id; ``kafka`` of Kafka's own refusals, ``warden`` of what could not be evaluated.
        message: What is wrong.
        fix: What to write, empty where nobody knows.
        name: What the declaration is about.
        cluster: On which cluster.
        path: To the value in the request.
        effect: Of a rule's violation; empty of all else.
        cause: ``found`` or ``caused`` of a rule's violation; None of all else.
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
    effect: str = ""
    cause: str | None = None


@dataclass(frozen=True)
class DecidedDeclaration:
    """A declaration that was decided on.

    Args:
        declared: What is requested.
        cluster: On which cluster.
        decision: The contract's decision; empty of a configuration that nobody starts a broker with.
        lists: What Kafka makes of the list-typed configs of a configuration, by key: the result of
            ``kafka/lists/check``.
        denies_unknown: Whether a rule that could not be evaluated counts as an error.
    """

    declared: Declaration
    cluster: str
    decision: Mapping[str, Any]
    denies_unknown: bool = False
    lists: Mapping[str, Any] = field(default_factory=dict)

    @property
    def denied(self) -> bool:
        """Whether anything speaks against it."""
        return any(finding.level == "error" for finding in self.list_findings())

    def list_findings(self) -> Sequence[CheckFinding]:
        """Return what there is to say, violations first."""
        return self._findings

    @cached_property
    def _findings(self) -> tuple[CheckFinding, ...]:
        note = self.declared.note
        noted = [self._build_finding("warning", "warden", note)] if note else []
        return (*self._iter_decision_findings(), *self._iter_unknown_findings(), *noted)

    def _iter_decision_findings(self) -> Iterator[CheckFinding]:
        said: set[tuple[Level, str]] = set()
        for violation in self.decision.get("violations", ()):
            level = _LEVELS.get(violation["effect"], "note")
            message = format_message(violation)
            said |= {(level, f"{violation['rule']}: {message}"), (level, violation["message"])}
            finding = self._build_finding(level, violation["rule"], message, violation["fix"], violation["path"])
            if not self._is_of_same_label(finding):
                yield replace(finding, effect=violation["effect"], cause=violation.get("cause"))
        for finding, message in self._iter_list_findings():
            if (finding.level, message) not in said:
                said.add((finding.level, message))
                yield finding
        for message in self.decision.get("errors", ()):
            if ("error", message) not in said:
                yield self._build_finding("error", "kafka", message, path=self._find_named_config(message))
        for message in self.decision.get("warnings", ()):
            if not {("error", message), ("warning", message)} & said:
                yield self._build_finding("warning", "warden", message)

    def _is_of_same_label(self, finding: CheckFinding) -> bool:
        """Whether it is about a label that is as it was: what does not change is not decided."""
        earlier = self.declared.earlier_labels
        if self.declared.operation != LABEL_AUDIT or earlier is None or finding.path[:-1] != ("labels",):
            return False
        return bool(self.declared.request["labels"].get(finding.path[1]) == earlier.get(finding.path[1]))

    def _iter_unknown_findings(self) -> Iterator[CheckFinding]:
        when = _KNOWN.get(self.declared.format, "once it is carried out")
        when = "where the broker runs (--resolve-variables)" if self.declared.component else when
        for row in self.decision.get("notEvaluated", []):
            if pointers := [pointer for pointer in row["unknown"] if pointer in self.declared.unknown]:
                names = ", ".join(pointer.removeprefix("/request/") for pointer in pointers)
                yield self._build_finding(
                    "error" if self.denies_unknown else "warning",
                    row["rule"],
                    f"not evaluated, known only {when}: {names}",
                )

    def list_rules_without_state(self) -> list[str]:
        """Return the rules that were not evaluated since nothing is known of the cluster."""
        rows = self.decision.get("notEvaluated", [])
        return [row["rule"] for row in rows if not set(row["unknown"]) & set(self.declared.unknown)]

    def _iter_list_findings(self) -> Iterator[tuple[CheckFinding, str]]:
        """What Kafka says of lists, with the key in front where its words speak of another: behind a prefix."""
        levels: Mapping[str, Level] = {"errors": "error", "warnings": "warning"}
        for name in sorted(self.lists, key=lambda name: (self.declared.find_line(("configs", name)), name)):
            if f"/request/configs/{name}" in self.declared.unknown:
                continue
            for kind, level in levels.items():
                for message in self.lists[name][kind]:
                    said = message if name in message else f"{name}: {message}"
                    yield self._build_finding(level, "kafka", said, path=("configs", name)), message

    def _find_named_config(self, message: str) -> tuple[str, ...]:
        """The path to the config of a file that Kafka's words name, the longest of several."""
        names = [path.removeprefix("configs/") for path in self.declared.lines if path.startswith("configs/")]
        named = [name for name in names if name in message]
        return ("configs", max(named, key=len)) if named else ()

    def _build_finding(
        self, level: Level, rule: str, message: str, fix: str = "", path: Sequence[str | int] = ()
    ) -> CheckFinding:
        pieces = tuple(map(str, path))
        line = self.declared.find_line(pieces)
        said, write = redact(message), redact(fix)  # a message quotes what a file has, and reports have many readers
        return CheckFinding(
            level, self.declared.file, line, rule, said, write, self.declared.name, self.cluster, pieces
        )


def decide_declarations(
    opa: "OpaClient",
    declared: Iterable[Declaration],
    clusters: Mapping[str, ClusterContext],
    common: Mapping[str, Any],
    *,
    denies_unknown: bool = False,
) -> tuple[list[DecidedDeclaration], list[Fault], int]:
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
    placed = [(str(declaration.cluster), declaration) for declaration in declared]
    doubled = list(iter_duplicates(placed))
    twice = {id(declaration) for declaration, _ in doubled}
    decided: list[DecidedDeclaration] = []
    unchanged = 0
    for name, cluster in clusters.items():
        wanted = [declaration for where, declaration in placed if where == name and id(declaration) not in twice]
        adjusted = [adjust_to_state(declaration, cluster.state) for declaration in wanted]
        unchanged += adjusted.count([])
        pending = [one for several in adjusted for one in several]
        deleted = sum(declaration.operation == "DeleteTopic" for declaration in pending)
        shared = {**common, "cluster": name, "clusterState": lay_labels(cluster.state, pending)}
        inputs = ((i, build_decision_input(one, cluster, deleted)) for i, one in enumerate(pending) if one.operation)
        decisions = _evaluate_inputs(opa, inputs, shared)
        lists = _evaluate_lists(opa, pending)
        decided += (
            DecidedDeclaration(declaration, name, decisions.get(i, {}), denies_unknown, lists.get(i, {}))
            for i, declaration in enumerate(pending)
        )
    decided.sort(key=lambda decision: (decision.declared.file, decision.declared.line))  # others stay in their order
    return decided, [fault for _, fault in doubled], unchanged


def _evaluate_inputs(
    opa: "OpaClient", inputs: Iterator[tuple[int, dict[str, Any]]], shared: Mapping[str, Any]
) -> dict[int, dict[str, Any]]:
    """The decisions by number; what was not evaluated is the same of most of them and most of each, so it is shared."""
    decisions: dict[int, dict[str, Any]] = {}
    left_out: dict[str, Any] = {}
    while some := dict(islice(inputs, _DECIDED)):
        batch = {str(i): document for i, document in some.items()}
        decided = opa.decide_many(batch, shared, in_order=True)
        shared = add_charges(shared, decided.values())
        for number, decision in decided.items():
            if rows := decision.get("notEvaluated"):
                decision["notEvaluated"] = left_out.setdefault(json.dumps(rows), rows)
            decisions[int(number)] = decision
    return decisions


def _evaluate_lists(opa: "OpaClient", declared: Sequence[Declaration]) -> Mapping[int, Mapping[str, Any]]:
    """What Kafka makes of the lists of configurations, by the number of the configuration and by key."""
    items = {
        str(i): {
            "component": declaration.component,
            "configs": dict(declaration.request["configs"]),
            # Who reads it first: Connect, or a start.
            "mode": "validate" if declaration.component == "connector" else "parse",
        }
        for i, declaration in enumerate(declared)
        if declaration.component
    }
    answers: dict[str, Any] = {}
    for first in range(0, len(items), _BATCH):
        batch = dict(islice(items.items(), first, first + _BATCH))
        answers |= opa.evaluate("kafka/lists/checks", {"items": batch})
    if answers.keys() != items.keys():
        raise OpaUndefined("kafka/lists/checks left out some of its inputs: give OPA the bundle of this Warden")
    for key, answer in answers.items():
        # A key that is called `errors` has an object there, as every key has.
        if isinstance(answer.get("errors"), list):
            raise ConfigurationError(f"--component {items[key]['component']}: {'; '.join(answer['errors'])}")
    return {int(key): answer for key, answer in answers.items()}


def build_decision_input(declared: Declaration, cluster: ClusterContext, deleted: int) -> dict[str, Any]:
    """Return the decision input about a declaration, without what inputs share.

    Args:
        declared: What is requested.
        cluster: Where; a cluster of which nothing is known is unknown in the input.
        deleted: How many topics are deleted together.
    """
    request = dict(declared.request)
    if declared.operation == "DeleteTopic":
        request["topicsInRequest"] = deleted
    if declared.operation == "AlterTopic" and declared.labels is not None:
        request["labels"] = dict(declared.labels)
    document: dict[str, Any] = {"operation": declared.operation, "request": request}
    unknown = list(declared.unknown)
    if declared.operation == LABEL_AUDIT:
        document["clusterState"] = {"meta": {"labels": True}}  # the file knows them, whatever the cluster's source does
    if cluster.state is None:
        unknown += list_state_pointers()
        if before := build_declared_state(declared):
            document["clusterState"] = before
    if unknown:
        document["unknown"] = unknown
    return document
