"""Docstrings name what is there: the exceptions that are raised, and the parameters that are taken."""

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT
from tools.lint.layers import ROOTS

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def _trees() -> dict[Path, ast.Module]:
    paths = [path for root in ("glue", "spark_jobs") for path in sorted((CHECKOUT / root).rglob("*.py"))]
    return {path.relative_to(CHECKOUT): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _iter_entries(docstring: str, section: str) -> Iterator[str]:
    """Yield what the entries of a section are about, several at one entry apart."""
    found = re.search(rf"^{section}:\n((?: {{4,}}.*\n|\n)*)", docstring + "\n", re.MULTILINE)
    for entry in re.findall(r"^ {4}(\S[^:\n]*):(?: |$)", found[1], re.MULTILINE) if found else ():
        yield from (name.strip("`* ") for name in entry.split(","))


def _takes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return {one.arg for one in named if one is not None}


def test_exceptions_are_there() -> None:
    """Each that a docstring says is raised is a class of ours, of Python's, or one that the module uses."""
    classes = {node.name for tree in _trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    unknown, count = [], 0
    for path, tree in _trees().items():
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                for name in _iter_entries(ast.get_docstring(node) or "", "Raises"):
                    count += 1
                    is_ours = name.isidentifier()  # else prose, or a library's, with its name before it
                    if is_ours and name not in classes | used and not hasattr(builtins, name):
                        unknown.append(f"{path}:{node.lineno}: {name}")
    assert count > 500
    assert [] == unknown, "\n".join(unknown)


def test_parameters_are_there() -> None:
    """Each that a function's docstring explains is one that it takes."""
    unknown, count = [], 0
    for path, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, _FUNCTIONS):
                for name in _iter_entries(ast.get_docstring(node) or "", "Args"):
                    count += 1
                    if name not in _takes(node):
                        unknown.append(f"{path}:{node.lineno}: {name}")
    assert count > 500
    assert [] == unknown, "\n".join(unknown)


def _iter_names(tree: ast.Module) -> Iterator[str]:
    """Yield every name that a module defines or takes, in classes and functions too."""
    for node in ast.walk(tree):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            yield node.name
        if isinstance(node, _FUNCTIONS):
            yield from _takes(node)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def _iter_imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_references_are_there() -> None:
    """Each `name` between single backticks is one of ours, or begins with a library's."""
    names = {part for path in _trees() for part in path.with_suffix("").parts}
    names |= {name for tree in _trees().values() for name in _iter_names(tree)} | set(dir(builtins))
    others = {name.partition(".")[0] for tree in _trees().values() for name in _iter_imports(tree)} - ROOTS.keys()
    unknown, count = [], 0
    for path, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Module)):
                docstring = ast.get_docstring(node) or ""
                for reference in re.findall(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)", docstring):
                    count += 1
                    parts = reference.split(".")
                    missing = [part for part in parts if part not in names] if parts[0] not in others else []
                    unknown += [f"{path}:{getattr(node, 'lineno', 1)}: {reference}"] if missing else []
    assert count > 500
    assert [] == unknown, "\n".join(unknown)
