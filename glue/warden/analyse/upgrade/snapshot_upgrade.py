"""The upgrade of a cluster, in batches: rows in, findings out. Pure but for the call of OPA."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from warden.analyse.scan.batches import Batch, BatchLimits, Row, join_items
from warden.analyse.scan.evaluate import evaluate_batches
from warden.analyse.scan.shared_input import encode_compact
from warden.base.errors import ConfigurationError, OpaEvaluationError, OpaUndefined, ScanError
from warden.policy.opa.response_errors import parse_answer

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = [
    "DEFAULT_OUTCOME",
    "StoredConfigs",
    "Upgrade",
    "UpgradeFinding",
    "iter_findings",
    "iter_stored_configs",
    "list_gaps",
    "read_upgrade",
]

DEFAULT_OUTCOME: Final = "default"
"""The outcome of which nothing follows by itself: what a broker takes for a config that it does not set."""

_PATH: Final = "kafka/upgrade/findings"
_LIMITS: Final = BatchLimits(item_bytes=sys.maxsize)  # what a cluster has stored is as large as it is


class Upgrade(NamedTuple):
    """What the findings of every cluster rest on.

    Args:
        before, after: The releases from which and to which.
        notes: What the upgrade changes for any cluster.
        revision: Of the bundle; None where it is one of an older Warden, whose answers do not say.
    """

    before: str
    after: str
    notes: Sequence[str]
    revision: str | None


class StoredConfigs(NamedTuple):
    """The overrides of one resource; or what all brokers set, a principal's ACLs, or a cluster's features.

    Args:
        cluster: Name of its cluster.
        component: ``topic``, ``broker`` or ``group``: whose keys they are; ``acl``, ``brokerDefaults``, ``features``.
        resource: Name of the topic or group, id of the broker, principal of ACLs; the component again for the others.
        configs: Name → text or None; of features the levels, of ACLs the hosts by what each is about.
    """

    cluster: str
    component: str
    resource: str
    configs: Mapping[str, str | None]


class UpgradeFinding(NamedTuple):
    """Something that the target takes otherwise.

    Args:
        cluster, component, resource: As of `StoredConfigs`.
        config: The configuration.
        value: What is stored; None where nothing is.
        outcome: As of kafka/upgrade/findings.
        message: Kafka's words, or what the value will mean.
    """

    cluster: str
    component: str
    resource: str
    config: str
    value: str | None
    outcome: str
    message: str


def iter_stored_configs(cluster: str, state: Mapping[str, Any]) -> Iterator[StoredConfigs]:
    """Yield what a contract cluster state has stored, brokers first; what has no overrides is left out."""
    for component, section in (("broker", "brokers"), ("topic", "topics")):
        for name, resource in state.get(section, {}).items():
            if resource.get("configs"):
                yield StoredConfigs(cluster, component, name, resource["configs"])
    if not _list_unreadable_brokers(state) and (brokers := _select_brokers(state)):
        of_all = set.intersection(*(set(broker["configs"]) for broker in brokers.values()))
        of_all |= set(state["brokers"].get("", {}).get("configs", ()))  # the cluster's own
        yield StoredConfigs(cluster, "brokerDefaults", "brokerDefaults", dict.fromkeys(sorted(of_all)))
    for name, configs in state.get("resourceConfigs", {}).get("group", {}).items():
        yield StoredConfigs(cluster, "group", name, configs)
    for principal, acls in state.get("acls", {}).items():
        yield StoredConfigs(cluster, "acl", principal, {_describe_acl(acl): acl["host"] for acl in acls})
    if "features" in state:
        levels = {name: str(level) for name, level in state["features"].items()}
        yield StoredConfigs(cluster, "features", "features", levels)


def _describe_acl(acl: Mapping[str, Any]) -> str:
    fields = ("permissionType", "operation", "resourceType", "resourceName", "patternType", "host")
    return " ".join(str(acl[field]) for field in fields)


def list_gaps(state: Mapping[str, Any], besides: Sequence[str] = ()) -> list[str]:
    """Return what of a contract cluster state nothing can be said about, in words.

    Args:
        state: The cluster's state.
        besides: What another state of the same cluster lacks, which comes first.
    """
    silent = _list_unreadable_brokers(state)
    nothing = [] if silent or _select_brokers(state) else ["the brokers"]
    configs = [f"configs and defaults of broker {', '.join(silent)}"] if silent else []
    sections = {"features": "the features", "acls": "the ACLs"}
    lacking = [text for section, text in sections.items() if section not in state]
    return list(dict.fromkeys([*besides, *nothing, *configs, *lacking]))


def _select_brokers(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: broker for name, broker in state.get("brokers", {}).items() if name}


def _list_unreadable_brokers(state: Mapping[str, Any]) -> list[str]:
    """The brokers whose configs could not be read: each has some."""
    names = [name for name, broker in _select_brokers(state).items() if not broker.get("configs")]
    return sorted(names, key=lambda name: (len(name), name))


def read_upgrade(client: "OpaClient", before: str, after: str) -> Upgrade:
    """Read what holds for every cluster that is upgraded.

    Args:
        client: Of the OPA that evaluates.
        before, after: The releases from which and to which, such as ``3.9`` and ``4.2.0``.

    Raises:
        ConfigurationError: A release is none, or they are in the wrong order.
        OpaError: OPA cannot be reached, or serves no bundle of Warden.
    """
    answer = client.evaluate(_PATH, {"from": before, "to": after, "items": {}})
    if answer["errors"]:
        raise ConfigurationError(
            "; ".join(f"--{error}" if error[:2] in {"fr", "to"} else error for error in answer["errors"])
        )
    return Upgrade(before, after, answer["notes"], answer.get("revision"))


def iter_findings(
    rows: Iterable[StoredConfigs], upgrade: Upgrade, post: Callable[[str, bytes], bytes], *, in_flight: int = 1
) -> Iterator[UpgradeFinding]:
    """Yield the findings of rows, in their order.

    Args:
        rows: What is stored.
        upgrade: From `read_upgrade`.
        post: Sends a request body to a path of the Data API and returns the body of the answer.
        in_flight: Requests under way at once.

    Raises:
        ScanError: An answer comes from another revision of the bundle.
        OpaUndefined: OPA did not answer about one of the rows.
        OpaEvaluationError: OPA fails on a row, which the error names, or takes none of its size.
        OpaError: OPA cannot be reached, or refuses this caller.
    """
    waiting: dict[str, StoredConfigs] = {}
    releases = f'"from":{json.dumps(upgrade.before)},"to":{json.dumps(upgrade.after)}'

    def build_rows() -> Iterator[Row]:
        for number, row in enumerate(rows):
            waiting[str(number)] = row
            item = encode_compact({"component": row.component, "configs": dict(row.configs)})
            yield Row("", str(number), item, path=_PATH)

    def send(batch: Batch) -> list[tuple[str, list[Any]]]:
        answer = parse_answer(post(_PATH, f'{{"input":{{{releases},"items":{join_items(batch)}}}}}'.encode()), _PATH)
        said = answer.get("result")
        result: dict[str, Any] = said if isinstance(said, dict) else {}
        findings = result.get("findings")
        if not isinstance(findings, dict) or findings.keys() != {row.key for row in batch.rows}:
            raise OpaUndefined(f"{_PATH} left out some of its inputs: give OPA the bundle of this Warden")
        if result.get("revision") != upgrade.revision:
            raise ScanError(
                f"the policy changed during the check, from revision {upgrade.revision} to {result.get('revision')}: "
                "run it again"
            )
        return [(row.key, findings[row.key]) for row in batch.rows]

    def fail(row: Row, reason: str) -> tuple[str, list[Any]]:
        stored = waiting[row.key]
        raise OpaEvaluationError(f"{stored.component} {stored.resource} of cluster {stored.cluster}: {reason}")

    for answers in evaluate_batches(build_rows(), send, fail, _LIMITS, in_flight):
        for key, found in answers:
            yield from _build_findings(waiting.pop(key), found)


def _build_findings(row: StoredConfigs, found: Iterable[Mapping[str, Any]]) -> Iterator[UpgradeFinding]:
    for finding in sorted(found, key=lambda entry: str(entry["name"])):
        name, outcome, message = finding["name"], finding["outcome"], finding["message"]
        yield UpgradeFinding(row.cluster, row.component, row.resource, name, row.configs.get(name), outcome, message)
