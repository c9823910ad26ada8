"""What a change makes of a state, and what is wrong with a state: without the engine's own idea of worse."""

import copy
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from tests.rego.change.documents import BROKER, TOPIC, Document

__all__ = ["State", "apply", "change_configs", "faults", "worse"]

State = dict[tuple[str, str], set[str]]
"""The messages of what is wrong, by rule and path."""


def apply(operation: str, request: Document, of_cluster: Document) -> Document:
    """Return the state once a change of a topic or a broker is done, reassignments with it."""
    after = copy.deepcopy(of_cluster)
    ops = request.get("configs", {}).get("ops", [])
    if operation == "AlterTopic":
        topic = after["topics"][TOPIC]
        change_configs(topic["configs"], ops)
        _place(topic, request)
    else:
        broker = after["brokers"][BROKER]
        own = broker.get("dynamicConfigs", broker["configs"])
        beneath = {**{k: v for k, v in broker["configs"].items() if k not in own}, **broker.get("fallbackConfigs", {})}
        own = change_configs(dict(own), ops)
        shared = {**after["brokers"][""]["configs"], **beneath}
        broker["fallbackConfigs"] = {name: shared[name] for name in own if name in shared}
        broker["configs"] = {**beneath, **own}
        if "dynamicConfigs" in broker:
            broker["dynamicConfigs"] = own
    return after


def change_configs(configs: dict[str, str], ops: list[Document]) -> dict[str, str]:
    """Set and delete, in `configs` itself, and return it."""
    for op in ops:
        configs.pop(op["name"], None)
        if op["op"] == "SET":
            configs[op["name"]] = op["value"]
    return configs


def _place(topic: Document, request: Document) -> None:
    """Replicas of partitions that Kafka places are on as many brokers as those of the first partition."""
    assignments = topic["replicasAssignments"]
    for partition, replicas in request.get("reassignments", {}).items():
        assignments[partition] = replicas
        topic["reassigning"].pop(partition, None)
    news = request.get("newAssignments", [])
    before: int = topic["numPartitions"]
    for i in range(before, request.get("numPartitions", before)):
        assignments[str(i)] = news[i - before] if news else list(assignments["0"])
    topic["numPartitions"] = len(assignments)
    topic["replicationFactor"] = len(assignments["0"])


def faults(*decisions: Mapping[str, Any]) -> State:
    """Return what decisions about a state say of it: about a change that alters nothing, and of an audit."""
    found: State = {}
    for decision in decisions:
        for violation in decision["violations"]:
            found.setdefault((violation["rule"], str(violation["path"])), set()).add(violation["message"])
    return found


def worse(before: State, after: State, rules: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what is wrong after and was not before, or was by less.

    Args:
        before: What was wrong.
        after: What is.
        rules: METADATA by id: which numbers of a rule's messages say how far it is from its limit.
    """
    found = []
    for (rule, path), messages in after.items():
        earlier = before.get((rule, path), set())
        for message in messages - earlier:
            amounts = [_distance(rules.get(rule, {}), said) for said in (message, *earlier)]
            least, *rest = amounts
            known = [amount for amount in rest if amount is not None]
            if least is None or not any(least * other > 0 and abs(least) <= abs(other) for other in known):
                found.append(f"{rule} {path}: {message!r} after {sorted(earlier)}")
    return found


_NUMBER: Final = r"(?P<{}>-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)"


# Limits that no message names: that of flushes is never to flush.
_LIMITS: Final = {"never": str(2**63 - 1)}
# And where it stands in a message that has it inside a part of another name.
_BOUND: Final = re.compile(rf"(?:minimum|maximum) of {_NUMBER.format('bound')}")
# Messages that have both in words.
_WORDS: Final = (
    re.compile(r"records are kept (?P<of>for ever|[0-9]+)(?: ms)?, longer than the (?P<limit>[0-9]+) ms .*"),
    re.compile(r"local\.retention\.\w+ (?P<of>-?[0-9]+) is above retention\.\w+ (?P<limit>[0-9]+)"),
)
_NO_LIMIT: Final = "for ever"


def _distance(rule: Mapping[str, Any], message: str) -> float | None:
    """How far a message says that a rule is from its limit, None where it has no numbers for that."""
    order = rule.get("order")
    if not isinstance(order, Mapping):
        return None
    for words in _WORDS:
        if match := words.fullmatch(message):
            actual = Fraction(-1 if match["of"] == _NO_LIMIT else match["of"])
            return _beyond(order, actual, Fraction(match["limit"]))
    for text in (rule.get("message"), *rule.get("messages", {}).values()):
        named = {order["of"], order["from"]}
        parts = re.split(r"\{(\w+)\}", text or "")
        names = parts[1::2]
        pattern, seen = re.escape(parts[0]), set()
        for name, rest in zip(names, parts[2::2], strict=True):
            pattern += _NUMBER.format(name) if name in named and name not in seen else ".*"
            pattern += re.escape(rest)
            seen.add(name)
        match = re.fullmatch(pattern, message)
        bound = _BOUND.search(message)
        inside = {order["from"]: bound["bound"]} if bound else {}
        said = {**_LIMITS, **inside, **(match.groupdict() if match else {})}
        if match and named <= said.keys():
            return _beyond(order, Fraction(said[order["of"]]), Fraction(said[order["from"]]))
    return None


def _beyond(order: Mapping[str, Any], actual: Fraction, limit: Fraction) -> float:
    return float("inf") if order.get("unlimited") and actual < 0 else float(actual - limit)
