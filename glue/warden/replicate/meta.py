"""The meta of a copy: what it is, how old it is, and how to see that it is whole. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from warden.replicate.mirror import Mirror
from warden.replicate.source import Source

__all__ = ["describe", "moment", "moment_of"]


def describe(
    source: Source,
    mirror: Mirror,
    revision: str,
    observed: datetime,
    details: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the meta of a copy, but for its writer.

    ``revision`` changes with the contents and only with them. ``observedAt`` moves with each look at the source, also
    when nothing changed. ``counts`` has the entries of each part, ``checksum`` is `warden.replicate.mirror.checksum`.
    ``missing`` says in sentences what is not known. ``trimmed`` names parts that were left out on purpose.

    Args:
        source: Where the copy comes from.
        mirror: Its contents.
        revision: Its revision.
        observed: When the contents were true.
        details: What the source adds.
    """
    counts = mirror.counts
    found = {
        "source": source.kind,
        **details,
        "revision": revision,
        "observedAt": moment(observed),
        "counts": counts,
        "checksum": mirror.checksum,
    }
    if source.entries in counts:
        found[str(source.entries)] = counts[str(source.entries)]
    if mirror.left_out:
        found["trimmed"] = sorted(mirror.left_out)
    return found


def moment(time: datetime) -> str:
    """Return a time as RFC 3339 in UTC, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment_of(text: Any) -> datetime | None:
    """Return the time that `moment` wrote; None where the text is none, or has no offset."""
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else None
