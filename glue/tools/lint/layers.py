"""The groups of the package and of the policies, and which group may use which: what docs and tests are held to."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = [
    "GROUPS",
    "POLICIES",
    "REFERENCES_BACK",
    "ROOTS",
    "USES",
    "USES_OF_ROOMS",
    "find_group",
    "find_room",
    "iter_imports",
    "iter_references",
]

GROUPS = {
    "warden.base": [
        "errors",
        "extras",
        "version",
        "timestamps",
        "resources",
        "did_you_mean",
        "files",
        "telemetry",
        "process",
        "http",
        "long_running",
        "tls",
        "toolchain",
    ],
    "warden.policy": ["contract", "bundle", "opa", "failover", "adapter"],
    "warden.state": ["snapshot", "sources", "lease", "config_map_policies", "replicate"],
    "warden.enforce": [
        "sdk",
        "client_configs",
        "service",
        "gateway",
        "broker_plugin_properties",
        "webhook",
        "remediate",
    ],
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
    "spark_jobs": ["common", "sources", "scan", "analyse", "jobs"],
}
"""Group → its rooms, from the ground up: a room uses those before it."""

POLICIES = {
    "What all of it stands on": [
        "kafka.operations",
        "kafka.base.request",
        "kafka.base.settings",
        "kafka.base.pointers",
        "kafka.cluster",
        "kafka.base.errors",
        "kafka.violation",
        "kafka.base.effects",
        "kafka.base.reads",
        "kafka.base.releases",
        "kafka.base.bounds",
        "kafka.base.globs",
        "kafka.dependencies",
    ],
    "What Kafka makes of a request": [
        "kafka.lists",
        "kafka.configs",
        "kafka.model.learnt",
        "kafka.model.hosts",
        "kafka.changes",
        "kafka.model.topics",
        "kafka.model.brokers",
        "kafka.model.resources",
        "kafka.model.acls",
        "kafka.model.quotas",
        "kafka.model.scram",
        "kafka.client_configs",
        "kafka.model.administration",
    ],
    "What is allowed": [
        "kafka.rules",
        "kafka.upgrade",
        "io.k8s.federation",
    ],
    "How a decision is made": [
        "kafka.engine.ecosystem",
        "kafka.engine.legacy",
        "kafka.engine.topic_defaults",
        "kafka.engine.made_topics",
        "kafka.audit_parts",
        "kafka.engine",
        "kafka.engine.sequence",
    ],
    "What OPA asks about itself": [
        "system.authz",
        "system.log",
    ],
    "What is checked before a bundle is built": [
        "checks.controls",
        "checks.rules",
        "checks.families",
        "checks.settings",
        "checks.site",
        "checks.state",
        "checks.schemas",
        "checks.proposal",
    ],
}
"""What packages of Rego are for → the packages, with those below them: one refers to those before it."""

REFERENCES_BACK = {
    ("kafka.rules", "kafka.engine.legacy"),
    ("kafka.rules", "kafka.engine.topic_defaults"),
    ("kafka.rules", "kafka.engine.made_topics"),
    ("kafka.audit_parts", "kafka.engine"),
}
"""References to a package that comes later: what is evaluated whatever the operation (`kafka/rules/site.rego`) has the
engine evaluate policies of the older kind and what a change does to topics; parts of an audit are decided as the whole
is."""

USES = {
    "warden.base": (),
    "warden.policy": ("warden.base",),
    "warden.state": ("warden.base", "warden.policy"),
    "warden.enforce": ("warden.base", "warden.policy", "warden.state"),
    "warden.analyse": ("warden.base", "warden.policy", "warden.state"),
    "warden.demo": ("warden.base", "warden.policy", "warden.state", "warden.dynamic_clients"),
    "warden.dynamic_clients": ("warden.base", "warden.policy", "warden.state"),
    "warden.console": ("warden.base", "warden.policy", "warden.state", "warden.enforce", "warden.analyse"),
    "warden": ("warden.base", "warden.policy", "warden.state", "warden.enforce"),
    "spark_jobs": ("warden", "warden.base", "warden.policy", "warden.state", "warden.analyse"),
    "pyspark_warden": ("spark_jobs",),
    "warden.commands": (*GROUPS, "warden.demo", "warden.dynamic_clients"),
    "warden.__main__": ("warden.commands",),
    "tools": (*GROUPS, "warden", "warden.demo", "warden.commands"),
}
"""Group → the groups that it may use. ``enforce`` and ``analyse`` do not know each other."""

USES_OF_ROOMS = {"spark_jobs.jobs": ("warden.commands",)}
"""Room → the groups that it alone of its group may use besides: Spark's own programs are commands, with the options and
the output of commands."""

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


def iter_references(path: Path) -> Iterator[tuple[str, str]]:
    """Yield a package of `POLICIES` with every other one that a file of it refers to."""
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    own = _find_package(text.partition("package ")[2].split()[0])
    for name in re.findall(r"\bdata\.([a-z][\w.]*)", text):
        target = _find_package(name)
        if target not in (own, ""):
            yield own, target


def _find_package(name: str) -> str:
    listed = (package for packages in POLICIES.values() for package in packages)
    return max((package for package in listed if f"{name}.".startswith(f"{package}.")), key=len, default="")
