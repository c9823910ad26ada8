"""Names that nobody knows, on standard error: a misspelt cluster or enforcement point gets the base's settings."""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from warden.analyse.check.model import UNNAMED
from warden.base.errors import OpaError
from warden.policy.contract.decision_text import escape_line

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["print_unknown_clusters", "report_unknown_names"]

_MAX_SHOWN = 5


def print_unknown_clusters(client: "OpaClient", clusters: Iterable[str]) -> None:
    """Print a line about each cluster that nobody knows, of five at the most; an OPA that cannot tell says nothing.

    Args:
        client: Of the OPA that decides, whose settings and replica count.
        clusters: Names that somebody wrote.
    """
    _print_sentences(list(_ask(client, "kafka/unknown_clusters", "clusters", set(clusters) - {UNNAMED}).values()))


def report_unknown_names(
    client: "OpaClient", clusters: Iterable[str], enforcement_point: str, *, known: Iterable[str | None] = ()
) -> bool:
    """Print a line about each name that nobody knows, and return whether one keeps a decision from being relied on.

    Args:
        client: Of the OPA that decides.
        clusters: Names that somebody wrote.
        enforcement_point: Where decisions are carried out.
        known: Clusters of which something is known from elsewhere: settings need not name them.
    """
    points = _ask(client, "kafka/unknown_enforcement_points", "enforcementPoints", {enforcement_point})
    nameless = _ask(client, "kafka/unknown_clusters", "clusters", set(clusters) - {UNNAMED})
    _print_sentences([*points.values(), *nameless.values()])
    return bool(points) or bool(nameless.keys() - set(known))


def _ask(client: "OpaClient", entry_point: str, field: str, names: Iterable[str]) -> dict[str, str]:
    wanted = sorted(names)
    with suppress(OpaError):  # its bundle may be an older one, and its token no trusted caller's
        return dict(client.evaluate(entry_point, {field: wanted})) if wanted else {}
    return {}


def _print_sentences(sentences: list[str]) -> None:
    for sentence in sentences[:_MAX_SHOWN]:
        click.echo(f"warden: {escape_line(sentence)}", err=True)
    if (more := len(sentences) - _MAX_SHOWN) > 0:
        click.echo(f"warden: and {more} more clusters", err=True)
