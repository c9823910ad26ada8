"""Choices that a new release of Kafka leaves to a person because no jar has them, and the file for each."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tools.catalog.releases import ReleaseParts

__all__ = ["KeptByHand", "iter_manual_choices"]

_NUMBERS: Final = frozenset({"short", "int", "long", "double"})


class KeptByHand(NamedTuple):
    """What is kept by hand.

    Args:
        meanings: By kind, the configs of which it is written what a number below nought means.
        deprecated: By kind, the removed configs of which it is written what to do in their place.
        apis: The APIs that have a class at the gateway.
        releases: The releases that `warden upgrade-check` knows.
        rules: By rule, the configs that it names.
    """

    meanings: Mapping[str, frozenset[str]]
    deprecated: Mapping[str, frozenset[str]]
    apis: frozenset[str]
    releases: frozenset[str]
    rules: Mapping[str, frozenset[str]]


def iter_manual_choices(before: ReleaseParts, after: ReleaseParts, tables: KeptByHand) -> Iterator[str]:
    """Yield a line for each thing to decide, beginning with the file that it belongs in.

    Args:
        before, after: Two releases.
        tables: What is written already.
    """
    release = ".".join(str(after["kafka"]).split(".")[:2])
    if release not in tables.releases:
        yield f"bundle/catalog/releases/data.yaml: known lacks {release}"
    for kind, configs in after["configs"].items():
        old = before["configs"].get(kind, {})
        for name in sorted(configs.keys() | old.keys()):
            yield from _iter_config_choices(kind, name, old.get(name), configs.get(name), tables)
    for api in sorted(after["apis"].keys() - tables.apis):
        yield f"glue/tools/gateway/classes.yaml: {api} has no class: guard, pass or refuse"
    for api, versions in sorted(after["apis"].items()):
        if api in before["apis"] and before["apis"][api] != versions:
            yield f"glue/tools/gateway: {api} has other versions: read what they say, and make the tables anew"
    for error in sorted(after["errors"].keys() - before["errors"].keys()):
        yield f"bundle/catalog/errors/data.yaml: {error} ({after['errors'][error]}) is new: can a decision carry it?"


def _iter_config_choices(
    kind: str, name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, tables: KeptByHand
) -> Iterator[str]:
    rules = ", ".join(sorted(rule for rule, names in tables.rules.items() if name in names))
    named = f" ({rules} name it)" if rules else ""
    if new is None:
        if name not in tables.deprecated.get(kind, ()):
            yield f"bundle/catalog/deprecated/data.yaml: {kind} {name} is gone: what to do in its place{named}"
        return
    if _can_be_negative(new) and name not in tables.meanings.get(kind, ()):
        yield f"glue/tools/catalog/negatives.yaml or no_limit.yaml: {kind} {name}: what a number below nought means"
    if new["type"] == "list" and (old is None or old["type"] != "list"):
        yield f"bundle/catalog/lists/data.yaml: {kind} {name} is a list: look at what its row says"
    if old is None:
        yield f"policies/kafka/rules: {kind} {name} is new: does a rule or a profile want it?"
    elif any(old.get(field) != new.get(field) for field in ("type", "default", "min", "max", "validStrings")) and rules:
        yield f"policies/kafka/rules: {kind} {name} is otherwise{named}"


def _can_be_negative(entry: Mapping[str, Any]) -> bool:
    return entry["type"] in _NUMBERS and entry.get("min", -1) < 0
