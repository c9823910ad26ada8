"""Settings: the shipped ones, an administrator's YAML over them, and their check against the rules' own parameters."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.did_you_mean import did_you_mean
from warden.base.errors import SettingsError
from warden.base.files.yaml_files import find_line, read_yaml
from warden.policy.bundle.opa import evaluate_opa

__all__ = [
    "Settings",
    "SettingsDocument",
    "check_settings",
    "compile_settings",
    "list_deprecations",
    "load_settings",
    "merge_settings",
    "read_effective_rules",
]

Settings = dict[str, Any]

_PROBLEMS_QUERY = """[problems |
    some document in input.documents
    problems := data.checks.settings.problems with input as object.union(document, {"rules": input.rules})
]"""


def load_settings(path: Path) -> Settings:
    """Read a settings file; one that says nothing has no settings.

    Raises:
        SettingsError: The file cannot be read, is not YAML, has a key twice, or is not a mapping.
    """
    settings = read_yaml(path, SettingsError, "YAML file with settings").value
    if settings is None:
        return {}
    if not isinstance(settings, dict):
        raise SettingsError(f"{path}: not a mapping: write rules:, clusters:, enforcementPoints: or waivers:")
    return settings


def merge_settings(base: Settings, over: Settings) -> Settings:
    """Lay settings over others: rules, parameters and enforcement points one by one, lists as a whole."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge_settings(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


@dataclass(frozen=True)
class SettingsDocument:
    """Settings to be checked.

    Args:
        settings: The document.
        path: The file that it came from, for messages and line numbers.
        complete: Whether every rule must be there with its mode and all its parameters.
    """

    settings: Settings
    path: Path
    complete: bool


def check_settings(opa: Path, checks: Path, rules: Mapping[str, Any], documents: Sequence[SettingsDocument]) -> None:
    """Check settings against the schema that the rules' METADATA makes, all of them in one run of OPA.

    Args:
        opa: The OPA binary.
        checks: Directory of the package `checks.settings`, beside those of `kafka`.
        rules: The rules' metadata by id.
        documents: What to check; the first with a problem is spoken of.

    Raises:
        SettingsError: One line for each problem: file, line, place and reason.
    """
    inputs = [{"settings": document.settings, "complete": document.complete} for document in documents]
    answers = _ask(opa, checks, _PROBLEMS_QUERY, {"rules": rules, "documents": inputs})
    for document, problems in zip(documents, answers, strict=True):
        if problems:
            node = read_yaml(document.path, SettingsError).node
            mistakes = sorted(
                (find_line(node, _build_key_path(p)), f"{_format_place(p['path'])}{_format_problem(p)}")
                for p in problems
            )
            raise SettingsError("\n".join(f"{document.path}:{line}: {sentence}" for line, sentence in mistakes))


def compile_settings(opa: Path, checks: Path, settings: Settings) -> Any:
    """Return complete settings in the form that the evaluator reads (`checks.settings.compiled`)."""
    return _ask(opa, checks, "data.checks.settings.compiled", {"settings": settings})


def read_effective_rules(opa: Path, checks: Path, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return each rule's mode and parameters with the place that each comes from (`checks.settings.effective`).

    Args:
        opa: The OPA binary.
        checks: Directory of the package `checks.settings`.
        document: ``settings``, ``layers``, ``cluster`` and ``enforcementPoint``.
    """
    rules: dict[str, Any] = _ask(opa, checks, "data.checks.settings.effective", document)
    return rules


def list_deprecations(opa: Path, checks: Path, settings: Settings) -> list[str]:
    """Return a sentence for each thing that the settings use and that will go one day."""
    return sorted(_ask(opa, checks, "data.checks.settings.deprecations", {"settings": settings}))


def _ask(opa: Path, checks: Path, query: str, document: Mapping[str, Any]) -> Any:
    # What the checks are written in.
    read = ("kafka/operations", "kafka/dependencies", "kafka/base/settings/settings.rego", "system/authz")
    places = (checks, *(checks.parent / name for name in read))
    data = tuple(argument for place in places for argument in ("--data", str(place)))
    return evaluate_opa(opa, *data, query, stdin=json.dumps(document))


def _format_problem(problem: Mapping[str, Any]) -> str:
    near = did_you_mean(problem["unknown"], problem["known"]) if "unknown" in problem else ""
    return f"{problem['message']}{near}"


def _build_key_path(problem: Mapping[str, Any]) -> list[str]:
    """The path to what is wrong: an unknown key's own, not that of the mapping it stands in."""
    return [*problem["path"], *([problem["unknown"]] if "unknown" in problem else [])]


def _format_place(path: Sequence[str]) -> str:
    return ".".join(path) + ": " if path else ""
