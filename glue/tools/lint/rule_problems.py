"""The rules about our rules (policies/checks/rules), evaluated on the policies of a checkout."""

import hashlib
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from warden.base.files.private import make_private_directory
from warden.base.resources import find_shipped
from warden.base.toolchain.cache import Cache
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.opa import evaluate_opa, run_opa

__all__ = ["list_rule_problems"]

_PROBLEMS = "data.checks.rules.problems"
_KEPT_SECONDS = 30 * 86400


def list_rule_problems(opa: Path, queries: tuple[str, ...] = (_PROBLEMS,)) -> list[list[dict[str, Any]]]:
    """Return what is wrong with the policies: ``file`` (below policies/), ``row`` and ``message``, for each query.

    What `opa parse` makes of a file stays in the per-user cache, by OPA's version and the file's text.

    Args:
        opa: The OPA binary.
        queries: Rego that gives problems, of an input as in ``policies/checks/rules/problems.rego``.
    """
    policies = find_shipped("policies")
    inspected = run_opa(opa, "inspect", "--annotations", "--format", "json", ".", cwd=policies)
    modules = ",".join(f"{json.dumps(file)}:{tree}" for file, tree in _read_trees(opa, policies).items())
    settings = yaml.safe_load((find_shipped("bundle") / "settings/data.yaml").read_text(encoding="utf-8"))
    annotations, controls = json.loads(inspected)["annotations"], read_catalog("controls")
    rest = json.dumps({"annotations": annotations, "settings": settings, "controls": controls})
    arguments = ("--bundle", str(policies), f"[{', '.join(queries)}]")
    problems: list[list[dict[str, Any]]] = evaluate_opa(opa, *arguments, stdin=f'{{"modules":{{{modules}}},{rest[1:]}')
    return problems


def _read_trees(opa: Path, policies: Path) -> dict[str, str]:
    """The syntax tree of each file with the rows in it, as JSON, by the path under policies/."""
    version, directory = run_opa(opa, "version"), Cache.from_environment().root / "syntax-trees"
    make_private_directory(directory)
    files = [path.relative_to(policies).as_posix() for path in sorted(policies.rglob("*.rego"))]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        trees = dict(
            zip(files, pool.map(lambda file: _read_tree(opa, version, policies, file, directory), files), strict=True)
        )
    for path in directory.iterdir():
        with suppress(FileNotFoundError):  # another process was quicker
            if path.stat().st_mtime < time.time() - _KEPT_SECONDS:
                path.unlink()
    return trees


def _read_tree(opa: Path, version: str, policies: Path, file: str, directory: Path) -> str:
    """The syntax tree of one file, from the cache where it is there."""
    text = (policies / file).read_text(encoding="utf-8")
    kept = directory / hashlib.sha256(f"{version}\0{file}\0{text}".encode()).hexdigest()
    if not kept.exists():
        parse = ("parse", "--format", "json", "--json-include", "locations,-comments", file)
        tree = json.loads(run_opa(opa, *parse, cwd=policies), object_hook=_with_row)
        written = kept.with_suffix(f".{os.getpid()}")
        written.write_text(json.dumps(tree, separators=(",", ":")), encoding="utf-8")
        written.replace(kept)
    os.utime(kept)
    return kept.read_text(encoding="utf-8")


def _with_row(node: dict[str, Any]) -> dict[str, Any]:
    """Of a location the row alone, which is all that is read of it."""
    if "location" in node:
        node["location"] = {"row": node["location"]["row"]}
    return node
