"""Settings: the shipped ones, an administrator's YAML over them, and their check against the rules' own parameters."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from warden.bundle.metadata import rule_metadata
from warden.bundle.opa import opa_json
from warden.errors import SettingsError
from warden.yaml_lines import line_of

__all__ = [
    "Settings",
    "check_settings",
    "compile_settings",
    "deprecations",
    "load_settings",
    "merge_settings",
    "settings_schema",
]

Settings = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """YAML whose dates stay the strings that the contract has."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_settings(path: Path) -> Settings:
    """Read a settings file.

    Raises:
        SettingsError: The file cannot be read, is not YAML, or is not a mapping.
    """
    try:
        settings = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a subclass of SafeLoader
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read ({error}): name a YAML file") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(settings, dict):
        raise SettingsError(f"{path}: not a mapping: write rules:, clusters:, points: or waivers:")
    return settings


def merge_settings(base: Settings, over: Settings) -> Settings:
    """Lay settings over others: rules, parameters and points one by one, lists of clusters and waivers as a whole."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge_settings(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def check_settings(
    opa: Path, checks: Path, rules: Mapping[str, Any], settings: Settings, path: Path, *, complete: bool
) -> None:
    """Check settings against the schema that the rules' METADATA makes.

    Args:
        opa: The OPA binary.
        checks: Directory of the package `checks.settings`.
        rules: The rules' metadata by id.
        settings: The document.
        path: The file that it came from, for messages and line numbers.
        complete: Whether every rule must be there with its mode and all its parameters.

    Raises:
        SettingsError: One line for each problem: file, line, place and reason.
    """
    problems = _ask(opa, checks, "problems", {"rules": rules, "settings": settings, "complete": complete})
    if problems:
        node = yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)
        found = sorted((line_of(node, p["path"]), f"{_place(p['path'])}{p['message']}") for p in problems)
        raise SettingsError("\n".join(f"{path}:{line}: {sentence}" for line, sentence in found))


def compile_settings(opa: Path, checks: Path, settings: Settings) -> Any:
    """Return complete settings in the form that the evaluator reads (`checks.settings.compiled`)."""
    return _ask(opa, checks, "compiled", {"settings": settings})


def deprecations(opa: Path, checks: Path, settings: Settings) -> list[str]:
    """Return a sentence for each thing that the settings use and that will go one day."""
    return sorted(_ask(opa, checks, "deprecations", {"settings": settings}))


def settings_schema(opa: Path, policies: Path) -> Any:
    """Return the JSON schema of a settings file, made from the METADATA of the rules under `policies`."""
    document = {"rules": rule_metadata(opa, policies), "complete": False}
    return _ask(opa, policies / "checks", "schema", document)


def _ask(opa: Path, checks: Path, rule: str, document: Mapping[str, Any]) -> Any:
    arguments = ("eval", "--format", "json", "--stdin-input", "--data", str(checks), f"data.checks.settings.{rule}")
    return opa_json(opa, *arguments, stdin=json.dumps(document))["result"][0]["expressions"][0]["value"]


def _place(path: Sequence[str]) -> str:
    return ".".join(path) + ": " if path else ""
