"""Build the bundle: what OPA loads, complete, stamped and signed."""

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.bundle.constants import read_catalog, write_constants
from warden.bundle.layers import effective_settings
from warden.bundle.metadata import rule_metadata
from warden.bundle.opa import opa_run
from warden.bundle.settings import compile_settings, deprecations
from warden.bundle.signing import SigningKey, check_key, local_key
from warden.bundle.site import check_site, copy_site, name_site_files
from warden.bundle.state import state_read
from warden.errors import BundleError
from warden.resources import share
from warden.toolchain.cache import Cache
from warden.toolchain.opa import find_opa

__all__ = ["Bundle", "build_bundle"]

# What the bundle owns. OPA refuses every other write below these, and without exact roots it would own everything.
_ROOTS = ["catalog", "io/k8s/federation", "kafka", "settings", "system/authz", "system/log"]


@dataclass(frozen=True)
class Bundle:
    """A built bundle.

    Args:
        path: The `bundle.tar.gz`.
        revision: Hash of its content, after its number where it has one; every decision made with it names it.
        key: The key that signed it.
    """

    path: Path
    revision: str
    key: SigningKey


def build_bundle(
    output: Path,
    *,
    settings: Path | None = None,
    profile: str | None = None,
    site: Sequence[Path] = (),
    number: int | None = None,
    key: SigningKey | None = None,
    opa: Path | None = None,
    policies: Path | None = None,
) -> Bundle:
    """Build `output` from the policies, the catalogues and the settings; what will go of these is named on stderr.

    Args:
        output: The file to write; it is replaced whole or not at all.
        settings: An administrator's YAML, laid over the shipped settings.
        profile: Name of the profile that lies between the two.
        number: Number before the revision's hash, larger for a later bundle; None for none.
        site: Directories with a site's own rules and data, see `warden.bundle.site.check_site`.
        key: The key to sign with; by default one for local use, made on first use.
        opa: The OPA binary, by default the pinned one.
        policies: Directory of policies, by default those that ship with Warden.

    Raises:
        SettingsError: The settings name an unknown rule, parameter or value out of range, or the profile is unknown.
        ConfigurationError: The key does not sign with its algorithm.
        BundleError: The policies or the site's rules do not compile, or the latter are not where they are evaluated.
    """
    opa = opa or find_opa()
    policies = policies or share("policies")
    if site:
        check_site(opa, policies, site)
    if key:
        check_key(opa, key)
    key = key or local_key(Cache.of().root)
    rules = rule_metadata(opa, policies)
    effective = effective_settings(opa, policies, rules, profile, settings)
    if effective.get("policies"):
        for sentence in deprecations(opa, policies / "checks", effective):
            print(f"warden: {sentence}", file=sys.stderr)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".bundle-") as scratch:
        tree = Path(scratch, "tree")
        _copy_policies(policies, tree)
        copy_site(site, tree)
        _write_json(tree / "settings/data.json", effective)
        write_constants(tree, "settings", {"compiled": compile_settings(opa, policies / "checks", effective)})
        listed = {id: {**rule, "mode": effective["rules"][id]["mode"]} for id, rule in rules.items()}
        catalog = read_catalog(share("bundle") / "catalog")
        write_constants(tree, "catalog", {**catalog, "rules": listed, "state": state_read(opa, policies, rules)})
        revision = _revision(tree) if number is None else f"{number}-{_revision(tree)}"
        write_constants(tree, "catalog.bundle", {"revision": revision})
        _write_json(
            tree / ".manifest",
            {"revision": revision, "roots": sorted([*_ROOTS, "site"] if site else _ROOTS), "rego_version": 1},
        )
        built = Path(scratch, "bundle.tar.gz").absolute()
        signing = ("--signing-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
        try:
            opa_run(opa, "build", "--bundle", ".", "--output", str(built), *signing, cwd=tree)
        except BundleError as error:
            raise BundleError(name_site_files(str(error), site)) from error
        built.replace(output)
    return Bundle(output, revision, key)


def _copy_policies(policies: Path, tree: Path) -> None:
    """Copy all rules; tests, examples, schemas and the rules about rules stay behind."""
    shutil.copytree(
        policies, tree, ignore=shutil.ignore_patterns("*_test.rego", "*.yaml", "checks", "schemas", ".manifest")
    )


def _write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, sort_keys=True, indent=1), encoding="utf-8")


def _revision(tree: Path) -> str:
    """A hash over every file's name and content: the same sources give the same revision anywhere."""
    digest = hashlib.sha256()
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(tree).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]
