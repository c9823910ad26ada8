"""Build the bundle: what OPA loads, complete, stamped and signed."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa, read_opa_version
from warden.policy.bundle.cache import RememberedBundles
from warden.policy.bundle.contents import PolicySelection
from warden.policy.bundle.prebuilt import find_prebuilt
from warden.policy.bundle.signing import SigningKey, obtain_local_key
from warden.policy.bundle.sources import BundleSources

__all__ = ["Bundle", "begin_bundle", "build_bundle"]


@dataclass(frozen=True)
class Bundle:
    """A built bundle.

    Args:
        path: The ``bundle.tar.gz``.
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
    policies: Path | PolicySelection | None = None,
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
    selection = (
        policies if isinstance(policies, PolicySelection) else PolicySelection(policies or find_shipped("policies"))
    )
    return _begin(
        output, BundleSources(opa, selection, settings, profile, tuple(site), number, key or _obtain_default_key())
    )()


def begin_bundle(
    output: Path, *, settings: Path | None = None, profile: str | None = None, site: Sequence[Path] = ()
) -> Callable[[], Bundle]:
    """As `build_bundle` with its defaults, in two steps: what is wrong with the settings is said by the first.

    Returns:
        The second, which takes seconds, and may be called on another thread.
    """
    sources = BundleSources(
        find_opa(),
        PolicySelection(find_shipped("policies")),
        settings,
        profile,
        tuple(site),
        None,
        _obtain_default_key(),
    )
    return _begin(output, sources)


def _obtain_default_key() -> SigningKey:
    return obtain_local_key(Cache.from_environment().root)


def _begin(output: Path, sources: BundleSources) -> Callable[[], Bundle]:
    remembered, content = RememberedBundles(Cache.from_environment().root / "bundles"), sources.hash_content()
    hash_ = content and sources.hash_with_key(content)
    cached = remembered.copy(hash_, output) if hash_ else None
    if cached is not None:
        return lambda: _announce_bundle(output, sources, cached)
    make = _begin_making(output, sources, content)

    def finish() -> Bundle:
        made = make()
        if hash_:
            remembered.keep(hash_, output, made)
        return _announce_bundle(output, sources, made)

    return finish


def _begin_making(output: Path, sources: BundleSources, content: str | None) -> Callable[[], dict[str, Any]]:
    """Return what signs the bundle of this very content that Warden brings along; where it brings none, what builds."""
    if content and (prebuilt := find_prebuilt(content)) and read_opa_version(sources.opa) == versions.OPA:
        return partial(prebuilt.sign, sources.opa, sources.key, output)
    from warden.policy.bundle.assemble import assemble_bundle, check_sources  # what only a build needs

    return partial(assemble_bundle, output, sources, check_sources(sources))


def _announce_bundle(output: Path, sources: BundleSources, made: dict[str, Any]) -> Bundle:
    for sentence in made["deprecations"]:
        print(f"warden: {sentence}", file=sys.stderr)
    return Bundle(output, made["revision"], sources.key)
