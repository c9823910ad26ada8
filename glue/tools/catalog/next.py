"""``python -m tools.catalog.next``: what a release of Kafka brings, and what a person has to decide about it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import yaml

from tools.catalog.decisions import KeptByHand, iter_manual_choices
from tools.catalog.oracles import run_oracles
from tools.catalog.reflect import reflect_catalogs
from tools.catalog.releases import iter_changes, reflect_release
from tools.catalog.render import render
from tools.command_line import run, write_texts
from tools.gateway import read_classes
from warden.base.resources import find_shipped
from warden.base.toolchain import versions

__all__ = ["command", "describe", "read_tables"]

_KEPT = Path(__file__).resolve().parent


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("version")
@click.option("--from", "before", default=versions.KAFKA, show_default=True, help="The release to compare with.")
@click.option("--write", type=click.Path(path_type=Path), help="Write the catalogues to this bundle's directory.")
@click.option("--oracles", is_flag=True, help="Then hold this checkout to the release: some minutes.")
def command(version: str, before: str, write: Path | None, *, oracles: bool) -> int:
    """Compare two releases of Kafka by their jars, which are fetched: configs, APIs and errors.

    VERSION is a release with its patch, from 3.5 on. Printed is what it has otherwise than the one of this checkout,
    and then what no jar tells. With --write the catalogues of VERSION are written, and with --oracles all tests that
    ask a broker or Kafka's classes ask those of VERSION; the rest is for a person to do.

    Exit status: 0, or 1 where an oracle does not hold.

    \b
    Examples:
      python -m tools.catalog.next 4.5.0
      python -m tools.catalog.next 4.4.0 --from 3.9.2
      python -m tools.catalog.next 4.5.0 --write bundle --oracles
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    for line in describe(reflect_release(before), reflect_release(version), read_tables()):
        print(line)
    if write is not None:
        documents = reflect_catalogs(version).items()
        texts = {write / "catalog" / name / "data.yaml": render(document) for name, document in documents}
        write_texts(texts, "tools.catalog", check=False)
    if not oracles:
        return 0
    lines, all_hold = run_oracles(version)
    print("\n".join(lines))
    return 0 if all_hold else 1


def describe(before: Mapping[str, Any], after: Mapping[str, Any], tables: KeptByHand) -> list[str]:
    """Return the lines about two releases."""
    changes, choices = list(iter_changes(before, after)), list(iter_manual_choices(before, after, tables))
    return [
        f"Kafka {after['kafka']} compared with {before['kafka']}: {len(changes)} differences",
        *(f"  {line}" for line in changes),
        f"to decide: {len(choices)}",
        *(f"  {line}" for line in choices),
    ]


def read_tables() -> KeptByHand:
    """Return what this checkout keeps by hand."""
    no_limit, negatives = (_load(_KEPT / f"{name}.yaml") for name in ("no_limit", "negatives"))
    catalog = find_shipped("bundle") / "catalog"
    meanings = {kind: {*rows} for kind, rows in no_limit.items()}
    for kind, reasons in negatives.items():
        meanings.setdefault(kind, set()).update(name for names in reasons.values() for name in names)
    state = json.loads((catalog / "state" / "data.json").read_text(encoding="utf-8"))
    return KeptByHand(
        meanings={kind: frozenset(names) for kind, names in meanings.items()},
        deprecated={kind: frozenset(rows) for kind, rows in _load(catalog / "deprecated" / "data.yaml").items()},
        apis=frozenset(api for names in read_classes().values() for api in names),
        releases=frozenset(_load(catalog / "releases" / "data.yaml")["known"]),
        rules={rule: frozenset(names) for rule, names in state["names"].items()},
    )


def _load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    run(command)
