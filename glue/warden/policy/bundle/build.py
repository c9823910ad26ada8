"""Build the bundle: what OPA loads, complete, stamped and signed."""

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import BundleError
from warden.base.resources import share
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.cache import RememberedBundles, compute_hash
from warden.policy.bundle.constants import write_constants
from warden.policy.bundle.contents import Policies, collect_catalog, copy_policies, select_rules, select_settings
from warden.policy.bundle.layers import effective_settings
from warden.policy.bundle.metadata import rule_metadata
from warden.policy.bundle.opa import opa_run
from warden.policy.bundle.profiles import find_profile
from warden.policy.bundle.settings import compile_settings, deprecations, load_settings
from warden.policy.bundle.signing import SigningKey, check_key, local_key
from warden.policy.bundle.site import (
    check_site,
    coarse_packages,
    copy_site,
    name_site_files,
    site_modules,
    write_site_reads,
)
from warden.policy.bundle.state import site_read, state_read

__all__ = ["Bundle", "begin_bundle", "build_bundle", "compute_revision"]

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
    policies: Path | Policies | None = None,
) -> Bundle:
    """Build `output` from the policies, the catalogues and the settings; what will go of these is named on stderr.

    A bundle of the very same content that was built before is taken from the per-user cache.

    Args:
        output: The file to write; it is replaced whole or not at all.
        settings: An administrator's YAML, laid over the shipped settings.
        profile: Name of the profile that lies between the two.
        number: Number before the revision's hash, larger for a later bundle; None for none.
        site: Directories with a site's own rules and data, see `warden.policy.bundle.site.check_site`.
        key: The key to sign with; by default one for local use, made on first use.
        opa: The OPA binary, by default the pinned one.
        policies: Directory of policies, or a part of them; by default those that ship with Warden.

    Raises:
        SettingsError: The settings name an unknown rule, parameter or value out of range, or the profile is unknown.
        ConfigurationError: The key does not sign with its algorithm.
        BundleError: The policies or the site's rules do not compile, or the latter are not where they are evaluated.
    """
    opa = opa or find_opa()
    part = policies if isinstance(policies, Policies) else Policies(policies or share("policies"))
    return _begin(output, _Sources(opa, part, settings, profile, tuple(site), number, key or _local_key()))()


def begin_bundle(
    output: Path, *, settings: Path | None = None, profile: str | None = None, site: Sequence[Path] = ()
) -> Callable[[], Bundle]:
    """As `build_bundle` with its defaults, in two steps: what is wrong with the settings is said by the first.

    Returns:
        The second, which takes seconds, and may be called on another thread.
    """
    sources = _Sources(find_opa(), Policies(share("policies")), settings, profile, tuple(site), None, _local_key())
    return _begin(output, sources)


def _local_key() -> SigningKey:
    return local_key(Cache.of().root)


def _begin(output: Path, sources: "_Sources") -> Callable[[], Bundle]:
    remembered, hash_ = RememberedBundles(Cache.of().root / "bundles"), sources.hash()
    found = remembered.copy(hash_, output) if hash_ else None
    if found is not None:
        return lambda: _announce_bundle(output, sources, found)
    checked = _check(sources)

    def finish() -> Bundle:
        made = _build(output, sources, checked)
        if hash_:
            remembered.keep(hash_, output, made)
        return _announce_bundle(output, sources, made)

    return finish


def _announce_bundle(output: Path, sources: "_Sources", made: dict[str, Any]) -> Bundle:
    for sentence in made["deprecations"]:
        print(f"warden: {sentence}", file=sys.stderr)
    return Bundle(output, made["revision"], sources.key)


@dataclass(frozen=True)
class _Sources:
    """All that a bundle is made of beside what ships with Warden."""

    opa: Path
    policies: Policies
    settings: Path | None
    profile: str | None
    site: tuple[Path, ...]
    number: int | None
    key: SigningKey

    def hash(self) -> str | None:
        """A hash of their content, of the modules that make the bundle, and of OPA; None where it is not all of it."""
        settings = [] if self.settings is None else [self.settings]
        if any(b"jwksFile" in path.read_bytes() for path in settings):  # names a file besides
            return None
        binary = self.opa.stat()
        parts = (
            self.opa,
            binary.st_size,
            binary.st_mtime_ns,
            self.profile,
            len(settings),
            self.number,
            self.policies.only,
        )
        places = (Path(__file__).parent, share("bundle"), self.key.path, self.policies.directory, *settings, *self.site)
        return compute_hash((*parts, self.key.algorithm, self.key.id), places)


@dataclass(frozen=True)
class _Checked:
    """The rules' METADATA, and the settings in force, of what the bundle is about."""

    rules: dict[str, dict[str, Any]]
    settings: dict[str, Any]


def _check(sources: _Sources) -> _Checked:
    """Find what is wrong with what is not Warden's own."""
    opa, policies = sources.opa, sources.policies.directory
    if sources.profile is not None:  # what can be wrong without OPA, first
        find_profile(sources.profile)
    if sources.settings is not None:
        load_settings(sources.settings)
    if sources.site:
        check_site(opa, policies, sources.site)
    check_key(opa, sources.key)
    rules = rule_metadata(opa, policies)
    effective = effective_settings(opa, policies, rules, sources.profile, sources.settings)
    rules = select_rules(rules, sources.policies.only)
    return _Checked(rules, select_settings(effective, rules))


def _build(output: Path, sources: _Sources, checked: _Checked) -> dict[str, Any]:
    """Build a bundle, and return its revision and what will go of its settings."""
    opa, policies, site, key = sources.opa, sources.policies.directory, sources.site, sources.key
    rules, effective = checked.rules, checked.settings
    sentences = deprecations(opa, policies / "checks", effective) if effective.get("policies") else []
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".bundle-") as scratch:
        tree = Path(scratch, "tree")
        copy_policies(sources.policies, tree)
        copy_site(site, tree)
        _write_json(tree / "settings/data.json", effective)
        with ThreadPoolExecutor(1) as beside:
            compiled = beside.submit(compile_settings, opa, policies / "checks", effective)
            state = state_read(opa, policies, rules)
            reads = site_read(opa, policies, site_modules(site)) if site else {}
        if site:
            write_site_reads(tree, reads)
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
            opa_run(opa, "build", "--bundle", ".", "--output", str(built), *signing, cwd=tree)
        except BundleError as error:
            raise BundleError(name_site_files(str(error), site)) from error
        built.replace(output)
    return {"revision": revision, "deprecations": [*sentences, *coarse_packages(reads)]}


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
