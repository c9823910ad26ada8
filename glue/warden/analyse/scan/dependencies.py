"""Dependencies of decisions besides resource and policy: what a scan sends, and remembers decisions under.

OPA finds it in the rules' syntax trees: of Warden's rules when the bundle is built (``kafka/required_state``), of a
site's own when a scan begins (``kafka/dependencies/found``, `warden.analyse.scan.site_rules`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warden.analyse.scan.own_state import OwnPath

__all__ = ["Dependencies", "build_dependencies", "merge_dependencies", "select", "with_site_rules"]

_EVERYTHING = "*"
_TOPICS = {"topics", _EVERYTHING}


@dataclass(frozen=True)
class Dependencies:
    """What the decisions of one operation depend on.

    Args:
        state: What of the cluster's state, as a selection (`select`); ``topics`` are all of the cluster's topics.
        clusters: Which parts of the states of all clusters; ``*`` is all of them.
        topic: Whether the topics of the same name in all clusters.
        clock: Whether the second in which they are made.
        own: What of the cluster's state comes with each resource, as paths (`warden.analyse.scan.own_state`).
    """

    state: Mapping[str, Any]
    clusters: tuple[str, ...] = ()
    topic: bool = False
    clock: bool = False
    own: Sequence[OwnPath] = ()

    @property
    def reads_other_clusters(self) -> bool:
        """Whether states of other clusters are looked at."""
        return bool(self.clusters) or self.topic

    @property
    def reads_all_topics(self) -> bool:
        """Whether all topics of the cluster are looked at."""
        return bool(_TOPICS & self.state.keys())

    @property
    def reads_topics_elsewhere(self) -> bool:
        """Whether all topics of all clusters are looked at."""
        return bool(_TOPICS & {*self.clusters})

    @property
    def reads_topic_by_name(self) -> bool:
        """Whether of other clusters' topics those of the same name, and no others, are looked at."""
        return self.topic and not self.reads_topics_elsewhere


def select(selection: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """What a selection has of a state: True is all of a value, an object has its fields, ``*`` is any other key."""
    chosen = {key: selection.get(key, selection.get(_EVERYTHING)) for key in state}
    return {
        key: state[key] if selected is True else select(selected, state[key])
        for key, selected in chosen.items()
        if selected is True or (selected is not None and isinstance(state[key], Mapping))
    }


def build_dependencies(required: Mapping[str, Any]) -> dict[str, Dependencies]:
    """Return by operation what decisions by Warden's own rules depend on.

    Args:
        required: The answer of ``kafka/required_state``.
    """
    return {
        operation: Dependencies(
            state,
            tuple(required["lookups"][operation]["clusters"]),
            required["lookups"][operation]["topic"],
            operation in required["aged"],
            tuple(required["own"][operation]),
        )
        for operation, state in required["shared"].items()
    }


def with_site_rules(own: Dependencies, found: Mapping[str, Any]) -> Dependencies:
    """Return what decisions by Warden's and a site's own rules depend on.

    Args:
        own: What those by Warden's depend on.
        found: The answer of ``kafka/dependencies/found`` about the site's.
    """
    state = dict.fromkeys(found["state"], True)
    return merge_dependencies(own, Dependencies(state, tuple(found["clusters"]), found["topic"], found["clock"]))


def merge_dependencies(first: Dependencies, second: Dependencies) -> Dependencies:
    """Return what either of two depends on."""
    return Dependencies(
        _merge_reads(first.state, second.state),
        tuple(sorted({*first.clusters, *second.clusters})),
        first.topic or second.topic,
        first.clock or second.clock,
        (*first.own, *(path for path in second.own if path not in first.own)),
    )


def _merge_reads(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    for whole in (first, second):
        if whole.get(_EVERYTHING) is True:
            return {_EVERYTHING: True}
    both = {
        key: True if True in (first[key], second[key]) else _merge_reads(first[key], second[key])
        for key in first.keys() & second.keys()
    }
    return {**first, **second, **both}
