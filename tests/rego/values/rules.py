"""Which configurations a rule reads, and which numbers it compares them with."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from warden.policy.bundle.opa import run_opa_json

__all__ = ["keys_read", "numbers_in"]

# Rules that read whatever is set, or every list: of each type of value a few keys stand for all.
_ANY = re.compile(r"changes\.altered|_strangers|some name, found in|some name, change in|_faults|scope\.rows")


def keys_read(opa: Path, file: Path, params: Any, rows: Mapping[str, Any]) -> list[str]:
    """Return the names in a catalogue's rows that a rule reads.

    Args:
        opa: The OPA binary.
        file: The rule's; what it calls in its package counts for it.
        params: The rule's parameters.
        rows: Name → row of a kind of resource.
    """
    helpers = [path for path in file.parent.glob("*.rego") if not path.stem.endswith("_test")]
    texts = set(_texts(run_opa_json(opa, "parse", "--format", "json", str(file)))) | set(_texts(params))
    for path in helpers:
        if path.with_suffix(".yaml").exists():
            continue
        texts |= set(_texts(run_opa_json(opa, "parse", "--format", "json", str(path))))
    found = {name for name in rows if name in texts}
    if _ANY.search(file.read_text(encoding="utf-8")):
        found |= _of_each_type(rows)
        found |= {name for name, row in rows.items() if row["type"] == "list" and row.get("dynamic") != "read-only"}
    return sorted(found)


def numbers_in(params: Any) -> set[int]:
    """Return the whole numbers among a rule's parameters."""
    if isinstance(params, dict):
        return {number for value in params.values() for number in numbers_in(value)}
    if isinstance(params, list):
        return {number for value in params for number in numbers_in(value)}
    return {params} if isinstance(params, int) and not isinstance(params, bool) else set()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def _of_each_type(rows: Mapping[str, Any]) -> set[str]:
    """Two keys of each type, those with numbers for "no limit" first."""
    chosen: dict[str, list[str]] = {}
    for name, row in sorted(rows.items(), key=lambda item: ("noLimit" not in item[1], item[0])):
        if row.get("dynamic") not in ("read-only", "per-broker") and not row.get("internal"):
            chosen.setdefault(row["type"], []).append(name)
    return {name for names in chosen.values() for name in names[:2]}
