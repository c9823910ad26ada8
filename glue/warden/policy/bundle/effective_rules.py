"""Rules as they hold for a cluster at an enforcement point, and which line of which file says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.base.errors import SettingsError
from warden.base.files.yaml_files import find_line, read_yaml
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.layers import SettingsLayers
from warden.policy.bundle.settings import read_effective_rules

__all__ = ["RuleInForce", "read_rules_in_force"]


@dataclass(frozen=True)
class RuleInForce:
    """One rule.

    Args:
        mode: ``deny``, ``warn``, ``dryrun`` or ``disabled``.
        enforce_from: The day from which it denies, empty for none.
        params: Name → value.
        origins: ``mode``, ``enforceFrom`` or the name of a parameter → ``FILE:LINE``.
    """

    mode: str
    enforce_from: str
    params: Mapping[str, Any]
    origins: Mapping[str, str] = field(default_factory=dict)


def read_rules_in_force(layers: SettingsLayers, *, cluster: str, enforcement_point: str) -> dict[str, RuleInForce]:
    """Return the rules by id.

    Args:
        layers: The settings.
        cluster: The cluster's name.
        enforcement_point: As the settings name it.

    Raises:
        BundleError: OPA refused the settings.
    """
    document = {
        "settings": layers.merged,
        "layers": [settings for _, settings in layers.files],
        "cluster": cluster,
        "enforcementPoint": enforcement_point,
    }
    nodes = [(path, read_yaml(path, SettingsError).node) for path, _ in layers.files]

    def format_origin(origin: Mapping[str, Any] | None) -> str:
        if origin is None:
            return ""
        path, node = nodes[origin["layer"]]
        return f"{path}:{find_line(node, [str(piece) for piece in origin['path']])}"

    def build_rule(rule: Mapping[str, Any]) -> RuleInForce:
        origins = {name: format_origin(origin) for name, origin in rule["origins"].items() if name != "params"}
        origins |= {name: format_origin(origin) for name, origin in rule["origins"]["params"].items()}
        return RuleInForce(rule["mode"], str(rule.get("enforceFrom", "")), rule["params"], origins)

    rules = read_effective_rules(find_opa(), find_shipped("policies") / "checks", document)
    return {id: build_rule(rule) for id, rule in sorted(rules.items())}
