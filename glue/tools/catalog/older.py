"""``python -m tools.catalog.older [--check]``: the catalogues of configs in older releases of Kafka.

Sources, in the jars of each: those of `reflect` and `resources`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import yaml

from tools.catalog.history import PATCHES, list_server_jars
from tools.catalog.jvm import run_kafka_jvm
from tools.catalog.lists import read_validator
from tools.catalog.reflect import read_kinds
from tools.catalog.render import render
from tools.catalog.resources import read_definition
from tools.command_line import run, write_texts
from warden.base.resources import find_shipped

__all__ = [
    "OLDER",
    "build_release_line",
    "command",
    "complete",
    "map_releases_to_lines",
    "read_older",
    "select_differences",
]

OLDER: Final = tuple(patch for patch in PATCHES[:-1] if patch >= "3.9")
"""The releases of which there are catalogues beside the newest, oldest first."""

_BY_HAND: Final = "noLimit"
_TABLES: Final = ("configs", "types", "defaults")
_MEANT: Final = ("non-empty string", "(case insensitive)")  # words of validators that decisions read
_OF_VALIDATORS: Final = ("validStrings", "isEmptyAllowed", "isNullAllowed")
_WITH_LISTS: Final = ("broker", "clientMetrics")


def read_older(patch: str, jars: Sequence[Path] | None = None) -> dict[str, dict[str, Any]]:
    """Return what a release has of topics, brokers, groups and client metrics, by the kind.

    ``configs``, ``types`` and ``defaults``, and what else the catalogue of the newest has of the kind, beside ``lists``
    where it has any.

    Args:
        patch: The release with its patch, such as ``3.9.2``.
        jars: Those of its server; fetched where they are not given.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with run_kafka_jvm(patch, jars or list_server_jars(patch)) as jvm:
        kinds = read_kinds(jvm)
        kinds["topic"]["lists"] = _read_lists(kinds["topic"]["configs"], read_definition(jvm, "topic"))
        for kind in _WITH_LISTS:
            lists = _read_lists(kinds[kind]["configs"], read_definition(jvm, kind))
            if not any("isEmptyAllowed" in row for row in lists.values()):  # before 4.2; then they are as in the newest
                kinds[kind]["lists"] = {name: row for name, row in lists.items() if "validStrings" in row}
    return kinds


def _read_lists(configs: Mapping[str, Any], keys: Mapping[Any, Any]) -> dict[str, Any]:
    rows = {str(name): (configs[str(name)], keys[name].validator) for name in keys}
    return {name: _list_row(entry, validator) for name, (entry, validator) in rows.items() if entry["type"] == "list"}


def _list_row(entry: Mapping[str, Any], validator: Any) -> dict[str, Any]:
    fields = {field: entry[field] for field in ("type", "default") if field in entry}
    return {**fields, **read_validator(validator)}


def complete(newest: Mapping[str, Any], older: Mapping[str, Any], patch: str) -> dict[str, Any]:
    """Return the catalogue of a kind of resource in a release: as the newest, with what is the release's own.

    Args:
        newest: The catalogue of that kind in the newest.
        older: What `read_older` returns of the kind.
        patch: The release with its patch.
    """
    configs = {
        name: {**{field: value for field, value in newest["configs"].get(name, {}).items() if field == _BY_HAND}, **row}
        for name, row in older["configs"].items()
    }
    return {**newest, **older, "configs": configs, "kafka": patch, "beside": newest["kafka"]}


