"""Labels of topics, which Kafka does not keep: from a naming rule, a directory of YAML files, or a compacted topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from warden.state.sources.labels.naming import NamingRule

__all__ = ["ClusterLabels", "LabelReader"]


class LabelReader(Protocol):
    """Where labels come from.

    Attributes:
        problem: What is wrong with it, None where nothing is.
    """

    @property
    def problem(self) -> str | None: ...

    def refresh(self) -> bool:
        """Look again, and return whether labels may be others than before."""

    def get(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""

    def close(self) -> None:
        """Let go of connections; a later `refresh` begins anew."""


@dataclass(frozen=True)
class ClusterLabels:
    """All places that a cluster's labels come from.

    Args:
        sources: In order: of what several say about a label, the later wins.
        owner: The label that names a topic's owner, for ``totals.byOwner``.
        principal: The label that names who made a topic, for ``totals.byPrincipal``; None where none does.
    """

    sources: Sequence[LabelReader]
    owner: str = "owner"
    principal: str | None = None

    def refresh(self) -> bool:
        """Look again everywhere, and return whether labels may be others than before."""
        changed = [source.refresh() for source in self.sources]
        return any(changed)

    def get(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""
        labels: dict[str, str] = {}
        for source in self.sources:
            labels |= source.get(topic)
        return labels

    @property
    def patterns(self) -> list[str]:
        """Regular expressions of whole names whose named groups are labels, in order."""
        return [source.pattern for source in self.sources if isinstance(source, NamingRule)]

    @property
    def problems(self) -> list[str]:
        """What is wrong anywhere."""
        return [f"labels: {source.problem}" for source in self.sources if source.problem]

    def close(self) -> None:
        """Let go of connections."""
        for source in self.sources:
            source.close()
