"""Imports between rooms point one way: each room uses rooms that stand before it in the list, and no other."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

# From the ground up. docs/explain/architecture.md says what each is for.
LAYERS = [
    "warden.errors",
    "warden.extras",
    "warden.version",
    "warden.resources",
    "warden.contract",
    "warden.files",
    "warden.tls",
    "warden.process",
    "warden.toolchain",
    "warden.bundle",
    "warden.opa",
    "warden.snapshot",
    "warden.sources",
    "warden.replicate",
    "warden.demo",
    "warden.adapter",
    "warden.api",
    "warden.config_store",
    "warden.clients",
    "warden.serve",
    "warden.gateway",
    "warden.webhook",
    "warden.remediate",
    "warden.place",
    "warden",
    "warden.check",
    "warden.scaffold",
    "warden.scan",
    "warden.analysis",
    "warden.report",
    "spark_jobs",
    "spark_jobs.common",
    "spark_jobs.sources",
    "spark_jobs.scan",
    "spark_jobs.analysis",
    "warden.cli",
    "warden.__main__",
    "spark_jobs.jobs",
    "tools",
]
ROOTS = {"warden": CHECKOUT / "glue", "tools": CHECKOUT / "glue", "spark_jobs": CHECKOUT}
MODULES = sorted(path.relative_to(root) for package, root in ROOTS.items() for path in (root / package).rglob("*.py"))


def room(module: str) -> str:
    """The room of a module: its package below the root, or the root where it is the root's own face."""
    parts = module.split(".")
    return parts[0] if parts[0] == "tools" else ".".join(parts[:2])


def imports(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" if node.module in ROOTS else node.module for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_downwards(module: Path) -> None:
    """No module imports from its own floor's neighbours above it."""
    name = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    own = LAYERS.index(room(name)) if room(name) in LAYERS else -1
    above = [
        target
        for target in imports(ROOTS[module.parts[0]] / module)
        if target.split(".")[0] in ROOTS and room(target) != room(name) and LAYERS.index(known(target)) > own
    ]

    assert own >= 0, f"{name} is in no room that is listed: put it into one"
    assert [] == above


def known(target: str) -> str:
    """The listed room of an import; names of a package's face count for the face."""
    return room(target) if room(target) in LAYERS else target.split(".", maxsplit=1)[0]
