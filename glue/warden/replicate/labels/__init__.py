"""Labels of topics, which Kafka does not keep: from a naming rule, a directory of YAML files, or a compacted topic."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from warden.replicate.entry import Entry
from warden.replicate.labels.compacted import CompactedTopic
from warden.replicate.labels.directory import LabelDirectory
from warden.replicate.labels.naming import NamingRule

__all__ = ["Labelling", "Labels", "read_labelling"]


class Labels(Protocol):
    """Where labels come from.

    Attributes:
        problem: What is wrong with it, None where nothing is.
    """

    @property
    def problem(self) -> str | None: ...

    def refresh(self) -> bool:
        """Look again, and return whether labels may be others than before."""

    def of(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""

    def close(self) -> None:
        """Let go of connections; a later `refresh` begins anew."""


@dataclass(frozen=True)
class Labelling:
    """All places that a cluster's labels come from.

    Args:
        places: In order: of what several say about a label, the later wins.
        owner: The label that names a topic's owner, for ``totals.byOwner``.
        principal: The label that names who made a topic, for ``totals.byPrincipal``; None where none does.
    """

    places: Sequence[Labels]
    owner: str = "owner"
    principal: str | None = None

    def refresh(self) -> bool:
        """Look again everywhere, and return whether labels may be others than before."""
        changed = [place.refresh() for place in self.places]
        return any(changed)

    def of(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""
        found: dict[str, str] = {}
        for place in self.places:
            found |= place.of(topic)
        return found

    @property
    def problems(self) -> list[str]:
        """What is wrong anywhere."""
        return [f"labels: {place.problem}" for place in self.places if place.problem]

    def close(self) -> None:
        """Let go of connections."""
        for place in self.places:
            place.close()


def read_labelling(entry: Entry | None, consumer: Callable[[], Any]) -> Labelling | None:
    """Return what the configuration's ``owners`` say; None where there is nothing.

    Args:
        entry: The mapping.
        consumer: Makes a consumer of the cluster that the labels are for.
    """
    if entry is None:
        return None
    places = [place for one in entry.entries("from") if (place := _place(one, consumer)) is not None]
    if not places and not entry.problems:
        entry.complain("from", "nothing is there: write a list of {pattern: …}, {directory: …} or {topic: …}")
    labelling = Labelling(
        places,
        owner=entry.text("owner", default=Labelling.owner),
        principal=entry.text("principal", default="") or None,
    )
    entry.close()
    return labelling


def _place(entry: Entry, consumer: Callable[[], Any]) -> Labels | None:
    kinds = [kind for kind in ("pattern", "directory", "topic") if kind in entry]
    entry.close()
    if len(kinds) != 1:
        entry.problems.add(entry.place, "write exactly one of pattern, directory and topic")
        return None
    if kinds == ["pattern"]:
        return _naming_rule(entry)
    if kinds == ["directory"]:
        path = entry.path("directory")
        if path is None or not path.is_dir():
            entry.complain("directory", f"{path} is no directory: name one, relative to this file")
            return None
        return LabelDirectory(path)
    return CompactedTopic(entry.text("topic", like=r"[a-zA-Z0-9._-]{1,249}", example="a topic's name"), consumer)


def _naming_rule(entry: Entry) -> NamingRule | None:
    example = r"(?P<owner>[a-z]+)\..*"
    text = entry.text("pattern", example=f"a regular expression such as {example}")
    try:
        pattern = re.compile(text)
    except re.error as error:
        entry.complain("pattern", f"{text!r} is no regular expression ({error}): write one such as {example}")
        return None
    if not pattern.groupindex:
        entry.complain("pattern", f"{text!r} has no named group: each makes a label, as in {example}")
        return None
    return NamingRule(pattern)
