"""What the policies read, of a cluster's state and of the input, from their syntax trees."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.bundle.opa import opa_json

__all__ = ["state_read"]

_QUERY = 'object.union(data.checks.state.parts, {"inputs": data.checks.state.reads})'


def state_read(opa: Path, policies: Path, rules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what of the state and of the input each rule reads, and what is read whatever is enabled.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.
        rules: METADATA of the rules by id, see `warden.bundle.metadata.rule_metadata`.

    Returns:
        ``{"rules": {id: [part, …]}, "engine": [part, …], "lookups": {id: {"clusters": [part, …], "topic": flag}}}``,
        where ``lookups`` are those in the states of other clusters, and ``"inputs": {id: [path, …]}``; a path is a list
        of names of the prepared input, [] all of it.

    Raises:
        BundleError: A file cannot be parsed.
    """
    sources = (path for path in sorted(policies.glob("kafka/**/*.rego")) if not path.name.endswith("_test.rego"))
    document = {
        "modules": {path.relative_to(policies).as_posix(): path.read_text(encoding="utf-8") for path in sources},
        "rules": {id: rule["file"] for id, rule in rules.items() if rule["file"].startswith("kafka/")},
    }
    checks = [part for name in ("checks/state", "kafka/dependencies") for part in ("--data", str(policies / name))]
    arguments = ("eval", "--format", "json", "--stdin-input", *checks, _QUERY)
    found: dict[str, Any] = opa_json(opa, *arguments, stdin=json.dumps(document))["result"][0]["expressions"][0][
        "value"
    ]
    return found
