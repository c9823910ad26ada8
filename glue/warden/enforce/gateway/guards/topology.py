"""The internal topics of a Kafka Streams topology (KIP-1071), and how many partitions the broker will give each.

The numbers are worked out as ``org.apache.kafka.coordinator.group.streams.topics`` of Kafka 4.3 does. What depends on
topics that are not there, or on the order in which the broker happens to take the subtopologies, is not known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["compute_partition_counts", "iter_internal_topics", "list_source_topics"]

Subtopology = Mapping[str, Any]


def iter_internal_topics(subtopologies: Sequence[Subtopology]) -> Iterator[Mapping[str, Any]]:
    """Yield what the topology says of each repartition and changelog topic; once where it says the same twice."""
    seen = []
    for subtopology in subtopologies:
        for info in (*subtopology["repartitionSourceTopics"], *subtopology["stateChangelogTopics"]):
            if info not in seen and info["name"] not in subtopology["sourceTopics"]:
                seen.append(info)
                yield info


def list_source_topics(subtopologies: Sequence[Subtopology]) -> set[str]:
    """Return the topics that the topology reads from and that have to be there."""
    return {name for subtopology in subtopologies for name in subtopology["sourceTopics"]}


def compute_partition_counts(subtopologies: Sequence[Subtopology], existing: Mapping[str, int]) -> dict[str, int]:
    """Return how many partitions each internal topic will have, by name, where that is known.

    Args:
        subtopologies: Of the topology.
        existing: Numbers of partitions of the topics that are there, by name.
    """
    return _Counts(subtopologies, existing).compute_counts()


class _Counts:
    def __init__(self, subtopologies: Sequence[Subtopology], existing: Mapping[str, int]) -> None:
        self._subtopologies = subtopologies
        self._existing = existing
        self._repartition = {
            info["name"]: info["partitions"] for sub in subtopologies for info in _list_repartition_topics(sub)
        }
        self._fixed = {name: count for name, count in self._repartition.items() if count}
        self._decided: dict[str, int | None] = dict(self._fixed)

    def compute_counts(self) -> dict[str, int]:
        self._follow_sinks()
        for subtopology in self._subtopologies:
            for group in subtopology["copartitionGroups"]:
                self._copartition(subtopology, group)
        self._count_changelogs()
        return {name: count for name, count in self._decided.items() if count}

    def _count(self, name: str) -> int | None:
        return self._existing.get(name) or self._decided.get(name)

    def _follow_sinks(self) -> None:
        """Give each repartition topic the partitions of the subtopologies that write to it."""
        sinks = {name for sub in self._subtopologies for name in sub["repartitionSinkTopics"]} - self._fixed.keys()
        progress = True
        while progress:
            possible = {name: self._compute_possible(name) for name in sinks - self._decided.keys()}
            settled = {name: min(counts) for name, counts in possible.items() if len(counts) == 1 and 0 not in counts}
            self._decided |= settled
            progress = bool(settled)

    def _compute_possible(self, sink: str) -> set[int]:
        """The numbers that the broker may come to, with 0 for one that is not known."""
        possible: set[int] = set()
        for subtopology in self._subtopologies:
            if sink in subtopology["repartitionSinkTopics"]:
                names = [info["name"] for info in _list_repartition_topics(subtopology)]
                first = [self._existing.get(name, 0) for name in subtopology["sourceTopics"]]
                first += [self._fixed[name] for name in names if name in self._fixed]
                later = {self._decided.get(name) or 0 for name in names if name not in self._fixed}
                least = {max(first)} if first and all(first) else {0} if first else set()
                possible |= least | {count for count in later if not count or count > max(first, default=0)}
        return possible

    def _copartition(self, subtopology: Subtopology, group: Mapping[str, Any]) -> None:
        """Give all topics of a group the same number."""
        flexible = {_list_repartition_topics(subtopology)[at]["name"] for at in group["repartitionSourceTopics"]}
        sources = {subtopology["sourceTopics"][at] for at in group["sourceTopics"]}
        if sources:
            counts = {self._count(name) or 0 for name in sources}
        elif self._fixed:
            counts = set(self._fixed.values())
        else:
            all_ = [self._count(name) or 0 for name in flexible]
            counts = {max(all_) if all_ and all(all_) else 0}
        for name in flexible:  # where they differ the broker makes none of them
            self._decided[name] = min(counts) if len(counts) == 1 else None

    def _count_changelogs(self) -> None:
        possible: dict[str, set[int]] = {}
        for subtopology in self._subtopologies:
            sources = [*subtopology["sourceTopics"], *(info["name"] for info in _list_repartition_topics(subtopology))]
            counts = [self._count(name) or 0 for name in sources]
            largest = max(counts) if counts and all(counts) else 0
            for info in subtopology["stateChangelogTopics"]:
                possible.setdefault(info["name"], set()).add(info["partitions"] or largest)
        self._decided |= {name: min(counts) if len(counts) == 1 else None for name, counts in possible.items()}


def _list_repartition_topics(subtopology: Subtopology) -> Sequence[Mapping[str, Any]]:
    infos: Sequence[Mapping[str, Any]] = subtopology["repartitionSourceTopics"]
    return infos
