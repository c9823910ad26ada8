"""Names of clusters that neither settings nor the replica know, on standard error: a misspelt one gets the base."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from warden.errors import OpaError

if TYPE_CHECKING:
    from warden.opa.client import OpaClient

__all__ = ["UNNAMED", "point_out_unknown"]

UNNAMED = "unnamed"
"""The cluster of what names none."""

_SHOWN = 5


def point_out_unknown(client: "OpaClient", clusters: Iterable[str]) -> None:
    """Print a line about each cluster that nobody knows, of five at the most; an OPA that cannot tell says nothing.

    Args:
        client: Of the OPA that decides, whose settings and replica count.
        clusters: Names that somebody wrote.
    """
    names = sorted(set(clusters) - {UNNAMED})
    with suppress(OpaError):  # its bundle may be an older one, and its token no trusted caller's
        sentences = list(client.evaluate("kafka/unknown_clusters", {"clusters": names}).values()) if names else []
        for sentence in sentences[:_SHOWN]:
            click.echo(f"warden: {sentence}", err=True)
        if (more := len(sentences) - _SHOWN) > 0:
            click.echo(f"warden: and {more} more clusters", err=True)
