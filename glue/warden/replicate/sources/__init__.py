"""The kinds of sources: a new one is a class that is a `warden.replicate.source.Source`, and an entry here."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["KINDS"]


def _made_by(module: str) -> Callable[[], Callable[..., Any]]:
    """Import a source's module when it is used only: each brings its own libraries."""

    def find() -> Callable[..., Any]:
        make: Callable[..., Any] = import_module(f"warden.replicate.sources.{module}").source
        return make

    return find


KINDS: dict[str, Callable[[], Callable[..., Any]]] = {
    "clusters": _made_by("kafka"),
    "kubernetes": _made_by("kubernetes"),
    "files": _made_by("files"),
}
"""Name of the list in the configuration file → what finds the module's function ``source``.

It has the signature ``source(entry: Entry, opa: OpaSettings) -> Source``: it asks the entry for the keys that it knows
(those of `warden.replicate.config.Replicated` and ``interval`` are asked for by the configuration, and may be asked for
again), connects to nothing, and complains to the entry about what is wrong.
"""
