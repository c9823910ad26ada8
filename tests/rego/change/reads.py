"""Which rules read nothing that a change touches, by what the bundle has of their syntax trees."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tests.rego.change.model import change_configs
from tests.rego.values.pairs import catalog

__all__ = ["audit_of_heir", "touched_by", "untouched_rules"]

Path = tuple[str, ...]
_INHERITED: Final[Mapping[str, str]] = catalog("topic")["inherits"]
_UNITS: Final[Mapping[str, int]] = {"minutes": 60_000, "hours": 3_600_000}
# What a change names itself; a rule that reads it is about the change.
_OF_THE_CHANGE: frozenset[str] = frozenset(
    {"change", "request", "principal", "operation", "hasBefore", "now", "api", "cluster", "enforcementPoint"}
)


def touched_by(document: Mapping[str, Any]) -> set[Path]:
    """Return the paths of what rules see that a decision input's change touches, as far as names tell."""
    request = document["request"]
    names = {op["name"] for op in request.get("configs", {}).get("ops", [])}
    if document["operation"] == "AlterBroker":  # what topics inherit is theirs
        names |= {_INHERITED[name] for name in names if name in _INHERITED}
    paths: set[Path] = {(*part, name) for name in names for part in (("requested", "configs"), ("requested", "values"))}
    paths |= {("effective", "values", name) for name in names} | {
        ("requested", "requestedConfigs", name) for name in names
    }
    if request.keys() & {"numPartitions", "newAssignments", "reassignments"}:
        fields = (
            "numPartitions",
            "replicationFactor",
            "replicasAssignments",
            "generatedReplicaAssignments",
            "reassigning",
        )
        paths |= {("requested", field) for field in fields}
    if request.keys() & {"ops"}:
        paths |= {("requested",), ("effective",), ("entity",)}
    return paths


def untouched_rules(touched: set[Path], reads: Mapping[str, Iterable[list[str]]]) -> set[str]:
    """Return the ids of the rules that read nothing of `touched`, nor of the change itself.

    Args:
        touched: See `touched_by`.
        reads: The paths that each rule reads, by its id.
    """
    return {id for id, paths in reads.items() if not any(_reaches(tuple(path), touched) for path in paths)}


def _reaches(path: Path, touched: set[Path]) -> bool:
    if path[:1] == () or path[0] in _OF_THE_CHANGE:
        return path not in {("operation",), ("cluster",), ("hasBefore",), ("enforcementPoint",)}
    return any(path[: len(other)] == other or other[: len(path)] == path for other in touched)


def audit_of_heir(document: Mapping[str, Any], topic: str) -> dict[str, Any]:
    """Return the audit of a topic as it is before a change of what it inherits.

    Args:
        document: A decision input about the broker that is changed.
        topic: Inherits from it: of the configs that are changed, what the broker has is the topic's default, whatever
            ``defaults`` say.
    """
    state = document["clusterState"]
    brokers = state["brokers"]
    one = document["request"]["broker"] or min(brokers.keys() - {""})
    configs = {**brokers.get("", {}).get("configs", {}), **brokers[one]["configs"]}
    ops = document["request"]["configs"]["ops"]
    after = {**brokers[one].get("fallbackConfigs", {}), **change_configs(dict(configs), ops)}
    own = {}
    for inherited in {_INHERITED[op["name"]] for op in ops if op["name"] in _INHERITED}:
        before = _in_milliseconds(configs, inherited)
        if before != _in_milliseconds(after, inherited):
            own.update(before)
    audited = {**state, "defaults": {**state.get("defaults", {}), **own}}
    return {**document, "operation": "AuditTopic", "request": {"topic": topic}, "clusterState": audited}


def _in_milliseconds(configs: Mapping[str, str], inherited: str) -> dict[str, str]:
    """Return what a broker's configs have for a topic's, of those in several units the finest, as Kafka does."""
    names = [name for name, of_topic in _INHERITED.items() if of_topic == inherited and name in configs]
    if not names:
        return {}
    finest = min(names, key=lambda name: _UNITS.get(name.rpartition(".")[2], 1))
    unit = _UNITS.get(finest.rpartition(".")[2], 1)
    return {inherited: configs[finest] if unit == 1 else str(int(configs[finest]) * unit)}
