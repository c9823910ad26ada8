"""Making of a bundle out of what it is made of: checked, compiled, stamped with a revision and signed."""

import hashlib
import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import BundleError
from warden.policy.bundle.constants import write_constants
from warden.policy.bundle.contents import collect_catalog, copy_policies, select_rules, select_settings
from warden.policy.bundle.layers import read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import run_opa
from warden.policy.bundle.profiles import select_profiles
from warden.policy.bundle.settings import compile_settings, list_deprecations, load_settings
from warden.policy.bundle.signing import check_key
from warden.policy.bundle.site import (
    check_site,
    copy_site,
    list_coarse_package_warnings,
    read_site_modules,
    restore_site_paths,
    write_site_data,
)
from warden.policy.bundle.site_controls import read_site_metadata
from warden.policy.bundle.sources import BundleSources
from warden.policy.bundle.state_reads import find_site_reads, find_state_reads

__all__ = ["CheckedSources", "assemble_bundle", "check_sources", "compute_revision"]

# What the bundle owns. OPA refuses every other write below these, and without exact roots it would own everything.
_ROOTS = ["catalog", "io/k8s/federation", "kafka", "settings", "system/authz", "system/log"]


@dataclass(frozen=True)
class CheckedSources:
    """METADATA of the rules and of a site's own (`site`), and the settings in force, of what the bundle is about."""

    rules: dict[str, dict[str, Any]]
    settings: dict[str, Any]
    site: dict[str, dict[str, Any]]


def check_sources(sources: BundleSources) -> CheckedSources:
    """Find what is wrong with what is not Warden's own, and return what a bundle is made from.

    Raises:
        SettingsError, ConfigurationError, BundleError: As of `warden.policy.bundle.build.build_bundle`.
    """
    opa, policies = sources.opa, sources.policies.directory
    select_profiles(sources.profile)  # what can be wrong without OPA, first
    if sources.settings is not None:
        load_settings(sources.settings)
    if sources.site:
        check_site(opa, policies, sources.site)
    check_key(opa, sources.key)
    rules = read_rule_metadata(opa, policies)
    effective = read_effective_settings(opa, policies, rules, sources.profile, sources.settings)
    own = read_site_metadata(opa, policies, rules, sources.site) if sources.site else {}
    rules = select_rules(rules, sources.policies.only)
    return CheckedSources(rules, select_settings(effective, rules), own)


def assemble_bundle(output: Path, sources: BundleSources, checked: CheckedSources) -> dict[str, Any]:
    """Build a bundle, and return its revision (``revision``) and what will go of its settings (``deprecations``).

    Args:
        output: The file to write; it is replaced whole or not at all.
        sources: What it is made of.
        checked: What `check_sources` returns.

    Raises:
        BundleError: The policies or the site's rules do not compile.
    """
    opa, policies, site, key = sources.opa, sources.policies.directory, sources.site, sources.key
    rules, effective = checked.rules, checked.settings
    sentences = list_deprecations(opa, policies / "checks", effective) if effective.get("policies") else []
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".bundle-") as scratch:
        tree = Path(scratch, "tree")
        copy_policies(sources.policies, tree)
        copy_site(site, tree)
        _write_json(tree / "settings/data.json", effective)
        with ThreadPoolExecutor(1) as beside:
            compiled = beside.submit(compile_settings, opa, policies / "checks", effective)
            state = find_state_reads(opa, policies, rules)
            reads = find_site_reads(opa, policies, read_site_modules(site)) if site else {}
        if site:
            write_site_data(tree, "reads", reads)
            write_site_data(tree, "metadata", checked.site)
        write_constants(tree, "settings", {"compiled": compiled.result()})
        listed = {id: {**rule, "mode": effective["rules"][id]["mode"]} for id, rule in rules.items()}
        write_constants(tree, "catalog", {**collect_catalog(sources.policies.only), "rules": listed, "state": state})
        revision = compute_revision(tree, sources.number)
        write_constants(tree, "catalog.bundle", {"revision": revision})
        _write_json(
            tree / ".manifest",
            {"revision": revision, "roots": sorted([*_ROOTS, "site"] if site else _ROOTS), "rego_version": 1},
        )
        built = Path(scratch, "bundle.tar.gz").absolute()
        signing = ("--signing-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
        try:
            run_opa(opa, "build", "--bundle", ".", "--output", str(built), *signing, cwd=tree)
        except BundleError as error:
            raise BundleError(restore_site_paths(str(error), site)) from error
        built.replace(output)
    return {"revision": revision, "deprecations": [*sentences, *list_coarse_package_warnings(reads)]}


def _write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, sort_keys=True, indent=1), encoding="utf-8")


def compute_revision(tree: Path, number: int | None) -> str:
    """Return a hash over every file's name and content, the same anywhere, behind the number where there is one."""
    digest = hashlib.sha256()
    for path in sorted(path for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(tree).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    hash_ = digest.hexdigest()[:12]
    return hash_ if number is None else f"{number}-{hash_}"
