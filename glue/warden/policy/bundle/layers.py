"""Layers of a bundle's settings: those that ship, a profile's, a site's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.key_sets import insert_key_sets
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.profiles import list_profiles, load_profile, select_profiles
from warden.policy.bundle.settings import Settings, SettingsDocument, check_settings, load_settings, merge_settings

__all__ = ["SettingsLayers", "list_profile_views", "read_effective_settings", "read_layers", "read_settings_layers"]


@dataclass(frozen=True)
class SettingsLayers:
    """Settings by where they come from.

    Args:
        files: Each file with what it says, the one that ships first.
        merged: All of them over each other.
    """

    files: tuple[tuple[Path, Settings], ...]
    merged: Settings


def read_effective_settings(
    opa: Path, policies: Path, rules: Mapping[str, Any], profile: str | None = None, own: Path | None = None
) -> Settings:
    """Return the settings in force, see `read_settings_layers`."""
    return read_settings_layers(opa, policies, rules, profile, own).merged


def read_layers(settings: Path | None, profile: str | None) -> SettingsLayers:
    """Return the layers of the policies that ship, with a settings file and a profile, each checked.

    Raises:
        SettingsError: Each mistake with its line.
    """
    opa, policies = find_opa(), find_shipped("policies")
    return read_settings_layers(opa, policies, read_rule_metadata(opa, policies), profile, settings)


def read_settings_layers(
    opa: Path, policies: Path, rules: Mapping[str, Any], profile: str | None = None, own: Path | None = None
) -> SettingsLayers:
    """Return the layers of settings, each checked by itself and with what it lies on.

    Args:
        opa: The OPA binary.
        policies: Directory of the policies.
        rules: The rules' metadata by id.
        profile: Name of a profile, or names with commas between them, the later over the earlier; None for none.
        own: A site's own settings file, None for none.

    Raises:
        SettingsError: A layer names an unknown rule, parameter or value out of range, or the profile is unknown.
    """
    checks = policies / "checks"
    shipped = find_shipped("bundle") / "settings" / "data.yaml"
    settings = load_settings(shipped)
    documents = [SettingsDocument(settings, shipped, complete=True)]
    layers: list[tuple[Path, Settings]] = []
    layers += [(chosen.path, load_profile(chosen, rules)) for chosen in select_profiles(profile)]
    if own is not None:
        layers.append((own, insert_key_sets(load_settings(own), own)))
    for path, layer in layers:
        settings = merge_settings(settings, layer)
        documents += [SettingsDocument(layer, path, complete=False), SettingsDocument(settings, path, complete=True)]
    check_settings(opa, checks, rules, documents)
    return SettingsLayers(((shipped, load_settings(shipped)), *layers), settings)


def list_profile_views() -> list[tuple[str, str, dict[str, Any]]]:
    """Return each profile's name, audience, and the rules' settings in force with it, unchecked."""
    shipped = load_settings(find_shipped("bundle") / "settings" / "data.yaml")
    return [
        (profile.name, profile.audience, merge_settings(shipped, load_profile(profile, shipped["rules"]))["rules"])
        for profile in list_profiles()
    ]
