"""The rules about our rules (policies/checks/rules), evaluated on the policies of a checkout."""

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

from warden.bundle.opa import opa_json, opa_run
from warden.resources import share

__all__ = ["rule_problems"]

_PROBLEMS = "data.checks.rules.problems"


def rule_problems(opa: Path, trees: Path, queries: tuple[str, ...] = (_PROBLEMS,)) -> list[list[dict[str, Any]]]:
    """Return what is wrong with the policies: ``file`` (below policies/), ``row`` and ``message``, for each query.

    Args:
        opa: The OPA binary.
        trees: Directory in which what `opa parse` makes of each file is kept, by OPA's version and the file's text.
        queries: Rego that gives problems, of an input as in ``policies/checks/rules/problems.rego``.
    """
    policies = share("policies")
    inspected = opa_run(opa, "inspect", "--annotations", "--format", "json", ".", cwd=policies)
    modules = ",".join(f"{json.dumps(file)}:{tree}" for file, tree in _trees(opa, policies, trees).items())
    settings = yaml.safe_load((share("bundle") / "settings/data.yaml").read_text(encoding="utf-8"))
    rest = json.dumps({"annotations": json.loads(inspected)["annotations"], "settings": settings})
    arguments = ("eval", "--format", "json", "--stdin-input", "--bundle", str(policies), f"[{', '.join(queries)}]")
    answer = opa_json(opa, *arguments, stdin=f'{{"modules":{{{modules}}},{rest[1:]}')
    found: list[list[dict[str, Any]]] = answer["result"][0]["expressions"][0]["value"]
    return found


def _trees(opa: Path, policies: Path, directory: Path) -> dict[str, str]:
    """The syntax tree of each file with the rows in it, as JSON, by the path under policies/."""
    version, trees, known = opa_run(opa, "version"), {}, set()
    directory.mkdir(parents=True, exist_ok=True)
    for path in sorted(policies.rglob("*.rego")):
        file = path.relative_to(policies).as_posix()
        text = path.read_text(encoding="utf-8")
        kept = directory / hashlib.sha256(f"{version}\0{file}\0{text}".encode()).hexdigest()
        known.add(kept)
        if not kept.exists():
            parse = ("parse", "--format", "json", "--json-include", "locations,-comments", file)
            tree = json.loads(opa_run(opa, *parse, cwd=policies), object_hook=_with_row)
            written = kept.with_suffix(".new")
            written.write_text(json.dumps(tree, separators=(",", ":")), encoding="utf-8")
            written.replace(kept)
        trees[file] = kept.read_text(encoding="utf-8")
    for other in set(directory.iterdir()) - known:
        other.unlink(missing_ok=True)
    return trees


def _with_row(node: dict[str, Any]) -> dict[str, Any]:
    """Of a location the row alone, which is all that is read of it."""
    if "location" in node:
        node["location"] = {"row": node["location"]["row"]}
    return node
