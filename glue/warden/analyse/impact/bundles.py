"""The two bundles of a comparison: built here, or a file that is there, under a key of this machine's.

A bundle's signature says who may decide in production. Nothing is decided here, so a file is taken as it is.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import BundleError, ConfigurationError, InputError
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.opa import run_opa
from warden.policy.bundle.signing import obtain_local_key

__all__ = ["ComparedBundle", "list_policy_changes", "prepare_bundle"]


@dataclass(frozen=True)
class ComparedBundle:
    """One of the two bundles.

    Args:
        name: ``baseline`` or ``candidate``.
        source: What it was made from, in words.
        bundle: The bundle, signed with a key of this machine's.
        settings: Its effective settings.
        policies: Digest of each Rego file, by its path in the bundle.
    """

    name: str
    source: str
    bundle: Bundle
    settings: dict[str, Any]
    policies: dict[str, str]


def prepare_bundle(
    name: str,
    path: Path | None,
    settings: Path | None,
    profile: str | None,
    directory: Path,
    site: Sequence[Path] = (),
) -> ComparedBundle:
    """Make one side of a comparison.

    Args:
        name: ``baseline`` or ``candidate``, as in the options.
        path: A bundle file, a settings file (.yaml), a directory of policies, or a checkout of Warden; None for the
            policies that ship with Warden.
        settings: A settings file laid over, where the bundle is built here.
        profile: A profile laid over, where the bundle is built here.
        directory: A directory of one's own to work in; made here.
        site: Directories with a site's own rules, where the bundle is built here.

    Raises:
        InputError: There is nothing at ``path``, or it is none of these.
        ConfigurationError: Settings or a site's rules were given for a bundle that is built already.
        BundleError: The policies do not compile, or the file is not a bundle.
    """
    directory.mkdir(parents=True)
    built = directory / "bundle.tar.gz"
    if path is not None and not path.exists():
        raise InputError(f"--{name} {path}: no such file or directory: name a bundle, settings or policies")
    if path is not None and path.is_dir() and next(path.rglob("*.rego"), None) is None:
        raise InputError(f"--{name} {path}: no policy in it: name a directory of Rego files, or a checkout of Warden")
    if path is not None and path.suffix in (".yaml", ".yml"):
        if settings is not None:
            raise ConfigurationError(f"--{name} {path} and --{name}-settings are both settings: give one of them")
        path, settings = None, path
    tree = directory / "tree"
    if path is not None and path.is_file():
        for option, value in (("settings", settings), ("profile", profile), ("site", site[0] if site else None)):
            if value is not None:
                raise ConfigurationError(
                    f"--{name}-{option} is for policies that are built here, and {path} is a bundle: leave one out"
                )
        _unpack(path, tree)
        bundle = _sign_locally(tree, built)
    else:
        if path is not None and (path / "glue" / "warden").is_dir():
            _build_in_checkout(path, built, settings, profile, site)
        else:
            build_bundle(built, settings=settings, profile=profile, policies=path, site=site)
        _unpack(built, tree)
        bundle = _sign_locally(tree, built)
    source = " ".join(str(origin) for origin in (path, settings, profile, *site) if origin is not None)
    source = source or "shipped with Warden"
    return ComparedBundle(name, source, bundle, _read_settings(tree, source), _hash_policies(tree))


def list_policy_changes(before: ComparedBundle, after: ComparedBundle) -> list[tuple[str, str]]:
    """Return (path, ``added``, ``removed`` or ``changed``) for each Rego file that differs, by path."""
    was, will = before.policies, after.policies
    return [
        (path, "added" if path not in was else "removed" if path not in will else "changed")
        for path in sorted(was.keys() | will.keys())
        if was.get(path) != will.get(path)
    ]


def _build_in_checkout(
    path: Path, built: Path, settings: Path | None, profile: str | None, site: Sequence[Path]
) -> None:
    """Have a checkout build its bundle itself: its rules, settings, catalogues and checks go together."""
    command = [sys.executable, "-m", "warden", "bundle", "build", "--output", str(built)]
    command += ["--settings", str(settings.resolve())] if settings else []
    command += ["--profile", profile] if profile else []
    command += [argument for directory in site for argument in ("--site", str(directory.resolve()))]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(str(p.resolve()) for p in (path / "glue", path))}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BundleError(f"{path}: the checkout does not build its bundle: {done.stderr.strip()}")


def _unpack(path: Path, tree: Path) -> None:
    try:
        with tarfile.open(path) as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            for member in members:
                member.name = member.name.lstrip("/")
            archive.extractall(tree, members=members, filter="data")
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InputError(f"{path}: not a bundle ({error}): `warden bundle build` makes one") from error


def _sign_locally(tree: Path, built: Path) -> Bundle:
    """Sign what is in a directory with a key that the OPA started here knows, whoever signed it before."""
    signatures = tree / ".signatures.json"
    signatures.unlink(missing_ok=True)
    try:
        revision = json.loads((tree / ".manifest").read_text(encoding="utf-8"))["revision"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{built}: the bundle has no manifest with a revision: `warden bundle build` makes one") from (
            error
        )
    key = obtain_local_key(Cache.from_environment().root)
    signing = ("--signing-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
    built.unlink(missing_ok=True)
    run_opa(find_opa(), "build", "--bundle", ".", "--output", str(built.absolute()), *signing, cwd=tree)
    return Bundle(built, revision, key)


def _read_settings(tree: Path, source: str) -> dict[str, Any]:
    """`opa build` puts all base data of a bundle into one file at its root."""
    try:
        settings = json.loads((tree / "data.json").read_text(encoding="utf-8"))["settings"]
    except (OSError, ValueError, KeyError):
        settings = None
    if not isinstance(settings, dict):
        raise InputError(f"{source}: the bundle has no settings: `warden bundle build` makes one that has")
    return settings


def _hash_policies(tree: Path) -> dict[str, str]:
    """Without what is made from settings and catalogues, of which `settings.compare_settings` tells."""
    return {
        path.relative_to(tree).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(tree.rglob("*.rego"))
        if path.name != "constants.rego"
    }
