"""The upgrade of a cluster, in batches: rows in, findings out. Pure but for the call of OPA."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from warden.base.errors import ConfigurationError, OpaEvaluationError, OpaInputTooLarge, OpaUndefined

__all__ = [
    "DEFAULT_OUTCOME",
    "StoredConfigs",
    "UpgradeFinding",
    "evaluate",
    "iter_findings",
    "iter_stored_configs",
    "list_gaps",
]

DEFAULT_OUTCOME: Final = "default"
"""The outcome of which nothing follows by itself: what a broker takes for a config that it does not set."""

_BATCH = 500

EvaluateItems = Callable[[Mapping[str, Any]], Any]
"""Asks kafka/upgrade/findings: the input, the answer."""


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


def iter_findings(
    rows: Iterable[StoredConfigs], ask: EvaluateItems, *, before: str, after: str
) -> Iterator[UpgradeFinding]:
    """Yield the findings of rows, in their order.

    A batch that OPA fails on is halved until the row that makes it fail stands alone, which the error names.

    Args:
        rows: What is stored.
        ask: Asks OPA.
        before, after: The releases from which and to which, such as ``3.9`` and ``4.2.0``.

    Raises:
        ConfigurationError: A release is none, or they are in the wrong order.
        OpaUndefined: OPA did not answer about one of the rows.
        OpaEvaluationError, OpaInputTooLarge: OPA fails on a row, or takes none of its size.
    """
    waiting = iter(rows)
    batch = list(islice(waiting, _BATCH))
    while True:
        yield from _iter_batch_findings(batch, ask, before, after)
        if not (batch := list(islice(waiting, _BATCH))):
            return


def evaluate(ask: EvaluateItems, items: Mapping[str, Any], *, before: str, after: str) -> Any:
    """Return the answer of kafka/upgrade/findings; without items its notes, which hold for every cluster.

    Raises:
        ConfigurationError: As `iter_findings`.
    """
    answer = ask({"from": before, "to": after, "items": items})
    if answer["errors"]:
        raise ConfigurationError(
            "; ".join(f"--{error}" if error[:2] in {"fr", "to"} else error for error in answer["errors"])
        )
    return answer


def _iter_batch_findings(
    batch: list[StoredConfigs], ask: EvaluateItems, before: str, after: str
) -> Iterator[UpgradeFinding]:
    items = {str(i): {"component": row.component, "configs": dict(row.configs)} for i, row in enumerate(batch)}
    try:
        answer = evaluate(ask, items, before=before, after=after)
    except (OpaEvaluationError, OpaInputTooLarge) as error:
        if not batch[1:]:
            where = "".join(f"{row.component} {row.resource} of cluster {row.cluster}: " for row in batch)
            raise type(error)(f"{where}{error}", code=error.code) from error
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            yield from _iter_batch_findings(half, ask, before, after)
        return
    if set(answer["findings"]) != set(items):
        raise OpaUndefined("kafka/upgrade/findings left out some of its inputs: give OPA the bundle of this Warden")
    for i, row in enumerate(batch):
        for finding in sorted(answer["findings"][str(i)], key=lambda entry: str(entry["name"])):
            name, value = finding["name"], row.configs.get(finding["name"])
            yield UpgradeFinding(
                row.cluster, row.component, row.resource, name, value, finding["outcome"], finding["message"]
            )
