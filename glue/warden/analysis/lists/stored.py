"""Evaluation of stored configs in batches: rows in, findings out. Pure but for the call of OPA; Spark uses it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from warden.errors import ConfigurationError, OpaUndefined

__all__ = ["Finding", "Stored", "findings", "stored"]

_BATCH = 500

Ask = Callable[[Mapping[str, Any]], Any]
"""Asks kafka/lists/upgrade: the input, the answer."""


class Stored(NamedTuple):
    """The overrides of one resource.

    Args:
        cluster: Name of its cluster.
        component: ``topic`` or ``broker``: whose keys they are.
        resource: Name of the topic, id of the broker.
        configs: Name → text or None.
    """

    cluster: str
    component: str
    resource: str
    configs: Mapping[str, str | None]


class Finding(NamedTuple):
    """A value that the target takes otherwise.

    Args:
        cluster, component, resource: As of `Stored`.
        config: The configuration.
        value: What is stored.
        outcome: ``refused`` or ``reinterpreted``.
        message: Kafka's words, or what the value will mean.
    """

    cluster: str
    component: str
    resource: str
    config: str
    value: str | None
    outcome: str
    message: str


def stored(cluster: str, state: Mapping[str, Any]) -> Iterator[Stored]:
    """Yield what a contract cluster state has stored, brokers first; what has no overrides is left out."""
    for component, part in (("broker", "brokers"), ("topic", "topics")):
        for name, resource in state.get(part, {}).items():
            if resource.get("configs"):
                yield Stored(cluster, component, name, resource["configs"])


def findings(rows: Iterable[Stored], ask: Ask, *, before: str, after: str) -> Iterator[Finding]:
    """Yield the findings of rows, in their order.

    Args:
        rows: What is stored.
        ask: Asks OPA.
        before, after: The releases from which and to which, such as ``3.9`` and ``4.2.0``.

    Raises:
        ConfigurationError: A release is none, or they are in the wrong order.
        OpaUndefined: OPA did not answer about one of the rows.
    """
    waiting = iter(rows)
    batch = list(islice(waiting, _BATCH))
    while True:
        yield from _batch(batch, ask, before, after)
        if not (batch := list(islice(waiting, _BATCH))):
            return


def _batch(batch: list[Stored], ask: Ask, before: str, after: str) -> Iterator[Finding]:
    items = {str(i): {"component": row.component, "configs": dict(row.configs)} for i, row in enumerate(batch)}
    answer = ask({"from": before, "to": after, "items": items})
    if answer["errors"]:
        raise ConfigurationError(
            "; ".join(f"--{error}" if error[:2] in {"fr", "to"} else error for error in answer["errors"])
        )
    if set(answer["findings"]) != set(items):
        raise OpaUndefined("kafka/lists/upgrade left out some of its inputs: nothing is decided by that")
    for i, row in enumerate(batch):
        for finding in sorted(answer["findings"][str(i)], key=lambda one: str(one["name"])):
            name, value = finding["name"], row.configs[finding["name"]]
            yield Finding(row.cluster, row.component, row.resource, name, value, finding["outcome"], finding["message"])
