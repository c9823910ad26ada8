"""The ``meta`` of a replica: its source, its age, and a checksum of it. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from warden.base.timestamps import format_timestamp
from warden.state.replicate.replica import Replica
from warden.state.sources.source import Source

__all__ = ["build_meta"]


def build_meta(
    source: Source,
    replica: Replica,
    revision: str,
    observed: datetime,
    details: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the meta of a replica, but for its writer.

    ``revision`` changes with the contents and only with them. ``observedAt`` moves with each poll of the source, also
    when nothing changed. ``counts`` has the entries of each part, ``checksum`` is that of
    `warden.state.replicate.replica.Replica`. ``missing`` says in sentences what is unknown. ``trimmed`` names parts
    that were left out on purpose.

    Args:
        source: Where the replica comes from.
        replica: Its contents.
        revision: Its revision.
        observed: When the contents were true.
        details: What the source adds.
    """
    counts = replica.counts
    meta = {
        "source": source.kind,
        **details,
        "revision": revision,
        "observedAt": format_timestamp(observed),
        "counts": counts,
        "checksum": replica.checksum,
    }
    if source.entries in counts:
        meta[str(source.entries)] = counts[str(source.entries)]
    if replica.left_out:
        meta["trimmed"] = sorted(replica.left_out)
    return meta
