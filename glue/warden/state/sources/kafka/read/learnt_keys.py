"""Keys of configs that a cluster describes and the shipped catalogue lacks (DescribeConfigs, KIP-569).

One resource of each kind is described, whichever it is: its answer has every key of the kind, set or not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.policy.bundle.catalog import read_catalog
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.read.configs import DEFAULT_SOURCE

__all__ = ["LearntKeys", "SendToNode", "find_described_topic", "find_learnt_keys"]

_WORDS = {"topic": "topic", "broker": "broker", "clientMetrics": "client-metrics", "group": "group"}
_RESOURCES = {kind: CONFIG_RESOURCE_TYPES[word] for kind, word in _WORDS.items()}  # by the catalogue's kinds
_OF_A_LISTENER = "listener.name."  # how a listener sets a key of brokers, which is there by itself too
_ANY_NAME = "warden"  # groups and client metrics need not exist to be described
_TYPES = {  # DescribeConfigsResponse.ConfigType; 0 is one that the broker does not know itself
    1: "boolean",
    2: "string",
    3: "int",
    4: "short",
    5: "long",
    6: "double",
    7: "list",
    8: "class",
    9: "password",
}
_MAX_KEYS = 1000  # keys of a kind
_MAX_TEXT_CHARACTERS = 250  # characters of a default or of documentation

SendToNode = Callable[[str, Any, int | None], Any]
"""Sends a request under a key to a node, None for any; returns its response, or None where it is the same as before."""


class LearntKeys:
    """Reads the keys of every kind of resource, again and again.

    Args:
        forget: Has the next answer to a key taken for new.

    Attributes:
        gaps: Sentences about the kinds whose keys are not known.
    """

    def __init__(self, forget: Callable[[str], None] = lambda _key: None) -> None:
        self._forget_answer = forget
        self._configs: dict[str, dict[str, Any]] = {}
        self._problems: dict[str, str] = {}

    @property
    def gaps(self) -> list[str]:
        """Sentences about the kinds whose keys are not known."""
        return [f"catalog.configs.{kind}: {problem}" for kind, problem in sorted(self._problems.items())]

    def read(self, ask: SendToNode, topic: str | None, brokers: Sequence[int]) -> dict[str, Any] | None:
        """Return the contract's ``catalog``, None where nothing is described; a kind that is there has all its keys.

        Args:
            ask: Sends a request. What it raises as `NotDisclosed` is a kind's problem.
            topic: A topic that may be described; None where there is none.
            brokers: Those that are alive; the first that answers tells the keys of brokers.
        """
        names: dict[str, list[tuple[str, int | None]]] = {
            "topic": [] if topic is None else [(topic, None)],
            "broker": [(str(broker), broker) for broker in brokers],
        }
        for kind in _RESOURCES:
            try:
                response = _describe(ask, kind, names.get(kind, [(_ANY_NAME, None)]))
                if response is not None:
                    self._configs[kind] = find_learnt_keys(kind, response)
                    self._problems.pop(kind, None)
            except NotDisclosed as refused:
                self._forget(kind, str(refused))
        if not self._configs:
            return None
        return {"beside": str(read_catalog("topic")["kafka"]), "configs": dict(sorted(self._configs.items()))}

    def _forget(self, kind: str, problem: str) -> None:
        self._configs.pop(kind, None)
        self._forget_answer(f"catalog.{kind}")
        self._problems[kind] = problem


def find_learnt_keys(kind: str, response: Any) -> dict[str, dict[str, Any]]:
    """Return the keys of an answer to DescribeConfigs that the catalogue lacks, with what it says of each. No values.

    Args:
        kind: The kind of resource, as the catalogue names it.
        response: What one resource of it answers.

    Raises:
        NotDisclosed: The resource is not described, or has more keys than a state can hold.
    """
    (result,) = response.results
    if result.error_code:
        raise NotDisclosed(format_reason(result.error_code, result.error_message), result.error_code)
    catalog = read_catalog(kind)["configs"]
    rows = {
        item.name: _build_row(item)
        for item in sorted(result.configs, key=lambda item: str(item.name))
        if item.name not in catalog and item.config_type in _TYPES and not item.name.startswith(_OF_A_LISTENER)
    }
    if len(rows) > _MAX_KEYS:
        raise NotDisclosed(f"{len(rows)} that the catalogue lacks, at most {_MAX_KEYS} are taken")
    return rows


def _describe(ask: SendToNode, kind: str, resources: Sequence[tuple[str, int | None]]) -> Any:
    """The answer about the first resource whose node can be reached."""
    problem = f"the cluster has no {kind} that tells them"
    for name, node in resources:
        try:
            return ask(f"catalog.{kind}", _build_request(kind, name), node)
        except KafkaUnreachable as error:
            if node is None:
                raise
            problem = str(error)
    raise NotDisclosed(problem)


def _build_request(kind: str, name: str) -> Any:
    from kafka.protocol.admin import DescribeConfigsRequest

    return DescribeConfigsRequest(
        resources=[(_RESOURCES[kind], name, None)], include_synonyms=True, include_documentation=True, min_version=3
    )


def _build_row(item: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"type": _TYPES[item.config_type]}
    if item.read_only:
        row["readOnly"] = True
    if item.is_sensitive:
        row["sensitive"] = True
    elif (default := _find_default(item)) is not None and len(default) <= _MAX_TEXT_CHARACTERS:
        row["default"] = default
    if synonyms := sorted({synonym.name for synonym in item.synonyms or ()} - {item.name}):
        row["synonyms"] = synonyms
    if item.documentation:
        row["documentation"] = item.documentation[:_MAX_TEXT_CHARACTERS]
    return row


def _find_default(item: Any) -> str | None:
    beneath = [synonym.value for synonym in item.synonyms or () if synonym.source == DEFAULT_SOURCE]
    own: str | None = item.value if item.config_source == DEFAULT_SOURCE else None
    return beneath[0] if beneath else own


def find_described_topic(topics: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the first topic whose configs were described, None where there is none."""
    return min((name for name, topic in topics.items() if "configs" in topic), default=None)
