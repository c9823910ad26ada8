"""Contents of a bundle: all of Warden, or placement without the rules about Kafka."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from warden.base.errors import ConfigurationError
from warden.base.resources import find_shipped

__all__ = ["PolicySelection", "collect_catalog", "copy_policies", "select_rules", "select_settings"]

# What placement is decided by. OPA compiles all modules anew when policies of ConfigMaps change, and those of
# Kafka are ten times as many.
_PACKAGES: Final = (
    "io",
    *(f"kafka/base/{name}" for name in ("effects", "pointers", "settings")),
    "kafka/violation",
    "system",
)
_PLACEMENT: Final = "placement"
_RULES: Final = "io/"
_LEFT_OUT: Final = shutil.ignore_patterns("*_test.rego", "*.yaml", "checks", ".manifest")


@dataclass(frozen=True)
class PolicySelection:
    """The policies that a bundle is made of.

    Args:
        directory: Of all policies.
        only: ``placement`` for a bundle without the rules about Kafka; None for all.

    Raises:
        ConfigurationError: There is no such part.
    """

    directory: Path
    only: str | None = None

    def __post_init__(self) -> None:
        if self.only not in (None, _PLACEMENT):
            raise ConfigurationError(f"there is no bundle of {self.only} alone: name {_PLACEMENT}")


def copy_policies(policies: PolicySelection, tree: Path) -> None:
    """Copy rules into the tree of a bundle, which does not exist yet; tests, examples and rules about rules stay."""
    for name in _PACKAGES if policies.only else (".",):
        shutil.copytree(policies.directory / name, tree / name, ignore=_LEFT_OUT)


def select_rules(rules: Mapping[str, dict[str, Any]], only: str | None) -> dict[str, dict[str, Any]]:
    """Return the rules that a bundle has, by id, of all that there are."""
    return {id: rule for id, rule in rules.items() if not only or rule["file"].startswith(_RULES)}


def select_settings(settings: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return complete settings without what they say of rules that a bundle lacks.

    Args:
        settings: The settings.
        rules: The rules that it has, by id.
    """
    return {**settings, "rules": {id: rule for id, rule in settings["rules"].items() if id in rules}}


def collect_catalog(only: str | None) -> dict[str, Any]:
    """Return the catalogues that a bundle has, as one document."""
    from warden.policy.bundle.catalog import read_data_tree

    catalog = read_data_tree(find_shipped("bundle") / "catalog")
    return {name: catalog[name] for name in (only,)} if only else catalog
