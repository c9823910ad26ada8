"""Types of options whose values a shell completes: names that ship with Warden."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

__all__ = ["COMPONENT", "PROFILE"]


class _Name(click.types.StringParamType):
    """A text; the names are looked up when a shell asks, and whether a given one is known is checked elsewhere."""

    def __init__(self, names: Callable[[], Iterable[tuple[str, str | None]]]) -> None:
        self._names = names

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name, help=text) for name, text in self._names() if name.startswith(incomplete)]


def _list_profiles() -> Iterable[tuple[str, str | None]]:
    from warden.policy.bundle.profiles import list_profiles

    return [(profile.name, profile.audience) for profile in list_profiles()]


def _list_components() -> Iterable[tuple[str, str | None]]:
    from warden.policy.bundle.catalog import read_catalog

    catalog = read_catalog("lists")
    return [(name, None) for name in sorted([*catalog["components"], "connector"])]


PROFILE = _Name(_list_profiles)
"""A profile of settings."""

COMPONENT = _Name(_list_components)
"""A component of Kafka's, as the catalogue of lists names it."""
