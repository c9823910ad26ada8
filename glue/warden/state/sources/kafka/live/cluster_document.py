"""A cluster's whole state, kept up to date from polls: labels, names, totals and deletions. No I/O."""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from warden.state.sources.kafka.live.deletions import DeletionCounter
from warden.state.sources.kafka.read.names_by_metric import find_metric_name, group_names_by_metric
from warden.state.sources.kafka.read.totals import TopicTotals
from warden.state.sources.labels import ClusterLabels
from warden.state.sources.source import REMOVED, Change

__all__ = ["ClusterDocument"]

_Topic = dict[str, Any]

# Parts of which single entries change; of the others, such as clusterSize, the whole.
_BY_ENTRY = ("acls", "brokers", "consumers", "defaults", "groups", "quotas", "users", "writes")


class ClusterDocument:
    """The contract's cluster state without meta.

    Args:
        labelling: Where labels come from; None where nobody knows any.
        deletions: The count of deleted topics.
        now: Seconds of the epoch.
    """

    def __init__(self, labelling: ClusterLabels | None, deletions: DeletionCounter, now: Callable[[], float]) -> None:
        self._labelling, self._deletions, self._now = labelling, deletions, now
        self._topics: dict[str, _Topic] = {}
        self._parts: dict[str, Any] = {}
        self._metrics: dict[str, list[str]] = {}
        self._totals = TopicTotals({})
        self._whole = True

    @property
    def topics(self) -> Mapping[str, _Topic]:
        """The topics, with labels."""
        return self._topics

    @property
    def gaps(self) -> list[str]:
        """What is not known, in sentences."""
        sentences = [] if self._labelling is None else self._labelling.problems
        if self._labelling is None:
            sentences.append("totals.byOwner: nobody says who owns topics, name where labels are under owners:")
        if self._labelling is None or self._labelling.principal is None:
            sentences.append(
                "totals.byPrincipal: Kafka does not tell who made a topic, name the label that does under owners:"
            )
        if not self._whole:
            sentences.append("deletions, namesByMetric, totals: not every topic can be seen")
        elif "deletions" not in self._parts:
            sentences.append("deletions: not a whole hour has been watched yet")
        return sentences

    def resume(self, topics: Mapping[str, _Topic]) -> None:
        """Take the topics of an earlier run for those that were there: at the beginning, what is gone counts."""
        self._topics = dict(topics)

    def count_missed(self, missed: Mapping[str, int]) -> None:
        """Count with the next change what another replicator saw deleted, but for what is still there.

        Args:
            missed: As `warden.state.sources.kafka.live.deletions.DeletionCounter.find_missed_minutes` returns it.
        """
        if missed:
            present = {topic.get("topicId") for topic in self._topics.values()}
            self._deletions.count_missed({id: minute for id, minute in missed.items() if id not in present})

    def begin(self, topics: Mapping[str, _Topic], parts: Mapping[str, Any], *, whole: bool = True) -> dict[str, Any]:
        """Take in everything anew, and return the whole document.

        Args:
            topics: All topics, without labels.
            parts: All other parts that the cluster tells.
            whole: Whether there may be no other topics; else what follows from all topics is left out, until the next
                beginning.
        """
        self._whole = whole
        if not whole:
            self._deletions.forget()
        before = self._topics
        self._topics = {name: self._add_labels(name, topic) for name, topic in topics.items()}
        if before:
            self._count_deleted(before)
        self._take_back(self._topics)
        self._metrics = group_names_by_metric(self._topics)
        self._parts = {**parts, **self._build_label_part(), **self._build_deletions_part()}
        self._sum()
        copied = {name: dict(part) if isinstance(part, dict) else part for name, part in self._parts.items()}
        metrics = {name: list(names) for name, names in self._metrics.items()}
        of_all = {"namesByMetric": metrics, "totals": self._totals.to_document()} if whole else {}
        return {**copied, "topics": dict(self._topics), **of_all}

    def update(
        self, changed: Mapping[str, _Topic | None], parts: Mapping[str, Any], *, relabel: bool = False
    ) -> list[Change]:
        """Take in what changed, and return it as changes of the document.

        Args:
            changed: Topics as they are now, None for those that are gone.
            parts: All other parts that the cluster tells.
            relabel: Whether labels may be others than before.
        """
        topics = {name: topic and self._add_labels(name, topic) for name, topic in changed.items()}
        if relabel:
            topics = {**{name: self._add_labels(name, topic) for name, topic in self._topics.items()}, **topics}
        topics = {name: topic for name, topic in topics.items() if topic != self._topics.get(name)}
        before = {name: self._topics[name] for name in topics if name in self._topics}
        resum = self._totals.has_other_defaults(parts.get("defaults"))
        changes = [change for name, topic in topics.items() for change in self._iter_topic_changes(name, topic)]
        self._count_deleted(before)
        self._take_back(name for name, topic in topics.items() if topic is not None)
        changes += self._iter_part_changes({**parts, **self._build_label_part(), **self._build_deletions_part()})
        if resum:
            self._sum()
        if not self._whole:
            return [change for change in changes if change.path[0] not in ("namesByMetric", "totals")]
        if resum:
            return [*changes, Change(("totals",), self._totals.to_document())]
        return [
            *changes,
            *(Change(("totals", *path), _mark_removed(value)) for path, value in self._totals.take_changes()),
        ]

    def _build_label_part(self) -> dict[str, Any]:
        """How names of topics that are requested tell their labels."""
        patterns = self._labelling.patterns if self._labelling else []
        return {"labelPatterns": patterns} if patterns else {}

    def _add_labels(self, name: str, topic: _Topic) -> _Topic:
        labels = self._labelling.get(name) if self._labelling else {}
        return topic if topic["labels"] == labels else {**topic, "labels": labels}

    def _iter_topic_changes(self, name: str, topic: _Topic | None) -> Iterator[Change]:
        old = self._topics.pop(name, None)
        if old is not None:
            self._totals.remove(old)
        if topic is not None:
            self._topics[name] = topic
            self._totals.add(topic)
        yield Change(("topics", name), _mark_removed(topic))
        if (old is None) != (topic is None):
            yield from self._iter_name_changes(name)

    def _iter_name_changes(self, name: str) -> Iterator[Change]:
        metric = find_metric_name(name)
        if metric is None:
            return
        names = self._metrics.setdefault(metric, [])
        if name in self._topics:
            insort(names, name)
        else:
            names.remove(name)
        if not names:
            del self._metrics[metric]
        yield Change(("namesByMetric", metric), list(names) if names else REMOVED)

    def _iter_part_changes(self, parts: dict[str, Any]) -> Iterator[Change]:
        old, self._parts = self._parts, parts
        for name in old.keys() | parts.keys():
            before, after = old.get(name), parts.get(name)
            if before is after or before == after:
                continue
            if name in _BY_ENTRY and isinstance(before, dict) and isinstance(after, dict):
                for key in before.keys() | after.keys():
                    if before.get(key, REMOVED) != after.get(key, REMOVED):
                        yield Change((name, key), after.get(key, REMOVED))
            elif after is None:
                yield Change((name,), REMOVED)
            else:
                yield Change((name,), dict(after) if isinstance(after, dict) else after)

    def _sum(self) -> None:
        labelling = self._labelling
        self._totals = TopicTotals(
            self._parts.get("defaults"),
            owner=labelling.owner if labelling else None,
            principal=labelling.principal if labelling else None,
        )
        for topic in self._topics.values():
            self._totals.add(topic)
        self._totals.take_changes()

    def _count_deleted(self, before: Mapping[str, _Topic]) -> None:
        """Count which of these topics are gone, or are others under the same name."""
        gone = [
            name
            for name, topic in before.items()
            if name not in self._topics or self._topics[name].get("topicId") != topic.get("topicId")
        ]
        self._deletions.count_deleted(
            len(gone), self._now(), [id for name in gone if (id := before[name].get("topicId"))]
        )

    def _take_back(self, names: Iterable[str]) -> None:
        self._deletions.take_back(id for name in names if (id := self._topics[name].get("topicId")))

    def _build_deletions_part(self) -> dict[str, Any]:
        count = self._deletions.count_last_hour(self._now()) if self._whole else None
        return {} if count is None else {"deletions": {"lastHour": count}}


def _mark_removed(value: Any) -> Any:
    return REMOVED if value is None else value
