"""``python -m tools.catalog.older [--check]``: the catalogues of topics' configs in older releases of Kafka.

Sources, in the jars of each: ``LogConfig.CONFIG``, ``ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import yaml

from tools.catalog.history import PATCHES, server_jars
from tools.catalog.jvm import kafka_jvm
from tools.catalog.lists import read_validator
from tools.catalog.reflect import build_tables, config_entry
from tools.catalog.releases import read_definition
from tools.catalog.render import bring_up_to_date, render
from tools.command_line import run
from warden.base.resources import share

__all__ = ["OLDER", "command", "complete", "read_older"]

OLDER: Final = tuple(patch for patch in PATCHES[:-1] if patch >= "3.9")
"""The releases of whose topics there are catalogues beside the newest, oldest first."""

_BY_HAND: Final = "noLimit"


def read_older(patch: str, jars: Sequence[Path] | None = None) -> dict[str, Any]:
    """Return what a release has of topics: ``configs``, ``types`` and ``defaults``, ``inherits``, and ``lists``.

    Args:
        patch: The release with its patch, such as ``3.9.2``.
        jars: Those of its server; fetched where they are not given.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with kafka_jvm(patch, jars or server_jars(patch)) as jvm:
        keys = read_definition(jvm, "topic")
        synonyms = jvm.org.apache.kafka.server.config.ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS
        configs = {str(name): config_entry(jvm, keys[name], synonyms.get(name) or ()) for name in keys}
        lists = {
            str(name): _list_row(configs[str(name)], keys[name].validator)
            for name in keys
            if configs[str(name)]["type"] == "list"
        }
        return {
            "configs": configs,
            **build_tables(configs, keys),
            "inherits": {synonym["name"]: name for name, row in configs.items() for synonym in row["synonyms"]},
            "lists": lists,
        }


def _list_row(entry: Mapping[str, Any], validator: Any) -> dict[str, Any]:
    fields = {field: entry[field] for field in ("type", "default") if field in entry}
    return {**fields, **read_validator(validator)}


def complete(newest: Mapping[str, Any], older: Mapping[str, Any], patch: str) -> dict[str, Any]:
    """Return the catalogue of topics of a release: as the newest, with what is the release's own.

    Args:
        newest: The catalogue of topics of the newest.
        older: What `read_older` returns.
        patch: The release with its patch.
    """
    configs = {
        name: {**{field: value for field, value in newest["configs"].get(name, {}).items() if field == _BY_HAND}, **row}
        for name, row in older["configs"].items()
    }
    return {**newest, **older, "configs": configs, "kafka": patch, "beside": newest["kafka"]}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing; fail when the file differs from what the jars say.")
def command(check: bool) -> int:
    """Generate the catalogues of topics of older releases of Kafka, by which their clusters are decided.

    The jars of all of them are fetched: 200 MB, some minutes. What is written by hand comes from the catalogue of this
    checkout, which `python -m tools.catalog` writes.

    \b
    Examples:
      python -m tools.catalog.older
      python -m tools.catalog.older --check
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    module = "tools.catalog.older"
    catalog = share("bundle") / "catalog"
    newest = yaml.safe_load((catalog / "topic" / "data.yaml").read_text(encoding="utf-8"))
    lines = {".".join(patch.split(".")[:2]): {"topic": complete(newest, read_older(patch), patch)} for patch in OLDER}
    text = render({"kafka": f"{OLDER[0]} to {OLDER[-1]}", "lines": lines}, module)
    said = bring_up_to_date(catalog / "older" / "data.yaml", text, module, check=check)
    if said is not None:
        print(said)
    return int(check and said is not None)


if __name__ == "__main__":
    run(command)
