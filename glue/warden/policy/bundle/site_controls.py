"""A site's controls: METADATA of its own rules, and frameworks as ``data.site.controls``."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warden.base.errors import BundleError
from warden.base.files.yaml_files import read_yaml
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.bundle.site import copy_site, restore_site_paths

__all__ = ["merge_frameworks", "read_site_metadata"]

_FILES = ("data.json", "data.yaml", "data.yml")


def merge_frameworks(shipped: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of frameworks with a site's laid over it: its frameworks, controls, and rules of a control.

    Args:
        shipped: A table, as ``bundle/catalog/controls`` has it.
        own: Another one, which may say less of what the first has.
    """
    merged = {name: {**framework, "controls": {**framework["controls"]}} for name, framework in shipped.items()}
    for name, framework in own.items():
        before = merged.get(name, {"controls": {}})
        controls = {id: {**before["controls"].get(id, {}), **control} for id, control in framework["controls"].items()}
        merged[name] = {**before, **framework, "controls": {**before["controls"], **controls}}
    return merged


def read_site_metadata(opa: Path, policies: Path, rules: Mapping[str, Any], site: Sequence[Path]) -> dict[str, Any]:
    """Return the METADATA of a site's rules by id, as far as they have an id there, once it names controls that are.

    Args:
        opa: The OPA binary.
        policies: Directory of Warden's policies, with the package `checks.controls`.
        rules: METADATA of Warden's rules by id.
        site: As of `warden.policy.bundle.site.check_site`, which comes first.

    Raises:
        BundleError: One line for each problem.
    """
    with TemporaryDirectory(prefix="warden-site-") as scratch:
        tree = Path(scratch)
        copy_site(site, tree)
        try:
            own = read_rule_metadata(opa, tree)
        except BundleError as error:
            raise BundleError(restore_site_paths(str(error).replace(f"{tree}/", ""), site)) from error
        document = {
            "shipped": read_catalog("controls"),
            "named": {id: rule["controls"] for id, rule in own.items() if rule.get("controls")},
            "rules": [*rules, *own],
            "own": _read_table(tree / "site" / "controls"),
        }
    if not document["named"] and not document["own"]:
        return _without_files(own)
    arguments = ("--data", str(policies / "checks" / "controls"), "data.checks.controls.problems")
    if problems := evaluate_opa(opa, *arguments, stdin=json.dumps(document)):
        raise BundleError("\n".join(sorted(problems)))
    return _without_files(own)


def _read_table(directory: Path) -> Any:
    for name in _FILES:
        if (path := directory / name).is_file():
            return read_yaml(path, BundleError).value or {}
    return {}


def _without_files(rules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The rules without the place of their files, which is none of a bundle's."""
    return {id: {name: value for name, value in rule.items() if name != "file"} for id, rule in rules.items()}
