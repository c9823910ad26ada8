"""The parts of state and input that the policies read, from their syntax trees."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.policy.bundle.opa import evaluate_opa

__all__ = ["find_site_reads", "find_state_reads"]

_STATE = "data.checks.state"
_QUERY = (
    f"object.union({_STATE}.parts, "
    f'{{"inputs": {_STATE}.reads, "deciding": {_STATE}.deciding, "names": {_STATE}.names, "params": {_STATE}.params}})'
)


def find_state_reads(opa: Path, policies: Path, rules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what of the state and of the input each rule reads, and what is read whatever is enabled.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.
        rules: METADATA of the rules by id, see `warden.policy.bundle.metadata.read_rule_metadata`.

    Returns:
        ``{"rules": {id: [part, …]}, "engine": [part, …], "lookups": {id: {"clusters": [part, …], "topic": flag}}}``,
        where ``lookups`` are those in the states of other clusters, and ``"inputs": {id: [path, …]}``; a path is a list
        of names of the prepared input, [] all of it. ``"deciding": {"rules": …, "inputs": …}`` has what of both can
        change the decision, of the rules that read more than that.
        ``"names": {id: [config, …]}`` has what each names of a topic, ``"params": {id: [id, …]}`` the other rules
        whose parameters one reads.

    Raises:
        BundleError: A file cannot be parsed.
    """
    document = {
        "modules": _read_sources(policies),
        "rules": {id: rule["file"] for id, rule in rules.items() if rule["file"].startswith("kafka/")},
    }
    reads: dict[str, Any] = _eval_query(opa, policies, document, _QUERY)
    return reads


def find_site_reads(opa: Path, policies: Path, modules: Mapping[str, str]) -> dict[str, list[list[str]]]:
    """Return what of the input each package ``site.rules.NAME`` reads, by NAME: by that a cause is found.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.
        modules: The site's, sources by path.

    Raises:
        BundleError: A file cannot be parsed.
    """
    document = {"modules": {**_read_sources(policies), **modules}, "rules": {}}
    reads: dict[str, list[list[str]]] = _eval_query(opa, policies, document, "data.checks.state.site_reads")
    return reads


def _read_sources(policies: Path) -> dict[str, str]:
    files = (path for path in sorted(policies.glob("kafka/**/*.rego")) if not path.name.endswith("_test.rego"))
    return {path.relative_to(policies).as_posix(): path.read_text(encoding="utf-8") for path in files}


def _eval_query(opa: Path, policies: Path, document: Mapping[str, Any], query: str) -> Any:
    checks = [part for name in ("checks/state", "kafka/dependencies") for part in ("--data", str(policies / name))]
    return evaluate_opa(opa, *checks, query, stdin=json.dumps(document))
