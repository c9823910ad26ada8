"""Profiles: named sets of settings for kinds of sites, between the shipped settings and a site's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import SettingsError
from warden.base.resources import find_shipped
from warden.policy.bundle.settings import Settings, load_settings, merge_settings

__all__ = ["Profile", "find_profile", "list_profiles", "load_profile", "select_profiles"]


@dataclass(frozen=True)
class Profile:
    """A named overlay of settings.

    Args:
        name: As it is requested.
        path: The YAML file.
        audience: For whom it is, the comment that the file begins with.
    """

    name: str
    path: Path
    audience: str


def list_profiles() -> list[Profile]:
    """Return the profiles that ship with Warden, by name."""
    paths = sorted((find_shipped("bundle") / "profiles").glob("*/profile.yaml"))
    return [Profile(path.parent.name, path, _read_audience(path)) for path in paths]


def find_profile(name: str) -> Profile:
    """Return a profile by its name.

    Raises:
        SettingsError: There is none of that name.
    """
    by_name = {profile.name: profile for profile in list_profiles()}
    if name not in by_name:
        raise SettingsError(describe_unknown("profile", name, by_name))
    return by_name[name]


def select_profiles(names: str | None) -> list[Profile]:
    """Return the profiles that lie over each other, by names with commas between them; None and "" name none.

    Raises:
        SettingsError: There is none of a name.
    """
    return [find_profile(name.strip()) for name in names.split(",")] if names else []


def load_profile(profile: Profile, rules: Iterable[str]) -> Settings:
    """Return a profile's settings, with what it says of ``KFK-BRK-*`` said of each rule that is meant.

    Where several names mean a rule, the later one in the file wins, parameter by parameter.

    Args:
        profile: The profile.
        rules: The ids of all rules.

    Raises:
        SettingsError: The file is not a mapping of settings, or a name with ``*`` means no rule.
    """
    settings = load_settings(profile.path)
    ids = list(rules)
    expanded: Settings = {}
    for name, setting in settings.get("rules", {}).items():
        meant = [id for id in ids if fnmatchcase(id, name)] if "*" in name else [name]
        if not meant:
            raise SettingsError(f"{profile.path}: rules: {name} means no rule: correct the name or leave it out")
        for id in meant:
            expanded = merge_settings(expanded, {id: setting})
    return {**settings, "rules": expanded}


def _read_audience(path: Path) -> str:
    """The comment at the head of a file, as one line."""
    words = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        words.append(line.removeprefix("#").strip())
    return " ".join(words)
