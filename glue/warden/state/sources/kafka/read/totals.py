"""The contract's ``totals``, kept while topics come, change and go, at a cost that follows the change. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from warden.policy.bundle.catalog import read_catalog

__all__ = ["TopicTotals", "count_totals"]

_COUNTED = ("topics", "partitions")
_STORAGE = ("retainedBytes", "unboundedReplicas")
_UNMEASURED = "unmeasured"  # topics of unknown size: of their owners the sums of storage are not known
_UNKNOWN = -1
_NEVER = 2**63 - 1
# What trim_space of Rego takes away, as rules read labels; str.strip() takes U+001C to U+001F too.
_BLANKS = "".join(
    map(chr, (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
)


class TopicTotals:
    """Sums over topics.

    Args:
        defaults: The cluster's defaults, for ``cleanup.policy`` and ``retention.bytes`` of topics without their own;
            None where they are not known, and then neither is what topics without their own can grow to.
        owner: The label whose value, trimmed, a topic counts for in ``byOwner``; None where no owners are known, which
            leaves that part out.
        principal: The same for ``byPrincipal``, where the value is a principal to the letter.
    """

    def __init__(
        self, defaults: Mapping[str, str] | None, *, owner: str | None = None, principal: str | None = None
    ) -> None:
        self._defaults = _select_limits(defaults)
        self._whole: Counter[str] = Counter()
        self._by_broker: Counter[str] = Counter()
        self._by_label: dict[str, dict[str, Counter[str]]] = {}
        self._labels = {"byOwner": owner, "byPrincipal": principal}
        for part, label in self._labels.items():
            if label is not None:
                self._by_label[part] = {}
        self._touched: set[tuple[str, ...]] = set()

    def has_other_defaults(self, defaults: Mapping[str, str] | None) -> bool:
        """Return whether with these defaults the totals would be others."""
        return self._defaults != _select_limits(defaults)

    def add(self, topic: Mapping[str, Any]) -> None:
        """Count a topic, a document of the contract."""
        self._count(topic, 1)

    def remove(self, topic: Mapping[str, Any]) -> None:
        """Count a topic no more; it must be as it was when it was added."""
        self._count(topic, -1)

    def to_document(self) -> dict[str, Any]:
        """Return the contract's ``totals``."""
        by_label = {
            part: {name: _select_sums(part, sums) for name, sums in of.items()} for part, of in self._by_label.items()
        }
        label_keys = {part: label for part, label in self._labels.items() if label is not None}
        return {
            **{name: self._whole[name] for name in (*_COUNTED, "replicas")},
            "byBroker": dict(sorted(self._by_broker.items())),
            **by_label,
            **({"labelKeys": label_keys} if label_keys else {}),
        }

    def take_changes(self) -> list[tuple[tuple[str, ...], Any]]:
        """Return what changed since the last call: paths below ``totals`` with their values, None for what is gone."""
        touched, self._touched = sorted(self._touched), set()
        return [(path, self._find_value(path)) for path in touched]

    def _find_value(self, path: tuple[str, ...]) -> Any:
        if len(path) == 1:
            return self._whole[path[0]]
        if path[0] == "byBroker":
            return self._by_broker.get(path[1])
        sums = self._by_label[path[0]].get(path[1])
        return None if sums is None else _select_sums(path[0], sums)

    def _count(self, topic: Mapping[str, Any], sign: int) -> None:
        replicas = Counter(str(node) for nodes in topic["replicasAssignments"].values() for node in nodes)
        self._whole.update(topics=sign, partitions=sign * topic["numPartitions"], replicas=sign * replicas.total())
        self._touched |= {(name,) for name in (*_COUNTED, "replicas")}
        for node, count in replicas.items():
            self._touched.add(("byBroker", node))
            self._by_broker[node] += sign * count
            if not self._by_broker[node]:
                del self._by_broker[node]
        for part, of in self._by_label.items():
            name = topic["labels"].get(self._labels[part])
            if isinstance(name, str) and part == "byOwner":
                name = name.strip(_BLANKS)
            if isinstance(name, str) and name:
                self._count_for(part, of.setdefault(name, Counter()), name, topic, sign)

    def _count_for(self, part: str, sums: Counter[str], name: str, topic: Mapping[str, Any], sign: int) -> None:
        replicas = sum(map(len, topic["replicasAssignments"].values()))
        limit = self._compute_limit(topic.get("configs"))
        storage = {"unboundedReplicas": replicas} if limit is None else {"retainedBytes": replicas * limit}
        if limit == _UNKNOWN:
            storage = {_UNMEASURED: 1}
        for key, value in {"topics": 1, "partitions": topic["numPartitions"], **storage}.items():
            sums[key] += sign * value
        self._touched.add((part, name))
        if not sums["topics"]:
            del self._by_label[part][name]

    def _compute_limit(self, configs: Mapping[str, str | None] | None) -> int | None:
        """The bytes that a replica can grow to, None without a limit: what is only compacted keeps every key.

        `_UNKNOWN` where its configs are not known.

        As KFK-SIZ-004 reads them (`kafka.rules.sizing`): any negative number is no limit, and so is the largest of all,
        which no log reaches (``noLimit`` of the catalogue).
        """
        if configs is None:
            return _UNKNOWN
        policy, limit = configs.get("cleanup.policy"), configs.get("retention.bytes")
        policy, limit = self._defaults[0] if policy is None else policy, self._defaults[1] if limit is None else limit
        if policy is None or limit is None:
            return _UNKNOWN
        try:
            number = int(limit)
        except ValueError:
            return None
        return number if 0 <= number < _NEVER and "delete" in {word.strip() for word in policy.split(",")} else None


def count_totals(topics: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the contract's ``totals`` of some topics; a live cluster knows neither owners nor who made a topic."""
    totals = TopicTotals({})
    for topic in topics:
        totals.add(topic)
    return {**totals.to_document(), "byOwner": {}, "byPrincipal": {}}


def _select_sums(part: str, sums: Counter[str]) -> dict[str, int]:
    names = (*_COUNTED, *_STORAGE) if part == "byOwner" and not sums[_UNMEASURED] else _COUNTED
    return {name: sums[name] for name in names}


def _select_limits(defaults: Mapping[str, str] | None) -> tuple[str | None, str | None]:
    """The defaults that count; Kafka's own, of the catalogue, where a cluster has none."""
    if defaults is None:
        return None, None
    kafka = read_catalog("topic")["configs"]
    policy, limit = (defaults.get(name, kafka[name]["default"]) for name in ("cleanup.policy", "retention.bytes"))
    return policy, limit
