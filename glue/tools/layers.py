"""The groups of the package and of the policies, and which group may use which: what docs and tests are held to."""

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["GROUPS", "POLICIES", "ROOTS", "USES", "find_group", "find_room", "iter_imports"]

GROUPS = {
    "warden.base": ["errors", "extras", "version", "timestamps", "resources", "files", "process", "tls", "toolchain"],
    "warden.policy": ["contract", "bundle", "opa", "failover", "adapter"],
    "warden.state": ["snapshot", "sources", "lease", "config_map_policies", "replicate"],
    "warden.enforce": ["sdk", "client_configs", "gateway", "broker", "webhook", "remediate"],
    "warden.analyse": [
        "check",
        "scan",
        "proposal",
        "impact",
        "trend",
        "upgrade",
        "report",
        "notify",
        "placement_preview",
    ],
    "warden.console": ["config", "gate", "store", "intake", "policy", "estate", "pages", "app", "server"],
    "spark_jobs": ["common", "sources", "scan", "analysis", "jobs"],
}
"""Group → its rooms, from the ground up: a room uses those before it."""

POLICIES = {
    "How a decision is made": [
        "kafka.operations",
        "kafka.request",
        "kafka.engine",
        "kafka.cluster",
        "kafka.settings",
        "kafka.violation",
        "kafka.effects",
        "kafka.sequence",
        "kafka.audit_parts",
        "kafka.legacy",
        "kafka.releases",
        "kafka.dependencies",
        "kafka.reads",
    ],
    "What Kafka makes of it": [
        "kafka.errors",
        "kafka.topics",
        "kafka.topic_defaults",
        "kafka.made_topics",
        "kafka.brokers",
        "kafka.resources",
        "kafka.configs",
        "kafka.lists",
        "kafka.learnt",
        "kafka.changes",
        "kafka.acls",
        "kafka.hosts",
        "kafka.quotas",
        "kafka.clients",
        "kafka.administration",
        "kafka.upgrade",
    ],
    "What is allowed": ["kafka.rules", "kafka.bounds", "kafka.ecosystem", "io.k8s.federation"],
    "What OPA asks about itself": ["system.authz", "system.log"],
    "What is checked before a bundle is built": [
        "checks.rules",
        "checks.families",
        "checks.settings",
        "checks.controls",
        "checks.site",
        "checks.state",
        "checks.schemas",
        "checks.proposal",
    ],
}
"""What packages of Rego are for → the packages; those below one of them are its own."""

USES = {
    "warden.base": (),
    "warden.policy": ("warden.base",),
    "warden.state": ("warden.base", "warden.policy"),
    "warden.enforce": ("warden.base", "warden.policy", "warden.state"),
    "warden.analyse": ("warden.base", "warden.policy", "warden.state"),
    "warden.demo": ("warden.base", "warden.policy", "warden.state", "warden.dynamic_clients"),
    "warden.dynamic_clients": ("warden.base", "warden.policy", "warden.state"),
    "warden.console": ("warden.base", "warden.policy", "warden.state", "warden.enforce", "warden.analyse"),
    "warden": ("warden.base", "warden.policy", "warden.enforce"),
    "spark_jobs": ("warden", "warden.base", "warden.policy", "warden.state", "warden.analyse"),
    "pyspark_warden": ("spark_jobs",),
    "warden.commands": (*GROUPS, "warden.demo", "warden.dynamic_clients"),
    "warden.__main__": ("warden.commands",),
    "tools": (*GROUPS, "warden", "warden.demo", "warden.commands"),
}
"""Group → the groups that it may use. ``enforce`` and ``analyse`` do not know each other."""

ROOTS = {"warden": "glue", "tools": "glue", "spark_jobs": ".", "pyspark_warden": "glue"}
"""Package → the directory of the checkout that holds it."""


def find_group(module: str) -> str:
    """Return the group of a module: its package below ``warden``, or the package at the root."""
    parts = module.split(".")
    named = ".".join(parts[:2])
    return named if named in USES else parts[0]


def find_room(module: str) -> str:
    """Return the room of a module inside its group, "" for the group's own face."""
    return module.removeprefix(find_group(module)).removeprefix(".").partition(".")[0]


def iter_imports(path: Path) -> Iterator[str]:
    """Yield every module of ours that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOTS:
            is_face = node.module in ROOTS or node.module in USES
            yield from (f"{node.module}.{name.name}" if is_face else node.module for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] in ROOTS)
