"""Every built-in that gets a caller's bytes before their types are checked has a row in the page about them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.policy.bundle.opa import run_opa_json

pytestmark = pytest.mark.opa

_PAGE = CHECKOUT / "docs" / "explain" / "untrusted-input.md"
_PACKAGES = ("authz", "log")
_OPERATORS = {"and", "assign", "equal", "gt", "gte", "lt", "lte", "minus", "neq", "or", "plus"}


def _calls(tree: Any) -> Iterator[str]:
    """Names of what is called: an expression's first term, or that of a call inside one."""
    if isinstance(tree, dict):
        if tree.get("type") == "call":
            yield _name(tree["value"][0])
        if isinstance(tree.get("terms"), list):
            yield _name(tree["terms"][0])
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _calls(inner)


def _name(reference: dict[str, Any]) -> str:
    return ".".join(part["value"] for part in reference["value"])


def _called(opa: Path, package: str) -> set[str]:
    """The built-ins of a package of `system`; what it defines itself is none."""
    called, defined = set(), set()
    for path in (CHECKOUT / "policies" / "system" / package).rglob("*.rego"):
        if path.name.endswith("_test.rego"):
            continue
        rules = run_opa_json(opa, "parse", "--format", "json", str(path))["rules"]
        called |= set(_calls(rules))
        defined |= {rule["head"]["name"] for rule in rules}
    return {name for name in called - defined - _OPERATORS if not name.startswith("internal.")}


def _rows() -> dict[str, set[str]]:
    rows = re.findall(r"^\| `([a-z0-9_.]+)` \| ([a-z, ]+) \|", _PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: set(packages.split(", ")) for name, packages in rows}


def test_each_built_in_has_a_row(opa_binary: Path) -> None:
    """And each row is of a built-in that is called, in the packages that it names."""
    called: dict[str, set[str]] = {}
    for package in _PACKAGES:
        for name in _called(opa_binary, package):
            called.setdefault(name, set()).add(package)

    assert called == _rows()


def test_no_policy_reads_a_token_unchecked(opa_binary: Path) -> None:
    """`io.jwt.decode` and the like stay out: the page says why."""
    assert {"io.jwt.decode_verify"} == {name for name in _called(opa_binary, "authz") if name.startswith("io.")}


def test_calls_are_found_wherever_they_are(opa_binary: Path, tmp_path: Path) -> None:
    """In heads, bodies, comprehensions, `every`, `else`, `with` and texts."""
    (tmp_path / "a.rego").write_text(
        "package a\n\nb := lower(x) if { x := [upper(y) | some y in input]; every z in x { trim(z, to_number(1)) } }"
        ' else := $"{abs(1)}" if walk(input, [_, 1]) with input as floor(2)\n'
    )
    tree = run_opa_json(opa_binary, "parse", "--format", "json", str(tmp_path / "a.rego"))

    assert {"lower", "upper", "trim", "to_number", "abs", "walk", "floor"} <= set(_calls(tree["rules"])), json.dumps(
        tree
    )