def select_differences(newest: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a release has otherwise than the newest, of which decisions make the catalogue of its own.

    ``gone`` names the configs of the newest that the release lacks, and ``bare`` those that have no default there;
    ``configs`` has the rows that are other ones or the release's alone, ``types``, ``texts`` and ``values`` the types
    and defaults of these, and ``fields`` what else is not the same. A list of the newest is one to rules in every
    release; ``asText`` of the fields names those that the release reads as one text.

    Args:
        newest: The catalogue of a kind of resource in the newest.
        whole: What `complete` returns of the kind.
    """
    as_text = [name for name, type_ in whole["types"].items() if _is_list(newest, name) and type_ == "string"]
    rows = {name: _select_row(row, as_list=_is_list(newest, name)) for name, row in whole["configs"].items()}
    before = {name: _select_row(row, as_list=row["type"] == "list") for name, row in newest["configs"].items()}
    texts = whole["defaults"]["configs"]
    lists = {name: texts[name].split(",") for name in as_text if name in texts}
    fields = {name: value for name, value in whole.items() if name not in _TABLES}
    return {
        "gone": [name for name in newest["configs"] if name not in rows],
        "bare": [name for name in newest["defaults"]["configs"] if name in rows and name not in texts],
        "configs": _select_other(before, rows),
        "types": _select_other(newest["types"], {**whole["types"], **dict.fromkeys(as_text, "list")}),
        "texts": _select_other(newest["defaults"]["configs"], texts),
        "values": _select_other(newest["defaults"]["values"], {**whole["defaults"]["values"], **lists}),
        "fields": _select_other(newest, {**fields, **({"asText": as_text} if as_text else {})}),
    }


def _is_list(newest: Mapping[str, Any], name: str) -> bool:
    return bool(newest["types"].get(name) == "list")


def _select_row(row: Mapping[str, Any], *, as_list: bool) -> dict[str, Any]:
    """What decisions read of a row: the validators of lists are elsewhere, and words count where they alone tell."""
    ignored = {*_OF_VALIDATORS} if as_list else set()
    if not str(row.get("valid")).startswith(_MEANT):
        ignored.add("valid")
    kept = {field: value for field, value in row.items() if field not in ignored}
    return {**kept, "type": "list"} if as_list else kept


def _select_other(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def read_release_lines() -> dict[str, Any]:
    """Return what the file has of each release, without its patch: topics whole, the others by their differences.

    Raises:
        ToolchainError: Java or the jars of one cannot be had.
    """
    catalog = find_shipped("bundle") / "catalog"
    newest = {
        kind: yaml.safe_load((catalog / kind / "data.yaml").read_text(encoding="utf-8"))
        for kind in ("topic", "broker", "group", "clientMetrics")
    }
    return {patch.rpartition(".")[0]: build_release_line(newest, read_older(patch), patch) for patch in OLDER}


def map_releases_to_lines(lines: Sequence[str]) -> dict[str, str]:
    """Return by release, since 1.0, which of those with a catalogue decides: its own, else the oldest.

    Args:
        lines: Those with a catalogue beside the newest, oldest first.
    """
    path = find_shipped("bundle") / "catalog" / "releases" / "data.yaml"
    known = [name for name in yaml.safe_load(path.read_text(encoding="utf-8"))["known"] if not name.startswith("0.")]
    return {**dict.fromkeys(known[: known.index(lines[0])], lines[0]), **{line: line for line in lines}}


def build_release_line(newest: Mapping[str, Any], older: Mapping[str, Any], patch: str) -> dict[str, Any]:
    """Return what the file has of one release.

    Args:
        newest: The catalogues of the newest, by the kind of resource.
        older: What `read_older` returns.
        patch: The release with its patch.
    """
    whole = {kind: complete(newest[kind], row, patch) for kind, row in older.items()}
    return {kind: row if kind == "topic" else select_differences(newest[kind], row) for kind, row in whole.items()}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing; fail when the file differs from what the jars say.")
def command(check: bool) -> int:
    """Generate the catalogues of older releases of Kafka, by which their clusters are decided.

    The jars of all of them are fetched: 200 MB, some minutes. What is written by hand comes from the catalogue of this
    checkout, which `python -m tools.catalog` writes.

    \b
    Examples:
      python -m tools.catalog.older
      python -m tools.catalog.older --check
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    module = "tools.catalog.older"
    lines = read_release_lines()
    text = render(
        {"kafka": f"{OLDER[0]} to {OLDER[-1]}", "lines": lines, "nearest": map_releases_to_lines([*lines])}, module
    )
    return write_texts({find_shipped("bundle") / "catalog" / "older" / "data.yaml": text}, module, check=check)


if __name__ == "__main__":
    run(command)
